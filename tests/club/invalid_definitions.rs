//! Tests that errors in definitions give a reason in each language and a line near the mistake.

use crate::rig::{Club, NAMES, address};
use postrider::games::find_kind;
use postrider::process::{self, FoundingResult, Player};
use postrider::rules::{NewGameError, Seed};
use postrider::table::GameSetup;
use std::collections::BTreeMap;

/// Returns the error of a definition in English and Spanish, and the text of the line it names.
fn definition_fault_messages(
    club: &Club,
    game: &str,
    definition: &str,
    seats: u8,
) -> (String, String, String) {
    let (kind, options) = (find_kind(game).expect("a game"), BTreeMap::new());
    let setup = GameSetup { kind, definition, options: &options, seats };
    let player = |name: &&str| Player { name: (**name).to_owned(), address: address(name) };
    let players: Vec<Player> = NAMES.iter().take(seats.into()).map(player).collect();
    let context = club.open_context();
    let founded =
        process::found_game(&context, setup, &players, &Seed::from_number(1)).expect("a store");
    let FoundingResult::Impossible(NewGameError::Definition { reason, line }) = founded else {
        panic!("it can be:\n{definition}");
    };
    let say = |language| context.library.language(language).localize(&reason);
    let near = line.checked_sub(1).and_then(|line| definition.lines().nth(line));
    (say("en"), say("es"), near.unwrap_or_default().to_owned())
}

/// A shipped text, its wrong replacement, the error, and a part of the line that the error names.
const FAULTY_DEFINITIONS: [(&str, &str, &str, &str); 21] = [
    ("edition: 2", "edition: 3", "Our rulings have only two editions, 1 and 2.", "edition: 3"),
    ("columns: 8", "columns: 12", "A board has 3 to 9 columns and rows, not 12.", "columns: 12"),
    ("rows: 8", "rows: 2", "A board has 3 to 9 columns and rows, not 2.", "rows: 2"),
    (
        "  red:\n    centre: C3\n    squares: [B2, C2, D2, D3, D4, C4, B4, B3]\n    \
         jewels: [3, 2, 3, 2, 3, 2, 3, 2]\n",
        "",
        "There's no red mine.",
        "mines:",
    ),
    (
        "[B2, C2, D2, ",
        "[B2, C2, ",
        "The red mine needs 8 squares and 8 quantities of jewels.",
        "  red:",
    ),
    ("centre: C3", "centre: I9", "I9 of the red mine isn't on the board.", "centre: I9"),
    ("centre: F3", "centre: B2", "B2 of the yellow mine already belongs to a mine.", "centre: B2"),
    ("north: red", "north: blue", "Each of the four sides needs a colour of its own.", "sides:"),
    (
        "blue: diamond, ",
        "blue: ruby, ",
        "Each of the four colours needs a kind of jewel of its own, and no rocks.",
        "home:",
    ),
    (
        "missions: {2: 3, ",
        "missions: {",
        "The table \"missions\" has no entry for 2 players.",
        "missions: {3: 4",
    ),
    (
        "start: 3",
        "start: 7",
        "Speeds must run from at least 1 to at most 9, with the first speed between them.",
        "speed:",
    ),
    ("hold: 5", "hold: 0", "A cart holds 1 to 9 jewels.", "hold: 0"),
    ("actions: 4", "actions: 44", "A turn has at most 9 actions.", "actions: 44"),
    ("ruby: 24", "ruby: 240", "The bag holds at most 255 tokens.", "bag:"),
    ("values: {", "values: {rock: 1, ", "Rocks must be worth nothing.", "values:"),
    (
        "very_short: 3",
        "very_short: 1",
        "A deck has 2 to 6 cards of each colour, not 1.",
        "lengths:",
    ),
    ("{2: 3, 3: 4", "{2: 12, 3: 4", "At most 9 missions can lie face up.", "missions:"),
    (
        "chasm_tokens: 5",
        "chasm_tokens: 9",
        "There are 1 to 7 chasm tokens of each colour.",
        "chasm_tokens: 9",
    ),
    (
        "{diamond: 5",
        "{diamond: 4",
        "The solo game spreads 32 jewels from the bag, and no rocks.",
        "jewels: {diamond: 4",
    ),
    (
        "  tokens: 20",
        "  tokens: 33",
        "The solo game has 1 to 32 chasm tokens, and no fewer than its first cards.",
        "tokens: 33",
    ),
    (
        "first_cards: 4",
        "first_cards: 21",
        "The solo game has 1 to 32 chasm tokens, and no fewer than its first cards.",
        "tokens: 20",
    ),
];

#[test]
fn invalid_definition_is_reported_with_reason_and_line() {
    let club = Club::new();
    let game = find_kind("off-the-rails").expect("a game");
    for (from, to, why, line) in FAULTY_DEFINITIONS {
        let definition = game.shipped_definition().replacen(from, to, 1);
        assert_ne!(definition, game.shipped_definition(), "{from}");
        let (english, spanish, near) =
            definition_fault_messages(&club, "off-the-rails", &definition, 2);
        assert_eq!(english, why, "{to}");
        assert!(spanish != english && !spanish.contains("or-fault"), "{to}: {spanish}");
        assert!(near.contains(line), "{to}: {near}");
    }
}

#[test]
fn invalid_side_option_is_reported_to_proposer() {
    let mut club = Club::with_paris_game("");
    let line = "new off-the-rails seats 2 deadline 3 days wishes=north,up";
    club.send_reply("Ann", line);
    let (_, letters) = club.run_pass();
    let why = "\"up\" isn't a side. Name north, east, south or west for each seat, with commas \
               between them.";
    assert!(letters[0].contains(why), "{}", letters[0].body_text());
}
