//! What stands in minutes: as data, and in the words in which earlier builds kept it.

use crate::rig::moderator::paris;
use crate::rig::{Club, command};
use postrider::club::{ActivityEntry, Happening};
use postrider::process;
use postrider::store::Batch;

/// What was kept once, and what is kept of the same now.
const KEPT: [(&str, &str); 16] = [
    (
        r#"{"done":{"by":"moderator","what":"extend by 2 days","reason":"x"}}"#,
        r#"{"intervened":{"by":"moderator","what":{"extend":"2 days"},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"house","what":"pause","reason":"Bob, Cid"}}"#,
        r#"{"intervened":{"by":"house","what":"pause","reason":"Bob, Cid"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","what":"resume","reason":"x"}}"#,
        r#"{"intervened":{"by":"moderator","what":"resume","reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","reason":"x",
            "what":"set deadline 2 days, nmr wait, grace 6 hours"}}"#,
        r#"{"intervened":{"by":"moderator","what":{"set":[{"deadline":"2 days"},{"nmr":"wait"},
            {"grace":"6 hours"}]},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","what":"rewind to 1","reason":"x"}}"#,
        r#"{"intervened":{"by":"moderator","what":{"rewind":1},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","what":"end","reason":"x"}}"#,
        r#"{"intervened":{"by":"moderator","what":"end","reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","what":"force seat 2","reason":"x"}}"#,
        r#"{"intervened":{"by":"moderator","what":{"force":2},"reason":"x"}}"#,
    ),
    (
        r#"{"noted":{"text":"rotate seat 2: x"}}"#,
        r#"{"intervened":{"by":"moderator","what":{"rotate":2},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":{"member":1},"what":"replace seat 2 by member 1","reason":"x"}}"#,
        r#"{"intervened":{"by":{"member":1},"what":{"replace":{"seat":2,"by":1}},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":{"member":2},"what":"seat 2 is open","reason":"x"}}"#,
        r#"{"intervened":{"by":{"member":2},"what":{"vacate":2},"reason":"x"}}"#,
    ),
    (
        r#"{"done":{"by":"moderator","what":"announce","reason":"The board is our own."}}"#,
        r#"{"intervened":{"by":"moderator","what":"announce","reason":"The board is our own."}}"#,
    ),
    (
        r#"{"done":{"by":{"member":1},"what":"propose off-the-rails"}}"#,
        r#"{"proposed":{"by":1,"kind":"off-the-rails"}}"#,
    ),
    (r#"{"done":{"by":"house","what":"begin"}}"#, r#""begun""#),
    (r#"{"noted":{"text":"rotate member 3: x"}}"#, r#"{"marks_voided":{"member":3,"reason":"x"}}"#),
    (
        r#"{"noted":{"text":"letters accept 17.M1 because x"}}"#,
        r#"{"letter_judged":{"name":"17.M1","accepted":true,"reason":"x"}}"#,
    ),
    (
        r#"{"noted":{"text":"letters reject 17.M1"}}"#,
        r#"{"letter_judged":{"name":"17.M1","accepted":false}}"#,
    ),
];

/// The moderator's log of a game with nothing but these in its minutes, and what is kept of them.
fn told(kept: impl Iterator<Item = &'static str>) -> (Vec<String>, Vec<Happening>) {
    let mut club = Club::new();
    let game = paris(&mut club, 7);
    let read = |kept: &str| serde_json::from_str(kept).expect(kept);
    let minutes: Vec<(u32, ActivityEntry)> =
        kept.map(|kept| (game, ActivityEntry { at: club.now, what: read(kept) })).collect();
    club.context().store.write(&Batch { minutes, ..Batch::default() }).expect("written");
    let context = club.context();
    let log = process::directed(&context, &["log 1".to_owned()], false).expect("it is done");
    let language = context.library.language("en");
    let lines = log[0].lines.iter().map(|line| language.say(line)).collect();
    let kept = context.store.minutes(game).expect("it reads");
    (lines, kept.into_iter().map(|minute| minute.what).collect())
}

#[test]
fn what_was_kept_as_sentences_is_told_like_what_is_kept_as_data() {
    let (before, sentences) = told(KEPT.iter().map(|(before, _)| *before));
    let (now, data) = told(KEPT.iter().map(|(_, now)| *now));
    assert_eq!(before.len(), KEPT.len() + 1);
    assert_eq!(before, now);
    let sentence =
        |what: &Happening| matches!(what, Happening::Done { .. } | Happening::Noted { .. });
    assert!(sentences.iter().all(sentence) && !data.iter().any(sentence));
}

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
