//! A company's railway: its cards, its profit, and the value of a share.

use super::card::Card;
use super::definition::Locomotive;
use super::edition::Edition;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Track {
    /// The company's Station. Cards may be added on both sides of it (ruling 6).
    Station,
    /// The City card with this index in the definition.
    City(u8),
    Card(Card),
}

/// An end of a railway. ("Either end".)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The end at the locomotive.
    Left,
    Right,
}

impl End {
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// Returns the word of the end in orders.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Railway {
    pub track: Vec<Track>,
    pub locomotive: Option<Locomotive>,
}

/// The profit, cost and share value of a railway if the game ended now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RailwayWorth {
    /// The sum of the values of the cards that count.
    pub profit: u32,
    pub cost: u32,
    pub value: u32,
}

impl Railway {
    pub fn add(&mut self, track: Track, end: End) {
        let place = match end {
            End::Left => 0,
            End::Right => self.track.len(),
        };
        self.track.insert(place, track);
    }

    /// Computes the profit and the share value. ("The sum of the station values of a number of
    /// consecutive cards in the railway equal to the locomotive's travel distance. Use the most
    /// valuable consecutive section." "Each company's share value is the company's profit minus the
    /// cost of the company's locomotive. If the result is negative, the share value is zero.")
    ///
    /// Without a locomotive, the value is zero too (from other sources; only an expert lane leaves
    /// a company without one).
    pub fn compute_profit_and_value(&self, edition: &Edition) -> RailwayWorth {
        let Some(locomotive) = self.locomotive else { return RailwayWorth::default() };
        let engine = edition.engine(locomotive);
        let values: Vec<u32> = self.track.iter().map(|&track| edition.track_value(track)).collect();
        let all = values.len().max(1);
        let distance = engine.distance.map_or(all, |distance| usize::from(distance.get()).min(all));
        let sections = values.windows(distance).map(|section| section.iter().sum());
        let profit: u32 = sections.max().unwrap_or_default();
        let cost = u32::from(engine.cost);
        RailwayWorth { profit, cost, value: profit.saturating_sub(cost) }
    }
}

impl Default for Railway {
    fn default() -> Self {
        Self { track: vec![Track::Station], locomotive: None }
    }
}
