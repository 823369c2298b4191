//! Tests of the cut-off rule on a small map.
//!
//! ```text
//!       A3  Y5  A7           Paris is C5 with the starts around it.
//!     B2  ..  ..  B8         Blue starts at C7 and can only go to C9.
//!   C1  ..  [] Blue C9  X11  Cities: Y on A5, X on C11, Marseille on E5.
//!     D2  ..  ..  D8
//!       E3  M5  E7
//! ```

use super::{deal_at_starts, expect_illegal, new_game, place_locomotives, play_line};
use crate::games::paris_connection::colour::Colour;
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::state::State;
use crate::rules::{Rules, Seat, throwaway_dice};

const MAP: &str = r#"
title: A small map
reconstruction: true
paris: C5
rows: {"A": [[3, 7]], "B": [[2, 8]], "C": [[1, 11]], "D": [[2, 8]], "E": [[3, 7]]}
starts:
  - {hex: C7, station: East}
  - {hex: B6, station: North-east}
  - {hex: B4, station: North-west}
  - {hex: C3, station: West}
  - {hex: D4, station: South-west}
  - {hex: D6, station: South-east}
values: {beige: 1, blue: 4}
cities:
  - {hex: A5, code: Yy, name: Y, value: 1}
  - {hex: C11, code: Xx, name: X, value: 1}
  - {hex: E5, code: Ma, name: Marseille, value: 4}
end_city: E5
barriers:
  - {name: walls, kind: mountain, edges: [C7-B8, C7-D8]}
locomotives: 31
build_most: 5
hand: {3: 10}
share_limit: {3: 20}
penalty: 20
stall_after_trades: 0
letters: {blue: B, yellow: Y, red: R, purple: P, black: K, brown: N}
"#;

/// Creates a game with blue in the east, and yellow, red, purple, black and brown counterclockwise
/// from the north-east. Yellow is also on B8 and brown on D8, both next to blue's only exit.
fn small_game() -> State {
    let state = new_game(MAP, Options::default());
    let mut state = deal_at_starts(state, ["C7", "B6", "B4", "C3", "D4", "D6"]);
    place_locomotives(&mut state, Colour::Yellow, &["B8"]);
    place_locomotives(&mut state, Colour::Brown, &["D8"]);
    state
}

fn is_legal_line(state: &State, line: &str) -> bool {
    play_line(state, Seat::new(1), line).is_ok()
}

#[test]
fn last_exit_cannot_be_filled() {
    let mut state = small_game();
    assert!(is_legal_line(&state, "build yellow C9"));
    place_locomotives(&mut state, Colour::Yellow, &["C9"]);
    assert_eq!(expect_illegal(&state, "build brown C9"), "pc-cut-off");
    // An illegal placement is not listed as legal either.
    let legal = crate::games::ParisConnection::legal_orders(&state, Seat::new(1));
    assert!(
        !format!("{legal:?}").contains("Place { colour: Brown, hex: Hex { row: 2, column: 9 } }")
    );
}

#[test]
fn colour_may_fill_its_own_last_exit() {
    let mut state = small_game();
    place_locomotives(&mut state, Colour::Yellow, &["C9"]);
    assert!(is_legal_line(&state, "build blue C9"));
}

#[test]
fn colour_with_city_may_be_cut_off() {
    let mut state = small_game();
    place_locomotives(&mut state, Colour::Yellow, &["C9"]);
    place_locomotives(&mut state, Colour::Blue, &["A5"]);
    assert!(is_legal_line(&state, "build brown C9"));
}

#[test]
fn colour_without_supply_is_still_protected() {
    let mut state = small_game();
    place_locomotives(&mut state, Colour::Yellow, &["C9"]);
    state.supply[Colour::Blue] = 0;
    assert_eq!(expect_illegal(&state, "build brown C9"), "pc-cut-off");
}

#[test]
fn no_build_on_last_city_that_others_need() {
    let mut state = small_game();
    place_locomotives(&mut state, Colour::Yellow, &["C9"]);
    assert!(is_legal_line(&state, "build yellow X"));
    place_locomotives(&mut state, Colour::Black, &["A5"]);
    place_locomotives(&mut state, Colour::Red, &["E5"]);
    assert_eq!(expect_illegal(&state, "build yellow X"), "pc-cut-off");
    // The last colour without a city may take the last city.
    for colour in [Colour::Blue, Colour::Purple, Colour::Brown] {
        place_locomotives(&mut state, colour, &["A5"]);
    }
    assert!(is_legal_line(&state, "build yellow X"));
}

#[test]
fn cut_off_is_checked_per_locomotive() {
    let mut state = small_game();
    place_locomotives(&mut state, Colour::Red, &["C9"]);
    assert!(is_legal_line(&state, "build brown E7"));
    assert_eq!(expect_illegal(&state, "build brown E7 C9"), "pc-cut-off");
}

/// Whether the colour has a city or a path to an empty one. It follows our ruling literally and
/// caches nothing.
fn has_path_to_city(state: &State, colour: Colour) -> bool {
    let board = &state.board;
    let standing =
        |id| Colour::ALL.into_iter().filter(|&other| state.locomotives[other].contains(id)).count();
    let mut seen: Vec<u8> = state.locomotives[colour].iter().collect();
    let mut at = 0;
    while let Some(&hex) = seen.get(at) {
        if board.city_hexes.contains(hex) {
            return true;
        }
        for next in board.neighbours(hex).iter() {
            let room = if board.city_hexes.contains(next) { 1 } else { 2 };
            let is_open = !board.start_hexes.contains(next) && standing(next) < room;
            if is_open && !seen.contains(&next) {
                seen.push(next);
            }
        }
        at += 1;
    }
    false
}

#[test]
fn lifelines_match_exhaustive_cut_off_search() {
    use crate::games::ParisConnection;
    use crate::games::paris_connection::decide;
    use crate::games::paris_connection::state::Event;
    use crate::rules::{Dice, Seed, Turn};
    let mut forbidden = 0;
    for seed in 0..12 {
        let mut state = small_game();
        let mut dice = Dice::new(&Seed::from_number(seed), 0);
        while let Turn::Awaiting(seats) = ParisConnection::turn(&state) {
            for colour in Colour::ALL {
                let places = decide::legal_hexes(&state, colour);
                for id in decide::reachable_hexes(&state, colour).iter() {
                    let mut after = state.clone();
                    let hex = state.board.hex_name(id);
                    after.apply(&Event::Placed { seat: seats[0], colour, hex });
                    let lives =
                        |&other: &Colour| other == colour || has_path_to_city(&after, other);
                    let is_legal = Colour::ALL.iter().all(lives);
                    assert_eq!(places.contains(id), is_legal, "seed {seed}: {colour:?} on {hex}");
                    forbidden += u32::from(!is_legal);
                }
            }
            let legal = ParisConnection::legal_orders(&state, seats[0]);
            let Some(order) = dice.pick(&legal) else { panic!("nothing is legal") };
            let events = ParisConnection::decide(&state, seats[0], order, &mut throwaway_dice());
            events.into_iter().flatten().for_each(|event| state.apply(&event));
        }
    }
    assert!(forbidden > 100, "{forbidden}");
}
