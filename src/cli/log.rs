//! `postrider log`: what happened in a game.

use super::{Environment, Exit, Failure, club};
use crate::club::{Happening, Minute};
use crate::rules::{Seat, Viewer};
use crate::store::Repository;
use crate::table::{Cause, Record};
use std::io::Write;
use std::path::Path;

/// Print a game's log: each record's time, who caused it, the lines as written, what it led to.
///
/// What it led to is told as everyone may know it, or as one seat does. Between the records stands
/// what was said to all, and what was said in private only where the game's terms let the moderator
/// read it.
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
    let private = office.begin().gathering(args.game)?.press_terms().moderator_reads;
    let minutes = playing.by_former(office.begin().minutes(args.game)?);
    let mut minutes = minutes.into_iter().peekable();
    for record in playing.table.records() {
        while let Some(minute) = minutes.next_if(|minute| minute.at < record.at) {
            say(&minute, private, &playing.names, out)?;
        }
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
    minutes.try_for_each(|minute| say(&minute, private, &playing.names, out))?;
    Ok(Exit::Done)
}

/// Prints what a player said, if the moderator may read it.
fn say(
    minute: &Minute,
    private: bool,
    names: &[String],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Happening::Said { from, to, anonymous, text, former } = &minute.what else { return Ok(()) };
    if !to.is_empty() && !private {
        return Ok(());
    }
    let name = |seat: &Seat| names.get(seat.index()).cloned().unwrap_or_default();
    let who = match (anonymous, former) {
        (true, _) => "somebody".to_owned(),
        (false, true) => format!("whoever sat there before {}", name(from)),
        (false, false) => name(from),
    };
    let whom = if to.is_empty() {
        "all".to_owned()
    } else {
        to.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    writeln!(out, "      {}  {who} to {whom}", minute.at.to_rfc3339())?;
    for line in text.lines() {
        writeln!(out, "        | {line}")?;
    }
    Ok(())
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
        Cause::Rewound { to, reason, by } => {
            format!("taken back to {to} by the {}: {reason}", by.word())
        }
        Cause::Ended { reason, by } => format!("ended by the {}: {reason}", by.word()),
    }
}
