use super::*;
use crate::club::{ActivityEntry, ActivityEvent, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::store::journal::{RestoredClub, list_folder_entries, read_journal, read_journaled_log};
use crate::store::{Batch, LogLine};
use chrono::DateTime;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

struct TestClub {
    folder: TempDir,
    store: Store,
}

impl TestClub {
    fn new() -> Self {
        let folder = crate::testing::create_folder();
        let store = Store::open(&folder.path().join("store")).unwrap();
        Self { folder, store }
    }

    fn journal_folder(&self) -> PathBuf {
        self.folder.path().join("journal")
    }

    fn write_journal(&self) {
        self.store.update_journal(&self.journal_folder()).unwrap();
    }

    /// Appends a line to the log of each game, and assigns a seat in it.
    fn play_turns(&self, games: impl Iterator<Item = u32>) {
        let mut batch = Batch::default();
        for game in games {
            let seq = self.store.log_length(game).unwrap();
            batch.log_lines.push(LogLine { game, seq, line: format!("{{\"n\":{seq}}}") });
            let seated =
                SeatAssignment { member: game, last_seen_seq: seq, ..SeatAssignment::default() };
            batch.seats.push((game, Seat::new(1), seated));
        }
        self.store.write_without_conflict_check(&batch).unwrap();
    }

    fn read_files(&self) -> BTreeMap<PathBuf, String> {
        let mut files = list_folder_entries(&self.journal_folder().join("games")).unwrap();
        files.push(self.journal_folder().join("club.jsonl"));
        let read = |path| fs::read_to_string(&path).map(|text| (path, text)).unwrap();
        files.into_iter().map(read).collect()
    }

    fn stored_state(&self) -> RestoredClub {
        let mut held = RestoredClub::default();
        let mut take = |line| {
            held.apply_line(line).unwrap();
            Ok(())
        };
        self.store.for_each_journal_line(&mut take).unwrap();
        let length = |game| (game, self.store.log_length(game).unwrap());
        held.games = self.store.game_numbers().unwrap().into_iter().map(length).collect();
        held
    }
}

fn assert_journal_restores_club(club: &TestClub) {
    let found = read_journal(&club.journal_folder()).unwrap();
    for game in found.games.keys() {
        assert_eq!(
            read_journaled_log(&club.journal_folder(), *game).unwrap(),
            club.store.game_log_lines(*game).unwrap()
        );
    }
    assert_eq!(found, club.stored_state());
}

#[test]
fn journal_is_written_once_and_restores_everything() {
    let club = TestClub::new();
    club.write_journal();
    assert!(!club.journal_folder().exists());
    club.play_turns(1..=40);
    club.write_journal();
    club.play_turns(2..=3);
    club.write_journal();
    let files = club.read_files();
    assert_eq!(files[&game_file_path(&club.journal_folder(), 2)], "{\"n\":0}\n{\"n\":1}\n");
    club.write_journal();
    assert_eq!(club.read_files(), files);
    assert_eq!(files.len(), 41);
    assert_journal_restores_club(&club);
    assert!(read_journal(&club.folder.path().join("nowhere")).is_err());
}

#[test]
fn next_run_completes_journal_after_kill() {
    let paths = |club: &TestClub| {
        [game_file_path(&club.journal_folder(), 1), club.journal_folder().join("club.jsonl")]
    };
    let calm = TestClub::new();
    calm.play_turns(1..=2);
    calm.write_journal();
    let before: Vec<_> = paths(&calm).iter().map(|path| fs::read(path).unwrap()).collect();
    (0..3).for_each(|_| calm.play_turns(1..=2));
    calm.write_journal();
    let after: Vec<_> = paths(&calm).iter().map(|path| fs::read(path).unwrap()).collect();
    for cut in 0..60 {
        let club = TestClub::new();
        club.play_turns(1..=2);
        club.write_journal();
        (0..3).for_each(|_| club.play_turns(1..=2));
        for (at, path) in paths(&club).iter().enumerate() {
            let written = (before[at].len() + cut).min(after[at].len());
            fs::write(path, &after[at][..written]).unwrap();
        }
        club.write_journal();
        let found: Vec<_> = paths(&club).iter().map(|path| fs::read(path).unwrap()).collect();
        assert_eq!(found, after, "{cut}");
    }
}

/// A disk writes its sectors in any order, so data that was not synced can have zeros in the
/// middle.
#[test]
fn journal_torn_by_power_cut_is_rewritten() {
    let paths = |club: &TestClub| {
        [game_file_path(&club.journal_folder(), 1), club.journal_folder().join("club.jsonl")]
    };
    let (calm, club) = (TestClub::new(), TestClub::new());
    for club in [&calm, &club] {
        club.play_turns(1..=1);
        club.write_journal();
        (0..3).for_each(|_| club.play_turns(1..=1));
    }
    let known = paths(&club).map(|path| fs::read(path).unwrap().len());
    calm.write_journal();
    for (at, to) in paths(&club).into_iter().enumerate() {
        let (mut torn, known) = (fs::read(&paths(&calm)[at]).unwrap(), known[at]);
        let middle = known + (torn.len() - known) / 2;
        torn[middle..middle + 3].fill(0);
        fs::write(to, torn).unwrap();
    }
    club.write_journal();
    for (calm, club) in paths(&calm).iter().zip(paths(&club)) {
        assert_eq!(fs::read_to_string(club).unwrap(), fs::read_to_string(calm).unwrap());
    }
    assert_journal_restores_club(&club);
}

#[test]
fn lost_journal_is_rewritten() {
    let club = TestClub::new();
    club.play_turns(1..=2);
    club.write_journal();
    club.play_turns(1..=2);
    fs::remove_dir_all(club.journal_folder()).unwrap();
    club.write_journal();
    assert_journal_restores_club(&club);
}

#[test]
fn restored_club_continues_its_journal() {
    let old = TestClub::new();
    (0..2).for_each(|_| old.play_turns(1..=2));
    old.write_journal();
    let restored = read_journal(&old.journal_folder()).unwrap();
    let again = Store::open(&old.folder.path().join("again")).unwrap();
    let new = TestClub { store: again, ..old };
    let seats = restored.seats.into_iter();
    let seats = seats.map(|((game, seat), seated)| (game, seat, seated)).collect();
    let mut batch = Batch { seats, ..Batch::default() };
    for game in restored.games.into_keys() {
        let lines = read_journaled_log(&new.journal_folder(), game).unwrap();
        let lines = (0..).zip(lines).map(|(seq, line)| LogLine { game, seq, line });
        batch.log_lines.extend(lines);
    }
    let before = new.read_files();
    new.store.write_without_conflict_check(&batch).unwrap();
    new.write_journal();
    assert_eq!(new.read_files(), before);
    new.play_turns(1..=1);
    new.write_journal();
    assert_journal_restores_club(&new);
}

#[test]
fn game_room_and_activity_log_are_restored() {
    let club = TestClub::new();
    let said = |text: &str| ActivityEntry {
        at: DateTime::UNIX_EPOCH,
        event: ActivityEvent::Said {
            from: Seat::new(1),
            to: Vec::new(),
            anonymous: false,
            text: text.repeat(2_000),
            is_from_former_player: false,
        },
    };
    let observers = (0..3_000).collect();
    let crowd = GameInfo { observers, waiting_list: vec![7], ..GameInfo::default() };
    let few = GameInfo { observers: vec![1], ..GameInfo::default() };
    for (room, said) in [(crowd, ["a", "b\n"].map(said)), (few, ["c", "d"].map(said))] {
        let rooms = vec![(2, room.clone())];
        let minutes = [2, 1].into_iter().zip(said).collect();
        club.store
            .write_without_conflict_check(&Batch {
                game_infos: rooms,
                activity: minutes,
                ..Batch::default()
            })
            .unwrap();
        club.write_journal();
        assert_eq!(club.store.game_info(2).unwrap(), room);
        assert_journal_restores_club(&club);
    }
    let texts: Vec<ActivityEntry> = club.store.activity_log(1).unwrap();
    assert_eq!(texts, ["b\n", "d"].map(said));
    assert_eq!(
        (club.store.game_numbers().unwrap(), club.store.next_game_number().unwrap()),
        (vec![], 3)
    );
    fs::remove_dir_all(club.journal_folder()).unwrap();
    club.play_turns(1..=1);
    club.write_journal();
    assert_journal_restores_club(&club);
}

#[test]
fn journal_ahead_of_store_is_kept() {
    let club = TestClub::new();
    club.play_turns(1..=2);
    let path = game_file_path(&club.journal_folder(), 1);
    disk::create_folder(&club.journal_folder().join("games")).unwrap();
    fs::write(&path, "{\"n\":0}\n{\"n\":1}\n").unwrap();
    let fault = club.store.update_journal(&club.journal_folder()).unwrap_err();
    assert!(matches!(fault, StoreError::Damaged(_)), "{fault}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{\"n\":0}\n{\"n\":1}\n");
    assert!(game_file_path(&club.journal_folder(), 2).exists());
}

#[test]
fn erased_address_stays_erased_after_kill() {
    let club = TestClub::new();
    let ann = |addresses: &[&str]| Member {
        id: 1,
        addresses: addresses.iter().map(|&address| address.to_owned()).collect(),
        ..Member::default()
    };
    let keep = |member, rewrite_journal| {
        let members = vec![member];
        club.store
            .write_without_conflict_check(&Batch { members, rewrite_journal, ..Batch::default() })
            .unwrap();
    };
    let path = club.journal_folder().join("club.jsonl");
    keep(ann(&["ann@example.org"]), false);
    club.play_turns(1..=2);
    club.write_journal();
    keep(ann(&[]), true);
    // This is the state after a kill between writing the file and noting that in the store.
    club.store.rewrite_club_file(&club.journal_folder()).unwrap();
    club.play_turns(1..=1);
    club.write_journal();
    assert!(!fs::read_to_string(&path).unwrap().contains("ann@"));
    assert_journal_restores_club(&club);
    club.play_turns(1..=1);
    club.write_journal();
    assert_journal_restores_club(&club);
    // Once more with a lost file, for which no note exists yet.
    fs::remove_file(&path).unwrap();
    club.play_turns(1..=2);
    club.store.rewrite_club_file(&club.journal_folder()).unwrap();
    club.play_turns(1..=1);
    club.write_journal();
    assert_journal_restores_club(&club);
}

#[test]
fn torn_line_is_skipped_broken_line_is_named() {
    let club = TestClub::new();
    club.play_turns(1..=1);
    club.play_turns(1..=1);
    club.write_journal();
    let whole = club.stored_state();
    for path in
        [game_file_path(&club.journal_folder(), 1), club.journal_folder().join("club.jsonl")]
    {
        let sound = fs::read(&path).unwrap();
        fs::write(&path, [sound.as_slice(), b"{\"memb"].concat()).unwrap();
        assert_eq!(read_journal(&club.journal_folder()).unwrap(), whole);
        fs::write(&path, [sound.as_slice(), b"\0\0\n"].concat()).unwrap();
        let fault = read_journal(&club.journal_folder()).unwrap_err().to_string();
        assert!(fault.contains("jsonl, line 3"), "{fault}");
        fs::write(&path, sound).unwrap();
    }
}
