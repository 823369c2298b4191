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

tr-lane = The trick lane, from left to right: { $cards }.
tr-dealt = Every player is dealt { $count ->
    [one] 1 card
   *[other] { $count } cards
}.
tr-your-hand = Your hand: { $cards }. Nobody else knows it.
tr-leftover = What was left over goes to the railways: { $cards }.
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
tr-reserved = { $card } goes into the lane, where the Reservation was in place { $place }.
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
tr-ended = The last trick has been played: the game is over.

## Possible orders

tr-choice-lead = play a card; you lead, so any will do: { $cards }
tr-choice-follow = play a card of { $led }, which was led: { $cards }
tr-choice-any = play any card, for you have none of { $led }, which was led: { $cards }
tr-choice-city = add { $city } to any railway at either end, as in "city NYC right"
tr-choice-locomotive = give locomotive { $locomotive } ({ $distance ->
    [0] all cards
    [one] 1 card
   *[other] { $distance } cards
}, cost { $cost }) to a company without one, as in "locomotive { $first }": { $companies }
tr-choice-end = add your { $card }, worth { $value }, to { $company }: "end left" or "end right"

## Lines that are not orders

tr-unreadable = This is no order of the game.
tr-form-play = plays that card to the trick
tr-form-end = adds the card you played to that end of its railway
tr-form-city = adds the City you won to that end of that railway
tr-form-locomotive = gives the locomotive you won to that company
tr-company-missing = The company is missing.
tr-no-company = "{ $word }" is no company, or could be more than one.
tr-companies = the companies, by name or colour: { $companies }
tr-number-missing = Which card of { $company }? They are numbered 1 to { $most }.
tr-no-number = There is no { $company } card "{ $word }": they are numbered 1 to { $most }.
tr-no-end = Here the line must say left or right.
tr-too-long = The order is complete before "{ $word }".
tr-negative = "{ $word }" is no number of a card or a locomotive.
tr-other-prize = That is not the card of the lane that you have to place now.

## Orders that a rule forbids

tr-not-now = That is not what you have to do now.
tr-must-follow = { $led } was led and you have cards of it, so you cannot play { $card }.
tr-not-held = You do not have { $card } in your hand.
tr-hand = your hand: { $cards }
tr-may-play = you may play: { $cards }
tr-has-locomotive = { $company } has locomotive { $there } already.
tr-without = { $locomotive } can go to { $companies }

## Parts of a score

tr-score-shares = { $shares ->
    [one] 1 { $company } share
   *[other] { $shares } { $company } shares
} at { $value }
tr-score-partner = { $partner-is ->
    [you] your shares
   *[other] shares of { $partner }
}

## Errors in a definition or in an option

tr-fault-teams = Teams are for 4 players; here are { $seats }.
tr-fault-players = The table "{ $what }" has nothing for { $seats } players.
tr-fault-hand = { $seats } players cannot be dealt { $hand } cards each: there are 50.
tr-fault-company-missing = The company { $company } is missing.
tr-fault-company-twice = The company { $company } is there twice.
tr-fault-name = The name of { $company } must have 1 to { $most } plain characters and no space.
tr-fault-locomotive = The locomotive { $locomotive } is missing.
tr-fault-lane-length = The lane for { $seats } players has { $count } places; there must be as many as each is dealt cards, { $hand }.
tr-fault-lane-cards = The lane for { $seats } players has { $count } places for "{ $slot }", and there { $most ->
    [one] is only 1 such card
   *[other] are only { $most } such cards
}.
tr-fault-lane-twice = The lane for { $seats } players has { $locomotive } twice.
tr-fault-exchanges = The lane for { $seats } players has { $count } places for Exchange cards; there must be 5.
tr-fault-reservation = In the lane for { $seats } players the Reservation in place { $place } would become the leftmost card: too few stock rounds come before it.

# Headings of this game.
heading-board-trick-of-the-rails = The trick lane and the railways
heading-board-previewed-trick-of-the-rails = The trick lane and the railways after these orders
heading-private-trick-of-the-rails = Your hand, for your eyes only

## Plans

tr-plan-lead = Trick { $trick }, if you lead: { $lines }
tr-plan-led = Trick { $trick }, if { $led } is led: { $lines }
tr-plan-otherwise = Trick { $trick }, if anything but { $led } is led: { $lines }
tr-plan-whatever = Trick { $trick }, whatever is led: { $lines }
tr-plan-play = Trick { $trick }: { $lines }
tr-plan-if-win = Trick { $trick }, if you win: { $lines }
tr-plan-end = Trick { $trick }: { $lines }
tr-plan-unreadable = This is no case that can be planned for.
tr-plan-card = A plan of this kind names cards to play.
tr-plan-win = What can be planned for winning is where the City or the locomotive goes.
tr-plan-not-held = You do not hold { $card }.
tr-plan-twice = Your letter has "{ $plan }" for that already. One line can say both: what you want most, and behind a comma what else where that cannot be.

## Plans that cannot be used

tr-plan-none-to-lead = There is no trick left that you could lead.
tr-plan-none-to-play = There is no trick left in which that can happen.
tr-plan-no-city = There is no City left in the lane that you could win.
tr-plan-no-locomotive = There is no such locomotive left in the lane that you could win.
tr-plan-no-infinite = You will not be asked where [inf] goes: it goes by itself to the company that is left, has gone already, or is not in this lane.
tr-plan-no-end = There is no trick left whose cards go to the railways.
tr-plan-game-over = The game is over.
tr-plan-trick-over = Trick { $trick } is over.
tr-plan-played = You have played to trick { $trick }.
tr-plan-leads = { $who } leads trick { $trick }.
tr-plan-you-lead = You lead trick { $trick } yourself.
tr-plan-was-led = { $led } was led to trick { $trick }.
tr-plan-was-named = { $led } was led to trick { $trick }, which your letter named.
tr-plan-not-won = Trick { $trick } is not yours to win any more.
tr-plan-placed = What trick { $trick } was played for has its place already.
tr-plan-other-prize = Trick { $trick } is not played for such a card.
tr-plan-stock = Trick { $trick } is a stock round: its cards do not go to the railways.
tr-plan-laid = Your card of trick { $trick } has its place already.
tr-plan-cards-gone = You do not hold { $cards } any more.
tr-plan-not-led = Nobody else has a card of { $led } any more, so it cannot be led to you.
tr-plan-must-follow = If { $led } is led you must follow it, for you have cards of it.
tr-plan-no-case = Whatever could be led besides, you would have to follow it with another card.
tr-plan-no-railway = Every company that it names has a locomotive.

## Forms of a plan

tr-plan-form-led = the first legal one, if that company is led
tr-plan-form-otherwise = whatever else is led
tr-plan-form-lead = if you are to lead the next trick
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
tr-brief-key = Value of a share (shares held):
tr-brief-company = { $value } ({ $count })
tr-brief-player = { $worth } for { $shares }

tr-words-over = The last trick has been played.
tr-words-trick = Trick { $trick } of { $tricks }
tr-words-stock = A stock round: the winner takes a share, { $prize }.
tr-words-operating = An operating round for { $prize }.
tr-words-laying = An operating round; its cards go to the railways now.
tr-words-to-play = { $who-is ->
    [you] You are to play a card.
   *[other] { $who } is to play a card.
}
tr-words-to-build = { $who-is ->
    [you] You are to add { $city } to a railway.
   *[other] { $who } is to add { $city } to a railway.
}
tr-words-to-mount = { $who-is ->
    [you] You are to give locomotive { $locomotive } to a company without one.
   *[other] { $who } is to give locomotive { $locomotive } to a company without one.
}
tr-words-to-lay = { $who-is ->
    [you] You are to add { $card } at an end of { $company }.
   *[other] { $who } is to add { $card } at an end of { $company }.
}
tr-words-no-card = No card has been played yet.
tr-words-player = { $who-is ->
    [you] You
   *[other] { $who }
}
tr-words-played = { $card }, worth { $value } on its railway.
tr-words-played-new = New.
tr-words-highest = The highest so far.
tr-words-won = It has won the trick.
tr-words-company = { $company } ({ $colour })
tr-words-new = New: { $cards }.
tr-words-worth = Locomotive { $locomotive } ({ $distance ->
    [0] all cards
    [one] 1 card
   *[other] { $distance } cards
}): best cards { $profit }, less cost { $cost }; a share is worth { $value }.
tr-words-no-engine = No locomotive: a share is worth 0.
tr-words-railway = From left to right: { $cards }.
tr-words-station = Station ({ $value })
tr-words-held = { $count ->
    [0] Nobody holds a share.
    [one] 1 share is held.
   *[other] { $count } shares are held.
}
tr-words-counted = { $count } { $company }
tr-words-shares = { $total ->
    [one] 1 share
   *[other] { $total } shares
}, worth { $worth }: { $shares }.
tr-words-no-shares = No shares.
tr-words-in-hand = { $count ->
    [0] No card in hand.
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
tr-words-rounds = For a City or a locomotive an operating round is played, for anything else a stock round.
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
    [one] 1 card, with its worth on a railway.
   *[other] { $count } cards, each with its worth on a railway.
}
tr-words-suit = { $cards }.
tr-words-playable = You may play these now.
tr-words-any = You may play any card.

## Labels of suggested orders

tr-suggest-lead = Lead { $company }
tr-suggest-above = Higher than { $card }
tr-suggest-below = Lower than { $card }
tr-suggest-discard = Play { $company }, which cannot win
tr-suggest-city = Add { $city } at the { $end } end
tr-suggest-locomotive = Give locomotive { $locomotive } to a company
tr-suggest-end = Your { $card } on { $company }
