//! The outbox on sled's trees: the entries apart from what the letters say, so that a list of them
//! is short.
//!
//! Changes nothing.

use super::trees::{Tree, under};
use super::{OutboxEntry, Store};
use crate::store::batch::{Outgoing, Queued};
use crate::store::game_store::WAITS_MAX;
use crate::store::keys::{Key, Parts};
use crate::store::{InLine, Outbox, StoreError, from_json};
use chrono::{DateTime, Utc};

impl Outbox for Store {
    fn in_line(&self, now: DateTime<Utc>) -> Result<Vec<InLine>, StoreError> {
        self.in_line_from(0, now)
    }

    fn queued(&self, key: u64) -> Result<Option<Queued>, StoreError> {
        match self.trees.get(Tree::Outbox, Key::long(key).bytes())? {
            Some(entry) => self.of_entry(key, from_json(&entry)?).map(Some),
            None => Ok(None),
        }
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        Ok(self.outbox_keys()?.len())
    }

    fn unposted(&self) -> Result<Vec<(String, u32)>, StoreError> {
        self.trees.scan(Tree::Outbox, .., |_, entry| {
            let OutboxEntry { recipient, attempts, .. } = from_json(entry)?;
            Ok((attempts > 0).then_some((recipient, attempts)))
        })
    }
}

impl Store {
    /// The keys of all letters that wait.
    pub(super) fn outbox_keys(&self) -> Result<Vec<u64>, StoreError> {
        self.trees.scan(Tree::Outbox, .., |key, _| Parts(key).long().map(Some))
    }

    /// The letters that may go by now, those with a smaller key left out.
    pub(super) fn in_line_from(
        &self,
        key: u64,
        now: DateTime<Utc>,
    ) -> Result<Vec<InLine>, StoreError> {
        self.trees.scan(Tree::Outbox, Key::long(key).bytes().., |key, entry| {
            let entry: OutboxEntry = from_json(entry)?;
            // What waits longer than any letter does was put off by a clock that was ahead.
            let waits = |until: DateTime<Utc>| now < until && until <= now + WAITS_MAX;
            if entry.not_before.is_some_and(waits) {
                return Ok(None);
            }
            let OutboxEntry { message_id, recipient, attempts, label, .. } = entry;
            let key = Parts(key).long()?;
            Ok(Some(InLine::new(key, attempts, (message_id, recipient), label)))
        })
    }

    /// Reads the letter of an entry.
    pub(super) fn of_entry(&self, key: u64, entry: OutboxEntry) -> Result<Queued, StoreError> {
        let OutboxEntry { message_id, recipient, attempts, label, .. } = entry;
        let range = under(Key::long(key).bytes());
        let found = self.trees.scan(Tree::Letters, range, |_, piece| Ok(Some(piece.to_vec())))?;
        let owed = from_json(&found.concat())?;
        Ok(Queued { key, attempts, letter: Outgoing { message_id, recipient, owed, label } })
    }
}
