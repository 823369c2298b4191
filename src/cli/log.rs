//! `postrider log`: what happened in a game.

use super::{Environment, Exit, Failure, club};
use crate::process::{self, LogEntry};
use crate::rules::{Seat, Viewer};
use std::io::Write;
use std::path::Path;

/// Print what happened in a game: its records with the lines as written and what they led to, and
/// what was said and done around it.
///
/// The lines and what they led to are told as everyone may know them, or as one seat does: what was
/// ordered in secret only its player reads, until the game is over. What was said in private is
/// told only where the game's terms let the moderator read it.
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
    let context = club::open(folder, environment)?;
    if args.json {
        for record in process::open_game(&context, args.game)?.table.records() {
            writeln!(out, "{}", record.line())?;
        }
        return Ok(Exit::Done);
    }
    let language = context.library.language(&context.settings.language);
    let viewer = args.seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat::new(seat)));
    let log = process::game_log(&context, args.game, viewer)?;
    for LogEntry { at, record, what, lines, led_to } in &log.entries {
        let number = record.map(|number| number.to_string()).unwrap_or_default();
        let what = language.say(what).replace('\n', "\n        | ");
        writeln!(out, "{number:>4}  {}  {what}", at.to_rfc3339())?;
        for line in lines {
            writeln!(out, "        > {line}")?;
        }
        for message in led_to {
            writeln!(out, "        {}", language.say_of(message, &log.session.names))?;
        }
    }
    Ok(Exit::Done)
}
