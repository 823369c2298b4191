//! What a batch changes of games: each game's row is read and written once.

use super::{hash, json};
use crate::store::postgres::columns::number;
use crate::store::postgres::session::{Session, Stop};
use crate::store::{Batch, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};

/// A game's row as it will be; what is not given stays.
#[derive(Default)]
struct Game {
    lines: u32,
    minutes: u32,
    due: Option<DateTime<Utc>>,
    outline: Option<String>,
    clock: Option<String>,
    room: Option<String>,
}

/// Writes what a batch says of games.
pub(super) fn apply(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let mut games = changed(tx, club, batch)?;
    lines(tx, club, batch, &mut games)?;
    minutes(tx, club, batch, &mut games)?;
    reword(tx, club, batch)?;
    for (game, outline) in &batch.outlines {
        games.entry(*game).or_default().outline = Some(json(outline)?);
    }
    for (game, clock) in &batch.clocks {
        games.entry(*game).or_default().clock = Some(json(clock)?);
    }
    for (game, room) in &batch.rooms {
        games.entry(*game).or_default().room = Some(json(room)?);
    }
    for (game, ..) in &batch.seats {
        games.entry(*game).or_default();
    }
    for (game, due) in &batch.due {
        games.entry(*game).or_default().due = *due;
    }
    write(tx, club, &games)?;
    of_campaigns(tx, club, batch)
}

/// The rows of the games that a batch changes, as they are.
fn changed(tx: &mut Session, club: i64, batch: &Batch) -> Result<BTreeMap<u32, Game>, Stop> {
    let games = batch.log_lines.iter().map(|line| line.game);
    let games = games.chain(batch.minutes.iter().map(|(game, _)| *game));
    let games = games.chain(batch.outlines.iter().map(|(game, _)| *game));
    let games = games.chain(batch.clocks.iter().map(|(game, _)| *game));
    let games = games.chain(batch.rooms.iter().map(|(game, _)| *game));
    let games = games.chain(batch.due.iter().map(|(game, _)| *game));
    // Who sits at a table is told by its row, too.
    let games = games.chain(batch.seats.iter().map(|(game, ..)| *game));
    let numbers: Vec<i64> = games.collect::<BTreeSet<u32>>().into_iter().map(i64::from).collect();
    let mut found = BTreeMap::new();
    if numbers.is_empty() {
        return Ok(found);
    }
    let sql = "select new.game, lines, minutes, due_at from unnest($2::bigint[]) as new (game),
               lateral (select lines, minutes, due_at from game
                   where club = $1 and game.game = new.game limit 1) as game";
    for row in tx.rows(sql, &[&club, &numbers])? {
        let (lines, minutes, due) = (number(&row, 1)?, number(&row, 2)?, row.get(3));
        found.insert(number(&row, 0)?, Game { lines, minutes, due, ..Game::default() });
    }
    Ok(found)
}

/// Appends to logs.
fn lines(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
    games: &mut BTreeMap<u32, Game>,
) -> Result<(), Stop> {
    if batch.log_lines.is_empty() {
        return Ok(());
    }
    for line in &batch.log_lines {
        let game = games.entry(line.game).or_default();
        let next = game.lines.checked_add(1).filter(|_| game.lines == line.seq);
        game.lines = next.ok_or(StoreError::Conflict(Row::Game(line.game)))?;
    }
    let of: Vec<i64> = batch.log_lines.iter().map(|line| line.game.into()).collect();
    let seqs: Vec<i64> = batch.log_lines.iter().map(|line| line.seq.into()).collect();
    let texts: Vec<&String> = batch.log_lines.iter().map(|line| &line.line).collect();
    let sql = "insert into log (club, game, seq, line)
               select $1, game, seq, line
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, line)";
    tx.execute(sql, &[&club, &of, &seqs, &texts]).map(drop)
}

/// Adds to the minutes.
fn minutes(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
    games: &mut BTreeMap<u32, Game>,
) -> Result<(), Stop> {
    if batch.minutes.is_empty() {
        return Ok(());
    }
    let (mut of, mut seqs, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (number, minute) in &batch.minutes {
        let game = games.entry(*number).or_default();
        of.push(i64::from(*number));
        seqs.push(i64::from(game.minutes));
        entries.push(json(minute)?);
        game.minutes += 1;
    }
    let sql = "insert into minute (club, game, seq, entry)
               select $1, game, seq, entry
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, entry)";
    tx.execute(sql, &[&club, &of, &seqs, &entries]).map(drop)
}

/// Writes entries of activity logs over those that have their places.
fn reword(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    if batch.reworded.is_empty() {
        return Ok(());
    }
    let (mut of, mut seqs, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (game, place, entry) in &batch.reworded {
        of.push(i64::from(*game));
        seqs.push(i64::try_from(*place).unwrap_or(i64::MAX));
        entries.push(json(entry)?);
    }
    let sql = "update minute set entry = new.entry
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, entry)
               where club = $1 and minute.game = new.game and minute.seq = new.seq";
    tx.execute(sql, &[&club, &of, &seqs, &entries]).map(drop)
}

fn write(tx: &mut Session, club: i64, games: &BTreeMap<u32, Game>) -> Result<(), Stop> {
    if games.is_empty() {
        return Ok(());
    }
    let numbers: Vec<i64> = games.keys().map(|game| (*game).into()).collect();
    let lines: Vec<i64> = games.values().map(|game| game.lines.into()).collect();
    let minutes: Vec<i64> = games.values().map(|game| game.minutes.into()).collect();
    let due: Vec<Option<DateTime<Utc>>> = games.values().map(|game| game.due).collect();
    let outlines: Vec<_> = games.values().map(|game| game.outline.as_ref()).collect();
    let clocks: Vec<_> = games.values().map(|game| game.clock.as_ref()).collect();
    let rooms: Vec<_> = games.values().map(|game| game.room.as_ref()).collect();
    let sql = "insert into game (club, game, lines, minutes, due_at, outline, clock, room)
               select $1, new.* from unnest($2::bigint[], $3::bigint[], $4::bigint[],
                   $5::timestamptz[], $6::text[], $7::text[], $8::text[]) as new
               on conflict (club, game) do update set
                   lines = excluded.lines, minutes = excluded.minutes, due_at = excluded.due_at,
                   outline = coalesce(excluded.outline, game.outline),
                   clock = coalesce(excluded.clock, game.clock),
                   room = coalesce(excluded.room, game.room)";
    let given: [super::super::session::Given<'_>; 8] =
        [&club, &numbers, &lines, &minutes, &due, &outlines, &clocks, &rooms];
    tx.execute(sql, &given).map(drop)
}

fn of_campaigns(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), Stop> {
    let key = |game: &crate::store::CampaignGame| (hash(&game.campaign), game.round, game.table);
    let last: BTreeMap<_, _> = batch.campaign_games.iter().map(|game| (key(game), game)).collect();
    if last.is_empty() {
        return Ok(());
    }
    let campaigns: Vec<&Vec<u8>> = last.keys().map(|(campaign, ..)| campaign).collect();
    let rounds: Vec<i64> = last.keys().map(|(_, round, _)| (*round).into()).collect();
    let places: Vec<i64> = last.keys().map(|(.., place)| (*place).into()).collect();
    let bodies = last.values().map(json).collect::<Result<Vec<_>, _>>()?;
    let sql = "insert into campaign_game (club, campaign, round, place, body)
               select $1, campaign, round, place, body
               from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::text[])
                   as new (campaign, round, place, body)
               on conflict (club, campaign, round, place) do update set body = excluded.body";
    tx.execute(sql, &[&club, &campaigns, &rounds, &places, &bodies]).map(drop)
}
