//! sled's trees, and the only ways in which they are read and written.
//!
//! The calls into sled go through [`workarounds`](super::workarounds), which lists the faults of
//! sled that shape this module.
//!
//! Knows keys and bytes, nothing of what they stand for.

use super::CacheSize;
use super::workarounds::high_water_mark::{HighWaterMark, INCOMPLETE};
use super::workarounds::replay::{self, LogEnd, SEGMENT_BYTES};
use super::workarounds::{
    CHUNK_BYTES_MAX, FILLER_KEY, cache_bytes, catch_panic, count_revisits, recovery,
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

/// What each tree holds: key and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// A name: the counters.
    Meta,
    /// So many numbers of games, piece: a piece of [their rows](super::row_group).
    Games,
    /// Game, piece: a piece of its log's text.
    Lines,
    /// Member: as JSON.
    Members,
    /// Address: member.
    Addresses,
    /// Member, piece: a piece of where he sits, game and seat in five bytes each.
    MemberSeats,
    /// Digest of a letter: as JSON.
    SeenLetters,
    /// Name of a file: what became of it.
    SeenFiles,
    /// Key of a letter: its entry as JSON.
    Outbox,
    /// Key of a letter, piece: a piece of the news that it tells, as JSON.
    Letters,
    /// Hour, game number divided by 256, piece: [when which of these games are due](super::due).
    Due,
    /// Address, seconds: how many.
    Answers,
    /// Game: nothing. The game's journal is behind its log.
    Unjournaled,
    /// Number: a line that the club's journal does not hold yet.
    ClubLines,
    /// Campaign, round, table: the game as JSON.
    CampaignGames,
    /// Game, number, piece: a piece of what was said or done around it, as JSON.
    Activity,
    /// Name of a file: since when it cannot be read, as JSON.
    Unreadable,
    /// Day, Message-ID: the second at which that letter was posted.
    PostRecords,
}

/// Each tree with its name on disk, in the order of the enumeration: a tree's number is its place.
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
    /// Iterates over all trees in the order of the enumeration.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        TREES.iter().map(|(tree, _)| *tree)
    }

    /// Returns the tree's name on disk.
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
    /// Whether the next change has to begin the next segment of the file.
    next_segment_due: AtomicBool,
}

/// Whether the trees may be written.
enum State {
    /// They may, and it is noted how far the file is written.
    Open(LogEnd),
    /// They may not, for this reason.
    ReadOnly(String),
    /// They may, but nobody can open them again before all is there.
    Rebuilding,
}

/// Stops a transaction: nothing of it is written.
pub(super) type TxError = ConflictableTransactionError<StoreError>;

/// A range of keys.
type KeyRange = (Bound<Vec<u8>>, Bound<Vec<u8>>);

/// Takes the key and the value of an entry. Returns whether it takes another one.
type EntryVisitor<'a> = dyn FnMut(&[u8], &[u8]) -> Result<bool, StoreError> + 'a;

impl Trees {
    /// Opens or creates sled's files in `folder`, which exists and is known to have been written up
    /// to a place.
    pub(crate) fn open(folder: &Path, known: u64, memory: CacheSize) -> Result<Self, StoreError> {
        let prepared = recovery::prepare_files(folder, known)?;
        let (database, trees) = catch_panic(|| {
            let settings = sled::Config::new().path(folder).flush_every_ms(None);
            let database = settings.cache_capacity(cache_bytes(memory)).open()?;
            let trees = Tree::all().map(|tree| database.open_tree(tree.name()));
            trees.collect::<sled::Result<_>>().map(|trees| (database.clone(), trees))
        })?;
        // sled's new snapshot took the old one's place, and no segment that only that one needed is
        // to be gone before it.
        disk::sync_folder(folder)?;
        let file = folder.join("db");
        // Only now: sled has taken back what a killed run did not bring to an end.
        let tip = recovery::find_end_after_open(&file, &prepared)?;
        recovery::check_end(known, tip)?;
        let state = Mutex::new(State::Open(tip));
        let segment_is_owed = AtomicBool::new(prepared.has_holes);
        let mark = HighWaterMark::for_store(folder);
        Ok(Self { database, trees, file, memory, mark, state, next_segment_due: segment_is_owed })
    }

    /// The folder in which all lies.
    pub(crate) fn folder(&self) -> &Path {
        self.file.parent().unwrap_or(Path::new("."))
    }

    /// Where the file lies to which all is written.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    fn tree(&self, tree: Tree) -> &sled::Tree {
        &self.trees[tree as usize]
    }

    /// The value under a key.
    pub(crate) fn get(
        &self,
        tree: Tree,
        key: impl AsRef<[u8]>,
    ) -> Result<Option<IVec>, StoreError> {
        catch_panic(|| self.tree(tree).get(key))
    }

    /// Returns what `read` makes of the entries in a range, in order.
    pub(crate) fn scan<T>(
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

    /// Gives each entry in a range to `take`, in order.
    pub(crate) fn for_each(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        mut visit_entry: impl FnMut(&[u8], &[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.visit(tree, range, &mut |key, value| visit_entry(key, value).map(|()| true))
    }

    /// Shows each entry in a range to `show`, in order, until that returns `false`.
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

    /// Does [`Trees::show`]. There are many kinds of ranges, and this is compiled once.
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
            for _ in 0..count_revisits(self.memory, value.len(), &mut seen) {
                self.get(tree, &key)?;
            }
        }
        Ok(())
    }

    /// The highest key.
    pub(crate) fn last_key(&self, tree: Tree) -> Result<Option<IVec>, StoreError> {
        self.find_last_key(tree, |_| Ok(true))
    }

    /// The highest key that is the right one.
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

    /// Makes a change to all trees or to none; durable when this returns.
    ///
    /// sled can run `change` more than once.
    pub(crate) fn write(
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

    /// Writes half a megabyte that means nothing, so that sled begins another segment of its file
    /// and says in it that all before was durable: then holes can be closed.
    fn begin_next_segment(&self) -> Result<(), StoreError> {
        let meta = self.tree(Tree::Meta);
        catch_panic(|| {
            for n in 0..=SEGMENT_BYTES / CHUNK_BYTES_MAX as u64 {
                // sled writes nothing where the value is the same.
                meta.insert(FILLER_KEY, vec![n as u8; CHUNK_BYTES_MAX])?;
            }
            meta.remove(FILLER_KEY).map(drop)
        })
    }

    /// Inserts entries into a tree. They are durable only after [`Trees::settle`].
    pub(crate) fn insert_all(&self, tree: Tree, entries: sled::Batch) -> Result<(), StoreError> {
        catch_panic(|| self.tree(tree).apply_batch(entries))
    }

    /// Makes durable what sled holds, and notes how far that is.
    pub(crate) fn sync_and_mark(&self) -> Result<(), StoreError> {
        self.sync()?;
        self.mark_end()
    }

    /// Why nothing may be written; none when all is well.
    pub(crate) fn read_only_reason(&self) -> Option<StoreError> {
        match &*self.lock_state() {
            State::ReadOnly(why) => Some(StoreError::Damaged(why.clone())),
            State::Open(_) | State::Rebuilding => None,
        }
    }

    /// Writes nothing any more, for this reason.
    pub(crate) fn make_read_only(&self, why: &StoreError) {
        *self.lock_state() = State::ReadOnly(why.to_string());
    }

    /// Notes that nobody is to open these trees before [`Trees::release`].
    pub(crate) fn begin_rebuild(&self) -> Result<(), StoreError> {
        *self.lock_state() = State::Rebuilding;
        Ok(self.mark.write(INCOMPLETE)?)
    }

    /// Notes how far the file is written, from now on after every change.
    pub(crate) fn finish_rebuild(&self) -> Result<(), StoreError> {
        *self.lock_state() = State::Open(recovery::scan_log_end(&self.file, 0)?);
        self.sync_and_mark()
    }

    /// Notes how far the file is written, all of which is durable.
    fn mark_end(&self) -> Result<(), StoreError> {
        let mut state = self.lock_state();
        if let State::Open(before) = *state {
            let now = replay::extend_log_end(&self.file, before)?;
            self.mark.write(now.lsn)?;
            *state = State::Open(now);
        }
        Ok(())
    }

    fn lock_state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes durable what sled holds.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        catch_panic(|| self.database.flush())?;
        disk::run_step(DiskStep::Write(&self.file), || Ok(()))?;
        disk::sync_file(&self.file)?;
        Ok(())
    }
}

/// Reads and writes within one transaction.
pub(super) struct WriteTx<'a>(&'a [TransactionalTree]);

impl WriteTx<'_> {
    /// The value under a key, as this transaction left it.
    pub(crate) fn get(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].get(key)?)
    }

    /// Sets a key; says what was there.
    pub(crate) fn put(
        &self,
        tree: Tree,
        key: Vec<u8>,
        value: impl Into<IVec>,
    ) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].insert(key, value)?)
    }

    /// Removes a key; says what was there.
    pub(crate) fn remove(&self, tree: Tree, key: Vec<u8>) -> Result<Option<IVec>, TxError> {
        Ok(self.0[tree as usize].remove(key)?)
    }
}

impl From<StoreError> for TxError {
    fn from(error: StoreError) -> Self {
        Self::Abort(error)
    }
}

/// The keys that begin like this.
pub(super) fn prefix_range(prefix: Vec<u8>) -> KeyRange {
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
