//! Jewels and rocks, and counts of them by kind. Unless a name says "precious", rocks count as
//! jewels (ruling 13).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Index, IndexMut};

/// A kind of jewel, or a rock. (Seed: "24 rubies, 15 emeralds, 10 gold and 5 diamonds"; the rocks
/// are derived.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Jewel {
    /// Worth 0 points. A cart must pick up rocks before jewels.
    Rock,
    Ruby,
    Emerald,
    Gold,
    Diamond,
}

impl Jewel {
    pub const ALL: [Self; 5] = [Self::Rock, Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    const NAMES: [&'static str; 5] = ["rock", "ruby", "emerald", "gold", "diamond"];
    const LETTERS: [char; 5] = ['o', 'r', 'e', 'g', 'd'];
    const TERMS: [&'static str; 5] = ["or-rock", "or-ruby", "or-emerald", "or-gold", "or-diamond"];

    /// All kinds except rocks (ruling 13).
    pub const PRECIOUS: [Self; 4] = [Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    /// Returns the word for the kind in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the letter for this kind of jewel on the drawn board.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// Returns the key of the kind's translated word.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// The number of jewels of each kind. It is serialized as a map from kinds to counts without the
/// zeros.
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

    /// Returns the number of jewels, rocks included.
    pub fn total(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// Returns the number of jewels, rocks excluded.
    pub fn precious_total(self) -> u32 {
        self.total() - u32::from(self[Jewel::Rock])
    }

    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.combine(other, u8::saturating_add)
    }

    /// Returns what is left after `other` is taken away. No count falls below 0.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.combine(other, u8::saturating_sub)
    }

    fn combine(self, other: Self, change: fn(u8, u8) -> u8) -> Self {
        Self(Jewel::ALL.map(|jewel| change(self[jewel], other[jewel])))
    }

    /// Returns the kinds with a count above 0, each with its count.
    pub fn kinds(self) -> impl DoubleEndedIterator<Item = (Jewel, u8)> {
        Jewel::ALL.into_iter().map(move |jewel| (jewel, self[jewel])).filter(|&(_, n)| n > 0)
    }

    /// Returns every jewel as an item of its own, kind by kind. Two rubies give two items.
    pub fn single_jewels(self) -> impl DoubleEndedIterator<Item = Jewel> {
        self.kinds().flat_map(|(jewel, count)| std::iter::repeat_n(jewel, usize::from(count)))
    }

    /// Returns every different selection of `size` jewels.
    pub fn selections_of_size(self, size: u32) -> Vec<Self> {
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
