//! The letters that wait to be posted: which there are, and one at a time.
//!
//! A list of them is short, as it has no letter's bytes; there may be many. Changes nothing.

use super::batch::{Outgoing, Queued};
use super::keys::{Key, Parts};
use super::shelves::Shelf;
use super::{Label, Slip, Store, StoreError, from_json};
use chrono::{DateTime, Utc};

/// A letter that waits, without its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InLine {
    /// Its name in the outbox; later letters have higher keys.
    pub key: u64,
    /// Its Message-ID.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// How often it was postponed.
    pub attempts: u32,
    /// What stands on it; nothing on letters of earlier versions.
    pub label: Option<Label>,
    /// Whether it may still become a part of another one.
    pub unsettled: bool,
}

impl Store {
    /// All letters that may be sent now, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn in_line(&self, now: DateTime<Utc>) -> Result<Vec<InLine>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |key, slip| {
            let slip: Slip = from_json(slip)?;
            if slip.not_before.is_some_and(|not_before| not_before > now) {
                return Ok(None);
            }
            Ok(Some(InLine {
                key: Parts(key).long()?,
                unsettled: slip.part_at.is_some() && !slip.single,
                message_id: slip.message_id,
                recipient: slip.recipient,
                attempts: slip.attempts,
                label: slip.label,
            }))
        })
    }

    /// The letter of this key; none when it has left.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub fn queued(&self, key: u64) -> Result<Option<Queued>, StoreError> {
        match self.shelves.get(Shelf::Outbox, Key::long(key).bytes())? {
            Some(slip) => self.of_slip(key, from_json(&slip)?).map(Some),
            None => Ok(None),
        }
    }

    /// A letter by its slip.
    pub(super) fn of_slip(&self, key: u64, slip: Slip) -> Result<Queued, StoreError> {
        let Slip { message_id, recipient, attempts, pieces, part_at, single, label, .. } = slip;
        let mut bytes = self.letter(key, pieces)?;
        let part = part_at.map(|at| bytes.split_off(at.min(bytes.len())));
        let part = part.filter(|_| !single).map(|part| from_json(&part)).transpose()?;
        let letter = Outgoing { message_id, recipient, bytes, part, label };
        Ok(Queued { key, attempts, letter })
    }
}
