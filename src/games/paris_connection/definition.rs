//! The map and the numbers as a moderator writes them, and what can be chosen at a founding.

use super::colour::Colour;
use super::hex::Hex;
use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// `games/paris-connection.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// What the players are told the map is.
    pub title: String,
    /// Whether the map is a reconstruction and not the published board; players are told.
    pub reconstruction: bool,
    /// The Eiffel tower's hex.
    pub paris: Hex,
    /// The columns of each row, as first and last of each stretch, in steps of 2.
    pub rows: BTreeMap<char, Vec<(u8, u8)>>,
    /// The six start hexes.
    pub starts: Vec<Start>,
    /// What a city of each kind is worth, in points.
    pub values: BTreeMap<String, u8>,
    /// Every city; what is neither city nor start nor tower is rural.
    pub cities: Vec<City>,
    /// The city that ends the game: Marseille.
    pub end_city: Hex,
    /// The red and white lines.
    pub barriers: Vec<Barrier>,
    /// Locomotives of each colour in the bag.
    pub locomotives: u8,
    /// The most locomotives in one build.
    pub build_most: u8,
    /// Shares that each is dealt, by the number of players.
    pub hand: BTreeMap<u8, u8>,
    /// Shares that each may hold at the end, by the number of players.
    pub share_limit: BTreeMap<u8, u8>,
    /// Points that each share above the limit costs.
    pub penalty: u8,
    /// The game ends after so many trades in a row; 0 for never.
    pub stall_after_trades: u32,
    /// The capital that stands for each colour on the board.
    pub letters: BTreeMap<Colour, char>,
}

/// A start hex on the rim of Paris.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub hex: Hex,
    /// The station's name.
    pub station: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    pub hex: Hex,
    /// Two characters that stand for it on the board and in orders.
    pub code: String,
    pub name: String,
    /// Points for the company that enters it.
    pub value: u8,
}

/// A red and white line along some edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// What is there.
    pub name: String,
    /// How it is drawn.
    pub kind: BarrierKind,
    /// The edges that nobody crosses.
    pub edges: Vec<Edge>,
}

/// What a barrier is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierKind {
    /// Mountains.
    Mountain,
    /// The mouth of a river.
    Water,
}

/// The edge between two hexes, written `O25-O27`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge(pub Hex, pub Hex);

impl std::fmt::Display for Edge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.0, self.1)
    }
}

impl Serialize for Edge {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Edge {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_str(deserializer, |text| {
            let ends = text.split_once('-');
            ends.and_then(|(one, other)| Some(Self(Hex::parse(one)?, Hex::parse(other)?)))
                .ok_or_else(|| format!("\"{text}\" is no edge: two hexes, as in O25-O27"))
        })
    }
}

/// What can be chosen when a game is founded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Overrides the definition's: the game ends after so many trades in a row; 0 for never. A
    /// ruling of ours (the printed game has no rule against trading for ever).
    pub stall_after_trades: Option<u32>,
}
