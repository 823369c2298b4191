//! Groups of game rows: the rows of eight games with successive numbers share one value.
//!
//! A page of sled holds at most sixteen entries, and each page costs time and memory whenever the
//! store is opened. Groups keep the number of pages low.

use super::chunks::{put_chunks, read_chunked_value};
use super::game_row::GameRow;
use super::tagged_values::TaggedValues;
use super::trees::{Tree, Trees, TxError, WriteTx, keys_with_prefix};
use crate::store::StoreError;
use crate::store::keys::{Key, KeyReader};
use sled::IVec;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;

/// The number of games whose rows share a group. A group is rarely longer than one chunk.
const GAMES_PER_GROUP: u32 = 8;

const fn group_number(game: u32) -> u32 {
    game / GAMES_PER_GROUP
}

const fn row_tag(game: u32) -> u8 {
    (game % GAMES_PER_GROUP) as u8
}

/// Reads the group of game rows with this number; empty if there is none.
fn read_group<E: From<StoreError>>(
    number: u32,
    get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
) -> Result<TaggedValues<'static>, E> {
    Ok(TaggedValues::parse(read_chunked_value(Tree::Games, || Key::from_u32(number), get)?)?)
}

/// Iterates over the rows of a group with the numbers of their games.
fn group_rows<'a>(
    number: u32,
    group: &'a TaggedValues<'_>,
) -> impl Iterator<Item = Result<(u32, GameRow<'a>), StoreError>> {
    let first = number.saturating_mul(GAMES_PER_GROUP);
    let row = move |(tag, row)| Ok((first.saturating_add(u32::from(tag)), GameRow::parse(row)?));
    group.iter().map(row)
}

/// The groups that a transaction changes, with their rows by tag. Each group is read once and
/// written once.
pub(super) struct GameRows<'a, 'tx> {
    tx: &'a WriteTx<'tx>,
    groups: BTreeMap<u32, BTreeMap<u8, GameRow<'static>>>,
}

impl<'a, 'tx> GameRows<'a, 'tx> {
    pub(crate) const fn new(tx: &'a WriteTx<'tx>) -> Self {
        Self { tx, groups: BTreeMap::new() }
    }

    /// Returns a game's row so that the caller can change it. Reads its group if that was not read
    /// yet.
    pub(crate) fn row_mut(&mut self, game: u32) -> Result<&mut GameRow<'static>, TxError> {
        let rows = match self.groups.entry(group_number(game)) {
            Entry::Occupied(rows) => rows.into_mut(),
            Entry::Vacant(place) => {
                let group = read_group(*place.key(), |tree, key| self.tx.get(tree, key))?;
                let rows = group.iter().map(|(tag, row)| Ok((tag, GameRow::parse(row.to_vec())?)));
                place.insert(rows.collect::<Result<_, StoreError>>()?)
            }
        };
        Ok(rows.entry(row_tag(game)).or_default())
    }

    pub(crate) fn write_all(self) -> Result<(), TxError> {
        self.groups.iter().try_for_each(|(number, rows)| {
            let mut group = TaggedValues::default();
            for (tag, row) in rows.iter().filter(|(_, row)| !row.as_bytes().is_empty()) {
                group.set(*tag, row.as_bytes())?;
            }
            put_chunks(self.tx, Tree::Games, group.as_bytes(), || Key::from_u32(*number))
        })
    }
}

impl Trees {
    /// Returns a game's row; empty if there is none.
    pub(crate) fn game_row(&self, game: u32) -> Result<GameRow<'static>, StoreError> {
        let group = read_group(group_number(game), |tree, key| self.get(tree, key))?;
        GameRow::parse(group.get(row_tag(game)).unwrap_or_default().to_vec())
    }

    /// Passes the rows of the games in a range of numbers to `visit`, ascending.
    pub(crate) fn for_each_row(
        &self,
        games: RangeInclusive<u32>,
        mut visit: impl FnMut(u32, &GameRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let (first, _) = keys_with_prefix(Key::from_u32(group_number(*games.start())).into_bytes());
        let (_, last) = keys_with_prefix(Key::from_u32(group_number(*games.end())).into_bytes());
        self.for_each_chunked(Tree::Games, (first, last), 4, |key, bytes| {
            for row in group_rows(KeyReader(key).read_u32()?, &TaggedValues::parse(bytes)?) {
                let (game, row) = row?;
                if games.contains(&game) {
                    visit(game, &row)?;
                }
            }
            Ok(())
        })
    }

    /// Returns the highest number of a game that has a log or a game info.
    pub(crate) fn last_game_number(&self) -> Result<Option<u32>, StoreError> {
        let mut last = None;
        self.find_last_key(Tree::Games, |key| {
            let number = KeyReader(key).read_u32()?;
            for row in group_rows(number, &read_group(number, |tree, key| self.get(tree, key))?) {
                let (game, row) = row?;
                last = row.is_number_taken().then_some(game).or(last);
            }
            Ok(last.is_some())
        })?;
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;
    use crate::store::sled::game_row::FieldTag;
    use crate::store::{Repository, Store};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        #[test]
        fn game_rows_match_last_written_values(
            changes in prop::collection::vec((0..30_u32, 0..5_u8, 0..3_000_usize), 1..80),
        ) {
            let home = crate::testing::create_folder();
            let store = Store::open(home.path()).unwrap();
            let mut known = BTreeMap::<u32, GameRow<'static>>::new();
            for changes in changes.chunks(9) {
                store
                    .trees
                    .run_write_transaction(|tx| {
                        let mut rows = GameRows::new(tx);
                        for change in changes {
                            apply_change(rows.row_mut(change.0)?, change)?;
                        }
                        rows.write_all()
                    })
                    .unwrap();
                for change in changes {
                    apply_change(known.entry(change.0).or_default(), change).unwrap();
                }
            }
            for (game, row) in &known {
                prop_assert_eq!(&store.trees.game_row(*game).unwrap(), row);
            }
            known.retain(|_, row| !row.as_bytes().is_empty());
            for games in [0..=u32::MAX, 7..=8, 8..=15, 11..=11, RangeInclusive::new(8, 7)] {
                let mut found = Vec::new();
                let each = |game, row: &GameRow<'_>| {
                    found.push((game, row.as_bytes().to_vec()));
                    Ok(())
                };
                store.trees.for_each_row(games.clone(), each).unwrap();
                let among = known.iter().filter(|(game, _)| games.contains(game));
                let among = among.map(|(game, row)| (*game, row.as_bytes().to_vec()));
                prop_assert!(found.into_iter().eq(among));
            }
            let taken = known.iter().filter(|(_, row)| row.is_number_taken());
            let last = taken.map(|(game, _)| *game).max();
            prop_assert_eq!(store.trees.last_game_number().unwrap(), last);
            prop_assert_eq!(store.next_game_number().unwrap(), last.unwrap_or(0) + 1);
        }
    }

    /// Applies one random change: sets a seat, sets the game info, or empties the row.
    fn apply_change(row: &mut GameRow<'_>, change: &(u32, u8, usize)) -> Result<(), TxError> {
        let (_, what, length) = change;
        match what {
            0 => {
                *row = GameRow::default();
            }
            1 => {
                row.set(FieldTag::ROOM, &vec![b'r'; *length])?;
            }
            what => {
                row.set(FieldTag::seat_tag(Seat::new(*what)), &vec![b's'; *length])?;
            }
        }
        Ok(())
    }
}
