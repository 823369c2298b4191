//! What a letter about a game is made from, and what it becomes.
//!
//! Why it is written can be stored: letters are worded when they leave.

use super::library::Language;
use super::templates::{COLUMNS, NARROW};
use super::{SubjectParts, Taps};
use crate::club::{ActivityEntry, Command, LetterStyle, Member, NewsWish, Notes};
use crate::rules::{Message, Seat};
use crate::table::{OrderLine, Refused, StandingOrders};
use chrono::{DateTime, Utc};
use minijinja::value::merge_maps;
use minijinja::{Value, context};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Why a letter is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    /// The game begins.
    Welcome,
    /// Something happened that the reader did not do.
    News,
    /// The reader's orders were carried out.
    Accepted {
        /// The lines of the letter that it is about.
        lines: Vec<OrderLine>,
        /// How they were read, where that is worth a word.
        remarks: Vec<Message>,
    },
    /// What the reader has planned is kept.
    Planned {
        /// The lines of the letter that it is about.
        lines: Vec<OrderLine>,
        /// How they were read, where that is worth a word.
        remarks: Vec<Message>,
    },
    /// The reader's orders were not carried out.
    Refused {
        /// The line and the reason.
        refused: Refused,
        /// Whether it was only a preview.
        preview: bool,
    },
    /// The reader asked what his orders would do.
    Previewed {
        /// The lines of the letter that it is about.
        lines: Vec<OrderLine>,
        /// What would happen.
        outcome: Vec<Message>,
        /// How the lines were read, where that is worth a word.
        remarks: Vec<Message>,
    },
    /// The reader only asked something.
    Answered,
    /// The same letter came again.
    Repeated {
        /// When it was dealt with.
        at: DateTime<Utc>,
    },
    /// Nothing was found in the reader's letter that he wrote himself.
    NothingWritten,
    /// The reader's letter was not read, for this reason.
    Unread(Message),
    /// The clock has something to tell, or a line for the house was done.
    Clock {
        /// What the clock has to say.
        words: Vec<Message>,
    },
    /// There is something in the letter's notes.
    Told,
    /// The game has waited for the reader for so long.
    Reminder {
        /// How many days.
        days: i64,
    },
}

impl Occasion {
    /// Whether the letter shows the whole table; an answer shows what was asked for.
    pub(super) const fn shows_table(&self) -> bool {
        !matches!(self, Self::Answered)
    }
}

/// A letter about a game, before it has words.
#[derive(Clone, Copy, Debug)]
pub struct GameLetter<'a> {
    /// The club's name.
    pub club: &'a str,
    /// Who reads it.
    pub reader: &'a Member,
    /// Where the reader sits.
    pub seat: Seat,
    /// Whether this is his first turn and he has hardly played here, so that it is worth a lesson.
    pub is_new: bool,
    /// The moderator's address.
    pub moderator: &'a str,
    /// The last record that the reader's letters have told of; 0 before the first.
    pub told: u32,
    /// Why it is written.
    pub occasion: &'a Occasion,
    /// What the reader asked to see besides.
    pub asked: &'a [Command],
    /// Whether it stands among others in one letter, as a part of it.
    pub among_others: bool,
    /// What its subject is made from besides what it tells.
    pub subject: SubjectParts<'a>,
    /// What the reader wants done later.
    pub standing: &'a StandingOrders,
    /// What the reader has noted for himself.
    pub own_notes: &'a Notes,
    /// For which news of this game he wants letters, if not as in others.
    pub wish: Option<NewsWish>,
    /// What the reader should know of his plans.
    pub words: &'a [Message],
    /// What the reader is told of what was done to the game from outside of its rules.
    pub notes: &'a [Message],
    /// What the letter passes on of what players have said; the reader may read all of it.
    pub talk: &'a [ActivityEntry],
    /// What was said around the game so far, for who asks for its history; what is not for the
    /// reader is left out.
    pub minutes: &'a [ActivityEntry],
    /// How the reader's clock stands.
    pub clock: &'a [Message],
    /// The table of a campaign that the game is for.
    pub campaign: Option<&'a Message>,
    /// What is sent by a tap, in a letter of HTML.
    pub taps: Taps<'a>,
}

/// A letter in words, or what is a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The letter's subject, without the club's own prefix.
    pub subject: String,
    /// What it says as plain text of at most 76 columns, or of 38 for who wants it narrow; complete
    /// by itself.
    pub text: String,
    /// The same as HTML, for who wants that.
    pub html: Option<String>,
    /// What the HTML shows by its Content-ID, or what a letter about several games may show.
    pub pictures: Vec<Picture>,
}

/// A picture of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its Content-ID, without angle brackets: the same for the same picture.
    pub id: String,
    /// What stands for it where it is not shown.
    pub alt: String,
    /// A PNG.
    pub bytes: Arc<[u8]>,
}

/// What a letter has around its contents: its language, its style and its subject.
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
    /// Returns the variables that every template of a letter is given.
    pub(super) fn context(&self, preheader: &str) -> Value {
        let (marker, columns) = match self.style.narrow {
            true => ("marker-narrow", NARROW),
            false => ("marker", COLUMNS),
        };
        context! {
            language => &self.language.tag,
            marker => self.language.words.term(marker),
            subject => self.subject,
            preheader,
            columns,
            colours => self.style.colours.word(),
        }
    }

    /// Writes a letter by the templates of this name, as text and, if its reader wants that, as
    /// HTML. A list of letters shows the preheader beside the subject.
    pub(super) fn write(&self, name: &str, preheader: &str, context: Value) -> Rendered {
        let context = merge_maps([context, self.context(preheader)]);
        let fill = |ending: &str| self.language.fill(&format!("{name}.{ending}"), &context);
        Rendered {
            subject: self.subject.to_owned(),
            text: fill("txt"),
            html: self.style.html.then(|| fill("html")),
            pictures: Vec::new(),
        }
    }
}
