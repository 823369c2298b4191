//! What nobody may be told, and what the audit finds in a position that no orders lead to.

use super::*;
use crate::games::paris_connection::hex::HexSet;
use crate::games::paris_connection::state::{Build, Phase};
use crate::rules::{Dice, Seed, Viewer};

const TWO: Seat = Seat::new(2);

/// What the audit says of a game that went like this.
fn audited(breaks: impl Fn(&mut State)) -> Result<(), String> {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23", "G25"]);
    breaks(&mut state);
    ParisConnection::audit(&state)
}

fn found(text: &str) -> Result<(), String> {
    Err(text.to_owned())
}

#[test]
fn the_audit_misses_no_locomotive_and_no_point() {
    assert_eq!(audited(|_| {}), Ok(()));
    assert_eq!(
        audited(|state| state.supply[Colour::Blue] -= 1),
        found("there are 30 blue locomotives")
    );
    assert_eq!(
        audited(|state| state.portfolios[2].shares[Colour::Black] += 1),
        found("there are 32 black locomotives")
    );
    assert_eq!(audited(|state| state.values[Colour::Red] = 2), found("red is worth 1, not 2"));
}

#[test]
fn the_audit_wants_each_company_on_one_start_hex_with_a_city_or_a_way_to_one() {
    let no_start = "blue does not stand on one start hex";
    let leave = |state: &mut State| state.locomotives[Colour::Blue] = HexSet::EMPTY;
    assert_eq!(audited(leave), found(no_start));
    let take_two = |state: &mut State| {
        let second = state.locomotives[Colour::Yellow];
        state.locomotives[Colour::Blue] = state.locomotives[Colour::Blue].or(second);
    };
    assert_eq!(audited(take_two), found(no_start));
    let cut_off = |state: &mut State| state.lifelines[Colour::Blue] = HexSet::EMPTY;
    assert_eq!(audited(cut_off), found("blue is cut off"));
    // Before the deal nothing stands anywhere yet.
    let unopened = open(ParisConnection::DEFINITION, Options::default());
    assert_eq!(unopened.phase, Phase::Unopened);
    assert_eq!(ParisConnection::audit(&unopened), Ok(()));
}

#[test]
fn the_audit_finds_a_hex_that_holds_too_much() {
    let too_many = || found("a hex holds more locomotives than it can");
    let two_in_a_city = |state: &mut State| put(state, Colour::Blue, &["G25"]);
    assert_eq!(audited(two_in_a_city), too_many());
    let two_in_the_country = |state: &mut State| put(state, Colour::Blue, &["G23"]);
    assert_eq!(audited(two_in_the_country), Ok(()));
    let three_in_the_country = |state: &mut State| {
        put(state, Colour::Blue, &["G23"]);
        put(state, Colour::Black, &["G23"]);
    };
    assert_eq!(audited(three_in_the_country), too_many());
    let off_the_map = |state: &mut State| {
        state.locomotives[Colour::Red].insert(250);
        state.supply[Colour::Red] -= 1;
    };
    assert_eq!(audited(off_the_map), too_many());
}

#[test]
fn the_audit_finds_a_build_that_is_too_long() {
    let build = |placed| Some(Build { colour: Colour::Red, placed });
    assert_eq!(audited(|state| state.build = build(5)), Ok(()));
    assert_eq!(audited(|state| state.build = build(6)), found("a build is too long"));
}

#[test]
fn the_audit_finds_shares_that_cannot_be_held() {
    let cannot = || found("seat 2 cannot hold what it holds");
    assert_eq!(audited(|state| state.portfolios[1].proven[Colour::Blue] = 2), Ok(()));
    assert_eq!(audited(|state| state.portfolios[1].proven[Colour::Blue] = 3), cannot());
    // A trade never makes shares fewer.
    let fewer = |state: &mut State| {
        state.portfolios[1].shares[Colour::Blue] -= 1;
        state.supply[Colour::Blue] += 1;
    };
    assert_eq!(audited(fewer), cannot());
}

#[test]
fn a_share_turns_up_when_nobody_could_know_that_its_holder_had_it() {
    let traded = |give, take| Event::Traded { seat: TWO, give, take, count: 1 };
    let gives_blue = traded(Colour::Blue, Colour::Red);
    let mut state = game();
    assert!(ParisConnection::turns_up(&state, &gives_blue));
    // All have seen it taken.
    state.apply(&traded(Colour::Red, Colour::Blue));
    assert!(!ParisConnection::turns_up(&state, &gives_blue));
    state.apply(&gives_blue);
    // The next is one of the deal again.
    assert!(ParisConnection::turns_up(&state, &gives_blue));
    assert!(!ParisConnection::turns_up(&state, &Event::Turn { seat: TWO }));
}

#[test]
fn nothing_that_is_ordered_is_kept_from_the_others() {
    let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 };
    let place = Order::Place { colour: Colour::Red, hex: hex("G23") };
    for order in [trade, place, Order::Stop] {
        assert!(!ParisConnection::is_secret(&order) && !ParisConnection::is_covert(&order));
    }
}

#[test]
fn in_another_world_the_others_were_dealt_what_they_hold_there() {
    let state = game();
    let mut world = state.clone();
    world.portfolios[1].dealt = ByColour::from_fn(|colour| u8::from(colour == Colour::Red) * 10);
    let dealt = |world: &State| {
        let shares = world.portfolios[1].dealt;
        Event::Dealt { seat: TWO, shares }
    };
    let mut dice = Dice::new(&Seed::rehearsal(1), 0);
    let mut as_seen =
        |event: &Event, viewer| ParisConnection::redeal_event(&world, event, viewer, &mut dice);
    for viewer in [Viewer::Public, Viewer::Seat(ONE)] {
        assert_eq!(as_seen(&dealt(&state), viewer), dealt(&world));
    }
    assert_eq!(as_seen(&dealt(&state), Viewer::Seat(TWO)), dealt(&state));
    let open = Event::Traded { seat: TWO, give: Colour::Red, take: Colour::Blue, count: 1 };
    assert_eq!(as_seen(&open, Viewer::Public), open);
}

#[test]
fn all_can_see_that_a_build_must_stop_and_nobody_that_a_trade_is_forced() {
    let mut state = game();
    assert_eq!(ParisConnection::openly_forced(&state, ONE), None);
    state.supply[Colour::Red] = 1;
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: hex("G23") });
    assert_eq!(ParisConnection::openly_forced(&state, ONE), Some(Order::Stop));
    // One trade is all that is left, but only its player knows that.
    let mut state = game();
    state.supply = ByColour::from_fn(|colour| u8::from(colour == Colour::Red));
    state.portfolios[0].shares = ByColour::from_fn(|colour| u8::from(colour == Colour::Blue));
    let full = state.board.land;
    for colour in [Colour::Red, Colour::Yellow] {
        state.locomotives[colour] = full;
    }
    assert_eq!(ParisConnection::legal(&state, ONE).len(), 1);
    assert_eq!(ParisConnection::openly_forced(&state, ONE), None);
}

#[test]
fn who_is_not_on_turn_or_has_begun_nothing_is_told_so() {
    let state = game();
    let key = |seat, order| {
        ParisConnection::decide(&state, seat, &order, &mut unused_dice())
            .map_err(|refusal| refusal.reason.key)
    };
    let place = Order::Place { colour: Colour::Red, hex: hex("G23") };
    assert_eq!(key(TWO, place), Err("not-your-turn"));
    assert_eq!(key(ONE, Order::Stop), Err("pc-nothing-begun"));
    assert!(ParisConnection::legal(&state, TWO).is_empty());
}
