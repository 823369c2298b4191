//! `present.jsonl`: what a club is in the middle of, beside what has happened in it.
//!
//! Which letters wait in the outbox, and when passes ran. It is written anew whenever that has
//! changed, so it never grows; only letters that came into line since this process wrote it are
//! appended. The oldest letters stand in it whole; of the others, which only a great club has, it
//! says whose they are. Knows nothing of what letters say.

use crate::club::clock::Heartbeat;
use crate::disk::{self, Readers};
use crate::rules::Seat;
use crate::store::{
    Content, GameStore, InLine, Label, Outbox, Outgoing, Reader, Repository, Store, StoreError,
};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

/// So many letters stand in the file whole: a pass that writes more of them has better to do.
const WHOLE: usize = 200;
/// When passes ran is noted this often at most, for nothing else's sake.
const BEAT: TimeDelta = TimeDelta::hours(1);

/// The first line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Head {
    /// The outbox's keys of the letters that waited when the file was begun: what tells that others
    /// wait now. Those behind them were appended.
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
    head: Head,
    /// How long it is.
    bytes: u64,
}

impl PresentFile {
    /// The file as it lies there, if nothing was appended since it was begun.
    fn read(path: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (head, rest) = text.split_once('\n')?;
        let head: Head = serde_json::from_str(head).ok()?;
        let is_as_begun = rest.lines().count() == head.keys.len();
        is_as_begun.then_some(Self { head, bytes: text.len() as u64 })
    }

    /// Whether nobody has touched it since.
    fn stands(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|file| file.len() == self.bytes)
    }
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
        self.keys == other.keys && self.beats_with(other)
    }

    /// Whether a file with this head says all that one with the other would, but for letters that
    /// came into line since.
    fn goes_on_with(&self, other: &Self) -> bool {
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

impl Store {
    /// Brings the file up to date. Where there is no journal yet, letters or passes begin one.
    /// With `anew`, what letters of the same keys said before is in no line of it.
    pub(super) fn write_present(&self, folder: &Path, anew: bool) -> Result<(), StoreError> {
        let path = path(folder);
        let head = Head {
            keys: self.outbox_keys()?,
            heartbeat: self.heartbeat()?,
            morning: self.morning()?,
        };
        let mut last = self.present.lock().unwrap_or_else(PoisonError::into_inner);
        // What fails half-way is written anew.
        let file = last.take().filter(|file| file.stands(&path));
        let file =
            file.or_else(|| PresentFile::read(&path).filter(|file| file.head.does_for(&head)));
        let file = file.filter(|_| !anew);
        *last = match file {
            Some(file) if file.head.goes_on_with(&head) => Some(self.append(&path, file, head)?),
            None if head == Head::default() && !folder.exists() => None,
            _ => Some(self.begin_present(folder, &path, head)?),
        };
        Ok(())
    }

    /// Writes the file anew.
    fn begin_present(
        &self,
        folder: &Path,
        path: &Path,
        head: Head,
    ) -> Result<PresentFile, StoreError> {
        disk::create_folder(folder)?;
        let line = self.in_line(DateTime::<Utc>::MAX_UTC)?;
        let bytes = super::text(&lines(self, &head, line, WHOLE)?);
        disk::write_whole(&path.with_extension("new"), path, &bytes, Readers::Owner)?;
        Ok(PresentFile { head, bytes: bytes.len() as u64 })
    }

    /// Appends the letters that came into line since, if any did.
    fn append(
        &self,
        path: &Path,
        file: PresentFile,
        head: Head,
    ) -> Result<PresentFile, StoreError> {
        let stand = file.head.keys.len();
        let Some(first) = head.keys.get(stand) else { return Ok(file) };
        let line = self.in_line_from(*first, DateTime::<Utc>::MAX_UTC)?;
        let letters = waiting(self, line, WHOLE.saturating_sub(stand))?;
        let bytes = super::text(&lines_of(letters)?);
        disk::append(path, &bytes, Readers::Owner)?;
        // What passes noted less than an hour ago is in the file.
        let head = Head { keys: head.keys, ..file.head };
        Ok(PresentFile { head, bytes: file.bytes + bytes.len() as u64 })
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
    let head = serde_json::to_string(head).map_err(StoreError::damaged)?;
    let letters = lines_of(waiting(store, line, whole)?)?;
    Ok(std::iter::once(head).chain(letters).collect())
}

fn lines_of(letters: Vec<Waiting>) -> Result<Vec<String>, StoreError> {
    let line = |letter| serde_json::to_string(&letter).map_err(StoreError::damaged);
    letters.into_iter().map(line).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Batch;
    use tempfile::TempDir;

    fn letters(numbers: std::ops::Range<usize>) -> Batch {
        let letter = |n| Outgoing {
            message_id: format!("{n}"),
            recipient: "ann@example.org".to_owned(),
            content: Content::Bytes(vec![b'x'; 9]),
            label: None,
        };
        Batch { outgoing: numbers.map(letter).collect(), ..Batch::default() }
    }

    struct Club {
        home: TempDir,
        store: Store,
    }

    impl Club {
        fn new() -> Self {
            let home = crate::common::folder();
            let store = Store::open(&home.path().join("store")).unwrap();
            Self { home, store }
        }

        fn journal(&self) -> PathBuf {
            self.home.path().join("journal")
        }

        fn write(&self, batch: &Batch) {
            self.store.write(batch).unwrap();
            self.store.write_journal(&self.journal()).unwrap();
        }

        fn text(&self) -> String {
            std::fs::read_to_string(path(&self.journal())).unwrap()
        }

        /// The letters that the journal says wait, each with whether it is there whole.
        fn told(&self) -> Vec<(String, bool)> {
            let letters = present(&self.journal()).unwrap().letters;
            letters.into_iter().map(|one| (one.message_id.clone(), one.is_whole())).collect()
        }

        /// Takes some of the first letters out of the outbox.
        fn post(&self, letters: usize) {
            let keys = self.store.outbox_keys().unwrap();
            let sent = keys[..letters].to_vec();
            self.write(&Batch { sent, ..Batch::default() });
        }

        /// The same store, opened by the next process.
        fn reopened(self) -> Self {
            let Self { home, store } = self;
            drop(store);
            let store = Store::open(&home.path().join("store")).unwrap();
            Self { home, store }
        }
    }

    fn expected(numbers: std::ops::Range<usize>) -> Vec<(String, bool)> {
        let first = numbers.start;
        numbers.map(|n| (n.to_string(), n < first + WHOLE)).collect()
    }

    #[test]
    fn passes_begin_a_journal_as_letters_do() {
        let club = Club::new();
        club.write(&Batch::default());
        assert!(!club.journal().exists());
        let heartbeat = Some(Heartbeat::first(DateTime::UNIX_EPOCH));
        club.write(&Batch { heartbeat, ..Batch::default() });
        assert_eq!(present(&club.journal()).unwrap().heartbeat, heartbeat);
    }

    #[test]
    fn what_comes_into_line_is_appended_and_all_else_written_anew() {
        let club = Club::new();
        club.write(&letters(0..150));
        let begun = club.text();
        club.write(&letters(150..350));
        assert!(club.text().starts_with(&begun));
        assert_eq!(club.told(), expected(0..350));
        let appended = club.text();
        club.write(&Batch::default());
        assert_eq!(club.text(), appended);
        club.post(20);
        assert_eq!(club.told(), expected(20..350));
        assert!(!club.text().starts_with(begun.lines().next().unwrap()));
    }

    #[test]
    fn what_another_process_appended_or_a_power_cut_has_torn_is_written_anew() {
        let club = Club::new();
        club.write(&letters(0..2));
        let begun = club.text();
        club.write(&letters(2..5));
        let appended = club.text();
        for torn in [&appended[..appended.len() - 3], &format!("{begun}\0\0\0"), &begun] {
            std::fs::write(path(&club.journal()), torn).unwrap();
            assert!(club.told().len() >= 2 && expected(0..5).starts_with(&club.told()), "{torn}");
            club.write(&Batch::default());
            assert_eq!(club.told(), expected(0..5), "{torn}");
        }
        // The head of a file that was appended to says less than the file.
        std::fs::write(path(&club.journal()), &appended).unwrap();
        let club = club.reopened();
        let sent = club.store.outbox_keys().unwrap().split_off(2);
        club.write(&Batch { sent, ..Batch::default() });
        assert_eq!(club.told(), expected(0..2));
        let club = club.reopened();
        let before = club.text();
        club.write(&letters(2..3));
        assert_eq!(club.told(), expected(0..3));
        club.write(&Batch::default());
        assert!(club.text().lines().count() > before.lines().count());
    }
}
