//! Notes of passes beside the store: one that lets the next pass do nothing, and one of what the
//! moderator was told.
//!
//! Opening the store takes time and memory that grow with the club. So a pass notes until when
//! nothing will be due, and what the store's file looks like. While the file looks the same, that
//! time has not come and no letter waits in the inbox or on the mail server, the next pass only
//! notes that it ran. A change of the store makes the note void. Without a readable note a pass is
//! a whole pass, and a whole one is done once a day at least.
//!
//! Cron mails whatever a pass prints. So a mistake that only a person can mend is printed when it
//! is found, when it has changed, when the settings were edited and it is still there, and else
//! once a day.

use crate::club::Settings;
use crate::club::clock::Heartbeat;
use crate::disk;
use crate::mail::Maildir;
use crate::process::context::{ClubError, Context, read_settings};
use crate::process::lobby::erasure;
use crate::process::outbound::queue;
use crate::process::pass::fetch::ServerOpener;
use crate::process::pass_report::PassReport;
use crate::process::timing::outage::{HEARTBEAT_FILE, latest_heartbeat, read_json, write_json};
use crate::process::transaction::Transaction;
use crate::store::{FileStamp, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The note of an idle pass, in the club's folder.
const IDLE_FILE: &str = "idle";
/// The note of what the moderator was told, in the club's folder.
const ALERT_FILE: &str = "told";
/// The longest time for which a note of an idle pass is valid.
const IDLE_VALIDITY_MAX: TimeDelta = TimeDelta::days(1);

/// What a pass leaves for the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IdleNote {
    /// When it was written.
    at: DateTime<Utc>,
    /// Nothing is due before this.
    until: DateTime<Utc>,
    /// What the store's file looks like.
    store: FileStamp,
    /// When passes ran; `None` if no game has a clock.
    heartbeat: Option<Heartbeat>,
    /// When the moderator's last digest was due or written; `None` before the first pass.
    #[serde(default)]
    morning: Option<DateTime<Utc>>,
}

/// The outcome of a pass that may have nothing to do.
pub enum IdleOutcome<'a> {
    /// It is done.
    Done(PassReport),
    /// A whole pass is needed, with the mail server that was opened already where there is one.
    FullPassNeeded(Option<ServerOpener<'a>>),
}

/// Does a pass without opening the store, if there is nothing to do. Asks the mail server last. A
/// whole pass finds whatever is wrong with the club or with the server.
///
/// # Errors
/// When the pass cannot be noted.
pub fn try_idle_pass<'a>(
    folder: &Path,
    settings: &Settings,
    server: Option<ServerOpener<'a>>,
    now: DateTime<Utc>,
) -> Result<IdleOutcome<'a>, ClubError> {
    let Some(note) = read_json::<IdleNote>(&folder.join(IDLE_FILE)) else {
        return Ok(IdleOutcome::FullPassNeeded(server));
    };
    let same = FileStamp::for_store(&folder.join("store")).is_ok_and(|stamp| stamp == note.store);
    let inbox = Maildir::new(folder.join(&settings.mail_in.maildir));
    let empty = inbox.pending_letters(1).is_ok_and(|waiting| waiting.is_empty());
    let zone = settings.moderator.own_time().zone();
    let digest = note.morning.is_none_or(|last| settings.digest.is_due(last, now, zone));
    let beat = note.heartbeat.map(|heartbeat| latest_heartbeat(folder, heartbeat).record_pass(now));
    let (next, outage) = beat.unwrap_or_default();
    let is_needed = digest || !same || !empty || outage.is_some();
    if is_needed || now < note.at || now >= note.until {
        return Ok(IdleOutcome::FullPassNeeded(server));
    }
    let listed = server.map(|open| {
        let mut server = open()?;
        let is_empty = server.list_letters()?.is_empty();
        Ok((server, is_empty))
    });
    match listed {
        None | Some(Ok((_, true))) => {}
        Some(Ok((server, false))) => {
            return Ok(IdleOutcome::FullPassNeeded(Some(Box::new(|| Ok(server)))));
        }
        Some(Err(error)) => return Ok(IdleOutcome::FullPassNeeded(Some(Box::new(|| Err(error))))),
    }
    next.map_or(Ok(()), |next| write_json(folder, HEARTBEAT_FILE, &next))?;
    Ok(IdleOutcome::Done(PassReport::default()))
}

/// Removes the note, so that the next pass is a whole one.
///
/// # Errors
/// When it cannot be removed.
pub(crate) fn remove_idle_note(folder: &Path) -> Result<(), ClubError> {
    let path = folder.join(IDLE_FILE);
    disk::remove(&path).map_err(|error| ClubError::file(&path, error))
}

/// Leaves a note for the next pass after this one, if all is done. The store must not be
/// changed through this context any more.
///
/// # Errors
/// When the store cannot be read or the note not be written.
pub fn write_idle_note(context: &Context, report: &PassReport) -> Result<(), ClubError> {
    if !report.troubles.is_empty() {
        return Ok(());
    }
    // A file from before 1970 leaves no note, so every pass is a whole one then.
    let Some(store) = context.store.file_stamp() else { return Ok(()) };
    let longest = context.now + IDLE_VALIDITY_MAX;
    let tx = Transaction::begin(context);
    let (letters, digest) = queue::waiting_status(context)?;
    if letters > 0 || erasure::is_pending(context)? {
        return Ok(());
    }
    let until = tx.next_due_time()?.into_iter().chain(digest).fold(longest, DateTime::min);
    let heartbeat = tx.heartbeat()?.filter(|_| tx.has_clocks().unwrap_or(true));
    let morning = tx.last_morning_digest()?;
    write_json(
        &context.folder,
        IDLE_FILE,
        &IdleNote { at: context.now, until, store, heartbeat, morning },
    )
}

/// How long a mistake that stays the same is not printed again: a little less than a day, because a
/// pass may come some seconds early.
const REPEAT_ALERT_AFTER: TimeDelta = TimeDelta::hours(24 - 1);

/// What the moderator was told, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeratorAlert {
    /// When it was told.
    pub at: DateTime<Utc>,
    /// The text that was printed.
    pub what: String,
    /// When the files of the settings were last written, in seconds since 1970.
    #[serde(default)]
    edited: Vec<Option<u64>>,
}

/// Returns what was told last, if it has not been mended since.
pub fn read_alert(folder: &Path) -> Option<ModeratorAlert> {
    read_json(&folder.join(ALERT_FILE))
}

/// Whether a mistake is to be told now; notes that. If that cannot be noted, every pass tells it.
pub fn should_send_alert(folder: &Path, what: &str, now: DateTime<Utc>) -> bool {
    let told =
        ModeratorAlert { at: now, what: what.to_owned(), edited: settings_edit_times(folder) };
    let is_known = read_alert(folder).is_some_and(|before| {
        let since = now - before.at;
        let is_recent = TimeDelta::zero() <= since && since < REPEAT_ALERT_AFTER;
        is_recent
            && stable_words(&before.what) == stable_words(what)
            && before.edited == told.edited
    });
    if !is_known {
        // A folder that is no club's is left as it is, and a missing note does no harm.
        if ["club.yaml", "store"].iter().any(|own| folder.join(own).exists()) {
            let _ = write_json(folder, ALERT_FILE, &told);
        }
    }
    !is_known
}

/// Notes that all is well. Returns what had been told until now.
///
/// # Errors
/// When the note cannot be removed.
pub fn clear_alert(folder: &Path) -> Result<Option<ModeratorAlert>, ClubError> {
    let path = folder.join(ALERT_FILE);
    let told = read_alert(folder);
    disk::remove(&path).map_err(|error| ClubError::file(&path, error))?;
    Ok(told)
}

/// Returns the words without those that a server makes anew each time.
fn stable_words(what: &str) -> Vec<&str> {
    let has_digit = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    what.split_whitespace().filter(|word| !has_digit(word)).collect()
}

/// Returns when the files were written by which a person mends settings.
fn settings_edit_times(folder: &Path) -> Vec<Option<u64>> {
    let written = |path: &Path| {
        let time = std::fs::metadata(path).and_then(|data| data.modified()).ok()?;
        Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs())
    };
    let mut files = vec!["club.yaml".to_owned(), "secret".to_owned()];
    if let Ok(settings) = read_settings(folder) {
        files.extend(settings.mail_in.imap.and_then(|imap| imap.password_file));
        files.extend(settings.mail_out.smtp.and_then(|smtp| smtp.password_file));
    }
    files.iter().map(|file| written(&folder.join(file))).collect()
}
