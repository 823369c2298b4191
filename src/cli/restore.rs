//! `postrider restore`: rebuilds a club from its journal.

use super::{Environment, Exit, Failure};
use crate::process::{self, ClubError, Context, Transaction, read_settings};
use crate::store::{Repository, StoreError, journal};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Rebuild a club's store from its journal, if the store was lost or damaged.
///
/// The club's folder must hold club.yaml and the secret. A store that is damaged, or has lost data,
/// is renamed to store.damaged. A healthy store with games or members in it is not touched; move it
/// away if you want to replace it. Missing mail folders are created. The next tick posts the
/// letters that were still queued, and writes to everyone else whose turn it is.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The journal's folder. Default: the club's own journal.
    #[arg(long, value_name = "DIR")]
    journal: Option<PathBuf>,
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let own = folder.join("journal");
    let journal_folder = args.journal.clone().unwrap_or_else(|| own.clone());
    if own.exists() && own.canonicalize().ok() != journal_folder.canonicalize().ok() {
        return Err(Failure::new(Exit::CannotCreate, "the club has a journal of its own")
            .add_hint("move the folder `journal` away, or omit --journal; nothing was changed"));
    }
    check_not_moved(folder, environment)?;
    // If the journal cannot be read, the command fails here, before it moves the store aside.
    journal::read_journal(&journal_folder)?;
    let context = open_empty_club(folder, environment, out)?;
    let restored = process::restore(&context, &journal_folder)?;
    if !context.settings.is_store_in_folder() && own.exists() {
        // A club on a server writes no journal. The old one is renamed so that nobody restores from
        // it months later.
        let before = process::rename_to_free_name(folder, "journal", "journal.before")?;
        writeln!(out, "The old journal is now {}.", before.display())?;
    }
    writeln!(
        out,
        "Restored {} games with {} records and {} members.",
        restored.games, restored.records, restored.members
    )?;
    if restored.letters > 0 {
        writeln!(out, "{} letters are queued; the next tick posts them.", restored.letters)?;
    }
    Ok(Exit::Done)
}

/// Refuses a club that was migrated to another store, even if a journal is there.
fn check_not_moved(folder: &Path, environment: &Environment) -> Result<(), Failure> {
    let gone = process::missing_store_error(folder)?.map(ClubError::Store);
    let on_server = || read_settings(folder).is_ok_and(|settings| !settings.is_store_in_folder());
    let error = match gone {
        None if on_server() => Context::open(environment.games, folder, environment.now).err(),
        gone => gone,
    };
    match error {
        Some(error @ ClubError::Store(StoreError::Moved(_))) => Err(error.into()),
        _ => Ok(()),
    }
}

/// Opens the club with an empty store. Renames a damaged store first.
fn open_empty_club(
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Context, Failure> {
    match Context::open(environment.games, folder, environment.now) {
        Ok(context)
            if Transaction::begin(&context).game_numbers()?.is_empty()
                && Transaction::begin(&context).members()?.is_empty() =>
        {
            return Ok(context);
        }
        Ok(context) if !context.settings.is_store_in_folder() => {
            return match context.store.read_only_reason() {
                Some(_) => Ok(context),
                None => Err(Failure::new(
                    Exit::CannotCreate,
                    "the database already has games of a club with this name",
                )
                .add_hint(
                    "give the club another name in store.postgres; nothing has been changed",
                )),
            };
        }
        Ok(context) if context.store.read_only_reason().is_none() => {
            let whole = "the club's store is intact and has games in it";
            return Err(Failure::new(Exit::CannotCreate, whole).add_hint(
                "move the folder `store` away if you want to replace it; nothing has been changed",
            ));
        }
        Ok(_) | Err(ClubError::Store(StoreError::Damaged(_))) => {}
        Err(error) => return Err(error.into()),
    }
    let aside = process::rename_to_free_name(folder, "store", "store.damaged")?;
    writeln!(out, "The old store is now {}.", aside.display())?;
    Ok(Context::open(environment.games, folder, environment.now)?)
}
