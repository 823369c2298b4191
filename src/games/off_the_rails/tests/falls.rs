//! What falls from a rammed cart, who is asked, and who could tell before.

use super::super::{crash, travel};
use super::*;
use crate::games::off_the_rails::definition::{Cut, Drop};
use crate::games::off_the_rails::order::Split;
use crate::games::off_the_rails::plan::Then;
use crate::games::off_the_rails::state::Run;
use crate::rules::Plans;

/// Seat 1's white cart is about to ram this cart.
fn before(options: &Options, (id, hold): (u8, &str)) -> State {
    let mut state = game(2, options);
    lay(&mut state, "D1 ns, D2 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    stand(&mut state, id, "D2", Way::South, hold);
    state
}

/// What falls by one order and these dice; none where somebody is asked first.
fn falls(state: &State, seat: Seat, order: Order, dice: &mut Dice) -> Option<Hoard> {
    let events = OffTheRails::decide(state, seat, &order, dice).sure();
    events.into_iter().find_map(|event| match event {
        Event::Dropped { jewels, .. } => Some(jewels),
        _ => None,
    })
}

#[test]
fn of_ones_own_cart_half_falls_and_its_owner_is_asked_only_where_there_is_a_choice() {
    let plain = Options::default();
    let half_up = Options { drop: Drop::HalfUp, ..Options::default() };
    let white = Order::Move { cart: cart(0) };
    let own = |options: &Options, hold, order| {
        let fallen = falls(&before(options, (1, hold)), ONE, order, &mut dice());
        fallen.map(|fallen| fallen.pieces().map(|jewel| jewel.letter()).collect::<String>())
    };
    assert_eq!(own(&plain, "r", white).as_deref(), Some("r"));
    assert_eq!(own(&plain, "rr", white).as_deref(), Some("r"), "all halves are alike");
    assert_eq!(own(&plain, "rrr", white), None, "one or two");
    assert_eq!(own(&half_up, "rrr", white).as_deref(), Some("rr"), "the larger half");
    assert_eq!(own(&plain, "re", white), None);
    // Who leaves it to the default lets the least valuable fall, rather less than more.
    assert_eq!(own(&plain, "re", Order::End).as_deref(), Some("r"));
    assert_eq!(own(&plain, "oordg", Order::End).as_deref(), Some("oo"));
    assert_eq!(own(&plain, "rdeg", Order::End).as_deref(), Some("re"));
    assert_eq!(own(&half_up, "oordg", Order::End).as_deref(), Some("oor"));
}

#[test]
fn where_the_larger_pile_falls_it_does_whichever_was_named_first() {
    let options = Options { cut: Cut::Interactive, drop: Drop::HalfUp, ..Options::default() };
    let rammed = say(&before(&options, (2, "oed")), "move w");
    for line in ["cut rock emerald", "cut diamond"] {
        let (after, _) = try_lines(&rammed, TWO, line).sure();
        assert_eq!((after.ground[at("D2")], travel::asked(&after)), (jewels("oe"), None), "{line}");
    }
}

/// A log holds the dice, not the pile: the same dice let the same pile fall for ever.
#[test]
fn of_two_piles_that_chance_picks_the_second_falls_by_a_one() {
    let state = before(&Options::default(), (2, "oord"));
    let piles = crash::piles(&state, jewels("oord"), Split::Balanced);
    let asked = Options { cut: Cut::Interactive, ..Options::default() };
    let mut old = before(&asked, (2, "oord"));
    numbers(&mut old).definition.edition = 1;
    let old = say(&old, "done");
    for seed in 0..8 {
        let dice = || Dice::new(&Seed::rehearsal(seed), 0);
        let pile = piles[usize::from(dice().below(2) == 1)];
        let white = Order::Move { cart: cart(0) };
        assert_eq!(falls(&state, ONE, white, &mut dice()), Some(pile), "seed {seed}");
        let cut = Order::Cut(piles[0]);
        assert_eq!(falls(&old, TWO, cut, &mut dice()), Some(pile), "seed {seed}, as it was");
    }
}

#[test]
fn what_fell_tells_of_a_standing_order_only_where_one_was_asked() {
    let ways = |options: &Options, rammed: (u8, &str), fallen| {
        crash::ways_to_fall(&before(options, rammed), cart(rammed.0), jewels(fallen))
    };
    let plain = Options::default();
    let asked = Options { cut: Cut::Interactive, ..Options::default() };
    // Balanced, rocks together, best alone: in how many of two picks these fall.
    assert_eq!(ways(&plain, (2, "oord"), "oo"), Some([0, 1, 0]));
    assert_eq!(ways(&plain, (2, "rd"), "r"), Some([1, 1, 1]));
    assert_eq!(ways(&plain, (2, "d"), "d"), None, "a single jewel falls anyway");
    assert_eq!(ways(&plain, (1, "rd"), "r"), None, "its owner said so");
    assert_eq!(ways(&asked, (2, "rd"), "r"), None, "so did its owner");
    assert_eq!(ways(&asked, (2, "d"), "d"), None);
    assert_eq!(ways(&asked, (1, "rd"), "r"), None);
}

#[test]
fn who_cut_an_odd_number_knows_that_the_larger_pile_falls() {
    let options = Options { cut: Cut::Interactive, drop: Drop::HalfUp, ..Options::default() };
    let mut state = before(&options, (2, "oed"));
    let foreseen = |state: &State| [ONE, TWO].map(|seat| crash::is_foreseen(state, cart(2), seat));
    assert_eq!(foreseen(&state), [false, false], "it is not cut yet");
    state.run = Some(Run {
        cart: cart(0),
        left: 0,
        came: None,
        taken: 0,
        headed: false,
        crash: None,
        cut: Some(jewels("oe")),
    });
    assert_eq!(foreseen(&state), [false, true]);
}

#[test]
fn nobody_keeps_a_line_by_chance() {
    let options = Options { cut: Cut::Interactive, ..Options::default() };
    let rammed = say(&before(&options, (2, "oed")), "move w");
    for seat in [ONE, TWO] {
        assert_eq!(Then::at_random(&rammed, seat, &mut dice()), <[&str; 0]>::default());
    }
}
