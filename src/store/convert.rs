//! A store of the first layout, in which each fact of a game was an entry of its own, becomes one
//! of this.
//!
//! Game by game, each in a transaction of its own, so that whatever cuts it short the next opening
//! goes on from there; that it has begun is noted before. Knows nothing of what lines and facts
//! say, and repairs nothing: a game that has lost a line has lost it afterwards too.

use super::StoreError;
use super::change::{CLOCKS, Rows};
use super::game_row::{Extent, Field};
use super::keys::{Key, Parts};
use super::pieces::append_lines;
use super::trees::{Stop, Tree, Trees, WriteTx, sound, under};
use sled::IVec;
use std::ops::Bound;

/// How many games are converted in one transaction.
const GAMES_AT_ONCE: usize = 50;

/// A tree of the first layout.
#[derive(Clone, Copy, Debug)]
enum Old {
    /// Game: the length of its log.
    Games,
    /// Game, seq, piece: a piece of the line.
    Log,
    /// Game, seat: as JSON.
    Seats,
    /// Game: moment.
    DueAt,
    /// Game: how many lines and bytes of the log its journal holds.
    Journaled,
    /// Game: its clock as JSON.
    Clocks,
    /// Game, piece: a piece of who is around it, as JSON.
    Gatherings,
}

impl Old {
    const ALL: [Self; 7] = [
        Self::Games,
        Self::Log,
        Self::Seats,
        Self::DueAt,
        Self::Journaled,
        Self::Clocks,
        Self::Gatherings,
    ];

    /// Their names on disk, in this order.
    const NAMES: [&'static str; 7] =
        ["games", "log", "seats", "due_at", "journaled", "clocks", "gatherings"];
}

/// What the first layout has of one game.
#[derive(Default)]
struct OldGame {
    game: u32,
    /// How many lines its log is known to have.
    length: u32,
    /// Those that are there.
    lines: Vec<Vec<u8>>,
    fields: Vec<(Field, Vec<u8>)>,
    /// All keys under which it was kept.
    keys: Vec<(Old, Vec<u8>)>,
}

/// Converts all that is left of the first layout.
///
/// # Errors
/// When the store cannot be read or written.
pub(super) fn convert(trees: &Trees) -> Result<(), StoreError> {
    let old = OldTrees(trees.others(&Old::NAMES)?);
    let mut next = 0;
    loop {
        let mut games = Vec::new();
        while games.len() < GAMES_AT_ONCE
            && let Some(game) = old.first_game(next)?
        {
            games.push(old.read(game)?);
            next = game.saturating_add(1);
        }
        if games.is_empty() {
            return Ok(());
        }
        trees.write_with(&old.0, |tx, old| {
            let mut rows = Rows::new(tx);
            games.iter().try_for_each(|game| write(tx, &mut rows, game))?;
            rows.write()?;
            let keys = &mut games.iter().flat_map(|game| &game.keys);
            keys.try_for_each(|(tree, key)| {
                Ok(old[*tree as usize].remove(key.as_slice()).map(drop)?)
            })
        })?;
    }
}

/// The trees of the first layout, in the order of [`Old`].
struct OldTrees(Vec<sled::Tree>);

impl OldTrees {
    /// The first game from this number on of which something is kept.
    fn first_game(&self, from: u32) -> Result<Option<u32>, StoreError> {
        let mut first = None;
        for tree in &self.0 {
            let key = scan(tree, (Bound::Included(Key::of(from).bytes()), Bound::Unbounded)).next();
            let game = key.transpose()?.map(|(key, _)| Parts(&key).number()).transpose()?;
            first = first.into_iter().chain(game).min();
        }
        Ok(first)
    }

    fn read(&self, game: u32) -> Result<OldGame, StoreError> {
        let mut found = OldGame { game, ..OldGame::default() };
        let mut room = Vec::new();
        for old in Old::ALL {
            for entry in scan(&self.0[old as usize], under(Key::of(game).bytes())) {
                let (key, value) = entry?;
                let mut parts = Parts(key.get(4..).unwrap_or_default());
                let field = match old {
                    Old::Games => {
                        found.length = Parts(&value).number()?;
                        None
                    }
                    Old::Log => {
                        let (_, piece) = (parts.number()?, parts.number()?);
                        match found.lines.last_mut().filter(|_| piece > 0) {
                            Some(line) => line.extend(&*value),
                            None => found.lines.push(value.to_vec()),
                        }
                        None
                    }
                    Old::Gatherings => {
                        room.extend(&*value);
                        None
                    }
                    Old::Seats => Some(Field::Seat(parts.seat()?)),
                    Old::DueAt => Some(Field::Due),
                    Old::Journaled => Some(Field::Journaled),
                    Old::Clocks => Some(Field::Clock),
                };
                found.fields.extend(field.map(|field| (field, value.to_vec())));
                found.keys.push((old, key.to_vec()));
            }
        }
        found.fields.extend((!room.is_empty()).then_some((Field::Room, room)));
        Ok(found)
    }
}

fn write(tx: &WriteTx, rows: &mut Rows, old: &OldGame) -> Result<(), Stop> {
    let row = rows.of(old.game)?;
    for (field, value) in &old.fields {
        row.set(*field, value.clone());
        if *field == Field::Clock {
            tx.put(Tree::Meta, CLOCKS.to_vec(), &[])?;
        }
    }
    if old.length > 0 {
        let lines = old.lines.iter().map(Vec::as_slice);
        let log = append_lines(tx, old.game, Extent::default(), lines)?;
        row.set(Field::Log, Extent { lines: old.length, ..log }.field());
    }
    Ok(())
}

/// The entries of a tree in a range, in order.
fn scan(
    tree: &sled::Tree,
    range: (Bound<Vec<u8>>, Bound<Vec<u8>>),
) -> impl Iterator<Item = Result<(IVec, IVec), StoreError>> {
    let mut entries = tree.range(range);
    std::iter::from_fn(move || sound(|| entries.next().transpose()).transpose())
}
