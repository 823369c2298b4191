//! The search for trips that a cart could make in this turn, including actions that lay track and
//! change its speed. Each trip gets an estimate of its worth.
//!
//! The search only proposes trips. The rules decide which of them are legal.

use super::crash::{facing_after_collision, jewel_value};
use super::{
    CartId, Direction, Era, Jewel, JewelCounts, Mission, Order, Place, Square, State,
    SurfaceSquare, TileOpenings, travel,
};

/// A move of a cart in this turn, with the actions before it.
#[derive(Clone)]
pub struct Trip {
    pub cart: CartId,
    /// The actions that the trip needs, in order.
    pub acts: Vec<Order>,
    /// The squares that the cart enters, in order.
    pub path: Vec<Square>,
    /// The side over which the cart leaves. `None` if it stops on the board.
    pub exit: Option<Direction>,
    /// Whether the cart leaves a junction in another direction than the default. The line must then
    /// name the squares.
    pub names_route: bool,
    /// The estimated worth. A ruby in the hold is worth 60.
    pub worth: i64,
}

impl Trip {
    pub const fn action_count(&self) -> usize {
        self.acts.len()
    }

    /// Returns the places that no other cart can use in the same turn. These are the surface square
    /// of its entry, the squares that it builds on, and the square where it stops. The flag is
    /// `true` for the last one.
    pub fn exclusive_places(&self) -> impl Iterator<Item = (bool, Place)> {
        let stop = self.path.last().filter(|_| self.exit.is_none());
        let acts = self.acts.iter().filter_map(|order| match *order {
            Order::Enter { berth, .. } => Some((false, Place::Surface(berth))),
            Order::Lay { at, .. } | Order::Upgrade { at, .. } => Some((false, Place::Track(at))),
            _ => None,
        });
        acts.chain(stop.map(|&at| (true, Place::Track(at))))
    }
}

/// Returns all trips of a cart in this turn that need at most `budget` actions and do not lose the
/// cart.
pub fn find_trips(state: &State, cart: CartId, budget: usize) -> Vec<Trip> {
    let mut search = TripSearch {
        state,
        cart,
        budget,
        jewel_squares: value_jewel_squares(state),
        found: Vec::new(),
    };
    let start = |acts, way, left, hold| {
        let trip = Trip { cart, acts, path: Vec::new(), exit: None, names_route: false, worth: 0 };
        PartialTrip { trip, way, left, hold }
    };
    let (shown, limits) = (state.cart(cart), state.numbers.speed);
    match shown.place {
        Place::Track(_) | Place::Surface(_) => {
            let next = travel::next_square(state, cart);
            for speed in limits.least..=limits.most {
                let change = usize::from(speed.abs_diff(shown.speed));
                let up = speed > shown.speed;
                if change <= if up { 1 } else { 2 } && change <= budget {
                    let acts = vec![Order::Speed { cart, up }; change];
                    search.extend_trip(start(acts, shown.facing, speed, shown.hold), next);
                }
            }
        }
        Place::Supply if budget > 0 => {
            let side = state.home_side(cart);
            for index in 0..state.board.side_length(side) {
                let berth = SurfaceSquare { side, index };
                let acts = vec![Order::Enter { cart, berth }];
                let leg = start(acts, side.opposite(), limits.start, JewelCounts::NONE);
                search.extend_trip(leg, state.board.entry_square(berth));
            }
        }
        Place::Supply | Place::Gone => {}
    }
    search.found
}

/// The beginning of a trip, while the search continues it.
#[derive(Clone)]
struct PartialTrip {
    trip: Trip,
    /// The direction in which the cart leaves its present square.
    way: Direction,
    left: u8,
    hold: JewelCounts,
}

struct TripSearch<'a> {
    state: &'a State,
    cart: CartId,
    budget: usize,
    /// The squares with jewels, each with the worth of the best jewel there.
    jewel_squares: Vec<(Square, i64)>,
    found: Vec<Trip>,
}

fn value_jewel_squares(state: &State) -> Vec<(Square, i64)> {
    let lure = |at: Square| {
        let jewel = jewel_to_pick_up(state, state.ground[at])?;
        let worth = if state.numbers.is_solo() { 2 } else { state.numbers.values[jewel] };
        Some((at, 40 * i64::from(worth)))
    };
    state.board.squares.iter().filter_map(lure).collect()
}

impl TripSearch<'_> {
    /// Continues a trip to the next square. Drops the trip if the cart would be lost there.
    fn extend_trip(&mut self, leg: PartialTrip, next: Option<Square>) {
        let state = self.state;
        let Some(to) = next else {
            // A cart that enters and leaves without a jewel wastes actions.
            let has_entered = matches!(leg.trip.acts.first(), Some(Order::Enter { .. }));
            if !has_entered || leg.hold.precious_total() > 0 {
                let worth = self.exit_worth(&leg);
                self.add_trip(leg.trip, Some(leg.way), worth);
            }
            return;
        };
        let is_hole = state.collapsed_squares().contains(to) || state.board.centres.contains(to);
        // The search does not know the openings of a tile that this trip lays, so it does not cross
        // that tile twice.
        let is_new = leg.trip.path.contains(&to) && state.track[to] == TileOpenings::NONE;
        if is_hole || is_new {
            return;
        }
        if let Some(other) = state.cart_on(to).filter(|&other| other != self.cart) {
            self.end_with_collision(leg, to, other);
            return;
        }
        let (ends, back) = (state.track[to], leg.way.opposite());
        if ends.has(back) {
            self.arrive_at(leg, to, ends);
        } else if leg.trip.action_count() < self.budget {
            self.lay_missing_track(&leg, to, ends);
        }
    }

    /// Continues a trip with an action that lays the missing tile, or adds the missing opening.
    fn lay_missing_track(&mut self, leg: &PartialTrip, at: Square, ends: TileOpenings) {
        let (state, back) = (self.state, leg.way.opposite());
        let with = |search: &mut Self, order: Order, ends: TileOpenings| {
            let mut leg = leg.clone();
            leg.trip.acts.push(order);
            search.arrive_at(leg, at, ends);
        };
        if ends == TileOpenings::NONE {
            let is_laid = |order: &&Order| matches!(order, Order::Lay { .. });
            let laid = leg.trip.acts.iter().filter(is_laid).count();
            if laid < usize::from(state.tiles.straight_or_corner) {
                for out in Direction::ALL.into_iter().filter(|&out| out != back) {
                    let ends = TileOpenings::NONE.with(back).with(out);
                    with(self, Order::Lay { at, ends }, ends);
                }
            }
        } else if ends.is_junction() || state.tiles.t_or_cross > 0 {
            with(self, Order::Upgrade { at, way: back }, ends.with(back));
        }
    }

    fn arrive_at(&mut self, mut leg: PartialTrip, at: Square, ends: TileOpenings) {
        let state = self.state;
        let is_back = leg.trip.path.contains(&at);
        let mut ground = if is_back { JewelCounts::NONE } else { state.ground[at] };
        leg.trip.path.push(at);
        leg.left = leg.left.saturating_sub(1);
        for _ in 0..if leg.left == 0 { 2 } else { 1 } {
            if leg.hold.total() < u32::from(state.numbers.hold)
                && let Some(jewel) = jewel_to_pick_up(state, ground)
            {
                leg.hold[jewel] += 1;
                ground[jewel] -= 1;
            }
        }
        let ways = travel::openings_without_entry(ends, leg.way);
        let straight = travel::straight_or_first_direction(ways, leg.way);
        if leg.left == 0 {
            let worth = self.stop_worth(&leg, at, straight);
            self.add_trip(leg.trip, None, worth);
            return;
        }
        for way in ways.iter() {
            let mut on = PartialTrip { way, ..leg.clone() };
            on.trip.names_route |= way != straight;
            self.extend_trip(on, state.board.neighbour(at, way));
        }
    }

    /// Ends a trip with a collision. Drops the trip if the cart would derail, or if another cart of
    /// its owner would drop jewels or derail.
    fn end_with_collision(&mut self, leg: PartialTrip, to: Square, other: CartId) {
        let (state, rammed) = (self.state, self.state.cart(other));
        let is_own = state.owner(other) == state.owner(self.cart);
        let here = leg.trip.path.last().copied().or_else(|| state.cart(self.cart).square());
        let Some(here) = here else { return };
        let is_connected = state.track[to].has(leg.way.opposite());
        let is_hit = is_connected && !state.numbers.options.bumpers;
        if is_hit && (leg.hold.is_empty() || is_own) {
            return;
        }
        let reward = |mission| if state.missions.contains(mission) { 200 } else { 0 };
        let gain = match (is_hit, rammed.hold.is_empty()) {
            (true, true) => 40 + reward(Mission::BumperCarts),
            (true, false) => 20 * jewel_value(state, rammed.hold) + reward(Mission::JewelRobbery),
            _ => -40,
        };
        let facing = facing_after_collision(state.track[here], leg.way);
        let worth = self.stop_worth(&leg, here, facing) + gain;
        self.add_trip(leg.trip, None, worth);
    }

    fn add_trip(&mut self, trip: Trip, exit: Option<Direction>, worth: i64) {
        let cost = i64::try_from(trip.action_count()).unwrap_or(0) * 12;
        self.found.push(Trip { exit, worth: worth - cost, ..trip });
    }

    /// Returns the estimated worth of leaving the mine at the end of this trip.
    fn exit_worth(&self, leg: &PartialTrip) -> i64 {
        let (state, side, hold) = (self.state, leg.way, leg.hold);
        if state.numbers.is_solo() {
            // Jewels count at their own sides, and the first two of a kind are worth most because
            // of the grades.
            let home = state.board.home_jewels[side.index()];
            let has = state.players.first().map_or(0, |it| it.delivered[side.index()][home]);
            let right = i64::from(hold[home]);
            let first = if has < 2 && right > 0 { 400 } else { 0 };
            return first + 150 * right + 10 * (i64::from(hold.precious_total()) - right) - 40;
        }
        let mut deeds = travel::missions_achieved_by_exit(state, self.cart, side, hold);
        let claimed = if deeds.any(|deed| state.missions.contains(deed)) { 300 } else { 0 };
        let home = match (state.era, hold.precious_total()) {
            (Era::Mining, 0) => -200,
            (Era::Mining, _) => 0,
            _ => 300,
        };
        100 * jewel_value(state, hold) + claimed + home
    }

    /// Returns the estimated worth of a stop on the square `at`.
    fn stop_worth(&self, leg: &PartialTrip, at: Square, facing: Direction) -> i64 {
        let (state, hold) = (self.state, leg.hold);
        let wanted = if state.numbers.is_solo() {
            Jewel::PRECIOUS.into_iter().map(|jewel| 60 * i64::from(hold[jewel])).sum()
        } else {
            60 * jewel_value(state, hold)
        };
        let next = state.board.neighbour(at, facing);
        let has_room = hold.total() < u32::from(state.numbers.hold);
        let promise = match next {
            None if hold.precious_total() > 0 && !state.numbers.is_solo() => wanted / 3,
            None => -80,
            Some(to)
                if state.collapsed_squares().contains(to) || state.board.centres.contains(to) =>
            {
                -200
            }
            Some(to) if leg.trip.path.contains(&to) => -60,
            Some(to) if state.track[to] == TileOpenings::NONE => {
                self.nearby_jewel_worth(leg, to, has_room)
            }
            Some(to) if state.track[to].has(facing.opposite()) => {
                30 + self.nearby_jewel_worth(leg, to, has_room)
            }
            Some(_) => -60,
        };
        let (board, column, row) = (&state.board, at.column(), at.row());
        let to_east = board.columns.saturating_sub(column + 1);
        let to_south = board.rows.saturating_sub(row + 1);
        let edge = i64::from(column.min(row).min(to_east).min(to_south));
        let is_late = !state.numbers.is_solo() && state.era != Era::Mining;
        let urgency = match (is_late, hold.is_empty()) {
            (true, _) => 40,
            (false, true) => 0,
            (false, false) => 4 * i64::from(hold.total()),
        };
        wanted + promise - urgency * edge + if is_late { 0 } else { 60 }
    }

    /// Returns the worth of the jewels near the square ahead. The worth falls with the distance.
    fn nearby_jewel_worth(&self, leg: &PartialTrip, ahead: Square, has_room: bool) -> i64 {
        let lying =
            self.jewel_squares.iter().filter(|(at, _)| has_room && !leg.trip.path.contains(at));
        let promise = lying.map(|&(at, worth)| {
            let steps = at.column().abs_diff(ahead.column()) + at.row().abs_diff(ahead.row());
            worth / (1 + i64::from(steps))
        });
        promise.max().unwrap_or(0)
    }
}

/// Returns the jewel that a cart picks up here: a rock if there is one, or else the most valuable
/// jewel.
fn jewel_to_pick_up(state: &State, ground: JewelCounts) -> Option<Jewel> {
    if ground[Jewel::Rock] > 0 {
        return Some(Jewel::Rock);
    }
    let kinds = ground.kinds().map(|(jewel, _)| jewel);
    kinds.max_by_key(|&jewel| state.numbers.values[jewel])
}
