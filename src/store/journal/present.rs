//! `present.jsonl`: what a club is in the middle of, beside what has happened in it.
//!
//! Which letters wait in the outbox, and when passes ran. It is written anew whenever that has
//! changed, so it never grows; only letters that came into line since this process wrote it are
//! appended. The oldest letters stand in it whole; of the others, which only a great club has, it
//! says whose they are. Knows nothing of what letters say.

use crate::club::clock::Heartbeat;
use crate::rules::Seat;
use crate::store::{GameStore, InLine, Label, Outgoing, Reader, StoreError};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// So many letters stand in the file whole: a pass that writes more of them has better to do.
pub(in crate::store) const WHOLE: usize = 200;
/// When passes ran is noted this often at most, for nothing else's sake.
const BEAT: TimeDelta = TimeDelta::hours(1);

/// The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct Head {
    /// The outbox's keys of the letters that waited when the file was begun: what tells that others
    /// wait now. Those behind them were appended.
    pub(in crate::store) keys: Vec<u64>,
    /// When passes ran.
    pub(in crate::store) heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of.
    pub(in crate::store) morning: Option<DateTime<Utc>>,
}

/// A letter that waited: a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The Message-ID that the letter bears whenever it is posted.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// The news that it tells, where there was room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owed: Option<Value>,
    /// The label of the letter.
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

/// Reads what a club was in the middle of when its journal was last written. Returns `None` if the
/// file is missing or damaged: no record of a game depends on it.
pub fn present(folder: &Path) -> Option<Present> {
    let text = std::fs::read_to_string(path(folder)).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let Head { keys, heartbeat, morning } = serde_json::from_str(head).ok()?;
    let mut lines = rest.lines().map(|line| serde_json::from_str(line).ok());
    let begun = lines.by_ref().take(keys.len()).collect::<Option<Vec<_>>>()?;
    // A power cut may have torn what was appended.
    let letters = begun.into_iter().chain(lines.map_while(|letter| letter)).collect();
    Some(Present { letters, heartbeat, morning })
}

/// The file as this process has left it.
#[derive(Debug)]
pub(crate) struct PresentFile {
    /// Its head, with the letters that were appended since.
    pub(in crate::store) head: Head,
    /// How long it is.
    pub(in crate::store) bytes: u64,
}

impl PresentFile {
    /// The file as it lies there, if nothing was appended since it was begun.
    pub(in crate::store) fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (head, rest) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        let is_as_begun = rest.lines().count() == head.keys.len();
        is_as_begun.then_some(Self { head, bytes: text.len() as u64 })
    }

    /// Whether nobody has touched it since.
    pub(in crate::store) fn stands(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|file| file.len() == self.bytes)
    }
}

impl Waiting {
    /// Returns `true` if the letter is here whole.
    pub(crate) const fn is_whole(&self) -> bool {
        self.owed.is_some()
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

    /// Returns the letter, if it is here whole.
    pub(crate) fn whole(&self) -> Option<Outgoing> {
        let Self { message_id, recipient, owed, label } = self.clone();
        Some(Outgoing { message_id, recipient, owed: owed?, label })
    }
}

impl From<Outgoing> for Waiting {
    fn from(Outgoing { message_id, recipient, owed, label }: Outgoing) -> Self {
        Self { message_id, recipient, owed: Some(owed), label }
    }
}

impl Head {
    /// Whether a file with this head says all that one with the other would.
    pub(in crate::store) fn does_for(&self, other: &Self) -> bool {
        self.keys == other.keys && self.beats_with(other)
    }

    /// Whether a file with this head says all that one with the other would, but for letters that
    /// came into line since.
    pub(in crate::store) fn goes_on_with(&self, other: &Self) -> bool {
        other.keys.starts_with(&self.keys) && self.beats_with(other)
    }

    fn beats_with(&self, other: &Self) -> bool {
        let same =
            |a: &Heartbeat, b: &Heartbeat| a.closed == b.closed && (b.last - a.last).abs() < BEAT;
        let beats = match (&self.heartbeat, &other.heartbeat) {
            (Some(old), Some(new)) => same(old, new),
            (old, new) => old == new,
        };
        beats && self.morning == other.morning
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
pub(in crate::store) fn lines(
    store: &dyn GameStore,
    head: &Head,
    line: Vec<InLine>,
    whole: usize,
) -> Result<Vec<String>, StoreError> {
    let head = serde_json::to_string(head).map_err(StoreError::damaged)?;
    let letters = lines_of(waiting(store, line, whole)?)?;
    Ok(std::iter::once(head).chain(letters).collect())
}

pub(in crate::store) fn lines_of(letters: Vec<Waiting>) -> Result<Vec<String>, StoreError> {
    let line = |letter| serde_json::to_string(&letter).map_err(StoreError::damaged);
    letters.into_iter().map(line).collect()
}

/// These letters, so many of them whole.
pub(in crate::store) fn waiting(
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
        label,
    }));
    Ok(letters)
}

pub(in crate::store) fn path(folder: &Path) -> PathBuf {
    folder.join("present.jsonl")
}
