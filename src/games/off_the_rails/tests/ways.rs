//! Which way a line names where several lead on, and which words name none.

use super::super::refuse;
use super::*;

fn white(tiles: &str, square: &str, facing: Way, steps: u8) -> State {
    let mut state = plain();
    lay(&mut state, tiles);
    stand(&mut state, 0, square, facing, "r");
    speed(&mut state, 0, steps);
    state
}

/// Over which side the white cart leaves by this line.
fn left_by(state: &State, line: &str) -> Option<Way> {
    tell(state, line).1.into_iter().find_map(|event| match event {
        Event::Left { side, .. } => Some(side),
        _ => None,
    })
}

#[test]
fn behind_the_cart_a_letter_alone_is_a_way() {
    let state = white("D1 ns, D2 nsw, C2 ew", "D1", Way::South, 2);
    assert_eq!(stands(&say(&state, "move w w"), 0).0, on("C2"));
}

#[test]
fn what_stands_before_the_first_cart_that_is_named_is_for_the_cart_that_moves_next() {
    let mut state = white("D1 ns, D2 nes, G1 ns, G2 ns", "D1", Way::South, 1);
    stand(&mut state, 1, "G1", Way::South, "r");
    let after = say(&state, "move D2 face east black");
    assert_eq!(stands(&after, 0), (on("D2"), Way::East));
    assert_eq!(stands(&after, 1).0, on("G2"));
}

#[test]
fn a_square_that_is_named_is_the_next_one_even_where_a_longer_way_comes_to_it() {
    let tiles = "A1 ew, B1 esw, C1 sw, C2 nw, B2 nes, B3 ns, B4 ns";
    let state = white(tiles, "A1", Way::East, 4);
    assert_eq!(stands(&say(&state, "move w B1 B2"), 0).0, on("B4"));
    assert_eq!(stands(&say(&state, "move w C1 B2"), 0).0, on("B2"));
}

#[test]
fn out_means_over_the_side_of_the_square_that_was_named_last() {
    let state = white("C1 ew, B1 new, A1 ew", "C1", Way::West, 3);
    assert_eq!(left_by(&state, "move w out"), Some(Way::West), "straight on");
    assert_eq!(left_by(&state, "move w B1 out"), Some(Way::North));
    assert_eq!(left_by(&state, "move w A1 out"), Some(Way::West));
    assert_eq!(refused(&state, "move w A1 out north"), "or-no-way");
    // The square where it stands may be that one: here the cart comes round to it.
    let ring = white("B1 nesw, B2 ne, C2 nw, C1 sw, A1 ew", "B1", Way::South, 6);
    assert_eq!(left_by(&ring, "move w out"), Some(Way::West));
    assert_eq!(left_by(&ring, "move w B1 out"), Some(Way::North));
    // Where no junction asks, the side that is named has to be the right one.
    let straight = white("D1 ns", "D1", Way::North, 1);
    assert_eq!(left_by(&straight, "move w out north"), Some(Way::North));
    assert_eq!(refused(&straight, "move w out south"), "or-missed");
}

#[test]
fn in_a_corner_with_two_ways_out_its_writer_is_told_which_one_is_taken() {
    let corner = white("B1 ew, A1 new", "B1", Way::West, 2);
    assert_eq!(left_by(&corner, "move w A1 out"), Some(Way::West), "straight on");
    assert_eq!(remarks(&corner, "move w A1 out"), ["or-default-out"]);
    assert_eq!(remarks(&corner, "move w A1 out north"), <[&str; 0]>::default());
    let side = white("C1 ew, B1 new, A1 ew", "C1", Way::West, 3);
    assert_eq!(remarks(&side, "move w B1 out"), <[&str; 0]>::default());
}

#[test]
fn a_way_between_squares_is_for_the_next_junction_and_counts_as_a_step() {
    let tiles = "A1 ew, B1 esw, B2 ns, B3 nsw, A3 es, A4 ns, A5 ns";
    let state = |steps| white(tiles, "A1", Way::East, steps);
    assert_eq!(stands(&say(&state(4), "move w B2 west A3"), 0).0, on("A3"));
    assert_eq!(stands(&say(&state(5), "move w B2 west A4"), 0).0, on("A4"));
    assert_eq!(refused(&state(4), "move w B2 west A4"), "or-no-way");
}

#[test]
fn a_word_that_names_nothing_where_it_stands_is_refused_by_itself() {
    let state = white("D1 ns, D2 nes, E2 ew", "D1", Way::South, 2);
    let unknown = |word| refuse::unread(&state, "or-unknown-word", word, "move");
    for (line, word) in [
        ("move w take 2 drop ruby", "drop"),
        ("move w take 2 out", "out"),
        ("move w take 2 exit rubies", "exit"),
        ("move w take east", "east"),
        ("move w drop east", "east"),
    ] {
        assert_eq!(refusal(&state, line), unknown(word), "{line}");
    }
}

#[test]
fn an_answer_that_cannot_be_given_is_refused_with_the_whole_lines_that_can() {
    let mut state = white("D1 ns, D2 ns", "D1", Way::South, 1);
    stand(&mut state, 1, "D2", Way::South, "re");
    let said = |jewel| Order::Drop(jewels(jewel));
    let lines = ["move white drop ruby", "move white drop emerald"];
    let orders = |line: &str| OffTheRails::parse(&state, ONE, line).sure().orders;
    assert_eq!(orders(lines[0])[1..], [said("r")]);
    let whole = refuse::not_an_answer(&state, &orders("move w")[..1], &[said("r"), said("e")]);
    assert_eq!(refusal(&state, "move w drop gold"), whole);
    let told = format!("{whole:?}");
    assert!(lines.iter().all(|line| told.contains(line)), "{told}");
}

#[test]
fn a_letter_alone_is_no_order_on_a_line_of_several() {
    let state = plain();
    let read = |line| OffTheRails::parse(&state, ONE, line).map(|read| read.orders.len());
    let key = |line| read(line).unwrap_err().reason.key;
    assert_eq!(read("lay D2 ne; mo"), Ok(2));
    assert_eq!(key("lay D2 ne; m"), "or-unknown-word");
    // Whether the rules allow the last of them is not for who only reads.
    assert_eq!(read("lay D2 ne; upgrade D2 north"), Ok(2));
    assert_eq!(key("lay D2 ne; upgrade D2 north; move"), "or-open-already");
}
