//! Jewels and rocks, and how many of each lie somewhere.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// What lies in the mines. ("24 rubies, 15 emeralds, 10 gold and 5 diamonds", and rocks.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Jewel {
    /// Worthless and always picked up first.
    Rock,
    Ruby,
    Emerald,
    Gold,
    /// Clear; blue in the solo game.
    Diamond,
}

impl Jewel {
    pub const ALL: [Self; 5] = [Self::Rock, Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    const NAMES: [&'static str; 5] = ["rock", "ruby", "emerald", "gold", "diamond"];
    const LETTERS: [char; 5] = ['o', 'r', 'e', 'g', 'd'];
    const TERMS: [&'static str; 5] = ["or-rock", "or-ruby", "or-emerald", "or-gold", "or-diamond"];

    /// The precious kinds: all but rocks (ruling 13).
    pub const PRECIOUS: [Self; 4] = [Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    /// The word in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The letter on the board.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// The key of its translated word.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// How many jewels of each kind lie somewhere. As data it is a map by kind, without the zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Jewel, u8>", into = "BTreeMap<Jewel, u8>")]
pub struct JewelCounts([u8; 5]);

impl From<BTreeMap<Jewel, u8>> for JewelCounts {
    fn from(counts: BTreeMap<Jewel, u8>) -> Self {
        Self(Jewel::ALL.map(|jewel| counts.get(&jewel).copied().unwrap_or_default()))
    }
}

impl From<JewelCounts> for BTreeMap<Jewel, u8> {
    fn from(hoard: JewelCounts) -> Self {
        hoard.kinds().collect()
    }
}

impl Index<Jewel> for JewelCounts {
    type Output = u8;

    fn index(&self, jewel: Jewel) -> &u8 {
        &self.0[jewel as usize]
    }
}

impl IndexMut<Jewel> for JewelCounts {
    fn index_mut(&mut self, jewel: Jewel) -> &mut u8 {
        &mut self.0[jewel as usize]
    }
}

impl JewelCounts {
    pub const NONE: Self = Self([0; 5]);

    /// How many jewels there are, rocks included.
    pub fn total(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// How many jewels there are, rocks excluded.
    pub fn precious_total(self) -> u32 {
        self.total() - u32::from(self[Jewel::Rock])
    }

    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, u8::saturating_add)
    }

    /// What is left without these.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.combine(other, u8::saturating_sub)
    }

    fn combine(self, other: Self, change: fn(u8, u8) -> u8) -> Self {
        Self(Jewel::ALL.map(|jewel| change(self[jewel], other[jewel])))
    }

    /// The kinds that are there, with how many.
    pub fn kinds(self) -> impl DoubleEndedIterator<Item = (Jewel, u8)> {
        Jewel::ALL.into_iter().map(move |jewel| (jewel, self[jewel])).filter(|&(_, n)| n > 0)
    }

    /// The single jewels, kind by kind.
    pub fn single_jewels(self) -> impl DoubleEndedIterator<Item = Jewel> {
        self.kinds().flat_map(|(jewel, count)| std::iter::repeat_n(jewel, usize::from(count)))
    }

    /// Every part of it that has `size` jewels.
    pub fn parts_of_size(self, size: u32) -> Vec<Self> {
        let mut parts = vec![Self::NONE];
        for (jewel, count) in self.kinds() {
            let longer = |part: Self| {
                (0..=count).map(move |n| part.plus(std::iter::repeat_n(jewel, n.into()).collect()))
            };
            parts = parts.into_iter().flat_map(longer).collect();
        }
        parts.retain(|part| part.total() == size);
        parts
    }
}

impl FromIterator<Jewel> for JewelCounts {
    fn from_iter<I: IntoIterator<Item = Jewel>>(jewels: I) -> Self {
        let mut hoard = Self::NONE;
        for jewel in jewels {
            hoard[jewel] = hoard[jewel].saturating_add(1);
        }
        hoard
    }
}
