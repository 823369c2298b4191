//! The checks and repairs of a store's files before sled opens them.
//!
//! Besides its file `db`, sled keeps a snapshot, from which it continues reading, and a settings
//! file. Both can be made again from `db`. A kill or a full disk can leave them half written, and
//! sled takes that for damage, so they are removed here. Then `db` is read as sled will replay it,
//! and compared with the high-water mark. Nothing that was ever acknowledged is changed.

use super::holes;
use super::replay::{self, LogEnd, READ_BUFFER_BYTES, hash_bytes};
use crate::disk;
use crate::store::StoreError;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The start of a snapshot's file name. The position up to which it holds all data follows in 16
/// hexadecimal digits.
const SNAPSHOT_PREFIX: &str = "snap.";
/// The end of the name of a snapshot that is still being written.
const UNFINISHED_SUFFIX: &str = ".generating";

/// The state of a store's files as the checks found it, before sled opens them.
pub(in crate::store::sled) struct RecoveryState {
    /// The position (LSN) in its log from which sled will read.
    pub start_lsn: u64,
    /// The position (LSN) up to which sled's file is intact.
    pub end: LogEnd,
    /// Whether holes stay in sled's file until its next segment is begun.
    pub has_holes: bool,
}

/// Prepares a store's files for opening by sled: removes half-written ones, checks the rest, and
/// closes holes. `known` is the position up to which the store was durable.
///
/// # Errors
/// [`StoreError::Locked`] if another process has the store open. [`StoreError::Damaged`] if data
/// was lost or changed; sled's file is unchanged then.
pub(in crate::store::sled) fn repair_files_before_open(
    folder: &Path,
    known: u64,
) -> Result<RecoveryState, StoreError> {
    let file = match File::open(folder.join("db")) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    // sled takes this lock too. A process that holds it may be writing what is read here.
    match file.as_ref().map_or(Ok(()), File::try_lock) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::Locked),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    remove_corrupt_settings_file(&folder.join("conf"))?;
    let snapshot = last_snapshot_lsn(folder)?;
    let owed = known.max(snapshot);
    let Some(file) = file else {
        check_no_data_lost(owed, LogEnd::default())?;
        return Ok(RecoveryState { start_lsn: snapshot, end: LogEnd::default(), has_holes: false });
    };
    let segments = replay::read_segment_map(&file)?;
    let tip = replay::find_intact_end(&file, &segments, snapshot, owed)?;
    check_no_data_lost(owed, tip)?;
    if tip.lsn > known {
        // The end of sled's file may not be synced yet. sled will summarize it in a durable
        // snapshot. After a power cut the file would then be behind its snapshot.
        disk::sync_file(&folder.join("db"))?;
    }
    if snapshot == 0 && !segments.can_recover_without_snapshot(tip.lsn) {
        return Err(StoreError::data_loss("sled cannot read its file `db` without its snapshot"));
    }
    let holes_stay = holes::close(folder, &file, &segments, owed)?;
    Ok(RecoveryState { start_lsn: snapshot, end: tip, has_holes: holes_stay })
}

/// Fails if sled's file is intact only up to a position before `known`, because data was lost then.
pub(in crate::store::sled) fn check_no_data_lost(
    known: u64,
    tip: LogEnd,
) -> Result<(), StoreError> {
    if tip.lsn >= known {
        return Ok(());
    }
    Err(StoreError::data_loss(format_args!(
        "its file `db` is intact only up to position {} but was written up to {known}",
        tip.lsn
    )))
}

/// Returns how far sled's file is intact after sled has opened it. sled may have taken back the end
/// that a killed run left.
pub(in crate::store::sled) fn find_intact_end_after_open(
    db: &Path,
    found: &RecoveryState,
) -> Result<LogEnd, StoreError> {
    match replay::find_end_in_last_segment(&File::open(db)?, found.end)? {
        Some(tip) => Ok(tip),
        None => scan_intact_end(db, found.start_lsn),
    }
}

/// Returns how far sled's file is intact, read from position `from` on, without comparing it with a
/// known end.
pub(in crate::store::sled) fn scan_intact_end(db: &Path, from: u64) -> Result<LogEnd, StoreError> {
    let file = File::open(db)?;
    let segments = replay::read_segment_map(&file)?;
    replay::find_intact_end(&file, &segments, from, 0)
}

/// Returns the position up to which sled's last snapshot holds all data; 0 without a snapshot.
/// Deletes snapshots that cannot be read.
fn last_snapshot_lsn(folder: &Path) -> Result<u64, StoreError> {
    let whole = clean_and_list_snapshots(folder)?;
    let Some((place, last)) = whole.last() else { return Ok(0) };
    if ends_with_valid_checksum(last, 8)? {
        return Ok(*place);
    }
    // sled's file holds all data of a snapshot too, and sled can usually read it from there.
    whole.iter().try_for_each(|(_, path)| disk::remove_file_if_exists(path))?;
    Ok(0)
}

/// Deletes all snapshots; durable when this returns. sled makes a new one from its file.
pub(super) fn remove_snapshots(folder: &Path) -> Result<(), StoreError> {
    clean_and_list_snapshots(folder)?
        .iter()
        .try_for_each(|(_, path)| disk::remove_file_if_exists(path))?;
    Ok(disk::sync_folder(folder)?)
}

/// Returns sled's snapshots with their positions, the last one last. Deletes unfinished snapshots
/// of killed runs.
fn clean_and_list_snapshots(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let mut whole = Vec::new();
    for path in crate::store::journal::list_folder_entries(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix(SNAPSHOT_PREFIX) else { continue };
        if rest.ends_with(UNFINISHED_SUFFIX) {
            disk::remove_file_if_exists(&path)?;
            continue;
        }
        let place = (rest.len() == 16).then(|| u64::from_str_radix(rest, 16).ok()).flatten();
        let Some(place) = place.filter(|place| i64::try_from(*place).is_ok()) else {
            return Err(StoreError::Damaged(format!(
                "{} is not a file of the store; move it elsewhere, then run again",
                path.display()
            )));
        };
        whole.push((place, path));
    }
    whole.sort();
    Ok(whole)
}

/// Deletes a settings file with a wrong checksum. sled would only log a warning and use it; if
/// there is none, sled writes a new one.
fn remove_corrupt_settings_file(path: &Path) -> Result<(), StoreError> {
    match ends_with_valid_checksum(path, 0) {
        Ok(true) => Ok(()),
        Ok(false) => Ok(disk::remove_file_if_exists(path)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file ends with its own checksum. `left_out` is the number of bytes before the checksum
/// that it does not cover.
fn ends_with_valid_checksum(path: &Path, left_out: u64) -> io::Result<bool> {
    let file = File::open(path)?;
    let mut sum = [0; 4];
    let end = file.metadata()?.len().checked_sub(left_out + sum.len() as u64);
    let Some(end) = end.filter(|end| *end > 0) else { return Ok(false) };
    file.read_exact_at(&mut sum, end + left_out)?;
    let mut hasher = crc32fast::Hasher::new();
    let is_whole =
        hash_bytes(&mut hasher, &mut BufReader::with_capacity(READ_BUFFER_BYTES, file), end)?;
    Ok(is_whole && hasher.finalize() == u32::from_le_bytes(sum))
}

#[cfg(test)]
mod tests {
    use super::super::compaction::retry_while_locked;
    use super::super::high_water_mark::HighWaterMark;
    use super::super::replay::SEGMENT_BYTES;
    use super::*;
    use crate::store::CacheSize;
    use crate::store::keys::Key;
    use crate::store::sled::trees::{Tree, Trees};
    use std::fs;
    use tempfile::TempDir;

    /// Creates a store whose file has several segments. A snapshot summarizes the first ones. The
    /// last ones hold several commits, each of which must be recovered completely or not at all.
    fn write_store() -> TempDir {
        let home = crate::testing::create_folder();
        let store = store_path(&home);
        fs::create_dir(&store).unwrap();
        for commits in [0..30, 30..150] {
            let trees = retry_while_locked(|| Trees::open(&store, 0, CacheSize::Small)).unwrap();
            for commit in commits {
                let key = |part| Key::from_u32(commit).with_u32(part).into_bytes();
                let value = || vec![commit as u8; 3_000];
                trees
                    .run_write_transaction(|tx| {
                        (0..4)
                            .try_for_each(|part| tx.put(Tree::Lines, key(part), value()).map(drop))
                    })
                    .unwrap();
            }
        }
        home
    }

    fn store_path(home: &TempDir) -> PathBuf {
        home.path().join("store")
    }

    /// Copies a store as it is after a power cut that lost everything from a position on.
    fn truncated_copy(home: &TempDir, place: u64) -> TempDir {
        let torn = crate::testing::create_folder();
        let files = fs::read_dir(store_path(home)).unwrap().map(|entry| entry.unwrap().path());
        for path in files.filter(|path| path.is_file()) {
            fs::copy(&path, torn.path().join(path.file_name().unwrap())).unwrap();
        }
        let db = File::options().read(true).write(true).open(torn.path().join("db")).unwrap();
        for (base, at) in replay::read_segment_map(&db).unwrap().offsets {
            let from = place.clamp(base, base + SEGMENT_BYTES) - base;
            let zeros = vec![0; (SEGMENT_BYTES - from) as usize];
            db.write_all_at(&zeros, at + from).unwrap();
        }
        torn
    }

    /// Writes to a store until exactly `left` bytes are free in the last segment of its file.
    fn write_until_left(trees: &Trees, left: u64) {
        for attempt in 1..5_000 {
            let lsn = scan_intact_end(trees.file(), 0).unwrap().lsn;
            let free = lsn.next_multiple_of(SEGMENT_BYTES) - lsn;
            if free == left {
                return;
            }
            // A message is up to 45 bytes longer than its value. A value that does not fit begins
            // the next segment.
            let length = match free.checked_sub(left + 41 + attempt % 5) {
                Some(length @ 0..5_900) => length,
                _ => 5_000 + attempt,
            };
            put_value(trees, attempt, length);
        }
        panic!("no segment ended {left} bytes early");
    }

    fn put_value(trees: &Trees, salt: u64, length: u64) {
        let key = || Key::from_u32(salt as u32 % 7).into_bytes();
        let value = || vec![salt as u8; length as usize];
        trees.run_write_transaction(|tx| tx.put(Tree::Lines, key(), value()).map(drop)).unwrap();
    }

    #[test]
    fn mark_advances_beyond_segment_without_end_message() {
        let home = crate::testing::create_folder();
        let store = store_path(&home);
        fs::create_dir(&store).unwrap();
        let mark = HighWaterMark::for_store(&store);
        let open = |known| Trees::open(&store, known, CacheSize::Small);
        write_until_left(&retry_while_locked(|| open(0)).unwrap(), 32);
        let before = mark.read().unwrap().unwrap();
        let trees = retry_while_locked(|| open(before)).unwrap();
        put_value(&trees, 1, 1_000);
        let after = mark.read().unwrap().unwrap();
        assert!(after > before + 1_000, "{before} {after}");
        drop(trees);
        retry_while_locked(|| open(after)).unwrap();
    }

    #[test]
    fn end_after_open_matches_full_scan() {
        let home = write_store();
        let whole = scan_intact_end(&store_path(&home).join("db"), 0).unwrap();
        let (mut kept, mut taken_back) = (0, 0);
        for place in (whole.lsn - SEGMENT_BYTES..whole.lsn).step_by(9_973) {
            let torn = truncated_copy(&home, place);
            let db = torn.path().join("db");
            // If sled has reused a segment that the cut file needs, the file is refused, and there
            // is nothing to compare.
            let Ok(found) = repair_files_before_open(torn.path(), 0) else { continue };
            let settings = sled::Config::new().path(torn.path()).flush_every_ms(None);
            let opened_by_sled = settings.open().unwrap();
            let tip = find_intact_end_after_open(&db, &found).unwrap();
            assert_eq!(
                tip,
                scan_intact_end(&db, found.start_lsn).unwrap(),
                "cut at {place}, {:?}",
                found.end
            );
            drop(opened_by_sled);
            kept += u32::from(tip == found.end);
            taken_back += u32::from(tip.lsn < found.end.lsn);
        }
        assert!(kept > 0 && taken_back > 0, "{kept} {taken_back}");
    }
}
