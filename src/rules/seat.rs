//! A place at the table.

use super::Dice;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A place at the table, numbered from 1 as players say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number; numbers begin at 1.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// The seat at this place of a list, which begins at 0.
    pub(crate) const fn from_index(index: usize) -> Self {
        Self((index as u8).saturating_add(1))
    }

    /// The number as players say it, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The place in a list, from 0.
    pub const fn index(self) -> usize {
        self.0.saturating_sub(1) as usize
    }

    /// All seats of a table in order of play.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=count).map(Self)
    }

    /// Draws a seat of a table of `count`, each as likely.
    pub(crate) fn random(count: u8, dice: &mut Dice) -> Self {
        Self::from_index(dice.below(count.into()) as usize)
    }

    /// The next seat in order of play at a table of `count`.
    #[must_use]
    pub const fn next(self, count: u8) -> Self {
        if self.0 >= count { Self(1) } else { Self(self.0 + 1) }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
