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
letters-each-kept = Each game's letters come by themselves from now on.
letters-turns-kept = Letters about a game come only when it is your turn, when you are asked or told something, and at the end.
letters-all-kept = Letters come whenever a game has moved.
letters-unread = What can be said of letters is "letters text" or "letters html", "letters digest" (several games in one) or "letters each", "letters turns" (only when it is your turn) or "letters all", and "letters picture off" (boards in words) or "letters picture on".
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
    [on] one letter ("letters each" for a letter each)
   *[other] a letter each ("letters digest" for one letter)
  }
setting-turns = Letters about a game: { $turns ->
    [on] only when it is your turn, and at the end ("letters all" for each turn of the others)
   *[other] whenever it has moved ("letters turns" for your own turns only)
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
