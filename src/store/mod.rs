//! What a club keeps: the games' logs, the outbox, what was seen, who sits where, what is due.
//!
//! A [`Repository`] is what can be asked, a [`GameStore`] what any store promises. A [`Store`]
//! keeps a club in sled's files, on one machine. With the feature `postgres` there is one on a
//! server. One [`Batch`] is one transaction, and durable when [`GameStore::commit`] returns. Beside
//! a [`Store`] lies a [`journal`] in plain text from which a club can be rebuilt.
//!
//! This folder holds the contract and the common code, each subfolder one implementation. The store
//! does not know what the lines of a log or the words of a letter mean. It knows no clock, and only
//! `postgres` knows a network.

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
    Batch, CampaignGame, LetterOrigin, LogLine, OutgoingLetter, PostRecord, PostedLetter,
    QueuedLetter, SeenLetter, UnreadableLetter,
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

/// Read as text, as most JSON is: a reader of bytes would be compiled beside it for all that is
/// kept.
fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    let text = std::str::from_utf8(bytes).map_err(StoreError::damaged)?;
    serde_json::from_str(text).map_err(StoreError::damaged)
}
