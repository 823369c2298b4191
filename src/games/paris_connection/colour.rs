//! The six colours, each a railway company, and one thing for each of them.

use crate::rules::{Ink, Pattern};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// A colour of locomotives: a railway company. ("6 colours of locomotives.")
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// B on the board.
    Blue,
    /// Y on the board.
    Yellow,
    /// R on the board.
    Red,
    /// P on the board.
    Purple,
    /// K on the board.
    Black,
    /// N on the board.
    Brown,
}

impl Colour {
    /// All six, in the order in which the storing boards are told.
    pub const ALL: [Self; 6] =
        [Self::Blue, Self::Yellow, Self::Red, Self::Purple, Self::Black, Self::Brown];

    /// Returns the word in orders, the key of its translation, and how it is drawn.
    const fn properties(self) -> (&'static str, &'static str, (Ink, Pattern)) {
        match self {
            Self::Blue => ("blue", "pc-blue", (Ink::BLUE, Pattern::Level)),
            Self::Yellow => ("yellow", "pc-yellow", (Ink::YELLOW, Pattern::Dotted)),
            Self::Red => ("red", "pc-red", (Ink::RED, Pattern::Rising)),
            Self::Purple => ("purple", "pc-purple", (Ink::PURPLE, Pattern::Falling)),
            Self::Black => ("black", "pc-black", (Ink::BLACK, Pattern::Plain)),
            Self::Brown => ("brown", "pc-brown", (Ink::BROWN, Pattern::Upright)),
        }
    }

    /// Returns the word in orders, events and definitions.
    pub const fn name(self) -> &'static str {
        self.properties().0
    }

    /// The key of the word that a reader's language has for it.
    pub const fn term(self) -> &'static str {
        self.properties().1
    }

    /// Returns the colour and the pattern with which it is drawn.
    pub const fn ink_and_pattern(self) -> (Ink, Pattern) {
        self.properties().2
    }
}

/// One value for each colour. As data it is a map by colour; what is missing there is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColour<T>([T; 6]);

impl<T> ByColour<T> {
    /// The value that `make` gives for each colour.
    pub fn from_fn(make: impl Fn(Colour) -> T) -> Self {
        Self(Colour::ALL.map(make))
    }

    /// Each colour with its value.
    pub fn iter(&self) -> impl Iterator<Item = (Colour, &T)> {
        Colour::ALL.into_iter().zip(&self.0)
    }
}

impl ByColour<u8> {
    /// The sum over all colours.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }
}

impl<T> Index<Colour> for ByColour<T> {
    type Output = T;

    fn index(&self, colour: Colour) -> &T {
        &self.0[colour as usize]
    }
}

impl<T> IndexMut<Colour> for ByColour<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        &mut self.0[colour as usize]
    }
}

impl<T: Serialize> Serialize for ByColour<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for ByColour<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut whole = Self(Default::default());
        for (colour, value) in BTreeMap::<Colour, T>::deserialize(deserializer)? {
            whole[colour] = value;
        }
        Ok(whole)
    }
}
