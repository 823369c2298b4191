//! `postrider status`, which monitoring programs read.

use crate::rig::moderator_letters::deliver_from_other_address;
use crate::rig::postrider_program::run_postrider;
use crate::rig::{Club, make_undeliverable};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::mail::transport::PostError;
use postrider::process;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs `status --json`, and checks that it leaves the files of the club as they were.
fn read_status(folder: &Path, now: DateTime<Utc>) -> Value {
    let before = club_files(folder);
    let (code, said) = run_postrider(folder, &now.to_rfc3339(), &["status", "--json"]);
    assert_eq!(code, Some(0), "{said}");
    let after = club_files(folder);
    let differs = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let changed: Vec<_> = before.keys().chain(after.keys()).filter(differs).collect();
    assert!(changed.is_empty(), "{changed:?}");
    serde_json::from_str(&said).expect("one JSON object")
}

/// Returns the files of a club with their contents, and its folders without. sled replaces files
/// whenever it opens a store, so of the store's folder only the existence is compared.
fn club_files(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let contents = path.is_file().then(|| fs::read(&path).expect("a file"));
        if contents.is_none() && !path.ends_with("store") {
            found.extend(club_files(&path));
        }
        found.insert(path, contents);
    }
    found
}

#[test]
fn status_counts_what_needs_attention() {
    let mut club = Club::with_paris_game("");
    make_undeliverable(&mut club, "Bob");
    deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes");
    club.set_preference("Ann", "letters digest 06:00");
    club.send_reply("Cid", "say Hello");
    club.run_pass();
    let held = club.open_context().store.outbox_length().expect("it reads");
    assert_eq!(held, 1, "Cid's words wait for Ann's digest");
    club.transport.error = Some(PostError::Temporary("the mail server is down".to_owned()));
    let failed_at = club.now;
    club.send_reply("Cid", "status");
    club.run_pass();
    let mut status = read_status(club.folder(), failed_at + TimeDelta::minutes(90));
    let size = status.as_object_mut().and_then(|status| status.remove("store_bytes"));
    assert!(size.and_then(|size| size.as_u64()) > Some(10_000), "{status}");
    let expected = json!({
        "last_pass": failed_at,
        "last_pass_age_seconds": 5400,
        "queued_letters": 1,
        "oldest_queued_letter_age_seconds": 5400,
        "quarantined_letters": 1,
        "undeliverable_members": 1,
    });
    assert_eq!(status, expected);
}

/// No game has a deadline, so the store holds no times of passes.
#[test]
fn idle_pass_moves_time_of_last_pass() {
    let mut club = Club::with_local_store("mail_out: {maildir: outbox}\n");
    postrider::mail::Maildir::new(club.folder().join("outbox")).create_folders().expect("created");
    let folder = club.folder().to_owned();
    let mut tick = || {
        let at = club.now;
        assert_eq!(run_postrider(&folder, &at.to_rfc3339(), &["tick"]), (Some(0), String::new()));
        club.now += TimeDelta::hours(1);
        (at, fs::read(folder.join("idle")).expect("an idle note"))
    };
    let (_, note) = tick();
    let (second, same_note) = tick();
    assert!(note == same_note, "the second pass was idle");
    let status = read_status(&folder, second + TimeDelta::seconds(7));
    assert_eq!(
        (&status["last_pass"], &status["last_pass_age_seconds"]),
        (&json!(second), &json!(7))
    );
    let (third, note) = tick();
    assert!(note != same_note, "`status` has opened the store, so the third pass was not idle");
    assert_eq!(read_status(&folder, third)["last_pass"], json!(third));
}

#[test]
fn new_club_has_no_last_pass() {
    let club = Club::with_local_store("");
    let nothing = json!({
        "last_pass": null,
        "last_pass_age_seconds": null,
        "queued_letters": 0,
        "oldest_queued_letter_age_seconds": null,
        "quarantined_letters": 0,
        "undeliverable_members": 0,
        "store_bytes": null,
    });
    assert_eq!(read_status(club.folder(), club.now), nothing);
    assert!(!club.folder().join("store").exists());
    // A club that has a store but no pass.
    drop(club.open_context());
    assert_eq!(read_status(club.folder(), club.now)["last_pass"], json!(null));
    let context = club.open_context();
    let (code, _) = run_postrider(club.folder(), &club.now.to_rfc3339(), &["status"]);
    assert_eq!(code, Some(75), "a pass has the store open");
    assert_eq!(process::count_waiting_letters(&context).expect("it reads"), 0);
}
