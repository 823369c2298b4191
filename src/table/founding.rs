//! What a game begins with; line 0 of its log.

use super::FoldError;
use crate::rules::{GameKind, NewGameError, Seed};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// What a game is founded with.
#[derive(Clone, Copy)]
pub struct GameSetup<'a> {
    /// The game, by its rules.
    pub kind: &'a dyn GameKind,
    /// Its definition as YAML; the one that ships, or a moderator's own.
    pub definition: &'a str,
    /// The chosen options as words.
    pub options: &'a BTreeMap<String, String>,
    /// How many play.
    pub seats: u8,
}

/// What a game begins with. It embeds the whole definition, so an edit of `games/` never changes a
/// game that is being played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Founding {
    /// The form of log and export, [`super::FORMAT`].
    pub(crate) format: String,
    /// The game's number in its club, from 1.
    pub number: u32,
    /// The name of the game, such as `paris-connection`.
    pub game: String,
    /// The version of its rules.
    pub(crate) version: u32,
    /// The definition, as the JSON of what the YAML said.
    pub definition: Box<RawValue>,
    /// The options that the game is played with, as JSON.
    pub options: Box<RawValue>,
    /// How many play.
    pub seats: u8,
    /// The secret of all chance; revealed when the game is over.
    pub(crate) seed: Seed,
    /// When the game was founded.
    pub at: DateTime<Utc>,
}

/// The form that a log says it has, whatever else it says.
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
        let (definition, options) =
            setup.kind.validate(setup.definition, setup.options, setup.seats)?;
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

    /// A later version's form is read by nobody here, even where it looks the same.
    pub(super) fn check_format(&self) -> Result<(), FoldError> {
        if self.format == super::FORMAT {
            return Ok(());
        }
        Err(FoldError::LaterFormat(self.format.clone()))
    }

    /// The founding as the log's line 0.
    pub fn to_line(&self) -> String {
        // Plain derived data with string keys always has a form.
        serde_json::to_string(self).unwrap_or_default()
    }
}
