//! What a line orders, word by word, where another reading is near at hand.

use super::*;
use crate::games::off_the_rails::definition::Cut;
use crate::games::off_the_rails::forms::GRAMMAR;
use crate::games::off_the_rails::order::{Berth, Wish};

fn orders(state: &State, line: &str) -> Vec<Order> {
    OffTheRails::parse(state, ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
        .orders
}

fn tile(square: &str, ends: &str) -> Order {
    Order::Lay { at: at(square), ends: Ends::parse(ends).sure() }
}

#[test]
fn letters_are_ways_where_a_tile_is_laid() {
    let state = plain();
    for (line, laid) in [
        ("lay w e A2", vec![tile("A2", "ew")]),
        ("lay D2 s e", vec![tile("D2", "es")]),
        ("lay D2-ne", vec![tile("D2", "ne")]),
        ("lay D2 ne north east", vec![tile("D2", "ne")]),
        ("lay A2, C2 ew", vec![tile("A2", "ew"), tile("C2", "ew")]),
        ("lay A2 -C2 ew", vec![tile("A2", "ew"), tile("B2", "ew"), tile("C2", "ew")]),
        ("lay D2 ne; lay D3 ns", vec![tile("D2", "ne"), tile("D3", "ns")]),
    ] {
        assert_eq!(orders(&state, line), laid, "{line}");
    }
    for (line, key) in [
        ("lay D2 n ne", "or-lay-ends"),
        ("lay D2 ne l D3 ns", "or-unknown-word"),
        ("lay D2 lay D3 ne", "or-unknown-word"),
    ] {
        assert_eq!(refused(&state, line), key, "{line}");
    }
}

#[test]
fn an_opening_that_is_named_again_is_sure_only_if_all_are() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 nesw");
    let east = Order::Upgrade { at: at("C1"), way: Way::East };
    assert_eq!(orders(&state, "upgrade C1 e east"), [east]);
    assert_eq!(refused(&state, "upgrade C1 e ew"), "or-up-which");
    assert_eq!(refused(&state, "upgrade C2"), "or-open-already", "a cross gets none");
    assert_eq!(refused(&state, "upgrade C1"), "or-up-which");
}

#[test]
fn a_line_that_begins_with_a_cart_is_a_move_only_if_it_names_nothing_but_the_way() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 ns, C4 ns");
    strew(&mut state, "C2", "rd");
    stand(&mut state, 0, "C1", Way::South, "r");
    assert_eq!(orders(&state, "white C2")[0], Order::Move { cart: cart(0) });
    for line in ["w C2", "white C2 take ruby", "white", "white C2, I think"] {
        assert_eq!(refused(&state, line), "or-unreadable", "{line}");
    }
}

#[test]
fn alone_a_cart_enters_from_the_side_that_is_named() {
    let state = solo::alone();
    let entered = |id, side, index| [Order::Enter { cart: cart(id), berth: Berth { side, index } }];
    // Red, yellow, green and blue: north, east, south and west.
    for (line, order) in [
        ("enter north C", entered(0, Way::North, 2)),
        ("enter C south", entered(2, Way::South, 2)),
        ("enter east 2", entered(1, Way::East, 1)),
        ("enter 8 west", entered(3, Way::West, 7)),
    ] {
        assert_eq!(orders(&state, line), order, "{line}");
    }
    // `e` is a column here and no way.
    for (line, lines) in [
        ("enter E", ["enter red E north", "enter green E south"]),
        ("enter 4", ["enter yellow 4 east", "enter blue 4 west"]),
    ] {
        let refusal = refusal(&state, line);
        let lines = lines.map(str::to_owned).to_vec();
        assert_eq!(refusal.reason.key, "or-enter-either", "{line}");
        assert_eq!(refusal.instead, [Message::new("or-lines").with("lines", lines)], "{line}");
    }
    assert_eq!(refused(&state, "enter red I"), "or-enter-where", "H is the last");
    assert_eq!(refused(&state, "enter blue 9"), "or-enter-where", "8 is the last");
}

#[test]
fn a_move_that_waits_for_its_own_player_is_no_whole_line() {
    let mut state = plain();
    lay(&mut state, "C1 ns, C2 nes");
    stand(&mut state, 0, "C1", Way::South, "r");
    let set_off = Order::Move { cart: cart(0) };
    let mut waiting = state.clone();
    for event in OffTheRails::decide(&state, ONE, &set_off, &mut dice()).sure() {
        waiting.apply(&event);
    }
    assert!(!OffTheRails::is_whole_line(&waiting, &[set_off]), "it has to face east or south");
    let face = Order::Face(Way::East);
    assert_eq!(orders(&waiting, "face east"), [face]);
    let moved = say(&state, "move w");
    assert!(OffTheRails::is_whole_line(&moved, &[set_off, face]));
    // Once it has stopped, the only cart that has moved need not be named.
    assert_eq!(orders(&moved, "face east"), [Order::Turn { cart: cart(0), way: Way::East }]);
    assert_eq!(stands(&say(&moved, "face east"), 0).1, Way::East);

    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, "rd");
    let mut rammed = say(&state, "move w");
    assert!(OffTheRails::is_whole_line(&rammed, &[set_off]), "seat 2 is to cut");
    let first = jewels("d");
    rammed.apply(&Event::Cut { cart: cart(2), first });
    assert!(OffTheRails::is_whole_line(&rammed, &[Order::Cut(first)]), "seat 1 is to pick");
}

#[test]
fn missions_are_named_by_all_their_words_or_the_first() {
    let state = plain();
    for (line, missions) in [
        ("claim head to head", vec![Mission::HeadToHead]),
        (
            "claim spice of life, gold in your hills, head",
            vec![Mission::HeadToHead, Mission::GoldInYourHills, Mission::SpiceOfLife],
        ),
    ] {
        let claims = |mission: &Mission| Order::Wish(Wish::Claim(*mission));
        assert_eq!(orders(&state, line), missions.iter().map(claims).collect::<Vec<_>>());
    }
}

#[test]
fn what_no_move_waits_for_is_told_the_line_in_which_it_can_be_said() {
    let state = plain();
    let forms = |key: Option<&str>| -> Vec<Message> {
        let lines = GRAMMAR.lines(&state, None).into_iter();
        lines.filter(|form| Some(form.does.key) == key).map(|form| form.offered()).collect()
    };
    for (line, key) in [
        ("take ruby", Some("or-form-move-take")),
        ("go north", Some("or-form-way")),
        ("drop ruby", Some("or-form-move-drop")),
        ("pick first", None),
    ] {
        let refusal = refusal(&state, line);
        assert_eq!(refusal.reason.key, "or-not-asked", "{line}");
        assert_eq!(refusal.instead, forms(key), "{line}");
        assert_eq!(refusal.instead.is_empty(), key.is_none(), "{line}");
    }
}

#[test]
fn two_tiles_on_a_line_are_shown_where_two_can_be_laid() {
    let shows_two = |actions, tiles| {
        let mut state = plain();
        (state.stint.actions, state.tiles.straight_or_corner) = (actions, tiles);
        GRAMMAR.lines(&state, None).iter().any(|form| form.does.key == "or-form-lay-two")
    };
    assert!(shows_two(4, 60) && shows_two(2, 2));
    assert!(!shows_two(1, 60) && !shows_two(4, 1));
}

#[test]
fn what_may_be_misspelled_are_colours_carts_and_jewels() {
    let names = OffTheRails::names(&plain());
    let words = "red yellow green blue white black rubies rock rocks ruby emerald emeralds gold \
                 diamond diamonds";
    for word in words.split_whitespace() {
        assert!(names.iter().any(|name| name == word), "{word}: {names:?}");
    }
    assert!(names.iter().all(|name| name.len() > 2 && name.chars().all(char::is_alphabetic)));
}
