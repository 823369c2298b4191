//! Rows with their revisions, several by one statement: a round trip for each would be most of the
//! time that a letter takes.
//!
//! The statements look rows up by subqueries of one row and not by joins or `exists`: a server that
//! takes a table for small would read all of it for those. The same holds wherever rows of a great
//! table are looked for.

use super::columns::{self, number};
use super::known::{Counted, Game, House, Kept, What};
use super::rows::{hash, name};
use super::session::{Given, Session, Stop};
use crate::store::{Row, Sitting, StoreError, from_json};
use std::collections::HashMap;
use std::sync::Arc;

/// The seconds of a day: most of what is counted is limited by how often it was within one.
const DAY: i64 = 86_400;

type Found<T> = Result<T, Stop>;

/// A game by its number, with its log if it was wanted.
type Fetched = (u32, Kept, Option<Vec<String>>);

/// Returns the number of a row that is a game.
pub(super) fn game_of(row: &Row) -> Option<u32> {
    match row {
        Row::Game(game) => Some(*game),
        _ => None,
    }
}

/// Fetches the games among these rows with their players, and their logs if wanted. Gives an empty
/// row for a game that is not there.
pub(super) fn games(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
    logs: bool,
) -> Found<Vec<Fetched>> {
    let of_names = rows.iter().filter_map(|row| Some((i64::from(game_of(row)?), name(row))));
    let (games, names): (Vec<i64>, Vec<String>) = of_names.collect();
    if games.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select new.game,
                   coalesce((select number from revision
                       where club = $1 and revision.name = new.name), 0),
                   coalesce(lines, 0), due_at, clock, room,
                   array(select body from seat where club = $1 and seat.game = new.game
                       order by seat),
                   case when $4 then array(select line from log
                       where club = $1 and log.game = new.game order by seq) end
               from unnest($2::bigint[], $3::text[]) as new (game, name)
               left join lateral (
                   select lines, due_at, clock, room from game
                   where club = $1 and game.game = new.game limit 1) as game on true";
    let rows = session.rows(sql, &[&club, &games, &names, &logs])?;
    let read = rows.iter().map(|row| {
        let game = Game {
            lines: number(row, 2)?,
            due: row.get(3),
            clock: row.get(4),
            room: row.get(5),
            seats: row.get(6),
        };
        Ok((number(row, 0)?, kept(row, What::Game(Arc::new(game))), row.get(7)))
    });
    read.collect()
}

/// Fetches the logs of games. Gives an empty log for a game that is not there.
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

/// Fetches the members, addresses, letters and files among these rows; also those that are not
/// there.
pub(super) fn texts(session: &mut Session, club: i64, rows: &[&Row]) -> Found<Vec<(Row, Kept)>> {
    let (mut members, mut addresses) = (Keys::default(), Keys::default());
    let (mut letters, mut files) = (Keys::default(), Keys::default());
    let mut of_name: HashMap<String, Row> = HashMap::new();
    for row in rows {
        let name = name(row);
        match row {
            Row::Member(member) => members.extend([(name.clone(), i64::from(*member))]),
            Row::Address(address) => addresses.extend([(name.clone(), hash(address))]),
            Row::Letter(digest) => letters.extend([(name.clone(), digest.to_vec())]),
            Row::File(file) => files.extend([(name.clone(), file.clone())]),
            _ => continue,
        }
        of_name.insert(name, (*row).clone());
    }
    if of_name.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "with kept (name, text) as (
                   select name, (select member::text from address
                       where club = $1 and address = new.key)
                   from unnest($2::text[], $3::bytea[]) as new (name, key)
                   union all
                   select name, (select body from seen_letter
                       where club = $1 and digest = new.key)
                   from unnest($4::text[], $5::bytea[]) as new (name, key)
                   union all
                   select name, (select fate from seen_file
                       where club = $1 and seen_file.name = new.key)
                   from unnest($6::text[], $7::text[]) as new (name, key)
                   union all
                   select name, (select body from member
                       where club = $1 and member.member = new.key)
                   from unnest($8::text[], $9::bigint[]) as new (name, key)
               )
               select name,
                   coalesce((select number from revision
                       where club = $1 and revision.name = kept.name), 0),
                   text
               from kept";
    let ((a, addresses), (l, letters), (f, files)) = (addresses, letters, files);
    let (m, members) = members;
    let given: [Given<'_>; 9] = [&club, &a, &addresses, &l, &letters, &f, &files, &m, &members];
    let rows = session.rows(sql, &given)?;
    let read = rows.iter().filter_map(|row| {
        let text = row.get::<_, Option<&str>>(2).map(Arc::from);
        Some((of_name.remove(row.get::<_, &str>(0))?, kept(row, What::Text(text))))
    });
    Ok(read.collect())
}

/// The names of rows, and the keys under which they are stored.
type Keys<K> = (Vec<String>, Vec<K>);

/// Fetches how often the accounts among these rows were counted, within the day before the last
/// time.
pub(super) fn counted(session: &mut Session, club: i64, rows: &[&Row]) -> Found<Vec<(Row, Kept)>> {
    let accounts = rows.iter().filter_map(|row| match row {
        Row::Answers(account) => Some(((name(row), hash(account)), (name(row), *row))),
        _ => None,
    });
    let ((names, keys), mut of_name): (Keys<Vec<u8>>, HashMap<String, &Row>) = accounts.collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let sql = "select new.name,
                   coalesce((select number from revision
                       where club = $1 and revision.name = new.name), 0),
                   coalesce(recent.since, 0),
                   array(select at from answer
                       where club = $1 and account = new.account and at >= recent.since
                       order by at),
                   array(select times from answer
                       where club = $1 and account = new.account and at >= recent.since
                       order by at)
               from unnest($2::text[], $3::bytea[]) as new (name, account)
               left join lateral (
                   select max(at) - $4 as since from answer
                   where club = $1 and account = new.account) as recent on true";
    let rows = session.rows(sql, &[&club, &names, &keys, &DAY])?;
    let read = rows.iter().filter_map(|row| {
        let (at, times): (Vec<i64>, Vec<i64>) = (row.get(3), row.get(4));
        let times = at.into_iter().zip(times).collect();
        let counted = Arc::new(Counted { since: row.get(2), times });
        let account = of_name.remove(row.get::<_, &str>(0))?.clone();
        Some((account, kept(row, What::Counted(counted))))
    });
    Ok(read.collect())
}

/// Fetches the row of what a club has one of, and the revisions of rows that are asked for by
/// themselves.
pub(super) fn others(session: &mut Session, club: i64, rows: &[&Row]) -> Found<Vec<(Row, Kept)>> {
    let mut found = Vec::new();
    for row in rows {
        let kept = match row {
            Row::House => house(session, club)?,
            Row::SeatsOf(_) | Row::Campaign(_) => {
                Kept { revision: super::rows::revision(session, club, row)?, what: What::Unread }
            }
            _ => continue,
        };
        found.push(((*row).clone(), kept));
    }
    Ok(found)
}

fn house(session: &mut Session, club: i64) -> Found<Kept> {
    let sql = "select moderator, coalesce((select number from revision
                       where club = $1 and revision.name = $2), 0),
                   clocks, heartbeat, morning, restored,
                   (select 1 from unread where unread.club = $1 limit 1) is not null
               from house where club = $1";
    let row = session.row(sql, &[&club, &name(&Row::House)])?;
    let row = row.ok_or_else(|| StoreError::damaged("a club has no house"))?;
    let house = House {
        moderator: number(&row, 0)?,
        clocks: row.get(2),
        heartbeat: row.get(3),
        morning: row.get(4),
        restored: row.get(5),
        unread: row.get(6),
    };
    Ok(kept(&row, What::House(Arc::new(house))))
}

/// Returns the members who play at these seats.
pub(super) fn players(seats: &[String]) -> impl Iterator<Item = u32> {
    let sits = |json: &String| from_json::<Sitting>(json.as_bytes()).ok();
    seats.iter().filter_map(sits).map(|sitting| sitting.member)
}

/// Joins the content of a row to its revision, which is the second column.
fn kept(row: &postgres::Row, what: What) -> Kept {
    Kept { revision: columns::revision(row, 1), what }
}
