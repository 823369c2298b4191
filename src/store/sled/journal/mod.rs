//! How a store on sled writes its journal: what the journal lacks is noted in the trees by the
//! transaction that changes them, and the notes are taken away once it is written.

mod compare;
mod present;

use super::Store;
use super::change::REWRITE;
use super::game_row::{Extent, Field};
use super::row_group::GameRows;
use super::trees::Tree;
use crate::disk::{self, Readers};
use crate::store::journal::{Archive, bring_up, club_file, game_file, length, put};
use crate::store::keys::{Key, Parts};
use crate::store::{GameStore, Repository, StoreError};
use std::path::Path;

/// How many files are written at the same time: their syncs then share the disk's one.
const HANDS: usize = 8;
/// Fewer files than this are not worth another hand.
const FILES_A_HAND: usize = 16;
/// So many files are noted as written in one transaction: what changes at once is held in memory,
/// and after a restore all games are written.
const FILES_AT_ONCE: usize = if cfg!(test) { 3 } else { 1_000 };
/// So many lines of the club's are taken away in one transaction.
const LINES_AT_ONCE: usize = if cfg!(test) { 3 } else { 10_000 };
/// The club's own place among the notes: games are numbered from 1.
const CLUB: u32 = 0;

/// The key of a line for the club's journal, and the line.
type UnwrittenLine = (Vec<u8>, Vec<u8>);

/// A file that is up to date.
struct Written {
    game: u32,
    known: Extent,
}

impl Store {
    /// Does [`GameStore::write_journal`].
    pub(super) fn bring_up_journal(&self, folder: &Path) -> Result<(), StoreError> {
        self.withheld().map_or(Ok(()), Err)?;
        // First: a letter that is written twice does less harm than one that is lost. A journal
        // that is another store's keeps what it says of that one's letters.
        let rewrite = self.trees.get(Tree::Meta, REWRITE)?.is_some();
        if self.known(CLUB)?.bytes > 0 || !club_file(folder).exists() {
            self.write_present(folder, rewrite)?;
        }
        let games =
            self.trees.scan(Tree::Unjournaled, .., |key, _| Parts(key).number().map(Some))?;
        // Whoever took the club's file away, or put an older one there, did so to the games' too.
        let cut = length(&club_file(folder))?.unwrap_or(0) < self.known(CLUB)?.bytes;
        let (games, rewrite) = if cut { (self.games()?, true) } else { (games, rewrite) };
        let line = |key: &[u8], line: &[u8]| Ok(Some((key.to_vec(), line.to_vec())));
        let club = if rewrite { Vec::new() } else { self.trees.scan(Tree::ClubLines, .., line)? };
        if games.is_empty() && club.is_empty() && !rewrite {
            return Ok(());
        }
        disk::create_folder(folder)?;
        disk::create_folder(&folder.join("games"))?;
        let mut outcomes = self.write_games(folder, &games);
        if rewrite {
            outcomes.push(self.rewrite_club(folder));
        } else if !club.is_empty() {
            outcomes.push(self.write_club(folder, &club));
        }
        let (written, faults): (Vec<_>, Vec<_>) = outcomes.into_iter().partition(Result::is_ok);
        let written: Vec<Written> = written.into_iter().flatten().collect();
        written.chunks(FILES_AT_ONCE).try_for_each(|written| self.clear(written, &club))?;
        faults.into_iter().try_for_each(|fault| fault.map(drop))
    }

    /// Writes the games' files, several at a time.
    fn write_games(&self, folder: &Path, games: &[u32]) -> Vec<Result<Written, StoreError>> {
        let share = games.len().div_ceil(HANDS).max(FILES_A_HAND);
        let write = |part: &[u32]| -> Vec<_> {
            part.iter().map(|game| self.write_game(&game_file(folder, *game), *game)).collect()
        };
        std::thread::scope(|scope| {
            let start = |part| scope.spawn(move || write(part));
            let hands: Vec<_> = games.chunks(share).map(start).collect();
            let lost = |_| vec![Err(StoreError::damaged("the journal could not be made"))];
            hands.into_iter().flat_map(|hand| hand.join().unwrap_or_else(lost)).collect()
        })
    }

    fn write_game(&self, path: &Path, game: u32) -> Result<Written, StoreError> {
        let row = self.trees.row(game)?;
        let (log, known) = (row.log()?, row.journaled()?);
        let whole = || self.trees.log_text(game, log, 0);
        let fresh = self.trees.log_text(game, log, known.bytes)?;
        let held = |kept: &[u8]| fresh.starts_with(kept).then_some(kept.len());
        let bytes = bring_up(path, known.bytes, &fresh, whole, held)?;
        Ok(Written { game, known: Extent { lines: log.lines, bytes } })
    }

    fn write_club(&self, folder: &Path, lines: &[UnwrittenLine]) -> Result<Written, StoreError> {
        let path = club_file(folder);
        let fresh: Vec<u8> =
            lines.iter().flat_map(|(_, line)| line.iter().chain(b"\n")).copied().collect();
        // A restored store writes after the history that it was restored from.
        let held = |kept: &[u8]| {
            let ends = fresh.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n');
            let mut ends = ends.map(|(at, _)| at + 1).chain([0]);
            ends.find(|end| kept.ends_with(&fresh[..*end]))
        };
        let bytes = bring_up(&path, self.known(CLUB)?.bytes, &fresh, || self.whole_club(), held)?;
        Ok(Written { game: CLUB, known: Extent { lines: 0, bytes } })
    }

    /// Writes the club's file anew, as things are now: what was erased since is in no line of it.
    /// The store knows that this is to be done until it has been: so the lines that the old file
    /// lacked need not go at once, which after a restore would be all in memory.
    fn rewrite_club(&self, folder: &Path) -> Result<Written, StoreError> {
        if self.trees.get(Tree::Meta, REWRITE)?.is_none() {
            self.trees.write(|tx| tx.put(Tree::Meta, REWRITE.to_vec(), &[]).map(drop))?;
        }
        let lacked = self.trees.scan(Tree::ClubLines, .., |key, _| Ok(Some(key.to_vec())))?;
        let (path, whole) = (club_file(folder), self.whole_club()?);
        disk::write_whole(&path.with_extension("new"), &path, &whole, Readers::Owner)?;
        for lines in lacked.chunks(LINES_AT_ONCE) {
            self.trees.write(|tx| {
                lines.iter().try_for_each(|line| tx.take(Tree::ClubLines, line.clone()).map(drop))
            })?;
        }
        Ok(Written { game: CLUB, known: Extent { lines: 0, bytes: whole.len() as u64 } })
    }

    fn whole_club(&self) -> Result<Vec<u8>, StoreError> {
        let mut bytes = Vec::new();
        self.each_line(&mut |line| put(&mut bytes, &line))?;
        Ok(bytes)
    }

    fn known(&self, game: u32) -> Result<Extent, StoreError> {
        self.trees.row(game)?.journaled()
    }

    /// Takes the notes away of what has been written.
    fn clear(&self, written: &[Written], club: &[UnwrittenLine]) -> Result<(), StoreError> {
        self.trees.write(|tx| {
            let mut rows = GameRows::new(tx);
            for Written { game, known } in written {
                let row = rows.of(*game)?;
                row.set(Field::JOURNALED, &known.field())?;
                if *game == CLUB {
                    tx.take(Tree::Meta, REWRITE.to_vec())?;
                    club.iter().try_for_each(|(line, _)| {
                        tx.take(Tree::ClubLines, line.clone()).map(drop)
                    })?;
                } else if row.log()?.lines == known.lines {
                    tx.take(Tree::Unjournaled, Key::of(*game).bytes())?;
                }
            }
            rows.write()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::{ActivityEntry, GameRoom, Happening, Member, Seated};
    use crate::rules::Seat;
    use crate::store::journal::{Restored, files_in, log, read};
    use crate::store::{Batch, LogLine};
    use chrono::DateTime;
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::PathBuf;
    use tempfile::TempDir;

    struct Club {
        folder: TempDir,
        store: Store,
    }

    impl Club {
        fn new() -> Self {
            let folder = crate::common::folder();
            let store = Store::open(&folder.path().join("store")).unwrap();
            Self { folder, store }
        }

        fn journal(&self) -> PathBuf {
            self.folder.path().join("journal")
        }

        fn write(&self) {
            self.store.write_journal(&self.journal()).unwrap();
        }

        /// Appends a line to each of the games, and seats a member in each.
        fn play(&self, games: impl Iterator<Item = u32>) {
            let mut batch = Batch::default();
            for game in games {
                let seq = self.store.log_length(game).unwrap();
                batch.log_lines.push(LogLine { game, seq, line: format!("{{\"n\":{seq}}}") });
                let seated = Seated { member: game, last_seen_seq: seq, ..Seated::default() };
                batch.seats.push((game, Seat::new(1), seated));
            }
            self.store.write(&batch).unwrap();
        }

        /// Every file of the journal with its content.
        fn files(&self) -> BTreeMap<PathBuf, String> {
            let mut files = files_in(&self.journal().join("games")).unwrap();
            files.push(self.journal().join("club.jsonl"));
            let read = |path| fs::read_to_string(&path).map(|text| (path, text)).unwrap();
            files.into_iter().map(read).collect()
        }

        fn held(&self) -> Restored {
            let mut held = Restored::default();
            let mut take = |line| {
                held.take(line).unwrap();
                Ok(())
            };
            self.store.each_line(&mut take).unwrap();
            let length = |game| (game, self.store.log_length(game).unwrap());
            held.games = self.store.games().unwrap().into_iter().map(length).collect();
            held
        }
    }

    /// Whether the journal gives back all that the store holds.
    fn gives_all_back(club: &Club) {
        let found = read(&club.journal()).unwrap();
        for game in found.games.keys() {
            assert_eq!(log(&club.journal(), *game).unwrap(), club.store.log(*game).unwrap());
        }
        assert_eq!(found, club.held());
    }

    #[test]
    fn journal_is_written_once_and_restores_everything() {
        let club = Club::new();
        club.write();
        assert!(!club.journal().exists());
        club.play(1..=40);
        club.write();
        club.play(2..=3);
        club.write();
        let files = club.files();
        assert_eq!(files[&game_file(&club.journal(), 2)], "{\"n\":0}\n{\"n\":1}\n");
        club.write();
        assert_eq!(club.files(), files);
        assert_eq!(files.len(), 41);
        gives_all_back(&club);
        assert!(read(&club.folder.path().join("nowhere")).is_err());
    }

    #[test]
    fn run_after_killed_one_writes_same_journal() {
        let paths =
            |club: &Club| [game_file(&club.journal(), 1), club.journal().join("club.jsonl")];
        let calm = Club::new();
        calm.play(1..=2);
        calm.write();
        let before: Vec<_> = paths(&calm).iter().map(|path| fs::read(path).unwrap()).collect();
        (0..3).for_each(|_| calm.play(1..=2));
        calm.write();
        let after: Vec<_> = paths(&calm).iter().map(|path| fs::read(path).unwrap()).collect();
        for cut in 0..60 {
            let club = Club::new();
            club.play(1..=2);
            club.write();
            (0..3).for_each(|_| club.play(1..=2));
            for (at, path) in paths(&club).iter().enumerate() {
                let written = (before[at].len() + cut).min(after[at].len());
                fs::write(path, &after[at][..written]).unwrap();
            }
            club.write();
            let found: Vec<_> = paths(&club).iter().map(|path| fs::read(path).unwrap()).collect();
            assert_eq!(found, after, "{cut}");
        }
    }

    /// A disk writes its sectors in any order: what was not synced can have zeros in its middle.
    #[test]
    fn journal_torn_by_power_cut_is_rewritten() {
        let paths =
            |club: &Club| [game_file(&club.journal(), 1), club.journal().join("club.jsonl")];
        let (calm, club) = (Club::new(), Club::new());
        for club in [&calm, &club] {
            club.play(1..=1);
            club.write();
            (0..3).for_each(|_| club.play(1..=1));
        }
        let known = paths(&club).map(|path| fs::read(path).unwrap().len());
        calm.write();
        for (at, to) in paths(&club).into_iter().enumerate() {
            let (mut torn, known) = (fs::read(&paths(&calm)[at]).unwrap(), known[at]);
            let middle = known + (torn.len() - known) / 2;
            torn[middle..middle + 3].fill(0);
            fs::write(to, torn).unwrap();
        }
        club.write();
        for (calm, club) in paths(&calm).iter().zip(paths(&club)) {
            assert_eq!(fs::read_to_string(club).unwrap(), fs::read_to_string(calm).unwrap());
        }
        gives_all_back(&club);
    }

    #[test]
    fn a_lost_file_is_written_anew() {
        let club = Club::new();
        club.play(1..=2);
        club.write();
        club.play(1..=2);
        fs::remove_dir_all(club.journal()).unwrap();
        club.write();
        gives_all_back(&club);
    }

    #[test]
    fn restored_club_continues_its_journal() {
        let old = Club::new();
        (0..2).for_each(|_| old.play(1..=2));
        old.write();
        let restored = read(&old.journal()).unwrap();
        let again = Store::open(&old.folder.path().join("again")).unwrap();
        let new = Club { store: again, ..old };
        let seats = restored.seats.into_iter();
        let seats = seats.map(|((game, seat), seated)| (game, seat, seated)).collect();
        let mut batch = Batch { seats, ..Batch::default() };
        for game in restored.games.into_keys() {
            let lines = log(&new.journal(), game).unwrap();
            let lines = (0..).zip(lines).map(|(seq, line)| LogLine { game, seq, line });
            batch.log_lines.extend(lines);
        }
        let before = new.files();
        new.store.write(&batch).unwrap();
        new.write();
        assert_eq!(new.files(), before);
        new.play(1..=1);
        new.write();
        gives_all_back(&new);
    }

    #[test]
    fn game_room_and_talk_are_restored() {
        let club = Club::new();
        let said = |text: &str| ActivityEntry {
            at: DateTime::UNIX_EPOCH,
            what: Happening::Said {
                from: Seat::new(1),
                to: Vec::new(),
                anonymous: false,
                text: text.repeat(2_000),
                former: false,
            },
        };
        let observers = (0..3_000).collect();
        let crowd = GameRoom { observers, waiting: vec![7], ..GameRoom::default() };
        let few = GameRoom { observers: vec![1], ..GameRoom::default() };
        for (room, said) in [(crowd, ["a", "b\n"].map(said)), (few, ["c", "d"].map(said))] {
            let rooms = vec![(2, room.clone())];
            let minutes = [2, 1].into_iter().zip(said).collect();
            club.store.write(&Batch { rooms, minutes, ..Batch::default() }).unwrap();
            club.write();
            assert_eq!(club.store.room(2).unwrap(), room);
            gives_all_back(&club);
        }
        let texts: Vec<ActivityEntry> = club.store.minutes(1).unwrap();
        assert_eq!(texts, ["b\n", "d"].map(said));
        assert_eq!((club.store.games().unwrap(), club.store.next_game().unwrap()), (vec![], 3));
        fs::remove_dir_all(club.journal()).unwrap();
        club.play(1..=1);
        club.write();
        gives_all_back(&club);
    }

    #[test]
    fn journal_ahead_of_store_is_kept() {
        let club = Club::new();
        club.play(1..=2);
        let path = game_file(&club.journal(), 1);
        disk::create_folder(&club.journal().join("games")).unwrap();
        fs::write(&path, "{\"n\":0}\n{\"n\":1}\n").unwrap();
        let fault = club.store.write_journal(&club.journal()).unwrap_err();
        assert!(matches!(fault, StoreError::Damaged(_)), "{fault}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"n\":0}\n{\"n\":1}\n");
        assert!(game_file(&club.journal(), 2).exists());
    }

    #[test]
    fn erasure_survives_kill_after_any_step() {
        let club = Club::new();
        let ann = |addresses: &[&str]| Member {
            id: 1,
            addresses: addresses.iter().map(|&address| address.to_owned()).collect(),
            ..Member::default()
        };
        let keep = |member, rewrite_journal| {
            let members = vec![member];
            club.store.write(&Batch { members, rewrite_journal, ..Batch::default() }).unwrap();
        };
        let path = club.journal().join("club.jsonl");
        keep(ann(&["ann@example.org"]), false);
        club.play(1..=2);
        club.write();
        keep(ann(&[]), true);
        // Killed after the file was written, and before the store knew of it.
        club.store.rewrite_club(&club.journal()).unwrap();
        club.play(1..=1);
        club.write();
        assert!(!fs::read_to_string(&path).unwrap().contains("ann@"));
        gives_all_back(&club);
        club.play(1..=1);
        club.write();
        gives_all_back(&club);
        // The same where the file was lost: nobody else had noted that it is to be written.
        fs::remove_file(&path).unwrap();
        club.play(1..=2);
        club.store.rewrite_club(&club.journal()).unwrap();
        club.play(1..=1);
        club.write();
        gives_all_back(&club);
    }

    #[test]
    fn torn_line_is_skipped_broken_line_is_named() {
        let club = Club::new();
        club.play(1..=1);
        club.play(1..=1);
        club.write();
        let whole = club.held();
        for path in [game_file(&club.journal(), 1), club.journal().join("club.jsonl")] {
            let sound = fs::read(&path).unwrap();
            fs::write(&path, [sound.as_slice(), b"{\"memb"].concat()).unwrap();
            assert_eq!(read(&club.journal()).unwrap(), whole);
            fs::write(&path, [sound.as_slice(), b"\0\0\n"].concat()).unwrap();
            let fault = read(&club.journal()).unwrap_err().to_string();
            assert!(fault.contains("jsonl, line 3"), "{fault}");
            fs::write(&path, sound).unwrap();
        }
    }
}
