//! Rows with their revisions, several by one statement: a round trip each would be most of the
//! time that a letter takes.
//!
//! What is kept is looked up row by row, by subqueries of one row and not by joins or `exists`:
//! those a server that takes a table for small would do by reading all of it. The same holds
//! wherever rows of a great table are looked for.

use super::columns::{self, number};
use super::known::{Counted, Game, House, Single};
use super::rows::{hash, name};
use super::session::{Session, Stop};
use crate::store::{Row, Sitting, StoreError, from_json};
use std::collections::HashMap;

/// Most of what is counted is limited by how often it was within a day.
const DAY: i64 = 86_400;

type Found<T> = Result<T, Stop>;

/// What there is one of in a club.
pub(super) fn house(session: &mut Session, club: i64) -> Found<House> {
    let sql = "select coalesce((select number from revision
                       where club = $1 and revision.name = $2), 0),
                   moderator, clocks, heartbeat, morning, restored,
                   (select 1 from unread where unread.club = $1 limit 1) is not null
               from house where club = $1";
    let row = session.row(sql, &[&club, &name(&Row::House)])?;
    let row = row.ok_or_else(|| StoreError::damaged("a club has no house"))?;
    Ok(House {
        revision: columns::revision(&row, 0),
        moderator: number(&row, 1)?,
        clocks: row.get(2),
        heartbeat: row.get(3),
        morning: row.get(4),
        restored: row.get(5),
        unread: row.get(6),
    })
}

/// A game by its number, and its log if that was wanted.
type Fetched = (u32, Game, Option<Vec<String>>);

/// These games, each with who sits there, and with its log if that is wanted; also of those that
/// are not there.
pub(super) fn games(
    session: &mut Session,
    club: i64,
    games: &[u32],
    logs: bool,
) -> Found<Vec<Fetched>> {
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
    let names: Vec<String> = games.iter().map(|game| name(&Row::Game(*game))).collect();
    let games: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    let rows = session.rows(sql, &[&club, &games, &names, &logs])?;
    let read = rows.iter().map(|row| {
        let game = Game {
            revision: columns::revision(row, 1),
            lines: number(row, 2)?,
            due: row.get(3),
            clock: row.get(4),
            room: row.get(5),
            seats: row.get(6),
        };
        Ok((number(row, 0)?, game, row.get(7)))
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
    if members.is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<String> = members.iter().map(|member| name(&Row::Member(*member))).collect();
    let members: Vec<i64> = members.iter().map(|member| i64::from(*member)).collect();
    let rows = session.rows(sql, &[&club, &members, &names])?;
    rows.iter().map(|row| Ok((number(row, 0)?, single(row)))).collect()
}

/// What is kept under those of these rows that are addresses, letters or files; also where nothing
/// is.
pub(super) fn singles(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
) -> Found<Vec<(Row, Single)>> {
    let mut of_name: HashMap<String, Row> = HashMap::new();
    let (mut addresses, mut letters, mut files) = (Keys::new(), Keys::new(), Keys::new());
    for row in rows {
        let name = name(row);
        match row {
            Row::Address(address) => addresses.add(&name, hash(address)),
            Row::Letter(digest) => letters.add(&name, digest.to_vec()),
            Row::File(file) => files.add(&name, file.clone()),
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
               )
               select name,
                   coalesce((select number from revision
                       where club = $1 and revision.name = kept.name), 0),
                   text
               from kept";
    let (Keys(a, addresses), Keys(l, letters), Keys(f, files)) = (addresses, letters, files);
    let rows = session.rows(sql, &[&club, &a, &addresses, &l, &letters, &f, &files])?;
    let read =
        rows.iter().filter_map(|row| Some((of_name.remove(row.get::<_, &str>(0))?, single(row))));
    Ok(read.collect())
}

/// Rows of one kind, by their names and by what they are kept under.
struct Keys<K>(Vec<String>, Vec<K>);

impl<K> Keys<K> {
    fn new() -> Self {
        Self(Vec::new(), Vec::new())
    }

    fn add(&mut self, name: &str, key: K) {
        self.0.push(name.to_owned());
        self.1.push(key);
    }
}

/// How often these were counted, each within a day before it was last.
pub(super) fn counted(
    session: &mut Session,
    club: i64,
    accounts: &[&str],
) -> Found<Vec<(String, Counted)>> {
    if accounts.is_empty() {
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
    let mut of_name: HashMap<String, String> = HashMap::new();
    let (mut names, mut keys) = (Vec::new(), Vec::new());
    for account in accounts {
        let name = name(&Row::Answers((*account).to_owned()));
        names.push(name.clone());
        keys.push(hash(account));
        of_name.insert(name, (*account).to_owned());
    }
    let rows = session.rows(sql, &[&club, &names, &keys, &DAY])?;
    let read = rows.iter().filter_map(|row| {
        let (at, times): (Vec<i64>, Vec<i64>) = (row.get(3), row.get(4));
        let counted = Counted {
            revision: columns::revision(row, 1),
            since: row.get(2),
            times: at.into_iter().zip(times).collect(),
        };
        Some((of_name.remove(row.get::<_, &str>(0))?, counted))
    });
    Ok(read.collect())
}

/// The members who sit here, as seats are kept.
pub(super) fn sitting(seats: &[String]) -> impl Iterator<Item = u32> {
    let sits = |json: &String| from_json::<Sitting>(json.as_bytes()).ok();
    seats.iter().filter_map(sits).map(|sitting| sitting.member)
}

/// A revision, and the text that is kept under it.
fn single(row: &postgres::Row) -> Single {
    Single { revision: columns::revision(row, 1), text: row.get(2) }
}
