//! Who is told what: letters are owed as data, and worded when they leave.
//!
//! ```text
//! a commit       -> tell, owed: a seat up to a record and why, an answer, a notice: in the outbox
//! before posting -> settle: what waits for one seat becomes one, and for who wants that one letter
//!                   about all his games; not before the time of the day that he wants it at: hold
//! one by one     -> leave: for whom it is now; words, games side by side; envelope: its bytes
//! ```
//!
//! Who leaves first stands in line, caps and budget; what becomes of a letter that is not taken in
//! untaken; what follows from evidence that letters do not reach
//! a member in probes. Knows nothing of how letters are judged.

pub(crate) mod answers;
pub(crate) mod budget;
pub(crate) mod caps;
pub(crate) mod conclude;
pub(crate) mod delivery;
pub(crate) mod envelope;
pub(crate) mod held_notices;
pub(crate) mod hold;
pub(crate) mod idle;
pub(crate) mod language;
pub(crate) mod leave;
pub(crate) mod line;
pub(crate) mod missed;
pub(crate) mod observers;
pub(crate) mod owed;
pub(crate) mod probes;
pub(crate) mod settle;
pub(crate) mod taps;
pub(crate) mod tell;
pub(crate) mod untaken;
pub(crate) mod words;

pub(crate) use leave::{Leaves, Ready, in_club_words, leaving, ready};
pub(crate) use owed::Says;
pub(crate) use settle::{ID_START, settle};
pub(crate) use tell::ToSeat;
