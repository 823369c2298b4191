//! Tests of definitions and options that are refused.

use super::*;
use crate::rules::{NewGameError, game_kind};
use std::collections::BTreeMap;

/// Checks that the definition is refused if `from` is replaced by `to`. The fault must have this
/// key and a line near this text.
fn expect_fault(from: &str, to: &str, near: &str, key: &str) {
    expect_fault_for_seats(3, from, to, near, key);
}

fn expect_fault_for_seats(seats: u8, from: &str, to: &str, near: &str, key: &str) {
    let definition = TrickOfTheRails::DEFINITION;
    assert!(definition.contains(from), "{from}");
    let changed = definition.replacen(from, to, 1);
    match game_kind::<TrickOfTheRails>().validate_and_convert_to_json(
        &changed,
        &BTreeMap::new(),
        seats,
    ) {
        Err(NewGameError::Definition { reason, line }) => {
            assert_eq!(reason.key, key);
            let there = changed.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            assert!(line > 0 && there.contains(near), "{key}: line {line}: {there}");
        }
        other => panic!("{key}: {:?}", other.err()),
    }
}

#[test]
fn every_company_must_appear_once() {
    let line = "  - {id: PRR, name: PRR, stations: [10, 20, 20, 30, 40, 30, 20, 20, 10, 10]}\n";
    expect_fault(line, "", "companies", "tr-fault-company-missing");
    expect_fault(line, &line.repeat(2), "id: PRR", "tr-fault-company-twice");
    expect_fault("id: CO", "id: BO", "name: C&O", "tr-fault-company-twice");
    for name in ["The Erie", "E E", "Union", "\u{c9}rie", "''"] {
        expect_fault("name: Erie", &format!("name: {name}"), "id: ERIE", "tr-fault-name");
    }
}

#[test]
fn lane_must_match_cards_and_tricks() {
    expect_fault("[E, C, E, C, E, C, E,", "[E, C, E, C, E,", "3: [", "tr-fault-lane-length");
    expect_fault("[E, C, E, C, E, C, E,", "[E, C, E, C, C, C, E,", "3: [", "tr-fault-lane-cards");
    expect_fault("[E, C, E, C, E, C, E,", "[E, C, E, C, R, C, E,", "3: [", "tr-fault-lane-cards");
    expect_fault(
        "[E, C, E, C, E, C, E,",
        "[E, C, E, \"3\", E, C, E,",
        "3: [",
        "tr-fault-lane-twice",
    );
    expect_fault_for_seats(
        4,
        "4: [E, C, E, \"3\"",
        "4: [E, C, C, \"3\"",
        "4: [",
        "tr-fault-exchanges",
    );
    expect_fault_for_seats(5, "5: [E, \"3\", E", "5: [E, \"3\", C", "5: [", "tr-fault-exchanges");
}

#[test]
fn leftmost_reservation_is_rejected() {
    let lane = "[E, C, E, C, E, C, E, \"3\", E, \"4\", R,";
    let early = "[R, C, E, C, E, C, E, \"3\", E, \"4\", E,";
    expect_fault(lane, early, "3: [", "tr-fault-reservation");
}

#[test]
fn numbers_must_suit_player_count() {
    expect_fault("hand: {3: 15, ", "hand: {", "hand", "tr-fault-players");
    expect_fault("hand: {3: 15", "hand: {3: 17", "hand", "tr-fault-hand");
    expect_fault("  \"3\": {distance: 3, cost: 40}\n", "", "locomotives", "tr-fault-locomotive");
}

#[test]
fn invalid_card_is_reported_with_line() {
    for (from, to) in [
        ("reservations:", "reservation:"),
        ("[E, C, E, C,", "[E, C, X, C,"),
        ("\"6\", R]", "inf, R]"),
        ("distance: 3", "distance: 0"),
        ("[10, 10, 10, 20,", "[10, 10, 20,"),
        ("id: BO", "id: BR"),
    ] {
        let changed = TrickOfTheRails::DEFINITION.replacen(from, to, 1);
        match game_kind::<TrickOfTheRails>().validate_and_convert_to_json(
            &changed,
            &BTreeMap::new(),
            3,
        ) {
            Err(NewGameError::Yaml(error)) => assert!(error.line > 0, "{from}: {error}"),
            other => panic!("{from}: {:?}", other.err()),
        }
    }
}

#[test]
fn teams_need_four_players() {
    let teams = BTreeMap::from([("teams".to_owned(), "true".to_owned())]);
    let check = |seats| {
        game_kind::<TrickOfTheRails>().validate_and_convert_to_json(
            TrickOfTheRails::DEFINITION,
            &teams,
            seats,
        )
    };
    assert!(check(4).is_ok());
    match check(3) {
        Err(NewGameError::Definition { reason, .. }) => assert_eq!(reason.key, "tr-fault-teams"),
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn reservation_needs_an_earlier_stock_round() {
    let shipped = "4: [E, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\", R]";
    assert!(TrickOfTheRails::DEFINITION.contains(shipped));
    let check = |lane: &str| {
        let changed = TrickOfTheRails::DEFINITION.replacen(shipped, &format!("4: [{lane}]"), 1);
        match game_kind::<TrickOfTheRails>().validate_and_convert_to_json(
            &changed,
            &BTreeMap::new(),
            4,
        ) {
            Ok(_) => Ok(()),
            Err(NewGameError::Definition { reason, .. }) => Err((reason.key, reason.args)),
            other => panic!("{lane}: {:?}", other.err()),
        }
    };
    assert_eq!(check("E, R, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\""), Ok(()));
    let first = check("R, E, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\"");
    let (key, args) = first.expect_err("nothing fills it");
    assert_eq!((key, args.get("place")), ("tr-fault-reservation", Some(&Arg::Number(1))));
}

#[test]
fn edition_debug_output_omits_cards() {
    assert_eq!(format!("{:?}", new_game(3, Options::default()).edition), "Edition(3 seats)");
}
