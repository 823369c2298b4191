//! Tests of the jewels that fall from a rammed cart, of the seat that is asked, and of the seat
//! that can foresee the result.

use super::super::{crash, travel};
use super::*;
use crate::games::off_the_rails::definition::{CutRule, DropRule};
use crate::games::off_the_rails::order::Split;
use crate::games::off_the_rails::state::CurrentMove;

/// Returns a position in which seat 1's white cart is about to ram the cart `id`.
fn cart_before_ram(options: &Options, (id, hold): (u8, &str)) -> State {
    let mut state = new_game(2, options);
    lay_tiles(&mut state, "D1 ns, D2 ns");
    place_cart(&mut state, 0, "D1", Direction::South, "r");
    place_cart(&mut state, id, "D2", Direction::South, hold);
    state
}

/// Returns the jewels that fall when this order is carried out with these dice. Returns `None` if a
/// player is asked first.
fn dropped_jewels(state: &State, seat: Seat, order: Order, dice: &mut Dice) -> Option<JewelCounts> {
    let events = OffTheRails::decide(state, seat, &order, dice).or_fail();
    events.into_iter().find_map(|event| match event {
        Event::Dropped { jewels, .. } => Some(jewels),
        _ => None,
    })
}

#[test]
fn own_rammed_cart_drops_half_and_may_ask() {
    let plain = Options::default();
    let half_up = Options { drop: DropRule::HalfUp, ..Options::default() };
    let white = Order::Move { cart: cart(0) };
    let own = |options: &Options, hold, order| {
        let fallen =
            dropped_jewels(&cart_before_ram(options, (1, hold)), SEAT_ONE, order, &mut dice());
        fallen.map(|fallen| fallen.single_jewels().map(|jewel| jewel.letter()).collect::<String>())
    };
    assert_eq!(own(&plain, "r", white).as_deref(), Some("r"));
    assert_eq!(own(&plain, "rr", white).as_deref(), Some("r"), "all halves are alike");
    assert_eq!(own(&plain, "rrr", white), None, "one or two");
    assert_eq!(own(&half_up, "rrr", white).as_deref(), Some("rr"), "the larger half");
    assert_eq!(own(&plain, "re", white), None);
    // By default the least valuable jewels fall, and the smaller half of an odd number.
    assert_eq!(own(&plain, "re", Order::EndTurn).as_deref(), Some("r"));
    assert_eq!(own(&plain, "oordg", Order::EndTurn).as_deref(), Some("oo"));
    assert_eq!(own(&plain, "rdeg", Order::EndTurn).as_deref(), Some("re"));
    assert_eq!(own(&half_up, "oordg", Order::EndTurn).as_deref(), Some("oor"));
}

#[test]
fn half_up_drops_larger_pile_in_either_order() {
    let options =
        Options { cut: CutRule::Interactive, drop: DropRule::HalfUp, ..Options::default() };
    let rammed = play_lines(&cart_before_ram(&options, (2, "oed")), "move w");
    for line in ["cut rock emerald", "cut diamond"] {
        let (after, _) = try_lines(&rammed, SEAT_TWO, line).or_fail();
        assert_eq!(
            (after.ground[square_at("D2")], travel::asked_seat(&after)),
            (jewels("oe"), None),
            "{line}"
        );
    }
}

/// Old games are verified by their dice, so a die result must always drop the pile that it dropped
/// before.
#[test]
fn die_result_one_drops_second_pile() {
    let state = cart_before_ram(&Options::default(), (2, "oord"));
    let piles = crash::cut_into_piles(&state, jewels("oord"), Split::Balanced);
    let asked = Options { cut: CutRule::Interactive, ..Options::default() };
    let mut old = cart_before_ram(&asked, (2, "oord"));
    numbers_mut(&mut old).definition.edition = 1;
    let old = play_lines(&old, "done");
    for seed in 0..8 {
        let dice = || Dice::new(&Seed::from_number(seed), 0);
        let pile = piles[usize::from(dice().roll_below(2) == 1)];
        let white = Order::Move { cart: cart(0) };
        assert_eq!(dropped_jewels(&state, SEAT_ONE, white, &mut dice()), Some(pile), "seed {seed}");
        let cut = Order::Cut(piles[0]);
        assert_eq!(
            dropped_jewels(&old, SEAT_TWO, cut, &mut dice()),
            Some(pile),
            "seed {seed}, as it was"
        );
    }
}

#[test]
fn fall_counts_exist_only_for_standing_cut() {
    let ways = |options: &Options, rammed: (u8, &str), fallen| {
        crash::picks_that_drop_jewels(
            &cart_before_ram(options, rammed),
            cart(rammed.0),
            jewels(fallen),
        )
    };
    let plain = Options::default();
    let asked = Options { cut: CutRule::Interactive, ..Options::default() };
    // The counts are for balanced, rocks together and best alone: the number of the two picks by
    // which these jewels fall.
    assert_eq!(ways(&plain, (2, "oord"), "oo"), Some([0, 1, 0]));
    assert_eq!(ways(&plain, (2, "rd"), "r"), Some([1, 1, 1]));
    assert_eq!(ways(&plain, (2, "d"), "d"), None, "a single jewel falls anyway");
    assert_eq!(ways(&plain, (1, "rd"), "r"), None, "its owner said so");
    assert_eq!(ways(&asked, (2, "rd"), "r"), None, "so did its owner");
    assert_eq!(ways(&asked, (2, "d"), "d"), None);
    assert_eq!(ways(&asked, (1, "rd"), "r"), None);
}

#[test]
fn cutter_of_odd_jewels_can_foresee_drop() {
    let options =
        Options { cut: CutRule::Interactive, drop: DropRule::HalfUp, ..Options::default() };
    let mut state = cart_before_ram(&options, (2, "oed"));
    let foreseen = |state: &State| {
        [SEAT_ONE, SEAT_TWO].map(|seat| crash::can_foresee_drop(state, cart(2), seat))
    };
    assert_eq!(foreseen(&state), [false, false], "it is not cut yet");
    state.current_move = Some(CurrentMove {
        cart: cart(0),
        steps_left: 0,
        arrived_heading: None,
        jewels_taken: 0,
        has_direction: false,
        crash: None,
        cut: Some(jewels("oe")),
    });
    assert_eq!(foreseen(&state), [false, true]);
}
