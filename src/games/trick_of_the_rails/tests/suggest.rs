//! Tests of the suggested orders at constructed positions.

use super::properties::play_through;
use super::*;
use crate::rules::Suggestion;
use std::collections::BTreeSet;

/// Returns the suggestions to a seat: the heading's key and the line.
fn suggestions_for(state: &State, seat: Seat) -> Vec<(&'static str, String)> {
    let all = TrickOfTheRails::suggest_lines(state, seat).into_iter();
    all.map(|one| (one.group.key, one.line)).collect()
}

fn suggested_lines(state: &State, seat: Seat, group: &str) -> Vec<String> {
    let all = suggestions_for(state, seat).into_iter().filter(|(key, _)| *key == group);
    all.map(|(_, line)| line).collect()
}

#[test]
fn suggestions_are_legal_few_and_complete() {
    for (seats, options) in [(3, Options::default()), (4, EXPERT), (5, EXPERT)] {
        play_through(seats, options, 11, |state| {
            for seat in Seat::all(seats) {
                let all = TrickOfTheRails::suggest_lines(state, seat);
                let legal = TrickOfTheRails::legal_orders(state, seat);
                let lines: BTreeSet<&str> = all.iter().map(|one| &*one.line).collect();
                assert_eq!(lines.len(), all.len(), "{all:?}");
                for one in &all {
                    assert!(play_line(state, seat, &one.line).is_ok(), "{one:?}");
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
fn lead_suggestions_span_low_and_high_cards() {
    let hand = "BO1 BO2 BO3 BO5 BO6 BO7 BO9 BO10 CO1 CO4 CO8 ERIE2 NYC3 NYC4 PRR9";
    let state = game_with_hands(&[hand, "CO2", "CO3"], &[EXCHANGE]);
    let all = suggested_lines(&state, ONE, "tr-suggest-lead");
    assert_eq!(all.len(), Suggestion::MAX);
    for end in ["play BO 1", "play BO 10", "play CO 1", "play CO 8", "play ERIE 2", "play PRR 9"] {
        assert!(all.contains(&end.to_owned()), "{end}: {all:?}");
    }
    let groups: BTreeSet<String> = TrickOfTheRails::suggest_lines(&state, ONE)
        .iter()
        .map(|one| format!("{:?}", one.group))
        .collect();
    assert_eq!(groups.len(), 5);
}

#[test]
fn follow_suggestions_separate_winning_from_losing_cards() {
    let hands = ["BO5", "BO1 BO2 BO3 BO4 BO6 BO7 BO8 CO1", "CO2 PRR3"];
    let mut state = game_with_hands(&hands, &[CITY]);
    play_lines(&mut state, &["play BO 5"]);
    assert_eq!(
        suggested_lines(&state, TWO, "tr-suggest-above"),
        ["play BO 6", "play BO 7", "play BO 8"]
    );
    let below = ["play BO 1", "play BO 2", "play BO 3", "play BO 4"];
    assert_eq!(suggested_lines(&state, TWO, "tr-suggest-below"), below);
    assert_eq!(suggestions_for(&state, ONE), []);
    play_lines(&mut state, &["play BO 6"]);
    assert_eq!(suggested_lines(&state, THREE, "tr-suggest-discard"), ["play CO 2", "play PRR 3"]);
}

#[test]
fn won_card_is_suggested_wherever_legal() {
    let lane = [CITY, lane_locomotive(Locomotive::Three)];
    let mut state = game_with_hands(&["PRR3 BO1", "PRR7 BO2", "NYC10 BO3"], &lane);
    play_lines(&mut state, &["play PRR 3", "play PRR 7", "play NYC 10"]);
    let cities = suggestions_for(&state, TWO);
    let ends = ["left", "right"].map(|end| {
        let companies = Company::ALL.map(|company| company.id());
        companies.map(|company| ("tr-suggest-city", format!("city {company} {end}")))
    });
    assert_eq!(cities, ends.concat());
    play_lines(&mut state, &["city PRR left"]);
    let ends = ["end left", "end right"].map(|line| ("tr-suggest-end", line.to_owned()));
    assert_eq!(suggestions_for(&state, TWO), ends);
    state.railways[Company::Prr].locomotive = Some(Locomotive::Four);
    let lines_of = ["end left", "end right", "end left", "play BO 2", "play BO 3", "play BO 1"];
    play_lines(&mut state, &lines_of);
    let all = ["BO", "CO", "ERIE", "NYC"].map(|company| format!("locomotive {company}"));
    assert_eq!(suggested_lines(&state, THREE, "tr-suggest-locomotive"), all);
}

#[test]
fn overfull_group_loses_its_middle_cards() {
    let led = |hand: &str| {
        let state = game_with_hands(&[hand, "CO2", "CO3"], &[EXCHANGE]);
        suggested_lines(&state, ONE, "tr-suggest-lead")
    };
    let plays = |numbers: &[u8]| -> Vec<String> {
        numbers.iter().map(|number| format!("play BO {number}")).collect()
    };
    assert_eq!(led("BO1 BO2 BO3 BO4 BO5 BO6"), plays(&[1, 2, 3, 4, 5, 6]));
    assert_eq!(led("BO1 BO2 BO3 BO4 BO5 BO6 BO7 BO8"), plays(&[1, 2, 3, 6, 7, 8]));
}
