//! Moving a club from one store to another, with everything that the store knows.
//!
//! A journal does not hold everything: it lacks rate-limit counts, post records and the attempts of
//! queued letters. So the source exports all its data in batches of about 2 MiB, whatever the
//! club's size, and the target imports them. What fits into a [`Batch`] is exported as one. The
//! rest keeps its stored form: accounts, addresses and Message-IDs are exported as hashes, which
//! both stores compute alike.

use super::journal::{ClubLine, parse_hex_digest};
use super::{Batch, InboxLetter, NewLocation, QueuedLetter, Repository, StoreError};
use crate::club::Member;
use chrono::{DateTime, Utc};

/// The hash that represents a text of any length in a key.
pub type KeyHash = [u8; 16];

/// The size in bytes from which on a migration batch is exported. The last item may exceed it.
const BATCH_BYTES_MAX: usize = 2 << 20;
/// The bytes that each item counts in a migration batch, in addition to its contents.
const ITEM_OVERHEAD_BYTES: usize = 500;

/// A part of a club's data that is moved to another store, imported in one commit.
#[derive(Clone, Debug, Default)]
pub struct MigrationBatch {
    /// All data that fits into a batch. Its fields for members, answers, post records and outgoing
    /// letters stay empty.
    pub batch: Batch,
    /// Members, without the index of their addresses.
    pub members: Vec<Member>,
    /// The owner of each address, by the hash of the address.
    pub addresses: Vec<(KeyHash, u32)>,
    /// Counted events: hash of the account, Unix seconds, count.
    pub answers: Vec<(KeyHash, i64, u32)>,
    /// Post records, by the hash of their Message-IDs.
    pub posted: Vec<(KeyHash, super::PostRecord)>,
    /// Queued letters in order, each with its key.
    pub outbox: Vec<ScheduledLetter>,
    /// The highest key used in the outbox so far. Letters that are queued later need higher keys.
    pub last_key: u64,
}

/// A queued letter with its earliest time of sending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledLetter {
    pub queued: QueuedLetter,
    /// The earliest time at which the queued letter may be sent.
    pub not_before: Option<DateTime<Utc>>,
}

/// A callback that gets the batches of an exported club one by one.
pub type MigrationSink<'a> = &'a mut dyn FnMut(MigrationBatch) -> Result<(), StoreError>;
/// A callback that gets the letters of an exported inbox one by one. The flag says whether the
/// letter is held for the moderator.
pub type InboxSink<'a> = &'a mut dyn FnMut(InboxLetter, bool) -> Result<(), StoreError>;

/// A store that can export a club and import one.
///
/// Every call fails if the store cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Migration {
    /// Locks the club exclusively until the store is closed. [`StoreError::Locked`] if another
    /// process uses it.
    fn lock_exclusively(&self) -> Result<(), StoreError>;

    /// Whether the store can receive a club without losing another one: it is empty, or its club
    /// was moved away.
    fn can_receive_club(&self) -> Result<bool, StoreError>;

    /// Passes all data except inbox letters to `sink`. Fails with the error of `sink`.
    fn export_all_but_inbox(&self, sink: MigrationSink<'_>) -> Result<(), StoreError>;

    /// Passes the letters of the club's inbox to `sink`, in the order in which they came. A store
    /// without an inbox passes none.
    fn export_inbox(&self, sink: InboxSink<'_>) -> Result<(), StoreError>;

    /// Imports a batch, all or nothing; durable when this returns. The store must be in a rebuild
    /// (see [`begin_rebuild`](super::GameStore::begin_rebuild)), and batches come in the order of
    /// their export.
    fn import_batch(&self, load: &MigrationBatch) -> Result<(), StoreError>;

    /// Notes that the club was moved to `to`, and drops the letters of the inbox. From then on the
    /// store cannot be opened, so nothing is written to it any more.
    fn mark_moved(&self, to: &NewLocation) -> Result<(), StoreError>;
}

/// Collects items into batches of about 2 MiB and passes each full one to a sink.
pub(super) struct MigrationBatcher<'a> {
    batch: MigrationBatch,
    weight: usize,
    sink: MigrationSink<'a>,
}

impl<'a> MigrationBatcher<'a> {
    pub(super) fn new(take: MigrationSink<'a>) -> Self {
        Self { batch: MigrationBatch::default(), weight: 0, sink: take }
    }

    /// Adds an item of `bytes` bytes to the current batch, and passes the batch on if it is full.
    pub(super) fn add(
        &mut self,
        bytes: usize,
        add: impl FnOnce(&mut MigrationBatch),
    ) -> Result<(), StoreError> {
        add(&mut self.batch);
        self.weight += ITEM_OVERHEAD_BYTES + bytes;
        if self.weight < BATCH_BYTES_MAX { Ok(()) } else { self.flush() }
    }

    /// Adds the values that a club has only one of, such as the heartbeat, to the current batch.
    pub(super) fn add_club_state(&mut self, store: &impl Repository) -> Result<(), StoreError> {
        let club_state = Batch {
            unreadable: store
                .unreadable_letters()?
                .into_iter()
                .map(|(name, why)| (name, Some(why)))
                .collect(),
            heartbeat: store.heartbeat()?,
            last_morning_digest: store.last_morning_digest()?,
            restored_at: store.restored_at()?,
            ..Batch::default()
        };
        self.add(0, |load| load.batch.extend(club_state))
    }

    /// Passes the current batch to the sink, even if it is not full.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        self.weight = 0;
        (self.sink)(std::mem::take(&mut self.batch))
    }

    /// Adds the data of a line of `club.jsonl` to the current batch.
    pub(super) fn add_club_line(&mut self, line: ClubLine) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(&line).map_err(StoreError::damaged)?.len();
        self.add(bytes, |MigrationBatch { batch, members, .. }| match line {
            ClubLine::Member(member) => members.push(member),
            ClubLine::Seat { game, seat, assignment: seated } => {
                batch.seats.push((game, seat, seated));
            }
            ClubLine::Moderator { generation } => batch.moderator_generation = Some(generation),
            ClubLine::CampaignGame(game) => batch.campaign_games.push(game),
            ClubLine::Clock { game, clock } => batch.clocks.push((game, *clock)),
            ClubLine::GameRoom { game, room } => batch.game_infos.push((game, room)),
            ClubLine::ActivityEntry { game, entry: minute } => batch.activity.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                batch.seen_letters.extend(parse_hex_digest(&letter).map(|digest| (digest, seen)));
            }
        })
    }
}
