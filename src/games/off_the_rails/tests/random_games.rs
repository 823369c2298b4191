//! Whole random games in every variant. The players prefer sensible track, because purely random
//! orders hardly ever deliver a jewel.

use super::*;
use crate::games::off_the_rails::definition::{
    BumperHeadOnRule, CartPointsRule, CutRule, DropRule, GameLength, Options, SoloChasmCardRule,
    SoloEndRule,
};
use crate::games::off_the_rails::travel;
use crate::rules::{Turn, Viewer};
use crate::testing::sample_or_all;
use std::collections::BTreeSet;

fn variants() -> Vec<Options> {
    let plain = Options::default;
    vec![
        plain(),
        Options { bumpers: true, ..plain() },
        Options { bumpers: true, bumper_head_on: BumperHeadOnRule::Full, ..plain() },
        Options { abyss_die: true, length: Some(GameLength::VeryShort), ..plain() },
        Options { drop: DropRule::HalfUp, length: Some(GameLength::Medium), ..plain() },
        Options { cart_points: CartPointsRule::NotDerailed, ..plain() },
        Options { cut: CutRule::Interactive, length: Some(GameLength::Long), ..plain() },
        Options { cut: CutRule::Interactive, drop: DropRule::HalfUp, ..plain() },
        Options {
            solo_chasm_card: SoloChasmCardRule::Turn,
            solo_end: SoloEndRule::Left,
            ..plain()
        },
        Options { solo_end: SoloEndRule::Loss, ..plain() },
    ]
}

/// Chooses an order like a careful beginner: mostly track ahead of carts and towards other track.
fn choose_order(state: &State, legal: &[Order], chooser: &mut Dice) -> Order {
    let ahead = |order: &&Order| match **order {
        Order::Lay { at, ends } => state.all_carts().any(|cart| {
            let facing = state.cart(cart).facing;
            travel::next_square(state, cart) == Some(at) && ends.has(facing.opposite())
        }),
        Order::Upgrade { at, way } => {
            state.board.neighbour(at, way).is_some_and(|next| state.track[next].has(way.opposite()))
        }
        Order::Enter { .. } => state.turn_progress.actions_left > 2,
        Order::EndTurn => false,
        _ => true,
    };
    let good: Vec<&Order> = legal.iter().filter(ahead).collect();
    if chooser.roll_below(8) > 0
        && let Some(order) = chooser.pick(&good)
    {
        return **order;
    }
    if legal.contains(&Order::EndTurn) && chooser.roll_below(3) == 0 {
        return Order::EndTurn;
    }
    *chooser.pick(legal).or_fail()
}

fn event_name(event: &Event) -> String {
    let text = serde_json::to_string(event).or_fail();
    text.split('"').nth(1).unwrap_or_default().to_owned()
}

fn assert_hides_secrets(state: &State, seats: u8, dice: &mut Dice) {
    let viewers = Seat::all(seats).map(Viewer::Seat).chain([Viewer::Public]);
    for viewer in viewers {
        let other = OffTheRails::redeal(state, viewer, dice);
        OffTheRails::check_every_piece_placed(&other).or_fail();
        let seen = |state| serde_json::to_string(&OffTheRails::public_data(state)).or_fail();
        assert_eq!(seen(state), seen(&other));
        if let Viewer::Seat(seat) = viewer {
            let seen =
                |state| serde_json::to_string(&OffTheRails::private_data(state, seat)).or_fail();
            assert_eq!(seen(state), seen(&other));
            assert_eq!(
                OffTheRails::legal_orders(state, seat),
                OffTheRails::legal_orders(&other, seat)
            );
            assert_eq!(
                OffTheRails::describe_choices(state, seat),
                OffTheRails::describe_choices(&other, seat)
            );
        }
    }
}

/// Plays one game, checks every step, and returns the names of all events that occurred.
fn play_random_game(options: &Options, seats: u8, seed: u64) -> BTreeSet<String> {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    let mut state = OffTheRails::initial_state(&definition, options, seats).or_fail();
    let mut dice = Dice::new(&Seed::from_number(seed), 0);
    let mut chooser = Dice::new(&Seed::from_number(!seed), 0);
    let mut seen = BTreeSet::new();
    OffTheRails::setup(&state.clone(), &mut dice).iter().for_each(|event| state.apply(event));
    // Every other game begins with a net of junctions, on which carts survive longer and collide
    // more often.
    if seed % 2 == 1 {
        for at in state.layable_squares().iter().take(30) {
            let cross = TileOpenings::parse("nesw").or_fail();
            state.apply(&Event::Laid { seat: SEAT_ONE, at, ends: cross });
        }
        state.turn_progress.actions_left = state.numbers.actions;
    }
    let mut line: Option<(State, Seat, Vec<Order>)> = None;
    while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
        let seat = awaited[0];
        let legal = OffTheRails::legal_orders(&state, seat);
        let order = choose_order(&state, &legal, &mut chooser);
        assert!(legal.contains(&OffTheRails::order_for_absent_player(&state, seat)));
        let before = state.clone();
        for event in OffTheRails::decide(&state, seat, &order, &mut dice).or_fail() {
            state.apply(&event);
            OffTheRails::check_every_piece_placed(&state)
                .unwrap_or_else(|what| panic!("{event:?}: {what}"));
            seen.insert(event_name(&event));
        }
        let (began, seat, mut orders) = line.take().unwrap_or((before, seat, Vec::new()));
        orders.push(order);
        if OffTheRails::is_complete_line(&state, &orders) {
            let text = OffTheRails::write_line(&began, &orders);
            let read = OffTheRails::parse_line(&began, seat, &text).map(|read| read.orders);
            assert_eq!(read, Ok(orders), "{text}");
            if chooser.roll_below(10) == 0 {
                assert_hides_secrets(&state, seats, &mut chooser);
            }
        } else {
            line = Some((began, seat, orders));
        }
    }
    seen
}

#[test]
fn random_games_of_every_variant_end() {
    let mut seen = BTreeSet::new();
    for (number, options) in (0..).zip(variants()) {
        for seats in 1..=4 {
            // By default, each variant and number of seats is played once, on an empty board or on
            // a net of junctions. A player is rarely asked for a cut, so variants with that option
            // are played on both.
            let one = (number + u64::from(seats) + 1) % 2;
            let is_asked = options.cut == CutRule::Interactive;
            let sample = if is_asked { 0..4 } else { one..one + 1 };
            for seed in sample_or_all(sample, 0..4) {
                seen.extend(play_random_game(&options, seats, 100 * number + seed));
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

/// Applies the events of a game in random order to another game. `apply` must accept all of them,
/// because it checks no rule.
#[test]
fn apply_accepts_any_event_in_any_order() {
    let definition = yaml::parse(OffTheRails::DEFINITION).or_fail();
    for seats in 1..=4 {
        let mut events = Vec::new();
        let blank = OffTheRails::initial_state(&definition, &Options::default(), 4).or_fail();
        let mut state = blank.clone();
        let mut dice = Dice::new(&Seed::from_number(5), 0);
        events.extend(OffTheRails::setup(&blank, &mut dice));
        events.iter().for_each(|event| state.apply(event));
        while let Turn::Awaiting(awaited) = OffTheRails::turn(&state) {
            let legal = OffTheRails::legal_orders(&state, awaited[0]);
            let order = choose_order(&state, &legal, &mut dice.clone());
            let told = OffTheRails::decide(&state, awaited[0], &order, &mut dice).or_fail();
            told.iter().for_each(|event| state.apply(event));
            events.extend(told);
            dice.roll_below(2);
        }
        let mut other =
            OffTheRails::initial_state(&definition, &Options::default(), seats).or_fail();
        for _ in 0..20 {
            dice.shuffle(&mut events);
            for event in &events {
                other.apply(event);
            }
            OffTheRails::draw_board_text(&other, &events, crate::rules::Charset::Ascii);
            OffTheRails::narrate_events(&other, &events, Viewer::Public);
            OffTheRails::public_data(&other);
            for seat in Seat::all(4) {
                OffTheRails::private_data(&other, seat);
                OffTheRails::describe_choices(&other, seat);
                for order in OffTheRails::legal_orders(&other, seat).iter().take(50) {
                    let _ = OffTheRails::decide(&other, seat, order, &mut dice);
                }
            }
        }
    }
}
