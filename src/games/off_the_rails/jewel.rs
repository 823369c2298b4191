//! Jewels and rocks, and how many of each lie somewhere.

use serde::{Deserialize, Serialize};
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

    /// Those that are precious (ruling 13).
    pub const PRECIOUS: [Self; 4] = [Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    /// The word in orders.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rock => "rock",
            Self::Ruby => "ruby",
            Self::Emerald => "emerald",
            Self::Gold => "gold",
            Self::Diamond => "diamond",
        }
    }

    /// The letter on the board.
    pub const fn letter(self) -> char {
        match self {
            Self::Rock => 'o',
            Self::Ruby => 'r',
            Self::Emerald => 'e',
            Self::Gold => 'g',
            Self::Diamond => 'd',
        }
    }

    /// The key of its word.
    pub const fn term(self) -> &'static str {
        match self {
            Self::Rock => "or-rock",
            Self::Ruby => "or-ruby",
            Self::Emerald => "or-emerald",
            Self::Gold => "or-gold",
            Self::Diamond => "or-diamond",
        }
    }
}

/// How many of each kind lie somewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hoard {
    #[serde(skip_serializing_if = "is_zero")]
    rock: u8,
    #[serde(skip_serializing_if = "is_zero")]
    ruby: u8,
    #[serde(skip_serializing_if = "is_zero")]
    emerald: u8,
    #[serde(skip_serializing_if = "is_zero")]
    gold: u8,
    #[serde(skip_serializing_if = "is_zero")]
    diamond: u8,
}

// Serde hands every field over by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
const fn is_zero(count: &u8) -> bool {
    *count == 0
}

impl Index<Jewel> for Hoard {
    type Output = u8;

    fn index(&self, jewel: Jewel) -> &u8 {
        match jewel {
            Jewel::Rock => &self.rock,
            Jewel::Ruby => &self.ruby,
            Jewel::Emerald => &self.emerald,
            Jewel::Gold => &self.gold,
            Jewel::Diamond => &self.diamond,
        }
    }
}

impl IndexMut<Jewel> for Hoard {
    fn index_mut(&mut self, jewel: Jewel) -> &mut u8 {
        match jewel {
            Jewel::Rock => &mut self.rock,
            Jewel::Ruby => &mut self.ruby,
            Jewel::Emerald => &mut self.emerald,
            Jewel::Gold => &mut self.gold,
            Jewel::Diamond => &mut self.diamond,
        }
    }
}

impl Hoard {
    pub const NONE: Self = Self { rock: 0, ruby: 0, emerald: 0, gold: 0, diamond: 0 };

    /// How many in all, rocks too.
    pub const fn total(self) -> u32 {
        self.rock as u32 + self.precious()
    }

    /// How many that are no rocks.
    pub const fn precious(self) -> u32 {
        self.ruby as u32 + self.emerald as u32 + self.gold as u32 + self.diamond as u32
    }

    /// Whether there is nothing.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u8::saturating_add)
    }

    /// What is left without these.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.each(other, u8::saturating_sub)
    }

    fn each(mut self, other: Self, change: fn(u8, u8) -> u8) -> Self {
        for jewel in Jewel::ALL {
            self[jewel] = change(self[jewel], other[jewel]);
        }
        self
    }

    /// Whether all of these are in it.
    pub fn contains(self, other: Self) -> bool {
        Jewel::ALL.into_iter().all(|jewel| self[jewel] >= other[jewel])
    }

    /// The kinds that are there, with how many.
    pub fn kinds(self) -> impl DoubleEndedIterator<Item = (Jewel, u8)> {
        Jewel::ALL.into_iter().map(move |jewel| (jewel, self[jewel])).filter(|&(_, n)| n > 0)
    }

    /// Each single one, kind by kind.
    pub fn pieces(self) -> impl DoubleEndedIterator<Item = Jewel> {
        self.kinds().flat_map(|(jewel, count)| std::iter::repeat_n(jewel, usize::from(count)))
    }

    /// Every part of it with so many pieces.
    pub fn parts(self, size: u32) -> Vec<Self> {
        let mut parts = vec![Self::NONE];
        for (jewel, count) in self.kinds() {
            let longer = parts.iter().flat_map(|&part| {
                (0..=count).map(move |taken| {
                    let mut part = part;
                    part[jewel] = taken;
                    part
                })
            });
            parts = longer.filter(|part| part.total() <= size).collect();
        }
        parts.retain(|part| part.total() == size);
        parts
    }
}

impl FromIterator<Jewel> for Hoard {
    fn from_iter<I: IntoIterator<Item = Jewel>>(jewels: I) -> Self {
        let mut hoard = Self::NONE;
        for jewel in jewels {
            hoard[jewel] = hoard[jewel].saturating_add(1);
        }
        hoard
    }
}
