//! Directions, squares, and the openings of a tile of track.

use crate::rules::deserialize_from_str;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The longest side of a board: what 76 columns of a letter hold.
pub const SIDE_MAX: u8 = 9;

/// How many squares the largest board has.
const SQUARES_MAX: u8 = 81;

/// A direction on the board, and the side of the board that lies there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Towards row 1.
    #[default]
    North,
    /// Towards the last column.
    East,
    /// Towards the last row.
    South,
    /// Towards column A.
    West,
}

impl Direction {
    /// All four, in the order in which ties are broken (ruling 7).
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];
    const NAMES: [&'static str; 4] = ["north", "east", "south", "west"];
    const LETTERS: [char; 4] = ['n', 'e', 's', 'w'];
    /// Columns to the right and rows down that one step goes.
    const OFFSETS: [(i8, i8); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
    const TERMS: [&'static str; 4] = ["or-north", "or-east", "or-south", "or-west"];

    /// The opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % 4]
    }

    /// The index into a list of four.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The word in orders.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The letter that stands for it.
    pub const fn letter(self) -> char {
        Self::LETTERS[self as usize]
    }

    /// The key of its translated word.
    pub const fn term(self) -> &'static str {
        Self::TERMS[self as usize]
    }
}

/// The openings of a tile; none where no tile lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Openings(u8);

impl Openings {
    pub const NONE: Self = Self(0);

    /// What can be laid: both straights and the four corners, in any rotation (ruling 1).
    pub const LAYABLE: [Self; 6] =
        [Self(0b0101), Self(0b1010), Self(0b0011), Self(0b0110), Self(0b1100), Self(0b1001)];

    /// Whether there is an opening this way.
    pub const fn has(self, way: Direction) -> bool {
        self.0 & (1 << way as u8) != 0
    }

    /// The same with one opening more.
    #[must_use]
    pub const fn with(self, way: Direction) -> Self {
        Self(self.0 | (1 << way as u8))
    }

    /// How many openings there are.
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

    /// The openings, in the order of [`Way::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&way| self.has(way))
    }

    /// All four openings as a number below 16, north lowest.
    pub const fn bits(self) -> usize {
        self.0 as usize
    }

    /// The openings that these letters name, each once; none when a letter is no direction.
    pub fn parse(letters: &str) -> Option<Self> {
        letters.chars().try_fold(Self::NONE, |ends, letter| {
            let way = Direction::ALL.into_iter().find(|way| way.letter() == letter)?;
            (!ends.has(way)).then(|| ends.with(way))
        })
    }
}

impl fmt::Display for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().try_for_each(|way| write!(f, "{}", way.letter()))
    }
}

impl Serialize for Openings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Openings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_from_str(deserializer, |text| {
            Self::parse(text).ok_or_else(|| format!("\"{text}\" names no openings, as nes does"))
        })
    }
}

/// A square of the largest board, written `D2`: column, then row from the north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The north-western corner.
    pub const FIRST: Self = Self(0);

    /// The square in this column and row, from 0; none beyond the largest board.
    pub const fn new(column: u8, row: u8) -> Option<Self> {
        if column < SIDE_MAX && row < SIDE_MAX { Some(Self(row * SIDE_MAX + column)) } else { None }
    }

    /// The column, from 0.
    pub const fn column(self) -> u8 {
        self.0 % SIDE_MAX
    }

    /// The row, from 0 in the north.
    pub const fn row(self) -> u8 {
        self.0 / SIDE_MAX
    }

    /// The next square this way; none beyond the largest board.
    pub fn neighbour(self, way: Direction) -> Option<Self> {
        let (right, down) = Direction::OFFSETS[way.index()];
        let column = self.column().checked_add_signed(right)?;
        Self::new(column, self.row().checked_add_signed(down)?)
    }

    /// The square of this name, in capitals or not.
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

/// The capital of a column, from 0.
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
            Self::parse(text).ok_or_else(|| format!("\"{text}\" is no square, as D2 is"))
        })
    }
}

/// A set of squares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquareSet(u128);

impl SquareSet {
    /// Whether the square is in it.
    pub const fn contains(self, square: Square) -> bool {
        self.0 & (1 << square.0) != 0
    }

    /// Puts the square in.
    pub const fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    /// Whether it has none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it has.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in this one only.
    #[must_use]
    pub const fn difference(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The squares, row by row.
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

/// One of something for every square.
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
