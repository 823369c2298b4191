//! The row of a game: everything that is stored of it except log lines and activity entries, as one
//! value with a field per fact.
//!
//! A field can be read without parsing the others.

use super::tagged_values::TaggedValues;
use crate::rules::Seat;
use crate::store::StoreError;
use crate::store::keys::KeyReader;

/// The stored facts of one game, each under a tag.
pub(super) type GameRow<'a> = TaggedValues<'a>;

/// The tag of seat 0. Each lower tag is a fact that a game has once.
const FIRST_SEAT_TAG: u8 = 32;

/// The tags of the facts.
pub(super) struct FieldTag;

impl FieldTag {
    /// The tag of the log's extent: lines, and bytes with line feeds.
    pub(crate) const LOG: u8 = 0;
    pub(crate) const DUE: u8 = 1;
    /// The tag of the extent of the log that the journal holds.
    pub(crate) const JOURNALED: u8 = 2;
    pub(crate) const CLOCK: u8 = 3;
    /// The tag of the [`GameInfo`](crate::club::GameInfo), which is stored as JSON.
    pub(crate) const ROOM: u8 = 4;
    pub(crate) const OUTLINE: u8 = 5;
    /// The tag of the number of entries in the activity log.
    pub(crate) const ACTIVITY: u8 = 6;

    /// Returns the tag of a seat's assignment, which is stored as JSON.
    pub(crate) const fn seat_tag(seat: Seat) -> u8 {
        FIRST_SEAT_TAG.saturating_add(seat.number())
    }
}

impl GameRow<'_> {
    /// Returns `true` if the game's number is in use: it has a log or a game info.
    pub(crate) fn is_number_taken(&self) -> bool {
        self.get(FieldTag::LOG).is_some() || self.get(FieldTag::ROOM).is_some()
    }

    /// Iterates over the seat assignments as JSON, by seat.
    pub(crate) fn seats(&self) -> impl Iterator<Item = (Seat, &[u8])> {
        let seat = |number: u8| number.checked_sub(FIRST_SEAT_TAG).map(Seat::new);
        self.iter().filter_map(move |(number, bytes)| Some((seat(number)?, bytes)))
    }

    pub(crate) fn log_extent(&self) -> Result<Extent, StoreError> {
        self.read_extent(FieldTag::LOG)
    }

    pub(crate) fn journaled_extent(&self) -> Result<Extent, StoreError> {
        self.read_extent(FieldTag::JOURNALED)
    }

    pub(crate) fn activity_entry_count(&self) -> Result<u32, StoreError> {
        self.get(FieldTag::ACTIVITY).map_or(Ok(0), |bytes| KeyReader(bytes).read_u32())
    }

    fn read_extent(&self, field: u8) -> Result<Extent, StoreError> {
        let Some(bytes) = self.get(field) else { return Ok(Extent::default()) };
        let mut parts = KeyReader(bytes);
        Ok(Extent { lines: parts.read_u32()?, bytes: parts.read_u64()? })
    }
}

/// The length of a text, in lines and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Extent {
    pub lines: u32,
    /// The length of the text in bytes, with line feeds.
    pub bytes: u64,
}

impl Extent {
    /// Returns the extent's stored form: four bytes for the lines, eight for the bytes.
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
