//! Whole games by players who know what track is for, in every variant: random play by itself
//! hardly ever brings a jewel out.

use super::*;
use crate::common::sample_or_all;
use crate::games::off_the_rails::definition::{
    BumperHeadOn, CartPoints, Cut, Drop, Length, Options, SoloChasmCard, SoloEnd,
};
use crate::games::off_the_rails::travel;
use crate::rules::{Turn, Viewer};
use std::collections::BTreeSet;

fn variants() -> Vec<Options> {
    let plain = Options::default;
    vec![
        plain(),
        Options { bumpers: true, ..plain() },
        Options { bumpers: true, bumper_head_on: BumperHeadOn::Full, ..plain() },
        Options { abyss_die: true, length: Some(Length::VeryShort), ..plain() },
        Options { drop: Drop::HalfUp, length: Some(Length::Medium), ..plain() },
        Options { cart_points: CartPoints::NotDerailed, ..plain() },
        Options { cut: Cut::Interactive, length: Some(Length::Long), ..plain() },
        Options { cut: Cut::Interactive, drop: Drop::HalfUp, ..plain() },
        Options { solo_chasm_card: SoloChasmCard::Turn, solo_end: SoloEnd::Left, ..plain() },
        Options { solo_end: SoloEnd::Loss, ..plain() },
    ]
}

/// An order as a thoughtful beginner might choose it: track before carts and onto the next jewels.
fn choose(state: &State, legal: &[Order], chooser: &mut Dice) -> Order {
    let ahead = |order: &&Order| match **order {
        Order::Lay { at, ends } => state.all_carts().any(|cart| {
            let facing = state.cart(cart).facing;
            travel::next_square(state, cart) == Some(at) && ends.has(facing.opposite())
        }),
        Order::Upgrade { at, way } => {
            state.board.step(at, way).is_some_and(|next| state.track[next].has(way.opposite()))
        }
        Order::Enter { .. } => state.stint.actions > 2,
        Order::End => false,
        _ => true,
    };
    let good: Vec<&Order> = legal.iter().filter(ahead).collect();
    if chooser.below(8) > 0
        && let Some(order) = chooser.pick(&good)
    {
        return **order;
    }
    if legal.contains(&Order::End) && chooser.below(3) == 0 {
        return Order::End;
    }
    *chooser.pick(legal).sure()
}

/// The name of an event, for counting.
fn name(event: &Event) -> String {
    let text = serde_json::to_string(event).sure();
    text.split('"').nth(1).unwrap_or_default().to_owned()
}

fn hides(state: &State, seats: u8, dice: &mut Dice) {
    let viewers = Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]);
    for viewer in viewers {
        let other = OffTheRails::redeal(state, viewer, dice);
        OffTheRails::audit(&other).sure();
        let seen = |state| serde_json::to_string(&OffTheRails::public(state)).sure();
        assert_eq!(seen(state), seen(&other));
        if let Viewer::Seat(seat) = viewer {
            let seen = |state| serde_json::to_string(&OffTheRails::private(state, seat)).sure();
            assert_eq!(seen(state), seen(&other));
            assert_eq!(OffTheRails::legal(state, seat), OffTheRails::legal(&other, seat));
            assert_eq!(OffTheRails::choices(state, seat), OffTheRails::choices(&other, seat));
        }
    }
}

/// Plays one game and gives the names of all that happened.
fn walk(options: &Options, seats: u8, seed: u64) -> BTreeSet<String> {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    let mut state = OffTheRails::open(&definition, options, seats).sure();
    let mut dice = Dice::new(&Seed::rehearsal(seed), 0);
    let mut chooser = Dice::new(&Seed::rehearsal(!seed), 0);
    let mut seen = BTreeSet::new();
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    // Every other game begins on a net of junctions, where carts live long and meet.
    if seed % 2 == 1 {
        for at in state.layable().iter().take(30) {
            let cross = Ends::parse("nesw").sure();
            state.apply(&Event::Laid { seat: ONE, at, ends: cross });
        }
        state.stint.actions = state.numbers.actions;
    }
    let mut line: Option<(State, Seat, Vec<Order>)> = None;
    while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
        let seat = awaited[0];
        let legal = OffTheRails::legal(&state, seat);
        let order = choose(&state, &legal, &mut chooser);
        assert!(legal.contains(&OffTheRails::forfeit(&state, seat)));
        let before = state.clone();
        for event in OffTheRails::decide(&state, seat, &order, &mut dice).sure() {
            state.apply(&event);
            OffTheRails::audit(&state).unwrap_or_else(|what| panic!("{event:?}: {what}"));
            seen.insert(name(&event));
        }
        let (began, seat, mut orders) = line.take().unwrap_or((before, seat, Vec::new()));
        orders.push(order);
        if OffTheRails::is_whole_line(&state, &orders) {
            let text = OffTheRails::write(&began, &orders);
            let read = OffTheRails::parse(&began, seat, &text).map(|read| read.orders);
            assert_eq!(read, Ok(orders), "{text}");
            if chooser.below(10) == 0 {
                hides(&state, seats, &mut chooser);
            }
        } else {
            line = Some((began, seat, orders));
        }
    }
    seen
}

#[test]
fn every_variant_is_played_to_its_end() {
    let mut seen = BTreeSet::new();
    for (number, options) in (0..).zip(variants()) {
        for seats in 1..=4 {
            // A usual run plays on an empty board or on a net of junctions. Jewels are hardly ever
            // cut by a player who was asked, so games with that variant are always played.
            let one = (number + u64::from(seats) + 1) % 2;
            let is_asked = options.cut == Cut::Interactive;
            let sample = if is_asked { 0..4 } else { one..one + 1 };
            for seed in sample_or_all(sample, 0..4) {
                seen.extend(walk(&options, seats, 100 * number + seed));
            }
        }
    }
    let all = "achieved chasm_card claimed collapsed collided cut deposited derailed dropped \
               ended entered fell halted headed laid left rested returned revealed reshuffled \
               rolled sank set_off sped took turn turned upgraded wished";
    for event in all.split_whitespace() {
        assert!(seen.contains(event), "{event} never happened: {seen:?}");
    }
}

/// `apply` is total: the events of one game, in another game and in any order.
#[test]
fn any_event_of_any_log_passes() {
    let definition = yaml::read(OffTheRails::DEFINITION).sure();
    for seats in 1..=4 {
        let mut events = Vec::new();
        let blank = OffTheRails::open(&definition, &Options::default(), 4).sure();
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::rehearsal(5), 0);
        events.extend(OffTheRails::setup(&blank, &mut dice));
        events.iter().for_each(|event| state.apply(event));
        while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
            let legal = OffTheRails::legal(&state, awaited[0]);
            let order = choose(&state, &legal, &mut dice.clone());
            let told = OffTheRails::decide(&state, awaited[0], &order, &mut dice).sure();
            told.iter().for_each(|event| state.apply(event));
            events.extend(told);
            dice.below(2);
        }
        let mut other = OffTheRails::open(&definition, &Options::default(), seats).sure();
        for _ in 0..20 {
            dice.shuffle(&mut events);
            for event in &events {
                other.apply(event);
            }
            OffTheRails::board(&other, &events, crate::rules::Charset::Ascii);
            OffTheRails::narrate(&other, &events, Viewer::Public);
            OffTheRails::public(&other);
            for seat in Seat::all(4) {
                OffTheRails::private(&other, seat);
                OffTheRails::choices(&other, seat);
                for order in OffTheRails::legal(&other, seat).iter().take(50) {
                    let _ = OffTheRails::decide(&other, seat, order, &mut dice);
                }
            }
        }
    }
}
