//! The course of a finished game: the scores after each record, and the longest wait. Only records
//! in force count.

use super::{Table, records_in_force};
use crate::rules::{Seat, Turn, UnreadableData};
use chrono::TimeDelta;

/// The course of a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHistory {
    /// The scores after each record in force.
    pub scores_by_record: Vec<RecordScores>,
    /// The longest time between two records in force in which the game waited for a player.
    pub longest_wait: Option<IdlePeriod>,
}

/// The scores after a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordScores {
    /// The number of the record.
    pub seq: u32,
    /// The scores by seat, as if the game had ended after the record.
    pub scores: Vec<i64>,
}

/// A time without records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdlePeriod {
    /// The number of the record that ended the wait.
    pub ended_by: u32,
    /// The seats that the game waited for.
    pub seats: Vec<Seat>,
    /// The length of the wait.
    pub duration: TimeDelta,
}

impl Table {
    /// Returns the course of the game, or `None` if it is not over. The scores contain hidden
    /// information, so nobody may see them earlier.
    ///
    /// # Errors
    /// The log contains an event that the rules of this program cannot read.
    pub fn history(&self) -> Result<Option<GameHistory>, UnreadableData> {
        if !self.is_over() {
            return Ok(None);
        }
        let (mut stood, mut longest_wait) = (Vec::new(), None::<IdlePeriod>);
        let mut game = self.initial_game.clone_box();
        let mut before = None;
        for record in records_in_force(&self.records) {
            if let (Some(at), Turn::Awaiting(seats)) = (before, game.turn()) {
                let time = record.at - at;
                if longest_wait.as_ref().is_none_or(|longest| time > longest.duration) {
                    longest_wait = Some(IdlePeriod { ended_by: record.seq, seats, duration: time });
                }
            }
            record.events.iter().try_for_each(|event| game.apply(event))?;
            before = Some(record.at);
            let mut standings = game.rankings();
            standings.sort_by_key(|standing| standing.seat);
            let scores = standings.iter().map(|standing| standing.score).collect();
            stood.push(RecordScores { seq: record.seq, scores });
        }
        Ok(Some(GameHistory { scores_by_record: stood, longest_wait }))
    }
}
