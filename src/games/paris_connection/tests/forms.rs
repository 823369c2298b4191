//! Tests of the examples on the card of orders.

use super::*;
use crate::games::paris_connection::forms::{GRAMMAR, PLAN_GRAMMAR};
use crate::games::paris_connection::state::Ending;

/// Returns the examples of a build and of a trade that seat 1 gets.
fn example_lines(state: &State) -> [String; 2] {
    let lines: Vec<String> =
        GRAMMAR.examples(state, Some(ONE)).into_iter().map(|form| form.line).collect();
    lines.try_into().unwrap_or_else(|lines| panic!("{lines:?}"))
}

#[test]
fn trade_example_gives_held_for_available_share() {
    use Colour::{Black, Blue, Brown, Red, Yellow};
    for (held, left, line) in [
        (&Colour::ALL[..], &Colour::ALL[..], "trade red for 2 blue"),
        (&[Black, Brown], &Colour::ALL, "trade black for 2 blue"),
        (&[Blue], &Colour::ALL, "trade blue for 2 yellow"),
        (&[Red, Blue], &[Red, Yellow, Black], "trade red for 2 yellow"),
        (&[Red, Blue], &[Red, Brown], "trade red for 2 brown"),
        // If nothing is left or nothing is held, the example still shows the form.
        (&[Red], &[], "trade red for 1 blue"),
        (&[Blue], &[Blue], "trade blue for 1 red"),
        (&[], &[Blue], "trade red for 2 blue"),
    ] {
        let mut state = dealt_game();
        state.supply = ByColour::from_fn(|colour| u8::from(left.contains(&colour)) * 3);
        state.portfolios[0].shares = ByColour::from_fn(|colour| u8::from(held.contains(&colour)));
        assert_eq!(example_lines(&state)[1], line, "{held:?}, {left:?}");
        let plans: Vec<String> =
            PLAN_GRAMMAR.examples(&state, Some(ONE)).into_iter().map(|f| f.line).collect();
        assert_eq!(plans, [format!("next: {line}")]);
    }
    let mut state = dealt_game();
    state.supply[Colour::Blue] = 1;
    assert_eq!(example_lines(&state)[1], "trade red for 1 blue");
    // Without a seat, the examples disclose no shares.
    state.portfolios[0].shares = ByColour::default();
    assert_eq!(GRAMMAR.examples(&state, None)[1].line, "trade red for 1 blue");
}

#[test]
fn build_example_ignores_ending_and_begun_build() {
    let mut state = dealt_game();
    let [build, _] = example_lines(&state);
    assert!(build.starts_with("build red ") && play_line(&state, ONE, &build).is_ok(), "{build}");
    let mut over = state.clone();
    over.apply(&Event::Ended { reason: Ending::Marseille });
    assert_eq!(example_lines(&over)[0], build);
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Blue, hex: hex("D22") });
    assert_eq!(example_lines(&state)[0], build);
}

#[test]
fn build_example_without_supply_names_rural_hex() {
    let mut state = dealt_game();
    state.supply = ByColour::default();
    // D18 is the first hex in board order that is adjacent to the Gare Saint-Lazare.
    assert_eq!(example_lines(&state)[0], "build red D18");
}
