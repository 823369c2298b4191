//! The calls of a store that several workers share, in addition to [`GameStore`](super::GameStore).
//!
//! Lanes and leases only save work and keep letters in order. Correctness rests on keys and
//! revisions, as in any store. If a worker dies, its claims and leases end.
//!
//! - **Inbox.** An inbound letter stays in the club's inbox until the commit that stores its
//!   outcome. This commit removes the letter, or marks it as held for the moderator.
//! - **Lane.** A lane is the unit that one worker claims: lane n is game n, lane 0 is everything
//!   else. The letters of a lane are processed in the order in which they came, and so are the
//!   letters of one sender.
//! - **Lease.** A lease lets one worker send certain letters of the outbox for a limited time. All
//!   letters to one address are in the same lease, so they keep their order. All letters to
//!   strangers are in one lease, because a pass sends only the oldest per domain. Leases replace
//!   locks here, so that no lock is held while a mail server is contacted.

use super::StoreError;
use chrono::{DateTime, Utc};

/// The lane of letters that belong to no game.
pub const CLUB_LANE: u32 = 0;

/// A letter to add to the club's inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewInboxLetter {
    /// The name of the letter's file. No other letter in the club ever gets this name.
    pub name: String,
    /// The letter's lane: the game whose reply token the letter carries, or [`CLUB_LANE`].
    pub lane: u32,
    /// The address in the letter's sender field, in lower case; empty if there is none.
    pub sender: String,
    /// When the club received the letter.
    pub received: Option<DateTime<Utc>>,
    pub bytes: Vec<u8>,
}

/// A letter from the club's inbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InboxLetter {
    pub name: String,
    pub received: Option<DateTime<Utc>>,
    pub bytes: Vec<u8>,
}

/// A letter that is held for the moderator, without its contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldLetter {
    pub name: String,
    pub received: Option<DateTime<Utc>>,
}

/// A store that several workers have open at once.
///
/// Every call fails if the store cannot be read or written.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait SharedStore {
    /// Clears the cache of rows that were read. A pass calls this when it begins, because other
    /// workers may have changed them.
    fn clear_cache(&self);

    /// Adds letters to the club's inbox, in this order; durable when it returns. A letter that is
    /// already there is not added twice. Returns the names that are taken by a different letter, or
    /// by a letter that was processed before. These letters are not added.
    fn add_to_inbox(&self, letters: &[NewInboxLetter]) -> Result<Vec<String>, StoreError>;

    /// Whether the club's inbox holds a letter that is not processed yet.
    fn has_unprocessed_letters(&self) -> Result<bool, StoreError>;

    /// Claims lanes that have letters, and returns their first letters in the order in which they
    /// came, at most `most`. Returns none if other workers have claimed all these lanes. Releases
    /// earlier claims first.
    fn claim_letters(&self, most: usize) -> Result<Vec<InboxLetter>, StoreError>;

    /// Removes letters from the club's inbox that an earlier commit has processed.
    fn remove_from_inbox(&self, names: &[&str]) -> Result<(), StoreError>;

    /// Claims the lanes of these games, and returns the games that were claimed. Leaves out games
    /// with unread letters, and all games if a letter is in [`CLUB_LANE`]: letters are read before
    /// deadlines expire. Releases earlier claims first.
    fn claim_games(&self, games: &[u32]) -> Result<Vec<u32>, StoreError>;

    fn release_lanes(&self) -> Result<(), StoreError>;

    /// Lists the letters that are held for the moderator, in the order in which they came. Leaves
    /// out their contents, because strangers may have filled the inbox with large letters.
    fn list_quarantined_letters(&self) -> Result<Vec<HeldLetter>, StoreError>;

    /// Returns the letter with this name, if it is held for the moderator.
    fn quarantined_letter(&self, name: &str) -> Result<Option<InboxLetter>, StoreError>;

    /// Leases queued letters that no other worker has leased. While the lease lasts, the outbox
    /// lists only these letters.
    ///
    /// A worker that is alone gets all letters, including those that are queued later. Otherwise it
    /// gets about `most` letters with keys above `after`, and all other letters to the same
    /// addresses. Letters to strangers are leased after all others.
    ///
    /// Returns the key for the next call, or `None` if there was nothing to lease. A pass begins
    /// with key 0; letters that are queued after that call are left for the next pass. Releases
    /// claimed lanes first.
    fn lease_letters(&self, after: u64, most: usize) -> Result<Option<u64>, StoreError>;

    /// Extends the worker's leases of queued letters. Returns `false` if it has lost them.
    fn renew_leases(&self) -> Result<bool, StoreError>;

    /// Ends all leases of this worker. The outbox then lists all letters again.
    fn release_leases(&self) -> Result<(), StoreError>;

    /// Returns the time of the server's clock, which all workers share.
    fn current_time(&self) -> Result<DateTime<Utc>, StoreError>;

    /// Registers this worker as running, and returns the number of other running workers. A worker
    /// that runs for long repeats this every few seconds. A worker that dies is no longer counted,
    /// because its connection ends.
    fn register_worker(&self) -> Result<usize, StoreError>;

    /// Notes that all letters which this inbound transport had received at time `at` are in the
    /// club's inbox. Does nothing if this worker noted a time less than ten seconds apart.
    fn note_transport_read(&self, transport: &str, at: DateTime<Utc>) -> Result<(), StoreError>;

    /// Returns the inbound transports, each with the time up to which its letters are in the club's
    /// inbox.
    fn transport_read_times(&self) -> Result<Vec<(String, DateTime<Utc>)>, StoreError>;
}
