//! The facts of one game that are stored beside its log, read together.

use crate::club::clock::GameClock;
use crate::club::{GameInfo, SeatAssignment};
use crate::table::Outline;
use serde::Deserialize;

/// The facts of a game that lists show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// The number of lines in its log; 0 if the game has only a [`GameInfo`], such as a proposal.
    pub log_length: u32,
    /// The members by seat.
    pub seats: Vec<SeatHolder>,
    /// Empty if none is stored.
    pub room: GameInfo,
    /// `None` if the game has no deadlines.
    pub clock: Option<GameClock>,
    /// `None` if no outline for the log's last line is stored. The caller then computes it from the
    /// log.
    pub outline: Option<Outline>,
}

/// The member of a seat. The rest of the seat assignment is skipped, because parsing it for 100,000
/// games would take much of a list's time.
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
