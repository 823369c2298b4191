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
mod facts;
mod game_store;
pub mod journal;
mod keys;
mod label;
mod later;
mod moved;
#[cfg(feature = "postgres")]
pub mod postgres;
mod removal;
mod repository;
mod revision;
mod shared;
mod sled;
mod stamp;
mod tracked;

pub use self::sled::{Memory, Store};
pub use batch::{
    Batch, CampaignGame, LogLine, Outgoing, Place, Posted, PostedLetter, Queued, SeenLetter, Unread,
};
pub use error::{Remedy, StoreError};
pub use facts::{GameFacts, Sitting};
pub use game_store::{GameStore, InLine, Journaled, Outbox};
pub use label::{Class, Hold, Label, Reader, Shown};
pub use moved::Moved;
pub use removal::{Hash, Load, PutOff, Removal, TakeLetter, TakeLoad};
pub use repository::Repository;
pub use revision::{ReadSet, Revision, Row};
pub use shared::{HOUSE, HandedIn, InHand, OnHold, Shared};
pub use stamp::Stamp;
pub use tracked::Tracked;

use serde::de::DeserializeOwned;

/// Read as text, as most JSON is: a reader of bytes would be compiled beside it for all that is
/// kept.
fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    let text = std::str::from_utf8(bytes).map_err(StoreError::damaged)?;
    serde_json::from_str(text).map_err(StoreError::damaged)
}
