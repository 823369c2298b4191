use super::*;

#[test]
pub fn track_is_laid_only_on_free_grid_squares() {
    let mut state = default_game();
    place_jewels(&mut state, "D2", "rr");
    state = play_lines(&state, "lay A1 nw; lay D2 ne");
    assert_eq!(state.ground[square_at("D2")], jewels("rr"), "jewels lie on the tile");
    assert_eq!(refusal_key(&state, "lay D2 ns"), "or-tiled");
    assert_eq!(refusal_key(&state, "lay C3 ns"), "or-centre");
    assert_eq!(refusal_key(&state, "lay J3 ns"), "or-no-square");
    assert_eq!(refusal_key(&state, "lay D4 nes"), "or-shape");
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("D3") });
    let refusal = expect_refusal(&state, "lay D3 ns");
    assert_eq!((refusal.reason.key, refusal.alternatives[0].key), ("or-chasm-there", "or-squares"));
}

#[test]
pub fn upgrade_adds_openings_but_not_under_cart() {
    let mut state = default_game();
    lay_tiles(&mut state, "D2 ne, D3 ns");
    let after = play_lines(&state, "upgrade D2 t nes; upgrade D2");
    assert_eq!(after.track[square_at("D2")].count(), 4, "one tile may be upgraded twice");
    assert_eq!(after.tiles.straight_or_corner, 60 - 1, "the corner went back");
    assert_eq!(after.tiles.t_or_cross, 30 - 1);
    assert_eq!(refusal_key(&after, "upgrade D2 s"), "or-open-already");
    assert_eq!(refusal_key(&state, "upgrade D2 t esw"), "or-up-removes");
    assert_eq!(refusal_key(&state, "upgrade D2"), "or-up-which");
    assert_eq!(refusal_key(&state, "upgrade D4 e"), "or-no-track");
    assert_eq!(play_lines(&state, "upgrade D3 cross").turn_progress.actions_left, 2);
    place_cart(&mut state, 2, "D2", Direction::East, "");
    assert_eq!(refusal_key(&state, "upgrade D2 s"), "or-under-cart");
    place_jewels(&mut state, "D3", "g");
    assert_eq!(play_lines(&state, "upgrade D3 e").ground[square_at("D3")], jewels("g"));
}

#[test]
pub fn cart_enters_own_side_and_moves_same_turn() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ns, C2 ns, C4 ns");
    let entered = play_lines(&state, "enter white C north");
    assert_eq!(entered.cart(cart(0)).speed, 3);
    assert_eq!(refusal_key(&entered, "enter black C"), "or-berth-taken");
    assert_eq!(refusal_key(&state, "enter white C south"), "or-wrong-side");
    let mut slow = entered;
    set_speed(&mut slow, 0, 2);
    let after = play_lines(&slow, "end");
    assert_eq!(
        place_and_facing(&after, 0),
        (on_track("C2"), Direction::South),
        "the first step enters the grid"
    );
}

#[test]
pub fn cart_entering_without_connected_track_derails() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ew");
    for line in ["enter w C; end", "enter w D; end"] {
        let (after, told) = play_with_events(&state, line);
        assert_eq!(place_and_facing(&after, 0).0, Place::Supply);
        assert!(
            told.iter().any(|event| matches!(event, Event::Derailed { lost: false, .. })),
            "{line}"
        );
    }
}

#[test]
pub fn each_action_changes_speed_by_one() {
    let mut state = default_game();
    assert_eq!(refusal_key(&state, "speed w +1"), "or-not-on-board");
    lay_tiles(&mut state, "D1 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    assert_eq!(refusal_key(&state, "speed w -1"), "or-speed-limit");
    assert_eq!(play_lines(&state, "speed w 4").turn_progress.actions_left, 1);
    assert_eq!(refusal_key(&state, "speed w 6"), "or-no-actions");
    set_speed(&mut state, 0, 6);
    assert_eq!(refusal_key(&state, "faster w"), "or-speed-limit");
}

#[test]
pub fn turn_allows_four_actions_before_moves() {
    let state = default_game();
    let after = play_lines(&state, "lay C1 ns; lay C2 ns; lay D4 ne; enter C");
    assert_eq!(after.turn_progress.actions_left, 0);
    assert_eq!(refusal_key(&after, "lay D5 ns"), "or-no-actions");
    assert_eq!(refusal_key(&state, "lay C1 ns, C3 ns"), "or-centre");
    assert_eq!(play_lines(&state, "end").active_seat(), Some(SEAT_TWO), "no action is needed");
    let moved = play_lines(&after, "move w");
    assert_eq!(refusal_key(&moved, "lay D5 ns"), "or-actions-over");
}

#[test]
pub fn tiles_run_out_and_return_to_supply() {
    let mut state = default_game();
    lay_tiles(&mut state, "D2 ns");
    state.tiles.straight_or_corner = 0;
    numbers_mut(&mut state).definition.tiles.straight_or_corner = 1;
    assert_eq!(refusal_key(&state, "lay D4 ns"), "or-no-tiles");
    let after = play_lines(&state, "upgrade D2 e; lay D4 ns");
    assert_eq!(after.tiles.straight_or_corner, 0);
    let mut state = after;
    state.tiles.t_or_cross = 0;
    numbers_mut(&mut state).definition.tiles.t_or_cross = 1;
    assert_eq!(refusal_key(&state, "upgrade D4 e"), "or-no-junctions");
    assert_eq!(
        play_lines(&state, "upgrade D2").track[square_at("D2")].count(),
        4,
        "the T is turned over"
    );
}
