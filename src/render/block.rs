//! One part of a letter, in each of the ways in which it may be shown.

use super::Picture;
use super::prose::Piece;
use super::rows::{self, ShownRow};
use serde::Serialize;

/// One part of a letter, under a heading of its own. Plain text shows its lines and its text, HTML
/// its lines and all else: columns of text are for no phone.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Block {
    /// What it is, for a template that treats one of them otherwise.
    id: &'static str,
    title: String,
    /// Sentences, each on lines of its own.
    lines: Vec<String>,
    /// Text that is aligned by columns.
    text: String,
    /// The same for HTML, where it is a position.
    rows: Vec<ShownRow>,
    /// Whether much is said in one of those.
    is_long: bool,
    /// The same for HTML, where it is to be read.
    prose: Vec<Piece>,
    /// The Content-ID of a picture that shows the same, where there is one.
    picture: Option<String>,
    /// What stands for the picture where it is not shown.
    alt: String,
}

impl Block {
    /// A part that is aligned by columns in plain text.
    pub(crate) fn text(id: &'static str, title: String, text: &str) -> Self {
        Self { text: text.trim_end().to_owned(), ..Self::lines(id, title, Vec::new()) }
    }

    /// A part of sentences.
    pub(crate) fn lines(id: &'static str, title: String, lines: Vec<String>) -> Self {
        let (rows, prose) = Default::default();
        let (text, alt) = Default::default();
        Self { id, title, lines, text, rows, is_long: false, prose, picture: None, alt }
    }

    /// The same part, with this position in HTML.
    pub(crate) fn with_rows(self, rows: Vec<ShownRow>) -> Self {
        Self { is_long: rows::are_long(&rows), rows, ..self }
    }

    /// The same part, with this prose in HTML.
    pub(crate) fn with_prose(self, prose: Vec<Piece>) -> Self {
        Self { prose, ..self }
    }

    /// The same part, shown by a picture too.
    pub(crate) fn with_picture(mut self, picture: Option<&Picture>) -> Self {
        self.picture = picture.map(|picture| picture.id.clone());
        self.alt = picture.map_or_else(String::new, |picture| picture.alt.clone());
        self
    }

    /// Whether it is this one.
    pub(crate) fn is(&self, id: &str) -> bool {
        self.id == id
    }

    /// The last of its sentences.
    pub(crate) fn last_line(&self) -> Option<&str> {
        self.lines.last().map(String::as_str)
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        let words = self.lines.is_empty() && self.text.is_empty();
        words && self.rows.is_empty() && self.prose.is_empty() && self.picture.is_none()
    }
}
