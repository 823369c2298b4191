//! A summary of a game for lists, which is stored beside the log so that a list need not replay the
//! log. It is valid only if its last record is the last record of the log.

use super::Table;
use crate::rules::{Seat, Turn};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A summary of a game's state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// The game's ID.
    pub game: String,
    /// The number of the last record.
    pub head: u32,
    /// The time of the last record.
    pub at: DateTime<Utc>,
    /// The seats that must act now.
    pub turn: Turn,
    /// The seats with rank 1; empty until the game is over.
    #[serde(rename = "first")]
    pub winners: Vec<Seat>,
}

impl Outline {
    /// Whether the summary is up to date for a log with this number of lines: the founding and one
    /// per record.
    pub fn matches_log_length(&self, lines: u32) -> bool {
        self.head.checked_add(1) == Some(lines)
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.turn == Turn::Over
    }
}

impl Table {
    /// Returns the summary of the current state.
    pub fn outline(&self) -> Outline {
        let turn = self.turn();
        let standings = if turn == Turn::Over { self.rankings() } else { Vec::new() };
        let first = standings.into_iter().filter(|standing| standing.rank == 1);
        Outline {
            game: self.founding.game.clone(),
            head: self.last_record_number(),
            at: self.records.last().map_or(self.founding.at, |record| record.at),
            turn,
            winners: first.map(|standing| standing.seat).collect(),
        }
    }
}
