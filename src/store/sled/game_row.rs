//! All that is kept of one game beside the lines of its log: one value, a field for each fact.
//!
//! A field is read without the others being understood. Knows nothing of what they say.

use super::tagged::Tagged;
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::Parts;

/// The facts that are kept of a game, each under a tag.
pub(super) type GameRow<'a> = Tagged<'a>;

/// The tag of the first seat. A game has one of each fact with a lower tag.
const SEATS: u8 = 32;

/// The tags of the facts.
pub(super) struct Field;

impl Field {
    /// How many lines its log has, and how many bytes with the ends of lines.
    pub(crate) const LOG: u8 = 0;
    /// When it is due.
    pub(crate) const DUE: u8 = 1;
    /// How many lines and bytes of the log its journal holds.
    pub(crate) const JOURNALED: u8 = 2;
    /// Its clock as JSON.
    pub(crate) const CLOCK: u8 = 3;
    /// The people around it, as JSON.
    pub(crate) const ROOM: u8 = 4;
    /// How it stands, as JSON.
    pub(crate) const OUTLINE: u8 = 5;
    /// How many entries its activity log has.
    pub(crate) const MINUTES: u8 = 6;

    /// The player of a seat, as JSON.
    pub(crate) const fn seat(seat: Seat) -> u8 {
        SEATS.saturating_add(seat.number())
    }
}

impl GameRow<'_> {
    /// Returns `true` if its number is taken: it has a log, or people are around it.
    pub(crate) fn is_game(&self) -> bool {
        self.get(Field::LOG).is_some() || self.get(Field::ROOM).is_some()
    }

    /// Iterates over the players, by seat.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        let seat = |number: u8| number.checked_sub(SEATS).map(Seat::new);
        self.values().filter_map(move |(number, bytes)| Some((seat(number)?, bytes)))
    }

    /// Returns how long the log is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn log(&self) -> Result<Extent, StoreError> {
        self.extent(Field::LOG)
    }

    /// Returns how much of the log its journal holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn journaled(&self) -> Result<Extent, StoreError> {
        self.extent(Field::JOURNALED)
    }

    /// Returns the number of entries in the activity log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn minutes(&self) -> Result<u32, StoreError> {
        self.get(Field::MINUTES).map_or(Ok(0), |bytes| Parts(bytes).number())
    }

    fn extent(&self, field: u8) -> Result<Extent, StoreError> {
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
                let (field, bytes) = (Field::seat(Seat::new(seat)), vec![byte; length]);
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
