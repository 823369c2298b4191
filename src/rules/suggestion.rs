//! What a player could send just now, made so that one tap sends it.

use super::Message;

/// A line of orders that is legal as it stands, among others that are worth a thought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What it has in common with those beside it; equal ones stand under one heading.
    pub group: Message,
    /// The line, as a player would write it: under 200 characters, in one line.
    pub line: String,
}

impl Suggestion {
    /// So many are suggested at most.
    pub const MAX: usize = 12;
    /// So many of one group at most.
    pub const GROUP_MAX: usize = 6;
}
