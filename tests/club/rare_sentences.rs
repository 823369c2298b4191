//! Rare sentences: answers to the moderator's lines and their entries in the activity log, the
//! names of the months, and the reasons why a letter could not be read.

use crate::rig::moderator_letters::{ask_as_mod, introduce_mod};
use crate::rig::{Club, make_undeliverable};
use chrono::TimeDelta;
use postrider::club::Intervention;
use postrider::games::find_kind;
use postrider::process;

#[test]
fn moderator_help_and_errors_explain_each_line() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let help = ask_as_mod(&mut club, "help");
    for line in [
        "pause 12 because ...",
        "replace 12 seat 2 by ann@example.org because ...",
        "set 12 deadline 3 days because ... (or grace, bank, increment, nmr)",
        "announce 12 TEXT (or: announce all TEXT)",
        "letters accept NAME because ... (or: accept NAME for 12 seat 2)",
        "letters reject NAME because ...",
    ] {
        assert!(help.contains(line), "{line}\n{}", help.body_text());
    }
    for (line, why) in [
        ("frob 1", "A moderator can't ask for this."),
        ("extend 1 by because x", "isn't a length of time"),
        ("set 1 colour red because x", "The clock has no rule \"colour\""),
        ("set 1 deadline soon because x", "\"soon\" isn't a deadline"),
        ("set 1 nmr weep because x", "doesn't say what happens after a missed deadline"),
        ("pause 1", "one line: pause 12 because ..."),
        ("letters frob", "letters list, from WHO, show NAME, accept NAME because ..., reject NAME"),
        ("letters accept x for nobody because y", "accept NAME for 12 seat 2 because ..."),
        ("pause 77 because x", "There is no game 77."),
        ("extend 1 by 2 days because x", "This game has no clock"),
        (
            "replace 1 seat 2 by games@example.org because x",
            "is the club's own address. E-mails to a player there",
        ),
        ("invite Una <una@under..example>", "una@under..example isn't an address we can"),
    ] {
        let answer = ask_as_mod(&mut club, line);
        assert!(answer.contains(why), "{line}\n{}", answer.body_text());
    }
}

#[test]
fn activity_log_repeats_moderator_lines() {
    let mut club = Club::with_paris_game("clock: {deadline: 3 days}\n");
    introduce_mod(&mut club);
    for (line, _) in MODERATOR_LINES {
        ask_as_mod(&mut club, &format!("{line} because it rains"));
    }
    ask_as_mod(&mut club, "announce 1 It rains.");
    let log = ask_as_mod(&mut club, "log 1");
    for (line, entry) in MODERATOR_LINES {
        assert!(log.contains(entry), "{line}: {entry}\n{}", log.body_text());
    }
    assert!(log.contains("announce (It rains.)"), "{}", log.body_text());
}

/// Lines of the moderator, each with the text of its entry in the activity log.
const MODERATOR_LINES: [(&str, &str); 10] = [
    ("pause 1", "pause"),
    ("resume 1", "resume"),
    ("extend 1 by 36 hours", "extend by 36 hours"),
    ("set 1 deadline Mon,Thu 20:00 Europe/Madrid", "set deadline Mon, Thu 20:00 Europe/Madrid"),
    ("set 1 bank none", "Europe/Madrid, nmr wait (it rains)"),
    ("set 1 grace 90 minutes", "nmr wait, grace 90 minutes (it rains)"),
    ("set 1 increment 3 hours", "grace 90 minutes, increment 3 hours (it rains)"),
    ("rotate 1 seat 2", "rotate seat 2"),
    ("force 1 seat 1", "move 2, Ann missed the deadline"),
    ("end 1", "end"),
];

#[test]
fn moderator_answers_describe_every_game_state() {
    let mut club = Club::with_paris_game("clock: {deadline: 3 days, no_play_days: [sat, sun]}\n");
    introduce_mod(&mut club);
    let none = ask_as_mod(&mut club, "set 1 deadline Sat,Sun 20:00 Europe/Madrid because x");
    assert!(none.contains("This deadline leaves no day to play on."), "{}", none.body_text());
    make_undeliverable(&mut club, "Ann");
    let list = ask_as_mod(&mut club, "list");
    assert!(
        list.contains("is waiting for Ann with the clock stopped, because our e-mails bounce."),
        "{}",
        list.body_text()
    );
    let removed = ask_as_mod(&mut club, "remove 1 seat 2 because he asked me to");
    let told = "Bob is out of game 1, and the seat is open: he asked me to";
    assert!(removed.contains(told), "{}", removed.body_text());
    let again = ask_as_mod(&mut club, "remove 1 seat 2 because he asked me to");
    assert!(again.contains("This seat in game 1 is already open."), "{}", again.body_text());
    // A single player who has lost is not announced as the winner.
    club.start_game(find_kind("off-the-rails").expect("it ships"), 1, 1);
    let over = ask_as_mod(&mut club, "end 2 because it is late");
    assert!(over.contains("The game is over."), "{}", over.body_text());
}

#[test]
fn log_hides_anonymous_speakers_and_keeps_previous_owners() {
    let terms = "press: {anonymous: true, moderator_reads: true}\n";
    let mut club = Club::with_tricks_game(terms);
    introduce_mod(&mut club);
    club.send_reply("Ann", "tell anonymously bob: not you");
    club.send_reply("Ann", "tell bob: it was me");
    club.send_reply("Ann", "say good luck");
    club.run_pass();
    club.ensure_answered_member("zoe", "zoe@example.net");
    ask_as_mod(&mut club, "replace 1 seat 1 by zoe@example.net because she is ill");
    let log = ask_as_mod(&mut club, "log 1");
    for said in [
        "someone said to Bob: not you",
        "the player before zoe in that seat said to Bob: it was me",
        "the player before zoe in that seat said: good luck",
    ] {
        assert!(log.contains(said), "{said}\n{}", log.body_text());
    }
}

#[test]
fn letters_name_each_month() {
    let mut club = Club::with_paris_game("");
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
    for month in months.split(' ') {
        club.send_reply("Ann", "zone Europe/Madrid");
        let (_, letters) = club.run_pass();
        let said = letters.iter().any(|letter| letter.contains(&format!(" {month} 20")));
        assert!(said, "{month}\n{letters:?}");
        club.now += TimeDelta::hours(24 * 365 / 12);
    }
}

#[test]
fn note_about_unreadable_letter_gives_reason() {
    let mut club = Club::with_paris_game("");
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
        club.deliver(letter);
        club.run_pass();
        let note = club.last_letter_to("Mod").expect("a note");
        assert!(note.contains(why), "{why}\n{}", note.body_text());
    }
}

#[test]
fn answer_to_oversized_letter_names_limit() {
    let mut club = Club::with_paris_game("");
    for (body, why) in [
        ("buy 3\n".repeat(201), "it has more than 200 lines. Please send just your orders."),
        (
            "x".repeat(501),
            "line 1 has more than 500 characters. Please put each order on its own line",
        ),
    ] {
        club.send_reply("Ann", &body);
        let told = club.run_pass().1.remove(0);
        assert!(told.contains(why), "{}", told.body_text());
    }
}

#[test]
fn encrypted_letter_of_member_is_answered() {
    let mut club = Club::with_paris_game("");
    let why = "We couldn't read your e-mail: it's encrypted, or signed in a way that hides its";
    let kinds = [
        ("text/plain", "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----"),
        ("application/pkcs7-mime; smime-type=enveloped-data", "MIIB"),
    ];
    for (kind, body) in kinds {
        let kind = format!("\r\nContent-Type: {kind}\r\nSubject:");
        club.deliver(club.compose_reply("Ann", body).replacen("\r\nSubject:", &kind, 1));
        let told = club.run_pass().1.remove(0);
        assert!(told.contains(why), "{}", told.body_text());
        // The member's letter may also be about no game.
        let plain = "From: ann@example.org\r\nTo: games@example.org\r\nSubject: x\r\n\r\n";
        club.deliver(plain.replacen("\r\nSubject:", &kind, 1) + body);
        let told = club.run_pass().1.remove(0);
        assert!(told.contains(why), "{}", told.body_text());
    }
}

#[test]
fn letter_of_member_without_games_is_answered() {
    let mut club = Club::with_paris_game("");
    assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "enough").is_ok());
    club.run_pass();
    club.deliver("From: ann@example.org\r\nTo: games@example.org\r\n\r\nWhat now?\r\n");
    let told = club.run_pass().1.remove(0);
    let none = "Your e-mail isn't for any game, and you aren't playing one right now.";
    assert!(told.contains(none), "{}", told.body_text());
}
