//! The club's inbox: letters that wait to be judged, lane by lane, and those that are held.
//!
//! Knows nothing of what letters say.

use super::rows::hash;
use super::schema;
use super::session::{Session, Stop};
use crate::store::{HandedIn, InHand, OnHold};
use chrono::{DateTime, Utc};
use postgres::Row;
use std::collections::BTreeSet;

/// So many bytes of letters are claimed at once: who fills the inbox with large ones takes no more
/// of a worker's memory than that.
const BYTES_AT_ONCE: i64 = 16 << 20;

/// Puts letters into the inbox; the names that are taken by others.
pub(super) fn hand_in(
    session: &mut Session,
    club: i64,
    letters: &[HandedIn],
) -> Result<Vec<String>, Stop> {
    let of_lane: Vec<i64> = letters.iter().map(|letter| letter.lane.into()).collect();
    let names: Vec<&str> = letters.iter().map(|letter| &*letter.name).collect();
    let senders: Vec<Vec<u8>> = letters.iter().map(|letter| hash(&letter.sender)).collect();
    let received: Vec<Option<DateTime<Utc>>> = letters.iter().map(|one| one.received).collect();
    let raw: Vec<&[u8]> = letters.iter().map(|letter| &*letter.bytes).collect();
    let sql = "with new as (
            select * from unnest($2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[],
                    $6::bytea[])
                with ordinality as new (name, lane, sender, received, raw, nth)
        ), lanes as (
            insert into lane (club, lane)
            select distinct $1::bigint, lane from new order by lane on conflict do nothing
        ), put as (
            insert into inbox (club, name, place, lane, sender, received, raw)
            select $1, name, nextval('letter_key'), lane, sender, received, raw
            from (select * from new order by nth) as new
            where (select 1 from seen_file
                   where seen_file.club = $1 and seen_file.name = new.name limit 1) is null
            on conflict (club, name) do nothing
            returning name
        )
        select name from new
        where name not in (select name from put) and (
            select 1 from inbox
            where inbox.club = $1 and inbox.name = new.name and inbox.raw = new.raw
            limit 1) is null
        order by nth";
    let rows = session.change(sql, &[&club, &names, &of_lane, &senders, &received, &raw])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

/// Whether a letter waits.
pub(super) fn has_letters(session: &mut Session, club: i64) -> Result<bool, Stop> {
    // In an order, or many that are held would be passed over before one that waits.
    let sql = "select (select place from inbox where club = $1 and not held
                   order by place limit 1) is not null";
    Ok(session.row(sql, &[&club])?.is_some_and(|row| row.get(0)))
}

/// The lanes of letters that wait, in the order in which their first ones came: of so many
/// letters, from this one on. Where many wait the server knows of it then.
pub(super) fn lanes_from(
    session: &mut Session,
    club: i64,
    (from, most): (i64, i64),
) -> Result<Vec<i64>, Stop> {
    let sql = "select lane from inbox where club = $1 and not held
               order by place limit $2 offset $3";
    let rows = session.rows(sql, &[&club, &most, &from])?;
    if i64::try_from(rows.len()).is_ok_and(|waiting| waiting >= schema::MANY) {
        schema::have_counted(session, "inbox")?;
    }
    let mut met = BTreeSet::new();
    Ok(rows.iter().map(|row| row.get(0)).filter(|lane| met.insert(*lane)).collect())
}

/// The first letters of these lanes, at most so many, and of so many bytes that one more has room.
/// A lane ends before a letter whose sender has an earlier one in a lane that is not among them.
pub(super) fn first(
    session: &mut Session,
    club: i64,
    lanes: &[i64],
    most: usize,
) -> Result<Vec<InHand>, Stop> {
    let sql = "select name, received, raw, lane, waits from (
                   select name, received, raw, letter.lane, place, exists (
                           select 1 from inbox as earlier
                           where earlier.club = $1 and earlier.sender = letter.sender
                               and not earlier.held and earlier.place < letter.place
                               and earlier.lane <> all ($2)) as waits,
                       sum(octet_length(raw)) over (order by place) - octet_length(raw) as before
                   from unnest($2::bigint[]) as wanted (lane),
                   lateral (select name, received, raw, lane, place, sender from inbox
                       where club = $1 and not held and inbox.lane = wanted.lane
                       order by place limit $3) as letter
                   order by place limit $3) as first
               where before < $4 order by place";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut ended: BTreeSet<i64> = BTreeSet::new();
    let mut letters = Vec::new();
    for row in session.rows(sql, &[&club, &lanes, &most, &BYTES_AT_ONCE])? {
        let lane: i64 = row.get(3);
        if row.get(4) {
            ended.insert(lane);
        }
        if !ended.contains(&lane) {
            letters.push(in_hand(&row));
        }
    }
    Ok(letters)
}

/// The letters that are held for the moderator.
pub(super) fn held(session: &mut Session, club: i64) -> Result<Vec<OnHold>, Stop> {
    let sql = "select name, received from inbox where club = $1 and held order by place";
    let rows = session.rows(sql, &[&club])?;
    Ok(rows.iter().map(|row| OnHold { name: row.get(0), received: row.get(1) }).collect())
}

/// The letter of this name that is held.
pub(super) fn held_letter(
    session: &mut Session,
    club: i64,
    name: &str,
) -> Result<Option<InHand>, Stop> {
    let sql = "select name, received, raw from inbox where club = $1 and name = $2 and held";
    Ok(session.row(sql, &[&club, &name])?.as_ref().map(in_hand))
}

/// Takes the letters of these names out of what waits: a letter can be handed in once more in the
/// moment in which it is dealt with.
pub(super) fn discard(session: &mut Session, club: i64, names: &[&str]) -> Result<(), Stop> {
    let sql = "delete from inbox where club = $1 and name = any ($2) and not held
               and exists (select 1 from seen_file
                   where seen_file.club = $1 and seen_file.name = inbox.name)";
    session.execute(sql, &[&club, &names]).map(drop)
}

/// A letter by its name, when it came, and its bytes.
pub(super) fn in_hand(row: &Row) -> InHand {
    InHand { name: row.get(0), received: row.get(1), bytes: row.get(2) }
}
