//! What happened and what can be done, said to one viewer.

use super::ParisConnection;
use super::board::Board;
use super::colour::Colour;
use super::decide::{places, trades};
use super::hex::Hex;
use super::refuse::{about, counted, list, place_name};
use super::state::{Ending, Event, State};
use crate::rules::{Arg, Message, Rules, Seat, Viewer, board_title};

/// Whether both events are of one build, or of the deal.
pub fn are_told_together(one: &Event, next: &Event) -> bool {
    match (one, next) {
        (Event::Placed { seat: a, colour: c, .. }, Event::Placed { seat: b, colour: d, .. }) => {
            a == b && c == d
        }
        (Event::Dealt { .. }, Event::Dealt { .. }) => true,
        _ => false,
    }
}

/// Tells of one build, of the deal, or of another event.
pub fn tell(state: &State, run: &[Event], viewer: Viewer) -> Vec<Message> {
    let said = match *run {
        [Event::Started { starts }, ..] => {
            let starts = starts.iter().map(|(colour, &hex)| {
                let start = state.board.map.starts.iter().find(|start| start.hex == hex);
                let station = start.map_or("", |start| &start.station);
                about("pc-start", colour).with("hex", hex.to_string()).with("station", station)
            });
            Message::new("pc-started").with("map", title(&state.board)).with_list("starts", starts)
        }
        [Event::Dealt { shares, .. }, ..] => {
            let own = run.iter().find_map(|event| match event {
                Event::Dealt { seat, shares } if viewer == Viewer::Seat(*seat) => Some(shares),
                _ => None,
            });
            let hand = own.map(|own| Message::new("pc-your-hand").with("shares", counted(own)));
            let all = Message::new("pc-dealt").with("count", shares.total());
            return std::iter::once(all).chain(hand).collect();
        }
        [Event::First { seat }, ..] => Message::new("pc-first").with("who", seat),
        [Event::Placed { seat, colour, .. }, ..] => built(state, seat, colour, run),
        [Event::Traded { seat, give, take, count }, ..] => Message::new("pc-traded")
            .with("who", seat)
            .with_term("give", give.term())
            .with_term("take", take.term())
            .with("count", count),
        [Event::Ended { reason }, ..] => ended(state, reason),
        // The letter itself says whose turn it is.
        [Event::Turn { .. }, ..] | [] => return Vec::new(),
    };
    vec![said]
}

fn built(state: &State, seat: Seat, colour: Colour, run: &[Event]) -> Message {
    let hexes = run.iter().filter_map(|event| match event {
        Event::Placed { hex, .. } => Some(*hex),
        _ => None,
    });
    let points = hexes.clone().filter_map(|hex| state.board.city(hex)).map(|city| city.value);
    about("pc-built", colour)
        .with("who", seat)
        .with("gained", points.map(u32::from).sum::<u32>())
        .with_list("hexes", hexes.map(|hex| place_name(state, hex)))
}

/// Why the game is over.
pub fn ended(state: &State, reason: Ending) -> Message {
    match reason {
        Ending::Marseille => Message::new("pc-ended-marseille")
            .with("city", place_name(state, state.board.map.end_city)),
        Ending::BoardsEmpty => Message::new("pc-ended-boards"),
        Ending::Stalled => {
            Message::new("pc-ended-stalled").with("count", state.numbers.stall_after_trades)
        }
    }
}

/// Tells the seat's player what is legal now.
pub fn choices(state: &State, seat: Seat) -> Vec<Message> {
    if state.active() != Some(seat) {
        return Vec::new();
    }
    let is_open = |&colour: &Colour| match state.build {
        Some(build) => build.colour == colour,
        None => state.supply[colour] > 0,
    };
    let builds = Colour::ALL.into_iter().filter(is_open).filter_map(|colour| build(state, colour));
    let may_trade = state.build.is_none() && trades(state, seat).next().is_some();
    let trade = may_trade.then(|| {
        let shares = state.shares(seat);
        let held = list(|colour| shares[colour] > 0);
        Message::new("pc-choice-trade").with("held", held).with("boards", counted(&state.supply))
    });
    builds.chain(trade).collect()
}

fn build(state: &State, colour: Colour) -> Option<Message> {
    let hexes = places(state, colour);
    let most = state.supply[colour].min(state.numbers.build_most);
    let choice = about("pc-choice-build", colour).with("left", state.supply[colour]);
    (!hexes.is_empty()).then(|| {
        let hexes = hexes.iter().map(|id| place_code(state, state.board.name(id)));
        choice.with("word", colour.name()).with("most", most).with_list("hexes", hexes)
    })
}

/// A hex in a long list: a city with its code and value.
fn place_code(state: &State, hex: Hex) -> Arg {
    Arg::Text(match state.board.city(hex) {
        Some(city) => format!("{hex} {}{}", city.code, city.value),
        None => hex.to_string(),
    })
}

/// Returns the name of the map: the one that ships is named in each language, any other by its
/// definition.
pub fn title(board: &Board) -> Arg {
    board_title(ParisConnection::DEFINITION, &board.map.title, "pc-map-ours")
}
