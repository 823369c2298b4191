//! What a store of games promises, whatever it is made of.
//!
//! Knows nothing of how it is kept, and nothing of what lines and letters say.
//!
//! # The promise
//!
//! - **One batch is one transaction**: all of it is written or nothing, whatever happens meanwhile,
//!   and it is durable when [`GameStore::commit`] returns. Then whoever asks reads it.
//! - **Order within a game.** A log's lines are those that were committed, in their order and
//!   without a gap: a line whose place is taken, or not reached yet, is a
//!   [`StoreError::Conflict`]. Minutes too stay in the order in which they were committed, and
//!   letters leave in the order in which they were queued. Between games there is no order.
//! - **Nothing is decided on what is no longer so.** Every [`Row`] has a [`Revision`] that is
//!   another one after each change of it. A decision notes the revisions of what it reads
//!   ([`TrackedStore`](super::TrackedStore)); its commit is a [`StoreError::Conflict`] when one of them has
//!   moved. That writes nothing, and what was to be written is decided anew. So a game has one
//!   writer at a time, whoever else tries, and several games have several.
//! - **Nothing goes on from what was lost.** A store that has lost something that it once had
//!   promised says so ([`GameStore::withheld`]), can be read as far as it goes, and is not written.
//!
//! # What is walked
//!
//! What is asked of one game, member, letter or address costs the same in a club of ten games and
//! of a hundred thousand. What walks over all games ([`Repository::games`], [`Repository::clocks`],
//! [`Repository::rooms`], [`Repository::facts_of_games`]) or all members ([`Repository::members`]),
//! an ordinary pass does not ask. It is asked
//!
//! - by a pass: once a day for the moderator's digest; four times a day for the members whom
//!   letters may not reach, and when one of them would become undeliverable on a day on which
//!   others are refused too; after an outage and in a club's first pass,
//!   to give time back; after the machine's clock was ahead, to put right what was reckoned by it;
//! - by a letter: when somebody new gives his name or a member changes it, asks for the board of
//!   the tables, proposes one, or leaves the club; when the moderator asks for the list of games,
//!   or announces something to all;
//! - by the command line: `list`, `member list`, the ratings, `doctor`, `restore`.
//!
//! Such an answer rests on all games, or all members: who decides on one is refused when any of
//! them moved meanwhile. Where several work in one club these letters are their bottleneck.
//!
//! [`Outbox::in_line`], [`Outbox::outbox_length`] and [`Outbox::unposted`] walk the letters that
//! wait, without what they say. There are few when a pass begins, but for a server that is down.

use super::journal::JournalSource;
use super::{
    Batch, FileStamp, Migration, OutboxLabel, QueuedLetter, ReadSet, Repository, Revision, Row,
    SharedStore, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use std::path::Path;

/// A letter that waits, without what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedSummary {
    /// Its name in the outbox; later letters have higher keys.
    pub key: u64,
    /// The Message-ID that the letter bears whenever it is posted.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// How often it was postponed.
    pub attempts: u32,
    /// The label of the letter.
    pub label: Option<OutboxLabel>,
    /// Whether it may still become one with others.
    pub mergeable: bool,
}

/// No letter is put off for longer than this at a time.
pub(super) const POSTPONE_MAX: TimeDelta = TimeDelta::days(2);

impl QueuedSummary {
    /// The letter of this key, with what stands on it: one that was tried becomes one with no
    /// others.
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

/// The letters that wait to be posted: which there are, and one at a time.
///
/// Every call fails as those of a [`Repository`] do.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Outbox {
    /// All letters that may be sent now, oldest first. What is put off for longer than any letter
    /// is was put off by a clock that was ahead, and may be sent.
    fn list_sendable(&self, now: DateTime<Utc>) -> Result<Vec<QueuedSummary>, StoreError>;

    /// The letter of this key; none when it has left.
    fn queued_letter(&self, key: u64) -> Result<Option<QueuedLetter>, StoreError>;

    /// The letters of these keys that have not left, in this order.
    fn queued_letters(&self, keys: &[u64]) -> Result<Vec<QueuedLetter>, StoreError> {
        keys.iter().filter_map(|key| self.queued_letter(*key).transpose()).collect()
    }

    /// How many letters wait, those put off included.
    fn outbox_length(&self) -> Result<usize, StoreError>;

    /// The letters that could not be posted so far: to whom, and how often that was tried.
    fn failed_deliveries(&self) -> Result<Vec<(String, u32)>, StoreError>;

    /// The letters that may be sent now with all that they say, oldest first, at most `limit`.
    fn load_sendable(
        &self,
        now: DateTime<Utc>,
        limit: usize,
    ) -> Result<Vec<QueuedLetter>, StoreError> {
        let line = self.list_sendable(now)?.into_iter().take(limit);
        self.queued_letters(&line.map(|letter| letter.key).collect::<Vec<_>>())
    }
}

/// The store against its [journal](super::journal), a copy in plain text that lies in `folder`. As
/// it stands here it is that of a store that keeps none: nothing is ever missing in it.
///
/// Every call fails when the store or the journal cannot be read.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait JournalChecks {
    /// Compares the store with its journal, and writes nothing any more when it has lost something.
    /// Of a store whose end is known this looks at little: each game is looked at when it is
    /// opened, by [`journal::check_game_log`](super::journal::check_game_log).
    fn check_against_journal(&self, _folder: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    /// How the journal differs from the store, by how long its files are; nothing when it does not.
    fn journal_length_differences(&self, _folder: &Path) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// The same, all of it read.
    fn journal_differences(&self, _folder: &Path) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }

    /// Whether a game's journal is the game's log, or is known to be behind it.
    fn is_game_journaled(&self, _folder: &Path, _game: u32) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Whether the journal is known to be behind the store, until the next pass.
    fn is_journal_behind(&self) -> Result<bool, StoreError> {
        Ok(false)
    }
}

/// An open store: what only he needs who commits and delivers. What it promises stands at the head
/// of its module.
///
/// ```
/// use postrider::store::{Batch, GameStore, Repository, Row, Store};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let folder = tempfile::tempdir()?;
/// let store = Store::open(folder.path())?;
/// let row = Row::Answers("ann@example.org".to_owned());
/// let before = store.revision(&row)?;
/// store.write(&Batch { answers: vec![("ann@example.org".to_owned(), 1)], ..Batch::default() })?;
/// // Whatever was decided on the row as it was is decided anew.
/// assert_ne!(store.revision(&row)?, before);
/// # Ok(())
/// # }
/// ```
pub trait GameStore: Repository + Outbox + JournalChecks + JournalSource + Send {
    /// Writes a batch that was decided on what `read` says, all or nothing; durable when this
    /// returns. An empty one does nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when something that was read has moved, or a line's `seq` is not
    /// the length of its game's log; [`StoreError::Io`] when the disk is full: open the store anew
    /// after that.
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError>;

    /// Writes a batch that rests on nothing: what has happened already, as that a letter was
    /// posted, is written down whatever else has moved.
    ///
    /// # Errors
    /// Those of [`GameStore::commit`].
    fn write(&self, batch: &Batch) -> Result<(), StoreError> {
        self.commit(batch, &ReadSet::default())
    }

    /// The revision of a row, which is another one once a batch that changes the row
    /// ([`Batch::changed_rows`]) is written.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn revision(&self, row: &Row) -> Result<Revision, StoreError>;

    /// Says which rows are going to be read, so that a store on a server fetches them by a few
    /// statements. With `whole`, also fetches the logs and the players of games. A store in a
    /// folder does nothing.
    ///
    /// # Errors
    /// If the store cannot be read.
    fn prefetch(&self, rows: &[Row], with_logs: bool) -> Result<(), StoreError> {
        let _ = (rows, with_logs);
        Ok(())
    }

    /// Forgets which letters were posted on the days before this time's.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError>;

    /// Brings the journal in `folder` up to date; costs nothing when it is.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] when a game's file holds lines that the store does not: then the
    /// store has lost them, and the file is left as it is. The other files are written all the
    /// same.
    fn write_journal(&self, folder: &Path) -> Result<(), StoreError>;

    /// Why nothing is written; none when all is well.
    fn read_only_reason(&self) -> Option<StoreError>;

    /// Takes whatever is committed from now on, and lets nobody open the store again before
    /// [`GameStore::finish_rebuild`].
    ///
    /// # Errors
    /// When that cannot be noted.
    fn begin_rebuild(&self) -> Result<(), StoreError>;

    /// Notes that all is there that was to be rebuilt.
    ///
    /// # Errors
    /// When that cannot be noted.
    fn finish_rebuild(&self) -> Result<(), StoreError>;

    /// What several workers share of it; none of a store that only one has open at a time.
    fn as_shared(&self) -> Option<&dyn SharedStore> {
        None
    }

    /// Returns what moves a club to the store and away from it.
    fn migration(&self) -> &dyn Migration;

    /// Whether the store's file still holds what was erased, and is to be written anew by now.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn is_compaction_due(&self, now: DateTime<Utc>) -> Result<bool, StoreError> {
        let _ = now;
        Ok(false)
    }

    /// What the store looks like from outside, where it can be looked at without being opened.
    fn file_stamp(&self) -> Option<FileStamp>;

    /// What a person should mend about where it is kept at this time, a sentence each; nothing when
    /// all is well.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn list_problems(&self, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        let _ = now;
        Ok(Vec::new())
    }
}
