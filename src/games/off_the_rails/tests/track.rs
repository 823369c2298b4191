//! Laying and upgrading track, entering carts, and their speed.

use super::*;

#[test]
pub fn track_lies_on_free_squares_of_the_grid_only() {
    let mut state = plain();
    strew(&mut state, "D2", "rr");
    state = say(&state, "lay A1 nw; lay D2 ne");
    assert_eq!(state.ground[at("D2")], jewels("rr"), "jewels lie on the tile");
    assert_eq!(refused(&state, "lay D2 ns"), "or-tiled");
    assert_eq!(refused(&state, "lay C3 ns"), "or-centre");
    assert_eq!(refused(&state, "lay J3 ns"), "or-no-square");
    assert_eq!(refused(&state, "lay D4 nes"), "or-shape");
    state.apply(&Event::Sank { colour: Colour::Red, at: at("D3") });
    let refusal = refusal(&state, "lay D3 ns");
    assert_eq!((refusal.reason.key, refusal.instead[0].key), ("or-chasm-there", "or-squares"));
}

#[test]
pub fn an_upgrade_adds_one_opening_and_never_under_a_cart() {
    let mut state = plain();
    lay(&mut state, "D2 ne, D3 ns");
    let after = say(&state, "upgrade D2 t nes; upgrade D2");
    assert_eq!(after.track[at("D2")].count(), 4, "one tile may be upgraded twice");
    assert_eq!(after.tiles.straight_or_corner, 60 - 1, "the corner went back");
    assert_eq!(after.tiles.t_or_cross, 30 - 1);
    assert_eq!(refused(&after, "upgrade D2 s"), "or-open-already");
    assert_eq!(refused(&state, "upgrade D2 t esw"), "or-up-removes");
    assert_eq!(refused(&state, "upgrade D2"), "or-up-which");
    assert_eq!(refused(&state, "upgrade D4 e"), "or-no-track");
    assert_eq!(say(&state, "upgrade D3 cross").stint.actions, 2);
    stand(&mut state, 2, "D2", Way::East, "");
    assert_eq!(refused(&state, "upgrade D2 s"), "or-under-cart");
    strew(&mut state, "D3", "g");
    assert_eq!(say(&state, "upgrade D3 e").ground[at("D3")], jewels("g"));
}

#[test]
pub fn a_cart_enters_its_own_side_and_moves_in_the_same_turn() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 ns, C4 ns");
    let entered = say(&state, "enter white C north");
    assert_eq!(entered.cart(cart(0)).speed, 3);
    assert_eq!(refused(&entered, "enter black C"), "or-berth-taken");
    assert_eq!(refused(&state, "enter white C south"), "or-wrong-side");
    let mut slow = entered;
    speed(&mut slow, 0, 2);
    let after = say(&slow, "end");
    assert_eq!(stands(&after, 0), (on("C2"), Way::South), "the first step enters the grid");
}

#[test]
pub fn who_steps_onto_no_track_derails() {
    let mut state = plain();
    lay(&mut state, "D1 ew");
    for line in ["enter w C; end", "enter w D; end"] {
        let (after, told) = tell(&state, line);
        assert_eq!(stands(&after, 0).0, Place::Supply);
        assert!(
            told.iter().any(|event| matches!(event, Event::Derailed { lost: false, .. })),
            "{line}"
        );
    }
}

#[test]
pub fn speed_goes_by_one_an_action_from_1_to_6() {
    let mut state = plain();
    assert_eq!(refused(&state, "speed w +1"), "or-not-on-board");
    lay(&mut state, "D1 ns");
    stand(&mut state, 0, "D1", Way::South, "");
    assert_eq!(refused(&state, "speed w -1"), "or-speed-limit");
    assert_eq!(say(&state, "speed w 4").stint.actions, 1);
    assert_eq!(refused(&state, "speed w 6"), "or-no-actions");
    speed(&mut state, 0, 6);
    assert_eq!(refused(&state, "faster w"), "or-speed-limit");
}

#[test]
pub fn four_actions_in_any_order_all_checked_before_any_is_applied() {
    let state = plain();
    let after = say(&state, "lay C1 ns; lay C2 ns; lay D4 ne; enter C");
    assert_eq!(after.stint.actions, 0);
    assert_eq!(refused(&after, "lay D5 ns"), "or-no-actions");
    assert_eq!(refused(&state, "lay C1 ns, C3 ns"), "or-centre");
    assert_eq!(say(&state, "end").active(), Some(TWO), "no action is needed");
    let moved = say(&after, "move w");
    assert_eq!(refused(&moved, "lay D5 ns"), "or-actions-over");
}

#[test]
pub fn tiles_run_out_and_come_back() {
    let mut state = plain();
    lay(&mut state, "D2 ns");
    state.tiles.straight_or_corner = 0;
    numbers(&mut state).definition.tiles.straight_or_corner = 1;
    assert_eq!(refused(&state, "lay D4 ns"), "or-no-tiles");
    let after = say(&state, "upgrade D2 e; lay D4 ns");
    assert_eq!(after.tiles.straight_or_corner, 0);
    let mut state = after;
    state.tiles.t_or_cross = 0;
    numbers(&mut state).definition.tiles.t_or_cross = 1;
    assert_eq!(refused(&state, "upgrade D4 e"), "or-no-junctions");
    assert_eq!(say(&state, "upgrade D2").track[at("D2")].count(), 4, "the T is turned over");
}
