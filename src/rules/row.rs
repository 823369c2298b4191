//! A position in words, for who sees no picture and no wide text: rows that a narrow column holds.
//!
//! Whoever writes letters lays them out; whoever says what is in them knows no page.

use super::{Ink, Message};

/// One thing of a position, and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// How pictures mark it, where it is a piece or belongs to one.
    pub mark: Option<Mark>,
    /// What it is: a company, a player, a cart. Nothing where the row says itself what it is about.
    pub name: Option<Message>,
    /// What is said of it, a sentence or a list each, the weightiest first.
    pub says: Vec<Message>,
    /// Whether it is worth reading for who sees no picture alone: a map, its barriers, what lies on
    /// it and is nobody's. A picture shows that at a glance.
    pub is_aside: bool,
}

/// How pictures mark a piece, so that its row is found by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The colour that it has there.
    pub ink: Ink,
    /// The few letters that stand on it there, the same in every language.
    pub letters: String,
}

impl Row {
    /// A row about something that has a name.
    pub fn of(name: Message, says: impl IntoIterator<Item = Message>) -> Self {
        Self { name: Some(name), ..Self::unnamed(says) }
    }

    /// A row that says itself what it is about.
    pub fn saying(says: Message) -> Self {
        Self::unnamed([says])
    }

    /// Returns a row of several sentences that say themselves what they are about.
    pub(crate) fn unnamed(says: impl IntoIterator<Item = Message>) -> Self {
        Self { mark: None, name: None, says: says.into_iter().collect(), is_aside: false }
    }

    /// The same row, found by the mark that its piece has in pictures.
    #[must_use]
    pub fn marked(self, ink: Ink, letters: impl Into<String>) -> Self {
        Self { mark: Some(Mark { ink, letters: letters.into() }), ..self }
    }

    /// The same row, for who sees no picture.
    #[must_use]
    pub fn aside(self) -> Self {
        Self { is_aside: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_aside_where_that_is_said_of_it() {
        let rows = [Row::saying(Message::new("x")), Row::of(Message::new("x"), [])];
        for row in rows {
            assert!(!row.is_aside && row.aside().is_aside);
        }
    }
}
