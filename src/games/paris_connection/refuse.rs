//! Why an order is not carried out, and what is legal instead.

use super::colour::{ByColour, Colour};
use super::cutoff;
use super::decide::{TRADE_MOST, places, reachable};
use super::hex::{Hex, HexId, HexSet};
use super::state::State;
use crate::rules::{Arg, Message, Refusal, Seat};

/// The most hexes that a refusal lists.
const HEXES_LISTED: usize = 12;

/// A build is of one colour, and these are several.
pub fn mixed(colours: &[Colour]) -> Refusal {
    let named = list(|colour| colours.contains(&colour));
    Refusal::illegal(Message::new("pc-colours-mixed").with("colours", named))
}

/// The storing board has no locomotive left; others may.
pub fn board_empty(state: &State, colour: Colour) -> Refusal {
    let refusal = Refusal::illegal(about("pc-board-empty", colour));
    refusal.or(Message::new("pc-stocked").with("boards", counted(&state.supply)))
}

/// Why the colour, which has locomotives left, cannot go to this hex.
pub fn place(state: &State, colour: Colour, hex: Hex) -> Refusal {
    let board = &state.board;
    let reason = match board.id(hex) {
        None if hex == board.map.paris => about("pc-eiffel", colour),
        None => about("pc-no-hex", colour),
        Some(id) => hindrance(state, colour, id, hex),
    };
    Refusal::illegal(reason.with("hex", place_name(state, hex))).or(open_hexes(state, colour))
}

fn hindrance(state: &State, colour: Colour, id: HexId, hex: Hex) -> Message {
    let board = &state.board;
    let own = state.locomotives[colour];
    let is_touched = || {
        let mut others = hex.around().filter_map(|other| board.id(other));
        others.any(|other| own.contains(other))
    };
    if board.start_hexes.contains(id) {
        about("pc-start-closed", colour)
    } else if own.contains(id) {
        about("pc-same-colour", colour)
    } else if state.full().contains(id) {
        let is_city = board.city_hexes.contains(id);
        about(if is_city { "pc-city-full" } else { "pc-rural-full" }, colour)
    } else if let Some(victim) = cutoff::victim(state, colour, id)
        && reachable(state, colour).contains(id)
    {
        about("pc-cut-off", colour).with_term("victim", victim.term())
    } else if is_touched() {
        about("pc-barred", colour)
    } else {
        about("pc-not-adjacent", colour)
    }
}

/// Why this trade is none.
pub fn trade(state: &State, seat: Seat, give: Colour, take: Colour, count: u8) -> Refusal {
    let shares = state.shares(seat);
    let left = state.supply[take];
    if shares[give] == 0 {
        let held = list(|colour| shares[colour] > 0);
        return Refusal::illegal(about("pc-none-held", give))
            .or(Message::new("pc-held").with("colours", held));
    }
    if give == take {
        let others = list(|colour| colour != give && state.supply[colour] > 0);
        return Refusal::illegal(about("pc-same-company", give))
            .or(Message::new("pc-take-other").with("colours", others));
    }
    if left == 0 {
        return board_empty(state, take);
    }
    let most = left.min(TRADE_MOST);
    let reason = if (1..=TRADE_MOST).contains(&count) { "pc-only-left" } else { "pc-one-or-two" };
    let instead = Message::new("pc-take").with_term("give", give.term());
    let instead = instead.with_term("take", take.term()).with("most", most);
    Refusal::illegal(about(reason, take).with("left", left)).or(instead)
}

/// The hexes where the colour can go now, or that there are none.
pub fn open_hexes(state: &State, colour: Colour) -> Message {
    let places = if state.supply[colour] == 0 { HexSet::EMPTY } else { places(state, colour) };
    if places.is_empty() {
        return about("pc-can-go-nowhere", colour);
    }
    let names = places.iter().take(HEXES_LISTED).map(|id| place_name(state, state.board.name(id)));
    let more = places.iter().skip(HEXES_LISTED).count();
    about("pc-can-go", colour).with_list("hexes", names).with("more", more)
}

/// A hex as players are told of it: a city with its name.
pub fn place_name(state: &State, hex: Hex) -> Arg {
    match state.board.city(hex) {
        None => Arg::Text(hex.to_string()),
        Some(city) => Message::new("pc-city")
            .with("hex", hex.to_string())
            .with("city", &*city.name)
            .with("value", city.value)
            .into(),
    }
}

/// Returns the colours of which there is something, each with how much.
pub fn counted(counts: &ByColour<u8>) -> Arg {
    let some = counts.iter().filter(|&(_, &count)| count > 0);
    some.map(|(colour, &count)| about("pc-counted", colour).with("count", count)).collect()
}

/// A sentence about a company.
pub fn about(key: &'static str, colour: Colour) -> Message {
    Message::new(key).with_term("colour", colour.term())
}

/// Returns the colours for which this holds, by their words.
pub fn list(holds: impl Fn(Colour) -> bool) -> Arg {
    let colours = Colour::ALL.into_iter().filter(|&colour| holds(colour));
    colours.map(|colour| Arg::Term(colour.term())).collect()
}
