//! Letters that are about no game: to strangers, to members whose letter named no game, and to the
//! moderator.

use super::RenderedLetter;
use super::game_letter::LetterFrame;
use super::library::Library;
use super::mailto_links::{MailtoLinks, OfferedLine};
use super::sentences::People;
use crate::club::Member;
use crate::rules::{Arg, Message};
use minijinja::context;
use serde::{Deserialize, Serialize};

/// A letter that is about no game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Notice {
    /// The writer is no member.
    Stranger {
        /// Who can make him one.
        moderator: String,
    },
    /// The writer is a member, and the letter does not say which game it is for.
    NoGame {
        /// The subjects of the games that he plays.
        games: Vec<String>,
    },
    /// The reply token in the letter is no longer valid, or never was.
    BadToken,
    /// These sentences, a paragraph each.
    Said(Vec<Message>),
    /// The same, with lines that an answer may hold.
    Offering {
        /// The sentences.
        words: Vec<Message>,
        /// The lines, in the reader's language; each is all that an answer says.
        lines: Vec<Arg>,
    },
    /// The writer was answered so often that no more answers go out for a while.
    TooMany,
    /// So many of the writer's orders were refused that no more refusals go out for a while.
    TooManyRefused,
}

impl Notice {
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

    /// The lines that it offers to be sent by a tap.
    fn offered_lines(&self) -> Vec<OfferedLine> {
        let lines = match self {
            Self::Offering { lines, .. } => lines.clone(),
            Self::NoGame { .. } => vec![Arg::Term("line-games"), Arg::Term("line-help")],
            _ => Vec::new(),
        };
        lines.into_iter().map(|line| OfferedLine { heading: None, line }).collect()
    }
}

/// A sentence, and what belongs to it, each on a line of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    pub(crate) head: Message,
    /// What belongs to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Message>,
}

impl Section {
    /// A sentence alone.
    pub(crate) const fn new(head: Message) -> Self {
        Self { head, lines: Vec::new() }
    }
}

impl Library {
    /// Writes a letter that is about no game, in answer to one or unasked. It quotes nothing of
    /// what it answers. `taps` says how what it offers comes back.
    pub(crate) fn render_notice(
        &self,
        to: &Member,
        club: &str,
        notice: &Notice,
        answers: bool,
        links: &MailtoLinks<'_>,
    ) -> RenderedLetter {
        let key = if answers { "notice-subject" } else { "notice-subject-unasked" };
        let subject = Message::new(key).with("club", club);
        let offers = notice.offered_lines();
        let links = MailtoLinks { offers: &offers, ..*links };
        self.render_plain(to, &subject, &notice.messages(club), &links)
    }

    /// Writes a probe: a short letter that asks for nothing.
    pub(crate) fn render_probe(&self, to: &Member, club: &str) -> RenderedLetter {
        let subject = Message::new("probe-subject").with("club", club);
        let why = Message::new("probe-why").with("name", to.name.as_str());
        self.render_plain(
            to,
            &subject,
            &[why, Message::new("probe-nothing")],
            &MailtoLinks::default(),
        )
    }

    /// Writes a note to the moderator, of a sentence each about what a pass could not decide by
    /// itself.
    pub(crate) fn render_report(
        &self,
        to: &Member,
        club: &str,
        lines: &[Message],
    ) -> RenderedLetter {
        let subject = Message::new("report-subject").with("club", club).with("count", lines.len());
        self.render_plain(to, &subject, lines, &MailtoLinks::default())
    }

    /// Writes a letter of sections.
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

    fn render_plain(
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
        let taps = links.template_value((language, &People::NOBODY), &subject, &[]);
        let shell = LetterFrame { language, style: to.letters, subject: &subject };
        shell.render("notice", &preheader, context! { lines, taps })
    }
}
