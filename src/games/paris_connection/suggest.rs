//! Orders that letters suggest: builds that reach or approach a city, and trades that gain value.
//! They depend only on public information and on the seat's own shares.

use super::ParisConnection;
use super::colour::Colour;
use super::cutoff;
use super::decide::legal_trades;
use super::hex::{HexId, HexSet};
use super::refuse::company_message;
use super::state::{Order, Phase, State};
use crate::rules::{Message, OrderText, Rules, Seat, Suggestion, throwaway_dice};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The maximum number of companies whose builds are suggested, and of builds of the first company.
/// A letter on a phone has little space.
const COLOURS_MAX: usize = 3;
const BUILDS_MAX: usize = 2;
/// The maximum number of trades that are suggested. Each takes shares of a different company.
const TRADES_MAX: usize = 2;

/// The orders of one suggested line, and the heading of its group.
type Candidate = (Message, Vec<Order>);

/// Returns the builds and trades that most players would consider. Orders that end the game are a
/// separate group at the end.
pub fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
    if state.active_seat() != Some(seat) {
        return Vec::new();
    }
    let asker = Suggester { state, seat };
    let mut thoughts: Vec<Candidate> = asker.suggest_builds();
    thoughts.extend(asker.suggest_trades());
    thoughts.retain(|(_, orders)| asker.position_after(state, orders).is_some());
    if thoughts.is_empty() {
        let order = ParisConnection::order_for_absent_player(state, seat);
        thoughts.push((Message::new("pc-suggest-other"), vec![order]));
    }
    let ends = |(_, orders): &Candidate| {
        asker
            .position_after(state, orders)
            .is_some_and(|after| matches!(after.phase, Phase::Over(_)))
    };
    let (ends, others): (Vec<Candidate>, Vec<_>) = thoughts.into_iter().partition(ends);
    let last = ends.into_iter().map(|(_, orders)| (Message::new("pc-suggest-ends"), orders));
    let all = others.into_iter().chain(last.take(Suggestion::GROUP_MAX));
    all.map(|(group, orders)| Suggestion { group, line: asker.write_with_city_names(&orders) })
        .collect()
}

/// The seat that gets suggestions, and the position.
#[derive(Clone, Copy)]
struct Suggester<'a> {
    state: &'a State,
    seat: Seat,
}

impl Suggester<'_> {
    /// Returns the position after these orders, or `None` if one of them is illegal.
    fn position_after(self, state: &State, orders: &[Order]) -> Option<State> {
        let mut after = state.clone();
        for order in orders {
            ParisConnection::decide_and_apply(&mut after, self.seat, order, &mut throwaway_dice())
                .ok()?;
        }
        Some(after)
    }

    /// Returns the position after a build along this path, or `None` if it is illegal.
    fn position_after_build(self, state: &State, colour: Colour, way: &[HexId]) -> Option<State> {
        self.position_after(state, &build_orders(state, colour, way))
    }

    /// Writes the orders as a line with the names of cities instead of hexes. If the parser would
    /// read that line differently, the standard form is used.
    fn write_with_city_names(self, orders: &[Order]) -> String {
        let plain = ParisConnection::write_line(self.state, orders);
        let Some(&Order::Place { colour, .. }) = orders.first() else { return plain };
        let places = orders.iter().filter_map(|order| match order {
            Order::Place { hex, .. } => Some(self.state.board.city_or_hex_name(*hex)),
            Order::Stop | Order::Trade { .. } => None,
        });
        let places: Vec<String> = places.collect();
        let named = format!("build {} {}", colour.name(), places.join(" "));
        match ParisConnection::parse_line(self.state, self.seat, &named) {
            Ok(read)
                if read.orders.strip_suffix(&[Order::Stop]).unwrap_or(&read.orders) == orders =>
            {
                named
            }
            _ => plain,
        }
    }

    /// Suggests builds of the companies in which the seat gains most by its shares. If none of its
    /// companies can be built, suggests builds of other companies.
    fn suggest_builds(self) -> Vec<Candidate> {
        let shares = self.state.shares_of(self.seat);
        let is_own = |colour: &Colour| shares[*colour] > 0;
        let (own, others): (Vec<Colour>, Vec<_>) = Colour::ALL.into_iter().partition(is_own);
        let builds = |colours: Vec<Colour>| -> Vec<_> {
            let builds = colours.into_iter().map(|colour| (colour, self.best_builds(colour)));
            builds.filter(|(_, builds)| !builds.is_empty()).collect()
        };
        let mut all = builds(own);
        if all.is_empty() {
            all = builds(others);
        }
        all.sort_by_key(|(colour, builds)| {
            let gain = builds.first().map_or(0, |way| path_points(self.state, way));
            Reverse((u32::from(shares[*colour]) * gain, shares[*colour]))
        });
        all.into_iter()
            .take(COLOURS_MAX)
            .enumerate()
            .flat_map(|(at, (colour, builds))| {
                let most = if at == 0 { BUILDS_MAX } else { 1 };
                let group = company_message("pc-suggest-build", colour)
                    .with("shares", shares[colour])
                    .with("value", u32::from(self.state.values[colour]));
                let builds = builds.into_iter().take(most);
                builds.map(move |way| (group.clone(), build_orders(self.state, colour, &way)))
            })
            .collect()
    }

    /// Returns the best builds of a company: one that reaches as many cities as possible, one with
    /// the most points per locomotive, and one with the most points. If no city is within reach,
    /// returns builds towards one.
    fn best_builds(self, colour: Colour) -> Vec<Vec<HexId>> {
        let state = self.state;
        let most = remaining_placements(state, colour);
        let mut ways = paths_to_cities(state, colour, most);
        ways.sort_by_key(|way| Reverse(path_sort_key(state, way)));
        let is_legal = |way: &Vec<HexId>| self.position_after_build(state, colour, way).is_some();
        let Some(best) = ways.first() else {
            return first_part_of_path_to_city(state, colour, most)
                .into_iter()
                .filter(is_legal)
                .collect();
        };
        let mut builds = self.build_and_extension(colour, best);
        let dearest = ways.iter().max_by_key(|way| (path_points(state, way), Reverse(way.len())));
        let dearest = dearest.filter(|way| !builds.contains(way));
        if builds.len() < BUILDS_MAX {
            builds.extend(dearest.cloned().filter(is_legal));
        }
        builds
    }

    /// Returns a build along this path. If the build can go on to further cities, the extended
    /// build comes first.
    fn build_and_extension(self, colour: Colour, way: &[HexId]) -> Vec<Vec<HexId>> {
        let Some(mut ahead) = self.position_after_build(self.state, colour, way) else {
            return Vec::new();
        };
        let mut whole = way.to_vec();
        while ahead.build.is_some()
            && let ways = paths_to_cities(&ahead, colour, remaining_placements(&ahead, colour))
            && let Some(next) = ways.into_iter().max_by_key(|way| path_sort_key(&ahead, way))
            && let Some(after) = self.position_after_build(&ahead, colour, &next)
        {
            whole.extend(next);
            ahead = after;
        }
        let longer = (whole.len() > way.len()).then_some(whole);
        longer.into_iter().chain([way.to_vec()]).collect()
    }

    /// Suggests the trades by which the seat's shares gain most at current values. Among equal
    /// gains, a trade comes first if the seat holds many shares of the company taken and few of the
    /// company given.
    fn suggest_trades(self) -> Vec<Candidate> {
        let shares = self.state.shares_of(self.seat);
        let mut gains: Vec<_> = legal_trades(self.state, self.seat)
            .filter_map(|order| match order {
                Order::Trade { give, take, count } => {
                    let gain = self.trade_gain(give, take, count);
                    let key = Reverse((gain, shares[take], count, Reverse(shares[give])));
                    (gain >= 0).then_some((key, take, order))
                }
                Order::Stop | Order::Place { .. } => None,
            })
            .collect();
        gains.sort_by_key(|&(key, ..)| key);
        let mut taken = BTreeSet::new();
        gains.retain(|(_, take, _)| taken.insert(*take));
        let trade = |(_, _, order)| (Message::new("pc-suggest-trade"), vec![order]);
        gains.into_iter().take(TRADES_MAX).map(trade).collect()
    }

    /// Returns the points that a trade gains at current values, including changes of the penalty
    /// for shares above the limit.
    fn trade_gain(self, give: Colour, take: Colour, count: u8) -> i64 {
        let State { values, numbers, .. } = self.state;
        let limit = i64::from(numbers.share_limit);
        let held = i64::from(self.state.shares_of(self.seat).total());
        let penalty = |held: i64| (held - limit).max(0) * i64::from(numbers.penalty);
        let count = i64::from(count);
        let worth = count * i64::from(values[take]) - i64::from(values[give]);
        worth - penalty(held - 1 + count) + penalty(held)
    }
}

pub fn build_orders(state: &State, colour: Colour, way: &[HexId]) -> Vec<Order> {
    way.iter().map(|&id| Order::Place { colour, hex: state.board.hex_name(id) }).collect()
}

pub fn remaining_placements(state: &State, colour: Colour) -> usize {
    let placed = state.build.map_or(0, |build| build.placed);
    usize::from(state.supply[colour].min(state.numbers.build_most.saturating_sub(placed)))
}

pub fn path_points(state: &State, way: &[HexId]) -> u32 {
    way.iter().map(|&hex| u32::from(state.board.hex_points(hex))).sum()
}

/// Returns a sort key for paths: points per locomotive first, then points in total, then fewer
/// locomotives.
fn path_sort_key(state: &State, way: &[HexId]) -> (usize, u32, Reverse<usize>) {
    let points = path_points(state, way);
    let all = usize::try_from(points).unwrap_or_default();
    (all * 60 / way.len().max(1), points, Reverse(way.len()))
}

/// Returns a shortest path to each free city that at most `most` locomotives can reach. A path is a
/// list of hexes in the order of placing.
pub fn paths_to_cities(state: &State, colour: Colour, most: usize) -> Vec<Vec<HexId>> {
    let board = &*state.board;
    let cuts = |&hex: &HexId| cutoff::colour_cut_off_by(state, colour, hex).is_some();
    let barred: HexSet =
        cutoff::possible_cut_off_hexes(state, colour).iter().filter(cuts).collect();
    let open = state.hexes_open_to(colour).minus(barred);
    let (mut rings, mut ways) = (Vec::new(), Vec::new());
    for ring in board.rings(state.locomotives[colour], open).take(most) {
        rings.push(ring);
        ways.extend(ring.and(board.city_hexes).iter().map(|city| trace_path(state, &rings, city)));
    }
    ways
}

/// Traces a path back from a city in the last ring to the first ring. It prefers hexes with other
/// cities.
fn trace_path(state: &State, rings: &[HexSet], city: HexId) -> Vec<HexId> {
    let board = &*state.board;
    let (mut way, mut last) = (vec![city], city);
    for ring in rings.iter().rev().skip(1) {
        let before = ring.and(board.neighbours(last));
        last = before.iter().max_by_key(|&id| (board.hex_points(id), Reverse(id))).unwrap_or(last);
        way.push(last);
    }
    way.reverse();
    way
}

/// Returns the beginning of the shortest path to a city that is too far for one build: as many
/// hexes as one build can place, and its first hex alone.
pub fn first_part_of_path_to_city(state: &State, colour: Colour, most: usize) -> Vec<Vec<HexId>> {
    let far = paths_to_cities(state, colour, usize::from(HexId::MAX));
    let nearest = far.into_iter().min_by_key(|way| (way.len(), Reverse(path_points(state, way))));
    let way = nearest.unwrap_or_default();
    let steps = if most > 1 { vec![most, 1] } else { vec![most] };
    let parts = steps.into_iter().filter_map(|count| way.get(..count));
    parts.filter(|part| !part.is_empty()).map(<[HexId]>::to_vec).collect()
}
