//! `postrider list`: the club's games.

use super::{Environment, Exit, Failure, club};
use crate::club::Proposal;
use crate::process::{Office, OfficeError, Playing};
use crate::rules::{Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// List the club's games: who plays, whom each waits for and until when; and who waits for players.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print it as JSON, one game a line.
    #[arg(long)]
    json: bool,
    /// Games that are over as well.
    #[arg(short, long)]
    all: bool,
}

/// One game in a line.
#[derive(Serialize)]
struct Entry {
    game: u32,
    kind: String,
    players: Vec<String>,
    records: u32,
    last: String,
    over: bool,
    /// The names alone.
    waiting_for: Vec<String>,
    /// The same with their deadlines.
    waits: Vec<Wait>,
    /// Whether the clock stands still.
    paused: bool,
}

/// Somebody whom a game waits for.
#[derive(Serialize)]
struct Wait {
    seat: u8,
    name: String,
    /// Until when he has time; none in a game without a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<DateTime<Utc>>,
    /// When his time is over in earnest, grace and bank included.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<DateTime<Utc>>,
    /// Whether the seat is open to a substitute.
    open: bool,
    /// Whether no time runs, as letters to him come back.
    lost: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let mut exit = Exit::Done;
    for game in office.begin().games()? {
        let playing = match office.open_game(game) {
            Ok(playing) => playing,
            Err(error @ OfficeError::BrokenGame { .. }) => {
                writeln!(out, "{error}")?;
                exit = Exit::Found;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let waits: Vec<Wait> = match playing.table.turn() {
            Turn::Over if !args.all => continue,
            Turn::Over => Vec::new(),
            Turn::Awaiting(seats) => seats.iter().map(|seat| wait(&playing, *seat)).collect(),
        };
        let last = playing.table.records().last().map(|record| record.at.to_rfc3339());
        let entry = Entry {
            game,
            kind: playing.table.founding().game.clone(),
            records: playing.table.head(),
            last: last.unwrap_or_default(),
            over: playing.table.turn() == Turn::Over,
            paused: playing.clock.as_ref().is_some_and(|clock| clock.paused.is_some()),
            players: playing.names,
            waiting_for: waits.iter().map(|wait| wait.name.clone()).collect(),
            waits,
        };
        print(args, &entry, out)?;
    }
    for (game, gathering) in office.begin().gatherings()? {
        if let Some(proposal) = &gathering.proposal {
            print_proposal(args, &office, game, proposal, out)?;
        }
    }
    Ok(exit)
}

/// A game that waits for players.
#[derive(Serialize)]
struct Forming<'a> {
    game: u32,
    kind: &'a str,
    seats: u8,
    joined: Vec<String>,
    until: String,
}

fn print_proposal(
    args: &Args,
    office: &Office,
    game: u32,
    proposal: &Proposal,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut joined = Vec::new();
    for player in &proposal.players {
        let member = office.begin().member(player.member).map_err(OfficeError::from)?;
        joined.extend(member.map(|member| member.name));
    }
    let until = proposal.until.to_rfc3339();
    let forming = Forming { game, kind: &proposal.kind, seats: proposal.seats, joined, until };
    if args.json {
        let text =
            serde_json::to_string(&forming).map_err(|error| Failure::new(Exit::Internal, error))?;
        return Ok(writeln!(out, "{text}")?);
    }
    let Forming { kind, seats, joined, until, .. } = forming;
    let (count, names) = (joined.len(), joined.join(", "));
    let day = until.get(..10).unwrap_or(&until);
    Ok(writeln!(out, "{game:>5}  {kind}  {names}  {count} of {seats} have joined, until {day}")?)
}

fn wait(playing: &Playing, seat: Seat) -> Wait {
    let clock = playing.clock.as_ref();
    let wait = clock.and_then(|clock| clock.wait(seat));
    Wait {
        seat: seat.number(),
        name: playing.names.get(seat.index()).cloned().unwrap_or_default(),
        deadline: wait.map(|wait| wait.deadline),
        end: clock.zip(wait).map(|(clock, wait)| clock.end(wait)),
        open: playing.open_seats().contains(&seat),
        lost: wait.is_some_and(|wait| wait.lost.is_some()),
    }
}

/// Somebody whom a game waits for, in words: the times are UTC, which is the club's own.
fn said(wait: &Wait) -> String {
    let Wait { name, deadline, open, lost, .. } = wait;
    if *lost {
        return format!("{name} (letters come back, no time runs)");
    }
    let until = deadline.map(|at| format!(" until {}", at.format("%Y-%m-%d %H:%M UTC")));
    let open = if *open { " (open to a substitute)" } else { "" };
    format!("{name}{}{open}", until.unwrap_or_default())
}

fn print(args: &Args, entry: &Entry, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        let text =
            serde_json::to_string(entry).map_err(|error| Failure::new(Exit::Internal, error))?;
        return Ok(writeln!(out, "{text}")?);
    }
    let waits: Vec<String> = entry.waits.iter().map(said).collect();
    let state = match (entry.over, entry.paused) {
        (true, _) => "over".to_owned(),
        (false, true) => format!("waits for {}, stands still", waits.join(", ")),
        (false, false) => format!("waits for {}", waits.join(", ")),
    };
    let day = entry.last.get(..10).unwrap_or(&entry.last);
    let Entry { game, kind, records, players, .. } = entry;
    let players = players.join(", ");
    Ok(writeln!(out, "{game:>5}  {kind}  {players}  record {records} of {day}, {state}")?)
}
