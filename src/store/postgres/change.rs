//! How a batch changes the tables: a few statements for all of a kind, whatever its size.
//!
//! Of what a batch names twice the last is kept. Knows nothing of what lines and letters say.

use super::leases;
use super::outbox::kept;
use super::rows::hash;
use super::session::{Session, Stop};
use crate::club::Member;
use crate::store::keys::day_of;
use crate::store::{Batch, Posted, StoreError};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;

mod of_games;
mod of_members;

/// Writes members, without saying whose an address is.
pub(super) fn members(tx: &mut Session, club: i64, members: &[Member]) -> Result<(), Stop> {
    of_members::write(tx, club, &members.iter().map(|one| (one.id, one.clone())).collect())
}

/// Writes all of a batch.
pub(super) fn apply(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    of_games::apply(tx, club, batch)?;
    of_members::apply(tx, club, batch)?;
    seen(tx, club, batch)?;
    answers(tx, club, batch)?;
    posted(tx, club, batch)?;
    unread(tx, club, batch)?;
    outbox(tx, club, batch)?;
    house(tx, club, batch)
}

/// What became of letters that came in: which are done leave the club's inbox, the others are held
/// there.
fn seen(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let letters: BTreeMap<_, _> =
        batch.seen_letters.iter().map(|(digest, seen)| (digest, seen)).collect();
    let files: BTreeMap<_, _> = batch.seen_files.iter().map(|(name, fate)| (name, fate)).collect();
    if letters.is_empty() && files.is_empty() {
        return Ok(());
    }
    let digests: Vec<&[u8]> = letters.keys().map(|digest| digest.as_slice()).collect();
    let bodies = letters.values().map(json).collect::<Result<Vec<_>, _>>()?;
    let names: Vec<&String> = files.keys().copied().collect();
    let fates = files.values().map(json).collect::<Result<Vec<_>, _>>()?;
    let (done, held): (Vec<_>, Vec<_>) = files.iter().partition(|(_, fate)| fate.is_empty());
    let [done, held] = [done, held]
        .map(|files| files.into_iter().map(|(name, _)| *name).collect::<Vec<&String>>());
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
    tx.execute(sql, &[&club, &digests, &bodies, &names, &fates, &done, &held]).map(drop)
}

fn answers(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut counted: BTreeMap<(Vec<u8>, i64), i64> = BTreeMap::new();
    for (account, at) in &batch.answers {
        *counted.entry((hash(account), *at)).or_default() += 1;
    }
    if counted.is_empty() {
        return Ok(());
    }
    let accounts: Vec<&Vec<u8>> = counted.keys().map(|(account, _)| account).collect();
    let at: Vec<i64> = counted.keys().map(|(_, at)| *at).collect();
    let times: Vec<i64> = counted.values().copied().collect();
    let sql = "insert into answer (club, account, at, times)
               select $1, account, at, times
               from unnest($2::bytea[], $3::bigint[], $4::bigint[]) as new (account, at, times)
               on conflict (club, account, at)
               do update set times = answer.times + excluded.times";
    tx.execute(sql, &[&club, &accounts, &at, &times]).map(drop)
}

fn posted(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    note_posted(tx, club, batch.posted.iter().map(|(id, posted)| (hash(id), posted)).collect())
}

/// Notes letters that were posted, by the hashes of their Message-IDs.
pub(super) fn note_posted(
    tx: &mut Session,
    club: i64,
    letters: Vec<(Vec<u8>, &Posted)>,
) -> Result<(), Stop> {
    let of_day = letters.into_iter().map(|(letter, posted)| ((letter, day_of(posted.at)), posted));
    let last: BTreeMap<_, _> = of_day.collect();
    if last.is_empty() {
        return Ok(());
    }
    let letters: Vec<&Vec<u8>> = last.keys().map(|(letter, _)| letter).collect();
    let days: Vec<i64> = last.keys().map(|(_, day)| *day).collect();
    let at: Vec<i64> = last.values().map(|posted| posted.at.timestamp()).collect();
    let told = last.values().map(|posted| json(&posted.letter)).collect::<Result<Vec<_>, _>>()?;
    let sql = "insert into posted (club, letter, day, at, told)
               select $1, letter, day, at, told
               from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::text[])
                   as new (letter, day, at, told)
               on conflict (club, letter, day)
               do update set at = excluded.at, told = excluded.told";
    tx.execute(sql, &[&club, &letters, &days, &at, &told]).map(drop)
}

fn unread(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let last: BTreeMap<_, _> = batch.unread.iter().map(|(name, unread)| (name, unread)).collect();
    if last.is_empty() {
        return Ok(());
    }
    let names: Vec<&String> = last.keys().copied().collect();
    tx.execute("delete from unread where club = $1 and name = any($2)", &[&club, &names])?;
    let kept = last.into_iter().filter_map(|(name, unread)| Some((name, unread.as_ref()?)));
    let (names, unread): (Vec<&String>, Vec<_>) = kept.unzip();
    let bodies = unread.into_iter().map(json).collect::<Result<Vec<_>, _>>()?;
    let sql = "insert into unread (club, name, body)
               select $1, name, body from unnest($2::text[], $3::text[]) as new (name, body)";
    tx.execute(sql, &[&club, &names, &bodies]).map(drop)
}

fn outbox(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    if !batch.outgoing.is_empty() {
        let kept = batch.outgoing.iter().map(kept).collect::<Result<Vec<_>, _>>()?;
        let envelopes: Vec<&String> = kept.iter().map(|(envelope, ..)| envelope).collect();
        let owed: Vec<bool> = kept.iter().map(|(_, is_owed, _)| *is_owed).collect();
        let contents: Vec<&Vec<u8>> = kept.iter().map(|(.., content)| content).collect();
        let shards = batch.outgoing.iter();
        let shards = shards.map(|one| leases::shard(&one.recipient, one.label.as_ref()));
        let shards: Vec<i16> = shards.collect();
        let sql = "insert into outbox (club, key, attempts, envelope, is_owed, content, shard)
                   select $1, nextval('letter_key'), 0, envelope, is_owed, content, shard
                   from (select * from
                         unnest($2::text[], $3::boolean[], $4::bytea[], $5::smallint[])
                         with ordinality as new (envelope, is_owed, content, shard, place)
                         order by place) as queued";
        tx.execute(sql, &[&club, &envelopes, &owed, &contents, &shards])?;
    }
    if !batch.sent.is_empty() {
        let keys = batch.sent.iter().map(|key| key_number(*key)).collect::<Result<Vec<_>, _>>()?;
        // Where the server sees how many these are, it may rather read all that wait.
        let sql = "delete from outbox
                   where club = $1 and key = any (array(select unnest($2::bigint[])))";
        tx.execute(sql, &[&club, &keys])?;
    }
    postpone(tx, club, batch)?;
    settle(tx, club, batch)
}

fn postpone(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut put_off: BTreeMap<i64, (i64, DateTime<Utc>)> = BTreeMap::new();
    for (key, until) in &batch.postponed {
        let (times, last) = put_off.entry(key_number(*key)?).or_insert((0, *until));
        (*times, *last) = (*times + 1, *until);
    }
    if put_off.is_empty() {
        return Ok(());
    }
    let keys: Vec<i64> = put_off.keys().copied().collect();
    let times: Vec<i64> = put_off.values().map(|(times, _)| *times).collect();
    let until: Vec<DateTime<Utc>> = put_off.values().map(|(_, until)| *until).collect();
    let sql = "update outbox set attempts = attempts + new.times, not_before = new.until
               from unnest($2::bigint[], $3::bigint[], $4::timestamptz[]) as new (key, times, until)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute(sql, &[&club, &keys, &times, &until]).map(drop)
}

/// Puts letters in the place of others that wait still.
fn settle(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut last = BTreeMap::new();
    for (key, letter) in &batch.settled {
        last.insert(key_number(*key)?, kept(letter)?);
    }
    if last.is_empty() {
        return Ok(());
    }
    let keys: Vec<i64> = last.keys().copied().collect();
    let envelopes: Vec<&String> = last.values().map(|(envelope, ..)| envelope).collect();
    let owed: Vec<bool> = last.values().map(|(_, is_owed, _)| *is_owed).collect();
    let contents: Vec<&Vec<u8>> = last.values().map(|(.., content)| content).collect();
    let sql = "update outbox set attempts = 0, not_before = null, envelope = new.envelope,
                   is_owed = new.is_owed, content = new.content
               from unnest($2::bigint[], $3::text[], $4::boolean[], $5::bytea[])
                   as new (key, envelope, is_owed, content)
               where outbox.club = $1 and outbox.key = new.key";
    tx.execute(sql, &[&club, &keys, &envelopes, &owed, &contents]).map(drop)
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
