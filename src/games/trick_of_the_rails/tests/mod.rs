//! Tests of Trick of the Rails, mostly at constructed positions.

mod audit;
mod determinization;
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

use super::{Card, Company, TrickOfTheRails};
use crate::games::trick_of_the_rails::card::CardSet;
use crate::games::trick_of_the_rails::definition::{Locomotive, Options};
use crate::games::trick_of_the_rails::railway::{End, Track};
use crate::games::trick_of_the_rails::state::{Event, LaneCard, Order, State};
use crate::rules::{
    Arg, Dice, HiddenInfo, Message, OrderText, ParsedLine, Refusal, Rules, Seat, Seed, Turn, Views,
    throwaway_dice, yaml,
};

const ONE: Seat = Seat::new(1);
const TWO: Seat = Seat::new(2);
const THREE: Seat = Seat::new(3);

const EXPERT: Options = Options { expert_lane: true, teams: false };

fn card(name: &str) -> Card {
    Card::parse(name).unwrap_or_else(|| panic!("{name}"))
}

fn cards(names: &str) -> CardSet {
    names.split_whitespace().map(card).collect()
}

/// Creates a game for this number of players, before the deal.
fn new_game(seats: u8, options: Options) -> State {
    let read = yaml::parse(TrickOfTheRails::DEFINITION).unwrap_or_else(|error| panic!("{error}"));
    TrickOfTheRails::initial_state(&read, &options, seats)
        .unwrap_or_else(|fault| panic!("{fault:?}"))
}

fn random_game(seats: u8, options: Options, seed: u64) -> State {
    let mut state = new_game(seats, options);
    let events = TrickOfTheRails::setup(&state, &mut Dice::new(&Seed::from_number(seed), 0));
    events.iter().for_each(|event| state.apply(event));
    state
}

/// Creates a game with these hands and this lane, in which seat 1 leads.
fn game_with_hands(hands: &[&str], lane: &[LaneCard]) -> State {
    game_with_options(hands, lane, Options::default())
}

fn game_with_options(hands: &[&str], lane: &[LaneCard], options: Options) -> State {
    let seats = Seat::all(hands.len().try_into().unwrap_or(3));
    let mut state = new_game(seats.clone().count().try_into().unwrap_or(3), options);
    state.apply(&Event::Lane { cards: lane.to_vec() });
    for (seat, hand) in seats.zip(hands) {
        state.apply(&Event::Dealt { seat, cards: cards(hand) });
    }
    state.apply(&Event::Leads { seat: ONE });
    state
}

/// Carries out a line of the seat, completely or not at all.
fn play_line(state: &State, seat: Seat, line: &str) -> Result<(State, Vec<Event>), Refusal> {
    let mut after = state.clone();
    let mut all_events = Vec::new();
    for order in TrickOfTheRails::parse_line(state, seat, line)?.orders {
        let events = TrickOfTheRails::decide(&after, seat, &order, &mut throwaway_dice())?;
        events.iter().for_each(|event| after.apply(event));
        all_events.extend(events);
    }
    Ok((after, all_events))
}

/// Carries out each line for the seat whose turn it is, and returns the events of the last one.
fn play_lines(state: &mut State, lines: &[&str]) -> Vec<Event> {
    let mut last_events = Vec::new();
    for line in lines {
        let Turn::Awaiting(seats) = TrickOfTheRails::turn(state) else {
            panic!("{line}: it is over")
        };
        let said = play_line(state, seats[0], line);
        (*state, last_events) = said.unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"));
    }
    last_events
}

/// Expects that a line is refused. Returns the key of the reason and the keys of the alternatives.
fn expect_refusal(state: &State, seat: Seat, line: &str) -> (&'static str, Vec<&'static str>) {
    match play_line(state, seat, line) {
        Ok((_, events)) => panic!("{line}: {events:?}"),
        Err(Refusal { reason, alternatives: instead, .. }) => {
            (reason.key, instead.iter().map(offered_key).collect())
        }
    }
}

/// Parses seat 1's line and expects no refusal.
fn parse_line(state: &State, line: &str) -> ParsedLine<Order> {
    TrickOfTheRails::parse_line(state, ONE, line)
        .unwrap_or_else(|refusal| panic!("{line}: {refusal:?}"))
}

/// Writes a railway as text: numbers for cards, `S` for the Station, and `C` with a number for a
/// City.
fn railway_text(state: &State, company: Company) -> String {
    let name = |track: &Track| match track {
        Track::Station => "S".to_owned(),
        Track::City(city) => format!("C{city}"),
        Track::Card(card) => card.number().to_string(),
    };
    state.railways[company].track.iter().map(name).collect::<Vec<_>>().join(" ")
}

const EXCHANGE: LaneCard = LaneCard::Exchange(Company::Nyc);
const CITY: LaneCard = LaneCard::City(2);

const fn lane_locomotive(locomotive: Locomotive) -> LaneCard {
    LaneCard::Locomotive(locomotive)
}

/// Returns the key of an alternative. If it offers a form of a line, it is the key of the form's
/// effect.
fn offered_key(message: &Message) -> &'static str {
    match message.args.get("does") {
        Some(Arg::Message(does)) => does.key,
        _ => message.key,
    }
}
