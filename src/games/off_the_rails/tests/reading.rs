//! Tests of lines that could easily be parsed in another way.

use super::*;
use crate::games::off_the_rails::definition::CutRule;
use crate::games::off_the_rails::forms::GRAMMAR;
use crate::games::off_the_rails::order::{SurfaceSquare, Wish};

fn parse_orders(state: &State, line: &str) -> Vec<Order> {
    OffTheRails::parse_line(state, SEAT_ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
        .orders
}

fn lay_order(square: &str, ends: &str) -> Order {
    Order::Lay { at: square_at(square), ends: TileOpenings::parse(ends).or_fail() }
}

#[test]
fn lay_line_reads_letters_as_directions() {
    let state = default_game();
    for (line, laid) in [
        ("lay w e A2", vec![lay_order("A2", "ew")]),
        ("lay D2 s e", vec![lay_order("D2", "es")]),
        ("lay D2-ne", vec![lay_order("D2", "ne")]),
        ("lay D2 ne north east", vec![lay_order("D2", "ne")]),
        ("lay A2, C2 ew", vec![lay_order("A2", "ew"), lay_order("C2", "ew")]),
        (
            "lay A2 -C2 ew",
            vec![lay_order("A2", "ew"), lay_order("B2", "ew"), lay_order("C2", "ew")],
        ),
        ("lay D2 ne; lay D3 ns", vec![lay_order("D2", "ne"), lay_order("D3", "ns")]),
    ] {
        assert_eq!(parse_orders(&state, line), laid, "{line}");
    }
    for (line, key) in [
        ("lay D2 n ne", "or-lay-ends"),
        ("lay D2 ne l D3 ns", "or-unknown-word"),
        ("lay D2 lay D3 ne", "or-unknown-word"),
    ] {
        assert_eq!(refusal_key(&state, line), key, "{line}");
    }
}

#[test]
fn repeated_opening_is_ambiguous_unless_all_repeat() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ns, C2 nesw");
    let east = Order::Upgrade { at: square_at("C1"), way: Direction::East };
    assert_eq!(parse_orders(&state, "upgrade C1 e east"), [east]);
    assert_eq!(refusal_key(&state, "upgrade C1 e ew"), "or-up-which");
    assert_eq!(refusal_key(&state, "upgrade C2"), "or-open-already", "a cross gets none");
    assert_eq!(refusal_key(&state, "upgrade C1"), "or-up-which");
}

#[test]
fn cart_first_line_is_move_only_with_route() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ns, C2 ns, C4 ns");
    place_jewels(&mut state, "C2", "rd");
    place_cart(&mut state, 0, "C1", Direction::South, "r");
    assert_eq!(parse_orders(&state, "white C2")[0], Order::Move { cart: cart(0) });
    for line in ["w C2", "white C2 take ruby", "white", "white C2, I think"] {
        assert_eq!(refusal_key(&state, line), "or-unreadable", "{line}");
    }
}

#[test]
fn solo_enter_line_chooses_cart_by_side() {
    let state = solo::new_solo_game();
    let entered =
        |id, side, index| [Order::Enter { cart: cart(id), berth: SurfaceSquare { side, index } }];
    // In the solo game, red enters from the north, yellow from the east, green from the south, blue
    // from the west.
    for (line, order) in [
        ("enter north C", entered(0, Direction::North, 2)),
        ("enter C south", entered(2, Direction::South, 2)),
        ("enter east 2", entered(1, Direction::East, 1)),
        ("enter 8 west", entered(3, Direction::West, 7)),
    ] {
        assert_eq!(parse_orders(&state, line), order, "{line}");
    }
    // `E` means a column here instead of the direction east.
    for (line, lines) in [
        ("enter E", ["enter red E north", "enter green E south"]),
        ("enter 4", ["enter yellow 4 east", "enter blue 4 west"]),
    ] {
        let refusal = expect_refusal(&state, line);
        let lines = lines.map(str::to_owned).to_vec();
        assert_eq!(refusal.reason.key, "or-enter-either", "{line}");
        assert_eq!(refusal.alternatives, [Message::new("or-lines").with("lines", lines)], "{line}");
    }
    assert_eq!(refusal_key(&state, "enter red I"), "or-enter-where", "H is the last");
    assert_eq!(refusal_key(&state, "enter blue 9"), "or-enter-where", "8 is the last");
}

#[test]
fn move_awaiting_own_answer_is_incomplete_line() {
    let mut state = default_game();
    lay_tiles(&mut state, "C1 ns, C2 nes");
    place_cart(&mut state, 0, "C1", Direction::South, "r");
    let set_off = Order::Move { cart: cart(0) };
    let mut waiting = state.clone();
    for event in OffTheRails::decide(&state, SEAT_ONE, &set_off, &mut dice()).or_fail() {
        waiting.apply(&event);
    }
    assert!(!OffTheRails::is_complete_line(&waiting, &[set_off]), "it has to face east or south");
    let face = Order::Face(Direction::East);
    assert_eq!(parse_orders(&waiting, "face east"), [face]);
    let moved = play_lines(&state, "move w");
    assert!(OffTheRails::is_complete_line(&moved, &[set_off, face]));
    // After a move has ended, `face` may omit the cart if only one has moved.
    assert_eq!(
        parse_orders(&moved, "face east"),
        [Order::TurnCart { cart: cart(0), way: Direction::East }]
    );
    assert_eq!(place_and_facing(&play_lines(&moved, "face east"), 0).1, Direction::East);

    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, "rd");
    let mut rammed = play_lines(&state, "move w");
    assert!(OffTheRails::is_complete_line(&rammed, &[set_off]), "seat 2 is to cut");
    let first = jewels("d");
    rammed.apply(&Event::Cut { cart: cart(2), first });
    assert!(OffTheRails::is_complete_line(&rammed, &[Order::Cut(first)]), "seat 1 is to pick");
}

#[test]
fn missions_are_named_fully_or_by_first_word() {
    let state = default_game();
    for (line, missions) in [
        ("claim head to head", vec![Mission::HeadToHead]),
        (
            "claim spice of life, gold in your hills, head",
            vec![Mission::HeadToHead, Mission::GoldInYourHills, Mission::SpiceOfLife],
        ),
    ] {
        let claims = |mission: &Mission| Order::Wish(Wish::Claim(*mission));
        assert_eq!(parse_orders(&state, line), missions.iter().map(claims).collect::<Vec<_>>());
    }
}

#[test]
fn unasked_answer_offers_matching_move_form() {
    let state = default_game();
    let forms = |key: Option<&str>| -> Vec<Message> {
        let lines = GRAMMAR.examples(&state, None).into_iter();
        lines.filter(|form| Some(form.effect.key) == key).map(|form| form.into_message()).collect()
    };
    for (line, key) in [
        ("take ruby", Some("or-form-move-take")),
        ("go north", Some("or-form-way")),
        ("drop ruby", Some("or-form-move-drop")),
        ("pick first", None),
    ] {
        let refusal = expect_refusal(&state, line);
        assert_eq!(refusal.reason.key, "or-not-asked", "{line}");
        assert_eq!(refusal.alternatives, forms(key), "{line}");
        assert_eq!(refusal.alternatives.is_empty(), key.is_none(), "{line}");
    }
}

#[test]
fn two_tile_form_needs_two_actions_and_tiles() {
    let shows_two = |actions, tiles| {
        let mut state = default_game();
        (state.turn_progress.actions_left, state.tiles.straight_or_corner) = (actions, tiles);
        GRAMMAR.examples(&state, None).iter().any(|form| form.effect.key == "or-form-lay-two")
    };
    assert!(shows_two(4, 60) && shows_two(2, 2));
    assert!(!shows_two(1, 60) && !shows_two(4, 1));
}

#[test]
fn spelling_names_cover_colours_carts_and_jewels() {
    let names = OffTheRails::names_in_orders(&default_game());
    let words = "red yellow green blue white black rubies rock rocks ruby emerald emeralds gold \
                 diamond diamonds";
    for word in words.split_whitespace() {
        assert!(names.iter().any(|name| name == word), "{word}: {names:?}");
    }
    assert!(names.iter().all(|name| name.len() > 2 && name.chars().all(char::is_alphabetic)));
}
