//! sled's trees, and the only functions that read and write them.
//!
//! The calls into sled go through [`workarounds`](super::workarounds), which lists the faults of
//! sled that shape this module.
//!
//! This module handles keys and bytes and does not interpret them.

use super::CacheSize;
use super::workarounds::high_water_mark::{HighWaterMark, INCOMPLETE};
use super::workarounds::replay::{self, LogEnd, SEGMENT_BYTES};
use super::workarounds::{
    CHUNK_BYTES_MAX, FILLER_KEY, catch_panic, count_needed_rereads, page_cache_bytes, recovery,
};
use crate::disk::{self, DiskStep};
use crate::store::StoreError;
use sled::IVec;
use sled::transaction::{
    ConflictableTransactionError, TransactionError, Transactional, TransactionalTree,
};
use std::ops::{Bound, RangeBounds};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// sled's trees. Each is a sorted map from keys to values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// Counters and other values that a club has only one of, by name.
    Meta,
    /// The [rows of games](super::row_group), eight in one value, by group number and chunk.
    Games,
    /// The text of game logs, by game and chunk.
    Lines,
    /// Members as JSON, by number.
    Members,
    /// The numbers of the members who own addresses, by hash of the address.
    Addresses,
    /// The seats of members, five bytes each (game, seat), by member and chunk.
    MemberSeats,
    /// The outcomes of inbound letters as JSON, by digest of the letter.
    SeenLetters,
    /// The outcomes of inbound files as text, by file name.
    SeenFiles,
    /// The queued letters without their contents, as JSON, by the letter's key.
    Outbox,
    /// The contents of queued letters as JSON, by the letter's key and chunk.
    Letters,
    /// The [due times of games](super::due), by hour, block of 256 games, and chunk.
    Due,
    /// The number of events that were counted for an account in a second, by hash of the account
    /// and second.
    Answers,
    /// The games whose file in the journal is behind their log. The values are empty.
    Unjournaled,
    /// The lines that are missing in `club.jsonl`, by a running number.
    ClubLines,
    /// The games of campaigns as JSON, by hash of the campaign, round and table.
    CampaignGames,
    /// The entries of activity logs as JSON, by game, number and chunk.
    Activity,
    /// The inbound letters that cannot be read, as JSON, by file name.
    Unreadable,
    /// The records of posted letters (the second, then JSON), by day and hash of the Message-ID.
    PostRecords,
}

/// Each tree with its name on disk. The order is that of the enum, because a tree's discriminant is
/// its index here.
const TREES: [(Tree, &str); 18] = [
    (Tree::Meta, "meta"),
    (Tree::Games, "row_groups"),
    (Tree::Lines, "lines"),
    (Tree::Members, "members"),
    (Tree::Addresses, "addresses"),
    (Tree::MemberSeats, "places"),
    (Tree::SeenLetters, "seen_letters"),
    (Tree::SeenFiles, "seen_files"),
    (Tree::Outbox, "outbox"),
    (Tree::Letters, "letters"),
    (Tree::Due, "due_hours"),
    (Tree::Answers, "answers"),
    (Tree::Unjournaled, "unjournaled"),
    (Tree::ClubLines, "club_lines"),
    (Tree::CampaignGames, "campaign_games"),
    (Tree::Activity, "minutes"),
    (Tree::Unreadable, "unread"),
    (Tree::PostRecords, "posted"),
];

impl Tree {
    pub(crate) fn all_trees() -> impl Iterator<Item = Self> {
        TREES.iter().map(|(tree, _)| *tree)
    }

    pub(crate) fn name(self) -> &'static str {
        TREES[self as usize].1
    }
}

/// All trees of one open store.
pub(super) struct Trees {
    database: sled::Db,
    trees: Vec<sled::Tree>,
    file: PathBuf,
    memory: CacheSize,
    mark: HighWaterMark,
    state: Mutex<State>,
    /// Whether the next write must begin a new segment of the file, so that holes can be closed at
    /// the next opening.
    next_segment_due: AtomicBool,
}

/// Whether the trees may be written.
enum State {
    /// The trees may be written. The value is the end of the log up to which the file is durable.
    Open(LogEnd),
    /// The trees may not be written, for this reason.
    ReadOnly(String),
    /// The trees may be written, but no process can open them again until the rebuild is finished.
    Rebuilding,
}

/// An error that aborts a transaction, so that nothing of it is written.
pub(super) type TxError = ConflictableTransactionError<StoreError>;

type KeyRange = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// A function that gets an entry's key and value, and returns whether it wants the next entry.
type EntryVisitor<'a> = dyn FnMut(&[u8], &[u8]) -> Result<bool, StoreError> + 'a;

impl Trees {
    /// Opens or creates sled's files in `folder`, which must exist. `known` is the position (log
    /// sequence number) up to which the store was durable; a shorter log is an error.
    pub(crate) fn open(folder: &Path, known: u64, memory: CacheSize) -> Result<Self, StoreError> {
        let prepared = recovery::repair_files_before_open(folder, known)?;
        let (database, trees) = catch_panic(|| {
            let settings = sled::Config::new().path(folder).flush_every_ms(None);
            let database = settings.cache_capacity(page_cache_bytes(memory)).open()?;
            let trees = Tree::all_trees().map(|tree| database.open_tree(tree.name()));
            trees.collect::<sled::Result<_>>().map(|trees| (database.clone(), trees))
        })?;
        // sled has replaced its snapshot by a new one. The new name must be durable before segments
        // are reused that only the old snapshot needed.
        disk::sync_folder(folder)?;
        let file = folder.join("db");
        // The end can be checked only now, because opening lets sled take back what a killed run
        // did not finish.
        let tip = recovery::find_intact_end_after_open(&file, &prepared)?;
        recovery::check_no_data_lost(known, tip)?;
        let state = Mutex::new(State::Open(tip));
        let segment_is_owed = AtomicBool::new(prepared.has_holes);
        let mark = HighWaterMark::for_store(folder);
        Ok(Self { database, trees, file, memory, mark, state, next_segment_due: segment_is_owed })
    }

    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    fn tree(&self, tree: Tree) -> &sled::Tree {
        &self.trees[tree as usize]
    }

    pub(crate) fn get(
        &self,
        tree: Tree,
        key: impl AsRef<[u8]>,
    ) -> Result<Option<IVec>, StoreError> {
        catch_panic(|| self.tree(tree).get(key))
    }

    /// Collects the results of `read` for the entries in a range of a tree, in order.
    pub(crate) fn collect_entries<T>(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        mut read: impl FnMut(&[u8], &[u8]) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.for_each(tree, range, |key, value| {
            found.extend(read(key, value)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Passes each entry in a range of a tree to `visit_entry`, in order.
    pub(crate) fn for_each(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        mut visit_entry: impl FnMut(&[u8], &[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.visit(tree, range, &mut |key, value| visit_entry(key, value).map(|()| true))
    }

    /// Passes the entries in a range of a tree to `visit_entry`, in order, until it returns
    /// `false`.
    pub(crate) fn visit(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        visit_entry: &mut EntryVisitor<'_>,
    ) -> Result<(), StoreError> {
        self.visit_range(
            (range.start_bound().cloned(), range.end_bound().cloned()),
            tree,
            visit_entry,
        )
    }

    /// Implements [`Trees::visit`]. It is not generic, so that it is compiled once and not once per
    /// kind of range.
    fn visit_range(
        &self,
        range: KeyRange,
        tree: Tree,
        visit_entry: &mut EntryVisitor<'_>,
    ) -> Result<(), StoreError> {
        let (mut entries, mut seen) = (self.tree(tree).range(range), 0);
        while let Some((key, value)) = catch_panic(|| entries.next().transpose())? {
            if !visit_entry(&key, &value)? {
                break;
            }
            for _ in 0..count_needed_rereads(self.memory, value.len(), &mut seen) {
                self.get(tree, &key)?;
            }
        }
        Ok(())
    }

    pub(crate) fn last_key(&self, tree: Tree) -> Result<Option<IVec>, StoreError> {
        self.find_last_key(tree, |_| Ok(true))
    }

    /// Returns the highest key of a tree for which `is_right` returns `true`.
    pub(crate) fn find_last_key(
        &self,
        tree: Tree,
        mut is_right: impl FnMut(&[u8]) -> Result<bool, StoreError>,
    ) -> Result<Option<IVec>, StoreError> {
        let mut pairs = self.tree(tree).iter();
        while let Some((key, _)) = catch_panic(|| pairs.next_back().transpose())? {
            if is_right(&key)? {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }

    /// Runs `change` as one transaction over all trees, all or nothing; durable when this returns.
    ///
    /// sled may run `change` several times.
    pub(crate) fn run_write_transaction(
        &self,
        change: impl Fn(&WriteTx) -> Result<(), TxError>,
    ) -> Result<(), StoreError> {
        self.read_only_reason().map_or(Ok(()), Err)?;
        let trees = self.trees.as_slice();
        catch_panic(|| {
            let done = trees.transaction(|views| change(&WriteTx(views.as_slice())));
            done.map_err(|error| match error {
                TransactionError::Abort(error) => error,
                TransactionError::Storage(error) => error.into(),
            })
        })?;
        if self.next_segment_due.swap(false, Ordering::Relaxed) {
            self.begin_next_segment()?;
        }
        disk::run_step(DiskStep::Write(&self.file), || Ok(()))?;
        self.sync_and_mark()
    }

    /// Writes half a megabyte of filler, so that sled begins the next segment of its file. The
    /// header of that segment says that everything before it was durable, which is needed before
    /// holes can be closed.
    fn begin_next_segment(&self) -> Result<(), StoreError> {
        let meta = self.tree(Tree::Meta);
        catch_panic(|| {
            for n in 0..=SEGMENT_BYTES / CHUNK_BYTES_MAX as u64 {
                // Each value differs from the one before, because sled does not write a value that
                // has not changed.
                meta.insert(FILLER_KEY, vec![n as u8; CHUNK_BYTES_MAX])?;
            }
            meta.remove(FILLER_KEY).map(drop)
        })
    }

    /// Inserts entries into a tree. They are durable only after [`Trees::sync_and_mark`].
    pub(crate) fn insert_without_sync(
        &self,
        tree: Tree,
        entries: sled::Batch,
    ) -> Result<(), StoreError> {
        catch_panic(|| self.tree(tree).apply_batch(entries))
    }

    /// Makes everything durable that was written to the trees, and notes the new end in the
    /// high-water mark.
    pub(crate) fn sync_and_mark(&self) -> Result<(), StoreError> {
        self.sync()?;
        self.update_high_water_mark()
    }

    /// Returns why nothing may be written; `None` if writing is allowed.
    pub(crate) fn read_only_reason(&self) -> Option<StoreError> {
        match &*self.lock_state() {
            State::ReadOnly(why) => Some(StoreError::Damaged(why.clone())),
            State::Open(_) | State::Rebuilding => None,
        }
    }

    /// Makes the store refuse all writes from now on, for this reason.
    pub(crate) fn make_read_only(&self, why: &StoreError) {
        *self.lock_state() = State::ReadOnly(why.to_string());
    }

    /// Begins a rebuild: notes in the high-water mark that the trees are incomplete, so that no
    /// process can open them before [`Trees::finish_rebuild`].
    pub(crate) fn begin_rebuild(&self) -> Result<(), StoreError> {
        *self.lock_state() = State::Rebuilding;
        Ok(self.mark.write(INCOMPLETE)?)
    }

    /// Finishes a rebuild: notes the end of the file in the high-water mark, from now on after
    /// every change.
    pub(crate) fn finish_rebuild(&self) -> Result<(), StoreError> {
        *self.lock_state() = State::Open(recovery::scan_intact_end(&self.file, 0)?);
        self.sync_and_mark()
    }

    /// Notes in the high-water mark how far the file is written. Everything up to there must be
    /// durable.
    fn update_high_water_mark(&self) -> Result<(), StoreError> {
        let mut state = self.lock_state();
        if let State::Open(before) = *state {
            let now = replay::find_intact_end_after_write(&self.file, before)?;
            self.mark.write(now.lsn)?;
            *state = State::Open(now);
        }
        Ok(())
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes everything durable that was written to the trees.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        catch_panic(|| self.database.flush())?;
        disk::run_step(DiskStep::Write(&self.file), || Ok(()))?;
        disk::sync_file(&self.file)?;
        Ok(())
    }
}

/// The trees as one transaction reads and writes them.
pub(super) struct WriteTx<'a>(&'a [TransactionalTree]);

impl WriteTx<'_> {
    /// Returns the value under a key, including this transaction's changes.
    pub(crate) fn get(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].get(key)?)
    }

    /// Sets the value under a key of a tree. Returns the old value.
    pub(crate) fn put(
        &self,
        tree: Tree,
        key: Vec<u8>,
        value: impl Into<IVec>,
    ) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].insert(key, value)?)
    }

    /// Removes a key from a tree. Returns its value.
    pub(crate) fn remove(&self, tree: Tree, key: Vec<u8>) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].remove(key)?)
    }
}

impl From<StoreError> for TxError {
    fn from(error: StoreError) -> Self {
        Self::Abort(error)
    }
}

/// Returns the range of all keys that begin with `prefix`.
pub(super) fn keys_with_prefix(prefix: Vec<u8>) -> KeyRange {
    let mut end = prefix.clone();
    while end.last() == Some(&u8::MAX) {
        end.pop();
    }
    let end = match end.last_mut() {
        Some(last) => {
            *last += 1;
            Bound::Excluded(end)
        }
        None => Bound::Unbounded,
    };
    (Bound::Included(prefix), end)
}
