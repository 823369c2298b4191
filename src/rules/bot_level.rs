//! The levels of bots.

use serde::de::value::{self, StrDeserializer};
use serde::{Deserialize, Serialize};

/// The strength of a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BotLevel {
    /// For a first game.
    Easy,
    /// For most players.
    Fair,
    /// The best play that a pass has time for.
    Strong,
}

impl BotLevel {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Fair, Self::Strong];
}

impl std::fmt::Display for BotLevel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

impl std::str::FromStr for BotLevel {
    type Err = value::Error;

    fn from_str(text: &str) -> Result<Self, value::Error> {
        Self::deserialize(StrDeserializer::new(text))
    }
}

/// A line that a bot has weighed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeighedLine {
    /// The line.
    pub line: String,
    /// The share of simulated games that it wins, in percent.
    pub wins_percent: u8,
}
