//! `postrider log`: what happened in a game.

use super::{Call, Exit, Failure, club_folder, print_json};
use crate::process::{self, GameLog, LogEntry};
use crate::render::Language;
use crate::rules::{Seat, Viewer};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::io::Write;

/// Print what happened in a game: its records with the lines as written and what they led to, and
/// what was said and done around it.
///
/// The lines and what they led to are told as everyone may know them. While the game is played,
/// what one seat knows besides is only shown with --secrets: what was ordered in secret, above all.
/// What was said in private is told only where the game's terms let the moderator read it. The
/// records themselves, with the game's seed, are in `postrider export`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// As the player of this seat knows it.
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Show what a seat knows although the game is still played.
    #[arg(long, requires = "seat")]
    secrets: bool,
    /// Print the same as JSON, an entry a line.
    #[arg(long)]
    json: bool,
}

/// An entry of the log, in words.
#[derive(Serialize)]
struct PrintedEntry {
    /// The number of the record; none if it happened around the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u32>,
    at: DateTime<Utc>,
    what: String,
    lines: Vec<String>,
    led_to: Vec<String>,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = call.open()?;
    let language = context.library.language(&context.settings.language);
    let viewer = args.seat.map_or(Viewer::Public, |seat| Viewer::Seat(Seat::new(seat)));
    let GameLog { session, entries } = process::load_game_log(&context, args.game, viewer)?;
    args.seat.map_or(Ok(()), |_| club_folder::check_secrets(&session, args.secrets))?;
    for entry in entries {
        let entry = word_entry(entry, language, &session.names);
        if args.json {
            print_json(&entry, call.out)?;
        } else {
            print_entry(&entry, call.out)?;
        }
    }
    Ok(Exit::Done)
}

fn word_entry(entry: LogEntry, language: &Language, names: &[String]) -> PrintedEntry {
    let LogEntry { at, record, what, lines, outcome: led_to } = entry;
    let led_to =
        led_to.iter().map(|message| language.localize_for_observer(message, names)).collect();
    PrintedEntry { record, at, what: language.localize(&what), lines, led_to }
}

fn print_entry(entry: &PrintedEntry, out: &mut dyn Write) -> std::io::Result<()> {
    let PrintedEntry { record, at, what, lines, led_to } = entry;
    let number = record.map(|number| number.to_string()).unwrap_or_default();
    let what = what.replace('\n', "\n        | ");
    writeln!(out, "{number:>4}  {}  {what}", at.to_rfc3339())?;
    lines.iter().try_for_each(|line| writeln!(out, "        > {line}"))?;
    led_to.iter().try_for_each(|told| writeln!(out, "        {told}"))
}
