//! A club that version 0.2.0 wrote. Every later version must continue it, from its store and from
//! its journal.
//!
//! So the files in `tests/kept` never change: see the README there. The tests do not depend on the
//! wording of letters in later versions.

use crate::rig::{Club, PostedLetter, address};
use postrider::club::Intervention;
use postrider::mail::Letter;
use postrider::process;
use postrider::rules::{Dice, Seat, Seed, Turn};
use std::fs;
use std::path::{Path, PathBuf};

const GAMES: [u32; 2] = [1, 2];

fn stored_club_path(what: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kept").join(what)
}

/// Returns a copy of the club, one hour after its last pass, and the letters that its members got.
fn copy_stored_club() -> Club {
    let now = fs::read_to_string(stored_club_path("now"))
        .expect("a time")
        .trim()
        .parse()
        .expect("a time");
    let mut club = Club::copy_from(&stored_club_path("club"), now);
    let mut letters: Vec<_> = fs::read_dir(stored_club_path("letters"))
        .expect("a folder")
        .map(|file| file.expect("a file"))
        .collect();
    letters.sort_by_key(fs::DirEntry::file_name);
    for file in letters {
        let bytes = fs::read(file.path()).expect("a letter");
        let letter = Letter::parse(&bytes).expect("it was read before");
        let to = letter.recipients[0].clone();
        let message_id = letter.message_id.expect("an id").trim_matches(['<', '>']).to_owned();
        club.transport.posted.push(PostedLetter { to, message_id, bytes });
    }
    club
}

fn record_count(club: &Club, game: u32) -> u32 {
    process::load_stored_game(&club.open_context(), game)
        .expect("it opens")
        .table
        .last_record_number()
}

/// Returns the newest letter by which the player of a seat can answer.
fn newest_letter(club: &Club, game: u32, seat: Seat) -> PostedLetter {
    let token = format!("+{game}.{seat}.");
    let mut letters = club.transport.posted.iter().rev();
    let found =
        letters.find(|letter| letter.header("Reply-To").is_some_and(|to| to.contains(&token)));
    found.unwrap_or_else(|| panic!("no letter of {token}")).clone()
}

/// Returns a legal order of the first seat that a game waits for.
fn legal_order(club: &Club, game: u32) -> (Seat, String) {
    let session = process::load_stored_game(&club.open_context(), game).expect("it opens");
    let Turn::Awaiting(seats) = session.table.turn() else { panic!("{game} is over") };
    let (mut chooser, mut dice) =
        (Dice::new(&Seed::from_number(3), 0), Dice::new(&Seed::from_number(9), 0));
    let order =
        session.table.game().clone_box().play_random_line(seats[0], &mut chooser, &mut dice);
    (seats[0], order.expect("something legal").0)
}

/// Lets the player whose turn it is answer their newest letter.
fn send_legal_order(club: &mut Club, game: u32) {
    let (seat, order) = legal_order(club, game);
    let letter = newest_letter(club, game, seat);
    let reply = club.compose_reply_to("Ann", &letter, &order);
    club.deliver(reply.replace(&format!("<{}>", address("Ann")), &format!("<{}>", letter.to)));
}

/// Asserts that a pass processes the letter in the inbox, posts at least this number of waiting
/// letters, and that both games continue.
fn assert_club_continues(club: &mut Club, posted: usize) {
    let before = GAMES.map(|game| record_count(club, game));
    let (report, letters) = club.run_pass();
    assert_eq!(
        (report.carried_out, report.quarantined, report.queued_letters),
        (1, 0, 0),
        "{report:?}"
    );
    assert_eq!(report.troubles, Vec::<String>::new());
    let waited = letters.iter().filter(|letter| letter.contains("games will be late this week"));
    assert!(waited.count() >= posted, "{letters:?}");
    assert_eq!(GAMES.map(|game| record_count(club, game)), [before[0] + 1, before[1]]);
    let context = club.open_context();
    let activity = serde_json::to_string(&context.store.activity_log(1).expect("it reads"));
    let activity = activity.expect("it has a form");
    for said in ["good luck to you all", "let us leave Cid behind"] {
        assert_eq!(activity.matches(said).count(), 1, "{said}: {activity}");
    }
    let ann = &process::load_stored_game(&context, 1).expect("it opens").seats[0];
    assert!(format!("{:?}", ann.0.notes).contains("Cid hoards blue"));
    assert!(context.store.clock(2).expect("it reads").is_some());
    drop(context);
    for _ in 0..2 {
        GAMES.iter().for_each(|game| send_legal_order(club, *game));
        assert_eq!(club.run_pass().0.carried_out, 2);
    }
    for game in GAMES {
        let table = process::load_stored_game(&club.open_context(), game).expect("it opens").table;
        assert!(table.verify().findings.is_empty(), "{game}");
    }
}

#[test]
fn club_from_0_2_0_continues() {
    let mut club = copy_stored_club();
    let old = newest_letter(&club, 1, Seat::new(1));
    assert_club_continues(&mut club, 3);
    let rotate = Intervention::Rotate(Seat::new(1));
    process::moderate_game(&club.open_context(), 1, &rotate, "it was lost").expect("Ann");
    club.deliver(club.compose_reply_to("Ann", &old, "note the old token is good"));
    club.run_pass();
    let ann =
        process::load_stored_game(&club.open_context(), 1).expect("it opens").seats[0].0.clone();
    assert!(!format!("{:?}", ann.notes).contains("the old token is good"));
}

#[test]
fn restored_journal_from_0_2_0_continues() {
    let mut club = copy_stored_club();
    fs::remove_dir_all(club.folder().join("store")).expect("lost");
    let context = club.open_context();
    let restored = process::restore(&context, &context.journal_folder()).expect("it comes back");
    assert_eq!((restored.games, restored.members), (2, 3));
    drop(context);
    assert_club_continues(&mut club, 3);
}
