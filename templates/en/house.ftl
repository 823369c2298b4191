# The club's sentences for all games. The sentences of a game are in a file named after the game.

# The writing direction of the language: ltr or rtl.
direction = ltr
marker = === Write your orders above this line ===
# The marker for narrow letters: at most 38 columns.
marker-narrow = === Orders above this line ===
you = you
list-more = { $a }, { $b }
list-last = { $a } and { $b }

game-paris-connection = Paris Connection
game-trick-of-the-rails = Trick of the Rails
game-off-the-rails = Off the Rails

## The subjects of letters about a game. A phone shows about thirty characters, so the game comes
## first, then what the reader is asked to do.
## All get $name (the game's own name, or the short name below), $number and $game (the kind).
short-paris-connection = Paris
short-trick-of-the-rails = Trick
short-off-the-rails = Rails
game-title = [{ $name } { $number }] { $game }
subject = [{ $name } { $number }] Orders and news
subject-yours = [{ $name } { $number }] Your turn{ $timed ->
    [yes] {" "}by { $by }
   *[no] {""}
  }
subject-begins-yours = [{ $name } { $number }] New game, your turn{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-done-yours = [{ $name } { $number }] Done. { $timed ->
    [yes] Next orders by { $by }
   *[no] Your turn again
  }
subject-kept-yours = [{ $name } { $number }] Saved. Your turn{ $timed ->
    [yes] {" "}by { $by }
   *[no] {""}
  }
subject-told-yours = [{ $name } { $number }] Message + your turn{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-vote-yours = [{ $name } { $number }] Vote + your turn{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-others = [{ $name } { $number }] { $count ->
    [one] { $who }'s turn
   *[other] { $count } players' turn
  }
subject-begins-others = [{ $name } { $number }] { $count ->
    [one] New game, { $who }'s turn
   *[other] New game, { $count } players' turn
  }
subject-done-others = [{ $name } { $number }] { $count ->
    [one] Done, { $who }'s turn
   *[other] Done, { $count } players' turn
  }
subject-kept-others = [{ $name } { $number }] { $count ->
    [one] Plans saved, { $who }'s turn
   *[other] Plans saved, { $count } players' turn
  }
subject-told = [{ $name } { $number }] Message for you
subject-vote = [{ $name } { $number }] Please vote
subject-days-left = [{ $name } { $number }] { $count ->
    [one] One day
   *[other] { $count } days
  } left{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-hours-left = [{ $name } { $number }] { $count ->
    [one] One hour
   *[other] { $count } hours
  } left{ $timed ->
    [yes] : { $by }
   *[no] {""}
  }
subject-waits = [{ $name } { $number }] Still your turn
subject-overdue = [{ $name } { $number }] Overdue: your turn
subject-refused = [{ $name } { $number }] Orders refused{ $timed ->
    [yes] , due { $by }
   *[no] {""}
  }
subject-no-order = [{ $name } { $number }] No order found{ $timed ->
    [yes] , due { $by }
   *[no] {""}
  }
subject-preview = [{ $name } { $number }] Preview{ $timed ->
    [yes] , due { $by }
   *[no] {""}
  }
# Also gets $timed and $by.
subject-preview-refused = [{ $name } { $number }] Preview: refused
subject-nothing = [{ $name } { $number }] No order found{ $timed ->
    [yes] , due { $by }
   *[no] {""}
  }
subject-over = [{ $name } { $number }] Game over: { $you ->
    [alone] you won
    [among] you share the win
   *[no] { $count ->
        [0] nobody won
        [one] { $who } won
       *[other] { $count } share the win
    }
  }

## The first lines of a letter.
welcome = Welcome to game { $number } of { $club }: { $game }, played by { $players }.
orders-accepted = Your orders have been carried out.
orders-refused = Your orders were not carried out, and nothing has changed.
no-order-found = We didn't find an order in your letter, so nothing has changed.
preview-accepted = This is a preview: nothing has been done. Send the orders without "preview" to have them carried out.
preview-refused = This is a preview: the orders would be refused.
letter-repeated = This letter of yours came before, on { $at }, and was dealt with then. Nothing has been done twice.
nothing-written = Your letter came, but no orders were found in it. Write them at the very top of your reply, one a line; what stands in quoted text is never read.
letter-unread = Your letter was not read: { $why } Nothing has changed.
unread-encrypted = it is encrypted, or signed in a form that hides its text. Please switch that off for letters to this address, and send it again.
unread-too-many-lines = it has more than 200 lines. Please send the orders only.
unread-long-line = line { $number } is longer than 500 characters. Please put each order on a line of its own.
reminder = { $days ->
    [0] The game waits for you.
    [one] The game has been waiting for you for a day.
   *[other] The game has been waiting for you for { $days } days.
  } Nothing happens until you write.
turn-yours = It is your turn.
lead-yours = It is your turn. You have until { $by }.
lead-overdue = It is your turn. Your orders were due by { $by }.
lead-others = It is the turn of { $who }. There is time until { $by }.
turn-others = It is the turn of { $awaited }.
turn-over = The game is over. { $you-alone ->
    [yes] You have won!
   *[no] { $count ->
        [0] You have lost.
        [one] The winner is { $winners }.
       *[other] The win is shared by { $winners }.
    }
  }

# Headings.
heading-orders = Your orders
heading-refused = What was wrong
heading-preview = What your orders would do
heading-beginning = How it began
heading-setup = How the game was set up
heading-news = Since your last letter
heading-more-news = What else happened
heading-standings = The result
heading-revealed = What each player held
heading-board = The board
heading-board-previewed = The board after these orders
# The text that replaces the picture of the board. $rows is what the letter shows beside it.
picture-alt = The board. { $rows } Reply "board" for the whole board in words, or "letters picture off" to get it in words in every letter.
heading-public = The table
heading-private = Your portfolio, for your eyes only
heading-deadline = The deadline
heading-choices = What you can do
choices-all = All that is legal just now
heading-history = The game so far
heading-rules = The rules
heading-help = How to write orders
heading-house = How to play by letter

order-form = { $line } - { $does }
refused-line = Line { $number } of your letter: { $line }
standing = { $rank }. { $who-is ->
    [you] You
   *[other] { $who }
  }: { $score } ({ $parts })
standing-bare = { $rank }. { $who-is ->
    [you] You
   *[other] { $who }
  }: { $score }
score-part = { $item }: { $points }
history-entry = { $seq }. ({ $at }) { $told }

campaign-table = This game is table { $table } of round { $round } of { $name }.

footer-how = Reply with your orders at the top. The word "help" alone brings the card of orders, "preview" before your orders judges them without doing anything.
footer-place = Game { $number }, move { $seq }, proof { $chain }.
footer-proof = The proof covers all moves so far. Every player gets the same one.
footer-commitment = All chance comes from a secret seed, which the last letter reveals. Its SHA-256: { $hash }
footer-seed = The secret seed of this game was { $seed }. "postrider verify" checks the whole game with it.

# Letters about no game.
notice-subject = Your letter to { $club }
notice-subject-unasked = A letter from { $club }
invitation-subject = { $name } invites you to play { $game } (game { $number })
club-invitation-subject = { $name } invites you to { $club }
seat-offer-subject = { $name } offers you a seat in game { $number }: { $game }
notice-stranger = This address belongs to { $club }, which plays board games by e-mail. Your address is not known here, so your letter was not read. To join, write to { $moderator }.
notice-no-game = Your letter does not say which game it is for, so nothing was done. Please reply to the newest letter of that game: the reply carries a mark that names it. You play:
notice-game = * { $game }
notice-no-games = Your letter is for no game, and you are playing none at present.
notice-bad-token = The mark in your letter, which names the game and your seat, is not valid (any more), so nothing was done. Please reply to the newest letter of that game.
notice-too-many = So many letters came from your address that no more are answered for an hour. They are kept, but please write to the moderator if you did not send them.
notice-too-many-refused = So many orders from your address were refused that no more refusals are sent for a day. Orders that can be carried out still are. Please write to the moderator if you did not send them.

# To players.
restored = The club had to be restored from its copies, and a letter to you may have been lost, so here is all that it may have told. If you have written to us and see nothing of it here, please write it once more.

# Notes to the moderator.
report-subject = { $club }: { $count ->
    [one] a matter
   *[other] { $count } matters
  } for the moderator
report-quarantined = The letter { $file } went to quarantine: { $why }. An answer with "letters show { $file }" shows it, "help" tells what can be done about it.
report-quarantined-more = { $count ->
    [one] One other letter
   *[other] { $count } other letters
  } went to quarantine and { $count ->
    [one] is
   *[other] are
  } not named here. An answer with "letters list" tells what lies there.
report-broken-game = Game { $number } cannot be played on: { $why }. Its letters go to quarantine until it is mended; all other games go on.
report-withheld = The mail server does not hand over a letter in { $folder }, of { $bytes ->
    [unknown] unknown size
   *[other] { $bytes } bytes
  }, { $when ->
    [unknown] which came at an unknown time
   *[other] which came on { $when }
  }: { $why }. All others are fetched, and this one is tried again. { $until ->
    [over] No deadline waits for it.
   *[other] Deadlines wait for it until { $until }.
  } Whoever runs the server can mend that; or read the letter there, and move it to another folder.
report-unreadable-file = What is called { $file } in the inbox cannot be read: { $why }. All other letters are.
report-unread-more = { $count ->
    [one] One more
   *[other] { $count } more
  } like it cannot be read.
report-restored-lost = The club was restored from its journal. Letters to these had not been posted and cannot be written again: { $to }. What they asked for, or were asked, must be asked again.
report-failed-letter = A letter to { $to } could not be sent: { $why }.
report-unworded = A letter to { $to } could not be written: { $why }. It is not sent, and nothing else waits for it; what it would have told has been done all the same. Its Message-ID would have been { $id }.

# Answers to the orders of any game.
game-over = The game is over.
not-your-turn = It is not your turn: the game waits for { $awaited }.
turn-was-over = Your turn was over before that line.
turn-passed-on = Your turn was over before this line, so the whole letter was left undone.
rewound-since = The moderator took the game back after the letter that you answered. Please look at the new position and order again.
undone-since = { $who } took the last move back after the letter that you answered, so the position that you saw is no more. Please look at the new one and order again.
overtaken = Something that this order names has changed since the letter that you answered. Please look at the new position and order again.
rewind-nowhere = There is no record { $to } to go back to; the last is { $head }.

# Undo.
taken-back = { $who-is ->
    [you] You took back what you had ordered: the game stands where it stood after record { $to }.
   *[other] { $who } took back what was ordered last: the game stands where it stood after record { $to }.
  }
undo-until = Changed your mind? Reply "undo" by { $by }, before anyone else moves.
undo-yours = Taken back: { $lines }. Your time runs on as if you had not ordered.
undo-plans = Your plans were made for what you took back, and are dropped.
undo-plans-of-others = Your plans were made for the position that { $who } took back, and are dropped.
undo-off = In this game orders cannot be taken back by one word.
undo-over = The game is over, and its letters have shown what was hidden: nothing can be taken back.
undo-nothing = There are no orders of yours that could be taken back.
undo-done = You have taken your orders back already, and have ordered nothing since.
undo-absent = What was done last was done because no orders of yours had come; that cannot be taken back.
undo-rewound = The game was taken back since, and you have ordered nothing since then.
undo-followed = What you ordered cannot be taken back: { $who } has moved since.
undo-chance = What you ordered cannot be taken back: chance was drawn for it.
undo-turned-up = What you ordered cannot be taken back: it has shown what was hidden, such as a card or a share from a hand.
undo-late = Orders can be taken back for { $time } after they were carried out, and that is over.
undo-time-over = Your time for that turn is over by now, so what you ordered cannot be taken back.
undo-forced = What was done last was the only thing that was legal, and would be done for you again.
undo-of-predecessor = Those orders were given before you came to this seat, and are not yours to take back.
undo-often = You have taken back your orders for this turn { $count } times, and each time all others were written to; what stands now stands.
undo-first = "undo" stands above the orders that take the place of those that you take back. Nothing of your letter was done.
undo-once = "undo" is for your last orders alone; write it once.
undo-instead = Write "vote rewind" to ask the others to take the last turn back.
undo-instead-none = There is no vote on it in this game either; you can ask the moderator.
undo-term = In this game a player may take the last orders back with "undo" for { $time }, as long as nobody has moved since and nothing has come to light by them.
undo-term-off = In this game orders cannot be taken back with "undo".

# Actions of the moderator.
rewound = { $by ->
    [players] By vote of the players ({ $reason }) the game was taken back to record { $to }.
   *[moderator] The moderator took the game back to record { $to }: { $reason }
  }
ended-by-moderator = { $by ->
    [players] By vote of the players ({ $reason }) the game was ended.
   *[moderator] The moderator ended the game: { $reason }
  }

# Plans.
heading-plans = What you have planned, for your eyes only
plans-auto-forced = What is the only legal thing to do is done for you: at once where everyone can see that it is, and else at a moment before your deadline that nobody can foresee. Without a deadline you are asked.
orders-secret = Nobody else can tell that you have ordered this, and it holds from now on: { $lines }.
plans-auto-off = What is the only legal thing to do is no longer done for you.
plans-would-go = No plan of yours is left.
plans-kept = Your plans are kept.
plan-dropped = Dropped: { $plan }. { $why }
plan-quoted = "{ $plan }"
plan-unnamed = a plan
plan-unreadable = This program does not understand any more what was planned.
plans-forgotten = What you had planned is gone with the position that it was for.

cut-short = What came up before line { $number } cannot be taken back, so your letter was carried out up to there. That line and what follows it were left out: { $line }
preview-open = What comes next is decided by chance, or by what you cannot know{ $line ->
    [0] .
   *[other] ; line { $line } and what follows it were not judged.
}
not-an-order = Line { $number } was taken as a word to us and not as an order: { $line }
not-an-order-more = { $count ->
    [one] One more line was
   *[other] { $count } more lines were
  } taken so.
not-of-order = Of line { $number } this was taken as a word to us and not for the order: { $words }
below-thanks = This line stands with your thanks, or below them, where nothing is read any more, and yet it reads like one for us. So nothing was done. Please write all lines for us above your thanks and your name, and leave out what is not for us.
line-after-talk = This line stands below words to others and may belong to them, and it may be an order. So nothing was done.
line-doubt = This reads like a question, or like something that is perhaps not to be done, so it was not taken for an order.
line-doubt-how = Write what you want done and nothing else. To see what it would come to, write "preview" before it; to say something to the others, write "say" before it.
held-back = This reads as if your orders should wait, or as a question about them. So nothing was done.
held-back-how = To have them carried out, send this alone:
line-to-send = { $line }
letter-means-two = "{ $letter }" could be more than one thing here, so nothing was done. Please write the whole word.
did-you-mean = Did you mean `{ $line }`?
two-orders = This would be one order more than your turn has, and would only have been kept for later. A letter gives one order for a turn; if this one is the right one, send it alone.
words-unsaid = We took this line for talk. Nobody else has read it.
words-say = To tell the others, write: say { $line }
# What a person may have asked for in their own words, with the line that does it.
intent-offer = { $word ->
    [help] To get the card of orders, answer with `{ $line }`.
    [rules] To get the rules, answer with `{ $line }`.
    [vote] To ask the other players, answer with `{ $line }`.
    [vacation] To stop your clocks while you are away, answer with `{ $line }`, with your own days.
    [resign] To give up your seat, answer with `{ $line }`. We ask once more before anything happens.
    [undo] To take back your last orders, answer with `{ $line }`.
    [games] To see all games, answer with `{ $line }`.
    [leave] To leave the club, answer with `{ $line }`. We ask once more before anything happens.
    [language] To change the language of your letters, answer with `{ $line }`.
    [settings] To see and change your settings, answer with `{ $line }`.
   *[other] Is this what you want? Answer with `{ $line }`.
  }
intent-offer-game = For that, write `{ $line }` in a reply to the newest letter of the game.
language-how = You can get your letters in English: answer with the line "language en".
language-hint = { $how }
words-ask = To ask us, write a word alone: "status" for whose turn it is and how much time is left, "legal" for what you can do, "help" for how orders are written.

# A newcomer's first turn.
heading-lesson = Your first turn
lesson-sample = Reply with your orders at the very top, one per line. For example:
lesson-line = { $line }
lesson-preview = Put "preview" above your orders to try them out.
lesson-talk = Start a line with "say" to write to everybody.
lesson-help = Reply "help" for all orders, or "rules" for the rules. Stuck? Write to { $moderator }.

# The last letter of a game.
heading-course = How the scores went
heading-afterwards = Afterwards
picture-alt-plot = How the scores went. { $scores }
course-name = { $who }
course-at = What the scores would have been, had the game ended after record { $records }:
course-of = { $who-is ->
    [you] You
   *[other] { $who }
  }: { $scores }
longest-wait = The longest wait was { $days ->
    [0] { $hours ->
        [one] an hour
       *[other] { $hours } hours
      }
    [one] a day
   *[other] { $days } days
  }, for { $who }, before record { $seq }.
how-to-verify = Anybody can check this game: the moderator's "postrider export { $number }" gives a file of it, and "postrider verify" with that file judges every order and all chance again. The proof below is the same in the letters of all players.
how-to-rematch = To set the same table again, answer this letter with "rematch".
