//! Writing a batch's changes to games. Each game's row is read once and written once.

use super::{hash_text, to_json};
use crate::store::postgres::columns::read_number;
use crate::store::postgres::sql_session::{Session, SqlParam, TxError};
use crate::store::{Batch, CampaignGame, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// The next state of a game's row in the database. JSON fields that are `None` keep their stored
/// value.
#[derive(Default)]
struct GameUpdate {
    log_length: u32,
    activity_length: u32,
    due_time: Option<DateTime<Utc>>,
    outline: Option<String>,
    clock: Option<String>,
    room: Option<String>,
}

/// Writes the logs, activity logs, outlines, clocks, game infos and due times of a batch, and its
/// campaign games.
pub(super) fn apply_game_changes(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
) -> Result<(), TxError> {
    let mut games = read_changed_games(tx, club, batch)?;
    append_log_lines(tx, club, batch, &mut games)?;
    append_activity(tx, club, batch, &mut games)?;
    replace_activity_entries(tx, club, batch)?;
    for (game, outline) in &batch.outlines {
        games.entry(*game).or_default().outline = Some(to_json(outline)?);
    }
    for (game, clock) in &batch.clocks {
        games.entry(*game).or_default().clock = Some(to_json(clock)?);
    }
    for (game, room) in &batch.game_infos {
        games.entry(*game).or_default().room = Some(to_json(room)?);
    }
    for (game, due) in &batch.due {
        games.entry(*game).or_default().due_time = *due;
    }
    write_games(tx, club, &games)?;
    write_campaign_games(tx, club, batch)
}

/// Reads the rows of the games that a batch changes; a new game gets an empty row. Includes games
/// of which only a seat changes, because every game needs a row.
fn read_changed_games(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
) -> Result<BTreeMap<u32, GameUpdate>, TxError> {
    let mut games: BTreeMap<u32, GameUpdate> =
        batch.changed_games().into_iter().map(|game| (game, GameUpdate::default())).collect();
    if games.is_empty() {
        return Ok(games);
    }
    let numbers: Vec<i64> = games.keys().copied().map(i64::from).collect();
    let sql = "select new.game, lines, minutes, due_at from unnest($2::bigint[]) as new (game),
               lateral (select lines, minutes, due_at from game
                   where club = $1 and game.game = new.game limit 1) as game";
    for row in tx.query(sql, &[&club, &numbers])? {
        let (lines, minutes, due) = (read_number(&row, 1)?, read_number(&row, 2)?, row.get(3));
        games.insert(
            read_number(&row, 0)?,
            GameUpdate {
                log_length: lines,
                activity_length: minutes,
                due_time: due,
                ..GameUpdate::default()
            },
        );
    }
    Ok(games)
}

/// Appends lines to game logs. A line whose `seq` is not the length of its log is a conflict.
fn append_log_lines(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
    games: &mut BTreeMap<u32, GameUpdate>,
) -> Result<(), TxError> {
    for line in &batch.log_lines {
        let game = games.entry(line.game).or_default();
        let next = game.log_length.checked_add(1).filter(|_| game.log_length == line.seq);
        game.log_length = next.ok_or(StoreError::Conflict(Row::Game(line.game)))?;
    }
    let rows = batch.log_lines.iter();
    let rows = rows.map(|line| (i64::from(line.game), i64::from(line.seq), &line.line));
    let (of, seqs, texts): (Vec<i64>, Vec<i64>, Vec<&String>) = rows.collect();
    let sql = "insert into log (club, game, seq, line)
               select $1, game, seq, line
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, line)";
    tx.execute_unless_empty(of.len(), sql, &[&club, &of, &seqs, &texts])
}

/// Entries of activity logs, one vector per column: game, position, JSON.
type ActivityColumns = (Vec<i64>, Vec<i64>, Vec<String>);

fn append_activity(
    tx: &mut Session,
    club: i64,
    batch: &Batch,
    games: &mut BTreeMap<u32, GameUpdate>,
) -> Result<(), TxError> {
    let added = batch.activity.iter().map(|(number, entry)| {
        let game = games.entry(*number).or_default();
        game.activity_length += 1;
        Ok((i64::from(*number), i64::from(game.activity_length) - 1, to_json(entry)?))
    });
    let (of, seqs, entries) = added.collect::<Result<ActivityColumns, TxError>>()?;
    let sql = "insert into minute (club, game, seq, entry)
               select $1, game, seq, entry
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, entry)";
    tx.execute_unless_empty(of.len(), sql, &[&club, &of, &seqs, &entries])
}

/// Replaces entries of activity logs. The journal's other copy is not changed here.
fn replace_activity_entries(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let reworded = batch.reworded_activity.iter().map(|(game, place, entry)| {
        Ok((i64::from(*game), i64::try_from(*place).unwrap_or(i64::MAX), to_json(entry)?))
    });
    let (of, seqs, entries) = reworded.collect::<Result<ActivityColumns, TxError>>()?;
    let sql = "update minute set entry = new.entry
               from unnest($2::bigint[], $3::bigint[], $4::text[]) as new (game, seq, entry)
               where club = $1 and minute.game = new.game and minute.seq = new.seq";
    tx.execute_unless_empty(of.len(), sql, &[&club, &of, &seqs, &entries])
}

fn write_games(
    tx: &mut Session,
    club: i64,
    games: &BTreeMap<u32, GameUpdate>,
) -> Result<(), TxError> {
    let numbers: Vec<i64> = games.keys().map(|game| (*game).into()).collect();
    let lines: Vec<i64> = games.values().map(|game| game.log_length.into()).collect();
    let minutes: Vec<i64> = games.values().map(|game| game.activity_length.into()).collect();
    let due: Vec<Option<DateTime<Utc>>> = games.values().map(|game| game.due_time).collect();
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
    let given: [SqlParam<'_>; 8] =
        [&club, &numbers, &lines, &minutes, &due, &outlines, &clocks, &rooms];
    tx.execute_unless_empty(numbers.len(), sql, &given)
}

fn write_campaign_games(tx: &mut Session, club: i64, batch: &Batch) -> Result<(), TxError> {
    let key = |game: &CampaignGame| (hash_text(&game.campaign), game.round, game.table);
    let last: BTreeMap<_, _> = batch.campaign_games.iter().map(|game| (key(game), game)).collect();
    let rows = last.into_iter().map(|((campaign, round, place), game)| {
        Ok((campaign, i64::from(round), i64::from(place), to_json(game)?))
    });
    let (campaigns, rounds, places, bodies) = rows.collect::<Result<CampaignColumns, TxError>>()?;
    let sql = "insert into campaign_game (club, campaign, round, place, body)
               select $1, campaign, round, place, body
               from unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::text[])
                   as new (campaign, round, place, body)
               on conflict (club, campaign, round, place) do update set body = excluded.body";
    tx.execute_unless_empty(places.len(), sql, &[&club, &campaigns, &rounds, &places, &bodies])
}

/// Games of campaigns, one vector per column: campaign, round, table, JSON.
type CampaignColumns = (Vec<Vec<u8>>, Vec<i64>, Vec<i64>, Vec<String>);
