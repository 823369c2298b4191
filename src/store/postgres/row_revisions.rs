//! The club's own row, and the revisions of all rows, which a commit compares and increments.

use super::columns;
use super::sql_session::{Session, TxError};
use crate::store::keys::Key;
use crate::store::{ReadSet, Revision, Row, StoreError};
use data_encoding::HEXLOWER;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the database's number of the club with this name, and creates the club if there is none.
/// Returns `None` if it exists with another fingerprint.
pub(super) fn find_or_create_club(
    session: &mut Session,
    name: &str,
    fingerprint: &[u8],
) -> Result<Option<i64>, TxError> {
    let found = "select id, fingerprint from club where name = $1";
    let row = match session.query_optional(found, &[&name])? {
        Some(row) => Some(row),
        None => {
            let sql = "with made as (insert into club (name, fingerprint) values ($1, $2)
                           on conflict do nothing returning id)
                       insert into house (club) select id from made";
            session.execute(sql, &[&name, &fingerprint])?;
            session.query_optional(found, &[&name])?
        }
    };
    let row = row.ok_or_else(|| StoreError::damaged("a club vanished"))?;
    let is_ours = row.get::<_, &[u8]>(1) == fingerprint;
    Ok(is_ours.then(|| row.get(0)))
}

/// Returns the current revision of a row; 0 if it was never changed.
pub(super) fn fetch_revision(
    session: &mut Session,
    club: i64,
    row: &Row,
) -> Result<Revision, TxError> {
    let sql = "select number from revision where club = $1 and name = $2";
    let found = session.query_optional(sql, &[&club, &row_name(row)])?;
    Ok(found.map(|found| columns::read_revision(&found, 0)).unwrap_or_default())
}

/// Increments the revisions of the changed rows, and compares the revisions that were read with the
/// current ones. The compared rows stay locked until the transaction ends.
///
/// # Errors
/// [`StoreError::Conflict`] with the first row whose revision has changed.
pub(super) fn check_and_increment_revisions(
    tx: &mut Session,
    club: i64,
    changed: &BTreeSet<Row>,
    read: &ReadSet,
) -> Result<(), TxError> {
    let read = read.revisions();
    // The sets are sorted, so that all transactions lock rows in one order and rarely wait for each
    // other.
    let moved: BTreeSet<String> = changed.iter().map(row_name).collect();
    let rests_on: BTreeSet<String> =
        read.iter().map(|(row, _)| row_name(row)).filter(|name| !moved.contains(name)).collect();
    let mut before = increment_and_lock_revisions(tx, club, &moved, &rests_on)?;
    if before.len() < moved.len() + rests_on.len() {
        before.extend(insert_and_lock_revisions(tx, club, &rests_on)?);
    }
    let other = read.into_iter().find(|(row, known)| {
        let number = before.get(&row_name(row)).copied().unwrap_or_default();
        number.cast_unsigned() != known.0
    });
    other.map_or(Ok(()), |(row, _)| Err(StoreError::Conflict(row).into()))
}

/// Increments the revisions in `moved`, and locks the existing ones in `rests_on` against changes
/// until the transaction ends. Returns all these revisions as they were before.
fn increment_and_lock_revisions(
    tx: &mut Session,
    club: i64,
    moved: &BTreeSet<String>,
    rests_on: &BTreeSet<String>,
) -> Result<BTreeMap<String, i64>, TxError> {
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
    Ok(revisions_by_name(&tx.query(sql, &[&club, &moved, &rests_on])?))
}

/// Inserts the missing revisions among `names`, then locks all of them against changes until the
/// transaction ends, and returns them. A row without a revision could not be locked.
fn insert_and_lock_revisions(
    tx: &mut Session,
    club: i64,
    names: &BTreeSet<String>,
) -> Result<BTreeMap<String, i64>, TxError> {
    let names: Vec<&String> = names.iter().collect();
    let sql = "insert into revision (club, name, number)
               select $1, name, 0 from unnest($2::text[]) as new (name)
               on conflict (club, name) do nothing";
    tx.execute(sql, &[&club, &names])?;
    let sql = "select name, number from revision where club = $1 and name = any($2)
               order by name for share";
    Ok(revisions_by_name(&tx.query(sql, &[&club, &names])?))
}

fn revisions_by_name(rows: &[postgres::Row]) -> BTreeMap<String, i64> {
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// Returns a row's name in the table `revision`.
pub(super) fn row_name(row: &Row) -> String {
    let of = |kind: &str, text: &str| format!("{kind} {}", HEXLOWER.encode(&hash_text(text)));
    match row {
        Row::Club => "house".to_owned(),
        Row::Game(game) => format!("game {game}"),
        Row::Member(member) => format!("member {member}"),
        Row::MemberSeats(member) => format!("seats of {member}"),
        Row::Address(address) => of("address", address),
        Row::CountedEvents(account) => of("answers", account),
        Row::Campaign(campaign) => of("campaign", campaign),
        Row::Letter(digest) => format!("letter {}", HEXLOWER.encode(digest)),
        Row::File(file) => of("file", file),
    }
}

pub(super) fn hash_text(text: &str) -> Vec<u8> {
    Key::from_text(text).into_bytes()
}
