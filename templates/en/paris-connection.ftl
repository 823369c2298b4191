# Paris Connection: all sentences of the game.

## Terms

pc-map-ours = France (our own reconstruction)
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

pc-started = The map is { $map }. The first locomotives are at their stations: { $starts }.
pc-start = { $colour } on { $hex } ({ $station })
pc-dealt = { $count ->
    [one] Everyone draws 1 share from the bag. All other locomotives go to the supply.
   *[other] Everyone draws { $count } shares from the bag. All other locomotives go to the supply.
}
pc-your-hand = Your shares: { $shares }. Only you know them.
pc-first = { $who-is ->
    [you] You go first.
   *[other] { $who } goes first.
}
pc-built = { $who-is ->
    [you] You build
   *[other] { $who } builds
} { $colour } on { $hexes }.{ $gained ->
    [0] {""}
   *[other] {" "}Each { $colour } share gains { $gained }.
}
pc-traded = { $who-is ->
    [you] You trade
   *[other] { $who } trades
} 1 { $give } share for { $count } { $take }.
pc-revealed = { $who-is ->
    [you] You hold
   *[other] { $who } holds
} { $shares }. { $who-is ->
    [you] You
   *[other] They
} were dealt { $dealt }.
pc-ended-marseille = A locomotive has reached { $city }. The game is over.
pc-ended-boards = Only one colour still has locomotives in supply. The game is over.
pc-ended-stalled = { $count ->
    [one] That was a trade without a build. The game is over.
   *[other] That was { $count } trades in a row without a build. The game is over.
}

## Possible orders

pc-choice-build = build { $word } (up to { $most }; { $left } in supply), start on one of: { $hexes }
pc-choice-trade = trade 1 of your { $held } for 1 or 2 of another company; in supply: { $boards }

## How an incomplete line was read

pc-rest-stays = That locomotive ends the game, so you place no { $colour } on { $hexes }.
pc-took-one = You gave no number, so you take 1 { $colour } share. For two, write "{ $line }".

## Lines that are not orders

pc-unreadable = We couldn't read this as a build or a trade.
pc-form-build = place 1 to { $most } locomotives of one colour in order, each next to that colour
pc-form-trade = return 1 share, take 1 or 2 of another company
pc-form-next = played on your next turn (if you send several, the first legal one); if it's illegal by then, we drop it and tell you
pc-colour-missing = The line doesn't name a colour.
pc-no-colour = "{ $word }" isn't a colour.
pc-two-colours = "{ $word }" could mean more than one colour.
pc-colours = write { $colours }
pc-colour-by = { $word } ({ $letter })
pc-no-number = "{ $word }" isn't a number of locomotives or shares.
pc-asked = This is a question, so nothing was done. Leave out the question mark to make it an order.
pc-or = This line offers a choice ("or"), but an order must be definite. Write just the one you want.
pc-which = We can read this line in more than one way.
pc-gap = { $from } and { $to } don't touch. Name every hex on the way.
pc-write = write "{ $line }"
pc-colours-mixed = A build is in one colour, but this line names { $colours }.
pc-hexes-missing = The line doesn't say where to place { $colour }.
pc-count-differs = The line says { $announced }, but names { $count ->
    [one] 1 hex
   *[other] { $count } hexes
}.
pc-no-place = "{ $word }" isn't a hex or a city on the map.
pc-perhaps = maybe { $places }
pc-too-long = The trade is already complete before "{ $word }". Leave out the rest.

## Orders that a rule forbids

pc-nothing-begun = There's no build to stop. A build ends with its line.
pc-too-many = You can place at most { $most } locomotives in one build. This line names { $count ->
    [one] 1 hex
   *[other] { $count } hexes
}.
pc-no-more = { $count ->
    [one] After 1 locomotive
   *[other] After { $count } locomotives
}, you can't build { $colour } any further. This line names { $named } hexes.
pc-board-empty = There are no { $colour } locomotives left in supply.
pc-stocked = in supply: { $boards }
pc-eiffel = { $hex } is the Eiffel tower. Nobody can build there.
pc-no-hex = { $hex } isn't on the map.
pc-start-closed = { $hex } is a start. Nobody can build there. (This rule comes from other sources.)
pc-same-colour = { $hex } already has a { $colour } locomotive. Two of one colour can't share a hex.
pc-city-full = { $hex } is taken. A city has room for one locomotive.
pc-rural-full = { $hex } is full. A hex has room for two locomotives of different colours.
pc-cut-off = A { $colour } locomotive on { $hex } would cut off { $victim }, which hasn't reached a city yet.
pc-barred = { $hex } is behind a barrier that { $colour } can't cross.
pc-not-adjacent = { $hex } isn't next to any { $colour } locomotive.
pc-can-go-nowhere = { $colour } can't go anywhere now
pc-can-go = { $colour } can go to { $hexes }{ $more ->
    [0] {""}
   *[other] {" "}and to { $more } more
}
pc-give-one = In a trade, you return exactly 1 share.
pc-none-held = You don't have any { $colour } shares.
pc-held = you have { $colours }
pc-same-company = You're returning { $colour }, so take shares of another company.
pc-take-other = you can take { $colours }
pc-only-left = Only { $left ->
    [one] 1 { $colour } locomotive is
   *[other] { $left } { $colour } locomotives are
} left in supply.
pc-one-or-two = You can take 1 or 2 { $colour } shares in a trade.
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

pc-fault-paris = The Eiffel tower's hex { $hex } isn't in any row.
pc-fault-row = Row { $row } can't run from { $first } to { $last }. A row has a capital letter, and its columns go in steps of 2 up to 36. The letter's place (A = 0) and the column must have an odd sum.
pc-fault-size = The map has { $count } hexes. The most is { $most }.
pc-fault-starts = There are { $count } start hexes. There must be 6, one for each colour.
pc-fault-off-map = { $place } is on { $hex }, which isn't in any row or is the Eiffel tower.
pc-fault-two-on-hex = { $place } is on { $hex }, which already has another city or start.
pc-fault-code = The code "{ $code }" of { $place } must be two letters.
pc-fault-code-twice = Two cities have the code { $code } (upper and lower case count as the same).
pc-fault-name-twice = Two cities have the name { $place }.
pc-fault-value = { $place } is worth { $value }, but no kind of city has that value.
pc-fault-end-city = There's no city on { $hex }, where the game should end.
pc-fault-barrier = { $edge } isn't an edge. Both hexes must be on the map and touch.
pc-fault-letters = Each of the six colours needs a capital letter of its own.
pc-fault-no-city = { $place } can't reach any city.
pc-fault-unreachable = No start can reach { $place } on { $hex }.
pc-fault-players = The table "{ $what }" has no number for { $seats } players.
pc-fault-build-most = A build must allow at least 1 locomotive.
pc-fault-hand = The game can't deal that many shares ({ $count } in all). Each player needs one, and at least two colours must have locomotives left in supply.

## Plans

pc-plan = On your next turn: { $line }
pc-plan-past = That turn is over.

## The picture of the board

pc-picture-city = free city and its value
pc-picture-barrier = barrier (blue: water)
pc-picture-new = last moves

## The position in words

# Beside the picture, above a list of colours: "blue 0 (13)".
pc-brief-key = Share value (locomotives in supply):
pc-brief-company = { $value } ({ $left })

pc-words-new = New: { $places }.
pc-words-worth = Each share is worth { $value }. { $left } in supply, { $count } on the map.
pc-words-cities = Cities: { $cities }.
pc-words-no-city = No city yet, so nobody may cut it off.
pc-words-track = Other hexes: { $hexes }.
pc-words-start = Start: { $hex } ({ $station }).
pc-words-turn = { $who-is ->
    [you] It's your turn.
   *[other] It's { $who }'s turn.
}
pc-words-boards = { $count ->
    [one] 1 colour has locomotives in supply.
   *[other] { $count } colours have locomotives in supply.
} The game ends when only one does, or when a locomotive reaches { $city }.
pc-words-trades = Trades in a row: { $count }. The game ends at { $most }.
pc-words-shares = Shares held
pc-words-holder = { $who }: { $shares }
pc-words-held = { $held }.
pc-words-limit = The limit is { $limit }. At the end, each share above it costs { $penalty ->
    [one] 1 point
   *[other] { $penalty } points
}.
pc-words-free = Free cities
pc-words-free-worth = Worth { $value }: { $cities }.
pc-words-none-free = None.
pc-words-place = { $hex } { $city }
pc-words-full = Full hexes
pc-words-full-on = Two locomotives are on { $hexes }.
pc-words-barriers = Barriers
pc-words-mountains = Mountains block the way between { $edges }.
pc-words-water = Water blocks the way between { $edges }.
pc-words-map = The map
pc-words-rows = { $map }, row by row: { $rows }.
pc-words-stretch = { $first } to { $last }
pc-words-tower = { $hex } is the Eiffel tower. Nobody can build there or on a start.
pc-words-touch = A hex touches the hexes 2 columns to its west and east. In the rows above and below, it touches those 1 column to either side. For example, { $hex } touches { $others }.

## A player's private information in words

pc-words-holding = { $shares ->
    [one] 1 share
   *[other] { $shares } shares
} at { $value }, worth { $worth }.
pc-words-none-of = No shares of { $colours }.
pc-words-all = Total
pc-words-together = { $shares ->
    [one] 1 share
   *[other] { $shares } shares
}, worth { $worth } now.
pc-words-below = The limit is { $limit }. { $left ->
    [0] Another share would cost you points.
    [one] 1 more costs nothing.
   *[other] { $left } more cost nothing.
}
pc-words-above = WARNING: You're { $excess } above the limit of { $limit }. That would cost you { $penalty } points, and you'd score { $score }.

## Labels of suggested orders

pc-suggest-build = Build { $colour }
pc-suggest-trade = Trade
pc-suggest-other = For example
pc-suggest-ends = This ends the game
