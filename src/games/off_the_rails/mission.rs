//! The eleven missions.

use serde::{Deserialize, Serialize};

/// A common goal. (Seed: the list of the 11 mission cards; the order is its own.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mission {
    /// "Collect at least 1 jewel leaving by an opponent's surface."
    BehindEnemyLines,
    /// "Derail an opponent's cart in a collision."
    BumperCarts,
    /// "Collect 1 diamond in a turn from a single cart."
    DiamondsArentForever,
    /// "Awarded to the player with most rocks", at the end (ruling 36).
    DirtyGoblins,
    /// "Fill a cart with 5 precious jewels."
    GemCollector,
    /// "Collect 2 emeralds in a turn from a single cart."
    GreenFingers,
    /// "Cause a head-on collision."
    HeadToHead,
    /// "Make an opponent's cart drop at least 1 jewel."
    JewelRobbery,
    /// "Collect 4 rubies in a turn from a single cart."
    RedLeader,
    /// "Have at least 1 gem of each kind in your pile."
    SpiceOfLife,
    /// "Collect 2 gold in a turn from a single cart."
    GoldInYourHills,
}

impl Mission {
    /// All eleven, lowest number first (ruling 35).
    pub const ALL: [Self; 11] = [
        Self::BehindEnemyLines,
        Self::BumperCarts,
        Self::DiamondsArentForever,
        Self::DirtyGoblins,
        Self::GemCollector,
        Self::GreenFingers,
        Self::HeadToHead,
        Self::JewelRobbery,
        Self::RedLeader,
        Self::SpiceOfLife,
        Self::GoldInYourHills,
    ];

    /// The words in orders, and the keys of the translated names.
    const WORDS: [(&'static str, &'static str); 11] = [
        ("behind enemy lines", "or-mission-lines"),
        ("bumper carts", "or-mission-bumper"),
        ("diamonds arent forever", "or-mission-diamonds"),
        ("dirty goblins", "or-mission-goblins"),
        ("gem collector", "or-mission-collector"),
        ("green fingers", "or-mission-fingers"),
        ("head to head", "or-mission-head"),
        ("jewel robbery", "or-mission-robbery"),
        ("red leader", "or-mission-leader"),
        ("spice of life", "or-mission-spice"),
        ("gold in your hills", "or-mission-gold"),
    ];

    /// The words in orders.
    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// The key of its translated name.
    pub const fn term(self) -> &'static str {
        Self::WORDS[self as usize].1
    }

    /// Whether it can be claimed in a turn. Dirty Goblins is awarded at the end (ruling 36).
    pub fn is_claimable_in_turn(self) -> bool {
        self != Self::DirtyGoblins
    }
}

/// A set of missions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissionSet(u16);

impl MissionSet {
    /// Whether the mission is in it.
    pub const fn contains(self, mission: Mission) -> bool {
        self.0 & (1 << mission as u16) != 0
    }

    /// Puts the mission in.
    pub const fn insert(&mut self, mission: Mission) {
        self.0 |= 1 << mission as u16;
    }

    /// Takes the mission out.
    pub const fn remove(&mut self, mission: Mission) {
        self.0 &= !(1 << mission as u16);
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it has.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// What is in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The missions, lowest number first.
    pub fn iter(self) -> impl Iterator<Item = Mission> {
        Mission::ALL.into_iter().filter(move |&mission| self.contains(mission))
    }
}

impl FromIterator<Mission> for MissionSet {
    fn from_iter<I: IntoIterator<Item = Mission>>(missions: I) -> Self {
        let mut set = Self::default();
        missions.into_iter().for_each(|mission| set.insert(mission));
        set
    }
}
