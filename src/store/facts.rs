//! What is kept of one game beside its log, read at once.
//!
//! Data only.

use crate::club::clock::GameClock;
use crate::club::{GameRoom, Seated};
use crate::table::Outline;
use serde::Deserialize;

/// What a list needs of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// How many lines its log has; none where there are only people around it.
    pub lines: u32,
    /// Who sits there, by seat.
    pub seats: Vec<Sitting>,
    /// Who is around it; nobody when nothing is kept.
    pub room: GameRoom,
    /// Its clock; none when it waits for ever.
    pub clock: Option<GameClock>,
    /// How it stands; none where that is not known without its log.
    pub outline: Option<Outline>,
}

/// Who sits in a seat. What else is kept of it is not read: of a hundred thousand games that
/// would be much of the time that a list takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Sitting {
    /// The member's number.
    pub member: u32,
    /// Whether the player has left the seat.
    #[serde(default)]
    pub left: bool,
}

impl From<&Seated> for Sitting {
    fn from(seated: &Seated) -> Self {
        Self { member: seated.member, left: seated.left }
    }
}
