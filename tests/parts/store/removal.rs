//! Tests of moving a club from one store to another (`postrider migrate`): nothing is lost, and
//! letters queued after the move come last.

use super::changes::{Change, any_change, build_batch, query_everything};
use super::outgoing_letter;
use postrider::store::{Batch, GameStore, Store, journal};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Moves everything from one store to the other.
fn move_store(from: &dyn GameStore, to: &dyn GameStore) {
    let (old, new) = (from.as_migration(), to.as_migration());
    old.lock_exclusively().expect("it is alone");
    assert!(new.can_receive_club().expect("it reads"), "nothing is there");
    to.begin_rebuild().expect("it is empty");
    old.export_all_but_inbox(&mut |load| new.import_batch(&load)).expect("it is carried");
    to.finish_rebuild().expect("it is whole");
}

/// Exports a complete journal into a new folder, and returns its files.
fn export_journal(store: &dyn GameStore, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    journal::write_full_journal(store, folder).expect("it is written");
    let games = fs::read_dir(folder.join("games")).expect("games");
    let games = games.map(|file| file.expect("a file").path());
    let others = ["club.jsonl", "present.jsonl"].map(|name| folder.join(name));
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file");
        (path.strip_prefix(folder).expect("inside").to_owned(), bytes)
    };
    games.chain(others).map(read).collect()
}

/// Returns a store to which these batches were committed in order.
fn store_with_batches(folder: &Path, batches: Vec<Vec<Change>>) -> Store {
    let store = Store::open(folder).expect("it opens");
    for changes in batches {
        let _ = store.write_without_conflict_check(&build_batch(&store, changes));
    }
    store
}

/// Asserts that the second store has all contents, and that new letters are queued after the old
/// ones.
fn assert_moved_completely(from: &dyn GameStore, to: &dyn GameStore) -> Result<(), TestCaseError> {
    prop_assert_eq!(query_everything(to), query_everything(from));
    let last = |store: &dyn GameStore| store.list_sendable(super::time_at(300_000)).unwrap().pop();
    let before = last(to).map_or(0, |letter| letter.key);
    to.write_without_conflict_check(&Batch {
        outgoing: vec![outgoing_letter("later")],
        ..Batch::default()
    })
    .unwrap();
    let after = last(to).expect("it waits");
    prop_assert!(after.key > before && after.message_id == "later");
    to.write_without_conflict_check(&Batch { sent: vec![after.key], ..Batch::default() }).unwrap();
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn store_moves_completely_to_another(batches in vec(vec(any_change(), 0..12), 1..12)) {
        let home = postrider::testing::create_folder();
        let old = store_with_batches(&home.path().join("old"), batches);
        let new = Store::open(&home.path().join("new")).unwrap();
        move_store(&old, &new);
        drop(new);
        let new = Store::open(&home.path().join("new")).unwrap();
        let [before, after] = [("a", &old), ("b", &new)]
            .map(|(name, store)| export_journal(store, &home.path().join(name)));
        prop_assert_eq!(before, after);
        assert_moved_completely(&old, &new)?;
    }

    #[cfg(feature = "postgres")]
    #[test]
    #[ignore = "needs a database server, see tests/postgres/run"]
    fn club_survives_move_to_server_and_back(batches in vec(vec(any_change(), 0..12), 1..12)) {
        let schema = super::server::Schema::needed();
        let home = postrider::testing::create_folder();
        let old = store_with_batches(&home.path().join("old"), batches);
        let there = schema.store("club");
        move_store(&old, &there);
        let on_server = export_journal(&there, &home.path().join("there"));
        let back = Store::open(&home.path().join("back")).unwrap();
        move_store(&there, &back);
        prop_assert_eq!(export_journal(&old, &home.path().join("before")), on_server);
        prop_assert_eq!(
            export_journal(&old, &home.path().join("again")),
            export_journal(&back, &home.path().join("after"))
        );
        assert_moved_completely(&old, &there)?;
        assert_moved_completely(&old, &back)?;
    }
}

#[test]
fn move_is_split_into_small_portions() {
    let home = postrider::testing::create_folder();
    let old = Store::open(&home.path().join("old")).unwrap();
    for n in 0..9 {
        let answers = (0..2_000).map(|second| (format!("{n}@x.org"), second)).collect();
        let outgoing = (0..300).map(|_| outgoing_letter("long")).collect();
        old.write_without_conflict_check(&Batch {
            counted_events: answers,
            outgoing,
            ..Batch::default()
        })
        .unwrap();
    }
    let (mut portions, mut letters, mut answers) = (0, 0, 0);
    let give = &mut |load: postrider::store::MigrationBatch| {
        assert!(load.outbox.len() < 400 && load.answers.len() < 5_000);
        (portions, letters) = (portions + 1, letters + load.outbox.len());
        answers += load.answers.len();
        Ok(())
    };
    old.as_migration().export_all_but_inbox(give).unwrap();
    assert!(portions > 12, "{portions}");
    assert_eq!((letters, answers), (2_700, 18_000));
}
