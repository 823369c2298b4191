//! Tests of the determinization: the hands that the others may hold.

use super::*;
use crate::rules::Viewer;
use std::collections::BTreeMap;

/// Creates a game in which seat 1 has led a B&O card, seat 2 has followed, and seat 3 could not.
/// Seat 3 has two cards left, none of them a B&O card, and seat 2 has three.
fn game_with_void_seat() -> State {
    let hands = ["BO1 PRR1", "BO2 BO3 CO1 ERIE1", "CO2 CO3 NYC1"];
    let lane = [LaneCard::City(0), LaneCard::Exchange(Company::Bo)];
    let mut state = game_with_hands(&hands, &lane);
    for (seat, name) in [(ONE, "BO1"), (TWO, "BO2"), (THREE, "CO2")] {
        state.apply(&Event::Played { seat, card: card(name) });
    }
    state
}

#[test]
fn redealt_hand_respects_known_voids() {
    let state = game_with_void_seat();
    assert!(state.is_void(THREE, Company::Bo) && !state.is_void(TWO, Company::Bo));
    let mut dice = Dice::new(&Seed::from_number(1), 0);
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        for _ in 0..200 {
            let determinization = TrickOfTheRails::redeal(&state, viewer, &mut dice);
            assert!(
                determinization.hand_of(THREE).of_company(Company::Bo).is_empty(),
                "{:?}",
                determinization.hands
            );
        }
    }
}

#[test]
fn redealt_hands_are_uniform() {
    const DEALS: u32 = 6_000;
    let state = game_with_void_seat();
    let mut dice = Dice::new(&Seed::from_number(2), 0);
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..DEALS {
        let determinization = TrickOfTheRails::redeal(&state, Viewer::Seat(ONE), &mut dice);
        assert_eq!(determinization.hand_of(ONE), state.hand_of(ONE));
        *seen.entry(format!("{:?}", determinization.hand_of(THREE))).or_default() += 1;
    }
    // Seat 3 holds two of the four cards that are not B&O cards, so it has six possible hands.
    let due = DEALS / 6;
    let off = |&count: &u32| f64::from(count.abs_diff(due)).powi(2) / f64::from(due);
    let chi_square: f64 = seen.values().map(off).sum();
    assert!(seen.len() == 6 && chi_square < 20.5, "{chi_square}: {seen:?}");
}

#[test]
fn redealt_events_deal_redealt_hands() {
    let state = game_with_void_seat();
    let mut dice = Dice::new(&Seed::from_number(3), 0);
    let determinization = TrickOfTheRails::redeal(&state, Viewer::Seat(ONE), &mut dice);
    let mut retell = |seat, names| {
        let dealt = Event::Dealt { seat, cards: cards(names) };
        match TrickOfTheRails::event_in_determinization(
            &determinization,
            &dealt,
            Viewer::Seat(ONE),
            &mut dice,
        ) {
            Event::Dealt { cards, .. } => cards,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(retell(ONE, "BO1 PRR1"), cards("BO1 PRR1"));
    let three: CardSet = determinization.hand_of(THREE).iter().chain([card("CO2")]).collect();
    assert_eq!(retell(THREE, "CO2 CO3 NYC1"), three);
}
