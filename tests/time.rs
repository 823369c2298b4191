//! Time, seen from cron: passes that have nothing to do, and what they must not miss.

mod rig;

use chrono::{DateTime, TimeDelta, Utc};
use postrider::games::kind;
use postrider::mail::Maildir;
use rig::Club;
use std::path::{Path, PathBuf};

/// Runs the program at a time; its exit code and what it said.
fn run(folder: &Path, now: DateTime<Utc>, words: &[&str]) -> (Option<i32>, String) {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
    command.arg("-C").arg(folder).args(["--now", &now.to_rfc3339()]).args(words);
    let output = command.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text + &String::from_utf8_lossy(&output.stderr))
}

/// A club with a game of Paris Connection that Ann begins, posted into a folder.
fn club(clock: &str) -> Club {
    let mut club = Club::with(&format!("clock: {{{clock}}}\n"));
    club.found(kind("paris-connection").expect("it ships"), 3, 7);
    Maildir::new(club.folder().join("outbox")).create().expect("a way out");
    club
}

/// A store that cannot be opened until this is dropped.
struct Shut(PathBuf, String);

impl Shut {
    fn the_store_of(club: &Club) -> Self {
        let path = club.folder().join("store/format");
        let text = std::fs::read_to_string(&path).expect("a store");
        std::fs::write(&path, "shut").expect("written");
        Self(path, text)
    }
}

impl Drop for Shut {
    fn drop(&mut self) {
        std::fs::write(&self.0, &self.1).expect("written");
    }
}

#[test]
fn a_pass_that_has_nothing_to_do_does_not_open_the_store() {
    let club = club("deadline: 4 days, nmr: forfeit");
    let at = |hours| club.now + TimeDelta::hours(hours);
    let tick = |hours| run(club.folder(), at(hours), &["tick"]).0;
    assert_eq!(tick(1), Some(0));
    {
        let _shut = Shut::the_store_of(&club);
        // Each notes that it ran, so that none of them is taken for the end of an outage.
        assert_eq!((2..24).map(tick).collect::<Vec<_>>(), [Some(0); 22]);
        assert_eq!(tick(25), Some(65), "a day is over");
        assert_eq!(tick(0), Some(65), "the machine's clock was put back");
        let letter = club.folder().join("inbox/new/1.a");
        std::fs::write(&letter, "From: x@example.net\r\n\r\nhello").expect("delivered");
        assert_eq!(tick(3), Some(65), "a letter came");
        std::fs::remove_file(letter).expect("removed");
        assert_eq!(tick(3), Some(0));
    }
    // Whatever changes the store makes the note void.
    let (code, _) =
        run(club.folder(), at(3), &["clock", "1", "--extend", "1 day", "--reason", "x"]);
    assert_eq!(code, Some(0));
    assert!(run(club.folder(), at(4), &["tick", "--verbose"]).1.contains("3 posted"));
    let shut = Shut::the_store_of(&club);
    assert_eq!(tick(5), Some(0));
    drop(shut);
    // The reminder at half of five days comes, and no outage is found.
    let said: Vec<String> = (6..62)
        .map(|hours| run(club.folder(), at(hours), &["tick", "--verbose"]).1)
        .filter(|said| !said.contains("0 posted"))
        .collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("1 reminders; 1 posted"), "{said:?}");
}

#[test]
fn an_outage_is_found_after_passes_that_opened_no_store() {
    let club = club("deadline: 2 days, nmr: forfeit, reminders: []");
    let tick = |hours| run(club.folder(), club.now + TimeDelta::hours(hours), &["tick", "-v"]).1;
    for hours in 0..20 {
        tick(hours);
    }
    // The deadline was two days after the beginning; nothing ran from the 19th hour on.
    let said = tick(60);
    assert!(said.contains("1 reminders; 2 posted"), "{said}");
    let clock = club.office().open_game(1).expect("it opens").clock.expect("a clock");
    assert_eq!(clock.waits[0].deadline, club.now + TimeDelta::hours(48 + 60 - 19));
    assert!(!club.folder().join("pulse").exists());
}
