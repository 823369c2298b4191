//! Constructed positions, and what the rules make of them.

mod audit;
mod cutoff;
mod determinization;
mod forms;
mod in_words;
mod lines;
mod map;
mod plans;
mod play;
mod readings;
mod suggest;
mod views;

use super::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::state::{Event, Order, State};
use crate::rules::{
    Arg, HiddenInfo, Message, OrderText, ParsedLine, Refusal, RefusalKind, Rules, Seat,
    throwaway_dice, yaml,
};

const ONE: Seat = Seat::new(1);

/// The hex of this name.
fn hex(name: &str) -> Hex {
    Hex::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// The empty table of this definition, for three.
fn new_game(definition: &str, options: Options) -> State {
    let read = yaml::parse(definition).unwrap_or_else(|error| panic!("{error}"));
    ParisConnection::initial_state(&read, &options, 3).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// A game for three with the colours at these starts, told in the order of the colours; each player
/// was dealt two shares of the first four colours and one of the others. Seat 1 is on turn.
fn deal_at_starts(mut state: State, starts: [&str; 6]) -> State {
    let mut placed = ByColour::default();
    let mut shares = ByColour::from_fn(|_| 2);
    for (colour, start) in Colour::ALL.into_iter().zip(starts) {
        placed[colour] = hex(start);
    }
    (shares[Colour::Black], shares[Colour::Brown]) = (1, 1);
    state.apply(&Event::Started { starts: placed });
    Seat::all(3).for_each(|seat| state.apply(&Event::Dealt { seat, shares }));
    state.apply(&Event::First { seat: ONE });
    state
}

/// A game on the shipped map, blue in the north and on clockwise.
fn dealt_game() -> State {
    let state = new_game(ParisConnection::DEFINITION, Options::default());
    deal_at_starts(state, ["E21", "F22", "G21", "G19", "F18", "E19"])
}

/// Puts locomotives on the map, whatever the rules say.
fn place_locomotives(state: &mut State, colour: Colour, hexes: &[&str]) {
    let put = |name: &&str| Event::Placed { seat: ONE, colour, hex: hex(name) };
    hexes.iter().map(put).for_each(|event| state.apply(&event));
    state.apply(&Event::Turn { seat: ONE });
}

/// What the seat's line does; all or nothing.
fn play_line(state: &State, seat: Seat, line: &str) -> Result<(State, Vec<Event>), Refusal> {
    let mut after = state.clone();
    let mut all_events = Vec::new();
    for order in ParisConnection::parse_line(state, seat, line)?.orders {
        let events = ParisConnection::decide(&after, seat, &order, &mut throwaway_dice())?;
        events.iter().for_each(|event| after.apply(event));
        all_events.extend(events);
    }
    Ok((after, all_events))
}

/// The key of the rule that forbids seat 1's line, and the keys of what is legal instead.
fn expect_refusal(state: &State, line: &str) -> (RefusalKind, &'static str, Vec<&'static str>) {
    match play_line(state, ONE, line) {
        Ok((_, events)) => panic!("{line}: {events:?}"),
        Err(Refusal { kind, reason, alternatives: instead }) => {
            (kind, reason.key, instead.iter().map(offered_key).collect())
        }
    }
}

/// The key of the rule that forbids seat 1's line.
fn expect_illegal(state: &State, line: &str) -> &'static str {
    match expect_refusal(state, line) {
        (RefusalKind::Illegal, key, _) => key,
        (_, key, _) => panic!("{line}: {key}"),
    }
}

/// How seat 1's line is read.
fn parse_line(state: &State, line: &str) -> ParsedLine<Order> {
    ParisConnection::parse_line(state, ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

/// The key of what is offered instead: of a way of writing a line, what it does.
fn offered_key(message: &Message) -> &'static str {
    match message.args.get("does") {
        Some(Arg::Message(does)) => does.key,
        _ => message.key,
    }
}
