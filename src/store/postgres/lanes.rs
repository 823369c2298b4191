//! Lanes: what one worker works on at a time, by locks on rows that die with the line.
//!
//! The line is one of its own, in a transaction for as long as lanes are claimed: who is stopped
//! meanwhile loses it when the server's patience ends, and his lanes with it. Whatever he commits
//! after that is compared like anything else.

use super::inbox;
use super::sql_session::{Session, TxError};
use crate::store::InboxLetter;

/// So many times the lanes of the next letters are looked at where all of the first ones are
/// claimed: there is work enough then for those who did.
const WINDOWS_MAX: i64 = 20;
/// The lanes of so many letters are looked at at once, at the most.
const WINDOW_LETTERS_MAX: i64 = 100_000;

/// Makes rows for these lanes, where there are none.
pub(super) fn create_lanes(session: &mut Session, club: i64, lanes: &[i64]) -> Result<(), TxError> {
    let sql = "insert into lane (club, lane)
               select distinct $1::bigint, lane from unnest($2::bigint[]) as new (lane)
               order by lane on conflict do nothing";
    session.execute(sql, &[&club, &lanes]).map(drop)
}

/// Claims lanes with letters, and gives the first of these, at most so many, where so many are at
/// work. No transaction goes on where there is none.
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
        let claimed = lock_lanes(session, club, &waiting, most)?;
        if !claimed.is_empty() {
            let letters = inbox::first_letters(session, club, &claimed, most)?;
            if !letters.is_empty() {
                return Ok(letters);
            }
        }
        session.execute_batch("commit")?;
    }
    Ok(Vec::new())
}

/// Claims those of these games for which no letter waits. No transaction goes on where there is
/// none.
pub(super) fn claim_games(
    session: &mut Session,
    club: i64,
    games: &[u32],
) -> Result<Vec<u32>, TxError> {
    let wanted: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    create_lanes(session, club, &wanted)?;
    session.execute_batch("begin")?;
    let claimed = lock_lanes(session, club, &wanted, wanted.len())?;
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

/// The first of these lanes that nobody else has claimed, at most so many, which are ours until the
/// transaction ends.
fn lock_lanes(
    session: &mut Session,
    club: i64,
    lanes: &[i64],
    most: usize,
) -> Result<Vec<i64>, TxError> {
    // Sorted, all of them would be locked before the first few are taken. They come as given.
    let sql = "select held.lane from unnest($2::bigint[]) as wanted (lane),
               lateral (select lane from lane where club = $1 and lane.lane = wanted.lane
                   for update skip locked) as held
               limit $3";
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let rows = session.query(sql, &[&club, &lanes, &most])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
