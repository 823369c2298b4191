//! Several letters about games as one, for a reader who wants that.
//!
//! May not know how a reply finds its game, only what the reader is shown of it.

use super::game_letter::LetterFrame;
use super::library::Library;
use super::{RenderedLetter, subject};
use crate::club::Member;
use crate::rules::Message;
use chrono::{DateTime, Utc};
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;

/// Several games, before they are one letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle<'a> {
    /// The club's name.
    pub club: &'a str,
    /// Who reads it.
    pub reader: &'a Member,
    /// Whether a mark in the subject says which game is answered, and not an address.
    pub token_in_subject: bool,
    /// When it is written, and until when there is time for the first of its games that waits.
    pub written_and_due: (DateTime<Utc>, Option<DateTime<Utc>>),
    /// The games, at least one; a plain reply goes to the first.
    pub games: &'a [BundledGame<'a>],
}

/// A game in such a letter.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BundledGame<'a> {
    /// Its name, number and kind, as in the subjects of its own letters.
    pub(crate) title: &'a str,
    /// Whether it waits for the reader.
    pub waits: bool,
    /// The address to answer it, or what the subject must carry: for the text alone.
    pub(crate) reply: &'a str,
    /// The same as a link; none where links carry no mark.
    pub(crate) link: Option<&'a str>,
    /// Its letters' texts, oldest first.
    pub(crate) texts: Vec<&'a str>,
    /// The same as HTML.
    pub(crate) htmls: Vec<&'a str>,
    /// The Content-ID of the picture of its board, and what stands for it; none without one.
    pub(crate) picture: Option<(&'a str, &'a str)>,
}

impl Library {
    /// Writes one letter about several games. It is HTML too if the reader wants that, all of its
    /// parts are, and each game has a link by which it is answered: HTML shows no mark, and all but
    /// the first game are answered by nothing else.
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
            language.localize(&subject::with_deadline(subject, bundle.reader, written, due));
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
            how => language.localizer.term(how),
            answer => language.localizer.term("bundle-answer-taps"),
            games => Serde(bundle.games),
            footer => [language.localizer.term("footer-how")],
        };
        let is_whole =
            |game: &BundledGame<'_>| game.htmls.len() == game.texts.len() && game.link.is_some();
        let mut style = bundle.reader.letters;
        style.html &= bundle.games.iter().all(is_whole);
        LetterFrame { language, style, subject: &subject }.render("bundle", &lead, context)
    }
}
