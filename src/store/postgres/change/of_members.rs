//! What a batch changes of members: who they are, whose an address is, where they sit.

use super::{hash, json};
use crate::club::Member;
use crate::rules::Seat;
use crate::store::Batch;
use crate::store::postgres::columns::{number, whole};
use crate::store::postgres::session::{Session, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// Writes what a batch says of members and seats.
pub(super) fn apply(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    if !batch.members.is_empty() {
        members(tx, club, batch)?;
    }
    seats(tx, club, batch)
}

fn members(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let ids: BTreeSet<i64> = batch.members.iter().map(|member| member.id.into()).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let mut known: BTreeMap<u32, Member> = BTreeMap::new();
    let sql = "select member, body from member where club = $1 and member = any($2)";
    for row in tx.rows(sql, &[&club, &ids])? {
        known.extend(whole(&row, 1)?.map(|member: Member| (member.id, member)));
    }
    let before = known.values().flat_map(|member| &member.addresses);
    let all = before.chain(batch.members.iter().flat_map(|member| &member.addresses));
    let all: Vec<Vec<u8>> = all.map(|address| hash(address)).collect();
    let mut owners: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    let sql = "select new.address, member from unnest($2::bytea[]) as new (address),
               lateral (select member from address
                   where club = $1 and address.address = new.address limit 1) as address";
    for row in tx.rows(sql, &[&club, &all])? {
        owners.insert(row.get(0), number(&row, 1)?);
    }
    // An address is whose it last was; who gives one up that is another one's by now changes
    // nothing.
    for member in &batch.members {
        let before = known.insert(member.id, member.clone()).unwrap_or_default();
        for address in before.addresses.iter().filter(|old| !member.addresses.contains(old)) {
            let address = hash(address);
            if owners.get(&address) == Some(&member.id) {
                owners.remove(&address);
            }
        }
        owners.extend(member.addresses.iter().map(|address| (hash(address), member.id)));
    }
    write(tx, club, &known)?;
    write_addresses(tx, club, &all, &owners)
}

/// Writes who members are.
pub(super) fn write(
    tx: &mut Session,
    club: i64,
    members: &BTreeMap<u32, Member>,
) -> Result<(), Stop> {
    if members.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = members.keys().map(|id| (*id).into()).collect();
    let bodies = members.values().map(json).collect::<Result<Vec<_>, _>>()?;
    let sql = "insert into member (club, member, body)
               select $1, member, body from unnest($2::bigint[], $3::text[]) as new (member, body)
               on conflict (club, member) do update set body = excluded.body";
    tx.execute(sql, &[&club, &ids, &bodies]).map(drop)
}

fn write_addresses(
    tx: &mut Session,
    club: i64,
    all: &[Vec<u8>],
    owners: &BTreeMap<Vec<u8>, u32>,
) -> Result<(), Stop> {
    let nobodys: Vec<&Vec<u8>> =
        all.iter().filter(|address| !owners.contains_key(*address)).collect();
    if !nobodys.is_empty() {
        let sql = "delete from address where club = $1 and address = any($2)";
        tx.execute(sql, &[&club, &nobodys])?;
    }
    let addresses: Vec<&Vec<u8>> = owners.keys().collect();
    let members: Vec<i64> = owners.values().map(|member| (*member).into()).collect();
    let sql = "insert into address (club, address, member)
               select $1, address, member
               from unnest($2::bytea[], $3::bigint[]) as new (address, member)
               on conflict (club, address) do update set member = excluded.member";
    tx.execute(sql, &[&club, &addresses, &members]).map(drop)
}

fn seats(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let place = |(game, seat): (u32, Seat)| (i64::from(game), i16::from(seat.number()));
    let seats = batch.seats.iter().map(|(game, seat, seated)| (place((*game, *seat)), seated));
    let last: BTreeMap<_, _> = seats.collect();
    if last.is_empty() {
        return Ok(());
    }
    let games: Vec<i64> = last.keys().map(|(game, _)| *game).collect();
    let places: Vec<i16> = last.keys().map(|(_, seat)| *seat).collect();
    let members: Vec<i64> = last.values().map(|seated| seated.member.into()).collect();
    let bodies = last.values().map(json).collect::<Result<Vec<_>, _>>()?;
    let sql = "insert into seat (club, game, seat, member, body)
               select $1, game, seat, member, body
               from unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::text[])
                   as new (game, seat, member, body)
               on conflict (club, game, seat)
               do update set member = excluded.member, body = excluded.body";
    tx.execute(sql, &[&club, &games, &places, &members, &bodies]).map(drop)
}
