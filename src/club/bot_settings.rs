//! The settings for bots, which are computer players, and the parser for the words that name them.
//!
//! Pure. `rules` chooses a bot's orders, and `process` carries them out.

use super::setting_command::LineError;
use crate::rules::{BotLevel, Message};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The section `bots` of `club.yaml`: `off`, or a limit. Default: 10 seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BotSection", into = "BotSection")]
pub struct BotSettings {
    /// Whether players may ask for bots. Games that have bots already go on.
    pub(crate) are_allowed: bool,
    /// The time in which the bots of a pass may think. Each pass makes at least one decision.
    pub(crate) time_per_pass: Duration,
}

/// The two forms of the section in the file.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum BotSection {
    Limit(BotLimit),
    Word(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BotLimit {
    seconds_per_pass: u32,
}

/// A section `bots` that has neither of its forms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write bots: off, or bots: {{seconds_per_pass: 10}}")]
pub struct BotSettingsError;

impl Default for BotSettings {
    fn default() -> Self {
        Self { are_allowed: true, time_per_pass: Duration::from_secs(10) }
    }
}

impl TryFrom<BotSection> for BotSettings {
    type Error = BotSettingsError;

    fn try_from(section: BotSection) -> Result<Self, BotSettingsError> {
        match section {
            BotSection::Word(word) if word == "off" => {
                Ok(Self { are_allowed: false, ..Self::default() })
            }
            BotSection::Limit(BotLimit { seconds_per_pass }) => {
                let time_per_pass = Duration::from_secs(seconds_per_pass.into());
                Ok(Self { time_per_pass, ..Self::default() })
            }
            BotSection::Word(_) => Err(BotSettingsError),
        }
    }
}

impl From<BotSettings> for BotSection {
    fn from(settings: BotSettings) -> Self {
        let seconds = u32::try_from(settings.time_per_pass.as_secs()).unwrap_or(u32::MAX);
        match settings.are_allowed {
            true => Self::Limit(BotLimit { seconds_per_pass: seconds }),
            false => Self::Word("off".to_owned()),
        }
    }
}

impl BotSettings {
    /// Checks that players may ask for bots.
    ///
    /// # Errors
    /// The refusal if `club.yaml` turns bots off.
    pub(crate) fn require_allowed(self) -> Result<(), Message> {
        if self.are_allowed { Ok(()) } else { Err(Message::new("bots-off")) }
    }
}

/// The most bots that one line can ask for.
const BOTS_PER_LINE_MAX: u8 = 12;

/// Parses bots, such as `2 fair`, `strong` or `2`: the words behind `bots` or `bot`. Adds one level
/// for each bot. The default is one bot, and the level `fair`. Returns the number of words used.
pub(crate) fn parse_bot_levels(
    words: &[&str],
    into: &mut Vec<BotLevel>,
) -> Result<usize, LineError> {
    let word = |index: usize| words.get(index).map(|word| word.trim_end_matches([',', '.']));
    let count = word(0).and_then(|word| word.parse::<u8>().ok());
    let counted = usize::from(count.is_some());
    let level = word(counted).and_then(|word| word.to_lowercase().parse::<BotLevel>().ok());
    let (count, used) = (count.unwrap_or(1), counted + usize::from(level.is_some()));
    let room = usize::from(BOTS_PER_LINE_MAX).saturating_sub(into.len());
    // A word behind the number that is no level, but also no other term, is a mistyped level.
    let is_unread = used == 0 || count == 0 || usize::from(count) > room;
    if is_unread {
        return Err(bots_unread_message());
    }
    into.extend(std::iter::repeat_n(level.unwrap_or(BotLevel::Fair), count.into()));
    Ok(used)
}

/// Returns the sentence that shows how to ask for bots.
pub(crate) fn bots_unread_message() -> Message {
    Message::new("bots-unread").with("most", u32::from(BOTS_PER_LINE_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bots_parse_with_number_and_level() {
        let read = |text: &str| {
            let (words, mut bots) = (text.split(' ').collect::<Vec<_>>(), Vec::new());
            parse_bot_levels(&words, &mut bots).map(|used| (used, bots)).map_err(|why| why.key)
        };
        use BotLevel::{Fair, Strong};
        assert_eq!(read("2 fair deadline 3d"), Ok((2, vec![Fair, Fair])));
        assert_eq!(read("strong"), Ok((1, vec![Strong])));
        assert_eq!(read("1 private"), Ok((1, vec![Fair])));
        for wrong in ["0 fair", "hard", "13 easy", "-1"] {
            assert_eq!(read(wrong), Err("bots-unread"), "{wrong}");
        }
    }

    #[test]
    fn section_is_off_or_a_limit() {
        let read = |text: &str| serde_yaml::from_str::<BotSettings>(text);
        assert_eq!(read("off").unwrap().require_allowed().unwrap_err().key, "bots-off");
        let limit = read("{seconds_per_pass: 3}").unwrap();
        assert_eq!((limit.are_allowed, limit.time_per_pass), (true, Duration::from_secs(3)));
        for wrong in ["on", "{seconds: 3}", "3"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
