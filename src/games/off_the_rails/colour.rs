//! The four colours.

use serde::{Deserialize, Serialize};

/// A colour of a mine, of a side of the board, of a chasm token, and of a cart in the solo game.
/// (Seed: "Each mine has a different colour: red, yellow, green and blue.")
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
    const NAMES: [&'static str; 4] = ["red", "yellow", "green", "blue"];
    const LETTERS: [char; 4] = ['R', 'L', 'V', 'U'];
    const TERMS: [&'static str; 4] = ["or-red", "or-yellow", "or-green", "or-blue"];

    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the word for the colour in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the letter for the colour on boards, which is the same in every language. Those of
    /// red, yellow and blue are in both the English and the Spanish word (rojo, amarillo, azul);
    /// green is V (verde), because a board has columns E and G.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// Returns the key of the colour's translated word.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}
