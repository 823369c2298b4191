//! What a letter about a game is made from, and what it becomes.
//!
//! Why it is written can be stored: letters are worded when they leave.

use super::library::Language;
use super::templates::{COLUMNS, NARROW_COLUMNS};
use super::{MailtoLinks, SubjectParts};
use crate::club::{ActivityEntry, LetterStyle, Member, NewsPreference, Notes, Question};
use crate::rules::{Message, Seat};
use crate::table::{LetterRefusal, OrderLine, QueuedOrders};
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
        refused: LetterRefusal,
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
    #[serde(rename = "unread")]
    Unreadable(Message),
    /// The clock has something to tell, or a line for the house was done.
    Clock {
        /// What the clock has to say.
        words: Vec<Message>,
    },
    /// There is something in the letter's notes.
    #[serde(rename = "told")]
    TalkOrNotices,
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
    pub last_seen_record: u32,
    /// Why it is written.
    pub occasion: &'a Occasion,
    /// What the reader asked to see besides.
    pub questions: &'a [Question],
    /// Whether it stands among others in one letter, as a part of it.
    pub is_bundled: bool,
    /// What its subject is made from besides what it tells.
    pub subject_parts: SubjectParts<'a>,
    /// What the reader wants done later.
    pub queued_orders: &'a QueuedOrders,
    /// What the reader has noted for himself.
    pub private_notes: &'a Notes,
    /// For which news of this game he wants letters, if not as in others.
    pub news_wish: Option<NewsPreference>,
    /// What the reader should know of his plans.
    pub plan_notes: &'a [Message],
    /// What the reader is told of what was done to the game from outside of its rules.
    pub notices: &'a [Message],
    /// What the letter passes on of what players have said; the reader may read all of it.
    pub talk: &'a [ActivityEntry],
    /// What was said around the game so far, for who asks for its history; what is not for the
    /// reader is left out.
    pub activity_log: &'a [ActivityEntry],
    /// How the reader's clock stands.
    pub clock: &'a [Message],
    /// The table of a campaign that the game is for.
    pub campaign: Option<&'a Message>,
    /// What is sent by a tap, in a letter of HTML.
    pub mailto_links: MailtoLinks<'a>,
}

/// A letter in words, or what is a part of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderedLetter {
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
pub(super) struct LetterFrame<'a> {
    /// The language of its reader.
    pub language: &'a Language,
    /// How its reader wants it.
    pub style: LetterStyle,
    /// Its subject.
    pub subject: &'a str,
}

impl LetterFrame<'_> {
    /// Returns the variables that every template of a letter is given.
    pub(super) fn template_variables(&self, preheader: &str) -> Value {
        let (marker, columns) = match self.style.narrow_text {
            true => ("marker-narrow", NARROW_COLUMNS),
            false => ("marker", COLUMNS),
        };
        context! {
            language => &self.language.tag,
            marker => self.language.localizer.term(marker),
            subject => self.subject,
            preheader,
            columns,
            colours => self.style.colours.keyword(),
        }
    }

    /// Writes a letter by the templates of this name, as text and, if its reader wants that, as
    /// HTML. A list of letters shows the preheader beside the subject.
    pub(super) fn render(&self, name: &str, preheader: &str, context: Value) -> RenderedLetter {
        let context = merge_maps([context, self.template_variables(preheader)]);
        let fill =
            |ending: &str| self.language.render_template(&format!("{name}.{ending}"), &context);
        RenderedLetter {
            subject: self.subject.to_owned(),
            text: fill("txt"),
            html: self.style.html.then(|| fill("html")),
            pictures: Vec::new(),
        }
    }
}
