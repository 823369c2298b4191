//! Outbound letters: commits queue notifications as data, which become text when they leave.
//!
//! ```text
//! commit           -> pending      the notification as data: a seat's update, an answer, a notice
//! before posting   -> queue        holds letters for a digest, and merges letters to one reader
//! for each letter  -> composition  finds the current reader, renders the text, makes the bytes
//! ```
//!
//! `answers` decides whether a letter is answered at all. `delivery` passes the bytes to the
//! transport. Knows nothing of how letters are judged.

pub(crate) mod answers;
mod bundle_letter;
pub(crate) mod composition;
mod game_wording;
pub(crate) mod merging;
pub(crate) mod offered_lines;
pub(crate) mod pending;
pub(crate) mod queue;
