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
    /// The sentences that replace `sentences` in letters with a picture of the board. They say only
    /// what the picture cannot show. Empty if it shows everything.
    pub beside_picture: Vec<Message>,
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
        let sentences = says.into_iter().collect();
        Self { label: None, name: None, sentences, beside_picture: Vec::new() }
    }

    /// Adds the label that the piece has in pictures.
    #[must_use]
    pub fn with_label(self, ink: Ink, letters: impl Into<String>) -> Self {
        Self { label: Some(PieceLabel { ink, letters: letters.into() }), ..self }
    }

    /// Keeps all sentences of the row beside a picture of the board.
    #[must_use]
    pub fn also_beside_picture(self) -> Self {
        Self { beside_picture: self.sentences.clone(), ..self }
    }

    /// Adds the sentences that the row has beside a picture of the board.
    #[must_use]
    pub fn beside_picture(self, says: impl IntoIterator<Item = Message>) -> Self {
        Self { beside_picture: says.into_iter().collect(), ..self }
    }
}
