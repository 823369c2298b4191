//! Compaction: replacing a store by a copy that holds no erased data.
//!
//! sled appends to its file. A value that was changed or removed stays in the file until its
//! segment is reused, which can take months. So after an erasure all trees are copied into a new
//! store, which then replaces the old one.
//!
//! # If the process is killed
//!
//! The copy is a folder beside the store, with its own [`HighWaterMark`]. The mark says
//! [`INCOMPLETE`] until the copy is durable and was compared with the store. Before that, the store
//! is unchanged, and the next opening deletes the copy. After that, the copy is the valid store,
//! and the next opening finishes the swap: it deletes the old folder, copies the mark of the copy
//! to the store's mark, and renames the copy.
//!
//! Every process locks the store's mark while it opens the store, and compaction locks it during
//! the swap. So no process can open a store that is half swapped.

use super::high_water_mark::{HighWaterMark, INCOMPLETE};
use crate::disk;
use crate::store::keys::{Key, KeyReader};
use crate::store::sled::batch_changes::{COMPACTED_AT, COMPACTION_DUE};
use crate::store::sled::trees::{Tree, Trees};
use crate::store::{CacheSize, GameStore, Store, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(20);
const BATCH_BYTES: usize = 1 << 20;
/// The shortest interval between two compactions by passes. It is an hour less than a day, so that
/// a daily run is never too early. The command `member forget` compacts at once.
const COMPACTION_INTERVAL: TimeDelta = TimeDelta::hours(24 - 1);

impl Store {
    /// Compacts the store in `folder` if data was erased since the last compaction: copies all
    /// entries into a new store, which replaces the old one.
    pub(crate) fn compact_if_data_erased(
        folder: &Path,
        now: DateTime<Utc>,
    ) -> Result<(), StoreError> {
        let old = Self::open_with_cache(folder, CacheSize::Small)?;
        old.read_only_reason().map_or(Ok(()), Err)?;
        if old.trees.get(Tree::Meta, COMPACTION_DUE)?.is_none() || !can_replace_folder(folder)? {
            return Ok(());
        }
        let copy = copy_path(folder);
        if copy.exists() {
            let what = format!("{} is in the way; move it elsewhere", copy.display());
            return Err(StoreError::Damaged(what));
        }
        // From here on a mark exists, so that it can be locked.
        old.trees.sync_and_mark()?;
        let new = match create_copy(&old, &copy, now) {
            Ok(new) => new,
            Err(error) => {
                // Notes the failed attempt as a compaction, so that not every pass tries again, for
                // example on a full disk.
                remove_partial_copy(folder)?;
                record_compaction(&old, now)?;
                return Err(error);
            }
        };
        let lock = retry_while_locked(|| lock_mark(folder))?;
        new.finish_rebuild()?;
        // sled's files must be closed before they are moved.
        drop((old, new));
        swap_in_copy(folder)?;
        drop(lock);
        Ok(())
    }

    /// Whether a pass should compact the store at `now`: data was erased, and the last compaction
    /// was at least 23 hours ago.
    pub(in crate::store::sled) fn needs_compaction(
        &self,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        if self.trees.get(Tree::Meta, COMPACTION_DUE)?.is_none()
            || !can_replace_folder(self.trees.folder())?
        {
            return Ok(false);
        }
        let last = self.trees.get(Tree::Meta, COMPACTED_AT)?;
        let last = last.map(|last| KeyReader(&last).read_seconds()).transpose()?;
        Ok(last
            .is_none_or(|last| (now.timestamp() - last).abs() >= COMPACTION_INTERVAL.num_seconds()))
    }
}

/// Retries for a second while another process holds a lock. sled's threads keep the lock for a
/// short time after a store is dropped.
pub(in crate::store::sled) fn retry_while_locked<T>(
    mut attempt: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    for _ in 0..LOCK_TRIES {
        match attempt() {
            Err(StoreError::Locked) => std::thread::sleep(LOCK_PAUSE),
            result => return result,
        }
    }
    attempt()
}

/// Locks the mark of the store in `folder`, and finishes an interrupted swap. While the returned
/// file is open, no other process can open or swap the store.
pub(in crate::store::sled) fn lock_and_finish_swap(
    folder: &Path,
) -> Result<Option<File>, StoreError> {
    let lock = lock_mark(folder)?;
    swap_in_copy(folder)?;
    Ok(lock)
}

/// Deletes an incomplete copy of the store. The caller has the store open, so no other process is
/// writing a copy.
pub(in crate::store::sled) fn remove_partial_copy(folder: &Path) -> Result<(), StoreError> {
    let (copy, mark) = (copy_path(folder), HighWaterMark::for_store(&copy_path(folder)));
    if !mark.exists() {
        return Ok(());
    }
    if copy.exists() {
        disk::remove_folder(&copy)?;
    }
    Ok(mark.remove()?)
}

/// Whether a complete copy is ready to replace the store in `folder`.
pub(in crate::store::sled) fn has_complete_copy(folder: &Path) -> Result<bool, StoreError> {
    let copy = copy_path(folder);
    Ok(copy.exists()
        && HighWaterMark::for_store(&copy).read()?.is_some_and(|place| place != INCOMPLETE))
}

/// Replaces the store in `folder` by its copy, if that is complete. Continues a swap that was
/// interrupted at any step.
fn swap_in_copy(folder: &Path) -> Result<(), StoreError> {
    let (copy, mark) = (copy_path(folder), HighWaterMark::for_store(&copy_path(folder)));
    let Some(place) = mark.read()?.filter(|place| *place != INCOMPLETE) else { return Ok(()) };
    if copy.exists() {
        if folder.exists() {
            disk::remove_folder(folder)?;
        }
        HighWaterMark::for_store(folder).write(place)?;
        disk::move_durably(&copy, folder)?;
    }
    Ok(mark.remove()?)
}

/// Locks the mark of the store in `folder`; `None` if there is no mark yet.
fn lock_mark(folder: &Path) -> Result<Option<File>, StoreError> {
    let mark = HighWaterMark::for_store(folder);
    if !mark.exists() {
        return Ok(None);
    }
    mark.lock()?.map_or(Err(StoreError::Locked), |lock| Ok(Some(lock)))
}

/// Returns the path of the copy: `<folder>-renewed`. Its mark then has another name than the
/// store's.
fn copy_path(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push("-renewed");
    folder.with_file_name(name)
}

/// Copies a store into a new folder, and compares the two. Nobody can open the copy yet, because
/// its mark says that it is incomplete.
fn create_copy(old: &Store, folder: &Path, now: DateTime<Utc>) -> Result<Store, StoreError> {
    let new = Store::create_for_rebuild(folder)?;
    new.begin_rebuild()?;
    copy_trees(&old.trees, &new.trees)?;
    record_compaction(&new, now)?;
    drop(new);
    // The copy is opened again before the comparison, so that it is read from disk as another
    // process would read it.
    let new = Store::open_migrated(folder)?;
    if checksum_trees(&old.trees)? != checksum_trees(&new.trees)? {
        return Err(StoreError::damaged("a copy of it differs"));
    }
    Ok(new)
}

fn record_compaction(store: &Store, now: DateTime<Utc>) -> Result<(), StoreError> {
    let at = Key::default().with_sortable_seconds(now.timestamp()).into_bytes();
    store.trees.run_write_transaction(|tx| {
        tx.put(Tree::Meta, COMPACTED_AT.to_vec(), at.as_slice()).map(drop)
    })
}

/// Copies the entries of all trees; durable when this returns.
fn copy_trees(from: &Trees, to: &Trees) -> Result<(), StoreError> {
    for tree in Tree::all_trees() {
        let (mut batch, mut bytes) = (sled::Batch::default(), 0);
        from.for_each(tree, .., |key, value| {
            if is_copied(tree, key) {
                batch.insert(key, value);
                bytes += key.len() + value.len();
            }
            if bytes >= BATCH_BYTES {
                bytes = 0;
                to.insert_without_sync(tree, std::mem::take(&mut batch))?;
            }
            Ok(())
        })?;
        to.insert_without_sync(tree, batch)?;
    }
    to.sync_and_mark()
}

/// Returns a checksum of all entries that a compaction copies.
fn checksum_trees(trees: &Trees) -> Result<[u8; 32], StoreError> {
    let mut sum = Sha256::new();
    for tree in Tree::all_trees() {
        sum.update(tree.name());
        trees.for_each(tree, .., |key, value| {
            if is_copied(tree, key) {
                for bytes in [key, value] {
                    sum.update(bytes.len().to_be_bytes());
                    sum.update(bytes);
                }
            }
            Ok(())
        })?;
    }
    Ok(sum.finalize().into())
}

/// Whether an entry is copied: all are, except the notes about compaction.
fn is_copied(tree: Tree, key: &[u8]) -> bool {
    tree != Tree::Meta || ![COMPACTION_DUE, COMPACTED_AT].contains(&key)
}

/// Whether the folder can be replaced: it is neither a symbolic link nor a mount point.
fn can_replace_folder(folder: &Path) -> Result<bool, StoreError> {
    let (own, parent) = (folder.symlink_metadata()?, folder.join("..").metadata()?);
    Ok(own.is_dir() && own.dev() == parent.dev())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::Member;
    use crate::store::{Batch, LogLine, Repository};
    use std::fs;
    use tempfile::TempDir;

    const OLD_NAME: &str = "Wilhelmina";

    fn store_path(home: &TempDir) -> PathBuf {
        home.path().join("store")
    }

    fn open_store(home: &TempDir) -> Store {
        Store::open(&store_path(home)).unwrap()
    }

    fn member_named(name: &str) -> Member {
        Member { id: 1, name: name.to_owned(), ..Member::default() }
    }

    /// Creates a store with a log, in which a member was renamed. `erased` says whether the
    /// renaming counts as an erasure.
    fn store_with_renamed_member(erased: bool) -> TempDir {
        let home = crate::testing::create_folder();
        let store = open_store(&home);
        let line = |seq| LogLine { game: 1, seq, line: format!("{seq} {}", "x".repeat(9_000)) };
        let log_lines = (0..300).map(line).collect();
        store
            .write_without_conflict_check(&Batch {
                log_lines,
                members: vec![member_named(OLD_NAME)],
                ..Batch::default()
            })
            .unwrap();
        let members = vec![member_named("former member 1")];
        let batch =
            Batch { members, erases_data: erased, rewrite_journal: true, ..Batch::default() };
        store.write_without_conflict_check(&batch).unwrap();
        // Lines that are missing in the journal are stored, too, and would hold the old name.
        store.update_journal(crate::testing::create_folder().path()).unwrap();
        drop(store);
        home
    }

    fn copy_store(home: &TempDir) -> TempDir {
        let copy = crate::testing::create_folder();
        fs::create_dir_all(store_path(&copy).join("blobs")).unwrap();
        let files = fs::read_dir(store_path(home)).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        for path in files.chain([home.path().join("store.mark")]) {
            fs::copy(&path, copy.path().join(path.strip_prefix(home.path()).unwrap())).unwrap();
        }
        copy
    }

    fn time_at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    fn holds_old_name(home: &TempDir) -> bool {
        let db = fs::read(store_path(home).join("db")).unwrap();
        db.windows(OLD_NAME.len()).any(|bytes| bytes == OLD_NAME.as_bytes())
    }

    fn assert_store_whole(home: &TempDir) -> Store {
        let store = open_store(home);
        assert_eq!(store.game_log_lines(1).unwrap().len(), 300);
        assert_eq!(store.member(1).unwrap(), Some(member_named("former member 1")));
        let mut names: Vec<_> = fs::read_dir(home.path()).unwrap().flatten().collect();
        names.sort_by_key(fs::DirEntry::file_name);
        let names: Vec<_> = names.iter().map(fs::DirEntry::file_name).collect();
        assert_eq!(names, ["store", "store.mark"]);
        store
    }

    #[test]
    fn compacted_file_no_longer_holds_erased_name() {
        let home = store_with_renamed_member(true);
        assert!(holds_old_name(&home));
        let before = open_store(&home);
        assert!(before.needs_compaction(time_at(0)).unwrap());
        let (expected, log) =
            (checksum_trees(&before.trees).unwrap(), before.game_log_lines(1).unwrap());
        drop(before);
        Store::compact_if_data_erased(&store_path(&home), time_at(0)).unwrap();
        assert!(!holds_old_name(&home));
        let after = assert_store_whole(&home);
        assert_eq!(checksum_trees(&after.trees).unwrap(), expected);
        assert_eq!(after.game_log_lines(1).unwrap(), log);
        let erase = || Batch { erases_data: true, ..Batch::default() };
        after.write_without_conflict_check(&erase()).unwrap();
        let owed = [1, 22, 23].map(|hours| after.needs_compaction(time_at(hours)).unwrap());
        assert_eq!(owed, [false, false, true]);
    }

    #[test]
    fn store_without_erasure_is_not_compacted() {
        let home = store_with_renamed_member(false);
        Store::compact_if_data_erased(&store_path(&home), time_at(0)).unwrap();
        assert!(holds_old_name(&home));
        assert_store_whole(&home);
    }

    #[test]
    fn interrupted_swap_ends_with_one_whole_store() {
        type Interruption = fn(&Path);
        let stages: [(&str, Interruption, bool); 7] = [
            (
                "copy is not whole",
                |home| {
                    HighWaterMark::for_store(&home.join("store-renewed"))
                        .write(INCOMPLETE)
                        .unwrap();
                },
                true,
            ),
            (
                "copy's mark is torn",
                |home| fs::write(home.join("store-renewed.mark"), "0").unwrap(),
                true,
            ),
            ("copy is whole", |_| {}, false),
            (
                "old store has no file",
                |home| fs::remove_file(home.join("store/db")).unwrap(),
                false,
            ),
            ("old store is gone", |home| fs::remove_dir_all(home.join("store")).unwrap(), false),
            ("mark is torn", |home| fs::write(home.join("store.mark"), "0").unwrap(), false),
            (
                "copy is in place",
                |home| {
                    fs::remove_dir_all(home.join("store")).unwrap();
                    fs::rename(home.join("store-renewed"), home.join("store")).unwrap();
                    fs::copy(home.join("store-renewed.mark"), home.join("store.mark")).unwrap();
                },
                false,
            ),
        ];
        let (old, renewed) = (store_with_renamed_member(true), store_with_renamed_member(true));
        Store::compact_if_data_erased(&store_path(&renewed), time_at(0)).unwrap();
        for (stage, leave, is_old) in stages {
            let (home, new) = (copy_store(&old), copy_store(&renewed));
            fs::rename(store_path(&new), home.path().join("store-renewed")).unwrap();
            let mark = new.path().join("store.mark");
            fs::rename(mark, home.path().join("store-renewed.mark")).unwrap();
            leave(home.path());
            assert!(Store::missing_store_error(&store_path(&home)).unwrap().is_none(), "{stage}");
            drop(assert_store_whole(&home));
            assert_eq!(holds_old_name(&home), is_old, "{stage}");
        }
    }

    #[test]
    fn store_cannot_be_opened_during_swap() {
        let home = store_with_renamed_member(true);
        let swapping = lock_mark(&store_path(&home)).unwrap();
        assert!(matches!(Store::open(&store_path(&home)), Err(StoreError::Locked)));
        drop(swapping);
        assert_store_whole(&home);
    }

    #[test]
    fn foreign_folder_at_copy_path_is_kept() {
        let home = store_with_renamed_member(true);
        let own = home.path().join("store-renewed");
        fs::create_dir(&own).unwrap();
        assert!(matches!(
            Store::compact_if_data_erased(&store_path(&home), time_at(0)),
            Err(StoreError::Damaged(_))
        ));
        assert!(own.exists());
    }
}
