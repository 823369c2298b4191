//! What everyone may see, what only one player may see, and the standings.

use super::colour::{ByColour, Colour};
use super::hex::HexSet;
use super::refuse;
use super::state::{Event, Phase, State};
use super::{ParisConnection, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, Row, Scene, Score, Seat, Standing, Suggestion, Viewer, Views,
    rank_by_points,
};
use serde_json::{Value, json};

impl Views for ParisConnection {
    fn public(state: &State) -> Value {
        let (board, numbers) = (&state.board, &state.numbers);
        let player = |seat| json!({ "seat": seat, "shares": state.shares(seat).total() });
        json!({
            "map": board.map.title,
            "is_reconstruction": board.map.reconstruction,
            "companies": Colour::ALL.map(|colour| company(state, colour)),
            "players": Seat::all(numbers.seats).map(player).collect::<Vec<_>>(),
            "turn": state.active(),
            "ended": if let Phase::Over(reason) = state.phase { Some(reason) } else { None },
            "boards_stocked": state.boards_stocked(),
            "end_city": board.city(board.map.end_city).map_or("", |city| &city.name),
            "end_hex": board.map.end_city,
            "build_most": numbers.build_most,
            "locomotives": numbers.locomotives,
            "hand": numbers.hand,
            "share_limit": numbers.share_limit,
            "penalty": numbers.penalty,
            "trades_in_row": state.trades_in_row,
            "stall_after_trades": numbers.stall_after_trades,
        })
    }

    fn private(state: &State, seat: Seat) -> Value {
        let shares = state.shares(seat);
        let Tally { worth, excess, penalty } = tally(state, &shares);
        let holding = |(colour, &shares): (Colour, &u8)| {
            let value = state.values[colour];
            let worth = i64::from(shares) * i64::from(value);
            json!({ "colour": colour, "shares": shares, "value": value, "worth": worth })
        };
        json!({
            "holdings": shares.iter().map(holding).collect::<Vec<_>>(),
            "shares": shares.total(),
            "worth": worth,
            "excess": excess,
            "penalty": penalty,
            "score": worth - penalty,
        })
    }

    fn board(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw(state, recent, charset)
    }

    fn scene(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::scene(state, recent, style)
    }

    fn in_words(state: &State, recent: &[Event]) -> Vec<Row> {
        in_words::in_words(state, recent)
    }

    fn private_in_words(state: &State, seat: Seat) -> Vec<Row> {
        in_words::private_in_words(state, seat)
    }

    fn suggestions(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggestions(state, seat)
    }

    fn are_told_together(one: &Event, next: &Event) -> bool {
        narrate::are_told_together(one, next)
    }

    fn tell(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::tell(state, events, viewer)
    }

    fn revealed(state: &State, seat: Seat) -> Vec<Message> {
        let held = state.portfolios.get(seat.index()).map(|held| {
            Message::new("pc-revealed")
                .with("who", seat)
                .with("shares", refuse::counted(&held.shares))
                .with("dealt", refuse::counted(&held.dealt))
        });
        held.into_iter().collect()
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    /// Counts the locomotives that must leave the storing boards, or the way to Marseille: the
    /// larger share of the two.
    fn played(state: &State) -> (usize, usize) {
        let numbers = &state.numbers;
        let boards = Colour::ALL.len();
        let all = usize::from(numbers.locomotives) * boards;
        let dealt = usize::from(numbers.hand) * usize::from(numbers.seats);
        let whole = all.saturating_sub(dealt) * (boards - 1) / boards;
        let supply = || state.supply.iter().map(|(_, &count)| usize::from(count));
        let left = supply().sum::<usize>() - supply().max().unwrap_or(0);
        let built = Colour::ALL.iter().fold(HexSet::EMPTY, |all, &c| all.or(state.locomotives[c]));
        let way = steps_to_end(state, state.board.start_hexes);
        let walked = way.saturating_sub(steps_to_end(state, built));
        let hundredths = |part: usize, whole: usize| part * 100 / whole.max(1);
        (hundredths(whole.saturating_sub(left), whole).max(hundredths(walked, way)), 100)
    }
}

fn company(state: &State, colour: Colour) -> Value {
    json!({
        "colour": colour,
        "letter": state.board.letters[colour],
        "station": state.start(colour).map(|start| &start.station),
        "supply": state.supply[colour],
        "value": state.values[colour],
        "on_map": state.locomotives[colour].len(),
        "has_city": state.has_city(colour),
    })
}

/// What shares come to.
pub struct Tally {
    /// In points, without any penalty.
    pub worth: i64,
    /// Shares above the limit.
    pub excess: u32,
    /// The points that those cost.
    pub penalty: i64,
}

/// "Players score victory points by multiplying their shares in a company by the value of the
/// company." "Any player with more than the maximum number of locomotives also subtracts 20 VP for
/// each extra locomotive above this limit."
pub fn tally(state: &State, shares: &ByColour<u8>) -> Tally {
    let worth = shares.iter().map(|(colour, &n)| i64::from(n) * i64::from(state.values[colour]));
    let excess = shares.total().saturating_sub(state.numbers.share_limit.into());
    let penalty = i64::from(excess) * i64::from(state.numbers.penalty);
    Tally { worth: worth.sum(), excess, penalty }
}

/// Ranks the seats. ("The player with the most points is the winner. In case of a tie, there are
/// several winners.")
pub fn standings(state: &State) -> Vec<Standing> {
    rank_by_points(state.numbers.seats, |seat| {
        let shares = state.shares(seat);
        let held = shares.iter().filter(|&(_, &count)| count > 0);
        let of_company = held.map(|(colour, &count)| {
            let value = u32::from(state.values[colour]);
            let item = refuse::about("pc-score-shares", colour).with("shares", count);
            Score { item: item.with("value", value), points: i64::from(count) * i64::from(value) }
        });
        let Tally { excess, penalty, .. } = tally(state, &shares);
        let above_limit = (excess > 0).then(|| {
            let item = Message::new("pc-score-excess").with("excess", excess);
            Score { item: item.with("limit", state.numbers.share_limit), points: -penalty }
        });
        of_company.chain(above_limit).collect()
    })
}

/// Counts the hexes between these and the end city, which is counted too. Returns 0 if the end city
/// is one of these.
fn steps_to_end(state: &State, from: HexSet) -> usize {
    let board = &state.board;
    let Some(end) = board.id(board.map.end_city).filter(|end| !from.contains(*end)) else {
        return 0;
    };
    board.rings(from, board.land).position(|ring| ring.contains(end)).map_or(0, |steps| steps + 1)
}
