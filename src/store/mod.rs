//! Everything that a club stores: game logs, members, seats, the outbox, the letters that were
//! read, and when each game is due.
//!
//! [`Repository`] is the trait for reading. [`GameStore`] adds writing and delivery, and documents
//! what every store guarantees. One [`Batch`] is one transaction: it is durable when
//! [`GameStore::commit`] returns.
//!
//! There are two implementations. [`Store`] keeps a club in sled's files on one machine, with a
//! [`journal`] in plain text beside it, from which the club can be rebuilt. `postgres` (a feature)
//! keeps it on a server, for several workers. This folder holds the contract and the common code;
//! each subfolder holds one implementation.
//!
//! The store does not interpret log lines or letters. It reads no clock, and only `postgres` uses a
//! network.

mod batch;
mod error;
mod file_stamp;
mod game_facts;
mod game_store;
pub mod journal;
mod keys;
mod new_location;
mod outbox_label;
#[cfg(feature = "postgres")]
pub mod postgres;
mod repository;
mod revision;
mod shared_store;
mod sled;
mod store_migration;
mod tracked_store;
mod versioned_json;

pub use self::sled::{CacheSize, Store};
pub use batch::{
    Batch, CampaignGame, LetterOrigin, LetterResult, LogLine, MemberLetter, OutgoingLetter,
    PostRecord, PostedLetter, QueuedLetter, SeenLetter, UnreadableLetter,
};
pub use error::{Remedy, StoreError};
pub use file_stamp::FileStamp;
pub use game_facts::{GameFacts, SeatHolder};
pub use game_store::{GameStore, JournalChecks, Outbox, QueuedSummary};
pub use new_location::NewLocation;
pub use outbox_label::{HoldPeriod, LetterReader, OutboxLabel, SendPriority, ShownSeat};
pub use repository::Repository;
pub use revision::{ReadSet, Revision, Row};
pub use shared_store::{CLUB_LANE, HeldLetter, InboxLetter, NewInboxLetter, SharedStore};
pub use store_migration::{
    InboxSink, KeyHash, Migration, MigrationBatch, MigrationSink, ScheduledLetter,
};
pub use tracked_store::TrackedStore;

use serde::de::DeserializeOwned;

/// Parses stored JSON and ignores unknown fields. It parses a `str`, as most of the program does:
/// parsing bytes would compile a second copy of serde's code for every stored type.
fn parse_stored_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    let text = std::str::from_utf8(bytes).map_err(StoreError::damaged)?;
    serde_json::from_str(text).map_err(StoreError::damaged)
}
