//! The time within which a player may take back their last orders, and the parser for the lines
//! that do so.
//!
//! Pure. The table decides which orders can be taken back.

use super::clock::Length;
use crate::rules::Message;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The longest undo time, in minutes. It is limited because the next player must wait for it.
const UNDO_MINUTES_MAX: i64 = 24 * 60;

/// The time after orders within which the player may take them back. Default: 60 minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum UndoTerm {
    Within(Length),
    Off,
}

/// A text that is not an undo term.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a time limit for undo: write off, or a time up to a day, such as 1 hour")]
pub struct UndoTermError(String);

impl Default for UndoTerm {
    fn default() -> Self {
        Self::Within(Length::Minutes(60))
    }
}

impl UndoTerm {
    /// Returns the longest age of orders that can be undone. `None` if undo is off.
    pub(crate) fn time_limit(self) -> Option<TimeDelta> {
        match self {
            Self::Within(length) => Some(length.to_time_delta()),
            Self::Off => None,
        }
    }

    /// Returns the refusal for a player who takes back orders that are too old.
    pub(crate) fn too_late_message(self) -> Message {
        match self {
            Self::Within(length) => Message::new("undo-late").with("time", length.describe()),
            Self::Off => Message::new("undo-off"),
        }
    }

    /// Returns the message about this term for players. `None` for the default, which is not
    /// mentioned.
    pub(crate) fn describe(self) -> Option<Message> {
        match self {
            usual if usual == Self::default() => None,
            Self::Within(length) => Some(Message::new("undo-term").with("time", length.describe())),
            Self::Off => Some(Message::new("undo-term-off")),
        }
    }
}

impl FromStr for UndoTerm {
    type Err = UndoTermError;

    fn from_str(text: &str) -> Result<Self, UndoTermError> {
        if matches!(text.trim().to_lowercase().as_str(), "off" | "none" | "never") {
            return Ok(Self::Off);
        }
        let length = Length::parse(text).ok();
        let length =
            length.filter(|length| length.to_time_delta() <= TimeDelta::minutes(UNDO_MINUTES_MAX));
        length.map(Self::Within).ok_or_else(|| UndoTermError(text.to_owned()))
    }
}

impl TryFrom<String> for UndoTerm {
    type Error = UndoTermError;

    fn try_from(text: String) -> Result<Self, UndoTermError> {
        text.parse()
    }
}

impl From<UndoTerm> for String {
    fn from(term: UndoTerm) -> Self {
        term.to_string()
    }
}

impl fmt::Display for UndoTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Within(length) => write!(f, "{length}"),
            Self::Off => f.write_str("off"),
        }
    }
}

/// Whether a line asks to take back the sender's last orders, such as "undo" or "sorry, please take
/// that back".
pub(crate) fn is_undo_request(line: &str) -> bool {
    const FILLER_WORDS: [&str; 21] = [
        "please", "pls", "my", "the", "that", "this", "it", "last", "move", "moves", "order",
        "orders", "turn", "letter", "back", "sorry", "oops", "thanks", "thank", "you", "thx",
    ];
    let line = line.to_lowercase();
    // A question whether undo is possible is not yet a request.
    if line.trim_end().ends_with('?') {
        return false;
    }
    let words: Vec<&str> =
        line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_verb = |word: &&str| !["please", "pls", "sorry", "oops", "ok"].contains(word);
    let verb = words.iter().position(is_verb).unwrap_or_default();
    let words = words.get(verb..).unwrap_or_default();
    match words {
        ["undo", rest @ ..] => rest.iter().all(|word| FILLER_WORDS.contains(word)),
        ["take", rest @ ..] => {
            rest.contains(&"back") && rest.iter().all(|word| FILLER_WORDS.contains(word))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undo_term_parses_up_to_one_day() {
        let read = |text: &str| text.parse::<UndoTerm>();
        assert_eq!(read("1 hour"), Ok(UndoTerm::default()));
        assert_eq!(read("2h").map(|term| term.to_string()), Ok("2 hours".to_owned()));
        assert_eq!(read(" Off "), Ok(UndoTerm::Off));
        assert!(read("25 hours").is_err() && read("2 days").is_err() && read("soon").is_err());
        let kept = |term| serde_json::to_string(&term).expect("a form");
        assert_eq!(kept(UndoTerm::Off), "\"off\"");
        assert_eq!(kept(UndoTerm::default()), "\"1 hour\"");
    }

    #[test]
    fn undo_requests_are_distinguished_from_orders() {
        for line in [
            "undo",
            "Undo!",
            "undo my last move",
            "please undo that",
            "take it back.",
            "undo, sorry!",
        ] {
            assert!(is_undo_request(line), "{line}");
        }
        for line in ["undo?", "undone", "undo G25", "take red", "back", "take PRR back to start"] {
            assert!(!is_undo_request(line), "{line}");
        }
    }
}
