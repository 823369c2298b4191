//! Leases: which worker sends which letters of the outbox.
//!
//! A lease needs no lock on a row while a mail server is contacted. It ends after three minutes on
//! the database server's clock, so the clocks of the workers' machines do not matter.
//!
//! Workers lease shards. All letters to one address are in one shard, so they leave in order. All
//! letters to strangers are in shard 0, because a pass sends only the oldest per domain. There are
//! so many shards that two addresses rarely share one. So a worker gets letters that are next to
//! each other in the queue. These mostly come from one commit and tell of one game, and one worker
//! renders them.

use super::row_revisions::hash_text;
use super::schema;
use super::sql_session::{Session, SqlParam, TxError};
use crate::store::{OutboxLabel, SendPriority};

/// The shard of letters to people who are not members.
const STRANGER_SHARD: i16 = 0;
/// The number of shards for letters to members.
const SHARD_COUNT: u16 = i16::MAX.unsigned_abs();

/// Returns the shard of a letter, by its priority class and address.
pub(super) fn letter_shard(recipient: &str, label: Option<&OutboxLabel>) -> i16 {
    match label.map(|label| label.priority) {
        Some(SendPriority::Known | SendPriority::Stranger) => STRANGER_SHARD,
        Some(SendPriority::Game | SendPriority::Answer) | None => address_shard(recipient),
    }
}

fn address_shard(recipient: &str) -> i16 {
    let hash = hash_text(&recipient.to_lowercase());
    let first = [0, 1].map(|place| hash.get(place).copied().unwrap_or_default());
    i16::try_from(u16::from_be_bytes(first) % SHARD_COUNT).map_or(1, |shard| shard + 1)
}

/// Draws a key from the sequence of letter keys, so that all letters queued so far have lower keys.
/// Updates the server's statistics if many letters (100 or more) were queued since the key
/// `before`.
///
/// It does not look for the highest key in the outbox instead, because after many letters have left
/// the server would scan their dead rows.
pub(super) fn next_letter_key(
    session: &mut Session,
    club: i64,
    before: i64,
) -> Result<i64, TxError> {
    let sql = "select nextval('letter_key'), (select count(*) from (select 1 from outbox
                   where club = $1 and key > $2 order by key limit $3) as new)";
    let Some(row) = session.query_optional(sql, &[&club, &before, &schema::ANALYZE_ROWS_MIN])?
    else {
        return Ok(before);
    };
    if row.get::<_, i64>(1) == schema::ANALYZE_ROWS_MIN {
        schema::update_queue_statistics(session, "outbox")?;
    }
    Ok(row.get(0))
}

/// The letters of the outbox that a worker wants to lease.
#[derive(Clone, Copy)]
pub(super) enum LeaseRequest {
    /// The whole outbox, including letters that are queued later.
    All,
    /// The next letters to members; all letters to non-members if there are none.
    Next {
        /// The key after which the search begins: letters with this key or lower ones are left out.
        after: i64,
        /// The highest key to include: letters that were queued later are left out.
        until: i64,
        /// The number of letters to look for. All other letters to their addresses are leased with
        /// them.
        most: i64,
    },
}

/// The letters that a worker has leased.
pub(super) enum Lease {
    /// The whole outbox is leased.
    All,
    /// These shards are leased. The key is the one up to which this worker or another one has
    /// leased all letters to members.
    Shards(Vec<i16>, i64),
}

impl Lease {
    /// Whether the lease is for the letters to non-members, which are leased after all others.
    pub(super) fn is_for_nonmembers(&self) -> bool {
        matches!(self, Self::Shards(shards, _) if *shards == [STRANGER_SHARD])
    }
}

/// Leases the wanted letters, except those that other running workers have leased. Returns `None`
/// if no letters are left.
///
/// No row stays locked, because a worker that is stopped would then block all others. Instead, the
/// lease is written only if the shared revision `leases` has not changed since it was read.
/// Otherwise another worker was faster, and the lease is computed again.
pub(super) fn lease_queued_letters(
    session: &mut Session,
    club_and_worker: (i64, &str),
    wanted: LeaseRequest,
) -> Result<Option<Lease>, TxError> {
    let sql = "select coalesce((
                   select number from revision where club = $1 and name = 'leases'), 0)";
    loop {
        let seen = session.query_optional(sql, &[&club_and_worker.0])?.map_or(0, |row| row.get(0));
        let leased = match wanted {
            LeaseRequest::All => try_lease_all(session, club_and_worker, seen),
            LeaseRequest::Next { after, until, most } => {
                try_lease_shards(session, club_and_worker, seen, (after, until, most))
            }
        };
        match leased? {
            Some((_, false)) => {}
            Some((leased, true)) => return Ok(Some(leased)),
            None => return Ok(None),
        }
    }
}

/// A lease that was computed, and whether it was written to the database; `None` if no letters are
/// left.
type LeaseAttempt = Option<(Lease, bool)>;

fn try_lease_all(
    session: &mut Session,
    (club, worker): (i64, &str),
    seen: i64,
) -> Result<LeaseAttempt, TxError> {
    let sql = "with free as (
                   select $1::bigint as club where not exists (
                       select 1 from lease, worker
                       where lease.club = $1 and lease.worker <> $2 and until > clock_timestamp()
                           and worker.club = $1 and worker.worker = lease.worker)
                       and (select key from outbox where club = $1 order by key limit 1)
                           is not null
               ), turn as (
                   insert into revision (club, name, number) select club, 'leases', 1 from free
                   on conflict (club, name) do update set number = revision.number + 1
                   where revision.number = $3
                   returning club
               ), noted as (
                   insert into lease (club, worker, until, shards)
                   select club, $2, clock_timestamp() + interval '3 minutes', null from turn
                   on conflict (club, worker)
                   do update set until = excluded.until, shards = excluded.shards
               )
               select exists (select 1 from turn) from free";
    let row = session.query_optional(sql, &[&club, &worker, &seen])?;
    Ok(row.map(|row| (Lease::All, row.get(0))))
}

fn try_lease_shards(
    session: &mut Session,
    (club, worker): (i64, &str),
    seen: i64,
    (after, until, most): (i64, i64, i64),
) -> Result<LeaseAttempt, TxError> {
    let sql = "with theirs as (
                   select shards from lease, worker
                   where lease.club = $1 and lease.worker <> $2 and until > clock_timestamp()
                       and worker.club = $1 and worker.worker = lease.worker
               ), to_members as (
                   select key, shard from outbox
                   where club = $1 and key > $4 and key <= $5 and shard <> 0
                       and shard not in (select unnest(shards) from theirs)
                       and not exists (select 1 from theirs where shards is null)
                   order by key limit $6
               ), to_strangers as (
                   select key, shard from outbox
                   where club = $1 and shard = 0 and not exists (select 1 from to_members)
                       and not exists (
                           select 1 from theirs where shards is null or 0 = any (shards))
                   order by key limit 1
               ), ours as (
                   select array_agg(distinct shard) as shards,
                       case when count(*) < $6 then $5 else max(key) end as last
                   from (select * from to_members union all select * from to_strangers) as next
               ), turn as (
                   insert into revision (club, name, number)
                   select $1, 'leases', 1 from ours where shards is not null
                   on conflict (club, name) do update set number = revision.number + 1
                   where revision.number = $3
                   returning club
               ), noted as (
                   insert into lease (club, worker, until, shards)
                   select $1, $2, clock_timestamp() + interval '3 minutes', shards from ours, turn
                   on conflict (club, worker)
                   do update set until = excluded.until, shards = excluded.shards
               )
               select shards, last, exists (select 1 from turn) from ours where shards is not null";
    let given: [SqlParam<'_>; 6] = [&club, &worker, &seen, &after, &until, &most];
    let row = session.query_optional(sql, &given)?;
    Ok(row.map(|row| (Lease::Shards(row.get(0), row.get(1)), row.get(2))))
}

/// Whether this worker's lease of queued letters is still valid.
pub(super) fn is_lease_valid(
    session: &mut Session,
    (club, worker): (i64, &str),
) -> Result<bool, TxError> {
    let sql = "select 1 from lease
               where club = $1 and worker = $2 and until > clock_timestamp()";
    Ok(session.query_optional(sql, &[&club, &worker])?.is_some())
}

/// Extends this worker's lease of queued letters to three minutes from now. Returns `false` if it
/// has expired.
pub(super) fn renew(session: &mut Session, (club, worker): (i64, &str)) -> Result<bool, TxError> {
    let sql = "update lease set until = clock_timestamp() + interval '3 minutes'
               where club = $1 and worker = $2 and until > clock_timestamp()";
    Ok(session.execute(sql, &[&club, &worker])? > 0)
}

/// Ends this worker's lease of queued letters.
pub(super) fn release(session: &mut Session, (club, worker): (i64, &str)) -> Result<(), TxError> {
    let sql = "delete from lease where club = $1 and worker = $2";
    session.execute(sql, &[&club, &worker]).map(drop)
}
