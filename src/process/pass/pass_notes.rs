//! Notes that a pass writes to the club's folder for the next pass: the idle note, and the last
//! alert to the moderator.
//!
//! Opening the store takes time and memory that grow with the club. The idle note lets the next
//! pass skip that. It holds the time before which nothing is due, and the state of the store's
//! file. The next pass is idle if the file is unchanged, that time has not come, and no letter is
//! in the inbox or on the mail server. An idle pass only notes that it ran. If the note is missing
//! or unreadable, a full pass runs. A full pass runs at least once a day.
//!
//! Cron mails everything that a pass prints. An error that only a person can fix is therefore
//! printed when it is found and when its text changes. It is also printed when the settings were
//! edited without fixing it, and otherwise once a day.

use crate::club::Settings;
use crate::club::clock::Heartbeat;
use crate::disk;
use crate::mail::Maildir;
use crate::process::context::{ClubError, Context, read_settings};
use crate::process::lobby::erasure;
use crate::process::outbound::queue::{self, WaitingLetters};
use crate::process::pass::fetch::ServerOpener;
use crate::process::pass_report::PassReport;
use crate::process::timing::outage::{
    HEARTBEAT_FILE, latest_heartbeat, read_json, record_pass_in_file, write_json,
};
use crate::process::transaction::Transaction;
use crate::store::{FileStamp, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::UNIX_EPOCH;

const IDLE_FILE: &str = "idle";
const ALERT_FILE: &str = "told";
/// The longest time for which an idle note is valid.
const IDLE_VALIDITY_MAX: TimeDelta = TimeDelta::days(1);

/// The note that lets the next pass skip opening the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct IdleNote {
    at: DateTime<Utc>,
    /// The time before which nothing is due.
    until: DateTime<Utc>,
    store: FileStamp,
    /// The times of earlier passes; `None` if no game has a clock.
    heartbeat: Option<Heartbeat>,
    /// When the moderator's last digest was due or written; `None` before the first pass.
    #[serde(default)]
    morning: Option<DateTime<Utc>>,
}

/// The result of trying to run a pass without opening the store.
pub enum IdleOutcome<'a> {
    Done(PassReport),
    /// A full pass is needed. It holds the mail server, already connected if it was contacted.
    FullPassNeeded(Option<ServerOpener<'a>>),
}

/// Runs a pass without opening the store if the idle note allows it. Contacts the mail server last.
/// If anything is wrong with the club or the server, it leaves that to a full pass.
///
/// # Errors
/// When the heartbeat of this pass cannot be written.
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
    let zone = settings.moderators.first.own_time().zone();
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
    match note.heartbeat {
        Some(_) => next.map_or(Ok(()), |next| write_json(folder, HEARTBEAT_FILE, &next))?,
        None => record_pass_in_file(folder, None, now)?,
    }
    Ok(IdleOutcome::Done(PassReport::default()))
}

/// Removes the idle note, so that the next pass is a full pass.
pub(crate) fn remove_idle_note(folder: &Path) -> Result<(), ClubError> {
    let path = folder.join(IDLE_FILE);
    disk::remove_file_if_exists(&path).map_err(|error| ClubError::for_path(&path, error))
}

/// Writes the idle note after a pass without troubles, if no letter waits to be sent and no
/// member's data waits to be erased. The store must not be changed through this context afterwards.
///
/// # Errors
/// When the store cannot be read or the note cannot be written.
pub fn write_idle_note(context: &Context, report: &PassReport) -> Result<(), ClubError> {
    if !report.troubles.is_empty() {
        return Ok(());
    }
    // A store file dated before 1970 has no stamp. No note is written then, so every pass is a full
    // pass.
    let Some(store) = context.store.file_stamp() else { return Ok(()) };
    let longest = context.now + IDLE_VALIDITY_MAX;
    let tx = Transaction::begin(context);
    let WaitingLetters { count, next_digest, .. } = queue::find_waiting_letters(context)?;
    if count > 0 || erasure::is_pending(context)? {
        return Ok(());
    }
    let until = tx.next_due_time()?.into_iter().chain(next_digest).fold(longest, DateTime::min);
    let heartbeat = tx.heartbeat()?.filter(|_| tx.has_ever_had_clock().unwrap_or(true));
    let morning = tx.last_morning_digest()?;
    write_json(
        &context.folder,
        IDLE_FILE,
        &IdleNote { at: context.now, until, store, heartbeat, morning },
    )
}

/// The time for which an unchanged alert is not printed again. It is an hour less than a day,
/// because cron may start a pass some seconds early.
const REPEAT_ALERT_AFTER: TimeDelta = TimeDelta::hours(24 - 1);

/// The last alert that was printed for the moderator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModeratorAlert {
    pub at: DateTime<Utc>,
    pub what: String,
    /// When the settings files were last written, in seconds since 1970.
    #[serde(default)]
    edited: Vec<Option<u64>>,
}

/// Returns the last alert, or `None` if its error has been fixed since.
pub fn read_last_alert(folder: &Path) -> Option<ModeratorAlert> {
    read_json(&folder.join(ALERT_FILE))
}

/// Whether this error must be printed now. If so, notes it as the last alert. If the note cannot be
/// written, every pass prints the error.
pub fn record_if_new_alert(folder: &Path, what: &str, now: DateTime<Utc>) -> bool {
    let told =
        ModeratorAlert { at: now, what: what.to_owned(), edited: settings_edit_times(folder) };
    let is_known = read_last_alert(folder).is_some_and(|before| {
        let since = now - before.at;
        let is_recent = TimeDelta::zero() <= since && since < REPEAT_ALERT_AFTER;
        is_recent
            && words_without_digits(&before.what) == words_without_digits(what)
            && before.edited == told.edited
    });
    if !is_known {
        // A missing note only causes repeated alerts, so write errors are ignored. Nothing is
        // written into a folder that holds no club.
        if ["club.yaml", "store"].iter().any(|own| folder.join(own).exists()) {
            let _ = write_json(folder, ALERT_FILE, &told);
        }
    }
    !is_known
}

/// Notes that no error is left. Returns the last alert that was printed.
///
/// # Errors
/// When the note cannot be removed.
pub fn take_last_alert(folder: &Path) -> Result<Option<ModeratorAlert>, ClubError> {
    let path = folder.join(ALERT_FILE);
    let told = read_last_alert(folder);
    disk::remove_file_if_exists(&path).map_err(|error| ClubError::for_path(&path, error))?;
    Ok(told)
}

/// Returns the words of a text without those that contain digits. A mail server changes these words
/// (ids, times) in every reply.
fn words_without_digits(what: &str) -> Vec<&str> {
    let has_digit = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    what.split_whitespace().filter(|word| !has_digit(word)).collect()
}

/// Returns when the files were written that a person edits to fix settings: club.yaml, the secret
/// and the password files.
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
