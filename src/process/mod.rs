//! One pass over a club, and what a moderator does to it: the only place where mail, table, report
//! and store meet.
//!
//! A pass collects what letters lead to in a [`Transaction`], commits it as one batch, and only
//! then moves the letters' files and posts what is in the outbox. Whatever step it is killed after,
//! the next pass goes on from there: a file whose letter is in the store is only moved, a letter in
//! the outbox keeps its Message-ID.

mod bounced;
mod budget;
mod campaign;
mod caps;
mod clock;
mod delivery;
mod digest;
mod effects;
mod errand;
mod fence;
mod fetch;
mod found;
mod game_log;
mod held_notes;
mod idle;
mod intake;
mod intervention;
mod leaving;
mod line;
mod lobby;
mod lost;
mod machine;
mod marks;
mod members;
mod moderator;
mod mover;
mod names;
mod newcomers;
mod news;
mod noticeboard;
mod observers;
mod office;
mod outage;
mod outbound;
mod outcome;
mod overview;
mod owed;
mod own_lines;
mod pace;
mod pass;
mod playing;
mod post;
mod quarantine;
mod rematch;
mod restore;
mod roster;
mod ruling;
mod seat_letter;
mod stand_in;
mod standing;
mod substitute;
mod talk;
mod transaction;
mod unread;
mod untaken;
mod vote;
mod waiting;
mod wrong_time;

pub use campaign::{NotStarted, Season, Started};
pub use fetch::{Lying, Served};
pub use found::{Founded, Player};
pub use game_log::{GameLog, LogEntry};
pub use idle::idle_pass;
pub use intake::Understood;
pub use members::{MemberChange, MemberRefusal};
pub use moderator::Directed;
pub use office::{Office, OfficeError, read_settings};
pub use outage::WayOut;
pub use outcome::{Fate, Outcome};
pub use overview::{Awaited, Forming, Summary};
pub use pass::PassReport;
pub use playing::Playing;
pub use quarantine::Held;
pub use restore::Restored;
pub use transaction::Transaction;
