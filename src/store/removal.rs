//! A club carried from one store to another with all that its store knows.
//!
//! A journal does not know all: how often somebody was answered, what was posted, how often a
//! letter was tried. So the one store gives what it has, in portions that are small whatever the
//! club's size, and the other one takes them. What a [`Batch`] can say is said by one. The rest is
//! given as both keep it: for an account, an address and a Message-ID there are hashes only, which
//! both make alike. Knows nothing of how either keeps anything, nor of what it means.

use super::journal::{ClubLine, digest};
use super::{Batch, InHand, Moved, Queued, Repository, StoreError};
use crate::club::Member;
use chrono::{DateTime, Utc};

/// What stands for a text of any length in a key.
pub type Hash = [u8; 16];

/// A portion weighs about as many bytes at the most, and one thing more.
const WEIGHT_MAX: usize = 2 << 20;
/// What each thing weighs besides what it says.
const WEIGHT_MIN: usize = 500;

/// A portion of what a store knows: what one commit takes.
#[derive(Clone, Debug, Default)]
pub struct Load {
    /// What any batch says. It has no member, no answer, nothing that was posted and no letter.
    pub batch: Batch,
    /// Members, without saying whose an address is.
    pub members: Vec<Member>,
    /// The address of this hash is this member's.
    pub addresses: Vec<(Hash, u32)>,
    /// To the account of this hash, answers given at this second: so many.
    pub answers: Vec<(Hash, i64, u32)>,
    /// Letters that were posted, by the hash of their Message-IDs.
    pub posted: Vec<(Hash, super::Posted)>,
    /// Letters that wait, in their order, each under its own key.
    pub outbox: Vec<PutOff>,
    /// No letter that is queued later has this key or a lower one.
    pub last_key: u64,
}

/// A letter that waits, and until when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutOff {
    /// The letter, with how often it was tried.
    pub queued: Queued,
    /// It is not tried before this.
    pub not_before: Option<DateTime<Utc>>,
}

/// What takes portions.
pub type TakeLoad<'a> = &'a mut dyn FnMut(Load) -> Result<(), StoreError>;
/// What takes letters that came in, and whether each is held for the moderator.
pub type TakeLetter<'a> = &'a mut dyn FnMut(InHand, bool) -> Result<(), StoreError>;

/// A store that a club can be moved to, and away from.
///
/// Every call fails when the store cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Removal {
    /// Holds the club alone until the store is closed; [`StoreError::Locked`] when somebody else is
    /// at work in it.
    fn hold_alone(&self) -> Result<(), StoreError>;

    /// Whether the store holds nothing that would be lost if another club came here.
    fn is_free(&self) -> Result<bool, StoreError>;

    /// Gives all that the store knows, but for letters that came in, and what `take` says.
    fn give(&self, take: TakeLoad<'_>) -> Result<(), StoreError>;

    /// Gives the letters of the club's inbox in the order in which they came, if it has one.
    fn give_letters(&self, take: TakeLetter<'_>) -> Result<(), StoreError>;

    /// Takes a portion, all or nothing; durable when this returns. The store is being rebuilt, and
    /// portions come in the order in which they were given.
    fn take(&self, load: &Load) -> Result<(), StoreError>;

    /// Notes that the club is elsewhere, and that its letters are: from now on nobody can open the
    /// store, and nothing is ever written to it.
    fn leave(&self, to: &Moved) -> Result<(), StoreError>;
}

/// Gathers what is given into portions.
pub(super) struct Loader<'a> {
    load: Load,
    weight: usize,
    take: TakeLoad<'a>,
}

impl<'a> Loader<'a> {
    /// One that gives each full portion to `take`.
    pub(super) fn new(take: TakeLoad<'a>) -> Self {
        Self { load: Load::default(), weight: 0, take }
    }

    /// Adds something that says so many bytes.
    pub(super) fn add(
        &mut self,
        bytes: usize,
        add: impl FnOnce(&mut Load),
    ) -> Result<(), StoreError> {
        add(&mut self.load);
        self.weight += WEIGHT_MIN + bytes;
        if self.weight < WEIGHT_MAX { Ok(()) } else { self.end() }
    }

    /// Adds what there is one of in a club.
    pub(super) fn house(&mut self, store: &impl Repository) -> Result<(), StoreError> {
        let house = Batch {
            unread: store.unread()?.into_iter().map(|(name, why)| (name, Some(why))).collect(),
            heartbeat: store.heartbeat()?,
            morning: store.morning()?,
            restored: store.restored()?,
            ..Batch::default()
        };
        self.add(0, |load| load.batch.extend(house))
    }

    /// Gives what is left.
    pub(super) fn end(&mut self) -> Result<(), StoreError> {
        self.weight = 0;
        (self.take)(std::mem::take(&mut self.load))
    }

    /// Adds what a line of the journal says.
    pub(super) fn line(&mut self, line: ClubLine) -> Result<(), StoreError> {
        let bytes = serde_json::to_vec(&line).map_err(StoreError::damaged)?.len();
        self.add(bytes, |Load { batch, members, .. }| match line {
            ClubLine::Member(member) => members.push(member),
            ClubLine::Seat { game, seat, seated } => batch.seats.push((game, seat, seated)),
            ClubLine::Moderator { generation } => batch.moderator = Some(generation),
            ClubLine::CampaignGame(game) => batch.campaign_games.push(game),
            ClubLine::Clock { game, clock } => batch.clocks.push((game, *clock)),
            ClubLine::GameRoom { game, room } => batch.rooms.push((game, room)),
            ClubLine::ActivityEntry { game, minute } => batch.minutes.push((game, minute)),
            ClubLine::Seen { letter, seen } => {
                batch.seen_letters.extend(digest(&letter).map(|digest| (digest, seen)));
            }
        })
    }
}
