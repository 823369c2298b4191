//! Tests that no letter to a player depends on facts that the player cannot know.

use crate::rig::{self, Club, PostedLetter, first_letter_to};
use postrider::club::Intervention;
use postrider::games::{GAMES, find_kind};
use postrider::process;
use postrider::render::Library;
use postrider::rules::GameKind;
use postrider::table::GameSetup;
use postrider::testing::{check_letters_hide_secrets, sample_or_all};
use std::collections::BTreeMap;

/// The games that have leak tests here and in `twin_clubs.rs`.
const TESTED_GAMES: [&str; 3] = ["off-the-rails", "paris-connection", "trick-of-the-rails"];

type OptionPairs = &'static [(&'static str, &'static str)];

/// Games with options under which they hide other facts than by default.
const OPTION_SETS: [(&str, u8, OptionPairs); 6] = [
    ("off-the-rails", 2, &[("cut", "interactive")]),
    ("off-the-rails", 3, &[("cut", "interactive"), ("drop", "half_up"), ("length", "very_short")]),
    ("off-the-rails", 4, &[("abyss_die", "true"), ("length", "very_short")]),
    ("off-the-rails", 2, &[("bumpers", "true"), ("bumper_head_on", "full"), ("length", "long")]),
    ("trick-of-the-rails", 4, &[("expert_lane", "true"), ("teams", "true")]),
    ("paris-connection", 3, &[("stall_after_trades", "20")]),
];

#[test]
fn every_game_has_leak_tests() {
    let mut games: Vec<_> = GAMES.iter().map(|kind| kind.id()).collect();
    games.sort_unstable();
    assert_eq!(games, TESTED_GAMES);
}

#[test]
fn off_the_rails_letters_hide_secrets() {
    assert_letters_hide_secrets("off-the-rails");
}

#[test]
fn paris_connection_letters_hide_secrets() {
    assert_letters_hide_secrets("paris-connection");
}

#[test]
fn trick_of_the_rails_letters_hide_secrets() {
    assert_letters_hide_secrets("trick-of-the-rails");
}

fn setup<'a>(
    kind: &'a dyn GameKind,
    options: &'a BTreeMap<String, String>,
    seats: u8,
) -> GameSetup<'a> {
    GameSetup { kind, definition: kind.shipped_definition(), options, seats }
}

fn assert_letters_hide_secrets(game: &str) {
    let library = Library::embedded().expect("the words are in the binary");
    let kind = find_kind(game).expect("it ships");
    for seats in kind.allowed_seat_counts() {
        for seed in 0..sample_or_all(1, 2) {
            check_letters_hide_secrets(&library, setup(kind, &BTreeMap::new(), seats), seed);
        }
    }
}

#[test]
fn off_the_rails_options_hide_secrets() {
    assert_options_hide_secrets(|game| game == "off-the-rails");
}

#[test]
fn other_games_options_hide_secrets() {
    assert_options_hide_secrets(|game| game != "off-the-rails");
}

fn assert_options_hide_secrets(is_tested: impl Fn(&str) -> bool) {
    let library = Library::embedded().expect("the words are in the binary");
    for (name, seats, options) in OPTION_SETS.into_iter().filter(|(name, ..)| is_tested(name)) {
        let kind = find_kind(name).expect("it ships");
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let options: BTreeMap<String, String> = options.iter().map(own).collect();
        for seed in 5..sample_or_all(6, 7) {
            check_letters_hide_secrets(&library, setup(kind, &options, seats), seed);
        }
    }
}

/// Returns a letter's text under the heading WHAT EACH PLAYER HELD.
fn revealed_section(letter: &PostedLetter) -> String {
    let text = letter.body_text();
    let after = text.split_once("WHAT EACH PLAYER HELD\n").map_or("", |(_, after)| after);
    let lines = after.lines().skip_while(|line| line.is_empty());
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with("  ")).collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn hidden_information_is_shown_in_last_letters_only() {
    for (name, shown) in [
        ("paris-connection", "Bob holds"),
        ("trick-of-the-rails", "Bob still has in hand:"),
        ("off-the-rails", "Bob wanted their jewels cut"),
    ] {
        let mut club = Club::with_game("", name, 3, 7);
        club.start_game(find_kind("trick-of-the-rails").expect("it ships"), 4, 9);
        club.run_pass();
        club.send_reply("Dot", "watch 1");
        club.run_pass();
        assert!(
            club.transport.posted.iter().all(|letter| revealed_section(letter).is_empty()),
            "{name}"
        );
        let bobs = club.transport.posted.iter().find(|letter| letter.to == rig::address("Bob"));
        let own = bobs.expect("a letter of game 1").body_text();
        assert!(process::moderate_game(&club.open_context(), 1, &Intervention::End, "x").is_ok());
        let (_, letters) = club.run_pass();
        let [ann, bob, dot] =
            ["Ann", "Bob", "Dot"].map(|who| revealed_section(first_letter_to(&letters, who)));
        // The section is alike for players and observers, except that it calls its reader `you`.
        assert!(ann.contains(shown) && dot.contains(shown), "{name}: {ann} {dot}");
        assert!(!bob.contains("Bob") && bob.contains("Ann"), "{name}: {bob}");
        let numbers =
            |section: &str| section.matches(|c: char| c.is_ascii_digit()).collect::<String>();
        assert_eq!([numbers(&ann), numbers(&bob)], [numbers(&dot), numbers(&dot)], "{name}");
        if name != "paris-connection" {
            continue;
        }
        // The others now read what was in the portfolio of Bob's first letter.
        let held =
            bob.split("You hold ").nth(1).expect("a hand").split('.').next().expect("shares");
        assert!(ann.contains(&format!("Bob holds {held}.")), "{ann}");
        let (_, table) = own.split_once("Company      Shares").expect("a portfolio");
        let rows = table.lines().skip(1).take_while(|line| !line.starts_with("Total"));
        for mut row in rows.map(str::split_whitespace) {
            let (colour, count) = (row.next().expect("one"), row.next().expect("a number"));
            assert!(held.contains(&format!("{count} {colour}")), "{held}: {own}");
        }
    }
}
