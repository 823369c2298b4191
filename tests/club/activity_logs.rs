//! Tests that an activity log is shown alike by letter and by command.

use crate::rig::moderator_letters::start_paris_game;
use crate::rig::{Club, postrider_program};
use postrider::club::ActivityEntry;
use postrider::process;
use postrider::store::Batch;

/// Runs one moderator command and returns the lines of its answer in English.
fn moderator_answer_lines(club: &Club, line: &str) -> Vec<String> {
    let context = club.open_context();
    let done =
        process::run_moderator_lines(&context, &[line.to_owned()], false).expect("it is done");
    let language = context.library.language("en");
    done[0].lines.iter().map(|line| language.localize(line)).collect()
}

/// Activity log entries as they are stored, each with the line that the moderator reads.
const ENTRIES: [(&str, &str); 5] = [
    (r#"{"proposed":{"by":1,"kind":"off-the-rails"}}"#, "Ann: propose off-the-rails"),
    (r#""begun""#, "the club: begin"),
    (r#"{"marks_voided":{"member":3,"reason":"x"}}"#, "your note: rotate member 3: x"),
    (
        r#"{"letter_judged":{"name":"17.M1","accepted":true,"reason":"x"}}"#,
        "your note: letters accept 17.M1 because x",
    ),
    (r#"{"letter_judged":{"name":"17.M1","accepted":false}}"#, "your note: letters reject 17.M1"),
];

#[test]
fn stored_log_entries_are_shown_as_text() {
    let mut club = Club::new();
    let game = start_paris_game(&mut club, 7);
    let entry = |stored: &str| serde_json::from_str(stored).expect(stored);
    let entries =
        ENTRIES.map(|(stored, _)| (game, ActivityEntry { at: club.now, event: entry(stored) }));
    let entries = entries.to_vec();
    club.open_context()
        .store
        .write_without_conflict_check(&Batch { activity: entries, ..Batch::default() })
        .expect("written");
    let log = moderator_answer_lines(&club, "log 1");
    let shown = log[1..].iter().map(|line| line.split_once(" UTC: ").expect("a moment").1);
    assert_eq!(shown.collect::<Vec<_>>(), ENTRIES.map(|(_, shown)| shown));
}

#[test]
fn log_is_same_by_letter_and_command() {
    for reads in [false, true] {
        let mut club = Club::with_tricks_game(&format!("press: {{moderator_reads: {reads}}}\n"));
        club.send_reply("Ann", "tell bob: hush\n\nsay good luck");
        club.send_reply("Ann", "B&O 3");
        club.run_pass();
        let moderate = |line: &str| {
            let done =
                process::run_moderator_lines(&club.open_context(), &[line.to_owned()], false);
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
        let command =
            postrider_program::run_postrider(club.folder(), &club.now.to_rfc3339(), &["log", "1"])
                .1;
        let letter = moderator_answer_lines(&club, "log 1");
        assert_eq!(letter.len(), if reads { 9 } else { 8 }, "{letter:#?}");
        for line in &letter {
            let (_, what) = line.split_once(" UTC: ").expect("a moment");
            // The command shows the record number in a column of its own.
            let is_record = what.starts_with("move ");
            let what = what.split_once(", ").filter(|_| is_record).map_or(what, |(_, what)| what);
            assert!(command.contains(what), "{line}: {command}");
        }
        assert_eq!(command.contains("hush"), reads, "{command}");
        assert_eq!(letter.iter().any(|line| line.ends_with("Ann said to Bob: hush")), reads);
    }
}

#[test]
fn list_is_same_by_letter_and_command() {
    let mut club = Club::with_settings("clock: {deadline: 2 days, reminders: []}\n");
    for _ in 0..3 {
        start_paris_game(&mut club, 7);
    }
    club.run_pass();
    for (game, line) in [(1, "pause 1 because x"), (2, "end 2 because x")] {
        let done = process::run_moderator_lines(&club.open_context(), &[line.to_owned()], false);
        assert!(done.is_ok(), "{game}");
    }
    club.now += chrono::TimeDelta::days(5);
    let command =
        postrider_program::run_postrider(club.folder(), &club.now.to_rfc3339(), &["list"]).1;
    let letter = moderator_answer_lines(&club, "list");
    assert_eq!(letter.len(), 2, "the finished game is in neither list");
    assert!(letter[1].contains("whose orders were due Wed"), "{letter:?}");
    for (row, line) in command.lines().zip(&letter) {
        let (_, waits) = line.trim_end_matches('.').split_once(") ").expect("it waits");
        assert!(row.ends_with(waits), "{row}: {waits}");
    }
}
