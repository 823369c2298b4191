//! The cut-off rule on a small map made for it.
//!
//! ```text
//!       A3  Y5  A7           Paris is C5 with the starts around it.
//!     B2  ..  ..  B8         Blue starts at C7 and can only go to C9.
//!   C1  ..  [] Blue C9  X11  Cities: Y on A5, X on C11, Marseille on E5.
//!     D2  ..  ..  D8
//!       E3  M5  E7
//! ```

use super::{dealt, forbidden, open, put, say};
use crate::games::paris_connection::colour::Colour;
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::state::State;
use crate::rules::{Rules, Seat, unused_dice};

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

/// Blue in the east, then yellow, red, purple, black and brown counterclockwise from the
/// north-east; yellow has come to B8 and brown to D8, both next to blue's only way out.
fn small() -> State {
    let state = open(MAP, Options::default());
    let mut state = dealt(state, ["C7", "B6", "B4", "C3", "D4", "D6"]);
    put(&mut state, Colour::Yellow, &["B8"]);
    put(&mut state, Colour::Brown, &["D8"]);
    state
}

fn is_legal(state: &State, line: &str) -> bool {
    say(state, Seat::new(1), line).is_ok()
}

#[test]
fn the_last_way_out_cannot_be_filled() {
    let mut state = small();
    assert!(is_legal(&state, "build yellow C9"));
    put(&mut state, Colour::Yellow, &["C9"]);
    assert_eq!(forbidden(&state, "build brown C9"), "pc-cut-off");
    // What is refused is not listed either.
    let legal = crate::games::ParisConnection::legal(&state, Seat::new(1));
    assert!(
        !format!("{legal:?}").contains("Place { colour: Brown, hex: Hex { row: 2, column: 9 } }")
    );
}

#[test]
fn a_colour_is_not_protected_from_itself_and_may_share_its_way() {
    let mut state = small();
    put(&mut state, Colour::Yellow, &["C9"]);
    assert!(is_legal(&state, "build blue C9"));
}

#[test]
fn a_colour_with_a_city_may_be_cut_off() {
    let mut state = small();
    put(&mut state, Colour::Yellow, &["C9"]);
    put(&mut state, Colour::Blue, &["A5"]);
    assert!(is_legal(&state, "build brown C9"));
}

#[test]
fn a_colour_without_supply_is_protected_still() {
    let mut state = small();
    put(&mut state, Colour::Yellow, &["C9"]);
    state.supply[Colour::Blue] = 0;
    assert_eq!(forbidden(&state, "build brown C9"), "pc-cut-off");
}

#[test]
fn the_last_city_cannot_be_filled_while_a_colour_needs_it() {
    let mut state = small();
    put(&mut state, Colour::Yellow, &["C9"]);
    assert!(is_legal(&state, "build yellow X"));
    put(&mut state, Colour::Black, &["A5"]);
    put(&mut state, Colour::Red, &["E5"]);
    assert_eq!(forbidden(&state, "build yellow X"), "pc-cut-off");
    // Whoever is the last without a city may take the last one.
    for colour in [Colour::Blue, Colour::Purple, Colour::Brown] {
        put(&mut state, colour, &["A5"]);
    }
    assert!(is_legal(&state, "build yellow X"));
}

#[test]
fn within_a_build_every_locomotive_is_judged() {
    let mut state = small();
    put(&mut state, Colour::Red, &["C9"]);
    assert!(is_legal(&state, "build brown E7"));
    assert_eq!(forbidden(&state, "build brown E7 C9"), "pc-cut-off");
}

/// Whether the colour has a city or a way to an empty one: the ruling word by word, with nothing
/// remembered.
fn can_live(state: &State, colour: Colour) -> bool {
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
fn the_known_ways_forbid_exactly_what_the_ruling_forbids() {
    use crate::games::ParisConnection;
    use crate::games::paris_connection::decide;
    use crate::games::paris_connection::state::Event;
    use crate::rules::{Dice, Seed, Turn};
    let mut forbidden = 0;
    for seed in 0..12 {
        let mut state = small();
        let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
        while let Turn::Awaiting(seats) = ParisConnection::turn(&state) {
            for colour in Colour::ALL {
                let places = decide::places(&state, colour);
                for id in decide::reachable(&state, colour).iter() {
                    let mut after = state.clone();
                    let hex = state.board.name(id);
                    after.apply(&Event::Placed { seat: seats[0], colour, hex });
                    let lives = |&other: &Colour| other == colour || can_live(&after, other);
                    let is_legal = Colour::ALL.iter().all(lives);
                    assert_eq!(places.contains(id), is_legal, "seed {seed}: {colour:?} on {hex}");
                    forbidden += u32::from(!is_legal);
                }
            }
            let legal = ParisConnection::legal(&state, seats[0]);
            let Some(order) = dice.pick(&legal) else { panic!("nothing is legal") };
            let events = ParisConnection::decide(&state, seats[0], order, &mut unused_dice());
            events.into_iter().flatten().for_each(|event| state.apply(&event));
        }
    }
    assert!(forbidden > 100, "{forbidden}");
}
