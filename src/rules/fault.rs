//! Faults in a game's definition or options, with their place in the file.

use super::Message;
use std::collections::BTreeMap;

/// A fault in a game's definition or options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionFault {
    /// The description of the fault, as letters say it.
    pub reason: Message,
    /// The place in the file, if the fault concerns one line: a text that the line contains, and
    /// the index, from 0, among the lines with that text.
    pub(crate) place: Option<(String, usize)>,
}

/// Returns the entry of a definition's table for this number of players.
///
/// # Errors
/// The table has no entry for this number. `name` is the table's name in the definition, and `key`
/// is the key of the message.
pub(crate) fn entry_for_seats<T: Clone>(
    table: &BTreeMap<u8, T>,
    seats: u8,
    (name, key): (&'static str, &'static str),
) -> Result<T, DefinitionFault> {
    let reason = || Message::new(key).with("what", name).with("seats", seats);
    table.get(&seats).cloned().ok_or_else(|| DefinitionFault::at_text(reason(), name, 0))
}

impl DefinitionFault {
    /// Returns a fault of the whole definition.
    pub(crate) const fn new(reason: Message) -> Self {
        Self { reason, place: None }
    }

    /// Returns a fault on the `nth` line (from 0) that contains `text`.
    pub(crate) fn at_text(reason: Message, text: impl Into<String>, nth: usize) -> Self {
        Self { reason, place: Some((text.into(), nth)) }
    }
}
