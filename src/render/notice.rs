//! Renders letters that are about no game: to strangers, to members whose letter named no game, and
//! to the moderator.

use super::RenderedLetter;
use super::game_letter::LetterFrame;
use super::library::Library;
use super::mailto_links::{MailtoLinks, OfferedLine};
use super::sentences::People;
use crate::club::Member;
use crate::rules::{Arg, Message};
use minijinja::context;
use minijinja::value::Serde;
use serde::{Deserialize, Serialize};

/// The content of a letter that is about no game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Notice {
    /// The answer to a sender who is not a member.
    Stranger {
        /// The address of the moderator, who can make the sender a member.
        moderator: String,
    },
    /// The answer to a member whose letter does not say which game it is for.
    NoGame {
        /// The subjects of the games that the member plays.
        games: Vec<String>,
    },
    /// The answer to a letter whose reply token was voided or never existed.
    BadToken,
    /// A letter of these sentences, one paragraph each.
    Said(Vec<Message>),
    /// A letter of these sentences, and of lines that the reader can send with one tap.
    Offering {
        words: Vec<Message>,
        /// The lines in the reader's language. Each is a complete answer.
        lines: Vec<Arg>,
        /// The subject of an invitation. `None` means the usual subject.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subject: Option<Message>,
    },
    /// The last answer before the club stops answering the sender for a while, because the sender
    /// got too many answers.
    TooMany,
    /// The last answer before the club stops answering the sender's refused orders for a while,
    /// because too many were refused.
    TooManyRefused,
}

impl Notice {
    /// Returns a notice of these sentences and lines, with the usual subject.
    pub(crate) const fn offering(words: Vec<Message>, lines: Vec<Arg>) -> Self {
        Self::Offering { words, lines, subject: None }
    }

    fn messages(&self, club: &str) -> Vec<Message> {
        match self {
            Self::Stranger { moderator } => {
                let said = Message::new("notice-stranger").with("club", club);
                vec![said.with("moderator", moderator.as_str())]
            }
            Self::NoGame { games } if games.is_empty() => {
                vec![Message::new("notice-no-games"), Message::new("notice-lobby")]
            }
            Self::NoGame { games } => {
                let named = |game: &String| Message::new("notice-game").with("game", game.as_str());
                let mut messages = vec![Message::new("notice-no-game")];
                messages.extend(games.iter().map(named));
                messages.push(Message::new("notice-lobby"));
                messages
            }
            Self::Said(words) | Self::Offering { words, .. } => words.clone(),
            Self::BadToken => vec![Message::new("notice-bad-token")],
            Self::TooMany => vec![Message::new("notice-too-many")],
            Self::TooManyRefused => vec![Message::new("notice-too-many-refused")],
        }
    }

    /// Returns the subject. `is_answer` says whether the notice answers a letter.
    fn subject(&self, club: &str, is_answer: bool) -> Message {
        match self {
            Self::Offering { subject: Some(own), .. } => own.clone(),
            _ if is_answer => Message::new("notice-subject").with("club", club),
            _ => Message::new("notice-subject-unasked").with("club", club),
        }
    }

    fn offered_lines(&self) -> Vec<OfferedLine> {
        let lines = match self {
            Self::Offering { lines, .. } => lines.clone(),
            Self::NoGame { .. } => vec![Arg::Term("line-games"), Arg::Term("line-help")],
            _ => Vec::new(),
        };
        lines
            .into_iter()
            .map(|line| OfferedLine { heading: None, line, is_answer: false })
            .collect()
    }
}

/// A heading sentence and its lines, each on its own line of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub(crate) head: Message,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Message>,
}

impl Section {
    pub(crate) const fn new(head: Message) -> Self {
        Self { head, lines: Vec::new() }
    }
}

impl Library {
    /// Renders a letter that is about no game. `answers` says whether it answers a letter. It
    /// quotes nothing of that letter, because a sender can be forged and the quote would reach a
    /// third person. The offers in `links` are replaced by the notice's own lines.
    pub(crate) fn render_notice(
        &self,
        to: &Member,
        club: &str,
        notice: &Notice,
        answers: bool,
        links: &MailtoLinks<'_>,
    ) -> RenderedLetter {
        let subject = notice.subject(club, answers);
        let offers = notice.offered_lines();
        let links = MailtoLinks { offers: &offers, ..*links };
        self.render_plain_letter(to, &subject, &notice.messages(club), &links)
    }

    /// Renders a probe: a short letter that asks for nothing and only tests whether the address
    /// accepts mail.
    pub(crate) fn render_probe(&self, to: &Member, club: &str) -> RenderedLetter {
        let subject = Message::new("probe-subject").with("club", club);
        let why = Message::new("probe-why").with("name", to.name.as_str());
        self.render_plain_letter(
            to,
            &subject,
            &[why, Message::new("probe-nothing")],
            &MailtoLinks::default(),
        )
    }

    /// Renders a report to the moderator: one sentence for each thing that a pass could not decide
    /// by itself.
    pub(crate) fn render_report(
        &self,
        to: &Member,
        club: &str,
        lines: &[Message],
    ) -> RenderedLetter {
        let subject = Message::new("report-subject").with("club", club).with("count", lines.len());
        self.render_plain_letter(to, &subject, lines, &MailtoLinks::default())
    }

    pub(crate) fn render_sections(
        &self,
        to: &Member,
        subject: &Message,
        parts: &[Section],
    ) -> RenderedLetter {
        let language = self.language(&to.language);
        let preheader = parts.first().map(|first| language.localize(&first.head));
        let section = |Section { head, lines }: &Section| {
            let lines: Vec<String> = lines.iter().map(|line| language.localize(line)).collect();
            context! { head => language.localize(head), lines }
        };
        let sections: Vec<_> = parts.iter().map(section).collect();
        LetterFrame { language, style: to.letters, subject: &language.localize(subject) }.render(
            "moderator",
            &preheader.unwrap_or_default(),
            context! { sections },
        )
    }

    fn render_plain_letter(
        &self,
        to: &Member,
        subject: &Message,
        said: &[Message],
        links: &MailtoLinks<'_>,
    ) -> RenderedLetter {
        let language = self.language(&to.language);
        let lines: Vec<String> = said.iter().map(|message| language.localize(message)).collect();
        let subject = language.localize(subject);
        let preheader = lines.first().cloned().unwrap_or_default();
        let [_, taps] = links.answers_and_orders((language, &People::NOBODY), &subject, &[]);
        let taps = (!taps.is_empty()).then_some(taps);
        let shell = LetterFrame { language, style: to.letters, subject: &subject };
        shell.render("notice", &preheader, context! { lines, taps => Serde(taps) })
    }
}
