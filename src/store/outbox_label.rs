//! The label of a letter in the outbox: its reader, and how soon it leaves.
//!
//! A letter can wait for days, and an address can change its owner. So a letter is stored for a
//! reader, and the reader's address is looked up when the letter leaves.

use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The label of a letter in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxLabel {
    pub reader: LetterReader,
    /// The letter's priority class. Letters of an earlier class leave first.
    #[serde(rename = "class")]
    pub priority: SendPriority,
    /// When the letter was written.
    pub written: DateTime<Utc>,
    /// Whether the letter may be merged with others before it leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "unsettled")]
    pub mergeable: bool,
    /// The letter's wait for the daily digest of its reader; `None` if it does not wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldPeriod>,
}

/// The wait of a letter for its reader's daily digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldPeriod {
    /// When the letter's wait for the digest began.
    pub since: DateTime<Utc>,
    /// The latest time at which the waiting letter must leave, because a deadline or a vote ends
    /// soon after. `None` if it may wait for the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
}

/// The reader of a letter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterReader {
    /// A letter for a member, valid only while they play these seats, because it shows what only
    /// the players of the seats may see.
    Seats {
        member: u32,
        /// The member's seats whose news the letter tells.
        seats: Vec<ShownSeat>,
    },
    /// A letter for the member with this number, sent to the address where they get their letters.
    Member(u32),
    /// A probe for the member with this number: a letter to their first address that finds out
    /// whether it works.
    Probe(u32),
    /// A letter for the moderator at the time of sending.
    Moderator,
    /// A letter for the address for which it was queued.
    Address,
}

/// A seat whose news a letter tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShownSeat {
    pub game: u32,
    pub seat: Seat,
}

/// The priority class of a letter. Letters of an earlier class leave first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendPriority {
    /// News of a game, and problems that only the moderator can solve.
    Game,
    /// Answers to members.
    Answer,
    /// Letters to non-members who proved an address, answered a letter of the club, or were
    /// invited.
    Known,
    /// Letters to the claimed sender of any other letter, who may not have written it.
    Stranger,
}

impl LetterReader {
    /// Returns the priority class of letters to this reader, unless the caller knows a more precise
    /// one.
    pub(crate) const fn default_priority(&self) -> SendPriority {
        match self {
            Self::Seats { .. } | Self::Probe(_) | Self::Moderator => SendPriority::Game,
            Self::Member(_) => SendPriority::Answer,
            Self::Address => SendPriority::Stranger,
        }
    }
}
