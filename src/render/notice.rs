//! Letters that are about no game: to strangers, to members whose letter named no game, and to the
//! moderator.

use super::Rendered;
use super::library::Library;
use super::links::{Offer, Taps};
use super::shell::Shell;
use super::words::People;
use crate::club::Member;
use crate::rules::{Arg, Message};
use minijinja::context;
use minijinja::value::Serde;
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
                let head = Message::new("notice-no-game");
                let named = games.iter();
                let named =
                    named.map(|game| Message::new("notice-game").with("game", game.as_str()));
                let lobby = Message::new("notice-lobby");
                std::iter::once(head).chain(named).chain([lobby]).collect()
            }
            Self::Said(words) | Self::Offering { words, .. } => words.clone(),
            Self::BadToken => vec![Message::new("notice-bad-token")],
            Self::TooMany => vec![Message::new("notice-too-many")],
            Self::TooManyRefused => vec![Message::new("notice-too-many-refused")],
        }
    }

    /// The lines that it offers to be sent by a tap.
    fn offers(&self) -> Vec<Offer> {
        let lines = match self {
            Self::Offering { lines, .. } => lines.clone(),
            Self::NoGame { .. } => vec![Arg::Term("line-games"), Arg::Term("line-help")],
            _ => Vec::new(),
        };
        lines.into_iter().map(|line| Offer { heading: None, line }).collect()
    }
}

impl Library {
    /// Writes a letter that is about no game, in answer to one or unasked. It quotes nothing of
    /// what it answers. `taps` says how what it offers comes back.
    pub(crate) fn notice(
        &self,
        to: &Member,
        club: &str,
        notice: &Notice,
        answers: bool,
        taps: &Taps<'_>,
    ) -> Rendered {
        let key = if answers { "notice-subject" } else { "notice-subject-unasked" };
        let subject = Message::new(key).with("club", club);
        let offers = notice.offers();
        let taps = Taps { offers: &offers, ..*taps };
        self.plain(to, &subject, &notice.messages(club), &taps)
    }

    /// Writes a probe: a short letter that asks for nothing.
    pub(crate) fn probe(&self, to: &Member, club: &str) -> Rendered {
        let subject = Message::new("probe-subject").with("club", club);
        let why = Message::new("probe-why").with("name", to.name.as_str());
        self.plain(to, &subject, &[why, Message::new("probe-nothing")], &Taps::default())
    }

    /// Writes a note to the moderator, of a sentence each about what a pass could not decide by
    /// itself.
    pub(crate) fn report(&self, to: &Member, club: &str, lines: &[Message]) -> Rendered {
        let subject = Message::new("report-subject").with("club", club).with("count", lines.len());
        self.plain(to, &subject, lines, &Taps::default())
    }

    fn plain(
        &self,
        to: &Member,
        subject: &Message,
        messages: &[Message],
        taps: &Taps<'_>,
    ) -> Rendered {
        let language = self.language(&to.language);
        let say = |message: &Message| language.words.say(message, &People::NOBODY);
        let lines: Vec<String> = messages.iter().map(say).collect();
        let subject = say(subject);
        let shell = Shell { language, style: to.letters, subject: &subject };
        let preheader = lines.first().cloned().unwrap_or_default();
        let taps = Serde(taps.shown((language, &People::NOBODY), &subject, &[]));
        let context = context! { lines, taps, ..shell.context(&preheader) };
        let (text, html) = shell.fill("notice", &context);
        Rendered { subject, text, html, pictures: Vec::new() }
    }
}
