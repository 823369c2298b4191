//! What is wrong with a definition, and where.

use super::Message;
use std::collections::BTreeMap;

/// What is wrong with a game's definition or options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionFault {
    /// What is wrong.
    pub reason: Message,
    /// The place in the file: the text on the faulty line, and the index, from 0, of that line
    /// among the lines that hold the text.
    pub(crate) place: Option<(String, usize)>,
}

/// Returns the entry of a definition's table for this number of players.
///
/// # Errors
/// The table has no entry for this number. `key` is the sentence that says so.
pub(crate) fn entry_for_seats<T: Clone>(
    table: &BTreeMap<u8, T>,
    seats: u8,
    (name, key): (&'static str, &'static str),
) -> Result<T, DefinitionFault> {
    let reason = || Message::new(key).with("what", name).with("seats", seats);
    table.get(&seats).cloned().ok_or_else(|| DefinitionFault::at_text(reason(), name, 0))
}

impl DefinitionFault {
    /// A fault of the whole.
    pub(crate) const fn new(reason: Message) -> Self {
        Self { reason, place: None }
    }

    /// A fault on the `nth` line (from 0) that holds `text`.
    pub(crate) fn at_text(reason: Message, text: impl Into<String>, nth: usize) -> Self {
        Self { reason, place: Some((text.into(), nth)) }
    }
}
