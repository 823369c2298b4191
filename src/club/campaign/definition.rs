//! A campaign's file: who plays what, in which rounds, for which points.
//!
//! Knows no club, no draw and no result; text comes in, a checked definition comes out.

use crate::club::parse_mailbox;
use crate::games;
use crate::rules::yaml::{self, Line, YamlError};
use crate::rules::{Kind, Message, OpenError, Seed, nearest};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A commented campaign file to begin with; it passes [`Campaign::read`].
pub const EXAMPLE: &str = include_str!("example.yaml");

/// A campaign: a season of rounds for a fixed number of entrants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Campaign {
    /// Its name, by which the club knows its games again.
    pub name: String,
    /// What fixes the draw and the lots.
    pub(crate) seed: u64,
    /// Who enters; a replacement takes over the entrant's place in the draw.
    pub(crate) entrants: Vec<Entrant>,
    /// The rounds in order.
    pub(crate) rounds: Vec<Round>,
    /// Points for first, second, ... of a table; who is further behind gets none.
    pub points: Vec<i32>,
    /// Points for a round without a table.
    pub(crate) bye_points: i32,
    /// What parts entrants of equal points, in this order.
    pub(crate) tie_breaks: Vec<TieBreak>,
    /// Who leaves, and who takes over.
    pub(crate) changes: Vec<Change>,
}

/// Somebody who plays in a campaign.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Entrant {
    /// The name that others see.
    pub name: String,
    /// The address, in lower case.
    pub address: String,
}

/// What is played in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// The kind of game, such as `paris-connection`.
    pub(crate) kind: String,
    /// How many may sit at a table, the size liked best first.
    pub tables: Vec<u8>,
    /// The game's options as words.
    pub(crate) options: BTreeMap<String, String>,
    /// How many of the standings after the round before play on; everyone when not said.
    pub(crate) advance: Option<u32>,
}

/// Somebody leaves before a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The first round that he does not play, from 1.
    pub(crate) from_round: u32,
    /// The place in the draw that he leaves, from 0.
    pub place: usize,
    /// Who takes the place over; nobody, and it stays empty.
    pub(crate) entrant: Option<Entrant>,
}

/// What parts entrants of equal points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieBreak {
    /// Games in which nobody was ahead.
    Wins,
    /// The sum over all games of own score divided by the table's best.
    ScoreShare,
    /// The sum of the points of everyone met, as often as met.
    Opponents,
    /// A lot, fixed by the campaign's seed.
    Lot,
}

/// What is wrong with a campaign file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CampaignError {
    /// It is no YAML, or not of this shape.
    #[error("{0}")]
    Yaml(#[from] YamlError),
    /// Options that a round's game refuses.
    #[error("{}{field}: {}", Line(*line), reason.key)]
    Options {
        /// Where, from 1; 0 when it is the whole.
        line: usize,
        /// The round's options, with the sections that they are in.
        field: String,
        /// What the game says.
        reason: Message,
    },
    /// A value that cannot be.
    #[error("{}{field}: {what}", Line(*line))]
    Value {
        /// Where, from 1; 0 when it is the whole.
        line: usize,
        /// The field of the campaign's file that is wrong, with the sections that it is in.
        field: String,
        /// What is wrong and what would do.
        what: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    seed: u64,
    entrants: Vec<String>,
    rounds: Vec<FileRound>,
    points: Vec<i32>,
    #[serde(default)]
    bye_points: i32,
    #[serde(default = "every_tie_break")]
    tie_breaks: Vec<TieBreak>,
    #[serde(default)]
    replace: Vec<Replace>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileRound {
    kind: String,
    tables: Vec<u8>,
    #[serde(default)]
    options: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    advance: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replace {
    from_round: u32,
    out: String,
    #[serde(default, rename = "in")]
    into: Option<String>,
}

fn every_tie_break() -> Vec<TieBreak> {
    vec![TieBreak::Wins, TieBreak::ScoreShare, TieBreak::Opponents, TieBreak::Lot]
}

/// More rounds than a season has.
const ROUNDS_MAX: usize = 99;
/// The longest name of a campaign, in characters.
const NAME_MAX: usize = 60;
/// More points than anybody gives, so that no sum overflows.
const POINTS_MAX: i32 = 1_000_000;

impl Campaign {
    /// Reads a campaign file and checks that every table of it can be founded.
    ///
    /// # Errors
    /// The line and what is wrong there.
    pub fn read(text: &str) -> Result<Self, CampaignError> {
        let file: File = yaml::read(text)?;
        let place = Place { text };
        place.name(&file.name)?;
        place.points(&file)?;
        let entrants = place.entrants(&file.entrants)?;
        if file.rounds.is_empty() || file.rounds.len() > ROUNDS_MAX {
            return Err(place.at("rounds", format!("1 to {ROUNDS_MAX} are possible")));
        }
        let rounds = file.rounds.into_iter().enumerate();
        let rounds = rounds.map(|(nth, round)| place.round(nth, round, entrants.len()));
        let mut campaign = Self {
            name: file.name,
            seed: file.seed,
            rounds: rounds.collect::<Result<_, _>>()?,
            entrants,
            points: file.points,
            bye_points: file.bye_points,
            tie_breaks: file.tie_breaks,
            changes: Vec::new(),
        };
        let mut replace: Vec<(usize, Replace)> = file.replace.into_iter().enumerate().collect();
        replace.sort_by_key(|(_, change)| change.from_round);
        for (nth, change) in replace {
            let change = place.change(&campaign, nth, &change)?;
            campaign.changes.push(change);
        }
        Ok(campaign)
    }

    /// Who holds a place in a round (from 1); nobody when he left and was not replaced.
    pub fn holder(&self, place: usize, round: u32) -> Option<&Entrant> {
        let change =
            self.changes.iter().rfind(|change| change.place == place && change.from_round <= round);
        change.map_or_else(|| self.entrants.get(place), |change| change.entrant.as_ref())
    }

    /// The places that somebody holds in a round (from 1), ascending.
    pub(crate) fn held(&self, round: u32) -> Vec<usize> {
        (0..self.entrants.len()).filter(|place| self.holder(*place, round).is_some()).collect()
    }

    /// Everyone who ever played or was to play: place and entrant, replacements after entrants.
    pub(crate) fn everyone(&self) -> Vec<(usize, &Entrant)> {
        let replaced = self.changes.iter();
        let replaced = replaced.filter_map(|change| Some((change.place, change.entrant.as_ref()?)));
        self.entrants.iter().enumerate().chain(replaced).collect()
    }

    /// A round by its number, from 1.
    pub(crate) fn round(&self, number: u32) -> Option<&Round> {
        self.rounds.get((number as usize).checked_sub(1)?)
    }

    /// How many rounds there are.
    pub(crate) fn length(&self) -> u32 {
        u32::try_from(self.rounds.len()).unwrap_or(u32::MAX)
    }

    /// The seed of the chance that belongs to one purpose of the campaign.
    pub(super) fn chance(&self, purpose: u32) -> Seed {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&self.seed.to_le_bytes());
        bytes[8..12].copy_from_slice(&purpose.to_le_bytes());
        Seed::new(bytes)
    }
}

impl Round {
    /// The kind of game; a checked campaign names only kinds that there are.
    pub(crate) fn game(&self) -> Option<&'static dyn Kind> {
        games::kind(&self.kind)
    }
}

/// The text, for the lines of what is wrong in it.
struct Place<'a> {
    text: &'a str,
}

impl Place<'_> {
    fn at(&self, path: &str, what: impl Into<String>) -> CampaignError {
        let line = yaml::line_at(self.text, path);
        CampaignError::Value { line, field: path.to_owned(), what: what.into() }
    }

    fn name(&self, name: &str) -> Result<(), CampaignError> {
        let length = name.trim().chars().count();
        if length == 0 || length > NAME_MAX || name.contains(char::is_control) {
            let what = format!("a name has 1 to {NAME_MAX} characters, all in one line");
            return Err(self.at("name", what));
        }
        Ok(())
    }

    fn points(&self, file: &File) -> Result<(), CampaignError> {
        let sound = |points: &i32| points.abs() <= POINTS_MAX;
        if file.points.is_empty() || !file.points.iter().all(sound) {
            let what = "say the points for first, second, ..., such as [6, 3, 1, 0]";
            return Err(self.at("points", what));
        }
        if !sound(&file.bye_points) {
            return Err(self.at("bye_points", "that is too much"));
        }
        Ok(())
    }

    fn entrants(&self, texts: &[String]) -> Result<Vec<Entrant>, CampaignError> {
        let mut entrants: Vec<Entrant> = Vec::with_capacity(texts.len());
        let mut known = BTreeSet::new();
        for (nth, text) in texts.iter().enumerate() {
            let path = format!("entrants[{nth}]");
            let entrant = self.entrant(&path, text)?;
            if !known.insert(entrant.address.clone()) {
                return Err(self.at(&path, format!("{} is named twice", entrant.address)));
            }
            entrants.push(entrant);
        }
        Ok(entrants)
    }

    fn entrant(&self, path: &str, text: &str) -> Result<Entrant, CampaignError> {
        let (name, address) = parse_mailbox(text).ok_or_else(|| {
            let what = format!("{text} is no address; write it as Ann Lee <ann@example.org>");
            self.at(path, what)
        })?;
        Ok(Entrant { name, address })
    }

    fn round(&self, nth: usize, file: FileRound, entrants: usize) -> Result<Round, CampaignError> {
        let wrong = |field: &str, what: String| self.at(&format!("rounds[{nth}].{field}"), what);
        let kind = games::kind(&file.kind).ok_or_else(|| {
            let known: Vec<&str> = games::GAMES.iter().map(|kind| kind.id()).collect();
            let meant = nearest(&file.kind, known.iter().copied());
            let meant = meant.map_or_else(String::new, |near| format!(": did you mean {near}?"));
            let known = known.join(", ");
            let what = format!("there is no game called {}{meant} (there is: {known})", file.kind);
            wrong("kind", what)
        })?;
        let mut options = BTreeMap::new();
        for (name, value) in file.options {
            let value = match value {
                serde_json::Value::String(text) => text,
                other => other.to_string(),
            };
            options.insert(name, value);
        }
        let Some(least) = file.tables.iter().min() else {
            return Err(wrong("tables", "say how many sit at a table, such as [4, 3]".to_owned()));
        };
        let mut seen = Vec::new();
        for &size in &file.tables {
            if size < 2 || seen.contains(&size) {
                let what = "each size stands there once, and is 2 or more".to_owned();
                return Err(wrong("tables", what));
            }
            seen.push(size);
            kind.validate(kind.definition(), &options, size).map_err(|error| match error {
                OpenError::Seats { .. } => wrong("tables", format!("{error}, not for {size}")),
                OpenError::Definition { reason, .. } => {
                    let field = format!("rounds[{nth}].options");
                    let line = yaml::line_at(self.text, &field);
                    CampaignError::Options { line, field, reason }
                }
                other => wrong("options", other.to_string()),
            })?;
        }
        let playing = file.advance.map_or(entrants, |advance| entrants.min(advance as usize));
        if playing < usize::from(*least) {
            let what = format!("{playing} play, which is too few for a table of {least}");
            return Err(wrong("tables", what));
        }
        if nth == 0 && file.advance.is_some() {
            return Err(wrong("advance", "everyone plays the first round".to_owned()));
        }
        Ok(Round { kind: file.kind, tables: file.tables, options, advance: file.advance })
    }

    fn change(
        &self,
        campaign: &Campaign,
        nth: usize,
        replace: &Replace,
    ) -> Result<Change, CampaignError> {
        let path = |field: &str| format!("replace[{nth}].{field}");
        let wrong = |field: &str, what: String| self.at(&path(field), what);
        let from_round = replace.from_round;
        let out = self.entrant(&path("out"), &replace.out)?;
        if from_round == 0 || from_round > campaign.length() {
            let what = format!("there is no round {from_round}");
            return Err(wrong("from_round", what));
        }
        let is = |place: &usize, address: &str| {
            campaign.holder(*place, from_round).is_some_and(|holder| holder.address == address)
        };
        let mut places = 0..campaign.entrants.len();
        let Some(place) = places.find(|place| is(place, &out.address)) else {
            let what = format!("{} does not play in round {from_round}", out.address);
            return Err(wrong("out", what));
        };
        let entrant =
            replace.into.as_deref().map(|text| self.entrant(&path("in"), text)).transpose()?;
        if let Some(entrant) = &entrant
            && campaign.everyone().iter().any(|(_, other)| other.address == entrant.address)
        {
            let what = format!("{} is in this campaign already", entrant.address);
            return Err(wrong("in", what));
        }
        Ok(Change { from_round, place, entrant })
    }
}

#[cfg(test)]
mod tests;
