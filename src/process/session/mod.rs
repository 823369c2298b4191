//! A running game as it is in a transaction: its clock, its players' reachability, and automatic
//! moves. Also the readers of its letters.
//!
//! The modules here do not know letters, members' rights or the pass.

pub(crate) mod bot_seats;
pub(crate) mod clockless_reminders;
pub mod game_time;
pub(crate) mod reader;
