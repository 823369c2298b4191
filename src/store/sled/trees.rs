//! sled's trees, and the only ways in which they are read and written.
//!
//! sled 0.34.7 has five traps, all dealt with here or by what is called from here:
//! - its `flush` does not sync, so the `db` file is synced after it;
//! - a page of more than 128 KiB goes to a file of its own that is never synced, so no value is
//!   longer than [`PIECE`]: a page holds 16 of them, for a short while a few more;
//! - it panics over some damaged files, so panics become errors;
//! - it takes damage for the end of a killed run, so its file is read before it reads it, and how
//!   far it was written is noted elsewhere;
//! - it writes zeros over all that is free in its file whenever it opens it, so nothing is left
//!   free there ([`holes`](super::holes)).
//!
//! Knows keys and bytes, nothing of what they stand for.

use super::mark::{Mark, NEVER};
use super::replay::{SEGMENT, Tip};
use super::{Memory, recovery};
use crate::disk::{self, Step};
use crate::store::StoreError;
use sled::IVec;
use sled::transaction::{
    ConflictableTransactionError, TransactionError, Transactional, TransactionalTree,
};
use std::ops::{Bound, RangeBounds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bytes of pages sled keeps in memory, beside what it keeps of each page there is.
/// Without a bound whoever walks all games has them all in memory. sled parts it into 256: for who
/// comes back, each has room for some pages, of which one with logs takes up to 128 KiB.
const fn cache(memory: Memory) -> u64 {
    match memory {
        Memory::Ample => 64 << 20,
        Memory::Little => 8 << 20,
    }
}

/// Who has little memory looks once more at what he was shown for each so many bytes of it.
const LOOKED_AT: usize = 1_000;

/// The longest value in bytes; what is longer is kept in several.
pub(super) const PIECE: usize = 6_000;

/// The key of what fills the rest of a segment.
const FILLER: &[u8] = b"filler";

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
    SeatsOf,
    /// Digest of a letter: as JSON.
    SeenLetters,
    /// Name of a file: what became of it.
    SeenFiles,
    /// Key of a letter: its entry as JSON.
    Outbox,
    /// Key of a letter, piece: a piece of its bytes.
    Letters,
    /// Hour, so many numbers of games: [when which of them are due](super::due).
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
    Minutes,
    /// Name of a file: since when it cannot be read, as JSON.
    Unread,
    /// Day, Message-ID: the second at which that letter was posted.
    Posted,
}

impl Tree {
    /// In the order of the enumeration, so that a tree's number is its place.
    pub(crate) const ALL: [Self; 18] = [
        Self::Meta,
        Self::Games,
        Self::Lines,
        Self::Members,
        Self::Addresses,
        Self::SeatsOf,
        Self::SeenLetters,
        Self::SeenFiles,
        Self::Outbox,
        Self::Letters,
        Self::Due,
        Self::Answers,
        Self::Unjournaled,
        Self::ClubLines,
        Self::CampaignGames,
        Self::Minutes,
        Self::Unread,
        Self::Posted,
    ];

    /// The tree's name on disk. None is one that the [first layout](super::convert) had for
    /// something that is kept otherwise now.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Meta => "meta",
            Self::Games => "row_groups",
            Self::Lines => "lines",
            Self::Members => "members",
            Self::Addresses => "addresses",
            Self::SeatsOf => "places",
            Self::SeenLetters => "seen_letters",
            Self::SeenFiles => "seen_files",
            Self::Outbox => "outbox",
            Self::Letters => "letters",
            Self::Due => "due_hours",
            Self::Answers => "answers",
            Self::Unjournaled => "unjournaled",
            Self::ClubLines => "club_lines",
            Self::CampaignGames => "campaign_games",
            Self::Minutes => "minutes",
            Self::Unread => "unread",
            Self::Posted => "posted",
        }
    }
}

/// All trees of one open store.
pub(super) struct Trees {
    database: sled::Db,
    trees: Vec<sled::Tree>,
    file: PathBuf,
    memory: Memory,
    mark: Mark,
    state: Mutex<State>,
    /// Whether the next change has to begin the next segment of the file.
    segment_is_owed: AtomicBool,
}

/// Whether the trees may be written.
enum State {
    /// They may, and it is noted how far the file is written.
    Open(Tip),
    /// They may not, for this reason.
    Withheld(String),
    /// They may, but nobody can open them again before all is there.
    Rebuilding,
}

/// Stops a transaction: nothing of it is written.
pub(super) type Stop = ConflictableTransactionError<StoreError>;

/// Is shown the key and the value of an entry; says whether there is to be another one.
type Show<'a> = dyn FnMut(&[u8], &[u8]) -> Result<bool, StoreError> + 'a;

impl Trees {
    /// Opens or creates sled's files in `folder`, which exists and is known to have been written up
    /// to a place.
    pub(crate) fn open(folder: &Path, known: u64, memory: Memory) -> Result<Self, StoreError> {
        let prepared = recovery::prepare(folder, known)?;
        let (database, trees) = sound(|| {
            let settings = sled::Config::new().path(folder).flush_every_ms(None);
            let database = settings.cache_capacity(cache(memory)).open()?;
            let trees = Tree::ALL.iter().map(|tree| database.open_tree(tree.name()));
            let trees = trees.collect::<sled::Result<_>>()?;
            Ok((database, trees))
        })?;
        // sled's new snapshot took the old one's place, and no segment that only that one needed is
        // to be gone before it.
        disk::sync_folder(folder)?;
        let file = folder.join("db");
        // Only now: sled has taken back what a killed run did not bring to an end.
        let tip = recovery::opened(&file, &prepared)?;
        recovery::is_reached(known, tip)?;
        let state = Mutex::new(State::Open(tip));
        let segment_is_owed = AtomicBool::new(prepared.holes_stay);
        let mark = Mark::of(folder);
        Ok(Self { database, trees, file, memory, mark, state, segment_is_owed })
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
        sound(|| self.tree(tree).get(key))
    }

    /// How many keys a tree has; reads them all.
    pub(crate) fn count(&self, tree: Tree) -> Result<usize, StoreError> {
        self.scan(tree, .., |_, _| Ok(Some(()))).map(|all| all.len())
    }

    /// What `read` makes of the keys in a range, in order.
    pub(crate) fn scan<T>(
        &self,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        read: impl FnMut(&[u8], &[u8]) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.scan_up_to(usize::MAX, tree, range, read)
    }

    /// The same, until there are `limit`.
    pub(crate) fn scan_up_to<T>(
        &self,
        limit: usize,
        tree: Tree,
        range: impl RangeBounds<Vec<u8>>,
        mut read: impl FnMut(&[u8], &[u8]) -> Result<Option<T>, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        if limit > 0 {
            self.each(tree, bounds(&range), &mut |key, value| {
                found.extend(read(key, value)?);
                Ok(found.len() < limit)
            })?;
        }
        Ok(found)
    }

    /// Shows each entry until that says that it has seen enough. The ways of scanning are many, so
    /// this, which is most of each, is compiled once for all.
    fn each(
        &self,
        tree: Tree,
        range: (Bound<Vec<u8>>, Bound<Vec<u8>>),
        show: &mut Show<'_>,
    ) -> Result<(), StoreError> {
        let mut seen = 0;
        for entry in entries(self.tree(tree), range) {
            let (key, value) = entry?;
            if !show(&key, &value)? {
                break;
            }
            // sled only looks at what its cache holds with every 64th access to a 256th of all
            // pages: of who has to do with each page once it keeps sixteen thousand, whatever they
            // weigh. So he has the more to do with them the more they weigh.
            if self.memory == Memory::Little {
                seen += value.len();
                for _ in 0..seen / LOOKED_AT {
                    self.get(tree, &key)?;
                }
                seen %= LOOKED_AT;
            }
        }
        Ok(())
    }

    /// The highest key.
    pub(crate) fn last(&self, tree: Tree) -> Result<Option<IVec>, StoreError> {
        self.last_where(tree, |_| Ok(true))
    }

    /// The highest key that is the right one.
    pub(crate) fn last_where(
        &self,
        tree: Tree,
        mut is_right: impl FnMut(&[u8]) -> Result<bool, StoreError>,
    ) -> Result<Option<IVec>, StoreError> {
        let mut pairs = self.tree(tree).iter();
        while let Some((key, _)) = sound(|| pairs.next_back().transpose())? {
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
        change: impl Fn(&WriteTx) -> Result<(), Stop>,
    ) -> Result<(), StoreError> {
        self.write_to(&self.trees, |views| change(&WriteTx(views)))
    }

    /// The same with trees besides.
    pub(crate) fn write_with(
        &self,
        others: &[sled::Tree],
        change: impl Fn(&WriteTx, &[TransactionalTree]) -> Result<(), Stop>,
    ) -> Result<(), StoreError> {
        self.write_to(&[self.trees.as_slice(), others].concat(), |views| {
            let (own, others) = views.split_at(self.trees.len());
            change(&WriteTx(own), others)
        })
    }

    fn write_to(
        &self,
        trees: &[sled::Tree],
        change: impl Fn(&[TransactionalTree]) -> Result<(), Stop>,
    ) -> Result<(), StoreError> {
        self.withheld().map_or(Ok(()), Err)?;
        let done =
            catch_unwind(AssertUnwindSafe(|| trees.transaction(|views| change(views.as_slice()))));
        match done.map_err(|_| panicked())? {
            Ok(()) => {}
            Err(TransactionError::Abort(error)) => return Err(error),
            Err(TransactionError::Storage(error)) => return Err(error.into()),
        }
        if self.segment_is_owed.swap(false, Ordering::Relaxed) {
            self.begin_next_segment()?;
        }
        disk::step(Step::Write(&self.file), || Ok(()))?;
        self.settle()
    }

    /// Writes half a megabyte that means nothing, so that sled begins another segment of its file
    /// and says in it that all before was durable: then holes can be closed.
    fn begin_next_segment(&self) -> Result<(), StoreError> {
        let meta = self.tree(Tree::Meta);
        sound(|| {
            for n in 0..=SEGMENT / PIECE as u64 {
                // sled writes nothing where the value is the same.
                meta.insert(FILLER, vec![n as u8; PIECE])?;
            }
            meta.remove(FILLER).map(drop)
        })
    }

    /// Inserts entries into a tree. They are durable only after [`Trees::settle`].
    pub(crate) fn insert_all(&self, tree: Tree, entries: sled::Batch) -> Result<(), StoreError> {
        sound(|| self.tree(tree).apply_batch(entries))
    }

    /// Trees of other names.
    pub(crate) fn others(&self, names: &[&str]) -> Result<Vec<sled::Tree>, StoreError> {
        sound(|| names.iter().map(|name| self.database.open_tree(name)).collect())
    }

    /// Makes durable what sled holds, and notes how far that is.
    pub(crate) fn settle(&self) -> Result<(), StoreError> {
        self.sync()?;
        self.note()
    }

    /// Why nothing may be written; none when all is well.
    pub(crate) fn withheld(&self) -> Option<StoreError> {
        match &*self.state() {
            State::Withheld(why) => Some(StoreError::Damaged(why.clone())),
            State::Open(_) | State::Rebuilding => None,
        }
    }

    /// Writes nothing any more, for this reason.
    pub(crate) fn withhold(&self, why: &StoreError) {
        *self.state() = State::Withheld(why.to_string());
    }

    /// Notes that nobody is to open these trees before [`Trees::release`].
    pub(crate) fn rebuild(&self) -> Result<(), StoreError> {
        *self.state() = State::Rebuilding;
        Ok(self.mark.write(NEVER)?)
    }

    /// Notes how far the file is written, from now on after every change.
    pub(crate) fn release(&self) -> Result<(), StoreError> {
        *self.state() = State::Open(recovery::read(&self.file, 0)?);
        self.settle()
    }

    /// Notes how far the file is written, all of which is durable.
    fn note(&self) -> Result<(), StoreError> {
        let mut state = self.state();
        if let State::Open(before) = *state {
            let now = recovery::further(&self.file, before)?;
            self.mark.write(now.place)?;
            *state = State::Open(now);
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes durable what sled holds.
    pub(crate) fn sync(&self) -> Result<(), StoreError> {
        sound(|| self.database.flush())?;
        disk::step(Step::Write(&self.file), || Ok(()))?;
        disk::sync_file(&self.file)?;
        Ok(())
    }
}

/// Reads and writes within one transaction.
pub(super) struct WriteTx<'a>(&'a [TransactionalTree]);

impl WriteTx<'_> {
    /// The value under a key, as this transaction left it.
    pub(crate) fn get(&self, tree: Tree, key: impl AsRef<[u8]>) -> Result<Option<IVec>, Stop> {
        Ok(self.0[tree as usize].get(key)?)
    }

    /// Sets a key; says what was there.
    pub(crate) fn put(
        &self,
        tree: Tree,
        key: Vec<u8>,
        value: impl Into<IVec>,
    ) -> Result<Option<IVec>, Stop> {
        Ok(self.0[tree as usize].insert(key, value)?)
    }

    /// Removes a key; says what was there.
    pub(crate) fn take(&self, tree: Tree, key: Vec<u8>) -> Result<Option<IVec>, Stop> {
        Ok(self.0[tree as usize].remove(key)?)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Abort(error)
    }
}

/// The keys that begin like this.
pub(super) fn under(prefix: Vec<u8>) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
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

/// Where a range begins and ends.
fn bounds(range: &impl RangeBounds<Vec<u8>>) -> (Bound<Vec<u8>>, Bound<Vec<u8>>) {
    (range.start_bound().cloned(), range.end_bound().cloned())
}

/// The entries of a tree in a range, in order.
pub(super) fn entries(
    tree: &sled::Tree,
    range: impl RangeBounds<Vec<u8>>,
) -> impl Iterator<Item = Result<(IVec, IVec), StoreError>> {
    let mut entries = tree.range(range);
    std::iter::from_fn(move || sound(|| entries.next().transpose()).transpose())
}

/// Runs sled's code; a panic in it is damage, not our end.
fn sound<T>(work: impl FnOnce() -> sled::Result<T>) -> Result<T, StoreError> {
    Ok(catch_unwind(AssertUnwindSafe(work)).map_err(|_| panicked())??)
}

fn panicked() -> StoreError {
    StoreError::damaged("its files could not be understood")
}
