//! What is said and done around a game in play: press, votes, orders that are taken back, and
//! interventions from outside of its rules.
//!
//! Knows nothing of letters, nor of who may speak in one.

pub(crate) mod game_changes;
pub(crate) mod news;
pub(crate) mod voting;
