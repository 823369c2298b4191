//! Refusals of orders: the kind, the reason and the alternatives.

use super::{Arg, Message, Seat};
use serde::{Deserialize, Serialize};

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// The line does not begin like any order of this game. It may be meant for people.
    #[serde(rename = "foreign")]
    NotAnOrder,
    /// The line begins like an order, but the rest cannot be parsed.
    Unreadable,
    /// The line is a valid order, but a rule forbids it now.
    Illegal,
}

/// The reason why an order was not carried out, with alternatives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Whether the line is no order, cannot be parsed, or is illegal.
    pub kind: RefusalKind,
    /// The reason, as the letter to the player gives it.
    pub reason: Message,
    /// The forms that can be parsed, or the legal orders.
    #[serde(rename = "instead")]
    pub(crate) alternatives: Vec<Message>,
}

/// The key of a line that the player can send back.
const LINE_TO_SEND: &str = "line-to-send";

/// The largest number of characters that a refusal quotes from a player's line.
const EXCERPT_CHARS_MAX: usize = 200;

/// Shortens a quoted text to its first 200 characters, followed by an ellipsis if there are more.
pub(crate) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(EXCERPT_CHARS_MAX) {
        Some((end, _)) => format!("{}...", text.split_at(end).0.trim_end()),
        None => text.to_owned(),
    }
}

impl Refusal {
    /// Returns a refusal of a line that begins like an order but cannot be parsed.
    pub(crate) const fn unreadable(reason: Message) -> Self {
        Self { kind: RefusalKind::Unreadable, reason, alternatives: Vec::new() }
    }

    /// Returns a refusal of a line that does not begin like any order.
    pub(crate) const fn not_an_order(reason: Message) -> Self {
        Self { kind: RefusalKind::NotAnOrder, reason, alternatives: Vec::new() }
    }

    /// Returns a refusal of an order that a rule forbids.
    pub const fn illegal(reason: Message) -> Self {
        Self { kind: RefusalKind::Illegal, reason, alternatives: Vec::new() }
    }

    /// Returns a refusal that names the seats whose turn it is.
    pub(crate) fn not_your_turn(awaited: Vec<Seat>) -> Self {
        Self::illegal(Message::new("not-your-turn").with("awaited", awaited))
    }

    pub(crate) fn game_over() -> Self {
        Self::illegal(Message::new("game-over"))
    }

    /// Adds the lines of a letter that the player can send instead, after all other alternatives.
    #[must_use]
    pub(crate) fn with_lines_to_send<'a>(self, lines: impl IntoIterator<Item = &'a str>) -> Self {
        let line = |line| Message::new(LINE_TO_SEND).with("line", line);
        lines.into_iter().map(line).fold(self, Self::with_alternative)
    }

    /// Returns the text of the letter that the player can send instead. `None` if there is none.
    pub(crate) fn letter_to_send(&self) -> Option<String> {
        let lines = self.alternatives.iter().filter(|message| message.key == LINE_TO_SEND);
        let lines = lines.filter_map(|message| match message.args.get("line") {
            Some(Arg::Text(line)) => Some(line.as_str()),
            _ => None,
        });
        let lines: Vec<&str> = lines.collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// Adds an alternative to the refusal, before all others.
    #[must_use]
    pub(crate) fn with_first_alternative(mut self, instead: Message) -> Self {
        self.alternatives.insert(0, instead);
        self
    }

    /// Adds an alternative to the refusal, after all others.
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
