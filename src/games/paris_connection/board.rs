//! What never changes in one game: the validated map, and the numbers for its count of players.

use super::colour::{ByColour, Colour};
use super::definition::{BarrierKind, City, Definition, Edge};
use super::hex::{Hex, HexId, HexSet};
use std::fmt;

/// The map, ready to play on.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// The map as its definition has it. The Eiffel tower's hex has no number, for nobody ever
    /// enters it.
    pub map: Definition,
    /// Every edge that nobody crosses.
    pub barriers: Vec<(Edge, BarrierKind)>,
    /// The capital that stands for each colour.
    pub letters: ByColour<char>,
    /// The hexes of the map but the tower's.
    pub land: HexSet,
    /// The hexes that are cities.
    pub city_hexes: HexSet,
    /// The hexes that are starts.
    pub start_hexes: HexSet,
    pub(super) names: Vec<Hex>,
    pub(super) neighbours: Vec<HexSet>,
    pub(super) points: Vec<u8>,
}

impl Board {
    /// The number of the hex with this name; none off the map and for the tower.
    pub fn hex_id(&self, hex: Hex) -> Option<HexId> {
        // The names stand in board order, which is their own order.
        self.names.binary_search(&hex).ok().and_then(|id| HexId::try_from(id).ok())
    }

    /// The name of a hex.
    pub fn hex_name(&self, hex: HexId) -> Hex {
        self.names.get(usize::from(hex)).copied().unwrap_or(self.map.paris)
    }

    /// The hexes adjacent to this one. ("Hexes separated by red/white checkered lines on the board
    /// are not considered adjacent and cannot be crossed.")
    pub fn neighbours(&self, hex: HexId) -> HexSet {
        self.neighbours.get(usize::from(hex)).copied().unwrap_or_default()
    }

    /// The hexes adjacent to any of these.
    pub fn neighbours_of_all(&self, hexes: HexSet) -> HexSet {
        hexes.iter().fold(HexSet::EMPTY, |all, hex| all.or(self.neighbours(hex)))
    }

    /// Returns the rings of open hexes around these, each a step further out, until there is none.
    pub fn rings(&self, from: HexSet, open: HexSet) -> impl Iterator<Item = HexSet> {
        let (mut ring, mut unseen) = (from, open);
        std::iter::from_fn(move || {
            ring = self.neighbours_of_all(ring).and(unseen);
            unseen = unseen.minus(ring);
            (!ring.is_empty()).then_some(ring)
        })
    }

    /// What entering the hex is worth to the company, in points.
    pub fn hex_points(&self, hex: HexId) -> u8 {
        self.points.get(usize::from(hex)).copied().unwrap_or_default()
    }

    /// Returns the colour that this letter stands for, in capitals or not.
    pub fn colour_by_letter(&self, letter: &str) -> Option<Colour> {
        let is_letter =
            |&colour: &Colour| letter.eq_ignore_ascii_case(&self.letters[colour].to_string());
        Colour::ALL.into_iter().find(is_letter)
    }

    /// Returns the word for a hex in an order: the name of its city, if it has one.
    pub fn hex_word(&self, hex: Hex) -> String {
        self.city_on(hex).map_or_else(|| hex.to_string(), |city| city.name.clone())
    }

    /// The city on this hex.
    pub fn city_on(&self, hex: Hex) -> Option<&City> {
        self.map.cities.iter().find(|city| city.hex == hex)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.map.title)
    }
}

/// The numbers of one game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNumbers {
    /// How many play.
    pub seats: u8,
    /// Locomotives of each colour in the bag, besides the one on its start hex (a ruling from
    /// other sources: 31).
    pub locomotives: u8,
    /// The most locomotives in one build. ("1 to 5 locomotives".)
    pub build_most: u8,
    /// Shares that each is dealt.
    pub hand_size: u8,
    /// Shares that each may hold at the end without penalty.
    pub share_limit: u8,
    /// Points that each share above the limit costs.
    pub penalty: u8,
    /// The game ends after so many trades without a build; 0 for never (a ruling of ours).
    pub stall_after_trades: u32,
}
