//! `postrider replace`: a substitute takes a seat over.

use super::moderate::{moderate, rehearse, tell_directed};
use super::{Environment, Exit, Failure, club};
use crate::club::{Intervention, Substitute, parse_mailbox};
use crate::process::Player;
use crate::rules::Seat;
use std::io::Write;
use std::path::Path;

/// Give a seat to another member, with all that it has seen; everyone is told why.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game's number.
    game: u32,
    /// The seat's number, from 1.
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    seat: u8,
    /// A member's number or address; an address that is nobody's, such as `Ann <ann@example.org>`,
    /// becomes that of a new member. If no letter ever came from there, one asks first.
    who: String,
    /// Why, for the players.
    #[arg(long)]
    reason: String,
    /// Make a member of somebody new whatever the name is like.
    #[arg(long)]
    insist: bool,
    /// Say what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club::open(folder, environment)?;
    let Args { game, seat, who, reason, insist, dry_run } = args;
    if let Some((name, address)) = parse_mailbox(who) {
        club::check_names(&context, &[Player { name, address }], *insist)?;
    }
    let what = Intervention::Replace { seat: Seat::new(*seat), by: Substitute::from(who.as_str()) };
    if *dry_run {
        return rehearse(&context, *game, &what, reason, out);
    }
    let done = moderate(&context, *game, &what, reason)?;
    tell_directed(&context, &[done], false, out)
}
