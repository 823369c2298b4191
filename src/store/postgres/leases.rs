//! Who posts which letters of the outbox: by leases, since no lock is held while a mail server is
//! spoken to. Their time is the server's, so clocks of machines do not matter.
//!
//! What is leased are shards. All letters to one address are in one of these, so they leave in
//! their order. Those to strangers are in one of their own, whoever they go to, since a pass
//! sends only the oldest of each domain. There are so many shards that hardly two addresses share
//! one: so a lease holds the next letters in line, whoever they go to, and what was written in one
//! commit, which tells of the same games, is put into words by one worker.

use super::row_revisions::hash_text;
use super::schema;
use super::sql_session::{Session, SqlParam, TxError};
use crate::store::{OutboxLabel, SendPriority};

/// The shard of letters to people who are no members.
const STRANGER_SHARD: i16 = 0;
/// How many shards there are besides that.
const SHARD_COUNT: u16 = i16::MAX.unsigned_abs();

/// The shard of a letter.
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

/// A key that no letter has so far, while all that wait have lesser ones. Where many have come up
/// since the key that was given before, the server knows of it then.
///
/// Nobody looks for the last letter: where many have just left, a server reads what they were.
pub(super) fn draw_next_key(session: &mut Session, club: i64, before: i64) -> Result<i64, TxError> {
    let sql = "select nextval('letter_key'), (select count(*) from (select 1 from outbox
                   where club = $1 and key > $2 order by key limit $3) as new)";
    let Some(row) = session.query_optional(sql, &[&club, &before, &schema::ANALYZE_ROWS_MIN])?
    else {
        return Ok(before);
    };
    if row.get::<_, i64>(1) == schema::ANALYZE_ROWS_MIN {
        schema::analyze_if_outdated(session, "outbox")?;
    }
    Ok(row.get(0))
}

/// Which letters of those that wait are wanted.
#[derive(Clone, Copy)]
pub(super) enum LeaseRequest {
    /// All of them, and all that come up meanwhile.
    All,
    /// Those to members that are next; where there are none, all to those who are no members.
    Next {
        /// The key that those before have at most.
        after: i64,
        /// The key that these have at most.
        until: i64,
        /// How many are looked for; with them all others to the same addresses are leased.
        most: i64,
    },
}

/// What is leased.
pub(super) enum Lease {
    /// All of it.
    All,
    /// These shards, which hold all to members up to this key that nobody else has leased.
    Shards(Vec<i16>, i64),
}

impl Lease {
    /// Whether it is what is written to those who are no members, which is leased last.
    pub(super) fn is_for_strangers(&self) -> bool {
        matches!(self, Self::Shards(shards, _) if *shards == [STRANGER_SHARD])
    }
}

/// Leases what is wanted of the outbox, but for what others have leased who are at work; none when
/// that is nothing.
///
/// Nothing is locked, as whoever is stopped meanwhile would stop all others: what is leased rests
/// on a revision of what all have, and is thought of anew where somebody else was first.
pub(super) fn lease(
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

/// What was to be leased, and whether it is.
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

/// Whether what was leased still is.
pub(super) fn is_held(session: &mut Session, (club, worker): (i64, &str)) -> Result<bool, TxError> {
    let sql = "select 1 from lease
               where club = $1 and worker = $2 and until > clock_timestamp()";
    Ok(session.query_optional(sql, &[&club, &worker])?.is_some())
}

/// Leases the same for another while; whether it still was leased.
pub(super) fn renew(session: &mut Session, (club, worker): (i64, &str)) -> Result<bool, TxError> {
    let sql = "update lease set until = clock_timestamp() + interval '3 minutes'
               where club = $1 and worker = $2 and until > clock_timestamp()";
    Ok(session.execute(sql, &[&club, &worker])? > 0)
}

/// Gives it back.
pub(super) fn release(session: &mut Session, (club, worker): (i64, &str)) -> Result<(), TxError> {
    let sql = "delete from lease where club = $1 and worker = $2";
    session.execute(sql, &[&club, &worker]).map(drop)
}
