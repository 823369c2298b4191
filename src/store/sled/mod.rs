//! A store in sled's files, on one machine, with a journal beside it.
//!
//! Only this folder uses sled. [`workarounds`] lists the faults of sled 0.34.7 and the code that
//! answers each.

mod batch_changes;
mod chunks;
mod due;
mod format;
mod game_row;
mod journal_writer;
mod member_seats;
mod outbox_entries;
mod row_group;
mod sled_migration;
mod tagged_values;
mod tree_reads;
mod trees;
mod workarounds;

use crate::store::journal::PresentFile;
use crate::store::keys::Key;
use crate::store::{
    Batch, FileStamp, GameStore, Migration, NewLocation, OutboxLabel, ReadSet, Revision, Row,
    StoreError,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use trees::{Tree, Trees};
use workarounds::compaction;
use workarounds::high_water_mark::{HighWaterMark, INCOMPLETE};

/// The largest number of post records that one call of [`GameStore::prune_post_records`] deletes.
const PRUNED_AT_ONCE: usize = 10_000;

/// An open store on sled. While it is open, no other process can open it.
pub struct Store {
    trees: Trees,
    /// Whether a high-water mark existed when the store was opened, so that its end could be
    /// checked.
    had_mark: bool,
    /// The revisions of the rows that were changed since the store was opened. Only one process has
    /// the store open, so they need not be stored.
    revisions: Mutex<BTreeMap<Row, Revision>>,
    /// The state of `present.jsonl` as this process last wrote it.
    present_file: Mutex<Option<PresentFile>>,
}

/// The size of sled's page cache for an open store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheSize {
    /// For a caller that reads entries repeatedly, such as a pass: up to 64 MiB of pages.
    Large,
    /// For a caller that reads each entry once: up to 8 MiB of pages.
    Small,
}

/// A letter's entry in the outbox. The contents are stored separately, so that a list of entries
/// reads few bytes.
#[derive(Serialize, Deserialize)]
struct OutboxEntry {
    message_id: String,
    recipient: String,
    not_before: Option<DateTime<Utc>>,
    attempts: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<OutboxLabel>,
}

impl Store {
    /// Opens the store in `folder`, and creates it if it is missing.
    ///
    /// The file `format` is written last when a store is created. If it is missing, no commit was
    /// ever acknowledged, and sled's settings file may be half written, so it is made again.
    ///
    /// A store that has lost data is opened read-only and not changed. If its file is gone, a new
    /// one is created, which can be rebuilt but not used: see [`GameStore::read_only_reason`].
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process has it open, [`StoreError::Damaged`] if it cannot
    /// be read or has lost data, [`StoreError::Newer`] if a later version wrote it,
    /// [`StoreError::Moved`] if the club was moved away, [`StoreError::Io`] if the file system
    /// fails.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        Self::open_with_cache(folder, CacheSize::Large)
    }

    /// Like [`Store::open`], with this cache size.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn open_with_cache(folder: &Path, memory: CacheSize) -> Result<Self, StoreError> {
        compaction::retry_while_locked(|| Self::try_open(folder, memory, false))
    }

    /// Opens the store in `folder` into which a club was just copied. Unlike [`Store::open`], it
    /// accepts a store whose mark still says that it is incomplete.
    pub(crate) fn open_migrated(folder: &Path) -> Result<Self, StoreError> {
        compaction::retry_while_locked(|| Self::try_open(folder, CacheSize::Large, true))
    }

    fn try_open(folder: &Path, memory: CacheSize, is_filled: bool) -> Result<Self, StoreError> {
        let _lock = compaction::lock_and_finish_swap(folder)?;
        if let Some(moved) = NewLocation::read_beside(folder)? {
            return Err(StoreError::Moved(moved));
        }
        let known = HighWaterMark::for_store(folder).read()?;
        let gone = Self::missing_store_error(folder)?;
        let is_unfinished = known == Some(INCOMPLETE);
        if is_unfinished && gone.is_none() && !is_filled {
            return Err(StoreError::unfinished_restore());
        }
        let place = known.filter(|_| gone.is_none() && !is_unfinished).unwrap_or(0);
        let trees = format::open_or_create_trees(folder, place, memory)?;
        compaction::remove_partial_copy(folder)?;
        let store = Self {
            trees,
            had_mark: known.is_some(),
            revisions: Mutex::default(),
            present_file: Mutex::default(),
        };
        gone.iter().for_each(|gone| store.trees.make_read_only(gone));
        Ok(store)
    }

    /// Whether the store in `folder` can never be opened again, because its rebuild was interrupted
    /// or the club was moved away.
    pub(crate) fn is_abandoned(folder: &Path) -> Result<bool, StoreError> {
        Ok(NewLocation::read_beside(folder)?.is_some() || Self::is_incomplete(folder)?)
    }

    /// Whether a rebuild of the store was interrupted, so that the store is incomplete.
    pub(crate) fn is_incomplete(folder: &Path) -> Result<bool, StoreError> {
        Ok(HighWaterMark::for_store(folder).read()? == Some(INCOMPLETE))
    }

    /// Creates a store in `folder`, if there is none, for a club that is restored or moved here.
    /// Until the rebuild is finished, no other process can open it.
    pub(crate) fn create_for_rebuild(folder: &Path) -> Result<Self, StoreError> {
        if !folder.exists() {
            HighWaterMark::for_store(folder).write(INCOMPLETE)?;
        }
        NewLocation::remove_beside(folder)?;
        Self::open(folder)
    }

    /// Returns an error if the store that was in `folder` is gone, or its club was moved away;
    /// `None` otherwise. Reads only a few small files, and changes nothing.
    pub(crate) fn missing_store_error(folder: &Path) -> Result<Option<StoreError>, StoreError> {
        if let Some(moved) = NewLocation::read_beside(folder)? {
            return Ok(Some(StoreError::Moved(moved)));
        }
        if compaction::has_complete_copy(folder)? {
            return Ok(None);
        }
        let (db, known) = (folder.join("db"), HighWaterMark::for_store(folder).read()?);
        let is_gone = known.is_some_and(|known| known > 0)
            && db.metadata().map_or(true, |data| data.len() == 0);
        Ok(is_gone.then(|| StoreError::data_loss(format_args!("{} is gone", db.display()))))
    }

    /// Whether `folder` never held a store. The mark is outside the folder, so it would tell.
    pub(crate) fn was_never_created(folder: &Path) -> bool {
        !folder.exists() && !HighWaterMark::for_store(folder).exists()
    }

    fn lock_revisions(&self) -> MutexGuard<'_, BTreeMap<Row, Revision>> {
        self.revisions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl GameStore for Store {
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        batch.check_log_lines_printable()?;
        // The lock is held until the batch is written, so that two commits that rest on one row run
        // one after the other.
        let mut revisions = self.lock_revisions();
        read.find_changed(|row| Ok(revisions.get(row).copied().unwrap_or_default()))?
            .map_or(Ok(()), |row| Err(StoreError::Conflict(row)))?;
        self.trees.run_write_transaction(|tx| batch_changes::apply_batch(batch, tx))?;
        for row in batch.changed_rows() {
            revisions.entry(row).or_default().0 += 1;
        }
        Ok(())
    }

    fn revision(&self, row: &Row) -> Result<Revision, StoreError> {
        Ok(self.lock_revisions().get(row).copied().unwrap_or_default())
    }

    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        let mut keys = Vec::new();
        self.trees.visit(
            Tree::PostRecords,
            ..Key::from_day(before).into_bytes(),
            &mut |key, _| {
                keys.push(key.to_vec());
                Ok(keys.len() < PRUNED_AT_ONCE)
            },
        )?;
        if keys.is_empty() {
            return Ok(());
        }
        self.trees.run_write_transaction(|tx| {
            keys.iter().try_for_each(|key| tx.remove(Tree::PostRecords, key.clone()).map(drop))
        })
    }

    fn update_journal(&self, folder: &Path) -> Result<(), StoreError> {
        self.write_journal_files(folder)
    }

    fn read_only_reason(&self) -> Option<StoreError> {
        self.trees.read_only_reason()
    }

    fn begin_rebuild(&self) -> Result<(), StoreError> {
        self.trees.begin_rebuild()
    }

    fn finish_rebuild(&self) -> Result<(), StoreError> {
        self.trees.finish_rebuild()
    }

    fn as_migration(&self) -> &dyn Migration {
        self
    }

    fn is_compaction_due(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        self.needs_compaction(now)
    }

    fn file_stamp(&self) -> Option<FileStamp> {
        FileStamp::for_file(self.trees.file()).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Seat;
    use crate::store::{
        LetterReader, LogLine, Outbox, OutgoingLetter, QueuedLetter, Remedy, Repository, ShownSeat,
    };
    use serde_json::json;
    use std::fs;
    use tempfile::TempDir;

    fn create_store() -> (TempDir, Store) {
        let folder = crate::testing::create_folder();
        let store = Store::open(&folder.path().join("club/store")).unwrap();
        (folder, store)
    }

    fn reopen(folder: &TempDir, store: Store) -> Store {
        drop(store);
        Store::open(&folder.path().join("club/store")).unwrap()
    }

    fn log_line(game: u32, seq: u32, line: &str) -> LogLine {
        LogLine { game, seq, line: line.to_owned() }
    }

    fn outgoing_letter(name: &str, length: usize) -> OutgoingLetter {
        let owed = json!({"seat": {"words": name.repeat(length), "at": 7}});
        let recipient = format!("{name}@x.org");
        OutgoingLetter { message_id: name.to_owned(), recipient, payload: owed, label: None }
    }

    fn sample_label(n: usize) -> OutboxLabel {
        let member = u32::try_from(n).unwrap();
        let shown = ShownSeat { game: 2, seat: Seat::new(3) };
        let reader = match n % 4 {
            0 => LetterReader::Seats { member, seats: vec![shown, ShownSeat { game: 5, ..shown }] },
            1 => LetterReader::Member(member),
            2 => LetterReader::Moderator,
            _ => LetterReader::Address,
        };
        OutboxLabel {
            priority: reader.default_priority(),
            reader,
            written: time_at(5),
            mergeable: n.is_multiple_of(5),
            hold: None,
        }
    }

    fn time_at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn long_lines_and_letters_are_stored_in_full() {
        let (folder, store) = create_store();
        let lengths = [0, 1, 5_999, 6_000, 6_001, 12_000, 400_000];
        let log_lines: Vec<_> =
            (0..300).map(|seq| log_line(1, seq, &"x".repeat(lengths[seq as usize % 7]))).collect();
        let one = |n: usize| {
            let label = (n % 3 == 1).then(|| sample_label(n));
            OutgoingLetter { label, ..outgoing_letter(&n.to_string(), lengths[n % 7]) }
        };
        let outgoing: Vec<_> = (0..300).map(one).collect();
        let batch = Batch { log_lines, outgoing, ..Batch::default() };
        store.write_without_conflict_check(&batch).unwrap();
        let store = reopen(&folder, store);
        let lines: Vec<_> = batch.log_lines.iter().map(|line| line.line.clone()).collect();
        assert_eq!(store.game_log_lines(1).unwrap(), lines);
        let queued = store.load_sendable(time_at(0), 300).unwrap();
        assert!(queued.iter().map(|queued| &queued.letter).eq(&batch.outgoing));
        let settled =
            |queued: &QueuedLetter| (queued.key, outgoing_letter(&queued.key.to_string(), 7_000));
        let settled: Vec<_> = queued.iter().take(9).map(settled).collect();
        store
            .write_without_conflict_check(&Batch { replaced: settled.clone(), ..Batch::default() })
            .unwrap();
        let in_place = store.load_sendable(time_at(0), 300).unwrap();
        for (found, (key, letter)) in in_place.iter().zip(&settled) {
            assert_eq!((found.key, &found.letter), (*key, letter));
        }
        assert!(in_place[9..] == queued[9..]);
        let sent = queued.iter().map(|queued| queued.key).collect();
        store.write_without_conflict_check(&Batch { sent, ..Batch::default() }).unwrap();
        assert_eq!(store.outbox_length().unwrap(), 0);
        let piece = |_: &[u8], _: &[u8]| Ok(Some(()));
        assert!(store.trees.collect_entries(trees::Tree::Letters, .., piece).unwrap().is_empty());
        // sled never syncs the files in `blobs`, so no value may be stored there.
        let apart = fs::read_dir(folder.path().join("club/store/blobs")).unwrap().count();
        assert_eq!(apart, 0);
    }

    #[test]
    fn second_open_fails_as_locked() {
        let (folder, store) = create_store();
        let second = Store::open(&folder.path().join("club/store")).err().unwrap();
        assert!(matches!(second, StoreError::Locked), "{second}");
        assert_eq!(second.remedy(), Remedy::RunLater);
        reopen(&folder, store);
    }

    #[test]
    fn half_created_store_opens_empty() {
        let whole = crate::testing::create_folder();
        drop(Store::open(whole.path()).unwrap());
        let conf = fs::read(whole.path().join("conf")).unwrap();
        for length in 0..conf.len() {
            let folder = crate::testing::create_folder();
            fs::create_dir(folder.path().join("blobs")).unwrap();
            fs::write(folder.path().join("conf"), &conf[..length]).unwrap();
            fs::write(folder.path().join("db"), b"").unwrap();
            let store = Store::open(folder.path()).unwrap();
            assert!(store.game_numbers().unwrap().is_empty());
        }
    }

    #[test]
    fn damaged_file_never_panics_nor_yields_wrong_lines() {
        let (folder, store) = create_store();
        let log_lines: Vec<_> = (0..2_000).map(|n| log_line(1, n, &"record ".repeat(99))).collect();
        store.write_without_conflict_check(&Batch { log_lines, ..Batch::default() }).unwrap();
        let lines = store.game_log_lines(1).unwrap();
        drop(store);
        let db = folder.path().join("club/store/db");
        let sound = fs::read(&db).unwrap();
        for step in 0..60 {
            let mut bytes = sound.clone();
            let place = bytes.len() * step / 60;
            bytes.iter_mut().skip(place).take(40).for_each(|byte| *byte = !*byte);
            fs::write(&db, bytes).unwrap();
            let Ok(store) = Store::open(&folder.path().join("club/store")) else { continue };
            if let Ok(found) = store.game_log_lines(1) {
                assert!(lines.starts_with(&found), "{step}");
            }
            let _ =
                store.write_without_conflict_check(&Batch { sent: vec![1], ..Batch::default() });
        }
        fs::write(folder.path().join("club/store/format"), "another").unwrap();
        assert!(Store::open(&folder.path().join("club/store")).is_err());
    }
}
