//! `present.jsonl` beside a store on sled: written anew when it has changed, or appended to.

use crate::disk::{self, Readers};
use crate::store::journal::present::{Head, PresentFile, WHOLE, lines, lines_of, path, waiting};
use crate::store::journal::text;
use crate::store::{Outbox, Repository, Store, StoreError};
use chrono::{DateTime, Utc};
use std::path::Path;
use std::sync::PoisonError;

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
        let bytes = text(&lines(self, &head, line, WHOLE)?);
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
        let bytes = text(&lines_of(letters)?);
        disk::append(path, &bytes, Readers::Owner)?;
        // What passes noted less than an hour ago is in the file.
        let head = Head { keys: head.keys, ..file.head };
        Ok(PresentFile { head, bytes: file.bytes + bytes.len() as u64 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::clock::Heartbeat;
    use crate::store::journal::present;
    use crate::store::{Batch, GameStore, Outgoing};
    use std::path::PathBuf;
    use tempfile::TempDir;

    fn letters(numbers: std::ops::Range<usize>) -> Batch {
        let letter = |n| Outgoing {
            message_id: format!("{n}"),
            recipient: "ann@example.org".to_owned(),
            owed: "x".into(),
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
