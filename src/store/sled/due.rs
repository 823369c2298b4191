//! The index of due times. One value holds the due times in one hour of the games in a block of 256
//! numbers.
//!
//! A page of sled holds at most sixteen entries and costs memory whenever the store is opened. With
//! an entry per game, these pages would be most of what a large club reads then.

use super::chunks::set_list_entry;
use super::trees::{Tree, Trees, TxError, WriteTx, keys_with_prefix};
use crate::store::StoreError;
use crate::store::keys::{Key, KeyReader};
use chrono::{DateTime, Utc};

const HOUR_SECONDS: i64 = 3_600;
/// The number of games per value. If all of them are due in one hour, the value still fits into one
/// chunk.
const GAMES_PER_VALUE: u32 = 256;
/// The size of an entry: a time (12 bytes) and a game (4 bytes).
const ENTRY_BYTES: usize = 16;

/// Adds a game's new due time to the index, and removes the old one (`before`).
pub(super) fn update_due_index(
    tx: &WriteTx,
    game: u32,
    before: Option<DateTime<Utc>>,
    due: Option<DateTime<Utc>>,
) -> Result<(), TxError> {
    let before = before.filter(|before| Some(*before) != due).map(|at| (at, false));
    for (at, is_due) in before.into_iter().chain(due.map(|at| (at, true))) {
        let entry = Key::from_time(at).with_u32(game).into_bytes();
        set_list_entry(
            tx,
            Tree::Due,
            || hour_key(at).with_u32(game / GAMES_PER_VALUE),
            &entry,
            is_due,
        )?;
    }
    Ok(())
}

/// Begins the keys of all index values for the hour of this time.
fn hour_key(of: DateTime<Utc>) -> Key {
    let seconds = of.timestamp();
    Key::default().with_sortable_seconds(seconds - seconds.rem_euclid(HOUR_SECONDS))
}

/// Parses a value of the index: the due times and games in it, ascending.
fn parse_entries(value: &[u8]) -> Result<Vec<(DateTime<Utc>, u32)>, StoreError> {
    let entry = |bytes| {
        let mut parts = KeyReader(bytes);
        Ok((parts.read_time()?, parts.read_u32()?))
    };
    value.chunks(ENTRY_BYTES).map(entry).collect()
}

impl Trees {
    pub(crate) fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let last = hour_key(until).with_u32(u32::MAX).with_u32(u32::MAX).into_bytes();
        let found =
            self.collect_entries(Tree::Due, ..=last, |_, value| parse_entries(value).map(Some))?;
        let mut due: Vec<_> = found.into_iter().flatten().filter(|(at, _)| *at <= until).collect();
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).collect())
    }

    pub(crate) fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        let first = |value: &[u8]| Ok(parse_entries(value)?.first().map(|(due, _)| *due));
        let mut one = None;
        self.visit(Tree::Due, .., &mut |_, value| {
            one = first(value)?;
            Ok(one.is_none())
        })?;
        // Games in another block of numbers may be due earlier in this hour.
        let Some(one) = one else { return Ok(None) };
        let of_hour = self.collect_entries(
            Tree::Due,
            keys_with_prefix(hour_key(one).into_bytes()),
            |_, value| first(value),
        )?;
        Ok(of_hour.into_iter().min())
    }
}

#[cfg(test)]
mod tests {
    use crate::store::{Batch, GameStore, Repository, Store};
    use chrono::{DateTime, TimeDelta, Utc};
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn time_at(seconds: i64, nanos: u32) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, nanos).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// After random changes of due times, the due games equal those of a plain list of all due
        /// times.
        #[test]
        fn due_games_match_last_written_times(
            changes in vec((1_u32..600, proptest::option::of((-9_000_i64..9_000, 0_u32..3))), 1..60)
        ) {
            let home = crate::testing::create_folder();
            let store = Store::open(home.path()).unwrap();
            let mut known = BTreeMap::new();
            for part in changes.chunks(7) {
                let mut batch = Batch::default();
                for (game, due) in part {
                    let due = due.map(|(seconds, nanos)| time_at(seconds, nanos));
                    batch.due.push((*game, due));
                    known.remove(game);
                    known.extend(due.map(|due| (*game, due)));
                }
                store.write_without_conflict_check(&batch).unwrap();
            }
            let mut all: Vec<_> = known.iter().map(|(game, due)| (*due, *game)).collect();
            all.sort_unstable();
            prop_assert_eq!(store.next_due_time().unwrap(), all.first().map(|(due, _)| *due));
            let moments = all.iter().map(|(due, _)| *due);
            for until in moments.chain([time_at(-9_001, 0), time_at(0, 0), time_at(9_999, 0)]) {
                let early = |until| {
                    let due = all.iter().filter(|(due, _)| *due <= until);
                    due.map(|(_, game)| *game).collect::<Vec<u32>>()
                };
                prop_assert_eq!(store.due_games(until).unwrap(), early(until));
                let before = until - TimeDelta::nanoseconds(1);
                prop_assert_eq!(store.due_games(before).unwrap(), early(before));
            }
        }
    }
}
