//! Rows with their revisions, several by one statement: a round trip each would be most of the
//! time that a letter takes.
//!
//! What is kept is looked up row by row, by subqueries of one row and not by joins or `exists`:
//! those a server that takes a table for small would do by reading all of it. The same holds
//! wherever rows of a great table are looked for.

use super::columns::{self, number};
use super::known::{Counted, Game, Single};
use super::rows::{hash, name};
use super::session::{Session, Stop};
use crate::store::{Row, Sitting, StoreError, from_json};
use postgres::types::ToSql;
use std::collections::HashMap;

/// Most of what is counted is limited by how often it was within a day.
const DAY: i64 = 86_400;

type Found<T> = Result<T, Stop>;

/// These games, each with who sits there; also of those that are not there.
pub(super) fn games(session: &mut Session, club: i64, games: &[u32]) -> Found<Vec<(u32, Game)>> {
    let sql = "select new.game,
                   coalesce((select number from revision
                       where club = $1 and revision.name = new.name), 0),
                   coalesce(lines, 0), due_at, clock, room,
                   array(select body from seat where club = $1 and seat.game = new.game
                       order by seat)
               from unnest($2::bigint[], $3::text[]) as new (game, name)
               left join lateral (
                   select lines, due_at, clock, room from game
                   where club = $1 and game.game = new.game limit 1) as game on true";
    let names = games.iter().map(|game| name(&Row::Game(*game)));
    let rows = numbered(session, sql, club, (games, names.collect()))?;
    let read = rows.iter().map(|row| {
        let game = Game {
            revision: columns::revision(row, 1),
            lines: number(row, 2)?,
            due: row.get(3),
            clock: row.get(4),
            room: row.get(5),
            seats: row.get(6),
        };
        Ok((number(row, 0)?, game))
    });
    read.collect()
}

/// The logs of these games; empty ones of those that are not there.
pub(super) fn logs(
    session: &mut Session,
    club: i64,
    games: &[u32],
) -> Found<HashMap<u32, Vec<String>>> {
    let mut logs: HashMap<u32, Vec<String>> =
        games.iter().map(|game| (*game, Vec::new())).collect();
    if games.is_empty() {
        return Ok(logs);
    }
    let wanted: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    let sql = "select game, line from log where club = $1 and game = any ($2) order by game, seq";
    for row in session.rows(sql, &[&club, &wanted])? {
        logs.entry(number(&row, 0)?).or_default().push(row.get(1));
    }
    Ok(logs)
}

/// The members of these numbers; also of those that are not there.
pub(super) fn members(
    session: &mut Session,
    club: i64,
    members: &[u32],
) -> Found<Vec<(u32, Single)>> {
    let sql = "select new.member,
                   coalesce((select number from revision
                       where club = $1 and revision.name = new.name), 0),
                   (select body from member where club = $1 and member.member = new.member)
               from unnest($2::bigint[], $3::text[]) as new (member, name)";
    let names = members.iter().map(|member| name(&Row::Member(*member)));
    let rows = numbered(session, sql, club, (members, names.collect()))?;
    rows.iter().map(|row| Ok((number(row, 0)?, single(row)))).collect()
}

/// What is kept under those of these rows that are addresses, letters or files; also where nothing
/// is.
pub(super) fn singles(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
) -> Found<Vec<(Row, Single)>> {
    let addresses = "select new.name,
            coalesce((select number from revision
                where club = $1 and revision.name = new.name), 0),
            (select member::text from address where club = $1 and address = new.kept)
        from unnest($2::text[], $3::bytea[]) as new (name, kept)";
    let letters = "select new.name,
            coalesce((select number from revision
                where club = $1 and revision.name = new.name), 0),
            (select body from seen_letter where club = $1 and digest = new.kept)
        from unnest($2::text[], $3::bytea[]) as new (name, kept)";
    let files = "select new.name,
            coalesce((select number from revision
                where club = $1 and revision.name = new.name), 0),
            (select fate from seen_file where club = $1 and seen_file.name = new.kept)
        from unnest($2::text[], $3::text[]) as new (name, kept)";
    let mut found = of_kind(session, club, addresses, rows, |row| match row {
        Row::Address(address) => Some(hash(address)),
        _ => None,
    })?;
    found.extend(of_kind(session, club, letters, rows, |row| match row {
        Row::Letter(digest) => Some(digest.to_vec()),
        _ => None,
    })?);
    found.extend(of_kind(session, club, files, rows, |row| match row {
        Row::File(file) => Some(file.clone()),
        _ => None,
    })?);
    Ok(found)
}

/// Those of these rows of which `key` says under what they are kept.
fn of_kind<K: ToSql + Sync>(
    session: &mut Session,
    club: i64,
    sql: &'static str,
    rows: &[&Row],
    key: impl Fn(&Row) -> Option<K>,
) -> Found<Vec<(Row, Single)>> {
    let (mut of_name, mut keys) = (HashMap::new(), HashMap::new());
    for row in rows {
        if let Some(kept) = key(row) {
            keys.insert(name(row), kept);
            of_name.insert(name(row), (*row).clone());
        }
    }
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let (names, kept): (Vec<String>, Vec<K>) = keys.into_iter().unzip();
    let rows = session.rows(sql, &[&club, &names, &kept])?;
    let read =
        rows.iter().filter_map(|row| Some((of_name.remove(row.get::<_, &str>(0))?, single(row))));
    Ok(read.collect())
}

/// How often this was counted within a day before it was last.
pub(super) fn counted(session: &mut Session, club: i64, account: &str) -> Found<Counted> {
    let sql = "select coalesce(number, 0), coalesce(recent.since, 0),
                   array(select at from answer
                       where club = $1 and account = $3 and at >= recent.since order by at),
                   array(select times from answer
                       where club = $1 and account = $3 and at >= recent.since order by at)
               from (select max(at) - $4 as since from answer
                   where club = $1 and account = $3) as recent
               left join revision on revision.club = $1 and revision.name = $2";
    let row_name = name(&Row::Answers(account.to_owned()));
    let row = session.row(sql, &[&club, &row_name, &hash(account), &DAY])?;
    let row = row.ok_or_else(|| StoreError::damaged("a count answers nothing"))?;
    let (at, times): (Vec<i64>, Vec<i64>) = (row.get(2), row.get(3));
    Ok(Counted {
        revision: columns::revision(&row, 0),
        since: row.get(1),
        times: at.into_iter().zip(times).collect(),
    })
}

/// The members who sit here, as seats are kept.
pub(super) fn sitting(seats: &[String]) -> impl Iterator<Item = u32> {
    let sits = |json: &String| from_json::<Sitting>(json.as_bytes()).ok();
    seats.iter().filter_map(sits).map(|sitting| sitting.member)
}

/// What is asked of numbers and the names of their rows; nothing is asked of none.
fn numbered(
    session: &mut Session,
    sql: &'static str,
    club: i64,
    (numbers, names): (&[u32], Vec<String>),
) -> Found<Vec<postgres::Row>> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let numbers: Vec<i64> = numbers.iter().map(|number| i64::from(*number)).collect();
    session.rows(sql, &[&club, &numbers, &names])
}

/// A revision, and the text that is kept under it.
fn single(row: &postgres::Row) -> Single {
    Single { revision: columns::revision(row, 1), text: row.get(2) }
}
