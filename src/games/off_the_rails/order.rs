//! What a player can order, and the small things that orders name.

use super::{Colour, Direction, Jewel, JewelCounts, Mission, Openings, Square};
use serde::{Deserialize, Deserializer, Serialize, de};

/// How many carts there are at most.
pub const CARTS_MAX: usize = 8;

/// A cart: two for each seat, the white one first; in the solo game one of each colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct CartId(u8);

impl CartId {
    /// The cart with this place in the list of all; none beyond the last.
    pub const fn new(index: u8) -> Option<Self> {
        if (index as usize) < CARTS_MAX { Some(Self(index)) } else { None }
    }

    /// The place in the list of all carts.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The bit of a set of carts.
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

/// A square of the surface, outside the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SurfaceSquare {
    /// On which side.
    pub side: Direction,
    /// Which, from 0 in the west or north.
    pub index: u8,
}

/// A deposit card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// Which mine.
    pub colour: Colour,
    /// Which of its squares, 1 to 8.
    pub number: u8,
}

/// How the jewels of a rammed cart are cut into two piles (ruling 22).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// As equal in value as can be.
    #[default]
    Balanced,
    /// The rocks and the least valuable in one pile.
    Together,
    /// The best jewel with the least valuable ones.
    Alone,
}

impl Split {
    pub const ALL: [Self; 3] = [Self::Balanced, Self::Together, Self::Alone];
    const NAMES: [&'static str; 3] = ["balanced", "together", "alone"];
    const TERMS: [&'static str; 3] = ["or-split-balanced", "or-split-together", "or-split-alone"];

    /// The word in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The key of its words.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// A standing order, which saves a second letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// How the jewels of the player are cut (ruling 22). Valid until changed.
    Split(Split),
    /// The mission that the player claims first (ruling 35). Valid until changed.
    Claim(Mission),
    /// The square for a chasm token of this colour (ruling 27). Valid in this turn.
    Chasm(Colour, Square),
    /// Whether a player without a cart on the board places a token (ruling 29). Valid in this turn.
    Place(bool),
}

/// One step of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Action: lays a straight or a corner.
    Lay {
        at: Square,
        /// Which way it opens.
        ends: Openings,
    },
    /// Action: makes a T of a straight or a corner, or a cross of a T.
    Upgrade {
        at: Square,
        /// The opening that is added.
        way: Direction,
    },
    /// Action: puts a cart on a square of its own player's surface.
    Enter { cart: CartId, berth: SurfaceSquare },
    /// Action: turns a speed die by one.
    Speed {
        cart: CartId,
        /// Whether it goes up.
        up: bool,
    },
    /// Begins to move a cart. What follows, up to its stop, belongs to the same line.
    Move { cart: CartId },
    /// At a junction: where the moving cart goes on.
    Go(Direction),
    /// Which jewel the moving cart picks up.
    Take(Jewel),
    /// Which way the cart faces that has stopped on a junction.
    Face(Direction),
    /// Lets a cart that has stopped on a junction in this turn face another way (ruling 7).
    TurnCart { cart: CartId, way: Direction },
    /// The jewels that fall if a player rams one of their own carts.
    Drop(JewelCounts),
    /// The first pile of the jewels of a rammed cart (an option, ruling 22).
    Cut(JewelCounts),
    /// Which of two hidden piles falls (an option, ruling 22).
    Pick {
        /// The first, not the second.
        first: bool,
    },
    /// Leaves it to chance which of two hidden piles falls.
    PickAny,
    /// Gives a standing order.
    Wish(Wish),
    /// Ends the turn; carts that have not moved yet move as they do by default.
    EndTurn,
    /// Ends the solo game once a grade is reached.
    StopGame,
}
