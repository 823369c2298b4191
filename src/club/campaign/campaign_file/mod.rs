//! The campaign file: the entrants of a season, its rounds and its points.
//!
//! It knows no club, no draw and no results. [`Campaign::parse`] turns the text into a checked
//! definition.

use crate::club::clock::Deadline;
use crate::club::parse_mailbox;
use crate::rules::yaml::{self, LinePrefix, YamlError};
use crate::rules::{
    GameKind, GameRegistry, Message, NewGameError, Seed, deserialize_from_str, nearest_word,
};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A commented example of a campaign file. [`Campaign::parse`] accepts it.
pub const EXAMPLE_FILE: &str = include_str!("example.yaml");

/// A campaign: a season of rounds for a fixed number of entrants.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    /// The name by which the club finds the campaign's games. It must not change after the start.
    pub name: String,
    /// The seed of the draw and of the lots.
    pub(crate) seed: u64,
    /// The entrants. Each has a place in the draw, which a replacement takes over.
    pub(crate) entrants: Vec<Entrant>,
    pub(crate) rounds: Vec<Round>,
    /// The deadline of all games. `None` means that of `club.yaml`, if it has one.
    #[serde(default)]
    pub(crate) deadline: Option<Deadline>,
    /// The points for the first, second and further ranks at a table. Lower ranks get none.
    pub points: Vec<i32>,
    /// The points for a round without a table. Default: 0.
    #[serde(default)]
    pub(crate) bye_points: i32,
    /// The tie-breaks of entrants with equal points, in order of priority. Default: all.
    #[serde(default = "every_tie_break")]
    pub(crate) tie_breaks: Vec<TieBreak>,
    #[serde(default)]
    replace: Vec<Replacement>,
    /// The replacements with the places that they concern, sorted by round.
    #[serde(skip)]
    pub(crate) changes: Vec<EntrantChange>,
}

/// A player of a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entrant {
    pub name: String,
    /// The address, in lower case. It identifies the player.
    pub address: String,
}

impl<'de> Deserialize<'de> for Entrant {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, |text| {
            let (name, address) = parse_mailbox(text).ok_or_else(|| {
                format!("{text} is not an address; write it as Ann Lee <ann@example.org>")
            })?;
            Ok::<_, String>(Self { name, address })
        })
    }
}

/// A round: the kind of game, and the sizes of its tables.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// The id of the kind of game, such as `paris-connection`.
    pub(crate) kind: String,
    /// The allowed numbers of players at a table, in order of preference.
    pub tables: Vec<u8>,
    #[serde(default, deserialize_with = "option_words")]
    pub(crate) options: BTreeMap<String, String>,
    /// The number of entrants that play this round, from the top of the standings after the round
    /// before. `None` means all.
    #[serde(default)]
    pub(crate) advance: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Replacement {
    from_round: u32,
    out: Entrant,
    #[serde(default, rename = "in")]
    into: Option<Entrant>,
}

/// An entrant who leaves the campaign before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrantChange {
    /// The first round that the entrant does not play, from 1.
    pub(crate) from_round: u32,
    /// The entrant's place in the draw, from 0.
    pub place: usize,
    /// The entrant who takes the place over. `None` leaves the place empty.
    pub(crate) entrant: Option<Entrant>,
}

/// A rule that ranks entrants with equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// The tie-break by the number of games with rank 1.
    Wins,
    /// The tie-break by the sum, over all games, of the player's score divided by the best score at
    /// the table.
    ScoreShare,
    /// The tie-break by the sum of the points of all opponents. An opponent met twice counts twice.
    Opponents,
    /// The tie-break by a lot that depends only on the campaign's seed and the player's address.
    Lot,
}

/// The error in a campaign file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// The text is not YAML, has an unknown or missing field, or has a value that is not allowed.
    #[error("{0}")]
    Yaml(#[from] YamlError),
    /// A round's game refuses the options.
    #[error("{}{field}: {}", LinePrefix(*line), reason.key)]
    Options {
        /// The line in the file, from 1. 0 means the whole file.
        line: usize,
        /// The path of the options, such as `rounds[2].options`.
        field: String,
        reason: Message,
    },
}

fn every_tie_break() -> Vec<TieBreak> {
    vec![TieBreak::Wins, TieBreak::ScoreShare, TieBreak::Opponents, TieBreak::Lot]
}

/// Deserializes game options as strings. In the file, values may also be numbers or booleans.
fn option_words<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    let options = BTreeMap::<String, serde_json::Value>::deserialize(from)?;
    let word = |value| match value {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(options.into_iter().map(|(name, value)| (name, word(value))).collect())
}

const ROUNDS_MAX: usize = 99;
const NAME_CHARACTERS_MAX: usize = 60;
/// The largest number of points for a rank or a bye, so that no sum can overflow.
const POINTS_MAX: i32 = 1_000_000;

impl Campaign {
    /// Parses a campaign file, and checks that each of its tables can be founded.
    ///
    /// # Errors
    /// The line, and what is wrong there.
    pub fn parse(text: &str, games: GameRegistry) -> Result<Self, CampaignError> {
        let mut campaign: Self = yaml::parse(text)?;
        let place = CampaignText { text, games };
        let Self { name, points, bye_points, rounds, .. } = &campaign;
        let is_line = (1..=NAME_CHARACTERS_MAX).contains(&name.trim().chars().count());
        let is_sound = |points: &i32| points.abs() <= POINTS_MAX;
        let name_is =
            format!("a name must have 1 to {NAME_CHARACTERS_MAX} characters, in one line");
        let rounds_are = format!("there must be 1 to {ROUNDS_MAX} rounds");
        for (is_right, field, what) in [
            (is_line && !name.contains(char::is_control), "name", name_is.as_str()),
            (
                !points.is_empty() && points.iter().all(is_sound),
                "points",
                "list the points for first place, second place and so on, such as [6, 3, 1, 0]",
            ),
            (is_sound(bye_points), "bye_points", "the number is too large"),
            ((1..=ROUNDS_MAX).contains(&rounds.len()), "rounds", &rounds_are),
        ] {
            if !is_right {
                return Err(place.error_at(field, what));
            }
        }
        place.check_entrants(&campaign.entrants)?;
        for (nth, round) in campaign.rounds.iter().enumerate() {
            place.check_round(nth, round, campaign.entrants.len())?;
        }
        let replace = std::mem::take(&mut campaign.replace);
        let mut replace: Vec<(usize, Replacement)> = replace.into_iter().enumerate().collect();
        replace.sort_by_key(|(_, change)| change.from_round);
        for (nth, change) in replace {
            let change = place.resolve_replacement(&campaign, nth, change)?;
            campaign.changes.push(change);
        }
        Ok(campaign)
    }

    /// Returns the entrant who holds a place in a round (from 1). `None` if the place is empty.
    pub fn entrant_in_place(&self, place: usize, round: u32) -> Option<&Entrant> {
        let change =
            self.changes.iter().rfind(|change| change.place == place && change.from_round <= round);
        change.map_or_else(|| self.entrants.get(place), |change| change.entrant.as_ref())
    }

    /// Returns the places that are not empty in a round (from 1), in ascending order.
    pub(crate) fn held_places(&self, round: u32) -> Vec<usize> {
        (0..self.entrants.len())
            .filter(|place| self.entrant_in_place(*place, round).is_some())
            .collect()
    }

    /// Returns all people who ever play in the campaign, each with their place: first the entrants,
    /// then their replacements.
    pub(crate) fn entrants_and_replacements(&self) -> Vec<(usize, &Entrant)> {
        let replaced = self.changes.iter();
        let replaced = replaced.filter_map(|change| Some((change.place, change.entrant.as_ref()?)));
        self.entrants.iter().enumerate().chain(replaced).collect()
    }

    pub(crate) fn round_by_number(&self, number: u32) -> Option<&Round> {
        self.rounds.get((number as usize).checked_sub(1)?)
    }

    pub(crate) fn round_count(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// Returns the random seed for one purpose of the campaign. Different purposes must not
    /// influence each other.
    pub(super) fn seed_for(&self, purpose: u32) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        bytes[8..12].copy_from_slice(&purpose.to_le_bytes());
        Seed::new(bytes)
    }
}

impl Round {
    /// Returns the kind of game. A checked campaign names only kinds that exist.
    pub(crate) fn find_kind(&self, games: GameRegistry) -> Option<&'static dyn GameKind> {
        games.find_kind(&self.kind)
    }
}

/// The text of a campaign file, for finding the lines of errors, and the games that it may name.
struct CampaignText<'a> {
    text: &'a str,
    games: GameRegistry,
}

impl CampaignText<'_> {
    fn error_at(&self, path: &str, what: impl Into<String>) -> CampaignError {
        let what = format!("{path}: {}", what.into());
        CampaignError::Yaml(YamlError { line: yaml::line_number_of_path(self.text, path), what })
    }

    fn check_entrants(&self, entrants: &[Entrant]) -> Result<(), CampaignError> {
        let mut known = BTreeSet::new();
        let mut all = (0..).zip(entrants.iter().map(|entrant| &entrant.address));
        match all.find(|(_, address)| !known.insert(*address)) {
            Some((nth, twice)) => {
                Err(self.error_at(&format!("entrants[{nth}]"), format!("{twice} is listed twice")))
            }
            None => Ok(()),
        }
    }

    /// Checks that each table of a round can be founded.
    fn check_round(&self, nth: usize, round: &Round, entrants: usize) -> Result<(), CampaignError> {
        let wrong =
            |field: &str, what: String| self.error_at(&format!("rounds[{nth}].{field}"), what);
        let kind = round.find_kind(self.games).ok_or_else(|| {
            let known: Vec<&str> = self.games.ids().collect();
            let meant = nearest_word(&round.kind, known.iter().copied());
            let meant = meant.map_or_else(String::new, |near| format!(": did you mean {near}?"));
            let known = known.join(", ");
            let what =
                format!("there is no game called {}{meant} (use one of: {known})", round.kind);
            wrong("kind", what)
        })?;
        let Some(least) = round.tables.iter().min() else {
            return Err(wrong(
                "tables",
                "list the numbers of players at a table, such as [4, 3]".to_owned(),
            ));
        };
        for (at, &size) in round.tables.iter().enumerate() {
            if size < 2 || round.tables.iter().take(at).any(|earlier| *earlier == size) {
                let what = "each number must be 2 or more and be listed once".to_owned();
                return Err(wrong("tables", what));
            }
            kind.validate_and_convert_to_json(kind.shipped_definition(), &round.options, size)
                .map_err(|error| match error {
                    NewGameError::Seats { .. } => {
                        wrong("tables", format!("{error}, not for {size}"))
                    }
                    NewGameError::Definition { reason, .. } => {
                        let field = format!("rounds[{nth}].options");
                        let line = yaml::line_number_of_path(self.text, &field);
                        CampaignError::Options { line, field, reason }
                    }
                    other => wrong("options", other.to_string()),
                })?;
        }
        let playing = round.advance.map_or(entrants, |advance| entrants.min(advance as usize));
        if playing < usize::from(*least) {
            let what = format!("{playing} entrants are too few for a table of {least}");
            return Err(wrong("tables", what));
        }
        if nth == 0 && round.advance.is_some() {
            return Err(wrong(
                "advance",
                "all entrants play the first round, so it has no `advance`".to_owned(),
            ));
        }
        Ok(())
    }

    fn resolve_replacement(
        &self,
        campaign: &Campaign,
        nth: usize,
        Replacement { from_round, out, into: entrant }: Replacement,
    ) -> Result<EntrantChange, CampaignError> {
        let wrong =
            |field: &str, what: String| self.error_at(&format!("replace[{nth}].{field}"), what);
        if from_round == 0 || from_round > campaign.round_count() {
            return Err(wrong("from_round", format!("there is no round {from_round}")));
        }
        let is_out = |place: &usize| {
            campaign
                .entrant_in_place(*place, from_round)
                .is_some_and(|one| one.address == out.address)
        };
        let place = (0..campaign.entrants.len()).find(is_out).ok_or_else(|| {
            wrong("out", format!("{} does not play in round {from_round}", out.address))
        })?;
        let plays = |one: &&Entrant| {
            campaign.entrants_and_replacements().iter().any(|(_, own)| own.address == one.address)
        };
        if let Some(Entrant { address, .. }) = entrant.as_ref().filter(plays) {
            return Err(wrong("in", format!("{address} is in this campaign already")));
        }
        Ok(EntrantChange { from_round, place, entrant })
    }
}

#[cfg(test)]
mod tests;
