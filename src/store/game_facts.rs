//! The facts of one game that are stored beside its log, read together.

use crate::club::clock::GameClock;
use crate::club::{GameInfo, SeatAssignment};
use crate::table::Outline;
use serde::Deserialize;

/// The facts of one game that a list of games shows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// The number of lines in the game's log; 0 if only a [`GameInfo`] is stored, such as a
    /// proposal.
    pub log_length: u32,
    pub seats: Vec<SeatHolder>,
    pub room: GameInfo,
    /// The game's clock; `None` if it has no deadlines.
    pub clock: Option<GameClock>,
    /// The game's state after its last log line: whose turn it is, and who won. `None` if it is not
    /// stored; the caller then computes it from the log.
    pub outline: Option<Outline>,
}

/// The member who plays a seat. The rest of the stored assignment is skipped, because parsing it
/// for 100,000 games would take much of a list's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SeatHolder {
    pub member: u32,
    #[serde(default)]
    pub left: bool,
}

impl From<&SeatAssignment> for SeatHolder {
    fn from(seated: &SeatAssignment) -> Self {
        Self { member: seated.member, left: seated.has_left }
    }
}
