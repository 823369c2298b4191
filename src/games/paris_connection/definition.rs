//! The map and the numbers as a moderator writes them, and the options of a game.

use super::colour::Colour;
use super::hex::Hex;
use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// The contents of a definition file such as `games/paris-connection.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The title of the map, which letters show to the players.
    pub title: String,
    /// Whether the map is our reconstruction and not the published board. Letters say so.
    pub reconstruction: bool,
    pub paris: Hex,
    /// The hexes of each row as stretches: the first and last column of each stretch, in steps of
    /// 2.
    pub rows: BTreeMap<char, Vec<(u8, u8)>>,
    pub starts: Vec<Start>,
    /// The points of a city of each kind, by the kind's name.
    pub values: BTreeMap<String, u8>,
    /// All cities. A hex that is not a city, a start or the tower is rural.
    pub cities: Vec<City>,
    /// The city that ends the game: Marseille on the shipped map.
    pub end_city: Hex,
    pub barriers: Vec<Barrier>,
    pub locomotives: u8,
    pub build_most: u8,
    /// The number of shares that each player is dealt, by the number of players.
    pub hand: BTreeMap<u8, u8>,
    /// The number of shares that each player may hold at the end without a penalty, by the number
    /// of players.
    pub share_limit: BTreeMap<u8, u8>,
    /// The points that each share above the limit costs.
    pub penalty: u8,
    /// The number of consecutive trades after which the game ends; 0 for never.
    pub stall_after_trades: u32,
    pub letters: BTreeMap<Colour, char>,
}

/// A start hex around Paris.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    pub hex: Hex,
    pub station: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct City {
    pub hex: Hex,
    /// The two letters that abbreviate the city on the board and in orders.
    pub code: String,
    pub name: String,
    /// The points that a company gains by entering the city.
    pub value: u8,
}

/// A red and white line along some edges between hexes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Barrier {
    /// The name of the mountains or of the water.
    pub name: String,
    pub kind: BarrierKind,
    pub edges: Vec<Edge>,
}

/// The kind of a barrier, which decides how it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BarrierKind {
    Mountain,
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
                .ok_or_else(|| {
                    format!("\"{text}\" is not an edge: write two hexes, such as O25-O27")
                })
        })
    }
}

/// The options that a moderator can choose when founding a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// The number of consecutive trades after which the game ends, instead of the definition's
    /// number; 0 for never. It is our ruling, because the printed game has no rule against endless
    /// trading.
    pub stall_after_trades: Option<u32>,
}
