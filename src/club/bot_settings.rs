//! The settings for bots, which are computer players.

use crate::rules::Message;
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

#[cfg(test)]
mod tests {
    use super::*;

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
