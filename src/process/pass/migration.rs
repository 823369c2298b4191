//! Moves a club from the store that its settings name to another store.
//!
//! The other store receives all rows and stays locked during the copy. Once everything is durable
//! there, the old store is marked as moved, and that write is the point at which the club moves. If
//! the process is killed before it, the old store is unchanged and the next attempt starts the copy
//! again. If it is killed after it, the next attempt finishes the remaining steps.
//!
//! The program does not edit club.yaml. It tells the owner what to change, and refuses every
//! command until that is done. This module does not know how a store keeps its data.

use crate::mail::{MailFolder, Maildir, PendingLetter};
use crate::process::context::{ClubError, Context, read_settings};
use crate::process::pass::pass_notes;
use crate::process::request_error::RequestError;
use crate::process::store_location::{self, Destination};
use crate::process::transaction::{Transaction, update_journal};
use crate::rules::GameRegistry;
use crate::store::{CacheSize, Migration, NewLocation, Repository, StoreError};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct MigrationReport {
    pub games: usize,
    pub members: usize,
    /// The new location, with the lines that club.yaml must contain.
    pub moved: NewLocation,
    /// Leftovers that were moved out of the way: their former name and their new path.
    pub set_aside: Vec<(&'static str, PathBuf)>,
}

/// Why a club is not moved. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationRefusal {
    AlreadyThere,
    /// The destination already holds data of this or another club.
    DestinationInUse,
}

/// Moves the club in this folder, with everything that its store holds. No other process may use
/// the club, and the destination must be empty.
///
/// # Errors
/// Why the club is not moved. When either store cannot be opened, read or written.
pub fn migrate(
    games: GameRegistry,
    folder: &Path,
    to: &Destination,
    now: DateTime<Utc>,
) -> Result<MigrationReport, RequestError<MigrationRefusal>> {
    if is_destination_in_use(folder, to)? {
        return Err(RequestError::Refused(MigrationRefusal::AlreadyThere));
    }
    let mut aside = Vec::new();
    match Context::open_if_store_intact(games, folder, CacheSize::Small, now) {
        Ok(here) => copy_club_and_mark_moved(&here, to, &mut aside)?,
        // An earlier attempt was killed after it marked the old store as moved.
        Err(ClubError::Store(StoreError::Moved(moved))) if moved == to.to_new_location() => {}
        Err(error) => return Err(error.into()),
    }
    let there = Context::open_with_store(
        games,
        folder,
        |_, secret| store_location::open_migrated_store(folder, to, secret),
        now,
    )?;
    there.store.finish_rebuild()?;
    match to {
        Destination::Folder => update_journal(&there)?,
        Destination::Server(_) => {
            aside.extend(store_location::rename_old_journal_and_store(folder)?);
        }
    }
    let tx = Transaction::begin(&there);
    let (games, members) = (tx.game_numbers()?.len(), tx.members()?.len());
    Ok(MigrationReport { games, members, moved: to.to_new_location(), set_aside: aside })
}

/// Whether the settings already name this store.
fn is_destination_in_use(folder: &Path, to: &Destination) -> Result<bool, ClubError> {
    Ok(match (&read_settings(folder)?.postgres_settings(), to) {
        (None, Destination::Folder) => true,
        (Some(here), Destination::Server(there)) => {
            let url = |file: &str| {
                let path = folder.join(file);
                let url = std::fs::read_to_string(&path);
                url.map(|url| url.trim().to_owned())
                    .map_err(|error| ClubError::for_path(&path, error))
            };
            here.club == there.club && url(&here.url_file)? == url(&there.url_file)?
        }
        _ => false,
    })
}

/// Copies everything to the other store, and marks this store as moved.
fn copy_club_and_mark_moved(
    here: &Context,
    to: &Destination,
    aside: &mut Vec<(&'static str, PathBuf)>,
) -> Result<(), RequestError<MigrationRefusal>> {
    let old = here.store.as_migration();
    old.lock_exclusively()?;
    let there = Context::open_with_store(
        here.games(),
        &here.folder,
        |_, secret| store_location::open_migration_target(&here.folder, to, secret, aside),
        here.now,
    )?;
    let new = there.store.as_migration();
    // A destination that is read-only holds the rows of an attempt that was killed, so it may be
    // overwritten.
    if there.store.read_only_reason().is_none() && !new.can_receive_club()? {
        return Err(RequestError::Refused(MigrationRefusal::DestinationInUse));
    }
    there.store.begin_rebuild()?;
    old.export_all_but_inbox(&mut |load| new.import_batch(&load))?;
    write_back_shared_inbox(here, old)?;
    // An idle pass does not open the store, so it would not notice that the club has moved.
    pass_notes::remove_idle_note(&here.folder)?;
    Ok(old.mark_moved(&to.to_new_location())?)
}

/// Writes letters from the store's shared inbox into this machine's inbox. The unread letters go to
/// the inbox itself, and those held for the moderator go to its quarantine folder.
fn write_back_shared_inbox(here: &Context, old: &dyn Migration) -> Result<(), ClubError> {
    let inbox = here.inbox_maildir();
    let failed = |error| ClubError::for_path(inbox.root(), error);
    inbox.create_folders().map_err(failed)?;
    let names =
        |letters: Vec<PendingLetter>| letters.into_iter().map(|letter| letter.name).collect();
    let waiting: HashSet<String> = names(inbox.pending_letters(usize::MAX).map_err(failed)?);
    let quarantined = inbox.archived_letters(MailFolder::Quarantine).map_err(failed)?;
    let quarantined: HashSet<String> = names(quarantined);
    Ok(old.export_inbox(&mut |letter, held| {
        let (others, to) = match held {
            true => (&quarantined, Some(MailFolder::Quarantine)),
            false => (&waiting, None),
        };
        let is_taken = others.contains(&letter.name);
        Ok(write_back_letter(&inbox, &letter.into(), to, is_taken)?)
    })?)
}

fn write_back_letter(
    inbox: &Maildir,
    letter: &PendingLetter,
    to: Option<MailFolder>,
    is_taken: bool,
) -> std::io::Result<()> {
    if !is_taken {
        return inbox.write_letter_without_file(letter, to);
    }
    let bytes = letter.read(usize::MAX)?;
    let lying = match to {
        Some(mail_folder) => inbox.archived_letters(mail_folder)?,
        None => inbox.pending_letters(usize::MAX)?,
    };
    let mut named = lying.iter().filter(|other| other.name == letter.name);
    if named.any(|other| other.read(usize::MAX).is_ok_and(|other| other == bytes)) {
        // An earlier attempt, which was killed, has already written this letter.
        return Ok(());
    }
    inbox.write_letter_without_file(&letter.with_unique_name(&bytes), to)
}
