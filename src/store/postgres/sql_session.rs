//! One line to the server: statements that are prepared once, and transactions.
//!
//! Knows no table.

use crate::disk;
use crate::store::StoreError;
use postgres::error::SqlState;
use postgres::types::ToSql;
use postgres::{Client, Row, Statement};
use std::collections::HashMap;

/// What a statement is given.
pub(super) type SqlParam<'a> = &'a (dyn ToSql + Sync);

/// So many rows are in memory at once where there may be many.
const PORTAL_ROWS: i32 = 100;

/// A line to the server.
pub(super) struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// How many statements were sent, those that only prepare others left out.
    pub(super) statement_count: u64,
}

/// Why a transaction was given up; nothing of it was written.
#[derive(Debug)]
pub(super) enum TxError {
    /// It and another one were in each other's way.
    Retry,
    /// It cannot be done.
    Store(StoreError),
}

impl Session {
    /// A session on this line.
    pub(super) fn new(client: Client) -> Self {
        Self { client, prepared: HashMap::new(), statement_count: 0 }
    }

    /// What a question finds.
    pub(super) fn query(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, TxError> {
        let statement = self.prepare(sql)?;
        self.statement_count += 1;
        Ok(self.client.query(&statement, given)?)
    }

    /// What a question finds that has one answer at the most.
    pub(super) fn query_optional(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Option<Row>, TxError> {
        Ok(self.query(sql, given)?.pop())
    }

    /// Gives each row to `take` that a question finds, however many there are.
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

    /// Does something; how many rows it met.
    pub(super) fn execute(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<u64, TxError> {
        let statement = self.prepare(sql)?;
        self.statement_count += 1;
        Ok(self.client.execute(&statement, given)?)
    }

    /// Executes a statement that writes this number of rows. Does nothing if that is 0.
    pub(super) fn execute_unless_empty(
        &mut self,
        rows: usize,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<(), TxError> {
        if rows > 0 { self.execute(sql, given).map(drop) } else { Ok(()) }
    }

    /// Does something by itself; durable when it returns. What it gives back.
    pub(super) fn query_durably(
        &mut self,
        sql: &'static str,
        given: &[SqlParam<'_>],
    ) -> Result<Vec<Row>, TxError> {
        disk::count_step();
        let rows = self.query(sql, given)?;
        disk::count_step();
        Ok(rows)
    }

    /// Does several things that are given nothing.
    pub(super) fn execute_batch(&mut self, sql: &str) -> Result<(), TxError> {
        self.statement_count += 1;
        Ok(self.client.batch_execute(sql)?)
    }

    /// Does this in one transaction, all or nothing; durable when it returns.
    ///
    /// An answer to `commit` that is lost is told as a failure: whether all was written, who reads
    /// again will see.
    pub(super) fn run_transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, TxError>,
    ) -> Result<T, TxError> {
        self.execute_batch("begin isolation level read committed")?;
        let done = work(self).and_then(|done| {
            disk::count_step();
            self.execute_batch("commit")?;
            disk::count_step();
            Ok(done)
        });
        if done.is_err() {
            // On a line that is broken the server does it by itself.
            let _ = self.execute_batch("rollback");
        }
        done
    }

    /// What was asked and done so far, each statement once.
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
            TxError::Retry => Self::Server("it could not be done beside something else".to_owned()),
            TxError::Store(error) => error,
        }
    }
}

/// What the server said, or why nothing was heard of it.
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
