//! Writing a batch to the tables, with a fixed number of statements per kind of change, whatever
//! the batch's size.
//!
//! If a batch changes something twice, the later change is kept.

use super::outbox_rows::{self, serialize_letter};
use super::row_revisions::hash_text;
use super::sql_session::{Session, SqlParam, TxError};
use crate::store::keys::unix_day;
use crate::store::{Batch, PostRecord, StoreError};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;

mod game_writes;
mod member_writes;

pub(super) use member_writes::write_member_bodies as write_members;

pub(super) fn apply_batch(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    game_writes::apply_game_changes(tx, club, batch)?;
    member_writes::apply_member_changes(tx, club, batch)?;
    write_inbound_outcomes(tx, club, batch)?;
    write_counted_events(tx, club, batch)?;
    let posted = batch.posted.iter().map(|(id, posted)| (hash_text(id), posted));
    write_post_records(tx, club, posted)?;
    write_unreadable_letters(tx, club, batch)?;
    write_outbox(tx, club, batch)?;
    write_club_state(tx, club, batch)
}

/// Writes the outcomes of inbound letters and files. A file with an empty outcome is done and
/// leaves the club's inbox. The others are held there for the moderator.
fn write_inbound_outcomes(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let letters: BTreeMap<_, _> =
        batch.seen_letters.iter().map(|(digest, seen)| (digest, seen)).collect();
    let letters = letters.into_iter().map(|(digest, seen)| Ok((digest.as_slice(), to_json(seen)?)));
    let (digests, bodies): (Vec<&[u8]>, Vec<String>) = letters.collect::<Result<_, TxError>>()?;
    let files: BTreeMap<_, _> = batch.seen_files.iter().map(|(name, fate)| (name, fate)).collect();
    let written = files.iter().map(|(name, fate)| Ok((*name, to_json(fate)?)));
    let (names, fates): (Vec<&String>, Vec<String>) = written.collect::<Result<_, TxError>>()?;
    let (done, held): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, fate)| fate.is_empty());
    let [done, held] =
        [done, held].map(|files| files.into_iter().map(|(name, _)| name).collect::<Vec<&String>>());
    let sql = "with letters as (
                   insert into seen_letter (club, digest, body)
                   select $1, digest, body
                   from unnest($2::bytea[], $3::text[]) as new (digest, body)
                   on conflict (club, digest) do update set body = excluded.body
               ), done as (
                   delete from inbox where club = $1 and name = any ($6)
               ), held as (
                   update inbox set held = true where club = $1 and name = any ($7)
               )
               insert into seen_file (club, name, fate)
               select $1, name, fate from unnest($4::text[], $5::text[]) as new (name, fate)
               on conflict (club, name) do update set fate = excluded.fate";
    let given: [SqlParam<'_>; 7] = [&club, &digests, &bodies, &names, &fates, &done, &held];
    tx.execute_unless_empty(digests.len() + names.len(), sql, &given)
}

fn write_counted_events(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let mut counted: BTreeMap<(Vec<u8>, i64), i64> = BTreeMap::new();
    for (account, at) in &batch.counted_events {
        *counted.entry((hash_text(account), *at)).or_default() += 1;
    }
    let rows = counted.into_iter().map(|((account, at), times)| (account, at, times));
    let (accounts, at, times): (Vec<Vec<u8>>, Vec<i64>, Vec<i64>) = rows.collect();
    let sql = "insert into answer (club, account, at, times)
               select $1, account, at, times
               from unnest($2::bytea[], $3::bigint[], $4::bigint[]) as new (account, at, times)
               on conflict (club, account, at)
               do update set times = answer.times + excluded.times";
    tx.execute_unless_empty(at.len(), sql, &[&club, &accounts, &at, &times])
}

/// Writes post records, by the hashes of their Message-IDs.
pub(super) fn write_post_records<'p>(
    tx: &mut Session,
    club: i64,
    letters: impl Iterator<Item = (Vec<u8>, &'p PostRecord)>,
) -> Result<(), TxError> {
    let of_day = letters.map(|(letter, posted)| ((letter, unix_day(posted.at)), posted));
    let last: BTreeMap<(Vec<u8>, i64), &PostRecord> = of_day.collect();
    let told =
        last.values().map(|posted| to_json(&posted.letter)).collect::<Result<Vec<_>, _>>()?;
    let rows = last.into_iter().map(|((letter, day), one)| (letter, day, one.at.timestamp()));
    let (letters, days, at): (Vec<Vec<u8>>, Vec<i64>, Vec<i64>) = rows.collect();
    let sql = "insert into posted (club, letter, day, at, told)
               select $1, letter, day, at, told
               from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::text[])
                   as new (letter, day, at, told)
               on conflict (club, letter, day)
               do update set at = excluded.at, told = excluded.told";
    tx.execute_unless_empty(at.len(), sql, &[&club, &letters, &days, &at, &told])
}

fn write_unreadable_letters(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let last: BTreeMap<_, _> =
        batch.unreadable.iter().map(|(name, unread)| (name, unread)).collect();
    let names: Vec<&String> = last.keys().copied().collect();
    let sql = "delete from unread where club = $1 and name = any($2)";
    tx.execute_unless_empty(names.len(), sql, &[&club, &names])?;
    let kept = last.into_iter().filter_map(|(name, unread)| Some((name, unread.as_ref()?)));
    let kept = kept.map(|(name, unread)| Ok((name, to_json(unread)?)));
    let (names, bodies): (Vec<&String>, Vec<String>) = kept.collect::<Result<_, TxError>>()?;
    let sql = "insert into unread (club, name, body)
               select $1, name, body from unnest($2::text[], $3::text[]) as new (name, body)";
    tx.execute_unless_empty(names.len(), sql, &[&club, &names, &bodies])
}

fn write_outbox(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let texts = batch
        .outgoing
        .iter()
        .map(serialize_letter)
        .collect::<Result<outbox_rows::LetterColumns, TxError>>();
    let (envelopes, contents, shards) = texts?;
    let sql = "insert into outbox (club, key, attempts, envelope, content, shard)
               select $1, nextval('letter_key'), 0, envelope, content, shard
               from (select * from unnest($2::text[], $3::text[], $4::smallint[])
                     with ordinality as new (envelope, content, shard, place)
                     order by place) as queued";
    tx.execute_unless_empty(shards.len(), sql, &[&club, &envelopes, &contents, &shards])?;
    let keys = batch.sent.iter().map(|key| key_to_column(*key)).collect::<Result<Vec<_>, _>>()?;
    // The subquery hides the number of keys from the server's planner. With a known number it might
    // scan all queued letters.
    let sql = "delete from outbox
               where club = $1 and key = any (array(select unnest($2::bigint[])))";
    tx.execute_unless_empty(keys.len(), sql, &[&club, &keys])?;
    postpone_letters(tx, club, batch)?;
    replace_letters(tx, club, batch)
}

fn postpone_letters(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let mut put_off: BTreeMap<i64, (i64, DateTime<Utc>)> = BTreeMap::new();
    for (key, until) in &batch.postponed {
        let (times, last) = put_off.entry(key_to_column(*key)?).or_insert((0, *until));
        (*times, *last) = (*times + 1, *until);
    }
    let rows = put_off.into_iter().map(|(key, (times, until))| (key, times, until));
    let (keys, times, until): (Vec<i64>, Vec<i64>, Vec<DateTime<Utc>>) = rows.collect();
    let sql = "update outbox set attempts = attempts + new.times, not_before = new.until
               from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as new (key, times, until)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute_unless_empty(keys.len(), sql, &[&club, &keys, &times, &until])
}

/// Replaces letters that are still in the outbox, and resets their attempts.
fn replace_letters(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let mut last = BTreeMap::new();
    for (key, letter) in &batch.replaced {
        last.insert(key_to_column(*key)?, serialize_letter(letter)?);
    }
    let (keys, (envelopes, contents, _)): (Vec<i64>, outbox_rows::LetterColumns) =
        last.into_iter().collect();
    let sql = "update outbox set attempts = 0, not_before = null, envelope = new.envelope,
                   content = new.content
               from unnest($2::bigint[], $3::text[], $4::text[]) as new (key, envelope, content)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute_unless_empty(keys.len(), sql, &[&club, &keys, &envelopes, &contents])
}

fn write_club_state(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let Batch {
        moderator_generation: moderator,
        heartbeat,
        last_morning_digest: morning,
        restored_at: restored,
        ..
    } = batch;
    let clocks = !batch.clocks.is_empty();
    let is_told = clocks || moderator.is_some() || heartbeat.is_some();
    if !is_told && morning.is_none() && restored.is_none() {
        return Ok(());
    }
    let heartbeat = heartbeat.as_ref().map(to_json).transpose()?;
    let morning = morning.as_ref().map(to_json).transpose()?;
    let restored = restored.as_ref().map(to_json).transpose()?;
    let sql = "update house set moderator = coalesce($2, moderator),
                   heartbeat = coalesce($3, heartbeat), morning = coalesce($4, morning),
                   restored = coalesce($5, restored), clocks = clocks or $6
               where club = $1";
    let moderator = moderator.map(i64::from);
    tx.execute(sql, &[&club, &moderator, &heartbeat, &morning, &restored, &clocks]).map(drop)
}

pub(super) fn to_json(value: &impl Serialize) -> Result<String, TxError> {
    serde_json::to_string(value).map_err(|error| StoreError::damaged(error).into())
}

pub(super) fn key_to_column(key: u64) -> Result<i64, TxError> {
    i64::try_from(key).map_err(|error| StoreError::damaged(error).into())
}
