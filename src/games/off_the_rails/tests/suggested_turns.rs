//! Tests of the exact list of suggestions in constructed positions.

use super::suggested_lines::{lines_of_group, suggested_lines};
use super::*;
use crate::games::off_the_rails::definition::CutRule;

/// Uses up the actions, so that only moves are suggested.
fn use_up_actions(state: &mut State) {
    state.turn_progress.actions_left = 0;
}

#[test]
fn cuts_are_suggested_most_even_first() {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "ordge");
    // All jewels together are worth 10. The values of the two piles differ by 0, 0, 2, 2, 2, 4 for
    // the even cuts and by 4, 4, 6, 8 for the uneven ones.
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
    assert_eq!(suggested_lines(&play_lines(&state, "move w"), SEAT_TWO), all);
}

#[test]
fn unavoidable_loss_gets_one_suggestion() {
    let mut state = default_game();
    // The black cart can only go into the centre of a mine.
    lay_tiles(&mut state, "C2 ns, G1 ns, G2 nes");
    place_cart(&mut state, 0, "G1", Direction::South, "g");
    place_cart(&mut state, 1, "C2", Direction::South, "r");
    turn_up_missions(&mut state, &[Mission::GreenFingers]);
    use_up_actions(&mut state);
    assert_eq!(suggested_lines(&state, SEAT_ONE), [("or-tap-lost", "move derail".to_owned())]);
}

#[test]
fn moves_where_own_carts_collide_are_not_suggested() {
    let mut state = default_game();
    lay_tiles(&mut state, "D3 ns, D2 nesw, E2 ew, B2 ew, C2 new, C1 sw, B1 ew");
    place_cart(&mut state, 0, "D3", Direction::North, "r");
    place_cart(&mut state, 1, "B2", Direction::East, "e");
    set_speed(&mut state, 1, 3);
    use_up_actions(&mut state);
    // If the black cart went straight through C2 and D2 to E2, it would ram the white cart, which
    // moves first.
    let apart = "move white D2 black C2 C1 B1".to_owned();
    assert_eq!(suggested_lines(&state, SEAT_ONE), [("or-tap-move", apart)]);
}

#[test]
fn ramming_move_is_named_only_if_outcome_certain() {
    let ram = |options: &Options, other| {
        let mut state = new_game(2, options);
        lay_tiles(&mut state, "D1 ns, D2 nsw, C2 ew, B2 ew");
        place_cart(&mut state, 0, "D1", Direction::South, "r");
        set_speed(&mut state, 0, 3);
        place_cart(&mut state, 2, "B2", Direction::West, other);
        use_up_actions(&mut state);
        suggested_lines(&state, SEAT_ONE)
    };
    let plain = Options::default();
    let asked = Options { cut: CutRule::Interactive, ..Options::default() };
    let named = [("or-tap-move", "move white D2 C2".to_owned())];
    assert_eq!(ram(&plain, "d"), named);
    assert_eq!(ram(&asked, "d"), named);
    // Chance decides which of two jewels falls, or another player is asked.
    let lost = [("or-tap-lost", "done derail".to_owned())];
    assert_eq!(ram(&plain, "dr"), lost);
    assert_eq!(ram(&asked, "dr"), lost);
}

#[test]
fn junction_at_edge_suggests_ramming_and_exit() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ew, D1 new, E1 ew");
    place_cart(&mut state, 0, "C1", Direction::East, "r");
    set_speed(&mut state, 0, 3);
    place_cart(&mut state, 2, "E1", Direction::East, "g");
    use_up_actions(&mut state);
    let both = ["move", "move white D1 out north"];
    assert_eq!(lines_of_group(&state, "or-tap-move"), both, "it rams the other cart, or leaves");
}

#[test]
fn closed_tile_ahead_gets_upgrade_suggestion() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ew");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    state.turn_progress.actions_left = 1;
    assert_eq!(
        suggested_lines(&state, SEAT_ONE),
        [("or-tap-turn", "upgrade D2 north; move".to_owned())]
    );
}

#[test]
fn steps_repeat_actions_but_only_track_of_entries() {
    // A cart that enters must move in the same turn, so the step suggests only the track.
    let mut state = default_game();
    place_jewels(&mut state, "C2", "dr");
    let turns = lines_of_group(&state, "or-tap-turn");
    let tracks: Vec<&str> =
        turns.iter().map(|turn| turn.split_once("; enter white ").or_fail().0).collect();
    assert_eq!(tracks[0], "lay B1 ne, C1 sw, C2 ne", "it stops on both jewels");
    assert!(tracks.len() > 2, "{turns:?}");
    assert_eq!(lines_of_group(&state, "or-tap-step"), tracks[..2]);
    // The upgrade lets the white cart go on. The new track leads the black cart to the diamond.
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ew, E2 ew");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_jewels(&mut state, "F2", "d");
    let turns = [
        "lay F1 ns, F2 nw; upgrade D2 north; enter black F; move",
        "upgrade D2 north; speed white 2; move",
        "upgrade D2 north; move",
        "lay C2 ne; upgrade D2 north; speed white 2; move white D2 C2",
    ];
    assert_eq!(lines_of_group(&state, "or-tap-turn"), turns);
    let steps = ["lay F1 ns, F2 nw", "upgrade D2 north; speed white 2"];
    assert_eq!(lines_of_group(&state, "or-tap-step"), steps);
}

#[test]
fn claims_are_suggested_if_turn_forfeits_mission() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns");
    place_cart(&mut state, 0, "D1", Direction::North, "deegg");
    turn_up_missions(&mut state, &[Mission::GreenFingers]);
    use_up_actions(&mut state);
    assert_eq!(lines_of_group(&state, "or-tap-claim"), <[&str; 0]>::default());
    turn_up_missions(&mut state, &[Mission::GreenFingers, Mission::GoldInYourHills]);
    let claims = ["claim green fingers", "claim gold in your hills"];
    assert_eq!(lines_of_group(&state, "or-tap-claim"), claims);
}

/// Returns a position in the abyss era with a distant cart of seat 1, these tiles and these other
/// carts.
fn abyss_game(tiles: &str, carts: &[(u8, &str, Direction, &str)]) -> State {
    let mut state = default_game();
    open_abyss(&mut state);
    lay_tiles(&mut state, "H8 ew");
    place_cart(&mut state, 0, "H8", Direction::East, "");
    if !tiles.is_empty() {
        lay_tiles(&mut state, tiles);
    }
    carts
        .iter()
        .for_each(|&(id, square, facing, hold)| place_cart(&mut state, id, square, facing, hold));
    state
}

#[test]
fn suggested_token_harms_others_most_own_carts_least() {
    // The red token lies on B2, so A2, B1, B3 and C2 are legal. B1 is the first of them.
    let red = |state: &State| {
        let line = lines_of_group(state, "or-tap-chasm").remove(0);
        line.strip_prefix("chasm red ").or_fail().split(',').next().or_fail().to_owned()
    };
    let of = |tiles: &str, carts: &[(u8, &str, Direction, &str)]| red(&abyss_game(tiles, carts));
    let (north, south, west) = (Direction::North, Direction::South, Direction::West);
    assert_eq!(of("", &[]), "B1");
    assert_eq!(of("B3 ns", &[]), "B3", "rather a square with a tile");
    assert_eq!(of("", &[(1, "B1", north, "")]), "A2", "not one's own cart");
    assert_eq!(of("", &[(2, "B3", south, "")]), "B3", "another's, though it is empty");
    let two = [(2, "B3", south, "rr"), (3, "A2", west, "e"), (1, "B1", north, "dd")];
    assert_eq!(of("A2 ew", &two), "A2", "as full, and a tile is lost");
    // A token ahead of a cart harms it, because the cart would fall.
    assert_eq!(of("", &[(2, "B4", north, "")]), "B3", "another's");
    assert_eq!(of("", &[(1, "B4", north, ""), (2, "A3", north, "")]), "A2", "not one's own");
    assert_eq!(of("", &[(1, "A1", Direction::East, ""), (2, "C1", west, "")]), "A2", "not both");
    let richer = [(2, "A2", west, ""), (3, "C2", Direction::East, "r")];
    assert_eq!(of("A2 ew", &richer), "C2", "a jewel counts for more than a tile");
    // A token on jewels wastes them.
    let mut state = abyss_game("", &[]);
    place_jewels(&mut state, "B1", "r");
    assert_eq!(red(&state), "A2");
}

#[test]
fn tokens_suggested_per_available_colour_and_opponents_cart() {
    let mut state =
        abyss_game("", &[(1, "E1", Direction::North, ""), (2, "B3", Direction::South, "")]);
    let all = "chasm red B3, yellow D2, green E4, blue B4";
    assert_eq!(lines_of_group(&state, "or-tap-chasm"), [all, "chasm red B3"]);
    state.tokens[Colour::Green.index()] = 0;
    let left = "chasm red B3, yellow D2, blue B4";
    assert_eq!(lines_of_group(&state, "or-tap-chasm"), [left, "chasm red B3"]);
}
