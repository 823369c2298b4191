//! The data of one game that never changes: the validated map, and the numbers that depend on the
//! number of players.

use super::colour::{ByColour, Colour};
use super::definition::{BarrierKind, City, Definition, Edge};
use super::hex::{Hex, HexId, HexSet};
use std::fmt;

/// The validated map, with fast lookup of hexes and their neighbours.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Board {
    /// The map as its definition has it. The hex of the Eiffel tower has no [`HexId`], because no
    /// locomotive ever enters it.
    pub map: Definition,
    pub barriers: Vec<(Edge, BarrierKind)>,
    /// The capital letter of each colour on the text board and in orders.
    pub letters: ByColour<char>,
    /// All hexes of the map but the Eiffel tower's.
    pub land: HexSet,
    pub city_hexes: HexSet,
    pub start_hexes: HexSet,
    pub(super) names: Vec<Hex>,
    pub(super) neighbours: Vec<HexSet>,
    pub(super) points: Vec<u8>,
}

impl Board {
    /// Returns the number of the hex with this name. Returns `None` for the tower and for hexes off
    /// the map.
    pub fn hex_id(&self, hex: Hex) -> Option<HexId> {
        // The names are sorted, because board order is the order of names.
        self.names.binary_search(&hex).ok().and_then(|id| HexId::try_from(id).ok())
    }

    pub fn hex_name(&self, hex: HexId) -> Hex {
        self.names.get(usize::from(hex)).copied().unwrap_or(self.map.paris)
    }

    /// Returns the hexes adjacent to this one. ("Hexes separated by red/white checkered lines on
    /// the board are not considered adjacent and cannot be crossed.")
    pub fn neighbours(&self, hex: HexId) -> HexSet {
        self.neighbours.get(usize::from(hex)).copied().unwrap_or_default()
    }

    /// Returns the hexes that are adjacent to at least one of these hexes.
    pub fn neighbours_of_all(&self, hexes: HexSet) -> HexSet {
        hexes.iter().fold(HexSet::EMPTY, |all, hex| all.or(self.neighbours(hex)))
    }

    /// Returns the rings of open hexes around the hexes `from`: the hexes one step away, then two
    /// steps, and so on until there are none.
    pub fn rings(&self, from: HexSet, open: HexSet) -> impl Iterator<Item = HexSet> {
        let (mut ring, mut unseen) = (from, open);
        std::iter::from_fn(move || {
            ring = self.neighbours_of_all(ring).and(unseen);
            unseen = unseen.minus(ring);
            (!ring.is_empty()).then_some(ring)
        })
    }

    /// Returns the points that a company gains by entering this hex.
    pub fn hex_points(&self, hex: HexId) -> u8 {
        self.points.get(usize::from(hex)).copied().unwrap_or_default()
    }

    /// Returns the colour of this letter. Case is ignored.
    pub fn colour_by_letter(&self, letter: &str) -> Option<Colour> {
        let is_letter =
            |&colour: &Colour| letter.eq_ignore_ascii_case(&self.letters[colour].to_string());
        Colour::ALL.into_iter().find(is_letter)
    }

    /// Returns the word for a hex in an order: the name of its city if it has one, and the hex's
    /// name if not.
    pub fn city_or_hex_name(&self, hex: Hex) -> String {
        self.city_on(hex).map_or_else(|| hex.to_string(), |city| city.name.clone())
    }

    pub fn city_on(&self, hex: Hex) -> Option<&City> {
        self.map.cities.iter().find(|city| city.hex == hex)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({})", self.map.title)
    }
}

/// The numbers of one game, which depend on the number of players and on the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameNumbers {
    pub seats: u8,
    /// The number of locomotives of each colour in the bag, without the one on its start hex. It is
    /// 31 in the shipped definition (a ruling from other sources).
    pub locomotives: u8,
    /// The maximum number of locomotives in one build. ("1 to 5 locomotives".)
    pub build_most: u8,
    pub hand_size: u8,
    pub share_limit: u8,
    pub penalty: u8,
    /// The number of consecutive trades after which the game ends; 0 for never (our ruling).
    pub stall_after_trades: u32,
}
