//! Constructed positions, and what the rules make of them.

mod audit;
mod cutoff;
mod forms;
mod in_words;
mod lines;
mod map;
mod plans;
mod play;
mod readings;
mod suggest;
mod views;
mod worlds;

use super::ParisConnection;
use crate::games::paris_connection::colour::{ByColour, Colour};
use crate::games::paris_connection::definition::Options;
use crate::games::paris_connection::hex::Hex;
use crate::games::paris_connection::state::{Event, Order, State};
use crate::rules::{
    Arg, Hidden, Message, OrderText, Reading, Refusal, RefusalKind, Rules, Seat, unused_dice, yaml,
};

const ONE: Seat = Seat::new(1);

/// The hex of this name.
fn hex(name: &str) -> Hex {
    Hex::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// The empty table of this definition, for three.
fn open(definition: &str, options: Options) -> State {
    let read = yaml::read(definition).unwrap_or_else(|error| panic!("{error}"));
    ParisConnection::open(&read, &options, 3).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// A game for three with the colours at these starts, told in the order of the colours; each player
/// was dealt two shares of the first four colours and one of the others. Seat 1 is on turn.
fn dealt(mut state: State, starts: [&str; 6]) -> State {
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
fn game() -> State {
    let state = open(ParisConnection::DEFINITION, Options::default());
    dealt(state, ["E21", "F22", "G21", "G19", "F18", "E19"])
}

/// Puts locomotives on the map, whatever the rules say.
fn put(state: &mut State, colour: Colour, hexes: &[&str]) {
    let put = |name: &&str| Event::Placed { seat: ONE, colour, hex: hex(name) };
    hexes.iter().map(put).for_each(|event| state.apply(&event));
    state.apply(&Event::Turn { seat: ONE });
}

/// What the seat's line does; all or nothing.
fn say(state: &State, seat: Seat, line: &str) -> Result<(State, Vec<Event>), Refusal> {
    let mut after = state.clone();
    let mut told = Vec::new();
    for order in ParisConnection::parse(state, seat, line)?.orders {
        let events = ParisConnection::decide(&after, seat, &order, &mut unused_dice())?;
        events.iter().for_each(|event| after.apply(event));
        told.extend(events);
    }
    Ok((after, told))
}

/// The key of the rule that forbids seat 1's line, and the keys of what is legal instead.
fn refusal(state: &State, line: &str) -> (RefusalKind, &'static str, Vec<&'static str>) {
    match say(state, ONE, line) {
        Ok((_, events)) => panic!("{line}: {events:?}"),
        Err(Refusal { kind, reason, instead }) => {
            (kind, reason.key, instead.iter().map(offered).collect())
        }
    }
}

/// The key of the rule that forbids seat 1's line.
fn forbidden(state: &State, line: &str) -> &'static str {
    match refusal(state, line) {
        (RefusalKind::Illegal, key, _) => key,
        (_, key, _) => panic!("{line}: {key}"),
    }
}

/// How seat 1's line is read.
fn read(state: &State, line: &str) -> Reading<Order> {
    ParisConnection::parse(state, ONE, line).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

/// The key of what is offered instead: of a way of writing a line, what it does.
fn offered(message: &Message) -> &'static str {
    match message.args.get("does") {
        Some(Arg::Message(does)) => does.key,
        _ => message.key,
    }
}
