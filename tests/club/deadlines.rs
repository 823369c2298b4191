//! Tests idle passes, missed turns that open a seat, calendar entries, and deadlines in `list`.

use crate::rig::{Club, PostedLetter, postrider_program};
use chrono::{DateTime, TimeDelta, Utc};
use postrider::games::find_kind;
use postrider::mail::Maildir;
use postrider::process;
use postrider::rules::Seat;
use std::path::{Path, PathBuf};

/// Runs the program at a given time. Returns its exit code and its output.
fn run_postrider_at(folder: &Path, now: DateTime<Utc>, words: &[&str]) -> (Option<i32>, String) {
    postrider_program::run_postrider(folder, &now.to_rfc3339(), words)
}

/// Creates a club that posts into the folder `outbox`, with a game that Ann begins.
fn club_with_outbox(clock: &str) -> Club {
    let mut club = Club::with_settings(&format!("clock: {{{clock}}}\n"));
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    Maildir::new(club.folder().join("outbox")).create_folders().expect("an outbound folder");
    club
}

/// A guard that keeps the store from being opened until it is dropped.
struct LockedStore(PathBuf, String);

impl LockedStore {
    fn lock(club: &Club) -> Self {
        let path = club.folder().join("store/format");
        let text = std::fs::read_to_string(&path).expect("a store");
        std::fs::write(&path, "shut").expect("written");
        Self(path, text)
    }
}

impl Drop for LockedStore {
    fn drop(&mut self) {
        std::fs::write(&self.0, &self.1).expect("written");
    }
}

#[test]
fn idle_pass_does_not_open_store() {
    let club = club_with_outbox("deadline: 4 days, nmr: forfeit");
    let at = |hours| club.now + TimeDelta::hours(hours);
    let tick = |hours| run_postrider_at(club.folder(), at(hours), &["tick"]).0;
    assert_eq!(tick(1), Some(0));
    {
        let _shut = LockedStore::lock(&club);
        // Each idle pass notes that it ran, so none of them is taken for the end of an outage.
        assert_eq!((2..24).map(tick).collect::<Vec<_>>(), [Some(0); 22]);
        assert_eq!(tick(25), Some(65), "a day has passed");
        assert_eq!(tick(0), Some(65), "the machine's clock was put back");
        let letter = club.folder().join("inbox/new/1.a");
        std::fs::write(&letter, "From: x@example.net\r\n\r\nhello").expect("delivered");
        assert_eq!(tick(3), Some(65), "a letter came");
        std::fs::remove_file(letter).expect("removed");
        assert_eq!(tick(3), Some(65), "a reported problem is checked until it is fixed");
    }
    // A change of the store invalidates the idle note, so the next pass opens the store.
    let (code, _) = run_postrider_at(
        club.folder(),
        at(3),
        &["clock", "1", "--extend", "1 day", "--reason", "x"],
    );
    assert_eq!(code, Some(0));
    let text = run_postrider_at(club.folder(), at(4), &["tick", "--verbose"]).1;
    // The letters go to the three players, and to the moderator because the clock was put back.
    assert!(text.contains("4 posted") && text.contains("fixed: "), "{text}");
    let lock = LockedStore::lock(&club);
    assert_eq!(tick(5), Some(0));
    drop(lock);
    // The reminder comes after half of the five days, and no outage is found.
    let reports: Vec<String> = (6..62)
        .map(|hours| run_postrider_at(club.folder(), at(hours), &["tick", "--verbose"]).1)
        .filter(|text| !text.contains("0 posted"))
        .collect();
    assert_eq!(reports.len(), 1, "{reports:?}");
    assert!(reports[0].contains("1 reminders; 1 posted"), "{reports:?}");
}

#[test]
fn outage_after_idle_passes_is_detected() {
    let club = club_with_outbox("deadline: 2 days, nmr: forfeit, reminders: []");
    let tick = |hours| {
        run_postrider_at(club.folder(), club.now + TimeDelta::hours(hours), &["tick", "-v"]).1
    };
    for hours in 0..20 {
        tick(hours);
    }
    // The original deadline was 48 hours after the start. No pass ran after hour 19.
    let text = tick(60);
    assert!(text.contains("1 reminders; 2 posted"), "{text}");
    let clock = process::load_stored_game(&club.open_context(), 1)
        .expect("it opens")
        .clock
        .expect("a clock");
    assert_eq!(clock.waits[0].deadline, club.now + TimeDelta::hours(48 + 60 - 19));
    assert!(!club.folder().join("pulse").exists());
}

#[test]
fn seat_opens_after_missed_turns_until_player_returns() {
    let mut club =
        club_with_outbox("deadline: 1 day, nmr: forfeit, reminders: [half], open_after: 2");
    let mut letters: Vec<(i64, PostedLetter)> = Vec::new();
    let mut wait = |club: &mut Club, days: i64| {
        for _ in 0..days * 24 {
            let hour = (club.now - start_time()).num_hours();
            letters.extend(club.run_pass().1.into_iter().map(|letter| (hour, letter)));
        }
        std::mem::take(&mut letters)
    };
    // Ann, Bob and Cid take turns, so Ann's second missed turn is on the fourth day.
    let warning = "If you miss this turn, that's 2 in a row, and a substitute can take your seat.";
    let first = wait(&mut club, 4);
    let reminder = first.iter().find(|(hour, letter)| *hour > 72 && letter.contains("reminder"));
    assert!(reminder.is_some_and(|(_, letter)| letter.contains(warning)));
    assert!(first.iter().all(|(hour, letter)| *hour > 71 || !letter.contains(warning)));
    assert!(
        first.iter().all(
            |(_, letter)| !letter.contains("a substitute can take") || letter.contains(warning)
        )
    );
    let opened = wait(&mut club, 1);
    let of = |letters: &[(i64, PostedLetter)], what: &str| -> Vec<String> {
        let matching = letters.iter().filter(|(_, letter)| letter.contains(what));
        matching.map(|(_, letter)| letter.to.clone()).collect()
    };
    assert_eq!(of(&opened, "Ann's seat is open to a substitute.").len(), 3, "Bob's reminder");
    assert_eq!(of(&opened, "in a row, so a substitute can take your seat."), ["ann@example.org"]);
    assert_eq!(of(&opened, "that a substitute can take seat 1"), ["mod@example.org"]);
    wait(&mut club, 2);
    let clock = |club: &Club| {
        process::load_stored_game(&club.open_context(), 1)
            .expect("it opens")
            .clock
            .expect("a clock")
    };
    let restored =
        postrider::store::journal::read_journal(&club.folder().join("journal")).expect("read");
    assert_eq!(
        restored.clocks[&1].seats_open_to_substitute(),
        clock(&club).seats_open_to_substitute()
    );
    assert_eq!(clock(&club).seats_open_to_substitute().len(), 3);
    // It is Ann's turn again, and she sends an order.
    let session = process::load_stored_game(&club.open_context(), 1).expect("it opens");
    club.send_reply("Ann", &session.table.game().line_for_absent_player(Seat::new(1)));
    assert_eq!(club.run_pass().0.carried_out, 1);
    assert_eq!(clock(&club).seats_open_to_substitute(), [Seat::new(2), Seat::new(3)]);
    assert!(
        club.last_letter_to("Ann").expect("a letter").contains("The seats of Bob and Cid are open")
    );
}

#[test]
fn first_miss_opens_seat_and_is_announced() {
    let mut club = club_with_outbox("deadline: 1 day, reminders: [], open_after: 1");
    club.run_pass();
    club.now = start_time() + TimeDelta::hours(5);
    let mut letters = Vec::new();
    while club.now < start_time() + TimeDelta::hours(40) {
        letters.extend(club.run_pass().1);
    }
    let to: Vec<&str> = letters.iter().map(|letter| letter.to.as_str()).collect();
    let expected = ["ann@example.org", "bob@example.org", "cid@example.org", "mod@example.org"];
    assert_eq!(to, expected);
    assert!(
        letters[1].contains("Ann's seat is open to a substitute."),
        "{}",
        letters[1].body_text()
    );
}

#[test]
fn calendar_entry_follows_deadline_if_wanted() {
    let mut club = club_with_outbox("deadline: 4 days, nmr: forfeit");
    let mut ann = club.open_context().store.member(1).expect("read").expect("Ann");
    ann.letters.calendar = true;
    let batch = postrider::store::Batch { members: vec![ann], ..Default::default() };
    club.open_context().store.write_without_conflict_check(&batch).expect("kept");
    let (_, letters) = club.run_pass();
    let entry = |letter: &PostedLetter| {
        let text = String::from_utf8_lossy(&letter.bytes).into_owned();
        let field = |name: &str| {
            let line = text.split("\r\n").find(|line| line.starts_with(name));
            line.map(|line| line[name.len()..].to_owned()).unwrap_or_default()
        };
        (field("UID:"), field("DTSTART:"), field("SEQUENCE:").parse::<u32>().unwrap_or(0))
    };
    assert_eq!(letters.len(), 3);
    let dues: Vec<String> = letters.iter().map(|letter| entry(letter).1).collect();
    assert_eq!(dues, ["20260109T180000Z", "", ""], "the setting at the time of posting counts");
    club.send_reply("Ann", "status");
    club.send_reply("Bob", "status");
    let (_, letters) = club.run_pass();
    let (uid, due, sequence) = entry(&letters[0]);
    let tag = club.open_context().secret.id_tag("g1.s1");
    assert_eq!(uid, format!("g1.s1.{tag}@example.org"), "it never changes within a game");
    assert_eq!(due, "20260109T180000Z");
    assert!(letters[0].header("Content-Type").is_some_and(|kind| kind.contains("mixed")));
    assert!(letters[0].contains("You have until Fri 9 Jan 2026 18:00 UTC."));
    assert!(!letters[0].body_text().contains("VEVENT"), "the entry is beside the letter");
    assert_eq!(entry(&letters[1]).1, "", "Bob does not want any");
    club.send_reply("Ann", "vacation 2026-01-07 to 2026-01-08");
    let (_, letters) = club.run_pass();
    let moved = entry(&letters[0]);
    assert_eq!((moved.0.as_str(), moved.1.as_str()), (uid.as_str(), "20260111T180000Z"));
    assert!(moved.2 > sequence);
    // Bob is on turn, so Ann has no deadline.
    club.send_reply("Ann", "build red G23");
    let (_, letters) = club.run_pass();
    assert_eq!(entry(&letters[0]).1, "");
}

#[test]
fn list_shows_awaited_players_and_deadlines() {
    let club = club_with_outbox("deadline: 4 days, nmr: forfeit, grace: 6 hours");
    let list =
        |words: &[&str]| run_postrider_at(club.folder(), club.now, &[&["list"], words].concat()).1;
    let due = "is waiting for Ann until Fri 9 Jan 2026 18:00 UTC\n";
    assert!(list(&[]).ends_with(due), "{}", list(&[]));
    let game: serde_json::Value = serde_json::from_str(&list(&["--json"])).expect("JSON");
    assert_eq!(game["waits"][0]["deadline"], "2026-01-09T18:00:00Z");
    assert_eq!(game["waits"][0]["end"], "2026-01-10T00:00:00Z");
    assert_eq!((&game["waiting_for"][0], &game["paused"]), (&"Ann".into(), &false.into()));
    let done = run_postrider_at(
        club.folder(),
        club.now,
        &["clock", "1", "--pause", "--reason", "a storm"],
    );
    assert_eq!(done.0, Some(0), "{}", done.1);
    assert!(list(&[]).ends_with("is paused, and is waiting for Ann\n"), "{}", list(&[]));
    let mut club = Club::new();
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    assert!(
        run_postrider_at(club.folder(), club.now, &["list"])
            .1
            .contains("has been waiting for Ann since Mon 5 Jan")
    );
}

fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}
