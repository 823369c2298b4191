//! The knowledge of a game that a computer player needs, and the levels of computer players.

use super::{HiddenInfo, Seat};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The playing strength of a computer player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BotLevel {
    /// A player who thinks for a moment.
    Easy,
    /// A player who thinks longer.
    Fair,
    /// The best player that answers within about half a second.
    Strong,
}

impl BotLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Fair, Self::Strong];

    /// Returns the word of the level in lines and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Fair => "fair",
            Self::Strong => "strong",
        }
    }
}

impl fmt::Display for BotLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a word that is no level of a computer player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the levels are easy, fair and strong")]
pub struct UnknownBotLevel;

impl FromStr for BotLevel {
    type Err = UnknownBotLevel;

    fn from_str(word: &str) -> Result<Self, UnknownBotLevel> {
        Self::ALL.into_iter().find(|level| level.name() == word).ok_or(UnknownBotLevel)
    }
}

/// The amount of work that a search spends on one decision. It counts iterations instead of time,
/// so that every machine finds the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The number of simulated games.
    pub iterations: u32,
    /// The maximum number of lines in a simulated game. [`Search::outlook`] then estimates its
    /// result.
    pub depth: u32,
    /// The number of candidates that a position of the tree considers at its first visit. Their
    /// number grows with the square root of the visits.
    pub first_width: usize,
    /// The maximum number of lines that are compared in one position.
    pub width: usize,
    /// The percentage of lines beyond the tree that are chosen at random. The others are the first
    /// candidate.
    pub random_percent: u32,
    /// The weight of exploration, in percent of the reward for a certain and high win.
    pub exploration_percent: u32,
    /// The percentage of the reward that depends on the size of the lead. The rest is for a win.
    pub lead_percent: u32,
}

/// The knowledge of a game that a search for good lines needs.
pub trait Search: HiddenInfo {
    /// The work of each level, in the order of [`BotLevel::ALL`].
    const EFFORTS: [Effort; 3];
    /// A difference of merits that is a clear lead.
    const CLEAR_LEAD: i64;

    /// Returns a number for each seat, in seat order. The numbers rank the seats like
    /// [`rankings`](super::Rules::rankings). In a game for one player, a positive number means that
    /// the player won.
    fn merits(state: &Self::State) -> Vec<i64>;

    /// Returns at most `most` lines that the seat should consider, the best first. Each line is a
    /// sequence of legal orders without secret ones. There is at least one line if it is the
    /// seat's turn, and none otherwise.
    ///
    /// The lines may depend only on information that the seat knows.
    fn candidates(state: &Self::State, seat: Seat, most: usize) -> Vec<Vec<Self::Order>>;

    /// Estimates the merits at the end of the game, for a simulated game that is cut off. The
    /// default is the merits of the position.
    fn outlook(state: &Self::State) -> Vec<i64> {
        Self::merits(state)
    }
}

/// A line with the result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeighedLine {
    /// The line, as a player would write it. If the orders need several lines, it is the first of
    /// them.
    pub line: String,
    /// The percentage of the simulated games with this line that the seat won.
    pub wins_percent: u8,
}
