//! What is noted of how a game stands, and who lists by it. That it is what the log folds to, the
//! rig asks after every pass of every test.

use crate::rig::command::run;
use crate::rig::{Club, without_outline};
use postrider::games::kind;
use postrider::process;
use postrider::rules::Turn;
use postrider::store::{Batch, LogLine};

const NOON: &str = "2026-01-06T12:00:00Z";

/// The games of which no outline is known.
fn unknown(club: &Club) -> Vec<u32> {
    without_outline(&club.context())
}

fn write(club: &Club, game: u32, seq: u32, line: String) {
    let batch = Batch { log_lines: vec![LogLine { game, seq, line }], ..Batch::default() };
    club.context().store.write(&batch).expect("it is written");
}

#[test]
fn an_outline_that_is_not_the_logs_is_not_believed_and_noted_by_whoever_lists() {
    let club = Club::paris("");
    let list = || run(club.folder(), NOON, &["list"]).1;
    assert!(
        list().ends_with("record 1 of 2026-01-05, waits for Ann since Mon 5 Jan 2026 18:00 UTC\n")
    );
    assert!(unknown(&club).is_empty());
    let table = process::open_game(&club.context(), 1).expect("it opens").table;
    let Turn::Awaiting(seats) = table.turn() else { panic!("it runs") };
    let now = NOON.parse().expect("a time");
    let table = table.forfeit(seats[0], &[], now).expect("legal");
    write(&club, 1, 2, table.records()[1].line());
    assert_eq!(unknown(&club), [1]);
    let moved = "record 2 of 2026-01-06, waits for Bob since Tue 6 Jan 2026 12:00 UTC\n";
    for _ in 0..2 {
        assert!(list().ends_with(moved), "{}", list());
        assert!(unknown(&club).is_empty());
    }
    club.restored();
    assert!(unknown(&club).is_empty(), "a restore notes it too");
}

#[test]
fn a_game_that_cannot_be_opened_is_named_among_those_that_can() {
    let mut club = Club::paris("");
    club.found(kind("trick-of-the-rails").expect("it ships"), 3, 2);
    write(&club, 1, 2, "{}".to_owned());
    for _ in 0..2 {
        let (code, said) = run(club.folder(), NOON, &["list"]);
        assert_eq!(code, Some(1), "{said}");
        let [broken, other] = said.lines().collect::<Vec<_>>()[..] else { panic!("{said}") };
        assert!(broken.contains("line 2 of the log is no record"), "{broken}");
        assert!(other.contains("2  trick-of-the-rails  Ann, Bob, Cid  record 1 of"), "{other}");
        assert_eq!(unknown(&club), [1]);
    }
}
