//! The mission cards.

use serde::{Deserialize, Serialize};

/// A mission: a common goal that one player can claim for points. (The seed lists the 11 mission
/// cards; the order here is the seed's.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mission {
    /// "Collect at least 1 jewel by leaving over an opponent's surface."
    BehindEnemyLines,
    /// "Derail an opponent's cart in a collision."
    BumperCarts,
    /// "Collect 1 diamond in a turn from a single cart."
    DiamondsArentForever,
    /// "Awarded to the player with most rocks." This happens at the end of the game (ruling 36).
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
    /// All eleven missions. If neither the claim order nor the chance to claim later decides, a
    /// player claims the first one in this list (ruling 35).
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

    /// The words for each mission in orders, and the key of its translated name.
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

    /// Returns the words for the mission in orders.
    pub const fn name(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// Returns the key of the mission's translated name.
    pub const fn term(self) -> &'static str {
        Self::WORDS[self as usize].1
    }

    /// Whether a player can claim the mission at the end of a turn. Dirty Goblins is awarded at the
    /// end of the game instead (ruling 36).
    pub fn is_claimable_in_turn(self) -> bool {
        self != Self::DirtyGoblins
    }
}

/// A set of missions, one bit per mission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissionSet(u16);

impl MissionSet {
    pub const fn contains(self, mission: Mission) -> bool {
        self.0 & (1 << mission as u16) != 0
    }

    pub const fn insert(&mut self, mission: Mission) {
        self.0 |= 1 << mission as u16;
    }

    pub const fn remove(&mut self, mission: Mission) {
        self.0 &= !(1 << mission as u16);
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the missions in the order of [`Mission::ALL`].
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
