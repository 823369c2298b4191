//! Turns events into sentences for one viewer, and describes the legal choices of a seat.

use super::ParisConnection;
use super::board::Board;
use super::colour::Colour;
use super::decide::{legal_hexes, legal_trades};
use super::hex::Hex;
use super::refuse::{colour_list, company_message, counted_colours, describe_hex};
use super::state::{Ending, Event, State};
use crate::rules::{Arg, Message, Rules, Seat, Viewer, board_title};

/// Whether both events belong to one build or to the deal, so that one sentence tells them.
pub fn are_narrated_together(one: &Event, next: &Event) -> bool {
    match (one, next) {
        (Event::Placed { seat: a, colour: c, .. }, Event::Placed { seat: b, colour: d, .. }) => {
            a == b && c == d
        }
        (Event::Dealt { .. }, Event::Dealt { .. }) => true,
        _ => false,
    }
}

/// Narrates a run of events that belong together: one build, the deal, or a single event. Each
/// player learns only their own shares from the deal.
pub fn narrate_group(state: &State, run: &[Event], viewer: Viewer) -> Vec<Message> {
    let said = match *run {
        [Event::Started { starts }, ..] => {
            let starts = starts.iter().map(|(colour, &hex)| {
                let start = state.board.map.starts.iter().find(|start| start.hex == hex);
                let station = start.map_or("", |start| &start.station);
                company_message("pc-start", colour)
                    .with("hex", hex.to_string())
                    .with("station", station)
            });
            Message::new("pc-started")
                .with("map", map_title(&state.board))
                .with_list("starts", starts)
        }
        [Event::Dealt { shares, .. }, ..] => {
            let own = run.iter().find_map(|event| match event {
                Event::Dealt { seat, shares } if viewer == Viewer::Seat(*seat) => Some(shares),
                _ => None,
            });
            let hand =
                own.map(|own| Message::new("pc-your-hand").with("shares", counted_colours(own)));
            let all = Message::new("pc-dealt").with("count", shares.total());
            return std::iter::once(all).chain(hand).collect();
        }
        [Event::First { seat }, ..] => Message::new("pc-first").with("who", seat),
        [Event::Placed { seat, colour, .. }, ..] => narrate_build(state, seat, colour, run),
        [Event::Traded { seat, give, take, count }, ..] => Message::new("pc-traded")
            .with("who", seat)
            .with_term("give", give.term())
            .with_term("take", take.term())
            .with("count", count),
        [Event::Ended { reason }, ..] => narrate_ending(state, reason),
        // The letter says elsewhere whose turn it is.
        [Event::Turn { .. }, ..] | [] => return Vec::new(),
    };
    vec![said]
}

fn narrate_build(state: &State, seat: Seat, colour: Colour, run: &[Event]) -> Message {
    let hexes = run.iter().filter_map(|event| match event {
        Event::Placed { hex, .. } => Some(*hex),
        _ => None,
    });
    let points = hexes.clone().filter_map(|hex| state.board.city_on(hex)).map(|city| city.value);
    company_message("pc-built", colour)
        .with("who", seat)
        .with("gained", points.map(u32::from).sum::<u32>())
        .with_list("hexes", hexes.map(|hex| describe_hex(state, hex)))
}

pub fn narrate_ending(state: &State, reason: Ending) -> Message {
    match reason {
        Ending::Marseille => Message::new("pc-ended-marseille")
            .with("city", describe_hex(state, state.board.map.end_city)),
        Ending::BoardsEmpty => Message::new("pc-ended-boards"),
        Ending::Stalled => {
            Message::new("pc-ended-stalled").with("count", state.numbers.stall_after_trades)
        }
    }
}

/// Describes the orders that are legal for the seat now. Empty if it is not the seat's turn.
pub fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
    if state.active_seat() != Some(seat) {
        return Vec::new();
    }
    let is_open = |&colour: &Colour| match state.build {
        Some(build) => build.colour == colour,
        None => state.supply[colour] > 0,
    };
    let builds = Colour::ALL
        .into_iter()
        .filter(is_open)
        .filter_map(|colour| describe_build_choice(state, colour));
    let may_trade = state.build.is_none() && legal_trades(state, seat).next().is_some();
    let trade = may_trade.then(|| {
        let shares = state.shares_of(seat);
        let held = colour_list(|colour| shares[colour] > 0);
        Message::new("pc-choice-trade")
            .with("held", held)
            .with("boards", counted_colours(&state.supply))
    });
    builds.chain(trade).collect()
}

fn describe_build_choice(state: &State, colour: Colour) -> Option<Message> {
    let hexes = legal_hexes(state, colour);
    let most = state.supply[colour].min(state.numbers.build_most);
    let choice = company_message("pc-choice-build", colour).with("left", state.supply[colour]);
    (!hexes.is_empty()).then(|| {
        let hexes = hexes.iter().map(|id| hex_with_code(state, state.board.hex_name(id)));
        choice.with("word", colour.name()).with("most", most).with_list("hexes", hexes)
    })
}

/// Writes a hex for a long list. A city has its code and value.
fn hex_with_code(state: &State, hex: Hex) -> Arg {
    Arg::Text(match state.board.city_on(hex) {
        Some(city) => format!("{hex} {}{}", city.code, city.value),
        None => hex.to_string(),
    })
}

/// Returns the name of the map. The shipped map has a name in each language, and any other has the
/// title of its definition.
pub fn map_title(board: &Board) -> Arg {
    board_title(ParisConnection::DEFINITION, &board.map.title, "pc-map-ours")
}
