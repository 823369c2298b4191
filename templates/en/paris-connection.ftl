# Paris Connection: all sentences of the game.

## Terms

pc-map-ours = France (own reconstruction)
pc-blue = blue
pc-yellow = yellow
pc-red = red
pc-purple = purple
pc-black = black
pc-brown = brown

# A hex with its city, and a number of pieces of a colour.
pc-city = { $hex } { $city } ({ $value })
pc-counted = { $count } { $colour }

## Events

pc-started = The map is { $map }. The first locomotives stand at their stations: { $starts }.
pc-start = { $colour } on { $hex } ({ $station })
pc-dealt = { $count ->
    [one] Every player draws 1 share from the bag; the other locomotives go to the storing boards.
   *[other] Every player draws { $count } shares from the bag; the other locomotives go to the storing boards.
}
pc-your-hand = Your shares: { $shares }. Nobody else knows them.
pc-first = { $who-is ->
    [you] You begin.
   *[other] { $who } begins.
}
pc-built = { $who-is ->
    [you] You build
   *[other] { $who } builds
} { $colour } on { $hexes }.{ $gained ->
    [0] {""}
   *[other] {" "}A share of { $colour } gains { $gained }.
}
pc-traded = { $who-is ->
    [you] You return
   *[other] { $who } returns
} 1 { $give } share and { $who-is ->
    [you] take
   *[other] takes
} { $count } { $take }.
pc-revealed = { $who-is ->
    [you] You hold
   *[other] { $who } holds
} { $shares }; { $who-is ->
    [you] you were
   *[other] was
} dealt { $dealt }.
pc-ended-marseille = A locomotive stands on { $city }: the game is over.
pc-ended-boards = Only one storing board still has locomotives: the game is over.
pc-ended-stalled = { $count ->
    [one] A trade, and no build: the game is over.
   *[other] { $count } trades in a row without a build: the game is over.
}

## Possible orders

pc-choice-build = build { $word } (up to { $most }; { $left } in supply), first on one of: { $hexes }
pc-choice-trade = trade 1 of your { $held } for 1 or 2 of another company; the storing boards hold { $boards }

## How an incomplete line was read

pc-rest-stays = The game ends with that locomotive, so nothing of { $colour } is placed on { $hexes }.
pc-took-one = No number is given, so 1 { $colour } share is taken. For two, write "{ $line }".

## Lines that are not orders

pc-unreadable = This is neither a build nor a trade.
pc-form-build = 1 to { $most } locomotives of one colour, each next to one of that colour, in the order of placing
pc-form-trade = return 1 share, take 1 or 2 of another company
pc-form-next = carried out when it is your turn, of several the first that is legal; dropped, with a word to you, if it is illegal by then
pc-colour-missing = The colour is missing.
pc-no-colour = "{ $word }" is no colour.
pc-two-colours = "{ $word }" could be more than one colour.
pc-colours = write { $colours }
pc-colour-by = { $word } ({ $letter })
pc-no-number = "{ $word }" is no number of locomotives or shares.
pc-asked = The line asks, so nothing was done. As an order it has no question mark.
pc-or = The line leaves open which it is: "or" is a question, and an order is none.
pc-which = The line can be read in more than one way.
pc-gap = { $from } and { $to } do not touch: name every hex on the way.
pc-write = write "{ $line }"
pc-colours-mixed = A build is of one colour; the line names { $colours }.
pc-hexes-missing = The line does not say where to place { $colour }.
pc-count-differs = The line announces { $announced } and names { $count ->
    [one] 1 hex
   *[other] { $count } hexes
}.
pc-no-place = "{ $word }" is neither a hex nor a city of the map.
pc-perhaps = perhaps { $places }
pc-too-long = The trade is complete before "{ $word }".

## Orders that a rule forbids

pc-nothing-begun = There is no build to stop: a build ends with its line.
pc-too-many = One build places at most { $most } locomotives; the line names { $count ->
    [one] 1 hex
   *[other] { $count } hexes
}.
pc-no-more = { $count ->
    [one] After 1 locomotive
   *[other] After { $count } locomotives
} the build of { $colour } can go no further, and the line names { $named } hexes.
pc-board-empty = The storing board of { $colour } is empty.
pc-stocked = in supply: { $boards }
pc-eiffel = { $hex } is the Eiffel tower; nobody can build there.
pc-no-hex = { $hex } is not on the map.
pc-start-closed = { $hex } is a start; nobody can build there. (This ruling is from other sources.)
pc-same-colour = { $hex } already has a { $colour } locomotive, and two of one colour cannot share a hex.
pc-city-full = { $hex } is taken: a city has room for one locomotive.
pc-rural-full = { $hex } is full: a hex has room for two locomotives of different colours.
pc-cut-off = A { $colour } locomotive on { $hex } would cut off { $victim }, which has reached no city yet.
pc-barred = { $hex } lies behind a barrier: { $colour } cannot cross that edge.
pc-not-adjacent = { $hex } is not adjacent to any { $colour } locomotive.
pc-can-go-nowhere = { $colour } can be placed nowhere now
pc-can-go = { $colour } can go to { $hexes }{ $more ->
    [0] {""}
   *[other] {" "}and to { $more } more
}
pc-give-one = A trade returns exactly 1 share.
pc-none-held = You hold no share of { $colour }.
pc-held = you hold { $colours }
pc-same-company = A trade takes shares of another company than { $colour }.
pc-take-other = shares can be taken of { $colours }
pc-only-left = The storing board of { $colour } has only { $left ->
    [one] 1 locomotive
   *[other] { $left } locomotives
} left.
pc-one-or-two = A trade takes 1 or 2 shares of { $colour }.
pc-take = { $most ->
    [one] trade { $give } for 1 { $take }
   *[other] trade { $give } for 1 { $take }, or for { $most } { $take }
}

## Parts of a score

pc-score-shares = { $shares ->
    [one] 1 { $colour } share
   *[other] { $shares } { $colour } shares
} at { $value }
pc-score-excess = { $excess ->
    [one] 1 share
   *[other] { $excess } shares
} above the limit of { $limit }

## Errors in a definition

pc-fault-paris = The Eiffel tower's hex { $hex } is in no row.
pc-fault-row = Row { $row } cannot run from { $first } to { $last }: a row has a capital letter, its columns go in steps of 2 up to 36, and the letter's place (A = 0) and the column have an odd sum.
pc-fault-size = The map has { $count } hexes; the most is { $most }.
pc-fault-starts = There are { $count } start hexes; there must be 6, one for each colour.
pc-fault-off-map = { $place } is on { $hex }, which is in no row or is the Eiffel tower.
pc-fault-two-on-hex = { $place } is on { $hex }, where another city or start is already.
pc-fault-code = The code "{ $code }" of { $place } is not made of two letters.
pc-fault-code-twice = Two cities have the code { $code } (capitals make no difference).
pc-fault-name-twice = Two cities have the name { $place }.
pc-fault-value = { $place } is worth { $value }, which no kind of city is.
pc-fault-end-city = There is no city on { $hex }, where the game should end.
pc-fault-barrier = { $edge } is no edge: both hexes must be on the map and touch.
pc-fault-letters = Each of the six colours needs a capital letter of its own.
pc-fault-no-city = No city can be reached from { $place }.
pc-fault-unreachable = { $place } on { $hex } cannot be reached from any start.
pc-fault-players = The table "{ $what }" has no number for { $seats } players.
pc-fault-build-most = A build must be of 1 locomotive at least.
pc-fault-hand = So many shares ({ $count } in all) cannot be dealt: each player needs one, and locomotives must be left on two storing boards at least.

## Plans

pc-plan = On your next turn: { $line }
pc-plan-past = That turn is over.

## The picture of the board

pc-picture-city = free city and its value
pc-picture-barrier = barrier (blue: water)
pc-picture-new = last moves

## The position in words

# Beside the picture, above a list of colours: "blue 0 (13)".
pc-brief-key = Value of a share (locomotives left):
pc-brief-company = { $value } ({ $left })

pc-words-new = New: { $places }.
pc-words-worth = A share is worth { $value }; { $left } in supply, { $count } on the map.
pc-words-cities = Cities: { $cities }.
pc-words-no-city = No city yet, so nobody may cut it off.
pc-words-track = Other hexes: { $hexes }.
pc-words-start = Start: { $hex } ({ $station }).
pc-words-turn = { $who-is ->
    [you] It is your turn.
   *[other] It is the turn of { $who }.
}
pc-words-boards = { $count ->
    [one] 1 storing board has locomotives.
   *[other] { $count } storing boards have locomotives.
} The game ends when only one has, or when a locomotive stands on { $city }.
pc-words-trades = Trades in a row: { $count }; at { $most } the game ends.
pc-words-shares = Shares held
pc-words-holder = { $who }: { $shares }
pc-words-held = { $held }.
pc-words-limit = The limit is { $limit }: at the end each share above it costs { $penalty ->
    [one] 1 point
   *[other] { $penalty } points
}.
pc-words-free = Free cities
pc-words-free-worth = Worth { $value }: { $cities }.
pc-words-none-free = None.
pc-words-place = { $hex } { $city }
pc-words-full = Full hexes
pc-words-full-on = Two locomotives stand on { $hexes }.
pc-words-barriers = Barriers
pc-words-mountains = Mountains that nobody crosses lie between { $edges }.
pc-words-water = Water that nobody crosses lies between { $edges }.
pc-words-map = The map
pc-words-rows = { $map }, row by row: { $rows }.
pc-words-stretch = { $first } to { $last }
pc-words-tower = { $hex } is the Eiffel tower; nobody can build there or on a start.
pc-words-touch = A hex touches those 2 columns to its west and east, and in the rows above and below those 1 column to either side: { $hex } touches { $others }.

## A player's private information in words

pc-words-holding = { $shares ->
    [one] 1 share
   *[other] { $shares } shares
} at { $value }, worth { $worth }.
pc-words-none-of = No shares of { $colours }.
pc-words-all = Together
pc-words-together = { $shares ->
    [one] 1 share
   *[other] { $shares } shares
}, worth { $worth } now.
pc-words-below = The limit is { $limit }: { $left ->
    [0] another one would cost points.
    [one] 1 more costs nothing.
   *[other] { $left } more cost nothing.
}
pc-words-above = WARNING: { $excess } above the limit of { $limit } would cost you { $penalty } points: you would score { $score }.

## Labels of suggested orders

pc-suggest-build = Build { $colour }
pc-suggest-trade = Trade
pc-suggest-other = For example
pc-suggest-ends = This ends the game
