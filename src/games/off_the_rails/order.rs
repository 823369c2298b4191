//! The orders that a player can give, and the types that orders and events share.

use super::{Colour, Direction, Jewel, JewelCounts, Mission, Square, TileOpenings};
use serde::{Deserialize, Deserializer, Serialize, de};

/// The highest number of carts in a game: two for each of four players.
pub const CARTS_MAX: usize = 8;

/// A cart, by its index in the list of all carts. In a game for 2 to 4 players, seat 1 has carts 0
/// (white) and 1 (black), seat 2 has carts 2 and 3, and so on. In the solo game there is one cart
/// of each colour, in the order of [`Colour::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CartId(u8);

impl CartId {
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < CARTS_MAX { Some(Self(index)) } else { None }
    }

    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the bit for this cart in a bit set of carts.
    pub const fn bit(self) -> u8 {
        1 << self.0
    }
}

impl<'de> Deserialize<'de> for CartId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let index = u8::deserialize(deserializer)?;
        Self::new(index).ok_or_else(|| de::Error::custom(format_args!("there is no cart {index}")))
    }
}

/// A square of the surface, which is the row of squares outside the grid along each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceSquare {
    pub side: Direction,
    /// The position along the side, counted from 0 in the west or north.
    pub index: u8,
}

/// A deposit card. It names a square of a mine by the mine's colour and the square's number, 1 to
/// 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub colour: Colour,
    pub number: u8,
}

/// A standing order for cutting the jewels of a rammed cart into two piles (ruling 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// Cut the jewels into two piles that are as equal in value as possible. Edition 1 of our
    /// rulings uses a simpler method that is often less equal.
    #[default]
    Balanced,
    /// Cut the jewels so that the rocks and the least valuable jewels are in one pile.
    Together,
    /// Cut the jewels so that the best one is in a pile with the least valuable ones.
    Alone,
}

impl Split {
    pub const ALL: [Self; 3] = [Self::Balanced, Self::Together, Self::Alone];
    const NAMES: [&'static str; 3] = ["balanced", "together", "alone"];
    const TERMS: [&'static str; 3] = ["or-split-balanced", "or-split-together", "or-split-alone"];

    /// Returns the word for the cut in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the key of the translated words for the cut.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// A standing order: a choice that the player states in advance, so that no extra letter is needed
/// when the choice comes up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// The method by which the player's jewels are cut (ruling 22). It is valid until it is
    /// changed.
    Split(Split),
    /// The mission that the player wants to claim first (ruling 35). It is valid until it is
    /// changed.
    Claim(Mission),
    /// The square for a chasm token of this colour (ruling 27). It is valid in this turn.
    Chasm(Colour, Square),
    /// Whether the player places a chasm token without a cart on the board (ruling 29). It is valid
    /// in this turn.
    Place(bool),
}

/// An order: an action, the start of a move, an answer to a question of the move, or a standing
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Action: lays a straight or a corner.
    Lay { at: Square, ends: TileOpenings },
    /// Action: adds one opening to a tile. A straight or corner becomes a T, and a T becomes a
    /// cross.
    Upgrade { at: Square, way: Direction },
    /// Action: puts a cart from the supply on a square of its owner's side, outside the grid.
    Enter { cart: CartId, berth: SurfaceSquare },
    /// Action: raises or lowers the speed of a cart by 1.
    Speed { cart: CartId, up: bool },
    /// Starts the move of a cart. The answers to the questions of this move, up to the cart's stop,
    /// follow in the same line.
    Move { cart: CartId },
    /// Answer at a junction: the direction in which the moving cart goes on.
    Go(Direction),
    /// Answer: the kind of jewel that the moving cart picks up.
    Take(Jewel),
    /// Answer: the direction that the cart faces after its move.
    Face(Direction),
    /// Changes the direction that a cart faces, after its move ended in this turn (ruling 7).
    TurnCart { cart: CartId, way: Direction },
    /// Answer: the jewels that fall if a player rams one of their own carts.
    Drop(JewelCounts),
    /// Answer of the rammed player: the first pile (only with the option `cut: interactive`, ruling
    /// 22).
    Cut(JewelCounts),
    /// Answer of the ramming player: whether the first or the second hidden pile falls (only with
    /// the option `cut: interactive`, ruling 22).
    Pick { first: bool },
    /// Answer: chance decides which of the two hidden piles falls.
    PickAny,
    /// Gives a standing order. This costs no action.
    Wish(Wish),
    /// Ends the turn. Carts that have not moved yet move by default first.
    EndTurn,
    /// Ends the solo game. It is legal once a grade is reached.
    StopGame,
}
