# A member's own settings and private notes.

heading-settings = Your settings, and the lines that change them
heading-own-notes = Your notes (only you see this)

remind-kept = { $choice ->
    [off] From now on you get no reminders of your turns, except the last one before a deadline after which we'd play for you or offer your seat to someone else. We always send that one.
    [every] From now on we remind you while it's your turn. Time between two reminders: { $interval }. We also send the last reminder before a deadline after which we'd play for you or offer your seat to someone else.
   *[usual] From now on you get the usual reminders of each game.
  }
remind-unread = For reminders, write "remind 12h" or "remind 2d" (at least { $least }, and up to a year), "remind off", or "remind as usual" for the usual ones of each game.
language-kept = Your e-mails are in { $language } from now on.
language-unknown = We don't have that language. You can choose from: { $all }.
letters-text-kept = Your e-mails are text only from now on.
letters-picture-on-kept = Your HTML e-mails show boards as pictures from now on.
letters-picture-off-kept = Your e-mails have no pictures of boards from now on.
letters-html-kept = Your e-mails come as text and HTML from now on.
letters-digest-kept = When there's news from several of your games, you get it in one e-mail from now on.
letters-digest-at-kept = From now on you get one e-mail a day, at { $time } your time ({ $zone }), if there's news. What can't wait comes right away: answers to your e-mails, reminders, and any turn or vote that would leave you less than two days by then.
digest-time-unread = Write the time of a digest like "letters digest 18:00". With just "letters digest", you get one e-mail whenever there's news. With "letters each", you get one for each game.
letters-each-kept = You get a separate e-mail for each game from now on.
letters-turns-kept = From now on, we e-mail you about a game when it's your turn, when you're asked something, when you get a private message, and at the end. Everything else is in the next of these e-mails.
letters-turns-first = We e-mail you when it's your turn, and when something can't wait. Everything else is in the next e-mail. Want an e-mail whenever something happens? Reply "letters all" to any e-mail.
letters-here-kept = { $wish ->
    [turns] From now on, we e-mail you about this game when it's your turn, when you're asked something, when you get a private message, and at the end. Everything else is in the next of these e-mails. Your other games stay as they were.
    [all] We e-mail you about this game whenever something happens in it. Your other games stay as they were.
   *[usual] From now on, we e-mail you about this game as about your other games.
  }
letters-here-where = "letters turns here", "letters all here" and "letters as usual" are for one game. Write them in a reply to an e-mail of that game.
letters-all-kept = We e-mail you whenever something happens in a game.
subjects-steady-kept = All e-mails of a game have the same subject from now on.
subjects-telling-kept = The subjects of your e-mails say what to do from now on.
subjects-unread = For subjects, write "subjects telling" (they say what to do) or "subjects steady" (the same for all e-mails of a game).
standings-on-kept = We e-mail you the standings of your campaigns from now on.
invitations-on-kept = We e-mail you when someone invites you to a game.
invitations-off-kept = You won't get any more invitations to games. To get them again, write "invitations on".
site-name-kept = The club's web site shows your name with your games from now on, also with your past ones. It has a page with your results and rating, too. To hide all of it again, write "site seat".
site-seat-kept = The club's web site doesn't show your name. Your name disappears there the next time the site is built.
standings-off-kept = We no longer e-mail you the standings of campaigns. To get them again, write "standings on".
letters-unread = For your e-mails, you can write "letters text" or "letters html". Write "letters digest" (several games in one e-mail), "letters digest 18:00" (one a day) or "letters each". Write "letters turns" (when it's your turn) or "letters all". Add "here" to one of these two if it's for this game only ("letters as usual" ends that). Write "letters picture off" (boards in words) or "letters picture on".
board-ascii-kept = We draw boards with plain characters (ASCII) from now on.
board-unicode-kept = We draw boards with all the lines and symbols of Unicode from now on.
board-narrow-kept = The plain text of your e-mails is 38 columns wide from now on, with boards in words.
board-wide-kept = The plain text of your e-mails is as wide as a page from now on, with boards drawn.
colours-kept = { $colours ->
    [on] Your e-mails use colours from now on.
    [patterns] Your e-mails are black on white from now on, with frames and patterns instead of colours.
   *[other] Your e-mails use no colours from now on, only those of your mail program.
  } (You see this only in HTML. Text never has colours.)
colours-unread = For colours, write "colours on", "colours patterns" (frames and patterns instead of colours) or "colours off".
calendar-on-kept = From now on, e-mails that tell you a deadline also have it as an entry for your calendar.
calendar-off-kept = Your e-mails have no calendar entries from now on.
calendar-unread = For the calendar, write "calendar on" or "calendar off".

setting-zone = Time zone: { $zone } ("zone Europe/Madrid")
setting-vacation = Vacation: { $from } to { $to }
setting-how-vacation = To go on vacation: "vacation 2026-12-20 to 2027-01-03"; to cancel it: "no vacation"
setting-reminders = Reminders of your turns: { $choice ->
    [off] only the last one before we'd play for you or offer your seat ("remind 12h" for one every 12 hours, "remind as usual")
    [every] { $interval } between two ("remind off", "remind as usual")
   *[usual] the usual ones of each game ("remind 12h" for one every 12 hours, "remind off")
  }
setting-language = Language: { $language } ("language en")
setting-letters = E-mails: { $html ->
    [on] text and HTML ("letters text" for text only)
   *[other] text only ("letters html" for HTML too)
  }
setting-picture = Pictures of boards: { $picture ->
    [on] in HTML e-mails ("letters picture off")
   *[other] none ("letters picture on")
  }
setting-board = Boards: { $ascii ->
    [on] plain characters, ASCII ("board unicode" for finer lines)
   *[other] Unicode ("board ascii" for plain characters)
  }
setting-narrow = Plain text: { $narrow ->
    [on] 38 columns, boards in words ("board wide" for a page with boards drawn)
   *[other] as wide as a page, boards drawn ("board narrow" for a phone, or for a screen reader)
  }
setting-colours = Colours in HTML: { $colours } ("colours on", "colours patterns", "colours off")
setting-calendar = Deadlines as entries for a calendar: { $calendar ->
    [on] yes ("calendar off")
   *[other] no ("calendar on")
  }
setting-digest = Several games at once: { $digest ->
    [daily] one e-mail a day, at { $time } ("letters digest" for one whenever there's news, "letters each" for one per game)
    [on] one e-mail ("letters digest 18:00" for one a day, "letters each" for one per game)
   *[other] one e-mail per game ("letters digest" for one in all, "letters digest 18:00" for one a day)
  }
setting-turns = E-mails about a game: { $turns ->
    [on] when it's your turn, or something can't wait ("letters all" for every turn of the others too)
   *[other] whenever something happens ("letters turns" for your own turns only)
  }
setting-subjects = Subjects of e-mails: { $steady ->
    [on] the same for all e-mails of a game ("subjects telling" for what to do)
   *[other] what to do ("subjects steady" for one subject per game)
  }
setting-invitations = Invitations to games: { $invitations ->
    [on] by e-mail ("invitations off")
   *[other] none ("invitations on")
  }
setting-site = Your name on the club's web site: { $site ->
    [on] shown ("site seat" to show only your seat)
   *[other] hidden, only your seat is shown ("site name" to show your name)
  }
setting-standings = Standings of campaigns: { $standings ->
    [on] by e-mail ("standings off")
   *[other] no e-mails ("standings on")
  }
setting-turns-here = E-mails about this game: { $wish ->
    [turns] when it's your turn ("letters as usual" for the same as your other games)
    [all] whenever something happens ("letters as usual" for the same as your other games)
   *[usual] as in your other games ("letters all here", "letters turns here")
  }
setting-auto-forced = In this game, if you have only one legal order, { $on ->
    [on] we play it for you ("auto forced off")
   *[other] you send it yourself ("auto forced on")
  }

note-kept = We've saved note { $number }. Only you see it.
note-empty = Write a note like "note Cid hoards blue". To delete notes, write "forget note 2" or "forget notes".
note-long = This note has { $length } characters, and the limit is { $limit }. Please split it into two.
note-many = You have { $limit } notes, and that's the limit. "forget note 1" deletes the oldest.
note-none = You have no note { $number }.
note-forget-unread = To delete a note, write "forget note 2" with the number from your e-mails. To delete them all, write "forget notes".
note-forgotten = We've deleted note { $number }{ $left ->
    [0] .
   *[other] . Later ones have moved up.
  }
notes-forgotten = We've deleted all your notes.
note-line = { $number }. { $text }
