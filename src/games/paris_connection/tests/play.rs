//! Building, trading, both endings and the score.

use super::{ONE, forbidden, game, open, put, read, refusal, say};
use crate::games::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::state::Event;
use crate::games::paris_connection::state::{Ending, Order, State};
use crate::rules::{Charset, Dice, Hidden, Rules, Seat, Seed, Turn, Viewer, Views, unused_dice};
use proptest::prelude::*;

fn played(state: &State, line: &str) -> (State, Vec<Event>) {
    say(state, ONE, line).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

fn legal_lines(state: &State) -> String {
    format!("{:?}", ParisConnection::legal(state, ONE))
}

#[test]
fn a_build_takes_locomotives_from_supply_and_raises_the_value_at_once() {
    let state = game();
    let (after, events) = played(&state, "build red G23 Troyes");
    assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] - 2);
    assert_eq!(after.values[Colour::Red], 1);
    assert_eq!(events.last(), Some(&Event::Turn { seat: Seat::new(2) }));
    assert_eq!(ParisConnection::turn(&after), Turn::Awaiting(vec![Seat::new(2)]));
}

#[test]
fn a_build_branches_and_ends_by_itself_after_five() {
    let (after, events) = played(&game(), "build red H20 H22 G23 I21 I19");
    assert_eq!(events.len(), 6);
    assert_eq!(after.build, None);
    assert_eq!(forbidden(&game(), "build red H20 H22 G23 I21 I19 J18"), "pc-too-many");
}

#[test]
fn a_locomotive_must_touch_its_own_colour() {
    let state = game();
    let no = |line| forbidden(&state, line);
    assert_eq!(no("build red M27"), "pc-not-adjacent");
    assert_eq!(no("build red D20"), "pc-not-adjacent");
    assert_eq!(no("build red Z99"), "pc-no-hex");
    assert_eq!(no("build red F20"), "pc-eiffel");
    assert_eq!(no("build red F22"), "pc-start-closed");
    assert_eq!(no("build red G21"), "pc-start-closed");
    let (_, _, instead) = refusal(&state, "build red M27");
    assert_eq!(instead, ["pc-can-go"]);
}

#[test]
fn nobody_crosses_a_barrier() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G33"]);
    assert_eq!(forbidden(&state, "build red G35"), "pc-barred");
    put(&mut state, Colour::Red, &["F34"]);
    played(&state, "build red G35");
}

#[test]
fn a_rural_hex_has_room_for_two_colours_and_a_city_for_one() {
    let mut state = game();
    put(&mut state, Colour::Red, &["G23"]);
    assert_eq!(forbidden(&state, "build red G23"), "pc-same-colour");
    put(&mut state, Colour::Yellow, &["G23"]);
    put(&mut state, Colour::Blue, &["F24"]);
    assert_eq!(forbidden(&state, "build blue G23"), "pc-rural-full");
    put(&mut state, Colour::Red, &["G25"]);
    assert_eq!(forbidden(&state, "build yellow G25"), "pc-city-full");
}

#[test]
fn a_build_has_one_colour_and_ends_when_it_is_told_to() {
    let mut state = game();
    state.apply(&Event::Placed { seat: ONE, colour: Colour::Red, hex: super::hex("G23") });
    let decide = |order| ParisConnection::decide(&state, ONE, &order, &mut unused_dice());
    let place = |colour, name| Order::Place { colour, hex: super::hex(name) };
    assert!(decide(place(Colour::Red, "G25")).is_ok());
    assert!(decide(place(Colour::Blue, "D20")).is_err());
    assert!(decide(Order::Stop).is_ok());
    assert!(decide(Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 }).is_err());
    assert!(legal_lines(&state).contains("Stop"));
    assert!(!legal_lines(&state).contains("Blue"));
}

#[test]
fn a_build_of_the_last_locomotives_ends_by_itself() {
    let mut state = game();
    state.supply[Colour::Red] = 2;
    let (after, _) = played(&state, "build red G23 H24");
    assert_eq!(after.build, None);
    assert_eq!(forbidden(&state, "build red G23 H24 I25"), "pc-no-more");
    assert_eq!(forbidden(&after_turn(after), "build red I25"), "pc-board-empty");
}

fn after_turn(mut state: State) -> State {
    state.apply(&Event::Turn { seat: ONE });
    state
}

#[test]
fn a_trade_returns_one_and_takes_one_or_two() {
    let state = game();
    for (line, count) in [("trade red for 1 blue", 1), ("trade red for 2 blue", 2)] {
        let (after, _) = played(&state, line);
        assert_eq!(after.shares(ONE)[Colour::Red], 1);
        assert_eq!(after.shares(ONE)[Colour::Blue], 2 + count);
        assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] + 1);
        assert_eq!(after.supply[Colour::Blue], state.supply[Colour::Blue] - count);
    }
    assert_eq!(forbidden(&state, "trade red for 3 blue"), "pc-one-or-two");
    assert_eq!(forbidden(&state, "trade red for 0 blue"), "pc-one-or-two");
    assert_eq!(forbidden(&state, "trade red for 1 red"), "pc-same-company");
    assert_eq!(forbidden(&state, "trade 2 red for 2 blue"), "pc-give-one");
}

#[test]
fn of_the_last_share_only_one_is_taken() {
    let mut state = game();
    state.supply[Colour::Blue] = 1;
    assert_eq!(forbidden(&state, "trade red for 2 blue"), "pc-only-left");
    played(&state, "trade red for 1 blue");
    state.supply[Colour::Blue] = 0;
    assert_eq!(forbidden(&state, "trade red for 1 blue"), "pc-board-empty");
}

#[test]
fn nobody_returns_a_share_that_he_does_not_hold() {
    let (mut state, _) = played(&game(), "trade brown for 2 blue");
    state.apply(&Event::Turn { seat: ONE });
    assert_eq!(forbidden(&state, "trade brown for 1 blue"), "pc-none-held");
}

#[test]
fn marseille_ends_the_game_within_the_build() {
    let mut state = game();
    put(&mut state, Colour::Red, &["R28"]);
    let reading = read(&state, "build red R30, Marseille, S31, T30");
    let remarks: Vec<&str> = reading.remarks.iter().map(|remark| remark.key).collect();
    assert_eq!((reading.orders.len(), remarks), (2, vec!["pc-rest-stays"]));
    let (after, events) = played(&state, "build red R30, Marseille, S31, T30");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::Marseille }));
    assert_eq!(after.values[Colour::Red], 4);
    assert_eq!(after.supply[Colour::Red], state.supply[Colour::Red] - 2);
    assert_eq!(ParisConnection::turn(&after), Turn::Over);
    assert_eq!(forbidden(&after, "build red S31"), "game-over");
}

fn stocked(red: u8, blue: u8) -> State {
    let mut state = game();
    state.supply = ByColour::default();
    (state.supply[Colour::Red], state.supply[Colour::Blue]) = (red, blue);
    state
}

#[test]
fn five_empty_boards_end_the_game_in_a_build() {
    let (after, events) = played(&stocked(2, 3), "build red G23 G25");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::BoardsEmpty }));
    assert_eq!(after.values[Colour::Red], 1);
    let (after, _) = played(&stocked(2, 3), "build red G23");
    assert_eq!(ParisConnection::turn(&after), Turn::Awaiting(vec![Seat::new(2)]));
}

#[test]
fn five_empty_boards_end_the_game_after_a_trade() {
    let (_, events) = played(&stocked(1, 3), "trade blue for 1 red");
    assert_eq!(events.last(), Some(&Event::Ended { reason: Ending::BoardsEmpty }));
    // The share that was returned stocks a third board.
    let (_, events) = played(&stocked(1, 3), "trade yellow for 1 red");
    assert_eq!(events.last(), Some(&Event::Turn { seat: Seat::new(2) }));
}

#[test]
fn trades_in_a_row_end_the_game_where_that_was_agreed() {
    let mut state = open(ParisConnection::DEFINITION, Options { stall_after_trades: Some(2) });
    for event in ParisConnection::setup(&state, &mut Dice::new(&Seed::rehearsal(1), 0)) {
        state.apply(&event);
    }
    state.apply(&Event::Turn { seat: ONE });
    let trade = |state: &State| {
        let Turn::Awaiting(seats) = ParisConnection::turn(state) else { panic!("it is over") };
        let trade = crate::games::paris_connection::decide::trades(state, seats[0]).next();
        let mut after = state.clone();
        let order = trade.unwrap_or(Order::Stop);
        let events = ParisConnection::decide(state, seats[0], &order, &mut unused_dice());
        events.into_iter().flatten().for_each(|event| after.apply(&event));
        after
    };
    let once = trade(&state);
    assert_ne!(ParisConnection::turn(&once), Turn::Over);
    assert_eq!(ParisConnection::turn(&trade(&once)), Turn::Over);
    // A build in between begins the count again.
    let mut built = once;
    put(&mut built, Colour::Red, &["S9"]);
    assert_ne!(ParisConnection::turn(&trade(&built)), Turn::Over);
}

#[test]
fn shares_score_their_value_and_each_above_the_limit_costs_twenty() {
    let mut state = game();
    (state.values[Colour::Red], state.values[Colour::Blue]) = (5, 3);
    state.portfolios[0].shares[Colour::Red] = 14;
    let standings = ParisConnection::standings(&state);
    let scores: Vec<(u8, u32, i64)> =
        standings.iter().map(|s| (s.seat.number(), s.rank, s.score)).collect();
    // 14 x 5 + 2 x 3, and 22 shares where 20 are allowed.
    assert_eq!(scores, [(1, 1, 36), (2, 2, 16), (3, 2, 16)]);
    assert_eq!(standings[0].breakdown.last().map(|part| part.points), Some(-40));
    state.portfolios[0].shares[Colour::Red] = 2;
    let ranks: Vec<u32> = ParisConnection::standings(&state).iter().map(|s| s.rank).collect();
    assert_eq!(ranks, [1, 1, 1]);
}

#[test]
fn an_absent_player_builds_one_locomotive_where_it_is_worth_least() {
    let mut state = game();
    state.supply[Colour::Purple] = 31;
    let order = ParisConnection::forfeit(&state, ONE);
    assert_eq!(order, Order::Place { colour: Colour::Purple, hex: super::hex("G17") });
}

#[test]
fn an_order_is_overtaken_by_what_changes_its_hex_or_its_storing_boards() {
    let place = |colour, name| Order::Place { colour, hex: super::hex(name) };
    let trade = Order::Trade { give: Colour::Red, take: Colour::Blue, count: 1 };
    let placed = |colour, name| Event::Placed { seat: ONE, colour, hex: super::hex(name) };
    let traded = Event::Traded { seat: ONE, give: Colour::Red, take: Colour::Brown, count: 2 };
    let overtakes = |event: &Event, order| ParisConnection::overtakes(event, &order);
    assert!(overtakes(&placed(Colour::Red, "G23"), place(Colour::Blue, "G23")));
    assert!(overtakes(&placed(Colour::Red, "G23"), place(Colour::Red, "M27")));
    assert!(!overtakes(&placed(Colour::Red, "G23"), place(Colour::Blue, "M27")));
    assert!(overtakes(&placed(Colour::Blue, "G23"), trade));
    assert!(overtakes(&traded, trade));
    assert!(overtakes(&traded, place(Colour::Brown, "M27")));
    assert!(!overtakes(&traded, place(Colour::Blue, "M27")));
    assert!(!overtakes(&Event::Turn { seat: ONE }, place(Colour::Blue, "M27")));
}

fn any_event() -> impl Strategy<Value = Event> {
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
    fn any_log_passes_and_what_it_leads_to_can_be_looked_at(
        events in proptest::collection::vec(any_event(), 0..60)
    ) {
        let mut state = game();
        let mut dice = Dice::new(&Seed::rehearsal(0), 0);
        for event in &events {
            state.apply(event);
        }
        for seat in [Seat::new(0), ONE, Seat::new(200)] {
            for order in ParisConnection::legal(&state, seat) {
                prop_assert!(ParisConnection::decide(&state, seat, &order, &mut dice).is_ok());
            }
            ParisConnection::forfeit(&state, seat);
            ParisConnection::choices(&state, seat);
            ParisConnection::private(&state, seat);
            ParisConnection::private_in_words(&state, seat);
            ParisConnection::suggestions(&state, seat);
            ParisConnection::narrate(&state, &events, Viewer::Seat(seat));
            ParisConnection::redeal(&state, Viewer::Seat(seat), &mut dice);
        }
        ParisConnection::board(&state, &events, Charset::Ascii);
        ParisConnection::in_words(&state, &events);
        ParisConnection::standings(&state);
        let _ = ParisConnection::audit(&state);
    }
}
