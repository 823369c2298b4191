//! `postrider restore`: a club rebuilt from its journal.

use super::{Environment, Exit, Failure, club};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rebuild a club's store from its journal, after the store was lost or damaged.
///
/// The club's folder must have its club.yaml and its secret, and no store with games or members in
/// it (move a damaged one away first). Folders for letters are made where they are missing. The
/// next tick posts what had not been posted, and writes to everyone else whose turn it is.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The journal's folder; by default the club's own.
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let office = club::open(folder, environment)?;
    if !office.store.games()?.is_empty() || !office.store.members()?.is_empty() {
        return Err(Failure::new(Exit::CannotCreate, "the club's store has games in it")
            .hint("move the folder `store` away if it is damaged; nothing has been changed"));
    }
    let own = office.journal();
    let journal = args.journal.clone().unwrap_or_else(|| own.clone());
    if own.exists() && own.canonicalize().ok() != journal.canonicalize().ok() {
        return Err(Failure::new(Exit::CannotCreate, "the club has a journal of its own")
            .hint("move the folder `journal` away, or leave --journal out; nothing was changed"));
    }
    let restored = office.restore(&journal)?;
    writeln!(
        out,
        "{} games with {} records and {} members are back.",
        restored.games, restored.records, restored.members
    )?;
    if restored.letters > 0 {
        writeln!(out, "{} letters wait for the next tick to post them.", restored.letters)?;
    }
    Ok(Exit::Done)
}
