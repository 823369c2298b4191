# The probe: a short letter that tests whether letters reach a member.
probe-subject = { $club }: are our e-mails reaching you?
probe-why = Hello { $name }! A mail server told us that it couldn't deliver an e-mail to you. This short one is a test to see if that's true.
probe-nothing = If you can read it, all is well, and there's nothing to do.

# Notices to the moderator about undeliverable members.
report-undeliverable = E-mails to { $name } ({ $address }) bounce { $status ->
    [none] without a status code
   *[other] with status { $status }
}. We'll only send test e-mails there, after 1, 3, 7 and 14 days, until { $name } writes again or has another address. If you know that all is well, use "postrider member reachable". { $name } isn't playing in any game now.
report-undeliverable-plays = E-mails to { $name } ({ $address }) bounce { $status ->
    [none] without a status code
   *[other] with status { $status }
}. We'll only send test e-mails there, after 1, 3, 7 and 14 days, until { $name } writes again or has another address. If you know that all is well, use "postrider member reachable". { $name } is playing in { $games }. None of them is waiting for { $name } now.
report-undeliverable-waits = E-mails to { $name } ({ $address }) bounce { $status ->
    [none] without a status code
   *[other] with status { $status }
}. We'll only send test e-mails there, after 1, 3, 7 and 14 days, until { $name } writes again or has another address. If you know that all is well, use "postrider member reachable". { $name } is playing in { $games }. Waiting for { $name } now, with the clock stopped: { $waiting }. Use "postrider member add-address" to add a new address, "postrider replace" to give the seat to someone else, or "postrider end" to end a game.
report-undeliverable-again = E-mails to { $name } ({ $address }) are bouncing again, { $status ->
    [none] without a status code
   *[other] with status { $status }
}. We'll only send test e-mails there, after 1, 3, 7 and 14 days, until { $name } writes again or has another address. If you know that all is well, use "postrider member reachable". { $name } is playing in { $games }. Waiting for { $name } now: { $waiting }. We already stopped the clock for { $name } because of this on { $before }, so this time it keeps running. What happens next is up to you. Use "postrider clock" to pause a game or extend a deadline, or "postrider replace" to give the seat to someone else.
report-reached = The last test e-mail to { $name } ({ $address }) didn't bounce, so e-mails seem to arrive there. We're writing to { $name } again, with the news they missed.
report-refused = Mail servers permanently refuse e-mails to { $count ->
    [one] one member
   *[other] { $count } members
}, most recently to { $address } { $status ->
    [none] without a status code
   *[other] with status { $status }
}. We'll keep trying. A member whose mailbox refuses e-mails for a day counts as undeliverable. Until then their clock keeps running.
report-mass-refusal = E-mails to { $count } members were refused or bounced within a day, most recently to { $address } { $status ->
    [none] without a status code
   *[other] with status { $status }
}. That's at least a third of the members we wrote to, so the cause is probably your own mail server or provider, not their mailboxes. Please look there first. For now, nobody counts as undeliverable because of it, and we'll keep trying.
report-lost-runs = E-mails to { $names } still bounce. Game { $number } has waited for them as long as it waits for a vacation, so the clock is running again.
report-slow-letters = Since { $since } we couldn't send any e-mail but this one: { $why }. { $count ->
    [one] One e-mail is waiting.
   *[other] { $count } e-mails are waiting.
} We'll keep trying, but less and less often.
report-waits-for-lost = Game { $number } is still waiting for { $names }. We can't remind them, because our e-mails bounce.
report-refused-by-rule = Mail servers have refused e-mails to { $count } members within a day because of their rules, most recently to { $address } { $status ->
    [none] without a status code
   *[other] with status { $status }
}. That's not the members' fault. Check what your own server or provider says about these e-mails, whether its address is on a blocklist, and whether SPF, DKIM and DMARC are right for your domain.
