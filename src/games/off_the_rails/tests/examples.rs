//! The lines that are shown to whose turn it is: they are about what stands on the board.

use super::super::examples;
use super::*;
use crate::rules::RefusalKind;

#[test]
fn the_way_of_a_cart_is_shown_as_it_goes_by_default() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 nsw, D3 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    assert_eq!(examples::moved_to_face(&state), "move w face south", "not the usual east");
    speed(&mut state, 0, 2);
    assert_eq!(examples::way(&state), "move w D2 D3", "through a junction");
    state.carts[0].facing = Way::North;
    assert_eq!(examples::way(&state), "move w out");
    stand(&mut state, 0, "D3", Way::North, "");
    speed(&mut state, 0, 6);
    assert_eq!(examples::way(&state), "move w D2 D1 out");
}

#[test]
fn tiles_are_shown_where_they_can_be_laid_as_long_as_they_can() {
    let mut state = plain();
    assert_eq!(examples::lay(&state, 1), "lay D2 ne");
    assert_eq!(examples::lay(&state, 2), "lay D2 ne, D3 ns");
    lay(&mut state, "D2 ns");
    assert_eq!(examples::lay(&state, 2), "lay D3 ne, A1 ns");
    let all = state.layable();
    all.iter().filter(|&square| square != at("D3")).for_each(|square| state.tiled.insert(square));
    assert_eq!(examples::lay(&state, 2), "lay D3 ne, D2 ns", "no square twice");
}

#[test]
fn a_place_on_the_surface_is_shown_that_is_free() {
    let state = plain();
    assert_eq!(examples::enter(&state, None), "enter white C");
    assert_eq!(examples::enter(&say(&state, "enter w C"), None), "enter black D");
    assert_eq!(examples::enter(&say(&state, "enter w D"), None), "enter black C");
    assert_eq!(examples::enter(&state, Some(TWO)), "enter white C");
}

#[test]
fn chasm_squares_are_shown_where_their_player_chooses_them() {
    let mut state = plain();
    assert_eq!(examples::chasm(&state), None, "there is no abyss yet");
    state.era = Era::Abyss;
    assert_eq!(examples::chasm(&state), None, "and no token beside which one could lie");
    open_abyss(&mut state);
    let shown = examples::chasm(&state).sure();
    assert_eq!(shown, "chasm red B1, yellow E1");
    let kind = OffTheRails::parse(&state, ONE, &shown).map_err(|refusal| refusal.kind);
    assert!(!matches!(kind, Err(RefusalKind::Unreadable)), "{kind:?}");
    let mut by_die = game(2, &Options { abyss_die: true, ..Options::default() });
    open_abyss(&mut by_die);
    assert_eq!(examples::chasm(&by_die), None);
    let mut alone = solo::alone();
    open_abyss(&mut alone);
    assert_eq!(examples::chasm(&alone), None);
}
