//! The four colours of mines, of the sides of the board, and of the carts of the solo game.

use serde::{Deserialize, Serialize};

/// A colour. ("Each mine has a different colour: red, yellow, green and blue".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    Red,
    Yellow,
    Green,
    Blue,
}

impl Colour {
    pub const ALL: [Self; 4] = [Self::Red, Self::Yellow, Self::Green, Self::Blue];

    /// The place in a list of four.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word in orders.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Blue => "blue",
        }
    }

    /// The letter on the board.
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Green => 'G',
            Self::Blue => 'B',
        }
    }

    /// The key of its word.
    pub const fn term(self) -> &'static str {
        match self {
            Self::Red => "or-red",
            Self::Yellow => "or-yellow",
            Self::Green => "or-green",
            Self::Blue => "or-blue",
        }
    }
}
