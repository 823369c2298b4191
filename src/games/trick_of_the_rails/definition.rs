//! The cards and the lanes as a moderator writes them, and the options of a game.

use super::company::Company;
use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU8;

/// The contents of a definition file such as `games/trick-of-the-rails.yaml`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    pub companies: Vec<CompanyCards>,
    /// The value of a company's Station card on its railway.
    pub station: u8,
    pub cities: Vec<City>,
    pub locomotives: BTreeMap<Locomotive, Engine>,
    pub reservations: u8,
    /// The number of railway cards that each player is dealt, by the number of players.
    pub hand: BTreeMap<u8, u8>,
    /// The trick lane from left to right, by the number of players.
    pub lane: BTreeMap<u8, Vec<LaneSlot>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompanyCards {
    pub id: Company,
    pub name: String,
    /// The values of the cards 1 to 10 on the company's railway.
    pub stations: [u8; 10],
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    pub name: String,
    /// The card's value on a railway.
    pub value: u8,
}

/// A locomotive card, named by what is printed on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Locomotive {
    #[serde(rename = "3")]
    Three,
    #[serde(rename = "4")]
    Four,
    #[serde(rename = "5")]
    Five,
    /// The locomotive `[6]`. The locomotive `[inf]` is placed together with it.
    #[serde(rename = "6")]
    Six,
    /// The locomotive `[inf]`, whose distance is unlimited.
    #[serde(rename = "inf")]
    Infinite,
}

impl Locomotive {
    pub const ALL: [Self; 5] = [Self::Three, Self::Four, Self::Five, Self::Six, Self::Infinite];

    /// Returns the text that is printed on the card.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Engine {
    /// The travel distance: the number of consecutive cards of a railway that count for its profit.
    /// `None` means all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<NonZeroU8>,
    /// The cost: the amount that is subtracted from the company's profit.
    pub cost: u8,
}

/// A place of the trick lane in a definition, before cards are drawn for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneSlot {
    Exchange,
    City,
    Reservation,
    Locomotive(Locomotive),
}

impl LaneSlot {
    /// Returns the letter or number of the place in a definition.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exchange => "E",
            Self::City => "C",
            Self::Reservation => "R",
            Self::Locomotive(locomotive) => locomotive.name(),
        }
    }
}

impl Serialize for LaneSlot {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for LaneSlot {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, |text| {
            // [inf] has no place of its own, because it comes with [6].
            let own = Locomotive::ALL.into_iter().filter(|&l| l != Locomotive::Infinite);
            let mut all = [Self::Exchange, Self::City, Self::Reservation]
                .into_iter()
                .chain(own.map(Self::Locomotive));
            all.find(|slot| slot.name() == text).ok_or_else(|| {
                format!("\"{text}\" is not a place of the lane: write E, C, R or \"3\" to \"6\"")
            })
        })
    }
}

/// The options that a moderator can choose when founding a game. Both are known only from one
/// implementation and were not found in printed rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Whether locomotives and cities are shuffled together into the operating places of the lane.
    pub expert_lane: bool,
    /// Whether seats 1 and 3 play against seats 2 and 4. Only possible with four players.
    pub teams: bool,
}
