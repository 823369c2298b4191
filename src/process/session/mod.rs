//! A game in play, as it stands in a transaction: its time, who of its players can be reached, what
//! is done for a seat that has no choice; and who reads what is written of it.
//!
//! Knows nothing of letters, of what members may do, or of the pass.

pub mod game_time;
pub(crate) mod reader;
