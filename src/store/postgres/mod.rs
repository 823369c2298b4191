//! A store on a PostgreSQL server, for a club that has outgrown one machine: the same promise, see
//! [`GameStore`].
//!
//! Keys and revisions give truth, the locks of rows only speed: whatever a decision rested on is
//! compared inside of the transaction that writes it. Several clubs may lie in one database. There
//! is no journal in plain text: the server has copies of its own. What lines and letters say it
//! does not know, and no SQL stands anywhere else.

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

/// An open store on PostgreSQL, which several workers may have open at once.
pub struct Postgres {
    /// The club's number in the database.
    club: i64,
    session: Mutex<Session>,
    cache: Mutex<RowCache>,
    /// The day before which it was last forgotten what was posted.
    pruned_day: Mutex<Option<i64>>,
    /// Whether the club is not whole, as it was being made anew when that was cut short.
    is_incomplete: AtomicBool,
    worker: WorkerState,
}

impl Postgres {
    /// Opens the store of this club in the database, which gets its tables when it has none. None
    /// when the club of this name is known there by another fingerprint than this one.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when another process makes it anew, [`StoreError::Server`] when the
    /// server cannot be reached or refuses, [`StoreError::Newer`] when a later version made the
    /// tables, [`StoreError::Moved`] when the club is elsewhere.
    pub fn open(
        server: &Server,
        club: &str,
        fingerprint: &[u8],
    ) -> Result<Option<Self>, StoreError> {
        let store = Self::open_for_import(server, club, fingerprint)?;
        store.iter().try_for_each(Self::check_not_moved)?;
        Ok(store)
    }

    /// The same for a club that comes here, and may have been here before.
    ///
    /// # Errors
    /// Those of [`Postgres::open`], but for the last.
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
        let hands = WorkerState::new(server.connect()?, server.connect()?)?;
        let store = Self {
            club,
            session: Mutex::new(session),
            cache: Mutex::default(),
            pruned_day: Mutex::default(),
            is_incomplete: AtomicBool::default(),
            worker: hands,
        };
        store.lock_and_count_workers()?;
        let sql = "select rebuilding from house where club = $1";
        let withheld = store.query_list(sql, &[], |row| Ok(row.get(0)))?.contains(&true);
        store.is_incomplete.store(withheld, Ordering::Relaxed);
        Ok(Some(store))
    }

    /// Refuses a club that is elsewhere. Called once the club is held: whoever moved it away did so
    /// before that, or cannot any more.
    fn check_not_moved(&self) -> Result<(), StoreError> {
        self.read_new_location()?.map_or(Ok(()), |moved| Err(StoreError::Moved(moved)))
    }

    /// Returns where the club was moved to.
    fn read_new_location(&self) -> Result<Option<NewLocation>, StoreError> {
        let sql = "select moved from house where club = $1";
        Ok(self.query_list(sql, &[], |row| queries::parse_optional(row.get(0)))?.pop().flatten())
    }

    /// How many statements were sent so far to read and to commit: each is a round trip.
    pub fn statement_count(&self) -> u64 {
        self.session().statement_count
    }

    /// The statements that this store has sent so far, each once: who keeps a great club asks the
    /// server how it does them.
    pub fn prepared_statements(&self) -> Vec<&'static str> {
        let mut known: Vec<&str> = self.session().prepared_statements().collect();
        known.extend(self.worker.prepared_statements());
        known
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks what is known, or may be fetched.
    fn ask_cache<T>(
        &self,
        question: impl FnOnce(&mut RowCache, &mut Session) -> Result<T, TxError>,
    ) -> Result<T, StoreError> {
        let mut known = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(question(&mut known, &mut self.session())?)
    }

    fn check_writable(&self) -> Result<(), StoreError> {
        self.read_only_reason().map_or(Ok(()), Err)
    }

    /// Forgets what is known.
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
        batch.check_log_lines()?;
        let changed = batch.changed_rows();
        let done = self.session().run_transaction(|tx| {
            row_revisions::compare_and_bump(tx, self.club, &changed, read)?;
            batch_writes::apply(tx, self.club, batch)
        });
        self.clear_row_cache();
        done.map_err(|stop| match stop {
            // Two that wait for each other rest on what the other one changes.
            TxError::Retry => StoreError::Conflict(changed.into_iter().next().unwrap_or(Row::Club)),
            TxError::Store(error) => error,
        })
    }

    fn revision(&self, row: &Row) -> Result<Revision, StoreError> {
        Ok(self.ask_cache(|known, session| known.row(session, self.club, row))?.revision)
    }

    fn prefetch(&self, rows: &[Row], whole: bool) -> Result<(), StoreError> {
        self.ask_cache(|known, session| known.prefetch(session, self.club, rows, whole))
    }

    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        let day = Some(unix_day(before));
        let mut forgotten = self.pruned_day.lock().unwrap_or_else(PoisonError::into_inner);
        if *forgotten != day {
            let sql = "delete from posted where club = $1 and day < $2";
            self.session().execute(sql, &[&self.club, &unix_day(before)])?;
            *forgotten = day;
        }
        Ok(())
    }

    fn write_journal(&self, _: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    fn read_only_reason(&self) -> Option<StoreError> {
        self.is_incomplete.load(Ordering::Relaxed).then(StoreError::unfinished_restore)
    }

    fn begin_rebuild(&self) -> Result<(), StoreError> {
        self.worker.lock_exclusively(self.club)?;
        // What was left of an earlier attempt goes.
        self.session().run_transaction(|tx| {
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
        let session = &mut self.session();
        // Else it would take a table for empty for a minute more.
        schema::analyze_tables(session)?;
        let sql = "update house set rebuilding = false where club = $1";
        Ok(session.execute(sql, &[&self.club]).map(drop)?)
    }

    fn as_shared(&self) -> Option<&dyn SharedStore> {
        Some(self)
    }

    fn migration(&self) -> &dyn Migration {
        self
    }

    fn file_stamp(&self) -> Option<FileStamp> {
        None
    }

    fn list_problems(&self, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        Ok(health::find_problems(&mut self.session(), now)?)
    }
}

/// There is no journal that could lack anything.
impl JournalChecks for Postgres {}
