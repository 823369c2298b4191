//! Renders one letter from the letters about several games, for a member who wants digests.
//!
//! This module does not know how a reply finds its game. The caller passes the reply addresses and
//! links.

use super::game_letter::LetterFrame;
use super::library::Library;
use super::{RenderedLetter, subject};
use crate::club::Member;
use crate::rules::Message;
use chrono::{DateTime, Utc};
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

/// The content of a letter about several games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle<'a> {
    pub club: &'a str,
    /// The member who gets the letter.
    pub reader: &'a Member,
    /// Whether the reply token is in the subject instead of in the reply address. That is so if the
    /// club's mail server has no plus addressing.
    pub token_in_subject: bool,
    /// The time at which the letter was queued, and the earliest deadline among the games that wait
    /// for the reader.
    pub written_and_due: (DateTime<Utc>, Option<DateTime<Utc>>),
    /// The games, at least one. A plain reply to the letter goes to the first game.
    pub games: &'a [BundledGame<'a>],
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct BundledGame<'a> {
    /// The game's name, number and kind, as in the subjects of its own letters.
    pub(crate) title: &'a str,
    /// The subject of the game's newest letter, which the list of games shows.
    pub(crate) subject: &'a str,
    /// Whether it is the reader's turn in this game.
    pub waits: bool,
    /// The address for an answer about this game, or the tag that the subject of an answer must
    /// contain. Only the plain text shows it.
    pub(crate) reply: &'a str,
    /// The link that opens an answer about this game. `None` if links may not contain the reply
    /// token.
    pub(crate) link: Option<&'a str>,
    /// The plain texts of the game's letters, oldest first.
    pub(crate) texts: Vec<&'a str>,
    pub(crate) htmls: Vec<&'a str>,
    /// Always `None`. Earlier versions of `bundle.html` showed a picture here, and a club may have
    /// its own copy.
    pub(crate) picture: Option<&'a str>,
}

impl Library {
    /// Renders one letter about several games. The letter has HTML only if the reader wants HTML,
    /// every part has HTML, and every game has an answer link. HTML shows no reply token, so in
    /// HTML the link is the only means to answer any game but the first.
    pub(crate) fn render_bundle(&self, bundle: &Bundle<'_>) -> RenderedLetter {
        let language = self.language(&bundle.reader.language);
        let waiting = bundle.games.iter().filter(|game| game.waits).count();
        let counted =
            |key| Message::new(key).with("count", bundle.games.len()).with("waiting", waiting);
        let key =
            if bundle.reader.letters.steady_subjects { "bundle-steady" } else { "bundle-subject" };
        let (written, due) = bundle.written_and_due;
        let subject = counted(key).with("club", bundle.club);
        let subject =
            language.localize(&subject::add_deadline(subject, bundle.reader, written, due));
        let first = bundle.games.first().map(|game| game.title).unwrap_or_default();
        let (plain, how) = match bundle.token_in_subject {
            true => ("bundle-plain-tag", "bundle-answer-tag"),
            false => ("bundle-plain", "bundle-answer"),
        };
        let of_first = |key| language.localize(&Message::new(key).with("game", first));
        let lead = language.localize(&counted("bundle-lead"));
        let context = context! {
            lead => &lead,
            plain => of_first(plain),
            plain_taps => of_first("bundle-plain-taps"),
            how => language.localizer.localize_key(how),
            answer => language.localizer.localize_key("bundle-answer-taps"),
            games => Serde(bundle.games),
            footer => [language.localizer.localize_key("footer-how")],
        };
        let is_whole =
            |game: &BundledGame<'_>| game.htmls.len() == game.texts.len() && game.link.is_some();
        let mut style = bundle.reader.letters;
        style.html &= bundle.games.iter().all(is_whole);
        LetterFrame { language, style, subject: &subject }.render("bundle", &lead, context)
    }
}
