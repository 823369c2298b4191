//! What a letter offers to be sent by a tap: lines under headings, each with a link.
//!
//! May not know what stands in a link, nor what proves who follows it: links are made by who knows
//! the way back. A line is shown as text whatever becomes of its link, as a program that opens none
//! does nothing.

use super::library::Language;
use super::words::People;
use crate::rules::{Arg, Message, Suggestion};
use serde::Serialize;
use std::fmt;

/// As many lines as one letter offers.
pub(crate) const OFFERS_MAX: usize = 12;

/// As many characters stand on a button that has half of a phone's width.
const SHORT: usize = 15;

/// Makes the link that opens a letter with this subject, of which this line is all that is written;
/// none when there can be none.
pub type LinkMaker<'a> = dyn Fn(&str, &str) -> Option<String> + Sync + 'a;

/// A line that is worth a tap, besides the orders of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The heading that it stands under, by its key; none for what needs no heading.
    pub heading: Option<&'static str>,
    /// The line, in the reader's language.
    pub line: Arg,
}

/// What a letter offers, and how it comes back.
#[derive(Clone, Copy, Default)]
pub struct Taps<'a> {
    /// Makes the links; none where nothing but an answer to the letter itself is known again.
    pub link: Option<&'a LinkMaker<'a>>,
    /// The address from which the reader is known.
    pub from: &'a str,
    /// What is offered besides orders.
    pub offers: &'a [Offer],
    /// How many lines are offered at most, all together.
    pub most: usize,
}

impl fmt::Debug for Taps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { link, from, offers, most } = self;
        f.debug_tuple("Taps").field(&link.is_some()).field(from).field(offers).field(most).finish()
    }
}

/// What a template shows of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Tappable {
    /// What a button does, or what is to be done where there is none.
    how: String,
    groups: Vec<Group>,
}

#[derive(Clone, Debug, Serialize)]
struct Group {
    title: String,
    taps: Vec<Tap>,
    /// Whether two of its lines stand side by side on a phone.
    are_short: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Tap {
    line: String,
    link: Option<String>,
}

impl Taps<'_> {
    /// What a letter with this subject shows of these orders and of what else is offered; none when
    /// that is nothing. Orders give way to what else there is.
    pub(super) fn shown(
        &self,
        (language, people): (&Language, &People<'_>),
        subject: &str,
        orders: &[Suggestion],
    ) -> Option<Tappable> {
        let offers = self.offers.get(..self.offers.len().min(self.most / 2)).unwrap_or_default();
        let room = self.most.saturating_sub(offers.len());
        let say = |message: &Message| language.words.say(message, people);
        let orders = orders.iter().take(room);
        let orders = orders.map(|order| (say(&order.group), order.line.clone()));
        let heading = |key: Option<&str>| key.map(|key| language.words.term(key));
        let offers = offers.iter().map(|offer| {
            (heading(offer.heading).unwrap_or_default(), language.words.word(&offer.line, people))
        });
        let mut groups: Vec<Group> = Vec::new();
        for (title, line) in orders.chain(offers) {
            let link = self.link.and_then(|link| link(subject, &line));
            let tap = Tap { line, link };
            match groups.iter_mut().find(|group| group.title == title) {
                Some(group) if group.taps.len() >= Suggestion::GROUP_MAX => {}
                Some(group) => group.taps.push(tap),
                None => groups.push(Group { title, taps: vec![tap], are_short: true }),
            }
        }
        for group in &mut groups {
            group.are_short = group.taps.iter().all(|tap| tap.line.chars().count() <= SHORT);
        }
        let is_link = groups.iter().flat_map(|group| &group.taps).any(|tap| tap.link.is_some());
        let how = match is_link {
            true => Message::new("taps-how").with("from", self.from),
            false => Message::new("taps-answer"),
        };
        (!groups.is_empty()).then(|| Tappable { how: say(&how), groups })
    }
}

impl Tappable {
    /// One of every kind, to try templates on.
    pub(super) fn trial() -> Self {
        let tap = |link: Option<&str>| Tap { line: "x".to_owned(), link: link.map(str::to_owned) };
        let taps = vec![tap(Some("x")), tap(None)];
        let group =
            |title: &str| Group { title: title.to_owned(), taps: taps.clone(), are_short: true };
        Self { how: "x".to_owned(), groups: vec![group("x"), group("")] }
    }
}
