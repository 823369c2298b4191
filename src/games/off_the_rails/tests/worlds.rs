//! What the others may want, for all that a viewer has seen; and what can be told before it
//! happens.

use super::*;
use crate::games::off_the_rails::definition::{Cut, Drop};
use crate::games::off_the_rails::order::{Split, Wish};
use crate::rules::Viewer;

/// Seat 1's white cart is about to ram seat 2's, which holds this.
fn about_to_ram(options: &Options, other: &str) -> State {
    let mut state = game(2, options);
    lay(&mut state, "D1 ns, D2 ns, D3 ns, D4 ns");
    stand(&mut state, 0, "D1", Way::South, "r");
    speed(&mut state, 0, 4);
    stand(&mut state, 2, "D3", Way::South, other);
    state
}

/// What the move discloses, if anything.
fn disclosed(state: &State, seed: u64) -> Option<Event> {
    let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
    let order = Order::Move { cart: cart(0) };
    let events = OffTheRails::decide(state, ONE, &order, &mut dice).sure();
    let mut ahead = state.clone();
    events.into_iter().find(|event| {
        let discloses = OffTheRails::discloses(&ahead, event, ONE);
        ahead.apply(event);
        discloses
    })
}

/// How often each way of cutting stands in the worlds of seat 1.
fn splits(state: &State) -> [u32; 3] {
    let mut dice = Dice::new(&Seed::rehearsal(4), 0);
    let mut seen = [0; 3];
    for _ in 0..600 {
        let world = OffTheRails::redeal(state, Viewer::Seat(ONE), &mut dice);
        let split = world.players[1].split;
        seen[Split::ALL.iter().position(|&one| one == split).sure()] += 1;
    }
    seen
}

#[test]
fn what_fell_shows_how_it_was_cut_until_its_owner_can_change_that() {
    let mut state = about_to_ram(&Options::default(), "oord");
    assert!(splits(&state).iter().all(|&count| count > 150), "{:?}", splits(&state));
    state.apply(&Event::Wished { seat: TWO, wish: Wish::Split(Split::Together) });
    for event in
        OffTheRails::decide(&state, ONE, &Order::Move { cart: cart(0) }, &mut dice()).sure()
    {
        state.apply(&event);
    }
    // Rocks lay with rocks: neither a balanced cut nor the best alone does that.
    let seen = splits(&state);
    assert!(seen[1] == 600, "{seen:?}, {:?}", state.players[1].fallen);
    state.apply(&Event::Turn { seat: TWO });
    assert!(splits(&state).iter().all(|&count| count > 150), "{:?}", splits(&state));
}

#[test]
fn what_falls_is_foretold_only_where_nobody_could_have_it_otherwise() {
    let plain = Options::default();
    assert_eq!(disclosed(&about_to_ram(&plain, "d"), 1), None, "a single jewel falls");
    assert_eq!(disclosed(&about_to_ram(&plain, ""), 1), None, "it derails");
    for hold in ["dr", "rrr", "oord"] {
        let told = disclosed(&about_to_ram(&plain, hold), 1);
        assert!(matches!(told, Some(Event::Dropped { .. })), "{hold}: {told:?}");
    }
    let half_up = Options { drop: Drop::HalfUp, ..Options::default() };
    assert_eq!(disclosed(&about_to_ram(&half_up, "rrr"), 1), None, "two of three alike");
    assert!(disclosed(&about_to_ram(&half_up, "rrd"), 1).is_some(), "whichever they are");
    let asked = Options { cut: Cut::Interactive, ..Options::default() };
    assert_eq!(disclosed(&about_to_ram(&asked, "dr"), 1), None, "seat 2 is asked first");
}

#[test]
fn nobody_wants_a_token_placed_who_cannot_have_said_so() {
    let mut state = plain();
    let mut dice = dice();
    let wants = |state: &State, seat: usize, dice: &mut Dice| {
        let world = OffTheRails::redeal(state, Viewer::Public, dice);
        world.players[seat].places
    };
    let ever = |state: &State, seat, dice: &mut Dice| (0..50).any(|_| wants(state, seat, dice));
    assert!(!ever(&state, 0, &mut dice), "there is no abyss yet");
    state.apply(&Event::Collapsed);
    assert!(ever(&state, 0, &mut dice) && !ever(&state, 1, &mut dice), "it is seat 1's turn");
}
