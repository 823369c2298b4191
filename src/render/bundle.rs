//! Several letters about games as one, for a reader who wants that.
//!
//! May not know how a reply finds its game, only what the reader is shown of it.

use super::Rendered;
use super::library::{Language, Library, TemplateFault};
use super::words::People;
use crate::club::{Colours, Member};
use crate::rules::Message;
use minijinja::value::Serde;
use minijinja::{Value, context};
use serde::Serialize;

/// Several games, before they are one letter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bundle<'a> {
    /// The club's name.
    pub club: &'a str,
    /// Who reads it.
    pub reader: &'a Member,
    /// What the subject must carry where the club's address takes no token.
    pub subject_tag: Option<&'a str>,
    /// The games, at least one; a plain reply goes to the first.
    pub games: &'a [BundledGame<'a>],
}

/// A game in such a letter.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BundledGame<'a> {
    /// Its name and number, as in the subject of its own letters.
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
    pub(crate) fn bundle(&self, bundle: &Bundle<'_>) -> Rendered {
        let language = self.language(&bundle.reader.language);
        let say = |message: &Message| language.words.say(message, &People::NOBODY);
        let waiting = bundle.games.iter().filter(|game| game.waits).count();
        let counted =
            |key| Message::new(key).with("count", bundle.games.len()).with("waiting", waiting);
        let subject = say(&counted("bundle-subject").with("club", bundle.club));
        let first = bundle.games.first().map(|game| game.title).unwrap_or_default();
        let (plain, how) = if bundle.subject_tag.is_some() {
            (Message::new("bundle-plain-tag"), Message::new("bundle-answer-tag"))
        } else {
            (Message::new("bundle-plain"), Message::new("bundle-answer"))
        };
        let context = context! {
            marker => language.words.term("marker"),
            subject => &subject,
            lead => say(&counted("bundle-lead")),
            plain => say(&plain.with("game", first)),
            plain_taps => say(&Message::new("bundle-plain-taps").with("game", first)),
            how => say(&how),
            answer => language.words.term("bundle-answer-taps"),
            games => Serde(bundle.games),
            colours => bundle.reader.letters.colours.word(),
            footer => [language.words.term("footer-how")],
        };
        let text = language.fill("bundle.txt", &context);
        let is_whole =
            |game: &BundledGame<'_>| game.htmls.len() == game.texts.len() && game.link.is_some();
        let whole = bundle.games.iter().all(is_whole);
        let html = bundle.reader.letters.html && whole;
        let html = html.then(|| language.fill("bundle.html", &context));
        let subject = match bundle.subject_tag {
            Some(tag) => format!("{subject} {tag}"),
            None => subject,
        };
        Rendered { subject, text, html, pictures: Vec::new() }
    }
}

/// Fills the templates of such letters, and lets none of them fail.
pub(super) fn try_templates(language: &Language, letter: &Value) -> Result<(), TemplateFault> {
    language.try_fill("letter-part.txt", letter)?;
    language.try_fill("letter-part.html", letter)?;
    let (texts, htmls) = (vec!["x"], vec!["x"]);
    let picture = Some(("x", "x"));
    let game =
        BundledGame { title: "x", waits: true, reply: "x", link: Some("x"), texts, htmls, picture };
    for colours in Colours::ALL {
        let context = context! {
            marker => "",
            subject => "",
            lead => "x",
            plain => "x",
            plain_taps => "x",
            how => "x",
            answer => "x",
            games => Serde([&game, &game]),
            colours => colours.word(),
            footer => ["x"],
        };
        language.try_fill("bundle.txt", &context)?;
        language.try_fill("bundle.html", &context)?;
    }
    Ok(())
}
