//! A club whose store is lost and made anew from its journal: what its people notice.

use crate::rig::moderator::{mod_is_known, mod_writes, paris};
use crate::rig::{Club, NAMES, Posted, address};
use chrono::TimeDelta;
use postrider::games::kind;
use postrider::mail::transport::PostError;
use postrider::process::{self, PassReport};
use postrider::store::journal;
use std::collections::BTreeMap;
use std::fs;

/// A pass that is killed before it posts anything.
fn cut_short(club: &mut Club) {
    process::take_in_all(&club.context(), &mut PassReport::default()).expect("it works");
    club.now += TimeDelta::hours(1);
}

/// The letters that wait: what tells each from others, and all that it says.
fn outbox(club: &Club) -> Vec<(String, serde_json::Value)> {
    let queued =
        club.context().store.outbox(club.now + TimeDelta::days(99), 9_999).expect("it reads");
    queued.into_iter().map(|queued| (queued.letter.message_id, queued.letter.owed)).collect()
}

/// How many letters went to each seat.
fn to_seats(letters: &[Posted]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for letter in letters.iter().filter(|letter| letter.message_id.starts_with('g')) {
        let seat = letter.message_id.split('.').take(2).collect::<Vec<_>>().join(".");
        *counts.entry(seat).or_default() += 1;
    }
    counts
}

#[test]
fn what_could_not_be_posted_is_posted_after_a_restore_once() {
    for way_out_is_closed in [true, false] {
        let mut club = Club::with("clock: {deadline: 9 days, reminders: []}\n");
        for seed in 1..=8 {
            paris(&mut club, seed);
        }
        club.pass();
        mod_is_known(&mut club);
        for letter in club.pigeon.posted.clone() {
            let name = NAMES.into_iter().find(|name| address(name) == letter.to);
            if let Some(name) = name.filter(|_| letter.message_id.starts_with('g')) {
                let body = format!("status\nsay: hello from {name} {}", letter.message_id);
                club.arrives(club.reply_to(name, &letter, &body));
            }
        }
        club.writes("Ann", "games");
        mod_writes(&mut club, "list");
        if way_out_is_closed {
            club.pigeon.fails = Some(PostError::Down("closed".to_owned()));
            assert_eq!(club.pass().1.len(), 0);
            club.pigeon.fails = None;
        } else {
            cut_short(&mut club);
        }
        let waits = outbox(&club);
        assert_eq!(waits.len(), 8 * 3 + 2);
        // As if nothing had been lost.
        let all = |letters: Vec<Posted>| -> Vec<(String, Vec<u8>)> {
            letters.into_iter().map(|letter| (letter.message_id, letter.bytes)).collect()
        };
        let expected = all(Club::copy_of(club.folder(), club.now).pass().1);
        assert_eq!(club.restored().letters, waits.len());
        assert_eq!(outbox(&club), waits);
        let posted = all(club.pass().1);
        assert_eq!(posted, expected, "closed: {way_out_is_closed}");
        assert!(posted.iter().map(|(id, _)| id).eq(waits.iter().map(|(id, _)| id)));
        // What was posted is not posted once more, however often the store is lost.
        assert_eq!(club.restored().letters, 0);
        assert!(club.pass().1.is_empty());
    }
}

#[test]
fn a_letter_to_who_reads_all_games_in_one_waits_again_as_a_part() {
    let mut club = Club::new();
    (1..=2).for_each(|seed| {
        paris(&mut club, seed);
    });
    club.pass();
    process::set_member(&club.context(), &address("Bob"), "letters digest").expect("it can");
    for letter in club.pigeon.posted.clone().iter().filter(|letter| letter.to == address("Ann")) {
        club.arrives(club.reply_to("Ann", letter, "say: hello"));
    }
    cut_short(&mut club);
    club.restored();
    let (_, letters) = club.pass();
    let bobs: Vec<_> = letters.iter().filter(|letter| letter.to == address("Bob")).collect();
    assert!(bobs.len() == 1 && bobs[0].says("[Paris 2]"), "{bobs:?}");
}

#[test]
fn of_more_letters_than_the_journal_holds_each_player_gets_his_newest_once() {
    let mut club = Club::new();
    let tricks = kind("trick-of-the-rails").expect("it ships");
    let games: Vec<u32> = (0..50).map(|seed| club.found(tricks, 5, seed)).collect();
    let last = *games.last().expect("many");
    club.arrives("From: Zoe <zoe@example.net>\r\nTo: games@example.org\r\n\r\nhello\r\n");
    cut_short(&mut club);
    club.restored();
    let (_, letters) = club.pass();
    let counts = to_seats(&letters);
    assert_eq!((counts.len(), counts.values().max()), (250, Some(&1)));
    // Those that the journal did not hold are written again, with all that they may have told.
    let again = letters.iter().filter(|letter| letter.says("had to be restored")).count();
    assert!((50..=60).contains(&again), "{again}");
    let letter = letters.iter().rfind(|letter| letter.message_id.starts_with(&format!("g{last}.")));
    assert!(letter.expect("one").says("THE GAME SO FAR"));
    // What cannot be written again is not lost in silence.
    let told = letters.iter().find(|letter| letter.to == "mod@example.org").expect("a note");
    assert!(told.says("zoe@example.net"), "{}", told.text());
    assert!(club.pass().1.is_empty());
}

#[test]
fn journal_without_outbox_repeats_each_newest_letter() {
    let mut club = Club::new();
    (1..=2).for_each(|seed| {
        paris(&mut club, seed);
    });
    club.pass();
    fs::remove_file(club.folder().join("journal/present.jsonl")).expect("lost");
    club.restored();
    let (_, letters) = club.pass();
    let counts = to_seats(&letters);
    assert_eq!((counts.len(), counts.values().max()), (6, Some(&1)));
    assert!(letters.iter().all(|letter| letter.says("had to be restored")), "{letters:?}");
    assert!(club.pass().1.is_empty());
}

#[test]
fn of_a_letter_about_many_games_that_the_journal_does_not_hold_each_game_is_told_again() {
    let mut club = Club::new();
    let tricks = kind("trick-of-the-rails").expect("it ships");
    for seed in 0..50 {
        club.found(tricks, 5, seed);
    }
    process::set_member(&club.context(), &address("Eve"), "letters digest").expect("it can");
    // What waits for Eve becomes a few letters, which stand last.
    club.pigeon.fails = Some(PostError::Down("closed".to_owned()));
    club.pass();
    club.pigeon.fails = None;
    assert!(outbox(&club).last().expect("many").0.starts_with("b."));
    club.restored();
    let (_, letters) = club.pass();
    let eve: Vec<&Posted> = letters.iter().filter(|letter| letter.to == address("Eve")).collect();
    for game in 1..=50 {
        let place = format!("Game {game}, record 1, chain");
        assert_eq!(eve.iter().filter(|letter| letter.says(&place)).count(), 1, "{place}");
    }
    assert!(letters.iter().all(|letter| letter.to != "mod@example.org"), "nothing is lost");
}

#[test]
fn a_letter_that_comes_again_after_a_restore_is_not_done_again() {
    let mut club = Club::with("strangers: join\n");
    let game = paris(&mut club, 7);
    paris(&mut club, 2);
    club.pass();
    mod_is_known(&mut club);
    let first = |name: &str, game| {
        let id = format!("g{game}.");
        let mut letters = club.pigeon.posted.iter();
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
        let letter = club.reply_to(name, &first(name, game), body);
        letters.push(letter.replace("Message-ID: <", &format!("Message-ID: <{}", letters.len())));
    }
    let mods = club.last_to("Mod").expect("a letter").clone();
    letters.push(club.reply_to("Mod", &mods, &format!("announce {game} It is cold.")));
    letters.push("From: Zoe <zoe@example.net>\r\nTo: games@example.org\r\n\r\njoin 3\r\n".into());
    letters.iter().for_each(|letter| {
        club.arrives(letter);
    });
    club.pass();
    let state = |club: &Club| {
        let store = club.context().store;
        let minutes: Vec<_> = (1..=3).map(|game| store.minutes(game).expect("reads")).collect();
        let logs: Vec<_> = (1..=3).map(|game| store.log(game).expect("reads")).collect();
        let notes: Vec<_> = (1..=2).map(|game| store.seats(game).expect("reads")).collect();
        format!(
            "{minutes:#?}{logs:#?}{notes:#?}{:#?}{:#?}",
            store.members().expect("reads"),
            store.rooms().expect("reads"),
        )
    };
    let before = state(&club);
    for _ in 0..2 {
        club.restored();
        letters.iter().for_each(|letter| {
            club.arrives(letter);
        });
        let (report, answers) = club.pass();
        assert_eq!(report.carried_out, 0);
        assert!(answers.iter().all(|letter| letter.to != "ann.new@example.net"));
        assert_eq!(state(&club), before);
    }
}

#[test]
fn a_letter_whose_record_is_not_in_the_copy_is_carried_out() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    let letter = club.reply("Ann", "build red G23");
    club.arrives(&letter);
    club.pass();
    // A game was copied, and what is around it only after the next pass.
    let log = club.folder().join("journal/games/000001.jsonl");
    let text = fs::read_to_string(&log).expect("it reads");
    let lines: Vec<&str> = text.lines().collect();
    let [head, founded, _] = lines[..] else { panic!("{text}") };
    fs::write(&log, format!("{head}\n{founded}\n")).expect("it is as it was copied");
    club.restored();
    club.arrives(&letter);
    assert_eq!(club.pass().0.carried_out, 1);
    assert_eq!(fs::read_to_string(&log).expect("it reads").lines().count(), 3);
}

#[test]
fn a_journal_that_was_restored_from_says_everything_once() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    club.writes("Ann", "build red G23\nsay: good luck");
    club.pass();
    let path = club.folder().join("journal");
    let all = || {
        let found = journal::read(&path).expect("it reads");
        let logs = found.games.keys().map(|game| journal::log(&path, *game).expect("a log"));
        let logs: Vec<_> = logs.collect();
        (found, logs)
    };
    let before = all();
    let length = || fs::metadata(path.join("club.jsonl")).expect("it is there").len();
    for _ in 0..3 {
        let long = length();
        club.restored();
        assert_eq!(all(), before);
        assert!(length() <= long, "it does not grow");
    }
}

#[test]
fn after_a_restore_from_an_old_copy_no_letter_looks_like_one_that_was_posted() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    club.writes("Cid", "watch 1");
    club.pass();
    let home = on_a_new_machine(&club);
    club.writes("Ann", "build red G23");
    club.pass();
    club.writes("Bob", "build black F24");
    club.pass();
    let posted: Vec<String> =
        club.pigeon.posted.iter().map(|letter| letter.message_id.clone()).collect();
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    fs::remove_dir_all(club.folder().join("journal")).expect("lost");
    process::restore(&club.context(), &home.path().join("journal")).expect("it comes back");
    // An answer to a letter about what never was says nothing of what is now.
    let unseen = club.reply("Cid", "build black F24");
    club.arrives(unseen);
    let reminder = club.pass().1;
    let answer = reminder.iter().find(|letter| letter.to == address("Ann")).expect("a reminder");
    let again = club.reply_to("Ann", answer, "build red G23 Troyes");
    club.arrives(again);
    assert_eq!(club.pass().0.carried_out, 1);
    club.writes("Bob", "build black F24");
    assert_eq!(club.pass().0.carried_out, 1);
    let fresh = &club.pigeon.posted[posted.len()..];
    assert!(fresh.len() > 6);
    for letter in fresh {
        assert!(!posted.contains(&letter.message_id), "{}", letter.message_id);
    }
}

#[test]
fn a_restore_is_an_outage_like_any_other() {
    let mut club = Club::with("digest: 06:00\nclock: {deadline: 3 days, reminders: []}\n");
    let game = paris(&mut club, 7);
    (0..20).for_each(|_| {
        club.pass();
    });
    let deadline = |club: &Club| {
        let clock = club.context().store.clock(game).expect("it reads").expect("a clock");
        clock.waits[0].deadline
    };
    let (before, morning) = (deadline(&club), club.context().store.morning().expect("it reads"));
    // Three days in, of which one was left: it is left still.
    let lost = club.now - TimeDelta::hours(1);
    club.now += TimeDelta::days(3);
    club.restored();
    assert_eq!(club.context().store.morning().expect("it reads"), morning);
    club.pass();
    let gone = club.now - TimeDelta::hours(1) - lost;
    assert_eq!(deadline(&club), before + gone);
}

/// What `docs/moderators.md` says to back up, in an empty folder.
fn on_a_new_machine(club: &Club) -> tempfile::TempDir {
    let home = crate::common::folder();
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
fn a_club_comes_back_on_a_new_machine_from_what_is_to_be_backed_up() {
    let mut club = Club::with("");
    paris(&mut club, 7);
    club.pass();
    club.writes("Ann", "build red G23\nsay: good luck");
    cut_short(&mut club);
    let home = on_a_new_machine(&club);
    let run = |arguments: &[&str], code: i32| {
        let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_postrider"));
        command.arg("-C").arg(home.path()).args(arguments);
        let output = command.output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("text");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        said
    };
    // A copy's mode need not be that of what was copied.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
    fs::set_permissions(home.path().join("secret"), mode).expect("it is changed");
    assert!(run(&["restore"], 0).contains("3 letters wait"));
    assert!(run(&["restore"], 73).contains("has games in it"));
    run(&["doctor"], 0);
    run(&["tick"], 0);
    run(&["verify", "1"], 0);
    assert_eq!(fs::read_dir(home.path().join("outbox/new")).expect("a folder").count(), 3);
    let letter = club.reply("Ann", "status");
    fs::write(home.path().join("inbox/new/1.a"), letter).expect("delivered");
    run(&["tick"], 0);
    assert_eq!(fs::read_dir(home.path().join("outbox/new")).expect("a folder").count(), 4);
}

#[test]
fn a_store_that_is_suddenly_empty_takes_no_letter_out_of_the_journal() {
    let mut club = Club::new();
    paris(&mut club, 7);
    let waits = outbox(&club);
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    // A pass comes before anybody notices.
    let _ = process::pass(&club.context(), &mut club.pigeon);
    assert_eq!(club.restored().letters, 3);
    assert_eq!(outbox(&club), waits);
}

#[test]
fn a_journal_is_not_overwritten_by_another_one() {
    let mut club = Club::new();
    paris(&mut club, 7);
    club.pass();
    let home = on_a_new_machine(&club);
    club.writes("Ann", "build red G23\nsay: good luck");
    club.pass();
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
    assert_eq!(club.context().store.log(1).expect("it reads").len(), 2);
}
