//! What is looked at, and put right, before sled opens its files.
//!
//! Beside its file `db` sled keeps a snapshot, from which it reads on, and its settings; both can
//! be made again. What a kill or a full disk left of writing one is taken away, as sled takes it
//! for damage. Then what sled will replay is read as far as this store is known to have written.
//! Changes nothing of what was ever acknowledged, and knows nothing of what it says.

use super::holes;
use super::replay::{self, LogEnd, READ_BUFFER_BYTES, hash_bytes};
use crate::disk;
use crate::store::StoreError;
use std::fs::{File, TryLockError};
use std::io::{self, BufReader, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// How the name of a snapshot begins; the place up to which it holds everything follows in 16
/// hexadecimal digits.
const SNAPSHOT_PREFIX: &str = "snap.";
/// How the name of a snapshot ends that is being written.
const UNFINISHED_SUFFIX: &str = ".generating";

/// What sled will find.
pub(in crate::store::sled) struct RecoveryState {
    /// The place from which on it will read its file.
    pub start_lsn: u64,
    /// How far the file is whole before sled reads it.
    pub end: LogEnd,
    /// Whether holes stay in the file until its next segment is begun.
    pub has_holes: bool,
}

/// Makes a store's files ready for sled. The store is known to have been written up to the place
/// `known`.
///
/// # Errors
/// [`StoreError::Locked`] when another process has it open, [`StoreError::Damaged`] when something
/// of it was lost or changed; nothing of the file has been changed then.
pub(in crate::store::sled) fn prepare_files(
    folder: &Path,
    known: u64,
) -> Result<RecoveryState, StoreError> {
    let file = match File::open(folder.join("db")) {
        Ok(file) => Some(file),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    // sled's own lock. Who has it may be writing what is read here.
    match file.as_ref().map_or(Ok(()), File::try_lock) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(StoreError::Locked),
        Err(TryLockError::Error(error)) => return Err(error.into()),
    }
    remove_bad_settings(&folder.join("conf"))?;
    let snapshot = last_snapshot_lsn(folder)?;
    let owed = known.max(snapshot);
    let Some(file) = file else {
        check_end(owed, LogEnd::default())?;
        return Ok(RecoveryState { start_lsn: snapshot, end: LogEnd::default(), has_holes: false });
    };
    let segments = replay::read_segment_map(&file)?;
    let tip = replay::find_log_end(&file, &segments, snapshot, owed)?;
    check_end(owed, tip)?;
    if tip.lsn > known {
        // sled will sum up in a durable snapshot what it finds, and has perhaps not synced all of
        // it: a power cut would leave a file that is behind what was known of it.
        disk::sync_file(&folder.join("db"))?;
    }
    if snapshot == 0 && !segments.can_recover_to(tip.lsn) {
        return Err(StoreError::data_loss("sled cannot read its file `db` without its snapshot"));
    }
    let holes_stay = holes::close(folder, &file, &segments, owed)?;
    Ok(RecoveryState { start_lsn: snapshot, end: tip, has_holes: holes_stay })
}

/// Fails when a file that was written up to a place is not whole up to there.
pub(in crate::store::sled) fn check_end(known: u64, tip: LogEnd) -> Result<(), StoreError> {
    if tip.lsn >= known {
        return Ok(());
    }
    Err(StoreError::data_loss(format_args!(
        "its file `db` is whole up to place {} only and was written up to {known}",
        tip.lsn
    )))
}

/// How far the file is whole that sled has found like this.
pub(in crate::store::sled) fn find_end_after_open(
    db: &Path,
    found: &RecoveryState,
) -> Result<LogEnd, StoreError> {
    match replay::recheck_log_end(&File::open(db)?, found.end)? {
        Some(tip) => Ok(tip),
        None => scan_log_end(db, found.start_lsn),
    }
}

/// How far the file is whole from a place on, whatever is known of it.
pub(in crate::store::sled) fn scan_log_end(db: &Path, from: u64) -> Result<LogEnd, StoreError> {
    let file = File::open(db)?;
    let segments = replay::read_segment_map(&file)?;
    replay::find_log_end(&file, &segments, from, 0)
}

/// The place up to which sled's last snapshot holds everything; 0 without one. Removes what can be
/// read by nobody.
fn last_snapshot_lsn(folder: &Path) -> Result<u64, StoreError> {
    let whole = list_snapshots(folder)?;
    let Some((place, last)) = whole.last() else { return Ok(0) };
    if has_valid_checksum(last, 8)? {
        return Ok(*place);
    }
    // All that a snapshot says stands in the file too, and sled mostly finds it there.
    whole.iter().try_for_each(|(_, path)| disk::remove(path))?;
    Ok(0)
}

/// Takes away, durably, what sled makes again of its file.
pub(super) fn remove_snapshots(folder: &Path) -> Result<(), StoreError> {
    list_snapshots(folder)?.iter().try_for_each(|(_, path)| disk::remove(path))?;
    Ok(disk::sync_folder(folder)?)
}

/// sled's snapshots with the places up to which they hold everything, the last one last. Removes
/// what a kill left of writing one.
fn list_snapshots(folder: &Path) -> Result<Vec<(u64, PathBuf)>, StoreError> {
    let mut whole = Vec::new();
    for path in crate::store::journal::list_paths(folder)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(rest) = name.strip_prefix(SNAPSHOT_PREFIX) else { continue };
        if rest.ends_with(UNFINISHED_SUFFIX) {
            disk::remove(&path)?;
            continue;
        }
        let place = (rest.len() == 16).then(|| u64::from_str_radix(rest, 16).ok()).flatten();
        let Some(place) = place.filter(|place| i64::try_from(*place).is_ok()) else {
            return Err(StoreError::Damaged(format!(
                "{} is no file of the store's; move it elsewhere, then run again",
                path.display()
            )));
        };
        whole.push((place, path));
    }
    whole.sort();
    Ok(whole)
}

/// sled only warns of settings that it wrote half, and then believes them; without any it writes
/// them again.
fn remove_bad_settings(path: &Path) -> Result<(), StoreError> {
    match has_valid_checksum(path, 0) {
        Ok(true) => Ok(()),
        Ok(false) => Ok(disk::remove(path)?),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a file ends with its own checksum, which leaves out this many bytes before it.
fn has_valid_checksum(path: &Path, left_out: u64) -> io::Result<bool> {
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
    use super::super::replay::SEGMENT_BYTES;
    use super::*;
    use crate::store::CacheSize;
    use crate::store::keys::Key;
    use crate::store::sled::trees::{Tree, Trees};
    use std::fs;
    use tempfile::TempDir;

    /// A store whose file has some segments, of which a snapshot sums up the first; the last hold
    /// several commits, each of which is there whole or not at all.
    fn write_store() -> TempDir {
        let home = crate::common::folder();
        let store = store_path(&home);
        fs::create_dir(&store).unwrap();
        for commits in [0..30, 30..150] {
            let trees = retry_while_locked(|| Trees::open(&store, 0, CacheSize::Small)).unwrap();
            for commit in commits {
                let key = |part| Key::from_u32(commit).with_u32(part).into_bytes();
                let value = || vec![commit as u8; 3_000];
                trees
                    .write(|tx| {
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

    /// The same as a power cut leaves it that lost all from a place on.
    fn truncated_copy(home: &TempDir, place: u64) -> TempDir {
        let torn = crate::common::folder();
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

    #[test]
    fn end_after_open_matches_full_scan() {
        let home = write_store();
        let whole = scan_log_end(&store_path(&home).join("db"), 0).unwrap();
        let (mut kept, mut taken_back) = (0, 0);
        for place in (whole.lsn - SEGMENT_BYTES..whole.lsn).step_by(9_973) {
            let torn = truncated_copy(&home, place);
            let db = torn.path().join("db");
            // Where sled has since written over a segment that was whole then, nothing is told.
            let Ok(found) = prepare_files(torn.path(), 0) else { continue };
            let settings = sled::Config::new().path(torn.path()).flush_every_ms(None);
            let opened_by_sled = settings.open().unwrap();
            let tip = find_end_after_open(&db, &found).unwrap();
            assert_eq!(
                tip,
                scan_log_end(&db, found.start_lsn).unwrap(),
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
