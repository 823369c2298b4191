//! The rules for messages between the players of a game. They are fixed when the game is founded.

use super::PressMessage;
use crate::rules::Message;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The recipients that messages between players may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PressScope {
    /// No messages between players are allowed.
    None,
    /// Only messages to all players are allowed.
    Public,
    /// Messages to all players and to some of them are allowed.
    #[default]
    All,
}

/// The rules for messages in a game. Default: all messages are allowed, with the author's name, and
/// the moderator does not read private ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressTerms {
    #[serde(default)]
    pub(crate) allowed: PressScope,
    /// Whether authors may hide their names.
    #[serde(default)]
    pub(crate) anonymous: bool,
    /// Whether the moderator reads private messages.
    #[serde(default)]
    pub(crate) moderator_reads: bool,
}

/// The error for a text that is not press terms. It holds the word that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: press must be none, public or all, and optionally anonymous and moderator-reads")]
pub struct PressTermsError(pub String);

impl PressTerms {
    /// Checks that the terms allow a message.
    pub(crate) fn check_message(&self, press: &PressMessage) -> Result<(), Message> {
        Err(match self.allowed {
            PressScope::None => Message::new("talk-none"),
            PressScope::Public if !press.recipients.is_empty() => Message::new("talk-public-only"),
            _ if press.anonymous && !self.anonymous => Message::new("talk-signed-only"),
            _ => return Ok(()),
        })
    }

    /// Returns the sentences about the terms for the first letter of a game. Default terms are not
    /// mentioned.
    pub(crate) fn describe(&self) -> Vec<Message> {
        let mut words = Vec::new();
        match self.allowed {
            PressScope::None => words.push(Message::new("talk-none")),
            PressScope::Public => words.push(Message::new("talk-public-only")),
            PressScope::All => {}
        }
        if self.anonymous && self.allowed != PressScope::None {
            words.push(Message::new("talk-terms-anonymous"));
        }
        if self.moderator_reads && self.allowed == PressScope::All {
            words.push(Message::new("talk-terms-moderator"));
        }
        words
    }
}

/// Writes the form that [`PressTerms::from_str`] parses: `all`, `public anonymous`, `all
/// moderator-reads`.
impl fmt::Display for PressTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.allowed {
            PressScope::None => "none",
            PressScope::Public => "public",
            PressScope::All => "all",
        })?;
        f.write_str(if self.anonymous { " anonymous" } else { "" })?;
        f.write_str(if self.moderator_reads { " moderator-reads" } else { "" })
    }
}

impl FromStr for PressTerms {
    type Err = PressTermsError;

    /// Parses press terms, as words in any order. Terms that are not named have their defaults.
    fn from_str(text: &str) -> Result<Self, PressTermsError> {
        let mut terms = Self::default();
        let words = text.split(|c: char| c.is_whitespace() || c == ',');
        for word in words.filter(|word| !word.is_empty()) {
            match word.to_lowercase().as_str() {
                "none" => terms.allowed = PressScope::None,
                "public" => terms.allowed = PressScope::Public,
                "all" => terms.allowed = PressScope::All,
                "anonymous" => terms.anonymous = true,
                "moderator-reads" | "moderator_reads" => terms.moderator_reads = true,
                _ => return Err(PressTermsError(word.to_owned())),
            }
        }
        Ok(terms)
    }
}
