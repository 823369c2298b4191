//! Checks of a server's settings, so that an operator learns of problems before a club relies on
//! it.

use super::sql_session::{Session, TxError};
use chrono::{DateTime, TimeDelta, Utc};

/// The lowest version of the server with which postrider was tested.
const VERSION_MIN: i32 = 150_000;
/// The largest difference between the server's clock and this machine's that `doctor` accepts.
const CLOCK_SKEW_MAX: TimeDelta = TimeDelta::minutes(1);

/// Lists what should be fixed on the server: version, clock, durability settings, rights. Empty if
/// all is well.
pub(super) fn find_problems(
    session: &mut Session,
    now: DateTime<Utc>,
) -> Result<Vec<String>, TxError> {
    let sql = "select current_setting('server_version_num')::int, clock_timestamp(),
                   current_setting('fsync'), current_setting('full_page_writes'),
                   current_setting('synchronous_commit'), current_setting('autovacuum')";
    let Some(row) = session.query_optional(sql, &[])? else { return Ok(Vec::new()) };
    // The server's time zone does not matter, because it stores and compares times as UTC.
    let mut mend = Vec::new();
    let version: i32 = row.get(0);
    if version < VERSION_MIN {
        mend.push(format!("the server's version {version} is not tested: use 15 or later"));
    }
    let apart = (row.get::<_, DateTime<Utc>>(1) - now).abs();
    if apart > CLOCK_SKEW_MAX {
        let apart = apart.num_seconds();
        mend.push(format!("its clock and this machine's are {apart} seconds apart: set both"));
    }
    for (column, setting) in [(2, "fsync"), (3, "full_page_writes"), (4, "synchronous_commit")] {
        if row.get::<_, &str>(column) == "off" {
            mend.push(format!(
                "{setting} is off on the server: turn it on, or a power failure loses answered \
                 letters"
            ));
        }
    }
    if row.get::<_, &str>(5) == "off" {
        mend.push(
            "autovacuum is off on the server: turn it on, or old rows are never removed".to_owned(),
        );
    }
    mend.extend(find_missing_rights(session)?);
    Ok(mend)
}

/// Returns the bytes that the tables of the club's schema take up, with their indexes. The server
/// only adds up the sizes of its files.
pub(super) fn schema_size(session: &mut Session) -> Result<Option<u64>, TxError> {
    let sql = "select sum(pg_total_relation_size(oid))::bigint from pg_class
               where relnamespace = current_schema()::regnamespace and relkind = 'r'";
    let size: Option<i64> = session.query_optional(sql, &[])?.and_then(|row| row.get(0));
    Ok(size.and_then(|size| u64::try_from(size).ok()))
}

/// Returns the problem if the server is read-only or this role lacks a right on a table. Without
/// this check, the first letter that needs the right would fail.
fn find_missing_rights(session: &mut Session) -> Result<Option<String>, TxError> {
    let sql = "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on',
                   (select string_agg(tablename, ', ' order by tablename) from (
                       select tablename, quote_ident(schemaname) || '.' || quote_ident(tablename)
                           as place
                       from pg_tables where schemaname = current_schema()) as own
                   where not (has_table_privilege(place, 'select')
                       and has_table_privilege(place, 'insert')
                       and has_table_privilege(place, 'update')
                       and has_table_privilege(place, 'delete')))";
    let Some(row) = session.query_optional(sql, &[])? else { return Ok(None) };
    if row.get(0) {
        return Ok(Some("the database is read-only: it is a replica, or is set so".to_owned()));
    }
    let forbidden: Option<String> = row.get(1);
    Ok(forbidden.map(|tables| format!("this role lacks rights on {tables}: grant it all of them")))
}
