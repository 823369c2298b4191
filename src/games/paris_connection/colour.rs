//! The six colours, each of which is a railway company, and a container with one value for each
//! colour.

use crate::rules::{Ink, Pattern};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// A colour of locomotives, which is also a railway company. ("6 colours of locomotives.") The
/// shipped definition shows them on the board as B, Y, R, P, K and N.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    Blue,
    Yellow,
    Red,
    Purple,
    Black,
    Brown,
}

impl Colour {
    /// All six colours, in the order in which letters list them.
    pub const ALL: [Self; 6] =
        [Self::Blue, Self::Yellow, Self::Red, Self::Purple, Self::Black, Self::Brown];

    /// Returns the colour's word in orders, the key of its translation, and its colour and pattern
    /// in pictures.
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

    /// Returns the colour's word in orders, events and definitions.
    pub const fn name(self) -> &'static str {
        self.properties().0
    }

    /// Returns the key of the colour's word in the reader's language.
    pub const fn term(self) -> &'static str {
        self.properties().1
    }

    /// Returns the colour and the pattern with which pictures show the company.
    pub const fn ink_and_pattern(self) -> (Ink, Pattern) {
        self.properties().2
    }
}

/// One value for each colour. It is serialized as a map by colour. A colour that is missing in the
/// map gets the default value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColour<T>([T; 6]);

impl<T> ByColour<T> {
    pub fn from_fn(make: impl Fn(Colour) -> T) -> Self {
        Self(Colour::ALL.map(make))
    }

    pub fn iter(&self) -> impl Iterator<Item = (Colour, &T)> {
        Colour::ALL.into_iter().zip(&self.0)
    }
}

impl ByColour<u8> {
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
