//! Orders worth a tap, in positions that have a name.

use super::properties::walk;
use super::*;
use crate::rules::Suggestion;
use std::collections::BTreeSet;

/// What a seat is suggested: the heading's key and the line.
fn suggested(state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let all = TrickOfTheRails::suggestions(state, seat).into_iter();
    all.map(|one| (one.group.key, one.line)).collect()
}

fn lines(state: &State, seat: Seat, group: &str) -> Vec<String> {
    let all = suggested(state, seat).into_iter().filter(|(key, _)| *key == group);
    all.map(|(_, line)| line).collect()
}

#[test]
fn suggestions_are_legal_and_few_and_leave_out_nothing_for_which_there_is_room() {
    for (seats, options) in [(3, Options::default()), (4, EXPERT), (5, EXPERT)] {
        walk(seats, options, 11, |state| {
            for seat in Seat::all(seats) {
                let all = TrickOfTheRails::suggestions(state, seat);
                let legal = TrickOfTheRails::legal(state, seat);
                let lines: BTreeSet<&str> = all.iter().map(|one| &*one.line).collect();
                assert_eq!(lines.len(), all.len(), "{all:?}");
                for one in &all {
                    assert!(say(state, seat, &one.line).is_ok(), "{one:?}");
                    let alike = all.iter().filter(|other| other.group == one.group).count();
                    assert!(alike <= Suggestion::GROUP_MAX, "{all:?}");
                }
                let is_crowded = legal.len() > Suggestion::GROUP_MAX;
                assert!(all.len() == legal.len() || is_crowded && all.len() >= 6, "{all:?}");
                assert!(all.len() <= Suggestion::MAX, "{all:?}");
            }
        });
    }
}

#[test]
fn who_leads_a_large_hand_is_suggested_the_low_and_the_high_cards_of_each_company() {
    let hand = "BO1 BO2 BO3 BO5 BO6 BO7 BO9 BO10 CO1 CO4 CO8 ERIE2 NYC3 NYC4 PRR9";
    let state = table(&[hand, "CO2", "CO3"], &[EXCHANGE]);
    let all = lines(&state, ONE, "tr-suggest-lead");
    assert_eq!(all.len(), Suggestion::MAX);
    for end in ["play BO 1", "play BO 10", "play CO 1", "play CO 8", "play ERIE 2", "play PRR 9"] {
        assert!(all.contains(&end.to_owned()), "{end}: {all:?}");
    }
    let groups: BTreeSet<String> = TrickOfTheRails::suggestions(&state, ONE)
        .iter()
        .map(|one| format!("{:?}", one.group))
        .collect();
    assert_eq!(groups.len(), 5);
}

#[test]
fn who_follows_sees_what_is_highest_apart_from_what_is_not() {
    let hands = ["BO5", "BO1 BO2 BO3 BO4 BO6 BO7 BO8 CO1", "CO2 PRR3"];
    let mut state = table(&hands, &[CITY]);
    go(&mut state, &["play BO 5"]);
    assert_eq!(lines(&state, TWO, "tr-suggest-above"), ["play BO 6", "play BO 7", "play BO 8"]);
    let below = ["play BO 1", "play BO 2", "play BO 3", "play BO 4"];
    assert_eq!(lines(&state, TWO, "tr-suggest-below"), below);
    assert_eq!(suggested(&state, ONE), []);
    go(&mut state, &["play BO 6"]);
    assert_eq!(lines(&state, THREE, "tr-suggest-discard"), ["play CO 2", "play PRR 3"]);
}

#[test]
fn what_was_won_can_go_wherever_it_may() {
    let lane = [CITY, locomotive(Locomotive::Three)];
    let mut state = table(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    go(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let cities = suggested(&state, TWO);
    let ends = ["left", "right"].map(|end| {
        let companies = Company::ALL.map(|company| company.id());
        companies.map(|company| ("tr-suggest-city", format!("city {company} {end}")))
    });
    assert_eq!(cities, ends.concat());
    go(&mut state, &["city PRR left"]);
    let ends = ["end left", "end right"].map(|line| ("tr-suggest-end", line.to_owned()));
    assert_eq!(suggested(&state, TWO), ends);
    state.railways[Company::Prr].locomotive = Some(Locomotive::Four);
    let lines_of = ["end left", "end right", "end left", "play BO 2", "play BO 3", "play BO 1"];
    go(&mut state, &lines_of);
    let all = ["BO", "CO", "ERIE", "NYC"].map(|company| format!("locomotive {company}"));
    assert_eq!(lines(&state, THREE, "tr-suggest-locomotive"), all);
}

#[test]
fn a_group_that_has_room_keeps_all_its_cards_and_a_larger_one_loses_those_in_the_middle() {
    let led = |hand: &str| {
        let state = table(&[hand, "CO2", "CO3"], &[EXCHANGE]);
        lines(&state, ONE, "tr-suggest-lead")
    };
    let plays = |numbers: &[u8]| -> Vec<String> {
        numbers.iter().map(|number| format!("play BO {number}")).collect()
    };
    assert_eq!(led("BO1 BO2 BO3 BO4 BO5 BO6"), plays(&[1, 2, 3, 4, 5, 6]));
    assert_eq!(led("BO1 BO2 BO3 BO4 BO5 BO6 BO7 BO8"), plays(&[1, 2, 3, 6, 7, 8]));
}
