//! A club carried from one store to another with all that its store knows.
//!
//! A journal does not know all: how often somebody was answered, what was posted, how often a
//! letter was tried. So the one store gives what it has, in portions that are small whatever the
//! club's size, and the other one takes them. What a [`Batch`] can say is said by one. The rest is
//! given as both keep it: for an account, an address and a Message-ID there are hashes only, which
//! both make alike. Knows nothing of how either keeps anything, nor of what it means.

use super::journal::{ClubLine, parse_digest};
use super::{Batch, InboxLetter, NewLocation, QueuedLetter, Repository, StoreError};
use crate::club::Member;
use chrono::{DateTime, Utc};

/// What stands for a text of any length in a key.
pub type KeyHash = [u8; 16];

/// A portion weighs about as many bytes at the most, and one thing more.
const BATCH_BYTES_MAX: usize = 2 << 20;
/// What each thing weighs besides what it says.
const ITEM_OVERHEAD_BYTES: usize = 500;

/// A portion of what a store knows: what one commit takes.
#[derive(Clone, Debug, Default)]
pub struct MigrationBatch {
    /// What any batch says. It has no member, no answer, nothing that was posted and no letter.
    pub batch: Batch,
    /// Members, without saying whose an address is.
    pub members: Vec<Member>,
    /// The address of this hash is this member's.
    pub addresses: Vec<(KeyHash, u32)>,
    /// To the account of this hash, answers given at this second: so many.
    pub answers: Vec<(KeyHash, i64, u32)>,
    /// Letters that were posted, by the hash of their Message-IDs.
    pub posted: Vec<(KeyHash, super::PostRecord)>,
    /// Letters that wait, in their order, each under its own key.
    pub outbox: Vec<ScheduledLetter>,
    /// No letter that is queued later has this key or a lower one.
    pub last_key: u64,
}

/// A letter that waits, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledLetter {
    /// The letter, with how often it was tried.
    pub queued: QueuedLetter,
    /// It is not tried before this.
    pub not_before: Option<DateTime<Utc>>,
}

/// What takes portions.
pub type MigrationSink<'a> = &'a mut dyn FnMut(MigrationBatch) -> Result<(), StoreError>;
/// What takes letters that came in, and whether each is held for the moderator.
pub type InboxSink<'a> = &'a mut dyn FnMut(InboxLetter, bool) -> Result<(), StoreError>;

/// A store that a club can be moved to, and away from.
///
/// Every call fails when the store cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Migration {
    /// Holds the club alone until the store is closed; [`StoreError::Locked`] when somebody else is
    /// at work in it.
    fn lock_exclusively(&self) -> Result<(), StoreError>;

    /// Whether the store holds nothing that would be lost if another club came here.
    fn can_receive_club(&self) -> Result<bool, StoreError>;

    /// Gives all that the store knows, but for letters that came in, and what `take` says.
    fn export_batches(&self, sink: MigrationSink<'_>) -> Result<(), StoreError>;

    /// Gives the letters of the club's inbox in the order in which they came, if it has one.
    fn export_inbox(&self, sink: InboxSink<'_>) -> Result<(), StoreError>;

    /// Takes a portion, all or nothing; durable when this returns. The store is being rebuilt, and
    /// portions come in the order in which they were given.
    fn import_batch(&self, load: &MigrationBatch) -> Result<(), StoreError>;

    /// Notes that the club is elsewhere, and that its letters are: from now on nobody can open the
    /// store, and nothing is ever written to it.
    fn mark_moved(&self, to: &NewLocation) -> Result<(), StoreError>;
}

/// Gathers what is given into portions.
pub(super) struct MigrationBatcher<'a> {
    batch: MigrationBatch,
    weight: usize,
    sink: MigrationSink<'a>,
}

impl<'a> MigrationBatcher<'a> {
    /// One that gives each full portion to `take`.
    pub(super) fn new(take: MigrationSink<'a>) -> Self {
        Self { batch: MigrationBatch::default(), weight: 0, sink: take }
    }

    /// Adds something that says so many bytes.
    pub(super) fn add(
        &mut self,
        bytes: usize,
        add: impl FnOnce(&mut MigrationBatch),
    ) -> Result<(), StoreError> {
        add(&mut self.batch);
        self.weight += ITEM_OVERHEAD_BYTES + bytes;
        if self.weight < BATCH_BYTES_MAX { Ok(()) } else { self.flush() }
    }

    /// Adds what there is one of in a club.
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

    /// Gives what is left.
    pub(super) fn flush(&mut self) -> Result<(), StoreError> {
        self.weight = 0;
        (self.sink)(std::mem::take(&mut self.batch))
    }

    /// Adds what a line of the journal says.
    pub(super) fn add_club_line(&mut self, line: ClubLine) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(&line).map_err(StoreError::damaged)?.len();
        self.add(bytes, |MigrationBatch { batch, members, .. }| match line {
            ClubLine::Member(member) => members.push(member),
            ClubLine::Seat { game, seat, assignment: seated } => {
                batch.seats.push((game, seat, seated))
            }
            ClubLine::Moderator { generation } => batch.moderator_generation = Some(generation),
            ClubLine::CampaignGame(game) => batch.campaign_games.push(game),
            ClubLine::Clock { game, clock } => batch.clocks.push((game, *clock)),
            ClubLine::GameRoom { game, room } => batch.rooms.push((game, room)),
            ClubLine::ActivityEntry { game, entry: minute } => batch.activity.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                batch.seen_letters.extend(parse_digest(&letter).map(|digest| (digest, seen)));
            }
        })
    }
}
