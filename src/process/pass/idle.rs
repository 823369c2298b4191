//! A pass that has nothing to do, and does not even open the store.
//!
//! Opening the store takes time and memory that grow with all that the club has ever kept. So a
//! pass leaves a note: until when nothing will be due, and what the store's file looked like. While
//! the file looks the same, the time has not come and no letter lies in the inbox or on the mail
//! server, the next pass only notes that it ran. Whoever changes the store makes the note void by
//! that alone, and without a note, or with one that cannot be read, a pass is a whole pass. A whole
//! one is done once a day at the least.

use crate::club::Settings;
use crate::club::clock::Heartbeat;
use crate::disk;
use crate::mail::Maildir;
use crate::mail::fetch::{FetchError, MailServer};
use crate::process::context::{ClubError, Context};
use crate::process::lobby::erasure;
use crate::process::outbound::hold;
use crate::process::pass::fetch::Served;
use crate::process::tally::PassReport;
use crate::process::timing::heartbeat::{PULSE, heartbeat_of, read, write};
use crate::process::transaction::Transaction;
use crate::store::{Repository, Stamp};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The note's file in the club's folder.
const NOTE: &str = "idle";
/// A note is worth nothing any more after this.
const LONGEST: TimeDelta = TimeDelta::days(1);

/// What a pass leaves for the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IdleMark {
    /// When it was written.
    at: DateTime<Utc>,
    /// Nothing is due before this.
    until: DateTime<Utc>,
    /// What the store's file looks like.
    store: Stamp,
    /// When passes ran; none where no game has a clock.
    #[serde(rename = "pulse")]
    heartbeat: Option<Heartbeat>,
    /// When the moderator's last digest was due or written; none before the first pass.
    #[serde(default)]
    morning: Option<DateTime<Utc>>,
}

/// A mail server that was asked to open.
type Opened = Result<Box<dyn MailServer>, FetchError>;

/// What a pass was that may have nothing to do.
pub enum Idle<'a> {
    /// It is done.
    Done(PassReport),
    /// A whole pass is needed, with the mail server that was opened already where there is one.
    Needed(Option<Served<'a>>),
}

/// Does a pass without opening the store, if there is nothing to do. The mail server that letters
/// are fetched from is opened where all else is idle. Whatever is wrong with the club, or with the
/// server, is the whole pass's to find.
///
/// # Errors
/// When it cannot be noted that it ran.
pub fn idle_pass<'a>(
    folder: &Path,
    settings: &Settings,
    server: Option<Served<'a>>,
    now: DateTime<Utc>,
) -> Result<Idle<'a>, ClubError> {
    let Some(note) = read::<IdleMark>(&folder.join(NOTE)) else { return Ok(Idle::Needed(server)) };
    let same = Stamp::of(&folder.join("store")).is_ok_and(|stamp| stamp == note.store);
    let inbox = Maildir::new(folder.join(&settings.mail_in.maildir));
    let empty = inbox.waiting(1).is_ok_and(|waiting| waiting.is_empty());
    let zone = settings.moderator.time().zone();
    let digest = note.morning.is_none_or(|last| settings.digest.is_due(last, now, zone));
    if digest || !same || !empty || now < note.at || now >= note.until {
        return Ok(Idle::Needed(server));
    }
    let (server, lies) = server.map(asked).unzip();
    let whole = |server: Option<Opened>| {
        Idle::Needed(server.map(|server| Box::new(|| server) as Served<'a>))
    };
    if lies == Some(true) {
        return Ok(whole(server));
    }
    if let Some(heartbeat) = note.heartbeat {
        let (next, outage) = heartbeat_of(folder, heartbeat).beat(now);
        if outage.is_some() {
            return Ok(whole(server));
        }
        next.map_or(Ok(()), |next| write(folder, PULSE, &next))?;
    }
    Ok(Idle::Done(PassReport::default()))
}

/// Opens a mail server, and says whether a pass has to do with it: with a letter that lies there,
/// or with what is wrong.
fn asked(open: Served<'_>) -> (Opened, bool) {
    let listed = open().and_then(|mut server| {
        let letters = server.letters()?;
        Ok((server, letters))
    });
    match listed {
        Ok((server, letters)) => (Ok(server), !letters.is_empty()),
        Err(error) => (Err(error), true),
    }
}

/// Takes the note away, so that the next pass is a whole one.
///
/// # Errors
/// When it cannot be removed.
pub(crate) fn forget(folder: &Path) -> Result<(), ClubError> {
    let path = folder.join(NOTE);
    disk::remove(&path).map_err(|error| ClubError::file(&path, error))
}

/// Leaves a note for the next pass after this one, if all is done. The store must not be
/// changed through this context any more.
///
/// # Errors
/// When the store cannot be read or the note not be written.
pub fn leave_idle_mark(context: &Context, report: &PassReport) -> Result<(), ClubError> {
    if !report.troubles.is_empty() {
        return Ok(());
    }
    // A file from before 1970 leaves no note: every pass is a whole one then.
    let Some(store) = context.store.stamp() else { return Ok(()) };
    let longest = context.now + LONGEST;
    let tx = Transaction::begin(context);
    let rest = hold::rest(context)?;
    if rest.letters > 0 || erasure::is_owed(context)? {
        return Ok(());
    }
    let until = tx.next_due()?.into_iter().chain(rest.digest).fold(longest, DateTime::min);
    let heartbeat = tx.heartbeat()?.filter(|_| tx.has_clocks().unwrap_or(true));
    let morning = tx.morning()?;
    write(&context.folder, NOTE, &IdleMark { at: context.now, until, store, heartbeat, morning })
}
