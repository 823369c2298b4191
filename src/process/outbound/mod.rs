//! What readers are told: notifications are queued as data, and worded when they leave.
//!
//! ```text
//! a commit        -> pending      a seat up to a record and why, an answer, a notice: as data
//! before posting  -> queue        which wait for a digest; what waits for one seat becomes one
//! one by one      -> composition  who the reader is now; words: games side by side; the bytes
//! ```
//!
//! `answers` says whether a letter is answered at all. What the transport makes of a letter is
//! `delivery`'s. Knows nothing of how letters are judged.

pub(crate) mod answers;
pub(crate) mod composition;
mod game_wording;
pub(crate) mod pending;
pub(crate) mod queue;
