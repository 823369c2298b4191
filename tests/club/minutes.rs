//! The activity logs of games.

use crate::rig::moderator::paris;
use crate::rig::{Club, command};
use postrider::process;

/// Lines of the moderator's letter as one line each, without the moment at their beginning.
fn by_letter(club: &Club, line: &str) -> Vec<String> {
    let context = club.context();
    let done = process::directed(&context, &[line.to_owned()], false).expect("it is done");
    let language = context.library.language("en");
    done[0].lines.iter().map(|line| language.say(line)).collect()
}

#[test]
fn the_log_by_letter_and_by_command_are_one() {
    for reads in [false, true] {
        let mut club = Club::tricks(&format!("press: {{moderator_reads: {reads}}}\n"));
        club.writes("Ann", "tell bob: hush\n\nsay good luck");
        club.writes("Ann", "B&O 3");
        club.pass();
        let moderate = |line: &str| {
            let done = process::directed(&club.context(), &[line.to_owned()], false);
            done.expect("it is done");
        };
        for line in [
            "rotate 1 seat 2 because his letters were read",
            "note 1 Cid asked twice",
            "announce 1 The fair is on Sunday.",
            "rewind 1 to 1 because of a slip",
        ] {
            moderate(line);
        }
        let command = command::run(club.folder(), &club.now.to_rfc3339(), &["log", "1"]).1;
        let letter = by_letter(&club, "log 1");
        assert_eq!(letter.len(), if reads { 9 } else { 8 }, "{letter:#?}");
        for line in &letter {
            let (_, what) = line.split_once(" UTC: ").expect("a moment");
            // A record's number stands in a column of the command's.
            let is_record = what.starts_with("record ");
            let what = what.split_once(", ").filter(|_| is_record).map_or(what, |(_, what)| what);
            assert!(command.contains(what), "{line}: {command}");
        }
        assert_eq!(command.contains("hush"), reads, "{command}");
        assert_eq!(letter.iter().any(|line| line.ends_with("Ann said to Bob: hush")), reads);
    }
}

#[test]
fn the_list_by_letter_and_by_command_is_one() {
    let mut club = Club::with("clock: {deadline: 2 days, reminders: []}\n");
    for _ in 0..3 {
        paris(&mut club, 7);
    }
    club.pass();
    for (game, line) in [(1, "pause 1 because x"), (2, "end 2 because x")] {
        let done = process::directed(&club.context(), &[line.to_owned()], false);
        assert!(done.is_ok(), "{game}");
    }
    club.now += chrono::TimeDelta::days(5);
    let command = command::run(club.folder(), &club.now.to_rfc3339(), &["list"]).1;
    let letter = by_letter(&club, "list");
    assert_eq!(letter.len(), 2, "the one that is over is in neither");
    assert!(letter[1].contains("whose orders were due by"), "{letter:?}");
    for (said, line) in command.lines().zip(&letter) {
        let (_, waits) = line.trim_end_matches('.').split_once(") ").expect("it waits");
        assert!(said.ends_with(waits), "{said}: {waits}");
    }
}
