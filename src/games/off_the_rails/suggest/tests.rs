//! How turns are put together of the ways of carts, and which are kept.

use super::*;
use crate::games::off_the_rails::definition::Options;
use crate::games::off_the_rails::grid::{Ends, Way};
use crate::games::off_the_rails::order::Berth;
use crate::rules::yaml;

const ONE: Seat = Seat::new(1);

fn at(name: &str) -> Square {
    Square::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// A way of this cart to a square.
fn to(cart: u8, square: &str, worth: i64, acts: Vec<Order>) -> Trip {
    let cart = CartId::new(cart).unwrap_or_else(|| panic!("{cart}"));
    Trip { cart, acts, path: vec![at(square)], exit: None, is_named: false, worth }
}

fn lay(square: &str) -> Order {
    Order::Lay { at: at(square), ends: Ends::LAID[0] }
}

fn enter(index: u8) -> Order {
    let cart = CartId::new(0).unwrap_or_else(|| panic!("no cart"));
    Order::Enter { cart, berth: Berth { side: Way::North, index } }
}

#[test]
fn ways_go_together_that_end_enter_and_build_apart() {
    let upgrade = Order::Upgrade { at: at("D2"), way: Way::East };
    let one = to(0, "D2", 0, Vec::new());
    let out = Trip { exit: Some(Way::North), ..to(1, "D2", 0, Vec::new()) };
    let cases = [
        (one.clone(), to(1, "D3", 0, Vec::new()), true),
        (one.clone(), to(1, "D2", 0, Vec::new()), false),
        (one, out, true),
        (to(0, "D3", 0, vec![enter(3)]), to(1, "E3", 0, vec![enter(4)]), true),
        (to(0, "D3", 0, vec![enter(3)]), to(1, "E3", 0, vec![enter(3)]), false),
        (to(0, "D3", 0, vec![lay("D2")]), to(1, "E3", 0, vec![lay("E2")]), true),
        (to(0, "D3", 0, vec![lay("D2")]), to(1, "E3", 0, vec![lay("D2")]), false),
        (to(0, "D3", 0, vec![lay("D2")]), to(1, "E3", 0, vec![upgrade]), false),
    ];
    for (place, (one, other, is_allowed)) in cases.iter().enumerate() {
        assert_eq!(Plan::default().with(one).allows(other), *is_allowed, "case {place}");
        assert_eq!(Plan::default().with(other).allows(one), *is_allowed, "case {place}, turned");
    }
}

#[test]
fn the_best_turns_come_first_and_a_cart_that_has_to_move_is_given_up_last() {
    let white = vec![to(0, "D2", 300, vec![lay("D2")]), to(0, "D3", 200, Vec::new())];
    let black = vec![to(1, "E2", 250, vec![lay("E2")]), to(1, "E3", 10, Vec::new())];
    let told = |is_due, budget| {
        let options = [(true, white.clone()), (is_due, black.clone())];
        let plans = plans(&options, budget);
        let worth = |plan: &Plan<'_>| (plan.worth, plan.trips.len(), plan.is_loss);
        plans.iter().map(worth).collect::<Vec<_>>()
    };
    // With one action either cart can lay its tile, not both.
    let best = [(200 + 250, 2, false), (300 + 10, 2, false), (200 + 10, 2, false)];
    assert_eq!(told(true, 1)[..3], best);
    let given_up = [(300 - LOST, 1, true), (250 - LOST, 1, true), (200 - LOST, 1, true)];
    assert_eq!(told(true, 1)[3..6], given_up);
    assert_eq!(told(true, 1)[6..], [(10 - LOST, 1, true), (-2 * LOST, 0, true)]);
    // Who need not enter loses nothing by it; the cart that is given up stays given up.
    let idle = [(300, 1, false), (210, 2, false), (200, 1, false), (250 - LOST, 1, true)];
    assert_eq!(told(false, 1)[2..6], idle);
}

#[test]
fn the_best_ways_are_kept_and_four_for_each_number_of_actions() {
    let free = (1..=20).map(|worth| to(0, "D2", worth, Vec::new()));
    let dear = (1..=6).map(|worth| to(0, "D2", -worth, vec![lay("D2")]));
    let worth: Vec<i64> =
        kept(free.chain(dear).collect()).into_iter().map(|trip| trip.worth).collect();
    let best: Vec<i64> = (7..=20).rev().chain([-1, -2, -3, -4]).collect();
    assert_eq!(worth, best);
}

#[test]
fn a_line_is_said_once_and_short_and_not_too_many_under_one_heading() {
    let definition = yaml::read(OffTheRails::DEFINITION).unwrap_or_else(|e| panic!("{e:?}"));
    let state = OffTheRails::open(&definition, &Options::default(), 2);
    let state = state.unwrap_or_else(|e| panic!("{e:?}"));
    let mut told = Told { state, seat: ONE, lines: Vec::new(), asks_claim: false };
    told.say("or-tap-move", "done".to_owned());
    told.say("or-tap-turn", "done".to_owned());
    told.say("or-tap-move", "d".repeat(200));
    assert_eq!(told.lines.len(), 1, "twice the same, and too long");
    told.say("or-tap-turn", "d".repeat(199));
    assert_eq!(told.lines.len(), 2);
    for number in 0..20 {
        told.say("or-tap-move", format!("move {number}"));
    }
    let alike = told.lines.iter().filter(|one| one.group == Message::new("or-tap-move")).count();
    assert_eq!(alike, Suggestion::GROUP_MAX);
}
