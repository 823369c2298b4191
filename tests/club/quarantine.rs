//! Letters in quarantine, and the moderator's decisions about them, by letter and on the command
//! line.

use crate::rig::moderator_letters::{
    MOD_ADDRESS, ask_as_mod, deliver_from_other_address, introduce_mod, send_mod_reply,
    start_paris_game,
};
use crate::rig::postrider_program::run_postrider;
use crate::rig::{Club, address, letters_to};
use postrider::club::{ActivityEntry, ActivityEvent};
use postrider::store::{Batch, LogLine, Repository, Store};
use std::fs;

#[test]
fn moderator_accepts_or_rejects_quarantined_letter() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let held = deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes");
    let ambiguous = club.deliver(
        "From: a@x.org\r\nFrom: b@x.org\r\nTo: games@example.org\r\n\r\nbuild red G23\r\n",
    );
    club.run_pass();
    let ask = |club: &mut Club, body: &str| ask_as_mod(club, body);
    assert!(ask(&mut club, "letters list").contains("2 e-mails are in quarantine"));
    assert!(ask(&mut club, "letters accept nosuch because x").contains("No e-mail in quarantine"));
    let other = format!("letters accept {held} for 1 seat 2 because x");
    assert!(ask(&mut club, &other).contains("secret reply address of game 1 seat 1"));
    let other = format!("letters accept {ambiguous} for 1 seat 4 because x");
    assert!(ask(&mut club, &other).contains("There is no seat 4 in game 1"));
    let both =
        format!("letters accept {held} because she is\nletters accept {held} because she is");
    assert!(ask(&mut club, &both).contains("Nothing has been done"));
    assert_eq!(club.inbox_files(".quarantine/cur").len(), 2);

    send_mod_reply(&mut club, &format!("letters accept {held} because it is hers"));
    send_mod_reply(&mut club, &format!("note 1 Twice\nletters accept {held} because it is hers"));
    let (_, letters) = club.run_pass();
    let ann = letters.iter().find(|letter| letter.to == address("Ann")).expect("her turn letter");
    assert!(ann.contains("We've carried out your orders"), "{}", ann.body_text());
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    let entries = club.open_context().store.activity_log(1).expect("works");
    let [ActivityEntry { event, .. }] = entries.as_slice() else { panic!("{entries:?}") };
    let reason = "it is hers".to_owned();
    assert_eq!(*event, ActivityEvent::LetterJudged { name: held, accepted: true, reason });
    // The other letter counts as Ann's. She has already moved, so it only gets an answer.
    send_mod_reply(&mut club, &format!("letters accept {ambiguous} for 1 seat 1 because hers too"));
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.contains("It isn't your turn")));
    assert!(club.inbox_files(".quarantine/cur").is_empty());

    let again = deliver_from_other_address(&mut club, "Bob", "build red G22");
    club.run_pass();
    assert!(ask(&mut club, &format!("letters reject {again}")).contains("is rejected"));
    assert!(club.inbox_files(".quarantine/cur").is_empty());
    assert!(ask(&mut club, "letters").contains("No e-mails are in quarantine"));
}

#[test]
fn command_line_does_what_moderator_letters_do() {
    let mut club = Club::with_settings("clock: {deadline: 2 days, reminders: []}\n");
    let game = start_paris_game(&mut club, 7);
    club.run_pass();
    let held = deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes");
    club.run_pass();
    let folder = club.folder().to_owned();
    let assert_output = |arguments: &[&str], code: i32, words: &[&str]| {
        let (exit, output) = run_postrider(&folder, "2026-01-05T22:00:00Z", arguments);
        assert_eq!(exit, Some(code), "{arguments:?}: {output}");
        words.iter().for_each(|word| assert!(output.contains(word), "{arguments:?}: {output}"));
    };
    let clock = || Store::open(&folder.join("store")).expect("opens").clock(game).expect("works");
    let before = clock();
    let pause = "pause 1 because I travel";
    let paused = "The clock of game 1 is paused: I travel";
    assert_output(&["moderate", "--dry-run", pause], 0, &["This is a preview", paused]);
    assert_output(&["clock", "1", "--pause", "--reason", "I travel", "--dry-run"], 0, &[paused]);
    assert_output(&["end", "1", "--reason", "x", "--dry-run"], 0, &["Game 1 is ended: x"]);
    assert_output(&["rewind", "1", "--to", "7", "--reason", "x", "--dry-run"], 64, &["no move 7"]);
    assert_output(&["rotate", "1", "--seat", "2", "--dry-run"], 0, &["would no longer"]);
    assert_output(&["member", "--dry-run", "rename", "1", "Anna"], 0, &["would be", "Anna"]);
    assert_output(&["member", "list"], 0, &["Ann <"]);
    assert_output(&["letters", "accept", &held, "--reason", "x", "--dry-run"], 0, &["is let in"]);
    assert_output(&["letters", "list"], 0, &[&held, "isn't an address of the member"]);
    assert_output(
        &["letters", "show", &held],
        0,
        &["isn't an address of the member", "| build red G23, Troyes"],
    );
    assert_eq!(clock(), before);

    assert_output(
        &["moderate", "pause", "1", "because", "I", "travel"],
        0,
        &[paused, "is waiting for Ann"],
    );
    assert!(clock().is_some_and(|clock| clock.paused.is_some()));
    assert_output(&["moderate", "help"], 0, &["extend 12 by 3 days"]);
    assert_output(&["moderate", pause], 64, &["is already stopped"]);
    assert_output(&["moderate", "pause 1"], 64, &["Please say why"]);
    assert_output(&["moderate", "pause 9 because x"], 66, &["There is no game 9"]);
    assert_output(&["letters", "show", "nosuch"], 66, &["nosuch"]);

    assert_output(&["letters", "accept", &held, "--reason", "hers"], 0, &["we do what it asks"]);
    assert!(club.inbox_files(".quarantine/cur").is_empty());
    // A file whose move was interrupted is not processed again. The next command completes the
    // move.
    let done = club.inbox_files(".done/cur");
    let file = done.iter().find(|file| file.to_string_lossy().contains(&held)).expect("it is done");
    let back = folder.join("inbox/.quarantine/cur").join(file.file_name().expect("a name"));
    fs::rename(file, back).expect("moved");
    assert_output(&["letters", "list"], 0, &["No e-mails are in quarantine"]);
    assert!(club.inbox_files(".quarantine/cur").is_empty());
}

#[test]
fn accepted_letter_keeps_its_messages_and_votes() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let body = "build red G23, Troyes\n\nsay Hello from work.\n\nvote abandon";
    let held = deliver_from_other_address(&mut club, "Ann", body);
    club.run_pass();
    send_mod_reply(&mut club, &format!("letters accept {held} because it is hers"));
    let (_, letters) = club.run_pass();
    for name in ["Ann", "Bob", "Cid"] {
        let told = letters.iter().find(|letter| letter.to == address(name)).expect("a letter");
        assert!(told.contains("builds red") || name == "Ann", "{}", told.body_text());
        assert!(told.contains("Hello from work."), "{}", told.body_text());
        assert!(told.contains("to end the game now"), "{}", told.body_text());
    }
    let store = club.open_context().store;
    assert!(store.game_info(1).expect("it reads").open_votes.len() == 1);
}

#[test]
fn letter_with_empty_second_sender_is_quarantined() {
    let mut club = Club::with_paris_game("");
    for second_sender in ["From:", "From: undisclosed:;"] {
        let letter = club.compose_reply("Ann", "build red G23").replacen("From:", "X-From:", 1);
        club.deliver(format!("From: ann@example.org\r\n{second_sender}\r\n{letter}"));
        let (report, letters) = club.run_pass();
        assert_eq!(
            (report.quarantined, report.carried_out),
            (1, 0),
            "{second_sender}: {letters:?}"
        );
    }
}

#[test]
fn accepted_letter_of_replaced_player_does_nothing() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let held =
        deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes\n\nsay it was me");
    club.run_pass();
    club.ensure_answered_member("zoe", "zoe@example.net");
    send_mod_reply(&mut club, "replace 1 seat 1 by zoe@example.net because she is ill");
    send_mod_reply(&mut club, &format!("letters accept {held} for 1 seat 1 because x"));
    let (_, letters) = club.run_pass();
    assert!(!letters_to(&letters, "zoe@example.net").is_empty(), "{letters:?}");
    assert_eq!(club.record_count(), 1, "{letters:?}");
    assert!(letters.iter().all(|letter| !letter.contains("it was me")), "{letters:?}");
}

#[test]
fn unreadable_quarantine_file_blocks_no_letters() {
    let mut club = Club::with_settings("digest: \"06:00\"\n");
    start_paris_game(&mut club, 7);
    club.run_pass();
    introduce_mod(&mut club);
    let gone = club.folder().join("inbox/.quarantine/cur/1767636000.gone:2,S");
    std::os::unix::fs::symlink("nowhere", gone).expect("it is made");
    // Reading a named pipe would never end.
    let pipe = club.folder().join("inbox/.quarantine/cur/1767636000.pipe");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().expect("it runs").success());
    club.now += chrono::TimeDelta::days(1);
    club.send_reply("Ann", "build red G23, Troyes");
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.to == address("Bob")));
    let digest = letters.iter().find(|letter| letter.to == MOD_ADDRESS).expect("a digest");
    assert!(digest.contains("1767636000.gone"), "{}", digest.body_text());
    assert!(ask_as_mod(&mut club, "letters show gone").contains("1767636000.gone"));
    assert!(ask_as_mod(&mut club, "letters show pipe").contains("1767636000.pipe"));
    assert!(
        ask_as_mod(&mut club, "letters accept gone because x").contains("Nothing has been done")
    );
}

#[test]
fn long_quarantine_output_is_cut_ambiguous_name_refused() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    club.send_reply("Ann", "games");
    club.run_pass();
    let list = club.last_letter_to("Ann").expect("a letter").clone();
    let of_member =
        club.compose_reply_to("Ann", &list, "new marks").replace("ann@example.org", "a@x.org");
    let of_member = club.deliver(of_member);
    let long = "a line\r\n".repeat(70);
    let of_nobody = club
        .deliver(format!("From: a@x.org\r\nFrom: b@x.org\r\nTo: games@example.org\r\n\r\n{long}"));
    club.run_pass();
    let shown = ask_as_mod(&mut club, &format!("letters show {of_member}"));
    assert!(shown.contains("It has a member's secret reply address that isn't for a game."));
    let shown = ask_as_mod(&mut club, &format!("letters show {of_nobody}"));
    assert!(shown.contains("It has no valid secret reply address."), "{}", shown.body_text());
    assert!(shown.contains("| a line ... and 10 more lines."), "{}", shown.body_text());
    let several = ask_as_mod(&mut club, "letters accept .rig because x");
    let why = "2 e-mails in quarantine have \".rig\" in their names. Write more of the name.";
    assert!(several.contains(why), "{}", several.body_text());
    for n in 0..200 {
        let name = format!("inbox/.quarantine/cur/nameless{n}:2,S");
        fs::write(club.folder().join(name), "From: a@x.org\r\n\r\nhello\r\n").expect("put there");
    }
    let gone = club.folder().join("inbox/.quarantine/cur/aaa:2,S");
    std::os::unix::fs::symlink("nowhere", gone).expect("it is made");
    let list = ask_as_mod(&mut club, "letters");
    assert!(list.contains("at an unknown time"), "{}", list.body_text());
    assert!(list.contains("And 3 more."), "{}", list.body_text());
}

#[test]
fn accepted_letter_may_plan_or_return_to_quarantine() {
    let mut club = Club::with_paris_game("");
    introduce_mod(&mut club);
    let planned = deliver_from_other_address(&mut club, "Bob", "next: build black F24");
    let held = deliver_from_other_address(&mut club, "Ann", "build red G23, Troyes");
    club.run_pass();
    let answer = ask_as_mod(&mut club, &format!("letters accept {planned} because it is his"));
    assert!(
        answer.contains("is let in, and its orders are saved as plans."),
        "{}",
        club.last_text_to("Bob")
    );
    let line = LogLine { game: 1, seq: 2, line: "{}".to_owned() };
    let damage = Batch { log_lines: vec![line], ..Batch::default() };
    club.open_context().store.write_without_conflict_check(&damage).expect("written");
    let answer = ask_as_mod(&mut club, &format!("letters accept {held} because it is hers"));
    assert!(answer.contains("it goes back to quarantine: "), "{}", answer.body_text());
    let answer = ask_as_mod(&mut club, "log 1");
    assert!(
        answer.contains("Game 1 can't go on: line 2 of the log isn't a move: "),
        "{}",
        answer.body_text()
    );
}

#[test]
fn quarantine_note_explains_failed_dmarc_check() {
    let mut club =
        Club::with_paris_game("admission: token+sender+dmarc\nauthserv_id: mx.example.org\n");
    let found = [
        ("dmarc=(pass", "we can't read what our mail server found out about it"),
        ("spf=pass", "our mail server found no DMARC policy to check it with"),
        ("dmarc=fail header.from=example.org", "it doesn't pass DMARC, so anyone may have"),
        ("dmarc=pass header.from=example.net", "it passes DMARC for a domain that isn't its"),
    ];
    for (result, _) in found {
        let letter = club.compose_reply("Ann", "build red G23");
        club.deliver(format!("Authentication-Results: mx.example.org; {result}\r\n{letter}"));
    }
    let (report, letters) = club.run_pass();
    assert_eq!(report.quarantined, found.len());
    for (result, why) in found {
        let why = format!("it uses the secret reply address of game 1, seat 1, but {why}");
        assert!(letters[0].contains(&why), "{result}\n{}", letters[0].body_text());
    }
}
