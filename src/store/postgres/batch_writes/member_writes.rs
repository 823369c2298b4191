//! Writing a batch's changes to members, to the owners of addresses, and to seats.

use super::{hash_text, to_json};
use crate::club::{Member, SeatAssignment};
use crate::store::Batch;
use crate::store::postgres::columns::{read_number, read_strict_json};
use crate::store::postgres::sql_session::{Session, TxError};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn apply_member_changes(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
) -> Result<(), TxError> {
    if !batch.members.is_empty() {
        update_members(tx, club, batch)?;
    }
    write_seats(tx, club, batch)
}

fn update_members(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let ids: BTreeSet<i64> = batch.members.iter().map(|member| member.id.into()).collect();
    let ids: Vec<i64> = ids.into_iter().collect();
    let mut known: BTreeMap<u32, Member> = BTreeMap::new();
    let sql = "select body from member where club = $1 and member = any($2)";
    for row in tx.query(sql, &[&club, &ids])? {
        let member: Member = read_strict_json(&row, 0)?;
        known.insert(member.id, member);
    }
    let before = known.values().flat_map(|member| &member.addresses);
    let all = before.chain(batch.members.iter().flat_map(|member| &member.addresses));
    let all: Vec<Vec<u8>> = all.map(|address| hash_text(address)).collect();
    let mut owners: BTreeMap<Vec<u8>, u32> = BTreeMap::new();
    let sql = "select new.address, member from unnest($2::bytea[]) as new (address),
               lateral (select member from address
                   where club = $1 and address.address = new.address limit 1) as address";
    for row in tx.query(sql, &[&club, &all])? {
        owners.insert(row.get(0), read_number(&row, 1)?);
    }
    // An address belongs to the member who got it last. If a member gives up an address that
    // belongs to another one by now, its owner stays.
    for member in &batch.members {
        let before = known.insert(member.id, member.clone()).unwrap_or_default();
        for address in before.addresses.iter().filter(|old| !member.addresses.contains(old)) {
            let address = hash_text(address);
            if owners.get(&address) == Some(&member.id) {
                owners.remove(&address);
            }
        }
        owners.extend(member.addresses.iter().map(|address| (hash_text(address), member.id)));
    }
    write_member_bodies(tx, club, known.values())?;
    write_addresses(tx, club, &all, owners)
}

/// Writes members without the index of their addresses. Each member may occur only once.
pub(in crate::store::postgres) fn write_member_bodies<'m>(
    tx: &mut Session,
    club: i64,
    members: impl Iterator<Item = &'m Member>,
) -> Result<(), TxError> {
    let members = members.map(|member| Ok((i64::from(member.id), to_json(member)?)));
    let (ids, bodies): (Vec<i64>, Vec<String>) = members.collect::<Result<_, TxError>>()?;
    let sql = "insert into member (club, member, body)
               select $1, member, body from unnest($2::bigint[], $3::text[]) as new (member, body)
               on conflict (club, member) do update set body = excluded.body";
    tx.execute_unless_empty(ids.len(), sql, &[&club, &ids, &bodies])
}

fn write_addresses(
    tx: &mut Session,
    club: i64,
    all: &[Vec<u8>],
    owners: BTreeMap<Vec<u8>, u32>,
) -> Result<(), TxError> {
    let free: Vec<&Vec<u8>> = all.iter().filter(|address| !owners.contains_key(*address)).collect();
    let sql = "delete from address where club = $1 and address = any($2)";
    tx.execute_unless_empty(free.len(), sql, &[&club, &free])?;
    let owners = owners.into_iter().map(|(address, member)| (address, i64::from(member)));
    let (addresses, members): (Vec<Vec<u8>>, Vec<i64>) = owners.collect();
    let sql = "insert into address (club, address, member)
               select $1, address, member
               from unnest($2::bytea[], $3::bigint[]) as new (address, member)
               on conflict (club, address) do update set member = excluded.member";
    tx.execute_unless_empty(members.len(), sql, &[&club, &addresses, &members])
}

fn write_seats(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let seats = batch.seats.iter().map(|(game, seat, seated)| ((*game, seat.number()), seated));
    let last: BTreeMap<(u32, u8), &SeatAssignment> = seats.collect();
    let bodies = last.values().map(to_json).collect::<Result<Vec<_>, _>>()?;
    let rows = last
        .into_iter()
        .map(|((game, seat), seated)| (i64::from(game), i16::from(seat), i64::from(seated.member)));
    let (games, places, members): (Vec<i64>, Vec<i16>, Vec<i64>) = rows.collect();
    let sql = "insert into seat (club, game, seat, member, body)
               select $1, game, seat, member, body
               from unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::text[])
                   as new (game, seat, member, body)
               on conflict (club, game, seat)
               do update set member = excluded.member, body = excluded.body";
    tx.execute_unless_empty(games.len(), sql, &[&club, &games, &places, &members, &bodies])
}
