//! `postrider journal`: writes a plain text copy of a club.

use super::{Environment, Exit, Failure, club_folder};
use crate::store::journal;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a complete copy of the club, in plain text, into a folder.
///
/// `postrider restore --journal DIR` rebuilds the club from it. A club in its folder already has a
/// journal, which each pass updates. A club on a database server has only the copies that this
/// command writes.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A folder that does not exist yet, or is empty.
    #[arg(value_name = "DIR")]
    to: PathBuf,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club_folder::open_with_small_cache(folder, environment)?;
    let is_empty = std::fs::read_dir(&args.to).map_or(true, |mut files| files.next().is_none());
    if !is_empty {
        let what = format!("{} is not empty", args.to.display());
        return Err(Failure::new(Exit::CannotCreate, what).add_hint("name a new or empty folder"));
    }
    journal::write_full_journal(&*context.store, &args.to)?;
    writeln!(out, "The club's journal is now in {}.", args.to.display())?;
    Ok(Exit::Done)
}
