//! A position in words, for who sees no picture and no wide text: rows that a narrow column holds.
//!
//! Whoever writes letters lays them out; whoever says what is in them knows no page.

use super::{Ink, Message};

/// One thing of a position, and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// How pictures mark it, where it is a piece or belongs to one.
    pub label: Option<PieceLabel>,
    /// What it is: a company, a player, a cart. Nothing where the row says itself what it is about.
    pub name: Option<Message>,
    /// What is said of it, a sentence or a list each, the weightiest first.
    pub sentences: Vec<Message>,
    /// Whether it is worth reading for who sees no picture alone: a map, its barriers, what lies on
    /// it and is nobody's. A picture shows that at a glance.
    pub is_text_only: bool,
}

/// How pictures mark a piece, so that its row is found by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLabel {
    /// The colour that it has there.
    pub ink: Ink,
    /// The few letters that stand on it there, the same in every language.
    pub letters: String,
}

impl PositionRow {
    /// A row about something that has a name.
    pub fn named(name: Message, says: impl IntoIterator<Item = Message>) -> Self {
        Self { name: Some(name), ..Self::from_sentences(says) }
    }

    /// A row that says itself what it is about.
    pub fn from_sentence(says: Message) -> Self {
        Self::from_sentences([says])
    }

    /// Returns a row of several sentences that say themselves what they are about.
    pub(crate) fn from_sentences(says: impl IntoIterator<Item = Message>) -> Self {
        Self { label: None, name: None, sentences: says.into_iter().collect(), is_text_only: false }
    }

    /// The same row, found by the mark that its piece has in pictures.
    #[must_use]
    pub fn with_label(self, ink: Ink, letters: impl Into<String>) -> Self {
        Self { label: Some(PieceLabel { ink, letters: letters.into() }), ..self }
    }

    /// The same row, for who sees no picture.
    #[must_use]
    pub fn text_only(self) -> Self {
        Self { is_text_only: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_is_text_only_if_marked() {
        let rows = [
            PositionRow::from_sentence(Message::new("x")),
            PositionRow::named(Message::new("x"), []),
        ];
        for row in rows {
            assert!(!row.is_text_only && row.text_only().is_text_only);
        }
    }
}
