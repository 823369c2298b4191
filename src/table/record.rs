//! One entry of a game's log.

use super::{Chain, FoldError, Hash};
use crate::rules::{Arg, EventText, Seat};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One entry of a game's log: what was asked, what it led to, and its place in the chain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its number, from 1, without gaps.
    pub seq: u32,
    /// When it was received, by our clock; never the letter's own date.
    pub at: DateTime<Utc>,
    /// Who or what made it happen.
    pub cause: Cause,
    /// What happened, in order.
    pub(crate) events: Vec<EventText>,
    /// How many words of the dice's stream were used up to and with this record.
    pub(crate) dice: u64,
    /// The chain up to and with this record.
    pub(crate) hash: Hash,
}

/// Who or what made a record happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Cause {
    /// The game was dealt.
    Founded,
    /// A player's orders.
    Orders {
        /// The seat that ordered it.
        seat: Seat,
        /// The lines as they were written.
        lines: Vec<String>,
        /// The letter that brought them; none in a rehearsal.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        letter: Option<LetterRef>,
    },
    /// A player's time was over, and what his game has for an absent player was done.
    Absent {
        /// The seat whose time was over.
        seat: Seat,
        /// The lines that were carried out in his place.
        lines: Vec<String>,
    },
    /// The moderator or the players took the game back to an earlier record.
    Rewound {
        /// The last record that stays in force.
        to: u32,
        /// Why, for the players.
        reason: Reason,
        /// By whose will.
        #[serde(default, skip_serializing_if = "Authority::is_moderator")]
        by: Authority,
    },
    /// A player took the last orders of the seat back.
    Undone {
        /// The seat that took them back.
        seat: Seat,
        /// The last record that stays in force.
        to: u32,
        /// The letter that asked for it; none in a rehearsal.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        letter: Option<LetterRef>,
    },
    /// The moderator or the players ended the game as it stood.
    Ended {
        /// Why, for the players.
        reason: Reason,
        /// By whose will.
        #[serde(default, skip_serializing_if = "Authority::is_moderator")]
        by: Authority,
    },
}

/// By whose will something was done to a game from outside of its rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// The moderator's own.
    #[default]
    Moderator,
    /// The players', who have voted; the reason is who agreed.
    Players,
}

impl Authority {
    /// The word by which sentences tell the two apart.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Moderator => "moderator",
            Self::Players => "players",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    fn is_moderator(&self) -> bool {
        *self == Self::Moderator
    }
}

/// Why something was done to a game from outside of its rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reason {
    /// The words of the moderator, or of the player who left.
    Given(String),
    /// The seats that voted for it. A letter puts the names in, so that no log holds one.
    Agreed(Vec<Seat>),
}

impl Reason {
    /// Whether no reason is known.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Given(text) => text.is_empty(),
            Self::Agreed(seats) => seats.is_empty(),
        }
    }

    /// The reason as plain text. `names` are those of the players, by seat.
    pub(crate) fn to_text(&self, names: &[String]) -> String {
        match self {
            Self::Given(text) => text.clone(),
            Self::Agreed(seats) => {
                let name = |seat: &Seat| names.get(seat.index()).cloned().unwrap_or_default();
                seats.iter().map(name).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl Default for Reason {
    fn default() -> Self {
        Self::Given(String::new())
    }
}

impl From<&str> for Reason {
    fn from(text: &str) -> Self {
        Self::Given(text.to_owned())
    }
}

impl From<&Reason> for Arg {
    fn from(reason: &Reason) -> Self {
        match reason {
            Reason::Given(text) => text.as_str().into(),
            Reason::Agreed(seats) => seats.clone().into(),
        }
    }
}

/// Which letter brought an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterRef {
    /// The digest by which a copy of it is known again.
    pub(crate) digest: String,
}

impl LetterRef {
    /// Refers to the letter with this digest.
    pub(crate) const fn new(digest: String) -> Self {
        Self { digest }
    }
}

/// What a record's hash covers.
#[derive(Serialize)]
struct HashedFields<'a> {
    seq: u32,
    at: DateTime<Utc>,
    cause: &'a Cause,
    events: &'a [EventText],
    dice: u64,
}

impl Record {
    pub(super) fn new(
        seq: u32,
        at: DateTime<Utc>,
        cause: Cause,
        events: Vec<EventText>,
        dice: u64,
        before: &Hash,
        chain: &Chain,
    ) -> Self {
        let mut record = Self { seq, at, cause, events, dice, hash: before.clone() };
        record.hash = record.expected_hash(before, chain);
        record
    }

    pub(super) fn from_line(expected: usize, line: &str) -> Result<Self, FoldError> {
        let expected = u32::try_from(expected).unwrap_or(u32::MAX);
        let record: Self = serde_json::from_str(line)
            .map_err(|error| FoldError::NoRecord { seq: expected, what: error.to_string() })?;
        if record.seq == expected {
            Ok(record)
        } else {
            Err(FoldError::Gap { expected, found: record.seq })
        }
    }

    /// The hash that this record must have after `before`.
    pub(super) fn expected_hash(&self, before: &Hash, chain: &Chain) -> Hash {
        let Self { seq, at, cause, events, dice, .. } = self;
        let body = HashedFields { seq: *seq, at: *at, cause, events, dice: *dice };
        chain.next_link(before, &serde_json::to_vec(&body).unwrap_or_default())
    }

    /// The record as a line of the log.
    pub fn to_line(&self) -> String {
        // Plain derived data with string keys always has a form.
        serde_json::to_string(self).unwrap_or_default()
    }
}
