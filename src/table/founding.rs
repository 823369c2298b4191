//! The setup of a game, which is line 0 of its log.

use super::FoldError;
use crate::rules::{GameKind, NewGameError, Seed};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The choices with which a game is founded.
#[derive(Clone, Copy)]
pub struct GameSetup<'a> {
    /// The kind of game.
    pub kind: &'a dyn GameKind,
    /// The definition as YAML: the shipped one, or a moderator's own.
    pub definition: &'a str,
    /// The chosen options, as words by name.
    pub options: &'a BTreeMap<String, String>,
    /// The number of players.
    pub seats: u8,
}

/// The setup of a game, as the log stores it. It contains the whole definition, so a change to
/// `games/` never affects a game in play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Founding {
    /// The version of the log and export format, [`super::FORMAT`].
    pub(crate) format: String,
    /// The game's number in its club, from 1.
    pub number: u32,
    /// The game's ID, such as `paris-connection`.
    pub game: String,
    /// The version of the rules.
    pub(crate) version: u32,
    /// The definition, converted from YAML to JSON.
    pub definition: Box<RawValue>,
    /// The chosen options, as JSON.
    pub options: Box<RawValue>,
    /// The number of players.
    pub seats: u8,
    /// The seed of all random numbers. It is secret until the game is over.
    pub(crate) seed: Seed,
    /// The time of the founding.
    pub at: DateTime<Utc>,
}

/// The format of a log, readable even if the rest of the line has an unknown format.
#[derive(Deserialize)]
struct LogFormat {
    format: String,
}

impl Founding {
    pub(super) fn new(
        setup: GameSetup<'_>,
        number: u32,
        seed: Seed,
        at: DateTime<Utc>,
    ) -> Result<Self, NewGameError> {
        let (definition, options) = setup.kind.validate_and_convert_to_json(
            setup.definition,
            setup.options,
            setup.seats,
        )?;
        Ok(Self {
            format: super::FORMAT.to_owned(),
            number,
            game: setup.kind.id().to_owned(),
            version: setup.kind.version(),
            definition,
            options,
            seats: setup.seats,
            seed,
            at,
        })
    }

    pub(super) fn from_line(line: &str) -> Result<Self, FoldError> {
        let form = |error: serde_json::Error| match serde_json::from_str(line) {
            Ok(LogFormat { format }) if format != super::FORMAT => FoldError::LaterFormat(format),
            _ => FoldError::NoRecord { seq: 0, what: error.to_string() },
        };
        let founding: Self = serde_json::from_str(line).map_err(form)?;
        founding.check_format()?;
        Ok(founding)
    }

    /// Refuses another log format, even if this program could parse it.
    pub(super) fn check_format(&self) -> Result<(), FoldError> {
        if self.format == super::FORMAT {
            return Ok(());
        }
        Err(FoldError::LaterFormat(self.format.clone()))
    }

    /// Writes the founding as line 0 of the log.
    pub fn to_line(&self) -> String {
        // Plain derived data with string keys, so serializing cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
