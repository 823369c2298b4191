//! Shards of the outbox, and who posts them: by leases, since no lock is held while a mail server
//! is spoken to. Their time is the server's, so clocks of machines do not matter.

use super::rows::hash;
use super::session::{Session, Stop};

/// How many there are.
pub(super) const SHARDS: u8 = 64;

/// The shard of letters to this address.
pub(super) fn of(recipient: &str) -> i16 {
    let first = hash(&recipient.to_lowercase()).first().copied().unwrap_or_default();
    i16::from(first % SHARDS)
}

/// Makes the rows of a club's shards, where there are none.
pub(super) fn make(session: &mut Session, club: i64) -> Result<(), Stop> {
    let shards: Vec<i16> = (0..SHARDS).map(i16::from).collect();
    let sql = "insert into shard (club, shard, holder, until)
               select $1, shard, '', now() from unnest($2::smallint[]) as new (shard)
               on conflict do nothing";
    session.execute(sql, &[&club, &shards]).map(drop)
}

/// What one worker gets of the shards.
#[derive(Clone, Copy)]
pub(super) struct Share {
    /// So many at the most.
    pub(super) most: usize,
    /// One that is among them although no letter waits in it.
    pub(super) besides: Option<i16>,
}

/// Leases shards, from this one on, in their order.
pub(super) fn lease(
    session: &mut Session,
    (club, holder): (i64, &str),
    from: u8,
    share: Share,
) -> Result<Vec<i16>, Stop> {
    // From shard to shard with letters, and not through all of them.
    let sql = "with recursive waits (shard) as (
                   (select shard from outbox where club = $1 and shard >= $3
                    order by shard limit 1)
                   union all
                   select (select shard from outbox where club = $1 and outbox.shard > waits.shard
                           order by shard limit 1)
                   from waits where shard is not null
               )
               update shard set holder = $2, until = now() + interval '2 minutes'
               where club = $1 and shard in (
                   select shard from shard
                   where club = $1 and shard >= $3
                       and shard = any (array(select shard from waits union all
                                            select $5 where exists (select 1 from waits)))
                       and (until <= now() or not exists (
                           select 1 from worker
                           where worker.club = $1 and worker.worker = shard.holder))
                   order by shard limit $4 for update skip locked)
               returning shard";
    let most = i64::try_from(share.most).unwrap_or(i64::MAX);
    let rows = session.rows(sql, &[&club, &holder, &i16::from(from), &most, &share.besides])?;
    let mut leased: Vec<i16> = rows.iter().map(|row| row.get(0)).collect();
    leased.sort_unstable();
    Ok(leased)
}

/// Whether all of these are this holder's.
pub(super) fn are_held(
    session: &mut Session,
    (club, holder): (i64, &str),
    shards: &[i16],
) -> Result<bool, Stop> {
    let sql = "select count(*) from shard
               where club = $1 and shard = any ($3) and holder = $2 and until > now()";
    let held = session.row(sql, &[&club, &holder, &shards])?;
    let held = held.map_or(0, |row| row.get::<_, i64>(0));
    Ok(usize::try_from(held).is_ok_and(|held| held == shards.len()))
}

/// Leases these for another while; whether all still are this holder's.
pub(super) fn renew(
    session: &mut Session,
    (club, holder): (i64, &str),
    shards: &[i16],
) -> Result<bool, Stop> {
    let sql = "update shard set until = now() + interval '2 minutes'
               where club = $1 and holder = $2 and shard = any ($3)";
    let renewed = session.execute(sql, &[&club, &holder, &shards])?;
    Ok(usize::try_from(renewed).is_ok_and(|renewed| renewed == shards.len()))
}

/// Gives these back.
pub(super) fn give_back(
    session: &mut Session,
    (club, holder): (i64, &str),
    shards: &[i16],
) -> Result<(), Stop> {
    let sql = "update shard set holder = '', until = now()
               where club = $1 and holder = $2 and shard = any ($3)";
    session.execute(sql, &[&club, &holder, &shards]).map(drop)
}
