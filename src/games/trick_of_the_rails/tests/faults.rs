//! Definitions and options that cannot be.

use super::*;
use crate::rules::{OpenError, entry};
use std::collections::BTreeMap;

/// That the definition, changed so, is refused for this reason near this text.
fn fails(from: &str, to: &str, near: &str, key: &str) {
    fails_for(3, from, to, near, key);
}

fn fails_for(seats: u8, from: &str, to: &str, near: &str, key: &str) {
    let definition = TrickOfTheRails::DEFINITION;
    assert!(definition.contains(from), "{from}");
    let changed = definition.replacen(from, to, 1);
    match entry::<TrickOfTheRails>().validate(&changed, &BTreeMap::new(), seats) {
        Err(OpenError::Definition { reason, line }) => {
            assert_eq!(reason.key, key);
            let there = changed.lines().nth(line.saturating_sub(1)).unwrap_or_default();
            assert!(line > 0 && there.contains(near), "{key}: line {line}: {there}");
        }
        other => panic!("{key}: {:?}", other.err()),
    }
}

#[test]
fn every_company_is_there_once() {
    let line = "  - {id: PRR, name: PRR, stations: [10, 20, 20, 30, 40, 30, 20, 20, 10, 10]}\n";
    fails(line, "", "companies", "tr-fault-company-missing");
    fails(line, &line.repeat(2), "id: PRR", "tr-fault-company-twice");
    fails("id: CO", "id: BO", "name: C&O", "tr-fault-company-twice");
    for name in ["The Erie", "E E", "Union", "\u{c9}rie", "''"] {
        fails("name: Erie", &format!("name: {name}"), "id: ERIE", "tr-fault-name");
    }
}

#[test]
fn the_lane_has_a_card_for_each_place_and_a_place_for_each_trick() {
    fails("[E, C, E, C, E, C, E,", "[E, C, E, C, E,", "3: [", "tr-fault-lane-length");
    fails("[E, C, E, C, E, C, E,", "[E, C, E, C, C, C, E,", "3: [", "tr-fault-lane-cards");
    fails("[E, C, E, C, E, C, E,", "[E, C, E, C, R, C, E,", "3: [", "tr-fault-lane-cards");
    fails("[E, C, E, C, E, C, E,", "[E, C, E, \"3\", E, C, E,", "3: [", "tr-fault-lane-twice");
    fails_for(4, "4: [E, C, E, \"3\"", "4: [E, C, C, \"3\"", "4: [", "tr-fault-exchanges");
    fails_for(5, "5: [E, \"3\", E", "5: [E, \"3\", C", "5: [", "tr-fault-exchanges");
}

#[test]
fn a_reservation_is_filled_before_it_is_leftmost() {
    let lane = "[E, C, E, C, E, C, E, \"3\", E, \"4\", R,";
    let early = "[R, C, E, C, E, C, E, \"3\", E, \"4\", E,";
    fails(lane, early, "3: [", "tr-fault-reservation");
}

#[test]
fn the_numbers_suit_the_players() {
    fails("hand: {3: 15, ", "hand: {", "hand", "tr-fault-players");
    fails("hand: {3: 15", "hand: {3: 17", "hand", "tr-fault-hand");
    fails("  \"3\": {distance: 3, cost: 40}\n", "", "locomotives", "tr-fault-locomotive");
}

#[test]
fn what_is_no_card_is_named_with_its_line() {
    for (from, to) in [
        ("reservations:", "reservation:"),
        ("[E, C, E, C,", "[E, C, X, C,"),
        ("\"6\", R]", "inf, R]"),
        ("distance: 3", "distance: 0"),
        ("[10, 10, 10, 20,", "[10, 10, 20,"),
        ("id: BO", "id: BR"),
    ] {
        let changed = TrickOfTheRails::DEFINITION.replacen(from, to, 1);
        match entry::<TrickOfTheRails>().validate(&changed, &BTreeMap::new(), 3) {
            Err(OpenError::Yaml(error)) => assert!(error.line > 0, "{from}: {error}"),
            other => panic!("{from}: {:?}", other.err()),
        }
    }
}

#[test]
fn teams_are_for_four() {
    let teams = BTreeMap::from([("teams".to_owned(), "true".to_owned())]);
    let check =
        |seats| entry::<TrickOfTheRails>().validate(TrickOfTheRails::DEFINITION, &teams, seats);
    assert!(check(4).is_ok());
    match check(3) {
        Err(OpenError::Definition { reason, .. }) => assert_eq!(reason.key, "tr-fault-teams"),
        other => panic!("{:?}", other.err()),
    }
}

#[test]
fn a_reservation_may_come_as_soon_as_one_stock_round_can_fill_it() {
    let shipped = "4: [E, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\", R]";
    assert!(TrickOfTheRails::DEFINITION.contains(shipped));
    let check = |lane: &str| {
        let changed = TrickOfTheRails::DEFINITION.replacen(shipped, &format!("4: [{lane}]"), 1);
        match entry::<TrickOfTheRails>().validate(&changed, &BTreeMap::new(), 4) {
            Ok(_) => Ok(()),
            Err(OpenError::Definition { reason, .. }) => Err((reason.key, reason.args)),
            other => panic!("{lane}: {:?}", other.err()),
        }
    };
    assert_eq!(check("E, R, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\""), Ok(()));
    let first = check("R, E, C, E, \"3\", E, \"4\", E, \"5\", E, \"6\"");
    let (key, args) = first.expect_err("nothing fills it");
    assert_eq!((key, args.get("place")), ("tr-fault-reservation", Some(&Arg::Number(1))));
}

#[test]
fn what_a_test_prints_of_an_edition_is_not_all_its_cards() {
    assert_eq!(format!("{:?}", open(3, Options::default()).edition), "Edition(3 seats)");
}
