//! What a store promises besides where several workers share one club.
//!
//! Locks and leases are for speed and order; truth is in keys and revisions, as for any store
//! ([`GameStore`](super::GameStore)). Whoever dies lets go of what he has claimed. Knows nothing of
//! what letters say.
//!
//! - **A letter that came in** lies in the club's inbox until the commit that says what became of
//!   it: that takes it out, or marks it as held for the moderator.
//! - **A lane** is what one worker works on at a time: lane n is game n, lane 0 all else. Letters
//!   of a lane are claimed in the order in which they came, and so are those of a sender.
//! - **A lease** is for letters of the outbox that one worker posts, for a while. Letters to one
//!   address are leased together, so they keep their order. So are all letters to strangers, since
//!   a pass sends only the oldest of each domain. No lock is held while a mail server is spoken to.

use super::StoreError;
use chrono::{DateTime, Utc};

/// The lane of what belongs to no game.
pub const CLUB_LANE: u32 = 0;

/// A letter as it is put into the club's inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInboxLetter {
    /// The file's name, which is the letter's own for ever.
    pub name: String,
    /// Where it waits: the game that it bears the mark of, or [`CLUB_LANE`].
    pub lane: u32,
    /// The address that it says it comes from, lower case; empty where it says none.
    pub sender: String,
    /// When it came to us.
    pub received: Option<DateTime<Utc>>,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// A letter out of the club's inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxLetter {
    /// Its name there.
    pub name: String,
    /// When it came to us.
    pub received: Option<DateTime<Utc>>,
    /// All of it.
    pub bytes: Vec<u8>,
}

/// A letter that is held for the moderator, as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldLetter {
    /// Its name in the club's inbox.
    pub name: String,
    /// When it came to us.
    pub received: Option<DateTime<Utc>>,
}

/// A store that several workers have open at once.
///
/// Every call fails when the store cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait SharedStore {
    /// Forgets what was read: others may have changed it meanwhile. Who begins a pass does.
    fn clear_cache(&self);

    /// Puts letters into the club's inbox, in this order, durable when it returns. One that lies
    /// there already under its name is not put there again. Gives the names that another letter
    /// has, or had that was dealt with: those letters are not in the inbox.
    fn add_to_inbox(&self, letters: &[NewInboxLetter]) -> Result<Vec<String>, StoreError>;

    /// Whether a letter waits in the club's inbox.
    fn has_inbox_letters(&self) -> Result<bool, StoreError>;

    /// Claims lanes in which letters wait, and gives their first letters in the order in which they
    /// came, at most so many; none when all that wait are claimed by others. What was claimed
    /// before is let go.
    fn claim_letters(&self, most: usize) -> Result<Vec<InboxLetter>, StoreError>;

    /// Takes letters out of the club's inbox that an earlier commit has dealt with.
    fn discard_letters(&self, names: &[&str]) -> Result<(), StoreError>;

    /// Claims the lanes of these games where no letter waits for the game or the house; gives
    /// those that could be. What was claimed before is let go.
    fn claim_games(&self, games: &[u32]) -> Result<Vec<u32>, StoreError>;

    /// Lets all lanes go that are claimed.
    fn release_lanes(&self) -> Result<(), StoreError>;

    /// The letters that are held for the moderator, in the order in which they came, without
    /// their bytes: strangers may have filled the inbox with large ones.
    fn held_letters(&self) -> Result<Vec<HeldLetter>, StoreError>;

    /// The letter of this name that is held for the moderator; none where there is none.
    fn held_letter(&self, name: &str) -> Result<Option<InboxLetter>, StoreError>;

    /// Leases letters of the outbox that nobody else has leased, for a while: as long as they are
    /// leased it shows no others. Who is alone gets all, and whatever comes up meanwhile. Else each
    /// gets the next ones after a letter of this key, about so many, and what else goes to the same
    /// addresses; and when these are all, those to strangers. Gives after which letter to look for
    /// more; none when there was none to lease. What has come up since the first letter was asked
    /// for is left for the next pass. Lanes that are claimed are let go.
    fn lease_letters(&self, after: u64, most: usize) -> Result<Option<u64>, StoreError>;

    /// Whether they still are ours, which they are for another while then.
    fn renew_leases(&self) -> Result<bool, StoreError>;

    /// Gives all back that is leased, and shows all of the outbox again.
    fn release_leases(&self) -> Result<(), StoreError>;

    /// The time by the one clock that all workers share.
    fn current_time(&self) -> Result<DateTime<Utc>, StoreError>;

    /// Says that this worker is at work, and counts the others that are. Who goes on for long says
    /// so every few seconds; whoever dies is gone at once.
    fn register_worker(&self) -> Result<usize, StoreError>;

    /// Notes that all letters which had come by this way in at this time are in the club's inbox,
    /// unless this worker has noted that for a time a few seconds from it.
    fn note_transport_read(&self, way: &str, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// The ways in, and up to when each was read.
    fn transport_read_times(&self) -> Result<Vec<(String, DateTime<Utc>)>, StoreError>;
}
