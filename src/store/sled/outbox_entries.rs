//! Reading the outbox on sled. Entries are stored apart from the letters' contents, so that a list
//! of entries reads few bytes.

use super::trees::{Tree, keys_with_prefix};
use super::{OutboxEntry, Store};
use crate::store::batch::{OutgoingLetter, QueuedLetter};
use crate::store::game_store::POSTPONE_MAX;
use crate::store::keys::{Key, KeyReader};
use crate::store::{Outbox, QueuedSummary, StoreError, parse_stored_json};
use chrono::{DateTime, Utc};

impl Outbox for Store {
    fn list_sendable(&self, now: DateTime<Utc>) -> Result<Vec<QueuedSummary>, StoreError> {
        self.list_sendable_from(0, now)
    }

    fn queued_letter(&self, key: u64) -> Result<Option<QueuedLetter>, StoreError> {
        match self.trees.get(Tree::Outbox, Key::from_u64(key).into_bytes())? {
            Some(entry) => self.load_letter(key, parse_stored_json(&entry)?).map(Some),
            None => Ok(None),
        }
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        Ok(self.outbox_keys()?.len())
    }

    fn failed_deliveries(&self) -> Result<Vec<(String, u32)>, StoreError> {
        self.trees.collect_entries(Tree::Outbox, .., |_, entry| {
            let OutboxEntry { recipient, attempts, .. } = parse_stored_json(entry)?;
            Ok((attempts > 0).then_some((recipient, attempts)))
        })
    }
}

impl Store {
    pub(super) fn outbox_keys(&self) -> Result<Vec<u64>, StoreError> {
        self.trees.collect_entries(Tree::Outbox, .., |key, _| KeyReader(key).read_u64().map(Some))
    }

    /// Like [`Outbox::list_sendable`], for letters with this key or a higher one.
    pub(super) fn list_sendable_from(
        &self,
        key: u64,
        now: DateTime<Utc>,
    ) -> Result<Vec<QueuedSummary>, StoreError> {
        self.trees.collect_entries(Tree::Outbox, Key::from_u64(key).into_bytes().., |key, entry| {
            let entry: OutboxEntry = parse_stored_json(entry)?;
            // A letter that is postponed for longer than two days was postponed by a clock that was
            // ahead, so it may leave.
            let waits = |until: DateTime<Utc>| now < until && until <= now + POSTPONE_MAX;
            if entry.not_before.is_some_and(waits) {
                return Ok(None);
            }
            let OutboxEntry { message_id, recipient, attempts, label, .. } = entry;
            let key = KeyReader(key).read_u64()?;
            Ok(Some(QueuedSummary::new(key, attempts, (message_id, recipient), label)))
        })
    }

    /// Loads the contents of the queued letter with this entry.
    pub(super) fn load_letter(
        &self,
        key: u64,
        entry: OutboxEntry,
    ) -> Result<QueuedLetter, StoreError> {
        let OutboxEntry { message_id, recipient, attempts, label, .. } = entry;
        let range = keys_with_prefix(Key::from_u64(key).into_bytes());
        let found = self
            .trees
            .collect_entries(Tree::Letters, range, |_, piece| Ok(Some(piece.to_vec())))?;
        let owed = parse_stored_json(&found.concat())?;
        Ok(QueuedLetter {
            key,
            attempts,
            letter: OutgoingLetter { message_id, recipient, payload: owed, label },
        })
    }
}
