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

## The first lines of an e-mail.
welcome = Welcome to { $game }, game { $number } of { $club }. Players: { $players }.
orders-accepted = Done! We've carried out your orders.
orders-refused = We couldn't carry out your orders. Nothing has changed.
no-order-found = We didn't find an order in your e-mail, so nothing has changed.
preview-accepted = This is a preview. Nothing has been done. To play these orders, send them without "preview".
preview-refused = This is a preview. We couldn't carry out these orders.
letter-repeated = We already got this e-mail on { $at } and dealt with it then. Nothing was done twice.
nothing-written = We found no orders in your e-mail. Write them at the very top of your reply, one per line. We ignore quoted text.
letter-unread = We couldn't read your e-mail: { $why } Nothing has changed.
unread-encrypted = it's encrypted, or signed in a way that hides its text. Please switch that off for e-mails to this address, and send it again.
unread-too-many-lines = it has more than 200 lines. Please send just your orders.
unread-long-line = line { $number } has more than 500 characters. Please put each order on its own line.
reminder = { $days ->
    [0] The game is waiting for you.
    [one] The game has been waiting for you for a day.
   *[other] The game has been waiting for you for { $days } days.
  } Nothing happens until you write.
turn-yours = It's your turn.
lead-yours = It's your turn. You have until { $by }.
lead-overdue = It's your turn. Your orders were due { $by }.
lead-others = It's { $who }'s turn. Deadline: { $by }.
turn-others = It's { $awaited }'s turn.
turn-over = The game is over. { $you-alone ->
    [yes] You won!
   *[no] { $count ->
        [0] You lost.
        [one] { $winners } won.
       *[other] The winners are { $winners }.
    }
  }

# Headings.
heading-orders = Your orders
heading-refused = What went wrong
heading-preview = What your orders would do
heading-beginning = How it began
heading-setup = How the game was set up
heading-news = Since your last e-mail
heading-more-news = What else happened
heading-standings = The result
heading-revealed = What each player held
heading-board = The board
heading-board-previewed = The board after these orders
# The text that replaces the picture of the board. $rows is what the letter shows beside it.
picture-alt = The board. { $rows } Reply "board" for the whole board in words, or "letters picture off" to get it in words in every e-mail.
heading-public = The table
heading-private = What you hold (only you see this)
heading-deadline = The deadline
heading-choices = What you can do
choices-all = All legal orders
heading-history = The game so far
heading-rules = The rules
heading-help = How to write orders
heading-house = How to play by e-mail

order-form = { $line } - { $does }
refused-line = Line { $number } of your e-mail: { $line }
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

footer-how = Reply with your orders at the top. Reply "help" for the list of orders, or put "preview" above your orders to try them out.
footer-place = Game { $number }, move { $seq }, proof { $chain }.
footer-proof = The proof covers all moves so far. Every player gets the same one.
footer-commitment = All chance comes from a secret seed. The last e-mail reveals it. Its SHA-256: { $hash }
footer-seed = The secret seed of this game was { $seed }. Run "postrider verify" to check the whole game with it.

# Letters about no game.
notice-subject = Your e-mail to { $club }
notice-subject-unasked = An e-mail from { $club }
invitation-subject = { $name } invites you to play { $game } (game { $number })
club-invitation-subject = { $name } invites you to { $club }
seat-offer-subject = { $name } offers you a seat in game { $number }: { $game }
notice-stranger = This is the address of { $club }, where people play board games by e-mail. We don't know your address, so we haven't read your e-mail. To join, write to { $moderator }.
notice-no-game = Your e-mail doesn't say which game it's for, so nothing was done. Please reply to the newest e-mail of that game. Then we know which one you mean. You're playing:
notice-game = * { $game }
notice-no-games = Your e-mail isn't for any game, and you aren't playing one right now.
notice-bad-token = Your e-mail used a secret reply address that isn't valid, or no longer is. So nothing was done. Please reply to the newest e-mail of that game.
notice-too-many = We've had so many e-mails from your address that we won't answer any more for an hour. We keep them all. If you didn't send them, please write to the moderator.
notice-too-many-refused = We've refused so many orders from your address that we won't tell you about more refusals for a day. We still carry out orders that work. If you didn't send them, please write to the moderator.

# To players.
restored = We had to restore the club from its copies, so an e-mail to you may have been lost. Here's everything it may have said. If you wrote to us and don't see it here, please write it again.

# Notes to the moderator.
report-subject = { $club }: { $count ->
    [one] one thing
   *[other] { $count } things
  } for the moderator
report-quarantined = The e-mail { $file } is in quarantine: { $why }. Reply "letters show { $file }" to see it, or "help" to see what you can do about it.
report-quarantined-more = { $count ->
    [one] One more e-mail is
   *[other] { $count } more e-mails are
  } in quarantine, and we don't name { $count ->
    [one] it
   *[other] them
  } here. Reply "letters list" to see everything in quarantine.
report-broken-game = Game { $number } can't go on: { $why }. Its e-mails go to quarantine until it's fixed. All other games go on.
report-withheld = The mail server won't hand over an e-mail in { $folder }, of { $bytes ->
    [unknown] unknown size
   *[other] { $bytes } bytes
  }, { $when ->
    [unknown] which came at an unknown time
   *[other] which came on { $when }
  }: { $why }. We fetch all the others, and keep trying this one. { $until ->
    [over] No deadline waits for it.
   *[other] Deadlines wait for it until { $until }.
  } Whoever runs the server can fix this. Or read the e-mail there and move it to another folder.
report-unreadable-file = We can't read { $file } in the inbox: { $why }. We've read all the other e-mails.
report-unread-more = We can't read { $count ->
    [one] one more
   *[other] { $count } more
  } like it.
report-restored-lost = We've restored the club from its journal. E-mails to these people hadn't been sent, and we can't write them again: { $to }. If they asked for something, or were asked something, it has to be asked again.
report-failed-letter = We couldn't send an e-mail to { $to }: { $why }.
report-unworded = We couldn't write an e-mail to { $to }: { $why }. We won't send it, and nothing else waits for it. Everything that it was about has still been done. Its Message-ID would have been { $id }.

# Answers to the orders of any game.
game-over = The game is over.
not-your-turn = It isn't your turn. The game is waiting for { $awaited }.
turn-was-over = Your turn had ended before that line.
turn-passed-on = Your turn ended before this line, so nothing in your e-mail was done.
rewound-since = The moderator rewound the game after the e-mail you replied to. Please look at the new position and order again.
undone-since = { $who } undid the last move after the e-mail you replied to, so the position has changed. Please look at the new one and order again.
overtaken = Something in this order has changed since the e-mail you replied to. Please look at the new position and order again.
rewind-nowhere = There's no move { $to } to rewind to. The last one is { $head }.

# Undo.
taken-back = { $who-is ->
    [you] You undid your last orders. The game is back at move { $to }.
   *[other] { $who } undid their last orders. The game is back at move { $to }.
  }
undo-until = You can undo this until { $by }, if nobody moves first.
undo-yours = Undone: { $lines }. Your clock keeps running as if you hadn't ordered.
undo-plans = Your plans were for the turn that you undid, so we've dropped them.
undo-plans-of-others = Your plans were for the turn that { $who } undid, so we've dropped them.
undo-off = You can't undo orders in this game.
undo-over = The game is over, and its e-mails have revealed what was hidden. So you can't undo anything now.
undo-nothing = You have no orders to undo.
undo-done = You've already undone your orders, and you haven't ordered anything since.
undo-absent = We played your last turn for you because your orders hadn't come. You can't undo that.
undo-rewound = The game has been rewound, and you haven't ordered anything since. So there's nothing to undo.
undo-followed = Too late to undo: { $who } has already moved.
undo-chance = You can't undo these orders, because dice or cards have been drawn for them.
undo-turned-up = You can't undo these orders, because they've revealed something hidden, such as a card or a share.
undo-late = Too late to undo. You can undo orders for { $time } after we carry them out.
undo-time-over = Too late to undo. Your time for that turn is over.
undo-forced = Your last order was the only legal one. If you undid it, we'd just play it for you again.
undo-of-predecessor = The player who had this seat before you gave those orders, so you can't undo them.
undo-often = You've already undone this turn { $count } times, and everyone got an e-mail each time. Now your last orders count.
undo-first = Please put "undo" above your new orders. Nothing in your e-mail was done.
undo-once = "undo" only takes back your last orders. Write it once.
undo-instead = To ask the others to rewind the last turn, write "vote rewind".
undo-instead-none = Players can't vote on it in this game either. You can ask the moderator.
undo-term = In this game, "undo" takes back your last orders. You have { $time }, as long as nobody has moved since and your orders haven't revealed anything.
undo-term-off = In this game, you can't take orders back with "undo".

# Actions of the moderator.
rewound = { $by ->
    [players] The players voted ({ $reason }) to rewind the game to move { $to }.
   *[moderator] The moderator rewound the game to move { $to }: { $reason }
  }
ended-by-moderator = { $by ->
    [players] The players voted ({ $reason }) to end the game.
    [club] We've ended the game: { $reason }
   *[moderator] The moderator ended the game: { $reason }
  }

# Plans.
heading-plans = Your saved plans (only you see this)
plans-auto-forced = If you have only one legal order, we play it for you. We do it right away if everyone can see that it's the only one. If not, we do it at a moment before your deadline that nobody can predict. Without a deadline, we ask you.
orders-sealed = Nobody sees your orders before everybody has ordered. Until then, you can send others, or write "undo".
orders-secret = Nobody else can see that you ordered this. It's in force from now on: { $lines }.
plans-auto-off = We no longer play your only legal order for you.
plans-would-go = You'd have no saved plans left.
plans-kept = We've saved your plans.
plan-dropped = Dropped: { $plan }. { $why }
plan-quoted = "{ $plan }"
plan-unnamed = a plan
plan-unreadable = We can no longer read this plan.
plans-forgotten = We've dropped your plans, because the position that they were for is gone.

cut-short = What came up before line { $number } can't be undone, so we carried out everything above it. We skipped that line and everything below it: { $line }
preview-open = What comes next depends on chance, or on things you can't know{ $line ->
    [0] .
   *[other] . So we didn't check line { $line } and what follows it.
}
not-an-order = We took line { $number } for talk, not for an order: { $line }
not-an-order-more = { $count ->
    [one] One more line was
   *[other] { $count } more lines were
  } talk too.
not-of-order = In line { $number }, we skipped these words because they didn't look like part of the order: { $words }
below-thanks = This line looks like one for us, but it's next to your thanks or below them, where we stop reading. So nothing was done. Please put everything for us above your thanks and your name, and leave out the rest.
line-after-talk = This line is below a message to others. It may be part of it, or it may be an order. So nothing was done.
line-doubt = This looks like a question or a maybe, so we didn't take it as an order.
line-doubt-how = Write just what you want done. To try it out first, put "preview" before it. To tell the others something, put "say" before it.
held-back = It sounds as if your orders should wait, or as if you're asking about them. So nothing was done.
held-back-how = To have them carried out, send just this:
line-to-send = { $line }
letter-means-two = "{ $letter }" could mean more than one thing here, so nothing was done. Please write the whole word.
did-you-mean = Did you mean `{ $line }`?
two-orders = This is one order too many for your turn. We'd only have saved it for later. Send just the one you want.
words-unsaid = We took this line for talk. Nobody else has read it.
words-say = To tell the others, write: say { $line }
# What a person may have asked for in their own words, with the line that does it.
intent-offer = { $word ->
    [help] To see the list of orders, reply `{ $line }`.
    [rules] To see the rules, reply `{ $line }`.
    [vote] To ask the other players, reply `{ $line }`.
    [vacation] To stop your clocks while you're away, reply `{ $line }`, with your own dates.
    [resign] To give up your seat, reply `{ $line }`. We'll ask you once more before anything happens.
    [undo] To undo your last orders, reply `{ $line }`.
    [games] To see all games, reply `{ $line }`.
    [leave] To leave the club, reply `{ $line }`. We'll ask you once more before anything happens.
    [language] To change the language of your e-mails, reply `{ $line }`.
    [settings] To see and change your settings, reply `{ $line }`.
   *[other] Is this what you want? Reply `{ $line }`.
  }
intent-offer-game = For that, write `{ $line }` in a reply to the newest e-mail of the game.
language-how = You can get your e-mails in English. Just reply "language en".
language-hint = { $how }
words-ask = You can ask us with just one word. Reply "status" to see whose turn it is and how much time is left, "legal" to see what you can do, or "help" to see how to write orders.

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
course-at = The scores, had the game ended after move { $records }:
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
  }, for { $who }, before move { $seq }.
how-to-verify = Anyone can check this game. The moderator gets its file with "postrider export { $number }". Then "postrider verify" with that file decides every order and draws all chance again. The proof below is the same in all players' e-mails.
how-to-rematch = Want to play again with the same people? Reply "rematch".
how-to-record = To log this play, follow this link:
