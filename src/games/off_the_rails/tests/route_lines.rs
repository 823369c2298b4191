//! Tests of the route that a line names at junctions, and of words that name none.

use super::super::refuse;
use super::*;

fn game_with_white_cart(tiles: &str, square: &str, facing: Direction, steps: u8) -> State {
    let mut state = default_game();
    lay_tiles(&mut state, tiles);
    place_cart(&mut state, 0, square, facing, "r");
    set_speed(&mut state, 0, steps);
    state
}

/// Returns the side over which the white cart leaves by this line.
fn exit_side(state: &State, line: &str) -> Option<Direction> {
    play_with_events(state, line).1.into_iter().find_map(|event| match event {
        Event::Left { side, .. } => Some(side),
        _ => None,
    })
}

#[test]
fn single_letter_after_cart_is_a_direction() {
    let state = game_with_white_cart("D1 ns, D2 nsw, C2 ew", "D1", Direction::South, 2);
    assert_eq!(place_and_facing(&play_lines(&state, "move w w"), 0).0, on_track("C2"));
}

#[test]
fn words_before_first_cart_apply_to_next_mover() {
    let mut state = game_with_white_cart("D1 ns, D2 nes, G1 ns, G2 ns", "D1", Direction::South, 1);
    place_cart(&mut state, 1, "G1", Direction::South, "r");
    let after = play_lines(&state, "move D2 face east black");
    assert_eq!(place_and_facing(&after, 0), (on_track("D2"), Direction::East));
    assert_eq!(place_and_facing(&after, 1).0, on_track("G2"));
}

#[test]
fn named_adjacent_square_beats_longer_route() {
    let tiles = "A1 ew, B1 esw, C1 sw, C2 nw, B2 nes, B3 ns, B4 ns";
    let state = game_with_white_cart(tiles, "A1", Direction::East, 4);
    assert_eq!(place_and_facing(&play_lines(&state, "move w B1 B2"), 0).0, on_track("B4"));
    assert_eq!(place_and_facing(&play_lines(&state, "move w C1 B2"), 0).0, on_track("B2"));
}

#[test]
fn out_exits_from_last_named_square() {
    let state = game_with_white_cart("C1 ew, B1 new, A1 ew", "C1", Direction::West, 3);
    assert_eq!(exit_side(&state, "move w out"), Some(Direction::West), "straight on");
    assert_eq!(exit_side(&state, "move w B1 out"), Some(Direction::North));
    assert_eq!(exit_side(&state, "move w A1 out"), Some(Direction::West));
    assert_eq!(refusal_key(&state, "move w A1 out north"), "or-no-way");
    // The named square may be the square where the cart stands, if the cart can come back to it.
    let ring =
        game_with_white_cart("B1 nesw, B2 ne, C2 nw, C1 sw, A1 ew", "B1", Direction::South, 6);
    assert_eq!(exit_side(&ring, "move w out"), Some(Direction::West));
    assert_eq!(exit_side(&ring, "move w B1 out"), Some(Direction::North));
    // Without a junction on the route, a named side must be the side of the exit.
    let straight = game_with_white_cart("D1 ns", "D1", Direction::North, 1);
    assert_eq!(exit_side(&straight, "move w out north"), Some(Direction::North));
    assert_eq!(refusal_key(&straight, "move w out south"), "or-missed");
}

#[test]
fn default_corner_exit_is_remarked() {
    let corner = game_with_white_cart("B1 ew, A1 new", "B1", Direction::West, 2);
    assert_eq!(exit_side(&corner, "move w A1 out"), Some(Direction::West), "straight on");
    assert_eq!(remark_keys(&corner, "move w A1 out"), ["or-default-out"]);
    assert_eq!(remark_keys(&corner, "move w A1 out north"), <[&str; 0]>::default());
    let side = game_with_white_cart("C1 ew, B1 new, A1 ew", "C1", Direction::West, 3);
    assert_eq!(remark_keys(&side, "move w B1 out"), <[&str; 0]>::default());
}

#[test]
fn direction_between_squares_applies_to_next_junction() {
    let tiles = "A1 ew, B1 esw, B2 ns, B3 nsw, A3 es, A4 ns, A5 ns";
    let state = |steps| game_with_white_cart(tiles, "A1", Direction::East, steps);
    assert_eq!(place_and_facing(&play_lines(&state(4), "move w B2 west A3"), 0).0, on_track("A3"));
    assert_eq!(place_and_facing(&play_lines(&state(5), "move w B2 west A4"), 0).0, on_track("A4"));
    assert_eq!(refusal_key(&state(4), "move w B2 west A4"), "or-no-way");
}

#[test]
fn misplaced_word_is_named_in_refusal() {
    let state = game_with_white_cart("D1 ns, D2 nes, E2 ew", "D1", Direction::South, 2);
    let unknown = |word| refuse::refuse_unreadable(&state, "or-unknown-word", word, "move");
    for (line, word) in [
        ("move w take 2 drop ruby", "drop"),
        ("move w take 2 out", "out"),
        ("move w take 2 exit rubies", "exit"),
        ("move w take east", "east"),
        ("move w drop east", "east"),
    ] {
        assert_eq!(expect_refusal(&state, line), unknown(word), "{line}");
    }
}

#[test]
fn invalid_answer_offers_complete_valid_lines() {
    let mut state = game_with_white_cart("D1 ns, D2 ns", "D1", Direction::South, 1);
    place_cart(&mut state, 1, "D2", Direction::South, "re");
    let said = |jewel| Order::Drop(jewels(jewel));
    let lines = ["move white drop ruby", "move white drop emerald"];
    let orders = |line: &str| OffTheRails::parse_line(&state, SEAT_ONE, line).or_fail().orders;
    assert_eq!(orders(lines[0])[1..], [said("r")]);
    let whole = refuse::refuse_non_answer(&state, &orders("move w")[..1], &[said("r"), said("e")]);
    assert_eq!(expect_refusal(&state, "move w drop gold"), whole);
    let told = format!("{whole:?}");
    assert!(lines.iter().all(|line| told.contains(line)), "{told}");
}

#[test]
fn single_letter_verb_is_refused_in_compound_line() {
    let state = default_game();
    let read = |line| OffTheRails::parse_line(&state, SEAT_ONE, line).map(|read| read.orders.len());
    let key = |line| read(line).unwrap_err().reason.key;
    assert_eq!(read("lay D2 ne; mo"), Ok(2));
    assert_eq!(key("lay D2 ne; m"), "or-unknown-word");
    // The parser does not check whether the rules allow the last part.
    assert_eq!(read("lay D2 ne; upgrade D2 north"), Ok(2));
    assert_eq!(key("lay D2 ne; upgrade D2 north; move"), "or-open-already");
}
