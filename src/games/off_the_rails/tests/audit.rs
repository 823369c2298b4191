//! Positions that cannot be, each made of a sound one by hand, and what the audit says of them.

use super::*;
use crate::games::off_the_rails::definition::{Cut, Tiles};
use crate::games::off_the_rails::order::Berth;

/// Track, jewels and three carts; a fourth is in the supply. The abyss has opened.
fn sound() -> State {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D5 ew, E5 nesw");
    strew(&mut state, "D2", "roe");
    stand(&mut state, 0, "D1", Way::South, "rd");
    stand(&mut state, 1, "D5", Way::East, "");
    stand(&mut state, 2, "E5", Way::North, "ggggg");
    state.era = Era::Abyss;
    state.apply(&Event::Sank { colour: Colour::Red, at: at("B2") });
    state
}

/// Puts a tile that is none of those in the supply.
fn smuggle(state: &mut State, square: &str, ends: &str) {
    let Tiles { straight_or_corner, t_or_cross } = state.tiles;
    state.apply(&Event::Laid { seat: ONE, at: at(square), ends: Ends::parse(ends).sure() });
    state.tiles = Tiles { straight_or_corner, t_or_cross };
}

#[test]
fn every_piece_is_somewhere_and_nowhere_that_it_cannot_be() {
    type Fault = fn(&mut State);
    let faults: [(Fault, &str); 18] = [
        (|state| state.bag = state.bag.minus(jewels("r")), "the jewels are"),
        (|state| state.gone = jewels("d"), "the jewels are"),
        (|state| smuggle(state, "H8", "ns"), "there are 61 simple tiles and 30 junctions"),
        (|state| smuggle(state, "H8", "nes"), "there are 60 simple tiles and 31 junctions"),
        (|state| lay(state, "C3 ns"), "a tile lies where none can"),
        (|state| lay(state, "B2 ns"), "a tile lies where none can"),
        (|state| lay(state, "H8 n"), "a tile lies where none can"),
        (|state| state.tiled = state.tiled.minus([at("D2")].into_iter().collect()), "a tile lies"),
        (|state| numbers(state).definition.hold = 4, "cart 2 holds too much"),
        (|state| state.carts[0].facing = Way::East, "cart 0 faces no track"),
        (|state| stand(state, 3, "D1", Way::North, ""), "two carts stand on D1"),
        (|state| state.carts[0].place = Place::Supply, "cart 0 holds jewels"),
        (|state| state.carts[2].place = Place::Gone, "cart 2 holds jewels"),
        (|state| speed(state, 1, 0), "cart 1 is too fast or too slow"),
        (|state| speed(state, 1, 7), "cart 1 is too fast or too slow"),
        (|state| state.carts[3].place = on_surface(), "cart 3 is too fast or too slow"),
        (|state| state.era = Era::Mining, "a mine has collapsed too early"),
        (|state| state.tokens[2] = 6, "there are too many green tokens"),
    ];
    assert_eq!(OffTheRails::audit(&sound()), Ok(()));
    for (place, (fault, said)) in faults.into_iter().enumerate() {
        let mut state = sound();
        fault(&mut state);
        let found = OffTheRails::audit(&state).err().unwrap_or_default();
        assert!(found.starts_with(said), "{place}: {found:?}, not {said:?}");
    }
}

/// A place where a cart has a speed, which one that was never entered has not.
fn on_surface() -> Place {
    Place::Surface(Berth { side: Way::South, index: 0 })
}

#[test]
fn what_was_cut_is_a_fair_part_of_what_the_rammed_cart_holds() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "oed");
    let (waiting, _) = tell(&state, "move w");
    let cut = |first: &str| {
        let mut cut = waiting.clone();
        cut.apply(&Event::Cut { cart: cart(2), first: jewels(first) });
        OffTheRails::audit(&cut)
    };
    for first in ["o", "e", "d", "oe", "od", "ed"] {
        assert_eq!(cut(first), Ok(()), "{first}");
    }
    for first in ["", "r", "oo", "oed"] {
        assert_eq!(cut(first), Err("the jewels are cut wrongly".to_owned()), "{first}");
    }
}
