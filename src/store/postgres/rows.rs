//! The club's own row, and the revisions of all rows: what a decision rested on, compared where it
//! is written.

use super::columns;
use super::session::{Session, Stop};
use crate::store::keys::Key;
use crate::store::{ReadSet, Revision, Row, StoreError};
use data_encoding::HEXLOWER;
use std::collections::{BTreeMap, BTreeSet};

/// The number of the club of this name, which is made when there is none; none when the one that
/// there is has another fingerprint.
pub(super) fn club(
    session: &mut Session,
    name: &str,
    fingerprint: &[u8],
) -> Result<Option<i64>, Stop> {
    let found = "select id, fingerprint from club where name = $1";
    let row = match session.row(found, &[&name])? {
        Some(row) => Some(row),
        None => {
            let sql = "with made as (insert into club (name, fingerprint) values ($1, $2)
                           on conflict do nothing returning id)
                       insert into house (club) select id from made";
            session.execute(sql, &[&name, &fingerprint])?;
            session.row(found, &[&name])?
        }
    };
    let row = row.ok_or_else(|| StoreError::damaged("a club vanished"))?;
    let is_ours = row.get::<_, &[u8]>(1) == fingerprint;
    Ok(is_ours.then(|| row.get(0)))
}

/// The revision of a row; that of one that nobody has changed is the first.
pub(super) fn revision(session: &mut Session, club: i64, row: &Row) -> Result<Revision, Stop> {
    let sql = "select number from revision where club = $1 and name = $2";
    let found = session.row(sql, &[&club, &name(row)])?;
    Ok(found.map(|found| columns::revision(&found, 0)).unwrap_or_default())
}

/// Gives the rows that are changed another revision, and compares what was read with what is so;
/// nobody changes it before the transaction ends.
///
/// # Errors
/// [`StoreError::Conflict`] with the first row that has moved.
pub(super) fn compare_and_move(
    tx: &mut Session,
    club: i64,
    changed: &BTreeSet<Row>,
    read: &ReadSet,
) -> Result<(), Stop> {
    let read = read.revisions();
    // In one order, so that two do not wait for each other.
    let moved: BTreeSet<String> = changed.iter().map(name).collect();
    let rests_on: BTreeSet<String> =
        read.iter().map(|(row, _)| name(row)).filter(|name| !moved.contains(name)).collect();
    let mut before = move_and_lock(tx, club, &moved, &rests_on)?;
    if before.len() < moved.len() + rests_on.len() {
        before.extend(make_and_lock(tx, club, &rests_on)?);
    }
    let other = read.into_iter().find(|(row, known)| {
        let number = before.get(&name(row)).copied().unwrap_or_default();
        number.cast_unsigned() != known.0
    });
    other.map_or(Ok(()), |(row, _)| Err(StoreError::Conflict(row).into()))
}

/// Moves the ones on and locks those of the others that are there, which stay as they are up to the
/// end of the transaction; which revisions they had, and have.
fn move_and_lock(
    tx: &mut Session,
    club: i64,
    moved: &BTreeSet<String>,
    rests_on: &BTreeSet<String>,
) -> Result<BTreeMap<String, i64>, Stop> {
    let [moved, rests_on] = [moved, rests_on].map(|names| names.iter().collect::<Vec<&String>>());
    let sql = "with moved as (
                   insert into revision (club, name, number)
                   select $1, name, 1 from unnest($2::text[]) as new (name)
                   on conflict (club, name) do update set number = revision.number + 1
                   returning name, number - 1 as number
               ), locked as (
                   select name, number from revision where club = $1 and name = any($3)
                   order by name for share
               )
               select name, number from moved union all select name, number from locked";
    Ok(of_rows(&tx.rows(sql, &[&club, &moved, &rests_on])?))
}

/// The revisions of these, made where they are not there yet, or nobody could be kept from making
/// them; they stay as they are up to the end of the transaction.
fn make_and_lock(
    tx: &mut Session,
    club: i64,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, i64>, Stop> {
    let names: Vec<&String> = names.iter().collect();
    let sql = "insert into revision (club, name, number)
               select $1, name, 0 from unnest($2::text[]) as new (name)
               on conflict (club, name) do nothing";
    tx.execute(sql, &[&club, &names])?;
    let sql = "select name, number from revision where club = $1 and name = any($2)
               order by name for share";
    Ok(of_rows(&tx.rows(sql, &[&club, &names])?))
}

fn of_rows(rows: &[postgres::Row]) -> BTreeMap<String, i64> {
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// What a row is called in the table of revisions.
pub(super) fn name(row: &Row) -> String {
    let of = |kind: &str, text: &str| format!("{kind} {}", HEXLOWER.encode(&hash(text)));
    match row {
        Row::House => "house".to_owned(),
        Row::Game(game) => format!("game {game}"),
        Row::Member(member) => format!("member {member}"),
        Row::SeatsOf(member) => format!("seats of {member}"),
        Row::Address(address) => of("address", address),
        Row::Answers(account) => of("answers", account),
        Row::Campaign(campaign) => of("campaign", campaign),
        Row::Letter(digest) => format!("letter {}", HEXLOWER.encode(digest)),
        Row::File(file) => of("file", file),
    }
}

/// What stands for a text of any length in a key.
pub(super) fn hash(text: &str) -> Vec<u8> {
    Key::address(text).bytes()
}
