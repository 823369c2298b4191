//! Orders worth a tap, in positions that have a name.

use super::*;
use crate::rules::{Dice, Seed, Suggestion, Turn, Views};
use std::collections::BTreeSet;

fn suggested(state: &State, seat: Seat) -> Vec<Suggestion> {
    ParisConnection::suggestions(state, seat)
}

/// The lines that seat 1 is suggested under this heading.
fn lines(state: &State, group: &str) -> Vec<String> {
    let all = suggested(state, ONE).into_iter().filter(|one| one.group.key == group);
    all.map(|one| one.line).collect()
}

#[test]
fn suggestions_are_legal_read_as_meant_and_few_all_through_a_game() {
    for seed in 0..3 {
        let mut state = open(ParisConnection::DEFINITION, Options::default());
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        let events = ParisConnection::setup(&state, &mut dice);
        events.iter().for_each(|event| state.apply(event));
        while let Turn::Awaiting(awaited) = ParisConnection::turn(&state) {
            let seat = awaited[0];
            let all = suggested(&state, seat);
            assert!(!all.is_empty() && all.len() <= Suggestion::MAX, "{all:?}");
            let lines: BTreeSet<&str> = all.iter().map(|one| &*one.line).collect();
            assert_eq!(lines.len(), all.len(), "{all:?}");
            for one in &all {
                let alike = all.iter().filter(|other| other.group == one.group).count();
                assert!(alike <= Suggestion::GROUP_MAX, "{all:?}");
                let (after, _) = say(&state, seat, &one.line)
                    .unwrap_or_else(|refusal| panic!("{}: {refusal:?}", one.line));
                let is_end = ParisConnection::turn(&after) == Turn::Over;
                assert_eq!(is_end, one.group.key == "pc-suggest-ends", "{one:?}");
                let remarks = ParisConnection::parse(&state, seat, &one.line).unwrap().remarks;
                assert!(remarks.is_empty(), "{one:?}: {remarks:?}");
            }
            assert!(suggested(&state, seat.next(3)).is_empty());
            let legal = ParisConnection::legal(&state, seat);
            let order = dice.pick(&legal).unwrap_or_else(|| panic!("{state:?} is stuck"));
            let events = ParisConnection::decide(&state, seat, order, &mut unused_dice()).unwrap();
            events.iter().for_each(|event| state.apply(event));
        }
        assert!(Seat::all(3).all(|seat| suggested(&state, seat).is_empty()));
    }
}

#[test]
fn a_dear_city_within_reach_is_suggested_by_itself_and_with_what_lies_behind_it() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23", "H24", "I25", "J26", "K25", "L26"]);
    let builds = lines(&state, "pc-suggest-build");
    assert_eq!(builds[1], "build red Lyon");
    assert!(builds[0].starts_with("build red Lyon "), "{builds:?}");
    assert!(builds.iter().any(|line| line.starts_with("build blue ")), "{builds:?}");
}

#[test]
fn the_company_of_which_one_holds_most_is_suggested_first() {
    let mut state = game();
    state.portfolios[0].shares = ByColour::from_fn(|colour| match colour {
        Colour::Brown => 7,
        Colour::Black => 2,
        _ => 0,
    });
    let builds = lines(&state, "pc-suggest-build");
    assert!(builds[0].starts_with("build brown "), "{builds:?}");
    assert!(builds.iter().all(|line| line.contains("brown") || line.contains("black")));
}

#[test]
fn where_no_city_is_within_reach_a_build_goes_towards_one() {
    let mut state = game();
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    state.supply[Colour::Red] = 1;
    // One step from the Gare de Lyon lies no city; two lie behind that step.
    let builds = lines(&state, "pc-suggest-build");
    assert!(["build red G23", "build red H22"].contains(&&*builds[0]), "{builds:?}");
    assert_eq!(builds.len(), 1);
}

#[test]
fn who_holds_nothing_that_can_be_built_is_suggested_to_build_something_else() {
    let mut state = game();
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    state.supply[Colour::Red] = 0;
    let builds = lines(&state, "pc-suggest-build");
    assert!(!builds.is_empty() && builds.iter().all(|line| !line.contains("red")), "{builds:?}");
}

#[test]
fn what_ends_the_game_stands_apart_and_last() {
    let mut state = game();
    put(&mut state, Colour::Red, &["R28"]);
    let all = suggested(&state, ONE);
    let last = all.last().expect("there is one");
    assert_eq!((last.group.key, &*last.line), ("pc-suggest-ends", "build red Marseille"));
}

#[test]
fn a_trade_gives_what_is_worth_least_for_two_of_what_is_worth_most() {
    let mut state = game();
    state.values[Colour::Purple] = 9;
    state.values[Colour::Blue] = 4;
    let trades = lines(&state, "pc-suggest-trade");
    assert_eq!(trades, ["trade black for 2 purple", "trade black for 2 blue"]);
}

#[test]
fn nobody_is_suggested_to_pass_the_limit_or_to_lose_by_a_trade() {
    let mut state = game();
    state.values = ByColour::from_fn(|colour| if colour == Colour::Red { 9 } else { 2 });
    state.portfolios[0].shares = ByColour::from_fn(|_| 3);
    state.portfolios[0].shares[Colour::Blue] = 5;
    let trades = lines(&state, "pc-suggest-trade");
    assert!(trades.iter().all(|line| line.contains(" for 1 ")), "{trades:?}");
    assert!(trades.iter().all(|line| !line.starts_with("trade red")), "{trades:?}");
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    assert_eq!(lines(&state, "pc-suggest-trade"), [] as [String; 0]);
}

#[test]
fn a_city_whose_name_would_be_read_otherwise_is_told_by_its_hex() {
    let named_red = ParisConnection::DEFINITION.replace("name: Troyes", "name: Red");
    let mut state =
        dealt(open(&named_red, Options::default()), ["E21", "F22", "G21", "G19", "F18", "E19"]);
    put(&mut state, Colour::Red, &["G23"]);
    for one in suggested(&state, ONE) {
        let read = say(&state, ONE, &one.line);
        assert!(read.is_ok(), "{one:?}: {read:?}");
    }
    assert!(lines(&state, "pc-suggest-build").iter().any(|line| line.contains("G25")));
}

#[test]
fn a_second_share_is_suggested_where_it_is_worth_more_than_the_penalty_for_it() {
    let suggested = |held: u8, value: u16| {
        let mut state = game();
        state.values = ByColour::from_fn(|colour| if colour == Colour::Red { value } else { 5 });
        state.portfolios[0].shares = ByColour::default();
        state.portfolios[0].shares[Colour::Blue] = held;
        lines(&state, "pc-suggest-trade").first().cloned()
    };
    // Twenty shares cost nothing, the next one twenty points.
    let (one, two) = ("trade blue for 1 red", "trade blue for 2 red");
    assert_eq!(suggested(20, 19).as_deref(), Some(one));
    assert_eq!(suggested(20, 21).as_deref(), Some(two));
    assert_eq!(suggested(19, 6).as_deref(), Some(two));
    assert_eq!(suggested(22, 9).as_deref(), Some(one));
}

#[test]
fn towards_a_city_that_is_far_away_a_whole_build_is_suggested_and_one_locomotive_of_it() {
    let mut state = game();
    // Only Marseille and Bayonne are free.
    let cities = state.board.map.cities.iter().map(|city| city.hex.to_string());
    let near: Vec<String> = cities.filter(|hex| hex != "S29" && hex != "S9").collect();
    put(&mut state, Colour::Black, &near.iter().map(String::as_str).collect::<Vec<_>>());
    state.supply[Colour::Black] = 20;
    state.portfolios[0].shares = ByColour::from_fn(|c| u8::from(c == Colour::Red) * 10);
    let builds = lines(&state, "pc-suggest-build");
    let [all, one] = &builds[..] else { panic!("{builds:?}") };
    assert_eq!((all.split(' ').count(), one.split(' ').count()), (2 + 5, 2 + 1));
    assert!(all.starts_with(one), "{builds:?}");
}
