//! `postrider list`: lists the club's games.

use super::{Call, Exit, Failure, club_folder, print_json};
use crate::club::GameName;
use crate::process::{self, FormingGame, GameSummary};
use std::io::{BufWriter, Write};

/// List the club's games: players, whose turn it is and until when; and games that need players.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print JSON, one game per line.
    #[arg(long)]
    json: bool,
    /// Include games that are over.
    #[arg(short, long)]
    all: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let context = club_folder::open_with_small_cache(call.folder, call.environment)?;
    let language = context.library.language(&context.settings.language);
    let time = context.settings.moderators.first.own_time();
    let (mut exit, mut out) = (Exit::Done, BufWriter::new(&mut *call.out));
    let forming = process::for_each_game_summary(&context, |summary| {
        match summary {
            Ok(summary) if summary.over && !args.all => {}
            Ok(summary) if args.json => print_json(&summary, &mut out)?,
            Ok(summary) => {
                let waits = language.localize(&summary.awaited_or_result_message(&time));
                let GameSummary { game, name, kind, players, records, last, .. } = summary;
                let kind = name_and_kind(name.as_ref(), &kind);
                let (players, day) = (players.join(", "), last.format("%Y-%m-%d"));
                writeln!(out, "{game:>5}  {kind}  {players}  record {records} of {day}, {waits}")?;
            }
            Err(why) => {
                writeln!(out, "{}", language.localize(&why))?;
                exit = Exit::Found;
            }
        }
        Ok::<(), Failure>(())
    })?;
    for forming in forming {
        if args.json {
            print_json(&forming, &mut out)?;
            continue;
        }
        let FormingGame { game, name, kind, seats, joined, until } = forming;
        let kind = name_and_kind(name.as_ref(), &kind);
        let (count, names, day) = (joined.len(), joined.join(", "), until.format("%Y-%m-%d"));
        writeln!(out, "{game:>5}  {kind}  {names}  {count} of {seats} have joined, until {day}")?;
    }
    out.flush()?;
    Ok(exit)
}

/// Returns the name of the kind of game, preceded by the game's own name if it has one.
fn name_and_kind(name: Option<&GameName>, kind: &str) -> String {
    name.map_or_else(|| kind.to_owned(), |name| format!("{}  {kind}", name.as_str()))
}
