//! Tests of the legal orders of each seat, and of orders that a later event makes outdated.

use super::*;
use crate::games::off_the_rails::deck::legal_token_squares;
use crate::games::off_the_rails::definition::CutRule;
use crate::games::off_the_rails::event::Ending;
use crate::games::off_the_rails::order::{Split, SurfaceSquare, Wish};

/// Returns a position in which seat 1's white cart has rammed seat 2's white cart, and seat 2 is
/// asked to cut `hold`.
fn game_awaiting_cut(hold: &str) -> State {
    let mut state = new_game(2, &Options { cut: CutRule::Interactive, ..Options::default() });
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, 2, "D2", Direction::South, hold);
    play_lines(&state, "move w")
}

fn refuse_order(state: &State, order: Order) -> Refusal {
    OffTheRails::decide(state, SEAT_ONE, &order, &mut dice()).unwrap_err()
}

#[test]
fn only_active_or_asked_seat_has_legal_orders() {
    let state = default_game();
    assert!(OffTheRails::legal_orders(&state, SEAT_ONE).contains(&Order::EndTurn));
    assert_eq!(OffTheRails::legal_orders(&state, SEAT_TWO), []);
    let asked = game_awaiting_cut("rd");
    assert_eq!(OffTheRails::legal_orders(&asked, SEAT_ONE), [], "its cart waits for the cut");
    let cuts = ["d", "r"].map(|first| Order::Cut(jewels(first)));
    let legal = OffTheRails::legal_orders(&asked, SEAT_TWO);
    assert!(legal.len() == 2 && cuts.iter().all(|cut| legal.contains(cut)), "{legal:?}");
}

#[test]
fn single_legal_order_is_forced() {
    let only = Some(Order::Cut(jewels("r")));
    assert_eq!(
        OffTheRails::publicly_only_legal_order(&game_awaiting_cut("rr"), SEAT_TWO),
        only,
        "both piles are alike"
    );
    assert_eq!(OffTheRails::publicly_only_legal_order(&game_awaiting_cut("rd"), SEAT_TWO), None);
    assert_eq!(OffTheRails::publicly_only_legal_order(&default_game(), SEAT_ONE), None);
    assert_eq!(OffTheRails::publicly_only_legal_order(&default_game(), SEAT_TWO), None);
}

#[test]
fn tiles_missing_from_supply_are_illegal() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 nes");
    let (free, closed) = (state.layable_squares().len() as usize, [2, 1]);
    for (straight_or_corner, t_or_cross) in [(1, 1), (0, 1), (1, 0), (0, 0)] {
        (state.tiles.straight_or_corner, state.tiles.t_or_cross) = (straight_or_corner, t_or_cross);
        let legal = OffTheRails::legal_orders(&state, SEAT_ONE);
        let lays = legal.iter().filter(|order| matches!(order, Order::Lay { .. })).count();
        assert_eq!(lays, if straight_or_corner > 0 { 6 * free } else { 0 });
        let upgrades = legal.iter().filter(|order| matches!(order, Order::Upgrade { .. })).count();
        // A cross is the other side of a T, so it needs no new tile.
        assert_eq!(upgrades, if t_or_cross > 0 { closed[0] + closed[1] } else { closed[1] });
        for order in legal {
            assert!(
                OffTheRails::decide(&state, SEAT_ONE, &order, &mut dice()).is_ok(),
                "{order:?}"
            );
        }
    }
}

#[test]
fn token_squares_need_open_abyss_without_die() {
    let red = |state: &State| -> usize {
        let wish = |order: &&Order| matches!(order, Order::Wish(Wish::Chasm(Colour::Red, _)));
        OffTheRails::legal_orders(state, SEAT_ONE).iter().filter(wish).count()
    };
    for abyss_die in [false, true] {
        let mut state = new_game(2, &Options { abyss_die, ..Options::default() });
        open_abyss(&mut state);
        let open = legal_token_squares(&state, Colour::Red).len() as usize;
        assert_eq!((open, red(&state)), (4, if abyss_die { 0 } else { 4 }));
        state.era = Era::LastRound(SEAT_ONE);
        assert_eq!(red(&state), 0);
    }
}

#[test]
fn foreign_and_missing_carts_cannot_be_ordered() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 2, "D1", Direction::South, "r");
    assert_eq!(refuse_order(&state, Order::Move { cart: cart(2) }).reason.key, "or-not-yours");
    assert_eq!(
        refuse_order(&state, Order::Speed { cart: cart(2), up: true }).reason.key,
        "or-not-yours"
    );
    let mut alone = solo::new_solo_game();
    alone.carts[4] = *state.cart(cart(2));
    assert_eq!(refuse_order(&alone, Order::Move { cart: cart(4) }).reason.key, "or-not-yours");
}

#[test]
fn refused_lay_offers_order_forms_or_upgradable_squares() {
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns");
    let (straight, tee) = (TileOpenings::LAYABLE[0], TileOpenings::parse("nes").or_fail());
    let refusal = refuse_order(&state, Order::Lay { at: square_at("I3"), ends: straight });
    let reason = Message::new("or-no-square").with("word", "I3").with("last", "H8");
    assert_eq!(refusal.reason, reason);
    let refusal = refuse_order(&state, Order::Lay { at: square_at("D2"), ends: tee });
    assert_eq!(refusal.reason.key, "or-shape");
    assert!(!refusal.alternatives.is_empty(), "the ways of laying track");
    assert!(refusal.alternatives.iter().all(|form| form.key == "order-form"), "{refusal:?}");
    // If no tile is left to be laid, the refusal lists the tiles that can be upgraded.
    state.tiles.straight_or_corner = 0;
    let refusal = refuse_order(&state, Order::Lay { at: square_at("D2"), ends: straight });
    let open =
        Message::new("or-squares").with("squares", vec!["D1".to_owned()]).with("more", 0_usize);
    assert_eq!((refusal.reason.key, refusal.alternatives), ("or-no-tiles", vec![open]));
    state.tiles.t_or_cross = 0;
    let refusal = refuse_order(&state, Order::Lay { at: square_at("D2"), ends: straight });
    assert_eq!(refusal.alternatives, [Message::new("or-squares-none")]);
}

#[test]
fn event_invalidates_orders_naming_changed_things() {
    let (colour, square) = (Colour::Red, square_at("D2"));
    let lay = Order::Lay { at: square, ends: TileOpenings::LAYABLE[1] };
    let chasm = Order::Wish(Wish::Chasm(colour, square));
    let berth = SurfaceSquare { side: Direction::North, index: 3 };
    let (enter, speed) =
        (Order::Enter { cart: cart(0), berth }, Order::Speed { cart: cart(0), up: true });
    let moved = Order::Move { cart: cart(0) };
    let all = [lay, chasm, enter, speed, moved, Order::EndTurn];
    let derailed = |id| Event::Derailed { cart: cart(id), lost: false, why: None };
    for (event, overtaken) in [
        (
            Event::Laid { seat: SEAT_TWO, at: square, ends: TileOpenings::LAYABLE[0] },
            &[lay, moved][..],
        ),
        (Event::Upgraded { seat: SEAT_TWO, at: square, way: Direction::West }, &[lay, moved]),
        (Event::Upgraded { seat: SEAT_TWO, at: square_at("D3"), way: Direction::West }, &[moved]),
        (Event::Sank { colour, at: square }, &[lay, chasm, moved]),
        (Event::Sank { colour, at: square_at("D3") }, &[moved]),
        (Event::Rolled { cart: cart(2), to: square }, &[lay, moved]),
        (Event::Turned { cart: cart(0), facing: Direction::East }, &[moved]),
        (Event::Dropped { cart: cart(0), jewels: jewels("r") }, &[moved]),
        (derailed(0), &[enter, speed, moved]),
        (derailed(1), &[moved]),
        (Event::Fell { cart: cart(0) }, &[enter, speed, moved]),
        (Event::Fell { cart: cart(2) }, &[moved]),
        (Event::Turn { seat: SEAT_ONE }, &[]),
        (Event::Wished { seat: SEAT_TWO, wish: Wish::Place(true) }, &[]),
    ] {
        let found: Vec<Order> =
            all.iter().filter(|order| OffTheRails::invalidates(&event, order)).copied().collect();
        assert_eq!(found, overtaken, "{event:?}");
    }
}

#[test]
fn declining_token_clears_its_square_wishes() {
    let mut state = default_game();
    open_abyss(&mut state);
    state = play_lines(&state, "chasm red A2");
    let wishes = |state: &State| (state.players[0].token_wishes[0], state.players[0].wants_token);
    assert_eq!(wishes(&state), (Some(square_at("A2")), true));
    assert_eq!(wishes(&play_lines(&state, "chasm yes")), (Some(square_at("A2")), true));
    state.players[0].split = Split::Alone;
    let declined = play_lines(&state, "chasm none");
    assert_eq!(wishes(&declined), (None, false));
    assert_eq!(declined.players[0].split, state.players[0].split, "and nothing else");
}

#[test]
fn full_cart_mission_waits_while_on_board() {
    let both = [Mission::GemCollector, Mission::JewelRobbery];
    let claimed = |state: &State| {
        play_with_events(state, "done").1.into_iter().find_map(|event| match event {
            Event::Claimed { mission, .. } => Some(mission),
            _ => None,
        })
    };
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "rrrrr");
    place_cart(&mut state, 2, "D2", Direction::South, "g");
    turn_up_missions(&mut state, &both);
    assert_eq!(claimed(&state), Some(Mission::JewelRobbery), "it is full in the next turn too");
    // After the cart has left the mine its hold is not full, so both missions are lost after this
    // turn. The lowest number is claimed.
    let mut state = default_game();
    lay_tiles(&mut state, "D1 ns");
    place_cart(&mut state, 0, "D1", Direction::North, "gggee");
    turn_up_missions(&mut state, &[Mission::GemCollector, Mission::GoldInYourHills]);
    assert_eq!(claimed(&state), Some(Mission::GemCollector));
}

#[test]
fn progress_counts_cards_then_tokens() {
    // In a short game, 8 to 12 deposit cards come before the Chasm card. The estimate uses 10.
    let mut state = default_game();
    let after = |state: &mut State, drawn| {
        state.drawn = drawn;
        OffTheRails::progress_percent(state)
    };
    let progress = [0, 5, 10, 14].map(|drawn| after(&mut state, drawn));
    assert_eq!(progress, [0, 37, 75, 75]);
    state.era = Era::LastRound(SEAT_ONE);
    assert_eq!(after(&mut state, 5), 37);
    state.era = Era::Abyss;
    for (tokens, shown) in [([5; 4], 75), ([4; 4], 80), ([1, 0, 0, 0], 98), ([0; 4], 99)] {
        state.tokens = tokens;
        assert_eq!(OffTheRails::progress_percent(&state), shown, "{tokens:?}");
    }
    state.apply(&Event::Ended { reason: Ending::NoTokens });
    assert_eq!(OffTheRails::progress_percent(&state), 100);
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let unopened = OffTheRails::initial_state(&definition, &Options::default(), 2).or_fail();
    assert_eq!(OffTheRails::progress_percent(&unopened), 0);
    let mut alone = solo::new_solo_game();
    for name in ["B2", "C2", "D2", "D3", "D4"] {
        alone.apply(&Event::Sank { colour: Colour::Red, at: square_at(name) });
    }
    assert_eq!(OffTheRails::progress_percent(&alone), 25, "5 of 20 tokens");
}
