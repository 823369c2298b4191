//! Restoring a lost store from its journal, as members and the moderator experience it.

use crate::rig::moderator_letters::{introduce_mod, send_mod_reply, start_paris_game};
use crate::rig::{Club, NAMES, PostedLetter, address};
use chrono::TimeDelta;
use postrider::club::SeatAssignment;
use postrider::games::find_kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, PassReport};
use postrider::store::journal;
use std::collections::BTreeMap;
use std::fs;

/// Processes all letters of the inbox but sends nothing, like a pass that is killed before it
/// sends.
fn take_in_without_posting(club: &mut Club) {
    process::process_all_letters(&club.open_context(), &mut PassReport::default())
        .expect("it works");
    club.now += TimeDelta::hours(1);
}

/// Returns the message id and payload of every queued letter.
fn queued_letters(club: &Club) -> Vec<(String, serde_json::Value)> {
    let queued = club
        .open_context()
        .store
        .load_sendable(club.now + TimeDelta::days(99), 9_999)
        .expect("it reads");
    queued.into_iter().map(|queued| (queued.letter.message_id, queued.letter.payload)).collect()
}

/// Counts the game letters for each seat, by the start of their message ids (such as `g1.s2`).
fn count_letters_per_seat(letters: &[PostedLetter]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for letter in letters.iter().filter(|letter| letter.message_id.starts_with('g')) {
        let seat = letter.message_id.split('.').take(2).collect::<Vec<_>>().join(".");
        *counts.entry(seat).or_default() += 1;
    }
    counts
}

#[test]
fn unposted_letters_are_posted_once_after_restore() {
    for transport_is_closed in [true, false] {
        let mut club = Club::with_settings("clock: {deadline: 9 days, reminders: []}\n");
        for seed in 1..=8 {
            start_paris_game(&mut club, seed);
        }
        club.run_pass();
        introduce_mod(&mut club);
        for letter in club.transport.posted.clone() {
            let name = NAMES.into_iter().find(|name| address(name) == letter.to);
            if let Some(name) = name.filter(|_| letter.message_id.starts_with('g')) {
                let body = format!("status\nsay: hello from {name} {}", letter.message_id);
                club.deliver(club.compose_reply_to(name, &letter, &body));
            }
        }
        club.send_reply("Ann", "games");
        send_mod_reply(&mut club, "list");
        if transport_is_closed {
            club.transport.error = Some(PostError::Unavailable("closed".to_owned()));
            assert_eq!(club.run_pass().1.len(), 0);
            club.transport.error = None;
        } else {
            take_in_without_posting(&mut club);
        }
        let queued = queued_letters(&club);
        assert_eq!(queued.len(), 8 * 3 + 2);
        // The letters must be those that a copy of the club sends whose store was not lost.
        let all = |letters: Vec<PostedLetter>| -> Vec<(String, Vec<u8>)> {
            letters.into_iter().map(|letter| (letter.message_id, letter.bytes)).collect()
        };
        let expected = all(Club::copy_from(club.folder(), club.now).run_pass().1);
        assert_eq!(club.restore_from_journal().letters, queued.len());
        assert_eq!(queued_letters(&club), queued);
        let posted = all(club.run_pass().1);
        assert_eq!(posted, expected, "closed: {transport_is_closed}");
        assert!(posted.iter().map(|(id, _)| id).eq(queued.iter().map(|(id, _)| id)));
        // A second restore repeats no letter that has been sent.
        assert_eq!(club.restore_from_journal().letters, 0);
        assert!(club.run_pass().1.is_empty());
    }
}

#[test]
fn restored_digest_parts_still_merge_into_one_letter() {
    let mut club = Club::new();
    (1..=2).for_each(|seed| {
        start_paris_game(&mut club, seed);
    });
    club.run_pass();
    process::change_member_setting(&club.open_context(), &address("Bob"), "letters digest")
        .expect("it can");
    for letter in club.transport.posted.clone().iter().filter(|letter| letter.to == address("Ann"))
    {
        club.deliver(club.compose_reply_to("Ann", letter, "say: hello"));
    }
    take_in_without_posting(&mut club);
    club.restore_from_journal();
    let (_, letters) = club.run_pass();
    let bobs: Vec<_> = letters.iter().filter(|letter| letter.to == address("Bob")).collect();
    assert!(bobs.len() == 1 && bobs[0].contains("[Paris 2]"), "{bobs:?}");
}

#[test]
fn letters_beyond_journal_limit_are_repeated_once_each() {
    let mut club = Club::new();
    let tricks = find_kind("trick-of-the-rails").expect("it ships");
    let games: Vec<u32> = (0..50).map(|seed| club.start_game(tricks, 5, seed)).collect();
    let last = *games.last().expect("many");
    club.deliver("From: Zoe <zoe@example.net>\r\nTo: games@example.org\r\n\r\nhello\r\n");
    take_in_without_posting(&mut club);
    club.restore_from_journal();
    let (_, letters) = club.run_pass();
    let counts = count_letters_per_seat(&letters);
    assert_eq!((counts.len(), counts.values().max()), (250, Some(&1)));
    // Letters that were not in the journal are written again, with the whole history of their game.
    let again = letters.iter().filter(|letter| letter.contains("We had to restore")).count();
    assert!((50..=60).contains(&again), "{again}");
    let letter = letters.iter().rfind(|letter| letter.message_id.starts_with(&format!("g{last}.")));
    assert!(letter.expect("one").contains("THE GAME SO FAR"));
    // A letter that cannot be written again is reported to the moderator.
    let told = letters.iter().find(|letter| letter.to == "mod@example.org").expect("a note");
    assert!(told.contains("zoe@example.net"), "{}", told.body_text());
    assert!(club.run_pass().1.is_empty());
}

#[test]
fn restore_without_outbox_journal_repeats_newest_letters() {
    let mut club = Club::new();
    (1..=2).for_each(|seed| {
        start_paris_game(&mut club, seed);
    });
    club.run_pass();
    fs::remove_file(club.folder().join("journal/present.jsonl")).expect("lost");
    club.restore_from_journal();
    let (_, letters) = club.run_pass();
    let counts = count_letters_per_seat(&letters);
    assert_eq!((counts.len(), counts.values().max()), (6, Some(&1)));
    assert!(letters.iter().all(|letter| letter.contains("We had to restore")), "{letters:?}");
    assert!(club.run_pass().1.is_empty());
}

#[test]
fn digest_beyond_journal_limit_is_repeated_per_game() {
    let mut club = Club::new();
    let tricks = find_kind("trick-of-the-rails").expect("it ships");
    for seed in 0..50 {
        club.start_game(tricks, 5, seed);
    }
    process::change_member_setting(&club.open_context(), &address("Eve"), "letters digest")
        .expect("it can");
    // The merge turns Eve's queued letters into a few bundles, which are at the end of the outbox.
    club.transport.error = Some(PostError::Unavailable("closed".to_owned()));
    club.run_pass();
    club.transport.error = None;
    assert!(queued_letters(&club).last().expect("many").0.starts_with("b."));
    club.restore_from_journal();
    let (_, letters) = club.run_pass();
    let eve: Vec<&PostedLetter> =
        letters.iter().filter(|letter| letter.to == address("Eve")).collect();
    for game in 1..=50 {
        let place = format!("Game {game}, move 1, proof");
        assert_eq!(eve.iter().filter(|letter| letter.contains(&place)).count(), 1, "{place}");
    }
    assert!(letters.iter().all(|letter| letter.to != "mod@example.org"), "nothing is lost");
}

#[test]
fn letter_redelivered_after_restore_is_not_repeated() {
    let mut club = Club::with_settings("strangers: join\n");
    let game = start_paris_game(&mut club, 7);
    start_paris_game(&mut club, 2);
    club.run_pass();
    introduce_mod(&mut club);
    let first = |name: &str, game| {
        let id = format!("g{game}.");
        let mut letters = club.transport.posted.iter();
        letters
            .find(|letter| letter.to == address(name) && letter.message_id.starts_with(&id))
            .expect("a letter")
            .clone()
    };
    let mut letters = Vec::new();
    for (name, game, body) in [
        ("Ann", 1, "say: good luck\ntell bob: not to you"),
        ("Bob", 1, "vote abandon"),
        ("Ann", 2, "build red G23\nsay: here I come"),
        ("Cid", 1, "new paris-connection seats 3"),
        ("Bob", 2, "watch 2"),
        ("Cid", 2, "note a secret"),
        ("Ann", 1, "address ann.new@example.net"),
    ] {
        let letter = club.compose_reply_to(name, &first(name, game), body);
        letters.push(letter.replace("Message-ID: <", &format!("Message-ID: <{}", letters.len())));
    }
    let mods = club.last_letter_to("Mod").expect("a letter").clone();
    letters.push(club.compose_reply_to("Mod", &mods, &format!("announce {game} It is cold.")));
    letters.push("From: Zoe <zoe@example.net>\r\nTo: games@example.org\r\n\r\njoin 3\r\n".into());
    letters.iter().for_each(|letter| {
        club.deliver(letter);
    });
    club.run_pass();
    let state = |club: &Club| {
        let store = club.open_context().store;
        let activity: Vec<_> =
            (1..=3).map(|game| store.activity_log(game).expect("reads")).collect();
        let logs: Vec<_> = (1..=3).map(|game| store.game_log_lines(game).expect("reads")).collect();
        // The pass after a restore reminds the awaited players.
        let without_reminder = |seated| SeatAssignment { reminded_at: None, ..seated };
        let notes: Vec<_> = (1..=2)
            .flat_map(|game| store.seat_assignments(game).expect("reads"))
            .map(without_reminder)
            .collect();
        format!(
            "{activity:#?}{logs:#?}{notes:#?}{:#?}{:#?}",
            store.members().expect("reads"),
            store.game_infos().expect("reads"),
        )
    };
    let before = state(&club);
    for _ in 0..2 {
        club.restore_from_journal();
        letters.iter().for_each(|letter| {
            club.deliver(letter);
        });
        let (report, answers) = club.run_pass();
        assert_eq!(report.carried_out, 0);
        assert!(answers.iter().all(|letter| letter.to != "ann.new@example.net"));
        assert_eq!(state(&club), before);
    }
}

#[test]
fn letter_missing_from_backup_is_carried_out_again() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    let letter = club.compose_reply("Ann", "build red G23");
    club.deliver(&letter);
    club.run_pass();
    // The backup copied the log of the game before this pass, and the other files after it.
    let log = club.folder().join("journal/games/000001.jsonl");
    let text = fs::read_to_string(&log).expect("it reads");
    let lines: Vec<&str> = text.lines().collect();
    let [head, founded, _] = lines[..] else { panic!("{text}") };
    fs::write(&log, format!("{head}\n{founded}\n")).expect("it is as it was copied");
    club.restore_from_journal();
    club.deliver(&letter);
    assert_eq!(club.run_pass().0.carried_out, 1);
    assert_eq!(fs::read_to_string(&log).expect("it reads").lines().count(), 3);
}

#[test]
fn restore_adds_nothing_to_journal() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    club.send_reply("Ann", "build red G23\nsay: good luck");
    club.run_pass();
    let path = club.folder().join("journal");
    let all = || {
        let found = journal::read_journal(&path).expect("it reads");
        let logs = found
            .games
            .keys()
            .map(|game| journal::read_journaled_log(&path, *game).expect("a log"));
        let logs: Vec<_> = logs.collect();
        (found, logs)
    };
    let before = all();
    let length = || fs::metadata(path.join("club.jsonl")).expect("it is there").len();
    for _ in 0..3 {
        let long = length();
        club.restore_from_journal();
        assert_eq!(all(), before);
        assert!(length() <= long, "it does not grow");
    }
}

#[test]
fn message_ids_stay_unique_after_old_restore() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    club.send_reply("Cid", "watch 1");
    club.run_pass();
    let home = copy_backup_files(&club);
    club.send_reply("Ann", "build red G23");
    club.run_pass();
    club.send_reply("Bob", "build black F24");
    club.run_pass();
    let posted: Vec<String> =
        club.transport.posted.iter().map(|letter| letter.message_id.clone()).collect();
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    fs::remove_dir_all(club.folder().join("journal")).expect("lost");
    process::restore(&club.open_context(), &home.path().join("journal")).expect("it comes back");
    // Cid's letter answers a record that the restore has lost, so nothing in it may apply to the
    // records that replace it.
    let unseen = club.compose_reply("Cid", "build black F24");
    club.deliver(unseen);
    let reminder = club.run_pass().1;
    let answer = reminder.iter().find(|letter| letter.to == address("Ann")).expect("a reminder");
    let again = club.compose_reply_to("Ann", answer, "build red G23 Troyes");
    club.deliver(again);
    assert_eq!(club.run_pass().0.carried_out, 1);
    club.send_reply("Bob", "build black F24");
    assert_eq!(club.run_pass().0.carried_out, 1);
    let fresh = &club.transport.posted[posted.len()..];
    assert!(fresh.len() > 6);
    for letter in fresh {
        assert!(!posted.contains(&letter.message_id), "{}", letter.message_id);
    }
}

#[test]
fn restore_extends_deadlines_like_an_outage() {
    let mut club = Club::with_settings("digest: 06:00\nclock: {deadline: 3 days, reminders: []}\n");
    let game = start_paris_game(&mut club, 7);
    (0..20).for_each(|_| {
        club.run_pass();
    });
    let deadline = |club: &Club| {
        let clock = club.open_context().store.clock(game).expect("it reads").expect("a clock");
        clock.waits[0].deadline
    };
    let (before, morning) =
        (deadline(&club), club.open_context().store.last_morning_digest().expect("it reads"));
    // One of the three days was left when the store was lost. It must still be left after the
    // restore.
    let lost = club.now - TimeDelta::hours(1);
    club.now += TimeDelta::days(3);
    club.restore_from_journal();
    assert_eq!(club.open_context().store.last_morning_digest().expect("it reads"), morning);
    club.run_pass();
    let gone = club.now - TimeDelta::hours(1) - lost;
    assert_eq!(deadline(&club), before + gone);
}

/// Copies the files that `docs/moderators.md` tells the moderator to back up into an empty folder.
fn copy_backup_files(club: &Club) -> tempfile::TempDir {
    let home = postrider::testing::create_folder();
    let (from, to) = (club.folder(), home.path());
    fs::create_dir_all(to.join("journal/games")).expect("a folder");
    for file in ["club.yaml", "secret", "journal/club.jsonl", "journal/present.jsonl"] {
        fs::copy(from.join(file), to.join(file)).expect("it is copied");
    }
    for game in fs::read_dir(from.join("journal/games")).expect("a folder") {
        let game = game.expect("a file");
        fs::copy(game.path(), to.join("journal/games").join(game.file_name())).expect("copied");
    }
    home
}

#[test]
fn club_is_restored_on_new_machine_from_backup() {
    let mut club = Club::with_settings("");
    start_paris_game(&mut club, 7);
    club.run_pass();
    club.send_reply("Ann", "build red G23\nsay: good luck");
    take_in_without_posting(&mut club);
    let home = copy_backup_files(&club);
    let run = |arguments: &[&str], code: i32| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(home.path()).args(arguments);
        let output = command.output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("text");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        said
    };
    // The mode of a copied file may differ from that of the original.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(home.path().join("secret"), mode).expect("it is changed");
    assert!(run(&["restore"], 0).contains("3 letters are queued"));
    assert!(run(&["restore"], 73).contains("has games in it"));
    run(&["doctor"], 0);
    run(&["tick"], 0);
    run(&["verify", "1"], 0);
    assert_eq!(fs::read_dir(home.path().join("outbox/new")).expect("a folder").count(), 3);
    let letter = club.compose_reply("Ann", "status");
    fs::write(home.path().join("inbox/new/1.a"), letter).expect("delivered");
    run(&["tick"], 0);
    assert_eq!(fs::read_dir(home.path().join("outbox/new")).expect("a folder").count(), 4);
}

#[test]
fn empty_store_removes_no_letter_from_journal() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    let queued = queued_letters(&club);
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    // A pass runs before anybody notices the loss.
    let _ = process::run_pass(&club.open_context(), &mut club.transport);
    assert_eq!(club.restore_from_journal().letters, 3);
    assert_eq!(queued_letters(&club), queued);
}

#[test]
fn restore_never_overwrites_another_journal() {
    let mut club = Club::new();
    start_paris_game(&mut club, 7);
    club.run_pass();
    let home = copy_backup_files(&club);
    club.send_reply("Ann", "build red G23\nsay: good luck");
    club.run_pass();
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    let restore = || {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(club.folder()).arg("restore");
        command.arg("--journal").arg(home.path().join("journal"));
        command.output().expect("it runs").status.code()
    };
    let own = club.folder().join("journal");
    let before = fs::read(own.join("club.jsonl")).expect("it is there");
    assert_eq!(restore(), Some(73));
    assert_eq!(fs::read(own.join("club.jsonl")).expect("it is there"), before);
    fs::rename(&own, club.folder().join("aside")).expect("moved");
    assert_eq!(restore(), Some(0));
    assert_eq!(club.open_context().store.game_log_lines(1).expect("it reads").len(), 2);
}

#[test]
fn unreadable_game_is_restored_with_clock_and_reported() {
    let mut club = Club::with_settings("clock: {deadline: 3 days}\n");
    let game = club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    let before = club.open_context().store.clock(game).expect("it reads");
    let journal = club.folder().join("journal");
    let log = journal.join(format!("games/{game:06}.jsonl"));
    let text = std::fs::read_to_string(&log).expect("a journal");
    std::fs::write(&log, text.replacen("paris-connection", "london-connection", 1))
        .expect("damaged");
    club.restore_from_journal();
    assert_eq!(club.open_context().store.clock(game).expect("it reads"), before);
    let (_, letters) = club.run_pass();
    assert!(letters.iter().any(|letter| letter.to == "mod@example.org"), "{letters:?}");
}
