//! A store whose file is mostly holes is opened by a pass that is killed after every single step in
//! turn: nothing is lost, and the file becomes small.

use crate::crash::image;
use crate::rig::Club;
use crate::rig::command::{TICK, killed_after_each_step, undisturbed};
use postrider::games::kind;
use postrider::mail::Maildir;
use postrider::store::{Batch, GameStore, Outbox, Outgoing, Store};
use std::fs;
use std::path::Path;

/// A club in which an order waits, after a day on which many letters came and went.
fn club() -> Club {
    let mut club = Club::with("mail_out: {maildir: outbox}\n");
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    club.pass();
    while club.now < chrono::DateTime::parse_from_rfc3339(TICK).expect("a time") {
        club.pass();
    }
    let order = club.reply_to("Ann", &club.pigeon.posted[0].clone(), "build red G23, Troyes");
    club.arrives(&order);
    Maildir::new(club.folder().join("outbox")).create().expect("an outbox");
    (0..3).for_each(|_| busy(club.folder()));
    // sled writes zeros over what is not needed any more.
    drop(Store::open(&club.folder().join("store")).expect("it opens"));
    club
}

/// More than a megabyte of letters leaves.
fn busy(folder: &Path) {
    let store = Store::open(&folder.join("store")).expect("it opens");
    let letter = |n| Outgoing {
        message_id: format!("busy.{n}"),
        recipient: "x@example.net".to_owned(),
        owed: "x".repeat(30_000).into(),
        label: None,
    };
    let outgoing = (0..50).map(letter).collect();
    store.write(&Batch { outgoing, ..Batch::default() }).expect("it is kept");
    let queued = store.outbox(chrono::DateTime::UNIX_EPOCH, 99).expect("it reads");
    let sent = queued.iter().map(|queued| queued.key).collect();
    store.write(&Batch { sent, ..Batch::default() }).expect("it is forgotten");
}

/// How many segments of its file hold nothing, and how many something.
fn holes(folder: &Path) -> (usize, usize) {
    let db = fs::read(folder.join("store/db")).expect("a file");
    let (holes, used): (Vec<_>, Vec<_>) =
        db.chunks(512 * 1024).partition(|segment| segment[..20] == [0; 20]);
    (holes.len(), used.len())
}

#[test]
fn a_pass_that_is_killed_while_it_closes_holes_loses_nothing() {
    let club = club();
    let (before, used) = holes(club.folder());
    assert!(before > 2 && used > 1, "{before} {used}");
    let expected = undisturbed(club.folder(), image);
    assert_eq!(expected.keys().filter(|name| name.starts_with("outbox/new/")).count(), 3);
    killed_after_each_step(club.folder(), 30..1_000, 7, |folder, step| {
        let image = image(folder);
        assert!(image == expected, "killed after {step}");
        assert!(holes(folder).0 < before, "killed after {step}");
    });
}
