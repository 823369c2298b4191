//! Several workers on one club: a worker's connections, claims and leases, and its registration.

use super::leases::{self, Lease, LeaseRequest};
use super::row_revisions::hash_text;
use super::sql_session::{Session, SqlParam, TxError};
use super::{Postgres, inbox, lanes};
use crate::store::{HeldLetter, InboxLetter, NewInboxLetter, SharedStore, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The largest number of letters that a worker claims at once while other workers run.
const SHARED_CLAIM_MAX: usize = 250;
/// The age up to which a lease is not renewed, since each renewal leaves a dead row. A lease lasts
/// three minutes, so after this check at least two and a half are left for sending one letter.
const RENEW_AFTER: Duration = Duration::from_secs(30);
/// The age up to which a lease is taken for valid without asking the server.
const CHECK_AFTER: Duration = Duration::from_secs(1);
/// The shortest interval between two notes that a worker has read an inbound transport.
const TRANSPORT_NOTE_INTERVAL: TimeDelta = TimeDelta::seconds(10);

/// One worker's connections to the server, and what it has claimed and leased.
pub(super) struct WorkerState {
    /// The connection for claiming lanes and leasing shards.
    claim_session: Mutex<Session>,
    /// The connection that locks the club's row (shared) and the worker's row for as long as it
    /// lives. So no process can rebuild the club, and other workers can tell that this one runs.
    presence_session: Mutex<Session>,
    claims: Mutex<WorkerClaims>,
    /// The worker's unique name.
    pub(super) name: String,
}

#[derive(Default)]
struct WorkerClaims {
    has_lanes: bool,
    /// The worker's current lease of queued letters, and when it was written or renewed.
    leased: Option<(Lease, Instant)>,
    /// A key above those of all letters that were queued when this pass began to lease.
    next_key: i64,
    /// The number of other running workers when they were last counted.
    other_workers: usize,
    /// The inbound transport that was last noted as read, and the time.
    noted_transport: Option<(String, DateTime<Utc>)>,
}

impl WorkerState {
    /// Creates a worker that claims on the connection `line` and is registered by `holder`.
    pub(super) fn new(mut line: Session, mut holder: Session) -> Result<Self, TxError> {
        let row = line.query_optional("select gen_random_uuid()::text", &[])?;
        let name = row.map_or_else(String::new, |row| row.get(0));
        // Leases need not survive a crash of the server, which also ends all workers. So their
        // commits need not wait for the disk.
        line.execute_batch("set synchronous_commit = off")?;
        holder.execute_batch("set idle_in_transaction_session_timeout = 0; begin")?;
        let (line, holder) = (Mutex::new(line), Mutex::new(holder));
        Ok(Self { claim_session: line, presence_session: holder, claims: Mutex::default(), name })
    }

    /// Locks the club's row (shared) and the worker's own row. Returns `false` if that row is
    /// missing: another worker took this one for dead and deleted it. Releases all locks for a
    /// moment first, because the server cannot remove dead rows while a transaction stays open.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if another process holds the club exclusively.
    fn lock_club_and_worker_row(&self, club: i64) -> Result<bool, TxError> {
        let mut holder = self.lock_presence_session();
        holder.execute_batch("commit; begin")?;
        holder.query_optional("select id from club where id = $1 for share nowait", &[&club])?;
        let sql = "select worker from worker where club = $1 and worker = $2 for update";
        Ok(holder.query_optional(sql, &[&club, &self.name])?.is_some())
    }

    /// Locks the club's row exclusively, so that no other worker can open the club.
    ///
    /// # Errors
    /// [`StoreError::Locked`] if other workers run.
    pub(super) fn lock_exclusively(&self, club: i64) -> Result<(), TxError> {
        let mut holder = self.lock_presence_session();
        // Waits up to two seconds, because the server can take a moment to end a connection that
        // was just closed.
        holder.execute_batch("savepoint alone; set local lock_timeout = '2s'")?;
        let held = holder.query_optional("select id from club where id = $1 for update", &[&club]);
        if held.is_err() {
            holder.execute_batch("rollback to savepoint alone")?;
        }
        held.map(drop)
    }

    /// Returns the shards to which the outbox is limited; `None` if it shows all.
    pub(super) fn leased_shards(&self) -> Option<Vec<i16>> {
        match &self.lock_claims().leased {
            Some((Lease::Shards(shards, _), _)) => Some(shards.clone()),
            Some((Lease::All, _)) | None => None,
        }
    }

    /// Returns the SQL of the statements sent so far on the worker's two connections.
    pub(super) fn prepared_statements(&self) -> Vec<&'static str> {
        let (line, holder) = (self.lock_claim_session(), self.lock_presence_session());
        line.prepared_statements().chain(holder.prepared_statements()).collect()
    }

    fn lock_claims(&self) -> MutexGuard<'_, WorkerClaims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_presence_session(&self) -> MutexGuard<'_, Session> {
        self.presence_session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_claim_session(&self) -> MutexGuard<'_, Session> {
        self.claim_session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Postgres {
    /// Releases all lanes that this worker has claimed, then claims new ones with `work`.
    fn release_and_claim_lanes<T>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<Vec<T>, TxError>,
    ) -> Result<Vec<T>, StoreError> {
        self.release_lanes()?;
        // Other workers may have changed cached rows since they were read.
        self.clear_row_cache();
        let mut line = self.worker.lock_claim_session();
        let claimed = work(&mut line);
        if claimed.is_err() {
            // If the connection is broken, this fails, and the server rolls back by itself.
            let _ = line.execute_batch("rollback");
        }
        self.worker.lock_claims().has_lanes =
            claimed.as_ref().is_ok_and(|claimed| !claimed.is_empty());
        Ok(claimed?)
    }

    /// Registers this worker, locks the club and the worker's row, deletes dead workers with their
    /// leases, and returns the number of other workers.
    pub(super) fn register_and_count_others(&self) -> Result<usize, StoreError> {
        let (club, name) = self.worker_id();
        let sql = "insert into worker (club, worker) values ($1, $2) on conflict do nothing";
        self.lock_session().execute(sql, &[&club, &name])?;
        while !self.worker.lock_club_and_worker_row(club)? {
            self.lock_session().execute(sql, &[&club, &name])?;
        }
        // A process may have held the club exclusively while the locks were released, and changed
        // any row.
        self.clear_row_cache();
        let others = self.lock_session().run_transaction(|tx| {
            let sql = "with gone as (
                           delete from worker where club = $1 and worker in (
                               select worker from worker where club = $1 and worker <> $2
                               for update skip locked)
                           returning worker)
                       delete from lease where club = $1 and worker in (select worker from gone)";
            tx.execute(sql, &[&club, &name])?;
            let sql = "select count(*) from worker where club = $1 and worker <> $2";
            let row = tx.query_optional(sql, &[&club, &name])?;
            Ok(row.map_or(0, |row| row.get::<_, i64>(0)))
        })?;
        let others = usize::try_from(others).map_err(StoreError::damaged)?;
        self.worker.lock_claims().other_workers = others;
        Ok(others)
    }

    fn worker_id(&self) -> (i64, &str) {
        (self.club, &self.worker.name)
    }
}

impl SharedStore for Postgres {
    fn clear_cache(&self) {
        self.clear_row_cache();
    }

    fn add_to_inbox(&self, letters: &[NewInboxLetter]) -> Result<Vec<String>, StoreError> {
        self.check_writable()?;
        let of_lane: Vec<i64> = letters.iter().map(|letter| letter.lane.into()).collect();
        let names: Vec<&str> = letters.iter().map(|letter| &*letter.name).collect();
        let senders: Vec<Vec<u8>> =
            letters.iter().map(|letter| hash_text(&letter.sender)).collect();
        let received: Vec<Option<DateTime<Utc>>> = letters.iter().map(|one| one.received).collect();
        let raw: Vec<&[u8]> = letters.iter().map(|letter| &*letter.bytes).collect();
        let sql = "with new as (
                select * from unnest($2::text[], $3::bigint[], $4::bytea[], $5::timestamptz[],
                        $6::bytea[])
                    with ordinality as new (name, lane, sender, received, raw, nth)
            ), lanes as (
                insert into lane (club, lane)
                select distinct $1::bigint, lane from new order by lane on conflict do nothing
            ), put as (
                insert into inbox (club, name, place, lane, sender, received, raw)
                select $1, name, nextval('letter_key'), lane, sender, received, raw
                from (select * from new order by nth) as new
                where (select 1 from seen_file
                       where seen_file.club = $1 and seen_file.name = new.name limit 1) is null
                on conflict (club, name) do nothing
                returning name
            )
            select name from new
            where name not in (select name from put) and (
                select 1 from inbox
                where inbox.club = $1 and inbox.name = new.name and inbox.raw = new.raw
                limit 1) is null
            order by nth";
        let given: [SqlParam<'_>; 6] = [&self.club, &names, &of_lane, &senders, &received, &raw];
        let rows = self.lock_session().query_durably(sql, &given)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn has_unprocessed_letters(&self) -> Result<bool, StoreError> {
        // The `order by` makes the server use the index of unprocessed letters. Otherwise it might
        // scan many held letters first.
        let sql = "select (select place from inbox where club = $1 and not held
                       order by place limit 1) is not null";
        Ok(self.query_list(sql, &[], |row| Ok(row.get(0)))?.contains(&true))
    }

    fn claim_letters(&self, most: usize) -> Result<Vec<InboxLetter>, StoreError> {
        let workers = self.worker.lock_claims().other_workers + 1;
        let most = if workers == 1 { most } else { most.min(SHARED_CLAIM_MAX) };
        self.release_and_claim_lanes(|line| lanes::claim_letters(line, self.club, (most, workers)))
    }

    fn remove_from_inbox(&self, names: &[&str]) -> Result<(), StoreError> {
        // Checks `seen_file`, because a letter with this name may have been added to the inbox
        // again since.
        let sql = "delete from inbox where club = $1 and name = any ($2) and not held
                   and exists (select 1 from seen_file
                       where seen_file.club = $1 and seen_file.name = inbox.name)";
        Ok(self.lock_session().execute(sql, &[&self.club, &names]).map(drop)?)
    }

    fn claim_games(&self, games: &[u32]) -> Result<Vec<u32>, StoreError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        self.release_and_claim_lanes(|line| lanes::claim_games(line, self.club, games))
    }

    fn release_lanes(&self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.worker.lock_claims().has_lanes) {
            self.worker.lock_claim_session().execute_batch("commit")?;
        }
        Ok(())
    }

    fn list_quarantined_letters(&self) -> Result<Vec<HeldLetter>, StoreError> {
        let sql = "select name, received from inbox where club = $1 and held order by place";
        self.query_list(sql, &[], |row| Ok(HeldLetter { name: row.get(0), received: row.get(1) }))
    }

    fn quarantined_letter(&self, name: &str) -> Result<Option<InboxLetter>, StoreError> {
        let sql = "select name, received, raw from inbox where club = $1 and name = $2 and held";
        Ok(self.query_list(sql, &[&name], |row| Ok(inbox::read_letter(row)))?.pop())
    }

    fn lease_letters(&self, after: u64, most: usize) -> Result<Option<u64>, StoreError> {
        self.release_lanes()?;
        let mut until = self.worker.lock_claims().next_key;
        if after == 0 {
            until = leases::next_letter_key(&mut self.lock_session(), self.club, until)?;
            self.worker.lock_claims().next_key = until;
        }
        let Ok(after) = i64::try_from(after) else { return Ok(None) };
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let is_alone = self.worker.lock_claims().other_workers == 0;
        let all = (is_alone && after == 0).then_some(LeaseRequest::All);
        for wanted in all.into_iter().chain([LeaseRequest::Next { after, until, most }]) {
            let since = Instant::now();
            let leased = leases::lease_queued_letters(
                &mut self.worker.lock_claim_session(),
                self.worker_id(),
                wanted,
            )?;
            let Some(leased) = leased else { continue };
            let next = match &leased {
                Lease::Shards(_, last) if !leased.is_for_nonmembers() => last.unsigned_abs(),
                Lease::Shards(..) | Lease::All => u64::MAX,
            };
            self.worker.lock_claims().leased = Some((leased, since));
            return Ok(Some(next));
        }
        Ok(None)
    }

    fn renew_leases(&self) -> Result<bool, StoreError> {
        let since = self.worker.lock_claims().leased.as_ref().map(|(_, since)| *since);
        match since.map(|since| since.elapsed()) {
            None => Ok(true),
            Some(age) if age < CHECK_AFTER => Ok(true),
            Some(age) if age < RENEW_AFTER => {
                Ok(leases::is_lease_valid(&mut self.worker.lock_claim_session(), self.worker_id())?)
            }
            Some(_) => {
                let now = Instant::now();
                let is_ours =
                    leases::renew(&mut self.worker.lock_claim_session(), self.worker_id())?;
                if let Some((_, since)) = &mut self.worker.lock_claims().leased {
                    *since = now;
                }
                Ok(is_ours)
            }
        }
    }

    fn release_leases(&self) -> Result<(), StoreError> {
        match self.worker.lock_claims().leased.take() {
            Some(_) => {
                Ok(leases::release(&mut self.worker.lock_claim_session(), self.worker_id())?)
            }
            None => Ok(()),
        }
    }

    fn current_time(&self) -> Result<DateTime<Utc>, StoreError> {
        let row = self.lock_session().query_optional("select clock_timestamp()", &[])?;
        let row = row.ok_or_else(|| StoreError::damaged("the server tells no time"))?;
        Ok(row.get(0))
    }

    fn register_worker(&self) -> Result<usize, StoreError> {
        let others = self.register_and_count_others()?;
        // The club's lock was released for a moment, so the club may have been moved.
        self.check_not_moved()?;
        Ok(others)
    }

    fn note_transport_read(&self, way: &str, at: DateTime<Utc>) -> Result<(), StoreError> {
        let is_young = |noted: &(String, DateTime<Utc>)| {
            noted.0 == way && (at - noted.1).abs() < TRANSPORT_NOTE_INTERVAL
        };
        if self.worker.lock_claims().noted_transport.as_ref().is_some_and(is_young) {
            return Ok(());
        }
        let sql = "insert into way_in (club, way, read_at) values ($1, $2, $3)
                   on conflict (club, way) do update set read_at = excluded.read_at";
        self.lock_session().execute(sql, &[&self.club, &way, &at])?;
        self.worker.lock_claims().noted_transport = Some((way.to_owned(), at));
        Ok(())
    }

    fn transport_read_times(&self) -> Result<Vec<(String, DateTime<Utc>)>, StoreError> {
        let sql = "select way, read_at from way_in where club = $1 order by way";
        self.query_list(sql, &[], |row| Ok((row.get(0), row.get(1))))
    }
}
