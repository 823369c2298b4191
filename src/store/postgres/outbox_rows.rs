//! The outbox: queued letters, in the order in which they were queued.

use super::columns::{read_json, read_key, read_number};
use super::sql_session::TxError;
use super::{Postgres, batch_writes, leases};
use crate::store::game_store::POSTPONE_MAX;
use crate::store::{Outbox, OutboxLabel, OutgoingLetter, QueuedLetter, QueuedSummary, StoreError};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The part of a queued letter that a list needs, stored apart from the letter's contents.
#[derive(Serialize, Deserialize)]
pub(super) struct Envelope {
    pub message_id: String,
    pub recipient: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<OutboxLabel>,
}

impl Outbox for Postgres {
    fn list_sendable(&self, now: DateTime<Utc>) -> Result<Vec<QueuedSummary>, StoreError> {
        // Includes letters that are postponed for longer than two days: a clock that was ahead did
        // that.
        let all = "select key, attempts, envelope from outbox
                   where club = $1 and (not_before is null or not_before <= $2 or not_before > $3)
                   order by key";
        // The subquery hides the number of shards from the server's planner. With a known number it
        // might scan all queued letters.
        let of_shards = "select key, attempts, envelope from outbox
                   where club = $1 and (not_before is null or not_before <= $2 or not_before > $3)
                       and shard = any (array(select unnest($4::smallint[])))
                   order by key";
        let until = now.checked_add_signed(POSTPONE_MAX).unwrap_or(now);
        let rows = match self.worker.leased_shards() {
            None => self.lock_session().query(all, &[&self.club, &now, &until]),
            Some(shown) => {
                self.lock_session().query(of_shards, &[&self.club, &now, &until, &shown])
            }
        };
        let rows = rows?;
        let read = rows.iter().map(|row| {
            let attempts = read_number(row, 1)?;
            let Envelope { message_id, recipient, label } = read_json(row, 2)?;
            Ok(QueuedSummary::new(read_key(row, 0)?, attempts, (message_id, recipient), label))
        });
        read.collect()
    }

    fn queued_letter(&self, key: u64) -> Result<Option<QueuedLetter>, StoreError> {
        Ok(self.queued_letters(&[key])?.pop())
    }

    fn queued_letters(&self, keys: &[u64]) -> Result<Vec<QueuedLetter>, StoreError> {
        // The subquery hides the number of keys from the server's planner. With a known number it
        // might scan all queued letters.
        let sql = "select attempts, envelope, content, key from outbox
                   where club = $1 and key = any (array(select unnest($2::bigint[])))";
        let wanted: Vec<i64> = keys.iter().filter_map(|key| i64::try_from(*key).ok()).collect();
        // The letters may tell of rows that another worker has committed since this one read them.
        self.clear_row_cache();
        let rows = self.lock_session().query(sql, &[&self.club, &wanted])?;
        let letters = rows.iter().map(read_letter);
        let mut of_key: HashMap<u64, QueuedLetter> = letters
            .map(|letter| letter.map(|letter| (letter.key, letter)))
            .collect::<Result<_, _>>()?;
        Ok(keys.iter().filter_map(|key| of_key.remove(key)).collect())
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        let sql = "select count(*) from outbox where club = $1";
        let count = self.query_list(sql, &[], |row| read_number(row, 0))?;
        Ok(count.into_iter().map(|count| count as usize).sum())
    }

    fn failed_deliveries(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "select attempts, envelope from outbox where club = $1 and attempts > 0
                   order by key";
        self.query_list(sql, &[], |row| {
            Ok((read_json::<Envelope>(row, 1)?.recipient, read_number(row, 0)?))
        })
    }
}

/// Reads a queued letter from the columns attempts, envelope, content and key.
pub(super) fn read_letter(row: &postgres::Row) -> Result<QueuedLetter, StoreError> {
    let Envelope { message_id, recipient, label } = read_json(row, 1)?;
    let letter = OutgoingLetter { message_id, recipient, payload: read_json(row, 2)?, label };
    Ok(QueuedLetter { key: read_key(row, 3)?, attempts: read_number(row, 0)?, letter })
}

/// Returns the envelope, the content and the shard of a letter, in their stored form.
pub(super) fn serialize_letter(letter: &OutgoingLetter) -> Result<(String, String, i16), TxError> {
    let OutgoingLetter { message_id, recipient, payload: owed, label } = letter.clone();
    let shard = leases::letter_shard(&recipient, label.as_ref());
    Ok((
        batch_writes::to_json(&Envelope { message_id, recipient, label })?,
        batch_writes::to_json(&owed)?,
        shard,
    ))
}

/// The envelopes, contents and shards of several letters, one vector per column.
pub(super) type LetterColumns = (Vec<String>, Vec<String>, Vec<i16>);
