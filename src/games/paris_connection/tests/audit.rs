//! Tests of the hidden information, and of the audit in positions that no orders lead to.

use super::*;
use crate::games::paris_connection::hex::HexSet;
use crate::games::paris_connection::state::{Build, Phase};
use crate::rules::{Dice, Seed, Viewer};

const TWO: Seat = Seat::new(2);

fn audit_after(breaks: impl Fn(&mut State)) -> Result<(), String> {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23", "G25"]);
    breaks(&mut state);
    ParisConnection::check_every_piece_placed(&state)
}

fn audit_error(text: &str) -> Result<(), String> {
    Err(text.to_owned())
}

#[test]
fn audit_finds_missing_locomotives_and_points() {
    assert_eq!(audit_after(|_| {}), Ok(()));
    assert_eq!(
        audit_after(|state| state.supply[Colour::Blue] -= 1),
        audit_error("there are 30 blue locomotives")
    );
    assert_eq!(
        audit_after(|state| state.portfolios[2].shares[Colour::Black] += 1),
        audit_error("there are 32 black locomotives")
    );
    assert_eq!(
        audit_after(|state| state.values[Colour::Red] = 2),
        audit_error("red is worth 1, not 2")
    );
}

#[test]
fn audit_finds_wrong_start_or_cut_off_company() {
    let no_start = "blue does not stand on one start hex";
    let leave = |state: &mut State| state.locomotives[Colour::Blue] = HexSet::EMPTY;
    assert_eq!(audit_after(leave), audit_error(no_start));
    let take_two = |state: &mut State| {
        let second = state.locomotives[Colour::Yellow];
        state.locomotives[Colour::Blue] = state.locomotives[Colour::Blue].or(second);
    };
    assert_eq!(audit_after(take_two), audit_error(no_start));
    let cut_off = |state: &mut State| state.lifelines[Colour::Blue] = HexSet::EMPTY;
    assert_eq!(audit_after(cut_off), audit_error("blue is cut off"));
    // Before the deal, no locomotive is on the map.
    let unopened = new_game(ParisConnection::DEFINITION, Options::default());
    assert_eq!(unopened.phase, Phase::Unopened);
    assert_eq!(ParisConnection::check_every_piece_placed(&unopened), Ok(()));
}

#[test]
fn audit_finds_overfull_hex() {
    let too_many = || audit_error("a hex holds more locomotives than it can");
    let two_in_a_city = |state: &mut State| place_locomotives(state, Colour::Blue, &["G25"]);
    assert_eq!(audit_after(two_in_a_city), too_many());
    let two_in_the_country = |state: &mut State| place_locomotives(state, Colour::Blue, &["G23"]);
    assert_eq!(audit_after(two_in_the_country), Ok(()));
    let three_in_the_country = |state: &mut State| {
        place_locomotives(state, Colour::Blue, &["G23"]);
        place_locomotives(state, Colour::Black, &["G23"]);
    };
    assert_eq!(audit_after(three_in_the_country), too_many());
    let off_the_map = |state: &mut State| {
        state.locomotives[Colour::Red].insert(250);
        state.supply[Colour::Red] -= 1;
    };
    assert_eq!(audit_after(off_the_map), too_many());
}

#[test]
fn audit_finds_overlong_build() {
    let build = |placed| Some(Build { colour: Colour::Red, placed });
    assert_eq!(audit_after(|state| state.build = build(5)), Ok(()));
    assert_eq!(audit_after(|state| state.build = build(6)), audit_error("a build is too long"));
}

#[test]
fn audit_finds_impossible_shares() {
    let cannot = || audit_error("seat 2 cannot hold what it holds");
    assert_eq!(audit_after(|state| state.portfolios[1].proven[Colour::Blue] = 2), Ok(()));
    assert_eq!(audit_after(|state| state.portfolios[1].proven[Colour::Blue] = 3), cannot());
    // A trade never reduces the total number of shares.
    let fewer = |state: &mut State| {
        state.portfolios[1].shares[Colour::Blue] -= 1;
        state.supply[Colour::Blue] += 1;
    };
    assert_eq!(audit_after(fewer), cannot());
}

#[test]
fn trade_reveals_only_unproven_share() {
    let traded = |give, take| Event::Traded { seat: TWO, give, take, count: 1 };
    let gives_blue = traded(Colour::Blue, Colour::Red);
    let mut state = dealt_game();
    assert!(ParisConnection::reveals_to_others(&state, &gives_blue));
    // Everyone has seen that the seat took this share.
    state.apply(&traded(Colour::Red, Colour::Blue));
    assert!(!ParisConnection::reveals_to_others(&state, &gives_blue));
    state.apply(&gives_blue);
    // The next blue share must be from the deal again.
    assert!(ParisConnection::reveals_to_others(&state, &gives_blue));
    assert!(!ParisConnection::reveals_to_others(&state, &Event::Turn { seat: TWO }));
}

#[test]
fn no_order_is_secret_or_hidden() {
    let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 };
    let place = Order::Place { colour: Colour::Red, hex: hex("G23") };
    for order in [trade, place, Order::Stop] {
        assert!(
            !ParisConnection::is_secret(&order) && !ParisConnection::has_hidden_content(&order)
        );
    }
}

#[test]
fn redealt_event_shows_redealt_shares() {
    let state = dealt_game();
    let mut determinization = state.clone();
    determinization.portfolios[1].dealt =
        ByColour::from_fn(|colour| u8::from(colour == Colour::Red) * 10);
    let dealt = |determinization: &State| {
        let shares = determinization.portfolios[1].dealt;
        Event::Dealt { seat: TWO, shares }
    };
    let mut dice = Dice::new(&Seed::from_number(1), 0);
    let mut as_seen = |event: &Event, viewer| {
        ParisConnection::event_in_determinization(&determinization, event, viewer, &mut dice)
    };
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        assert_eq!(as_seen(&dealt(&state), viewer), dealt(&determinization));
    }
    assert_eq!(as_seen(&dealt(&state), Viewer::Seat(TWO)), dealt(&state));
    let open = Event::Traded { seat: TWO, give: Colour::Red, take: Colour::Blue, count: 1 };
    assert_eq!(as_seen(&open, Viewer::Public), open);
}

#[test]
fn only_exhausted_build_is_publicly_forced() {
    let mut state = dealt_game();
    assert_eq!(ParisConnection::publicly_only_legal_order(&state, ONE), None);
    state.supply[Colour::Red] = 1;
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(ParisConnection::publicly_only_legal_order(&state, ONE), Some(Order::Stop));
    // Only one trade is left, but only its player knows that.
    let mut state = dealt_game();
    state.supply = ByColour::from_fn(|colour| u8::from(colour == Colour::Red));
    state.portfolios[0].shares = ByColour::from_fn(|colour| u8::from(colour == Colour::Blue));
    let full = state.board.land;
    for colour in [Colour::Red, Colour::Yellow] {
        state.locomotives[colour] = full;
    }
    assert_eq!(ParisConnection::legal_orders(&state, ONE).len(), 1);
    assert_eq!(ParisConnection::publicly_only_legal_order(&state, ONE), None);
}

#[test]
fn decide_refuses_other_seat_and_idle_stop() {
    let state = dealt_game();
    let key = |seat, order| {
        ParisConnection::decide(&state, seat, &order, &mut throwaway_dice())
            .map_err(|refusal| refusal.reason.key)
    };
    let place = Order::Place { colour: Colour::Red, hex: hex("G23") };
    assert_eq!(key(TWO, place), Err("not-your-turn"));
    assert_eq!(key(ONE, Order::Stop), Err("pc-nothing-begun"));
    assert!(ParisConnection::legal_orders(&state, TWO).is_empty());
}
