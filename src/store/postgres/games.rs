//! Questions about games: logs, outlines, clocks, who is around them, when they are due.

use super::columns::{json, number, whole};
use super::read::after;
use super::rows::hash;
use super::session::{Session, Stop};
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameRoom};
use crate::store::{CampaignGame, GameFacts, from_json};
use crate::table::Outline;
use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

type Found<T> = Result<T, Stop>;

/// What is kept of the games from the first to the last of these, and whether each is one and not
/// only something that is due.
pub(super) fn facts(
    session: &mut Session,
    club: i64,
    (first, last): (u32, u32),
) -> Found<Vec<(u32, GameFacts, bool)>> {
    let among = [i64::from(first), i64::from(last)];
    let [first, last] = &among;
    let sql = "select game, body from seat where club = $1 and game between $2 and $3
               order by game, seat";
    let mut seats: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for row in session.rows(sql, &[&club, first, last])? {
        seats.entry(number(&row, 0)?).or_default().push(json(&row, 1)?);
    }
    let sql = "select game, lines, outline, clock, room from game
               where club = $1 and game between $2 and $3 order by game";
    let rows = session.rows(sql, &[&club, first, last])?;
    let facts = rows.iter().map(|row| {
        let (game, lines) = (number(row, 0)?, number(row, 1)?);
        let outline = row.get::<_, Option<&str>>(2);
        let outline = outline.and_then(|json| from_json::<Outline>(json.as_bytes()).ok());
        let room: Option<GameRoom> = whole(row, 4)?;
        let is_game = lines > 0 || room.is_some();
        let facts = GameFacts {
            lines,
            seats: seats.remove(&game).unwrap_or_default(),
            room: room.unwrap_or_default(),
            clock: whole(row, 3)?,
            outline: outline.filter(|outline| outline.is_of(lines)),
        };
        Ok((game, facts, is_game))
    });
    facts.collect()
}

pub(super) fn all(session: &mut Session, club: i64) -> Found<Vec<u32>> {
    let sql = "select game from game where club = $1 and lines > 0 order by game";
    numbers(session, sql, &[&club])
}

pub(super) fn next(session: &mut Session, club: i64) -> Found<u32> {
    let sql = "select game from game where club = $1 and (lines > 0 or room is not null)
               order by game desc limit 1";
    Ok(after(numbers(session, sql, &[&club])?.pop())?)
}

pub(super) fn of_campaign(
    session: &mut Session,
    club: i64,
    campaign: &str,
) -> Found<Vec<CampaignGame>> {
    let sql = "select body from campaign_game where club = $1 and campaign = $2
               order by round, place";
    let rows = session.rows(sql, &[&club, &hash(campaign)])?;
    Ok(rows.iter().filter_map(|row| whole(row, 0).transpose()).collect::<Result<_, _>>()?)
}

pub(super) fn rooms(session: &mut Session, club: i64) -> Found<Vec<(u32, GameRoom)>> {
    let sql = "select game, room from game where club = $1 and room is not null order by game";
    of_all(session, sql, club)
}

pub(super) fn minutes(session: &mut Session, club: i64, game: u32) -> Found<Vec<ActivityEntry>> {
    let sql = "select entry from minute where club = $1 and game = $2 order by seq";
    let rows = session.rows(sql, &[&club, &i64::from(game)])?;
    Ok(rows.iter().filter_map(|row| whole(row, 0).transpose()).collect::<Result<_, _>>()?)
}

pub(super) fn clocks(session: &mut Session, club: i64) -> Found<Vec<(u32, GameClock)>> {
    let sql = "select game, clock from game where club = $1 and clock is not null order by game";
    of_all(session, sql, club)
}

pub(super) fn due(session: &mut Session, club: i64, until: DateTime<Utc>) -> Found<Vec<u32>> {
    let sql = "select game from game where club = $1 and due_at <= $2 order by due_at, game";
    numbers(session, sql, &[&club, &until])
}

pub(super) fn next_due(session: &mut Session, club: i64) -> Found<Option<DateTime<Utc>>> {
    let sql = "select due_at from game where club = $1 and due_at is not null
               order by due_at limit 1";
    Ok(session.row(sql, &[&club])?.and_then(|row| row.get(0)))
}

fn numbers(
    session: &mut Session,
    sql: &'static str,
    given: &[super::session::Given<'_>],
) -> Found<Vec<u32>> {
    Ok(session.rows(sql, given)?.iter().map(|row| number(row, 0)).collect::<Result<_, _>>()?)
}

/// A column of all games that have it.
fn of_all<T: DeserializeOwned>(
    session: &mut Session,
    sql: &'static str,
    club: i64,
) -> Found<Vec<(u32, T)>> {
    let rows = session.rows(sql, &[&club])?;
    let mut all = Vec::with_capacity(rows.len());
    for row in &rows {
        all.extend(
            whole(row, 1)?.map(|value| number(row, 0).map(|game| (game, value))).transpose()?,
        );
    }
    Ok(all)
}
