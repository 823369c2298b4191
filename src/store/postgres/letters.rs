//! Questions about letters that came in or were posted: which were seen, how often somebody was
//! answered.

use super::columns::json;
use super::rows::hash;
use super::session::{Session, Stop};
use crate::store::keys::day_of;
use crate::store::{Posted, StoreError, Unread};
use chrono::{DateTime, Utc};
use postgres::Row;
use std::collections::BTreeMap;

type Found<T> = Result<T, Stop>;

pub(super) fn unread(session: &mut Session, club: i64) -> Found<BTreeMap<String, Unread>> {
    let rows = session.rows("select name, body from unread where club = $1", &[&club])?;
    let read = rows.iter().map(|row| Ok((row.get::<_, String>(0), json(row, 1)?)));
    Ok(read.collect::<Result<_, StoreError>>()?)
}

pub(super) fn answers_since(
    session: &mut Session,
    club: i64,
    account: &str,
    since: i64,
) -> Found<Vec<i64>> {
    let sql = "select at, times from answer where club = $1 and account = $2 and at >= $3
               order by at";
    let rows = session.rows(sql, &[&club, &hash(account), &since])?;
    Ok(each_time(rows.iter().map(|row| (row.get(0), row.get(1)))))
}

/// Each time that something was counted, by when and how often then.
pub(super) fn each_time(counted: impl Iterator<Item = (i64, i64)>) -> Vec<i64> {
    let often = |times: i64| usize::try_from(times).unwrap_or_default();
    counted.flat_map(|(at, times)| std::iter::repeat_n(at, often(times))).collect()
}

/// When the letter was last posted on the day of this time or before, and what it told.
pub(super) fn last_posted(
    session: &mut Session,
    club: i64,
    message_id: &str,
    until: DateTime<Utc>,
) -> Found<Option<Posted>> {
    // They are few. Were the last one asked for, all letters of a day might be gone through.
    let sql = "select at, told, day from posted where club = $1 and letter = $2 and day <= $3";
    let rows = session.rows(sql, &[&club, &hash(message_id), &day_of(until)])?;
    let last = rows.into_iter().max_by_key(|row| row.get::<_, i64>(2));
    let Some(row) = last else { return Ok(None) };
    Ok(Some(posted(&row, 0)?))
}

/// Reads when a letter was posted, from this column of a row, and the letter, from the next.
pub(super) fn posted(row: &Row, column: usize) -> Result<Posted, StoreError> {
    let at = DateTime::from_timestamp(row.get(column), 0);
    let at = at.ok_or_else(|| StoreError::damaged("a letter was posted at no time"))?;
    Ok(Posted { at, letter: json(row, column + 1)? })
}

pub(super) fn forget_posted(session: &mut Session, club: i64, before: DateTime<Utc>) -> Found<()> {
    let sql = "delete from posted where club = $1 and day < $2";
    session.execute(sql, &[&club, &day_of(before)]).map(drop)
}
