//! How carts move, face, leave and pick up.

use super::*;

#[test]
pub fn the_first_step_goes_where_the_cart_faces_and_nobody_turns_back() {
    let mut state = plain();
    lay(&mut state, "D2 nes, D1 ns, D4 ns, E2 ew, F2 ew");
    stand(&mut state, 0, "D2", Way::East, "");
    let after = say(&state, "move w");
    assert_eq!(stands(&after, 0), (on("E2"), Way::East));
    speed(&mut state, 0, 2);
    assert_eq!(stands(&say(&state, "move w E2 F2"), 0).0, on("F2"));
    assert_eq!(refused(&state, "move w D1"), "or-missed");
}

#[test]
pub fn who_stops_on_a_junction_says_where_to_face() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 nesw, D4 nw");
    stand(&mut state, 0, "D1", Way::South, "");
    assert_eq!(stands(&say(&state, "move w"), 0), (on("D2"), Way::South));
    assert_eq!(remarks(&state, "move w"), ["or-default-face"]);
    assert_eq!(stands(&say(&state, "move w face east"), 0).1, Way::East);
    assert_eq!(stands(&say(&state, "move w; face white west"), 0).1, Way::West);
    assert_eq!(refused(&state, "move w face north"), "or-answer-first");
    assert_eq!(refused(&state, "move w; face white north"), "or-no-facing");
    assert_eq!(refused(&state, "face white south"), "or-no-facing");
    // Where it is not open straight ahead: the first of north, east, south, west.
    lay(&mut state, "E1 new, E2 new");
    stand(&mut state, 1, "E2", Way::North, "");
    state.track[at("E1")] = Ends::parse("esw").sure();
    assert_eq!(stands(&say(&state, "move b"), 1), (on("E1"), Way::East));
    // A corner leaves no choice.
    lay(&mut state, "F4 ns");
    stand(&mut state, 0, "E4", Way::West, "");
    lay(&mut state, "E4 ew");
    lay(&mut state, "A1 es");
    state.track[at("D4")] = Ends::parse("es").sure();
    assert_eq!(stands(&say(&state, "move w"), 0), (on("D4"), Way::South));
}

#[test]
pub fn a_loop_crosses_a_square_twice_and_picks_up_again() {
    let mut state = plain();
    lay(&mut state, "D4 nesw, E4 sw, E5 nw, D5 ne, D2 ns");
    strew(&mut state, "D4", "rrr");
    stand(&mut state, 0, "D5", Way::North, "");
    speed(&mut state, 0, 5);
    let after = say(&state, "move w go east take ruby ruby ruby");
    assert_eq!(stands(&after, 0).0, on("D4"));
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"), "one passing, two at the end");
}

/// Every way of white's move that `decide` accepts step by step, from here on: its orders, and the
/// line that names all of it.
fn ways(state: &State, orders: &[Order], words: &str, found: &mut Vec<(Vec<Order>, String)>) {
    let next = match orders {
        [] => vec![Order::Move { cart: cart(0) }],
        _ if state.run.is_some() => OffTheRails::legal(state, ONE),
        _ => Vec::new(),
    };
    if next.is_empty() {
        found.push((orders.to_vec(), words.to_owned()));
    }
    for order in next {
        let (mut after, mut words) = (state.clone(), words.to_owned());
        let events = OffTheRails::decide(state, ONE, &order, &mut dice()).sure();
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
        ways(&after, &[orders, &[order]].concat(), &format!("{words}{names}"), found);
    }
}

#[test]
fn every_way_that_is_legal_step_by_step_can_be_named_in_a_line() {
    let (mut dice, mut loops, mut exits) = (dice(), 0, 0);
    for _ in 0..25 {
        let mut state = plain();
        for at in state.layable().iter() {
            let all =
                ["ns", "ew", "ne", "es", "sw", "nw", "nes", "esw", "new", "nsw", "nesw", "nesw"];
            let ends = Ends::parse(dice.pick(&all).sure()).sure();
            state.apply(&Event::Laid { seat: ONE, at, ends });
        }
        let squares: Vec<Square> = state.tiled.iter().collect();
        let (at, other) = (*dice.pick(&squares).sure(), *dice.pick(&squares).sure());
        let facing = state.track[at].iter().next().sure();
        stand(&mut state, 0, &at.to_string(), facing, "r");
        if other != at {
            let facing = state.track[other].iter().next().sure();
            stand(&mut state, 2, &other.to_string(), facing, "g");
        }
        speed(&mut state, 0, 6);
        let mut found = Vec::new();
        ways(&state, &[], "", &mut found);
        for (orders, words) in found {
            // A first square that is the cart's own is where it stands.
            for line in [format!("move w{words}"), format!("move w {at}{words}")] {
                let read = OffTheRails::parse(&state, ONE, &line).map(|read| read.orders);
                assert_eq!(read.as_ref(), Ok(&orders), "{at} {facing:?}: {line}");
            }
            loops += usize::from(words.contains(&format!(" {at}")));
            exits += usize::from(words.contains("out"));
        }
    }
    assert!(loops > 9 && exits > 20, "{loops}, {exits}");
}

#[test]
fn out_of_a_corner_with_two_exits_says_which() {
    let mut state = plain();
    lay(&mut state, "A2 ns, A1 nesw");
    stand(&mut state, 0, "A2", Way::North, "r");
    speed(&mut state, 0, 2);
    let out = |line| match tell(&state, line).1.as_slice() {
        [.., Event::Left { side, .. }] => *side,
        events => panic!("{line}: {events:?}"),
    };
    assert_eq!((out("move w A1 out"), out("move w out west")), (Way::North, Way::West));
    assert_eq!(remarks(&state, "move w A1 out"), ["or-default-out"], "it is told which");
    assert_eq!(remarks(&state, "move w A1 out west"), Vec::<&str>::new());
    assert_eq!(refused(&state, "move w out south"), "or-no-way");
}

#[test]
pub fn any_edge_of_the_board_is_a_way_out_and_costs_a_step() {
    let mut state = plain();
    lay(&mut state, "A5 ew, B4 ns, H5 ew");
    stand(&mut state, 0, "A5", Way::West, "rdo");
    speed(&mut state, 0, 6);
    let after = say(&state, "move w out");
    assert_eq!(stands(&after, 0).0, Place::Supply);
    let delivered = after.player(ONE).sure().delivered[Way::West.index()];
    assert_eq!(delivered, jewels("rdo"), "spare steps are lost");
    // One step does not reach the edge and leave it as well.
    let mut state = plain();
    lay(&mut state, "A6 ns, A5 sw");
    stand(&mut state, 1, "A6", Way::North, "");
    assert_eq!(stands(&say(&state, "move b"), 1), (on("A5"), Way::West));
}

#[test]
pub fn a_mine_centre_derails_and_the_chasm_swallows() {
    let mut state = plain();
    lay(&mut state, "C2 ns");
    stand(&mut state, 0, "C2", Way::South, "r");
    let bag = state.bag;
    let after = say(&state, "move w");
    assert_eq!((stands(&after, 0).0, after.bag), (Place::Supply, bag.plus(jewels("r"))));
    stand(&mut state, 0, "C2", Way::North, "rd");
    state.bag = state.bag.plus(jewels("r"));
    lay(&mut state, "C1 ns");
    strew(&mut state, "C1", "e");
    state.era = Era::Abyss;
    state.apply(&Event::Sank { colour: Colour::Red, at: at("C1") });
    assert_eq!((state.gone, state.tiles_gone.straight_or_corner), (jewels("e"), 1));
    let mut after = say(&state, "move w");
    assert_eq!((stands(&after, 0).0, after.gone), (Place::Gone, jewels("rde")));
    after.apply(&Event::Turn { seat: ONE });
    assert_eq!(refused(&after, "enter w D"), "or-cart-gone");
}

#[test]
pub fn passing_takes_one_and_ending_takes_two() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    for square in ["D1", "D2", "D3"] {
        strew(&mut state, square, "rrr");
    }
    stand(&mut state, 0, "D1", Way::South, "");
    speed(&mut state, 0, 2);
    let after = say(&state, "move w");
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"), "none where it starts");
    // Also where a collision ends the move; and a full hold takes no more.
    stand(&mut state, 2, "D4", Way::South, "g");
    speed(&mut state, 0, 3);
    let after = say(&state, "move w");
    assert_eq!(after.cart(cart(0)).hold, jewels("rrr"));
    stand(&mut state, 0, "D1", Way::South, "ddee");
    speed(&mut state, 0, 2);
    assert_eq!(say(&state, "move w").cart(cart(0)).hold, jewels("ddeer"));
    // A deposit of one gives one.
    state.ground[at("D2")] = jewels("r");
    state.bag = state.bag.plus(jewels("rr"));
    stand(&mut state, 0, "D1", Way::South, "");
    state.bag = state.bag.plus(jewels("ddee"));
    assert_eq!(say(&state, "move w").cart(cart(0)).hold, jewels("r"));
}

#[test]
pub fn rocks_come_first_and_then_the_owner_chooses() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    strew(&mut state, "D2", "oger");
    stand(&mut state, 0, "D1", Way::South, "");
    assert_eq!(say(&state, "move w").cart(cart(0)).hold, jewels("og"), "the best by default");
    assert_eq!(remarks(&state, "move w"), ["or-default-take"]);
    assert_eq!(say(&state, "move w take ruby").cart(cart(0)).hold, jewels("or"));
    assert_eq!(remarks(&state, "move w take ruby"), Vec::<&str>::new());
    assert_eq!(remarks(&state, "move w take diamond emerald"), ["or-not-taken"]);
}

#[test]
fn every_rock_at_a_stop_comes_before_jewels() {
    let holds_after = |lying: &str, speed_of: u8, line: &str| {
        let mut state = plain();
        lay(&mut state, "D1 ns, D2 ns, D3 ns");
        strew(&mut state, "D2", lying);
        stand(&mut state, 0, "D1", Way::South, "");
        speed(&mut state, 0, speed_of);
        say(&state, line).cart(cart(0)).hold
    };
    assert_eq!(holds_after("oogd", 1, "move w"), jewels("oo"), "the second too");
    assert_eq!(holds_after("oogd", 1, "move w take diamond"), jewels("oo"), "whatever is wanted");
    assert_eq!(holds_after("ogd", 1, "move w take gold"), jewels("og"), "no rock is left");
    assert_eq!(holds_after("oogd", 2, "move w"), jewels("o"), "one is taken in passing");
    // So it is where a collision ends the move.
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    strew(&mut state, "D2", "oogd");
    stand(&mut state, 0, "D1", Way::South, "");
    stand(&mut state, 2, "D3", Way::South, "g");
    speed(&mut state, 0, 3);
    assert_eq!(say(&state, "move w").cart(cart(0)).hold, jewels("oo"));
}

#[test]
pub fn rocks_fill_a_hold_and_are_dropped() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    strew(&mut state, "D2", "r");
    stand(&mut state, 0, "D1", Way::South, "ooooo");
    assert_eq!(say(&state, "move w").cart(cart(0)).hold, jewels("ooooo"));
    stand(&mut state, 2, "D2", Way::South, "o");
    let after = say(&state, "move w");
    assert_eq!(after.ground[at("D2")], jewels("or"));
    assert_eq!(stands(&after, 2).0, on("D2"), "a rock is something to hold");
}

#[test]
pub fn the_carts_of_a_player_move_white_first_or_as_said() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns, D3 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 1, "D2", Way::South, "r");
    let collides = |lines| {
        let (_, told) = tell(&state, lines);
        told.iter().any(|event| matches!(event, Event::Collided { .. }))
    };
    assert!(collides("move"), "the white cart runs into the black one");
    assert!(!collides("move b; move w"));
    assert_eq!(refused(&state, "move b; move b"), "or-has-moved");
}

#[test]
pub fn carts_go_by_their_dice_and_in_the_solo_game_by_their_colours() {
    let state = plain();
    assert_eq!(OffTheRails::write(&state, &[Order::Move { cart: cart(3) }]), "move black");
    let solo = solo::alone();
    assert_eq!(OffTheRails::write(&solo, &[Order::Move { cart: cart(3) }]), "move blue");
}
