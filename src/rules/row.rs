//! A position in words, as rows that fit a narrow column. It serves readers who see no picture and
//! no wide text. The game writes the rows, and `render` lays them out.

use super::{Ink, Message};

/// One item of a position and the sentences about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionRow {
    /// The label of the item in pictures, if it is a piece or belongs to one.
    pub label: Option<PieceLabel>,
    /// The name of the item: a company, a player, a cart. `None` if the sentences name it
    /// themselves.
    pub name: Option<Message>,
    /// The sentences about the item, most important first.
    pub sentences: Vec<Message>,
    /// Whether only readers without pictures need the row, because a picture shows it at a glance.
    /// An example is the list of barriers on the map.
    pub is_text_only: bool,
}

/// The label of a piece in pictures, by which a reader finds its row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceLabel {
    /// The colour of the piece in pictures.
    pub ink: Ink,
    /// The few letters on the piece in pictures, identical in every language.
    pub letters: String,
}

impl PositionRow {
    /// Creates a row about an item with a name.
    pub fn named(name: Message, says: impl IntoIterator<Item = Message>) -> Self {
        Self { name: Some(name), ..Self::from_sentences(says) }
    }

    /// Creates a row with one sentence that names its subject itself.
    pub fn from_sentence(says: Message) -> Self {
        Self::from_sentences([says])
    }

    /// Creates a row with several sentences that name their subject themselves.
    pub(crate) fn from_sentences(says: impl IntoIterator<Item = Message>) -> Self {
        Self { label: None, name: None, sentences: says.into_iter().collect(), is_text_only: false }
    }

    /// Adds the label that the piece has in pictures.
    #[must_use]
    pub fn with_label(self, ink: Ink, letters: impl Into<String>) -> Self {
        Self { label: Some(PieceLabel { ink, letters: letters.into() }), ..self }
    }

    /// Marks the row as needed only by readers without pictures.
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
