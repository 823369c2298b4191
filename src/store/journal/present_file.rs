//! `present.jsonl`: what a club is in the middle of, beside what has happened in it.
//!
//! Which letters wait in the outbox, and when passes ran. It is written anew whenever that has
//! changed, so it never grows; only letters that came into line since this process wrote it are
//! appended. The oldest letters stand in it whole; of the others, which only a great club has, it
//! says whose they are. Knows nothing of what letters say.

use crate::club::clock::Heartbeat;
use crate::rules::Seat;
use crate::store::{
    GameStore, LetterReader, OutboxLabel, OutgoingLetter, QueuedSummary, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// So many letters stand in the file whole: a pass that writes more of them has better to do.
pub(in crate::store) const FULL_LETTERS_MAX: usize = 200;
/// When passes ran is noted this often at most, for nothing else's sake.
const HEARTBEAT_INTERVAL: TimeDelta = TimeDelta::hours(1);

/// The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct PresentHeader {
    /// The outbox's keys of the letters that waited when the file was begun: what tells that others
    /// wait now. Those behind them were appended.
    pub(in crate::store) keys: Vec<u64>,
    /// When passes ran.
    pub(in crate::store) heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of.
    #[serde(rename = "morning")]
    pub(in crate::store) last_morning_digest: Option<DateTime<Utc>>,
}

/// A letter that waited: a line each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingLetter {
    /// The Message-ID that the letter bears whenever it is posted.
    pub message_id: String,
    /// The address that it goes to.
    pub recipient: String,
    /// The news that it tells, where there was room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "owed")]
    payload: Option<Value>,
    /// The label of the letter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<OutboxLabel>,
}

/// What a club was in the middle of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresentState {
    /// The letters that waited, oldest first.
    pub letters: Vec<WaitingLetter>,
    /// When passes ran.
    pub heartbeat: Option<Heartbeat>,
    /// When the moderator's morning digest was last thought of.
    pub last_morning_digest: Option<DateTime<Utc>>,
}

/// Reads what a club was in the middle of when its journal was last written. Returns `None` if the
/// file is missing or damaged: no record of a game depends on it.
pub fn read_present(folder: &Path) -> Option<PresentState> {
    let text = std::fs::read_to_string(path(folder)).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let PresentHeader { keys, heartbeat, last_morning_digest: morning } =
        serde_json::from_str(head).ok()?;
    let mut lines = rest.lines().map(|line| serde_json::from_str(line).ok());
    let begun = lines.by_ref().take(keys.len()).collect::<Option<Vec<_>>>()?;
    // A power cut may have torn what was appended.
    let letters = begun.into_iter().chain(lines.map_while(|letter| letter)).collect();
    Some(PresentState { letters, heartbeat, last_morning_digest: morning })
}

/// The file as this process has left it.
#[derive(Debug)]
pub(crate) struct PresentFile {
    /// Its head, with the letters that were appended since.
    pub(in crate::store) head: PresentHeader,
    /// How long it is.
    pub(in crate::store) bytes: u64,
}

impl PresentFile {
    /// The file as it lies there, if nothing was appended since it was begun.
    pub(in crate::store) fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (head, rest) = text.split_once('\n')?;
        let head: PresentHeader = serde_json::from_str(head).ok()?;
        let is_as_begun = rest.lines().count() == head.keys.len();
        is_as_begun.then_some(Self { head, bytes: text.len() as u64 })
    }

    /// Whether nobody has touched it since.
    pub(in crate::store) fn is_unchanged(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|file| file.len() == self.bytes)
    }
}

impl WaitingLetter {
    /// Returns `true` if the letter is here whole.
    pub(crate) const fn has_payload(&self) -> bool {
        self.payload.is_some()
    }

    /// The seats that it is for, if that stands on it: game and seat.
    pub(crate) fn seats(&self) -> Vec<(u32, Seat)> {
        match self.label.as_ref().map(|label| &label.reader) {
            Some(LetterReader::Seats { seats, .. }) => {
                seats.iter().map(|shown| (shown.game, shown.seat)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the letter, if it is here whole.
    pub(crate) fn to_outgoing(&self) -> Option<OutgoingLetter> {
        let Self { message_id, recipient, payload: owed, label } = self.clone();
        Some(OutgoingLetter { message_id, recipient, payload: owed?, label })
    }
}

impl From<OutgoingLetter> for WaitingLetter {
    fn from(
        OutgoingLetter { message_id, recipient, payload: owed, label }: OutgoingLetter,
    ) -> Self {
        Self { message_id, recipient, payload: Some(owed), label }
    }
}

impl PresentHeader {
    /// Whether a file with this head says all that one with the other would.
    pub(in crate::store) fn matches(&self, other: &Self) -> bool {
        self.keys == other.keys && self.has_same_heartbeat(other)
    }

    /// Whether a file with this head says all that one with the other would, but for letters that
    /// came into line since.
    pub(in crate::store) fn is_prefix_of(&self, other: &Self) -> bool {
        other.keys.starts_with(&self.keys) && self.has_same_heartbeat(other)
    }

    fn has_same_heartbeat(&self, other: &Self) -> bool {
        let same = |a: &Heartbeat, b: &Heartbeat| {
            a.outbound_closed_since == b.outbound_closed_since
                && (b.last_pass - a.last_pass).abs() < HEARTBEAT_INTERVAL
        };
        let beats = match (&self.heartbeat, &other.heartbeat) {
            (Some(old), Some(new)) => same(old, new),
            (old, new) => old == new,
        };
        beats && self.last_morning_digest == other.last_morning_digest
    }
}

impl PresentState {
    /// The lines of the file of a store in which nothing was ever left out, whatever waits.
    pub(super) fn full_lines(store: &dyn GameStore) -> Result<Vec<String>, StoreError> {
        let line = store.list_sendable(DateTime::<Utc>::MAX_UTC)?;
        let head = PresentHeader {
            keys: line.iter().map(|letter| letter.key).collect(),
            heartbeat: store.heartbeat()?,
            last_morning_digest: store.last_morning_digest()?,
        };
        present_lines(store, &head, line, usize::MAX)
    }
}

/// The lines of the file: its head, and a line for each letter that waits, those put off included;
/// so many of the oldest ones whole.
pub(in crate::store) fn present_lines(
    store: &dyn GameStore,
    head: &PresentHeader,
    line: Vec<QueuedSummary>,
    full_count: usize,
) -> Result<Vec<String>, StoreError> {
    let head = serde_json::to_string(head).map_err(StoreError::damaged)?;
    let letters = serialize_letters(load_waiting_letters(store, line, full_count)?)?;
    Ok(std::iter::once(head).chain(letters).collect())
}

pub(in crate::store) fn serialize_letters(
    letters: Vec<WaitingLetter>,
) -> Result<Vec<String>, StoreError> {
    let line = |letter| serde_json::to_string(&letter).map_err(StoreError::damaged);
    letters.into_iter().map(line).collect()
}

/// These letters, so many of them whole.
pub(in crate::store) fn load_waiting_letters(
    store: &dyn GameStore,
    line: Vec<QueuedSummary>,
    full_count: usize,
) -> Result<Vec<WaitingLetter>, StoreError> {
    let mut line = line.into_iter();
    let mut letters = Vec::new();
    for letter in line.by_ref().take(full_count) {
        letters.extend(
            store.queued_letter(letter.key)?.map(|queued| WaitingLetter::from(queued.letter)),
        );
    }
    letters.extend(line.map(|QueuedSummary { message_id, recipient, label, .. }| WaitingLetter {
        message_id,
        recipient,
        payload: None,
        label,
    }));
    Ok(letters)
}

pub(in crate::store) fn path(folder: &Path) -> PathBuf {
    folder.join("present.jsonl")
}
