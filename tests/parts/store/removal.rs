//! What one store gives another one takes over: all of it, and the letters that are queued later
//! come after those that waited.

use super::changes::{Change, batch, change, everything};
use super::letter;
use postrider::store::{Batch, GameStore, Store, journal};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Carries all from one store to the other.
fn carry(from: &dyn GameStore, to: &dyn GameStore) {
    let (old, new) = (from.removal(), to.removal());
    old.hold_alone().expect("it is alone");
    assert!(new.is_free().expect("it reads"), "nothing is there");
    to.rebuild().expect("it is empty");
    old.give(&mut |load| new.take(&load)).expect("it is carried");
    to.rebuilt().expect("it is whole");
}

/// A whole journal of a store, in a folder that is not there yet.
fn journal_of(store: &dyn GameStore, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    journal::export(store, folder).expect("it is written");
    let games = fs::read_dir(folder.join("games")).expect("games");
    let games = games.map(|file| file.expect("a file").path());
    let others = ["club.jsonl", "present.jsonl"].map(|name| folder.join(name));
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file");
        (path.strip_prefix(folder).expect("inside").to_owned(), bytes)
    };
    games.chain(others).map(read).collect()
}

/// A store that all these were committed to, one after the other.
fn filled(folder: &Path, batches: Vec<Vec<Change>>) -> Store {
    let store = Store::open(folder).expect("it opens");
    for changes in batches {
        let _ = store.write(&batch(&store, changes));
    }
    store
}

/// Whether all is there that was, and letters are queued after it.
fn is_all_of(from: &dyn GameStore, to: &dyn GameStore) -> Result<(), TestCaseError> {
    prop_assert_eq!(everything(to), everything(from));
    let last = |store: &dyn GameStore| store.in_line(super::at(300_000)).unwrap().pop();
    let before = last(to).map_or(0, |letter| letter.key);
    to.write(&Batch { outgoing: vec![letter("later")], ..Batch::default() }).unwrap();
    let after = last(to).expect("it waits");
    prop_assert!(after.key > before && after.message_id == "later");
    to.write(&Batch { sent: vec![after.key], ..Batch::default() }).unwrap();
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_one_store_gives_another_one_takes_over(batches in vec(vec(change(), 0..12), 1..12)) {
        let home = crate::common::folder();
        let old = filled(&home.path().join("old"), batches);
        let new = Store::open(&home.path().join("new")).unwrap();
        carry(&old, &new);
        drop(new);
        let new = Store::open(&home.path().join("new")).unwrap();
        let [before, after] = [("a", &old), ("b", &new)]
            .map(|(name, store)| journal_of(store, &home.path().join(name)));
        prop_assert_eq!(before, after);
        is_all_of(&old, &new)?;
    }

    #[cfg(feature = "postgres")]
    #[test]
    #[ignore = "needs a database server, see tests/postgres/run"]
    fn what_a_server_takes_over_it_gives_back(batches in vec(vec(change(), 0..12), 1..12)) {
        let schema = super::server::Schema::needed();
        let home = crate::common::folder();
        let old = filled(&home.path().join("old"), batches);
        let there = schema.store("club");
        carry(&old, &there);
        let on_server = journal_of(&there, &home.path().join("there"));
        let back = Store::open(&home.path().join("back")).unwrap();
        carry(&there, &back);
        prop_assert_eq!(journal_of(&old, &home.path().join("before")), on_server);
        prop_assert_eq!(
            journal_of(&old, &home.path().join("again")),
            journal_of(&back, &home.path().join("after"))
        );
        is_all_of(&old, &there)?;
        is_all_of(&old, &back)?;
    }
}

/// Whatever it is that a club has much of, it is given in many portions.
#[test]
fn a_portion_is_small_whatever_there_is() {
    let home = crate::common::folder();
    let old = Store::open(&home.path().join("old")).unwrap();
    for n in 0..9 {
        let answers = (0..2_000).map(|second| (format!("{n}@x.org"), second)).collect();
        let outgoing = (0..300).map(|_| letter("long")).collect();
        old.write(&Batch { answers, outgoing, ..Batch::default() }).unwrap();
    }
    let (mut portions, mut letters, mut answers) = (0, 0, 0);
    let give = &mut |load: postrider::store::Load| {
        assert!(load.outbox.len() < 400 && load.answers.len() < 5_000);
        (portions, letters) = (portions + 1, letters + load.outbox.len());
        answers += load.answers.len();
        Ok(())
    };
    old.removal().give(give).unwrap();
    assert!(portions > 12, "{portions}");
    assert_eq!((letters, answers), (2_700, 18_000));
}
