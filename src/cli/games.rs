//! `postrider games`: what can be played.

use super::{Environment, Exit, Failure, founding_args};
use crate::games::GAMES;
use std::io::Write;

/// List the games, or print the definition of one.
///
/// The definition is the file to start from for a board of your own: save it, edit it, and hand it
/// to
/// `postrider new` with --definition.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print this game's definition.
    kind: Option<String>,
}

pub(super) fn run(args: &Args, _: &Environment, out: &mut dyn Write) -> Result<Exit, Failure> {
    if let Some(id) = &args.kind {
        out.write_all(founding_args::find(id)?.definition().as_bytes())?;
        return Ok(Exit::Done);
    }
    for kind in GAMES {
        let seats = kind.seats();
        writeln!(out, "{:24} {} to {} players", kind.id(), seats.start(), seats.end())?;
    }
    Ok(Exit::Done)
}
