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
pub(super) type Given<'a> = &'a (dyn ToSql + Sync);

/// So many rows are in memory at once where there may be many.
const AT_ONCE: i32 = 100;

/// A line to the server.
pub(super) struct Session {
    client: Client,
    prepared: HashMap<&'static str, Statement>,
    /// How many statements were sent, those that only prepare others left out.
    pub(super) statements: u64,
}

/// Why a transaction was given up; nothing of it was written.
#[derive(Debug)]
pub(super) enum Stop {
    /// It and another one were in each other's way.
    Again,
    /// It cannot be done.
    Store(StoreError),
}

impl Session {
    /// A session on this line.
    pub(super) fn new(client: Client) -> Self {
        Self { client, prepared: HashMap::new(), statements: 0 }
    }

    /// What a question finds.
    pub(super) fn rows(
        &mut self,
        sql: &'static str,
        given: &[Given<'_>],
    ) -> Result<Vec<Row>, Stop> {
        let statement = self.prepared(sql)?;
        self.statements += 1;
        Ok(self.client.query(&statement, given)?)
    }

    /// What a question finds that has one answer at the most.
    pub(super) fn row(
        &mut self,
        sql: &'static str,
        given: &[Given<'_>],
    ) -> Result<Option<Row>, Stop> {
        Ok(self.rows(sql, given)?.pop())
    }

    /// Gives each row to `take` that a question finds, however many there are.
    pub(super) fn each(
        &mut self,
        sql: &str,
        given: &[Given<'_>],
        mut take: impl FnMut(&Row) -> Result<(), StoreError>,
    ) -> Result<(), Stop> {
        let mut tx = self.client.transaction()?;
        let found = tx.bind(sql, given)?;
        loop {
            let rows = tx.query_portal(&found, AT_ONCE)?;
            if rows.is_empty() {
                return Ok(tx.commit()?);
            }
            rows.iter().try_for_each(&mut take)?;
        }
    }

    /// Does something; how many rows it met.
    pub(super) fn execute(&mut self, sql: &'static str, given: &[Given<'_>]) -> Result<u64, Stop> {
        let statement = self.prepared(sql)?;
        self.statements += 1;
        Ok(self.client.execute(&statement, given)?)
    }

    /// Executes a statement that writes this number of rows. Does nothing if that is 0.
    pub(super) fn execute_for(
        &mut self,
        rows: usize,
        sql: &'static str,
        given: &[Given<'_>],
    ) -> Result<(), Stop> {
        if rows > 0 { self.execute(sql, given).map(drop) } else { Ok(()) }
    }

    /// Does something by itself; durable when it returns. What it gives back.
    pub(super) fn change(
        &mut self,
        sql: &'static str,
        given: &[Given<'_>],
    ) -> Result<Vec<Row>, Stop> {
        disk::count();
        let rows = self.rows(sql, given)?;
        disk::count();
        Ok(rows)
    }

    /// Does several things that are given nothing.
    pub(super) fn execute_all(&mut self, sql: &str) -> Result<(), Stop> {
        self.statements += 1;
        Ok(self.client.batch_execute(sql)?)
    }

    /// Does this in one transaction, all or nothing; durable when it returns.
    ///
    /// An answer to `commit` that is lost is told as a failure: whether all was written, who reads
    /// again will see.
    pub(super) fn transaction<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.execute_all("begin isolation level read committed")?;
        let done = work(self).and_then(|done| {
            disk::count();
            self.execute_all("commit")?;
            disk::count();
            Ok(done)
        });
        if done.is_err() {
            // On a line that is broken the server does it by itself.
            let _ = self.execute_all("rollback");
        }
        done
    }

    /// What was asked and done so far, each statement once.
    pub(super) fn known_statements(&self) -> impl Iterator<Item = &'static str> {
        self.prepared.keys().copied()
    }

    fn prepared(&mut self, sql: &'static str) -> Result<Statement, Stop> {
        if let Some(statement) = self.prepared.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(sql)?;
        self.prepared.insert(sql, statement.clone());
        Ok(statement)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<postgres::Error> for Stop {
    fn from(error: postgres::Error) -> Self {
        match error.code() {
            Some(&(SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED)) => {
                Self::Again
            }
            Some(&SqlState::LOCK_NOT_AVAILABLE) => Self::Store(StoreError::Locked),
            _ => Self::Store(refused(&error)),
        }
    }
}

impl From<Stop> for StoreError {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Again => Self::Server("it could not be done beside something else".to_owned()),
            Stop::Store(error) => error,
        }
    }
}

/// What the server said, or why nothing was heard of it.
pub(super) fn refused(error: &postgres::Error) -> StoreError {
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
