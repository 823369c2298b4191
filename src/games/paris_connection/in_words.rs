//! The position in words: all that the board and the view beside it show, for who sees neither.

use super::ParisConnection;
use super::board::Board;
use super::definition::{BarrierKind, Edge};
use super::draw::is_new;
use super::hex::{Hex, HexSet};
use super::narrate;
use super::refuse::{about, list, place_name};
use super::scene;
use super::state::{Event, State};
use super::views::{CompanyView, HoldingView, PrivateView, PublicView};
use crate::rules::{Arg, Message, Row, Seat, Views};

/// A row a company first, for that is what changes; then how the game stands, and the map.
pub fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
    let view = ParisConnection::public(state);
    let mut rows: Vec<Row> =
        view.companies.iter().map(|company| railway(state, recent, company)).collect();
    rows.push(standing(state, &view));
    rows.push(shares(&view));
    rows.push(free_cities(state));
    rows.extend(full(state));
    rows.extend(barriers(state));
    rows.push(map(state));
    rows
}

/// A company: what is new of it, what it is worth, and every hex on which it stands.
fn railway(state: &State, recent: &[Event], company: &CompanyView) -> Row {
    let (board, colour) = (&*state.board, company.colour);
    let own = state.locomotives[colour];
    let cities = own.and(board.city_hexes);
    let track = own.minus(cities).minus(board.start_hexes);
    let new = hexes(state, own).into_iter().filter(|&hex| is_new(recent, colour, hex));
    let new: Vec<Arg> = new.map(|hex| place_name(state, hex)).collect();
    let mut says = Vec::new();
    if !new.is_empty() {
        says.push(Message::new("pc-words-new").with("places", Arg::List(new)));
    }
    says.push(
        Message::new("pc-words-worth")
            .with("value", u32::from(company.value))
            .with("left", company.supply)
            .with("count", company.on_map),
    );
    says.push(if company.has_city {
        let cities = hexes(state, cities).into_iter().map(|hex| place_name(state, hex));
        Message::new("pc-words-cities").with("cities", Arg::List(cities.collect()))
    } else {
        Message::new("pc-words-no-city")
    });
    if !track.is_empty() {
        says.push(Message::new("pc-words-track").with("hexes", by_row(&hexes(state, track))));
    }
    let start = board.starts.iter().find(|start| hexes(state, own).contains(&start.hex));
    says.extend(start.map(|start| {
        let said = Message::new("pc-words-start").with("station", start.station.as_str());
        said.with("hex", start.hex.to_string())
    }));
    Row::of(Message::new(colour.term()), says).marked(scene::ink(colour), company.letter)
}

/// Whose turn it is and what ends the game, or what has ended it.
fn standing(state: &State, view: &PublicView) -> Row {
    if let Some(reason) = view.ended {
        return Row::saying(narrate::ended(state, reason));
    }
    let turn = view.turn.map(|seat| Message::new("pc-words-turn").with("who", seat));
    let boards = Message::new("pc-words-boards")
        .with("count", view.boards_stocked)
        .with("city", place_name(state, view.end_hex));
    let trades = (view.stall_after_trades > 0).then(|| {
        let trades = Message::new("pc-words-trades").with("count", view.trades_in_row);
        trades.with("most", view.stall_after_trades)
    });
    let says = turn.into_iter().chain([boards]).chain(trades).collect();
    Row { mark: None, name: None, says, is_aside: false }
}

/// How many shares each holds, and how many cost nothing.
fn shares(view: &PublicView) -> Row {
    let held = view.players.iter().map(|player| {
        let held = Message::new("pc-words-holder").with("who", player.seat);
        held.with("shares", player.shares).into()
    });
    let held = Message::new("pc-words-held").with("held", Arg::List(held.collect()));
    let limit = Message::new("pc-words-limit").with("limit", view.share_limit);
    Row::of(Message::new("pc-words-shares"), [held, limit.with("penalty", view.penalty)])
}

/// The cities that nobody has reached, the dearest first.
fn free_cities(state: &State) -> Row {
    let board = &*state.board;
    let free = hexes(state, board.city_hexes.minus(state.occupied().0));
    let mut free: Vec<_> = free.into_iter().filter_map(|hex| board.city(hex)).collect();
    free.sort_by_key(|city| std::cmp::Reverse(city.value));
    let worth = free.chunk_by(|one, next| one.value == next.value).map(|alike| {
        let places = alike.iter().map(|city| {
            let place = Message::new("pc-words-place").with("hex", city.hex.to_string());
            place.with("city", city.name.as_str()).into()
        });
        let value = alike.first().map_or(0, |city| city.value);
        let worth = Message::new("pc-words-free-worth").with("value", value);
        worth.with("cities", Arg::List(places.collect()))
    });
    let mut says: Vec<Message> = worth.collect();
    if says.is_empty() {
        says.push(Message::new("pc-words-none-free"));
    }
    Row::of(Message::new("pc-words-free"), says).aside()
}

/// The rural hexes that nobody can enter any more.
fn full(state: &State) -> Option<Row> {
    let (_, two) = state.occupied();
    let said = || Message::new("pc-words-full-on").with("hexes", by_row(&hexes(state, two)));
    (!two.is_empty()).then(|| Row::of(Message::new("pc-words-full"), [said()]).aside())
}

/// The edges that nobody crosses.
fn barriers(state: &State) -> Option<Row> {
    let barriers = &state.board.barriers;
    let of = |kind: BarrierKind, key: &'static str| {
        let edges = barriers.iter().filter(|&&(_, other)| other == kind);
        let edges: Vec<Arg> = edges.map(|(edge, _)| edge_name(edge).into()).collect();
        (!edges.is_empty()).then(|| Message::new(key).with("edges", Arg::List(edges)))
    };
    let mountains = of(BarrierKind::Mountain, "pc-words-mountains");
    let water = of(BarrierKind::Water, "pc-words-water");
    let name = || Message::new("pc-words-barriers");
    (!barriers.is_empty()).then(|| Row::of(name(), mountains.into_iter().chain(water)).aside())
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
    let rows = Message::new("pc-words-rows").with("rows", Arg::List(stretches.collect()));
    let tower = Message::new("pc-words-tower").with("hex", state.board.paris.to_string());
    let says = [rows.with("map", narrate::title(&state.board)), tower];
    let says = says.into_iter().chain(touching(&state.board));
    Row::of(Message::new("pc-words-map"), says).aside()
}

/// The hex by which it is shown which touch, where a map has it in its midst.
const SHOWN: &str = "G23";

/// Which hexes touch, by one that has as many around it as a hex can have, if there is any.
fn touching(board: &Board) -> Option<Message> {
    let around = |hex: Hex| -> Vec<Arg> {
        let others = hex.around().filter(|&other| board.id(other).is_some());
        others.map(|other| other.to_string().into()).collect()
    };
    let shown = |hex: &Hex| (around(*hex).len(), hex.to_string() == SHOWN);
    let hex = board.names.iter().copied().max_by_key(shown)?;
    let said = Message::new("pc-words-touch").with("hex", hex.to_string());
    Some(said.with("others", Arg::List(around(hex))))
}

/// What the seat holds, and what it comes to.
pub fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
    let view = ParisConnection::private(state, seat);
    let (some, none): (Vec<&HoldingView>, Vec<_>) =
        view.holdings.iter().partition(|holding| holding.shares > 0);
    let mut rows: Vec<Row> = some.into_iter().map(|holding| held(state, holding)).collect();
    if !none.is_empty() {
        let none = list(none.into_iter().map(|holding| holding.colour));
        rows.push(Row::saying(Message::new("pc-words-none-of").with("colours", none)));
    }
    let all = Message::new("pc-words-together").with("shares", view.shares);
    let says = [all.with("worth", view.worth), limit(state, &view)];
    rows.push(Row::of(Message::new("pc-words-all"), says));
    rows
}

fn held(state: &State, holding: &HoldingView) -> Row {
    let colour = holding.colour;
    let says = about("pc-words-holding", colour)
        .with("shares", holding.shares)
        .with("value", u32::from(holding.value))
        .with("worth", holding.worth);
    let row = Row::of(Message::new(colour.term()), [says]);
    row.marked(scene::ink(colour), state.board.letters[colour])
}

/// How many shares more cost nothing, or what those too many would cost.
fn limit(state: &State, view: &PrivateView) -> Message {
    let numbers = &state.numbers;
    let limit = u32::from(numbers.share_limit);
    if view.excess == 0 {
        let left = limit.saturating_sub(view.shares);
        return Message::new("pc-words-below").with("limit", limit).with("left", left);
    }
    Message::new("pc-words-above")
        .with("limit", limit)
        .with("excess", view.excess)
        .with("penalty", view.penalty)
        .with("score", view.score)
}

fn hexes(state: &State, hexes: HexSet) -> Vec<Hex> {
    hexes.iter().map(|id| state.board.name(id)).collect()
}

/// Hexes in board order, those of one row of the map together.
fn by_row(hexes: &[Hex]) -> Arg {
    let row = |row: &[Hex]| row.iter().map(Hex::to_string).collect::<Vec<_>>().join(" ");
    let rows = hexes.chunk_by(|one, next| one.row() == next.row());
    Arg::List(rows.map(|alike| Arg::Text(row(alike))).collect())
}
