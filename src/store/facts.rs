//! What is kept of one game beside its log, read at once.
//!
//! Data only.

use crate::club::clock::GameClock;
use crate::club::{GameRoom, Seated};
use crate::table::Outline;

/// What a list needs of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFacts {
    /// How many lines its log has; none where there are only people around it.
    pub lines: u32,
    /// Who sits there, by seat.
    pub seats: Vec<Seated>,
    /// Who is around it; nobody when nothing is kept.
    pub room: GameRoom,
    /// Its clock; none when it waits for ever.
    pub clock: Option<GameClock>,
    /// How it stands; none where that is not known without its log.
    pub outline: Option<Outline>,
}
