//! The knowledge that computer players use. Lines are compared by the points that they gain for the
//! seat, minus those that they gain for the average other player.

use super::ParisConnection;
use super::colour::{ByColour, Colour};
use super::decide::legal_trades;
use super::hex::HexId;
use super::state::{Order, State};
use super::suggest::{
    build_orders, first_part_of_path_to_city, path_points, paths_to_cities, remaining_placements,
};
use super::views::tally_shares;
use crate::rules::{Effort, Rules, Search, Seat, throwaway_dice};
use std::cmp::Reverse;

/// The maximum number of lines that are considered.
const LINES_MAX: usize = 24;

const fn new_effort(iterations: u32) -> Effort {
    Effort {
        iterations,
        depth: 16,
        first_width: 2,
        width: LINES_MAX,
        random_percent: 10,
        exploration_percent: 60,
        lead_percent: 30,
    }
}

impl Search for ParisConnection {
    const EFFORTS: [Effort; 3] = [new_effort(20), new_effort(80), new_effort(320)];
    const CLEAR_LEAD: i64 = 60;

    fn merits(state: &State) -> Vec<i64> {
        let merit = |seat| {
            let tally = tally_shares(state, &state.shares_of(seat));
            tally.worth - tally.penalty
        };
        Seat::all(state.numbers.seats).map(merit).collect()
    }

    fn candidates(state: &State, seat: Seat, most: usize) -> Vec<Vec<Order>> {
        if state.active_seat() != Some(seat) {
            return Vec::new();
        }
        let judge = Judge::new(state, seat);
        let mut lines = judge.weigh_builds();
        if state.build.is_none() {
            lines.extend(
                legal_trades(state, seat).map(|order| (judge.trade_gain(order), vec![order])),
            );
        } else {
            lines.push((0, vec![Order::Stop]));
        }
        lines.sort_by_key(|(gain, _)| Reverse(*gain));
        let legal = lines.into_iter().filter_map(|(_, line)| complete_line(state, seat, line));
        let mut legal: Vec<Vec<Order>> = legal.take(most.min(LINES_MAX)).collect();
        if legal.is_empty() {
            legal.push(vec![Self::order_for_absent_player(state, seat)]);
        }
        legal
    }

    fn outlook(state: &State) -> Vec<i64> {
        let promise = best_points(state, &builds_to_cities(state));
        let merits = Self::merits(state);
        let hopes = Seat::all(state.numbers.seats).map(|seat| {
            let shares = state.shares_of(seat);
            shares.iter().map(|(colour, &n)| i64::from(n) * promise[colour]).sum::<i64>()
        });
        merits.into_iter().zip(hopes).map(|(merit, hope)| merit + hope / 2).collect()
    }
}

/// Returns the orders of a line with the end of its build, or `None` if one of them is illegal.
fn complete_line(state: &State, seat: Seat, mut line: Vec<Order>) -> Option<Vec<Order>> {
    let mut after = state.clone();
    for order in &line {
        ParisConnection::decide_and_apply(&mut after, seat, order, &mut throwaway_dice()).ok()?;
    }
    if after.build.is_some() {
        line.push(Order::Stop);
    }
    Some(line)
}

/// Returns the builds with which each company reaches a city in one turn.
fn builds_to_cities(state: &State) -> ByColour<Vec<Vec<HexId>>> {
    ByColour::from_fn(|colour| {
        let most = usize::from(state.supply[colour].min(state.numbers.build_most));
        paths_to_cities(state, colour, most)
    })
}

/// Returns the points that each company can gain in one of these builds.
fn best_points(state: &State, builds: &ByColour<Vec<Vec<HexId>>>) -> ByColour<i64> {
    let points = |way: &Vec<HexId>| i64::from(path_points(state, way));
    ByColour::from_fn(|colour| builds[colour].iter().map(points).max().unwrap_or(0))
}

/// The seat that compares lines, and the position.
struct Judge<'a> {
    state: &'a State,
    seat: Seat,
    builds: ByColour<Vec<Vec<HexId>>>,
    promise: ByColour<i64>,
}

impl<'a> Judge<'a> {
    fn new(state: &'a State, seat: Seat) -> Self {
        let builds = builds_to_cities(state);
        let promise = best_points(state, &builds);
        Self { state, seat, builds, promise }
    }

    /// Returns the seat's gain over the average other player if the company gains these points.
    /// All can count the shares that the others hold together.
    fn value_gain(&self, colour: Colour, points: i64) -> i64 {
        let state = self.state;
        let built = state.locomotives[colour].minus(state.board.start_hexes).len();
        let own = i64::from(state.shares_of(self.seat)[colour]);
        let known = i64::from(built) + i64::from(state.supply[colour]) + own;
        let others = i64::from(state.numbers.locomotives) - known;
        let count = i64::from(state.numbers.seats).max(2) - 1;
        points * (own * count - others) / count
    }

    fn weigh_builds(&self) -> Vec<(i64, Vec<Order>)> {
        let state = self.state;
        let colours = Colour::ALL.into_iter();
        let colours = colours
            .filter(|colour| state.build.is_none_or(|build| build.colour == *colour))
            .filter(|colour| state.supply[*colour] > 0);
        let builds = colours.flat_map(|colour| {
            let most = remaining_placements(state, colour);
            let mut ways = match state.build {
                None => self.builds[colour].clone(),
                Some(_) => paths_to_cities(state, colour, most),
            };
            if ways.is_empty() {
                ways = first_part_of_path_to_city(state, colour, most);
            }
            ways.into_iter().map(move |way| self.weigh_build(colour, &way))
        });
        builds.collect()
    }

    fn weigh_build(&self, colour: Colour, way: &[HexId]) -> (i64, Vec<Order>) {
        let points = i64::from(path_points(self.state, way));
        (self.value_gain(colour, points), build_orders(self.state, colour, way))
    }

    /// Returns the gain of a trade at the values that companies are likely to have soon.
    fn trade_gain(&self, order: Order) -> i64 {
        let Order::Trade { give, take, count } = order else { return 0 };
        let State { values, numbers, .. } = self.state;
        let worth = |colour| i64::from(values[colour]) + self.promise[colour] / 2;
        let held = i64::from(self.state.shares_of(self.seat).total());
        let excess = |held: i64| (held - i64::from(numbers.share_limit)).max(0);
        let added = excess(held - 1 + i64::from(count)) - excess(held);
        i64::from(count) * worth(take) - worth(give) - added * i64::from(numbers.penalty)
    }
}
