//! Lines that a letter offers, in groups with headings. In HTML each is a button, which opens a
//! ready letter with the line in it.
//!
//! The caller makes the links, so this module knows neither reply tokens nor addresses. Every line
//! is also shown as text, because some mail programs open no links.

use super::library::Language;
use super::sentences::People;
use super::templates::wrap_paragraph_keeping_addresses;
use crate::rules::{Arg, Message, Suggestion};
use serde::Serialize;
use std::fmt;
use textwrap::core::display_width;

pub(crate) const OFFERS_MAX: usize = 12;

/// The maximum number of characters on a button of half a phone's width.
const SHORT_LINE_CHARS: usize = 15;

/// Makes a link that opens a new letter with a given subject and a given line as its text. Returns
/// `None` if no link is possible.
pub type LinkMaker<'a> = dyn Fn(&str, &str) -> Option<String> + Sync + 'a;

/// A line that a letter offers besides orders of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedLine {
    pub heading: Option<&'static str>,
    /// The line as the reader would write it, in the reader's language.
    pub line: Arg,
    /// Whether the line answers a question in the letter's first sentences, such as a vote. Its
    /// button is right below them.
    pub is_answer: bool,
}

/// The offered lines in one place of a letter, as the template `links.html` shows them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct OfferedLines {
    groups: Vec<OfferedGroup>,
    /// The sentence below the buttons that says how to use them. Empty if another place of the
    /// letter says it.
    how: String,
}

/// Offered lines under one heading.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfferedGroup {
    title: String,
    taps: Vec<LineButton>,
    /// Whether two buttons fit side by side on a phone.
    are_short: bool,
}

/// A button that sends a line. Without a link, it only shows the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct LineButton {
    line: String,
    link: Option<String>,
}

impl OfferedLines {
    pub(super) const fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Renders the lines as plain text of this width, except letters whose lines the reader was
    /// already told. Lines that are too long are left out, because a reader could not copy a
    /// wrapped line.
    pub(super) fn to_text(&self, width: usize, told: &[String]) -> String {
        let is_told = |letter: &str| letter.lines().all(|line| told.iter().any(|t| t == line));
        let mut text = Vec::new();
        for OfferedGroup { title, taps, .. } in &self.groups {
            let indent = if title.is_empty() { "  " } else { "    " };
            let new = taps.iter().filter(|tap| !is_told(&tap.line));
            let shown = new.flat_map(|tap| tap.line.lines()).map(|line| format!("{indent}{line}"));
            let shown: Vec<String> = shown.filter(|line| display_width(line) <= width).collect();
            if !title.is_empty() && !shown.is_empty() {
                text.push(wrap_paragraph_keeping_addresses(title, "  ", "  ", width));
            }
            text.extend(shown);
        }
        text.join("\n")
    }

    fn add(&mut self, title: String, button: LineButton) {
        let is_short = button.line.chars().count() <= SHORT_LINE_CHARS;
        match self.groups.iter_mut().find(|group| group.title == title) {
            Some(group) if group.taps.len() >= Suggestion::GROUP_MAX => {}
            Some(group) => {
                group.taps.push(button);
                group.are_short &= is_short;
            }
            None => {
                self.groups.push(OfferedGroup { title, taps: vec![button], are_short: is_short });
            }
        }
    }
}

/// The lines that a letter offers besides orders, and the function that makes their links.
#[derive(Clone, Copy, Default)]
pub struct MailtoLinks<'a> {
    /// The function that makes the links. `None` if the club recognizes only direct replies to a
    /// letter.
    pub link: Option<&'a LinkMaker<'a>>,
    /// The reader's address that the club knows. The reader must send the letters from it.
    pub reader_address: &'a str,
    pub offers: &'a [OfferedLine],
    /// The maximum number of lines in total, orders included.
    pub offers_max: usize,
}

impl fmt::Debug for MailtoLinks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, reader_address: from, offers, offers_max: most } = self;
        f.debug_tuple("Taps").field(&link.is_some()).field(from).field(offers).field(most).finish()
    }
}

impl MailtoLinks<'_> {
    /// Returns the lines that a letter with this subject offers: the answers to its questions, and
    /// the orders with all other lines. Lines besides orders take at most half of the places, and
    /// orders take the rest.
    pub(super) fn answers_and_orders(
        &self,
        (language, people): (&Language, &People<'_>),
        subject: &str,
        orders: &[Suggestion],
    ) -> [OfferedLines; 2] {
        let offers =
            self.offers.get(..self.offers.len().min(self.offers_max / 2)).unwrap_or_default();
        let room = self.offers_max.saturating_sub(offers.len());
        let say = |message: &Message| language.localizer.localize(message, people);
        let button = |line: String| {
            let link = self.link.and_then(|link| link(subject, &line));
            LineButton { line, link }
        };
        let [mut answers, mut others] = [OfferedLines::default(), OfferedLines::default()];
        for order in orders.iter().take(room) {
            others.add(say(&order.group), button(order.line.clone()));
        }
        for OfferedLine { heading, line, is_answer } in offers {
            let title = heading.map(|key| language.localizer.localize_key(key));
            let button = button(language.localizer.localize_arg(line, people));
            let place = if *is_answer { &mut answers } else { &mut others };
            place.add(title.unwrap_or_default(), button);
        }
        let last = if others.is_empty() { &mut answers } else { &mut others };
        let has_link =
            last.groups.iter().flat_map(|group| &group.taps).any(|button| button.link.is_some());
        last.how = match has_link {
            true => say(&Message::new("taps-how").with("from", self.reader_address)),
            false => language.localizer.localize_key("taps-answer"),
        };
        [answers, others]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Library;

    #[test]
    fn answers_and_orders_have_own_places() {
        let library = Library::embedded().expect("the words ship");
        let place = (library.language("en"), &People::NOBODY);
        let order = |line: &str| Suggestion { group: Message::new("you"), line: line.to_owned() };
        let orders = [order("play CO 9"), order("play CO 10"), order(&"x".repeat(80))];
        let offer = |heading, line: &str, is_answer| OfferedLine {
            heading: Some(heading),
            line: line.into(),
            is_answer,
        };
        let offers = [offer("taps-vote", "vote pause", true), offer("taps-besides", "help", false)];
        let links = MailtoLinks { offers: &offers, offers_max: 5, ..MailtoLinks::default() };
        let [answers, others] = links.answers_and_orders(place, "x", &orders);
        assert_eq!(answers.to_text(76, &[]), "  An open vote\n    vote pause");
        let text = "  you\n    play CO 9\n    play CO 10\n  More\n    help";
        assert_eq!(others.to_text(76, &[]), text, "a line that does not fit is left out");
        assert!(answers.how.is_empty() && !others.how.is_empty(), "the last place explains both");
        // The orders get the places that the other lines leave.
        let links = MailtoLinks { offers_max: 3, ..links };
        let [_, others] = links.answers_and_orders(place, "x", &orders);
        assert_eq!(others.to_text(76, &[]), "  you\n    play CO 9\n    play CO 10");
        // Without orders, the answers are the last place.
        let links = MailtoLinks { offers: &offers[..1], offers_max: 3, ..links };
        let [answers, others] = links.answers_and_orders(place, "x", &[]);
        assert!(others.is_empty() && !answers.how.is_empty());
        assert_eq!(answers.to_text(76, &["vote pause".to_owned()]), "", "the letter says it above");
    }
}
