//! Claiming lanes, by row locks that end with the worker's connection.
//!
//! A worker claims lanes on a connection of its own, in a transaction that stays open as long as
//! the claims. If the worker is stopped, the server ends the idle transaction after a minute, and
//! other workers can claim the lanes. If the worker then continues, the revisions refuse its
//! commit.

use super::inbox;
use super::sql_session::{Session, TxError};
use crate::store::InboxLetter;

/// The number of windows of letters to search for free lanes. If all lanes in these windows are
/// claimed, the other workers have enough to do.
const WINDOWS_MAX: i64 = 20;
/// The largest number of letters whose lanes are searched at a time.
const WINDOW_LETTERS_MAX: i64 = 100_000;

pub(super) fn insert_missing_lanes(
    session: &mut Session,
    club: i64,
    lanes: &[i64],
) -> Result<(), TxError> {
    let sql = "insert into lane (club, lane)
               select distinct $1::bigint, lane from unnest($2::bigint[]) as new (lane)
               order by lane on conflict do nothing";
    session.execute(sql, &[&club, &lanes]).map(drop)
}

/// Claims lanes that have letters, and returns their first letters, at most `most`. With more
/// `workers`, it looks at more letters at a time. If it returns no letters, the transaction is
/// closed.
pub(super) fn claim_letters(
    session: &mut Session,
    club: i64,
    (most, workers): (usize, usize),
) -> Result<Vec<InboxLetter>, TxError> {
    let width =
        i64::try_from(most.saturating_mul(workers)).unwrap_or(i64::MAX).min(WINDOW_LETTERS_MAX);
    for window in 0..WINDOWS_MAX {
        let waiting = inbox::list_waiting_lanes(session, club, (window * width, width))?;
        if waiting.is_empty() {
            break;
        }
        session.execute_batch("begin")?;
        let claimed = lock_unclaimed_lanes(session, club, &waiting, most)?;
        if !claimed.is_empty() {
            let letters = inbox::first_letters_of_lanes(session, club, &claimed, most)?;
            if !letters.is_empty() {
                return Ok(letters);
            }
        }
        session.execute_batch("commit")?;
    }
    Ok(Vec::new())
}

/// Claims the lanes of these games, and returns the games that have no unread letter. Returns none
/// if a letter is in lane 0. If it returns no game, the transaction is closed.
pub(super) fn claim_games(
    session: &mut Session,
    club: i64,
    games: &[u32],
) -> Result<Vec<u32>, TxError> {
    let wanted: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    insert_missing_lanes(session, club, &wanted)?;
    session.execute_batch("begin")?;
    let claimed = lock_unclaimed_lanes(session, club, &wanted, wanted.len())?;
    let sql = "select lane from unnest($2::bigint[] || 0::bigint) as wanted (lane)
               where (select 1 from inbox
                   where club = $1 and not held and inbox.lane = wanted.lane limit 1) is not null";
    let waits = session.query(sql, &[&club, &claimed])?;
    let waits: Vec<i64> = waits.iter().map(|row| row.get(0)).collect();
    let is_free = |game: &&u32| {
        let lane = i64::from(**game);
        claimed.contains(&lane) && !waits.contains(&lane) && !waits.contains(&0)
    };
    let free: Vec<u32> = games.iter().filter(is_free).copied().collect();
    if free.is_empty() {
        session.execute_batch("commit")?;
    }
    Ok(free)
}

/// Claims the first `most` of these lanes that no other worker has claimed, and returns them. Their
/// rows stay locked until the transaction ends.
fn lock_unclaimed_lanes(
    session: &mut Session,
    club: i64,
    lanes: &[i64],
    most: usize,
) -> Result<Vec<i64>, TxError> {
    // The query has no `order by`, because sorting would lock all rows before the limit applies.
    // The rows come in the order of `lanes`.
    let sql = "select held.lane from unnest($2::bigint[]) as wanted (lane),
               lateral (select lane from lane where club = $1 and lane.lane = wanted.lane
                   for update skip locked) as held
               limit $3";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = session.query(sql, &[&club, &lanes, &most])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
