//! Properties that hold in every game, tested with random games.

use super::*;
use crate::games::trick_of_the_rails::state::Step;
use proptest::prelude::*;

/// Plays a whole game at random and calls `look` at every position.
pub(super) fn play_through(
    seats: u8,
    options: Options,
    seed: u64,
    mut look: impl FnMut(&State),
) -> State {
    let mut state = random_game(seats, options, seed);
    let mut dice = Dice::new(&Seed::from_number(!seed), 0);
    while let Turn::Awaiting(awaited) = TrickOfTheRails::turn(&state) {
        look(&state);
        let seat = awaited[0];
        let legal = TrickOfTheRails::legal_orders(&state, seat);
        let order = dice.pick(&legal).unwrap_or_else(|| panic!("{state:?} is stuck"));
        let events = TrickOfTheRails::decide(&state, seat, order, &mut dice.clone());
        events.into_iter().flatten().for_each(|event| state.apply(&event));
    }
    look(&state);
    state
}

/// Generates any event, whether or not it can occur.
fn any_event() -> impl Strategy<Value = Event> {
    let company = || (0_usize..5).prop_map(|n| Company::ALL[n]);
    let engine = || (0_usize..5).prop_map(|n| Locomotive::ALL[n]);
    let seat = || (0_u8..=255).prop_map(Seat::new);
    let any_card =
        || (company(), 1_u8..=10).prop_filter_map("a card", |(company, n)| Card::new(company, n));
    let end = || any::<bool>().prop_map(|left| if left { End::Left } else { End::Right });
    let in_lane = || {
        prop_oneof![
            company().prop_map(LaneCard::Exchange),
            any_card().prop_map(LaneCard::Railway),
            Just(LaneCard::Reservation),
            any::<u8>().prop_map(LaneCard::City),
            engine().prop_map(LaneCard::Locomotive),
        ]
    };
    let step = prop_oneof![
        Just(Step::Play),
        any::<u8>().prop_map(Step::City),
        engine().prop_map(Step::Locomotive),
        any_card().prop_map(Step::End),
    ];
    prop_oneof![
        prop::collection::vec(in_lane(), 0..20).prop_map(|cards| Event::Lane { cards }),
        (seat(), prop::collection::vec(any_card(), 0..20))
            .prop_map(|(seat, cards)| Event::Dealt { seat, cards: cards.into_iter().collect() }),
        prop::collection::vec(any_card(), 0..20).prop_map(|cards| Event::Leftover { cards }),
        seat().prop_map(|seat| Event::Leads { seat }),
        (seat(), step).prop_map(|(seat, step)| Event::Turn { seat, step }),
        (seat(), any_card()).prop_map(|(seat, card)| Event::Played { seat, card }),
        seat().prop_map(|seat| Event::Won { seat }),
        (seat(), in_lane()).prop_map(|(seat, share)| Event::Taken { seat, share }),
        (any_card(), any::<u8>()).prop_map(|(card, place)| Event::Reserved { card, place }),
        any_card().prop_map(|card| Event::Removed { card }),
        (seat(), any_card()).prop_map(|(seat, card)| Event::Kept { seat, card }),
        (seat(), any::<u8>(), company(), end())
            .prop_map(|(seat, city, company, end)| Event::Built { seat, city, company, end }),
        (prop::option::of(seat()), engine(), company())
            .prop_map(|(seat, locomotive, company)| Event::Mounted { seat, locomotive, company }),
        (seat(), any_card(), end()).prop_map(|(seat, card, end)| Event::Laid { seat, card, end }),
        Just(Event::Ended),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn cards_are_conserved_and_reservation_is_never_leftmost(
        seats in 3_u8..=5, seed: u64, expert_lane: bool,
    ) {
        let options = Options { expert_lane, teams: seats == 4 };
        let end = play_through(seats, options, seed, |state| {
            assert_eq!(TrickOfTheRails::check_every_piece_placed(state), Ok(()));
            assert_ne!(state.current_prize(), Some(LaneCard::Reservation));
        });
        // Each stock round gives every player one share. Five winning cards leave the game.
        let shares = [8, 6, 5][usize::from(seats) - 3];
        for seat in Seat::all(seats) {
            let held = Company::ALL.into_iter().map(|c| end.shares_of(seat).of_company(c));
            let held: u32 = held.sum();
            prop_assert_eq!(held, shares);
        }
        prop_assert_eq!(end.removed.len(), 5);
    }

    #[test]
    fn any_event_log_is_applied_without_panic(
        seats in 3_u8..=5,
        log in prop::collection::vec(any_event(), 0..60),
    ) {
        let mut state = new_game(seats, EXPERT);
        for event in &log {
            state.apply(event);
            let _ = TrickOfTheRails::check_every_piece_placed(&state);
            let _ = TrickOfTheRails::public_data(&state);
            let _ = TrickOfTheRails::rankings(&state);
            let board = TrickOfTheRails::draw_board_text(&state, &log, Default::default());
            prop_assert!(board.iter().all(|line| line.len() <= 76));
            let _ = TrickOfTheRails::narrate_events(&state, &log, crate::rules::Viewer::Seat(ONE));
            let _ = TrickOfTheRails::describe_position(&state, &log);
            for seat in Seat::all(seats) {
                let _ = TrickOfTheRails::private_data(&state, seat);
                let _ = TrickOfTheRails::describe_choices(&state, seat);
                let _ = TrickOfTheRails::describe_private_position(&state, seat);
                let _ = TrickOfTheRails::suggest_lines(&state, seat);
                let _ = TrickOfTheRails::order_for_absent_player(&state, seat);
                for order in TrickOfTheRails::legal_orders(&state, seat) {
                    let _ = TrickOfTheRails::decide(&state, seat, &order, &mut throwaway_dice());
                }
            }
        }
    }
}

#[test]
fn game_of_absent_players_ends() {
    for seats in 3..=5 {
        let mut state = random_game(seats, Options::default(), 5);
        while let Turn::Awaiting(awaited) = TrickOfTheRails::turn(&state) {
            let order = TrickOfTheRails::order_for_absent_player(&state, awaited[0]);
            let line = TrickOfTheRails::write_line(&state, &[order]);
            play_lines(&mut state, &[&line]);
        }
    }
}
