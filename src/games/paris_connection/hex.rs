//! The hexes of the map: their names, their numbers, and sets of them.

use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The largest column number whose hex fits on the text board of 76 columns.
pub const COLUMN_MAX: u8 = 36;

/// The name of a hex: the letter of its row and the number of its column, such as `G23`. The hex
/// need not be on the map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex {
    row: u8,
    column: u8,
}

impl Hex {
    /// Makes the hex of this row (0 is A) and column. Returns `None` outside of A0 to Z99.
    pub fn new(row: u8, column: u8) -> Option<Self> {
        (row < 26 && column < 100).then_some(Self { row, column })
    }

    /// Parses the name of a hex. Case is ignored.
    pub fn parse(name: &str) -> Option<Self> {
        let mut letters = name.chars();
        let row = u8::try_from(letters.next()?.to_ascii_uppercase()).ok()?.checked_sub(b'A')?;
        let digits = letters.as_str();
        let is_number = digits.len() <= 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        Self::new(row, if is_number { digits.parse().ok()? } else { return None })
    }

    /// The row, from 0 for row A in the north.
    pub const fn row(self) -> u8 {
        self.row
    }

    /// The column, which grows to the east.
    pub const fn column(self) -> u8 {
        self.column
    }

    /// Whether the hexagonal grid has this hex. Neighbouring rows are shifted by half a hex, so row
    /// plus column is always odd.
    pub const fn is_on_grid(self) -> bool {
        (self.row + self.column) % 2 == 1
    }

    /// Returns the names of the six hexes around it, whether or not they are on the map.
    pub fn adjacent_hexes(self) -> impl Iterator<Item = Self> {
        let steps: [(i8, i8); 6] = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)];
        steps.into_iter().filter_map(move |(down, east)| {
            Self::new(self.row.checked_add_signed(down)?, self.column.checked_add_signed(east)?)
        })
    }
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.row), self.column)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_str(deserializer, |name| {
            let no_hex =
                || format!("\"{name}\" is not a hex: write a letter and a number, such as G23");
            Self::parse(name).ok_or_else(no_hex)
        })
    }
}

/// The number of a hex on one board, in board order: row by row from the north, from west to east.
pub type HexId = u8;

/// A set of hexes of one board, as 256 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HexSet([u64; 4]);

impl HexSet {
    pub const EMPTY: Self = Self([0; 4]);

    pub const fn insert(&mut self, hex: HexId) {
        self.0[hex as usize / 64] |= 1 << (hex % 64);
    }

    pub const fn remove(&mut self, hex: HexId) {
        self.0[hex as usize / 64] &= !(1 << (hex % 64));
    }

    pub const fn contains(&self, hex: HexId) -> bool {
        self.0[hex as usize / 64] >> (hex % 64) & 1 == 1
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// Returns the hexes of this set that are not in the other.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    pub fn iter(self) -> impl Iterator<Item = HexId> {
        (0..4_u8).zip(self.0).flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let low = u8::try_from(bits.trailing_zeros()).ok().filter(|&low| low < 64)?;
                bits &= bits - 1;
                Some(word * 64 + low)
            })
        })
    }
}

impl FromIterator<HexId> for HexSet {
    fn from_iter<I: IntoIterator<Item = HexId>>(hexes: I) -> Self {
        let mut set = Self::EMPTY;
        hexes.into_iter().for_each(|hex| set.insert(hex));
        set
    }
}
