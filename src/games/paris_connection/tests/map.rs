//! Tests of the map: which hexes are adjacent, and which definitions are refused.

use super::{dealt_game, hex};
use crate::games::ParisConnection;
use crate::rules::{NewGameError, Rules, game_kind};
use std::collections::BTreeMap;

#[test]
fn barriers_and_tower_break_adjacency() {
    let state = dealt_game();
    let board = &state.board;
    let neighbours = |name: &str| -> Vec<String> {
        let id = board.hex_id(hex(name)).unwrap_or_else(|| panic!("{name}"));
        board.neighbours(id).iter().map(|id| board.hex_name(id).to_string()).collect()
    };
    assert_eq!(neighbours("R34"), ["Q33", "R32"]);
    assert_eq!(neighbours("D14"), ["D16", "E15"]);
    assert_eq!(neighbours("P24"), ["O23", "O25", "P22", "Q23"]);
    assert_eq!(neighbours("O27"), ["N26", "N28", "O29", "P26", "P28"]);
    assert_eq!(neighbours("G35"), ["F34", "H34"]);
    assert_eq!(neighbours("G21"), ["F22", "G19", "G23", "H20", "H22"]);
    assert_eq!(board.hex_id(hex("F20")), None);
}

#[test]
fn shipped_map_has_expected_counts() {
    let state = dealt_game();
    let board = &state.board;
    let counts = [board.land, board.city_hexes, board.start_hexes].map(|hexes| hexes.len());
    assert_eq!(counts, [214, 55, 6]);
    assert_eq!(board.map.cities.iter().map(|city| u32::from(city.value)).sum::<u32>(), 90);
    assert_eq!(board.barriers.len(), 18);
}

/// Checks that a game cannot be founded if `old` is replaced by `new` in the shipped definition.
/// The fault must have this key and the line that contains `at`.
fn expect_fault(old: &str, new: &str, at: &str, key: &str) {
    let shipped = ParisConnection::DEFINITION;
    assert!(shipped.contains(old), "{old}");
    let changed = shipped.replacen(old, new, 1);
    let is_it = |line: &&str| !line.starts_with('#') && line.contains(at);
    let expected = changed.lines().position(|line| is_it(&line)).map_or(0, |index| index + 1);
    match game_kind::<ParisConnection>().validate_and_convert_to_json(&changed, &BTreeMap::new(), 3)
    {
        Err(NewGameError::Definition { reason, line }) => {
            assert_eq!((reason.key, line), (key, expected), "{new}");
        }
        other => panic!("{new}: {other:?}"),
    }
}

#[test]
fn barrier_must_separate_adjacent_hexes() {
    expect_fault("G33-G35", "G31-G35", "G31-G35", "pc-fault-barrier");
    expect_fault("N12-O11", "N10-O11", "N10-O11", "pc-fault-barrier");
}

#[test]
fn places_must_be_on_the_map() {
    expect_fault("hex: M27", "hex: M33", "code: Ly", "pc-fault-off-map");
    expect_fault("hex: M27", "hex: F20", "code: Ly", "pc-fault-off-map");
    expect_fault("hex: F22", "hex: A1", "de l'Est", "pc-fault-off-map");
    expect_fault("paris: F20", "paris: A1", "paris: A1", "pc-fault-paris");
    expect_fault("end_city: S29", "end_city: R28", "end_city", "pc-fault-end-city");
}

#[test]
fn cities_and_starts_must_be_connected() {
    let to_nice = "[Q31-R32, Q33-R32]";
    expect_fault(to_nice, "[R32-R34, Q33-R34]", "name: Nice", "pc-fault-unreachable");
    let walled = "[Q31-R32, E21-D20, E21-D22, E21-E23]";
    expect_fault(to_nice, walled, "Gare du Nord", "pc-fault-no-city");
}

#[test]
fn rows_must_be_on_the_grid() {
    expect_fault("\"G\": [[1, 35]]", "\"G\": [[2, 34]]", "\"G\"", "pc-fault-row");
    expect_fault("\"G\": [[1, 35]]", "\"G\": [[1, 39]]", "\"G\"", "pc-fault-row");
    expect_fault("\"G\": [[1, 35]]", "\"G\": [[35, 1]]", "\"G\"", "pc-fault-row");
}

#[test]
fn numbers_must_suit_player_count() {
    expect_fault("hand: {3: 10, ", "hand: {", "hand:", "pc-fault-players");
    expect_fault("share_limit: {3: 20, ", "share_limit: {", "share_limit:", "pc-fault-players");
    expect_fault("hand: {3: 10", "hand: {3: 52", "hand:", "pc-fault-hand");
    expect_fault("hand: {3: 10", "hand: {3: 0", "hand:", "pc-fault-hand");
    expect_fault("build_most: 5", "build_most: 0", "build_most", "pc-fault-build-most");
}

#[test]
fn city_needs_valid_code_and_value() {
    expect_fault("code: Me", "code: Met", "name: Metz", "pc-fault-code");
    expect_fault("name: Metz, value: 2", "name: Metz, value: 7", "name: Metz", "pc-fault-value");
}

#[test]
fn unknown_key_is_reported_with_line() {
    let changed = ParisConnection::DEFINITION.replacen("penalty:", "penalti:", 1);
    match game_kind::<ParisConnection>().validate_and_convert_to_json(&changed, &BTreeMap::new(), 3)
    {
        Err(NewGameError::Yaml(error)) => assert!(error.line > 0, "{error}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn duplicate_codes_names_hexes_and_letters_are_rejected() {
    expect_fault("code: Be", "code: Bo", "name: Besançon", "pc-fault-code-twice");
    expect_fault("code: Be", "code: bo", "name: Besançon", "pc-fault-code-twice");
    expect_fault("name: Metz", "name: Brest", "code: Me", "pc-fault-name-twice");
    expect_fault("hex: E31", "hex: G1", "code: Me", "pc-fault-two-on-hex");
    expect_fault("hex: F22", "hex: E21", "de l'Est", "pc-fault-two-on-hex");
    expect_fault("purple: P", "purple: R", "letters", "pc-fault-letters");
}

/// Adds rows of hexes south of the shipped map: two full rows of 18, and a row with the columns
/// `last`.
fn add_southern_rows(definition: &str, last: &str) -> String {
    let rows = format!("\n  \"U\": [[1, 35]]\n  \"V\": [[2, 36]]\n  \"W\": [[{last}]]");
    let southmost = "  \"T\": [[12, 22], [30, 30]]";
    assert!(definition.contains(southmost));
    definition.replacen(southmost, &format!("{southmost}{rows}"), 1)
}

fn validate_definition(definition: &str) -> Result<(), &'static str> {
    match game_kind::<ParisConnection>().validate_and_convert_to_json(
        definition,
        &BTreeMap::new(),
        3,
    ) {
        Ok(_) => Ok(()),
        Err(NewGameError::Definition { reason, .. }) => Err(reason.key),
        Err(other) => panic!("{other:?}"),
    }
}

#[test]
fn map_has_at_most_256_hexes() {
    // The shipped map has 215 hexes with the tower. The rows add 36 and 5, or 36 and 6.
    let shipped = ParisConnection::DEFINITION;
    assert_eq!(validate_definition(&add_southern_rows(shipped, "1, 9")), Ok(()));
    assert_eq!(validate_definition(&add_southern_rows(shipped, "1, 11")), Err("pc-fault-size"));
}

#[test]
fn hands_may_leave_locomotives_on_two_boards() {
    // Three players are dealt 51 of the 186 locomotives each. More than 31 are left, so at least
    // two storing boards have some.
    let large = ParisConnection::DEFINITION.replacen("hand: {3: 10", "hand: {3: 51", 1);
    assert_eq!(validate_definition(&large), Ok(()));
}
