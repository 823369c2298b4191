//! What is wrong with a definition, and where.

use super::Message;
use std::collections::BTreeMap;

/// What is wrong with a game's definition or options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub reason: Message,
    /// Where to look in the file: the text that stands on the faulty line, and which line that
    /// holds it, from 0.
    pub(crate) near: Option<(String, usize)>,
}

/// Returns what a definition's table has for so many players.
///
/// # Errors
/// That it has nothing for them, in the sentence with this key.
pub(crate) fn for_seats<T: Clone>(
    table: &BTreeMap<u8, T>,
    seats: u8,
    (name, key): (&'static str, &'static str),
) -> Result<T, Fault> {
    let reason = || Message::new(key).with("what", name).with("seats", seats);
    table.get(&seats).cloned().ok_or_else(|| Fault::near(reason(), name, 0))
}

impl Fault {
    /// A fault of the whole.
    pub(crate) const fn new(reason: Message) -> Self {
        Self { reason, near: None }
    }

    /// A fault on the `nth` line (from 0) that holds `text`.
    pub(crate) fn near(reason: Message, text: impl Into<String>, nth: usize) -> Self {
        Self { reason, near: Some((text.into(), nth)) }
    }
}
