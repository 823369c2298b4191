//! `postrider end` and `postrider rewind`: the moderator's hand.

use super::{Environment, Exit, Failure, club};
use crate::process::{Deed, Office};
use crate::rules::Refusal;
use std::io::Write;
use std::path::Path;

/// End a game as it stands; everyone is told why, and gets the result.
#[derive(clap::Args, Debug)]
pub struct EndArgs {
    /// The game's number.
    game: u32,
    /// Why, for the players.
    #[arg(long)]
    reason: String,
}

/// Take a game back to where it was after a record; everyone is told why.
///
/// Nothing is deleted: the rewind is a record of its own, and the dice go back too.
#[derive(clap::Args, Debug)]
pub struct RewindArgs {
    /// The game's number.
    game: u32,
    /// The last record that stays in force; `postrider log GAME` lists them.
    #[arg(long, value_name = "SEQ")]
    to: u32,
    /// Why, for the players.
    #[arg(long)]
    reason: String,
}

pub(super) fn end(
    args: &EndArgs,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let done = office.moderate(args.game, &Deed::End, &args.reason)?;
    tell(&office, done, out, format_args!("Game {} is over", args.game))
}

pub(super) fn rewind(
    args: &RewindArgs,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    let done = office.moderate(args.game, &Deed::Rewind(args.to), &args.reason)?;
    tell(&office, done, out, format_args!("Game {} stands at record {} again", args.game, args.to))
}

fn tell(
    office: &Office,
    done: Result<(), Refusal>,
    out: &mut dyn Write,
    what: std::fmt::Arguments<'_>,
) -> Result<Exit, Failure> {
    match done {
        Ok(()) => {
            writeln!(out, "{what}; the next tick tells everyone.")?;
            Ok(Exit::Done)
        }
        Err(refusal) => Err(club::refused(office, &refusal)),
    }
}
