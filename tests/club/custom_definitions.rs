//! Tests a club's own definitions: mistakes are reported with a line, and a small map is played.

use crate::rig::letter_links::html_page;
use crate::rig::{Club, NAMES, PostedLetter, address};
use postrider::games::find_kind;
use postrider::process::{self, FoundingResult, Player};
use postrider::rules::{NewGameError, Seed};
use postrider::table::GameSetup;
use std::collections::BTreeMap;

/// A text of the shipped definition, its wrong replacement, and the expected error.
type Mistake<'a> = (&'a str, &'a str, &'a str);

/// Checks that each mistake is reported in the expected words, with a line near it.
fn assert_mistakes_are_reported(game: &str, seats: u8, mistakes: &[Mistake<'_>]) {
    let (kind, club) = (find_kind(game).expect("it ships"), Club::new());
    let (library, usual) = (club.open_context().library, kind.shipped_definition());
    for (from, to, expected) in mistakes {
        assert!(usual.contains(from), "{from}");
        let changed = usual.replacen(from, to, 1);
        let judged = kind.validate_and_convert_to_json(&changed, &BTreeMap::new(), seats);
        let Err(NewGameError::Definition { reason, line }) = judged else {
            panic!("{to}: it opens")
        };
        let first =
            usual.lines().zip(changed.lines()).position(|(usual, changed)| usual != changed);
        let near = line.abs_diff(first.map_or(0, |line| line + 1));
        assert!(line > 0 && near < 80, "{to}: line {line}");
        assert_eq!(library.language("en").localize(&reason), *expected);
        let spanish = library.language("es").localize(&reason);
        assert!(!spanish.starts_with('[') && spanish != *expected, "{spanish}");
    }
}

#[test]
fn paris_map_mistakes_are_reported_with_line() {
    let seine = "edges: [D14-E13]";
    let rows = "[30, 30]]\n  U: [[1, 35]]\n  V: [[2, 36]]\n  W: [[1, 35]]";
    assert_mistakes_are_reported(
        "paris-connection",
        3,
        &[
            ("paris: F20", "paris: A1", "The Eiffel tower's hex A1 isn't in any row."),
            (
                "\"A\": [[19, 19]]",
                "\"A\": [[19, 22]]",
                "Row A can't run from 19 to 22. A row has a capital letter, and its columns go in \
                 steps of 2 up to 36. The letter's place (A = 0) and the column must have an odd \
                 sum.",
            ),
            ("[30, 30]]", rows, "The map has 269 hexes. The most is 256."),
            (
                "  - {hex: E21, station: \"Gare du Nord\"}\n",
                "",
                "There are 5 start hexes. There must be 6, one for each colour.",
            ),
            (
                "hex: E21, station",
                "hex: A1, station",
                "Gare du Nord is on A1, which isn't in any row or is the Eiffel tower.",
            ),
            (
                "hex: B22, code",
                "hex: A19, code",
                "Lille is on A19, which already has another city or start.",
            ),
            ("code: Ma", "code: M1", "The code \"M1\" of Marseille must be two letters."),
            (
                "code: Br,",
                "code: mA,",
                "Two cities have the code mA (upper and lower case count as the same).",
            ),
            ("name: Brest", "name: Marseille", "Two cities have the name Marseille."),
            (
                "name: Brest, value: 3",
                "name: Brest, value: 9",
                "Brest is worth 9, but no kind of city has that value.",
            ),
            (
                "end_city: S29",
                "end_city: G23",
                "There's no city on G23, where the game should end.",
            ),
            (
                seine,
                "edges: [D14-E17]",
                "D14-E17 isn't an edge. Both hexes must be on the map and touch.",
            ),
            ("black: K", "black: R", "Each of the six colours needs a capital letter of its own."),
            (seine, "edges: [E21-D20, E21-D22, E21-E23]", "Gare du Nord can't reach any city."),
            (seine, "edges: [A19-B18, A19-B20]", "No start can reach Calais on A19."),
            ("hand: {3: 10, ", "hand: {", "The table \"hand\" has no number for 3 players."),
            ("build_most: 5", "build_most: 0", "A build must allow at least 1 locomotive."),
            (
                "hand: {3: 10",
                "hand: {3: 60",
                "The game can't deal that many shares (180 in all). Each player needs one, and at \
                 least two colours must have locomotives left in supply.",
            ),
        ],
    );
}

#[test]
fn trick_card_mistakes_are_reported_with_line() {
    let prr = "  - {id: PRR, name: PRR, stations: [10, 20, 20, 30, 40, 30, 20, 20, 10, 10]}\n";
    let lane = "3: [E, C, E, C, E, C, E, \"3\", E, \"4\", R,";
    let changed = |from: &str, to: &str| lane.replacen(from, to, 1);
    assert_mistakes_are_reported(
        "trick-of-the-rails",
        3,
        &[
            (prr, "", "The company PRR is missing."),
            (prr, &prr.repeat(2), "The company PRR appears twice."),
            (
                "name: Erie",
                "name: The Erie",
                "The name of ERIE must have 1 to 4 plain characters and no spaces.",
            ),
            ("  \"3\": {distance: 3, cost: 40}\n", "", "The locomotive [3] is missing."),
            ("hand: {3: 15, ", "hand: {", "The table \"hand\" has nothing for 3 players."),
            ("{3: 15", "{3: 17", "There are only 50 cards, so 3 players can't get 17 each."),
            (
                lane,
                &changed("E, C, ", ""),
                "The lane for 3 players has 13 places. It needs as many as each player has cards, \
                 15.",
            ),
            (
                lane,
                &changed("E, C, E,", "E, C, C,"),
                "The lane for 3 players has 4 places for \"C\", but there are only 3 such cards.",
            ),
            (
                "reservations: 3",
                "reservations: 1",
                "The lane for 3 players has 3 places for \"R\", but there is only 1 such card.",
            ),
            (lane, &changed("C", "\"3\""), "The lane for 3 players has [3] twice."),
            (
                lane,
                "3: [R, C, E, C, E, C, E, \"3\", E, \"4\", E,",
                "In the lane for 3 players, the Reservation in place 1 would become the leftmost \
                 card, because too few stock rounds come before it.",
            ),
        ],
    );
    let few = "The lane for 4 players has 4 places for Exchange cards. It needs 5.";
    assert_mistakes_are_reported("trick-of-the-rails", 4, &[("4: [E, C, E,", "4: [E, C, C,", few)]);
}

/// A map with six starts and six cities. One city ends the game, and the share limit is 1.
const SMALL_MAP: &str = r#"
title: Six roads
reconstruction: false
paris: F20
rows:
  "D": [[18, 18], [22, 22]]
  "E": [[19, 21]]
  "F": [[16, 24]]
  "G": [[19, 21]]
  "H": [[18, 18], [22, 22]]
  "I": [[23, 23]]
starts:
  - {hex: E21, station: North}
  - {hex: F22, station: East}
  - {hex: G21, station: Southeast}
  - {hex: G19, station: Southwest}
  - {hex: F18, station: West}
  - {hex: E19, station: Northwest}
values: {village: 1, town: 4}
cities:
  - {hex: D18, code: Aa, name: Arras, value: 1}
  - {hex: D22, code: Bb, name: Bethune, value: 1}
  - {hex: F16, code: Cc, name: Chartres, value: 1}
  - {hex: F24, code: Dd, name: Dole, value: 4}
  - {hex: H18, code: Ee, name: Epinal, value: 1}
  - {hex: I23, code: Ma, name: Marseille, value: 1}
end_city: I23
barriers: []
locomotives: 2
build_most: 5
hand: {3: 1}
share_limit: {3: 1}
penalty: 20
stall_after_trades: 0
letters: {blue: B, yellow: Y, red: R, purple: P, black: K, brown: N}
"#;

/// Creates a club on the small map: Bob begins and holds brown, Cid holds red, Ann holds blue.
fn club_on_small_map() -> Club {
    let mut club = Club::new();
    let player = |name: &&str| Player { name: (*name).to_owned(), address: address(name) };
    let players: Vec<Player> = NAMES.iter().take(3).map(player).collect();
    let (kind, options) = (find_kind("paris-connection").expect("it ships"), BTreeMap::new());
    let setup = GameSetup { kind, definition: SMALL_MAP, options: &options, seats: 3 };
    let founded = process::found_game(&club.open_context(), setup, &players, &Seed::from_number(1));
    assert!(matches!(founded, Ok(FoundingResult::Game(1))), "it can be played");
    players.iter().for_each(|player| club.set_preference(&player.name, "letters all"));
    club.run_pass();
    club
}

/// Sends an order, checks that it is carried out, and returns the player's next letter.
fn play_order(club: &mut Club, name: &str, line: &str) -> PostedLetter {
    club.send_reply(name, line);
    club.run_pass();
    let letter = club.last_letter_to(name).expect("a letter").clone();
    assert!(letter.contains("We've carried out your orders."), "{line}: {}", letter.body_text());
    letter
}

#[test]
fn small_map_is_played_to_last_city() {
    let mut club = club_on_small_map();
    club.set_preference("Cid", "board narrow");
    let limit = "The limit is 1. Another share would cost you points.";
    assert!(club.last_text_to("Ann").contains(limit));
    play_order(&mut club, "Bob", "build brown Dole");
    let excess = play_order(&mut club, "Cid", "trade red for 2 purple");
    let warned = "WARNING: You're 1 above the limit of 1. That would cost you 20 points, and you'd \
                  score -20.";
    assert!(excess.contains(warned), "{}", excess.body_text());
    for (name, line) in [
        ("Ann", "build blue Arras"),
        ("Bob", "build red Bethune"),
        ("Cid", "build yellow Chartres"),
        ("Ann", "build black Epinal"),
    ] {
        play_order(&mut club, name, line);
    }
    // Bob cannot build, and each possible trade costs points.
    let stuck = html_page(club.last_letter_to("Bob").expect("a letter"));
    assert!(stuck.contains(">For example</h2>"), "{stuck}");
    assert!(stuck.contains("trade brown for 1 "), "{stuck}");
    for (name, line) in [
        ("Bob", "trade brown for 1 red"),
        ("Cid", "trade purple for 1 brown"),
        ("Ann", "build purple H22"),
        ("Bob", "trade red for 1 black"),
        ("Cid", "trade purple for 1 yellow"),
        ("Ann", "build purple Marseille"),
    ] {
        play_order(&mut club, name, line);
    }
    let over = club.last_letter_to("Cid").expect("a letter");
    assert!(over.contains("Free cities None."), "{}", over.body_text());
    assert!(over.contains("G21 touches G19, F22 and H22."), "{}", over.body_text());
    assert!(over.contains("1 share above the limit of 1: -20"), "{}", over.body_text());
}
