//! What a letter offers to be sent by a tap: lines under headings, each with a link.
//!
//! May not know what stands in a link, nor what proves who follows it: links are made by who knows
//! the way back. A line is shown as text whatever becomes of its link, as a program that opens none
//! does nothing.

use super::library::Language;
use super::sentences::People;
use crate::rules::{Arg, Message, Suggestion};
use minijinja::{Value, context};
use std::fmt;

/// As many lines as one letter offers.
pub(crate) const OFFERS_MAX: usize = 12;

/// As many characters stand on a button that has half of a phone's width.
const SHORT_LINE_CHARS: usize = 15;

/// Makes the link that opens a letter with this subject, of which this line is all that is written;
/// none when there can be none.
pub type LinkMaker<'a> = dyn Fn(&str, &str) -> Option<String> + Sync + 'a;

/// A line that is worth a tap, besides the orders of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedLine {
    /// The heading that it stands under, by its key; none for what needs no heading.
    pub heading: Option<&'static str>,
    /// The line, in the reader's language.
    pub line: Arg,
}

/// What a letter offers, and how it comes back.
#[derive(Clone, Copy, Default)]
pub struct MailtoLinks<'a> {
    /// Makes the links; none where nothing but an answer to the letter itself is known again.
    pub link: Option<&'a LinkMaker<'a>>,
    /// The address from which the reader is known.
    pub reader_address: &'a str,
    /// What is offered besides orders.
    pub offers: &'a [OfferedLine],
    /// How many lines are offered at most, all together.
    pub offers_max: usize,
}

impl fmt::Debug for MailtoLinks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, reader_address: from, offers, offers_max: most } = self;
        f.debug_tuple("Taps").field(&link.is_some()).field(from).field(offers).field(most).finish()
    }
}

impl MailtoLinks<'_> {
    /// Returns the orders and the other offers that a letter with this subject shows, for the
    /// template `links.html`, or `None` if there are none. Other offers take at most half of the
    /// places, and orders take the rest.
    pub(super) fn template_value(
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
        let heading = |key: Option<&str>| key.map(|key| language.localizer.term(key));
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
        let group = |(title, taps, widest)| context! { title, taps, are_short => widest <= SHORT_LINE_CHARS };
        let groups: Vec<Value> = groups.into_iter().map(group).collect();
        (!groups.is_empty()).then(|| context! { how => say(&how), groups })
    }
}
