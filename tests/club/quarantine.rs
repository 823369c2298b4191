//! Letters in quarantine, and the moderator's hand on the command line.

use crate::rig::command::run;
use crate::rig::moderator::{MOD, from_elsewhere, mod_asks, mod_is_known, mod_writes, paris};
use crate::rig::{Club, address, all_to};
use postrider::club::{ActivityEntry, Happening};
use postrider::store::{Batch, LogLine, Repository, Store};
use std::fs;

#[test]
fn a_letter_in_quarantine_is_let_in_for_its_seat_or_put_away() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let held = from_elsewhere(&mut club, "Ann", "build red G23, Troyes");
    let lost = club.arrives(
        "From: a@x.org\r\nFrom: b@x.org\r\nTo: games@example.org\r\n\r\nbuild red G23\r\n",
    );
    club.pass();
    let asks = |club: &mut Club, body: &str| mod_asks(club, body);
    assert!(asks(&mut club, "letters list").says("2 letters are in quarantine"));
    assert!(asks(&mut club, "letters accept nosuch because x").says("No letter in quarantine"));
    let other = format!("letters accept {held} for 1 seat 2 because x");
    assert!(asks(&mut club, &other).says("mark of game 1 seat 1"));
    let other = format!("letters accept {lost} for 1 seat 4 because x");
    assert!(asks(&mut club, &other).says("has no seat 4"));
    let both =
        format!("letters accept {held} because she is\nletters accept {held} because she is");
    assert!(asks(&mut club, &both).says("Nothing has been done"));
    assert_eq!(club.mail_folder(".quarantine/cur").len(), 2);

    mod_writes(&mut club, &format!("letters accept {held} because it is hers"));
    mod_writes(&mut club, &format!("note 1 Twice\nletters accept {held} because it is hers"));
    let (_, letters) = club.pass();
    let ann = letters.iter().find(|letter| letter.to == address("Ann")).expect("her turn letter");
    assert!(ann.says("Your orders have been carried out"), "{}", ann.text());
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    let minutes = club.context().store.minutes(1).expect("works");
    let [ActivityEntry { what, .. }] = minutes.as_slice() else { panic!("{minutes:?}") };
    let reason = "it is hers".to_owned();
    assert_eq!(*what, Happening::LetterJudged { name: held, accepted: true, reason });
    // The other one is taken for Bob's, whose turn it is not: he is told, and nothing is done.
    mod_writes(&mut club, &format!("letters accept {lost} for 1 seat 1 because hers too"));
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.says("It is not your turn")));
    assert!(club.mail_folder(".quarantine/cur").is_empty());

    let again = from_elsewhere(&mut club, "Bob", "build red G22");
    club.pass();
    assert!(asks(&mut club, &format!("letters reject {again}")).says("is put away"));
    assert!(club.mail_folder(".quarantine/cur").is_empty());
    assert!(asks(&mut club, "letters").says("No letter is in quarantine"));
}

#[test]
fn the_command_line_says_and_does_the_same() {
    let mut club = Club::with("clock: {deadline: 2 days, reminders: []}\n");
    let game = paris(&mut club, 7);
    club.pass();
    let held = from_elsewhere(&mut club, "Ann", "build red G23, Troyes");
    club.pass();
    let folder = club.folder().to_owned();
    let says = |arguments: &[&str], code: i32, words: &[&str]| {
        let (exit, said) = run(&folder, "2026-01-05T22:00:00Z", arguments);
        assert_eq!(exit, Some(code), "{arguments:?}: {said}");
        words.iter().for_each(|word| assert!(said.contains(word), "{arguments:?}: {said}"));
    };
    let clock = || Store::open(&folder.join("store")).expect("opens").clock(game).expect("works");
    let before = clock();
    let pause = "pause 1 because I travel";
    let paused = "The clock of game 1 stands still: I travel";
    says(&["moderate", "--dry-run", pause], 0, &["This is a preview", paused]);
    says(&["clock", "1", "--pause", "--reason", "I travel", "--dry-run"], 0, &[paused]);
    says(&["end", "1", "--reason", "x", "--dry-run"], 0, &["Game 1 is ended: x"]);
    says(&["rewind", "1", "--to", "7", "--reason", "x", "--dry-run"], 64, &["no record 7"]);
    says(&["rotate", "1", "--seat", "2", "--dry-run"], 0, &["could no longer"]);
    says(&["member", "--dry-run", "rename", "1", "Anna"], 0, &["would be", "Anna"]);
    says(&["member", "list"], 0, &["Ann <"]);
    says(&["letters", "accept", &held, "--reason", "x", "--dry-run"], 0, &["is let in"]);
    says(&["letters", "list"], 0, &[&held, "not an address of the member"]);
    says(
        &["letters", "show", &held],
        0,
        &["not an address of the member", "| build red G23, Troyes"],
    );
    assert_eq!(clock(), before);

    says(&["moderate", "pause", "1", "because", "I", "travel"], 0, &[paused, "waits for Ann"]);
    assert!(clock().is_some_and(|clock| clock.paused.is_some()));
    says(&["moderate", "help"], 0, &["extend 12 by 3 days"]);
    says(&["moderate", pause], 64, &["stands still already"]);
    says(&["moderate", "pause 1"], 64, &["Say why"]);
    says(&["moderate", "pause 9 because x"], 66, &["There is no game 9"]);
    says(&["letters", "show", "nosuch"], 66, &["nosuch"]);

    says(&["letters", "accept", &held, "--reason", "hers"], 0, &["what it orders is done"]);
    assert!(club.mail_folder(".quarantine/cur").is_empty());
    // A file whose move was cut short is not met again, and is moved by the next look.
    let done = club.mail_folder(".done/cur");
    let file = done.iter().find(|file| file.to_string_lossy().contains(&held)).expect("it is done");
    let back = folder.join("inbox/.quarantine/cur").join(file.file_name().expect("a name"));
    fs::rename(file, back).expect("moved");
    says(&["letters", "list"], 0, &["No letter is in quarantine"]);
    assert!(club.mail_folder(".quarantine/cur").is_empty());
}

#[test]
fn what_a_letter_says_and_votes_is_not_lost_in_quarantine() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let body = "build red G23, Troyes\n\nsay Hello from work.\n\nvote abandon";
    let held = from_elsewhere(&mut club, "Ann", body);
    club.pass();
    mod_writes(&mut club, &format!("letters accept {held} because it is hers"));
    let (_, letters) = club.pass();
    for name in ["Ann", "Bob", "Cid"] {
        let told = letters.iter().find(|letter| letter.to == address(name)).expect("a letter");
        assert!(told.says("builds red") || name == "Ann", "{}", told.text());
        assert!(told.says("Hello from work."), "{}", told.text());
        assert!(told.says("to end the game as it stands"), "{}", told.text());
    }
    let store = club.context().store;
    assert!(store.room(1).expect("it reads").open_votes.len() == 1);
}

#[test]
fn a_letter_with_a_second_sender_that_names_nobody_is_nobodys() {
    let mut club = Club::paris("");
    for other in ["From:", "From: undisclosed:;"] {
        let letter = club.reply("Ann", "build red G23").replacen("From:", "X-From:", 1);
        club.arrives(format!("From: ann@example.org\r\n{other}\r\n{letter}"));
        let (report, letters) = club.pass();
        assert_eq!((report.quarantined, report.carried_out), (1, 0), "{other}: {letters:?}");
    }
}

#[test]
fn a_letter_that_is_let_in_is_for_who_sits_there_now() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    let held = from_elsewhere(&mut club, "Ann", "build red G23, Troyes\n\nsay it was me");
    club.pass();
    club.has_heard_from("zoe", "zoe@example.net");
    mod_writes(&mut club, "replace 1 seat 1 by zoe@example.net because she is ill");
    mod_writes(&mut club, &format!("letters accept {held} for 1 seat 1 because x"));
    let (_, letters) = club.pass();
    assert!(!all_to(&letters, "zoe@example.net").is_empty(), "{letters:?}");
    assert_eq!(club.head(), 1, "{letters:?}");
    assert!(letters.iter().all(|letter| !letter.says("it was me")), "{letters:?}");
}

#[test]
fn a_file_that_cannot_be_read_keeps_nobody_from_his_letters() {
    let mut club = Club::with("digest: \"06:00\"\n");
    paris(&mut club, 7);
    club.pass();
    mod_is_known(&mut club);
    let gone = club.folder().join("inbox/.quarantine/cur/1767636000.gone:2,S");
    std::os::unix::fs::symlink("nowhere", gone).expect("it is made");
    // Reading this would not end.
    let pipe = club.folder().join("inbox/.quarantine/cur/1767636000.pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("it runs").success());
    club.now += chrono::TimeDelta::days(1);
    club.writes("Ann", "build red G23, Troyes");
    let (_, letters) = club.pass();
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    let digest = letters.iter().find(|letter| letter.to == MOD).expect("a digest");
    assert!(digest.says("1767636000.gone"), "{}", digest.text());
    assert!(mod_asks(&mut club, "letters show gone").says("1767636000.gone"));
    assert!(mod_asks(&mut club, "letters show pipe").says("1767636000.pipe"));
    assert!(mod_asks(&mut club, "letters accept gone because x").says("Nothing has been done"));
}

#[test]
fn what_lies_there_is_shown_however_much_it_is_and_of_several_none_is_meant() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    club.writes("Ann", "games");
    club.pass();
    let list = club.last_to("Ann").expect("a letter").clone();
    let of_member = club.reply_to("Ann", &list, "new marks").replace("ann@example.org", "a@x.org");
    let of_member = club.arrives(of_member);
    let long = "a line\r\n".repeat(70);
    let of_nobody = club
        .arrives(format!("From: a@x.org\r\nFrom: b@x.org\r\nTo: games@example.org\r\n\r\n{long}"));
    club.pass();
    let shown = mod_asks(&mut club, &format!("letters show {of_member}"));
    assert!(shown.says("It has the mark of a letter to a member, about no game."));
    let shown = mod_asks(&mut club, &format!("letters show {of_nobody}"));
    assert!(shown.says("It has no mark that is valid."), "{}", shown.text());
    assert!(shown.says("| a line ... and 10 more lines."), "{}", shown.text());
    let several = mod_asks(&mut club, "letters accept .rig because x");
    let why = "2 letters in quarantine have \".rig\" in their names. Write more of it.";
    assert!(several.says(why), "{}", several.text());
    for n in 0..200 {
        let name = format!("inbox/.quarantine/cur/nameless{n}:2,S");
        fs::write(club.folder().join(name), "From: a@x.org\r\n\r\nhello\r\n").expect("put there");
    }
    let gone = club.folder().join("inbox/.quarantine/cur/aaa:2,S");
    std::os::unix::fs::symlink("nowhere", gone).expect("it is made");
    let list = mod_asks(&mut club, "letters");
    assert!(list.says("a time that its name does not tell"), "{}", list.text());
    assert!(list.says("And 3 more."), "{}", list.text());
}

#[test]
fn what_is_let_in_may_be_a_plan_or_for_a_game_that_cannot_be_played_on() {
    let mut club = Club::paris("");
    mod_is_known(&mut club);
    let planned = from_elsewhere(&mut club, "Bob", "next: build black F24");
    let held = from_elsewhere(&mut club, "Ann", "build red G23, Troyes");
    club.pass();
    let said = mod_asks(&mut club, &format!("letters accept {planned} because it is his"));
    assert!(said.says("is let in, and kept as plans for later."), "{}", club.last_text("Bob"));
    let line = LogLine { game: 1, seq: 2, line: "{}".to_owned() };
    let damage = Batch { log_lines: vec![line], ..Batch::default() };
    club.context().store.write(&damage).expect("written");
    let said = mod_asks(&mut club, &format!("letters accept {held} because it is hers"));
    assert!(said.says("Even let in it goes to quarantine: "), "{}", said.text());
    let said = mod_asks(&mut club, "log 1");
    assert!(
        said.says("Game 1 cannot be played on: line 2 of the log is no record: "),
        "{}",
        said.text()
    );
}

#[test]
fn whose_sender_is_not_proven_is_told_with_what_our_server_found() {
    let mut club = Club::paris("admission: token+sender+dmarc\nauthserv_id: mx.example.org\n");
    let found = [
        ("dmarc=(pass", "what our mail server found out about it cannot be read"),
        ("spf=pass", "our mail server found no DMARC policy to check it by"),
        ("dmarc=fail header.from=example.org", "it does not pass DMARC, so anybody may have"),
        ("dmarc=pass header.from=example.net", "it passes DMARC for another domain than its"),
    ];
    for (result, _) in found {
        let letter = club.reply("Ann", "build red G23");
        club.arrives(format!("Authentication-Results: mx.example.org; {result}\r\n{letter}"));
    }
    let (report, letters) = club.pass();
    assert_eq!(report.quarantined, found.len());
    for (result, why) in found {
        let why = format!("it has the reply token of game 1 seat 1, but {why}");
        assert!(letters[0].says(&why), "{result}\n{}", letters[0].text());
    }
}
