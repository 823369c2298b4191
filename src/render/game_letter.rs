//! The content of a letter about a game before it is rendered, and the rendered letter.
//!
//! The occasion of a letter can be stored, because a letter is rendered only when it is sent.

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
use std::sync::{Arc, LazyLock};

/// The reason for which a letter about a game is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Occasion {
    Welcome,
    /// The log has new records, and the reader's own orders caused none of them.
    News,
    Accepted {
        lines: Vec<OrderLine>,
        /// Remarks on how the program read the lines, if it had to interpret any of them.
        remarks: Vec<Message>,
    },
    /// The reader's letter contained plans, which were stored.
    Planned {
        lines: Vec<OrderLine>,
        /// Remarks on how the program read the lines, if it had to interpret any of them.
        remarks: Vec<Message>,
    },
    Refused {
        /// The line that was refused, the reason, and legal alternatives.
        refused: LetterRefusal,
        /// Whether the orders were in a preview, so that they would not have been carried out
        /// anyway.
        preview: bool,
    },
    /// The reader asked for a preview of some orders.
    Previewed {
        lines: Vec<OrderLine>,
        outcome: Vec<Message>,
        /// Remarks on how the program read the lines, if it had to interpret any of them.
        remarks: Vec<Message>,
        /// The events that would certainly happen, as JSON text. The letter shows the board after
        /// them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        events: Vec<String>,
    },
    /// The reader's letter contained only questions, which this letter answers.
    Answered,
    /// A letter that was processed before was received again.
    Repeated {
        /// The time at which the letter was first processed.
        at: DateTime<Utc>,
    },
    /// The reader's letter contained no text of their own.
    NothingWritten,
    /// The reader's letter could not be read, for this reason.
    #[serde(rename = "unread")]
    Unreadable(Message),
    /// The game's clock has news, such as an absence, or the reader's letter contained only club
    /// commands.
    Clock {
        words: Vec<Message>,
    },
    /// The letter passes on talk or notices, and the log has no new record.
    #[serde(rename = "told")]
    TalkOrNotices,
    /// The game has waited for the reader for some days.
    Reminder {
        days: i64,
    },
}

impl Occasion {
    /// Whether the letter shows the position, the choices and the plans. A letter that only answers
    /// questions shows the parts that the reader asked for.
    pub(super) const fn shows_position(&self) -> bool {
        !matches!(self, Self::Answered)
    }
}

/// The content of a letter about a game for one player, before it is rendered.
#[derive(Clone, Copy, Debug)]
pub struct GameLetter<'a> {
    pub club: &'a str,
    /// The member who gets the letter.
    pub reader: &'a Member,
    pub seat: Seat,
    /// Whether this is the reader's first turn in one of their first games here. If so, the letter
    /// contains a short lesson.
    pub is_new: bool,
    pub moderator: &'a str,
    /// The last record that earlier letters disclosed to the reader, or 0 for the first letter.
    pub last_seen_record: u32,
    pub occasion: &'a Occasion,
    /// The parts of the game's state that the reader asked to see, such as the rules or the
    /// history.
    pub questions: &'a [Question],
    /// Whether the letter becomes a part of a letter about several games.
    pub is_bundled: bool,
    /// Whether the letter shows a picture of the board if the reader gets pictures. A letter about
    /// several games has pictures of a few games only.
    pub has_picture: bool,
    pub subject_parts: SubjectParts<'a>,
    /// The plans and settings by which the table acts for the reader later.
    pub queued_orders: &'a QueuedOrders,
    pub private_notes: &'a Notes,
    /// The reader's choice of news for this game, or `None` if the reader's general setting
    /// applies.
    pub news_wish: Option<NewsPreference>,
    /// Sentences about plans of the reader that were dropped since their last letter.
    pub plan_notes: &'a [Message],
    /// Sentences about actions on the game from outside of its rules, such as votes and the
    /// moderator's changes.
    pub notices: &'a [Message],
    /// The talk that the letter passes on. The caller has removed all entries that the reader may
    /// not see.
    pub talk: &'a [ActivityEntry],
    /// The activity log, for the history that the reader asked for. The caller has removed all
    /// entries that the reader may not see.
    pub activity_log: &'a [ActivityEntry],
    pub clock: &'a [Message],
    /// The campaign table that the game is played for.
    pub campaign: Option<&'a Message>,
    /// The link by which the reader can record the game elsewhere once it is over.
    pub play_link: Option<&'a str>,
    pub mailto_links: MailtoLinks<'a>,
}

impl<'a> GameLetter<'a> {
    /// Creates a letter that only shows the game: without plans, notes, talk, a clock or links.
    /// `club` is a name, and `moderator` an address.
    pub fn new(
        (club, moderator): (&'a str, &'a str),
        reader: &'a Member,
        seat: Seat,
        occasion: &'a Occasion,
    ) -> Self {
        static NO_ORDERS: LazyLock<QueuedOrders> = LazyLock::new(QueuedOrders::default);
        static NO_NOTES: LazyLock<Notes> = LazyLock::new(Notes::default);
        Self {
            club,
            reader,
            seat,
            is_new: false,
            moderator,
            last_seen_record: 0,
            occasion,
            questions: &[],
            is_bundled: false,
            has_picture: true,
            subject_parts: SubjectParts::default(),
            queued_orders: &NO_ORDERS,
            private_notes: &NO_NOTES,
            news_wish: None,
            plan_notes: &[],
            notices: &[],
            talk: &[],
            activity_log: &[],
            clock: &[],
            campaign: None,
            play_link: None,
            mailto_links: MailtoLinks::default(),
        }
    }
}

/// A rendered letter, or a part of a letter about several games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderedLetter {
    /// The subject, without the tag that a club without plus addressing adds to it.
    pub subject: String,
    /// The plain text, complete without the HTML. Lines have at most 76 columns, or 38 if the
    /// reader wants narrow text.
    pub text: String,
    pub html: Option<String>,
    /// The pictures that the HTML shows by their Content-ID.
    pub pictures: Vec<Picture>,
}

/// A picture of a board, or of the plot of a game's scores, for the HTML of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The Content-ID, without angle brackets. It is derived from the bytes, so equal pictures have
    /// equal IDs.
    pub id: String,
    /// The text that mail programs show instead of the picture.
    pub alt: String,
    pub bytes: Arc<[u8]>,
}

/// The parts of a letter besides its content: the reader's language and format settings, and the
/// subject.
#[derive(Clone, Copy)]
pub(super) struct LetterFrame<'a> {
    pub language: &'a Language,
    pub style: LetterStyle,
    pub subject: &'a str,
}

impl LetterFrame<'_> {
    pub(super) fn template_variables(&self, preheader: &str) -> Value {
        let (marker, columns) = match self.style.narrow_text {
            true => ("marker-narrow", NARROW_COLUMNS),
            false => ("marker", COLUMNS),
        };
        context! {
            language => &self.language.tag,
            marker => self.language.localizer.localize_key(marker),
            subject => self.subject,
            preheader,
            columns,
            colours => self.style.colours.keyword(),
        }
    }

    /// Renders the templates `<name>.txt` and, if the reader wants HTML, `<name>.html`. An inbox
    /// shows the preheader beside the subject.
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
