//! What the moderator was told of that does not pass by itself, beside the store.
//!
//! Cron mails whatever a pass prints. A mistake that only a person can mend is told when it is
//! found, when it has changed, when somebody has edited the settings and it is still there, and
//! else once a day; so it is never silent for long, and never a letter each five minutes.

use crate::disk;
use crate::process::context::{ClubError, read_settings};
use crate::process::timing::heartbeat::{read, write};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The note's file in the club's folder.
const NOTE: &str = "told";
/// How long a mistake that stays the same is not told again. A little less than a day, since a
/// pass may come some seconds early.
const SILENCE: TimeDelta = TimeDelta::hours(24 - 1);

/// What the moderator was told of, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// When.
    pub at: DateTime<Utc>,
    /// In which words.
    pub what: String,
    /// When what the settings are made of was last written, in seconds since 1970.
    #[serde(default)]
    edited: Vec<Option<u64>>,
}

/// What was told of last and has not been mended since; none where there is nothing.
pub fn was_told(folder: &Path) -> Option<Told> {
    read(&folder.join(NOTE))
}

/// Whether a mistake is to be told now, which is noted then. Where that cannot be noted it is told
/// by every pass.
pub fn to_be_told(folder: &Path, what: &str, now: DateTime<Utc>) -> bool {
    let told = Told { at: now, what: what.to_owned(), edited: edited(folder) };
    let is_known = was_told(folder).is_some_and(|before| {
        let since = now - before.at;
        let is_recent = TimeDelta::zero() <= since && since < SILENCE;
        is_recent && words(&before.what) == words(what) && before.edited == told.edited
    });
    if !is_known {
        // A folder that is no club's is left as it is; and a note that is not there is no harm.
        if ["club.yaml", "store"].iter().any(|own| folder.join(own).exists()) {
            let _ = write(folder, NOTE, &told);
        }
    }
    !is_known
}

/// Notes that all is well; what had been told until now, if anything had.
///
/// # Errors
/// When the note cannot be removed.
pub fn mended(folder: &Path) -> Result<Option<Told>, ClubError> {
    let path = folder.join(NOTE);
    let told = was_told(folder);
    if path.exists() {
        disk::remove(&path).map_err(|error| ClubError::file(&path, error))?;
    }
    Ok(told)
}

/// The words of what was said, without those that a server makes anew each time.
fn words(what: &str) -> Vec<&str> {
    let has_digit = |word: &&str| word.chars().any(|c| c.is_ascii_digit());
    what.split_whitespace().filter(|word| !has_digit(word)).collect()
}

/// When the files were written that a person mends settings by.
fn edited(folder: &Path) -> Vec<Option<u64>> {
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
