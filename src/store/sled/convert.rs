//! A store of the first layout, in which each fact of a game was an entry of its own, of the
//! second, in which each game that is due had one, or of the third, in which each game had one,
//! becomes one of this.
//!
//! A few games at a time, all of a game in one transaction, so that whatever cuts it short the next
//! opening goes on from there; that it has begun is noted before. Knows nothing of what lines and
//! facts say, and repairs nothing: a game that has lost a line has lost it afterwards too.

use super::change::CLOCKS;
use super::due;
use super::game_row::{Extent, Field, GameRow};
use super::pieces::append_lines;
use super::places::set_place;
use super::row_group::GameRows;
use super::trees::{Stop, Tree, Trees, WriteTx, entries, under};
use crate::store::StoreError;
use crate::store::keys::{Key, Parts};
use sled::IVec;

/// How many games are converted in one transaction.
const GAMES_AT_ONCE: usize = 50;
/// How many entries of other kinds.
const ENTRIES_AT_ONCE: usize = 1_000;

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
pub(super) fn to_second(trees: &Trees) -> Result<(), StoreError> {
    convert_games(trees)?;
    convert_places(trees)
}

/// Where members sit: member, game, seat was a key each.
fn convert_places(trees: &Trees) -> Result<(), StoreError> {
    convert_keys(trees, "seats_of", |tx, key| {
        let mut parts = Parts(key);
        let (member, game, seat) = (parts.number()?, parts.number()?, parts.seat()?);
        set_place(tx, member, (game, seat), true)
    })
}

/// Converts all that is left of the second layout: moment, game was a key for each that is due.
///
/// # Errors
/// When the store cannot be read or written.
pub(super) fn to_third(trees: &Trees) -> Result<(), StoreError> {
    convert_keys(trees, "due", |tx, key| {
        let mut parts = Parts(key);
        let (due, game) = (parts.moment()?, parts.number()?);
        due::set(tx, game, None, Some(due))
    })
}

/// Converts a tree in which only keys said something, and empties it.
fn convert_keys(
    trees: &Trees,
    name: &str,
    convert: impl Fn(&WriteTx, &[u8]) -> Result<(), Stop>,
) -> Result<(), StoreError> {
    let old = trees.others(&[name])?;
    loop {
        let all = entries(&old[0], ..).take(ENTRIES_AT_ONCE);
        let keys: Vec<IVec> = all.map(|entry| Ok(entry?.0)).collect::<Result<_, StoreError>>()?;
        if keys.is_empty() {
            return Ok(());
        }
        trees.write_with(&old, |tx, old| {
            keys.iter().try_for_each(|key| {
                convert(tx, key)?;
                Ok(old[0].remove(key).map(drop)?)
            })
        })?;
    }
}

/// Converts all that is left of the third layout: game, piece was a key for each piece of its row.
///
/// # Errors
/// When the store cannot be read or written.
pub(super) fn to_fourth(trees: &Trees) -> Result<(), StoreError> {
    let old = trees.others(&["rows"])?;
    loop {
        let (mut games, mut keys) = (Vec::<(u32, Vec<u8>)>::new(), Vec::new());
        for entry in entries(&old[0], ..) {
            let (key, value) = entry?;
            let mut parts = Parts(&key);
            let (game, piece) = (parts.number()?, parts.number()?);
            let is_enough = games.len() == ENTRIES_AT_ONCE;
            match games.last_mut().filter(|_| piece > 0) {
                Some((_, row)) => row.extend(&*value),
                None if is_enough => break,
                None => games.push((game, value.to_vec())),
            }
            keys.push(key);
        }
        if games.is_empty() {
            return Ok(());
        }
        trees.write_with(&old, |tx, old| {
            let mut rows = GameRows::new(tx);
            for (game, row) in &games {
                *rows.of(*game)? = GameRow::read(row.clone())?;
            }
            rows.write()?;
            keys.iter().try_for_each(|key| Ok(old[0].remove(key).map(drop)?))
        })?;
    }
}

fn convert_games(trees: &Trees) -> Result<(), StoreError> {
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
            let mut rows = GameRows::new(tx);
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
            let key = entries(tree, Key::of(from).bytes()..).next();
            let game = key.transpose()?.map(|(key, _)| Parts(&key).number()).transpose()?;
            first = first.into_iter().chain(game).min();
        }
        Ok(first)
    }

    fn read(&self, game: u32) -> Result<OldGame, StoreError> {
        let mut found = OldGame { game, ..OldGame::default() };
        let mut room = Vec::new();
        for old in Old::ALL {
            for entry in entries(&self.0[old as usize], under(Key::of(game).bytes())) {
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

fn write(tx: &WriteTx, rows: &mut GameRows, old: &OldGame) -> Result<(), Stop> {
    let row = rows.of(old.game)?;
    for (field, value) in &old.fields {
        row.set(*field, value)?;
        if *field == Field::Clock {
            tx.put(Tree::Meta, CLOCKS.to_vec(), &[])?;
        }
    }
    if old.length > 0 {
        let lines = old.lines.iter().map(Vec::as_slice);
        let log = append_lines(tx, old.game, Extent::default(), lines)?;
        row.set(Field::Log, &Extent { lines: old.length, ..log }.field())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::clock::GameClock;
    use crate::club::{GameRoom, Seated};
    use crate::rules::Seat;
    use crate::store::sled::layout::STEPS;
    use crate::store::{Batch, GameStore, LogLine, Repository, Store};
    use chrono::DateTime;
    use std::fs;
    use std::ops::RangeInclusive;
    use std::path::Path;

    const GAMES: u32 = 130;

    /// A club with logs short and long, an empty line, a crowd, clocks, and a game without a log.
    fn filled(folder: &Path) -> Store {
        let store = Store::open(folder).unwrap();
        let clock = r#"{"rules":{"deadline":"1 day"}}"#;
        let clock: GameClock = serde_json::from_str(clock).unwrap();
        let mut batch = Batch::default();
        for game in 1..=GAMES {
            let lengths = [0, 1, 5_999, 6_000, 6_001, 13_000];
            for seq in 0..game % 7 {
                let line = "x".repeat(lengths[(game + seq) as usize % 6]);
                batch.log_lines.push(LogLine { game, seq, line });
            }
            for seat in Seat::all((game % 4) as u8) {
                let seated = Seated { member: game % 5 + 1, ..Seated::default() };
                batch.seats.push((game, seat, seated));
            }
            // A crowd in each room would take most of the time of these tests.
            let crowd = if game % 10 == 0 { game * 40 } else { game % 3 };
            let observers = (0..crowd).collect();
            batch.rooms.push((game, GameRoom { observers, ..GameRoom::default() }));
            batch.due.push((game, DateTime::from_timestamp(game.into(), 5)));
            batch.clocks.push((game, clock.clone()));
        }
        store.write(&batch).unwrap();
        store
    }

    /// How much of a store is not converted.
    struct Left {
        /// What `format` says.
        layout: &'static str,
        /// The first game that the first layout still has; those below have rows.
        whole: u32,
        /// The first game that is due in an entry of its own.
        due: u32,
        /// The games whose rows are entries of their own.
        rows: RangeInclusive<u32>,
    }

    /// Puts a store back into earlier layouts.
    fn unconverted(store: &Store, folder: &Path, left: &Left) {
        games_each(store, left.whole);
        due_each(store, left.due);
        rows_each(store, left.rows.clone());
        fs::write(folder.join("format"), left.layout).unwrap();
    }

    /// Puts games from a number on back into the first layout.
    fn games_each(store: &Store, from: u32) {
        let old = store.trees.others(&Old::NAMES).unwrap();
        let put = |tree: Old, key: Key, value: &[u8]| {
            old[tree as usize].insert(key.bytes(), value).unwrap();
        };
        let seats_of = &store.trees.others(&["seats_of"]).unwrap()[0];
        for game in from..=GAMES {
            let (row, lines) = (store.row(game).unwrap(), store.log(game).unwrap());
            let key = || Key::of(game);
            if !lines.is_empty() {
                put(Old::Games, key(), &u32::try_from(lines.len()).unwrap().to_be_bytes());
            }
            for (seq, line) in (0..).zip(&lines) {
                let rest = line.as_bytes().get(6_000..).unwrap_or_default().chunks(6_000);
                let first = &line.as_bytes()[..line.len().min(6_000)];
                for (piece, bytes) in (0..).zip(std::iter::once(first).chain(rest)) {
                    put(Old::Log, key().then(seq).then(piece), bytes);
                }
            }
            for (seat, json) in row.seats() {
                put(Old::Seats, key().then_seat(seat), json);
                let member: Seated = serde_json::from_slice(json).unwrap();
                let place = Key::of(member.member).then(game).then_seat(seat);
                seats_of.insert(place.bytes(), &[]).unwrap();
            }
            put(Old::DueAt, key(), row.get(Field::Due).unwrap());
            put(Old::Clocks, key(), row.get(Field::Clock).unwrap());
            for (piece, bytes) in (0..).zip(row.get(Field::Room).unwrap().chunks(6_000)) {
                put(Old::Gatherings, key().then(piece), bytes);
            }
        }
        let gone = |tree, game| {
            let keys = store
                .trees
                .scan(tree, under(Key::of(game).bytes()), |key, _| Ok(Some(key.to_vec())));
            let keys = keys.unwrap();
            store
                .trees
                .write(|tx| keys.iter().try_for_each(|key| tx.take(tree, key.clone()).map(drop)))
        };
        for game in from..=GAMES {
            take_row(store, game);
            gone(Tree::Lines, game).unwrap();
        }
        (1..=5).for_each(|member| gone(Tree::SeatsOf, member).unwrap());
        if from == 1 {
            store.trees.write(|tx| tx.take(Tree::Meta, CLOCKS.to_vec()).map(drop)).unwrap();
        } else {
            // Their places were noted already.
            let (games, mut places) = (1..from, Vec::new());
            for game in games {
                let seats = store.seats(game).unwrap().into_iter().enumerate();
                places.extend(seats.map(|(at, s)| (s.member, (game, Seat::from_index(at)))));
            }
            let places = &places;
            let write = |tx: &WriteTx| {
                places.iter().try_for_each(|(member, at)| set_place(tx, *member, *at, true))
            };
            store.trees.write(write).unwrap();
        }
    }

    /// Puts what is due of games from a number on back into entries of their own.
    fn due_each(store: &Store, from: u32) {
        let old = &store.trees.others(&["due"]).unwrap()[0];
        for game in from..=GAMES {
            let at = DateTime::from_timestamp(game.into(), 5).unwrap();
            old.insert(Key::moment(at).then(game).bytes(), &[]).unwrap();
            store.trees.write(|tx| due::set(tx, game, Some(at), None)).unwrap();
        }
    }

    /// Puts games' rows back into entries of their own.
    fn rows_each(store: &Store, games: RangeInclusive<u32>) {
        let old = &store.trees.others(&["rows"]).unwrap()[0];
        for game in games {
            let row = store.row(game).unwrap();
            for (piece, bytes) in (0..).zip(row.bytes().chunks(6_000)) {
                old.insert(Key::of(game).then(piece).bytes(), bytes).unwrap();
            }
            take_row(store, game);
        }
    }

    fn take_row(store: &Store, game: u32) {
        let write = |tx: &WriteTx| {
            let mut rows = GameRows::new(tx);
            *rows.of(game)? = GameRow::default();
            rows.write()
        };
        store.trees.write(write).unwrap();
    }

    /// How much stands where this layout has it.
    fn counts(store: &Store) -> [usize; 3] {
        [Tree::Games, Tree::Lines, Tree::Due].map(|tree| store.trees.count(tree).unwrap())
    }

    /// All that can be asked of its games.
    fn told(store: &Store) -> String {
        let games: Vec<_> = (0..=GAMES + 1)
            .map(|game| {
                let log = (store.log(game).unwrap(), store.last_line(game).unwrap());
                let around = (store.seats(game).unwrap(), store.room(game).unwrap());
                (log, around, store.clock(game).unwrap(), store.due_at(game).unwrap())
            })
            .collect();
        let places: Vec<_> = (0..8).map(|member| store.seats_of(member).unwrap()).collect();
        let (all, next) = (store.games().unwrap(), store.next_game().unwrap());
        let due = store.due(DateTime::from_timestamp(1_000_000, 0).unwrap()).unwrap();
        let clocks = (store.has_clocks().unwrap(), store.clocks().unwrap());
        format!("{games:?} {places:?} {all:?} {next} {due:?} {clocks:?}")
    }

    #[test]
    fn a_store_of_an_earlier_layout_becomes_one_of_this_from_wherever_that_was_cut_short() {
        let none = GAMES + 1;
        let [first, second, third] = &STEPS;
        let left = |layout, whole, due, rows| Left { layout, whole, due, rows };
        let stores = [
            left(first.from, 1, 1, none..=none),
            left(first.under_way, 1, 1, none..=none),
            left(first.under_way, 51, 1, none..=none),
            // By an earlier version.
            left(first.under_way, 51, 1, 1..=50),
            left(first.under_way, none, 1, 1..=GAMES),
            left(second.from, none, 1, 1..=GAMES),
            left(second.under_way, none, 77, 1..=GAMES),
            left(third.from, none, none, 1..=GAMES),
            left(third.under_way, none, none, 77..=GAMES),
            left(third.under_way, none, none, none..=none),
        ];
        for (nth, left) in stores.iter().enumerate() {
            let home = crate::common::folder();
            let store = filled(home.path());
            let (expected, rows) = (told(&store), counts(&store));
            unconverted(&store, home.path(), left);
            assert_eq!(counts(&store) == rows, nth == stores.len() - 1);
            drop(store);
            let store = Store::open(home.path()).unwrap();
            assert!(told(&store) == expected, "{nth} {}", left.layout);
            let old = [Old::NAMES.as_slice(), &["due", "rows"]].concat();
            let old = store.trees.others(&old).unwrap();
            assert!(old.iter().all(sled::Tree::is_empty));
            drop((old, store));
            assert!(told(&Store::open(home.path()).unwrap()) == expected, "once more");
        }
    }

    #[test]
    fn a_game_that_had_lost_a_line_has_lost_it_and_no_other_has() {
        let home = crate::common::folder();
        let store = filled(home.path());
        let (lost, kept) = (4, store.log(5).unwrap());
        let (layout, none) = (STEPS[0].from, GAMES + 1);
        unconverted(&store, home.path(), &Left { layout, whole: 1, due: 1, rows: none..=none });
        let old = store.trees.others(&Old::NAMES).unwrap();
        old[Old::Log as usize].remove(Key::of(lost).then(1).then(0).bytes()).unwrap();
        drop((old, store));
        let store = Store::open(home.path()).unwrap();
        assert!(matches!(store.log(lost), Err(StoreError::Damaged(_))));
        assert_eq!(store.log(5).unwrap(), kept);
    }
}
