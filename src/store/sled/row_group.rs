//! Where the rows of games are kept: those of eight numbers in one value.
//!
//! sled's pages hold sixteen entries at most and cost time and memory whenever the store is opened,
//! so a game is to be a part of an entry, not ten of them. Knows nothing of what rows say.

use super::game_row::GameRow;
use super::pieces::{replace_pieces, whole_value};
use super::tagged::Tagged;
use super::trees::{Stop, Tree, Trees, WriteTx, under};
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};
use sled::IVec;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::RangeInclusive;

/// So many numbers share a value: it is mostly no longer than one piece, were all of them games.
const GAMES: u32 = 8;

/// The rows of neighbouring games.
struct RowGroup<'a> {
    number: u32,
    rows: Tagged<'a>,
}

impl<'a> RowGroup<'a> {
    /// Reads a group.
    ///
    /// # Errors
    /// When it is cut off.
    fn read(number: u32, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Self, StoreError> {
        Ok(Self { number, rows: Tagged::read(bytes)? })
    }

    /// The group that is kept under a number; one without games when none is.
    fn kept<E: From<StoreError>>(
        number: u32,
        get: impl Fn(Tree, Vec<u8>) -> Result<Option<IVec>, E>,
    ) -> Result<Self, E> {
        Ok(Self::read(number, whole_value(Tree::Games, number, get)?)?)
    }

    /// A game's row; an empty one when there is none.
    fn row(&self, game: u32) -> Result<GameRow<'static>, StoreError> {
        GameRow::read(self.rows.get(tag(game)).unwrap_or_default().to_vec())
    }

    /// Puts a game's row in the place of the one that is there.
    fn set(&mut self, game: u32, row: &GameRow<'_>) -> Result<(), StoreError> {
        let bytes = Some(row.bytes()).filter(|bytes| !bytes.is_empty());
        self.rows.replace(tag(game), bytes).map(drop)
    }

    /// The games and their rows, ascending.
    fn games(&self) -> impl Iterator<Item = Result<(u32, GameRow<'_>), StoreError>> {
        let first = self.number.saturating_mul(GAMES);
        self.rows
            .values()
            .map(move |(tag, row)| Ok((first.saturating_add(tag.into()), GameRow::read(row)?)))
    }
}

/// The number of the group in which a game's row is.
const fn group_of(game: u32) -> u32 {
    game / GAMES
}

/// Under what a game's row is in its group.
const fn tag(game: u32) -> u8 {
    (game % GAMES) as u8
}

/// The rows of games that a transaction changes, each group read and written once.
pub(super) struct GameRows<'a, 'tx>(&'a WriteTx<'tx>, BTreeMap<u32, Changed>);

/// A group as it was, and the rows in it that are changed, by game.
struct Changed {
    group: RowGroup<'static>,
    rows: BTreeMap<u32, GameRow<'static>>,
}

impl<'a, 'tx> GameRows<'a, 'tx> {
    /// None so far.
    pub(crate) const fn new(tx: &'a WriteTx<'tx>) -> Self {
        Self(tx, BTreeMap::new())
    }

    /// A game's row.
    pub(crate) fn of(&mut self, game: u32) -> Result<&mut GameRow<'static>, Stop> {
        let changed = match self.1.entry(group_of(game)) {
            Entry::Occupied(changed) => changed.into_mut(),
            Entry::Vacant(place) => {
                let group = RowGroup::kept(*place.key(), |tree, key| self.0.get(tree, key))?;
                place.insert(Changed { group, rows: BTreeMap::new() })
            }
        };
        Ok(match changed.rows.entry(game) {
            Entry::Occupied(row) => row.into_mut(),
            Entry::Vacant(place) => place.insert(changed.group.row(game)?),
        })
    }

    /// Writes them.
    pub(crate) fn write(self) -> Result<(), Stop> {
        let Self(tx, groups) = self;
        groups.into_values().try_for_each(|Changed { mut group, rows }| {
            rows.iter().try_for_each(|(game, row)| group.set(*game, row))?;
            replace_pieces(tx, Tree::Games, group.rows.bytes(), || Key::of(group.number))
        })
    }
}

impl Trees {
    /// What is kept of a game; nothing when there is none.
    pub(crate) fn row(&self, game: u32) -> Result<GameRow<'static>, StoreError> {
        self.row_group(group_of(game))?.row(game)
    }

    fn row_group(&self, number: u32) -> Result<RowGroup<'static>, StoreError> {
        RowGroup::kept(number, |tree, key| self.get(tree, key))
    }

    /// What `read` makes of the rows of games with these numbers, ascending.
    pub(crate) fn scan_rows<T>(
        &self,
        games: RangeInclusive<u32>,
        mut read: impl FnMut(u32, &GameRow<'_>) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let (first, _) = under(Key::of(group_of(*games.start())).bytes());
        let (_, last) = under(Key::of(group_of(*games.end())).bytes());
        let mut found = Vec::new();
        self.scan_whole(Tree::Games, (first, last), 4, |key, bytes| {
            for row in RowGroup::read(Parts(key).number()?, bytes)?.games() {
                let (game, row) = row?;
                if games.contains(&game) {
                    found.extend(read(game, &row)?);
                }
            }
            Ok(None::<()>)
        })?;
        Ok(found)
    }

    /// The highest number that a game has; none where there is no game.
    pub(crate) fn last_game(&self) -> Result<Option<u32>, StoreError> {
        let mut last = None;
        self.last_where(Tree::Games, |key| {
            for row in self.row_group(Parts(key).number()?)?.games() {
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
                let each = |game, row: &GameRow<'_>| Ok(Some((game, row.bytes().to_vec())));
                let found = store.trees.scan_rows(games.clone(), each).unwrap();
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
                row.set(Field::Room, &vec![b'r'; *length])?;
            }
            what => {
                row.set(Field::Seat(Seat::new(*what)), &vec![b's'; *length])?;
            }
        }
        Ok(())
    }
}
