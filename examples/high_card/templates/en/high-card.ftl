# The texts of High Card. Each `hc-ended...` is a way in which the game ends; a test checks that each is reached.

game-high-card = High Card
heading-private-high-card = Your hand (only you see this)

## What happened

hc-played = { $who-is ->
    [you] You play
   *[other] { $who } plays
  } { $card }.
hc-taken = { $who-is ->
    [you] You take
   *[other] { $who } takes
  } the round, and chance makes it worth { $prize }.
hc-ended-all = All cards have been played: the game is over.
hc-ended-early = Nobody can come up with who leads: the game is over.

## What is shown

hc-hand = You hold { $cards }.
hc-revealed = { $who-is ->
    [you] You were
   *[other] { $who } was
  } dealt { $cards }.
hc-choice = play one of { $cards }
hc-play = Play a card
hc-prizes = rounds

## The card of orders, and what cannot be read

hc-form-play = plays that card
hc-form-next = plays it when it is your turn again
hc-which-card = Say which card.
hc-unreadable = This is no order of the game.

## A rule that forbids it

hc-not-your-turn = It is the turn of { $who }.
hc-over = The game is not being played.
hc-not-held = You do not hold { $card }.

## Plans

hc-plan = Next: { $line }
hc-plan-past = That turn is over.
