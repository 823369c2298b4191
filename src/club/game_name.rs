//! Names that a game can have besides its number.
//!
//! Pure. A name appears in the subjects of letters, so it is one short word without another meaning
//! in letters. Two games may have equal names, because the number is always next to the name.

use super::LineError;
use super::command_table::{ARGUMENT_WORDS, begins_game_only_command, words_rare_in_prose};
use crate::rules::Message;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

const NAME_CHARACTERS_MIN: usize = 2;
/// The largest number of characters of a name. A longer one would fill the subject in a phone's
/// list of letters.
const NAME_CHARACTERS_MAX: usize = 12;

/// Words that occur in commands for new games, or in the subjects of letters.
const RESERVED_WORDS: [&str; 20] = [
    "and", "deadline", "first", "for", "game", "games", "last", "named", "new", "nmr", "no",
    "none", "option", "players", "press", "private", "punctual", "seat", "seats", "with",
];

/// A game's name: one word of 2 to 12 letters, such as `Lyon` or `Saint-Denis`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameName(String);

/// The error for a text that cannot be a game's name. It holds the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} cannot be a game's name: write one word of 2 to 12 letters, such as Lyon, that is not a \
     word of the orders"
)]
pub struct GameNameError(String);

impl GameName {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the name for the games of a campaign: the first word of the campaign's name. `None`
    /// if a game cannot have that name.
    pub(crate) fn from_campaign_name(name: &str) -> Option<Self> {
        name.split_whitespace().next()?.parse().ok()
    }

    /// Returns the refusal for a player who wrote this name in a letter.
    pub(crate) fn refusal_message(name: &str) -> LineError {
        Message::new("lobby-name-unread")
            .with("name", name)
            .with("least", NAME_CHARACTERS_MIN)
            .with("most", NAME_CHARACTERS_MAX)
    }
}

impl FromStr for GameName {
    type Err = GameNameError;

    fn from_str(text: &str) -> Result<Self, GameNameError> {
        let long = (NAME_CHARACTERS_MIN..=NAME_CHARACTERS_MAX).contains(&text.chars().count());
        // Unicode classifies these blanks as letters.
        const BLANKS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
        let is_letter = |c: char| c.is_alphabetic() && !BLANKS.contains(&c);
        let is_word = text
            .split(['-', '\'', '\u{2019}'])
            .all(|part| part.chars().all(is_letter) && part.starts_with(is_letter));
        if long && is_word && !is_reserved_word(&text.to_lowercase()) {
            return Ok(Self(text.to_owned()));
        }
        Err(GameNameError(text.to_owned()))
    }
}

/// Whether a word in lower case has another meaning in letters.
fn is_reserved_word(word: &str) -> bool {
    word == "postrider"
        || RESERVED_WORDS.contains(&word)
        || ARGUMENT_WORDS.contains(&word)
        || words_rare_in_prose().contains(&word)
        || begins_game_only_command(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_name_is_one_unreserved_word() {
        for name in ["Lyon", "Saint-Denis", "L'Aquila", "Пермь", "京都", "Thessaloniki", "Al"]
        {
            assert_eq!(name.parse::<GameName>().as_ref().map(GameName::as_str), Ok(name));
        }
        for name in [
            "",
            "L",
            "Johannesburgh",
            "Lyon 2",
            "Lyon2",
            "2",
            "7.2.37.aaaa",
            "Ly[on]",
            "Lyon.",
            "-Lyon",
            "a--b",
            "Ly\u{202e}on",
            "\u{1f682}\u{1f682}",
            "\u{3164}\u{3164}",
            "Postrider",
            "seats",
            "Private",
            "undo",
            "resign",
            "preview",
        ] {
            assert!(name.parse::<GameName>().is_err(), "{name}");
        }
        let of = |name| GameName::from_campaign_name(name).map(|name| name.0);
        assert_eq!(of("Spring 2026").as_deref(), Some("Spring"));
        assert_eq!((of("2026"), of(""), of("Private Open")), (None, None, None));
    }
}
