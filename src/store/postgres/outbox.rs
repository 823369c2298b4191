//! The outbox: what waits, in the order in which it was queued.

use super::columns::{json, key, number};
use super::session::Stop;
use super::{Postgres, change, leases};
use crate::store::game_store::WAITS_MAX;
use crate::store::{InLine, Label, Outbox, Outgoing, Queued, StoreError};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What is on the outside of a letter in the outbox.
#[derive(Serialize, Deserialize)]
pub(super) struct Envelope {
    pub message_id: String,
    pub recipient: String,
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
            let Envelope { message_id, recipient, label } = json(row, 2)?;
            Ok(InLine::new(key(row, 0)?, attempts, (message_id, recipient), label))
        });
        read.collect()
    }

    fn queued(&self, key: u64) -> Result<Option<Queued>, StoreError> {
        Ok(self.queued_among(&[key])?.pop())
    }

    fn queued_among(&self, keys: &[u64]) -> Result<Vec<Queued>, StoreError> {
        // Where the server sees how many are wanted, it may rather read all that wait.
        let sql = "select attempts, envelope, content, key from outbox
                   where club = $1 and key = any (array(select unnest($2::bigint[])))";
        let wanted: Vec<i64> = keys.iter().filter_map(|key| i64::try_from(*key).ok()).collect();
        // They may tell of what another worker has committed since anything was read.
        self.forget();
        let rows = self.session().rows(sql, &[&self.club, &wanted])?;
        let letters = rows.iter().map(read);
        let mut of_key: HashMap<u64, Queued> = letters
            .map(|letter| letter.map(|letter| (letter.key, letter)))
            .collect::<Result<_, _>>()?;
        Ok(keys.iter().filter_map(|key| of_key.remove(key)).collect())
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        let sql = "select count(*) from outbox where club = $1";
        let count = self.list(sql, &[], |row| number(row, 0))?;
        Ok(count.into_iter().map(|count| count as usize).sum())
    }

    fn unposted(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let sql = "select attempts, envelope from outbox where club = $1 and attempts > 0
                   order by key";
        self.list(sql, &[], |row| Ok((json::<Envelope>(row, 1)?.recipient, number(row, 0)?)))
    }
}

/// Reads a letter from its attempts, its envelope, its content and its key.
pub(super) fn read(row: &postgres::Row) -> Result<Queued, StoreError> {
    let Envelope { message_id, recipient, label } = json(row, 1)?;
    let letter = Outgoing { message_id, recipient, owed: json(row, 2)?, label };
    Ok(Queued { key: key(row, 3)?, attempts: number(row, 0)?, letter })
}

/// Writes the envelope and the content of a letter, and finds its shard.
pub(super) fn written(letter: &Outgoing) -> Result<(String, String, i16), Stop> {
    let Outgoing { message_id, recipient, owed, label } = letter.clone();
    let shard = leases::shard(&recipient, label.as_ref());
    Ok((change::json(&Envelope { message_id, recipient, label })?, change::json(&owed)?, shard))
}

/// The envelopes, contents and shards of letters, as columns.
pub(super) type Texts = (Vec<String>, Vec<String>, Vec<i16>);
