//! Sentences that few letters show, walked through: the moderator's lines and what minutes say of
//! them, the months, and what cannot be read as a letter.

use crate::rig::moderator::{mod_asks, mod_is_known};
use crate::rig::{Club, loses};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::kind;
use postrider::process;

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
        (
            "replace 1 seat 2 by games@example.org because x",
            "is the club's own address: letters to",
        ),
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
const DONE: [(&str, &str); 9] = [
    ("pause 1", "pause"),
    ("resume 1", "resume"),
    ("extend 1 by 36 hours", "extend by 36 hours"),
    ("set 1 deadline Mon,Thu 20:00 Europe/Madrid", "set deadline Mon, Thu 20:00 Europe/Madrid"),
    ("set 1 bank none", "Europe/Madrid, nmr wait (it rains)"),
    ("set 1 grace 90 minutes", "nmr wait, grace 90 minutes (it rains)"),
    ("rotate 1 seat 2", "rotate seat 2"),
    ("force 1 seat 1", "record 2, Ann was absent"),
    ("end 1", "end"),
];

#[test]
fn how_a_game_stands_is_said_whatever_has_become_of_it() {
    let mut club = Club::paris("clock: {deadline: 3 days, no_play_days: [sat, sun]}\n");
    mod_is_known(&mut club);
    let none = mod_asks(&mut club, "set 1 deadline Sat,Sun 20:00 Europe/Madrid because x");
    assert!(none.says("With this deadline no day is left to play on."), "{}", none.text());
    loses(&mut club, "Ann");
    let list = mod_asks(&mut club, "list");
    assert!(list.says("waits for Ann, and no time runs, as letters come back."), "{}", list.text());
    let removed = mod_asks(&mut club, "remove 1 seat 2 because he asked me to");
    let told = "Bob is out of game 1, and the seat is open: he asked me to";
    assert!(removed.says(told), "{}", removed.text());
    let again = mod_asks(&mut club, "remove 1 seat 2 because he asked me to");
    assert!(again.says("This seat of game 1 is open already."), "{}", again.text());
    // Who plays alone and has lost comes first nowhere.
    club.found(kind("off-the-rails").expect("it ships"), 1, 1);
    let over = mod_asks(&mut club, "end 2 because it is late");
    assert!(over.says("The game is over."), "{}", over.text());
}

#[test]
fn the_log_names_nobody_who_spoke_without_his_name_and_knows_who_sat_there() {
    let terms = "press: {anonymous: true, moderator_reads: true}\n";
    let mut club = Club::tricks(terms);
    mod_is_known(&mut club);
    club.writes("Ann", "tell anonymously bob: not you");
    club.writes("Ann", "tell bob: it was me");
    club.writes("Ann", "say good luck");
    club.pass();
    club.has_heard_from("zoe", "zoe@example.net");
    mod_asks(&mut club, "replace 1 seat 1 by zoe@example.net because she is ill");
    let log = mod_asks(&mut club, "log 1");
    for said in [
        "somebody said to Bob: not you",
        "whoever sat there before zoe said to Bob: it was me",
        "whoever sat there before zoe said: good luck",
    ] {
        assert!(log.says(said), "{said}\n{}", log.text());
    }
}

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

#[test]
fn a_letter_with_too_much_in_it_is_told_what_is_too_much() {
    let mut club = Club::paris("");
    for (body, why) in [
        ("buy 3\n".repeat(201), "it has more than 200 lines. Please send the orders only."),
        (
            "x".repeat(501),
            "line 1 is longer than 500 characters. Please put each order on a line of",
        ),
    ] {
        club.writes("Ann", &body);
        let told = club.pass().1.remove(0);
        assert!(told.says(why), "{}", told.text());
    }
}

#[test]
fn who_plays_nothing_is_told_so_when_his_letter_is_for_no_game() {
    let mut club = Club::paris("");
    assert!(process::moderate(&club.context(), 1, &Intervention::End, "enough").is_ok());
    club.pass();
    club.arrives("From: ann@example.org\r\nTo: games@example.org\r\n\r\nWhat now?\r\n");
    let told = club.pass().1.remove(0);
    let none = "Your letter is for no game, and you are playing none at present.";
    assert!(told.says(none), "{}", told.text());
}
