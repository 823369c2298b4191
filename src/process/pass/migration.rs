//! A club moved from the store that its settings name to another one.
//!
//! The other store takes all and cannot be opened meanwhile. Once all is durable, it is noted in
//! the old one that it was left: that is the moment in which the club moves. Killed before it, the
//! old store is as it was, and the other one is begun anew by the next attempt; killed after it,
//! the next attempt does what is left. The settings are their owner's, who is told what to change:
//! until then every command is refused. Knows nothing of how a store keeps anything.

use crate::mail::{MailFolder, Maildir, PendingLetter};
use crate::process::context::{ClubError, Context, read_settings};
use crate::process::pass::pass_notes;
use crate::process::request_error::RequestError;
use crate::process::store_location::{self, Destination};
use crate::process::transaction::{Transaction, write_journal};
use crate::store::{CacheSize, Migration, NewLocation, Repository, StoreError};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A club that was moved.
#[derive(Clone, Debug)]
pub struct MigrationReport {
    /// How many games it has.
    pub games: usize,
    /// How many members.
    pub members: usize,
    /// Where it is, and what club.yaml has to say of it.
    pub moved: NewLocation,
    /// What was put aside: under which name it was known, and where it is.
    pub set_aside: Vec<(&'static str, PathBuf)>,
}

/// Why a club is not moved; nothing has been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MigrationRefusal {
    /// It lies there already.
    AlreadyThere,
    /// Something of another club, or of this one, lies there.
    DestinationInUse,
}

/// Moves the club in this folder with all that its store knows. Nobody else may be at work in it,
/// and nothing of a club may be where it goes.
///
/// # Errors
/// Why it is not moved; when either store cannot be opened, read or written.
pub fn migrate(
    folder: &Path,
    to: &Destination,
    now: DateTime<Utc>,
) -> Result<MigrationReport, RequestError<MigrationRefusal>> {
    if is_current_store(folder, to)? {
        return Err(RequestError::Refused(MigrationRefusal::AlreadyThere));
    }
    let mut aside = Vec::new();
    match Context::open_intact(folder, CacheSize::Small, now) {
        Ok(here) => copy_and_leave(&here, to, &mut aside)?,
        // An earlier attempt came so far.
        Err(ClubError::Store(StoreError::Moved(moved))) if moved == to.to_new_location() => {}
        Err(error) => return Err(error.into()),
    }
    let there = Context::open_with_store(
        folder,
        |_, secret| store_location::open_migrated(folder, to, secret),
        now,
    )?;
    there.store.finish_rebuild()?;
    match to {
        Destination::Folder => write_journal(&there)?,
        Destination::Server(_) => aside.extend(store_location::move_leftovers_aside(folder)?),
    }
    let tx = Transaction::begin(&there);
    let (games, members) = (tx.games()?.len(), tx.members()?.len());
    Ok(MigrationReport { games, members, moved: to.to_new_location(), set_aside: aside })
}

/// Whether the settings name this place.
fn is_current_store(folder: &Path, to: &Destination) -> Result<bool, ClubError> {
    Ok(match (&read_settings(folder)?.postgres_settings(), to) {
        (None, Destination::Folder) => true,
        (Some(here), Destination::Server(there)) => {
            let url = |file: &str| {
                let path = folder.join(file);
                let url = std::fs::read_to_string(&path);
                url.map(|url| url.trim().to_owned()).map_err(|error| ClubError::file(&path, error))
            };
            here.club == there.club && url(&here.url_file)? == url(&there.url_file)?
        }
        _ => false,
    })
}

/// Carries all to the other store, and leaves this one.
fn copy_and_leave(
    here: &Context,
    to: &Destination,
    aside: &mut Vec<(&'static str, PathBuf)>,
) -> Result<(), RequestError<MigrationRefusal>> {
    let old = here.store.migration();
    old.lock_exclusively()?;
    let there = Context::open_with_store(
        &here.folder,
        |_, secret| store_location::open_for_migration(&here.folder, to, secret, aside),
        here.now,
    )?;
    let new = there.store.migration();
    // What lies in a store that is withheld is of an attempt that was cut short.
    if there.store.read_only_reason().is_none() && !new.can_receive_club()? {
        return Err(RequestError::Refused(MigrationRefusal::DestinationInUse));
    }
    there.store.begin_rebuild()?;
    old.export_batches(&mut |load| new.import_batch(&load))?;
    return_pending_letters(here, old)?;
    // A pass that has nothing to do would not open the store, and not see that it was left.
    pass_notes::remove_idle_note(&here.folder)?;
    Ok(old.mark_moved(&to.to_new_location())?)
}

/// Puts letters that came in and wait in the store, or are held there, into this machine's inbox.
fn return_pending_letters(here: &Context, old: &dyn Migration) -> Result<(), ClubError> {
    let inbox = here.inbox();
    let failed = |error| ClubError::file(inbox.root(), error);
    inbox.create_folders().map_err(failed)?;
    let names =
        |letters: Vec<PendingLetter>| letters.into_iter().map(|letter| letter.name).collect();
    let waiting: HashSet<String> = names(inbox.pending_letters(usize::MAX).map_err(failed)?);
    let quarantined = inbox.letters_in_mail_folder(MailFolder::Quarantine).map_err(failed)?;
    let quarantined: HashSet<String> = names(quarantined);
    Ok(old.export_inbox(&mut |letter, held| {
        let (others, to) = match held {
            true => (&quarantined, Some(MailFolder::Quarantine)),
            false => (&waiting, None),
        };
        let is_taken = others.contains(&letter.name);
        Ok(return_letter(&inbox, &letter.into(), to, is_taken)?)
    })?)
}

fn return_letter(
    inbox: &Maildir,
    letter: &PendingLetter,
    to: Option<MailFolder>,
    is_taken: bool,
) -> std::io::Result<()> {
    if !is_taken {
        return inbox.write_back(letter, to);
    }
    let bytes = letter.read(usize::MAX)?;
    let lying = match to {
        Some(mail_folder) => inbox.letters_in_mail_folder(mail_folder)?,
        None => inbox.pending_letters(usize::MAX)?,
    };
    let mut named = lying.iter().filter(|other| other.name == letter.name);
    if named.any(|other| other.read(usize::MAX).is_ok_and(|other| other == bytes)) {
        // It came back by an attempt that was cut short.
        return Ok(());
    }
    inbox.write_back(&letter.with_unique_name(&bytes), to)
}
