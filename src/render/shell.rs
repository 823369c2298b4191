//! What stands around every letter: its language, its width, its colours, its first words in a
//! list of letters.

use super::library::Language;
use super::templates::{COLUMNS, NARROW};
use crate::club::LetterStyle;
use minijinja::{Value, context};

/// How a letter is written, whatever it says.
#[derive(Clone, Copy)]
pub(super) struct Shell<'a> {
    /// The language of its reader.
    pub language: &'a Language,
    /// How its reader wants it.
    pub style: LetterStyle,
    /// Its subject.
    pub subject: &'a str,
}

impl Shell<'_> {
    /// What every template of a letter is given. A list of letters shows the preheader beside the
    /// subject.
    pub(super) fn context(&self, preheader: &str) -> Value {
        let (marker, columns) = match self.style.narrow {
            true => ("marker-narrow", NARROW),
            false => ("marker", COLUMNS),
        };
        context! {
            language => self.language.tag(),
            marker => self.language.words.term(marker),
            subject => self.subject,
            preheader,
            columns,
            colours => self.style.colours.word(),
        }
    }

    /// The text of a letter, and its HTML for who wants that.
    pub(super) fn fill(&self, name: &str, context: &Value) -> (String, Option<String>) {
        let fill = |ending: &str| self.language.fill(&format!("{name}.{ending}"), context);
        (fill("txt"), self.style.html.then(|| fill("html")))
    }
}
