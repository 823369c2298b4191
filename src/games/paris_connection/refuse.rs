//! Refusals: the reason why an order is illegal, and legal alternatives.

use super::colour::{ByColour, Colour};
use super::cutoff;
use super::decide::{TRADE_COUNT_MAX, legal_hexes, reachable_hexes};
use super::hex::{Hex, HexId, HexSet};
use super::state::State;
use crate::rules::{Arg, Message, Refusal, Seat};

const HEXES_LISTED_MAX: usize = 12;

/// Refuses an order that names several colours, because a build has only one.
pub fn mixed_colours(colours: &[Colour]) -> Refusal {
    let named = colour_list(|colour| colours.contains(&colour));
    Refusal::illegal(Message::new("pc-colours-mixed").with("colours", named))
}

/// Refuses an order that takes from an empty storing board, and lists the others that have
/// locomotives.
pub fn empty_board(state: &State, colour: Colour) -> Refusal {
    let refusal = Refusal::illegal(company_message("pc-board-empty", colour));
    refusal
        .with_alternative(Message::new("pc-stocked").with("boards", counted_colours(&state.supply)))
}

/// Refuses a placement, and states which rule forbids it. The colour must have locomotives in
/// supply.
pub fn illegal_place(state: &State, colour: Colour, hex: Hex) -> Refusal {
    let board = &state.board;
    let reason = match board.hex_id(hex) {
        None if hex == board.map.paris => company_message("pc-eiffel", colour),
        None => company_message("pc-no-hex", colour),
        Some(id) => placement_obstacle(state, colour, id, hex),
    };
    Refusal::illegal(reason.with("hex", describe_hex(state, hex)))
        .with_alternative(describe_open_hexes(state, colour))
}

fn placement_obstacle(state: &State, colour: Colour, id: HexId, hex: Hex) -> Message {
    let board = &state.board;
    let own = state.locomotives[colour];
    let is_touched = || {
        let mut others = hex.adjacent_hexes().filter_map(|other| board.hex_id(other));
        others.any(|other| own.contains(other))
    };
    if board.start_hexes.contains(id) {
        company_message("pc-start-closed", colour)
    } else if own.contains(id) {
        company_message("pc-same-colour", colour)
    } else if state.full_hexes().contains(id) {
        let is_city = board.city_hexes.contains(id);
        company_message(if is_city { "pc-city-full" } else { "pc-rural-full" }, colour)
    } else if let Some(victim) = cutoff::colour_cut_off_by(state, colour, id)
        && reachable_hexes(state, colour).contains(id)
    {
        company_message("pc-cut-off", colour).with_term("victim", victim.term())
    } else if is_touched() {
        company_message("pc-barred", colour)
    } else {
        company_message("pc-not-adjacent", colour)
    }
}

/// Refuses a trade, and states which rule forbids it.
pub fn illegal_trade(state: &State, seat: Seat, give: Colour, take: Colour, count: u8) -> Refusal {
    let shares = state.shares_of(seat);
    let left = state.supply[take];
    if shares[give] == 0 {
        let held = colour_list(|colour| shares[colour] > 0);
        return Refusal::illegal(company_message("pc-none-held", give))
            .with_alternative(Message::new("pc-held").with("colours", held));
    }
    if give == take {
        let others = colour_list(|colour| colour != give && state.supply[colour] > 0);
        return Refusal::illegal(company_message("pc-same-company", give))
            .with_alternative(Message::new("pc-take-other").with("colours", others));
    }
    if left == 0 {
        return empty_board(state, take);
    }
    let most = left.min(TRADE_COUNT_MAX);
    let reason =
        if (1..=TRADE_COUNT_MAX).contains(&count) { "pc-only-left" } else { "pc-one-or-two" };
    let instead = Message::new("pc-take").with_term("give", give.term());
    let instead = instead.with_term("take", take.term()).with("most", most);
    Refusal::illegal(company_message(reason, take).with("left", left)).with_alternative(instead)
}

/// Lists the hexes where the colour can be placed now, or says that there are none.
pub fn describe_open_hexes(state: &State, colour: Colour) -> Message {
    let places = if state.supply[colour] == 0 { HexSet::EMPTY } else { legal_hexes(state, colour) };
    if places.is_empty() {
        return company_message("pc-can-go-nowhere", colour);
    }
    let names = places
        .iter()
        .take(HEXES_LISTED_MAX)
        .map(|id| describe_hex(state, state.board.hex_name(id)));
    let more = places.iter().skip(HEXES_LISTED_MAX).count();
    company_message("pc-can-go", colour).with_list("hexes", names).with("more", more)
}

/// Writes a hex for players. A city has its name and value.
pub fn describe_hex(state: &State, hex: Hex) -> Arg {
    match state.board.city_on(hex) {
        None => Arg::Text(hex.to_string()),
        Some(city) => Message::new("pc-city")
            .with("hex", hex.to_string())
            .with("city", &*city.name)
            .with("value", city.value)
            .into(),
    }
}

/// Lists the colours whose count is not 0, each with its count.
pub fn counted_colours(counts: &ByColour<u8>) -> Arg {
    let some = counts.iter().filter(|&(_, &count)| count > 0);
    some.map(|(colour, &count)| company_message("pc-counted", colour).with("count", count))
        .collect()
}

pub fn company_message(key: &'static str, colour: Colour) -> Message {
    Message::new(key).with_term("colour", colour.term())
}

/// Returns the names of the colours that fulfil a condition, as a list for a sentence.
pub fn colour_list(holds: impl Fn(Colour) -> bool) -> Arg {
    let colours = Colour::ALL.into_iter().filter(|&colour| holds(colour));
    colours.map(|colour| Arg::Term(colour.term())).collect()
}
