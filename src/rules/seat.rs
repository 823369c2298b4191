//! The seats of a game.

use super::Dice;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A player's place in a game. Seats are numbered from 1, in order of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(u8);

impl Seat {
    /// Returns the seat with this number, from 1.
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// Returns the seat at this list index, from 0.
    pub(crate) const fn from_index(index: usize) -> Self {
        Self((index as u8).saturating_add(1))
    }

    /// Returns the seat's number, from 1.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the seat's index in lists, from 0.
    pub const fn index(self) -> usize {
        self.0.saturating_sub(1) as usize
    }

    /// Returns all seats of a game with `count` players, in order of play.
    pub fn all(count: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=count).map(Self)
    }

    /// Draws one of `count` seats at random, each with the same probability.
    pub(crate) fn random(count: u8, dice: &mut Dice) -> Self {
        Self::from_index(dice.roll_below(count.into()) as usize)
    }

    /// Returns the next seat in order of play, of `count` seats. The first follows the last.
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
