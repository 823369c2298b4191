//! What a club keeps: the games' logs, the outbox, what was seen, who sits where, what is due.
//!
//! One [`Batch`] is one transaction, and durable when [`Store::commit`] returns: sled's own `flush`
//! does not sync its file, so that is done here. Beside sled lies a [`journal`] in plain text from
//! which a club can be rebuilt. The store does not know what the lines of a log or the bytes of a
//! letter mean; it knows no clock and no network.

mod batch;
mod change;
mod error;
pub mod journal;
mod keys;
mod read;
mod shelves;

pub use batch::{Batch, LogLine, Outgoing, Queued, SeenLetter};
pub use error::{Remedy, StoreError};

use crate::disk::{self, Readers};
use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shelves::Shelves;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The layout of the shelves, as the file `format` says it.
const FORMAT: &str = "postrider store 1\n";

/// An open store; no second process can open it meanwhile.
pub struct Store {
    shelves: Shelves,
}

/// What the outbox notes about a letter; its bytes lie apart.
#[derive(Serialize, Deserialize)]
struct Slip {
    message_id: String,
    recipient: String,
    not_before: Option<DateTime<Utc>>,
    attempts: u32,
    pieces: u32,
}

impl Store {
    /// Opens the store in `folder`, which is created when missing.
    ///
    /// The file `format` is the last thing that a creation writes: without it nothing was ever
    /// acknowledged, and sled's settings may be half written, so sled writes them again.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process has it open, [`StoreError::Damaged`] when it
    /// cannot be understood, [`StoreError::Io`] when the file system refuses.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let format = folder.join("format");
        let created = match fs::read_to_string(&format) {
            Ok(text) if text == FORMAT => true,
            Ok(_) => return Err(StoreError::Damaged(format!(
                "{} names a layout that this version does not know; install the version of \
                 postrider that wrote it",
                format.display()
            ))),
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(error.into()),
        };
        if !created {
            disk::create_folder(folder)?;
            disk::remove(&folder.join("conf"))?;
        }
        let store = Self { shelves: Shelves::open(folder)? };
        if !created {
            store.shelves.sync()?;
            disk::sync_file(&folder.join("conf"))?;
            let staging = folder.join("format.new");
            disk::write_whole(&staging, &format, FORMAT.as_bytes(), Readers::Owner)?;
            folder.parent().filter(|parent| !parent.as_os_str().is_empty()).map_or(
                Ok(()),
                disk::sync_folder,
            )?;
        }
        Ok(store)
    }

    /// Writes a batch, all or nothing; durable when this returns. An empty one does nothing.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when a line's `seq` is not the length of its game's log;
    /// [`StoreError::Io`] when the disk is full: open the store anew after that.
    pub fn commit(&self, batch: &Batch) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        batch.check()?;
        self.shelves.write(|pen| change::apply(batch, pen))
    }
}

fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(StoreError::damaged)
}

#[cfg(test)]
mod tests;
