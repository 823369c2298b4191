//! The cards and the lanes as a moderator writes them, and what can be chosen at a founding.

use super::company::Company;
use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU8;

/// `games/trick-of-the-rails.yaml`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The five companies.
    pub companies: Vec<CompanyCards>,
    /// What a company's Station card is worth on its railway.
    pub station: u8,
    /// The City cards.
    pub cities: Vec<City>,
    pub locomotives: BTreeMap<Locomotive, Engine>,
    /// How many Reservation cards there are.
    pub reservations: u8,
    /// The railway cards that each is dealt, by the number of players.
    pub hand: BTreeMap<u8, u8>,
    /// The trick lane from left to right, by the number of players.
    pub lane: BTreeMap<u8, Vec<Slot>>,
}

/// A company's railway cards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompanyCards {
    pub id: Company,
    /// Its name in letters.
    pub name: String,
    /// What its cards 1 to 10 are worth on its railway.
    pub stations: [u8; 10],
}

/// A City card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    pub name: String,
    /// What it is worth on a railway.
    pub value: u8,
}

/// A locomotive card, by what is printed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Locomotive {
    /// `[3]`.
    #[serde(rename = "3")]
    Three,
    /// `[4]`.
    #[serde(rename = "4")]
    Four,
    /// `[5]`.
    #[serde(rename = "5")]
    Five,
    /// `[6]`, which brings `[inf]` with it.
    #[serde(rename = "6")]
    Six,
    /// `[inf]`, the one without a limit.
    #[serde(rename = "inf")]
    Infinite,
}

impl Locomotive {
    pub const ALL: [Self; 5] = [Self::Three, Self::Four, Self::Five, Self::Six, Self::Infinite];

    /// What is printed on it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Three => "3",
            Self::Four => "4",
            Self::Five => "5",
            Self::Six => "6",
            Self::Infinite => "inf",
        }
    }
}

impl fmt::Display for Locomotive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}]", self.name())
    }
}

/// What a locomotive does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// How many consecutive cards count; none: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<NonZeroU8>,
    /// What is subtracted from the company's profit.
    pub cost: u8,
}

/// A place of the lane before the cards are put there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// An Exchange card at random.
    Exchange,
    /// A City card at random.
    City,
    /// A Reservation card.
    Reservation,
    Locomotive(Locomotive),
}

impl Slot {
    /// Returns the letter or number that stands for it in a definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exchange => "E",
            Self::City => "C",
            Self::Reservation => "R",
            Self::Locomotive(locomotive) => locomotive.name(),
        }
    }
}

impl Serialize for Slot {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, |text| {
            // [inf] has no place of its own: it comes with [6].
            let own = Locomotive::ALL.into_iter().filter(|&l| l != Locomotive::Infinite);
            let mut all = [Self::Exchange, Self::City, Self::Reservation]
                .into_iter()
                .chain(own.map(Self::Locomotive));
            all.find(|slot| slot.name() == text).ok_or_else(|| {
                format!("\"{text}\" is no place of the lane: E, C, R or \"3\" to \"6\"")
            })
        })
    }
}

/// What can be chosen when a game is founded. Both are known from one implementation only and were
/// not found in printed rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The locomotives and the cities are shuffled together into the lane's operating places.
    pub expert_lane: bool,
    /// With four players, seats 1 and 3 play against seats 2 and 4.
    pub teams: bool,
}
