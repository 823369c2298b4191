//! Tests of building, trading, both endings and the score.

use super::{
    ONE, dealt_game, expect_illegal, expect_refusal, new_game, parse_line, place_locomotives,
    play_line,
};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::state::Event;
use crate::games::paris_connection::state::{Ending, Order, State};
use crate::rules::{
    Charset, Dice, HiddenInfo, Rules, Seat, Seed, Turn, Viewer, Views, throwaway_dice,
};
use proptest::prelude::*;

fn expect_played(state: &State, line: &str) -> (State, Vec<Event>) {
    play_line(state, ONE, line).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

fn legal_orders_text(state: &State) -> String {
    format!("{:?}", ParisConnection::legal_orders(state, ONE))
}

#[test]
fn build_uses_supply_and_raises_value() {
    let state = dealt_game();
    let (after, events) = expect_played(&state, "build red G23 Troyes");
    assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] - 2);
    assert_eq!(after.values[Colour::Red], 1);
    assert_eq!(events.last(), Some(&Event::Turn { seat: Seat::new(2) }));
    assert_eq!(ParisConnection::turn(&after), Turn::Awaiting(vec![Seat::new(2)]));
}

#[test]
fn build_may_branch_and_ends_after_five() {
    let (after, events) = expect_played(&dealt_game(), "build red H20 H22 G23 I21 I19");
    assert_eq!(events.len(), 6);
    assert_eq!(after.build, None);
    assert_eq!(expect_illegal(&dealt_game(), "build red H20 H22 G23 I21 I19 J18"), "pc-too-many");
}

#[test]
fn locomotive_must_touch_its_own_colour() {
    let state = dealt_game();
    let no = |line| expect_illegal(&state, line);
    assert_eq!(no("build red M27"), "pc-not-adjacent");
    assert_eq!(no("build red D20"), "pc-not-adjacent");
    assert_eq!(no("build red Z99"), "pc-no-hex");
    assert_eq!(no("build red F20"), "pc-eiffel");
    assert_eq!(no("build red F22"), "pc-start-closed");
    assert_eq!(no("build red G21"), "pc-start-closed");
    let (_, _, instead) = expect_refusal(&state, "build red M27");
    assert_eq!(instead, ["pc-can-go"]);
}

#[test]
fn barrier_cannot_be_crossed() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G33"]);
    assert_eq!(expect_illegal(&state, "build red G35"), "pc-barred");
    place_locomotives(&mut state, Colour::Red, &["F34"]);
    expect_played(&state, "build red G35");
}

#[test]
fn rural_hex_holds_two_colours_city_one() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["G23"]);
    assert_eq!(expect_illegal(&state, "build red G23"), "pc-same-colour");
    place_locomotives(&mut state, Colour::Yellow, &["G23"]);
    place_locomotives(&mut state, Colour::Blue, &["F24"]);
    assert_eq!(expect_illegal(&state, "build blue G23"), "pc-rural-full");
    place_locomotives(&mut state, Colour::Red, &["G25"]);
    assert_eq!(expect_illegal(&state, "build yellow G25"), "pc-city-full");
}

#[test]
fn build_has_one_colour_and_can_stop() {
    let mut state = dealt_game();
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: super::hex("G23") });
    let decide = |order| ParisConnection::decide(&state, ONE, &order, &mut throwaway_dice());
    let place = |colour, name| Order::Place { colour, hex: super::hex(name) };
    assert!(decide(place(Colour::Red, "G25")).is_ok());
    assert!(decide(place(Colour::Blue, "D20")).is_err());
    assert!(decide(Order::Stop).is_ok());
    assert!(decide(Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 }).is_err());
    assert!(legal_orders_text(&state).contains("Stop"));
    assert!(!legal_orders_text(&state).contains("Blue"));
}

#[test]
fn build_of_last_locomotives_ends_by_itself() {
    let mut state = dealt_game();
    state.supply[Colour::Red] = 2;
    let (after, _) = expect_played(&state, "build red G23 H24");
    assert_eq!(after.build, None);
    assert_eq!(expect_illegal(&state, "build red G23 H24 I25"), "pc-no-more");
    assert_eq!(expect_illegal(&at_seat_one(after), "build red I25"), "pc-board-empty");
}

fn at_seat_one(mut state: State) -> State {
    state.apply(&Event::Turn { seat: ONE });
    state
}

#[test]
fn trade_returns_one_and_takes_up_to_two() {
    let state = dealt_game();
    for (line, count) in [("trade red for 1 blue", 1), ("trade red for 2 blue", 2)] {
        let (after, _) = expect_played(&state, line);
        assert_eq!(after.shares_of(ONE)[Colour::Red], 1);
        assert_eq!(after.shares_of(ONE)[Colour::Blue], 2 + count);
        assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] + 1);
        assert_eq!(after.supply[Colour::Blue], state.supply[Colour::Blue] - count);
    }
    assert_eq!(expect_illegal(&state, "trade red for 3 blue"), "pc-one-or-two");
    assert_eq!(expect_illegal(&state, "trade red for 0 blue"), "pc-one-or-two");
    assert_eq!(expect_illegal(&state, "trade red for 1 red"), "pc-same-company");
    assert_eq!(expect_illegal(&state, "trade 2 red for 2 blue"), "pc-give-one");
}

#[test]
fn last_share_can_only_be_taken_singly() {
    let mut state = dealt_game();
    state.supply[Colour::Blue] = 1;
    assert_eq!(expect_illegal(&state, "trade red for 2 blue"), "pc-only-left");
    expect_played(&state, "trade red for 1 blue");
    state.supply[Colour::Blue] = 0;
    assert_eq!(expect_illegal(&state, "trade red for 1 blue"), "pc-board-empty");
}

#[test]
fn share_not_held_cannot_be_returned() {
    let (mut state, _) = expect_played(&dealt_game(), "trade brown for 2 blue");
    state.apply(&Event::Turn { seat: ONE });
    assert_eq!(expect_illegal(&state, "trade brown for 1 blue"), "pc-none-held");
}

#[test]
fn marseille_ends_the_game_within_the_build() {
    let mut state = dealt_game();
    place_locomotives(&mut state, Colour::Red, &["R28"]);
    let reading = parse_line(&state, "build red R30, Marseille, S31, T30");
    let remarks: Vec<&str> = reading.remarks.iter().map(|remark| remark.key).collect();
    assert_eq!((reading.orders.len(), remarks), (2, vec!["pc-rest-stays"]));
    let (after, events) = expect_played(&state, "build red R30, Marseille, S31, T30");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::Marseille }));
    assert_eq!(after.values[Colour::Red], 4);
    assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] - 2);
    assert_eq!(ParisConnection::turn(&after), Turn::Over);
    assert_eq!(expect_illegal(&after, "build red S31"), "game-over");
}

fn game_with_supply(red: u8, blue: u8) -> State {
    let mut state = dealt_game();
    state.supply = ByColour::default();
    (state.supply[Colour::Red], state.supply[Colour::Blue]) = (red, blue);
    state
}

#[test]
fn build_that_empties_fifth_board_ends_game() {
    let (after, events) = expect_played(&game_with_supply(2, 3), "build red G23 G25");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::BoardsEmpty }));
    assert_eq!(after.values[Colour::Red], 1);
    let (after, _) = expect_played(&game_with_supply(2, 3), "build red G23");
    assert_eq!(ParisConnection::turn(&after), Turn::Awaiting(vec![Seat::new(2)]));
}

#[test]
fn trade_that_empties_fifth_board_ends_game() {
    let (_, events) = expect_played(&game_with_supply(1, 3), "trade blue for 1 red");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::BoardsEmpty }));
    // The returned share fills a third storing board.
    let (_, events) = expect_played(&game_with_supply(1, 3), "trade yellow for 1 red");
    assert_eq!(events.last(), Some(&Event::Turn { seat: Seat::new(2) }));
}

#[test]
fn agreed_number_of_trades_ends_game() {
    let mut state = new_game(ParisConnection::DEFINITION, Options { stall_after_trades: Some(2) });
    for event in ParisConnection::setup(&state, &mut Dice::new(&Seed::from_number(1), 0)) {
        state.apply(&event);
    }
    state.apply(&Event::Turn { seat: ONE });
    let trade = |state: &State| {
        let Turn::Awaiting(seats) = ParisConnection::turn(state) else { panic!("it is over") };
        let trade = crate::games::paris_connection::decide::legal_trades(state, seats[0]).next();
        let mut after = state.clone();
        let order = trade.unwrap_or(Order::Stop);
        let events = ParisConnection::decide(state, seats[0], &order, &mut throwaway_dice());
        events.into_iter().flatten().for_each(|event| after.apply(&event));
        after
    };
    let once = trade(&state);
    assert_ne!(ParisConnection::turn(&once), Turn::Over);
    assert_eq!(ParisConnection::turn(&trade(&once)), Turn::Over);
    // A build between trades restarts the count.
    let mut built = once;
    place_locomotives(&mut built, Colour::Red, &["S9"]);
    assert_ne!(ParisConnection::turn(&trade(&built)), Turn::Over);
}

#[test]
fn shares_score_value_minus_penalty_above_limit() {
    let mut state = dealt_game();
    (state.values[Colour::Red], state.values[Colour::Blue]) = (5, 3);
    state.portfolios[0].shares[Colour::Red] = 14;
    let standings = ParisConnection::rankings(&state);
    let scores: Vec<(u8, u32, i64)> =
        standings.iter().map(|s| (s.seat.number(), s.rank, s.score)).collect();
    // The score is 14 x 5 + 2 x 3, minus 40 for 22 shares at a limit of 20.
    assert_eq!(scores, [(1, 1, 36), (2, 2, 16), (3, 2, 16)]);
    assert_eq!(standings[0].breakdown.last().map(|part| part.points), Some(-40));
    state.portfolios[0].shares[Colour::Red] = 2;
    let ranks: Vec<u32> = ParisConnection::rankings(&state).iter().map(|s| s.rank).collect();
    assert_eq!(ranks, [1, 1, 1]);
}

#[test]
fn absent_player_builds_on_least_valuable_hex() {
    let mut state = dealt_game();
    state.supply[Colour::Purple] = 31;
    let order = ParisConnection::order_for_absent_player(&state, ONE);
    assert_eq!(order, Order::Place { colour: Colour::Purple, hex: super::hex("G17") });
}

#[test]
fn order_is_invalidated_by_changed_hex_or_board() {
    let place = |colour, name| Order::Place { colour, hex: super::hex(name) };
    let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 };
    let placed = |colour, name| Event::Placed { seat: ONE, colour, hex: super::hex(name) };
    let traded = Event::Traded { seat: ONE, give: Colour::Red, take: Colour::Brown, count: 2 };
    let overtakes = |event: &Event, order| ParisConnection::invalidates(event, &order);
    assert!(overtakes(&placed(Colour::Red, "G23"), place(Colour::Blue, "G23")));
    assert!(overtakes(&placed(Colour::Red, "G23"), place(Colour::Red, "M27")));
    assert!(!overtakes(&placed(Colour::Red, "G23"), place(Colour::Blue, "M27")));
    assert!(overtakes(&placed(Colour::Blue, "G23"), trade));
    assert!(overtakes(&traded, trade));
    assert!(overtakes(&traded, place(Colour::Brown, "M27")));
    assert!(!overtakes(&traded, place(Colour::Blue, "M27")));
    assert!(!overtakes(&Event::Turn { seat: ONE }, place(Colour::Blue, "M27")));
}

fn event_strategy() -> impl Strategy<Value = Event> {
    let seat = || any::<u8>().prop_map(Seat::new);
    let colour = || proptest::sample::select(&Colour::ALL[..]);
    let hex = || (0_u8..26, 0_u8..100).prop_map(|(row, column)| Hex::new(row, column));
    let any_hex = || hex().prop_map(Option::unwrap_or_default);
    prop_oneof![
        any_hex().prop_map(|hex| Event::Started { starts: ByColour::from_fn(|_| hex) }),
        (seat(), any::<u8>())
            .prop_map(|(seat, n)| Event::Dealt { seat, shares: ByColour::from_fn(|_| n) }),
        seat().prop_map(|seat| Event::First { seat }),
        (seat(), colour(), any_hex()).prop_map(|(seat, colour, hex)| Event::Placed {
            seat,
            colour,
            hex
        }),
        (seat(), colour(), colour(), any::<u8>())
            .prop_map(|(seat, give, take, count)| Event::Traded { seat, give, take, count }),
        seat().prop_map(|seat| Event::Turn { seat }),
    ]
}

proptest! {
    #[test]
    fn any_event_log_leads_to_viewable_state(
        events in proptest::collection::vec(event_strategy(), 0..60)
    ) {
        let mut state = dealt_game();
        let mut dice = Dice::new(&Seed::from_number(0), 0);
        for event in &events {
            state.apply(event);
        }
        for seat in [Seat::new(0), ONE, Seat::new(200)] {
            for order in ParisConnection::legal_orders(&state, seat) {
                prop_assert!(ParisConnection::decide(&state, seat, &order, &mut dice).is_ok());
            }
            ParisConnection::order_for_absent_player(&state, seat);
            ParisConnection::describe_choices(&state, seat);
            ParisConnection::private_data(&state, seat);
            ParisConnection::describe_private_position(&state, seat);
            ParisConnection::suggest_lines(&state, seat);
            ParisConnection::narrate_events(&state, &events, Viewer::Seat(seat));
            ParisConnection::redeal(&state, Viewer::Seat(seat), &mut dice);
        }
        ParisConnection::draw_board_text(&state, &events, Charset::Ascii);
        ParisConnection::describe_position(&state, &events);
        ParisConnection::rankings(&state);
        let _ = ParisConnection::check_every_piece_placed(&state);
    }
}
