# Letters between the moderator and the club.

# Errors in a line of the moderator.
moderator-unknown = This is nothing that a moderator can ask for. A letter with the word "help" alone brings a list of what is.
moderator-wrong-form = It is not understood. Write it like this, on one line: { $form }
moderator-no-reason = Say why: the reason stands at the end of the line. Write it like this, on one line: { $form }
moderator-no-length = "{ $what }" is no length of time. Write it like 3 days, 12 hours or 90 minutes.
moderator-no-deadline = "{ $what }" is no deadline. Write it like 3 days, 72 hours, or Mon,Thu 20:00 Europe/Madrid.
moderator-no-nmr = "{ $what }" is nothing that can be done about absent players. Write wait, forfeit or stand-in.
moderator-no-rule = There is no rule of the clock called "{ $what }". There are deadline, grace, bank and nmr.
moderator-no-day-left = With this deadline no day is left to play on.
moderator-private = Players would be told the address of a member, or the mark by which a reply to a letter is known. Please leave it out.
moderator-no-game = There is no game { $game }.
moderator-no-seat = Game { $game } has no seat { $seat }.
moderator-game-broken = Game { $game } cannot be played on: { $why }
moderator-why = { $why }

# The first lines of an answer.
moderator-unmarked = Your letter came from the moderator's address, but an address can be forged, so nothing was done. Please answer this letter: an answer to it is known to be yours. So is an answer to any other letter that the club writes to its moderator.
moderator-preview = This is a preview: nothing has been done. Without that word your letter would lead to this:
moderator-refused = Nothing has been done, because one line cannot be:
moderator-help = What you can write, one request a line; "preview" on a line of its own says what would be done, and does nothing:
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
form-set-also = or grace, bank, nmr
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
moderator-paused = The clock of game { $game } stands still: { $reason }
moderator-resumed = The clock of game { $game } runs again: { $reason }
moderator-extended = The deadline of game { $game } is put off by { $span }: { $reason }
moderator-rewound = Game { $game } is taken back to record { $to }: { $reason }
moderator-ended = Game { $game } is ended: { $reason }
moderator-forced = In game { $game } the default order is carried out for { $who }: { $reason }
moderator-set = The clock of game { $game } is set anew ({ $rules }): { $reason }
moderator-rotated = The letters that { $who } has got about game { $game } can be answered no more, and a new one is sent: { $reason }
moderator-marks-rotated = No letter that { $who } has got can be answered any more; the marks in new ones, which are sent, are good: { $reason }
moderator-marks-renewed = No older letter of the club's to you, the moderator, can be answered any more. This one can.
moderator-replaced = In game { $game } { $who } plays on for { $before }: { $reason }
moderator-removed = { $before } is out of game { $game }, and the seat is open: { $reason }
invite-sent = A letter asks at { $address } whether its reader would be a member, who is one as soon as it is answered with "{ $yes }", within three days.
invite-sent-name = A letter asks { $name } at { $address } whether to become a member, who is one as soon as it is answered with "{ $yes }", within three days.
invite-own = Nobody is invited at { $address }, which is the club's own address.
invite-member = Nobody need be invited at { $address }, which is member { $number }'s: { $name }.
invite-name = { $name } is, or is too like, the name of somebody else, or of something in letters. Please give another, or the address alone.
invite-spent = No letter goes to { $address } now: you have invited three times there within a day. It can be done tomorrow.
invite-refused = We don't write to { $address }: its owner has asked the club for no more letters. If they'd like to play after all, they can write to the club, or "postrider member add" makes them a member.
invite-no-address = { $address } is no address that letters can go to.
moderator-announced = To { $who } of game { $game }: { $reason }
moderator-announced-to-all = To { $count ->
    [one] the one member
   *[other] all { $count } members
  } who play: { $text }
moderator-noted = Noted for your eyes only, about game { $game }: { $text }
moderator-state = The game { $waits }.

# The state of games.
moderator-list = { $count ->
    [0] No game is running.
    [one] One game is running:
   *[other] { $count } games are running:
  }
moderator-game = Game { $game } ({ $kind }) { $waits }.
moderator-waits-over = is over
moderator-waits-won = is over; { $who } came first
moderator-waits-since = waits for { $who } since { $since }
moderator-waits-paused = stands still, and waits for { $who }
moderator-waits-until = waits for { $who } until { $by }
moderator-waits-lost = waits for { $who }, and no time runs, as letters come back
moderator-waits-late = waits for { $who }, whose orders were due by { $by }
moderator-more = And { $count } more.

# The log of a game.
moderator-log = Game { $game }, record by record{ $skipped ->
    [0] { "" }
   *[other] , without the first { $skipped }
  }:
moderator-entry = { $at }: { $what }
moderator-record = record { $number }, { $what }
moderator-record-founded = the game begins
moderator-record-orders = orders of { $who }
moderator-record-absent = { $who } was absent
moderator-record-undone = { $who } took the last orders back
moderator-record-rewound = taken back to record { $to }
moderator-record-ended = ended
moderator-did-plain = { $by }: { $what }
moderator-did = { $by }: { $what } ({ $reason })
moderator-note = your note: { $text }
moderator-said = { $who } said to all: { $text }
moderator-said-former = whoever sat there before { $who } said: { $text }
moderator-said-unsigned = somebody said to all: { $text }
moderator-told = { $who } said to { $whom }: { $text }
moderator-somebody = somebody
moderator-former = whoever sat there before { $who }
moderator-moderator = the moderator
moderator-house = the club

# Letters in quarantine.
letter-list = { $count ->
    [0] No letter is in quarantine.
    [one] One letter is in quarantine:
   *[other] { $count } letters are in quarantine:
  }
letter-held = { $name } of { $came } from { $from }: { $why }
letter-came-once = a time that its name does not tell
letter-why-forgotten = why is not known any more
letter-from = From: { $from }
letter-to = To: { $to }
letter-subject = Subject: { $subject }
letter-id = Message-ID: { $id }
letter-mark-of-seat = It has the reply mark of game { $game } seat { $seat }.
letter-mark-of-member = It has the mark of a letter to a member, about no game.
letter-mark-none = It has no mark that is valid.
letter-line = | { $line }
letter-rest = ... and { $count ->
    [one] one more line.
   *[other] { $count } more lines.
  }
letter-rejected = The letter { $name } is put away; nobody is answered.
letter-carried-out = The letter { $name } is let in, and what it orders is done.
letter-planned = The letter { $name } is let in, and kept as plans for later.
letter-answered = The letter { $name } is let in; it changes nothing, and its member gets an answer that says why.
letter-still-held = Even let in it goes to quarantine: { $why }
letter-of-another = The letter has the reply mark of game { $game } seat { $seat }, and cannot be taken for another one.
letter-for-nobody = The letter has no valid mark of a seat. Say whose it is: letters accept NAME for 12 seat 2 because ...
letter-of-several = { $count } letters in quarantine have "{ $name }" in their names. Write more of it.
letter-not-held = No letter in quarantine has "{ $name }" in its name.
letter-no-letter = It cannot be read as a letter: { $why }

# The letters of a member.
member-letters = { $count ->
    [0] No letter from { $who } is known.
   *[other] Letters from { $who }, oldest first{ $skipped ->
        [0] { "" }
       *[other] , without the first { $skipped }
      }:
  }
member-letter = { $at }: { $what } Answer: { $id }
member-letter-unanswered = { $at }: { $what } No letter answered it.
member-letters-unproven = { $count ->
    [one] One more letter came without proof that they wrote it.
   *[other] { $count } more letters came without proof that they wrote them.
  }
outcome-in-game = game { $game }: { $what }
outcome-carried-out = it was carried out as record { $number }.
outcome-planned = the orders were kept as plans.
outcome-said = only messages or votes were taken.
outcome-refused = it was refused.
outcome-answered = questions were answered, or settings changed.
outcome-empty = we found nothing in it.
outcome-automatic = an automatic reply, such as a vacation notice.
outcome-unproven = it came without proof that they wrote it.
outcome-rejected = the moderator rejected it.
outcome-no-record = it made no record. It held questions, messages, votes, plans or nothing for us, or it was refused.

# The morning digest.
digest-subject = { $club }: the morning of { $at }
digest-late = { $count ->
    [one] One game is late:
   *[other] { $count } games are late:
  }
digest-paused = { $count ->
    [one] The clock of one game stands still:
   *[other] The clocks of { $count } games stand still:
  }
digest-ended = { $count ->
    [one] One game has ended since the last digest:
   *[other] { $count } games have ended since the last digest:
  }
digest-lost = Letters come back from { $count ->
    [one] one member who plays:
   *[other] { $count } members who play:
  }
digest-lost-one = { $who } <{ $address }>, since { $since }; plays in { $games }.
digest-held = { $count ->
    [one] One letter is in quarantine; "letters show NAME" shows it, any part of its name will do:
   *[other] { $count } letters are in quarantine; "letters show NAME" shows one, any part of its name will do:
  }
digest-strangers = { $count ->
    [one] One letter to somebody who is no member waits
   *[other] { $count } letters to people who are no members wait
  }. The oldest leave first, a few each day:
digest-stranger = { $to }
digest-unposted = Letters could not be sent so far, and are tried again:
digest-unposted-to = { $to }: { $count ->
    [one] one letter
   *[other] { $count } letters
  }, tried { $tries ->
    [one] once
   *[other] { $tries } times
  }

# To players.
seat-announced = The moderator announces: { $text }
seat-rotated = Your older letters about this game can be answered no more; please answer this one. The moderator says why: { $reason }
