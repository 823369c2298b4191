//! How a game went: who stood where after each record, and when it waited longest.
//!
//! Only what is in force counts: what was taken back has no place in how a game went.

use super::{Table, records_in_force};
use crate::rules::{Seat, Turn, UnreadableData};
use chrono::TimeDelta;

/// How a game went that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameHistory {
    /// How the seats stood after each record in force.
    pub scores_by_record: Vec<RecordScores>,
    /// The longest time between two records in force in which somebody was waited for.
    pub longest_wait: Option<IdlePeriod>,
}

/// How the seats stood after a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordScores {
    /// The record's number.
    pub seq: u32,
    /// Their scores, by seat, as if the game had ended there.
    pub scores: Vec<i64>,
}

/// A time in which nothing happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdlePeriod {
    /// The record that ended it.
    pub ended_by: u32,
    /// Who was waited for.
    pub seats: Vec<Seat>,
    /// For how long.
    pub duration: TimeDelta,
}

impl Table {
    /// How the game went. Scores rest on what is hidden during a game, so they are for readers of a
    /// game that is over: there is nothing before.
    ///
    /// # Errors
    /// When the log holds an event that this program's rules cannot read.
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
