//! Writing `present.jsonl` of a store on sled: appended to if only letters were added, otherwise
//! rewritten.

use crate::disk::{self, FileMode};
use crate::store::journal::lines_to_bytes;
use crate::store::journal::present_file::{
    FULL_LETTERS_MAX, PresentFile, PresentFileHeader, load_waiting_letters, path,
    serialize_letters, serialize_present_file,
};
use crate::store::{Outbox, Repository, Store, StoreError};
use chrono::{DateTime, Utc};
use std::path::Path;
use std::sync::PoisonError;

impl Store {
    /// Brings `present.jsonl` up to date. If there is no journal yet, the file is only created once
    /// a letter is queued or a pass has run. With `force_rewrite`, it is rewritten although its
    /// keys are current, because the letters under them may have been changed.
    pub(super) fn update_present_file(
        &self,
        folder: &Path,
        force_rewrite: bool,
    ) -> Result<(), StoreError> {
        let path = path(folder);
        let head = PresentFileHeader {
            keys: self.outbox_keys()?,
            heartbeat: self.heartbeat()?,
            last_morning_digest: self.last_morning_digest()?,
        };
        let mut last = self.present_file.lock().unwrap_or_else(PoisonError::into_inner);
        // `take` leaves `None`, so if writing fails halfway, the next call rewrites the file.
        let file = last.take().filter(|file| file.is_unchanged(&path));
        let file = file.or_else(|| {
            PresentFile::read_if_complete(&path).filter(|file| file.head.is_current_for(&head))
        });
        let file = file.filter(|_| !force_rewrite);
        *last = match file {
            Some(file) if file.head.is_prefix_of(&head) => {
                Some(self.append_present_file(&path, file, head)?)
            }
            None if head == PresentFileHeader::default() && !folder.exists() => None,
            _ => Some(self.rewrite_present_file(folder, &path, head)?),
        };
        Ok(())
    }

    /// Writes a new `present.jsonl` and renames it over the old one.
    fn rewrite_present_file(
        &self,
        folder: &Path,
        path: &Path,
        head: PresentFileHeader,
    ) -> Result<PresentFile, StoreError> {
        disk::create_folder(folder)?;
        let line = self.list_sendable(DateTime::<Utc>::MAX_UTC)?;
        let bytes = lines_to_bytes(&serialize_present_file(self, &head, line, FULL_LETTERS_MAX)?);
        disk::write_atomically(&path.with_extension("new"), path, &bytes, FileMode::OwnerOnly)?;
        Ok(PresentFile { head, bytes: bytes.len() as u64 })
    }

    /// Appends the letters that were queued since `present.jsonl` was written, if there are any.
    fn append_present_file(
        &self,
        path: &Path,
        file: PresentFile,
        head: PresentFileHeader,
    ) -> Result<PresentFile, StoreError> {
        let stand = file.head.keys.len();
        let Some(first) = head.keys.get(stand) else { return Ok(file) };
        let line = self.list_sendable_from(*first, DateTime::<Utc>::MAX_UTC)?;
        let letters = load_waiting_letters(self, line, FULL_LETTERS_MAX.saturating_sub(stand))?;
        let bytes = lines_to_bytes(&serialize_letters(letters)?);
        disk::append_and_sync(path, &bytes, FileMode::OwnerOnly)?;
        // The heartbeat in the file stays: it is less than an hour old.
        let head = PresentFileHeader { keys: head.keys, ..file.head };
        Ok(PresentFile { head, bytes: file.bytes + bytes.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::clock::Heartbeat;
    use crate::store::journal::read_present_file;
    use crate::store::{Batch, GameStore, OutgoingLetter};
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn batch_of_letters(numbers: std::ops::Range<usize>) -> Batch {
        let letter = |n| OutgoingLetter {
            message_id: format!("{n}"),
            recipient: "ann@example.org".to_owned(),
            payload: "x".into(),
            label: None,
        };
        Batch { outgoing: numbers.map(letter).collect(), ..Batch::default() }
    }

    struct TestClub {
        home: TempDir,
        store: Store,
    }

    impl TestClub {
        fn new() -> Self {
            let home = crate::testing::create_folder();
            let store = Store::open(&home.path().join("store")).unwrap();
            Self { home, store }
        }

        fn journal_folder(&self) -> PathBuf {
            self.home.path().join("journal")
        }

        fn write_and_journal(&self, batch: &Batch) {
            self.store.write_without_conflict_check(batch).unwrap();
            self.store.update_journal(&self.journal_folder()).unwrap();
        }

        fn file_text(&self) -> String {
            std::fs::read_to_string(path(&self.journal_folder())).unwrap()
        }

        /// Returns the letters in the journal, and whether each has its contents.
        fn read_letters(&self) -> Vec<(String, bool)> {
            let letters = read_present_file(&self.journal_folder()).unwrap().letters;
            letters.into_iter().map(|one| (one.message_id.clone(), one.has_payload())).collect()
        }

        fn mark_sent(&self, letters: usize) {
            let keys = self.store.outbox_keys().unwrap();
            let sent = keys[..letters].to_vec();
            self.write_and_journal(&Batch { sent, ..Batch::default() });
        }

        fn reopen(self) -> Self {
            let Self { home, store } = self;
            drop(store);
            let store = Store::open(&home.path().join("store")).unwrap();
            Self { home, store }
        }
    }

    fn expected_letters(numbers: std::ops::Range<usize>) -> Vec<(String, bool)> {
        let first = numbers.start;
        numbers.map(|n| (n.to_string(), n < first + FULL_LETTERS_MAX)).collect()
    }

    #[test]
    fn first_heartbeat_creates_present_file() {
        let club = TestClub::new();
        club.write_and_journal(&Batch::default());
        assert!(!club.journal_folder().exists());
        let heartbeat = Some(Heartbeat::from_first_pass(DateTime::UNIX_EPOCH));
        club.write_and_journal(&Batch { heartbeat, ..Batch::default() });
        assert_eq!(read_present_file(&club.journal_folder()).unwrap().heartbeat, heartbeat);
    }

    #[test]
    fn new_letters_are_appended_other_changes_rewrite_file() {
        let club = TestClub::new();
        club.write_and_journal(&batch_of_letters(0..150));
        let begun = club.file_text();
        club.write_and_journal(&batch_of_letters(150..350));
        assert!(club.file_text().starts_with(&begun));
        assert_eq!(club.read_letters(), expected_letters(0..350));
        let appended = club.file_text();
        club.write_and_journal(&Batch::default());
        assert_eq!(club.file_text(), appended);
        club.mark_sent(20);
        assert_eq!(club.read_letters(), expected_letters(20..350));
        assert!(!club.file_text().starts_with(begun.lines().next().unwrap()));
    }

    #[test]
    fn torn_or_foreign_present_file_is_rewritten() {
        let club = TestClub::new();
        club.write_and_journal(&batch_of_letters(0..2));
        let begun = club.file_text();
        club.write_and_journal(&batch_of_letters(2..5));
        let appended = club.file_text();
        for torn in [&appended[..appended.len() - 3], &format!("{begun}\0\0\0"), &begun] {
            std::fs::write(path(&club.journal_folder()), torn).unwrap();
            assert!(
                club.read_letters().len() >= 2
                    && expected_letters(0..5).starts_with(&club.read_letters()),
                "{torn}"
            );
            club.write_and_journal(&Batch::default());
            assert_eq!(club.read_letters(), expected_letters(0..5), "{torn}");
        }
        // The first line of a file that was appended to does not name all its letters.
        std::fs::write(path(&club.journal_folder()), &appended).unwrap();
        let club = club.reopen();
        let sent = club.store.outbox_keys().unwrap().split_off(2);
        club.write_and_journal(&Batch { sent, ..Batch::default() });
        assert_eq!(club.read_letters(), expected_letters(0..2));
        let club = club.reopen();
        let before = club.file_text();
        club.write_and_journal(&batch_of_letters(2..3));
        assert_eq!(club.read_letters(), expected_letters(0..3));
        club.write_and_journal(&Batch::default());
        assert!(club.file_text().lines().count() > before.lines().count());
    }
}
