//! Tests of the audit. Each takes a valid position, breaks it in one place, and checks the fault
//! that the audit reports.

use super::*;
use crate::games::off_the_rails::definition::{CutRule, TileCounts};
use crate::games::off_the_rails::order::SurfaceSquare;

/// Returns a position in the abyss era with track, jewels, three carts on the board and one in the
/// supply.
fn valid_position() -> State {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D5 ew, E5 nesw");
    place_jewels(&mut state, "D2", "roe");
    place_cart(&mut state, 0, "D1", Direction::South, "rd");
    place_cart(&mut state, 1, "D5", Direction::East, "");
    place_cart(&mut state, 2, "E5", Direction::North, "ggggg");
    state.era = Era::Abyss;
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("B2") });
    state
}

/// Lays a tile without taking it from the supply, so the position has one tile too many.
fn lay_extra_tile(state: &mut State, square: &str, ends: &str) {
    let TileCounts { straight_or_corner, t_or_cross } = state.tiles;
    state.apply(&Event::Laid {
        seat: SEAT_ONE,
        at: square_at(square),
        ends: TileOpenings::parse(ends).or_fail(),
    });
    state.tiles = TileCounts { straight_or_corner, t_or_cross };
}

#[test]
fn audit_reports_missing_extra_and_misplaced_pieces() {
    type Fault = fn(&mut State);
    let faults: [(Fault, &str); 18] = [
        (|state| state.bag = state.bag.minus(jewels("r")), "the jewels are"),
        (|state| state.gone_jewels = jewels("d"), "the jewels are"),
        (|state| lay_extra_tile(state, "H8", "ns"), "there are 61 simple tiles and 30 junctions"),
        (|state| lay_extra_tile(state, "H8", "nes"), "there are 60 simple tiles and 31 junctions"),
        (|state| lay_tiles(state, "C3 ns"), "a tile lies where none can"),
        (|state| lay_tiles(state, "B2 ns"), "a tile lies where none can"),
        (|state| lay_tiles(state, "H8 n"), "a tile lies where none can"),
        (
            |state| state.tiled = state.tiled.difference([square_at("D2")].into_iter().collect()),
            "a tile lies",
        ),
        (|state| numbers_mut(state).definition.hold = 4, "cart 2 holds too much"),
        (|state| state.carts[0].facing = Direction::East, "cart 0 faces no track"),
        (|state| place_cart(state, 3, "D1", Direction::North, ""), "two carts stand on D1"),
        (|state| state.carts[0].place = Place::Supply, "cart 0 holds jewels"),
        (|state| state.carts[2].place = Place::Gone, "cart 2 holds jewels"),
        (|state| set_speed(state, 1, 0), "cart 1 is too fast or too slow"),
        (|state| set_speed(state, 1, 7), "cart 1 is too fast or too slow"),
        (|state| state.carts[3].place = surface_place(), "cart 3 is too fast or too slow"),
        (|state| state.era = Era::Mining, "a mine has collapsed too early"),
        (|state| state.tokens[2] = 6, "there are too many green tokens"),
    ];
    assert_eq!(OffTheRails::check_every_piece_placed(&valid_position()), Ok(()));
    for (place, (fault, said)) in faults.into_iter().enumerate() {
        let mut state = valid_position();
        fault(&mut state);
        let found = OffTheRails::check_every_piece_placed(&state).err().unwrap_or_default();
        assert!(found.starts_with(said), "{place}: {found:?}, not {said:?}");
    }
}

/// Returns a place on the surface. A cart there must have a valid speed, but a cart that never
/// entered has speed 0.
fn surface_place() -> Place {
    Place::Surface(SurfaceSquare { side: Direction::South, index: 0 })
}

#[test]
fn audit_rejects_unequal_or_foreign_cut() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "oed");
    let (waiting, _) = play_with_events(&state, "move w");
    let cut = |first: &str| {
        let mut cut = waiting.clone();
        cut.apply(&Event::Cut { cart: cart(2), first: jewels(first) });
        OffTheRails::check_every_piece_placed(&cut)
    };
    for first in ["o", "e", "d", "oe", "od", "ed"] {
        assert_eq!(cut(first), Ok(()), "{first}");
    }
    for first in ["", "r", "oo", "oed"] {
        assert_eq!(cut(first), Err("the jewels are cut wrongly".to_owned()), "{first}");
    }
}
