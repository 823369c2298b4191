//! Suggested order lines, which letters offer as links that open a reply.

use super::Message;

/// A suggested line of orders. It is legal as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The heading of the line. Suggestions with equal groups appear under one heading.
    pub group: Message,
    /// The line, as a player would write it: a single line of less than 200 characters.
    pub line: String,
}

impl Suggestion {
    /// The largest number of suggestions in a letter.
    pub const MAX: usize = 12;
    /// The largest number of suggestions in one group.
    pub const GROUP_MAX: usize = 6;
}
