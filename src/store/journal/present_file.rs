//! `present.jsonl`: the outbox and the heartbeat of a club, for a restore.
//!
//! The file is rewritten when its contents have changed, so it does not grow without limit. If only
//! new letters were queued since this process wrote it, they are appended. The oldest 200 letters
//! are in the file with their contents. Of later ones, which only a large club has, it holds only
//! the address and the label.

use crate::club::clock::Heartbeat;
use crate::rules::Seat;
use crate::store::{
    GameStore, LetterReader, OutboxLabel, OutgoingLetter, QueuedSummary, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The number of queued letters that `present.jsonl`, the journal's copy of the outbox, holds with
/// their contents. More would cost a pass too much time.
pub(in crate::store) const FULL_LETTERS_MAX: usize = 200;
/// A heartbeat in the file counts as current up to this age, so that an idle pass writes nothing.
const HEARTBEAT_INTERVAL: TimeDelta = TimeDelta::hours(1);

/// The first line of `present.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::store) struct PresentFileHeader {
    /// The outbox keys of the letters that were queued when the file was last rewritten. Comparing
    /// them shows if the queue has changed. Letters that were appended to the file later are not in
    /// this list.
    pub(in crate::store) keys: Vec<u64>,
    pub(in crate::store) heartbeat: Option<Heartbeat>,
    #[serde(rename = "morning")]
    pub(in crate::store) last_morning_digest: Option<DateTime<Utc>>,
}

/// A line of `present.jsonl`: a letter that was queued when the file was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingLetter {
    pub message_id: String,
    pub recipient: String,
    /// The letter's news; `None` if the letter was not among the oldest 200.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "owed")]
    payload: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<OutboxLabel>,
}

/// The outbox and the heartbeat of a club when its journal was last written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PresentState {
    /// The letters that were queued when the journal was last written, oldest first.
    pub letters: Vec<WaitingLetter>,
    pub heartbeat: Option<Heartbeat>,
    pub last_morning_digest: Option<DateTime<Utc>>,
}

/// Reads `present.jsonl`. Returns `None` if the file is missing or damaged. A restore then goes on
/// without it, because no game depends on it.
pub fn read_present_file(folder: &Path) -> Option<PresentState> {
    let text = std::fs::read_to_string(path(folder)).ok()?;
    let (head, rest) = text.split_once('\n')?;
    let PresentFileHeader { keys, heartbeat, last_morning_digest: morning } =
        serde_json::from_str(head).ok()?;
    let mut lines = rest.lines().map(|line| serde_json::from_str(line).ok());
    let begun = lines.by_ref().take(keys.len()).collect::<Option<Vec<_>>>()?;
    // A power cut may have torn the lines that were appended, so reading stops at the first broken
    // one.
    let letters = begun.into_iter().chain(lines.map_while(|letter| letter)).collect();
    Some(PresentState { letters, heartbeat, last_morning_digest: morning })
}

/// The file `present.jsonl` as this process last wrote it.
#[derive(Debug)]
pub(crate) struct PresentFile {
    /// The first line of the file, with the keys of the letters that were appended since.
    pub(in crate::store) head: PresentFileHeader,
    pub(in crate::store) bytes: u64,
}

impl PresentFile {
    /// Reads `present.jsonl`, if no letter was appended since it was rewritten. Otherwise its first
    /// line does not name all its letters, so this returns `None`.
    pub(in crate::store) fn read_if_complete(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (head, rest) = text.split_once('\n')?;
        let head: PresentFileHeader = serde_json::from_str(head).ok()?;
        let is_as_begun = rest.lines().count() == head.keys.len();
        is_as_begun.then_some(Self { head, bytes: text.len() as u64 })
    }

    /// Whether `present.jsonl` still has the length that this process left.
    pub(in crate::store) fn is_unchanged(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|file| file.len() == self.bytes)
    }
}

impl WaitingLetter {
    /// Returns `true` if the journal holds the letter's contents.
    pub(crate) const fn has_payload(&self) -> bool {
        self.payload.is_some()
    }

    /// Returns the games and seats whose news the letter tells, if its label names them.
    pub(crate) fn games_and_seats(&self) -> Vec<(u32, Seat)> {
        match self.label.as_ref().map(|label| &label.reader) {
            Some(LetterReader::Seats { seats, .. }) => {
                seats.iter().map(|shown| (shown.game, shown.seat)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the letter in a form that can be queued again, if the journal holds its contents.
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

impl PresentFileHeader {
    /// Whether a `present.jsonl` with this first line is up to date if `other` is the current
    /// state. A heartbeat up to an hour older is accepted.
    pub(in crate::store) fn is_current_for(&self, other: &Self) -> bool {
        self.keys == other.keys && self.has_similar_heartbeat(other)
    }

    /// Whether a `present.jsonl` with this first line is up to date if `other` is the current
    /// state, except for letters that were queued since.
    pub(in crate::store) fn is_prefix_of(&self, other: &Self) -> bool {
        other.keys.starts_with(&self.keys) && self.has_similar_heartbeat(other)
    }

    fn has_similar_heartbeat(&self, other: &Self) -> bool {
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
    /// Returns the lines of a `present.jsonl` that holds all queued letters with their contents.
    pub(super) fn present_lines_with_contents(
        store: &dyn GameStore,
    ) -> Result<Vec<String>, StoreError> {
        let line = store.list_sendable(DateTime::<Utc>::MAX_UTC)?;
        let head = PresentFileHeader {
            keys: line.iter().map(|letter| letter.key).collect(),
            heartbeat: store.heartbeat()?,
            last_morning_digest: store.last_morning_digest()?,
        };
        serialize_present_file(store, &head, line, usize::MAX)
    }
}

/// Returns the lines of `present.jsonl`: the first line, then one line per queued letter. The first
/// `full_count` letters include their contents. The others have none.
pub(in crate::store) fn serialize_present_file(
    store: &dyn GameStore,
    head: &PresentFileHeader,
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

/// Loads the given queued letters, the first `full_count` of them with their contents.
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
