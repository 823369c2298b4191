//! The board as text.

use super::*;
use crate::rules::Charset;

/// A position with a little of everything.
pub fn position() -> State {
    let mut state = game(4, &Options::default());
    lay(
        &mut state,
        "C1 ns, C2 nes, D2 esw, D3 ns, D4 ne, E4 ew, B2 es, A5 ew, B5 ew, E2 nw, G4 nesw",
    );
    strew(&mut state, "C2", "rr");
    strew(&mut state, "E4", "dgo");
    strew(&mut state, "B7", "reeo");
    strew(&mut state, "G2", "rrrrrrreo");
    stand(&mut state, 0, "D2", Way::East, "rd");
    stand(&mut state, 5, "B5", Way::West, "");
    stand(&mut state, 3, "G4", Way::North, "o");
    speed(&mut state, 0, 4);
    state.apply(&Event::Sank { colour: Colour::Green, at: at("F7") });
    state.apply(&Event::Sank { colour: Colour::Green, at: at("F8") });
    state
}

#[test]
fn a_position_in_both_charsets() {
    let state = position();
    let new = [
        Event::Laid { seat: ONE, at: at("D3"), ends: Ends::LAID[0] },
        Event::Sank { colour: Colour::Green, at: at("F8") },
    ];
    let board = |charset| OffTheRails::board(&state, &new, charset);
    let ascii = board(Charset::Ascii);
    insta::assert_snapshot!("ascii", ascii.join("\n"));
    insta::assert_snapshot!("unicode", board(Charset::Unicode).join("\n"));
    assert!(ascii.iter().all(|line| line.is_ascii() && line.len() <= 76));
    assert!(board(Charset::Unicode).iter().all(|line| line.chars().count() <= 76));
}

#[test]
fn a_cart_on_the_surface_stands_in_the_margin() {
    let state = say(&plain(), "enter white C");
    let board = OffTheRails::board(&state, &[], Charset::Ascii);
    assert_eq!(board[1].trim(), "1w");
    let mut state = game(4, &Options::default());
    state.apply(&Event::Turn { seat: Seat::new(3) });
    let (state, _) = try_lines(&state, Seat::new(3), "enter black 4").sure();
    let board = OffTheRails::board(&state, &[], Charset::Ascii);
    assert!(board[2 + 3 * 3].ends_with("3b"), "{}", board.join("\n"));
}

#[test]
fn the_largest_board_fits_a_letter() {
    let text =
        OffTheRails::DEFINITION.replace("columns: 8", "columns: 9").replace("rows: 8", "rows: 9");
    let state = OffTheRails::open(&yaml::read(&text).sure(), &Options::default(), 4).sure();
    let board = OffTheRails::board(&state, &[], Charset::Ascii);
    assert!(board.iter().all(|line| line.len() <= 76));
}
