//! `present.jsonl`: what a club is in the middle of, beside what has happened in it.
//!
//! Which letters wait in the outbox, and when passes ran. It is written anew whenever that has
//! changed, so it never grows. The oldest letters stand in it whole; of the others, which only a
//! great club has, it says whose they are. Knows nothing of what letters say.

use crate::club::clock::Heartbeat;
use crate::disk::{self, Readers};
use crate::rules::Seat;
use crate::store::{
    Content, GameStore, InLine, Label, Outbox, Outgoing, Reader, Repository, Store, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// So many letters stand in the file whole: a pass that writes more of them has better to do.
const WHOLE: usize = 200;
/// When passes ran is noted this often at most, for nothing else's sake.
const BEAT: TimeDelta = TimeDelta::hours(1);

/// The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The outbox's keys of the letters that wait: what tells that others wait now.
    keys: Vec<u64>,
    /// When passes ran.
    #[serde(rename = "pulse")]
    heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of.
    morning: Option<DateTime<Utc>>,
}

/// A letter that waited: a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The Message-ID that the letter bears whenever it is posted.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// What is owed, where there was room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owed: Option<Value>,
    /// All of it, if it was written before it was queued.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// What stands on it; nothing on letters of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<Label>,
}

/// What a club was in the middle of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// The letters that waited, oldest first.
    pub letters: Vec<Waiting>,
    /// When passes ran.
    pub heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of.
    pub morning: Option<DateTime<Utc>>,
}

/// What a club was in the middle of when its journal was last written; none when the journal does
/// not say, as one of an earlier version, or cannot be understood: nothing that happened hangs on
/// it.
pub fn present(folder: &Path) -> Option<Present> {
    let text = std::fs::read_to_string(path(folder)).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let Head { heartbeat, morning, .. } = serde_json::from_str(head).ok()?;
    let letters =
        rest.lines().map(|line| serde_json::from_str(line).ok()).collect::<Option<_>>()?;
    Some(Present { letters, heartbeat, morning })
}

impl Waiting {
    /// Whether the letter is here whole.
    pub(crate) const fn is_whole(&self) -> bool {
        self.owed.is_some() || self.text.is_some()
    }

    /// The seats that it is for, if that stands on it: game and seat.
    pub(crate) fn seats(&self) -> Vec<(u32, Seat)> {
        match self.label.as_ref().map(|label| &label.reader) {
            Some(Reader::Seats { seats, .. }) => {
                seats.iter().map(|shown| (shown.game, shown.seat)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The letter, if it is here whole.
    pub(crate) fn whole(&self) -> Option<Outgoing> {
        let Self { message_id, recipient, owed, text, label } = self.clone();
        let bytes = |text: String| Content::Bytes(text.into_bytes());
        let content = owed.map(Content::Owed).or(text.map(bytes))?;
        Some(Outgoing { message_id, recipient, content, label })
    }
}

impl From<Outgoing> for Waiting {
    fn from(Outgoing { message_id, recipient, content, label }: Outgoing) -> Self {
        let (owed, text) = match content {
            Content::Owed(owed) => (Some(owed), None),
            // Our own letters are text.
            Content::Bytes(bytes) => (None, String::from_utf8(bytes).ok()),
        };
        Self { message_id, recipient, owed, text, label }
    }
}

impl Head {
    /// Whether a file with this head says all that one with the other would.
    fn does_for(&self, other: &Self) -> bool {
        let same =
            |a: &Heartbeat, b: &Heartbeat| a.closed == b.closed && (b.last - a.last).abs() < BEAT;
        let beats = match (&self.heartbeat, &other.heartbeat) {
            (Some(old), Some(new)) => same(old, new),
            (old, new) => old == new,
        };
        beats && self.keys == other.keys && self.morning == other.morning
    }
}

impl Store {
    /// Brings the file up to date. Where there is no journal yet, letters begin one.
    pub(super) fn write_present(&self, folder: &Path) -> Result<(), StoreError> {
        let path = path(folder);
        let head = Head {
            keys: self.outbox_keys()?,
            heartbeat: self.heartbeat()?,
            morning: self.morning()?,
        };
        let untouched = head.keys.is_empty() && !folder.exists();
        if untouched || head_of(&path).is_some_and(|written| written.does_for(&head)) {
            return Ok(());
        }
        disk::create_folder(folder)?;
        let line = self.in_line(DateTime::<Utc>::MAX_UTC)?;
        let bytes = super::text(&lines(self, &head, line, WHOLE)?);
        Ok(disk::write_whole(&path.with_extension("new"), &path, &bytes, Readers::Owner)?)
    }
}

impl Present {
    /// The lines of the file of a store in which nothing was ever left out, whatever waits.
    pub(super) fn of(store: &dyn GameStore) -> Result<Vec<String>, StoreError> {
        let line = store.in_line(DateTime::<Utc>::MAX_UTC)?;
        let head = Head {
            keys: line.iter().map(|letter| letter.key).collect(),
            heartbeat: store.heartbeat()?,
            morning: store.morning()?,
        };
        lines(store, &head, line, usize::MAX)
    }
}

/// The lines of the file: its head, and a line for each letter that waits, those put off included;
/// so many of the oldest ones whole.
fn lines(
    store: &dyn GameStore,
    head: &Head,
    line: Vec<InLine>,
    whole: usize,
) -> Result<Vec<String>, StoreError> {
    let mut lines = vec![serde_json::to_string(head).map_err(StoreError::damaged)?];
    for letter in waiting(store, line, whole)? {
        lines.push(serde_json::to_string(&letter).map_err(StoreError::damaged)?);
    }
    Ok(lines)
}

/// These letters, so many of them whole.
fn waiting(
    store: &dyn GameStore,
    line: Vec<InLine>,
    whole: usize,
) -> Result<Vec<Waiting>, StoreError> {
    let mut line = line.into_iter();
    let mut letters = Vec::new();
    for letter in line.by_ref().take(whole) {
        letters.extend(store.queued(letter.key)?.map(|queued| Waiting::from(queued.letter)));
    }
    letters.extend(line.map(|InLine { message_id, recipient, label, .. }| Waiting {
        message_id,
        recipient,
        owed: None,
        text: None,
        label,
    }));
    Ok(letters)
}

pub(super) fn path(folder: &Path) -> PathBuf {
    folder.join("present.jsonl")
}

fn head_of(path: &Path) -> Option<Head> {
    let mut line = String::new();
    BufReader::new(File::open(path).ok()?).read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}
