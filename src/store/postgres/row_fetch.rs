//! Fetching many rows with their revisions in few statements, because one round trip per row would
//! take most of the time of a letter.
//!
//! The statements look rows up with subqueries that return one row, not with joins or `exists`. If
//! the server takes a large table for small, it plans a full scan for a join. The other modules
//! look up rows in large tables in the same form for this reason.

use super::columns::{self, read_number};
use super::row_cache::{AnswerCounts, CachedClub, CachedGame, CachedRow, RowContent};
use super::row_revisions::{hash_text, row_name};
use super::sql_session::{Session, SqlParam, TxError};
use crate::store::{Row, SeatHolder, StoreError, parse_stored_json};
use std::collections::HashMap;
use std::sync::Arc;

/// The number of seconds of counted events that are fetched with an account. Most limits count the
/// events of one day.
const DAY_SECONDS: i64 = 86_400;

type FetchResult<T> = Result<T, TxError>;

/// A game by number, with its row, and its log if that was wanted.
type FetchedGame = (u32, CachedRow, Option<Vec<String>>);

pub(super) fn game_number_of_row(row: &Row) -> Option<u32> {
    match row {
        Row::Game(game) => Some(*game),
        _ => None,
    }
}

/// Fetches the games among `rows` with their seats, and their logs if `with_logs`. A game that does
/// not exist gets an empty row.
pub(super) fn fetch_games(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
    with_logs: bool,
) -> FetchResult<Vec<FetchedGame>> {
    let of_names =
        rows.iter().filter_map(|row| Some((i64::from(game_number_of_row(row)?), row_name(row))));
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
    let rows = session.query(sql, &[&club, &games, &names, &with_logs])?;
    let read = rows.iter().map(|row| {
        let game = CachedGame {
            log_length: read_number(row, 2)?,
            due_time: row.get(3),
            clock: row.get(4),
            room: row.get(5),
            seats: row.get(6),
        };
        Ok((
            read_number(row, 0)?,
            build_cached_row(row, RowContent::Game(Arc::new(game))),
            row.get(7),
        ))
    });
    read.collect()
}

/// Fetches the logs of games. A game that does not exist gets an empty log.
pub(super) fn fetch_logs(
    session: &mut Session,
    club: i64,
    games: &[u32],
) -> FetchResult<HashMap<u32, Vec<String>>> {
    let mut logs: HashMap<u32, Vec<String>> =
        games.iter().map(|game| (*game, Vec::new())).collect();
    if games.is_empty() {
        return Ok(logs);
    }
    let wanted: Vec<i64> = games.iter().map(|game| i64::from(*game)).collect();
    let sql = "select game, line from log where club = $1 and game = any ($2) order by game, seq";
    for row in session.query(sql, &[&club, &wanted])? {
        logs.entry(read_number(&row, 0)?).or_default().push(row.get(1));
    }
    Ok(logs)
}

/// Fetches the members, addresses, letters and files among `rows`. One that does not exist gets a
/// row without text.
pub(super) fn fetch_text_rows(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
) -> FetchResult<Vec<(Row, CachedRow)>> {
    let (mut members, mut addresses) = (NamedKeys::default(), NamedKeys::default());
    let (mut letters, mut files) = (NamedKeys::default(), NamedKeys::default());
    let mut of_name: HashMap<String, Row> = HashMap::new();
    for row in rows {
        let name = row_name(row);
        match row {
            Row::Member(member) => members.extend([(name.clone(), i64::from(*member))]),
            Row::Address(address) => addresses.extend([(name.clone(), hash_text(address))]),
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
    let given: [SqlParam<'_>; 9] = [&club, &a, &addresses, &l, &letters, &f, &files, &m, &members];
    let rows = session.query(sql, &given)?;
    let read = rows.iter().filter_map(|row| {
        let text = row.get::<_, Option<&str>>(2).map(Arc::from);
        Some((
            of_name.remove(row.get::<_, &str>(0))?,
            build_cached_row(row, RowContent::Text(text)),
        ))
    });
    Ok(read.collect())
}

/// The names of rows in the table `revision`, and the keys under which their contents are stored.
type NamedKeys<K> = (Vec<String>, Vec<K>);

/// Fetches the counted events of the accounts among `rows`: those of the last day before the
/// account's latest event.
pub(super) fn fetch_event_counts(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
) -> FetchResult<Vec<(Row, CachedRow)>> {
    let accounts = rows.iter().filter_map(|row| match row {
        Row::CountedEvents(account) => {
            Some(((row_name(row), hash_text(account)), (row_name(row), *row)))
        }
        _ => None,
    });
    let ((names, keys), mut of_name): (NamedKeys<Vec<u8>>, HashMap<String, &Row>) =
        accounts.collect();
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
    let rows = session.query(sql, &[&club, &names, &keys, &DAY_SECONDS])?;
    let read = rows.iter().filter_map(|row| {
        let (at, times): (Vec<i64>, Vec<i64>) = (row.get(3), row.get(4));
        let times = at.into_iter().zip(times).collect();
        let counted = Arc::new(AnswerCounts { since: row.get(2), times });
        let account = of_name.remove(row.get::<_, &str>(0))?.clone();
        Some((account, build_cached_row(row, RowContent::Answers(counted))))
    });
    Ok(read.collect())
}

/// Fetches the row [`Row::Club`] with its contents, and of member seats and campaigns only the
/// revisions, because their contents are queried separately.
pub(super) fn fetch_remaining_rows(
    session: &mut Session,
    club: i64,
    rows: &[&Row],
) -> FetchResult<Vec<(Row, CachedRow)>> {
    let mut found = Vec::new();
    for row in rows {
        let kept = match row {
            Row::Club => fetch_club(session, club)?,
            Row::MemberSeats(_) | Row::Campaign(_) => CachedRow {
                revision: super::row_revisions::fetch_revision(session, club, row)?,
                content: RowContent::RevisionOnly,
            },
            _ => continue,
        };
        found.push(((*row).clone(), kept));
    }
    Ok(found)
}

fn fetch_club(session: &mut Session, club: i64) -> FetchResult<CachedRow> {
    let sql = "select moderator, coalesce((select number from revision
                       where club = $1 and revision.name = $2), 0),
                   clocks, heartbeat, morning, restored,
                   (select 1 from unread where unread.club = $1 limit 1) is not null
               from house where club = $1";
    let row = session.query_optional(sql, &[&club, &row_name(&Row::Club)])?;
    let row = row.ok_or_else(|| StoreError::damaged("a club has no house"))?;
    let house = CachedClub {
        moderator_generation: read_number(&row, 0)?,
        has_clocks: row.get(2),
        heartbeat: row.get(3),
        last_morning_digest: row.get(4),
        restored_at: row.get(5),
        has_unreadable: row.get(6),
    };
    Ok(build_cached_row(&row, RowContent::Club(Arc::new(house))))
}

/// Returns the numbers of the members in these seat assignments.
pub(super) fn members_in_seats(seats: &[String]) -> impl Iterator<Item = u32> {
    let sits = |json: &String| parse_stored_json::<SeatHolder>(json.as_bytes()).ok();
    seats.iter().filter_map(sits).map(|sitting| sitting.member)
}

/// Builds a cached row from its content and from the revision in the second column.
fn build_cached_row(row: &postgres::Row, what: RowContent) -> CachedRow {
    CachedRow { revision: columns::read_revision(row, 1), content: what }
}
