//! How a batch changes the tables: a few statements for all of a kind, whatever its size.
//!
//! Of what a batch names twice the last is kept. Knows nothing of what lines and letters say.

use super::outbox::{self, written};
use super::rows::hash;
use super::session::{Given, Session, Stop};
use crate::store::keys::day_of;
use crate::store::{Batch, Posted, StoreError};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;

mod of_games;
mod of_members;

pub(super) use of_members::write as write_members;

/// Writes all of a batch.
pub(super) fn apply(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    of_games::apply(tx, club, batch)?;
    of_members::apply(tx, club, batch)?;
    seen(tx, club, batch)?;
    answers(tx, club, batch)?;
    let posted = batch.posted.iter().map(|(id, posted)| (hash(id), posted));
    note_posted(tx, club, posted)?;
    unread(tx, club, batch)?;
    outbox(tx, club, batch)?;
    house(tx, club, batch)
}

/// Writes the fates of letters and files that came in. Letters that are done leave the club's
/// inbox. The others are held there.
fn seen(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let letters: BTreeMap<_, _> =
        batch.seen_letters.iter().map(|(digest, seen)| (digest, seen)).collect();
    let letters = letters.into_iter().map(|(digest, seen)| Ok((digest.as_slice(), json(seen)?)));
    let (digests, bodies): (Vec<&[u8]>, Vec<String>) = letters.collect::<Result<_, Stop>>()?;
    let files: BTreeMap<_, _> = batch.seen_files.iter().map(|(name, fate)| (name, fate)).collect();
    let written = files.iter().map(|(name, fate)| Ok((*name, json(fate)?)));
    let (names, fates): (Vec<&String>, Vec<String>) = written.collect::<Result<_, Stop>>()?;
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
    let given: [Given<'_>; 7] = [&club, &digests, &bodies, &names, &fates, &done, &held];
    tx.execute_for(digests.len() + names.len(), sql, &given)
}

fn answers(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut counted: BTreeMap<(Vec<u8>, i64), i64> = BTreeMap::new();
    for (account, at) in &batch.answers {
        *counted.entry((hash(account), *at)).or_default() += 1;
    }
    let rows = counted.into_iter().map(|((account, at), times)| (account, at, times));
    let (accounts, at, times): (Vec<Vec<u8>>, Vec<i64>, Vec<i64>) = rows.collect();
    let sql = "insert into answer (club, account, at, times)
               select $1, account, at, times
               from unnest($2::bytea[], $3::bigint[], $4::bigint[]) as new (account, at, times)
               on conflict (club, account, at)
               do update set times = answer.times + excluded.times";
    tx.execute_for(at.len(), sql, &[&club, &accounts, &at, &times])
}

/// Notes letters that were posted, by the hashes of their Message-IDs.
pub(super) fn note_posted<'p>(
    tx: &mut Session,
    club: i64,
    letters: impl Iterator<Item = (Vec<u8>, &'p Posted)>,
) -> Result<(), Stop> {
    let of_day = letters.map(|(letter, posted)| ((letter, day_of(posted.at)), posted));
    let last: BTreeMap<(Vec<u8>, i64), &Posted> = of_day.collect();
    let told = last.values().map(|posted| json(&posted.letter)).collect::<Result<Vec<_>, _>>()?;
    let rows = last.into_iter().map(|((letter, day), one)| (letter, day, one.at.timestamp()));
    let (letters, days, at): (Vec<Vec<u8>>, Vec<i64>, Vec<i64>) = rows.collect();
    let sql = "insert into posted (club, letter, day, at, told)
               select $1, letter, day, at, told
               from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::text[])
                   as new (letter, day, at, told)
               on conflict (club, letter, day)
               do update set at = excluded.at, told = excluded.told";
    tx.execute_for(at.len(), sql, &[&club, &letters, &days, &at, &told])
}

fn unread(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let last: BTreeMap<_, _> = batch.unread.iter().map(|(name, unread)| (name, unread)).collect();
    let names: Vec<&String> = last.keys().copied().collect();
    let sql = "delete from unread where club = $1 and name = any($2)";
    tx.execute_for(names.len(), sql, &[&club, &names])?;
    let kept = last.into_iter().filter_map(|(name, unread)| Some((name, unread.as_ref()?)));
    let kept = kept.map(|(name, unread)| Ok((name, json(unread)?)));
    let (names, bodies): (Vec<&String>, Vec<String>) = kept.collect::<Result<_, Stop>>()?;
    let sql = "insert into unread (club, name, body)
               select $1, name, body from unnest($2::text[], $3::text[]) as new (name, body)";
    tx.execute_for(names.len(), sql, &[&club, &names, &bodies])
}

fn outbox(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let texts = batch.outgoing.iter().map(written).collect::<Result<outbox::Texts, Stop>>();
    let (envelopes, contents, shards) = texts?;
    let sql = "insert into outbox (club, key, attempts, envelope, content, shard)
               select $1, nextval('letter_key'), 0, envelope, content, shard
               from (select * from unnest($2::text[], $3::text[], $4::smallint[])
                     with ordinality as new (envelope, content, shard, place)
                     order by place) as queued";
    tx.execute_for(shards.len(), sql, &[&club, &envelopes, &contents, &shards])?;
    let keys = batch.sent.iter().map(|key| key_number(*key)).collect::<Result<Vec<_>, _>>()?;
    // A server that sees the number of keys might read all letters that wait.
    let sql = "delete from outbox
               where club = $1 and key = any (array(select unnest($2::bigint[])))";
    tx.execute_for(keys.len(), sql, &[&club, &keys])?;
    postpone(tx, club, batch)?;
    settle(tx, club, batch)
}

fn postpone(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut put_off: BTreeMap<i64, (i64, DateTime<Utc>)> = BTreeMap::new();
    for (key, until) in &batch.postponed {
        let (times, last) = put_off.entry(key_number(*key)?).or_insert((0, *until));
        (*times, *last) = (*times + 1, *until);
    }
    let rows = put_off.into_iter().map(|(key, (times, until))| (key, times, until));
    let (keys, times, until): (Vec<i64>, Vec<i64>, Vec<DateTime<Utc>>) = rows.collect();
    let sql = "update outbox set attempts = attempts + new.times, not_before = new.until
               from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as new (key, times, until)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute_for(keys.len(), sql, &[&club, &keys, &times, &until])
}

/// Replaces letters that are still in the outbox.
fn settle(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut last = BTreeMap::new();
    for (key, letter) in &batch.settled {
        last.insert(key_number(*key)?, written(letter)?);
    }
    let (keys, (envelopes, contents, _)): (Vec<i64>, outbox::Texts) = last.into_iter().collect();
    let sql = "update outbox set attempts = 0, not_before = null, envelope = new.envelope,
                   content = new.content
               from unnest($2::bigint[], $3::text[], $4::text[]) as new (key, envelope, content)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute_for(keys.len(), sql, &[&club, &keys, &envelopes, &contents])
}

fn house(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let Batch { moderator, heartbeat, morning, restored, .. } = batch;
    let clocks = !batch.clocks.is_empty();
    let is_told = clocks || moderator.is_some() || heartbeat.is_some();
    if !is_told && morning.is_none() && restored.is_none() {
        return Ok(());
    }
    let heartbeat = heartbeat.as_ref().map(json).transpose()?;
    let morning = morning.as_ref().map(json).transpose()?;
    let restored = restored.as_ref().map(json).transpose()?;
    let sql = "update house set moderator = coalesce($2, moderator),
                   heartbeat = coalesce($3, heartbeat), morning = coalesce($4, morning),
                   restored = coalesce($5, restored), clocks = clocks or $6
               where club = $1";
    let moderator = moderator.map(i64::from);
    tx.execute(sql, &[&club, &moderator, &heartbeat, &morning, &restored, &clocks]).map(drop)
}

/// What is kept as text.
pub(super) fn json(value: &impl Serialize) -> Result<String, Stop> {
    serde_json::to_string(value).map_err(|error| StoreError::damaged(error).into())
}

/// A letter's key as a column has it.
pub(super) fn key_number(key: u64) -> Result<i64, Stop> {
    i64::try_from(key).map_err(|error| StoreError::damaged(error).into())
}
