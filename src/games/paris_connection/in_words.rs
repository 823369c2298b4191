//! The position in words: all that the board and the view beside it show, for who sees neither.

use super::board::Board;
use super::colour::Colour;
use super::definition::{BarrierKind, Edge};
use super::draw::is_new;
use super::hex::{Hex, HexSet};
use super::narrate;
use super::refuse::{about, list, place_name};
use super::state::{Event, Phase, State};
use super::views::{Tally, tally};
use crate::rules::{Arg, Message, Row, Seat};

/// Returns a row for each company, then how the game stands, and the map.
pub fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
    let mut rows: Vec<Row> =
        Colour::ALL.iter().map(|&colour| railway(state, recent, colour)).collect();
    rows.extend([standing(state), shares(state), free_cities(state)]);
    rows.extend(full(state));
    rows.extend(barriers(state));
    rows.push(map(state));
    rows
}

/// A company: what is new of it, what it is worth, and every hex on which it stands.
fn railway(state: &State, recent: &[Event], colour: Colour) -> Row {
    let (board, own) = (&*state.board, state.locomotives[colour]);
    let cities = own.and(board.city_hexes);
    let track = own.minus(cities).minus(board.start_hexes);
    let named = |hexes: Vec<Hex>| hexes.into_iter().map(|hex| place_name(state, hex));
    let mut new = hexes(state, own);
    new.retain(|&hex| is_new(recent, colour, hex));
    let worth = Message::new("pc-words-worth")
        .with("value", u32::from(state.values[colour]))
        .with("left", state.supply[colour])
        .with("count", own.len());
    let cities = Message::listing("pc-words-cities", "cities", named(hexes(state, cities)))
        .unwrap_or_else(|| Message::new("pc-words-no-city"));
    let start = state.start(colour).map(|start| {
        let said = Message::new("pc-words-start").with("station", start.station.as_str());
        said.with("hex", start.hex.to_string())
    });
    let says = Message::listing("pc-words-new", "places", named(new))
        .into_iter()
        .chain([worth, cities])
        .chain(Message::listing("pc-words-track", "hexes", by_row(state, track)))
        .chain(start);
    Row::of(Message::new(colour.term()), says).marked(colour.look().0, board.letters[colour])
}

/// Whose turn it is and what ends the game, or what has ended it.
fn standing(state: &State) -> Row {
    if let Phase::Over(reason) = state.phase {
        return Row::saying(narrate::ended(state, reason));
    }
    let turn = state.active().map(|seat| Message::new("pc-words-turn").with("who", seat));
    let boards = Message::new("pc-words-boards")
        .with("count", state.boards_stocked())
        .with("city", place_name(state, state.board.map.end_city));
    let most = state.numbers.stall_after_trades;
    let trades = (most > 0).then(|| {
        Message::new("pc-words-trades").with("count", state.trades_in_row).with("most", most)
    });
    Row::unnamed(turn.into_iter().chain([boards]).chain(trades))
}

/// How many shares each holds, and how many cost nothing.
fn shares(state: &State) -> Row {
    let held = Seat::all(state.numbers.seats).map(|seat| {
        let held = Message::new("pc-words-holder").with("who", seat);
        held.with("shares", state.shares(seat).total())
    });
    let held = Message::new("pc-words-held").with_list("held", held);
    let limit = Message::new("pc-words-limit").with("limit", state.numbers.share_limit);
    let limit = limit.with("penalty", state.numbers.penalty);
    Row::of(Message::new("pc-words-shares"), [held, limit])
}

/// Returns a row about the cities that nobody has reached, the most valuable first.
fn free_cities(state: &State) -> Row {
    let board = &*state.board;
    let free = hexes(state, board.city_hexes.minus(state.occupied().0));
    let mut free: Vec<_> = free.into_iter().filter_map(|hex| board.city(hex)).collect();
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
    Row::of(Message::new("pc-words-free"), worth.chain(none)).aside()
}

/// The rural hexes that nobody can enter any more.
fn full(state: &State) -> Option<Row> {
    let (_, two) = state.occupied();
    let said = Message::listing("pc-words-full-on", "hexes", by_row(state, two))?;
    Some(Row::of(Message::new("pc-words-full"), [said]).aside())
}

/// The edges that nobody crosses.
fn barriers(state: &State) -> Option<Row> {
    let barriers = &state.board.barriers;
    let of = |kind: BarrierKind, key: &'static str| {
        let edges = barriers.iter().filter(|&&(_, other)| other == kind);
        Message::listing(key, "edges", edges.map(|(edge, _)| edge_name(edge)))
    };
    let mountains = of(BarrierKind::Mountain, "pc-words-mountains");
    let water = of(BarrierKind::Water, "pc-words-water");
    let says = mountains.into_iter().chain(water);
    (!barriers.is_empty()).then(|| Row::of(Message::new("pc-words-barriers"), says).aside())
}

fn edge_name(Edge(one, other): &Edge) -> String {
    format!("{one}/{other}")
}

/// Which hexes there are, and which of them touch.
fn map(state: &State) -> Row {
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
    let says = [rows.with("map", narrate::title(&state.board)), tower];
    let says = says.into_iter().chain(touching(&state.board));
    Row::of(Message::new("pc-words-map"), says).aside()
}

/// The hex by which it is shown which touch, where a map has it in its midst.
const SHOWN: &str = "G23";

/// Which hexes touch, by one that has as many around it as a hex can have, if there is any.
fn touching(board: &Board) -> Option<Message> {
    let around = |hex: Hex| hex.around().filter(|&other| board.id(other).is_some());
    let shown = |hex: &Hex| (around(*hex).count(), hex.to_string() == SHOWN);
    let hex = board.names.iter().copied().max_by_key(shown)?;
    let said = Message::new("pc-words-touch").with("hex", hex.to_string());
    Some(said.with_list("others", around(hex).map(|other| other.to_string())))
}

/// What the seat holds, and what it comes to.
pub fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
    let shares = state.shares(seat);
    let held = shares.iter().filter(|&(_, &count)| count > 0).map(|(colour, &count)| {
        let value = u32::from(state.values[colour]);
        let says = about("pc-words-holding", colour)
            .with("shares", count)
            .with("value", value)
            .with("worth", i64::from(count) * i64::from(value));
        let row = Row::of(Message::new(colour.term()), [says]);
        row.marked(colour.look().0, state.board.letters[colour])
    });
    let mut rows: Vec<Row> = held.collect();
    if rows.len() < Colour::ALL.len() {
        let none = list(|colour| shares[colour] == 0);
        rows.push(Row::saying(Message::new("pc-words-none-of").with("colours", none)));
    }
    let tally = tally(state, &shares);
    let all = Message::new("pc-words-together").with("shares", shares.total());
    let says = [all.with("worth", tally.worth), limit(state, shares.total(), &tally)];
    rows.push(Row::of(Message::new("pc-words-all"), says));
    rows
}

/// How many shares more cost nothing, or what those too many would cost.
fn limit(state: &State, shares: u32, &Tally { worth, excess, penalty }: &Tally) -> Message {
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

fn hexes(state: &State, hexes: HexSet) -> Vec<Hex> {
    hexes.iter().map(|id| state.board.name(id)).collect()
}

/// Hexes in board order, those of one row of the map together.
fn by_row(state: &State, set: HexSet) -> Vec<String> {
    let row = |row: &[Hex]| row.iter().map(Hex::to_string).collect::<Vec<_>>().join(" ");
    hexes(state, set).chunk_by(|one, next| one.row() == next.row()).map(row).collect()
}
