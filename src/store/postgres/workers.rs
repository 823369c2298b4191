//! Several workers on one club: what each holds, who else is there, and what he shares.

use super::leases::{self, Leased, Wanted};
use super::rows::hash;
use super::session::{Given, Session, Stop};
use super::{Postgres, inbox, lanes};
use crate::store::{HandedIn, InHand, OnHold, Shared, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So many letters are claimed at once where others are at work.
const BESIDE_OTHERS: usize = 250;
/// The age up to which a lease is not renewed, since each renewal leaves an old row. A lease lasts
/// three minutes, so at least as long from here as a server may take for one letter.
const FRESH: Duration = Duration::from_secs(30);
/// One younger than this is not even looked at.
const NEW: Duration = Duration::from_secs(1);
/// How often a way in is noted as read.
const NOTED_EVERY: TimeDelta = TimeDelta::seconds(10);

/// What one worker holds.
pub(super) struct Hands {
    /// The line by which lanes are claimed and shards are leased.
    line: Mutex<Session>,
    /// The line that holds the club and the worker's own row by locks, for as long as it lives: so
    /// nobody makes the club anew meanwhile, and others know who is at work.
    holder: Mutex<Session>,
    held: Mutex<Held>,
    /// What this worker is called, which no other is.
    pub(super) name: String,
}

#[derive(Default)]
struct Held {
    /// Whether lanes are claimed.
    lanes: bool,
    /// What of the outbox is leased, and since when.
    leased: Option<(Leased, Instant)>,
    /// All letters that waited when this pass began to lease have lesser keys.
    next_key: i64,
    /// How many others are at work, as far as is known.
    others: usize,
    /// The way in that was noted as read, and when that was.
    noted: Option<(String, DateTime<Utc>)>,
}

impl Hands {
    /// A worker who claims by the one line and is known by the other.
    pub(super) fn new(mut line: Session, mut holder: Session) -> Result<Self, Stop> {
        let row = line.row("select gen_random_uuid()::text", &[])?;
        let name = row.map_or_else(String::new, |row| row.get(0));
        // What it writes need not outlive the server, whose end is that of all who have leased.
        line.execute_all("set synchronous_commit = off")?;
        holder.execute_all("set idle_in_transaction_session_timeout = 0; begin")?;
        let (line, holder) = (Mutex::new(line), Mutex::new(holder));
        Ok(Self { line, holder, held: Mutex::default(), name })
    }

    /// Holds the club beside others who do, and the worker's own row, if that is there: somebody
    /// may just have taken him for dead. All is let go for a moment first: while a transaction goes
    /// on, the server clears nothing away that has become old.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when somebody holds the club alone.
    fn hold(&self, club: i64) -> Result<bool, Stop> {
        let mut holder = self.holder();
        holder.execute_all("commit; begin")?;
        holder.row("select id from club where id = $1 for share nowait", &[&club])?;
        let sql = "select worker from worker where club = $1 and worker = $2 for update";
        Ok(holder.row(sql, &[&club, &self.name])?.is_some())
    }

    /// Holds the club alone.
    ///
    /// # Errors
    /// [`StoreError::Locked`] when there are others.
    pub(super) fn hold_alone(&self, club: i64) -> Result<(), Stop> {
        let mut holder = self.holder();
        // A line that has just been closed may still be known.
        holder.execute_all("savepoint alone; set local lock_timeout = '2s'")?;
        let held = holder.row("select id from club where id = $1 for update", &[&club]);
        if held.is_err() {
            holder.execute_all("rollback to savepoint alone")?;
        }
        held.map(drop)
    }

    /// The shards that the outbox shows; none: all.
    pub(super) fn shown(&self) -> Option<Vec<i16>> {
        match &self.held().leased {
            Some((Leased::Shards(shards, _), _)) => Some(shards.clone()),
            Some((Leased::All, _)) | None => None,
        }
    }

    /// The statements that were sent by its lines so far.
    pub(super) fn known_statements(&self) -> Vec<&'static str> {
        let (line, holder) = (self.line(), self.holder());
        line.known_statements().chain(holder.known_statements()).collect()
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn holder(&self) -> MutexGuard<'_, Session> {
        self.holder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self) -> MutexGuard<'_, Session> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Postgres {
    /// Claims by `work` once what was claimed is let go.
    fn claim_by<T>(
        &self,
        work: impl FnOnce(&mut Session) -> Result<Vec<T>, Stop>,
    ) -> Result<Vec<T>, StoreError> {
        self.let_go()?;
        // What others did meanwhile is not known here.
        self.forget();
        let mut line = self.hands.line();
        let claimed = work(&mut line);
        if claimed.is_err() {
            // On a line that is broken the server does it by itself.
            let _ = line.execute_all("rollback");
        }
        self.hands.held().lanes = claimed.as_ref().is_ok_and(|claimed| !claimed.is_empty());
        Ok(claimed?)
    }

    /// Holds the club and this worker's row, and counts the others.
    pub(super) fn register(&self) -> Result<usize, StoreError> {
        let (club, name) = self.me();
        let sql = "insert into worker (club, worker) values ($1, $2) on conflict do nothing";
        self.session().execute(sql, &[&club, &name])?;
        while !self.hands.hold(club)? {
            self.session().execute(sql, &[&club, &name])?;
        }
        // Whoever held the club alone for a moment may have changed all of it.
        self.forget();
        let others = self.session().transaction(|tx| {
            let sql = "with gone as (
                           delete from worker where club = $1 and worker in (
                               select worker from worker where club = $1 and worker <> $2
                               for update skip locked)
                           returning worker)
                       delete from lease where club = $1 and worker in (select worker from gone)";
            tx.execute(sql, &[&club, &name])?;
            let sql = "select count(*) from worker where club = $1 and worker <> $2";
            let row = tx.row(sql, &[&club, &name])?;
            Ok(row.map_or(0, |row| row.get::<_, i64>(0)))
        })?;
        let others = usize::try_from(others).map_err(StoreError::damaged)?;
        self.hands.held().others = others;
        Ok(others)
    }

    fn me(&self) -> (i64, &str) {
        (self.club, &self.hands.name)
    }
}

impl Shared for Postgres {
    fn look_anew(&self) {
        self.forget();
    }

    fn hand_in(&self, letters: &[HandedIn]) -> Result<Vec<String>, StoreError> {
        self.withheld_now()?;
        let of_lane: Vec<i64> = letters.iter().map(|letter| letter.lane.into()).collect();
        let names: Vec<&str> = letters.iter().map(|letter| &*letter.name).collect();
        let senders: Vec<Vec<u8>> = letters.iter().map(|letter| hash(&letter.sender)).collect();
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
        let given: [Given<'_>; 6] = [&self.club, &names, &of_lane, &senders, &received, &raw];
        let rows = self.session().change(sql, &given)?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    fn has_letters(&self) -> Result<bool, StoreError> {
        // In an order, or many that are held would be passed over before one that waits.
        let sql = "select (select place from inbox where club = $1 and not held
                       order by place limit 1) is not null";
        Ok(self.list(sql, &[], |row| Ok(row.get(0)))?.contains(&true))
    }

    fn claim(&self, most: usize) -> Result<Vec<InHand>, StoreError> {
        let workers = self.hands.held().others + 1;
        let most = if workers == 1 { most } else { most.min(BESIDE_OTHERS) };
        self.claim_by(|line| lanes::claim(line, self.club, (most, workers)))
    }

    fn discard(&self, names: &[&str]) -> Result<(), StoreError> {
        // A letter can be handed in once more in the moment in which it is dealt with.
        let sql = "delete from inbox where club = $1 and name = any ($2) and not held
                   and exists (select 1 from seen_file
                       where seen_file.club = $1 and seen_file.name = inbox.name)";
        Ok(self.session().execute(sql, &[&self.club, &names]).map(drop)?)
    }

    fn claim_games(&self, games: &[u32]) -> Result<Vec<u32>, StoreError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        self.claim_by(|line| lanes::claim_games(line, self.club, games))
    }

    fn let_go(&self) -> Result<(), StoreError> {
        if std::mem::take(&mut self.hands.held().lanes) {
            self.hands.line().execute_all("commit")?;
        }
        Ok(())
    }

    fn held(&self) -> Result<Vec<OnHold>, StoreError> {
        let sql = "select name, received from inbox where club = $1 and held order by place";
        self.list(sql, &[], |row| Ok(OnHold { name: row.get(0), received: row.get(1) }))
    }

    fn held_letter(&self, name: &str) -> Result<Option<InHand>, StoreError> {
        let sql = "select name, received, raw from inbox where club = $1 and name = $2 and held";
        Ok(self.list(sql, &[&name], |row| Ok(inbox::in_hand(row)))?.pop())
    }

    fn lease(&self, after: u64, most: usize) -> Result<Option<u64>, StoreError> {
        self.let_go()?;
        let mut until = self.hands.held().next_key;
        if after == 0 {
            until = leases::next_key(&mut self.session(), self.club, until)?;
            self.hands.held().next_key = until;
        }
        let Ok(after) = i64::try_from(after) else { return Ok(None) };
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let is_alone = self.hands.held().others == 0;
        let all = (is_alone && after == 0).then_some(Wanted::All);
        for wanted in all.into_iter().chain([Wanted::Next { after, until, most }]) {
            let since = Instant::now();
            let leased = leases::lease(&mut self.hands.line(), self.me(), wanted)?;
            let Some(leased) = leased else { continue };
            let next = match &leased {
                Leased::Shards(_, last) if !leased.is_to_strangers() => last.unsigned_abs(),
                Leased::Shards(..) | Leased::All => u64::MAX,
            };
            self.hands.held().leased = Some((leased, since));
            return Ok(Some(next));
        }
        Ok(None)
    }

    fn renew(&self) -> Result<bool, StoreError> {
        let since = self.hands.held().leased.as_ref().map(|(_, since)| *since);
        match since.map(|since| since.elapsed()) {
            None => Ok(true),
            Some(age) if age < NEW => Ok(true),
            Some(age) if age < FRESH => Ok(leases::is_held(&mut self.hands.line(), self.me())?),
            Some(_) => {
                let now = Instant::now();
                let is_ours = leases::renew(&mut self.hands.line(), self.me())?;
                if let Some((_, since)) = &mut self.hands.held().leased {
                    *since = now;
                }
                Ok(is_ours)
            }
        }
    }

    fn give_back(&self) -> Result<(), StoreError> {
        match self.hands.held().leased.take() {
            Some(_) => Ok(leases::give_back(&mut self.hands.line(), self.me())?),
            None => Ok(()),
        }
    }

    fn clock(&self) -> Result<DateTime<Utc>, StoreError> {
        let row = self.session().row("select clock_timestamp()", &[])?;
        let row = row.ok_or_else(|| StoreError::damaged("the server tells no time"))?;
        Ok(row.get(0))
    }

    fn enlist(&self) -> Result<usize, StoreError> {
        let others = self.register()?;
        // It was let go of for a moment.
        self.not_moved()?;
        Ok(others)
    }

    fn note_way_in(&self, way: &str, at: DateTime<Utc>) -> Result<(), StoreError> {
        let is_young =
            |noted: &(String, DateTime<Utc>)| noted.0 == way && (at - noted.1).abs() < NOTED_EVERY;
        if self.hands.held().noted.as_ref().is_some_and(is_young) {
            return Ok(());
        }
        let sql = "insert into way_in (club, way, read_at) values ($1, $2, $3)
                   on conflict (club, way) do update set read_at = excluded.read_at";
        self.session().execute(sql, &[&self.club, &way, &at])?;
        self.hands.held().noted = Some((way.to_owned(), at));
        Ok(())
    }

    fn ways_in(&self) -> Result<Vec<(String, DateTime<Utc>)>, StoreError> {
        let sql = "select way, read_at from way_in where club = $1 order by way";
        self.list(sql, &[], |row| Ok((row.get(0), row.get(1))))
    }
}
