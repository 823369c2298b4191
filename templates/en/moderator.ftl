# E-mails between the moderator and the club.

# Errors in a line of the moderator.
moderator-unknown = A moderator can't ask for this. Reply with just "help" to see everything you can ask.
moderator-wrong-form = We couldn't read this. Write it like this, on one line: { $form }
moderator-no-reason = Please say why, at the end of the line. Write it like this, on one line: { $form }
moderator-no-length = "{ $what }" isn't a length of time. Write it like 3 days, 12 hours or 90 minutes.
moderator-no-deadline = "{ $what }" isn't a deadline. Write it like 3 days, 72 hours, or Mon,Thu 20:00 Europe/Madrid.
moderator-no-nmr = "{ $what }" doesn't say what happens after a missed deadline. Write wait, forfeit, stand-in or bot.
moderator-no-rule = The clock has no rule "{ $what }". Its rules are deadline, grace, bank, increment and nmr.
moderator-no-day-left = This deadline leaves no day to play on.
moderator-private = Players would see a member's address or a secret reply address. Please leave it out.
moderator-no-game = There is no game { $game }.
moderator-no-seat = There is no seat { $seat } in game { $game }.
moderator-game-broken = Game { $game } can't go on: { $why }
moderator-why = { $why }

# The first lines of an answer.
moderator-unmarked = Your e-mail came from the moderator's address, but an address can be forged. So nothing was done. Please reply to this e-mail, or to any other that the club sent you as its moderator. Then we know it's you.
moderator-preview = This is a preview: nothing has been done. Without that word, your e-mail does this:
moderator-refused = Nothing has been done, because we can't carry out one line:
moderator-help = You can write these, one request per line. Put "preview" on a line of its own to see what your e-mail would do, without doing it:
moderator-form = { $form }
moderator-form-also = { $form } ({ $also })

# Examples of lines that the moderator can write. A line can be sent back as it is, except for the
# text, name or reason in it.
form-pause = pause 12 because ...
form-resume = resume 12 because ...
form-extend = extend 12 by 3 days because ...
form-rewind = rewind 12 to 37 because ...
form-force = force 12 seat 2 because ...
form-end = end 12 because ...
form-replace = replace 12 seat 2 by ann@example.org because ...
form-remove = remove 12 seat 2 because ...
form-rotate = rotate 12 seat 2 because ...
form-rotate-member = rotate member ann@example.org because ...
form-new-marks = new marks
form-invite = invite Ann Miller <ann@example.org>
form-set = set 12 deadline 3 days because ...
form-set-also = or grace, bank, increment, nmr
form-announce = announce 12 TEXT
form-announce-also = or: announce all TEXT
form-note = note 12 TEXT
form-log = log 12
form-list = list
form-letters-list = letters list
form-letters-show = letters show NAME
form-letters-accept = letters accept NAME because ...
form-letters-accept-also = or: accept NAME for 12 seat 2
form-letters-accept-for = letters accept NAME for 12 seat 2 because ...
form-letters-reject = letters reject NAME because ...
form-letters-from = letters from ann@example.org
form-letters = letters list, from WHO, show NAME, accept NAME because ..., reject NAME

# Actions that were carried out.
moderator-paused = The clock of game { $game } is paused: { $reason }
moderator-resumed = The clock of game { $game } is running again: { $reason }
moderator-extended = The deadline of game { $game } is extended by { $span }: { $reason }
moderator-rewound = Game { $game } is rewound to move { $to }: { $reason }
moderator-ended = Game { $game } is ended: { $reason }
moderator-forced = In game { $game } we play the default order for { $who }: { $reason }
moderator-set = The clock of game { $game } has new rules ({ $rules }): { $reason }
moderator-rotated = Replies to { $who }'s older e-mails of game { $game } no longer count. We're sending a new one: { $reason }
moderator-marks-rotated = Replies to any of { $who }'s older e-mails no longer count. We're sending new ones, which can be replied to: { $reason }
moderator-marks-renewed = Replies to older e-mails from the club to you as the moderator no longer count. You can reply to this one.
moderator-replaced = In game { $game } { $who } now plays for { $before }: { $reason }
moderator-removed = { $before } is out of game { $game }, and the seat is open: { $reason }
invite-sent = We're asking at { $address } if they'd like to be a member. Whoever reads our e-mail becomes one by replying "{ $yes }" within three days.
invite-sent-name = We're asking { $name } at { $address } if they'd like to be a member. They become one by replying "{ $yes }" within three days.
invite-own = We can't invite anyone at { $address }, because it's the club's own address.
invite-member = No need to invite anyone at { $address }. It belongs to member { $number }: { $name }.
invite-name = { $name } is too much like someone else's name, or like a word in our e-mails. Please give another name, or just the address.
invite-spent = We can't write to { $address } now, because you've sent three invitations there within a day. Please try again tomorrow.
invite-refused = We don't write to { $address }, because its owner has asked the club for no more e-mails. If they'd like to play after all, they can write to the club, or you can make them a member with "postrider member add".
invite-no-address = { $address } isn't an address we can send e-mail to.
moderator-announced = To { $who } of game { $game }: { $reason }
moderator-announced-to-all = To { $count ->
    [one] the one member
   *[other] all { $count } members
  } playing now: { $text }
moderator-noted = Noted for you only, about game { $game }: { $text }
moderator-state = The game { $waits }.

# The state of games.
moderator-list = { $count ->
    [0] No games are in progress.
    [one] One game is in progress:
   *[other] { $count } games are in progress:
  }
moderator-game = Game { $game } ({ $kind }) { $waits }.
moderator-waits-over = is over
moderator-waits-won = is over; { $who } came first
moderator-waits-since = has been waiting for { $who } since { $since }
moderator-waits-paused = is paused, and is waiting for { $who }
moderator-waits-until = is waiting for { $who } until { $by }
moderator-waits-lost = is waiting for { $who } with the clock stopped, because our e-mails bounce
moderator-waits-late = is waiting for { $who }, whose orders were due { $by }
moderator-more = And { $count } more.

# The log of a game.
moderator-log = Game { $game }, move by move{ $skipped ->
    [0] { "" }
   *[other] , without the first { $skipped }
  }:
moderator-entry = { $at }: { $what }
moderator-record = move { $number }, { $what }
moderator-record-founded = the game starts
moderator-record-orders = orders from { $who }
moderator-record-absent = { $who } missed the deadline
moderator-record-bot = orders from a computer player ({ $level ->
    [easy] easy
    [strong] strong
   *[fair] fair
  }) for { $who }
moderator-record-undone = { $who } undid the last orders
moderator-record-rewound = rewound to move { $to }
moderator-record-ended = ended
moderator-did-plain = { $by }: { $what }
moderator-did = { $by }: { $what } ({ $reason })
moderator-note = your note: { $text }
moderator-said = { $who } said to all: { $text }
moderator-said-former = the player before { $who } in that seat said: { $text }
moderator-said-unsigned = someone said to all: { $text }
moderator-told = { $who } said to { $whom }: { $text }
moderator-somebody = someone
moderator-former = the player before { $who } in that seat
moderator-moderator = the moderator
moderator-house = the club

# E-mails in quarantine.
letter-list = { $count ->
    [0] No e-mails are in quarantine.
    [one] One e-mail is in quarantine:
   *[other] { $count } e-mails are in quarantine:
  }
letter-held = { $name }, received { $came } from { $from }: { $why }
letter-came-once = at an unknown time
letter-why-forgotten = we no longer know why
letter-from = From: { $from }
letter-to = To: { $to }
letter-subject = Subject: { $subject }
letter-id = Message-ID: { $id }
letter-mark-of-seat = It has the secret reply address of game { $game } seat { $seat }.
letter-mark-of-member = It has a member's secret reply address that isn't for a game.
letter-mark-none = It has no valid secret reply address.
letter-line = | { $line }
letter-rest = ... and { $count ->
    [one] one more line.
   *[other] { $count } more lines.
  }
letter-rejected = The e-mail { $name } is rejected. Nobody gets an answer.
letter-carried-out = The e-mail { $name } is let in, and we do what it asks.
letter-planned = The e-mail { $name } is let in, and its orders are saved as plans.
letter-answered = The e-mail { $name } is let in. It changes nothing, and its member gets an answer that says why.
letter-still-held = Even if you let it in, it goes back to quarantine: { $why }
letter-of-another = The e-mail has the secret reply address of game { $game } seat { $seat }, so it can't count for another seat.
letter-for-nobody = The e-mail has no valid secret reply address of a seat. Say whose it is: letters accept NAME for 12 seat 2 because ...
letter-of-several = { $count } e-mails in quarantine have "{ $name }" in their names. Write more of the name.
letter-not-held = No e-mail in quarantine has "{ $name }" in its name.
letter-no-letter = We can't read it as an e-mail: { $why }

# The e-mails of a member.
member-letters = { $count ->
    [0] We know of no e-mail from { $who }.
   *[other] E-mails from { $who }, oldest first{ $skipped ->
        [0] { "" }
       *[other] , without the first { $skipped }
      }:
  }
member-letter = { $at }: { $what } Answer: { $id }
member-letter-unanswered = { $at }: { $what } It got no answer.
member-letters-unproven = { $count ->
    [one] One more e-mail came without proof that they wrote it.
   *[other] { $count } more e-mails came without proof that they wrote them.
  }
outcome-in-game = game { $game }: { $what }
outcome-carried-out = we carried it out as move { $number }.
outcome-planned = we saved the orders as plans.
outcome-said = it only had messages or votes.
outcome-refused = we refused it.
outcome-answered = we answered questions or changed settings.
outcome-empty = we found nothing in it.
outcome-automatic = an automatic reply, such as a vacation notice.
outcome-unproven = it came without proof that they wrote it.
outcome-rejected = the moderator rejected it.
outcome-no-record = it made no move. It had questions, messages, votes, plans or nothing for us, or we refused it.

# The morning digest.
digest-subject = { $club }: morning of { $at }
digest-late = { $count ->
    [one] One game is late:
   *[other] { $count } games are late:
  }
digest-paused = { $count ->
    [one] The clock of one game is paused:
   *[other] The clocks of { $count } games are paused:
  }
digest-ended = { $count ->
    [one] One game has ended since the last digest:
   *[other] { $count } games have ended since the last digest:
  }
digest-lost = E-mails bounce for { $count ->
    [one] one member who is playing:
   *[other] { $count } members who are playing:
  }
digest-lost-one = { $who } <{ $address }>, since { $since }; playing in { $games }.
digest-held = { $count ->
    [one] One e-mail is in quarantine. "letters show NAME" shows it (any part of its name will do):
   *[other] { $count } e-mails are in quarantine. "letters show NAME" shows one (any part of its name will do):
  }
digest-strangers = { $count ->
    [one] One e-mail to a non-member is waiting
   *[other] { $count } e-mails to non-members are waiting
  }. We send the oldest first, a few each day:
digest-stranger = { $to }
digest-unposted = We couldn't send these yet, and we'll keep trying:
digest-unposted-to = { $to }: { $count ->
    [one] one e-mail
   *[other] { $count } e-mails
  }, tried { $tries ->
    [one] once
   *[other] { $tries } times
  }

# To players.
seat-announced = The moderator announces: { $text }
seat-rotated = Replies to your older e-mails of this game no longer count. Please reply to this one. The moderator's reason: { $reason }
