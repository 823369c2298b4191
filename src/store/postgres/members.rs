//! Questions about members: who they are, where they sit.

use super::columns::{number, whole};
use super::read::after;
use super::session::{Given, Session, Stop};
use crate::club::Member;
use crate::rules::Seat;
use crate::store::StoreError;
use serde::de::DeserializeOwned;

type Found<T> = Result<T, Stop>;

pub(super) fn all(session: &mut Session, club: i64) -> Found<Vec<Member>> {
    bodies(session, "select body from member where club = $1 order by member", &[&club])
}

pub(super) fn next(session: &mut Session, club: i64) -> Found<u32> {
    let sql = "select member from member where club = $1 order by member desc limit 1";
    let last = session.row(sql, &[&club])?.map(|row| number(&row, 0)).transpose()?;
    Ok(after(last)?)
}

pub(super) fn seats_of(session: &mut Session, club: i64, member: u32) -> Found<Vec<(u32, Seat)>> {
    let sql = "select game, seat from seat where club = $1 and member = $2 order by game, seat";
    let rows = session.rows(sql, &[&club, &i64::from(member)])?;
    let place = |row: &postgres::Row| {
        let seat = u8::try_from(row.get::<_, i16>(1)).map_err(StoreError::damaged)?;
        Ok((number(row, 0)?, Seat::new(seat)))
    };
    rows.iter().map(place).collect()
}

fn bodies<T: DeserializeOwned>(
    session: &mut Session,
    sql: &'static str,
    given: &[Given<'_>],
) -> Found<Vec<T>> {
    let rows = session.rows(sql, given)?;
    let bodies = rows.iter().filter_map(|row| whole(row, 0).transpose());
    Ok(bodies.collect::<Result<_, StoreError>>()?)
}
