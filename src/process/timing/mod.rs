//! Time limits of games: deadlines, reminders, the expiry of votes, and time given back after
//! outages.
//!
//! The modules here do not read letters.

pub(crate) mod bot_turns;
pub(crate) mod deadlines;
pub(crate) mod outage;
