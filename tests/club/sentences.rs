//! Sentences that few letters show, walked through: the moderator's lines and what minutes say of
//! them, the months, and what cannot be read as a letter.

use crate::rig::Club;
use crate::rig::moderator::{mod_asks, mod_is_known};
use chrono::TimeDelta;

#[test]
fn the_moderator_reads_how_each_line_is_written_and_why_one_is_not_understood() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    let help = mod_asks(&mut club, "help");
    for line in [
        "pause 12 because ...",
        "replace 12 seat 2 by ann@example.org because ...",
        "set 12 deadline 3 days because ... (or grace, bank, nmr)",
        "announce 12 TEXT (or: announce all TEXT)",
        "letters accept NAME because ... (or: accept NAME for 12 seat 2)",
        "letters reject NAME because ...",
    ] {
        assert!(help.says(line), "{line}\n{}", help.text());
    }
    for (line, why) in [
        ("frob 1", "This is nothing that a moderator can ask for."),
        ("extend 1 by because x", "is no length of time"),
        ("set 1 colour red because x", "no rule of the clock called \"colour\""),
        ("set 1 deadline soon because x", "\"soon\" is no deadline"),
        ("set 1 nmr weep because x", "nothing that can be done about absent players"),
        ("pause 1", "one line: pause 12 because ..."),
        ("letters frob", "letters list, show NAME, accept NAME because ..., reject NAME"),
        ("letters accept x for nobody because y", "accept NAME for 12 seat 2 because ..."),
        ("pause 77 because x", "There is no game 77."),
        ("extend 1 by 2 days because x", "This game has no clock"),
        ("invite Una <una@under..example>", "una@under..example is no address that letters can go"),
    ] {
        let answer = mod_asks(&mut club, line);
        assert!(answer.says(why), "{line}\n{}", answer.text());
    }
}

#[test]
fn minutes_say_what_was_done_in_the_words_of_its_line() {
    let mut club = Club::paris("clock: {deadline: 3 days}\n");
    mod_is_known(&mut club);
    for (line, _) in DONE {
        mod_asks(&mut club, &format!("{line} because it rains"));
    }
    mod_asks(&mut club, "announce 1 It rains.");
    let log = mod_asks(&mut club, "log 1");
    for (line, minute) in DONE {
        assert!(log.says(minute), "{line}: {minute}\n{}", log.text());
    }
    assert!(log.says("announce (It rains.)"), "{}", log.text());
}

/// What is asked for, and what minutes say of it.
const DONE: [(&str, &str); 8] = [
    ("pause 1", "pause"),
    ("resume 1", "resume"),
    ("extend 1 by 36 hours", "extend by 36 hours"),
    ("set 1 deadline Mon,Thu 20:00 Europe/Madrid", "set deadline Mon, Thu 20:00 Europe/Madrid"),
    ("set 1 bank none", "Europe/Madrid, nmr wait (it rains)"),
    ("set 1 grace 90 minutes", "nmr wait, grace 90 minutes (it rains)"),
    ("rotate 1 seat 2", "rotate seat 2"),
    ("end 1", "end"),
];

#[test]
fn each_month_has_its_name_in_a_letter() {
    let mut club = Club::paris("");
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    for month in months.split(' ') {
        club.writes("Ann", "zone Europe/Madrid");
        let (_, letters) = club.pass();
        let said = letters.iter().any(|letter| letter.says(&format!(" {month} 20")));
        assert!(said, "{month}\n{letters:?}");
        club.now += TimeDelta::hours(24 * 365 / 12);
    }
}

#[test]
fn what_cannot_be_read_as_a_letter_is_told_with_its_reason() {
    let mut club = Club::paris("");
    let head = "From: a@example.net\r\nTo: games@example.org\r\n";
    let nested = (0..12).fold(String::new(), |all, n| {
        let inner = format!("Content-Type: multipart/mixed; boundary=b{n}\r\n\r\n--b{n}\r\n");
        all + &inner
    });
    let parts = "--b\r\n\r\nx\r\n".repeat(101);
    let of_parts = "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n";
    for (letter, why) in [
        (format!("{}{head}\r\nx", "Received: by x\r\n".repeat(31)), "more than 30 servers"),
        (format!("X-Long: {}\r\n{head}\r\nx", "x ".repeat(70_000)), "headers are larger than 128"),
        (format!("{head}{of_parts}{parts}--b--\r\n"), "more than 100 parts"),
        (format!("{head}MIME-Version: 1.0\r\n{nested}\r\nx"), "nested more than 10 deep"),
    ] {
        club.arrives(letter);
        club.pass();
        let note = club.last_to("Mod").expect("a note");
        assert!(note.says(why), "{why}\n{}", note.text());
    }
}
