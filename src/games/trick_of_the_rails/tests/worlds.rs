//! What the others may hold, for all that a viewer has seen.

use super::*;
use crate::rules::Viewer;
use std::collections::BTreeMap;

/// Seat 1 leads a B&O, seat 2 follows and seat 3 cannot: two cards are left to it, three to seat 2,
/// and none of seat 3's is a B&O.
fn one_void() -> State {
    let hands = ["BO1 PRR1", "BO2 BO3 CO1 ERIE1", "CO2 CO3 NYC1"];
    let lane = [LaneCard::City(0), LaneCard::Exchange(Company::Bo)];
    let mut state = table(&hands, &lane);
    for (seat, name) in [(ONE, "BO1"), (TWO, "BO2"), (THREE, "CO2")] {
        state.apply(&Event::Played { seat, card: card(name) });
    }
    state
}

#[test]
fn who_did_not_follow_holds_no_card_to_follow_with() {
    let state = one_void();
    assert!(state.is_void(THREE, Company::Bo) && !state.is_void(TWO, Company::Bo));
    let mut dice = Dice::new(&Seed::rehearsal(1), 0);
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        for _ in 0..200 {
            let world = TrickOfTheRails::redeal(&state, viewer, &mut dice);
            assert!(world.hand(THREE).of(Company::Bo).is_empty(), "{:?}", world.hands);
        }
    }
}

#[test]
fn every_hand_that_the_tricks_allow_is_as_likely() {
    const DEALS: u32 = 6_000;
    let state = one_void();
    let mut dice = Dice::new(&Seed::rehearsal(2), 0);
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..DEALS {
        let world = TrickOfTheRails::redeal(&state, Viewer::Seat(ONE), &mut dice);
        assert_eq!(world.hand(ONE), state.hand(ONE));
        *seen.entry(format!("{:?}", world.hand(THREE))).or_default() += 1;
    }
    // Two of the four cards that are no B&O: six hands.
    let due = DEALS / 6;
    let off = |&count: &u32| f64::from(count.abs_diff(due)).powi(2) / f64::from(due);
    let chi_square: f64 = seen.values().map(off).sum();
    assert!(seen.len() == 6 && chi_square < 20.5, "{chi_square}: {seen:?}");
}

#[test]
fn the_log_of_another_world_deals_what_is_held_there() {
    let state = one_void();
    let mut dice = Dice::new(&Seed::rehearsal(3), 0);
    let world = TrickOfTheRails::redeal(&state, Viewer::Seat(ONE), &mut dice);
    let mut retell = |seat, names| {
        let dealt = Event::Dealt { seat, cards: cards(names) };
        match TrickOfTheRails::redeal_event(&world, &dealt, Viewer::Seat(ONE), &mut dice) {
            Event::Dealt { cards, .. } => cards,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(retell(ONE, "BO1 PRR1"), cards("BO1 PRR1"));
    let three: CardSet = world.hand(THREE).iter().chain([card("CO2")]).collect();
    assert_eq!(retell(THREE, "CO2 CO3 NYC1"), three);
}
