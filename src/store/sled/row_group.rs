//! The groups in which the rows of games are kept: those of eight numbers in one value.
//!
//! sled's pages hold sixteen entries at most and cost time and memory whenever the store is opened,
//! so a game is a part of an entry. Knows nothing of what rows say.

use super::game_row::GameRow;
use super::pieces::{put_pieces, whole_value};
use super::tagged::Tagged;
use super::trees::{Stop, Tree, Trees, WriteTx, under};
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};
use sled::IVec;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;

/// The number of games whose rows share a value, which is rarely longer than one piece.
const GAMES: u32 = 8;

/// Returns the number of the group in which a game's row is.
const fn group_of(game: u32) -> u32 {
    game / GAMES
}

/// Returns the tag of a game's row in its group.
const fn tag(game: u32) -> u8 {
    (game % GAMES) as u8
}

/// Reads the group with a number; an empty one if there is none.
fn group<E: From<StoreError>>(
    number: u32,
    get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
) -> Result<Tagged<'static>, E> {
    Ok(Tagged::read(whole_value(Tree::Games, || Key::of(number), get)?)?)
}

/// Iterates over the rows of a group, by the numbers of their games.
fn rows<'a>(
    number: u32,
    group: &'a Tagged<'_>,
) -> impl Iterator<Item = Result<(u32, GameRow<'a>), StoreError>> {
    let first = number.saturating_mul(GAMES);
    let row = move |(tag, row)| Ok((first.saturating_add(u32::from(tag)), GameRow::read(row)?));
    group.values().map(row)
}

/// The rows of the groups that a transaction changes, by group and tag. Each group is read and
/// written once.
pub(super) struct GameRows<'a, 'tx> {
    tx: &'a WriteTx<'tx>,
    groups: BTreeMap<u32, BTreeMap<u8, GameRow<'static>>>,
}

impl<'a, 'tx> GameRows<'a, 'tx> {
    /// Creates it without any rows.
    pub(crate) const fn new(tx: &'a WriteTx<'tx>) -> Self {
        Self { tx, groups: BTreeMap::new() }
    }

    /// Returns a game's row.
    pub(crate) fn of(&mut self, game: u32) -> Result<&mut GameRow<'static>, Stop> {
        let rows = match self.groups.entry(group_of(game)) {
            Entry::Occupied(rows) => rows.into_mut(),
            Entry::Vacant(place) => {
                let group = group(*place.key(), |tree, key| self.tx.get(tree, key))?;
                let rows = group.values().map(|(tag, row)| Ok((tag, GameRow::read(row.to_vec())?)));
                place.insert(rows.collect::<Result<_, StoreError>>()?)
            }
        };
        Ok(rows.entry(tag(game)).or_default())
    }

    /// Writes all rows.
    pub(crate) fn write(self) -> Result<(), Stop> {
        self.groups.iter().try_for_each(|(number, rows)| {
            let mut group = Tagged::default();
            for (tag, row) in rows.iter().filter(|(_, row)| !row.bytes().is_empty()) {
                group.set(*tag, row.bytes())?;
            }
            put_pieces(self.tx, Tree::Games, group.bytes(), || Key::of(*number))
        })
    }
}

impl Trees {
    /// Returns a game's row; an empty one if there is none.
    pub(crate) fn row(&self, game: u32) -> Result<GameRow<'static>, StoreError> {
        let group = group(group_of(game), |tree, key| self.get(tree, key))?;
        GameRow::read(group.get(tag(game)).unwrap_or_default().to_vec())
    }

    /// Gives the rows of the games with these numbers to `take`, in ascending order.
    pub(crate) fn each_row(
        &self,
        games: RangeInclusive<u32>,
        mut take: impl FnMut(u32, &GameRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        if games.is_empty() {
            return Ok(());
        }
        let (first, _) = under(Key::of(group_of(*games.start())).bytes());
        let (_, last) = under(Key::of(group_of(*games.end())).bytes());
        self.each_whole(Tree::Games, (first, last), 4, |key, bytes| {
            for row in rows(Parts(key).number()?, &Tagged::read(bytes)?) {
                let (game, row) = row?;
                if games.contains(&game) {
                    take(game, &row)?;
                }
            }
            Ok(())
        })
    }

    /// Returns the highest number of a game.
    pub(crate) fn last_game(&self) -> Result<Option<u32>, StoreError> {
        let mut last = None;
        self.last_where(Tree::Games, |key| {
            let number = Parts(key).number()?;
            for row in rows(number, &group(number, |tree, key| self.get(tree, key))?) {
                let (game, row) = row?;
                last = row.is_game().then_some(game).or(last);
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
    use crate::store::sled::game_row::Field;
    use crate::store::{Repository, Store};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// Whatever rows are written, lengthened and emptied, each is what was said of it last,
        /// and the others stay as they are.
        #[test]
        fn a_game_is_what_was_said_of_it_last(
            changes in prop::collection::vec((0..30_u32, 0..5_u8, 0..3_000_usize), 1..80),
        ) {
            let home = crate::common::folder();
            let store = Store::open(home.path()).unwrap();
            let mut known = BTreeMap::<u32, GameRow<'static>>::new();
            for changes in changes.chunks(9) {
                store
                    .trees
                    .write(|tx| {
                        let mut rows = GameRows::new(tx);
                        changes.iter().try_for_each(|change| changed(rows.of(change.0)?, change))?;
                        rows.write()
                    })
                    .unwrap();
                for change in changes {
                    changed(known.entry(change.0).or_default(), change).unwrap();
                }
            }
            for (game, row) in &known {
                prop_assert_eq!(&store.trees.row(*game).unwrap(), row);
            }
            known.retain(|_, row| !row.bytes().is_empty());
            for games in [0..=u32::MAX, 7..=8, 8..=15, 11..=11, RangeInclusive::new(8, 7)] {
                let mut found = Vec::new();
                let each = |game, row: &GameRow<'_>| {
                    found.push((game, row.bytes().to_vec()));
                    Ok(())
                };
                store.trees.each_row(games.clone(), each).unwrap();
                let among = known.iter().filter(|(game, _)| games.contains(game));
                let among = among.map(|(game, row)| (*game, row.bytes().to_vec()));
                prop_assert!(found.into_iter().eq(among));
            }
            let last = known.iter().filter(|(_, row)| row.is_game()).map(|(game, _)| *game).max();
            prop_assert_eq!(store.trees.last_game().unwrap(), last);
            prop_assert_eq!(store.next_game().unwrap(), last.unwrap_or(0) + 1);
        }
    }

    /// Sets a seat, a room, or nothing any more.
    fn changed(row: &mut GameRow<'_>, change: &(u32, u8, usize)) -> Result<(), Stop> {
        let (_, what, length) = change;
        match what {
            0 => {
                *row = GameRow::default();
            }
            1 => {
                row.set(Field::ROOM, &vec![b'r'; *length])?;
            }
            what => {
                row.set(Field::seat(Seat::new(*what)), &vec![b's'; *length])?;
            }
        }
        Ok(())
    }
}
