//! `postrider list`: the club's games.

use super::{Environment, Exit, Failure, club};
use crate::process::OfficeError;
use crate::rules::Turn;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// List the club's games: who plays, whose turn it is, since when.
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
    waiting_for: Vec<String>,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let mut exit = Exit::Done;
    for game in office.store.games()? {
        let playing = match office.open_game(game) {
            Ok(playing) => playing,
            Err(error @ OfficeError::BrokenGame { .. }) => {
                writeln!(out, "{error}")?;
                exit = Exit::Found;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        let waiting_for = match playing.table.turn() {
            Turn::Over if !args.all => continue,
            Turn::Over => Vec::new(),
            Turn::Awaiting(seats) => {
                seats.iter().filter_map(|seat| playing.names.get(seat.index()).cloned()).collect()
            }
        };
        let last = playing.table.records().last().map(|record| record.at.to_rfc3339());
        let entry = Entry {
            game,
            kind: playing.table.founding().game.clone(),
            records: playing.table.head(),
            last: last.unwrap_or_default(),
            over: playing.table.turn() == Turn::Over,
            players: playing.names,
            waiting_for,
        };
        print(args, &entry, out)?;
    }
    Ok(exit)
}

fn print(args: &Args, entry: &Entry, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        let text =
            serde_json::to_string(entry).map_err(|error| Failure::new(Exit::Internal, error))?;
        return Ok(writeln!(out, "{text}")?);
    }
    let state = match entry.waiting_for.as_slice() {
        [] => "over".to_owned(),
        names => format!("waits for {}", names.join(", ")),
    };
    let day = entry.last.get(..10).unwrap_or(&entry.last);
    let Entry { game, kind, records, players, .. } = entry;
    let players = players.join(", ");
    Ok(writeln!(out, "{game:>5}  {kind}  {players}  record {records} of {day}, {state}")?)
}
