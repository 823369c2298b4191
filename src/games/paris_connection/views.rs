//! The public view, the private view of a seat, and the standings.

use super::colour::{ByColour, Colour};
use super::hex::HexSet;
use super::refuse;
use super::state::{Event, Phase, State};
use super::{ParisConnection, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Charset, Message, PictureStyle, PositionRow, Ranking, Scene, ScorePart, Seat, Suggestion,
    Viewer, Views, rank_by_points,
};
use serde_json::{Value, json};

impl Views for ParisConnection {
    fn public_data(state: &State) -> Value {
        let (board, numbers) = (&state.board, &state.numbers);
        let player = |seat| json!({ "seat": seat, "shares": state.shares_of(seat).total() });
        json!({
            "map": board.map.title,
            "is_reconstruction": board.map.reconstruction,
            "companies": Colour::ALL.map(|colour| company_data(state, colour)),
            "players": Seat::all(numbers.seats).map(player).collect::<Vec<_>>(),
            "turn": state.active_seat(),
            "ended": if let Phase::Over(reason) = state.phase { Some(reason) } else { None },
            "boards_stocked": state.count_nonempty_storing_boards(),
            "end_city": board.city_on(board.map.end_city).map_or("", |city| &city.name),
            "end_hex": board.map.end_city,
            "build_most": numbers.build_most,
            "locomotives": numbers.locomotives,
            "hand": numbers.hand_size,
            "share_limit": numbers.share_limit,
            "penalty": numbers.penalty,
            "trades_in_row": state.trades_in_row,
            "stall_after_trades": numbers.stall_after_trades,
        })
    }

    fn private_data(state: &State, seat: Seat) -> Value {
        let shares = state.shares_of(seat);
        let ShareTally { worth, excess, penalty } = tally_shares(state, &shares);
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

    fn draw_board_text(state: &State, recent: &[Event], charset: Charset) -> Vec<String> {
        draw::draw_board(state, recent, charset)
    }

    fn draw_board_picture(state: &State, recent: &[Event], style: PictureStyle) -> Scene {
        scene::draw_scene(state, recent, style)
    }

    fn describe_position(state: &State, recent: &[Event]) -> Vec<PositionRow> {
        in_words::describe_position(state, recent)
    }

    fn describe_private_position(state: &State, seat: Seat) -> Vec<PositionRow> {
        in_words::describe_private_position(state, seat)
    }

    fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
        suggest::suggest_lines(state, seat)
    }

    fn are_narrated_together(one: &Event, next: &Event) -> bool {
        narrate::are_narrated_together(one, next)
    }

    fn narrate_group(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate_group(state, events, viewer)
    }

    fn describe_revealed_secrets(state: &State, seat: Seat) -> Vec<Message> {
        let held = state.portfolios.get(seat.index()).map(|held| {
            Message::new("pc-revealed")
                .with("who", seat)
                .with("shares", refuse::counted_colours(&held.shares))
                .with("dealt", refuse::counted_colours(&held.dealt))
        });
        held.into_iter().collect()
    }

    fn describe_choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::describe_choices(state, seat)
    }

    /// Estimates the progress of the game in hundredths. It is the larger of two shares: the
    /// locomotives that have left the storing boards, and the part of the path to Marseille that is
    /// built.
    fn estimate_progress(state: &State) -> (usize, usize) {
        let numbers = &state.numbers;
        let boards = Colour::ALL.len();
        let all = usize::from(numbers.locomotives) * boards;
        let dealt = usize::from(numbers.hand_size) * usize::from(numbers.seats);
        let whole = all.saturating_sub(dealt) * (boards - 1) / boards;
        let supply = || state.supply.iter().map(|(_, &count)| usize::from(count));
        let left = supply().sum::<usize>() - supply().max().unwrap_or(0);
        let built = Colour::ALL.iter().fold(HexSet::EMPTY, |all, &c| all.or(state.locomotives[c]));
        let way = count_steps_to_end(state, state.board.start_hexes);
        let walked = way.saturating_sub(count_steps_to_end(state, built));
        let hundredths = |part: usize, whole: usize| part * 100 / whole.max(1);
        (hundredths(whole.saturating_sub(left), whole).max(hundredths(walked, way)), 100)
    }
}

fn company_data(state: &State, colour: Colour) -> Value {
    json!({
        "colour": colour,
        "letter": state.board.letters[colour],
        "station": state.start_of(colour).map(|start| &start.station),
        "supply": state.supply[colour],
        "value": state.values[colour],
        "on_map": state.locomotives[colour].len(),
        "has_city": state.has_city(colour),
    })
}

/// The points that shares are worth, and their penalty.
pub struct ShareTally {
    /// The points of the shares, without the penalty.
    pub worth: i64,
    pub excess: u32,
    pub penalty: i64,
}

/// Computes the points of shares. ("Players score victory points by multiplying their shares in a
/// company by the value of the company." "Any player with more than the maximum number of
/// locomotives also subtracts 20 VP for each extra locomotive above this limit.")
pub fn tally_shares(state: &State, shares: &ByColour<u8>) -> ShareTally {
    let worth = shares.iter().map(|(colour, &n)| i64::from(n) * i64::from(state.values[colour]));
    let excess = shares.total().saturating_sub(state.numbers.share_limit.into());
    let penalty = i64::from(excess) * i64::from(state.numbers.penalty);
    ShareTally { worth: worth.sum(), excess, penalty }
}

/// Ranks the seats. ("The player with the most points is the winner. In case of a tie, there are
/// several winners.")
pub fn rankings(state: &State) -> Vec<Ranking> {
    rank_by_points(state.numbers.seats, |seat| {
        let shares = state.shares_of(seat);
        let held = shares.iter().filter(|&(_, &count)| count > 0);
        let of_company = held.map(|(colour, &count)| {
            let value = u32::from(state.values[colour]);
            let item = refuse::company_message("pc-score-shares", colour).with("shares", count);
            ScorePart {
                item: item.with("value", value),
                points: i64::from(count) * i64::from(value),
            }
        });
        let ShareTally { excess, penalty, .. } = tally_shares(state, &shares);
        let above_limit = (excess > 0).then(|| {
            let item = Message::new("pc-score-excess").with("excess", excess);
            ScorePart { item: item.with("limit", state.numbers.share_limit), points: -penalty }
        });
        of_company.chain(above_limit).collect()
    })
}

/// Counts the steps from these hexes to the end city. Returns 0 if the end city is one of them or
/// cannot be reached.
fn count_steps_to_end(state: &State, from: HexSet) -> usize {
    let board = &state.board;
    let Some(end) = board.hex_id(board.map.end_city).filter(|end| !from.contains(*end)) else {
        return 0;
    };
    board.rings(from, board.land).position(|ring| ring.contains(end)).map_or(0, |steps| steps + 1)
}
