//! `postrider member forget`: a member leaves the club, and is erased.

use super::{Environment, Exit, Failure, club};
use crate::club::Member;
use crate::process::{self, Remains};
use std::io::Write;
use std::path::Path;

/// The files of a kind that are named. The others are counted.
const NAMED: usize = 10;

/// Erases a member, and names the files that still hold an address. Returns none if there is no
/// such member.
pub(super) fn forget(
    who: &str,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Option<Exit>, Failure> {
    let context = club::open(folder, environment)?;
    let Some(member) = process::forget_member(&context, who)? else { return Ok(None) };
    let lies_here = context.settings.lies_in_folder();
    drop(context);
    process::renew(folder, environment.now)?;
    let from = if lies_here { "store and journal" } else { "the database" };
    writeln!(
        out,
        "Member {} has left the club: name and addresses are erased from {from}.",
        member.id
    )?;
    if !lies_here {
        writeln!(
            out,
            "The rows are erased. A database server keeps old versions of rows for a while, and in \
             its own backups and archives for as long as you do."
        )?;
    }
    tell_remains(folder, &member, out)?;
    Ok(Some(Exit::Done))
}

fn tell_remains(folder: &Path, member: &Member, out: &mut dyn Write) -> Result<(), Failure> {
    let remains = process::remains(folder, member)?;
    for (kind, files) in &remains {
        writeln!(out, "{}", advice(*kind))?;
        for file in files.iter().take(NAMED) {
            writeln!(out, "  {}", file.strip_prefix(folder).unwrap_or(file).display())?;
        }
        if let Some(more) = files.len().checked_sub(NAMED).filter(|more| *more > 0) {
            writeln!(out, "  and {more} more")?;
        }
    }
    let none = "No other file in the club's folder holds the address.";
    if remains.is_empty() {
        writeln!(out, "{none}")?;
    }
    writeln!(out, "Compressed files, and backups elsewhere, were not searched.")?;
    Ok(())
}

/// A kind of file, and the moderator's remedy for it.
const fn advice(kind: Remains) -> &'static str {
    match kind {
        Remains::Inbox => {
            "These letters hold the address. You may delete those in .done; look at those in \
             .quarantine first:"
        }
        Remains::Outbox => "These letters on their way out hold the address; delete them:",
        Remains::PutAside => {
            "A restore or a move put these files aside, and they hold the address. Delete them \
             once the club runs well:"
        }
        Remains::Logs => {
            "In these games a moderator's reason names the member. A game's log cannot be changed:"
        }
        Remains::Others => {
            "These files of yours hold the address: take it out of settings and season files, and \
             delete old copies:"
        }
    }
}
