//! Plays Sealed Bids by letters, with the program that has the game.

use postrider::Program;
use postrider::render::Library;
use postrider::rules::{GameRegistry, game_kind};
use postrider::table::GameSetup;
use postrider::testing::{
    TestClub, check_letters_hide_secrets, check_playthroughs, create_folder, write_gallery,
};
use sealed_bids::SealedBids;
use std::collections::BTreeMap;
use std::fs;
use std::sync::LazyLock;

static GAMES: LazyLock<GameRegistry> =
    LazyLock::new(|| Program::new().game(game_kind::<SealedBids>()).into_registry());

const PLAYERS: [&str; 3] = ["Ann", "Bob", "Cid"];

/// Returns a club with a game for all players, who have got their first letters.
fn club_with_game(settings: &str) -> TestClub {
    let mut club = TestClub::new(*GAMES, settings);
    club.start_game("sealed-bids", &PLAYERS, &[]);
    assert_eq!(run_pass(&mut club), ["ann", "bob", "cid"]);
    club
}

/// Runs a pass. Returns the readers who got a letter, as the first part of their address.
fn run_pass(club: &mut TestClub) -> Vec<String> {
    let letters = club.run_pass();
    let readers = letters.iter().filter_map(|letter| letter.to.split('@').next());
    let mut readers: Vec<String> = readers.map(str::to_owned).collect();
    readers.sort_unstable();
    readers
}

#[test]
fn bid_is_unnoticed_until_all_have_bid() {
    let mut club = club_with_game("");
    club.send_reply("Cid", "status");
    assert_eq!(run_pass(&mut club), ["cid"]);
    let shown = club.last_text_to("Cid");
    club.send_reply("Ann", "bid 3");
    assert_eq!(run_pass(&mut club), ["ann"]);
    let text = club.last_text_to("Ann");
    assert!(text.contains("your orders before everybody has ordered"), "{text}");
    club.send_reply("Bob", "bid 3");
    assert_eq!(run_pass(&mut club), ["bob"]);
    // Ann may replace the bid, although Bob has bid since.
    for line in ["undo", "bid 2", "bid 4"] {
        club.send_reply("Ann", line);
        assert_eq!(run_pass(&mut club), ["ann"], "{line}");
    }
    club.send_reply("Cid", "status");
    assert_eq!(run_pass(&mut club), ["cid"]);
    assert_eq!(club.last_text_to("Cid"), shown);
    club.send_reply("Cid", "bid 1");
    assert_eq!(run_pass(&mut club), ["ann", "bob", "cid"]);
    let text = club.last_text_to("Cid");
    assert!(text.contains("We've carried out your orders."), "{text}");
    assert!(!text.contains("before everybody has ordered"), "{text}");
    let text = club.last_text_to("Bob");
    for said in ["Ann has bid 4.", "You have bid 3.", "Cid has bid 1.", "Ann wins the round."] {
        assert!(text.contains(said), "{said}: {text}");
    }
}

#[test]
fn deadline_opens_sealed_bids() {
    let mut club = club_with_game("clock: {deadline: 2 days, nmr: forfeit}\n");
    club.send_reply("Ann", "bid 5");
    assert_eq!(run_pass(&mut club), ["ann"]);
    let reminded = (0..60).map(|_| run_pass(&mut club)).find(|readers| !readers.is_empty());
    // Bob and Cid are reminded first, and Ann is not.
    assert_eq!(reminded, Some(vec!["bob".to_owned(), "cid".to_owned()]));
    let opening = (0..60).map(|_| run_pass(&mut club)).find(|readers| readers.len() > 2);
    assert_eq!(opening.expect("the deadline passes")[..3], ["ann", "bob", "cid"]);
    let text = club.last_text_to("Bob");
    assert!(text.contains("Ann has bid 5.") && text.contains("until Fri 9 Jan"), "{text}");
}

#[test]
fn bot_bids_after_all_people() {
    let mut club = TestClub::new(*GAMES, "");
    club.start_game("sealed-bids", &["Ann", "Bob"], &["--bots", "1", "fair"]);
    run_pass(&mut club);
    club.send_reply("Ann", "bid 3");
    assert_eq!(run_pass(&mut club), ["ann"]);
    assert!(run_pass(&mut club).is_empty());
    club.send_reply("Bob", "bid 4");
    assert_eq!(run_pass(&mut club), ["ann", "bob"]);
    let text = club.last_text_to("Ann");
    assert!(text.contains("Robo 1 (fair) has bid") && text.contains("Bob has bid 4."), "{text}");
}

#[test]
fn spanish_player_bids_in_spanish() {
    let mut club = club_with_game("");
    club.send_reply("Ann", "language es");
    run_pass(&mut club);
    club.send_reply("Ann", "pujar 3");
    assert_eq!(run_pass(&mut club), ["ann"]);
    let text = club.last_text_to("Ann");
    assert!(text.contains("Tu puja sellada: 3"), "{text}");
    assert!(text.contains("Nadie verá tus órdenes antes de que todos"), "{text}");
}

#[test]
fn playthroughs_match_their_files() {
    check_playthroughs(*GAMES, "tests/playthroughs");
}

#[test]
fn letters_hide_secrets() {
    let library = Library::for_games(*GAMES).expect("its texts can be read");
    let (kind, options) = (game_kind::<SealedBids>(), BTreeMap::new());
    for seats in kind.allowed_seat_counts() {
        let definition = kind.shipped_definition();
        check_letters_hide_secrets(
            &library,
            GameSetup { kind, definition, options: &options, seats },
            u64::from(seats),
        );
    }
}

#[test]
fn gallery_has_a_page_per_language() {
    let folder = create_folder();
    let pages = write_gallery(*GAMES, "tests/playthroughs/sealed-bids-3.txt", folder.path());
    let read = |page| fs::read_to_string(page).expect("a page");
    let pages: Vec<String> = pages.iter().map(read).collect();
    assert!(pages[0].contains("Ann wins the round."), "{}", pages[0]);
    // All letters have dates, and those that arrive are among those that leave.
    let days = pages[0].split("<h2>").skip(1).filter_map(|day| day.split('<').next());
    assert_eq!(days.collect::<Vec<_>>(), ["Monday 5 January 2026", "Tuesday 6 January 2026"]);
    assert!(pages[1].contains("Ann gana la ronda."), "{}", pages[1]);
}
