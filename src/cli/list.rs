//! `postrider list`: the club's games.

use super::{Environment, Exit, Failure, club};
use crate::club::Proposal;
use crate::process::{Office, OfficeError};
use crate::rules::Turn;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// List the club's games: who plays, whose turn it is, since when; and who waits for players.
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
    for (game, gathering) in office.store.gatherings()? {
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
        let member = office.store.member(player.member).map_err(OfficeError::from)?;
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
