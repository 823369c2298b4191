//! Tests of the suggested orders at constructed positions.

use super::*;
use crate::rules::{Dice, Seed, Suggestion, Turn, Views};
use std::collections::BTreeSet;

fn suggestions_for(state: &State, seat: Seat) -> Vec<Suggestion> {
    ParisConnection::suggest_lines(state, seat)
}

/// Returns the lines that are suggested to seat 1 under this heading.
fn suggested_lines(state: &State, group: &str) -> Vec<String> {
    let all = suggestions_for(state, ONE).into_iter().filter(|one| one.group.key == group);
    all.map(|one| one.line).collect()
}

#[test]
fn suggestions_are_legal_unambiguous_and_few() {
    for seed in 0..3 {
        let mut state = new_game(ParisConnection::DEFINITION, Options::default());
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        let events = ParisConnection::setup(&state, &mut dice);
        events.iter().for_each(|event| state.apply(event));
        while let Turn::Awaiting(awaited) = ParisConnection::turn(&state) {
            let seat = awaited[0];
            let all = suggestions_for(&state, seat);
            assert!(!all.is_empty() && all.len() <= Suggestion::MAX, "{all:?}");
            let lines: BTreeSet<&str> = all.iter().map(|one| &*one.line).collect();
            assert_eq!(lines.len(), all.len(), "{all:?}");
            for one in &all {
                let alike = all.iter().filter(|other| other.group == one.group).count();
                assert!(alike <= Suggestion::GROUP_MAX, "{all:?}");
                let (after, _) = play_line(&state, seat, &one.line)
                    .unwrap_or_else(|refusal| panic!("{}: {refusal:?}", one.line));
                let is_end = ParisConnection::turn(&after) == Turn::Over;
                assert_eq!(is_end, one.group.key == "pc-suggest-ends", "{one:?}");
                let remarks = ParisConnection::parse_line(&state, seat, &one.line).unwrap().remarks;
                assert!(remarks.is_empty(), "{one:?}: {remarks:?}");
            }
            assert!(suggestions_for(&state, seat.next(3)).is_empty());
            let legal = ParisConnection::legal_orders(&state, seat);
            let order = dice.pick(&legal).unwrap_or_else(|| panic!("{state:?} is stuck"));
            let events =
                ParisConnection::decide(&state, seat, order, &mut throwaway_dice()).unwrap();
            events.iter().for_each(|event| state.apply(event));
        }
        assert!(Seat::all(3).all(|seat| suggestions_for(&state, seat).is_empty()));
    }
}

#[test]
fn valuable_city_is_suggested_alone_and_extended() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23", "H24", "I25", "J26", "K25", "L26"]);
    let builds = suggested_lines(&state, "pc-suggest-build");
    assert_eq!(builds[1], "build red Lyon");
    assert!(builds[0].starts_with("build red Lyon "), "{builds:?}");
    assert!(builds.iter().any(|line| line.starts_with("build blue ")), "{builds:?}");
}

#[test]
fn most_held_company_is_suggested_first() {
    let mut state = dealt_game();
    state.portfolios[0].shares = ByColour::from_fn(|colour| match colour {
        Colour::Brown => 7,
        Colour::Black => 2,
        _ => 0,
    });
    let builds = suggested_lines(&state, "pc-suggest-build");
    assert!(builds[0].starts_with("build brown "), "{builds:?}");
    assert!(builds.iter().all(|line| line.contains("brown") || line.contains("black")));
}

#[test]
fn build_towards_unreachable_city_is_suggested() {
    let mut state = dealt_game();
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    state.supply[Colour::Red] = 1;
    // No city is one step from the Gare de Lyon, but two are two steps away.
    let builds = suggested_lines(&state, "pc-suggest-build");
    assert!(["build red G23", "build red H22"].contains(&&*builds[0]), "{builds:?}");
    assert_eq!(builds.len(), 1);
}

#[test]
fn other_company_is_suggested_if_own_cannot_build() {
    let mut state = dealt_game();
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    state.supply[Colour::Red] = 0;
    let builds = suggested_lines(&state, "pc-suggest-build");
    assert!(!builds.is_empty() && builds.iter().all(|line| !line.contains("red")), "{builds:?}");
}

#[test]
fn game_ending_suggestion_comes_last() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["R28"]);
    let all = suggestions_for(&state, ONE);
    let last = all.last().expect("there is one");
    assert_eq!((last.group.key, &*last.line), ("pc-suggest-ends", "build red Marseille"));
}

#[test]
fn suggested_trade_gives_cheapest_for_two_dearest() {
    let mut state = dealt_game();
    state.values[Colour::Purple] = 9;
    state.values[Colour::Blue] = 4;
    let trades = suggested_lines(&state, "pc-suggest-trade");
    assert_eq!(trades, ["trade black for 2 purple", "trade black for 2 blue"]);
}

#[test]
fn suggested_trade_never_loses_points() {
    let mut state = dealt_game();
    state.values = ByColour::from_fn(|colour| if colour == Colour::Red { 9 } else { 2 });
    state.portfolios[0].shares = ByColour::from_fn(|_| 3);
    state.portfolios[0].shares[Colour::Blue] = 5;
    let trades = suggested_lines(&state, "pc-suggest-trade");
    assert!(trades.iter().all(|line| line.contains(" for 1 ")), "{trades:?}");
    assert!(trades.iter().all(|line| !line.starts_with("trade red")), "{trades:?}");
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    assert_eq!(suggested_lines(&state, "pc-suggest-trade"), [] as [String; 0]);
}

#[test]
fn misreadable_city_is_suggested_by_hex() {
    let named_red = ParisConnection::DEFINITION.replace("name: Troyes", "name: Red");
    let mut state = deal_at_starts(
        new_game(&named_red, Options::default()),
        ["E21", "F22", "G21", "G19", "F18", "E19"],
    );
    place_locomotives(&mut state, Colour::Red, &["G23"]);
    for one in suggestions_for(&state, ONE) {
        let read = play_line(&state, ONE, &one.line);
        assert!(read.is_ok(), "{one:?}: {read:?}");
    }
    assert!(suggested_lines(&state, "pc-suggest-build").iter().any(|line| line.contains("G25")));
}

#[test]
fn second_share_is_suggested_if_above_penalty() {
    let suggested = |held: u8, value: u16| {
        let mut state = dealt_game();
        state.values = ByColour::from_fn(|colour| if colour == Colour::Red { value } else { 5 });
        state.portfolios[0].shares = ByColour::default();
        state.portfolios[0].shares[Colour::Blue] = held;
        suggested_lines(&state, "pc-suggest-trade").first().cloned()
    };
    // 20 shares are free of a penalty, and each further one costs 20 points.
    let (one, two) = ("trade blue for 1 red", "trade blue for 2 red");
    assert_eq!(suggested(20, 19).as_deref(), Some(one));
    assert_eq!(suggested(20, 21).as_deref(), Some(two));
    assert_eq!(suggested(19, 6).as_deref(), Some(two));
    assert_eq!(suggested(22, 9).as_deref(), Some(one));
}

#[test]
fn far_city_suggests_full_build_and_one_locomotive() {
    let mut state = dealt_game();
    // Only Marseille and Bayonne are free.
    let cities = state.board.map.cities.iter().map(|city| city.hex.to_string());
    let near: Vec<String> = cities.filter(|hex| hex != "S29" && hex != "S9").collect();
    place_locomotives(
        &mut state,
        Colour::Black,
        &near.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    state.supply[Colour::Black] = 20;
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    let builds = suggested_lines(&state, "pc-suggest-build");
    let [all, one] = &builds[..] else { panic!("{builds:?}") };
    assert_eq!((all.split(' ').count(), one.split(' ').count()), (2 + 5, 2 + 1));
    assert!(all.starts_with(one), "{builds:?}");
}
