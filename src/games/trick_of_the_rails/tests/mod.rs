//! Constructed positions, and what the rules make of them.

mod audit;
mod faults;
mod in_words;
mod lines;
mod plans;
mod properties;
mod rulings;
mod steps;
mod suggest;
mod tricks;
mod vectors;
mod views;
mod worlds;

use super::{Card, Company, TrickOfTheRails};
use crate::games::trick_of_the_rails::card::CardSet;
use crate::games::trick_of_the_rails::definition::{Locomotive, Options};
use crate::games::trick_of_the_rails::railway::{End, Track};
use crate::games::trick_of_the_rails::state::{Event, LaneCard, Order, State};
use crate::rules::{
    Arg, Dice, Hidden, Message, OrderText, Reading, Refusal, Rules, Seat, Seed, Turn, Views,
    unused_dice, yaml,
};

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

const EXPERT: Options = Options { expert_lane: true, teams: false };

/// The card of this name.
fn card(name: &str) -> Card {
    Card::parse(name).unwrap_or_else(|| panic!("{name}"))
}

/// The cards of these names.
fn cards(names: &str) -> CardSet {
    names.split_whitespace().map(card).collect()
}

/// The empty table for so many.
fn open(seats: u8, options: Options) -> State {
    let read = yaml::read(TrickOfTheRails::DEFINITION).unwrap_or_else(|error| panic!("{error}"));
    TrickOfTheRails::open(&read, &options, seats).unwrap_or_else(|fault| panic!("{fault:?}"))
}

/// A game dealt by lot.
fn dealt(seats: u8, options: Options, seed: u64) -> State {
    let mut state = open(seats, options);
    let events = TrickOfTheRails::setup(&state, &mut Dice::new(&Seed::rehearsal(seed), 0));
    events.iter().for_each(|event| state.apply(event));
    state
}

/// A game with these hands and this lane; seat 1 leads.
fn table(hands: &[&str], lane: &[LaneCard]) -> State {
    table_with(hands, lane, Options::default())
}

fn table_with(hands: &[&str], lane: &[LaneCard], options: Options) -> State {
    let seats = Seat::all(hands.len().try_into().unwrap_or(3));
    let mut state = open(seats.clone().count().try_into().unwrap_or(3), options);
    state.apply(&Event::Lane { cards: lane.to_vec() });
    for (seat, hand) in seats.zip(hands) {
        state.apply(&Event::Dealt { seat, cards: cards(hand) });
    }
    state.apply(&Event::Leads { seat: ONE });
    state
}

/// What the seat's line does.
fn say(state: &State, seat: Seat, line: &str) -> Result<(State, Vec<Event>), Refusal> {
    let mut after = state.clone();
    let mut told = Vec::new();
    for order in TrickOfTheRails::parse(state, seat, line)?.orders {
        let events = TrickOfTheRails::decide(&after, seat, &order, &mut unused_dice())?;
        events.iter().for_each(|event| after.apply(event));
        told.extend(events);
    }
    Ok((after, told))
}

/// Lets whoever is on turn say each line; gives what happened last.
fn go(state: &mut State, lines: &[&str]) -> Vec<Event> {
    let mut told = Vec::new();
    for line in lines {
        let Turn::Awaiting(seats) = TrickOfTheRails::turn(state) else {
            panic!("{line}: it is over")
        };
        let said = say(state, seats[0], line);
        (*state, told) = said.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    told
}

/// The keys of the rule that forbids the line and of what is legal instead.
fn refusal(state: &State, seat: Seat, line: &str) -> (&'static str, Vec<&'static str>) {
    match say(state, seat, line) {
        Ok((_, events)) => panic!("{line}: {events:?}"),
        Err(Refusal { reason, instead, .. }) => (reason.key, instead.iter().map(offered).collect()),
    }
}

/// How seat 1's line is read.
fn read(state: &State, line: &str) -> Reading<Order> {
    TrickOfTheRails::parse(state, ONE, line).unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

/// The railway's cards, `S` for the Station and `C` and a number for a City.
fn railway(state: &State, company: Company) -> String {
    let name = |track: &Track| match track {
        Track::Station => "S".to_owned(),
        Track::City(city) => format!("C{city}"),
        Track::Card(card) => card.number().to_string(),
    };
    state.railways[company].track.iter().map(name).collect::<Vec<_>>().join(" ")
}

const EXCHANGE: LaneCard = LaneCard::Exchange(Company::Nyc);
const CITY: LaneCard = LaneCard::City(2);

const fn locomotive(locomotive: Locomotive) -> LaneCard {
    LaneCard::Locomotive(locomotive)
}

/// The key of what is offered instead: of a way of writing a line, what it does.
fn offered(message: &Message) -> &'static str {
    match message.args.get("does") {
        Some(Arg::Message(does)) => does.key,
        _ => message.key,
    }
}
