//! Tests of Paris Connection, mostly at constructed positions.

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

fn hex(name: &str) -> Hex {
    Hex::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// Creates a game of this definition for three players, before the deal.
fn new_game(definition: &str, options: Options) -> State {
    let read = yaml::parse(definition).unwrap_or_else(|error| panic!("{error}"));
    ParisConnection::initial_state(&read, &options, 3).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// Deals a game for three with the colours at these starts, which are in the order of the colours.
/// Each player gets two shares of the first four colours and one of black and brown. It is seat 1's
/// turn.
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

/// Creates a dealt game on the shipped map, with blue at the Gare du Nord and the others clockwise.
fn dealt_game() -> State {
    let state = new_game(ParisConnection::DEFINITION, Options::default());
    deal_at_starts(state, ["E21", "F22", "G21", "G19", "F18", "E19"])
}

fn place_locomotives(state: &mut State, colour: Colour, hexes: &[&str]) {
    let put = |name: &&str| Event::Placed { seat: ONE, colour, hex: hex(name) };
    hexes.iter().map(put).for_each(|event| state.apply(&event));
    state.apply(&Event::Turn { seat: ONE });
}

/// Carries out a line of the seat, completely or not at all.
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

/// Expects that seat 1's line is refused. Returns the kind of refusal, the key of the reason, and
/// the keys of the alternatives.
fn expect_refusal(state: &State, line: &str) -> (RefusalKind, &'static str, Vec<&'static str>) {
    match play_line(state, ONE, line) {
        Ok((_, events)) => panic!("{line}: {events:?}"),
        Err(Refusal { kind, reason, alternatives: instead }) => {
            (kind, reason.key, instead.iter().map(offered_key).collect())
        }
    }
}

/// Expects that seat 1's line is illegal, and returns the key of the reason.
fn expect_illegal(state: &State, line: &str) -> &'static str {
    match expect_refusal(state, line) {
        (RefusalKind::Illegal, key, _) => key,
        (_, key, _) => panic!("{line}: {key}"),
    }
}

fn parse_line(state: &State, line: &str) -> ParsedLine<Order> {
    ParisConnection::parse_line(state, ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

/// Returns the key of an alternative. If it offers a form of a line, it is the key of the form's
/// effect.
fn offered_key(message: &Message) -> &'static str {
    match message.args.get("does") {
        Some(Arg::Message(does)) => does.key,
        _ => message.key,
    }
}
