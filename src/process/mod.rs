//! What a club does: the only place where mail, table, report and store meet.
//!
//! A pass collects what letters lead to in a [`Transaction`], commits it as one batch, and only
//! then moves the letters' files and posts what is in the outbox. Whatever step it is killed after,
//! the next pass goes on from there: a file whose letter is in the store is only moved, a letter in
//! the outbox keeps its Message-ID.
//!
//! | room | duty | may not know |
//! |---|---|---|
//! | `pass` | the order of things: fetch, read, clocks, deliver; restore | how anything is done |
//! | `timing` | time that is over, and time that is given back | what letters say |
//! | `moderation` | what the moderator asks for and sees | when a pass does what |
//! | `inbound` | a letter's lines, read once and judged once | what only the moderator may do |
//! | `lobby` | who plays: founding, joining, seats that change hands | what a letter looked like |
//! | `outbound` | who is told what, in which letter, when | how letters are judged |
//! | `table` | press, votes, interventions | letters, and who may speak in one |
//! | `session` | a game in play: its time, its readers | what members may do |
//! | `transaction` | what one commit in the making is | what letters say, whom anything is told |
//!
//! Arrows point down this list only, also by method calls: `tests/parts/tidy.rs` counts them.
//! `office` and `fence` stand beside the rooms, at the bottom.

mod fence;
mod inbound;
mod lobby;
mod moderation;
mod office;
mod outbound;
mod pass;
mod session;
mod table;
mod tally;
mod timing;
mod transaction;

pub use lobby::campaign::{NotStarted, Season, Started};
pub use lobby::found::{Founded, Player};
pub use lobby::members::{MemberChange, MemberRefusal};
pub use moderation::game_log::{GameLog, LogEntry};
pub use moderation::moderator::Directed;
pub use moderation::overview::{Awaited, Forming, Summary};
pub use moderation::quarantine::Held;
pub use office::{Office, OfficeError, read_settings};
pub use outbound::delivery::WayOut;
pub use pass::fetch::{Lying, Served};
pub use pass::idle::idle_pass;
pub use pass::letters::Understood;
pub use pass::restore::Restored;
pub use tally::PassReport;
pub use transaction::Transaction;
pub use transaction::outcome::{Fate, Outcome};
pub use transaction::playing::Playing;
