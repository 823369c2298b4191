//! `postrider journal`: a copy of a club in plain text.

use super::{Environment, Exit, Failure, club_folder};
use crate::store::journal;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a whole journal of the club into a folder: a copy in plain text of all that it is, from
/// which `postrider restore --journal DIR` makes it anew, wherever it is kept.
///
/// A club in its folder has such a journal beside its store, which each pass brings up to date; one
/// on a database server has none but those that are written by this command.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder, which is not there yet, or empty.
    #[arg(value_name = "DIR")]
    to: PathBuf,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let context = club_folder::open_to_read(folder, environment)?;
    let is_empty = std::fs::read_dir(&args.to).map_or(true, |mut files| files.next().is_none());
    if !is_empty {
        let what = format!("there is something in {} already", args.to.display());
        return Err(Failure::new(Exit::CannotCreate, what).hint("name a folder of its own"));
    }
    journal::export(&*context.store, &args.to)?;
    writeln!(out, "The club's journal is in {} now.", args.to.display())?;
    Ok(Exit::Done)
}
