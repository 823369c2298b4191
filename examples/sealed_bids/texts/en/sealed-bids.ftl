# The texts of Sealed Bids.

game-sealed-bids = Sealed Bids
heading-private-sealed-bids = Your bid (only you see this)

## What happened

sb-begun = All players hold the same cards. Bid one of them in each round.
sb-sealed = Your sealed bid is { $card }.
sb-opened = { $who-is ->
    [you] You have
   *[other] { $who } has
  } bid { $card }.
sb-won = { $who-is ->
    [you] You win
   *[other] { $who } wins
  } the round.
sb-nobody = Nobody wins the round, because no bid was the only one of its kind.
sb-ended = All cards have been bid: the game is over.

## What is shown

sb-holds = { $who-is ->
    [you] You hold
   *[other] { $who } holds
  } { $cards }.
sb-choice = bid one of { $cards }; the round is worth { $points ->
    [one] 1 point
   *[other] { $points } points
}
sb-bid = Bid a card
sb-rounds = rounds

## The card of orders, and what cannot be read

sb-form-bid = bids that card in secret
sb-which-card = Say which card.
sb-unreadable = This is not an order of the game.

## A rule that forbids it

sb-not-held = You don't hold { $card }. You hold { $cards }.
