//! A store on a PostgreSQL server, for a club that one machine cannot serve. It gives the same
//! guarantees as every [`GameStore`].
//!
//! Correctness rests on keys and revisions: the transaction that writes a decision first compares
//! the revisions that the decision read. Row locks only save work. Several clubs can share one
//! database. There is no journal in plain text, because the server has its own backups. All SQL of
//! the library is in this folder.

mod batch_writes;
mod columns;
mod connect;
mod health;
mod inbox;
mod lanes;
mod leases;
mod outbox_rows;
mod postgres_migration;
mod queries;
mod row_cache;
mod row_fetch;
mod row_revisions;
mod schema;
mod sql_session;
mod workers;

pub use self::connect::Server;

use self::row_cache::RowCache;
use self::sql_session::{Session, TxError};
use self::workers::WorkerState;
use super::keys::unix_day;
use super::{
    Batch, FileStamp, GameStore, JournalChecks, Migration, NewLocation, ReadSet, Revision, Row,
    SharedStore, StoreError,
};
use chrono::{DateTime, Utc};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// An open store on PostgreSQL. Several workers can have it open at once.
pub struct Postgres {
    club: i64,
    session: Mutex<Session>,
    cache: Mutex<RowCache>,
    /// The day before which post records were last deleted, in days since 1970.
    pruned_day: Mutex<Option<i64>>,
    /// Whether the club is incomplete, because a restore or a migration was interrupted.
    is_incomplete: AtomicBool,
    worker: WorkerState,
}

impl Postgres {
    /// Opens a club's store, and creates the tables in an empty database and the club if it is new.
    /// Returns `None` if a club of this name exists there with another fingerprint of its secret,
    /// so that two clubs cannot use one name.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process holds the club exclusively, [`StoreError::Server`]
    /// if the server cannot be reached or refuses, [`StoreError::Newer`] if a later version made
    /// the tables, [`StoreError::Moved`] if the club was moved away.
    pub fn open(
        server: &Server,
        club: &str,
        fingerprint: &[u8],
    ) -> Result<Option<Self>, StoreError> {
        let store = Self::open_for_import(server, club, fingerprint)?;
        store.iter().try_for_each(Self::check_not_moved)?;
        Ok(store)
    }

    /// Like [`Postgres::open`], for a club that is moved here. It may have been moved away from
    /// here before.
    ///
    /// # Errors
    /// Those of [`Postgres::open`], except [`StoreError::Moved`].
    pub fn open_for_import(
        server: &Server,
        club: &str,
        fingerprint: &[u8],
    ) -> Result<Option<Self>, StoreError> {
        let mut session = server.connect()?;
        schema::create_tables(&mut session)?;
        let Some(club) = row_revisions::find_or_create_club(&mut session, club, fingerprint)?
        else {
            return Ok(None);
        };
        let worker = WorkerState::new(server.connect()?, server.connect()?)?;
        let store = Self {
            club,
            session: Mutex::new(session),
            cache: Mutex::default(),
            pruned_day: Mutex::default(),
            is_incomplete: AtomicBool::default(),
            worker,
        };
        store.register_and_count_others()?;
        let sql = "select rebuilding from house where club = $1";
        let withheld = store.query_list(sql, &[], |row| Ok(row.get(0)))?.contains(&true);
        store.is_incomplete.store(withheld, Ordering::Relaxed);
        Ok(Some(store))
    }

    /// Fails with [`StoreError::Moved`] if the club was moved away. The caller must hold the club's
    /// lock, so that the club cannot be moved after the check.
    fn check_not_moved(&self) -> Result<(), StoreError> {
        self.read_new_location()?.map_or(Ok(()), |moved| Err(StoreError::Moved(moved)))
    }

    /// Returns the store to which the club was moved; `None` if it is here.
    fn read_new_location(&self) -> Result<Option<NewLocation>, StoreError> {
        let sql = "select moved from house where club = $1";
        Ok(self.query_list(sql, &[], |row| queries::parse_optional(row.get(0)))?.pop().flatten())
    }

    /// Returns the number of statements sent so far on the main connection. Each is a round trip to
    /// the server.
    pub fn statement_count(&self) -> u64 {
        self.lock_session().statement_count
    }

    /// Returns the SQL of the statements sent so far, each once, so that the server's plans for
    /// them can be examined.
    pub fn prepared_statements(&self) -> Vec<&'static str> {
        let mut known: Vec<&str> = self.lock_session().prepared_statements().collect();
        known.extend(self.worker.prepared_statements());
        known
    }

    fn lock_session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers a question from the row cache. The cache uses the connection to fetch rows that it
    /// does not have.
    fn read_through_cache<T>(
        &self,
        question: impl FnOnce(&mut RowCache, &mut Session) -> Result<T, TxError>,
    ) -> Result<T, StoreError> {
        let mut known = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(question(&mut known, &mut self.lock_session())?)
    }

    fn check_writable(&self) -> Result<(), StoreError> {
        self.read_only_reason().map_or(Ok(()), Err)
    }

    fn clear_row_cache(&self) {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl GameStore for Postgres {
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        self.check_writable()?;
        batch.check_log_lines_printable()?;
        let changed = batch.changed_rows();
        let done = self.lock_session().run_transaction(|tx| {
            row_revisions::check_and_increment_revisions(tx, self.club, &changed, read)?;
            batch_writes::apply_batch(tx, self.club, batch)
        });
        self.clear_row_cache();
        done.map_err(|stop| match stop {
            // Two transactions that wait for each other change each other's rows, so this one's
            // decision is outdated.
            TxError::Retry => StoreError::Conflict(changed.into_iter().next().unwrap_or(Row::Club)),
            TxError::Store(error) => error,
        })
    }

    fn revision(&self, row: &Row) -> Result<Revision, StoreError> {
        Ok(self
            .read_through_cache(|known, session| known.get_or_fetch_row(session, self.club, row))?
            .revision)
    }

    fn prefetch(&self, rows: &[Row], whole: bool) -> Result<(), StoreError> {
        self.read_through_cache(|known, session| known.prefetch(session, self.club, rows, whole))
    }

    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        let day = Some(unix_day(before));
        let mut forgotten = self.pruned_day.lock().unwrap_or_else(PoisonError::into_inner);
        if *forgotten != day {
            let sql = "delete from posted where club = $1 and day < $2";
            self.lock_session().execute(sql, &[&self.club, &unix_day(before)])?;
            *forgotten = day;
        }
        Ok(())
    }

    fn update_journal(&self, _: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    fn read_only_reason(&self) -> Option<StoreError> {
        self.is_incomplete.load(Ordering::Relaxed).then(StoreError::unfinished_restore)
    }

    fn begin_rebuild(&self) -> Result<(), StoreError> {
        self.worker.lock_exclusively(self.club)?;
        // An earlier rebuild that was interrupted may have left rows.
        self.lock_session().run_transaction(|tx| {
            schema::delete_rows(tx, self.club, &schema::CLUB_TABLES)?;
            let sql = "update house set rebuilding = true, clocks = false, moderator = 0,
                           heartbeat = null, morning = null, restored = null, moved = null
                       where club = $1";
            tx.execute(sql, &[&self.club]).map(drop)
        })?;
        self.clear_row_cache();
        self.is_incomplete.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn finish_rebuild(&self) -> Result<(), StoreError> {
        let session = &mut self.lock_session();
        // Until its statistics are up to date, for up to a minute, the server would take the tables
        // for empty and choose slow plans.
        schema::analyze_tables(session)?;
        let sql = "update house set rebuilding = false where club = $1";
        Ok(session.execute(sql, &[&self.club]).map(drop)?)
    }

    fn as_shared(&self) -> Option<&dyn SharedStore> {
        Some(self)
    }

    fn as_migration(&self) -> &dyn Migration {
        self
    }

    fn file_stamp(&self) -> Option<FileStamp> {
        None
    }

    fn size_in_bytes(&self) -> Result<Option<u64>, StoreError> {
        Ok(health::schema_size(&mut self.lock_session())?)
    }

    fn list_problems(&self, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        Ok(health::find_problems(&mut self.lock_session(), now)?)
    }
}

/// A store on a server has no journal, so there are no differences.
impl JournalChecks for Postgres {}
