# Off the Rails: all sentences of the game.

## Terms

or-board-ours = our own reconstruction
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
or-split-balanced = balanced: two piles as equal in value as possible
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
   *[other] { $who }'s { $die } cart
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
or-told-strewn = Every numbered square of the four mines gets a jewel.
or-told-deposit = Deposit: { $colour } { $number } ({ $square }) gets { $jewels }.
or-told-laid = { $who-is ->
    [you] You lay
   *[other] { $who } lays
} a { $shape } on { $square } ({ $ends }).
or-told-upgraded = { $who-is ->
    [you] You open
   *[other] { $who } opens
} { $square } to the { $way }.
or-told-entered = On the surface in the { $side } at { $place }, speed { $speed }: { $cart }.
or-told-sped = Now at speed { $speed }: { $cart }.
or-told-moved = Moves to { $squares }: { $cart }.
or-told-moved-took = Moves to { $squares } and picks up { $jewels }: { $cart }.
or-told-took = Picks up { $jewels }: { $cart }.
or-told-bumped = Stopped before { $square } by { $other }, because their tracks aren't connected: { $cart }.
or-told-collided = Collision on { $square }: { $cart } runs into { $other }.
or-told-head-on = Head-on collision on { $square }: { $cart } runs into { $other }.
or-told-cut = Cut into two hidden piles: the jewels in { $cart }.
or-told-dropped = Drops { $jewels }: { $cart }.
or-told-faces = Now facing { $way }: { $cart }.
or-told-left = Leaves the mine over the { $side } side: { $cart }.
or-told-returned = Goes back to the supply because it couldn't leave the surface: { $cart }.
or-told-derailed = DERAILED: { $cart }{ $why }. { $held ->
    [0] It goes back to its supply.
   *[other] Everything it carried goes to the bag, and the cart to its supply.
}
or-told-derailed-lost = DERAILED: { $cart }{ $why }. It's out of the game.
or-why-no-track = , because { $square } has no track
or-why-closed = , because the track on { $square } doesn't open towards it
or-why-centre = , because { $square } is the centre of a mine
or-why-empty = , because it was empty when the carts collided
or-why-over = , because the game is over
or-why-unsaid = {""}
or-told-fell = INTO THE CHASM: { $cart }, with everything it carried. It's out of the game.
or-told-claimed = { $who-is ->
    [you] You claim
   *[other] { $who } claims
} the mission { $mission }.
or-told-chasm-card = { $who-is ->
    [you] You turn
   *[other] { $who } turns
} up the Chasm card! Everyone gets one more turn, { $who-is ->
    [you] you
   *[other] { $who }
} last. Then the mines collapse.
or-told-collapsed = The mines collapse. From now on, chasm tokens replace deposits.
or-told-sank = A { $colour } chasm token swallows { $square }.
or-told-discarded = A { $colour } chasm token has nowhere to go, so it's discarded.
or-told-reshuffled = The Chasm card was turned up. { $keeps ->
    [0] It does nothing and is shuffled back.
   *[other] No chasm token is placed this turn, and all cards turned up are shuffled back.
}
or-revealed = { $who-is ->
    [you] You
   *[other] { $who }
}: { $count ->
    [0] no missions
   *[other] { $missions }
}. Brought out: { $jewels ->
    [0] nothing
   *[other] { $pile }
}.
or-revealed-kind = { $count } { $jewel }
or-revealed-split = { $who-is ->
    [you] You wanted your
   *[other] { $who } wanted their
} jewels cut { $split }.
or-revealed-claims = { $who-is ->
    [you] You wanted
   *[other] { $who } wanted
} to claim first: { $missions }.
or-told-wish-split = If one of your carts is rammed, your jewels are cut { $split }. Only you know this.
or-told-wish-claim = You claim { $mission } before other missions. Only you know this.
or-told-wish-chasm = If your token is { $colour }, it goes to { $square }.
or-told-wish-place = You place a chasm token at the end of this turn.
or-told-wish-none = You place no chasm token at the end of this turn.
or-ended-carts = No cart is left on the board. The game is over.
or-ended-tokens = The last chasm token has been placed. The game is over.
or-ended-loss = The game is over, and it's a loss.
or-ended-partial = The game is over: a partial victory. One jewel of each kind was delivered.
or-ended-victory = The game is over: a victory. One jewel of each kind was delivered at its own side.
or-ended-major = The game is over: a MAJOR victory. Two or more of each kind were delivered at their own sides.

## Possible orders

or-choice-actions = { $count ->
    [0] You have no actions left this turn.
    [one] You have 1 action left this turn.
   *[other] You have { $count } actions left this turn.
}
or-choice-lay = { $line }: a straight or a corner on any square without track ({ $count } left)
or-choice-upgrade = { $line }: one more opening, on one of { $squares }
or-choice-enter = enter { $word } { $place }: { $berths }
or-choice-move = move { $word }: { $steps ->
    [one] 1 step
   *[other] { $steps } steps
}, first to { $square }
or-choice-ram = move { $word }: straight into the cart on { $square }
or-choice-derail = move { $word } derail: it would DERAIL, because no track leads to { $square }
or-choice-fall = move { $word } derail: it would fall into the chasm on { $square }
or-choice-out = move { $word }: straight out of the mine
or-choice-place = chasm yes: places a token even though you have no cart on the board
or-choice-chasm = chasm { $word } { $first }: one of { $squares }
or-choice-stop = stop: ends the game now, with the grade you've reached
or-choice-done = done: ends your turn; carts that haven't moved yet move by default
or-answers = { $count ->
    [one] write: { $lines }
   *[other] write one of: { $lines }
}

## How an incomplete line was read

or-default-take = Of several kinds, { $cart } picks up the best: { $jewel }. You can name another, as in "take ruby".
or-default-go = At the junction { $square }, { $cart } goes { $way }. You can name another way, as in "go east", or a square farther on.
or-default-face = Stopped on a junction, { $cart } faces { $way }. You can name another way, as in "face east".
or-default-out = From the corner { $square }, { $cart } goes out in the { $way }. You can name the side, as in "out west".
or-unasked = This move doesn't need "{ $line }".
or-no-derail = None of your carts derails because of this.
or-plan-next = On your next turn: { $line }
or-plan-then = once the jewels are cut: { $line }
or-plan-past = It was for a collision that's over.
or-not-taken = No { $jewel } was picked up on the way.

## Lines that are not orders

or-unreadable = We couldn't read this as an order of this game.
or-form-lay = a straight or corner, by the two ways it opens
or-form-lay-two = two actions
or-form-upgrade = one more opening (straight or corner > T > cross)
or-form-enter = a cart on your side, by column or row
or-form-enter-solo = a cart on its own side, by column or row
or-form-speed = or: speed w 4, faster w
or-form-speed-solo = or: speed red 4, faster red
or-form-move = every cart, by default; ends your turn
or-form-move-cart = this cart, then the other
or-form-move-cart-solo = this cart, then the others
or-form-way = squares, or ways (go east), where you can choose;
    out west: over that side
or-form-move-take = which jewel
or-form-move-drop = what falls if it rams your own cart
or-form-derail = lets your cart derail or fall into the chasm;
    without this word we ask you first
or-form-move-face = which way to face on a junction
or-form-face = turns a cart that has moved this turn
or-form-done = like move alone
or-form-cut = the first of two piles, when we ask you
or-form-pick = or: pick second, pick any
or-form-split = how your jewels are cut if you're rammed;
    or: split balanced, split best alone
or-form-next = played on your next turn, all on one line (if you send several, the first legal one); if it's illegal by then, or a cart of yours would derail, we drop it and tell you
or-form-claim = the mission you claim first
or-form-chasm = where your chasm token goes, by its colour
or-form-chasm-yes = place one even with no cart on the board
or-form-stop = ends the game once a grade is reached
or-unknown-word = We don't know the word "{ $word }" here.
or-no-square = "{ $word }" isn't a square on the board. They run from A1 to { $last }.
or-joined = On one line, actions come first, then at most one move or "done". Put the rest on separate lines.
or-next-past = That turn has begun, or is over.
or-next-what = For your next turn, you can plan actions and moves only, on one line, such as "next: lay D2 ne; move".
or-leg-waits = We ask the rammed player first. Put each cart on a line of its own.
or-lay-range = The two squares aren't in one row or column.
or-lay-where = The line doesn't say which square.
or-lay-ends = The line doesn't say which way the tile on { $square } opens.
or-lay-differs = A tile that opens to { $ends } is a { $shape }, but this line names another shape for { $square }.
or-up-where = The line doesn't say which square.
or-up-which = The tile on { $square } can open in more than one way.
or-up-removes = The tile on { $square } opens to { $ends }. An upgrade never closes an opening.
or-enter-which = None of your carts is in the supply, so none can enter.
or-enter-either = Carts of several sides could enter there. Name the one you mean.
or-enter-where = "{ $word }" isn't a place on your side.
or-enter-place = The line doesn't say where the cart enters.
or-speed-which = You have no cart on the board.
or-speed-what = The line doesn't say which speed.
or-speed-same = Already at speed { $speed }: { $cart }.
or-face-how = The line doesn't say which cart faces which way.
or-chasm-how = The line doesn't say which colour goes where.
or-claim-which = "{ $word }" isn't a mission.
or-claim-none = The line doesn't say which mission.
or-split-how = The line doesn't say how your jewels are cut.
or-no-way = From { $square }, { $cart } can't get to { $to } in this move.
or-place-by = a junction where it can go { $way }
or-place-out = a way out of the mine
or-place-side = a way out in the { $side }
or-missed = In this move, { $cart } doesn't get to { $place }.
or-way = it would go { $squares }
or-way-out = out in the { $side }
or-way-none = it wouldn't get to any square

## Orders that need a confirmation

or-doubt-derail = This would DERAIL { $cart }{ $why }. If you mean it, add the word "derail".
or-doubt-fall = This would send { $cart } INTO THE CHASM. If you mean it, add the word "derail".
or-doubt-tile = After this, { $cart } can only derail on { $square }.
or-doubt-tile-how = if you mean it, add the word "derail" to the line
or-doubt-claim = You can claim only one mission a turn. This would claim { $mission }, and you couldn't claim { $lost } later.

## Orders that a rule forbids

or-answer-first = The move needs another answer first, or you can't choose this.
or-not-asked = No move is waiting for this answer.
or-no-actions = { $count ->
    [one] A turn has 1 action, and it's used up before this one.
   *[other] A turn has { $count } actions, and they're used up before this one.
}
or-actions-over = A cart has moved, so the actions of this turn are over.
or-no-tiles = No straight or corner is left. Upgrading one gives it back.
or-no-junctions = No T is left. A T on the board can still become a cross.
or-centre = { $square } is the centre of a mine. You can't lay track there.
or-chasm-there = { $square } has collapsed.
or-tiled = { $square } already has track.{ $open ->
    [0] {""}
   *[other] {" "}You can upgrade it.
}
or-shape = A new tile is a straight or a corner, so it opens in two ways.
or-no-track = { $square } has no track to upgrade.
or-under-cart = There's a cart on { $square }, so you can't upgrade the tile.
or-open-already = { $square } already opens that way.
or-not-yours = That cart isn't yours.
or-cart-gone = Out of the game: { $cart }.
or-on-board = Already on the board: { $cart }.
or-not-on-board = Not on the board: { $cart }.
or-wrong-side = Can only enter from the { $side } side: { $cart }.
or-berth-taken = There's already a cart at that place.
or-speed-limit = Speeds run from { $least } to { $most }. This would go beyond: { $cart }.
or-has-moved = Already moved this turn: { $cart }.
or-no-facing = You can turn a cart only if it stopped on a junction this turn, and never back the way it came: { $cart }.
or-useless = This order does nothing in this game.
or-no-mission = { $claimable ->
    [0] You can't claim { $mission }. It's awarded at the end of the game.
   *[other] { $mission } isn't face up, so you can't claim it.
}
or-no-abyss = The mines haven't collapsed yet, so you don't place a chasm token at the end of this turn.
or-chasm-square = A token of that colour can't go to { $square }.
or-must-place = You have a cart on the board, so you must place a chasm token.
or-no-grade = You haven't reached a grade yet, so the game goes on.
or-squares = nearest: { $squares }{ $more ->
    [0] {""}
   *[other] {" "}and { $more } more
}
or-squares-none = there's no square for it now
or-lines = { $lines }
or-cross = it's a cross, which opens in all four ways
or-berths = in the { $side }, from { $first } to { $last }
or-your-carts = your carts: { $carts }
or-cart-supply = { $word } in the supply
or-cart-surface = { $word } on the surface (speed { $speed })
or-cart-on = { $word } on { $square } (facing { $facing }, speed { $speed })
or-cart-lost = { $word } out of the game
or-missions-open = missions you can claim: { $missions }

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

or-fault-edition = Our rulings have only two editions, 1 and 2.
or-fault-size = A board has 3 to { $most } columns and rows, not { $count }.
or-fault-no-mine = There's no { $colour } mine.
or-fault-eight = The { $colour } mine needs 8 squares and 8 quantities of jewels.
or-fault-off-board = { $square } of the { $colour } mine isn't on the board.
or-fault-two-on-square = { $square } of the { $colour } mine already belongs to a mine.
or-fault-sides = Each of the four sides needs a colour of its own.
or-fault-home = Each of the four colours needs a kind of jewel of its own, and no rocks.
or-fault-players = The table "{ $what }" has no entry for { $seats } players.
or-fault-speed = Speeds must run from at least 1 to at most 9, with the first speed between them.
or-fault-hold = A cart holds 1 to 9 jewels.
or-fault-actions = A turn has at most 9 actions.
or-fault-bag = The bag holds at most 255 tokens.
or-fault-values = Rocks must be worth nothing.
or-fault-length = A deck has 2 to 6 cards of each colour, not { $count }.
or-fault-missions = At most 9 missions can lie face up.
or-fault-tokens = There are 1 to 7 chasm tokens of each colour.
or-fault-solo-jewels = The solo game spreads 32 jewels from the bag, and no rocks.
or-fault-solo-tokens = The solo game has 1 to 32 chasm tokens, and no fewer than its first cards.
or-fault-wish = "{ $word }" isn't a side. Name north, east, south or west for each seat, with commas between them.

# Headings of this game.
heading-private-off-the-rails = Standing orders (only you see this)

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
    [you] It's your turn: { $count } of { $all } actions left.
   *[other] It's { $who }'s turn: { $count } of { $all } actions left.
}
or-row-over = The game is over.
or-row-moved = Moved this turn: { $carts }.
or-row-waits = A move is under way: { $cart }. It's waiting for { $who }.
or-row-last-round = The Chasm card is out. These are the last turns before the collapse. { $who-is ->
    [you] You play
   *[other] { $who } plays
} the last one.
or-row-abyss = The abyss is open. Chasm tokens replace deposits.
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
or-row-holds = Carries { $jewels }.
or-row-ahead-gap = { $count ->
    [0] { $square } ahead has no track.
   *[other] Ahead: { $squares }; then { $square } has no track.
}
or-row-ahead-closed = { $count ->
    [0] The track on { $square } ahead doesn't open towards it.
   *[other] Ahead: { $squares }; then the track on { $square } doesn't open towards it.
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
    [0] Ahead: { $cart } on { $square }.
   *[other] Ahead: { $squares }; then { $cart } on { $square }.
}
or-row-ahead-junction = { $count ->
    [0] { $square } ahead is a junction. Ways on: { $ways }.
   *[other] Ahead: { $squares }; then the junction { $square }. Ways on: { $ways }.
}
or-row-ahead-on = Ahead: { $squares }, and on.
or-row-ahead-out = { $count ->
    [0] Next, out of the mine in the { $way }.
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
or-row-home = Belongs here: { $jewel }. Delivered here: { $jewels }.
or-row-missions = Missions face up
or-row-open = { $count ->
    [0] None left.
   *[other] { $missions }.
}
or-row-mine = The { $colour } mine
or-row-mine-jewels = { $count ->
    [0] No jewels here.
   *[other] Jewels here: { $squares }.
}
or-row-mine-squares = The { $colour } mine: its centre { $centre } takes no track; its squares 1 to 8 are { $squares }.
or-row-lying = { $square } ({ $jewels }{ $new ->
    [0] {""}
   *[other] ; new
})
or-row-jewels = Other jewels
or-row-outside = Outside the mines: { $squares }.
or-row-chasm = Chasm
or-row-sunk = { $square }{ $new ->
    [0] {""}
   *[other] {" "}(new)
}
or-row-sunk-of = The { $colour } one: { $squares }. { $count ->
    [0] No { $colour } tokens left.
    [one] 1 { $colour } token left.
   *[other] { $count } { $colour } tokens left.
}
or-row-sunk-solo = The { $colour } one: { $squares }.
or-row-track = Track
or-row-no-track = None yet.
or-row-track-key = Each square, with the ways its track opens: n, e, s, w.
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
or-row-grade-loss = No grade reached yet.
or-row-grade-partial = Reached so far: a partial victory.
or-row-grade-victory = Reached so far: a victory.
or-row-grade-major = Reached so far: a major victory.
or-row-board = The board
or-row-squares = Columns A to { $last } from the west, rows 1 to { $rows } from the north. Sides: { $sides }.
or-row-own-split = If one of your carts is rammed, your jewels are cut { $split }.
or-row-own-claims = You claim first: { $missions }.
or-row-own-chasm = Your chasm token: { $squares }. Any other colour goes to a random square.
or-row-own-square = { $colour } to { $square }
or-row-own-places = You place a chasm token at the end of this turn, on a random square.
or-row-own-none = You have no standing orders.

## Labels of suggested lines

or-tap-answer = What the move needs
or-tap-cut-even = Cut into piles of nearly equal value
or-tap-cut-uneven = Cut into piles of unequal value
or-tap-turn = A whole turn
or-tap-move = Move only: your turn ends
or-tap-step = One step; your turn goes on
or-tap-chasm = Where a chasm opens
or-tap-claim = Claim first
or-tap-stop = End the game
or-tap-lost = No way found to save a cart
