//! The holes in sled's file, closed before sled opens it.
//!
//! Whenever sled 0.34.7 opens its file it writes zeros over every segment that holds nothing. After
//! a busy day that is a third of the file: each small pass of the days after it would write ten
//! megabytes in a club of a thousand games. Here the last segments of the file are moved into its
//! holes and the file is cut off behind them, which writes less than sled would have.
//!
//! sled finds a segment by the place that its header names, wherever in the file it lies, so places
//! stay what they are, and with them all that is noted of the store. Only sled's snapshot says
//! where segments lie. It is taken away, and sled reads its whole file once to make another. Where
//! sled could not do that ([`Segments::are_found_up_to`]), as after a very large commit, the holes
//! stay until the next segment is begun, which the next change sees to.
//!
//! # Killed half-way
//!
//! A hole is a hole while its header is zeros. So first all else is written into the holes and made
//! durable, then the snapshot goes, then the headers are written. From then on a segment may be
//! there twice, alike: the first one counts, and whoever opens the file next goes on from there.
//! The file is cut off once the headers are durable. No segment that holds something is ever
//! written over.
//!
//! Knows nothing of what the segments say.

use super::recovery::forget_snapshots;
use super::replay::{HEAD, SEGMENT, Segments, Tip, read_segment, tip};
use crate::disk;
use crate::store::StoreError;
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

/// So many holes are left in a file in which so many segments are in use: a hole costs half a
/// megabyte each time, closing it the reading of the whole file once.
fn left_alone(used: u64) -> u64 {
    used / 512
}

/// Closes the holes of the store in a folder if there are too many. Its file `db` has these
/// segments, is known to have been written up to the place `known`, and locked. Says whether they
/// stay until sled has begun the next segment.
///
/// # Errors
/// When something is left half-way; whoever opens the store next goes on with it. Where nothing
/// was begun, all is as it was and that is no error: sled copes with holes.
pub(super) fn close(
    folder: &Path,
    file: &File,
    segments: &Segments,
    known: u64,
) -> Result<bool, StoreError> {
    let used = segments.at.len() as u64;
    let all = file.metadata()?.len().div_ceil(SEGMENT);
    if !segments.is_half_moved && all - used <= left_alone(used) {
        return Ok(false);
    }
    // Without its snapshot sled reads everything, and takes what it cannot read for a torn end.
    let is_readable = |tip: Tip| tip.place >= known && segments.are_found_up_to(tip.place);
    if !segments.is_half_moved && !tip(file, segments, 0, known).is_ok_and(is_readable) {
        return Ok(true);
    }
    let (db, end) = (folder.join("db"), used * SEGMENT);
    let moves = moves(segments, end);
    match copy(&db, file, &moves) {
        Ok(true) => {}
        result if segments.is_half_moved => {
            return Err(result.err().unwrap_or_else(|| io::Error::other("a copy differs")).into());
        }
        _ => return Ok(false),
    }
    forget_snapshots(folder)?;
    for (from, to) in moves {
        disk::write_over(&db, to, &read_segment(file, from)?[..HEAD])?;
    }
    disk::sync_file(&db)?;
    disk::truncate(&db, end)?;
    Ok(false)
}

/// Which segments behind the place in the file where it is to end go into which holes before it.
fn moves(segments: &Segments, end: u64) -> Vec<(u64, u64)> {
    let used: BTreeSet<u64> = segments.at.values().copied().collect();
    let holes = (0..end).step_by(SEGMENT as usize).filter(|at| !used.contains(at));
    used.range(end..).copied().zip(holes).collect()
}

/// Copies segments, all but their headers, into holes; whether all is durable there as it should
/// be. The holes are still holes.
fn copy(db: &Path, file: &File, moves: &[(u64, u64)]) -> io::Result<bool> {
    for (from, to) in moves {
        disk::write_over(db, to + HEAD as u64, &read_segment(file, *from)?[HEAD..])?;
    }
    disk::sync_file(db)?;
    for (from, to) in moves {
        if read_segment(file, *from)?[HEAD..] != read_segment(file, *to)?[HEAD..] {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::replay::segments;
    use super::*;
    use crate::club::Member;
    use crate::store::sled::trees::Tree;
    use crate::store::{
        Batch, GameStore, LogLine, Outbox, Outgoing, Repository, Store, StoreError,
    };
    use chrono::DateTime;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    /// A store whose file is mostly holes, and that sled has written zeros over them.
    fn with_holes() -> TempDir {
        // Where sled puts what is written its threads decide: sometimes most holes lie last, or
        // stay until the next segment is begun.
        let mut made = std::iter::repeat_with(with_some_holes).take(9);
        made.find(|home| moves_in(home).len() > 1 && is_readable_without_snapshot(home)).unwrap()
    }

    fn is_readable_without_snapshot(home: &TempDir) -> bool {
        let file = File::open(db(home)).unwrap();
        let segments = segments(&file).unwrap();
        segments.are_found_up_to(tip(&file, &segments, 0, 0).unwrap().place)
    }

    /// Which segments would be moved there.
    fn moves_in(home: &TempDir) -> Vec<(u64, u64)> {
        let segments = segments(&File::open(db(home)).unwrap()).unwrap();
        moves(&segments, segments.at.len() as u64 * SEGMENT)
    }

    fn with_some_holes() -> TempDir {
        let home = crate::common::folder();
        let store = Store::open(&home.path().join("store")).unwrap();
        for round in 0..5 {
            let line = |game| LogLine { game, seq: round, line: format!("{round} {game}") };
            let letter = |n| Outgoing {
                message_id: format!("{round}.{n}"),
                recipient: "ann@example.org".to_owned(),
                owed: "x".repeat(30_000).into(),
                label: None,
            };
            let member = |id| Member { id, name: format!("Ann {round}"), ..Member::default() };
            store
                .write(&Batch {
                    log_lines: (1..90).map(line).collect(),
                    outgoing: (0..50).map(letter).collect(),
                    members: (1..90).map(member).collect(),
                    ..Batch::default()
                })
                .unwrap();
            let sent = store.outbox(DateTime::UNIX_EPOCH, 49).unwrap();
            let sent = sent.into_iter().map(|queued| queued.key).collect();
            store.write(&Batch { sent, ..Batch::default() }).unwrap();
        }
        drop(store);
        drop(Store::open(&home.path().join("store")).unwrap());
        home
    }

    fn close_in(folder: &Path, file: &File, known: u64) -> Result<bool, StoreError> {
        super::close(folder, file, &segments(file)?, known)
    }

    fn db(home: &TempDir) -> PathBuf {
        home.path().join("store/db")
    }

    /// The same in a folder of its own.
    fn copy(home: &TempDir) -> TempDir {
        let copy = crate::common::folder();
        fs::create_dir_all(copy.path().join("store/blobs")).unwrap();
        let files = fs::read_dir(home.path().join("store")).unwrap();
        let files = files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        for path in files.chain([home.path().join("store.mark")]) {
            fs::copy(&path, copy.path().join(path.strip_prefix(home.path()).unwrap())).unwrap();
        }
        copy
    }

    /// All that a store holds, tree by tree.
    fn all(store: &Store) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let pair = |key: &[u8], value: &[u8]| Ok(Some((key.to_vec(), value.to_vec())));
        Tree::all().map(|tree| store.trees.scan(tree, .., pair).unwrap()).collect()
    }

    fn opened(home: &TempDir) -> Result<Store, StoreError> {
        Store::open(&home.path().join("store"))
    }

    /// How many segments are in use, and how many are not.
    fn shape(home: &TempDir) -> (u64, u64) {
        let file = File::open(db(home)).unwrap();
        let used = segments(&file).unwrap().at.len() as u64;
        (used, file.metadata().unwrap().len().div_ceil(SEGMENT) - used)
    }

    /// All that it holds, once it was opened and its holes were closed.
    fn closed(home: &TempDir, what: &str) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let store = opened(home).unwrap_or_else(|error| panic!("{what}: {error}"));
        let all = all(&store);
        drop(store);
        // What sled gives up while it opens the file is there until the next time; how much that
        // is its threads decide.
        if shape(home).1 > 2 {
            drop(opened(home).unwrap_or_else(|error| panic!("{what}: {error}")));
        }
        assert!(shape(home).1 < 3, "{what}: {:?}", shape(home));
        all
    }

    fn one_more(store: &Store) {
        let line = LogLine { game: 1, seq: store.log_length(1).unwrap(), line: "more".to_owned() };
        store.write(&Batch { log_lines: vec![line], ..Batch::default() }).unwrap();
    }

    #[test]
    fn holes_are_closed_and_nothing_that_was_kept_is_another() {
        let home = with_holes();
        let (used, holes) = shape(&home);
        assert!(holes > 2 && used > 2, "{used} {holes}");
        let mark = fs::read(home.path().join("store.mark")).unwrap();
        let store = opened(&home).unwrap();
        assert!(shape(&home).0 <= used && shape(&home).1 < 3, "{:?}", shape(&home));
        assert_eq!(fs::read(home.path().join("store.mark")).unwrap(), mark);
        assert_eq!(store.outbox(DateTime::UNIX_EPOCH, 99).unwrap().len(), 5);
        assert!((1..90).all(|game| store.log(game).unwrap().len() == 5));
        assert!(store.members().unwrap().iter().all(|member| member.name == "Ann 4"));
        let kept = all(&store);
        one_more(&store);
        let before = all(&store);
        assert!(kept != before);
        drop(store);
        assert!(closed(&home, "it goes on") == before);
        assert_eq!(fs::read_dir(home.path().join("store/blobs")).unwrap().count(), 0);
    }

    #[test]
    fn a_hole_is_closed_wherever_it_is_but_for_a_few_in_a_large_file() {
        assert_eq!([0, 511, 512, 2_560].map(left_alone), [0, 0, 1, 5]);
        let home = with_holes();
        let expected = closed(&home, "undisturbed");
        let file = fs::read(db(&home)).unwrap();
        for at in [0, 1, file.len() / SEGMENT as usize] {
            let copy = copy(&home);
            let (before, behind) = file.split_at(at * SEGMENT as usize);
            let hole = vec![0; SEGMENT as usize];
            fs::write(db(&copy), [before, &hole, behind].concat()).unwrap();
            // It says where the segments were.
            forget_snapshots(&copy.path().join("store")).unwrap();
            close_in(&copy.path().join("store"), &File::open(db(&copy)).unwrap(), 0).unwrap();
            assert_eq!(shape(&copy).1, 0);
            assert!(closed(&copy, "a hole more") == expected, "{at}");
        }
    }

    /// What a kill or a power cut can leave: what was written since the last sync is there or not,
    /// one by one.
    #[test]
    fn whatever_cuts_it_short_the_store_is_whole() {
        let home = with_holes();
        let bytes = fs::read(db(&home)).unwrap();
        let moves = moves_in(&home);
        let expected = closed(&copy(&home), "undisturbed");
        // A part of each of these moves, from there to there in the segment.
        let moved = |bytes: &mut Vec<u8>, moves: &[(u64, u64)], part: std::ops::Range<usize>| {
            bytes.resize(bytes.len().next_multiple_of(SEGMENT as usize), 0);
            for (from, to) in moves.iter().map(|(from, to)| (*from as usize, *to as usize)) {
                bytes.copy_within(from + part.start..from + part.end, to + part.start);
            }
        };
        let some = |n: usize| [&moves[..n], &moves[n..(n + 1).min(moves.len())]];
        for moved_some in (0..=moves.len()).flat_map(some) {
            for end in [HEAD + 9_000, SEGMENT as usize] {
                let (copy, mut bytes) = (copy(&home), bytes.clone());
                moved(&mut bytes, moved_some, HEAD..end);
                fs::write(db(&copy), bytes).unwrap();
                assert!(closed(&copy, "bodies") == expected, "{moved_some:?} {end}");
            }
            let (copy, mut bytes) = (copy(&home), bytes.clone());
            moved(&mut bytes, &moves, HEAD..SEGMENT as usize);
            moved(&mut bytes, moved_some, 0..HEAD);
            fs::write(db(&copy), bytes).unwrap();
            forget_snapshots(&copy.path().join("store")).unwrap();
            assert!(closed(&copy, "headers") == expected, "{moved_some:?}");
            one_more(&opened(&copy).unwrap());
        }
    }

    #[test]
    fn what_cannot_be_written_is_left_as_it_is() {
        let home = with_holes();
        let expected = closed(&copy(&home), "undisturbed");
        let (bytes, file) = (fs::read(db(&home)).unwrap(), File::open(db(&home)).unwrap());
        let nowhere = crate::common::folder();
        close_in(nowhere.path(), &file, 0).unwrap();
        assert!(fs::read(db(&home)).unwrap() == bytes);
        // Half-way it has to go on.
        let (from, to) = moves_in(&home)[0];
        let segment = read_segment(&file, from).unwrap();
        disk::write_over(&db(&home), to, &segment).unwrap();
        forget_snapshots(&home.path().join("store")).unwrap();
        let failed = close_in(nowhere.path(), &file, 0);
        assert!(matches!(failed, Err(StoreError::Io(_))), "{failed:?}");
        // Two that differ are not one that was moved.
        disk::write_over(&db(&home), to + 99, &[!segment[99]]).unwrap();
        let bytes = fs::read(db(&home)).unwrap();
        assert!(matches!(opened(&home), Err(StoreError::Damaged(_))));
        assert!(fs::read(db(&home)).unwrap() == bytes);
        disk::write_over(&db(&home), to + 99, &segment[99..100]).unwrap();
        assert!(closed(&home, "mended") == expected);
    }

    #[test]
    fn a_damaged_file_is_not_touched() {
        let home = with_holes();
        let file = File::open(db(&home)).unwrap();
        let found = segments(&file).unwrap();
        let known = tip(&file, &found, 0, 0).unwrap().place;
        let first = *found.at.first_key_value().unwrap().1;
        let mut bytes = fs::read(db(&home)).unwrap();
        bytes[first as usize + HEAD + 40] ^= 1;
        fs::write(db(&home), &bytes).unwrap();
        close_in(&home.path().join("store"), &file, known).unwrap();
        assert!(fs::read(db(&home)).unwrap() == bytes);
    }

    /// Else sled empties the file, as it did to every store whose snapshot was damaged then.
    #[test]
    fn what_sled_cannot_read_without_its_snapshot_keeps_it() {
        let home = crate::common::folder();
        let needs_it = || {
            let segments = segments(&File::open(db(&home)).unwrap()).unwrap();
            !segments.at.contains_key(&0) && !segments.are_found_up_to(SEGMENT)
        };
        let mut passes = 0;
        while passes == 0 || !needs_it() {
            let letter = Outgoing {
                message_id: passes.to_string(),
                recipient: "ann@example.org".to_owned(),
                owed: "x".repeat(3_000).into(),
                label: None,
            };
            let store = opened(&home).unwrap();
            one_more(&store);
            store.write(&Batch { outgoing: vec![letter], ..Batch::default() }).unwrap();
            let sent = vec![store.in_line(DateTime::UNIX_EPOCH).unwrap()[0].key];
            store.write(&Batch { sent, ..Batch::default() }).unwrap();
            passes += 1;
            assert!(passes < 400, "{:?}", shape(&home));
        }
        let store = opened(&home).unwrap();
        assert_eq!(store.log(1).unwrap().len(), passes);
        assert!(shape(&home).1 > 0, "its holes are kept");
        drop(store);
        let without = copy(&home);
        forget_snapshots(&without.path().join("store")).unwrap();
        let bytes = fs::read(db(&without)).unwrap();
        assert!(matches!(opened(&without), Err(StoreError::Damaged(_))));
        assert!(fs::read(db(&without)).unwrap() == bytes);
        // Else whoever opens it writes zeros over all of them, every time.
        let store = opened(&home).unwrap();
        one_more(&store);
        let before = all(&store);
        drop(store);
        assert!(!needs_it(), "one change is enough");
        assert!(closed(&home, "at the next opening") == before);
    }

    #[test]
    fn an_older_store_is_no_store_whatever_was_closed_since() {
        let home = with_holes();
        let older = copy(&home);
        let put_back = || {
            fs::remove_dir_all(home.path().join("store")).unwrap();
            fs::rename(copy(&older).keep().join("store"), home.path().join("store")).unwrap();
        };
        drop(opened(&home).unwrap());
        // Nothing was lost by this.
        put_back();
        let store = opened(&home).unwrap();
        one_more(&store);
        drop(store);
        put_back();
        let told = opened(&home).err().unwrap().to_string();
        assert!(told.contains("postrider restore"), "{told}");
    }
}
