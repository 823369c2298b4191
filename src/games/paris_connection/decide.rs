//! Every rule of a turn: "In each turn the active player must build track or trade."

use super::colour::{ByColour, Colour};
use super::cutoff;
use super::definition::{Definition, Options};
use super::hex::{Hex, HexId, HexSet};
use super::refuse;
use super::state::{Build, Ending, Event, Order, Phase, State};
use super::{ParisConnection, validate, views};
use crate::rules::{DefinitionFault, Dice, Message, Ranking, Refusal, Rules, Seat, Turn};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The maximum number of shares taken in one trade. ("Receives 1 or 2 locomotives of another
/// company".)
pub const TRADE_COUNT_MAX: u8 = 2;

impl Rules for ParisConnection {
    const ID: &'static str = "paris-connection";
    const VERSION: u32 = 1;
    const SEATS: RangeInclusive<u8> = 3..=6;
    const DEFINITION: &'static str = include_str!("../../../games/paris-connection.yaml");

    type Definition = Definition;
    type Options = Options;
    type State = State;
    type Order = Order;
    type Event = Event;

    fn initial_state(
        definition: &Definition,
        options: &Options,
        seats: u8,
    ) -> Result<State, DefinitionFault> {
        let board = Arc::new(validate::validate(definition)?);
        Ok(State::new(board, validate::numbers_for_seats(definition, options, seats)?))
    }

    /// Deals the game: a locomotive of each colour on a random start hex, shares from the bag for
    /// each player, and a random start player. ("Each player is dealt a set supply of 5-10
    /// locomotives".)
    fn setup(state: &State, dice: &mut Dice) -> Vec<Event> {
        let mut starts: Vec<Hex> = state.board.map.starts.iter().map(|start| start.hex).collect();
        dice.shuffle(&mut starts);
        let mut placed = ByColour::default();
        for (colour, hex) in Colour::ALL.into_iter().zip(starts) {
            placed[colour] = hex;
        }
        let mut events = vec![Event::Started { starts: placed }];
        let of_each = usize::from(state.numbers.locomotives);
        let mut bag: Vec<Colour> = Colour::ALL
            .into_iter()
            .flat_map(|colour| std::iter::repeat_n(colour, of_each))
            .collect();
        dice.shuffle(&mut bag);
        let hands = bag.chunks(usize::from(state.numbers.hand_size).max(1));
        for (seat, hand) in Seat::all(state.numbers.seats).zip(hands) {
            let of = |colour| hand.iter().filter(|&&held| held == colour).count();
            let shares = ByColour::from_fn(|colour| u8::try_from(of(colour)).unwrap_or(u8::MAX));
            events.push(Event::Dealt { seat, shares });
        }
        events.push(Event::First { seat: Seat::random(state.numbers.seats, dice) });
        events
    }

    fn apply(state: &mut State, event: &Event) {
        state.apply(event);
    }

    fn turn(state: &State) -> Turn {
        match state.phase {
            Phase::Over(_) => Turn::Over,
            _ => Turn::Awaiting(state.active_seat().into_iter().collect()),
        }
    }

    fn legal_orders(state: &State, seat: Seat) -> Vec<Order> {
        if state.active_seat() != Some(seat) {
            return Vec::new();
        }
        if let Some(Build { colour, .. }) = state.build {
            return legal_placements(state, colour).into_iter().chain([Order::Stop]).collect();
        }
        let builds = Colour::ALL.into_iter().flat_map(|colour| legal_placements(state, colour));
        builds.chain(legal_trades(state, seat)).collect()
    }

    /// Returns the seat's order if public information shows that it is the only legal one. This
    /// holds only for the end of a build that can place nothing more. Trades depend on the seat's
    /// hidden shares, so a forced trade would disclose them.
    fn publicly_only_legal_order(state: &State, seat: Seat) -> Option<Order> {
        (Self::legal_orders(state, seat) == [Order::Stop]).then_some(Order::Stop)
    }

    fn decide(
        state: &State,
        seat: Seat,
        order: &Order,
        _: &mut Dice,
    ) -> Result<Vec<Event>, Refusal> {
        Self::turn(state).ensure_awaits(seat)?;
        match *order {
            Order::Place { colour, hex } => decide_place(state, seat, colour, hex),
            Order::Stop if state.build.is_some() => Ok(vec![next_turn_event(state, seat)]),
            Order::Stop => Err(Refusal::illegal(Message::new("pc-nothing-begun"))),
            Order::Trade { give, take, count } => decide_trade(state, seat, give, take, count),
        }
    }

    /// Whether the event changed the hex that the order names, or the storing board of a colour
    /// that it names.
    fn invalidates(event: &Event, order: &Order) -> bool {
        let (touched, at) = match *event {
            Event::Placed { colour, hex, .. } => ([colour; 2], Some(hex)),
            Event::Traded { give, take, .. } => ([give, take], None),
            _ => return false,
        };
        match *order {
            Order::Place { colour, hex } => touched.contains(&colour) || at == Some(hex),
            Order::Trade { give, take, .. } => touched.contains(&give) || touched.contains(&take),
            Order::Stop => false,
        }
    }

    /// Returns the order of an absent player (our ruling): one locomotive of the company with the
    /// largest supply, on its least valuable hex. If no locomotive can be placed, it is a trade
    /// between the two companies whose values are closest.
    fn order_for_absent_player(state: &State, seat: Seat) -> Order {
        if state.build.is_some() {
            return Order::Stop;
        }
        let mut colours = Colour::ALL;
        colours.sort_by_key(|&colour| std::cmp::Reverse(state.supply[colour]));
        let least = |colour: Colour| {
            let points = |order: &Order| match *order {
                Order::Place { hex, .. } => state.board.city_on(hex).map_or(0, |city| city.value),
                Order::Stop | Order::Trade { .. } => 0,
            };
            legal_placements(state, colour).into_iter().min_by_key(points)
        };
        let change = |order: &Order| match *order {
            Order::Trade { give, take, count } => {
                (count, state.values[give].abs_diff(state.values[take]))
            }
            Order::Stop | Order::Place { .. } => (0, 0),
        };
        colours
            .into_iter()
            .find_map(least)
            .or_else(|| legal_trades(state, seat).min_by_key(change))
            .unwrap_or(Order::Stop)
    }

    fn rankings(state: &State) -> Vec<Ranking> {
        views::rankings(state)
    }
}

fn next_turn_event(state: &State, seat: Seat) -> Event {
    Event::Turn { seat: seat.next(state.numbers.seats) }
}

/// Judges the placement of one locomotive. ("The active player takes 1 to 5 locomotives from any
/// one locomotive storing board, and places them on the map.") The build ends by itself when no
/// more can be placed (our ruling).
fn decide_place(
    state: &State,
    seat: Seat,
    colour: Colour,
    hex: Hex,
) -> Result<Vec<Event>, Refusal> {
    if let Some(build) = state.build.filter(|build| build.colour != colour) {
        return Err(refuse::mixed_colours(&[build.colour, colour]));
    }
    if state.supply[colour] == 0 {
        return Err(refuse::empty_board(state, colour));
    }
    let legal = |id: &HexId| {
        reachable_hexes(state, colour).contains(*id)
            && cutoff::colour_cut_off_by(state, colour, *id).is_none()
    };
    if !state.board.hex_id(hex).as_ref().is_some_and(legal) {
        return Err(refuse::illegal_place(state, colour, hex));
    }
    let placed = Event::Placed { seat, colour, hex };
    let mut after = state.clone();
    after.apply(&placed);
    let mut events = vec![placed];
    if let Some(reason) = find_ending(&after, Some(hex)) {
        events.push(Event::Ended { reason });
    } else if !can_continue_build(&after) {
        events.push(next_turn_event(state, seat));
    }
    Ok(events)
}

/// Whether the current build can place one more locomotive.
fn can_continue_build(state: &State) -> bool {
    state.build.is_some_and(|Build { colour, placed }| {
        placed < state.numbers.build_most
            && state.supply[colour] > 0
            && !legal_hexes(state, colour).is_empty()
    })
}

/// Judges a trade. ("The active player returns 1 locomotive of one company to a storing board, then
/// receives 1 or 2 locomotives of another company.") If only 1 is left, the player takes 1 (a rule
/// from other sources).
fn decide_trade(
    state: &State,
    seat: Seat,
    give: Colour,
    take: Colour,
    count: u8,
) -> Result<Vec<Event>, Refusal> {
    if let Some(build) = state.build {
        return Err(refuse::mixed_colours(&[build.colour, give, take]));
    }
    if !is_tradable(state, seat, give, take, count) {
        return Err(refuse::illegal_trade(state, seat, give, take, count));
    }
    let traded = Event::Traded { seat, give, take, count };
    let mut after = state.clone();
    after.apply(&traded);
    let stall = state.numbers.stall_after_trades;
    let stalled = (stall > 0 && after.trades_in_row >= stall).then_some(Ending::Stalled);
    let last = match find_ending(&after, None).or(stalled) {
        Some(reason) => Event::Ended { reason },
        None => next_turn_event(state, seat),
    };
    Ok(vec![traded, last])
}

fn is_tradable(state: &State, seat: Seat, give: Colour, take: Colour, count: u8) -> bool {
    give != take
        && state.shares_of(seat)[give] > 0
        && (1..=TRADE_COUNT_MAX).contains(&count)
        && count <= state.supply[take]
}

/// Returns the reason why the game has ended, or `None` if it goes on. ("The game ends immediately
/// when there are locomotives on only one of the storing boards, or a locomotive has been placed in
/// Marseille.")
fn find_ending(state: &State, placed: Option<Hex>) -> Option<Ending> {
    if placed == Some(state.board.map.end_city) {
        return Some(Ending::Marseille);
    }
    (state.count_nonempty_storing_boards() <= 1).then_some(Ending::BoardsEmpty)
}

/// Returns the hexes that are adjacent to the colour's locomotives and have room for one more,
/// without the cut-off rule. ("A new locomotive must be placed adjacent to an already placed
/// locomotive of the same colour.")
pub fn reachable_hexes(state: &State, colour: Colour) -> HexSet {
    state.board.neighbours_of_all(state.locomotives[colour]).and(state.hexes_open_to(colour))
}

/// Returns the hexes where a locomotive of this colour may be placed now, by all rules including
/// the cut-off rule.
pub fn legal_hexes(state: &State, colour: Colour) -> HexSet {
    let mut places = reachable_hexes(state, colour);
    for hex in places.and(cutoff::possible_cut_off_hexes(state, colour)).iter() {
        if cutoff::colour_cut_off_by(state, colour, hex).is_some() {
            places.remove(hex);
        }
    }
    places
}

fn legal_placements(state: &State, colour: Colour) -> Vec<Order> {
    let is_over = state.supply[colour] == 0;
    let places = if is_over { HexSet::EMPTY } else { legal_hexes(state, colour) };
    places.iter().map(|hex| Order::Place { colour, hex: state.board.hex_name(hex) }).collect()
}

/// Returns every legal trade of this seat, by the company given, then the company taken, then the
/// number of shares.
pub fn legal_trades(state: &State, seat: Seat) -> impl Iterator<Item = Order> {
    let pairs = Colour::ALL.into_iter().flat_map(|give| Colour::ALL.map(|take| (give, take)));
    pairs.flat_map(move |(give, take)| {
        (1..=TRADE_COUNT_MAX)
            .filter(move |&count| is_tradable(state, seat, give, take, count))
            .map(move |count| Order::Trade { give, take, count })
    })
}
