# Off the Rails: all sentences of the game.

## Terms

or-board-ours = the club's reconstruction
or-north = north
or-east = east
or-south = south
or-west = west
or-red = red
or-yellow = yellow
or-green = green
or-blue = blue
or-white = white
or-black = black
or-rock = rock
or-ruby = ruby
or-emerald = emerald
or-gold = gold
or-diamond = diamond
or-shape-straight = straight
or-shape-corner = corner
or-shape-cross = cross
or-split-balanced = balanced: two piles as equal in value as can be
or-split-together = together: the rocks and the least valuable in one pile
or-split-alone = alone: the best jewel with the least valuable ones
or-mission-lines = Behind Enemy Lines
or-mission-bumper = Bumper Carts
or-mission-diamonds = Diamonds Aren't Forever
or-mission-goblins = Dirty Goblins
or-mission-collector = Gem Collector
or-mission-fingers = Green Fingers
or-mission-head = Head to Head
or-mission-robbery = Jewel Robbery
or-mission-leader = Red Leader
or-mission-spice = Spice of Life
or-mission-gold = Gold in Your Hills

# A cart, and a number of things of one kind.
or-cart = { $who-is ->
    [you] your { $die } cart
   *[other] the { $die } cart of { $who }
}
or-solo-cart = the { $colour } cart
or-jewels = { $count } { $jewel }
or-nothing = nothing

## Events

or-told-opened = The board is { $board }: { $sides }. Missions face up: { $missions }.
or-side-of = { $who-is ->
    [you] you play
   *[other] { $who } plays
} from the { $side }
or-told-strewn = A jewel lies on every numbered square of the four mines.
or-told-deposit = Deposit: { $colour } { $number } ({ $square }) gets { $jewels }.
or-told-laid = { $who-is ->
    [you] You lay
   *[other] { $who } lays
} a { $shape } on { $square } ({ $ends }).
or-told-upgraded = { $who-is ->
    [you] You open
   *[other] { $who } opens
} { $square } to the { $way }.
or-told-entered = Onto the surface: { $cart }, in the { $side } at { $place }, speed { $speed }.
or-told-sped = Speed { $speed } from now on: { $cart }.
or-told-moved = Moves { $squares }: { $cart }.
or-told-moved-took = Moves { $squares } and picks up { $jewels }: { $cart }.
or-told-took = Picks up { $jewels }: { $cart }.
or-told-bumped = Stopped short of { $square } by { $other }, over tracks that are not connected: { $cart }.
or-told-collided = Collision on { $square }: { $cart } runs into { $other }.
or-told-head-on = Head-on collision on { $square }: { $cart } runs into { $other }.
or-told-cut = Cut into two hidden piles: the jewels of { $cart }.
or-told-dropped = Dropped: { $jewels } by { $cart }.
or-told-faces = Facing { $way } now: { $cart }.
or-told-left = Out of the mine over the { $side } side: { $cart }.
or-told-returned = Back to the supply, since it could not leave the surface: { $cart }.
or-told-derailed = DERAILED: { $cart }{ $why }. { $held ->
    [0] It goes back to its supply.
   *[other] All it held goes to the bag, the cart to its supply.
}
or-told-derailed-lost = DERAILED: { $cart }{ $why }. It is out of the game.
or-why-no-track = , for no track lies on { $square }
or-why-closed = , for the track on { $square } does not open towards it
or-why-centre = , for { $square } is the centre of a mine
or-why-empty = , for it held nothing when the carts collided
or-why-over = , for the game is over
or-why-unsaid = {""}
or-told-fell = INTO THE CHASM: { $cart }, with all it held; it is out of the game.
or-told-claimed = { $who-is ->
    [you] You claim
   *[other] { $who } claims
} the mission { $mission }.
or-told-chasm-card = { $who-is ->
    [you] You turn
   *[other] { $who } turns
} up the Chasm card! Every player has one more turn, { $who-is ->
    [you] you
   *[other] { $who }
} last; then the mines collapse.
or-told-collapsed = The mines collapse. From now on every turn brings a chasm token.
or-told-sank = A { $colour } chasm token swallows { $square }.
or-told-discarded = A { $colour } chasm token has nowhere to go and is discarded.
or-told-reshuffled = The Chasm card was turned up; { $keeps ->
    [0] it does nothing and is shuffled back.
   *[other] no chasm token is placed in this turn, and all that was turned up is shuffled back.
}
or-revealed = { $who-is ->
    [you] You
   *[other] { $who }
}: { $count ->
    [0] no missions
   *[other] { $missions }
}; brought out: { $jewels ->
    [0] nothing
   *[other] { $pile }
}.
or-revealed-kind = { $count } { $jewel }
or-revealed-split = { $who-is ->
    [you] Your jewels
   *[other] The jewels of { $who }
} were to be cut { $split }.
or-revealed-claims = { $who-is ->
    [you] You wanted
   *[other] { $who } wanted
} to claim first: { $missions }.
or-told-wish-split = If a cart of yours is rammed, your jewels are cut { $split }. Nobody else is told.
or-told-wish-claim = You claim { $mission } before other missions. Nobody else is told.
or-told-wish-chasm = If your token is { $colour }, it goes to { $square }.
or-told-wish-place = You place a chasm token at the end of this turn.
or-told-wish-none = You place no chasm token at the end of this turn.
or-ended-carts = No cart is left on the board: the game is over.
or-ended-tokens = The last chasm token has been placed: the game is over.
or-ended-loss = The game is over, and it is a loss: no full set of jewels was delivered.
or-ended-partial = The game is over: a partial victory, with one jewel of each kind delivered.
or-ended-victory = The game is over: a victory, with one jewel of each kind at its own side.
or-ended-major = The game is over: a MAJOR victory, with two or more of each kind at their own sides.

## Possible orders

or-choice-actions = { $count ->
    [0] No actions are left in this turn.
    [one] 1 action is left in this turn.
   *[other] { $count } actions are left in this turn.
}
or-choice-lay = { $line }: a straight or a corner on any square without track ({ $count } left)
or-choice-upgrade = { $line }: one opening more, on one of { $squares }
or-choice-enter = enter { $word } { $place }: { $berths }
or-choice-move = move { $word }: { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}, first to { $square }
or-choice-ram = move { $word }: straight into the cart on { $square }
or-choice-derail = move { $word } derail: it would DERAIL, for no track goes on to { $square }
or-choice-fall = move { $word } derail: it would fall into the chasm on { $square }
or-choice-out = move { $word }: straight out of the mine
or-choice-place = chasm yes: to place a token though you have no cart on the board
or-choice-chasm = chasm { $word } { $first }: one of { $squares }
or-choice-stop = stop: the game ends here, with the grade reached
or-choice-done = done: carts that have not moved do so by default, and your turn is over
or-answers = { $count ->
    [one] say: { $lines }
   *[other] say one of: { $lines }
}

## How an incomplete line was read

or-default-take = Of several kinds, { $cart } picks up the best: { $jewel }. "take ruby" would have named another.
or-default-go = At the junction { $square }, { $cart } goes { $way }. "go east", or a square farther on, would have named another way.
or-default-face = Stopped on a junction, { $cart } faces { $way }. "face east" names another way.
or-default-out = From the corner { $square }, { $cart } goes out in the { $way }. "out west", say, names the side.
or-unasked = Nothing on this way asks for "{ $line }".
or-no-derail = No cart of yours derails by this.
or-plan-then = once the jewels are cut: { $line }
or-plan-past = It was for a collision that is over.
or-not-taken = No { $jewel } was picked up on this way.

## Lines that are not orders

or-unreadable = This is no order of the game.
or-form-lay = a straight or a corner, by the two ways it opens
or-form-lay-two = two actions
or-form-upgrade = one opening more (straight or corner > T > cross)
or-form-enter = a cart on your side, by column or row
or-form-enter-solo = a cart on its own side, by column or row
or-form-speed = or: speed w 4, faster w
or-form-speed-solo = or: speed red 4, faster red
or-form-move = every cart, by default; your turn ends
or-form-move-cart = this cart; the other after it
or-form-move-cart-solo = this cart; the others after it
or-form-way = squares, or ways (go east), where you can choose;
    out west: over that side
or-form-move-take = which jewel
or-form-move-drop = what falls, should it ram your own cart
or-form-derail = by which a cart of yours derails, or falls into the
    chasm: without the word you are asked first
or-form-move-face = where to face, stopped on a junction
or-form-face = where a cart faces that has moved in this turn
or-form-done = like move alone
or-form-cut = the first of two piles, when you are asked
or-form-pick = or: pick second, pick any
or-form-split = how your jewels are cut when you are rammed;
    or: split balanced, split best alone
or-form-claim = the mission that you claim first
or-form-chasm = where your chasm token goes, by its colour
or-form-chasm-yes = place one though you have no cart on the board
or-form-stop = ends the game once a grade is reached
or-unknown-word = "{ $word }" says nothing here.
or-no-square = "{ $word }" is no square of the board; they run from A1 to { $last }.
or-joined = On one line, actions come first, and then at most one move or "done". The rest needs lines of its own.
or-no-next = This game takes no orders for later turns. Write them when the turn is yours.
or-leg-waits = The rammed player is asked first; give each cart a line of its own.
or-lay-range = The two squares do not lie in one row or column.
or-lay-where = The line does not say on which square.
or-lay-ends = The line does not say which way the tile on { $square } opens.
or-lay-differs = A tile that opens to { $ends } is a { $shape }; the line names another for { $square }.
or-up-where = The line does not say on which square.
or-up-which = The tile on { $square } can be opened in more than one way.
or-up-removes = The tile on { $square } opens to { $ends }, and an upgrade never closes an opening.
or-enter-which = No cart of yours is in the supply, so none can enter.
or-enter-either = Carts of several sides could enter there: name the one that is meant.
or-enter-where = "{ $word }" is no place on your side.
or-enter-place = The line does not say where the cart enters.
or-speed-which = No cart of yours is on the board.
or-speed-what = The line does not say what the speed shall be.
or-speed-same = Speed { $speed } already: { $cart }.
or-face-how = The line does not say which cart faces which way.
or-chasm-how = The line does not say which colour goes where.
or-claim-which = "{ $word }" is no mission.
or-claim-none = The line does not say which mission.
or-split-how = The line does not say how your jewels are cut.
or-no-way = From { $square }, { $cart } does not come to { $to } in this move.
or-place-by = a junction to go { $way } from
or-place-out = a way out of the mine
or-place-side = a way out in the { $side }
or-missed = In this move, { $cart } does not come to { $place }.
or-way = it would go { $squares }
or-way-out = out in the { $side }
or-way-none = it would not come to any square

## Orders that need a confirmation

or-doubt-derail = By this would DERAIL: { $cart }{ $why }. If you mean it, add the word "derail".
or-doubt-fall = By this would fall INTO THE CHASM: { $cart }. If you mean it, add the word "derail".
or-doubt-tile = After this nothing but to derail on { $square } is left for { $cart }.
or-doubt-tile-how = if you mean it, add the word "derail" to the line
or-doubt-claim = One mission is claimed in a turn. By this it is { $mission }; { $lost } could not be claimed later.

## Orders that a rule forbids

or-answer-first = A move waits for something else to be said first, or this cannot be chosen.
or-not-asked = No move waits for that to be said.
or-no-actions = { $count ->
    [one] A turn has 1 action, and it is taken before this one.
   *[other] A turn has { $count } actions, and all are taken before this one.
}
or-actions-over = A cart has moved, so the actions of this turn are over.
or-no-tiles = No straight or corner is left. To upgrade one gives it back.
or-no-junctions = No T is left. One that lies can still become a cross.
or-centre = { $square } is the centre of a mine; no track can lie there.
or-chasm-there = { $square } has collapsed.
or-tiled = { $square } has track already{ $open ->
    [0] .
   *[other] ; it can be upgraded.
}
or-shape = A new tile is a straight or a corner, so it opens in two ways.
or-no-track = { $square } has no track that could be upgraded.
or-under-cart = A cart stands on { $square }, so the tile cannot be upgraded.
or-open-already = { $square } opens that way already.
or-not-yours = The line names a cart that is not yours.
or-cart-gone = Out of the game: { $cart }.
or-on-board = On the board already: { $cart }.
or-not-on-board = Not on the board: { $cart }.
or-wrong-side = From the { $side } side only: { $cart }.
or-berth-taken = Another cart stands at that place.
or-speed-limit = Speeds run from { $least } to { $most }, and this goes beyond: { $cart }.
or-has-moved = Has moved in this turn: { $cart }.
or-no-facing = Only a cart that has stopped on a junction in this turn can face another way, and never back: { $cart }.
or-useless = That is of no use in this game.
or-no-mission = { $claimable ->
    [0] { $mission } cannot be claimed: it is awarded at the end of the game.
   *[other] { $mission } does not lie face up, so it cannot be claimed.
}
or-no-abyss = The mines have not collapsed yet: no chasm token is placed at the end of this turn.
or-chasm-square = A token of that colour cannot go to { $square }.
or-must-place = You have a cart on the board, so a chasm token must be placed.
or-no-grade = No grade has been reached yet, so the game goes on.
or-squares = nearest: { $squares }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
or-squares-none = there is no square for it now
or-lines = { $lines }
or-cross = it is a cross, which opens in all four ways
or-berths = in the { $side }, from { $first } to { $last }
or-your-carts = your carts: { $carts }
or-cart-supply = { $word } in the supply
or-cart-surface = { $word } on the surface (speed { $speed })
or-cart-on = { $word } on { $square } (facing { $facing }, speed { $speed })
or-cart-lost = { $word } out of the game
or-missions-open = missions to be claimed: { $missions }

## Parts of a score

or-score-jewels = { $count } { $jewel }
or-score-most-rubies = most rubies
or-score-carts = { $count ->
    [one] 1 cart in supply
   *[other] { $count } carts in supply
}
or-score-missions = { $count ->
    [one] 1 mission
   *[other] { $count } missions
}
or-score-goblins = Dirty Goblins
or-score-delivered = { $count ->
    [one] 1 jewel
   *[other] { $count } jewels
}
or-score-right-sets = { $count ->
    [one] 1 set at its own sides
   *[other] { $count } sets at their own sides
}
or-score-other-sets = { $count ->
    [one] 1 other set
   *[other] { $count } other sets
}

## Errors in a definition

or-fault-edition = Our rulings have two editions, 1 and 2.
or-fault-size = A board has 3 to { $most } columns and rows, not { $count }.
or-fault-no-mine = There is no { $colour } mine.
or-fault-eight = The { $colour } mine needs 8 squares and 8 quantities of jewels.
or-fault-off-board = { $square } of the { $colour } mine is not on the board.
or-fault-two-on-square = { $square } of the { $colour } mine belongs to a mine already.
or-fault-sides = Each of the four sides needs a colour of its own.
or-fault-home = Each of the four colours needs a kind of jewel of its own, and no rocks.
or-fault-players = The table "{ $what }" has no entry for { $seats } players.
or-fault-speed = The speeds must run from 1 at least to 9 at most, with the first between them.
or-fault-hold = A cart holds 1 to 9 jewels.
or-fault-actions = A turn has 9 actions at most.
or-fault-bag = The bag holds 255 tokens at most.
or-fault-values = Rocks must be worth nothing.
or-fault-length = A deck has 2 to 6 cards of each colour, not { $count }.
or-fault-missions = At most 9 missions can lie face up.
or-fault-tokens = There are 1 to 7 chasm tokens of each colour.
or-fault-solo-jewels = The solo game spreads 32 jewels of the bag, and no rocks.
or-fault-solo-tokens = The solo game has 1 to 32 chasm tokens, and no fewer than its first cards.
or-fault-wish = "{ $word }" is no side; name north, east, south or west for each seat, with commas between.

# Headings of this game.
heading-private-off-the-rails = Your standing orders, for your eyes only

## The picture of the board

or-picture-chasm = chasm
or-picture-cart = cart: arrow = way, number = speed
or-picture-new = last moves

## The position in words: a row for each subject, with short sentences

# Beside the picture: the squares with more jewels than it can show.
or-brief-crowded = Crowded squares: { $squares }.
# A player beside the picture.
or-brief-player = { $points ->
    [one] 1 point
   *[other] { $points } points
}, { $way }.

or-row-turn = { $who-is ->
    [you] It is your turn: { $count } of { $all } actions left.
   *[other] It is the turn of { $who }: { $count } of { $all } actions left.
}
or-row-over = The game is over.
or-row-moved = Moved in this turn: { $carts }.
or-row-waits = A move is under way: { $cart }. It waits for { $who }.
or-row-last-round = The Chasm card is out: these are the last turns before the collapse. { $who-is ->
    [you] You play
   *[other] { $who } plays
} the last of them.
or-row-abyss = The abyss is open: every turn brings a chasm token.
or-row-cart = { $who-is ->
    [you] Your { $die } cart
   *[other] { $who }, { $die } cart
}
or-row-solo-cart = The { $colour } cart
or-row-on-track = { $square }, facing { $way }, speed { $speed }.{ $new ->
    [0] {""}
   *[other] {" "}New.
}
or-row-on-surface = On the surface beside { $square }, facing { $way }, speed { $speed }.{ $new ->
    [0] {""}
   *[other] {" "}New.
}
or-row-holds = Holds { $jewels }.
or-row-ahead-gap = { $count ->
    [0] { $square } ahead has no track.
   *[other] Ahead: { $squares }; then { $square } has no track.
}
or-row-ahead-closed = { $count ->
    [0] The track on { $square } ahead does not open towards it.
   *[other] Ahead: { $squares }; then the track on { $square } does not open towards it.
}
or-row-ahead-centre = { $count ->
    [0] { $square } ahead is the centre of a mine.
   *[other] Ahead: { $squares }; then { $square }, the centre of a mine.
}
or-row-ahead-chasm = { $count ->
    [0] { $square } ahead is chasm.
   *[other] Ahead: { $squares }; then chasm on { $square }.
}
or-row-ahead-cart = { $count ->
    [0] On { $square } ahead stands { $cart }.
   *[other] Ahead: { $squares }; then { $cart } on { $square }.
}
or-row-ahead-junction = { $count ->
    [0] { $square } ahead is a junction: on to the { $ways }.
   *[other] Ahead: { $squares }; then the junction { $square }: on to the { $ways }.
}
or-row-ahead-on = Ahead: { $squares }, and on.
or-row-ahead-out = { $count ->
    [0] Out of the mine next, in the { $way }.
   *[other] Ahead: { $squares }; then out of the mine in the { $way }.
}
or-row-other-carts = Other carts
or-row-in-supply = In the supply: { $carts }.
or-row-gone = Out of the game: { $carts }.
or-row-player = { $who-is ->
    [you] You
   *[other] { $who }
}
or-row-player-side = { $points ->
    [one] 1 point
   *[other] { $points } points
} now. Side: { $way } ({ $colour }).
or-row-changed = Changed just now.
or-row-pile = Brought out: { $jewels }.
or-row-claimed = Missions claimed: { $missions }.
or-row-side = { $way } ({ $colour })
or-row-side-name = The { $way } side ({ $colour })
or-row-home = Here belongs: { $jewel }. Delivered here: { $jewels }.
or-row-missions = Missions face up
or-row-open = { $count ->
    [0] None is left.
   *[other] { $missions }.
}
or-row-mine = The { $colour } mine
or-row-mine-jewels = { $count ->
    [0] No jewels lie here.
   *[other] Here lie: { $squares }.
}
or-row-mine-squares = The { $colour } mine: no track on its centre { $centre }; its squares 1 to 8 are { $squares }.
or-row-lying = { $square } ({ $jewels }{ $new ->
    [0] {""}
   *[other] ; new
})
or-row-jewels = Other jewels
or-row-outside = Outside the mines lie: { $squares }.
or-row-chasm = Chasm
or-row-sunk = { $square }{ $new ->
    [0] {""}
   *[other] {" "}(new)
}
or-row-sunk-of = The { $colour } one: { $squares }. { $count ->
    [0] No token of it is left.
    [one] 1 token of it is left.
   *[other] { $count } tokens of it are left.
}
or-row-sunk-solo = The { $colour } one: { $squares }.
or-row-track = Track
or-row-no-track = None has been laid.
or-row-track-key = Each square with the ways that its track opens: n, e, s, w.
or-row-tiles = { $tiles }.
or-row-tile = { $square } { $ends }{ $new ->
    [0] {""}
   *[other] {" "}(new)
}
or-row-left = What is left
or-row-tiles-left = Tiles: { $simple ->
    [one] 1 straight or corner
   *[other] { $simple } straights or corners
}, { $junctions ->
    [one] 1 junction
   *[other] { $junctions } junctions
}.
or-row-tokens-left = Chasm tokens: { $count }.
or-row-bag = In the bag: { $count } ({ $jewels }).
or-row-deck = Deposit cards drawn: { $drawn } of { $count }.
or-row-grade-loss = No grade has been reached yet.
or-row-grade-partial = Reached so far: a partial victory.
or-row-grade-victory = Reached so far: a victory.
or-row-grade-major = Reached so far: a major victory.
or-row-board = The board
or-row-squares = Columns A to { $last } from the west, rows 1 to { $rows } from the north. Sides: { $sides }.
or-row-own-split = If a cart of yours is rammed, your jewels are cut { $split }.
or-row-own-claims = You claim first: { $missions }.
or-row-own-chasm = Your chasm token goes: { $squares }; another colour at random.
or-row-own-square = { $colour } to { $square }
or-row-own-places = You place a chasm token at the end of this turn, at random.
or-row-own-none = You have no standing orders.

## Labels of suggested lines

or-tap-answer = What the move waits for
or-tap-cut-even = Cut into piles of nearly equal value
or-tap-cut-uneven = Cut into piles of unequal value
or-tap-turn = A whole turn
or-tap-move = Move only: your turn ends
or-tap-step = A step; your turn goes on
or-tap-chasm = Where a chasm opens
or-tap-claim = Claim first
or-tap-stop = End the game
or-tap-lost = No way found to save a cart
