//! The tables of a database, and the number of their format.

use super::session::{Session, Stop};
use crate::store::StoreError;

/// The tables.
const TABLES: &str = include_str!("schema.sql");
/// The number of the tables' format, and the first version of postrider that reads it. Both are in
/// the table `store_format`. Each migration inserts its own number.
const FORMAT: (i64, &str) = (5, "0.2.0");
/// From so many rows of a queue on it matters how the server looks for them.
pub(super) const MANY: i64 = 100;

/// The tables with the rows of a club, except its own row in `house` and the letters that came in.
pub(super) const OF_CLUB: [&str; 14] = [
    "revision",
    "game",
    "log",
    "minute",
    "seat",
    "member",
    "address",
    "answer",
    "campaign_game",
    "seen_letter",
    "seen_file",
    "unread",
    "posted",
    "outbox",
];

/// The tables of letters that came in, and up to when each way in was read.
pub(super) const OF_LETTERS: [&str; 2] = ["inbox", "way_in"];

/// Removes the rows of a club from these tables.
pub(super) fn clear(tx: &mut Session, club: i64, tables: &[&str]) -> Result<(), Stop> {
    let clear = |table: &&str| tx.execute_all(&format!("delete from {table} where club = {club}"));
    tables.iter().try_for_each(clear)
}

/// Creates the tables in a database that has none. Another process that does so at the same time
/// waits, because both insert the number of the format.
///
/// # Errors
/// [`StoreError::Newer`] if the tables have a later format.
pub(super) fn bring_up(session: &mut Session) -> Result<(), Stop> {
    let there = session.row("select to_regclass('store_format') is not null", &[])?;
    if !there.is_some_and(|row| row.get(0)) {
        session.execute_all(
            "create table if not exists store_format
                 (number bigint primary key, version text not null)",
        )?;
    }
    let sql = "select number, version from store_format order by number desc limit 1";
    let (this, version) = FORMAT;
    match session.row(sql, &[])?.map(|row| (row.get::<_, i64>(0), row.get::<_, String>(1))) {
        Some((number, version)) if number > this => {
            let what = format!("the database (read by {version} and later versions)");
            Err(StoreError::Newer(what).into())
        }
        Some(_) => Ok(()),
        None => session.transaction(|tx| {
            let sql = "insert into store_format (number, version) values ($1, $2)
                       on conflict do nothing";
            match tx.execute(sql, &[&this, &version])? {
                0 => Ok(()),
                _ => tx.execute_all(TABLES),
            }
        }),
    }
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
