//! Tests of the search for trips and of their worth. A ruby in the hold is worth 60.

use super::*;
use crate::games::off_the_rails::trips::{Trip, find_trips};

/// Returns a position with these tiles and seat 1's white cart on a square.
fn game_with_white_cart(tiles: &str, square: &str, facing: Direction, hold: &str) -> State {
    let mut state = default_game();
    lay_tiles(&mut state, tiles);
    place_cart(&mut state, 0, square, facing, hold);
    state
}

/// Returns the trips of the white cart as text: the actions and the squares.
fn list_trips(state: &State, budget: usize) -> Vec<String> {
    let path = |trip: &Trip| trip.path.iter().map(|at| format!(" {at}")).collect::<String>();
    let act = |order: &Order| match *order {
        Order::Lay { at, ends } => format!("lay {at} {ends},"),
        Order::Upgrade { at, way } => format!("upgrade {at} {},", way.name()),
        Order::Speed { up, .. } => if up { "+" } else { "-" }.to_owned(),
        _ => "enter,".to_owned(),
    };
    let found = find_trips(state, cart(0), budget);
    let line = |trip: &Trip| trip.acts.iter().map(act).collect::<String>() + &path(trip);
    found.iter().map(line).collect()
}

/// Returns the worth of each trip of the white cart that needs no action.
fn trip_worths(state: &State) -> Vec<i64> {
    find_trips(state, cart(0), 0).iter().map(|trip| trip.worth).collect()
}

#[test]
fn stop_worth_counts_hold_path_and_edge_distance() {
    let south = |tiles, hold| game_with_white_cart(tiles, "D1", Direction::South, hold);
    let (early, a_step) = (60, 4);
    // The cart stops on D2, one square away from the nearest side.
    for (tiles, ahead) in
        [("D1 ns, D2 ns", 0), ("D1 ns, D2 ns, D3 ns", 30), ("D1 ns, D2 ns, D3 ew", -60)]
    {
        assert_eq!(trip_worths(&south(tiles, "r")), [60 + ahead - a_step + early], "{tiles}");
    }
    // Jewels on the last square are picked up, rocks first, as long as there is room.
    let mut state = south("D1 ns, D2 ns", "r");
    place_jewels(&mut state, "D2", "dg");
    assert_eq!(trip_worths(&state), [60 * 8 - 3 * a_step + early]);
    place_jewels(&mut state, "D2", "do");
    assert_eq!(trip_worths(&state), [60 * 5 - 3 * a_step + early]);
    let mut full = south("D1 ns, D2 ns", "rrrrr");
    place_jewels(&mut full, "D2", "d");
    assert_eq!(trip_worths(&full), [60 * 5 - 5 * a_step + early]);
    // If the hold has room, jewels near the square ahead add 40 for each point. The worth falls
    // with the distance.
    let lured = |hold, square| {
        let mut state = south("D1 ns, D2 ns", hold);
        place_jewels(&mut state, square, "d");
        trip_worths(&state)
    };
    assert_eq!(lured("rrrr", "D3"), [60 * 4 + 160 - 4 * a_step + early]);
    assert_eq!(lured("rrrr", "D4"), [60 * 4 + 80 - 4 * a_step + early]);
    assert_eq!(lured("rrrrr", "D3"), [60 * 5 - 5 * a_step + early]);
    // Three squares from the side, the way back costs three times as much. The distance to the
    // south side counts too.
    let mut deep = game_with_white_cart("D3 ns, D4 ns", "D3", Direction::South, "rr");
    assert_eq!(trip_worths(&deep), [60 * 2 - 2 * 3 * a_step + early]);
    assert_eq!(
        trip_worths(&game_with_white_cart("D6 ns, D7 ns", "D6", Direction::South, "r")),
        [60 - a_step + early]
    );
    // Near the end of the game, each square from the side costs 40, however many jewels the cart
    // holds.
    for era in [Era::LastRound(SEAT_TWO), Era::Abyss] {
        deep.era = era;
        assert_eq!(trip_worths(&deep), [60 * 2 - 3 * 40], "{era:?}");
    }
}

#[test]
fn facing_exit_adds_worth_only_with_jewels() {
    let north = |hold| game_with_white_cart("D1 ns, D2 ns", "D2", Direction::North, hold);
    assert_eq!(trip_worths(&north("r")), [60 + 20 + 60]);
    assert_eq!(trip_worths(&north("")), [-80 + 60]);
    assert_eq!(trip_worths(&north("o")), [-80 + 60], "a rock is no jewel");
    let mut alone = solo::new_solo_game();
    lay_tiles(&mut alone, "D1 ns, D2 ns, D3 ns, D4 ns");
    place_cart(&mut alone, 0, "D2", Direction::North, "d");
    assert_eq!(trip_worths(&alone), [60 - 80 + 60], "alone, any jewel is one");
    place_cart(&mut alone, 0, "D3", Direction::South, "rr");
    assert_eq!(trip_worths(&alone), [60 * 2 - 2 * 3 * 4 + 60], "and the end is never near");
}

#[test]
fn trips_use_every_speed_actions_allow() {
    let mut state = game_with_white_cart("A7 es, B7 sw, B8 nw, A8 ne", "A7", Direction::East, "r");
    let mut ways = |speed, budget| {
        self::set_speed(&mut state, 0, speed);
        list_trips(&state, budget)
    };
    // The speed may rise by one step and fall by two.
    let all = ["-- B7", "- B7 B8", " B7 B8 A8", "+ B7 B8 A8 A7"];
    assert_eq!(ways(3, 4), all);
    assert_eq!(ways(3, 1), all[1..]);
    assert_eq!(ways(3, 0), all[2..3]);
    assert_eq!(ways(1, 4), [" B7", "+ B7 B8"]);
    let fast = ["-- B7 B8 A8 A7", "- B7 B8 A8 A7 B7", " B7 B8 A8 A7 B7 B8"];
    assert_eq!(ways(6, 4), fast);
    // Each action costs 12. B7 is one square away from the side. The last trip ends on A7 and faces
    // B7, which it has already crossed.
    set_speed(&mut state, 0, 3);
    let found: Vec<i64> = find_trips(&state, cart(0), 4).iter().map(|trip| trip.worth).collect();
    let (ruby, early) = (60, 60);
    let (on, again) = (ruby + 30 + early, ruby - 60 + early);
    assert_eq!(found, [on - 4 - 24, on - 12, on, again - 12]);
}

#[test]
fn trips_lay_missing_track_with_available_tiles() {
    let mut state = game_with_white_cart("D1 ns", "D1", Direction::South, "r");
    assert_eq!(list_trips(&state, 0), <[&str; 0]>::default());
    assert_eq!(list_trips(&state, 1), ["lay D2 ne, D2", "lay D2 ns, D2", "lay D2 nw, D2"]);
    assert!(list_trips(&state, 3).iter().any(|way| way.matches("lay").count() == 2));
    state.tiles.straight_or_corner = 1;
    assert!(list_trips(&state, 3).iter().all(|way| way.matches("lay").count() == 1));
    state.tiles.straight_or_corner = 0;
    assert_eq!(list_trips(&state, 3), <[&str; 0]>::default());
    // A straight or a corner becomes a T only if such a tile is left. A T and a cross are the two
    // sides of one tile.
    let mut closed = game_with_white_cart("D1 ns, D2 ew", "D1", Direction::South, "r");
    assert_eq!(list_trips(&closed, 1), ["upgrade D2 north, D2"]);
    closed.tiles.t_or_cross = 0;
    assert_eq!(list_trips(&closed, 1), <[&str; 0]>::default());
    let mut tee = game_with_white_cart("D1 ns, D2 esw", "D1", Direction::South, "r");
    tee.tiles.t_or_cross = 0;
    assert_eq!(list_trips(&tee, 1), ["upgrade D2 north, D2"]);
    // The search does not cross a tile twice that the trip itself lays.
    let mut ring = game_with_white_cart("A7 es, B7 sw, A8 ne", "A7", Direction::East, "r");
    set_speed(&mut ring, 0, 6);
    let twice =
        |trip: &Trip| trip.path.iter().filter(|&&square| square == square_at("B8")).count() > 1;
    assert!(!find_trips(&ring, cart(0), 2).iter().any(twice), "{:?}", list_trips(&ring, 2));
    assert!(list_trips(&ring, 2).contains(&"-lay B8 nw, B7 B8 A8 A7 B7".to_owned()));
}

#[test]
fn no_trip_enters_centre_or_chasm() {
    assert_eq!(
        list_trips(&game_with_white_cart("C2 ns", "C2", Direction::South, "r"), 4),
        <[&str; 0]>::default()
    );
    let mut state = game_with_white_cart("D1 ns", "D1", Direction::South, "r");
    state.sunk[0] = std::iter::once(square_at("D2")).collect();
    assert_eq!(list_trips(&state, 4), <[&str; 0]>::default());
}

#[test]
fn entering_trips_cost_action_and_do_something() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    assert_eq!(list_trips(&state, 0), <[&str; 0]>::default());
    assert_eq!(list_trips(&state, 1), ["enter, D1 D2 D3"]);
    // A cart on this surface square would only collide and go back to the supply.
    place_cart(&mut state, 2, "D1", Direction::South, "r");
    assert_eq!(list_trips(&state, 1), <[&str; 0]>::default());
    let mut arch = default_game();
    lay_tiles(&mut arch, "C1 ne, D1 nw");
    assert_eq!(list_trips(&arch, 1), <[&str; 0]>::default());
    place_jewels(&mut arch, "C1", "r");
    let found = find_trips(&arch, cart(0), 1);
    assert!(found.iter().all(|trip| trip.exit == Some(Direction::North)));
    assert_eq!(list_trips(&arch, 1), ["enter, C1 D1", "enter, D1 C1"]);
}

#[test]
fn exit_worth_counts_jewels_missions_and_era() {
    let out = |era, hold| {
        let mut state = game_with_white_cart("D1 ns", "D1", Direction::North, hold);
        state.era = era;
        turn_up_missions(&mut state, &[Mission::GoldInYourHills]);
        trip_worths(&state)
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

/// Rubies belong to the north. The first two of each kind are worth most, because a victory needs
/// one and a major victory two.
#[test]
fn solo_exit_worth_favours_needed_jewels_at_home() {
    let out = |delivered, hold| {
        let mut state = solo::new_solo_game();
        lay_tiles(&mut state, "D1 ns");
        place_cart(&mut state, 0, "D1", Direction::North, hold);
        state.players[0].delivered[Direction::North.index()] = jewels(delivered);
        trip_worths(&state)
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
fn ramming_trips_gain_worth_without_own_loss() {
    let meets = |options: &Options, ends: &str, missions: &[Mission], hold, (id, other)| {
        let mut state = new_game(2, options);
        lay_tiles(&mut state, &format!("D1 ns, D2 {ends}"));
        place_cart(&mut state, 0, "D1", Direction::South, hold);
        place_cart(&mut state, id, "D2", Direction::South, other);
        turn_up_missions(&mut state, missions);
        trip_worths(&state)
    };
    let plain = Options::default();
    let bumpers = Options { bumpers: true, ..Options::default() };
    // The white cart stays on D1 and faces the north side.
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
    // If a collision has no effect, the cart only stops.
    for id in [1, 2] {
        assert_eq!(meets(&bumpers, "ns", robs, "r", (id, "gg")), [full - 40]);
        assert_eq!(meets(&bumpers, "ns", derails, "", (id, "")), [empty - 40]);
        assert_eq!(meets(&plain, "ew", robs, "r", (id, "gg")), [full - 40]);
        assert_eq!(meets(&plain, "ew", derails, "", (id, "")), [empty - 40]);
    }
}
