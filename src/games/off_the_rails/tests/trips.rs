//! Where a cart could go in a turn, and what that is worth: a ruby in hand is 60.

use super::*;
use crate::games::off_the_rails::trips::{Trip, trips};

/// Seat 1's white cart on a square, with these tiles about it.
fn white(tiles: &str, square: &str, facing: Way, hold: &str) -> State {
    let mut state = plain();
    lay(&mut state, tiles);
    stand(&mut state, 0, square, facing, hold);
    state
}

/// The ways of the white cart: its actions and the squares it comes to.
fn told(state: &State, budget: usize) -> Vec<String> {
    let path = |trip: &Trip| trip.path.iter().map(|at| format!(" {at}")).collect::<String>();
    let act = |order: &Order| match *order {
        Order::Lay { at, ends } => format!("lay {at} {ends},"),
        Order::Upgrade { at, way } => format!("upgrade {at} {},", way.name()),
        Order::Speed { up, .. } => if up { "+" } else { "-" }.to_owned(),
        _ => "enter,".to_owned(),
    };
    let found = trips(state, cart(0), budget);
    let line = |trip: &Trip| trip.acts.iter().map(act).collect::<String>() + &path(trip);
    found.iter().map(line).collect()
}

/// What each way of the white cart is worth that takes no action.
fn worth(state: &State) -> Vec<i64> {
    trips(state, cart(0), 0).iter().map(|trip| trip.worth).collect()
}

#[test]
fn on_its_way_a_cart_is_worth_what_it_holds_what_lies_ahead_and_how_near_a_side_is() {
    let south = |tiles, hold| white(tiles, "D1", Way::South, hold);
    let (early, a_step) = (60, 4);
    // It comes to D2, one square away from the nearest side.
    for (tiles, ahead) in
        [("D1 ns, D2 ns", 0), ("D1 ns, D2 ns, D3 ns", 30), ("D1 ns, D2 ns, D3 ew", -60)]
    {
        assert_eq!(worth(&south(tiles, "r")), [60 + ahead - a_step + early], "{tiles}");
    }
    // What lies where it comes to is picked up, a rock first, as long as there is room.
    let mut state = south("D1 ns, D2 ns", "r");
    strew(&mut state, "D2", "dg");
    assert_eq!(worth(&state), [60 * 8 - 3 * a_step + early]);
    strew(&mut state, "D2", "do");
    assert_eq!(worth(&state), [60 * 5 - 3 * a_step + early]);
    let mut full = south("D1 ns, D2 ns", "rrrrr");
    strew(&mut full, "D2", "d");
    assert_eq!(worth(&full), [60 * 5 - 5 * a_step + early]);
    // What lies ahead draws on who has room for it: 40 for each point, less from afar.
    let lured = |hold, square| {
        let mut state = south("D1 ns, D2 ns", hold);
        strew(&mut state, square, "d");
        worth(&state)
    };
    assert_eq!(lured("rrrr", "D3"), [60 * 4 + 160 - 4 * a_step + early]);
    assert_eq!(lured("rrrr", "D4"), [60 * 4 + 80 - 4 * a_step + early]);
    assert_eq!(lured("rrrrr", "D3"), [60 * 5 - 5 * a_step + early]);
    // Three squares from the side, the way back is three times as far; to the south it counts too.
    let mut deep = white("D3 ns, D4 ns", "D3", Way::South, "rr");
    assert_eq!(worth(&deep), [60 * 2 - 2 * 3 * a_step + early]);
    assert_eq!(worth(&white("D6 ns, D7 ns", "D6", Way::South, "r")), [60 - a_step + early]);
    // Once the end is near each square costs as much whatever is held.
    for era in [Era::LastRound(TWO), Era::Abyss] {
        deep.era = era;
        assert_eq!(worth(&deep), [60 * 2 - 3 * 40], "{era:?}");
    }
}

#[test]
fn before_a_side_only_who_brings_jewels_out_is_well_placed() {
    let north = |hold| white("D1 ns, D2 ns", "D2", Way::North, hold);
    assert_eq!(worth(&north("r")), [60 + 20 + 60]);
    assert_eq!(worth(&north("")), [-80 + 60]);
    assert_eq!(worth(&north("o")), [-80 + 60], "a rock is no jewel");
    let mut alone = solo::alone();
    lay(&mut alone, "D1 ns, D2 ns, D3 ns, D4 ns");
    stand(&mut alone, 0, "D2", Way::North, "d");
    assert_eq!(worth(&alone), [60 - 80 + 60], "alone, any jewel is one");
    stand(&mut alone, 0, "D3", Way::South, "rr");
    assert_eq!(worth(&alone), [60 * 2 - 2 * 3 * 4 + 60], "and the end is never near");
}

#[test]
fn round_a_ring_it_goes_by_the_speeds_that_its_actions_allow() {
    let mut state = white("A7 es, B7 sw, B8 nw, A8 ne", "A7", Way::East, "r");
    let mut ways = |speed, budget| {
        self::speed(&mut state, 0, speed);
        told(&state, budget)
    };
    // One up, two down.
    let all = ["-- B7", "- B7 B8", " B7 B8 A8", "+ B7 B8 A8 A7"];
    assert_eq!(ways(3, 4), all);
    assert_eq!(ways(3, 1), all[1..]);
    assert_eq!(ways(3, 0), all[2..3]);
    assert_eq!(ways(1, 4), [" B7", "+ B7 B8"]);
    let fast = ["-- B7 B8 A8 A7", "- B7 B8 A8 A7 B7", " B7 B8 A8 A7 B7 B8"];
    assert_eq!(ways(6, 4), fast);
    // Each action costs 12; B7 is a step from the side; who has been round heads for nothing new.
    speed(&mut state, 0, 3);
    let found: Vec<i64> = trips(&state, cart(0), 4).iter().map(|trip| trip.worth).collect();
    let (ruby, early) = (60, 60);
    let (on, again) = (ruby + 30 + early, ruby - 60 + early);
    assert_eq!(found, [on - 4 - 24, on - 12, on, again - 12]);
}

#[test]
fn track_is_laid_where_it_is_missing_as_long_as_there_are_tiles_and_actions() {
    let mut state = white("D1 ns", "D1", Way::South, "r");
    assert_eq!(told(&state, 0), <[&str; 0]>::default());
    assert_eq!(told(&state, 1), ["lay D2 ne, D2", "lay D2 ns, D2", "lay D2 nw, D2"]);
    assert!(told(&state, 3).iter().any(|way| way.matches("lay").count() == 2));
    state.tiles.straight_or_corner = 1;
    assert!(told(&state, 3).iter().all(|way| way.matches("lay").count() == 1));
    state.tiles.straight_or_corner = 0;
    assert_eq!(told(&state, 3), <[&str; 0]>::default());
    // A straight or a corner becomes a T as long as there are such tiles; a T and a cross are the
    // two sides of one tile.
    let mut closed = white("D1 ns, D2 ew", "D1", Way::South, "r");
    assert_eq!(told(&closed, 1), ["upgrade D2 north, D2"]);
    closed.tiles.t_or_cross = 0;
    assert_eq!(told(&closed, 1), <[&str; 0]>::default());
    let mut tee = white("D1 ns, D2 esw", "D1", Way::South, "r");
    tee.tiles.t_or_cross = 0;
    assert_eq!(told(&tee, 1), ["upgrade D2 north, D2"]);
    // A tile that the move itself has laid is not crossed twice.
    let mut ring = white("A7 es, B7 sw, A8 ne", "A7", Way::East, "r");
    speed(&mut ring, 0, 6);
    let twice = |trip: &Trip| trip.path.iter().filter(|&&square| square == at("B8")).count() > 1;
    assert!(!trips(&ring, cart(0), 2).iter().any(twice), "{:?}", told(&ring, 2));
    assert!(told(&ring, 2).contains(&"-lay B8 nw, B7 B8 A8 A7 B7".to_owned()));
}

#[test]
fn nothing_leads_into_a_centre_or_the_chasm() {
    assert_eq!(told(&white("C2 ns", "C2", Way::South, "r"), 4), <[&str; 0]>::default());
    let mut state = white("D1 ns", "D1", Way::South, "r");
    state.sunk[0] = std::iter::once(at("D2")).collect();
    assert_eq!(told(&state, 4), <[&str; 0]>::default());
}

#[test]
fn a_cart_enters_by_an_action_and_does_not_leave_again_with_nothing() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    assert_eq!(told(&state, 0), <[&str; 0]>::default());
    assert_eq!(told(&state, 1), ["enter, D1 D2 D3"]);
    // From the square in front of which another one stands it only goes back.
    stand(&mut state, 2, "D1", Way::South, "r");
    assert_eq!(told(&state, 1), <[&str; 0]>::default());
    let mut arch = plain();
    lay(&mut arch, "C1 ne, D1 nw");
    assert_eq!(told(&arch, 1), <[&str; 0]>::default());
    strew(&mut arch, "C1", "r");
    let found = trips(&arch, cart(0), 1);
    assert!(found.iter().all(|trip| trip.exit == Some(Way::North)));
    assert_eq!(told(&arch, 1), ["enter, C1 D1", "enter, D1 C1"]);
}

#[test]
fn out_of_the_mine_a_jewel_is_worth_most_and_in_the_end_the_cart_as_well() {
    let out = |era, hold| {
        let mut state = white("D1 ns", "D1", Way::North, hold);
        state.era = era;
        face_up(&mut state, &[Mission::GoldInYourHills]);
        worth(&state)
    };
    let (mission, home) = (300, 300);
    assert_eq!(out(Era::Mining, ""), [-200], "what for?");
    assert_eq!(out(Era::Mining, "o"), [-200]);
    assert_eq!(out(Era::Mining, "g"), [100 * 3]);
    assert_eq!(out(Era::Mining, "gg"), [100 * 6 + mission], "it takes two pieces of gold");
    assert_eq!(out(Era::Abyss, ""), [home]);
    assert_eq!(out(Era::Abyss, "g"), [100 * 3 + home]);
    assert_eq!(out(Era::Abyss, "gg"), [100 * 6 + mission + home]);
}

/// Rubies belong to the north; a victory takes one of each kind, a major one two.
#[test]
fn alone_a_jewel_is_wanted_on_its_own_side_and_the_first_two_of_a_kind_most() {
    let out = |delivered, hold| {
        let mut state = solo::alone();
        lay(&mut state, "D1 ns");
        stand(&mut state, 0, "D1", Way::North, hold);
        state.players[0].delivered[Way::North.index()] = jewels(delivered);
        worth(&state)
    };
    let (wanted, right, other, cart) = (400, 150, 10, 40);
    assert_eq!(out("", "r"), [wanted + right - cart]);
    assert_eq!(out("", "rre"), [wanted + 2 * right + other - cart]);
    assert_eq!(out("r", "r"), [wanted + right - cart]);
    assert_eq!(out("rr", "rr"), [2 * right - cart]);
    assert_eq!(out("", "e"), [other - cart]);
    assert_eq!(out("rr", "ed"), [2 * other - cart]);
}

#[test]
fn who_rams_another_gains_what_falls_and_never_derails_by_it() {
    let meets = |options: &Options, ends: &str, missions: &[Mission], hold, (id, other)| {
        let mut state = game(2, options);
        lay(&mut state, &format!("D1 ns, D2 {ends}"));
        stand(&mut state, 0, "D1", Way::South, hold);
        stand(&mut state, id, "D2", Way::South, other);
        face_up(&mut state, missions);
        worth(&state)
    };
    let plain = Options::default();
    let bumpers = Options { bumpers: true, ..Options::default() };
    // White stays on D1 and faces the north side.
    let (full, empty) = (60 + 20 + 60, -80 + 60);
    let (derails, robs) = (&[Mission::BumperCarts][..], &[Mission::JewelRobbery][..]);
    assert_eq!(meets(&plain, "ns", &[], "r", (2, "")), [full + 40]);
    assert_eq!(meets(&plain, "ns", derails, "r", (2, "")), [full + 40 + 200]);
    assert_eq!(meets(&plain, "ns", robs, "r", (2, "")), [full + 40]);
    assert_eq!(meets(&plain, "ns", &[], "r", (2, "gg")), [full + 20 * 6]);
    assert_eq!(meets(&plain, "ns", robs, "r", (2, "gg")), [full + 20 * 6 + 200]);
    assert_eq!(meets(&plain, "ns", derails, "r", (2, "gg")), [full + 20 * 6]);
    let none: [i64; 0] = [];
    assert_eq!(meets(&plain, "ns", &[], "", (2, "gg")), none, "it would derail");
    assert_eq!(meets(&plain, "ns", &[], "r", (1, "gg")), none, "it is one's own");
    // Where nothing comes of it, it only stops.
    for id in [1, 2] {
        assert_eq!(meets(&bumpers, "ns", robs, "r", (id, "gg")), [full - 40]);
        assert_eq!(meets(&bumpers, "ns", derails, "", (id, "")), [empty - 40]);
        assert_eq!(meets(&plain, "ew", robs, "r", (id, "gg")), [full - 40]);
        assert_eq!(meets(&plain, "ew", derails, "", (id, "")), [empty - 40]);
    }
}
