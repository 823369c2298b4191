//! What happened and what can be done, said to one viewer.

use super::ParisConnection;
use super::board::Board;
use super::colour::Colour;
use super::decide::{places, trades};
use super::hex::Hex;
use super::refuse::{about, counted, list, place_name, stocked};
use super::state::{Ending, Event, State};
use crate::rules::{Arg, Message, Rules, Seat, Viewer};

/// What one record's events mean to this viewer. One build is one sentence.
pub fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
    let mut said = Vec::new();
    let mut is_deal_told = false;
    for run in events.chunk_by(is_one_build) {
        match run.first() {
            Some(&Event::Placed { seat, colour, .. }) => {
                said.push(built(state, seat, colour, run));
            }
            Some(Event::Dealt { seat, shares }) => {
                if !is_deal_told {
                    said.push(Message::new("pc-dealt").with("count", shares.total()));
                    is_deal_told = true;
                }
                if viewer == Viewer::Seat(*seat) {
                    let some = shares.iter().filter(|&(_, &count)| count > 0);
                    let hand = some.map(|(colour, &count)| counted(colour, count).into()).collect();
                    said.push(Message::new("pc-your-hand").with("shares", Arg::List(hand)));
                }
            }
            Some(event) => said.extend(tell(state, event)),
            None => {}
        }
    }
    said
}

fn is_one_build(one: &Event, next: &Event) -> bool {
    match (one, next) {
        (Event::Placed { seat: a, colour: c, .. }, Event::Placed { seat: b, colour: d, .. }) => {
            a == b && c == d
        }
        _ => false,
    }
}

fn built(state: &State, seat: Seat, colour: Colour, run: &[Event]) -> Message {
    let hexes: Vec<Hex> = run
        .iter()
        .filter_map(|event| if let Event::Placed { hex, .. } = event { Some(*hex) } else { None })
        .collect();
    let points = hexes.iter().filter_map(|&hex| state.board.city(hex)).map(|city| city.value);
    about("pc-built", colour)
        .with("who", seat)
        .with("gained", points.map(u32::from).sum::<u32>())
        .with("hexes", Arg::List(hexes.iter().map(|&hex| place_name(state, hex)).collect()))
}

fn tell(state: &State, event: &Event) -> Option<Message> {
    Some(match *event {
        Event::Started { starts } => {
            let start = |(colour, hex): (Colour, &Hex)| {
                let start = state.board.starts.iter().find(|start| start.hex == *hex);
                let station = start.map_or_else(String::new, |start| start.station.clone());
                about("pc-start", colour).with("hex", hex.to_string()).with("station", station)
            };
            let starts = starts.iter().map(|start_of| start(start_of).into()).collect();
            Message::new("pc-started")
                .with("map", title(&state.board))
                .with("starts", Arg::List(starts))
        }
        Event::First { seat } => Message::new("pc-first").with("who", seat),
        Event::Traded { seat, give, take, count } => Message::new("pc-traded")
            .with("who", seat)
            .with("give", Arg::Term(give.term()))
            .with("take", Arg::Term(take.term()))
            .with("count", count),
        Event::Ended { reason } => ended(state, reason),
        // The letter itself says whose turn it is; the deal and the builds are told above.
        Event::Turn { .. } | Event::Dealt { .. } | Event::Placed { .. } => return None,
    })
}

/// Why the game is over.
pub fn ended(state: &State, reason: Ending) -> Message {
    match reason {
        Ending::Marseille => {
            Message::new("pc-ended-marseille").with("city", place_name(state, state.board.end_city))
        }
        Ending::BoardsEmpty => Message::new("pc-ended-boards"),
        Ending::Stalled => Message::new("pc-ended-stalled")
            .with("count", i64::from(state.numbers.stall_after_trades)),
    }
}

/// What is legal now, said to the seat's player.
pub fn choices(state: &State, seat: Seat) -> Vec<Message> {
    if !state.awaits(seat) {
        return Vec::new();
    }
    let is_open = |&colour: &Colour| match state.build {
        Some(build) => build.colour == colour,
        None => state.supply[colour] > 0,
    };
    let mut choices: Vec<Message> =
        Colour::ALL.into_iter().filter(is_open).filter_map(|colour| build(state, colour)).collect();
    if state.build.is_none() && trades(state, seat).next().is_some() {
        let shares = state.shares(seat);
        let held = Colour::ALL.into_iter().filter(|&colour| shares[colour] > 0);
        choices.push(
            Message::new("pc-choice-trade").with("held", list(held)).with("boards", stocked(state)),
        );
    }
    choices
}

fn build(state: &State, colour: Colour) -> Option<Message> {
    let hexes: Vec<Arg> =
        places(state, colour).iter().map(|id| place_code(state, state.board.name(id))).collect();
    let most = state.supply[colour].min(state.numbers.build_most);
    let choice = about("pc-choice-build", colour).with("left", state.supply[colour]);
    (!hexes.is_empty()).then(|| {
        choice.with("word", colour.name()).with("most", most).with("hexes", Arg::List(hexes))
    })
}

/// A hex in a long list: a city with its code and value.
fn place_code(state: &State, hex: Hex) -> Arg {
    Arg::Text(match state.board.city(hex) {
        Some(city) => format!("{hex} {}{}", city.code, city.value),
        None => hex.to_string(),
    })
}

/// What the map is called: the one that we ship has a name in each language, any other that of
/// its definition.
pub fn title(board: &Board) -> Arg {
    let is_ours = |line: &str| {
        line.strip_prefix("title: ").is_some_and(|title| title.trim_matches('"') == board.title)
    };
    if ParisConnection::DEFINITION.lines().any(is_ours) {
        Arg::Term("pc-map-ours")
    } else {
        board.title.as_str().into()
    }
}
