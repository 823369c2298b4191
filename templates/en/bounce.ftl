# The probe: a short letter that tests whether letters reach a member.
probe-subject = { $club }: are our letters reaching you?
probe-why = Hello { $name }! We heard from a mail server that a letter to you could not be delivered. This short letter finds out whether that's true.
probe-nothing = If you can read it, all is well, and there's nothing to do.

# Notices to the moderator about undeliverable members.
report-undeliverable = Letters to { $name } ({ $address }) come back, { $status ->
    [none] with no status code
   *[other] with status { $status }
}. Only a test letter goes there after 1, 3, 7 and 14 days, until { $name } writes again or has another address, or "postrider member reachable" says that all is well. { $name } plays in no game at present.
report-undeliverable-plays = Letters to { $name } ({ $address }) come back, { $status ->
    [none] with no status code
   *[other] with status { $status }
}. Only a test letter goes there after 1, 3, 7 and 14 days, until { $name } writes again or has another address, or "postrider member reachable" says that all is well. { $name } plays in { $games }; none of these waits for { $name } now.
report-undeliverable-waits = Letters to { $name } ({ $address }) come back, { $status ->
    [none] with no status code
   *[other] with status { $status }
}. Only a test letter goes there after 1, 3, 7 and 14 days, until { $name } writes again or has another address, or "postrider member reachable" says that all is well. { $name } plays in { $games }; waiting for { $name } now, and no time runs there: { $waiting }. "postrider member add-address" gives a new address, "postrider replace" gives the seat to somebody else, "postrider end" ends a game.
report-undeliverable-again = Letters to { $name } ({ $address }) come back once more, { $status ->
    [none] with no status code
   *[other] with status { $status }
}. Only a test letter goes there after 1, 3, 7 and 14 days, until { $name } writes again or has another address, or "postrider member reachable" says that all is well. { $name } plays in { $games }; waiting for { $name } now: { $waiting }. Time stood still for { $name } because of that on { $before } already, so this time it runs, and what you think of that is yours to do: "postrider clock" pauses a game or puts a deadline off, "postrider replace" gives the seat to somebody else.
report-reached = The last test letter to { $name } ({ $address }) did not come back, so letters seem to arrive there. { $name } is written to again, with the news that they missed.
report-refused = Mail servers refuse letters for good to { $count ->
    [one] one member
   *[other] { $count } members
}, the last one to { $address } { $status ->
    [none] with no status code
   *[other] with status { $status }
}. These letters are tried again. A member whose mailbox is refused for a day counts as undeliverable; time runs until then.
report-mass-refusal = Letters to { $count } members were refused or came back within a day, the last one to { $address } { $status ->
    [none] with no status code
   *[other] with status { $status }
}. That is a third of those written to, or more, so it is more likely about your own mail server or provider than about their mailboxes: please look there. Nobody counts as undeliverable because of it for now, and the letters are tried again.
report-lost-runs = Game { $number } has waited for { $names } for as long as for a vacation, as letters come back. Time runs there again.
report-slow-letters = No letter but this one could be posted since { $since }: { $why }. { $count ->
    [one] One letter waits
   *[other] { $count } letters wait
} and will be tried on, less and less often.
report-waits-for-lost = Game { $number } still waits for { $names }, who cannot be reminded because letters come back.
report-refused-by-rule = The rules of mail servers have refused letters to { $count } members within a day, the last one to { $address } { $status ->
    [none] with no status code
   *[other] with status { $status }
}. That is not their fault: look at what your own server or provider says of these letters, whether its address stands on a list, and whether SPF, DKIM and DMARC hold for your domain.
