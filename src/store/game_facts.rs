//! What is kept of one game beside its log, read at once.
//!
//! Data only.

use crate::club::clock::GameClock;
use crate::club::{GameInfo, SeatAssignment};
use crate::table::Outline;
use serde::Deserialize;

/// What a list needs of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// How many lines its log has; none where there are only people around it.
    pub log_length: u32,
    /// Who sits there, by seat.
    pub seats: Vec<SeatHolder>,
    /// Who is around it; nobody when nothing is kept.
    pub room: GameInfo,
    /// Its clock; none when it waits for ever.
    pub clock: Option<GameClock>,
    /// How it stands; none where that is not known without its log.
    pub outline: Option<Outline>,
}

/// Who sits in a seat. What else is kept of it is not read: of a hundred thousand games that
/// would be much of the time that a list takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct SeatHolder {
    /// The member's number.
    pub member: u32,
    /// Whether the player has left the seat.
    #[serde(default)]
    pub left: bool,
}

impl From<&SeatAssignment> for SeatHolder {
    fn from(seated: &SeatAssignment) -> Self {
        Self { member: seated.member, left: seated.has_left }
    }
}
