//! The tables of a PostgreSQL database, and their schema version.

use super::sql_session::{Session, TxError};
use crate::store::StoreError;

const SCHEMA_SQL: &str = include_str!("schema.sql");
/// The schema version, and the first version of postrider that reads it. Both are in the table
/// `store_format`. Each migration inserts its own number there.
const SCHEMA_VERSION: (i64, &str) = (5, "0.2.0");
/// The number of rows in a queue (outbox or inbox) from which on a bad query plan costs much time.
pub(super) const ANALYZE_ROWS_MIN: i64 = 100;

/// The tables that hold a club's data, except its row in `house`, and the inbox.
pub(super) const CLUB_TABLES: [&str; 14] = [
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

/// The tables of the inbox, and of the times up to which each inbound transport was read.
pub(super) const INBOX_TABLES: [&str; 2] = ["inbox", "way_in"];

/// Deletes a club's rows from these tables.
pub(super) fn delete_rows(tx: &mut Session, club: i64, tables: &[&str]) -> Result<(), TxError> {
    let clear =
        |table: &&str| tx.execute_batch(&format!("delete from {table} where club = {club}"));
    tables.iter().try_for_each(clear)
}

/// Creates the tables in a database that has none. If another process does so at the same time, one
/// of them waits, because both insert the schema version.
///
/// # Errors
/// [`StoreError::Newer`] if the tables have a later schema version.
pub(super) fn create_tables(session: &mut Session) -> Result<(), TxError> {
    let there = session.query_optional("select to_regclass('store_format') is not null", &[])?;
    if !there.is_some_and(|row| row.get(0)) {
        // The lock lasts for this batch. Without it, `if not exists` fails in one of two processes.
        session.execute_batch(
            "select pg_advisory_xact_lock(hashtext('store_format'));
             create table if not exists store_format
                 (number bigint primary key, version text not null)",
        )?;
    }
    let sql = "select number, version from store_format order by number desc limit 1";
    let (this, version) = SCHEMA_VERSION;
    match session
        .query_optional(sql, &[])?
        .map(|row| (row.get::<_, i64>(0), row.get::<_, String>(1)))
    {
        Some((number, version)) if number > this => {
            let what = format!("the database (read by {version} and later versions)");
            Err(StoreError::Newer(what).into())
        }
        Some(_) => Ok(()),
        None => session.run_transaction(|tx| {
            let sql = "insert into store_format (number, version) values ($1, $2)
                       on conflict do nothing";
            match tx.execute(sql, &[&this, &version])? {
                0 => Ok(()),
                _ => tx.execute_batch(SCHEMA_SQL),
            }
        }),
    }
}

/// Updates the server's statistics of the large tables, from which it chooses query plans.
pub(super) fn analyze_tables(session: &mut Session) -> Result<(), TxError> {
    let tables = ["revision", "game", "log", "seat", "member", "address", "seen_letter", "outbox"];
    tables.iter().try_for_each(|table| session.execute_batch(&format!("analyze {table}")))
}

/// Updates the server's statistics of a queue that has at least [`ANALYZE_ROWS_MIN`] rows, if the
/// server believes it to be nearly empty. It does so for up to a minute if the queue was empty at
/// its last look. Until then it scans all rows of the table, including dead ones, for each row that
/// it looks up.
pub(super) fn update_queue_statistics(session: &mut Session, queue: &str) -> Result<(), TxError> {
    let sql = "select reltuples < $2::bigint from pg_class where oid = to_regclass($1::text)";
    let is_wrong = session.query_optional(sql, &[&queue, &(ANALYZE_ROWS_MIN / 2)])?;
    match is_wrong.and_then(|row| row.get::<_, Option<bool>>(0)) {
        Some(true) => session.execute_batch(&format!("analyze {queue}")),
        Some(false) | None => Ok(()),
    }
}
