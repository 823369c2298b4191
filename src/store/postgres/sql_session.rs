//! A connection to the server that prepares each statement once and runs transactions.

use crate::disk;
use crate::store::StoreError;
use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use std::collections::HashMap;

pub(super) type SqlParam<'a> = &'a (dyn ToSql + Sync);

/// The number of rows that [`Session::query_each`] holds in memory at a time.
const PORTAL_ROWS: i32 = 100;

/// A connection to the server, with the statements that were prepared on it.
pub(super) struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// The number of statements that were sent on this connection. Requests that only prepare a
    /// statement do not count.
    pub(super) statement_count: u64,
}

/// Why a transaction was rolled back.
#[derive(Debug)]
pub(super) enum TxError {
    /// The transaction conflicted with another one (a deadlock, or a serialization failure).
    Retry,
    Store(StoreError),
}

impl Session {
    pub(super) fn new(client: Client) -> Self {
        Self { client, prepared: HashMap::new(), statement_count: 0 }
    }

    pub(super) fn query(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, TxError> {
        let statement = self.prepare(sql)?;
        self.statement_count += 1;
        Ok(self.client.query(&statement, given)?)
    }

    pub(super) fn query_optional(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Option<Row>, TxError> {
        Ok(self.query(sql, given)?.pop())
    }

    /// Passes each row of a query to `visit`, 100 rows in memory at a time.
    pub(super) fn query_each(
        &mut self,
        sql: &str,
        given: &[SqlParam<'_>],
        mut visit: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), TxError> {
        let mut tx = self.client.transaction()?;
        let found = tx.bind(sql, given)?;
        loop {
            let rows = tx.query_portal(&found, PORTAL_ROWS)?;
            if rows.is_empty() {
                return Ok(tx.commit()?);
            }
            rows.iter().try_for_each(&mut visit)?;
        }
    }

    /// Runs a statement and returns the number of rows that it changed.
    pub(super) fn execute(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<u64, TxError> {
        let statement = self.prepare(sql)?;
        self.statement_count += 1;
        Ok(self.client.execute(&statement, given)?)
    }

    /// Runs a statement that writes `rows` rows. Does nothing if that is 0.
    pub(super) fn execute_unless_empty(
        &mut self,
        rows: usize,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<(), TxError> {
        if rows > 0 { self.execute(sql, given).map(drop) } else { Ok(()) }
    }

    /// Runs one statement as a transaction, durable when this returns, and returns its rows. Counts
    /// as two steps for tests that kill a process after each step.
    pub(super) fn query_durably(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, TxError> {
        disk::count_step_or_abort();
        let rows = self.query(sql, given)?;
        disk::count_step_or_abort();
        Ok(rows)
    }

    /// Runs several statements without parameters.
    pub(super) fn execute_batch(&mut self, sql: &str) -> Result<(), TxError> {
        self.statement_count += 1;
        Ok(self.client.batch_execute(sql)?)
    }

    /// Runs `work` in one transaction, all or nothing; durable when this returns.
    ///
    /// If the answer to `commit` is lost, this returns an error although the transaction may be
    /// committed. The caller sees the result at its next read.
    pub(super) fn run_transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, TxError>,
    ) -> Result<T, TxError> {
        self.execute_batch("begin isolation level read committed")?;
        let done = work(self).and_then(|done| {
            disk::count_step_or_abort();
            self.execute_batch("commit")?;
            disk::count_step_or_abort();
            Ok(done)
        });
        if done.is_err() {
            // If the connection is broken, this fails, and the server rolls back by itself.
            let _ = self.execute_batch("rollback");
        }
        done
    }

    /// Returns the SQL of the statements that were prepared so far.
    pub(super) fn prepared_statements(&self) -> impl Iterator<Item = &'static str> {
        self.prepared.keys().copied()
    }

    fn prepare(&mut self, sql: &'static str) -> Result<Statement, TxError> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl From<StoreError> for TxError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<postgres::Error> for TxError {
    fn from(error: postgres::Error) -> Self {
        match error.code() {
            Some(&(SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED)) => {
                Self::Retry
            }
            Some(&SqlState::LOCK_NOT_AVAILABLE) => Self::Store(StoreError::Locked),
            _ => Self::Store(server_error(&error)),
        }
    }
}

impl From<TxError> for StoreError {
    fn from(stop: TxError) -> Self {
        match stop {
            TxError::Retry => Self::Server("another transaction got in the way".to_owned()),
            TxError::Store(error) => error,
        }
    }
}

/// Converts an error of the PostgreSQL client: the server's message, or the root cause if the
/// server did not answer.
pub(super) fn server_error(error: &postgres::Error) -> StoreError {
    let said = error.as_db_error().map(|said| said.message().to_owned());
    let said = said.unwrap_or_else(|| {
        let mut why: &dyn std::error::Error = error;
        while let Some(deeper) = why.source() {
            why = deeper;
        }
        why.to_string()
    });
    StoreError::Server(said)
}
