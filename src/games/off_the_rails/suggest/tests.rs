use super::*;
use crate::games::off_the_rails::definition::Options;
use crate::games::off_the_rails::grid::{Direction, TileOpenings};
use crate::games::off_the_rails::order::SurfaceSquare;
use crate::rules::yaml;

const SEAT_ONE: Seat = Seat::new(1);

fn square_at(name: &str) -> Square {
    Square::parse(name).unwrap_or_else(|| panic!("{name}"))
}

fn trip_to(cart: u8, square: &str, worth: i64, acts: Vec<Order>) -> Trip {
    let cart = CartId::new(cart).unwrap_or_else(|| panic!("{cart}"));
    Trip { cart, acts, path: vec![square_at(square)], exit: None, names_route: false, worth }
}

fn lay_order(square: &str) -> Order {
    Order::Lay { at: square_at(square), ends: TileOpenings::LAYABLE[0] }
}

fn enter_order(index: u8) -> Order {
    let cart = CartId::new(0).unwrap_or_else(|| panic!("no cart"));
    Order::Enter { cart, berth: SurfaceSquare { side: Direction::North, index } }
}

#[test]
fn trips_sharing_a_place_are_incompatible() {
    let upgrade = Order::Upgrade { at: square_at("D2"), way: Direction::East };
    let one = trip_to(0, "D2", 0, Vec::new());
    let out = Trip { exit: Some(Direction::North), ..trip_to(1, "D2", 0, Vec::new()) };
    let cases = [
        (one.clone(), trip_to(1, "D3", 0, Vec::new()), true),
        (one.clone(), trip_to(1, "D2", 0, Vec::new()), false),
        (one, out, true),
        (
            trip_to(0, "D3", 0, vec![enter_order(3)]),
            trip_to(1, "E3", 0, vec![enter_order(4)]),
            true,
        ),
        (
            trip_to(0, "D3", 0, vec![enter_order(3)]),
            trip_to(1, "E3", 0, vec![enter_order(3)]),
            false,
        ),
        (
            trip_to(0, "D3", 0, vec![lay_order("D2")]),
            trip_to(1, "E3", 0, vec![lay_order("E2")]),
            true,
        ),
        (
            trip_to(0, "D3", 0, vec![lay_order("D2")]),
            trip_to(1, "E3", 0, vec![lay_order("D2")]),
            false,
        ),
        (trip_to(0, "D3", 0, vec![lay_order("D2")]), trip_to(1, "E3", 0, vec![upgrade]), false),
    ];
    for (place, (one, other, is_allowed)) in cases.iter().enumerate() {
        assert_eq!(
            TurnPlan::default().with_trip(one).is_compatible_with(other),
            *is_allowed,
            "case {place}"
        );
        assert_eq!(
            TurnPlan::default().with_trip(other).is_compatible_with(one),
            *is_allowed,
            "case {place}, turned"
        );
    }
}

#[test]
fn best_plans_first_lost_carts_last() {
    let white =
        vec![trip_to(0, "D2", 300, vec![lay_order("D2")]), trip_to(0, "D3", 200, Vec::new())];
    let black =
        vec![trip_to(1, "E2", 250, vec![lay_order("E2")]), trip_to(1, "E3", 10, Vec::new())];
    let told = |is_due, budget| {
        let options = [(true, white.clone()), (is_due, black.clone())];
        let plans = combine_plans(&options, budget);
        let worth = |plan: &TurnPlan<'_>| (plan.worth, plan.trips.len(), plan.gives_up_cart);
        plans.iter().map(worth).collect::<Vec<_>>()
    };
    // With one action only one of the two carts can lay its tile.
    let best = [(200 + 250, 2, false), (300 + 10, 2, false), (200 + 10, 2, false)];
    assert_eq!(told(true, 1)[..3], best);
    let given_up = [
        (300 - LOST_CART_PENALTY, 1, true),
        (250 - LOST_CART_PENALTY, 1, true),
        (200 - LOST_CART_PENALTY, 1, true),
    ];
    assert_eq!(told(true, 1)[3..6], given_up);
    assert_eq!(
        told(true, 1)[6..],
        [(10 - LOST_CART_PENALTY, 1, true), (-2 * LOST_CART_PENALTY, 0, true)]
    );
    // A cart in the supply need not enter, so no penalty applies to it. A cart that is given up
    // stays given up.
    let idle =
        [(300, 1, false), (210, 2, false), (200, 1, false), (250 - LOST_CART_PENALTY, 1, true)];
    assert_eq!(told(false, 1)[2..6], idle);
}

#[test]
fn best_trips_and_four_per_cost_are_kept() {
    let free = (1..=20).map(|worth| trip_to(0, "D2", worth, Vec::new()));
    let dear = (1..=6).map(|worth| trip_to(0, "D2", -worth, vec![lay_order("D2")]));
    let worth: Vec<i64> =
        keep_best_trips(free.chain(dear).collect()).into_iter().map(|trip| trip.worth).collect();
    let best: Vec<i64> = (7..=20).rev().chain([-1, -2, -3, -4]).collect();
    assert_eq!(worth, best);
}

#[test]
fn suggestions_are_unique_short_and_limited_per_group() {
    let definition = yaml::parse(OffTheRails::DEFINITION).unwrap_or_else(|e| panic!("{e:?}"));
    let state = OffTheRails::initial_state(&definition, &Options::default(), 2);
    let state = state.unwrap_or_else(|e| panic!("{e:?}"));
    let mut told = Suggester { state, seat: SEAT_ONE, lines: Vec::new(), asks_claim: false };
    told.add_line("or-tap-move", "done".to_owned());
    told.add_line("or-tap-turn", "done".to_owned());
    told.add_line("or-tap-move", "d".repeat(200));
    assert_eq!(told.lines.len(), 1, "twice the same, and too long");
    told.add_line("or-tap-turn", "d".repeat(199));
    assert_eq!(told.lines.len(), 2);
    for number in 0..20 {
        told.add_line("or-tap-move", format!("move {number}"));
    }
    let alike = told.lines.iter().filter(|one| one.group == Message::new("or-tap-move")).count();
    assert_eq!(alike, Suggestion::GROUP_MAX);
}
