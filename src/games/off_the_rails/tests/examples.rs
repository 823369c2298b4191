//! Tests of the example lines for the active player, which must fit the position.

use super::super::examples;
use super::*;
use crate::rules::RefusalKind;

#[test]
fn route_example_shows_default_move() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 nsw, D3 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    assert_eq!(examples::move_and_face_line(&state), "move w face south", "not the usual east");
    set_speed(&mut state, 0, 2);
    assert_eq!(examples::route_line(&state), "move w D2 D3", "through a junction");
    state.carts[0].facing = Direction::North;
    assert_eq!(examples::route_line(&state), "move w out");
    place_cart(&mut state, 0, "D3", Direction::North, "");
    set_speed(&mut state, 0, 6);
    assert_eq!(examples::route_line(&state), "move w D2 D1 out");
}

#[test]
fn lay_example_uses_layable_squares_without_repeats() {
    let mut state = default_game();
    assert_eq!(examples::lay_line(&state, 1), "lay D2 ne");
    assert_eq!(examples::lay_line(&state, 2), "lay D2 ne, D3 ns");
    lay_tiles(&mut state, "D2 ns");
    assert_eq!(examples::lay_line(&state, 2), "lay D3 ne, A1 ns");
    let all = state.layable_squares();
    all.iter()
        .filter(|&square| square != square_at("D3"))
        .for_each(|square| state.tiled.insert(square));
    assert_eq!(examples::lay_line(&state, 2), "lay D3 ne, D2 ns", "no square twice");
}

#[test]
fn enter_example_uses_free_surface_square() {
    let state = default_game();
    assert_eq!(examples::enter_line(&state, None), "enter white C");
    assert_eq!(examples::enter_line(&play_lines(&state, "enter w C"), None), "enter black D");
    assert_eq!(examples::enter_line(&play_lines(&state, "enter w D"), None), "enter black C");
    assert_eq!(examples::enter_line(&state, Some(SEAT_TWO)), "enter white C");
}

#[test]
fn chasm_example_appears_only_if_player_chooses() {
    let mut state = default_game();
    assert_eq!(examples::chasm_line(&state), None, "there is no abyss yet");
    state.era = Era::Abyss;
    assert_eq!(examples::chasm_line(&state), None, "and no token beside which one could lie");
    open_abyss(&mut state);
    let shown = examples::chasm_line(&state).or_fail();
    assert_eq!(shown, "chasm red B1, yellow E1");
    let kind = OffTheRails::parse_line(&state, SEAT_ONE, &shown).map_err(|refusal| refusal.kind);
    assert!(!matches!(kind, Err(RefusalKind::Unreadable)), "{kind:?}");
    let mut by_die = new_game(2, &Options { abyss_die: true, ..Options::default() });
    open_abyss(&mut by_die);
    assert_eq!(examples::chasm_line(&by_die), None);
    let mut alone = solo::new_solo_game();
    open_abyss(&mut alone);
    assert_eq!(examples::chasm_line(&alone), None);
}
