//! The tables, and how those of an earlier version become these: numbered steps, each done once.

use super::leases;
use super::session::{Session, Stop};
use crate::store::StoreError;

/// The steps; the first makes all tables of a database that has none. None is ever changed.
const STEPS: [&str; 4] = [
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
];
/// From so many rows of a queue on it matters how the server looks for them.
pub(super) const MANY: i64 = 100;
/// The step after which letters that wait are in other shards.
const SORTED_ANEW: i64 = 4;

/// What takes all away of a club, table by table. Letters that came in and wait stay.
const CLEAR: [&str; 15] = [
    "delete from revision where club = $1",
    "delete from game where club = $1",
    "delete from log where club = $1",
    "delete from minute where club = $1",
    "delete from seat where club = $1",
    "delete from member where club = $1",
    "delete from address where club = $1",
    "delete from answer where club = $1",
    "delete from campaign_game where club = $1",
    "delete from seen_letter where club = $1",
    "delete from seen_file where club = $1",
    "delete from unread where club = $1",
    "delete from posted where club = $1",
    "delete from outbox where club = $1",
    "update house set clocks = false, moderator = 0, heartbeat = null, morning = null,
         restored = null, moved = null where club = $1",
];

/// What takes the letters away that came in, and up to when each way in was read.
const CLEAR_LETTERS: [&str; 2] =
    ["delete from inbox where club = $1", "delete from way_in where club = $1"];

/// Does the steps that have not been done here. Who comes at once with another one waits for his,
/// by the key of the step.
///
/// # Errors
/// [`StoreError::Newer`] when a later version has done more.
pub(super) fn bring_up(session: &mut Session) -> Result<(), Stop> {
    let done = done(session)?;
    if done > STEPS.len() {
        return Err(StoreError::Newer("the database".to_owned()).into());
    }
    if done == 0 {
        session.execute_all("create table if not exists schema_step (step bigint primary key)")?;
    }
    for (number, step) in (1_i64..).zip(STEPS).skip(done) {
        session.transaction(|tx| {
            let first = "insert into schema_step (step) values ($1) on conflict do nothing";
            match tx.execute(first, &[&number])? {
                0 => Ok(()),
                _ => {
                    tx.execute_all(step)?;
                    if number == SORTED_ANEW { leases::sort_anew(tx) } else { Ok(()) }
                }
            }
        })?;
    }
    Ok(())
}

/// Takes all away that is kept of a club, but for its number.
pub(super) fn clear(tx: &mut Session, club: i64) -> Result<(), Stop> {
    for sql in CLEAR {
        tx.execute(sql, &[&club])?;
    }
    Ok(())
}

/// Has the server count what is in the great tables, by which it chooses how to find rows.
pub(super) fn analyze(session: &mut Session) -> Result<(), Stop> {
    let tables = ["revision", "game", "log", "seat", "member", "address", "seen_letter", "outbox"];
    tables.iter().try_for_each(|table| session.execute_all(&format!("analyze {table}")))
}

/// Has the server count what is in a table in which there are [`MANY`] rows, where it believes that
/// there is next to nothing: so it does for a minute of a queue that was empty when it last looked,
/// and then it reads all that waits there, and all that has left, for each row that it is to find.
pub(super) fn have_counted(session: &mut Session, queue: &str) -> Result<(), Stop> {
    let sql = "select reltuples < $2::bigint from pg_class where oid = to_regclass($1::text)";
    let is_wrong = session.row(sql, &[&queue, &(MANY / 2)])?;
    match is_wrong.and_then(|row| row.get::<_, Option<bool>>(0)) {
        Some(true) => session.execute_all(&format!("analyze {queue}")),
        Some(false) | None => Ok(()),
    }
}

/// Takes the letters away that came in.
pub(super) fn clear_letters(tx: &mut Session, club: i64) -> Result<(), Stop> {
    for sql in CLEAR_LETTERS {
        tx.execute(sql, &[&club])?;
    }
    Ok(())
}

/// How many steps were done.
fn done(session: &mut Session) -> Result<usize, Stop> {
    let there = session.row("select to_regclass('schema_step') is not null", &[])?;
    if !there.is_some_and(|row| row.get(0)) {
        return Ok(0);
    }
    let row = session.row("select count(*) from schema_step", &[])?;
    let done = row.map_or(0, |row| row.get::<_, i64>(0));
    Ok(usize::try_from(done).map_err(StoreError::damaged)?)
}
