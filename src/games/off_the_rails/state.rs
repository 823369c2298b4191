//! The position, and what follows from it. The module `fold` changes it.

use super::board::{Board, GameNumbers};
use super::definition::TileCounts;
use super::event::Crash;
use super::grid::BySquare;
use super::mission::MissionSet;
use super::order::CARTS_MAX;
use super::{
    CartId, Colour, Direction, Ending, JewelCounts, Mission, Openings, Split, Square, SquareSet,
    SurfaceSquare,
};
use crate::rules::Seat;
use std::sync::Arc;

/// How far the game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing has been dealt.
    Unopened,
    /// It is this seat's turn.
    Turn(Seat),
    /// It has ended.
    Over(Ending),
}

/// The part of the game, which says how a turn is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Era {
    /// A deposit card.
    Mining,
    /// A deposit card; after the turn of this seat, which turned the Chasm card up, the collapse.
    LastRound(Seat),
    /// A chasm token.
    Abyss,
}

/// Where a cart is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In its owner's supply.
    #[default]
    Supply,
    /// On the surface; only until it moves in the same turn.
    Surface(SurfaceSquare),
    /// On a tile.
    Track(Square),
    /// Out of the game.
    Gone,
}

/// A cart. By default it is in the supply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cart {
    pub place: Place,
    /// The edge of its square that it will leave by (ruling 6).
    pub facing: Direction,
    /// The direction in which it entered the junction where it stopped.
    pub arrived_heading: Option<Direction>,
    /// What its die shows.
    pub speed: u8,
    /// What it carries.
    pub hold: JewelCounts,
    /// Whether it came to the supply by a derailment.
    pub derailed: bool,
}

impl Cart {
    /// The square of the board on which it stands, if it does.
    pub const fn square(&self) -> Option<Square> {
        if let Place::Track(square) = self.place { Some(square) } else { None }
    }

    /// Whether it is on the board, the surface included.
    pub const fn is_on_board(&self) -> bool {
        matches!(self.place, Place::Surface(_) | Place::Track(_))
    }
}

/// What one player has, and wants done when it comes to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// What was brought out over each side, in the order of [`Way::ALL`].
    pub delivered: [JewelCounts; 4],
    /// The missions claimed.
    pub missions: MissionSet,
    /// How jewels are cut. Only the player knows it.
    pub split: Split,
    /// What fell since the player's last turn: in how many ways each order of [`Split::ALL`] leads
    /// to it. None if nothing fell.
    pub split_evidence: Option<[u32; 3]>,
    /// The mission that was claimed in the player's last turn.
    pub last_claim: Option<Mission>,
    /// The missions to be claimed first. Only the player knows them.
    pub claim_ranking: Vec<Mission>,
    /// Where a token of each colour goes. Only the player knows it.
    pub token_wishes: [Option<Square>; 4],
    /// Whether a token is placed without a cart on the board. Only the player knows it.
    pub wants_token: bool,
}

impl Player {
    /// All that was brought out.
    pub fn pile(&self) -> JewelCounts {
        self.delivered.iter().fold(JewelCounts::NONE, |pile, &part| pile.plus(part))
    }
}

/// What has been done in a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TurnProgress {
    /// Actions that are left.
    pub actions_left: u8,
    /// The carts that have moved, as bits.
    pub moved_carts: u8,
    /// Missions that lie face up and were achieved in this turn.
    pub achieved_missions: MissionSet,
    /// Whether the rest of the turn is left to the defaults.
    pub uses_defaults: bool,
}

/// A move that has not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurrentMove {
    pub cart: CartId,
    /// Steps that are left.
    pub steps_left: u8,
    /// The way by which it came to its square; none where it began.
    pub arrived_heading: Option<Direction>,
    /// Jewels that it picked up on its square.
    pub jewels_taken: u8,
    /// Whether its next direction is chosen.
    pub has_direction: bool,
    /// The parts of a collision that are not done yet.
    pub crash: Option<Crash>,
    /// The first of two piles that the rammed player has cut. Only that player knows it.
    pub cut: Option<JewelCounts>,
}

impl CurrentMove {
    /// The move of a cart that sets off with this speed.
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

/// Everything about one game being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub board: Arc<Board>,
    /// The numbers of this game.
    pub numbers: Arc<GameNumbers>,
    /// Whose turn it is.
    pub phase: Phase,
    /// What closes a turn.
    pub era: Era,
    /// What has been done in the turn.
    pub turn_progress: TurnProgress,
    /// The move that has not ended.
    pub current_move: Option<CurrentMove>,
    /// The side of each seat.
    pub sides: [Direction; 4],
    /// The tiles on the board.
    pub track: BySquare<Openings>,
    /// The squares with a tile.
    pub tiled: SquareSet,
    /// The squares with a chasm token of each colour.
    pub sunk: [SquareSet; 4],
    /// What lies on each square.
    pub ground: BySquare<JewelCounts>,
    pub carts: [Cart; CARTS_MAX],
    /// The players in the order of their seats.
    pub players: Vec<Player>,
    /// What is in the bag.
    pub bag: JewelCounts,
    /// Jewels that are out of the game.
    pub gone_jewels: JewelCounts,
    /// Tiles in the supply.
    pub tiles: TileCounts,
    /// Tiles that are out of the game.
    pub tiles_gone: TileCounts,
    /// Chasm tokens of each colour that are left; not counted in the solo game.
    pub tokens: [u8; 4],
    /// The missions that lie face up and are not claimed.
    pub missions: MissionSet,
    /// Which numbers of each colour have been turned up, as bits.
    pub seen_cards: [u8; 4],
    /// Deposit cards drawn from the deck.
    pub drawn: u8,
    /// Solo: whether the Chasm card has been turned up.
    pub reshuffled: bool,
}

impl State {
    /// The table before anything has been dealt.
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
            numbers: Arc::new(numbers),
        }
    }

    pub const fn cart(&self, id: CartId) -> &Cart {
        &self.carts[id.index()]
    }

    /// Every cart of the game.
    pub fn all_carts(&self) -> impl DoubleEndedIterator<Item = CartId> + Clone + use<> {
        (0..self.numbers.cart_count()).filter_map(CartId::new)
    }

    /// Whose cart it is.
    pub fn owner(&self, cart: CartId) -> Seat {
        if self.numbers.is_solo() { Seat::new(1) } else { Seat::from_index(cart.index() / 2) }
    }

    /// The carts of a seat: the white one first.
    pub fn carts_of(&self, seat: Seat) -> impl DoubleEndedIterator<Item = CartId> + Clone + '_ {
        self.all_carts().filter(move |&cart| self.owner(cart) == seat)
    }

    /// The side from which a cart enters. (Seed: "any free square of your surface layer"; in the
    /// solo game the side of the cart's colour.)
    pub fn home_side(&self, cart: CartId) -> Direction {
        if self.numbers.is_solo() {
            self.board.side_with_colour(Colour::ALL[cart.index() % 4])
        } else {
            self.sides[(cart.index() / 2) % 4]
        }
    }

    /// The player of a seat.
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    /// The cart on this square.
    pub fn cart_on(&self, square: Square) -> Option<CartId> {
        self.all_carts().find(|&cart| self.cart(cart).place == Place::Track(square))
    }

    /// The squares with a chasm token.
    pub fn collapsed_squares(&self) -> SquareSet {
        self.sunk.iter().fold(SquareSet::default(), |all, &one| all.union(one))
    }

    /// The squares where track can be laid: without tile, chasm token and mine centre (ruling 1).
    pub fn layable_squares(&self) -> SquareSet {
        self.board
            .squares
            .difference(self.board.centres)
            .difference(self.tiled)
            .difference(self.collapsed_squares())
    }

    /// Chasm tokens that are left.
    pub fn tokens_left(&self) -> u32 {
        if self.numbers.is_solo() {
            u32::from(self.numbers.tokens).saturating_sub(self.collapsed_squares().len())
        } else {
            self.tokens.iter().copied().map(u32::from).sum()
        }
    }

    /// Whether the seat has a cart on the board.
    pub fn has_cart_on_board(&self, seat: Seat) -> bool {
        self.carts_of(seat).any(|cart| self.cart(cart).is_on_board())
    }

    /// Whether the hold of the cart is full of precious jewels.
    pub fn has_full_hold(&self, cart: CartId) -> bool {
        self.cart(cart).hold.precious_total() >= u32::from(self.numbers.hold)
    }

    /// Whether the cart has moved in this turn.
    pub const fn has_moved(&self, cart: CartId) -> bool {
        self.turn_progress.moved_carts & cart.bit() != 0
    }

    /// The carts of the seat that must still move in this turn, in the default order.
    pub fn unmoved_carts(&self, seat: Seat) -> impl Iterator<Item = CartId> + '_ {
        self.carts_of(seat).filter(|&cart| self.cart(cart).is_on_board() && !self.has_moved(cart))
    }

    /// Whose turn it is.
    pub const fn active_seat(&self) -> Option<Seat> {
        if let Phase::Turn(seat) = self.phase { Some(seat) } else { None }
    }
}
