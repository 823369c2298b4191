//! A store written anew, so that its file holds nothing but what is kept.
//!
//! sled appends to its file. What was changed or removed stays there until its segment is used
//! again, which can take months. So what was erased is gone only once all trees are copied into a
//! new store, which then takes the old one's place.
//!
//! # Killed half-way
//!
//! The copy lies beside the store, and its [`Mark`] says [`NEVER`] until all of it is durable and
//! was compared with the store. Up to then the store is as it was, and whoever opens it next
//! removes the copy. From then on the copy is the store, and whoever comes next goes on: the old
//! folder is removed, its mark takes over what the copy's mark says, and the copy gets its name.
//! Every process locks the mark of a store while it opens it, and this one while it swaps, so
//! nobody opens anything in between.
//!
//! Knows keys and bytes, nothing of what they stand for.

use super::mark::{Mark, NEVER};
use crate::disk;
use crate::store::keys::{Key, Parts};
use crate::store::sled::change::{RENEW, RENEWED};
use crate::store::sled::trees::{Tree, Trees};
use crate::store::{GameStore, Memory, Store, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a locked store is tried again.
const LOCK_TRIES: u32 = 50;
/// How long the pause before each try is.
const LOCK_PAUSE: Duration = Duration::from_millis(20);
/// The bytes that are copied at a time.
const BYTES_AT_ONCE: usize = 1 << 20;
/// The store is written anew at most once in this time, unless the moderator asks for it.
const SELDOM: TimeDelta = TimeDelta::hours(24 - 1);

impl Store {
    /// Writes the store in `folder` anew if something was erased from it since the last time.
    ///
    /// # Errors
    /// Those of [`Store::open`], and when the copy cannot be written.
    pub(crate) fn renew(folder: &Path, now: DateTime<Utc>) -> Result<(), StoreError> {
        let old = Self::open_in(folder, Memory::Little)?;
        old.withheld().map_or(Ok(()), Err)?;
        if old.trees.get(Tree::Meta, RENEW)?.is_none() || !is_movable(folder)? {
            return Ok(());
        }
        let copy = copy_of(folder);
        if copy.exists() {
            let what = format!("{} is in the way; move it elsewhere", copy.display());
            return Err(StoreError::Damaged(what));
        }
        // From now on there is a mark to be locked.
        old.trees.settle()?;
        let new = match copied(&old, &copy, now) {
            Ok(new) => new,
            Err(error) => {
                // What fails, as on a full disk, is not tried again by every pass.
                after_opening(folder)?;
                note_renewed(&old, now)?;
                return Err(error);
            }
        };
        let lock = patiently(|| lock(folder))?;
        new.rebuilt()?;
        // sled's files are closed before they are moved.
        drop((old, new));
        swap(folder)?;
        drop(lock);
        Ok(())
    }

    /// Whether the store is to be written anew by now.
    pub(in crate::store::sled) fn owes_renewal(
        &self,
        now: DateTime<Utc>,
    ) -> Result<bool, StoreError> {
        if self.trees.get(Tree::Meta, RENEW)?.is_none() || !is_movable(self.trees.folder())? {
            return Ok(false);
        }
        let last = self.trees.get(Tree::Meta, RENEWED)?;
        let last = last.map(|last| Parts(&last).seconds()).transpose()?;
        Ok(last.is_none_or(|last| (now.timestamp() - last).abs() >= SELDOM.num_seconds()))
    }
}

/// Tries again for a second while another process has something locked. sled's own threads hold
/// its lock for a moment longer than the store that is dropped.
pub(in crate::store::sled) fn patiently<T>(
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

/// Makes ready to open the store in `folder`: a copy that is whole takes its place. While the file
/// that this returns is open, no other process opens the store or swaps it.
pub(in crate::store::sled) fn before_opening(folder: &Path) -> Result<Option<File>, StoreError> {
    let lock = lock(folder)?;
    swap(folder)?;
    Ok(lock)
}

/// Removes a copy that is not whole. The store is open, so nobody else writes one.
pub(in crate::store::sled) fn after_opening(folder: &Path) -> Result<(), StoreError> {
    let (copy, mark) = (copy_of(folder), Mark::of(&copy_of(folder)));
    if !mark.exists() {
        return Ok(());
    }
    if copy.exists() {
        disk::remove_folder(&copy)?;
    }
    Ok(mark.remove()?)
}

/// Whether a whole copy is to take the place of the store in `folder`.
pub(in crate::store::sled) fn has_successor(folder: &Path) -> Result<bool, StoreError> {
    let copy = copy_of(folder);
    Ok(copy.exists() && Mark::of(&copy).read()?.is_some_and(|place| place != NEVER))
}

/// Lets a copy that is whole take the place of the store in `folder`, from wherever that was cut
/// short.
fn swap(folder: &Path) -> Result<(), StoreError> {
    let (copy, mark) = (copy_of(folder), Mark::of(&copy_of(folder)));
    let Some(place) = mark.read()?.filter(|place| *place != NEVER) else { return Ok(()) };
    if copy.exists() {
        if folder.exists() {
            disk::remove_folder(folder)?;
        }
        Mark::of(folder).write(place)?;
        disk::rename(&copy, folder)?;
    }
    Ok(mark.remove()?)
}

/// Locks the mark of the store in `folder`; nothing where there is none yet.
fn lock(folder: &Path) -> Result<Option<File>, StoreError> {
    let mark = Mark::of(folder);
    if !mark.exists() {
        return Ok(None);
    }
    mark.lock()?.map_or(Err(StoreError::Locked), |lock| Ok(Some(lock)))
}

/// The folder of the copy. Its mark must have another name than that of the store.
fn copy_of(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push("-renewed");
    folder.with_file_name(name)
}

/// A whole copy of a store, in a folder that is not there yet, that nobody can open so far.
fn copied(old: &Store, folder: &Path, now: DateTime<Utc>) -> Result<Store, StoreError> {
    let new = Store::begin(folder)?;
    new.rebuild()?;
    copy_all(&old.trees, &new.trees)?;
    note_renewed(&new, now)?;
    drop(new);
    // What is compared is what another process would find.
    let new = Store::open_filled(folder)?;
    if sum(&old.trees)? != sum(&new.trees)? {
        return Err(StoreError::damaged("a copy of it differs"));
    }
    Ok(new)
}

fn note_renewed(store: &Store, now: DateTime<Utc>) -> Result<(), StoreError> {
    let at = Key::default().then_seconds(now.timestamp()).bytes();
    store.trees.write(|tx| tx.put(Tree::Meta, RENEWED.to_vec(), at.as_slice()).map(drop))
}

/// Copies all trees, and makes that durable.
fn copy_all(from: &Trees, to: &Trees) -> Result<(), StoreError> {
    for tree in Tree::all() {
        let (mut batch, mut bytes) = (sled::Batch::default(), 0);
        from.for_each(tree, .., |key, value| {
            if is_kept(tree, key) {
                batch.insert(key, value);
                bytes += key.len() + value.len();
            }
            if bytes >= BYTES_AT_ONCE {
                bytes = 0;
                to.insert_all(tree, std::mem::take(&mut batch))?;
            }
            Ok(())
        })?;
        to.insert_all(tree, batch)?;
    }
    to.settle()
}

/// The checksum of all that two stores have alike.
fn sum(trees: &Trees) -> Result<[u8; 32], StoreError> {
    let mut sum = Sha256::new();
    for tree in Tree::all() {
        sum.update(tree.name());
        trees.for_each(tree, .., |key, value| {
            if is_kept(tree, key) {
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

/// Whether an entry is copied.
fn is_kept(tree: Tree, key: &[u8]) -> bool {
    tree != Tree::Meta || ![RENEW, RENEWED].contains(&key)
}

/// Whether another folder can take the place of this one: it is no link, and no mount point.
fn is_movable(folder: &Path) -> Result<bool, StoreError> {
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

    const OLD: &str = "Wilhelmina";

    fn store(home: &TempDir) -> PathBuf {
        home.path().join("store")
    }

    fn opened(home: &TempDir) -> Store {
        Store::open(&store(home)).unwrap()
    }

    fn named(name: &str) -> Member {
        Member { id: 1, name: name.to_owned(), ..Member::default() }
    }

    /// A store with a log, in which a member has got another name; whether that erased the old one.
    fn changed(erased: bool) -> TempDir {
        let home = crate::common::folder();
        let store = opened(&home);
        let line = |seq| LogLine { game: 1, seq, line: format!("{seq} {}", "x".repeat(9_000)) };
        let log_lines = (0..300).map(line).collect();
        store.write(&Batch { log_lines, members: vec![named(OLD)], ..Batch::default() }).unwrap();
        let members = vec![named("former member 1")];
        let batch = Batch { members, erased, rewrite_journal: true, ..Batch::default() };
        store.write(&batch).unwrap();
        // The lines that the journal lacks are kept in the store, too.
        store.write_journal(crate::common::folder().path()).unwrap();
        drop(store);
        home
    }

    /// Copies a store and its mark to a folder of their own.
    fn copy_of(home: &TempDir) -> TempDir {
        let copy = crate::common::folder();
        fs::create_dir_all(store(&copy).join("blobs")).unwrap();
        let files = fs::read_dir(store(home)).unwrap().map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.is_file());
        for path in files.chain([home.path().join("store.mark")]) {
            fs::copy(&path, copy.path().join(path.strip_prefix(home.path()).unwrap())).unwrap();
        }
        copy
    }

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::hours(hours)
    }

    fn holds_old_name(home: &TempDir) -> bool {
        let db = fs::read(store(home).join("db")).unwrap();
        db.windows(OLD.len()).any(|bytes| bytes == OLD.as_bytes())
    }

    /// Whether all is there, and nothing besides.
    fn is_whole(home: &TempDir) -> Store {
        let store = opened(home);
        assert_eq!(store.log(1).unwrap().len(), 300);
        assert_eq!(store.member(1).unwrap(), Some(named("former member 1")));
        let mut names: Vec<_> = fs::read_dir(home.path()).unwrap().flatten().collect();
        names.sort_by_key(fs::DirEntry::file_name);
        let names: Vec<_> = names.iter().map(fs::DirEntry::file_name).collect();
        assert_eq!(names, ["store", "store.mark"]);
        store
    }

    #[test]
    fn renewed_file_holds_only_what_is_kept() {
        let home = changed(true);
        assert!(holds_old_name(&home));
        let before = opened(&home);
        assert!(before.owes_renewal(at(0)).unwrap());
        let (expected, log) = (sum(&before.trees).unwrap(), before.log(1).unwrap());
        drop(before);
        Store::renew(&store(&home), at(0)).unwrap();
        assert!(!holds_old_name(&home));
        let after = is_whole(&home);
        assert_eq!(sum(&after.trees).unwrap(), expected);
        assert_eq!(after.log(1).unwrap(), log);
        let erase = || Batch { erased: true, ..Batch::default() };
        after.write(&erase()).unwrap();
        let owed = [1, 22, 23].map(|hours| after.owes_renewal(at(hours)).unwrap());
        assert_eq!(owed, [false, false, true]);
    }

    #[test]
    fn store_without_erasure_is_left_alone() {
        let home = changed(false);
        Store::renew(&store(&home), at(0)).unwrap();
        assert!(holds_old_name(&home));
        is_whole(&home);
    }

    #[test]
    fn interrupted_swap_ends_with_one_whole_store() {
        type Leave = fn(&Path);
        let stages: [(&str, Leave, bool); 7] = [
            (
                "copy is not whole",
                |home| Mark::of(&home.join("store-renewed")).write(NEVER).unwrap(),
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
        let (old, renewed) = (changed(true), changed(true));
        Store::renew(&store(&renewed), at(0)).unwrap();
        for (stage, leave, is_old) in stages {
            let (home, new) = (copy_of(&old), copy_of(&renewed));
            fs::rename(store(&new), home.path().join("store-renewed")).unwrap();
            let mark = new.path().join("store.mark");
            fs::rename(mark, home.path().join("store-renewed.mark")).unwrap();
            leave(home.path());
            assert!(Store::gone(&store(&home)).unwrap().is_none(), "{stage}");
            drop(is_whole(&home));
            assert_eq!(holds_old_name(&home), is_old, "{stage}");
        }
    }

    #[test]
    fn nobody_opens_store_during_swap() {
        let home = changed(true);
        let swapping = lock(&store(&home)).unwrap();
        assert!(matches!(Store::open(&store(&home)), Err(StoreError::Locked)));
        drop(swapping);
        is_whole(&home);
    }

    #[test]
    fn folder_of_another_in_the_way_is_kept() {
        let home = changed(true);
        let own = home.path().join("store-renewed");
        fs::create_dir(&own).unwrap();
        assert!(matches!(Store::renew(&store(&home), at(0)), Err(StoreError::Damaged(_))));
        assert!(own.exists());
    }
}
