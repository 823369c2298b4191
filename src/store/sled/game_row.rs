//! All that is kept of one game beside the lines of its log: one value, a field for each fact.
//!
//! A field is read without the others being understood. Knows nothing of what they say.

use super::tagged_values::TaggedValues;
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::KeyReader;

/// The facts that are kept of a game, each under a tag.
pub(super) type GameRow<'a> = TaggedValues<'a>;

/// The tag of the first seat. A game has one of each fact with a lower tag.
const FIRST_SEAT_TAG: u8 = 32;

/// The tags of the facts.
pub(super) struct FieldTag;

impl FieldTag {
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
    pub(crate) const ACTIVITY: u8 = 6;

    /// The player of a seat, as JSON.
    pub(crate) const fn seat_tag(seat: Seat) -> u8 {
        FIRST_SEAT_TAG.saturating_add(seat.number())
    }
}

impl GameRow<'_> {
    /// Returns `true` if its number is taken: it has a log, or people are around it.
    pub(crate) fn is_number_taken(&self) -> bool {
        self.get(FieldTag::LOG).is_some() || self.get(FieldTag::ROOM).is_some()
    }

    /// Iterates over the players, by seat.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        let seat = |number: u8| number.checked_sub(FIRST_SEAT_TAG).map(Seat::new);
        self.values().filter_map(move |(number, bytes)| Some((seat(number)?, bytes)))
    }

    /// Returns how long the log is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn log_extent(&self) -> Result<Extent, StoreError> {
        self.read_extent(FieldTag::LOG)
    }

    /// Returns how much of the log its journal holds.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn journaled_extent(&self) -> Result<Extent, StoreError> {
        self.read_extent(FieldTag::JOURNALED)
    }

    /// Returns the number of entries in the activity log.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn activity_length(&self) -> Result<u32, StoreError> {
        self.get(FieldTag::ACTIVITY).map_or(Ok(0), |bytes| KeyReader(bytes).read_u32())
    }

    fn read_extent(&self, field: u8) -> Result<Extent, StoreError> {
        let Some(bytes) = self.get(field) else { return Ok(Extent::default()) };
        let mut parts = KeyReader(bytes);
        Ok(Extent { lines: parts.read_u32()?, bytes: parts.read_u64()? })
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
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        crate::store::keys::Key::from_u32(self.lines).with_u64(self.bytes).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn row_holds_last_set_fields_only(
            changes in
                prop::collection::vec((0..9_u8, any::<bool>(), 0..=u8::MAX, 0..300_usize), 0..30),
        ) {
            let (mut row, mut expected) = (GameRow::default(), BTreeMap::new());
            for (seat, is_set, byte, length) in changes {
                let (field, bytes) = (FieldTag::seat_tag(Seat::new(seat)), vec![byte; length]);
                let before = expected.remove(&seat);
                if is_set {
                    prop_assert_eq!(row.set(field, &bytes).unwrap(), before);
                    expected.insert(seat, bytes);
                } else {
                    prop_assert_eq!(row.remove(field).unwrap(), before);
                }
                let kept = GameRow::parse(row.as_bytes()).unwrap();
                let seats = kept.seats().map(|(seat, bytes)| (seat.number(), bytes.to_vec()));
                prop_assert!(seats.eq(expected.clone()));
                prop_assert!(!kept.is_number_taken());
            }
        }

        #[test]
        fn reading_arbitrary_bytes_never_panics(
            bytes in prop::collection::vec(0..=u8::MAX, 0..40),
        ) {
            let _ = GameRow::parse(bytes);
        }
    }
}
