//! What is legal, for whom, and what a later event overtakes.

use super::*;
use crate::games::off_the_rails::deck::chasm_squares;
use crate::games::off_the_rails::definition::Cut;
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::{Berth, Split, Wish};

/// Seat 1's white cart has run into seat 2's, which holds this; seat 2 is asked to cut it.
fn rammed(hold: &str) -> State {
    let mut state = game(2, &Options { cut: Cut::Interactive, ..Options::default() });
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, 2, "D2", Way::South, hold);
    say(&state, "move w")
}

/// Why this order of seat 1 is refused.
fn no(state: &State, order: Order) -> Refusal {
    OffTheRails::decide(state, ONE, &order, &mut dice()).unwrap_err()
}

#[test]
fn only_who_is_on_turn_or_asked_has_legal_orders() {
    let state = plain();
    assert!(OffTheRails::legal(&state, ONE).contains(&Order::End));
    assert_eq!(OffTheRails::legal(&state, TWO), []);
    let asked = rammed("rd");
    assert_eq!(OffTheRails::legal(&asked, ONE), [], "its cart waits for the cut");
    let cuts = ["d", "r"].map(|first| Order::Cut(jewels(first)));
    let legal = OffTheRails::legal(&asked, TWO);
    assert!(legal.len() == 2 && cuts.iter().all(|cut| legal.contains(cut)), "{legal:?}");
}

#[test]
fn an_order_is_forced_where_it_is_the_only_one() {
    let only = Some(Order::Cut(jewels("r")));
    assert_eq!(OffTheRails::openly_forced(&rammed("rr"), TWO), only, "both piles are alike");
    assert_eq!(OffTheRails::openly_forced(&rammed("rd"), TWO), None);
    assert_eq!(OffTheRails::openly_forced(&plain(), ONE), None);
    assert_eq!(OffTheRails::openly_forced(&plain(), TWO), None);
}

#[test]
fn no_tile_is_legal_that_is_not_in_the_supply() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 nes");
    let (free, closed) = (state.layable().len() as usize, [2, 1]);
    for (straight_or_corner, t_or_cross) in [(1, 1), (0, 1), (1, 0), (0, 0)] {
        (state.tiles.straight_or_corner, state.tiles.t_or_cross) = (straight_or_corner, t_or_cross);
        let legal = OffTheRails::legal(&state, ONE);
        let lays = legal.iter().filter(|order| matches!(order, Order::Lay { .. })).count();
        assert_eq!(lays, if straight_or_corner > 0 { 6 * free } else { 0 });
        let upgrades = legal.iter().filter(|order| matches!(order, Order::Upgrade { .. })).count();
        // A cross is a T turned over.
        assert_eq!(upgrades, if t_or_cross > 0 { closed[0] + closed[1] } else { closed[1] });
        for order in legal {
            assert!(OffTheRails::decide(&state, ONE, &order, &mut dice()).is_ok(), "{order:?}");
        }
    }
}

#[test]
fn the_squares_of_a_token_are_legal_once_the_abyss_is_open_and_no_die_is_thrown() {
    let red = |state: &State| -> usize {
        let wish = |order: &&Order| matches!(order, Order::Wish(Wish::Chasm(Colour::Red, _)));
        OffTheRails::legal(state, ONE).iter().filter(wish).count()
    };
    for abyss_die in [false, true] {
        let mut state = game(2, &Options { abyss_die, ..Options::default() });
        open_abyss(&mut state);
        let open = chasm_squares(&state, Colour::Red).len() as usize;
        assert_eq!((open, red(&state)), (4, if abyss_die { 0 } else { 4 }));
        state.era = Era::LastRound(ONE);
        assert_eq!(red(&state), 0);
    }
}

#[test]
fn a_cart_that_is_not_there_or_not_ones_own_cannot_be_ordered() {
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 2, "D1", Way::South, "r");
    assert_eq!(no(&state, Order::Move { cart: cart(2) }).reason.key, "or-not-yours");
    assert_eq!(no(&state, Order::Speed { cart: cart(2), up: true }).reason.key, "or-not-yours");
    let mut alone = solo::alone();
    alone.carts[4] = *state.cart(cart(2));
    assert_eq!(no(&alone, Order::Move { cart: cart(4) }).reason.key, "or-not-yours");
}

#[test]
fn a_refusal_names_the_board_the_tiles_and_the_ways_that_there_are() {
    let mut state = plain();
    lay(&mut state, "D1 ns");
    let (straight, tee) = (Ends::LAID[0], Ends::parse("nes").sure());
    let refusal = no(&state, Order::Lay { at: at("I3"), ends: straight });
    let reason = Message::new("or-no-square").with("word", "I3").with("last", "H8");
    assert_eq!(refusal.reason, reason);
    let refusal = no(&state, Order::Lay { at: at("D2"), ends: tee });
    assert_eq!(refusal.reason.key, "or-shape");
    assert!(!refusal.instead.is_empty(), "the ways of laying track");
    assert!(refusal.instead.iter().all(|form| form.key == "order-form"), "{refusal:?}");
    // Where no tile can be laid, those that can be upgraded are named, if any can.
    state.tiles.straight_or_corner = 0;
    let refusal = no(&state, Order::Lay { at: at("D2"), ends: straight });
    let open =
        Message::new("or-squares").with("squares", vec!["D1".to_owned()]).with("more", 0_usize);
    assert_eq!((refusal.reason.key, refusal.instead), ("or-no-tiles", vec![open]));
    state.tiles.t_or_cross = 0;
    let refusal = no(&state, Order::Lay { at: at("D2"), ends: straight });
    assert_eq!(refusal.instead, [Message::new("or-squares-none")]);
}

#[test]
fn an_order_is_overtaken_by_what_changed_what_it_names() {
    let (colour, square) = (Colour::Red, at("D2"));
    let lay = Order::Lay { at: square, ends: Ends::LAID[1] };
    let chasm = Order::Wish(Wish::Chasm(colour, square));
    let berth = Berth { side: Way::North, index: 3 };
    let (enter, speed) =
        (Order::Enter { cart: cart(0), berth }, Order::Speed { cart: cart(0), up: true });
    let moved = Order::Move { cart: cart(0) };
    let all = [lay, chasm, enter, speed, moved, Order::End];
    let derailed = |id| Event::Derailed { cart: cart(id), lost: false, why: None };
    for (event, overtaken) in [
        (Event::Laid { seat: TWO, at: square, ends: Ends::LAID[0] }, &[lay, moved][..]),
        (Event::Upgraded { seat: TWO, at: square, way: Way::West }, &[lay, moved]),
        (Event::Upgraded { seat: TWO, at: at("D3"), way: Way::West }, &[moved]),
        (Event::Sank { colour, at: square }, &[lay, chasm, moved]),
        (Event::Sank { colour, at: at("D3") }, &[moved]),
        (Event::Rolled { cart: cart(2), to: square }, &[lay, moved]),
        (Event::Turned { cart: cart(0), facing: Way::East }, &[moved]),
        (Event::Dropped { cart: cart(0), jewels: jewels("r") }, &[moved]),
        (derailed(0), &[enter, speed, moved]),
        (derailed(1), &[moved]),
        (Event::Fell { cart: cart(0) }, &[enter, speed, moved]),
        (Event::Fell { cart: cart(2) }, &[moved]),
        (Event::Turn { seat: ONE }, &[]),
        (Event::Wished { seat: TWO, wish: Wish::Place(true) }, &[]),
    ] {
        let found: Vec<Order> =
            all.iter().filter(|order| OffTheRails::overtakes(&event, order)).copied().collect();
        assert_eq!(found, overtaken, "{event:?}");
    }
}

#[test]
fn who_declines_a_token_takes_back_where_it_was_to_go() {
    let mut state = plain();
    open_abyss(&mut state);
    state = say(&state, "chasm red A2");
    let wishes = |state: &State| (state.players[0].chasm[0], state.players[0].places);
    assert_eq!(wishes(&state), (Some(at("A2")), true));
    assert_eq!(wishes(&say(&state, "chasm yes")), (Some(at("A2")), true));
    state.players[0].split = Split::Alone;
    let declined = say(&state, "chasm none");
    assert_eq!(wishes(&declined), (None, false));
    assert_eq!(declined.players[0].split, state.players[0].split, "and nothing else");
}

#[test]
fn a_full_cart_waits_with_its_mission_while_it_is_on_the_board() {
    let both = [Mission::GemCollector, Mission::JewelRobbery];
    let claimed = |state: &State| {
        tell(state, "done").1.into_iter().find_map(|event| match event {
            Event::Claimed { mission, .. } => Some(mission),
            _ => None,
        })
    };
    let mut state = plain();
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "rrrrr");
    stand(&mut state, 2, "D2", Way::South, "g");
    face_up(&mut state, &both);
    assert_eq!(claimed(&state), Some(Mission::JewelRobbery), "it is full in the next turn too");
    // Out of the mine it is not full any more: of two that will be lost, the lowest number.
    let mut state = plain();
    lay(&mut state, "D1 ns");
    stand(&mut state, 0, "D1", Way::North, "gggee");
    face_up(&mut state, &[Mission::GemCollector, Mission::GoldInYourHills]);
    assert_eq!(claimed(&state), Some(Mission::GemCollector));
}

#[test]
fn progress_is_by_cards_until_the_collapse_and_then_by_tokens() {
    // In a short game 8 to 12 deposit cards come before the Chasm card: 10 are likely.
    let mut state = plain();
    let after = |state: &mut State, drawn| {
        state.drawn = drawn;
        OffTheRails::progress(state)
    };
    let progress = [0, 5, 10, 14].map(|drawn| after(&mut state, drawn));
    assert_eq!(progress, [0, 37, 75, 75]);
    state.era = Era::LastRound(ONE);
    assert_eq!(after(&mut state, 5), 37);
    state.era = Era::Abyss;
    for (tokens, shown) in [([5; 4], 75), ([4; 4], 80), ([1, 0, 0, 0], 98), ([0; 4], 99)] {
        state.tokens = tokens;
        assert_eq!(OffTheRails::progress(&state), shown, "{tokens:?}");
    }
    state.apply(&Event::Ended { reason: Ending::NoTokens });
    assert_eq!(OffTheRails::progress(&state), 100);
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let unopened = OffTheRails::open(&definition, &Options::default(), 2).sure();
    assert_eq!(OffTheRails::progress(&unopened), 0);
    let mut alone = solo::alone();
    for name in ["B2", "C2", "D2", "D3", "D4"] {
        alone.apply(&Event::Sank { colour: Colour::Red, at: at(name) });
    }
    assert_eq!(OffTheRails::progress(&alone), 25, "5 of 20 tokens");
}
