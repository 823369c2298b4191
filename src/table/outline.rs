//! What a list says of a game, so that nobody folds its log for that.
//!
//! Data only. It follows from the log: one whose last record is not the log's is worth nothing.

use super::Table;
use crate::rules::{Seat, Turn};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// How a game stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// Which game it is.
    pub game: String,
    /// The number of the last record.
    pub head: u32,
    /// When that was made.
    pub at: DateTime<Utc>,
    /// Who must act now.
    pub turn: Turn,
    /// Who came first; nobody before the game is over.
    #[serde(rename = "first")]
    pub winners: Vec<Seat>,
}

impl Outline {
    /// Whether it says how a game stands whose log has so many lines.
    pub fn matches_log_length(&self, lines: u32) -> bool {
        self.head.checked_add(1) == Some(lines)
    }

    /// Whether nobody must act any more.
    pub fn is_over(&self) -> bool {
        self.turn == Turn::Over
    }
}

impl Table {
    /// How the game stands now.
    pub fn outline(&self) -> Outline {
        let turn = self.turn();
        let standings = if turn == Turn::Over { self.rankings() } else { Vec::new() };
        let first = standings.into_iter().filter(|standing| standing.rank == 1);
        Outline {
            game: self.founding.game.clone(),
            head: self.head(),
            at: self.records.last().map_or(self.founding.at, |record| record.at),
            turn,
            winners: first.map(|standing| standing.seat).collect(),
        }
    }
}
