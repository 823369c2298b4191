//! `postrider log`: what happened in a game.

use super::{Environment, Exit, Failure, club};
use crate::rules::{Seat, Viewer};
use crate::table::{Cause, Record};
use std::io::Write;
use std::path::Path;

/// Print a game's log: each record's time, who caused it, the lines as written, what it led to.
///
/// What it led to is told as everyone may know it, or as one seat does.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// As the player of this seat knows it.
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// The raw records as JSON, one a line, with every secret that they hold.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let playing = office.open_game(args.game)?;
    if args.json {
        for record in playing.table.records() {
            writeln!(out, "{}", record.line())?;
        }
        return Ok(Exit::Done);
    }
    let language = office.library.language(&office.settings.language);
    let seat = args.seat.map(Seat::new);
    let viewer = seat.map_or(Viewer::Public, Viewer::Seat);
    for record in playing.table.records() {
        writeln!(
            out,
            "{:>4}  {}  {}",
            record.seq,
            record.at.to_rfc3339(),
            cause(record, &playing.names)
        )?;
        if let Cause::Orders { lines, .. } | Cause::Absent { lines, .. } = &record.cause {
            for line in lines {
                writeln!(out, "        > {line}")?;
            }
        }
        let told = playing
            .table
            .game()
            .narrate(&record.events, viewer)
            .map_err(|error| Failure::new(Exit::BadData, error))?;
        for message in &told {
            writeln!(out, "        {}", language.say_of(message, &playing.names))?;
        }
    }
    Ok(Exit::Done)
}

fn cause(record: &Record, names: &[String]) -> String {
    match &record.cause {
        Cause::Founded => "founded".to_owned(),
        Cause::Orders { seat, .. } => {
            format!("seat {seat}, {}", names.get(seat.index()).map_or("", String::as_str))
        }
        Cause::Absent { seat, .. } => {
            let name = names.get(seat.index()).map_or("", String::as_str);
            format!("seat {seat}, {name}, was absent")
        }
        Cause::Rewound { to, reason } => format!("taken back to {to}: {reason}"),
        Cause::Ended { reason } => format!("ended: {reason}"),
    }
}
