//! A store on a PostgreSQL server, for a club that has outgrown one machine: the same promise, see
//! [`GameStore`].
//!
//! Keys and revisions give truth, the locks of rows only speed: whatever a decision rested on is
//! compared inside of the transaction that writes it. Several clubs may lie in one database. There
//! is no journal in plain text: the server has copies of its own. What lines and letters say it
//! does not know, and no SQL stands anywhere else.

mod change;
mod columns;
mod connect;
mod fetch;
mod health;
mod inbox;
mod known;
mod lanes;
mod leases;
mod outbox;
mod read;
mod removal;
mod rows;
mod schema;
mod session;
mod workers;

pub use self::connect::Server;

use self::known::Known;
use self::session::{Session, Stop};
use self::workers::Hands;
use super::keys::day_of;
use super::{
    Batch, GameStore, Journaled, Moved, ReadSet, Removal, Revision, Row, Shared, Stamp, StoreError,
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
    known: Mutex<Known>,
    /// The day before which it was last forgotten what was posted.
    forgotten: Mutex<Option<i64>>,
    /// Whether the club is not whole, as it was being made anew when that was cut short.
    withheld: AtomicBool,
    hands: Hands,
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
        let store = Self::open_to_fill(server, club, fingerprint)?;
        store.iter().try_for_each(Self::not_moved)?;
        Ok(store)
    }

    /// The same for a club that comes here, and may have been here before.
    ///
    /// # Errors
    /// Those of [`Postgres::open`], but for the last.
    pub fn open_to_fill(
        server: &Server,
        club: &str,
        fingerprint: &[u8],
    ) -> Result<Option<Self>, StoreError> {
        let mut session = server.connect()?;
        schema::bring_up(&mut session)?;
        let Some(club) = rows::club(&mut session, club, fingerprint)? else { return Ok(None) };
        let hands = Hands::new(server.connect()?, server.connect()?)?;
        let store = Self {
            club,
            session: Mutex::new(session),
            known: Mutex::default(),
            forgotten: Mutex::default(),
            withheld: AtomicBool::default(),
            hands,
        };
        store.register()?;
        let sql = "select rebuilding from house where club = $1";
        let withheld = store.list(sql, &[], |row| Ok(row.get(0)))?.contains(&true);
        store.withheld.store(withheld, Ordering::Relaxed);
        Ok(Some(store))
    }

    /// Refuses a club that is elsewhere. Called once the club is held: whoever moved it away did so
    /// before that, or cannot any more.
    fn not_moved(&self) -> Result<(), StoreError> {
        self.moved()?.map_or(Ok(()), |moved| Err(StoreError::Moved(moved)))
    }

    /// Returns where the club was moved to.
    fn moved(&self) -> Result<Option<Moved>, StoreError> {
        let sql = "select moved from house where club = $1";
        Ok(self.list(sql, &[], |row| read::parsed(row.get(0)))?.pop().flatten())
    }

    /// How many statements were sent so far to read and to commit: each is a round trip.
    pub fn statements(&self) -> u64 {
        self.session().statements
    }

    /// The statements that this store has sent so far, each once: who keeps a great club asks the
    /// server how it does them.
    pub fn known_statements(&self) -> Vec<&'static str> {
        let mut known: Vec<&str> = self.session().known_statements().collect();
        known.extend(self.hands.known_statements());
        known
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks what is known, or may be fetched.
    fn ask<T>(
        &self,
        question: impl FnOnce(&mut Known, &mut Session) -> Result<T, Stop>,
    ) -> Result<T, StoreError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(question(&mut known, &mut self.session())?)
    }

    fn withheld_now(&self) -> Result<(), StoreError> {
        self.withheld().map_or(Ok(()), Err)
    }

    /// Forgets what is known.
    fn forget(&self) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl GameStore for Postgres {
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        self.withheld_now()?;
        batch.check()?;
        let changed = batch.rows();
        let done = self.session().transaction(|tx| {
            rows::compare_and_move(tx, self.club, &changed, read)?;
            change::apply(tx, self.club, batch)
        });
        self.forget();
        done.map_err(|stop| match stop {
            // Two that wait for each other rest on what the other one changes.
            Stop::Again => StoreError::Conflict(changed.into_iter().next().unwrap_or(Row::House)),
            Stop::Store(error) => error,
        })
    }

    fn revision(&self, row: &Row) -> Result<Revision, StoreError> {
        Ok(self.ask(|known, session| known.row(session, self.club, row))?.revision)
    }

    fn prefetch(&self, rows: &[Row], whole: bool) -> Result<(), StoreError> {
        self.ask(|known, session| known.prefetch(session, self.club, rows, whole))
    }

    fn forget_posted(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        let day = Some(day_of(before));
        let mut forgotten = self.forgotten.lock().unwrap_or_else(PoisonError::into_inner);
        if *forgotten != day {
            let sql = "delete from posted where club = $1 and day < $2";
            self.session().execute(sql, &[&self.club, &day_of(before)])?;
            *forgotten = day;
        }
        Ok(())
    }

    fn write_journal(&self, _: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    fn withheld(&self) -> Option<StoreError> {
        self.withheld.load(Ordering::Relaxed).then(StoreError::unfinished)
    }

    fn rebuild(&self) -> Result<(), StoreError> {
        self.hands.hold_alone(self.club)?;
        // What was left of an earlier attempt goes.
        self.session().transaction(|tx| {
            schema::clear(tx, self.club, &schema::OF_CLUB)?;
            let sql = "update house set rebuilding = true, clocks = false, moderator = 0,
                           heartbeat = null, morning = null, restored = null, moved = null
                       where club = $1";
            tx.execute(sql, &[&self.club]).map(drop)
        })?;
        self.forget();
        self.withheld.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn rebuilt(&self) -> Result<(), StoreError> {
        let session = &mut self.session();
        // Else it would take a table for empty for a minute more.
        schema::analyze(session)?;
        let sql = "update house set rebuilding = false where club = $1";
        Ok(session.execute(sql, &[&self.club]).map(drop)?)
    }

    fn shared(&self) -> Option<&dyn Shared> {
        Some(self)
    }

    fn removal(&self) -> &dyn Removal {
        self
    }

    fn stamp(&self) -> Option<Stamp> {
        None
    }

    fn to_mend(&self, now: DateTime<Utc>) -> Result<Vec<String>, StoreError> {
        Ok(health::to_mend(&mut self.session(), now)?)
    }
}

/// There is no journal that could lack anything.
impl Journaled for Postgres {}
