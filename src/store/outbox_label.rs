//! What the outbox keeps of a letter besides what it says: whom it is for, and how soon it leaves.
//!
//! A letter can wait for days, and an address is nobody for ever: so it is not kept for an address
//! but for a reader, who is looked up when it leaves. Knows nothing of what letters say.

use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What stands on a letter in the outbox.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutboxLabel {
    /// Whom it is for.
    pub reader: LetterReader,
    /// Which letters leave before it.
    #[serde(rename = "class")]
    pub priority: SendPriority,
    /// When it was written.
    pub written: DateTime<Utc>,
    /// Whether it may become one with others before it leaves.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[serde(rename = "unsettled")]
    pub mergeable: bool,
    /// How long it may wait for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hold: Option<HoldPeriod>,
}

/// How long a letter may wait for others that its reader gets at a time of his choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldPeriod {
    /// Since when it waits.
    pub since: DateTime<Utc>,
    /// By when it has to leave; none when it may wait as long as others do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<DateTime<Utc>>,
}

/// Whom a letter is for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LetterReader {
    /// Who sits there, as long as he does: it shows what only he may see.
    Seats {
        /// The member's number.
        member: u32,
        /// His seats that it shows.
        seats: Vec<ShownSeat>,
    },
    /// The member with this number, wherever he reads his letters.
    Member(u32),
    /// The member with this number, at their first address: whether the letter arrives there is
    /// what it is for.
    Probe(u32),
    /// Whoever is moderator.
    Moderator,
    /// Whoever reads what goes to that address.
    Address,
}

/// A seat whose news a letter tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShownSeat {
    /// The game's number.
    pub game: u32,
    /// The seat in the game.
    pub seat: Seat,
}

/// In which order letters leave: each class before the ones after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SendPriority {
    /// What happened in a game, and what only the moderator can mend.
    Game,
    /// What members asked for.
    Answer,
    /// To people who are no members and are more than a name: they answer a letter of ours, were
    /// invited, or prove who they are.
    Known,
    /// To anybody in whose name a letter came.
    Stranger,
}

impl LetterReader {
    /// The class of what is written to such a reader, where nothing else is said of it.
    pub(crate) const fn default_priority(&self) -> SendPriority {
        match self {
            Self::Seats { .. } | Self::Probe(_) | Self::Moderator => SendPriority::Game,
            Self::Member(_) => SendPriority::Answer,
            Self::Address => SendPriority::Stranger,
        }
    }
}
