//! `postrider export`: prints a game as one JSON document.

use super::{Environment, Exit, Failure, club_folder, print_indented_json};
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
    /// Leave out the digests of letters, the reasons of moderators and votes, and the words around
    /// orders, so that anybody may have the document. Only for a game that is over.
    #[arg(long, conflicts_with = "secrets")]
    public: bool,
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
    if args.public {
        let copy = session.table.public_copy();
        let copy = copy.map_err(|error| Failure::new(Exit::BadData, error))?;
        print_indented_json(&copy.export_public_copy(), out)?;
    } else {
        print_indented_json(&process::export_game(&session, name.as_ref()), out)?;
    }
    Ok(Exit::Done)
}
