use super::*;

#[test]
pub fn first_step_follows_facing_without_reversing() {
    let mut state = default_game();
    lay_tiles(&mut state, "D2 nes, D1 ns, D4 ns, E2 ew, F2 ew");
    place_cart(&mut state, 0, "D2", Direction::East, "");
    let after = play_lines(&state, "move w");
    assert_eq!(place_and_facing(&after, 0), (on_track("E2"), Direction::East));
    set_speed(&mut state, 0, 2);
    assert_eq!(place_and_facing(&play_lines(&state, "move w E2 F2"), 0).0, on_track("F2"));
    assert_eq!(refusal_key(&state, "move w D1"), "or-missed");
}

#[test]
pub fn cart_on_junction_chooses_facing() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 nesw, D4 nw");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    assert_eq!(
        place_and_facing(&play_lines(&state, "move w"), 0),
        (on_track("D2"), Direction::South)
    );
    assert_eq!(remark_keys(&state, "move w"), ["or-default-face"]);
    assert_eq!(place_and_facing(&play_lines(&state, "move w face east"), 0).1, Direction::East);
    assert_eq!(
        place_and_facing(&play_lines(&state, "move w; face white west"), 0).1,
        Direction::West
    );
    assert_eq!(refusal_key(&state, "move w face north"), "or-answer-first");
    assert_eq!(refusal_key(&state, "move w; face white north"), "or-no-facing");
    assert_eq!(refusal_key(&state, "face white south"), "or-no-facing");
    // If straight ahead is closed, the default is the first open direction of north, east, south,
    // west.
    lay_tiles(&mut state, "E1 new, E2 new");
    place_cart(&mut state, 1, "E2", Direction::North, "");
    state.track[square_at("E1")] = TileOpenings::parse("esw").or_fail();
    assert_eq!(
        place_and_facing(&play_lines(&state, "move b"), 1),
        (on_track("E1"), Direction::East)
    );
    // A corner leaves no choice.
    lay_tiles(&mut state, "F4 ns");
    place_cart(&mut state, 0, "E4", Direction::West, "");
    lay_tiles(&mut state, "E4 ew");
    lay_tiles(&mut state, "A1 es");
    state.track[square_at("D4")] = TileOpenings::parse("es").or_fail();
    assert_eq!(
        place_and_facing(&play_lines(&state, "move w"), 0),
        (on_track("D4"), Direction::South)
    );
}

#[test]
pub fn loop_crosses_square_twice_and_collects_again() {
    let mut state = default_game();
    lay_tiles(&mut state, "D4 nesw, E4 sw, E5 nw, D5 ne, D2 ns");
    place_jewels(&mut state, "D4", "rrr");
    place_cart(&mut state, 0, "D5", Direction::North, "");
    set_speed(&mut state, 0, 5);
    let after = play_lines(&state, "move w go east take ruby ruby ruby");
    assert_eq!(place_and_facing(&after, 0).0, on_track("D4"));
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"), "one passing, two at the end");
}

/// Collects every complete move of the white cart by trying all legal orders step by step. Each
/// result has its orders and the line that names every square and choice.
fn collect_moves(
    state: &State,
    orders: &[Order],
    words: &str,
    found: &mut Vec<(Vec<Order>, String)>,
) {
    let next = match orders {
        [] => vec![Order::Move { cart: cart(0) }],
        _ if state.current_move.is_some() => OffTheRails::legal_orders(state, SEAT_ONE),
        _ => Vec::new(),
    };
    if next.is_empty() {
        found.push((orders.to_vec(), words.to_owned()));
    }
    for order in next {
        let (mut after, mut words) = (state.clone(), words.to_owned());
        let events = OffTheRails::decide(state, SEAT_ONE, &order, &mut dice()).or_fail();
        events.iter().for_each(|event| after.apply(event));
        let names = events.iter().filter_map(|event| match event {
            Event::Rolled { to, .. } => Some(format!(" {to}")),
            Event::Left { side, .. } => Some(format!(" out {}", side.name())),
            _ => None,
        });
        let names: String = names.collect();
        match order {
            Order::Go(way) if names.is_empty() => words += &format!(" go {}", way.name()),
            Order::Face(way) => words += &format!(" face {}", way.name()),
            _ => {}
        }
        collect_moves(&after, &[orders, &[order]].concat(), &format!("{words}{names}"), found);
    }
}

#[test]
fn every_legal_route_parses_from_one_line() {
    let (mut dice, mut loops, mut exits) = (dice(), 0, 0);
    for _ in 0..25 {
        let mut state = default_game();
        for at in state.layable_squares().iter() {
            let all =
                ["ns", "ew", "ne", "es", "sw", "nw", "nes", "esw", "new", "nsw", "nesw", "nesw"];
            let ends = TileOpenings::parse(dice.pick(&all).or_fail()).or_fail();
            state.apply(&Event::Laid { seat: SEAT_ONE, at, ends });
        }
        let squares: Vec<Square> = state.tiled.iter().collect();
        let (at, other) = (*dice.pick(&squares).or_fail(), *dice.pick(&squares).or_fail());
        let facing = state.track[at].iter().next().or_fail();
        place_cart(&mut state, 0, &at.to_string(), facing, "r");
        if other != at {
            let facing = state.track[other].iter().next().or_fail();
            place_cart(&mut state, 2, &other.to_string(), facing, "g");
        }
        set_speed(&mut state, 0, 6);
        let mut found = Vec::new();
        collect_moves(&state, &[], "", &mut found);
        for (orders, words) in found {
            // A first square that is the cart's own square means where the cart stands.
            for line in [format!("move w{words}"), format!("move w {at}{words}")] {
                let read = OffTheRails::parse_line(&state, SEAT_ONE, &line).map(|read| read.orders);
                assert_eq!(read.as_ref(), Ok(&orders), "{at} {facing:?}: {line}");
            }
            loops += usize::from(words.contains(&format!(" {at}")));
            exits += usize::from(words.contains("out"));
        }
    }
    assert!(loops > 9 && exits > 20, "{loops}, {exits}");
}

#[test]
fn board_corner_exit_takes_default_side_with_remark() {
    let mut state = default_game();
    lay_tiles(&mut state, "A2 ns, A1 nesw");
    place_cart(&mut state, 0, "A2", Direction::North, "r");
    set_speed(&mut state, 0, 2);
    let out = |line| match play_with_events(&state, line).1.as_slice() {
        [.., Event::Left { side, .. }] => *side,
        events => panic!("{line}: {events:?}"),
    };
    assert_eq!((out("move w A1 out"), out("move w out west")), (Direction::North, Direction::West));
    assert_eq!(remark_keys(&state, "move w A1 out"), ["or-default-out"], "it is told which");
    assert_eq!(remark_keys(&state, "move w A1 out west"), Vec::<&str>::new());
    assert_eq!(refusal_key(&state, "move w out south"), "or-no-way");
}

#[test]
pub fn cart_exits_any_edge_for_one_step() {
    let mut state = default_game();
    lay_tiles(&mut state, "A5 ew, B4 ns, H5 ew");
    place_cart(&mut state, 0, "A5", Direction::West, "rdo");
    set_speed(&mut state, 0, 6);
    let after = play_lines(&state, "move w out");
    assert_eq!(place_and_facing(&after, 0).0, Place::Supply);
    let delivered = after.player(SEAT_ONE).or_fail().delivered[Direction::West.index()];
    assert_eq!(delivered, jewels("rdo"), "spare steps are lost");
    // One step can reach the edge square, but not leave the board too.
    let mut state = default_game();
    lay_tiles(&mut state, "A6 ns, A5 sw");
    place_cart(&mut state, 1, "A6", Direction::North, "");
    assert_eq!(
        place_and_facing(&play_lines(&state, "move b"), 1),
        (on_track("A5"), Direction::West)
    );
}

#[test]
pub fn mine_centre_derails_and_chasm_removes_cart() {
    let mut state = default_game();
    lay_tiles(&mut state, "C2 ns");
    place_cart(&mut state, 0, "C2", Direction::South, "r");
    let bag = state.bag;
    let after = play_lines(&state, "move w");
    assert_eq!((place_and_facing(&after, 0).0, after.bag), (Place::Supply, bag.plus(jewels("r"))));
    place_cart(&mut state, 0, "C2", Direction::North, "rd");
    state.bag = state.bag.plus(jewels("r"));
    lay_tiles(&mut state, "C1 ns");
    place_jewels(&mut state, "C1", "e");
    state.era = Era::Abyss;
    state.apply(&Event::Sank { colour: Colour::Red, at: square_at("C1") });
    assert_eq!((state.gone_jewels, state.tiles_gone.straight_or_corner), (jewels("e"), 1));
    let mut after = play_lines(&state, "move w");
    assert_eq!((place_and_facing(&after, 0).0, after.gone_jewels), (Place::Gone, jewels("rde")));
    after.apply(&Event::Turn { seat: SEAT_ONE });
    assert_eq!(refusal_key(&after, "enter w D"), "or-cart-gone");
}

#[test]
pub fn passing_cart_takes_one_stopping_cart_two() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    for square in ["D1", "D2", "D3"] {
        place_jewels(&mut state, square, "rrr");
    }
    place_cart(&mut state, 0, "D1", Direction::South, "");
    set_speed(&mut state, 0, 2);
    let after = play_lines(&state, "move w");
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"), "none where it starts");
    // The cart also takes a second jewel if a collision ends its move. A full hold takes no more.
    place_cart(&mut state, 2, "D4", Direction::South, "g");
    set_speed(&mut state, 0, 3);
    let after = play_lines(&state, "move w");
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"));
    place_cart(&mut state, 0, "D1", Direction::South, "ddee");
    set_speed(&mut state, 0, 2);
    assert_eq!(play_lines(&state, "move w").cart(cart(0)).hold, jewels("ddeer"));
    // A deposit of one jewel gives one.
    state.ground[square_at("D2")] = jewels("r");
    state.bag = state.bag.plus(jewels("rr"));
    place_cart(&mut state, 0, "D1", Direction::South, "");
    state.bag = state.bag.plus(jewels("ddee"));
    assert_eq!(play_lines(&state, "move w").cart(cart(0)).hold, jewels("r"));
}

#[test]
pub fn rocks_are_taken_first_then_owner_chooses() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_jewels(&mut state, "D2", "oger");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    assert_eq!(
        play_lines(&state, "move w").cart(cart(0)).hold,
        jewels("og"),
        "the best by default"
    );
    assert_eq!(remark_keys(&state, "move w"), ["or-default-take"]);
    assert_eq!(play_lines(&state, "move w take ruby").cart(cart(0)).hold, jewels("or"));
    assert_eq!(remark_keys(&state, "move w take ruby"), Vec::<&str>::new());
    assert_eq!(remark_keys(&state, "move w take diamond emerald"), ["or-not-taken"]);
}

#[test]
fn all_rocks_are_taken_before_jewels() {
    let holds_after = |lying: &str, speed_of: u8, line: &str| {
        let mut state = default_game();
        lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
        place_jewels(&mut state, "D2", lying);
        place_cart(&mut state, 0, "D1", Direction::South, "");
        set_speed(&mut state, 0, speed_of);
        play_lines(&state, line).cart(cart(0)).hold
    };
    assert_eq!(holds_after("oogd", 1, "move w"), jewels("oo"), "the second too");
    assert_eq!(holds_after("oogd", 1, "move w take diamond"), jewels("oo"), "whatever is wanted");
    assert_eq!(holds_after("ogd", 1, "move w take gold"), jewels("og"), "no rock is left");
    assert_eq!(holds_after("oogd", 2, "move w"), jewels("o"), "one is taken in passing");
    // A cart also takes two rocks if a collision ends its move.
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    place_jewels(&mut state, "D2", "oogd");
    place_cart(&mut state, 0, "D1", Direction::South, "");
    place_cart(&mut state, 2, "D3", Direction::South, "g");
    set_speed(&mut state, 0, 3);
    assert_eq!(play_lines(&state, "move w").cart(cart(0)).hold, jewels("oo"));
}

#[test]
pub fn rocks_fill_hold_and_are_dropped() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    place_jewels(&mut state, "D2", "r");
    place_cart(&mut state, 0, "D1", Direction::South, "ooooo");
    assert_eq!(play_lines(&state, "move w").cart(cart(0)).hold, jewels("ooooo"));
    place_cart(&mut state, 2, "D2", Direction::South, "o");
    let after = play_lines(&state, "move w");
    assert_eq!(after.ground[square_at("D2")], jewels("or"));
    assert_eq!(place_and_facing(&after, 2).0, on_track("D2"), "a rock is something to hold");
}

#[test]
pub fn white_cart_moves_first_unless_ordered() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns, D3 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 1, "D2", Direction::South, "r");
    let collides = |lines| {
        let (_, told) = play_with_events(&state, lines);
        told.iter().any(|event| matches!(event, Event::Collided { .. }))
    };
    assert!(collides("move"), "the white cart runs into the black one");
    assert!(!collides("move b; move w"));
    assert_eq!(refusal_key(&state, "move b; move b"), "or-has-moved");
}

#[test]
pub fn carts_are_named_by_die_or_colour() {
    let state = default_game();
    assert_eq!(OffTheRails::write_line(&state, &[Order::Move { cart: cart(3) }]), "move black");
    let solo = solo::new_solo_game();
    assert_eq!(OffTheRails::write_line(&solo, &[Order::Move { cart: cart(3) }]), "move blue");
}
