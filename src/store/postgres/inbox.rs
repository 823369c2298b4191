//! Reading the club's inbox, lane by lane.

use super::schema;
use super::sql_session::{Session, TxError};
use crate::store::InboxLetter;
use postgres::Row;
use std::collections::BTreeSet;

/// The size in bytes up to which letters are returned at once, plus one letter. It limits a
/// worker's memory if someone fills the inbox with large letters.
const CLAIM_BYTES_MAX: i64 = 16 << 20;

/// Returns the lanes of `most` unprocessed letters from index `from` on, in the order of each
/// lane's first letter. Updates the server's statistics if there are many letters (100 or more).
pub(super) fn list_waiting_lanes(
    session: &mut Session,
    club: i64,
    (from, most): (i64, i64),
) -> Result<Vec<i64>, TxError> {
    let sql = "select lane from inbox where club = $1 and not held
               order by place limit $2 offset $3";
    let rows = session.query(sql, &[&club, &most, &from])?;
    if i64::try_from(rows.len()).is_ok_and(|waiting| waiting >= schema::ANALYZE_ROWS_MIN) {
        schema::update_queue_statistics(session, "inbox")?;
    }
    let mut met = BTreeSet::new();
    Ok(rows.iter().map(|row| row.get(0)).filter(|lane| met.insert(*lane)).collect())
}

/// Returns the first letters of these lanes, at most `most`, and at most 16 MiB plus one letter.
///
/// The letters of one sender are processed in order. So a lane ends before a letter whose sender
/// has an earlier letter in a lane that is not in `lanes`.
pub(super) fn first_letters_of_lanes(
    session: &mut Session,
    club: i64,
    lanes: &[i64],
    most: usize,
) -> Result<Vec<InboxLetter>, TxError> {
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
    for row in session.query(sql, &[&club, &lanes, &most, &CLAIM_BYTES_MAX])? {
        let lane: i64 = row.get(3);
        if row.get(4) {
            ended.insert(lane);
        }
        if !ended.contains(&lane) {
            letters.push(read_letter(&row));
        }
    }
    Ok(letters)
}

/// Reads a letter of the inbox from the columns name, time of receipt, and bytes.
pub(super) fn read_letter(row: &Row) -> InboxLetter {
    InboxLetter { name: row.get(0), received: row.get(1), bytes: row.get(2) }
}
