//! Describes the position in words, complete enough to play without the board and the public view.

use super::board::Board;
use super::colour::Colour;
use super::definition::{BarrierKind, Edge};
use super::draw::was_just_placed;
use super::hex::{Hex, HexSet};
use super::narrate;
use super::refuse::{colour_list, company_message, describe_hex};
use super::state::{Event, Phase, State};
use super::views::{ShareTally, tally_shares};
use crate::rules::{Arg, Message, PositionRow, Seat};

/// Describes the public position: a row for each company, then the state of the game and the map.
pub fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
    let key = PositionRow::from_sentences([]).beside_picture([Message::new("pc-brief-key")]);
    let mut rows = vec![key];
    rows.extend(Colour::ALL.map(|colour| describe_company(state, recent, colour)));
    rows.extend([
        describe_turn_or_ending(state),
        describe_share_counts(state),
        describe_free_cities(state),
    ]);
    rows.extend(describe_full_hexes(state));
    rows.extend(describe_barriers(state));
    rows.push(describe_map(state));
    rows
}

/// Describes a company: its new hexes, its value, and every hex where it has a locomotive.
fn describe_company(state: &State, recent: &[Event], colour: Colour) -> PositionRow {
    let (board, own) = (&*state.board, state.locomotives[colour]);
    let cities = own.and(board.city_hexes);
    let track = own.minus(cities).minus(board.start_hexes);
    let named = |hexes: Vec<Hex>| hexes.into_iter().map(|hex| describe_hex(state, hex));
    let mut new = hex_names(state, own);
    new.retain(|&hex| was_just_placed(recent, colour, hex));
    let worth = Message::new("pc-words-worth")
        .with("value", u32::from(state.values[colour]))
        .with("left", state.supply[colour])
        .with("count", own.len());
    let brief = Message::new("pc-brief-company")
        .with("value", u32::from(state.values[colour]))
        .with("left", state.supply[colour]);
    let cities = Message::from_list("pc-words-cities", "cities", named(hex_names(state, cities)))
        .unwrap_or_else(|| Message::new("pc-words-no-city"));
    let start = state.start_of(colour).map(|start| {
        let said = Message::new("pc-words-start").with("station", start.station.as_str());
        said.with("hex", start.hex.to_string())
    });
    let says = Message::from_list("pc-words-new", "places", named(new))
        .into_iter()
        .chain([worth, cities])
        .chain(Message::from_list("pc-words-track", "hexes", hexes_by_row(state, track)))
        .chain(start);
    PositionRow::named(Message::new(colour.term()), says)
        .with_label(colour.ink_and_pattern().0, board.letters[colour])
        .beside_picture([brief])
}

/// The number of storing boards with locomotives from which on letters with a picture say how many
/// there are, because the game ends soon.
const FEW_STORING_BOARDS: usize = 3;

/// Describes whose turn it is and how close the end is, or why the game has ended.
fn describe_turn_or_ending(state: &State) -> PositionRow {
    if let Phase::Over(reason) = state.phase {
        return PositionRow::from_sentence(narrate::narrate_ending(state, reason));
    }
    let turn = state.active_seat().map(|seat| Message::new("pc-words-turn").with("who", seat));
    let stocked = state.count_nonempty_storing_boards();
    let boards = Message::new("pc-words-boards")
        .with("count", stocked)
        .with("city", describe_hex(state, state.board.map.end_city));
    let most = state.numbers.stall_after_trades;
    let trades = (most > 0).then(|| {
        Message::new("pc-words-trades").with("count", state.trades_in_row).with("most", most)
    });
    let near = (stocked <= FEW_STORING_BOARDS).then(|| boards.clone());
    let near: Vec<Message> = near.into_iter().chain(trades.clone()).collect();
    let says = turn.into_iter().chain([boards]).chain(trades);
    PositionRow::from_sentences(says).beside_picture(near)
}

/// Describes how many shares each player holds, and how many are free of a penalty.
fn describe_share_counts(state: &State) -> PositionRow {
    let held = Seat::all(state.numbers.seats).map(|seat| {
        let held = Message::new("pc-words-holder").with("who", seat);
        held.with("shares", state.shares_of(seat).total())
    });
    let held = Message::new("pc-words-held").with_list("held", held);
    let limit = Message::new("pc-words-limit").with("limit", state.numbers.share_limit);
    let limit = limit.with("penalty", state.numbers.penalty);
    PositionRow::named(Message::new("pc-words-shares"), [held.clone(), limit])
        .beside_picture([held])
}

/// Describes the cities that no company has reached, the most valuable first.
fn describe_free_cities(state: &State) -> PositionRow {
    let board = &*state.board;
    let free = hex_names(state, board.city_hexes.minus(state.occupied_hexes().0));
    let mut free: Vec<_> = free.into_iter().filter_map(|hex| board.city_on(hex)).collect();
    free.sort_by_key(|city| std::cmp::Reverse(city.value));
    let worth = free.chunk_by(|one, next| one.value == next.value).map(|alike| {
        let places = alike.iter().map(|city| {
            let place = Message::new("pc-words-place").with("hex", city.hex.to_string());
            place.with("city", city.name.as_str())
        });
        let value = alike.first().map_or(0, |city| city.value);
        Message::new("pc-words-free-worth").with("value", value).with_list("cities", places)
    });
    let none = free.is_empty().then(|| Message::new("pc-words-none-free"));
    PositionRow::named(Message::new("pc-words-free"), worth.chain(none))
}

fn describe_full_hexes(state: &State) -> Option<PositionRow> {
    let (_, two) = state.occupied_hexes();
    let said = Message::from_list("pc-words-full-on", "hexes", hexes_by_row(state, two))?;
    Some(PositionRow::named(Message::new("pc-words-full"), [said]))
}

fn describe_barriers(state: &State) -> Option<PositionRow> {
    let barriers = &state.board.barriers;
    let of = |kind: BarrierKind, key: &'static str| {
        let edges = barriers.iter().filter(|&&(_, other)| other == kind);
        Message::from_list(key, "edges", edges.map(|(edge, _)| edge_name(edge)))
    };
    let mountains = of(BarrierKind::Mountain, "pc-words-mountains");
    let water = of(BarrierKind::Water, "pc-words-water");
    let says = mountains.into_iter().chain(water);
    (!barriers.is_empty()).then(|| PositionRow::named(Message::new("pc-words-barriers"), says))
}

fn edge_name(Edge(one, other): &Edge) -> String {
    format!("{one}/{other}")
}

/// Describes which hexes the map has, and which of them are adjacent.
fn describe_map(state: &State) -> PositionRow {
    let follows =
        |one: &Hex, next: &Hex| one.row() == next.row() && one.column() + 2 == next.column();
    let stretches = state.board.names.chunk_by(follows).filter_map(|stretch| {
        let (first, last) = (stretch.first()?.to_string(), stretch.last()?.to_string());
        if first == last {
            return Some(Arg::Text(first));
        }
        Some(Message::new("pc-words-stretch").with("first", first).with("last", last).into())
    });
    let rows = Message::new("pc-words-rows").with_list("rows", stretches);
    let tower = Message::new("pc-words-tower").with("hex", state.board.map.paris.to_string());
    let says = [rows.with("map", narrate::map_title(&state.board)), tower];
    let says = says.into_iter().chain(describe_adjacency(&state.board));
    PositionRow::named(Message::new("pc-words-map"), says)
}

const PREFERRED_EXAMPLE_HEX: &str = "G23";

/// Describes adjacency by the example of a hex with as many neighbours as possible. Returns `None`
/// if the map has no hex.
fn describe_adjacency(board: &Board) -> Option<Message> {
    let around = |hex: Hex| hex.adjacent_hexes().filter(|&other| board.hex_id(other).is_some());
    let shown = |hex: &Hex| (around(*hex).count(), hex.to_string() == PREFERRED_EXAMPLE_HEX);
    let hex = board.names.iter().copied().max_by_key(shown)?;
    let said = Message::new("pc-words-touch").with("hex", hex.to_string());
    Some(said.with_list("others", around(hex).map(|other| other.to_string())))
}

/// Describes the shares of a seat and their value, for its player only.
pub fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
    let shares = state.shares_of(seat);
    let held = shares.iter().filter(|&(_, &count)| count > 0).map(|(colour, &count)| {
        let value = u32::from(state.values[colour]);
        let says = company_message("pc-words-holding", colour)
            .with("shares", count)
            .with("value", value)
            .with("worth", i64::from(count) * i64::from(value));
        let row = PositionRow::named(Message::new(colour.term()), [says]);
        row.with_label(colour.ink_and_pattern().0, state.board.letters[colour])
    });
    let mut rows: Vec<PositionRow> = held.collect();
    if rows.len() < Colour::ALL.len() {
        let none = colour_list(|colour| shares[colour] == 0);
        rows.push(PositionRow::from_sentence(
            Message::new("pc-words-none-of").with("colours", none),
        ));
    }
    let tally = tally_shares(state, &shares);
    let all = Message::new("pc-words-together").with("shares", shares.total());
    let says =
        [all.with("worth", tally.worth), describe_share_limit(state, shares.total(), &tally)];
    rows.push(PositionRow::named(Message::new("pc-words-all"), says));
    rows
}

/// Says how many more shares are free of a penalty, or what the excess shares would cost at the
/// end.
fn describe_share_limit(
    state: &State,
    shares: u32,
    &ShareTally { worth, excess, penalty }: &ShareTally,
) -> Message {
    let limit = u32::from(state.numbers.share_limit);
    if excess == 0 {
        let left = limit.saturating_sub(shares);
        return Message::new("pc-words-below").with("limit", limit).with("left", left);
    }
    Message::new("pc-words-above")
        .with("limit", limit)
        .with("excess", excess)
        .with("penalty", penalty)
        .with("score", worth - penalty)
}

fn hex_names(state: &State, hexes: HexSet) -> Vec<Hex> {
    hexes.iter().map(|id| state.board.hex_name(id)).collect()
}

/// Lists hexes in board order, with the hexes of each row in one text.
fn hexes_by_row(state: &State, set: HexSet) -> Vec<String> {
    let row = |row: &[Hex]| row.iter().map(Hex::to_string).collect::<Vec<_>>().join(" ");
    hex_names(state, set).chunk_by(|one, next| one.row() == next.row()).map(row).collect()
}
