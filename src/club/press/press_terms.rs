//! What may be said in a game, as it was settled when the game was founded.

use super::PressMessage;
use crate::rules::Message;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// To whom players may speak through the club.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PressScope {
    /// Nothing may be said to other players.
    None,
    /// To all at once.
    Public,
    /// To all, or to some in private.
    #[default]
    All,
}

/// The terms of a game's press.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PressTerms {
    /// To whom players may speak.
    #[serde(default)]
    pub(crate) allowed: PressScope,
    /// Whether they may keep their names back.
    #[serde(default)]
    pub(crate) anonymous: bool,
    /// Whether the moderator reads what is said in private.
    #[serde(default)]
    pub(crate) moderator_reads: bool,
}

/// Words that are no terms of press.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: press is none, public or all, and perhaps anonymous and moderator-reads")]
pub struct PressTermsError(pub String);

impl PressTerms {
    /// Whether this may be said.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn check_message(&self, press: &PressMessage) -> Result<(), Message> {
        Err(match self.allowed {
            PressScope::None => Message::new("talk-none"),
            PressScope::Public if !press.recipients.is_empty() => Message::new("talk-public-only"),
            _ if press.anonymous && !self.anonymous => Message::new("talk-signed-only"),
            _ => return Ok(()),
        })
    }

    /// What the first letter of a game says of its terms; nothing of the usual ones.
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

/// As [`PressTerms::from_str`] reads them: `all`, `public anonymous`, `all moderator-reads`.
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

    /// Words in any order; what is not named is as usual.
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
