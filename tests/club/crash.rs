//! Tests that a pass can be killed after any step and run again. The club then equals an
//! undisturbed one byte for byte, and each letter keeps one Message-ID.

use crate::rig::postrider_program::{PASS_TIME, kill_after_each_step, outcome_without_kill};
use crate::rig::{self, Club};
use crate::server::SETTING;
use chrono::DateTime;
use postrider::games::find_kind;
use postrider::process::Context;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Creates a club whose moderator digest is due and whose inbox holds many kinds of letters. They
/// are an order and its repeat, talk with a vote, letters from strangers, an auto-reply, rubbish, a
/// bounce report for Cid, a moderator's letter that accepts a quarantined letter, and a letter that
/// fills a game.
fn club_with_full_inbox() -> Club {
    fill_inbox(Club::with_settings(SETTINGS))
}

/// Settings by which the awaited player of game 2 is absent at the time of the pass.
pub const SETTINGS: &str =
    "strangers: join\ndigest: \"18:00\"\nclock: {deadline: 1 day, nmr: forfeit}\n";

/// Fills the inbox of a new club as described at [`club_with_full_inbox`].
pub fn fill_inbox(mut club: Club) -> Club {
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.start_game(find_kind("paris-connection").expect("it ships"), 4, 2);
    club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    club.run_pass();
    club.now -= chrono::TimeDelta::hours(1);
    club.send_reply("Ann", "new trick-of-the-rails seats 3 invite bob@example.org");
    club.send_reply("Bob", "join 4");
    club.send_reply("Dot", "watch 4");
    let from_work =
        club.compose_reply_to("Ann", &club.transport.posted[7].clone(), "build red G23, Troyes");
    let quarantined = club.deliver(from_work.replace("ann@", "ann@work."));
    club.run_pass();
    // Passes run every hour. A gap of a day would be an outage, in which no player is absent.
    let tick = chrono::DateTime::parse_from_rfc3339(PASS_TIME).expect("a time");
    while club.now < tick {
        club.run_pass();
    }
    let note = club.last_letter_to("Mod").expect("a note to the moderator").clone();
    let accept =
        format!("letters accept {quarantined} because it is hers\nnote 2 Whoever reads this");
    club.deliver(club.compose_reply_to("Mod", &note, &accept));
    let order =
        club.compose_reply_to("Ann", &club.transport.posted[0].clone(), "build red G23, Troyes");
    club.deliver(&order);
    club.deliver(&order);
    club.deliver(club.compose_reply("Bob", "say hello\nvote pause\nhistory\nnote Ann goes south"));
    club.deliver(order.replace("Subject:", "Auto-Submitted: auto-replied\r\nSubject:"));
    club.deliver("From: x@example.com\r\nTo: games@example.org\r\n\r\nhello\r\n");
    club.deliver("rubbish");
    let lost = club.transport.posted[2].clone();
    club.deliver(rig::compose_bounce_report(&lost, "cid@example.org", "failed", "5.1.1"));
    club.deliver("From: Zoe <zoe@example.net>\r\nTo: games@example.org\r\n\r\njoin 4\r\n");
    club.send_reply("Dot", "join 4");
    let outbox = postrider::mail::Maildir::new(club.folder().join("outbox"));
    outbox.create_folders().expect("an outbox");
    club
}

/// Returns the content of each file of a club that people can read, and the contents of its store.
pub fn capture_club_state(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn read_files(root: &Path, folder: &Path, image: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("inside").to_string_lossy().into_owned();
            // These files hold positions and times of the store's files, or the address of a test
            // database, so they differ between equal clubs.
            if ["store", "store.mark", "idle", SETTING].contains(&&*name) {
                continue;
            }
            if path.is_dir() {
                read_files(root, &path, image);
            } else {
                image.insert(name, fs::read(&path).expect("a file"));
            }
        }
    }
    let mut image = BTreeMap::new();
    read_files(folder, folder, &mut image);
    let store = Context::open(postrider::games::SHIPPED, folder, DateTime::UNIX_EPOCH)
        .expect("the club opens")
        .store;
    for game in store.game_numbers().expect("games") {
        let state = format!(
            "{:?} {:?} {:?} {:?} {:?} {:?}",
            store.game_log_lines(game).expect("a log"),
            store.seat_assignments(game).expect("seats"),
            store.due_time(game).expect("a due time"),
            store.clock(game).expect("a clock"),
            store.game_info(game).expect("the game info"),
            store.activity_log(game).expect("an activity log"),
        );
        image.insert(format!("store: game {game}"), state.into_bytes());
    }
    let members = store.members().expect("members");
    image.insert("store: members".to_owned(), format!("{members:?}").into_bytes());
    let waiting = store.outbox_length().expect("an outbox");
    image.insert("store: outbox".to_owned(), waiting.to_string().into_bytes());
    image
}

/// Fails if the state after a kill differs from `expected`, and names the file.
fn assert_state_matches(
    image: &BTreeMap<String, Vec<u8>>,
    expected: &BTreeMap<String, Vec<u8>>,
    step: u64,
) {
    for (name, bytes) in expected {
        let found = image.get(name);
        if found != Some(bytes) {
            let found = found.map(|bytes| String::from_utf8_lossy(bytes));
            assert_eq!(found, Some(String::from_utf8_lossy(bytes)), "{name}, killed after {step}");
        }
    }
    let more: Vec<&String> = image.keys().filter(|name| !expected.contains_key(*name)).collect();
    assert!(more.is_empty(), "killed after {step}: {more:?}");
}

#[test]
fn killed_pass_loses_and_doubles_nothing() {
    let club = club_with_full_inbox();
    let expected = outcome_without_kill(club.folder(), capture_club_state);
    let posted = expected.keys().filter(|name| name.starts_with("outbox/new/")).count();
    // The posted letters are: a turn letter for each seat of three games; answers to the repeat, a
    // stranger and the moderator; the note about the rubbish; the moderator's digest; three first
    // letters of the game that fills; an answer to the member who filled it; an answer to the
    // stranger who wanted to join it; a probe to Cid. That stranger gets the usual answer, whether
    // the letter is read before or after the game fills.
    assert_eq!(posted, 3 + 4 + 3 + 3 + 1 + 1 + 3 + 1 + 1 + 1);

    kill_after_each_step(club.folder(), 61..2_000, 31, |folder, step| {
        assert_state_matches(&capture_club_state(folder), &expected, step);
    });
}

/// Creates a club where Bob's daily digest leaves in the next pass, while Cid's stays queued.
fn club_with_held_digests() -> Club {
    let mut club = Club::with_settings("clock: {deadline: 20 days}\n");
    for _ in 1..=2 {
        club.start_game(find_kind("paris-connection").expect("it ships"), 3, 7);
    }
    club.now = "2026-01-06T15:00:00Z".parse().expect("a time");
    club.run_pass();
    club.set_preference("Bob", "letters digest 18:00");
    club.set_preference("Cid", "letters turns");
    club.set_preference("Cid", "letters digest 20:00");
    let compose_order = |club: &Club, game: usize| {
        let first = club.transport.posted[(game - 1) * 3].clone();
        club.compose_reply_to("Ann", &first, "say Hello\nbuild red G23, Troyes")
    };
    let first = compose_order(&club, 1);
    club.deliver(first);
    let (report, letters) = club.run_pass();
    assert!(
        report.queued_letters == 0 && letters.iter().all(|letter| letter.to == rig::address("Ann"))
    );
    let second = compose_order(&club, 2);
    club.deliver(second);
    let outbox = postrider::mail::Maildir::new(club.folder().join("outbox"));
    outbox.create_folders().expect("an outbox");
    club
}

#[test]
fn killed_pass_sends_each_digest_once() {
    let club = club_with_held_digests();
    let expected = outcome_without_kill(club.folder(), capture_club_state);
    let letters: Vec<String> = expected
        .iter()
        .filter(|(name, _)| name.starts_with("outbox/new/"))
        .map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned())
        .collect();
    let count_letters_to =
        |name| letters.iter().filter(|l| l.contains(&rig::address(name))).count();
    assert_eq!(
        (letters.len(), count_letters_to("Bob"), count_letters_to("Cid")),
        (2, 1, 0),
        "{letters:?}"
    );
    kill_after_each_step(club.folder(), 20..1_000, 7, |folder, step| {
        assert_state_matches(&capture_club_state(folder), &expected, step);
    });
}
