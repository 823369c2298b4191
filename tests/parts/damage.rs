//! Tests of a store whose files were changed by another program. The store must give the old
//! answers or report damage. It must not change files that it cannot read.

use postrider::club::Member;
use postrider::store::{
    Batch, GameStore, JournalChecks, LogLine, Outbox, OutgoingLetter, Repository, Store,
    StoreError, journal,
};
use postrider::testing::sample_or_all;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const GAMES: u32 = 40;

/// Builds a store of several segments, opened three times. The last part is long, so that the
/// latest snapshot covers little of it.
fn build_store() -> TempDir {
    let home = postrider::testing::create_folder();
    for (sitting, rounds) in [2, 1, 30].into_iter().enumerate() {
        let store = Store::open(&home.path().join("store")).unwrap();
        for round in 0..rounds {
            let mut batch = Batch::default();
            for game in 1..=GAMES {
                let seq = store.log_length(game).unwrap();
                let line = format!("{sitting} {round} {}", "record ".repeat(200));
                batch.log_lines.push(LogLine { game, seq, line });
            }
            let id = round + 1;
            let addresses = vec![format!("{sitting}.{round}@example.org")];
            batch.members.push(Member { id, addresses, ..Member::default() });
            let letter = |n: u32| OutgoingLetter {
                message_id: format!("{sitting}.{round}.{n}"),
                recipient: "ann@example.org".to_owned(),
                payload: "x".repeat(5_000).into(),
                label: None,
            };
            batch.outgoing = (0..10).map(letter).collect();
            store.write_without_conflict_check(&batch).unwrap();
            let sent = store.load_sendable(chrono::DateTime::UNIX_EPOCH, 9).unwrap();
            let sent = sent.into_iter().map(|queued| queued.key).collect();
            store.write_without_conflict_check(&Batch { sent, ..Batch::default() }).unwrap();
        }
    }
    home
}

/// The game logs, the members, and the number of letters in the outbox.
type StoreContents = (Vec<Vec<String>>, Vec<Member>, usize);

fn read_store(folder: &Path) -> Result<StoreContents, StoreError> {
    let store = Store::open(folder)?;
    let logs = (1..=GAMES).map(|game| store.game_log_lines(game)).collect::<Result<_, _>>()?;
    Ok((logs, store.members()?, store.outbox_length()?))
}

/// Copies the store into a new folder.
fn copy_store(home: &TempDir) -> TempDir {
    let copy = postrider::testing::create_folder();
    let store = copy.path().join("store");
    fs::create_dir_all(store.join("blobs")).unwrap();
    for path in store_files(home) {
        fs::copy(&path, store.join(path.file_name().unwrap())).unwrap();
    }
    fs::copy(home.path().join("store.mark"), copy.path().join("store.mark")).unwrap();
    copy
}

fn store_files(home: &TempDir) -> Vec<PathBuf> {
    let entries = fs::read_dir(home.path().join("store")).unwrap();
    entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect()
}

fn snapshot_files(home: &TempDir) -> Vec<PathBuf> {
    let is_one = |path: &PathBuf| path.to_string_lossy().contains("/snap.");
    store_files(home).into_iter().filter(is_one).collect()
}

#[test]
fn flipped_bit_is_harmless_or_reported() {
    let home = build_store();
    let sound = fs::read(home.path().join("store/db")).unwrap();
    assert!(sound.len() > 4 * 512 * 1024, "{} bytes are too few segments", sound.len());
    assert_eq!(snapshot_files(&home).len(), 1);
    let expected = read_store(&copy_store(&home).path().join("store")).unwrap();
    let mut damaged = [0, 0];
    let stride = sample_or_all(3, 1);
    for step in (0..80).step_by(stride) {
        for without_snapshot in [false, true] {
            let copy = copy_store(&home);
            if without_snapshot {
                snapshot_files(&copy).iter().for_each(|path| fs::remove_file(path).unwrap());
            }
            // Every other bit is in the header of a segment.
            let segment = 512 * 1024 * (step / 2 % (sound.len() / 512 / 1024));
            let place = if step % 2 == 0 { sound.len() / 80 * step } else { segment + step % 20 };
            let db = copy.path().join("store/db");
            let mut bytes = sound.clone();
            bytes[place] ^= 1 << (step % 8);
            fs::write(&db, &bytes).unwrap();
            match read_store(&copy.path().join("store")) {
                Ok(found) => assert!(found == expected, "byte {place}, {without_snapshot}"),
                Err(error) => {
                    assert!(matches!(error, StoreError::Damaged(_)), "{error}");
                    damaged[usize::from(without_snapshot)] += 1;
                    let untouched = fs::read(&db).unwrap() == bytes;
                    assert!(untouched || !without_snapshot, "byte {place}");
                }
            }
        }
    }
    assert!(damaged[0] * stride > 10 && damaged[1] * stride > 40, "{damaged:?}");
}

#[test]
fn unfinished_snapshot_is_removed_on_open() {
    let home = build_store();
    let expected = read_store(&copy_store(&home).path().join("store")).unwrap();
    let whole = snapshot_files(&home).remove(0);
    let bytes = fs::read(&whole).unwrap();
    for (name, length) in [("snap.00000000000FFFFF", 0), ("snap.FFFF", 77), ("snap.0", bytes.len())]
    {
        let path = home.path().join(format!("store/{name}.generating"));
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(read_store(&home.path().join("store")).unwrap() == expected, "{name}");
        assert!(!path.exists());
    }
    let foreign = home.path().join("store/snap.bak");
    fs::write(&foreign, b"a moderator's own").unwrap();
    let message = read_store(&home.path().join("store")).unwrap_err().to_string();
    assert!(message.contains("snap.bak") && foreign.exists(), "{message}");
}

#[test]
fn damaged_snapshot_or_conf_is_recreated() {
    let home = build_store();
    let expected = read_store(&copy_store(&home).path().join("store")).unwrap();
    let snapshot = snapshot_files(&home).remove(0).file_name().unwrap().to_owned();
    for name in [snapshot.to_str().unwrap(), "conf"] {
        let length = fs::metadata(home.path().join("store").join(name)).unwrap().len() as usize;
        for step in 0..40 {
            let copy = copy_store(&home);
            let path = copy.path().join("store").join(name);
            let mut bytes = fs::read(&path).unwrap();
            match step {
                0 => fs::remove_file(&path).unwrap(),
                1..8 => fs::write(&path, &bytes[..length * (step - 1) / 8]).unwrap(),
                _ => {
                    bytes[length * (step - 8) / 32] ^= 1 << (step % 8);
                    fs::write(&path, &bytes).unwrap();
                }
            }
            let found = read_store(&copy.path().join("store"));
            assert!(found.unwrap() == expected, "{name} {step}");
        }
    }
}

#[test]
fn missing_or_damaged_store_mark_is_tolerated() {
    let home = build_store();
    let expected = read_store(&copy_store(&home).path().join("store")).unwrap();
    let mark = home.path().join("store.mark");
    fs::write(&mark, b"\xff\0").unwrap();
    assert!(read_store(&home.path().join("store")).unwrap() == expected);
    fs::remove_file(&mark).unwrap();
    assert!(read_store(&home.path().join("store")).unwrap() == expected);
}

#[test]
fn half_rebuilt_store_is_not_opened() {
    let home = postrider::testing::create_folder();
    let folder = home.path().join("store");
    let line = |seq| LogLine { game: 1, seq, line: "a".to_owned() };
    let commit = |store: &Store, seq| {
        store
            .write_without_conflict_check(&Batch { log_lines: vec![line(seq)], ..Batch::default() })
    };
    let store = Store::open(&folder).unwrap();
    store.begin_rebuild().unwrap();
    commit(&store, 0).unwrap();
    drop(store);
    let message = Store::open(&folder).err().unwrap().to_string();
    assert!(message.contains("run `postrider restore` again"), "{message}");
    fs::remove_dir_all(&folder).unwrap();
    let store = Store::open(&folder).unwrap();
    assert!(matches!(commit(&store, 0), Err(StoreError::Damaged(_))));
    assert!(store.read_only_reason().is_some());
    store.begin_rebuild().unwrap();
    commit(&store, 0).unwrap();
    store.finish_rebuild().unwrap();
    drop(store);
    commit(&Store::open(&folder).unwrap(), 1).unwrap();
    assert_eq!(Store::open(&folder).unwrap().game_log_lines(1).unwrap(), ["a", "a"]);
}

/// Creates a store with a journal and one round of two games.
fn store_with_journal() -> (TempDir, Store) {
    let home = postrider::testing::create_folder();
    let store = Store::open(&home.path().join("store")).unwrap();
    play_round(&store, home.path());
    (home, store)
}

fn play_round(store: &Store, home: &Path) {
    let mut batch = Batch::default();
    for game in 1..=2 {
        let seq = store.log_length(game).unwrap();
        batch.log_lines.push(LogLine { game, seq, line: format!("{{\"n\":{seq}}}") });
        batch.members.push(Member { id: seq * 2 + game, ..Member::default() });
    }
    store.write_without_conflict_check(&batch).unwrap();
    store.update_journal(&home.join("journal")).unwrap();
}

fn read_journal(home: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let of = |name: &str| home.path().join("journal").join(name);
    let paths = ["club.jsonl", "games/000001.jsonl", "games/000002.jsonl"].map(of);
    paths.map(|path| (path.clone(), fs::read(&path).unwrap())).to_vec()
}

/// Returns the differences between journal and store: those found by the files' lengths, and those
/// found by reading everything.
fn find_differences(store: &Store, home: &TempDir) -> [Vec<String>; 2] {
    let journal_folder = home.path().join("journal");
    [
        store.journal_length_differences(&journal_folder).unwrap(),
        store.journal_differences(&journal_folder).unwrap(),
    ]
}

#[test]
fn changed_and_missing_journal_lines_are_found() {
    let (home, store) = store_with_journal();
    play_round(&store, home.path());
    let sound = read_journal(&home);
    let of = ["the members differ", "game 1 differs", "game 2 differs"];
    let short = ["members, seats, clocks or people around games differ", of[1], of[2]];
    for (n, (path, whole)) in sound.iter().enumerate() {
        let changed = String::from_utf8(whole.clone()).unwrap().replacen("1", "7", 1);
        let first = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let cases = [(changed.as_bytes(), None), (&whole[first..], Some(short[n]))];
        for (bytes, in_length) in cases {
            fs::write(path, bytes).unwrap();
            let in_length: Vec<_> = in_length.into_iter().map(str::to_owned).collect();
            assert_eq!(find_differences(&store, &home), [in_length, vec![of[n].to_owned()]], "{n}");
        }
        fs::write(path, whole).unwrap();
    }
    let (lost, more) = (&sound[2].0, home.path().join("journal/games/000003.jsonl"));
    fs::rename(lost, &more).unwrap();
    let both = vec![of[2].to_owned(), "game 3 differs".to_owned()];
    assert_eq!(find_differences(&store, &home), [both.clone(), both]);
    fs::rename(&more, lost).unwrap();
    // The change of the next pass is missing from the journal, which both comparisons find.
    let batch = Batch { members: vec![Member { id: 9, ..Member::default() }], ..Batch::default() };
    store.write_without_conflict_check(&batch).unwrap();
    assert_eq!(
        find_differences(&store, &home),
        [vec![short[0].to_owned()], vec![of[0].to_owned()]]
    );
    assert!(store.is_journal_behind().unwrap());
}

#[test]
fn outdated_or_missing_journal_is_rewritten() {
    let (home, store) = store_with_journal();
    let older = read_journal(&home);
    play_round(&store, home.path());
    let whole = read_journal(&home);
    for gone in [false, true] {
        fs::remove_dir_all(home.path().join("journal")).unwrap();
        if !gone {
            fs::create_dir_all(home.path().join("journal/games")).unwrap();
            older.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
        }
        store.stop_writing_if_journal_holds_more(&home.path().join("journal")).unwrap();
        assert!(store.read_only_reason().is_none(), "the store is ahead: nothing is lost");
        store.update_journal(&home.path().join("journal")).unwrap();
        assert_eq!(read_journal(&home)[1..], whole[1..]);
        assert_eq!(find_differences(&store, &home), [[""; 0]; 2]);
    }
}

#[test]
fn journal_ahead_of_store_blocks_it() {
    for without_mark in [false, true] {
        for more in ["club.jsonl", "games/000002.jsonl", "games/000003.jsonl"] {
            let (home, store) = store_with_journal();
            drop(store);
            let path = home.path().join("journal").join(more);
            let mut bytes = fs::read(&path).unwrap_or_default();
            let line = match more {
                "club.jsonl" => {
                    serde_json::json!({"member": Member { id: 9, ..Member::default() }})
                }
                _ => serde_json::json!({"n": 7}),
            };
            bytes.extend(format!("{line}\n").bytes());
            fs::write(&path, &bytes).unwrap();
            if without_mark {
                fs::remove_file(home.path().join("store.mark")).unwrap();
            }
            let journal_folder = home.path().join("journal");
            let store = Store::open(&home.path().join("store")).unwrap();
            store.stop_writing_if_journal_holds_more(&journal_folder).unwrap();
            let game = |n| {
                journal::check_log_not_behind_journal(
                    &journal_folder,
                    n,
                    &store.game_log_lines(n).unwrap(),
                )
            };
            let reasons = [store.read_only_reason(), game(2).err(), game(3).err()];
            assert!(reasons.iter().any(Option::is_some), "{more} {without_mark}");
            assert_eq!(reasons[0].is_some(), without_mark || more == "club.jsonl", "{more}");
            assert!(game(1).is_ok());
            assert!(
                find_differences(&store, &home).iter().all(|found| !found.is_empty()),
                "{more}"
            );
        }
    }
}

#[test]
fn game_log_that_differs_from_journal_is_damage() {
    let (home, store) = store_with_journal();
    let journal_folder = home.path().join("journal");
    let log = store.game_log_lines(1).unwrap();
    assert!(journal::check_log_not_behind_journal(&journal_folder, 1, &log).is_ok());
    fs::write(journal_folder.join("games/000001.jsonl"), "{\"n\":9}\n").unwrap();
    assert!(matches!(
        journal::check_log_not_behind_journal(&journal_folder, 1, &log),
        Err(StoreError::Damaged(_))
    ));
    // A journal that is behind the store is no damage.
    fs::write(journal_folder.join("games/000001.jsonl"), "").unwrap();
    assert!(journal::check_log_not_behind_journal(&journal_folder, 1, &log).is_ok());
}

#[test]
fn cut_short_commit_is_undone_without_damage() {
    let line = |seq, text: &str| LogLine { game: 1, seq, line: text.to_owned() };
    for part in 1..8 {
        let home = postrider::testing::create_folder();
        let folder = home.path().join("store");
        let (db, mark) = (folder.join("db"), home.path().join("store.mark"));
        let commit = |log_lines| {
            let store = Store::open(&folder).unwrap();
            store.write_without_conflict_check(&Batch { log_lines, ..Batch::default() }).unwrap();
        };
        let used = || fs::read(&db).unwrap().iter().rposition(|byte| *byte != 0).unwrap();
        commit(vec![line(0, "a")]);
        commit(vec![line(1, "b")]);
        let (before, noted) = (used(), fs::read(&mark).unwrap());
        commit((2..90).map(|seq| line(seq, &"long ".repeat(600))).collect());
        let (mut bytes, after) = (fs::read(&db).unwrap(), used());
        bytes[before + (after - before) * part / 8..].fill(0);
        fs::write(&db, bytes).unwrap();
        fs::write(&mark, noted).unwrap();
        for seq in 2..6 {
            commit(vec![line(seq, "c")]);
        }
        let log = Store::open(&folder).unwrap().game_log_lines(1).unwrap();
        assert_eq!(log, ["a", "b", "c", "c", "c", "c"], "{part}");
    }
}
