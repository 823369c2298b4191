# High Card: the sentences of the tests' own game that the contract asks for.

## What happened

hc-ended-all = All cards have been played: the game is over.
hc-ended-early = Nobody can come up with who leads: the game is over.

## A rule that forbids it

hc-not-your-turn = It is the turn of { $who }.
hc-over = The game is not being played.
hc-not-held = You do not hold { $card }.

## Plans

hc-plan = Next: { $line }
hc-plan-past = That turn is over.
