//! Lines that a letter's HTML offers to send with one tap, in groups with headings. A tap opens a
//! ready letter with the line in it.
//!
//! The caller makes the links, so this module knows neither reply tokens nor addresses. Every line
//! is also shown as text, because some mail programs open no links.

use super::library::Language;
use super::sentences::People;
use crate::rules::{Arg, Message, Suggestion};
use minijinja::{Value, context};
use std::fmt;

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
    /// Returns the orders and the other offers that a letter with this subject shows, as data for
    /// the template `links.html`. Returns `None` if there are none. Other offers take at most half
    /// of the places, and orders take the rest.
    pub(super) fn offered_lines_value(
        &self,
        (language, people): (&Language, &People<'_>),
        subject: &str,
        orders: &[Suggestion],
    ) -> Option<Value> {
        let offers =
            self.offers.get(..self.offers.len().min(self.offers_max / 2)).unwrap_or_default();
        let room = self.offers_max.saturating_sub(offers.len());
        let say = |message: &Message| language.localizer.localize(message, people);
        let orders = orders.iter().take(room);
        let orders = orders.map(|order| (say(&order.group), order.line.clone()));
        let heading = |key: Option<&str>| key.map(|key| language.localizer.localize_key(key));
        let offers = offers.iter().map(|offer| {
            (
                heading(offer.heading).unwrap_or_default(),
                language.localizer.localize_arg(&offer.line, people),
            )
        });
        let mut groups: Vec<(String, Vec<Value>, usize)> = Vec::new();
        let mut is_link = false;
        for (title, line) in orders.chain(offers) {
            let link = self.link.and_then(|link| link(subject, &line));
            is_link |= link.is_some();
            let (width, tap) = (line.chars().count(), context! { line, link });
            match groups.iter_mut().find(|(other, ..)| *other == title) {
                Some((_, taps, _)) if taps.len() >= Suggestion::GROUP_MAX => {}
                Some((_, taps, widest)) => {
                    taps.push(tap);
                    *widest = width.max(*widest);
                }
                None => groups.push((title, vec![tap], width)),
            }
        }
        let how = match is_link {
            true => Message::new("taps-how").with("from", self.reader_address),
            false => Message::new("taps-answer"),
        };
        let group = |(title, taps, widest)| {
            context! { title, taps, are_short => widest <= SHORT_LINE_CHARS }
        };
        let groups: Vec<Value> = groups.into_iter().map(group).collect();
        (!groups.is_empty()).then(|| context! { how => say(&how), groups })
    }
}
