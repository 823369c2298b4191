//! The geometry of the board: directions, squares, and the openings of a track tile.

use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The highest number of columns or rows of a board. A drawn board of nine columns is 76 characters
/// wide, and a line of a letter holds no more.
pub const SIDE_MAX: u8 = 9;

const SQUARES_MAX: u8 = 81;

/// A direction on the board, also used for the side of the board in that direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    #[default]
    North,
    East,
    South,
    West,
}

impl Direction {
    /// All four directions. Ties between directions are broken in this order (ruling 7).
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
    const NAMES: [&'static str; 4] = ["north", "east", "south", "west"];
    const LETTERS: [char; 4] = ['n', 'e', 's', 'w'];
    /// The change of column and row by one step in each direction, in the order of
    /// [`Direction::ALL`]. Columns count to the east, rows to the south.
    const OFFSETS: [(i8, i8); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    const TERMS: [&'static str; 4] = ["or-north", "or-east", "or-south", "or-west"];

    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the word for the direction in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the letter for the direction in orders such as `lay D2 ns`.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// Returns the key of the direction's translated word.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// The openings of a track tile: the edges of its square that its track reaches. A square without a
/// tile has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileOpenings(u8);

impl TileOpenings {
    pub const NONE: Self = Self(0);

    /// The openings of every tile that a player can lay: two straights and four corners (ruling 1).
    pub const LAYABLE: [Self; 6] =
        [Self(0b0101), Self(0b1010), Self(0b0011), Self(0b0110), Self(0b1100), Self(0b1001)];

    /// Whether there is an opening in this direction.
    pub const fn has(self, way: Direction) -> bool {
        self.0 & (1 << way as u8) != 0
    }

    /// Returns these openings with one more added.
    #[must_use]
    pub const fn with(self, way: Direction) -> Self {
        Self(self.0 | (1 << way as u8))
    }

    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the tile is a T or a cross.
    pub const fn is_junction(self) -> bool {
        self.count() > 2
    }

    /// Whether the tile is a straight.
    pub const fn is_straight(self) -> bool {
        self.0 == 0b0101 || self.0 == 0b1010
    }

    /// Returns the open directions in the order of [`Direction::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&way| self.has(way))
    }

    /// Returns the openings as a number from 0 to 15. The north is the lowest bit.
    pub const fn bits(self) -> usize {
        self.0 as usize
    }

    /// Parses the letters of directions, such as `nes`. Returns `None` if a letter is no direction
    /// or occurs twice.
    pub fn parse(letters: &str) -> Option<Self> {
        letters.chars().try_fold(Self::NONE, |ends, letter| {
            let way = Direction::ALL.into_iter().find(|way| way.letter() == letter)?;
            (!ends.has(way)).then(|| ends.with(way))
        })
    }
}

impl fmt::Display for TileOpenings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|way| write!(f, "{}", way.letter()))
    }
}

impl Serialize for TileOpenings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TileOpenings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_str(deserializer, |text| {
            Self::parse(text).ok_or_else(|| {
                format!("\"{text}\" is not a set of openings; write one such as nes")
            })
        })
    }
}

/// A square of a board of the largest size, stored as `row * SIDE_MAX + column`. Its name `D2` is
/// the letter of its column and the number of its row, counted from the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The north-western corner, A1.
    pub const FIRST: Self = Self(0);

    /// Returns the square in this column and row, both counted from 0. Returns `None` beyond the
    /// largest board.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < SIDE_MAX && row < SIDE_MAX { Some(Self(row * SIDE_MAX + column)) } else { None }
    }

    /// Returns the column, counted from 0 in the west.
    pub const fn column(self) -> u8 {
        self.0 % SIDE_MAX
    }

    /// Returns the row, counted from 0 in the north.
    pub const fn row(self) -> u8 {
        self.0 / SIDE_MAX
    }

    /// Returns the adjacent square in a direction. Returns `None` beyond the largest board; a
    /// smaller board is not considered.
    pub fn neighbour(self, way: Direction) -> Option<Self> {
        let (right, down) = Direction::OFFSETS[way.index()];
        let column = self.column().checked_add_signed(right)?;
        Self::new(column, self.row().checked_add_signed(down)?)
    }

    /// Parses a name such as `D2`; upper and lower case are both accepted. Returns `None` for any
    /// other text, and for a square beyond the largest board.
    pub fn parse(name: &str) -> Option<Self> {
        let &[column, row] = name.as_bytes() else { return None };
        let column = column.to_ascii_lowercase().checked_sub(b'a')?;
        Self::new(column, row.checked_sub(b'1')?)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_letter(self.column()), self.row() + 1)
    }
}

/// Returns the capital letter of a column, counted from 0.
pub fn column_letter(column: u8) -> char {
    char::from(b'A'.saturating_add(column))
}

impl Serialize for Square {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Square {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_str(deserializer, |text| {
            Self::parse(text)
                .ok_or_else(|| format!("\"{text}\" is not a square; write one such as D2"))
        })
    }
}

/// A set of squares, one bit per square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareSet(u128);

impl SquareSet {
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square.0) != 0
    }

    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the squares of this set that are not in `other`.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the squares row by row from the north-west.
    pub fn iter(self) -> impl Iterator<Item = Square> + Clone {
        (0..SQUARES_MAX).map(Square).filter(move |&square| self.contains(square))
    }
}

impl FromIterator<Square> for SquareSet {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::default();
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

/// An array with one value for every square of the largest board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BySquare<T>([T; SQUARES_MAX as usize]);

impl<T: Copy + Default> Default for BySquare<T> {
    fn default() -> Self {
        Self([T::default(); SQUARES_MAX as usize])
    }
}

impl<T> std::ops::Index<Square> for BySquare<T> {
    type Output = T;

    fn index(&self, square: Square) -> &T {
        &self.0[usize::from(square.0)]
    }
}

impl<T> std::ops::IndexMut<Square> for BySquare<T> {
    fn index_mut(&mut self, square: Square) -> &mut T {
        &mut self.0[usize::from(square.0)]
    }
}
