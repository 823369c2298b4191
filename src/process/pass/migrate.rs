//! A club moved from the store that its settings name to another one.
//!
//! The other store takes all and cannot be opened meanwhile. Once all is durable, it is noted in
//! the old one that it was left: that is the moment in which the club moves. Killed before it, the
//! old store is as it was, and the other one is begun anew by the next attempt; killed after it,
//! the next attempt does what is left. The settings are their owner's, who is told what to change:
//! until then every command is refused. Knows nothing of how a store keeps anything.

use crate::mail::{MailFolder, Maildir, Waiting};
use crate::process::blame::Blame;
use crate::process::context::{ClubError, Context, read_settings};
use crate::process::kept::{self, Destination};
use crate::process::pass::notes;
use crate::process::transaction::{Transaction, copy_out};
use crate::store::{Memory, Moved, Removal, Repository, StoreError};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A club that was moved.
#[derive(Clone, Debug)]
pub struct Migrated {
    /// How many games it has.
    pub games: usize,
    /// How many members.
    pub members: usize,
    /// Where it is, and what club.yaml has to say of it.
    pub moved: Moved,
    /// What was put aside: under which name it was known, and where it is.
    pub aside: Vec<(&'static str, PathBuf)>,
}

/// Why a club is not moved; nothing has been changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotMoved {
    /// It lies there already.
    There,
    /// Something of another club, or of this one, lies there.
    Taken,
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
) -> Result<Migrated, Blame<NotMoved>> {
    if is_there(folder, to)? {
        return Err(Blame::Theirs(NotMoved::There));
    }
    let mut aside = Vec::new();
    match Context::open_whole(folder, Memory::Little, now) {
        Ok(here) => carry(&here, to, &mut aside)?,
        // An earlier attempt came so far.
        Err(ClubError::Store(StoreError::Moved(moved))) if moved == to.moved() => {}
        Err(error) => return Err(error.into()),
    }
    let there = Context::over(folder, |_, secret| kept::open_filled(folder, to, secret), now)?;
    there.store.rebuilt()?;
    match to {
        Destination::Folder => copy_out(&there)?,
        Destination::Server(_) => aside.extend(kept::put_old_aside(folder)?),
    }
    let tx = Transaction::begin(&there);
    let (games, members) = (tx.games()?.len(), tx.members()?.len());
    Ok(Migrated { games, members, moved: to.moved(), aside })
}

/// Whether the settings name this place.
fn is_there(folder: &Path, to: &Destination) -> Result<bool, ClubError> {
    Ok(match (&read_settings(folder)?.server(), to) {
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
fn carry(
    here: &Context,
    to: &Destination,
    aside: &mut Vec<(&'static str, PathBuf)>,
) -> Result<(), Blame<NotMoved>> {
    let old = here.store.removal();
    old.hold_alone()?;
    let there = Context::over(
        &here.folder,
        |_, secret| kept::open_to_fill(&here.folder, to, secret, aside),
        here.now,
    )?;
    let new = there.store.removal();
    // What lies in a store that is withheld is of an attempt that was cut short.
    if there.store.withheld().is_none() && !new.is_free()? {
        return Err(Blame::Theirs(NotMoved::Taken));
    }
    there.store.rebuild()?;
    old.give(&mut |load| new.take(&load))?;
    put_letters_back(here, old)?;
    // A pass that has nothing to do would not open the store, and not see that it was left.
    notes::forget_idle(&here.folder)?;
    Ok(old.leave(&to.moved())?)
}

/// Puts letters that came in and wait in the store, or are held there, into this machine's inbox.
fn put_letters_back(here: &Context, old: &dyn Removal) -> Result<(), ClubError> {
    let inbox = here.inbox();
    let failed = |error| ClubError::file(inbox.root(), error);
    inbox.create().map_err(failed)?;
    let names = |letters: Vec<Waiting>| letters.into_iter().map(|letter| letter.name).collect();
    let waiting: HashSet<String> = names(inbox.waiting(usize::MAX).map_err(failed)?);
    let quarantined = inbox.lying_in(MailFolder::Quarantine).map_err(failed)?;
    let quarantined: HashSet<String> = names(quarantined);
    Ok(old.give_letters(&mut |letter, held| {
        let (others, to) = match held {
            true => (&quarantined, Some(MailFolder::Quarantine)),
            false => (&waiting, None),
        };
        let is_taken = others.contains(&letter.name);
        Ok(put_back(&inbox, &letter.into(), to, is_taken)?)
    })?)
}

fn put_back(
    inbox: &Maildir,
    letter: &Waiting,
    to: Option<MailFolder>,
    is_taken: bool,
) -> std::io::Result<()> {
    if !is_taken {
        return inbox.put_back(letter, to);
    }
    let bytes = letter.read(usize::MAX)?;
    let lying = match to {
        Some(mail_folder) => inbox.lying_in(mail_folder)?,
        None => inbox.waiting(usize::MAX)?,
    };
    let mut named = lying.iter().filter(|other| other.name == letter.name);
    if named.any(|other| other.read(usize::MAX).is_ok_and(|other| other == bytes)) {
        // It came back by an attempt that was cut short.
        return Ok(());
    }
    inbox.put_back(&letter.renamed(&bytes), to)
}
