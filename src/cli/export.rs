//! `postrider export`: prints a game as one JSON document.

use super::{Environment, Exit, Failure, club_folder};
use crate::process;
use std::io::Write;
use std::path::Path;

/// Print a game as one JSON document, which any program that knows the rules can replay.
///
/// The document holds the game's secret seed and all hidden information, so a game that is still
/// being played is only exported with --secrets.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// Export a game that is still being played, with all its secrets.
    #[arg(long)]
    secrets: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club_folder::open(folder, environment)?;
    let session = process::load_stored_game(&context, args.game)?;
    let name = process::load_game_name(&context, args.game)?;
    club_folder::check_may_show_secrets(&session, args.secrets)?;
    let document = process::export_game(&session, name.as_ref());
    let text = serde_json::to_string_pretty(&document)
        .map_err(|error| Failure::new(Exit::Internal, error))?;
    writeln!(out, "{text}")?;
    Ok(Exit::Done)
}
