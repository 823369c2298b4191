//! Compaction of a store file that consists mostly of empty segments. A pass is killed after each
//! step of the compaction. No letter may be lost, and the file must shrink.

use crate::crash::capture_club_state;
use crate::rig::Club;
use crate::rig::postrider_program::{PASS_TIME, kill_after_each_step, outcome_without_kill};
use postrider::games::find_kind;
use postrider::mail::Maildir;
use postrider::store::{Batch, GameStore, Outbox, OutgoingLetter, Store};
use std::fs;
use std::path::Path;

/// Returns a club with one waiting order letter and a store that has many empty segments, because
/// many letters were queued and removed.
fn club_with_holes() -> Club {
    let mut club = Club::with_settings("mail_out: {maildir: outbox}\n");
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    while club.now < chrono::DateTime::parse_from_rfc3339(PASS_TIME).expect("a time") {
        club.run_pass();
    }
    let order =
        club.compose_reply_to("Ann", &club.transport.posted[0].clone(), "build red G23, Troyes");
    club.deliver(&order);
    Maildir::new(club.folder().join("outbox")).create_folders().expect("an outbox");
    (0..3).for_each(|_| write_and_remove_letters(club.folder()));
    // sled zero-fills free segments on open, so this makes them visible as empty.
    drop(Store::open(&club.folder().join("store")).expect("it opens"));
    club
}

/// Queues and removes 50 letters of 30 kB each.
fn write_and_remove_letters(folder: &Path) {
    let store = Store::open(&folder.join("store")).expect("it opens");
    let letter = |n| OutgoingLetter {
        message_id: format!("busy.{n}"),
        recipient: "x@example.net".to_owned(),
        payload: "x".repeat(30_000).into(),
        label: None,
    };
    let outgoing = (0..50).map(letter).collect();
    store
        .write_without_conflict_check(&Batch { outgoing, ..Batch::default() })
        .expect("it is kept");
    let queued = store.load_sendable(chrono::DateTime::UNIX_EPOCH, 99).expect("it reads");
    let sent = queued.iter().map(|queued| queued.key).collect();
    store
        .write_without_conflict_check(&Batch { sent, ..Batch::default() })
        .expect("it is forgotten");
}

/// Returns the number of empty and of used segments of the store file. A segment is 512 KiB.
fn count_empty_and_used_segments(folder: &Path) -> (usize, usize) {
    let db = fs::read(folder.join("store/db")).expect("a file");
    let (holes, used): (Vec<_>, Vec<_>) =
        db.chunks(512 * 1024).partition(|segment| segment[..20] == [0; 20]);
    (holes.len(), used.len())
}

#[test]
fn killed_compaction_loses_nothing_and_shrinks_store() {
    let club = club_with_holes();
    let (before, used) = count_empty_and_used_segments(club.folder());
    assert!(before > 2 && used > 1, "{before} {used}");
    let expected = outcome_without_kill(club.folder(), capture_club_state);
    assert_eq!(expected.keys().filter(|name| name.starts_with("outbox/new/")).count(), 3);
    kill_after_each_step(club.folder(), 30..1_000, 7, |folder, step| {
        let image = capture_club_state(folder);
        assert!(image == expected, "killed after {step}");
        assert!(count_empty_and_used_segments(folder).0 < before, "killed after {step}");
    });
}
