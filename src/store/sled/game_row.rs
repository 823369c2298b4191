//! All that is kept of one game beside the lines of its log: one value, a field for each fact.
//!
//! A field is read without the others being understood. Knows nothing of what they say.

use super::tagged::Tagged;
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::Parts;
use std::borrow::Cow;

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

/// What is kept of one game, a value for each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GameRow<'a>(Tagged<'a>);

impl<'a> GameRow<'a> {
    /// Reads a row.
    ///
    /// # Errors
    /// When it is cut off.
    pub(crate) fn read(bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, StoreError> {
        Tagged::read(bytes).map(Self)
    }

    /// The row as it is kept.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.bytes()
    }

    /// Whether its number is taken: it has a log, or people are around it.
    pub(crate) fn is_game(&self) -> bool {
        self.get(Field::Log).is_some() || self.get(Field::Room).is_some()
    }

    /// A field; none when there is no such fact.
    pub(crate) fn get(&self, field: Field) -> Option<&[u8]> {
        self.0.get(field.number())
    }

    /// Sets a field; says what was there.
    ///
    /// # Errors
    /// When it is longer than any row can be.
    pub(crate) fn set(
        &mut self,
        field: Field,
        bytes: &[u8],
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.replace(field.number(), Some(bytes))
    }

    /// Removes a field; says what was there.
    ///
    /// # Errors
    /// Never in a row that was read.
    pub(crate) fn take(&mut self, field: Field) -> Result<Option<Vec<u8>>, StoreError> {
        self.0.replace(field.number(), None)
    }

    /// The seats' fields, ascending.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        let seat = |number: u8| number.checked_sub(SEATS).map(Seat::new);
        self.0.values().filter_map(move |(number, bytes)| Some((seat(number)?, bytes)))
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
        crate::store::keys::Key::of(self.lines).then_long(self.bytes).bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn what_was_set_last_is_there_and_nothing_else(
            changes in
                prop::collection::vec((0..9_u8, any::<bool>(), 0..=u8::MAX, 0..300_usize), 0..30),
        ) {
            let (mut row, mut expected) = (GameRow::default(), BTreeMap::new());
            for (seat, is_set, byte, length) in changes {
                let (field, bytes) = (Field::Seat(Seat::new(seat)), vec![byte; length]);
                let before = expected.remove(&seat);
                if is_set {
                    prop_assert_eq!(row.set(field, &bytes).unwrap(), before);
                    expected.insert(seat, bytes);
                } else {
                    prop_assert_eq!(row.take(field).unwrap(), before);
                }
                let kept = GameRow::read(row.bytes()).unwrap();
                let seats = kept.seats().map(|(seat, bytes)| (seat.number(), bytes.to_vec()));
                prop_assert!(seats.eq(expected.clone()));
                prop_assert!(!kept.is_game());
            }
        }

        #[test]
        fn what_is_no_row_is_an_error_and_no_panic(
            bytes in prop::collection::vec(0..=u8::MAX, 0..40),
        ) {
            let _ = GameRow::read(bytes);
        }
    }
}
