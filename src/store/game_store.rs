//! The contract of a store: what the rest of the program may rely on, whichever store a club uses.
//!
//! # Guarantees
//!
//! - **One batch is one transaction.** [`GameStore::commit`] writes all of a batch or nothing, even
//!   if the process is killed. When it returns, the batch is durable and every later read sees it.
//! - **Order within a game.** A log holds its lines in the order of their commits, without gaps. A
//!   line whose `seq` is not the length of the log is a [`StoreError::Conflict`]. An activity log
//!   is in the order of its commits too, and the outbox is in the order in which letters were
//!   queued. There is no order between games.
//! - **A decision is committed only if the rows that it read are unchanged.** Every [`Row`] has a
//!   [`Revision`] that changes with each change of the row. [`TrackedStore`](super::TrackedStore)
//!   notes the revision of each row that a decision reads. If one of them has changed since, the
//!   commit writes nothing and returns [`StoreError::Conflict`], and the caller decides again. So
//!   one game has one writer at a time, and several games can be written at the same time.
//! - **A store that has lost data is not written.** It gives the reason
//!   ([`GameStore::read_only_reason`]), and can still be read as far as its data goes.
//!
//! # Cost
//!
//! A question about one game, member, letter or address costs the same in a club of ten games and
//! in one of a hundred thousand. Some questions read all games ([`Repository::game_numbers`],
//! [`Repository::clocks`], [`Repository::game_infos`], [`Repository::facts_of_games`]), all members
//! ([`Repository::members`]) or all letters that were processed
//! ([`Repository::letters_of_member`]). An ordinary pass asks none of these. They are asked
//!
//! - by a pass: once a day for the moderator's digest; four times a day for the members whose
//!   letters may bounce, and before a member becomes undeliverable on a day on which letters to
//!   others are refused too; after an outage and in a club's first pass, to extend deadlines; after
//!   the machine's clock was ahead, to correct the times that were computed with it;
//! - for a letter: if a newcomer gives a name, or a member changes theirs, asks for the list of
//!   open games, proposes one, or leaves the club; if the moderator asks for the list of games or
//!   for a member's letters, names a member by name, or writes to all members;
//! - by the command line: `list`, `member list`, the ratings, `doctor`, `restore`.
//!
//! A decision on such an answer rests on all games or all members, so its commit is refused if any
//! of them has changed. Where several workers share a club, these letters are the bottleneck.
//!
//! [`Outbox::list_sendable`], [`Outbox::outbox_length`] and [`Outbox::failed_deliveries`] read all
//! queued letters without their contents. Few letters are queued when a pass begins, unless the
//! mail server was down.

#![warn(missing_docs)]

use super::journal::JournalSource;
use super::{
    Batch, FileStamp, Migration, OutboxLabel, QueuedLetter, ReadSet, Repository, Revision, Row,
    SharedStore, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use std::path::Path;

/// A queued letter without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedSummary {
    /// The letter's key in the outbox. A letter that is queued later has a higher key.
    pub key: u64,
    /// The Message-ID, which stays the same for every attempt to send the letter.
    pub message_id: String,
    /// The address to which the letter is sent.
    pub recipient: String,
    /// The number of failed attempts to send the letter.
    pub attempts: u32,
    /// The letter's reader, its priority, and how long it may wait.
    pub label: Option<OutboxLabel>,
    /// Whether the letter may still be merged with other letters to its reader. A letter that was
    /// tried once may not.
    pub mergeable: bool,
}

/// The longest time for which one failed attempt postpones a letter.
pub(super) const POSTPONE_MAX: TimeDelta = TimeDelta::days(2);

impl QueuedSummary {
    /// Builds the summary of a letter from its Message-ID and its address. A letter that was tried
    /// before is not mergeable.
    pub(super) fn new(
        key: u64,
        attempts: u32,
        (message_id, recipient): (String, String),
        label: Option<OutboxLabel>,
    ) -> Self {
        let unsettled = attempts == 0 && label.as_ref().is_some_and(|label| label.mergeable);
        Self { key, message_id, recipient, attempts, label, mergeable: unsettled }
    }
}

/// The queue of letters to send: a list without contents, and the letters one by one.
///
/// The calls fail like those of a [`Repository`].
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Outbox {
    /// Returns all queued letters that may be sent at `now`, oldest first. A letter that is
    /// postponed for longer than two days was postponed by a clock that was ahead, so it is
    /// included.
    fn list_sendable(&self, now: DateTime<Utc>) -> Result<Vec<QueuedSummary>, StoreError>;

    /// Returns the queued letter with this key; `None` if it has left the outbox.
    fn queued_letter(&self, key: u64) -> Result<Option<QueuedLetter>, StoreError>;

    /// Returns the letters with these keys that are still queued, in the order of the keys.
    fn queued_letters(&self, keys: &[u64]) -> Result<Vec<QueuedLetter>, StoreError> {
        keys.iter().filter_map(|key| self.queued_letter(*key).transpose()).collect()
    }

    /// Returns the number of queued letters, including postponed ones.
    fn outbox_length(&self) -> Result<usize, StoreError>;

    /// Returns the letters with at least one failed attempt: the address, and the number of
    /// attempts.
    fn failed_deliveries(&self) -> Result<Vec<(String, u32)>, StoreError>;

    /// Returns the first `limit` letters that may be sent at `now`, with their contents, oldest
    /// first.
    fn load_sendable(
        &self,
        now: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<QueuedLetter>, StoreError> {
        let line = self.list_sendable(now)?.into_iter().take(limit);
        self.queued_letters(&line.map(|letter| letter.key).collect::<Vec<_>>())
    }
}

/// Comparisons of the store with its [journal](super::journal), a copy in plain text in `folder`.
/// The default methods are for a store without a journal: they report no difference.
///
/// Every call fails if the store or the journal cannot be read.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait JournalChecks {
    /// Checks that the store still holds what its journal holds, and makes the store read-only if
    /// it has lost something. If the store knows how far it was written, only the length of
    /// `club.jsonl` is compared. Each game's log is compared when the game is opened, by
    /// [`journal::check_log_not_behind_journal`](super::journal::check_log_not_behind_journal).
    fn stop_writing_if_journal_holds_more(&self, _folder: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    /// Describes the differences between the journal and the store, judged by the lengths of the
    /// journal's files. Empty if there are none.
    fn journal_length_differences(&self, _folder: &Path) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Describes the differences between the journal and the store. Unlike
    /// [`Self::journal_length_differences`], it reads the whole journal.
    fn journal_differences(&self, _folder: &Path) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Whether a game's file in the journal equals its log, or the journal is known to be behind.
    fn is_game_journaled(&self, _folder: &Path, _game: u32) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Whether the journal is known to be behind the store. The next pass brings it up to date.
    fn is_journal_behind(&self) -> Result<bool, StoreError> {
        Ok(false)
    }
}

/// An open store: reading, committing, delivering, and maintenance. The module documentation lists
/// its guarantees.
///
/// ```
/// use postrider::store::{Batch, GameStore, Repository, Row, Store};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path())?;
/// let row = Row::CountedEvents("ann@example.org".to_owned());
/// let before = store.revision(&row)?;
/// let counted_events = vec![("ann@example.org".to_owned(), 1)];
/// store.write_without_conflict_check(&Batch { counted_events, ..Batch::default() })?;
/// // A decision that read the row before this write is refused when it commits.
/// assert_ne!(store.revision(&row)?, before);
/// # Ok(())
/// # }
/// ```
pub trait GameStore: Repository + Outbox + JournalChecks + JournalSource + Send {
    /// Writes a batch, all or nothing, if every row in `read` still has the revision that was
    /// noted. The batch is durable when this returns. An empty batch does nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if a row in `read` has changed, or a line's `seq` is not the length
    /// of its game's log. [`StoreError::Io`] if the disk is full: open the store again after that.
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError>;

    /// Writes a batch without comparing any row. For facts that are true whatever else has changed,
    /// such as a letter that was posted.
    ///
    /// # Errors
    /// Those of [`GameStore::commit`].
    fn write_without_conflict_check(&self, batch: &Batch) -> Result<(), StoreError> {
        self.commit(batch, &ReadSet::default())
    }

    /// Returns the current revision of a row. It changes with every batch that changes the row (see
    /// [`Batch::changed_rows`]).
    ///
    /// # Errors
    /// If the store cannot be read.
    fn revision(&self, row: &Row) -> Result<Revision, StoreError>;

    /// Announces the rows that will be read next, so that a store on a server fetches them in a few
    /// statements. With `with_logs`, the server also sends the logs of the games among them and the
    /// members who play in these games. A store in a folder does nothing.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn prefetch(&self, rows: &[Row], with_logs: bool) -> Result<(), StoreError> {
        let _ = (rows, with_logs);
        Ok(())
    }

    /// Deletes the records of letters that were posted on a day before that of `before` (UTC).
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError>;

    /// Brings the journal in `folder` up to date. Cheap if it already is.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if a game's file holds lines that the store does not hold: the store
    /// has lost them, and the file is left as it is. The other files are written nevertheless.
    fn update_journal(&self, folder: &Path) -> Result<(), StoreError>;

    /// Returns why the store refuses to be written; `None` if it may be written.
    fn read_only_reason(&self) -> Option<StoreError>;

    /// Begins to fill the store from a journal or another store. Until
    /// [`GameStore::finish_rebuild`], commits are accepted, and no other process can open the
    /// store.
    ///
    /// # Errors
    /// If the store cannot note that it is being rebuilt.
    fn begin_rebuild(&self) -> Result<(), StoreError>;

    /// Notes that the rebuilt store is complete, so that it can be opened again.
    ///
    /// # Errors
    /// If the store cannot be written.
    fn finish_rebuild(&self) -> Result<(), StoreError>;

    /// Returns the calls for several workers on one club; `None` for a store that only one process
    /// opens at a time.
    fn as_shared(&self) -> Option<&dyn SharedStore> {
        None
    }

    /// Returns the calls that move a club into this store or out of it.
    fn as_migration(&self) -> &dyn Migration;

    /// Whether the store's file still holds erased data and should be compacted at `now`.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn is_compaction_due(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let _ = now;
        Ok(false)
    }

    /// Returns the size and the modification time of the store's file, so that a later run can see
    /// without opening the store that nothing was written. `None` for a store on a server.
    fn file_stamp(&self) -> Option<FileStamp>;

    /// Returns the size of the store's file in bytes. A store on a server returns the size of its
    /// schema, with the other clubs in that schema. `None` if the size is unknown.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn size_in_bytes(&self) -> Result<Option<u64>, StoreError> {
        Ok(self.file_stamp().map(|stamp| stamp.length))
    }

    /// Lists what a person should fix about the place where the store is kept, a sentence each.
    /// Empty if all is well.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn list_problems(&self, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        let _ = now;
        Ok(Vec::new())
    }
}
