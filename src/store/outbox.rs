//! The outbox on sled's shelves: the slips apart from what the letters say, so that a list of them
//! is short.
//!
//! Changes nothing.

use super::batch::{Content, Outgoing, Queued};
use super::keys::{Key, Parts};
use super::shelves::{Shelf, under};
use super::{InLine, Outbox, Slip, Store, StoreError, from_json};
use chrono::{DateTime, TimeDelta, Utc};

/// No letter is put off for longer than this at a time.
const WAITS_MAX: TimeDelta = TimeDelta::days(2);

impl Slip {
    /// Whether the letter may still become one with others: none that was tried may.
    fn is_unsettled(&self) -> bool {
        self.attempts == 0 && self.label.as_ref().is_some_and(|label| label.unsettled)
    }
}

impl Outbox for Store {
    fn in_line(&self, now: DateTime<Utc>) -> Result<Vec<InLine>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |key, slip| {
            let slip: Slip = from_json(slip)?;
            // What waits longer than any letter does was put off by a clock that was ahead.
            let waits = |until: DateTime<Utc>| now < until && until <= now + WAITS_MAX;
            if slip.not_before.is_some_and(waits) {
                return Ok(None);
            }
            Ok(Some(InLine {
                key: Parts(key).long()?,
                unsettled: slip.is_unsettled(),
                message_id: slip.message_id,
                recipient: slip.recipient,
                attempts: slip.attempts,
                label: slip.label,
            }))
        })
    }

    fn queued(&self, key: u64) -> Result<Option<Queued>, StoreError> {
        match self.shelves.get(Shelf::Outbox, Key::long(key).bytes())? {
            Some(slip) => self.of_slip(key, from_json(&slip)?).map(Some),
            None => Ok(None),
        }
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        self.shelves.count(Shelf::Outbox)
    }

    fn unposted(&self) -> Result<Vec<(String, u32)>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |_, slip| {
            let Slip { recipient, attempts, .. } = from_json(slip)?;
            Ok((attempts > 0).then_some((recipient, attempts)))
        })
    }
}

impl Store {
    /// The keys of all letters that wait.
    pub(super) fn outbox_keys(&self) -> Result<Vec<u64>, StoreError> {
        self.shelves.scan(Shelf::Outbox, .., |key, _| Parts(key).long().map(Some))
    }

    /// A letter by its slip.
    fn of_slip(&self, key: u64, slip: Slip) -> Result<Queued, StoreError> {
        let Slip { message_id, recipient, attempts, pieces, part_at, owed, label, .. } = slip;
        let mut bytes = self.letter(key, pieces)?;
        let content = if owed {
            Content::Owed(from_json(&bytes)?)
        } else {
            bytes.truncate(part_at.unwrap_or(bytes.len()));
            Content::Bytes(bytes)
        };
        Ok(Queued { key, attempts, letter: Outgoing { message_id, recipient, content, label } })
    }

    fn letter(&self, key: u64, pieces: u32) -> Result<Vec<u8>, StoreError> {
        let range = under(Key::long(key).bytes());
        let found =
            self.shelves.scan(Shelf::Letters, range, |_, piece| Ok(Some(piece.to_vec())))?;
        if found.len() == pieces as usize {
            Ok(found.concat())
        } else {
            Err(StoreError::damaged("a part of a letter is missing"))
        }
    }
}
