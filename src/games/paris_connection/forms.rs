//! The forms in which lines and plans can be written, for the card of orders and for refusals. The
//! examples are lines that the reader could send now.

use super::ParisConnection;
use super::colour::Colour;
use super::decide::{self, TRADE_COUNT_MAX};
use super::hex::{Hex, HexSet};
use super::state::{Ending, Order, Phase, State};
use crate::rules::{Grammar, LineForm, Message, OrderText, Rules, Seat, throwaway_dice};

/// The verbs of orders, their synonyms, and the forms of lines.
pub const GRAMMAR: Grammar<State> = Grammar {
    verbs: &["build", "trade"],
    min_letters: 1,
    synonyms: &[
        ("stop", &["stop"]),
        ("build", &["add", "extend", "lay", "place", "put"]),
        ("trade", &["change", "exchange", "give", "return", "sell", "swap"]),
        ("take", &["buy", "get", "take"]),
    ],
    forms: &[
        LineForm::with_dynamic_example_and_effect("now", |state, _| {
            let does = Message::new("pc-form-build").with("most", state.numbers.build_most);
            (example_build(state), does)
        }),
        LineForm::with_dynamic_example("now", "pc-form-trade", example_trade),
    ],
};

/// The forms in which a plan can be written.
pub const PLAN_GRAMMAR: Grammar<State> = Grammar {
    verbs: &[],
    min_letters: 1,
    synonyms: &[("next", &["next"])],
    forms: &[LineForm::with_dynamic_example("later", "pc-form-next", |state, seat| {
        format!("next: {}", example_trade(state, seat))
    })],
};

/// Returns the position as if it were this seat's turn and no build had begun.
pub fn with_seat_on_turn(state: &State, seat: Seat) -> State {
    State { phase: Phase::Turn(seat), build: None, ..state.clone() }
}

/// Returns a build that is legal now. If possible it has three hexes: two rural ones and a city by
/// its name. It never enters the end city, because a player who copies an example does not mean to
/// end the game.
fn example_build(state: &State) -> String {
    // A build does not depend on whose turn it is, so seat 1 serves for all.
    let state = &with_seat_on_turn(state, Seat::new(1));
    let mut colours = [Colour::Red].into_iter().chain(Colour::ALL);
    let way = |colour: Colour| Some((colour, example_path(state, colour)?));
    match colours.find_map(way) {
        Some((colour, hexes)) => {
            let hexes: Vec<String> =
                hexes.iter().map(|&hex| state.board.city_or_hex_name(hex)).collect();
            format!("build {} {}", colour.name(), hexes.join(" "))
        }
        None => format!("build {} {}", Colour::Red.name(), example_hex(state)),
    }
}

/// Returns a rural hex near the starts, for an example when no build is legal.
fn example_hex(state: &State) -> Hex {
    let board = &state.board;
    let country = board.land.minus(board.start_hexes).minus(board.city_hexes);
    let near = board.neighbours_of_all(board.start_hexes).and(country);
    near.iter().chain(country.iter()).next().map_or(board.map.paris, |hex| board.hex_name(hex))
}

/// Returns hexes on which a build can place locomotives of this colour in this order, or `None` if
/// no build is legal.
fn example_path(state: &State, colour: Colour) -> Option<Vec<Hex>> {
    let board = &state.board;
    let open = state.hexes_open_to(colour);
    let end: HexSet = board.hex_id(board.map.end_city).into_iter().collect();
    let (towns, country) = (open.and(board.city_hexes).minus(end), open.minus(board.city_hexes));
    let near = decide::reachable_hexes(state, colour).minus(end);
    let pairs = near.and(country).iter().flat_map(|first| {
        board.neighbours(first).and(country).iter().map(move |second| (first, second))
    });
    let threes = pairs.filter_map(|(first, second)| {
        let town = board.neighbours(second).and(towns).iter().next()?;
        Some(vec![first, second, town])
    });
    let ways = threes.take(12).chain(near.iter().map(|hex| vec![hex]));
    let mut ways = ways.map(|way| way.into_iter().map(|hex| board.hex_name(hex)).collect());
    ways.find(|way: &Vec<Hex>| can_build_all(state, colour, way))
}

/// Whether one build by the active seat can place locomotives of this colour on all these hexes, in
/// this order.
pub fn can_build_all(state: &State, colour: Colour, hexes: &[Hex]) -> bool {
    let Phase::Turn(seat) = state.phase else { return false };
    let mut ahead = state.clone();
    hexes.iter().all(|&hex| {
        // Hexes that are named after the end city are ignored: the game is over, and these
        // locomotives stay on the storing board.
        if ahead.phase != Phase::Turn(seat) {
            return ahead.phase == Phase::Over(Ending::Marseille);
        }
        let order = Order::Place { colour, hex };
        ParisConnection::decide_and_apply(&mut ahead, seat, &order, &mut throwaway_dice()).is_ok()
    })
}

/// Returns an example of a trade that this seat could make now. Without a seat, the example ignores
/// holdings, because it must not disclose any.
fn example_trade(state: &State, seat: Option<Seat>) -> String {
    let order = |colour: Colour| [colour].into_iter().chain(Colour::ALL);
    let held = seat.map(|seat| state.shares_of(seat));
    let give = order(Colour::Red).find(|&colour| held.is_none_or(|held| held[colour] > 0));
    let give = give.unwrap_or(Colour::Red);
    let take = order(Colour::Blue).find(|&colour| colour != give && state.supply[colour] > 0);
    let take = take.unwrap_or(if give == Colour::Blue { Colour::Red } else { Colour::Blue });
    let count = state.supply[take].clamp(1, TRADE_COUNT_MAX);
    ParisConnection::write_line(state, &[Order::Trade { give, take, count }])
}
