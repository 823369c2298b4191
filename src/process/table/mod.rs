//! Events around a running game that are not orders: press, votes, undone orders, and
//! interventions.
//!
//! The modules here do not know letters, and do not check which member may write in one.

pub(crate) mod game_changes;
pub(crate) mod hints;
pub(crate) mod news;
pub(crate) mod voting;
