//! What everyone may see, what only one player may see, and who stands where.

use super::colour::{ByColour, Colour};
use super::hex::{Hex, HexId, HexSet};
use super::refuse;
use super::state::{Ending, Event, Phase, State};
use super::{ParisConnection, draw, in_words, narrate, scene, suggest};
use crate::rules::{
    Arg, Charset, Message, PictureStyle, Row, Scene, Score, Seat, Standing, Suggestion, Viewer,
    Views, rank,
};
use serde::Serialize;

/// What everyone may see.
#[derive(Debug, Serialize)]
pub struct PublicView {
    /// What the map is.
    pub map: String,
    /// Whether the map is a reconstruction and not the published board.
    pub is_reconstruction: bool,
    /// The companies in the order of the storing boards.
    pub companies: Vec<CompanyView>,
    /// Shares that each player holds of all companies together, in order of play.
    pub players: Vec<PlayerView>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// Why the game is over.
    pub ended: Option<Ending>,
    /// Storing boards that still have locomotives; the game ends when it is 1.
    pub boards_stocked: usize,
    /// The end city's name.
    pub end_city: String,
    /// The end city's hex.
    pub end_hex: Hex,
    /// The most locomotives in one build.
    pub build_most: u8,
    /// Locomotives of each colour, besides the one on its start hex.
    pub locomotives: u8,
    /// Shares that each player was dealt.
    pub hand: u8,
    /// Shares that each may hold at the end without penalty.
    pub share_limit: u8,
    /// Points that each share above the limit costs.
    pub penalty: u8,
    /// Trades since the last build.
    pub trades_in_row: u32,
    /// The game ends after so many of them; 0 for never.
    pub stall_after_trades: u32,
}

#[derive(Debug, Serialize)]
pub struct CompanyView {
    pub colour: Colour,
    /// The capital that stands for it on the board.
    pub letter: char,
    /// Its start station; none before the deal.
    pub station: Option<String>,
    /// Locomotives on its storing board.
    pub supply: u8,
    /// What a share is worth now, in points.
    pub value: u16,
    /// Locomotives on the map, that on the start hex too.
    pub on_map: u32,
    /// Whether it has reached a city and so may be cut off.
    pub has_city: bool,
}

#[derive(Debug, Serialize)]
pub struct PlayerView {
    pub seat: Seat,
    /// Shares of all companies together.
    pub shares: u32,
}

/// What only one player may see.
#[derive(Debug, Serialize)]
pub struct PrivateView {
    /// The shares by company, those without any too.
    pub holdings: Vec<HoldingView>,
    /// Shares of all companies together.
    pub shares: u32,
    /// What they are worth now without any penalty, in points.
    pub worth: i64,
    /// Shares above the limit.
    pub excess: u32,
    /// Points that the shares above the limit would cost now.
    pub penalty: i64,
    /// The score if the game ended now, in points.
    pub score: i64,
}

/// A player's shares of one company.
#[derive(Debug, Serialize)]
pub struct HoldingView {
    pub colour: Colour,
    /// How many shares.
    pub shares: u8,
    /// What one is worth now, in points.
    pub value: u16,
    /// What all are worth now, in points.
    pub worth: i64,
}

impl Views for ParisConnection {
    type PublicView = PublicView;
    type PrivateView = PrivateView;

    fn public(state: &State) -> PublicView {
        let (board, numbers) = (&state.board, &state.numbers);
        let total = |seat| state.shares(seat).total();
        PublicView {
            map: board.title.clone(),
            is_reconstruction: board.is_reconstruction,
            companies: Colour::ALL.into_iter().map(|colour| company(state, colour)).collect(),
            players: Seat::all(numbers.seats)
                .map(|seat| PlayerView { seat, shares: total(seat) })
                .collect(),
            turn: if let Phase::Turn(seat) = state.phase { Some(seat) } else { None },
            ended: if let Phase::Over(reason) = state.phase { Some(reason) } else { None },
            boards_stocked: state.supply.iter().filter(|&(_, &count)| count > 0).count(),
            end_city: board.city(board.end_city).map_or_else(String::new, |city| city.name.clone()),
            end_hex: board.end_city,
            build_most: numbers.build_most,
            locomotives: numbers.locomotives,
            hand: numbers.hand,
            share_limit: numbers.share_limit,
            penalty: numbers.penalty,
            trades_in_row: state.trades_in_row,
            stall_after_trades: numbers.stall_after_trades,
        }
    }

    fn private(state: &State, seat: Seat) -> PrivateView {
        let shares = state.shares(seat);
        let Tally { worth, excess, penalty } = tally(state, &shares);
        let holding = |(colour, &shares): (Colour, &u8)| {
            let value = state.values[colour];
            HoldingView { colour, shares, value, worth: i64::from(shares) * i64::from(value) }
        };
        PrivateView {
            holdings: shares.iter().map(holding).collect(),
            shares: shares.total(),
            worth,
            excess,
            penalty,
            score: worth - penalty,
        }
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

    fn narrate(state: &State, events: &[Event], viewer: Viewer) -> Vec<Message> {
        narrate::narrate(state, events, viewer)
    }

    fn revealed(state: &State, seat: Seat) -> Vec<Message> {
        let some = |shares: ByColour<u8>| {
            let some = Colour::ALL.into_iter().filter(|&colour| shares[colour] > 0);
            Arg::List(some.map(|colour| refuse::counted(colour, shares[colour]).into()).collect())
        };
        let held = state.portfolios.get(seat.index()).map(|held| {
            Message::new("pc-revealed")
                .with("who", seat)
                .with("shares", some(held.shares))
                .with("dealt", some(held.dealt))
        });
        held.into_iter().collect()
    }

    fn choices(state: &State, seat: Seat) -> Vec<Message> {
        narrate::choices(state, seat)
    }

    /// How much of the game is likely to lie behind: by the boards that must be emptied, or by the
    /// way to Marseille, whichever is further.
    fn progress(state: &State) -> u8 {
        match state.phase {
            Phase::Unopened => return 0,
            Phase::Over(_) => return 100,
            Phase::Turn(_) => {}
        }
        let numbers = &state.numbers;
        let boards = Colour::ALL.len();
        let all = usize::from(numbers.locomotives) * boards;
        let dealt = usize::from(numbers.hand) * usize::from(numbers.seats);
        let whole = all.saturating_sub(dealt) * (boards - 1) / boards;
        let left: usize = state.supply.iter().map(|(_, &count)| usize::from(count)).sum();
        let fullest = state.supply.iter().map(|(_, &count)| usize::from(count)).max().unwrap_or(0);
        let emptied = hundredths(whole.saturating_sub(left - fullest), whole);
        let built = Colour::ALL.iter().fold(HexSet::EMPTY, |all, &c| all.or(state.locomotives[c]));
        let way = steps_to_end(state, state.board.start_hexes);
        let walked = way.saturating_sub(steps_to_end(state, built));
        emptied.max(hundredths(walked, way)).min(99)
    }
}

fn company(state: &State, colour: Colour) -> CompanyView {
    let (board, own) = (&state.board, state.locomotives[colour]);
    let stands_on = |hex: Hex| board.id(hex).is_some_and(|id| own.contains(id));
    let start = board.starts.iter().find(|start| stands_on(start.hex));
    CompanyView {
        colour,
        letter: board.letters[colour],
        station: start.map(|start| start.station.clone()),
        supply: state.supply[colour],
        value: state.values[colour],
        on_map: own.len(),
        has_city: state.has_city(colour),
    }
}

/// What shares come to.
struct Tally {
    worth: i64,
    excess: u32,
    penalty: i64,
}

/// "Players score victory points by multiplying their shares in a company by the value of the
/// company." "Any player with more than the maximum number of locomotives also subtracts 20 VP for
/// each extra locomotive above this limit."
fn tally(state: &State, shares: &ByColour<u8>) -> Tally {
    let worth = shares.iter().map(|(colour, &n)| i64::from(n) * i64::from(state.values[colour]));
    let excess = shares.total().saturating_sub(state.numbers.share_limit.into());
    let penalty = i64::from(excess) * i64::from(state.numbers.penalty);
    Tally { worth: worth.sum(), excess, penalty }
}

/// Who stands where. ("The player with the most points is the winner. In case of a tie, there are
/// several winners.")
pub fn standings(state: &State) -> Vec<Standing> {
    let standing = |seat| {
        let shares = state.shares(seat);
        let Tally { worth, excess, penalty } = tally(state, &shares);
        let held = shares.iter().filter(|&(_, &count)| count > 0);
        let mut breakdown: Vec<Score> = held
            .map(|(colour, &count)| Score {
                item: refuse::about("pc-score-shares", colour)
                    .with("shares", count)
                    .with("value", u32::from(state.values[colour])),
                points: i64::from(count) * i64::from(state.values[colour]),
            })
            .collect();
        if excess > 0 {
            let item = Message::new("pc-score-excess")
                .with("excess", excess)
                .with("limit", state.numbers.share_limit);
            breakdown.push(Score { item, points: -penalty });
        }
        let score = worth - penalty;
        (Standing { seat, rank: 0, score, breakdown }, score)
    };
    rank(Seat::all(state.numbers.seats).map(standing).collect())
}

fn hundredths(part: usize, whole: usize) -> u8 {
    u8::try_from(part * 100 / whole.max(1)).unwrap_or(100).min(100)
}

/// How many hexes lie between these and the end city, that included.
fn steps_to_end(state: &State, from: HexSet) -> usize {
    let board = &state.board;
    let Some(end) = board.id(board.end_city) else { return 0 };
    let mut reached = from;
    for step in 0..usize::from(HexId::MAX) {
        if reached.contains(end) {
            return step;
        }
        reached = reached.or(board.beside(reached));
    }
    0
}
