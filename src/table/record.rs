//! The records of a game's log.

use super::{Chain, FoldError, Hash};
use crate::rules::{Arg, BotLevel, EventText, Seat};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One entry of a game's log: its cause, its events, and its hash, which includes the entry before.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The number of the record, from 1, without gaps.
    pub seq: u32,
    /// The time at which this program received the cause. The date in a letter is never used.
    pub at: DateTime<Utc>,
    /// The cause of the record.
    pub cause: Cause,
    /// The events in order, as the JSON of the game.
    pub(crate) events: Vec<EventText>,
    /// The number of 32-bit words of the game's random stream that were used up to the end of this
    /// record.
    pub(crate) dice: u64,
    /// The hash of this record and, through the chain, of all records before.
    pub(crate) hash: Hash,
}

/// The cause of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Cause {
    /// The founding of the game, with the deal.
    Founded,
    /// A player's orders.
    Orders {
        /// The seat that gave the orders.
        seat: Seat,
        /// The lines as the player wrote them. A queued plan that was carried out is a line too.
        lines: Vec<String>,
        /// The letter with the orders. `None` if no letter brought them, such as for a queued plan
        /// or in a rehearsal.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        letter: Option<LetterRef>,
    },
    /// A missed deadline. The program played the order that the rules prescribe for an absent
    /// player.
    Absent {
        /// The seat of the absent player.
        seat: Seat,
        /// The lines that were played for the player.
        lines: Vec<String>,
    },
    /// The orders of a bot. The program has stored them, so a replay judges them and never
    /// searches.
    Bot {
        /// The bot and its seat.
        #[serde(flatten)]
        bot: BotSeat,
        /// The lines that the bot chose.
        lines: Vec<String>,
    },
    /// A rewind: the moderator or the players took the game back to an earlier record.
    Rewound {
        /// The number of the last record that stays in force.
        to: u32,
        /// The reason for the intervention, as the players see it.
        reason: Reason,
        /// Whether the moderator, the club or a vote of the players decided it.
        #[serde(default, skip_serializing_if = "Authority::is_moderator")]
        by: Authority,
    },
    /// An undo: a player took back their own last orders.
    Undone {
        /// The seat that took its orders back.
        seat: Seat,
        /// The number of the last record that stays in force.
        to: u32,
        /// The letter that asked for it; `None` in a rehearsal.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        letter: Option<LetterRef>,
        /// Whether this is a practice game, in which an undo also takes back what followed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        in_practice: bool,
    },
    /// An early end, by the moderator, the club or the players.
    Ended {
        /// The reason for the intervention, as the players see it.
        reason: Reason,
        /// The authority that decided it.
        #[serde(default, skip_serializing_if = "Authority::is_moderator")]
        by: Authority,
    },
}

impl Cause {
    /// Returns the seat whose turn the record played, and the lines that were played. `None` for
    /// any other cause.
    pub(crate) fn seat_and_lines(&self) -> Option<(Seat, &[String])> {
        match self {
            Self::Orders { seat, lines, .. }
            | Self::Absent { seat, lines }
            | Self::Bot { bot: BotSeat { seat, .. }, lines } => Some((*seat, lines)),
            Self::Founded | Self::Rewound { .. } | Self::Undone { .. } | Self::Ended { .. } => None,
        }
    }
}

/// A seat that a bot plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotSeat {
    /// The seat.
    pub seat: Seat,
    /// The level at which the bot plays.
    pub level: BotLevel,
    /// Whether the bot plays for an absent player, or in a seat without a player.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stands_in: bool,
}

/// The authority behind an intervention in a game, such as a rewind or an early end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// The moderator decided.
    #[default]
    Moderator,
    /// The club decided: in a practice game, because nobody played on or the player resigned.
    Club,
    /// The players decided by a vote. The [`Reason`] then lists the seats that agreed.
    Players,
}

impl Authority {
    /// Returns the word by which sentences distinguish the two.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Moderator => "moderator",
            Self::Club => "club",
            Self::Players => "players",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
    fn is_moderator(&self) -> bool {
        *self == Self::Moderator
    }
}

/// The reason for an intervention in a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reason {
    /// The words of the moderator, or of the player who left.
    Given(String),
    /// The seats that voted for it. They are stored instead of names, so that no log contains a
    /// name.
    Agreed(Vec<Seat>),
}

impl Reason {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Given(text) => text.is_empty(),
            Self::Agreed(seats) => seats.is_empty(),
        }
    }

    /// Returns the reason as plain text. `names` are the names of the players, by seat.
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

/// A reference to the letter that brought orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LetterRef {
    /// The digest of the letter, by which a second copy of it is recognized.
    pub(crate) digest: String,
}

impl LetterRef {
    pub(crate) const fn new(digest: String) -> Self {
        Self { digest }
    }
}

/// The fields that a record's hash covers.
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

    /// Returns the hash that this record must have after the hash `before`.
    pub(super) fn expected_hash(&self, before: &Hash, chain: &Chain) -> Hash {
        let Self { seq, at, cause, events, dice, .. } = self;
        let body = HashedFields { seq: *seq, at: *at, cause, events, dice: *dice };
        chain.next_link(before, &serde_json::to_vec(&body).unwrap_or_default())
    }

    /// Writes the record as a line of the log.
    pub fn to_line(&self) -> String {
        // Plain derived data with string keys, so serializing cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
