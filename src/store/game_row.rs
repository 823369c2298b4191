//! All that is kept of one game beside the lines of its log: one value, a field for each fact.
//!
//! sled's pages hold sixteen entries at most and cost memory whenever the store is opened, so a
//! game is to be one entry and not ten. A field is read without the others being understood. Knows
//! nothing of what they say.

use super::StoreError;
use super::keys::Parts;
use crate::rules::Seat;
use std::collections::BTreeMap;

/// A fact that is kept of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// How many lines its log has, and how many bytes with the ends of lines.
    Log,
    /// When it is due.
    Due,
    /// How many lines and bytes of the log its journal holds.
    Journaled,
    /// Its clock as JSON.
    Clock,
    /// Who is around it, as JSON.
    Room,
    /// How it stands, as JSON.
    Outline,
    /// Who sits there, as JSON.
    Seat(Seat),
}

/// The number of the first seat's field; those below are for what a game has one of.
const SEATS: u8 = 32;

impl Field {
    const fn number(self) -> u8 {
        match self {
            Self::Log => 0,
            Self::Due => 1,
            Self::Journaled => 2,
            Self::Clock => 3,
            Self::Room => 4,
            Self::Outline => 5,
            Self::Seat(seat) => SEATS.saturating_add(seat.number()),
        }
    }
}

/// What is kept of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameRow(BTreeMap<u8, Vec<u8>>);

impl GameRow {
    /// Reads a row as [`GameRow::bytes`] wrote it.
    ///
    /// # Errors
    /// When it is cut off.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, StoreError> {
        let mut parts = Parts(bytes);
        let mut fields = BTreeMap::new();
        while !parts.0.is_empty() {
            let (number, length) = (parts.byte()?, parts.number()?);
            fields.insert(number, parts.bytes(length as usize)?.to_vec());
        }
        Ok(Self(fields))
    }

    /// The row as it is kept: number, length and bytes of each field.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        for (number, field) in &self.0 {
            let length = u32::try_from(field.len()).map_err(StoreError::damaged)?;
            bytes.push(*number);
            bytes.extend(length.to_be_bytes());
            bytes.extend(field);
        }
        Ok(bytes)
    }

    /// Whether its number is taken: it has a log, or people are around it.
    pub(crate) fn is_game(&self) -> bool {
        self.get(Field::Log).is_some() || self.get(Field::Room).is_some()
    }

    /// A field; none when there is no such fact.
    pub(crate) fn get(&self, field: Field) -> Option<&[u8]> {
        self.0.get(&field.number()).map(Vec::as_slice)
    }

    /// Sets a field; says what was there.
    pub(crate) fn set(&mut self, field: Field, bytes: Vec<u8>) -> Option<Vec<u8>> {
        self.0.insert(field.number(), bytes)
    }

    /// Removes a field; says what was there.
    pub(crate) fn take(&mut self, field: Field) -> Option<Vec<u8>> {
        self.0.remove(&field.number())
    }

    /// The seats' fields, ascending.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        let seats = self.0.range(SEATS..);
        seats.map(|(number, bytes)| (Seat::new(number - SEATS), bytes.as_slice()))
    }

    /// How long the log is.
    ///
    /// # Errors
    /// When that cannot be read.
    pub(crate) fn log(&self) -> Result<Extent, StoreError> {
        self.extent(Field::Log)
    }

    /// How much of the log its journal holds.
    ///
    /// # Errors
    /// When that cannot be read.
    pub(crate) fn journaled(&self) -> Result<Extent, StoreError> {
        self.extent(Field::Journaled)
    }

    fn extent(&self, field: Field) -> Result<Extent, StoreError> {
        let Some(bytes) = self.get(field) else { return Ok(Extent::default()) };
        let mut parts = Parts(bytes);
        Ok(Extent { lines: parts.number()?, bytes: parts.long()? })
    }
}

/// How long a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    /// In lines.
    pub lines: u32,
    /// In bytes, the ends of lines included.
    pub bytes: u64,
}

impl Extent {
    /// As it is kept.
    pub(crate) fn field(self) -> Vec<u8> {
        super::keys::Key::of(self.lines).then_long(self.bytes).bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_is_read_as_it_was_written(
            fields in prop::collection::vec((0..40_u8, 0..=u8::MAX, 0..300_usize), 0..9),
        ) {
            let field = |(number, byte, length)| (number, vec![byte; length]);
            let row = GameRow(fields.into_iter().map(field).collect());
            prop_assert_eq!(&GameRow::read(&row.bytes().unwrap()).unwrap(), &row);
        }

        #[test]
        fn what_is_no_row_is_an_error_and_no_panic(
            bytes in prop::collection::vec(0..=u8::MAX, 0..40),
        ) {
            let _ = GameRow::read(&bytes);
        }
    }
}
