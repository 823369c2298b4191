//! "No", with its reason, and what to do instead.

use super::{Message, Seat};
use serde::{Deserialize, Serialize};

/// Which kind of "no".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The line does not begin like any order of this game: it may be meant for people.
    #[serde(rename = "foreign")]
    NotAnOrder,
    /// The line begins like an order and goes on otherwise.
    Unreadable,
    /// The line is an order, and a rule forbids it now.
    Illegal,
}

/// Why an order was not carried out, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Which kind of "no".
    pub kind: RefusalKind,
    /// Why, as the player is told it.
    pub reason: Message,
    /// What would be read, or what is legal.
    #[serde(rename = "instead")]
    pub(crate) alternatives: Vec<Message>,
}

/// The most characters that a refusal quotes of what a player wrote.
const EXCERPT_CHARS_MAX: usize = 200;

/// Returns a text as a refusal quotes it: its first 200 characters, and an ellipsis if there are
/// more.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}...", text.split_at(end).0.trim_end()),
        None => text.to_owned(),
    }
}

impl Refusal {
    /// The line could not be read.
    pub(crate) const fn unreadable(reason: Message) -> Self {
        Self { kind: RefusalKind::Unreadable, reason, alternatives: Vec::new() }
    }

    /// The line does not begin like any order.
    pub(crate) const fn not_an_order(reason: Message) -> Self {
        Self { kind: RefusalKind::NotAnOrder, reason, alternatives: Vec::new() }
    }

    /// A rule forbids it.
    pub const fn illegal(reason: Message) -> Self {
        Self { kind: RefusalKind::Illegal, reason, alternatives: Vec::new() }
    }

    /// It is not the turn of who wrote it, but of these.
    pub(crate) fn not_your_turn(awaited: Vec<Seat>) -> Self {
        Self::illegal(Message::new("not-your-turn").with("awaited", awaited))
    }

    /// Nothing can be ordered any more.
    pub(crate) fn game_over() -> Self {
        Self::illegal(Message::new("game-over"))
    }

    /// The same refusal with this before all else that the player could do.
    #[must_use]
    pub(crate) fn with_first_alternative(mut self, instead: Message) -> Self {
        self.alternatives.insert(0, instead);
        self
    }

    /// The same refusal with one more thing that the player could do.
    #[must_use]
    pub(crate) fn with_alternative(mut self, instead: Message) -> Self {
        self.alternatives.push(instead);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_ends_between_characters() {
        assert_eq!(excerpt("build red G23"), "build red G23");
        assert_eq!(excerpt(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(excerpt(&"é".repeat(201)), "é".repeat(200) + "...");
    }
}
