# Trick of the Rails: all sentences of the game.

## Terms

tr-left = left
tr-right = right
tr-blue = blue
tr-green = green
tr-yellow = yellow
tr-grey = grey
tr-red = red
tr-exchange = { $company } Exchange
tr-reservation = Reservation

## Events

tr-lane = The trick lane, left to right: { $cards }.
tr-dealt = Everyone gets { $count ->
    [one] 1 card
   *[other] { $count } cards
}.
tr-your-hand = Your hand: { $cards }. Only you know it.
tr-leftover = The leftover cards go to the railways: { $cards }.
tr-leads = { $who-is ->
    [you] You lead
   *[other] { $who } leads
} the first trick.
tr-played = { $who-is ->
    [you] You play
   *[other] { $who } plays
} { $card }.
tr-won = { $who-is ->
    [you] You win
   *[other] { $who } wins
} the trick.
tr-taken = { $who-is ->
    [you] You win the trick and take
   *[other] { $who } wins the trick and takes
} a share from the lane: { $share }.
tr-reserved = { $card } replaces the Reservation in place { $place } of the lane.
tr-removed = { $card } leaves the game.
tr-kept = The other cards of the trick become shares: { $cards }.
tr-kept-by = { $card } ({ $who })
tr-built = { $who-is ->
    [you] You add
   *[other] { $who } adds
} { $city } at the { $end } end of { $company }.
tr-mounted = { $who-is ->
    [you] You give
   *[other] { $who } gives
} locomotive { $locomotive } to { $company }.
tr-follows = Locomotive { $locomotive } goes to { $company }, the only company without one.
tr-laid = { $who-is ->
    [you] You add
   *[other] { $who } adds
} { $card } at the { $end } end of { $company }.
tr-revealed = { $who-is ->
    [you] You were
   *[other] { $who } was
} dealt { $cards }.
tr-revealed-hand = { $who-is ->
    [you] You still have
   *[other] { $who } still has
} in hand: { $cards }.
tr-ended = That was the last trick. The game is over.

## Possible orders

tr-choice-lead = play any card, because you lead: { $cards }
tr-choice-follow = play a { $led } card, because { $led } was led: { $cards }
tr-choice-any = play any card, because you have no { $led }, which was led: { $cards }
tr-choice-city = add { $city } to either end of any railway, as in "city NYC right"
tr-choice-locomotive = give locomotive { $locomotive } ({ $distance ->
    [0] all cards
    [one] 1 card
   *[other] { $distance } cards
}, cost { $cost }) to a company without one, as in "locomotive { $first }": { $companies }
tr-choice-end = add your { $card }, worth { $value }, to { $company }: "end left" or "end right"

## Lines that are not orders

tr-unreadable = We couldn't read this as an order of this game.
tr-form-play = plays that card to the trick
tr-form-end = adds the card you played to that end of its railway
tr-form-city = adds the City you won to that end of that railway
tr-form-locomotive = gives the locomotive you won to that company
tr-company-missing = The line doesn't name a company.
tr-no-company = "{ $word }" isn't a company, or could mean more than one.
tr-companies = the companies, by name or colour: { $companies }
tr-number-missing = Which card of { $company }? They're numbered 1 to { $most }.
tr-no-number = There's no { $company } card "{ $word }". They're numbered 1 to { $most }.
tr-no-end = The line must say "left" or "right" here.
tr-too-long = The order is already complete before "{ $word }". Leave out the rest.
tr-negative = "{ $word }" isn't the number of a card or a locomotive.
tr-other-prize = That isn't the card of the lane that you have to place now.

## Orders that a rule forbids

tr-not-now = You can't do that now.
tr-must-follow = { $led } was led and you have { $led } cards, so you can't play { $card }.
tr-not-held = You don't have { $card } in your hand.
tr-hand = your hand: { $cards }
tr-may-play = you can play: { $cards }
tr-has-locomotive = { $company } already has locomotive { $there }.
tr-without = { $locomotive } can go to { $companies }

## Parts of a score

tr-score-shares = { $shares ->
    [one] 1 { $company } share
   *[other] { $shares } { $company } shares
} at { $value }
tr-score-partner = { $partner-is ->
    [you] your shares
   *[other] { $partner }'s shares
}

## Errors in a definition or in an option

tr-fault-teams = Teams are for 4 players, but there are { $seats }.
tr-fault-players = The table "{ $what }" has nothing for { $seats } players.
tr-fault-hand = There are only 50 cards, so { $seats } players can't get { $hand } each.
tr-fault-company-missing = The company { $company } is missing.
tr-fault-company-twice = The company { $company } appears twice.
tr-fault-name = The name of { $company } must have 1 to { $most } plain characters and no spaces.
tr-fault-locomotive = The locomotive { $locomotive } is missing.
tr-fault-lane-length = The lane for { $seats } players has { $count } places. It needs as many as each player has cards, { $hand }.
tr-fault-lane-cards = The lane for { $seats } players has { $count } places for "{ $slot }", but there { $most ->
    [one] is only 1 such card
   *[other] are only { $most } such cards
}.
tr-fault-lane-twice = The lane for { $seats } players has { $locomotive } twice.
tr-fault-exchanges = The lane for { $seats } players has { $count } places for Exchange cards. It needs 5.
tr-fault-reservation = In the lane for { $seats } players, the Reservation in place { $place } would become the leftmost card, because too few stock rounds come before it.

# Headings of this game.
heading-board-trick-of-the-rails = The trick lane and the railways
heading-board-previewed-trick-of-the-rails = The trick lane and the railways after these orders
heading-private-trick-of-the-rails = Your hand (only you see this)

## Plans

tr-plan-lead = Trick { $trick }, if you lead: { $lines }
tr-plan-led = Trick { $trick }, if { $led } is led: { $lines }
tr-plan-otherwise = Trick { $trick }, if anything but { $led } is led: { $lines }
tr-plan-whatever = Trick { $trick }, whatever is led: { $lines }
tr-plan-play = Trick { $trick }: { $lines }
tr-plan-if-win = Trick { $trick }, if you win: { $lines }
tr-plan-end = Trick { $trick }: { $lines }
tr-plan-unreadable = You can't make a plan for that case.
tr-plan-card = This plan must name cards to play.
tr-plan-win = If you win, you can only plan where the City or the locomotive goes.
tr-plan-not-held = You don't have { $card }.
tr-plan-twice = Your e-mail already has a plan for that: "{ $plan }". One line can say both. Write what you want most, then a comma, then what you want if that's impossible.

## Plans that cannot be used

tr-plan-none-to-lead = There's no trick left that you could lead.
tr-plan-none-to-play = There's no trick left in which that can happen.
tr-plan-no-city = There's no City left in the lane that you could win.
tr-plan-no-locomotive = There's no such locomotive left in the lane that you could win.
tr-plan-no-infinite = You won't have to place [inf]. It goes to the last company by itself, has already gone, or isn't in this lane.
tr-plan-no-end = There's no trick left whose cards go to the railways.
tr-plan-game-over = The game is over.
tr-plan-trick-over = Trick { $trick } is over.
tr-plan-played = You've already played to trick { $trick }.
tr-plan-leads = { $who } leads trick { $trick }.
tr-plan-you-lead = You lead trick { $trick } yourself.
tr-plan-was-led = { $led } was led to trick { $trick }.
tr-plan-was-named = { $led } was led to trick { $trick }, and your e-mail named { $led }.
tr-plan-not-won = You can't win trick { $trick } any more.
tr-plan-placed = The City or locomotive of trick { $trick } has already been placed.
tr-plan-other-prize = Trick { $trick } isn't for such a card.
tr-plan-stock = Trick { $trick } is a stock round, so its cards don't go to the railways.
tr-plan-laid = Your card of trick { $trick } has already been placed.
tr-plan-cards-gone = You no longer have { $cards }.
tr-plan-not-led = Nobody else has { $led } cards any more, so nobody can lead { $led } to you.
tr-plan-must-follow = If { $led } is led, you must follow it, because you have { $led } cards.
tr-plan-no-case = Whatever else is led, you'd have to follow it with another card.
tr-plan-no-railway = Every company in this plan already has a locomotive.

## Forms of a plan

tr-plan-form-led = the first legal one, if that company is led
tr-plan-form-otherwise = whatever else is led
tr-plan-form-lead = if you lead the next trick
tr-plan-form-city = if you win the City
tr-plan-form-locomotive = if you win the locomotive
tr-plan-form-end = where your card goes

## The picture of the board

tr-picture-lane = Trick lane
tr-picture-trick = This trick
tr-picture-player = { $seat }
tr-picture-winner = { $seat } wins
tr-picture-worth = share value
tr-picture-locomotive = locomotive, distance
tr-picture-card = value, card number
tr-picture-letters = S station, C city
tr-picture-now = this trick
tr-picture-new = last moves

## The position in words

# Beside the picture, above a list of companies: "B&O 40 (2)".
tr-brief-key = Share value (shares held):
tr-brief-company = { $value } ({ $count })
tr-brief-player = { $worth } for { $shares }

tr-words-over = The last trick is over.
tr-words-trick = Trick { $trick } of { $tricks }
tr-words-stock = Stock round. The winner takes a share: { $prize }.
tr-words-operating = Operating round for { $prize }.
tr-words-laying = Operating round. Its cards go to the railways now.
tr-words-to-play = { $who-is ->
    [you] It's your turn to play a card.
   *[other] It's { $who }'s turn to play a card.
}
tr-words-to-build = { $who-is ->
    [you] It's your turn to add { $city } to a railway.
   *[other] It's { $who }'s turn to add { $city } to a railway.
}
tr-words-to-mount = { $who-is ->
    [you] It's your turn to give locomotive { $locomotive } to a company without one.
   *[other] It's { $who }'s turn to give locomotive { $locomotive } to a company without one.
}
tr-words-to-lay = { $who-is ->
    [you] It's your turn to add { $card } to either end of { $company }.
   *[other] It's { $who }'s turn to add { $card } to either end of { $company }.
}
tr-words-no-card = Nobody has played a card yet.
tr-words-player = { $who-is ->
    [you] You
   *[other] { $who }
}
tr-words-played = { $card }, worth { $value } on its railway.
tr-words-played-new = New.
tr-words-highest = Highest so far.
tr-words-won = It won the trick.
tr-words-company = { $company } ({ $colour })
tr-words-new = New: { $cards }.
tr-words-worth = Locomotive { $locomotive } ({ $distance ->
    [0] all cards
    [one] 1 card
   *[other] { $distance } cards
}): best cards { $profit }, minus cost { $cost }. Each share is worth { $value }.
tr-words-no-engine = No locomotive, so each share is worth 0.
tr-words-railway = Left to right: { $cards }.
tr-words-station = Station ({ $value })
tr-words-held = { $count ->
    [0] No shares held.
    [one] 1 share held.
   *[other] { $count } shares held.
}
tr-words-counted = { $count } { $company }
tr-words-shares = { $total ->
    [one] 1 share
   *[other] { $total } shares
}, worth { $worth }: { $shares }.
tr-words-no-shares = No shares.
tr-words-in-hand = { $count ->
    [0] No cards in hand.
    [one] 1 card in hand.
   *[other] { $count } cards in hand.
}
tr-words-lane = The trick lane
tr-words-places = { $places }.
tr-words-place = { $place }: { $card }
tr-words-place-now = { $place } (this trick): { $card }
tr-words-place-new = { $place } (new): { $card }
tr-words-past = { $last ->
    [one] Trick 1 is over.
   *[other] Tricks 1 to { $last } are over.
}
tr-words-rounds = A City or a locomotive means an operating round. Anything else means a stock round.
tr-words-engine = locomotive { $locomotive } ({ $distance ->
    [0] all cards
    [one] 1 card
   *[other] { $distance } cards
}, cost { $cost })
tr-words-engines = { $one } with { $other }
tr-words-teams = Teams: { $one } and { $three } against { $two } and { $four }.
tr-words-out = Out of the game: { $cards }.

## A player's private information in words

tr-words-hand = { $count ->
    [0] Your hand is empty.
    [one] 1 card, with its value on a railway.
   *[other] { $count } cards, each with its value on a railway.
}
tr-words-suit = { $cards }.
tr-words-playable = You can play these now.
tr-words-any = You can play any card.

## Labels of suggested orders

tr-suggest-lead = Lead { $company }
tr-suggest-above = Higher than { $card }
tr-suggest-below = Lower than { $card }
tr-suggest-discard = Play { $company }, which can't win
tr-suggest-city = Add { $city } at the { $end } end
tr-suggest-locomotive = Give locomotive { $locomotive } to a company
tr-suggest-end = Your { $card } on { $company }
