//! The board and the numbers, looked up.

use super::colour::Colour;
use super::definition::{
    BumperHeadOn, CartPoints, Cut, Drop, SoloChasmCard, SoloEnd, Speeds, Tiles,
};
use super::grid::{BySquare, Square, SquareSet, Way};
use super::jewel::{Hoard, Jewel};
use super::order::{Berth, Card};

/// The board; it never changes during a game.
#[derive(Debug, PartialEq, Eq)]
pub struct Board {
    /// What the players are told it is.
    pub title: String,
    /// How many columns.
    pub columns: u8,
    /// How many rows.
    pub rows: u8,
    /// The colour of each side, in the order of [`Way::ALL`].
    pub side_colours: [Colour; 4],
    /// The numbered squares of each mine.
    pub mines: [[Square; 8]; 4],
    /// How many tokens each number's card draws.
    pub quantities: [[u8; 8]; 4],
    pub squares: SquareSet,
    /// The centres of the mines.
    pub centres: SquareSet,
    /// What each square is in a mine.
    pub marks: BySquare<Option<Mark>>,
    /// What solo players are to bring to each side, in the order of [`Way::ALL`].
    pub homes: [Jewel; 4],
}

/// What a square is in a mine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Which mine.
    pub colour: Colour,
    /// 1 to 8; 0 for the centre.
    pub number: u8,
}

impl Board {
    /// The next square this way; none where the board ends.
    pub fn step(&self, from: Square, way: Way) -> Option<Square> {
        from.step(way).filter(|&square| self.squares.contains(square))
    }

    /// How many squares lie along this side.
    pub const fn length(&self, side: Way) -> u8 {
        match side {
            Way::North | Way::South => self.columns,
            Way::East | Way::West => self.rows,
        }
    }

    /// The square that a cart enters from the surface.
    pub fn gate(&self, Berth { side, index }: Berth) -> Option<Square> {
        let square = match side {
            Way::North => Square::new(index, 0),
            Way::South => Square::new(index, self.rows.saturating_sub(1)),
            Way::West => Square::new(0, index),
            Way::East => Square::new(self.columns.saturating_sub(1), index),
        };
        square.filter(|&square| self.squares.contains(square))
    }

    /// The square of a card; none for a number that is none.
    pub fn mined(&self, card: Card) -> Option<Square> {
        let place = usize::from(card.number).checked_sub(1)?;
        self.mines[card.colour.index()].get(place).copied()
    }

    /// The side of this colour.
    pub fn side_of(&self, colour: Colour) -> Way {
        let side = |way: &Way| self.side_colours[way.index()] == colour;
        Way::ALL.into_iter().find(side).unwrap_or(Way::North)
    }

    /// The squares that touch one of these along an edge.
    pub fn beside(&self, squares: SquareSet) -> SquareSet {
        let around =
            |square: Square| Way::ALL.into_iter().filter_map(move |way| self.step(square, way));
        squares.iter().flat_map(around).collect()
    }
}

/// The numbers of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// How many play.
    pub seats: u8,
    /// Which edition of our rulings holds.
    pub edition: u8,
    /// Tokens in the bag before the deal.
    pub bag: Hoard,
    /// What each kind is worth.
    pub values: Hoard,
    /// Tiles in the supply before the game.
    pub tiles: Tiles,
    /// What the speed dice show.
    pub speed: Speeds,
    /// Actions in a turn.
    pub actions: u8,
    /// Jewels that a cart holds.
    pub hold: u8,
    /// Chasm tokens of each colour; of all together in the solo game.
    pub tokens: u8,
    /// Points for a cart.
    pub cart_points: u8,
    /// Points for a mission.
    pub mission_points: u8,
    /// Points for most rubies.
    pub ruby_points: u8,
    /// Missions face up.
    pub missions: u8,
    /// Deposit cards of each colour in the deck; 0 in the solo game.
    pub length: u8,
    /// The numbers of the solo game, when it is one.
    pub solo: Option<SoloNumbers>,
    /// What was chosen.
    pub variant: Variant,
    /// The side that each seat wishes.
    pub wishes: [Way; 4],
}

/// The numbers of the solo game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoloNumbers {
    /// What is spread over the numbered squares.
    pub jewels: Hoard,
    /// Cards drawn after the first turn.
    pub first_cards: u8,
    /// Points for a jewel.
    pub jewel_points: u8,
    /// Points for a set at its own sides.
    pub right_set_points: u8,
    /// Points for another set.
    pub other_set_points: u8,
}

/// What was chosen at the founding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Carts have bumpers.
    pub bumpers: bool,
    /// What they change in a head-on collision.
    pub bumper_head_on: BumperHeadOn,
    /// A die says where a mine collapses.
    pub abyss_die: bool,
    /// What falls of an odd number.
    pub drop: Drop,
    /// Which carts score.
    pub cart_points: CartPoints,
    /// How jewels are cut.
    pub cut: Cut,
    /// What the Chasm card means among the first cards of the solo game.
    pub solo_chasm_card: SoloChasmCard,
    /// When the solo game ends, and what it is worth then.
    pub solo_end: SoloEnd,
}

impl Numbers {
    /// Whether one plays alone.
    pub const fn is_solo(&self) -> bool {
        self.solo.is_some()
    }

    /// Whether only the first edition of our rulings holds, as when the game was founded.
    pub const fn is_first_edition(&self) -> bool {
        self.edition < 2
    }

    /// How many carts there are: two for each player, four for one alone.
    pub const fn carts(&self) -> u8 {
        if self.is_solo() { 4 } else { 2 * self.seats }
    }
}
