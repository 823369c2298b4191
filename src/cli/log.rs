//! `postrider log`: prints the history of a game.

use super::{Call, Exit, Failure, club_folder, print_json};
use crate::process::{self, GameLog, LogEntry};
use crate::render::Language;
use crate::rules::{Seat, Viewer};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::io::Write;

/// Print the history of a game: each record with its lines and their outcome, and the messages,
/// votes and interventions around it.
///
/// Shows only what everyone may know. While the game is being played, --seat needs --secrets,
/// because the seat knows more, such as its secret orders. Private messages are shown only if the
/// game's terms let the moderator read them. For the raw records and the seed, see `postrider
/// export`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// Show what the player of this seat knows.
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Show what the seat knows even if the game is still being played.
    #[arg(long, requires = "seat")]
    secrets: bool,
    /// Print JSON, one entry per line.
    #[arg(long)]
    json: bool,
}

/// An entry of the history, as text.
#[derive(Serialize)]
struct PrintedEntry {
    /// The record's number, or `None` for an event around the game, such as a message or a vote.
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
    args.seat.map_or(Ok(()), |_| club_folder::check_may_show_secrets(&session, args.secrets))?;
    for entry in entries {
        let entry = render_log_entry(entry, language, &session.names);
        if args.json {
            print_json(&entry, call.out)?;
        } else {
            print_entry(&entry, call.out)?;
        }
    }
    Ok(Exit::Done)
}

fn render_log_entry(entry: LogEntry, language: &Language, names: &[String]) -> PrintedEntry {
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
