//! Which lines are suggested in a position: exactly these.

use super::taps::{lines, taps};
use super::*;
use crate::games::off_the_rails::definition::Cut;

/// No action is left, so that only moves are suggested.
fn only_moves(state: &mut State) {
    state.stint.actions = 0;
}

#[test]
fn cuts_are_suggested_by_how_even_they_are() {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "ordge");
    // All is worth 10, so these leave the piles 0, 0, 2, 2, 2, 4 and 4, 4, 6, 8 apart.
    let even = [
        "emerald gold",
        "ruby diamond",
        "emerald diamond",
        "ruby gold",
        "rock diamond",
        "gold diamond",
    ];
    let uneven = ["ruby emerald", "rock gold", "rock emerald", "rock ruby"];
    let said = |key, piles: &[&str]| {
        piles.iter().map(|pile| (key, format!("cut {pile}"))).collect::<Vec<_>>()
    };
    let all = [said("or-tap-cut-even", &even), said("or-tap-cut-uneven", &uneven)].concat();
    assert_eq!(taps(&say(&state, "move w"), TWO), all);
}

#[test]
fn where_a_cart_is_lost_the_other_one_goes_its_best_way_and_nothing_else_is_suggested() {
    let mut state = plain();
    // Black can only go into the centre of a mine.
    lay(&mut state, "C2 ns, G1 ns, G2 nes");
    stand(&mut state, 0, "G1", Way::South, "g");
    stand(&mut state, 1, "C2", Way::South, "r");
    face_up(&mut state, &[Mission::GreenFingers]);
    only_moves(&mut state);
    assert_eq!(taps(&state, ONE), [("or-tap-lost", "move derail".to_owned())]);
}

#[test]
fn a_turn_in_which_ones_carts_meet_is_not_suggested() {
    let mut state = plain();
    lay(&mut state, "D3 ns, D2 nesw, E2 ew, B2 ew, C2 new, C1 sw, B1 ew");
    stand(&mut state, 0, "D3", Way::North, "r");
    stand(&mut state, 1, "B2", Way::East, "e");
    speed(&mut state, 1, 3);
    only_moves(&mut state);
    // Straight on by C2 and D2 to E2, black would run into white, which moves first.
    let apart = "move white D2 black C2 C1 B1".to_owned();
    assert_eq!(taps(&state, ONE), [("or-tap-move", apart)]);
}

#[test]
fn a_way_into_a_cart_is_named_only_where_all_can_be_told_before() {
    let ram = |options: &Options, other| {
        let mut state = game(2, options);
        lay(&mut state, "D1 ns, D2 nsw, C2 ew, B2 ew");
        stand(&mut state, 0, "D1", Way::South, "r");
        speed(&mut state, 0, 3);
        stand(&mut state, 2, "B2", Way::West, other);
        only_moves(&mut state);
        taps(&state, ONE)
    };
    let plain = Options::default();
    let asked = Options { cut: Cut::Interactive, ..Options::default() };
    let named = [("or-tap-move", "move white D2 C2".to_owned())];
    assert_eq!(ram(&plain, "d"), named);
    assert_eq!(ram(&asked, "d"), named);
    // Which of two jewels falls is chance, or another player is asked.
    let lost = [("or-tap-lost", "done derail".to_owned())];
    assert_eq!(ram(&plain, "dr"), lost);
    assert_eq!(ram(&asked, "dr"), lost);
}

#[test]
fn at_a_junction_by_the_side_the_ways_out_and_on_are_suggested() {
    let mut state = plain();
    lay(&mut state, "C1 ew, D1 new, E1 ew");
    stand(&mut state, 0, "C1", Way::East, "r");
    speed(&mut state, 0, 3);
    stand(&mut state, 2, "E1", Way::East, "g");
    only_moves(&mut state);
    let both = ["move", "move white D1 out north"];
    assert_eq!(lines(&state, "or-tap-move"), both, "it rams the other cart, or leaves");
}

#[test]
fn a_closed_tile_ahead_is_opened() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ew");
    stand(&mut state, 0, "D1", Way::South, "r");
    state.stint.actions = 1;
    assert_eq!(taps(&state, ONE), [("or-tap-turn", "upgrade D2 north; move".to_owned())]);
}

#[test]
fn of_a_turn_its_actions_are_suggested_as_a_step_but_of_an_entry_only_its_track() {
    // A cart that enters has to move in the same turn.
    let mut state = plain();
    strew(&mut state, "C2", "dr");
    let turns = lines(&state, "or-tap-turn");
    let tracks: Vec<&str> =
        turns.iter().map(|turn| turn.split_once("; enter white ").sure().0).collect();
    assert_eq!(tracks[0], "lay B1 ne, C1 sw, C2 ne", "it stops on both jewels");
    assert!(tracks.len() > 2, "{turns:?}");
    assert_eq!(lines(&state, "or-tap-step"), tracks[..2]);
    // The other one has a way to go on, and black one to the diamond.
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ew, E2 ew");
    stand(&mut state, 0, "D1", Way::South, "r");
    strew(&mut state, "F2", "d");
    let turns = [
        "lay F1 ns, F2 nw; upgrade D2 north; enter black F; move",
        "upgrade D2 north; speed white 2; move",
        "upgrade D2 north; move",
        "lay C2 ne; upgrade D2 north; speed white 2; move white D2 C2",
    ];
    assert_eq!(lines(&state, "or-tap-turn"), turns);
    let steps = ["lay F1 ns, F2 nw", "upgrade D2 north; speed white 2"];
    assert_eq!(lines(&state, "or-tap-step"), steps);
}

#[test]
fn claims_are_suggested_where_a_turn_would_cost_a_mission() {
    let mut state = plain();
    lay(&mut state, "D1 ns");
    stand(&mut state, 0, "D1", Way::North, "deegg");
    face_up(&mut state, &[Mission::GreenFingers]);
    only_moves(&mut state);
    assert_eq!(lines(&state, "or-tap-claim"), <[&str; 0]>::default());
    face_up(&mut state, &[Mission::GreenFingers, Mission::GoldInYourHills]);
    let claims = ["claim green fingers", "claim gold in your hills"];
    assert_eq!(lines(&state, "or-tap-claim"), claims);
}

/// Seat 1 in the abyss, with a cart of its own far away; these others are on the board.
fn abyss(tiles: &str, carts: &[(u8, &str, Way, &str)]) -> State {
    let mut state = plain();
    open_abyss(&mut state);
    lay(&mut state, "H8 ew");
    stand(&mut state, 0, "H8", Way::East, "");
    if !tiles.is_empty() {
        lay(&mut state, tiles);
    }
    carts
        .iter()
        .for_each(|&(id, square, facing, hold)| stand(&mut state, id, square, facing, hold));
    state
}

#[test]
fn a_token_is_suggested_where_it_harms_others_most_and_oneself_least() {
    // The red token lies on B2: A2, B1, B3 and C2 are beside it, B1 the first of them.
    let red = |state: &State| {
        let line = lines(state, "or-tap-chasm").remove(0);
        line.strip_prefix("chasm red ").sure().split(',').next().sure().to_owned()
    };
    let of = |tiles: &str, carts: &[(u8, &str, Way, &str)]| red(&abyss(tiles, carts));
    let (north, south, west) = (Way::North, Way::South, Way::West);
    assert_eq!(of("", &[]), "B1");
    assert_eq!(of("B3 ns", &[]), "B3", "rather a square with a tile");
    assert_eq!(of("", &[(1, "B1", north, "")]), "A2", "not one's own cart");
    assert_eq!(of("", &[(2, "B3", south, "")]), "B3", "another's, though it is empty");
    let two = [(2, "B3", south, "rr"), (3, "A2", west, "e"), (1, "B1", north, "dd")];
    assert_eq!(of("A2 ew", &two), "A2", "as full, and a tile is lost");
    // A cart that heads for a square is stopped by it.
    assert_eq!(of("", &[(2, "B4", north, "")]), "B3", "another's");
    assert_eq!(of("", &[(1, "B4", north, ""), (2, "A3", north, "")]), "A2", "not one's own");
    assert_eq!(of("", &[(1, "A1", Way::East, ""), (2, "C1", west, "")]), "A2", "not both");
    let richer = [(2, "A2", west, ""), (3, "C2", Way::East, "r")];
    assert_eq!(of("A2 ew", &richer), "C2", "a jewel counts for more than a tile");
    // Jewels are wasted there.
    let mut state = abyss("", &[]);
    strew(&mut state, "B1", "r");
    assert_eq!(red(&state), "A2");
}

#[test]
fn the_chasm_is_suggested_for_the_colours_that_are_left_and_under_a_cart_of_another() {
    let mut state = abyss("", &[(1, "E1", Way::North, ""), (2, "B3", Way::South, "")]);
    let all = "chasm red B3, yellow D2, green E4, blue B4";
    assert_eq!(lines(&state, "or-tap-chasm"), [all, "chasm red B3"]);
    state.tokens[Colour::Green.index()] = 0;
    let left = "chasm red B3, yellow D2, blue B4";
    assert_eq!(lines(&state, "or-tap-chasm"), [left, "chasm red B3"]);
}
