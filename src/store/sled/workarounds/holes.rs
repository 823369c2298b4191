//! Closing the holes in sled's file before sled opens it.
//!
//! A hole is a segment that holds nothing. Whenever sled 0.34.7 opens its file, it overwrites every
//! hole with zeros. After a busy day, holes are a third of the file. In a club of 1,000 games, each
//! small pass of the following days would then write 10 MB. This module moves the last segments of
//! the file into its holes and truncates the file, which writes less than sled would.
//!
//! sled finds a segment by the position in its header, wherever in the file it is. So positions do
//! not change, and the high-water mark stays valid. Only sled's snapshot says where segments are.
//! It is deleted, and sled reads its whole file once to make a new one. If sled could not do that
//! ([`SegmentMap::can_recover_without_snapshot`]), as after a very large commit, the holes stay
//! until the next segment is begun. The next change begins it.
//!
//! # If the process is killed
//!
//! A segment counts as a hole while its header is zeros. So the steps are: write the bodies of the
//! moved segments into the holes and sync, delete the snapshot, write the headers and sync,
//! truncate the file. After the headers are written, a segment may be in the file twice, with equal
//! bytes. The first copy counts, and the next opening continues from there. No segment that holds
//! data is ever overwritten.

use super::recovery::remove_snapshots;
use super::replay::{
    LogEnd, SEGMENT_BYTES, SEGMENT_HEADER_BYTES, SegmentMap, find_intact_end, read_segment,
};
use crate::disk;
use crate::store::StoreError;
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;

/// The number of holes that are left alone in a file with `used` segments in use. A hole costs half
/// a megabyte of writing per opening. Closing holes costs reading the whole file once.
fn tolerated_holes(used: u64) -> u64 {
    used / 512
}

/// Closes the holes of the store in `folder` if there are too many. `file` is its locked file `db`,
/// with these segments, and durable up to the position `known`. Returns `true` if the holes must
/// stay until sled has begun the next segment.
///
/// # Errors
/// If a step failed after the file was changed; the next opening continues. A failure before that
/// is no error, because sled copes with holes.
pub(super) fn close(
    folder: &Path,
    file: &File,
    segments: &SegmentMap,
    known: u64,
) -> Result<bool, StoreError> {
    let used = segments.offsets.len() as u64;
    let all = file.metadata()?.len().div_ceil(SEGMENT_BYTES);
    if !segments.has_duplicate && all - used <= tolerated_holes(used) {
        return Ok(false);
    }
    // Without its snapshot sled reads the whole file, and takes a segment that it cannot read for a
    // torn end. So the file is checked first.
    let is_readable =
        |tip: LogEnd| tip.lsn >= known && segments.can_recover_without_snapshot(tip.lsn);
    if !segments.has_duplicate && !find_intact_end(file, segments, 0, known).is_ok_and(is_readable)
    {
        return Ok(true);
    }
    let (db, end) = (folder.join("db"), used * SEGMENT_BYTES);
    let moves = plan_segment_moves(segments, end);
    match copy_segment_bodies(&db, file, &moves) {
        Ok(true) => {}
        result if segments.has_duplicate => {
            return Err(result.err().unwrap_or_else(|| io::Error::other("a copy differs")).into());
        }
        _ => return Ok(false),
    }
    remove_snapshots(folder)?;
    for (from, to) in moves {
        disk::overwrite_at(&db, to, &read_segment(file, from)?[..SEGMENT_HEADER_BYTES])?;
    }
    disk::sync_file(&db)?;
    disk::truncate_and_sync(&db, end)?;
    Ok(false)
}

/// Returns the segments to move when holes are closed. Each is beyond `end`, the future length of
/// the file, and is paired with the hole before `end` that it goes to.
fn plan_segment_moves(segments: &SegmentMap, end: u64) -> Vec<(u64, u64)> {
    let used: BTreeSet<u64> = segments.offsets.values().copied().collect();
    let holes = (0..end).step_by(SEGMENT_BYTES as usize).filter(|at| !used.contains(at));
    used.range(end..).copied().zip(holes).collect()
}

/// Copies segments of sled's file into holes, without their headers. Returns `true` if the copies
/// are durable and equal. The holes stay holes, because their headers are still zeros.
fn copy_segment_bodies(db: &Path, file: &File, moves: &[(u64, u64)]) -> io::Result<bool> {
    for (from, to) in moves {
        disk::overwrite_at(
            db,
            to + SEGMENT_HEADER_BYTES as u64,
            &read_segment(file, *from)?[SEGMENT_HEADER_BYTES..],
        )?;
    }
    disk::sync_file(db)?;
    for (from, to) in moves {
        if read_segment(file, *from)?[SEGMENT_HEADER_BYTES..]
            != read_segment(file, *to)?[SEGMENT_HEADER_BYTES..]
        {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::super::replay::read_segment_map;
    use super::*;
    use crate::club::Member;
    use crate::store::sled::trees::Tree;
    use crate::store::{
        Batch, GameStore, LogLine, Outbox, OutgoingLetter, Repository, Store, StoreError,
    };
    use chrono::DateTime;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    /// Creates a store whose file is mostly holes, which sled has filled with zeros.
    fn store_with_holes() -> TempDir {
        // sled's threads decide where data goes in the file. Sometimes most holes are at its end,
        // or must stay until the next segment. So up to nine stores are made.
        let mut made = std::iter::repeat_with(write_store_with_holes).take(9);
        made.find(|home| planned_moves(home).len() > 1 && is_readable_without_snapshot(home))
            .unwrap()
    }

    fn is_readable_without_snapshot(home: &TempDir) -> bool {
        let file = File::open(db_path(home)).unwrap();
        let segments = read_segment_map(&file).unwrap();
        segments.can_recover_without_snapshot(find_intact_end(&file, &segments, 0, 0).unwrap().lsn)
    }

    fn planned_moves(home: &TempDir) -> Vec<(u64, u64)> {
        let segments = read_segment_map(&File::open(db_path(home)).unwrap()).unwrap();
        plan_segment_moves(&segments, segments.offsets.len() as u64 * SEGMENT_BYTES)
    }

    fn write_store_with_holes() -> TempDir {
        let home = crate::testing::create_folder();
        let store = Store::open(&home.path().join("store")).unwrap();
        for round in 0..5 {
            let line = |game| LogLine { game, seq: round, line: format!("{round} {game}") };
            let letter = |n| OutgoingLetter {
                message_id: format!("{round}.{n}"),
                recipient: "ann@example.org".to_owned(),
                payload: "x".repeat(30_000).into(),
                label: None,
            };
            let member = |id| Member { id, name: format!("Ann {round}"), ..Member::default() };
            store
                .write_without_conflict_check(&Batch {
                    log_lines: (1..90).map(line).collect(),
                    outgoing: (0..50).map(letter).collect(),
                    members: (1..90).map(member).collect(),
                    ..Batch::default()
                })
                .unwrap();
            let sent = store.load_sendable(DateTime::UNIX_EPOCH, 49).unwrap();
            let sent = sent.into_iter().map(|queued| queued.key).collect();
            store.write_without_conflict_check(&Batch { sent, ..Batch::default() }).unwrap();
        }
        drop(store);
        drop(Store::open(&home.path().join("store")).unwrap());
        home
    }

    fn close_holes(folder: &Path, file: &File, known: u64) -> Result<bool, StoreError> {
        super::close(folder, file, &read_segment_map(file)?, known)
    }

    fn db_path(home: &TempDir) -> PathBuf {
        home.path().join("store/db")
    }

    fn copy_store(home: &TempDir) -> TempDir {
        let copy = crate::testing::create_folder();
        fs::create_dir_all(copy.path().join("store/blobs")).unwrap();
        let files = fs::read_dir(home.path().join("store")).unwrap();
        let files = files.map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        for path in files.chain([home.path().join("store.mark")]) {
            fs::copy(&path, copy.path().join(path.strip_prefix(home.path()).unwrap())).unwrap();
        }
        copy
    }

    fn all_entries(store: &Store) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let pair = |key: &[u8], value: &[u8]| Ok(Some((key.to_vec(), value.to_vec())));
        Tree::all_trees().map(|tree| store.trees.collect_entries(tree, .., pair).unwrap()).collect()
    }

    fn open_store(home: &TempDir) -> Result<Store, StoreError> {
        Store::open(&home.path().join("store"))
    }

    /// Returns the number of segments in use, and the number of holes.
    fn count_segments(home: &TempDir) -> (u64, u64) {
        let file = File::open(db_path(home)).unwrap();
        let used = read_segment_map(&file).unwrap().offsets.len() as u64;
        (used, file.metadata().unwrap().len().div_ceil(SEGMENT_BYTES) - used)
    }

    /// Opens a store, which closes its holes, and returns all its entries.
    fn entries_after_closing(home: &TempDir, what: &str) -> Vec<Vec<(Vec<u8>, Vec<u8>)>> {
        let store = open_store(home).unwrap_or_else(|error| panic!("{what}: {error}"));
        let all = all_entries(&store);
        drop(store);
        // Segments that sled frees while it opens the file are closed at the next opening. Their
        // number depends on sled's threads.
        if count_segments(home).1 > 2 {
            drop(open_store(home).unwrap_or_else(|error| panic!("{what}: {error}")));
        }
        assert!(count_segments(home).1 < 3, "{what}: {:?}", count_segments(home));
        all
    }

    fn append_line(store: &Store) {
        let line = LogLine { game: 1, seq: store.log_length(1).unwrap(), line: "more".to_owned() };
        store
            .write_without_conflict_check(&Batch { log_lines: vec![line], ..Batch::default() })
            .unwrap();
    }

    #[test]
    fn closing_holes_keeps_entries_and_mark() {
        let home = store_with_holes();
        let (used, holes) = count_segments(&home);
        assert!(holes > 2 && used > 2, "{used} {holes}");
        let mark = fs::read(home.path().join("store.mark")).unwrap();
        let store = open_store(&home).unwrap();
        assert!(
            count_segments(&home).0 <= used && count_segments(&home).1 < 3,
            "{:?}",
            count_segments(&home)
        );
        assert_eq!(fs::read(home.path().join("store.mark")).unwrap(), mark);
        assert_eq!(store.load_sendable(DateTime::UNIX_EPOCH, 99).unwrap().len(), 5);
        assert!((1..90).all(|game| store.game_log_lines(game).unwrap().len() == 5));
        assert!(store.members().unwrap().iter().all(|member| member.name == "Ann 4"));
        let kept = all_entries(&store);
        append_line(&store);
        let before = all_entries(&store);
        assert!(kept != before);
        drop(store);
        assert!(entries_after_closing(&home, "it goes on") == before);
        assert_eq!(fs::read_dir(home.path().join("store/blobs")).unwrap().count(), 0);
    }

    #[test]
    fn hole_is_closed_at_any_position() {
        assert_eq!([0, 511, 512, 2_560].map(tolerated_holes), [0, 0, 1, 5]);
        let home = store_with_holes();
        let expected = entries_after_closing(&home, "undisturbed");
        let file = fs::read(db_path(&home)).unwrap();
        for at in [0, 1, file.len() / SEGMENT_BYTES as usize] {
            let copy = copy_store(&home);
            let (before, behind) = file.split_at(at * SEGMENT_BYTES as usize);
            let hole = vec![0; SEGMENT_BYTES as usize];
            fs::write(db_path(&copy), [before, &hole, behind].concat()).unwrap();
            // The snapshot says where the segments were before the hole was inserted.
            remove_snapshots(&copy.path().join("store")).unwrap();
            close_holes(&copy.path().join("store"), &File::open(db_path(&copy)).unwrap(), 0)
                .unwrap();
            assert_eq!(count_segments(&copy).1, 0);
            assert!(entries_after_closing(&copy, "a hole more") == expected, "{at}");
        }
    }

    /// Tries selected states that a kill or a power cut can leave, in which only some of the writes
    /// since the last sync are there.
    #[test]
    fn store_survives_interruption_at_any_step() {
        let home = store_with_holes();
        let bytes = fs::read(db_path(&home)).unwrap();
        let moves = planned_moves(&home);
        let expected = entries_after_closing(&copy_store(&home), "undisturbed");
        // Copies this part of each moved segment to its destination.
        let moved = |bytes: &mut Vec<u8>, moves: &[(u64, u64)], part: std::ops::Range<usize>| {
            bytes.resize(bytes.len().next_multiple_of(SEGMENT_BYTES as usize), 0);
            for (from, to) in moves.iter().map(|(from, to)| (*from as usize, *to as usize)) {
                bytes.copy_within(from + part.start..from + part.end, to + part.start);
            }
        };
        let some = |n: usize| [&moves[..n], &moves[n..(n + 1).min(moves.len())]];
        for moved_some in (0..=moves.len()).flat_map(some) {
            for end in [SEGMENT_HEADER_BYTES + 9_000, SEGMENT_BYTES as usize] {
                let (copy, mut bytes) = (copy_store(&home), bytes.clone());
                moved(&mut bytes, moved_some, SEGMENT_HEADER_BYTES..end);
                fs::write(db_path(&copy), bytes).unwrap();
                assert!(entries_after_closing(&copy, "bodies") == expected, "{moved_some:?} {end}");
            }
            let (copy, mut bytes) = (copy_store(&home), bytes.clone());
            moved(&mut bytes, &moves, SEGMENT_HEADER_BYTES..SEGMENT_BYTES as usize);
            moved(&mut bytes, moved_some, 0..SEGMENT_HEADER_BYTES);
            fs::write(db_path(&copy), bytes).unwrap();
            remove_snapshots(&copy.path().join("store")).unwrap();
            assert!(entries_after_closing(&copy, "headers") == expected, "{moved_some:?}");
            append_line(&open_store(&copy).unwrap());
        }
    }

    #[test]
    fn failed_closing_leaves_file_unchanged() {
        let home = store_with_holes();
        let expected = entries_after_closing(&copy_store(&home), "undisturbed");
        let (bytes, file) =
            (fs::read(db_path(&home)).unwrap(), File::open(db_path(&home)).unwrap());
        let nowhere = crate::testing::create_folder();
        close_holes(nowhere.path(), &file, 0).unwrap();
        assert!(fs::read(db_path(&home)).unwrap() == bytes);
        // Once headers are written, closing must continue, so a failure is an error.
        let (from, to) = planned_moves(&home)[0];
        let segment = read_segment(&file, from).unwrap();
        disk::overwrite_at(&db_path(&home), to, &segment).unwrap();
        remove_snapshots(&home.path().join("store")).unwrap();
        let failed = close_holes(nowhere.path(), &file, 0);
        assert!(matches!(failed, Err(StoreError::Io(_))), "{failed:?}");
        // Two different segments with one position are not copies, so they are damage.
        disk::overwrite_at(&db_path(&home), to + 99, &[!segment[99]]).unwrap();
        let bytes = fs::read(db_path(&home)).unwrap();
        assert!(matches!(open_store(&home), Err(StoreError::Damaged(_))));
        assert!(fs::read(db_path(&home)).unwrap() == bytes);
        disk::overwrite_at(&db_path(&home), to + 99, &segment[99..100]).unwrap();
        assert!(entries_after_closing(&home, "mended") == expected);
    }

    #[test]
    fn damaged_file_is_left_unchanged() {
        let home = store_with_holes();
        let file = File::open(db_path(&home)).unwrap();
        let found = read_segment_map(&file).unwrap();
        let known = find_intact_end(&file, &found, 0, 0).unwrap().lsn;
        let first = *found.offsets.first_key_value().unwrap().1;
        let mut bytes = fs::read(db_path(&home)).unwrap();
        bytes[first as usize + SEGMENT_HEADER_BYTES + 40] ^= 1;
        fs::write(db_path(&home), &bytes).unwrap();
        close_holes(&home.path().join("store"), &file, known).unwrap();
        assert!(fs::read(db_path(&home)).unwrap() == bytes);
    }

    /// Without the snapshot, sled would take this file for empty, and empty it.
    #[test]
    fn needed_snapshot_is_kept_until_next_change() {
        let home = crate::testing::create_folder();
        let needs_it = || {
            let segments = read_segment_map(&File::open(db_path(&home)).unwrap()).unwrap();
            !segments.offsets.contains_key(&0)
                && !segments.can_recover_without_snapshot(SEGMENT_BYTES)
        };
        let mut passes = 0;
        while passes == 0 || !needs_it() {
            let letter = OutgoingLetter {
                message_id: passes.to_string(),
                recipient: "ann@example.org".to_owned(),
                payload: "x".repeat(3_000).into(),
                label: None,
            };
            let store = open_store(&home).unwrap();
            append_line(&store);
            store
                .write_without_conflict_check(&Batch { outgoing: vec![letter], ..Batch::default() })
                .unwrap();
            let sent = vec![store.list_sendable(DateTime::UNIX_EPOCH).unwrap()[0].key];
            store.write_without_conflict_check(&Batch { sent, ..Batch::default() }).unwrap();
            passes += 1;
            assert!(passes < 400, "{:?}", count_segments(&home));
        }
        let store = open_store(&home).unwrap();
        assert_eq!(store.game_log_lines(1).unwrap().len(), passes);
        assert!(count_segments(&home).1 > 0, "its holes are kept");
        drop(store);
        let without = copy_store(&home);
        remove_snapshots(&without.path().join("store")).unwrap();
        let bytes = fs::read(db_path(&without)).unwrap();
        assert!(matches!(open_store(&without), Err(StoreError::Damaged(_))));
        assert!(fs::read(db_path(&without)).unwrap() == bytes);
        // If the holes stayed for good, each opening would overwrite them with zeros.
        let store = open_store(&home).unwrap();
        append_line(&store);
        let before = all_entries(&store);
        drop(store);
        assert!(!needs_it(), "one change is enough");
        assert!(entries_after_closing(&home, "at the next opening") == before);
    }

    #[test]
    fn older_copy_of_store_is_refused() {
        let home = store_with_holes();
        let older = copy_store(&home);
        let put_back = || {
            fs::remove_dir_all(home.path().join("store")).unwrap();
            fs::rename(copy_store(&older).keep().join("store"), home.path().join("store")).unwrap();
        };
        drop(open_store(&home).unwrap());
        // Nothing was written since the copy was made, so nothing is lost.
        put_back();
        let store = open_store(&home).unwrap();
        append_line(&store);
        drop(store);
        put_back();
        let told = open_store(&home).err().unwrap().to_string();
        assert!(told.contains("postrider restore"), "{told}");
    }
}
