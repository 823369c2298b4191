//! The outbox: what waits, in the order in which it was queued.

use super::Postgres;
use super::change::json;
use super::columns::{self, number};
use super::session::Stop;
use crate::store::game_store::WAITS_MAX;
use crate::store::{Content, InLine, Label, Outbox, Outgoing, Queued, StoreError, from_json};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What stands on a letter that waits.
#[derive(Serialize, Deserialize)]
pub(super) struct OnEnvelope {
    /// Its Message-ID.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// Whom it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<Label>,
}

impl Outbox for Postgres {
    fn in_line(&self, now: DateTime<Utc>) -> Result<Vec<InLine>, StoreError> {
        // What waits longer than any letter does was put off by a clock that was ahead.
        let all = "select key, attempts, envelope from outbox
                   where club = $1 and (not_before is null or not_before <= $2 or not_before > $3)
                   order by key";
        // Where the server sees how many shards these are, it may rather read all that wait.
        let of_shards = "select key, attempts, envelope from outbox
                   where club = $1 and (not_before is null or not_before <= $2 or not_before > $3)
                       and shard = any (array(select unnest($4::smallint[])))
                   order by key";
        let until = now.checked_add_signed(WAITS_MAX).unwrap_or(now);
        let rows = match self.hands.shown() {
            None => self.session().rows(all, &[&self.club, &now, &until]),
            Some(shown) => self.session().rows(of_shards, &[&self.club, &now, &until, &shown]),
        };
        let rows = rows?;
        let read = rows.iter().map(|row| {
            let attempts = number(row, 1)?;
            let OnEnvelope { message_id, recipient, label } = columns::json(row, 2)?;
            Ok(InLine::new(key(row, 0)?, attempts, (message_id, recipient), label))
        });
        read.collect()
    }

    fn queued(&self, key: u64) -> Result<Option<Queued>, StoreError> {
        Ok(self.queued_among(&[key])?.pop())
    }

    fn queued_among(&self, keys: &[u64]) -> Result<Vec<Queued>, StoreError> {
        // Where the server sees how many are wanted, it may rather read all that wait.
        let sql = "select attempts, envelope, is_owed, content, key from outbox
                   where club = $1 and key = any (array(select unnest($2::bigint[])))";
        let wanted: Vec<i64> = keys.iter().filter_map(|key| i64::try_from(*key).ok()).collect();
        // They may tell of what another worker has committed since anything was read.
        self.forget();
        let rows = self.session().rows(sql, &[&self.club, &wanted])?;
        let letters = rows.iter().map(|row| read(row, key(row, 4)?));
        let mut of_key: HashMap<u64, Queued> = letters
            .map(|letter| letter.map(|letter| (letter.key, letter)))
            .collect::<Result<_, _>>()?;
        Ok(keys.iter().filter_map(|key| of_key.remove(key)).collect())
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        let sql = "select count(*) from outbox where club = $1";
        let row = self.session().row(sql, &[&self.club])?;
        let count = row.map_or(0, |row| row.get::<_, i64>(0));
        usize::try_from(count).map_err(StoreError::damaged)
    }

    fn unposted(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "select attempts, envelope from outbox where club = $1 and attempts > 0
                   order by key";
        let rows = self.session().rows(sql, &[&self.club])?;
        let read = rows
            .iter()
            .map(|row| Ok((columns::json::<OnEnvelope>(row, 1)?.recipient, number(row, 0)?)));
        read.collect()
    }
}

/// A letter by how often it was tried, what stands on it, whether it is owed, and what it says.
pub(super) fn read(row: &postgres::Row, key: u64) -> Result<Queued, StoreError> {
    let OnEnvelope { message_id, recipient, label } = columns::json(row, 1)?;
    let content: &[u8] = row.get(3);
    let content = match row.get(2) {
        true => Content::Owed(from_json(content)?),
        false => Content::Bytes(content.to_vec()),
    };
    let letter = Outgoing { message_id, recipient, content, label };
    Ok(Queued { key, attempts: number(row, 0)?, letter })
}

/// What is kept of a letter: what stands on it, whether it is owed, and what it says.
pub(super) fn kept(letter: &Outgoing) -> Result<(String, bool, Vec<u8>), Stop> {
    let Outgoing { message_id, recipient, content, label } = letter.clone();
    let envelope = json(&OnEnvelope { message_id, recipient, label })?;
    let (is_owed, content) = match content {
        Content::Owed(owed) => (true, json(&owed)?.into_bytes()),
        Content::Bytes(bytes) => (false, bytes),
    };
    Ok((envelope, is_owed, content))
}

fn key(row: &postgres::Row, column: usize) -> Result<u64, StoreError> {
    u64::try_from(row.get::<_, i64>(column)).map_err(StoreError::damaged)
}
