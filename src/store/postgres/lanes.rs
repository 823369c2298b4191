//! Lanes: what one worker works on at a time, by locks on rows that die with the line.
//!
//! The line is one of its own, in a transaction for as long as lanes are claimed: who is stopped
//! meanwhile loses it when the server's patience ends, and his lanes with it. Whatever he commits
//! after that is compared like anything else.

use super::inbox;
use super::session::{Session, Stop};
use crate::store::InHand;

/// The lanes of as many letters as are wanted are looked at, and so often those of the next ones:
/// where all of these are claimed there is work enough for those who did.
const WINDOWS: i64 = 20;

/// Makes rows for these lanes, where there are none.
pub(super) fn make(session: &mut Session, club: i64, lanes: &[i64]) -> Result<(), Stop> {
    let sql = "insert into lane (club, lane)
               select distinct $1::bigint, lane from unnest($2::bigint[]) as new (lane)
               order by lane on conflict do nothing";
    session.execute(sql, &[&club, &lanes]).map(drop)
}

/// Claims lanes with letters, and gives the first of these.
pub(super) fn claim(line: &mut Session, club: i64, most: usize) -> Result<Vec<InHand>, Stop> {
    let width = i64::try_from(most).unwrap_or(i64::MAX / WINDOWS);
    for window in 0..WINDOWS {
        let waiting = inbox::lanes_from(line, club, (window * width, width))?;
        if waiting.is_empty() {
            break;
        }
        let waiting: Vec<i64> = waiting.into_iter().collect();
        line.execute_all("begin")?;
        let claimed = lock(line, club, &waiting)?;
        if !claimed.is_empty() {
            let letters = inbox::first(line, club, &claimed, most)?;
            if !letters.is_empty() {
                return Ok(letters);
            }
        }
        line.execute_all("commit")?;
    }
    Ok(Vec::new())
}

/// Claims those of these games for which no letter waits.
pub(super) fn claim_games(line: &mut Session, club: i64, games: &[u32]) -> Result<Vec<u32>, Stop> {
    let wanted: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    make(line, club, &wanted)?;
    line.execute_all("begin")?;
    let claimed = lock(line, club, &wanted)?;
    let sql = "select distinct lane from inbox
               where club = $1 and not held and (lane = 0 or lane = any ($2))";
    let waits = line.rows(sql, &[&club, &claimed])?;
    let waits: Vec<i64> = waits.iter().map(|row| row.get(0)).collect();
    let is_free = |game: &&u32| {
        let lane = i64::from(**game);
        claimed.contains(&lane) && !waits.contains(&lane) && !waits.contains(&0)
    };
    Ok(games.iter().filter(is_free).copied().collect())
}

/// Those of these lanes that nobody else has claimed, which are ours until the transaction ends.
fn lock(line: &mut Session, club: i64, lanes: &[i64]) -> Result<Vec<i64>, Stop> {
    let sql = "select lane from lane where club = $1 and lane = any ($2)
               order by lane for update skip locked";
    let rows = line.rows(sql, &[&club, &lanes])?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
