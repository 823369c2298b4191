//! The position of a game, and facts derived from it. The module `event_effects` changes it.

use super::board::{Board, GameNumbers};
use super::definition::TileCounts;
use super::event::Crash;
use super::grid::BySquare;
use super::mission::MissionSet;
use super::order::CARTS_MAX;
use super::{
    CartId, Colour, Direction, Ending, JewelCounts, Mission, Split, Square, SquareSet,
    SurfaceSquare, TileOpenings,
};
use crate::rules::Seat;
use std::sync::Arc;

/// Whether the game has begun, whose turn it is, or why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The setup event has not been applied yet.
    Unopened,
    Turn(Seat),
    Over(Ending),
}

/// The part of the game: mining, last round or abyss. It decides what happens at the end of each
/// turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// Each turn ends with a deposit card.
    Mining,
    /// Each turn ends with a deposit card. The Chasm card was turned up by this seat, so the mines
    /// collapse at the end of this seat's next turn.
    LastRound(Seat),
    /// Each turn ends with a new chasm token on the board. The solo game is in this era from its
    /// beginning.
    Abyss,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    #[default]
    Supply,
    /// The cart is on the surface, outside the grid. It is there only between its entry and its
    /// move in the same turn.
    Surface(SurfaceSquare),
    /// The cart is on this square of the grid.
    Track(Square),
    Gone,
}

/// A cart. By default it is in its owner's supply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cart {
    pub place: Place,
    /// The edge of its square over which the cart will leave in its next step (ruling 6).
    pub facing: Direction,
    /// The direction in which the cart entered the square where its last move ended. `None` if a
    /// collision ended the move or turned the cart since then. The owner may turn a cart only if
    /// this is known (ruling 7).
    pub arrived_heading: Option<Direction>,
    /// The speed that the cart's die shows, in squares per turn.
    pub speed: u8,
    /// The jewels and rocks that the cart carries.
    pub hold: JewelCounts,
    /// Whether the cart came to the supply by a derailment.
    pub derailed: bool,
}

impl Cart {
    /// Returns the square of the grid on which the cart stands. Returns `None` on the surface and
    /// off the board.
    pub const fn square(&self) -> Option<Square> {
        if let Place::Track(square) = self.place { Some(square) } else { None }
    }

    /// Whether the cart is on the board, the surface included.
    pub const fn is_on_board(&self) -> bool {
        matches!(self.place, Place::Surface(_) | Place::Track(_))
    }
}

/// The possessions and the standing orders of one player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// The jewels and rocks delivered over each side, in the order of [`Direction::ALL`].
    pub delivered: [JewelCounts; 4],
    pub missions: MissionSet,
    /// The standing order for cutting the player's jewels. It is secret: only the player sees it.
    pub split: Split,
    /// For each order of [`Split::ALL`]: the number of combinations of picks that lead to the drops
    /// since the player's last turn. `None` if nothing fell. The standing order is dealt again with
    /// these weights for viewers who cannot know it.
    pub split_evidence: Option<[u32; 3]>,
    /// The mission that the player claimed at the end of their last turn. `None` from the beginning
    /// of their next turn.
    pub last_claim: Option<Mission>,
    /// The missions that the player wants to claim, the most wanted first. It is secret: only the
    /// player sees it.
    pub claim_ranking: Vec<Mission>,
    /// The square that the player chose for a token of each colour. It is secret: only the player
    /// sees it.
    pub token_wishes: [Option<Square>; 4],
    /// The number of the player's turns that have begun.
    pub turns_begun: u32,
    /// Whether the player places a token even without a cart on the board. It is secret: only the
    /// player sees it.
    pub wants_token: bool,
}

impl Player {
    /// Returns all jewels and rocks that the player has delivered.
    pub fn delivered_jewels(&self) -> JewelCounts {
        self.delivered.iter().fold(JewelCounts::NONE, |pile, &part| pile.plus(part))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnProgress {
    pub actions_left: u8,
    /// The carts that have moved, as a bit set of [`CartId::bit`].
    pub moved_carts: u8,
    /// The missions that lie face up and that the active player has achieved in this turn.
    pub achieved_missions: MissionSet,
    /// Whether the player ended the turn with `done`. The game then moves the remaining carts and
    /// answers open questions by default.
    pub uses_defaults: bool,
}

impl TurnProgress {
    pub fn for_new_turn(actions: u8) -> Self {
        Self { actions_left: actions, ..Self::default() }
    }
}

/// The move of a cart that has not ended yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    pub cart: CartId,
    pub steps_left: u8,
    /// The direction in which the cart entered its present square. `None` on the square where the
    /// move began.
    pub arrived_heading: Option<Direction>,
    /// The number of jewels and rocks that the moving cart has picked up on its present square.
    pub jewels_taken: u8,
    /// Whether the moving cart already faces the direction of its next step.
    pub has_direction: bool,
    /// The effects of the moving cart's collision that are still to be carried out.
    pub crash: Option<Crash>,
    /// The first of the two piles that the rammed player has cut. It is secret: only the rammed
    /// player sees it.
    pub cut: Option<JewelCounts>,
}

impl CurrentMove {
    /// Returns the move of a cart that sets off with `left` steps.
    pub const fn new(cart: CartId, left: u8) -> Self {
        Self {
            cart,
            steps_left: left,
            arrived_heading: None,
            jewels_taken: 0,
            has_direction: true,
            crash: None,
            cut: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub board: Arc<Board>,
    pub numbers: Arc<GameNumbers>,
    pub phase: Phase,
    pub era: Era,
    pub turn_progress: TurnProgress,
    pub current_move: Option<CurrentMove>,
    pub sides: [Direction; 4],
    /// The openings of the tile on each square.
    pub track: BySquare<TileOpenings>,
    /// The squares with a tile.
    pub tiled: SquareSet,
    /// The squares with a chasm token, by the colour of the token.
    pub sunk: [SquareSet; 4],
    /// The jewels and rocks that lie on each square.
    pub ground: BySquare<JewelCounts>,
    pub carts: [Cart; CARTS_MAX],
    /// The players in seat order.
    pub players: Vec<Player>,
    pub bag: JewelCounts,
    /// The jewels and rocks that are out of the game.
    pub gone_jewels: JewelCounts,
    /// The tiles in the supply.
    pub tiles: TileCounts,
    /// The tiles that are out of the game.
    pub tiles_gone: TileCounts,
    /// The number of chasm tokens of each colour in the supply. All are 0 in the solo game, see
    /// [`Self::chasm_tokens_left`].
    pub tokens: [u8; 4],
    /// The missions that lie face up and are not claimed.
    pub missions: MissionSet,
    /// The deposit cards that have been turned up: for each colour a bit set, where bit 0 is the
    /// card with number 1.
    pub seen_cards: [u8; 4],
    /// The number of deposit cards that have been drawn during the game. The cards of the setup do
    /// not count.
    pub drawn: u8,
    /// Solo: whether the Chasm card has been turned up and shuffled back.
    pub reshuffled: bool,
    /// Whether a cart has entered the board during the game.
    pub has_entered: bool,
}

impl State {
    /// Creates the position before the setup.
    pub fn new(board: Arc<Board>, numbers: GameNumbers) -> Self {
        Self {
            board,
            phase: Phase::Unopened,
            era: if numbers.is_solo() { Era::Abyss } else { Era::Mining },
            turn_progress: TurnProgress::default(),
            current_move: None,
            sides: Direction::ALL,
            track: BySquare::default(),
            tiled: SquareSet::default(),
            sunk: [SquareSet::default(); 4],
            ground: BySquare::default(),
            carts: [Cart::default(); CARTS_MAX],
            players: vec![Player::default(); usize::from(numbers.seats)],
            bag: numbers.bag,
            gone_jewels: JewelCounts::NONE,
            tiles: numbers.tiles,
            tiles_gone: TileCounts { straight_or_corner: 0, t_or_cross: 0 },
            tokens: [if numbers.is_solo() { 0 } else { numbers.tokens }; 4],
            missions: MissionSet::default(),
            seen_cards: [0; 4],
            drawn: 0,
            reshuffled: false,
            has_entered: false,
            numbers: Arc::new(numbers),
        }
    }

    pub const fn cart(&self, id: CartId) -> &Cart {
        &self.carts[id.index()]
    }

    pub fn all_carts(&self) -> impl DoubleEndedIterator<Item = CartId> + Clone + use<> {
        (0..self.numbers.cart_count()).filter_map(CartId::new)
    }

    /// Returns the seat that owns a cart.
    pub fn owner(&self, cart: CartId) -> Seat {
        if self.numbers.is_solo() { Seat::new(1) } else { Seat::from_index(cart.index() / 2) }
    }

    /// Returns the carts of a seat, the white one first.
    pub fn carts_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = CartId> + Clone + '_ {
        self.all_carts().filter(move |&cart| self.owner(cart) == seat)
    }

    /// Returns the side from which a cart enters. (Seed: "any free square of your surface layer";
    /// in the solo game it is the side of the cart's colour.)
    pub fn home_side(&self, cart: CartId) -> Direction {
        if self.numbers.is_solo() {
            self.board.side_with_colour(Colour::ALL[cart.index() % 4])
        } else {
            self.sides[(cart.index() / 2) % 4]
        }
    }

    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    /// Returns the cart that stands on a square of the grid.
    pub fn cart_on(&self, square: Square) -> Option<CartId> {
        self.all_carts().find(|&cart| self.cart(cart).place == Place::Track(square))
    }

    /// Returns the squares with a chasm token of any colour.
    pub fn collapsed_squares(&self) -> SquareSet {
        self.sunk.iter().fold(SquareSet::default(), |all, &one| all.union(one))
    }

    /// Returns the squares where track can be laid: no tile, no chasm token, not the centre of a
    /// mine (ruling 1).
    pub fn layable_squares(&self) -> SquareSet {
        self.board
            .squares
            .difference(self.board.centres)
            .difference(self.tiled)
            .difference(self.collapsed_squares())
    }

    /// Returns the number of chasm tokens that are not on the board yet.
    pub fn chasm_tokens_left(&self) -> u32 {
        if self.numbers.is_solo() {
            u32::from(self.numbers.tokens).saturating_sub(self.collapsed_squares().len())
        } else {
            self.tokens.iter().copied().map(u32::from).sum()
        }
    }

    pub fn has_cart_on_board(&self, seat: Seat) -> bool {
        self.carts_of(seat).any(|cart| self.cart(cart).is_on_board())
    }

    /// Whether the cart's hold is full and contains no rock.
    pub fn has_full_hold(&self, cart: CartId) -> bool {
        self.cart(cart).hold.precious_total() >= u32::from(self.numbers.hold)
    }

    /// Whether the cart has moved in this turn.
    pub const fn has_moved(&self, cart: CartId) -> bool {
        self.turn_progress.moved_carts & cart.bit() != 0
    }

    /// Returns the carts of the seat that must still move in this turn, in the default order:
    /// white, then black.
    pub fn unmoved_carts(&self, seat: Seat) -> impl Iterator<Item = CartId> + '_ {
        self.carts_of(seat).filter(|&cart| self.cart(cart).is_on_board() && !self.has_moved(cart))
    }

    /// Whether the active player has neither acted nor moved a cart in this turn.
    pub fn is_turn_untouched(&self) -> bool {
        self.current_move.is_none()
            && self.turn_progress == TurnProgress::for_new_turn(self.numbers.actions)
    }

    /// Returns the seat whose turn it is. Returns `None` before the setup and after the end.
    pub const fn active_seat(&self) -> Option<Seat> {
        if let Phase::Turn(seat) = self.phase { Some(seat) } else { None }
    }
}
