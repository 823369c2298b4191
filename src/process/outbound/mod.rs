//! Who is told what: letters are owed as data, and worded when they leave.
//!
//! ```text
//! a commit       -> tell, owed: a seat up to a record and why, an answer, a notice: in the outbox
//! before posting -> settle: what waits for one seat becomes one, and for who wants that one letter
//!                   about all his games
//! one by one     -> leave: for whom it is now; words, games side by side; envelope: its bytes
//! ```
//!
//! May not know how letters are judged, nor the way out.

mod earlier;
mod envelope;
mod leave;
mod owed;
mod settle;
mod tell;
mod words;

pub(super) use leave::{Leaves, Ready, leaving, ready};
pub(super) use owed::Says;
pub(super) use settle::{ID_START, settle};
pub(super) use tell::ToSeat;
