# A member's own settings and private notes.

heading-settings = Your settings, and the lines that change them
heading-own-notes = Your notes, for your eyes only

language-kept = Your letters are in { $language } from now on.
language-unknown = There are no words in this language. There are: { $all }.
letters-text-kept = Your letters are text only from now on.
letters-picture-on-kept = Boards come as pictures in your HTML letters from now on.
letters-picture-off-kept = Boards come without pictures from now on.
letters-html-kept = Your letters come as text and as HTML from now on.
letters-digest-kept = When there are letters about several of your games, they come as one from now on.
letters-digest-at-kept = Your letters come as one from now on, at { $time } by your clock ({ $zone }), on days on which there is something. What cannot wait comes at once: answers to your letters, reminders, and a turn or a vote for which you would have less than two days by then.
digest-time-unread = The time of a digest is written like "letters digest 18:00". "letters digest" alone brings one letter whenever there is something, "letters each" a letter for each game.
letters-each-kept = Each game's letters come by themselves from now on.
letters-turns-kept = Letters about a game come from now on when it is your turn, when you are asked something or told something alone, and at the end. All else is in the next of them.
letters-turns-first = You get a letter when it is your turn, and for what cannot wait; all else that happens is in the next one. For a letter whenever something happens, write "letters all" in an answer to any letter.
letters-here-kept = { $wish ->
    [turns] Letters about this game come from now on when it is your turn, when you are asked something or told something alone, and at the end. All else is in the next of them. Other games are as before.
    [all] Letters about this game come whenever something happens in it. Other games are as before.
   *[usual] Letters about this game come as those about your other games from now on.
  }
letters-here-where = "letters turns here", "letters all here" and "letters as usual" are for one game: write them in an answer to a letter of that game.
letters-all-kept = Letters come whenever a game has moved.
subjects-steady-kept = All letters of a game have the same subject from now on.
subjects-telling-kept = The subjects of your letters say what is asked of you from now on.
subjects-unread = What can be said of subjects is "subjects telling" (they say what is asked) or "subjects steady" (the same in all letters of a game).
standings-on-kept = The standings of your campaigns come by letter from now on.
invitations-on-kept = When somebody invites you to a game, you get a letter.
invitations-off-kept = You get no more invitations to games. "invitations on" brings them back.
standings-off-kept = The standings of campaigns come by letter no more. "standings on" brings them back.
letters-unread = What can be said of letters is "letters text" or "letters html", "letters digest" (several games in one), "letters digest 18:00" (once a day) or "letters each", "letters turns" (when it is your turn) or "letters all", the last two with "here" for this game alone ("letters as usual" ends that), and "letters picture off" (boards in words) or "letters picture on".
board-ascii-kept = Boards are drawn with plain characters (ASCII) from now on.
board-unicode-kept = Boards are drawn with all the lines and signs of Unicode from now on.
board-narrow-kept = The plain text of your letters is 38 columns wide from now on, and boards come in words.
board-wide-kept = The plain text of your letters is as wide as a page from now on, and boards are drawn.
colours-kept = { $colours ->
    [on] Your letters use colours from now on.
    [patterns] Your letters are black on white from now on, and tell things apart by frames and strokes, not by colours.
   *[other] Your letters use no colours from now on, only those of your mail program.
  } (This shows in HTML only; text never has colours.)
colours-unread = What can be said of colours is "colours on", "colours patterns" (frames and strokes tell things apart) or "colours off".
calendar-on-kept = Letters that tell you a deadline bring it as an entry for your calendar too, from now on.
calendar-off-kept = Letters bring no entries for your calendar from now on.
calendar-unread = What can be said of the calendar is "calendar on" or "calendar off".

setting-zone = Time zone: { $zone } ("zone Europe/Madrid")
setting-vacation = Vacation: { $from } to { $to }
setting-how-vacation = To go on vacation: "vacation 2026-12-20 to 2027-01-03"; not to: "no vacation"
setting-language = Language: { $language } ("language en")
setting-letters = Letters: { $html ->
    [on] text and HTML ("letters text" for text only)
   *[other] text only ("letters html" for HTML too)
  }
setting-picture = Pictures of boards: { $picture ->
    [on] in HTML letters ("letters picture off")
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
setting-digest = Several games at the same time: { $digest ->
    [daily] one letter a day, at { $time } ("letters digest" for one whenever there is something, "letters each" for a letter each)
    [on] one letter ("letters digest 18:00" for one a day, "letters each" for a letter each)
   *[other] a letter each ("letters digest" for one letter, "letters digest 18:00" for one a day)
  }
setting-turns = Letters about a game: { $turns ->
    [on] when it is your turn, and for what cannot wait ("letters all" for each turn of the others)
   *[other] whenever it has moved ("letters turns" for your own turns only)
  }
setting-subjects = Subjects of letters: { $steady ->
    [on] the same for all of a game ("subjects telling" for what is asked)
   *[other] what is asked ("subjects steady" for one subject a game)
  }
setting-invitations = Invitations to games: { $invitations ->
    [on] by letter ("invitations off")
   *[other] no letters ("invitations on")
  }
setting-standings = Standings of campaigns: { $standings ->
    [on] by letter ("standings off")
   *[other] no letters ("standings on")
  }
setting-turns-here = In this game, letters come { $wish ->
    [turns] when it is your turn ("letters as usual" for what you want of other games)
    [all] whenever it has moved ("letters as usual" for what you want of other games)
   *[usual] as in your other games ("letters all here", "letters turns here")
  }
setting-auto-forced = In this game, the only legal thing to do is { $on ->
    [on] done for you ("auto forced off")
   *[other] left to you ("auto forced on")
  }

note-kept = Kept as note { $number }, for your eyes only.
note-empty = A note is written like "note Cid hoards blue"; "forget note 2" and "forget notes" take notes away.
note-long = This note has { $length } characters, and { $limit } is the most. Please make two of it.
note-many = You have { $limit } notes, which is the most. "forget note 1" takes the oldest away.
note-none = You have no note { $number }.
note-forget-unread = Notes are taken away by "forget note 2", with the number that your letters show, or all by "forget notes".
note-forgotten = Note { $number } is forgotten{ $left ->
    [0] .
   *[other] ; later ones have moved up.
  }
notes-forgotten = All your notes are forgotten.
note-line = { $number }. { $text }
