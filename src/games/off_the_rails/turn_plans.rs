//! Plans for a whole turn: a trip for each cart, with the actions that it needs. Suggestions write
//! them as lines, and computer players compare them.

use super::plan::throwaway_dice;
use super::trips::{Trip, find_trips};
use super::{CartId, Era, OffTheRails, Order, Place, Square, State, travel};
use crate::rules::{HiddenInfo, Rules, Seat};
use std::cmp::Reverse;

/// The number of plans, and of trips for each cart, that are kept.
const PLANS_MAX: usize = 20;
const TRIPS_MAX: usize = 14;
/// The amount subtracted from a plan's worth for each cart that it gives up.
const LOST_CART_PENALTY: i64 = 2_000;

/// A plan for the whole turn: at most one trip for each cart of the seat.
#[derive(Clone, Default)]
pub struct TurnPlan<'a> {
    pub trips: Vec<&'a Trip>,
    worth: i64,
    /// Whether a cart that must move has no trip in this plan. That cart is likely to be lost.
    pub gives_up_cart: bool,
}

impl<'a> TurnPlan<'a> {
    pub fn action_count(&self) -> usize {
        self.trips.iter().map(|trip| trip.action_count()).sum()
    }

    pub fn actions(&self) -> impl Iterator<Item = &'a Order> {
        self.trips.iter().flat_map(|trip| &trip.acts)
    }

    /// Whether a cart leaves a junction in another direction than the default.
    pub fn names_route(&self) -> bool {
        self.trips.iter().any(|trip| trip.names_route)
    }

    fn with_trip(&self, trip: &'a Trip) -> Self {
        let mut longer = self.clone();
        longer.worth += trip.worth;
        longer.trips.push(trip);
        longer
    }

    /// Whether the trip needs no place that another trip of the plan needs.
    fn is_compatible_with(&self, trip: &Trip) -> bool {
        let clashes = |other: &&Trip| {
            other.exclusive_places().any(|need| trip.exclusive_places().any(|it| it == need))
        };
        !self.trips.iter().any(clashes)
    }

    /// Returns the end of each trip. Of two plans with equal ends, only the better one is needed.
    fn final_places(&self) -> Vec<(CartId, Option<Square>, bool)> {
        let end = |trip: &&Trip| (trip.cart, trip.path.last().copied(), trip.exit.is_some());
        self.trips.iter().map(end).collect()
    }
}

/// The best trips of a cart.
pub struct CartTrips {
    /// Whether the cart must move in this turn.
    is_due: bool,
    trips: Vec<Trip>,
}

/// Returns the best trips of each cart that can move in the rest of this turn.
pub fn find_cart_trips(state: &State, seat: Seat) -> Vec<CartTrips> {
    let budget = action_budget(state);
    let is_early = state.numbers.is_solo() || state.era == Era::Mining;
    let mut options: Vec<CartTrips> = Vec::new();
    for cart in state.carts_of(seat) {
        let is_due = state.cart(cart).is_on_board() && !state.has_moved(cart);
        // Two carts in the same supply have the same trips, so only the first is considered.
        let is_first = state.numbers.is_solo() || options.iter().all(|option| option.is_due);
        let is_idle = state.cart(cart).place == Place::Supply;
        if is_due || is_idle && is_first && is_early {
            let trips = keep_best_trips(find_trips(state, cart, budget));
            options.push(CartTrips { is_due, trips });
        }
    }
    options
}

/// Returns the number of actions that a plan can use. Actions come before the moves.
pub fn action_budget(state: &State) -> usize {
    let turn = state.turn_progress;
    if turn.moved_carts == 0 { usize::from(turn.actions_left) } else { 0 }
}

/// Returns the best plans for all carts with at most `budget` actions, the best first.
pub fn combine_plans(options: &[CartTrips], budget: usize) -> Vec<TurnPlan<'_>> {
    let mut plans = vec![TurnPlan::default()];
    for CartTrips { is_due, trips } in options {
        let mut longer: Vec<TurnPlan<'_>> = Vec::new();
        for plan in &plans {
            let left = budget.saturating_sub(plan.action_count());
            let fits = |trip: &&Trip| trip.action_count() <= left && plan.is_compatible_with(trip);
            longer.extend(trips.iter().filter(fits).map(|trip| plan.with_trip(trip)));
            let worth = if *is_due { plan.worth - LOST_CART_PENALTY } else { plan.worth };
            let is_loss = plan.gives_up_cart || *is_due;
            longer.push(TurnPlan { worth, gives_up_cart: is_loss, ..plan.clone() });
        }
        longer.sort_by_key(|plan| Reverse(plan.worth));
        longer.truncate(PLANS_MAX);
        plans = longer;
    }
    plans
}

/// Selects at most `most` plans that have trips and different ends, the best first. `convert`
/// returns `None` for a plan that cannot be used. A plan that gives up a cart is only selected as
/// the first one, and not if some plan saves all carts (`is_saved`).
pub fn select_plans<'p, 'a, T>(
    plans: impl IntoIterator<Item = &'p TurnPlan<'a>>,
    most: usize,
    is_saved: bool,
    mut convert: impl FnMut(&TurnPlan<'a>) -> Option<T>,
) -> Vec<(&'p TurnPlan<'a>, T)>
where
    'a: 'p,
{
    let mut selected: Vec<(&TurnPlan<'_>, T)> = Vec::new();
    for plan in plans.into_iter().filter(|plan| !plan.trips.is_empty()) {
        if selected.len() >= most {
            break;
        }
        let has_end = |(other, _): &(&TurnPlan<'_>, T)| other.final_places() == plan.final_places();
        let is_idle_loss = plan.gives_up_cart && (is_saved || !selected.is_empty());
        if !is_idle_loss && !selected.iter().any(has_end) {
            selected.extend(convert(plan).map(|converted| (plan, converted)));
        }
    }
    selected
}

/// Keeps the best trips, and at least four for each number of actions.
fn keep_best_trips(mut all: Vec<Trip>) -> Vec<Trip> {
    all.sort_by_key(|trip| Reverse(trip.worth));
    let mut kept: Vec<Trip> = Vec::new();
    for (place, trip) in all.into_iter().enumerate() {
        let alike = kept.iter().filter(|other| other.action_count() == trip.action_count()).count();
        if place < TRIPS_MAX || alike < 4 {
            kept.push(trip);
        }
    }
    kept
}

/// A plan that was carried out on a copy of the position.
pub struct PlanTrial {
    state: State,
    seat: Seat,
    /// The orders that were carried out, with the answers on the way.
    pub orders: Vec<Order>,
    /// Whether the plan discloses something to the player.
    pub has_disclosed: bool,
}

impl PlanTrial {
    /// Carries out a plan. Returns `None` if a cart does not end as planned.
    pub fn run(state: &State, seat: Seat, plan: &TurnPlan<'_>) -> Option<Self> {
        let state = state.clone();
        let mut trial = Self { state, seat, orders: Vec::new(), has_disclosed: false };
        plan.actions().try_for_each(|order| trial.play_order(order))?;
        plan.trips.iter().try_for_each(|trip| trial.play_trip(trip))?;
        Some(trial)
    }

    fn play_order(&mut self, order: &Order) -> Option<()> {
        let mut dice = throwaway_dice();
        let events = OffTheRails::decide(&self.state, self.seat, order, &mut dice).ok()?;
        for event in events {
            self.has_disclosed |= OffTheRails::discloses(&self.state, &event, self.seat);
            self.state.apply(&event);
        }
        self.orders.push(*order);
        Some(())
    }

    /// Moves a cart on its trip. Returns `None` if it does not end as the trip says.
    fn play_trip(&mut self, trip: &Trip) -> Option<()> {
        if self.state.current_move.is_some() {
            // Another player has to answer first, so the rest cannot be known.
            self.has_disclosed = true;
            return Some(());
        }
        let start = self.state.cart(trip.cart).place;
        self.play_order(&Order::Move { cart: trip.cart })?;
        while travel::asked_seat(&self.state) == Some(self.seat) {
            let answers = travel::list_answers(&self.state);
            let on = answers.iter().find(|answer| self.follows_trip(trip, answer));
            let answer = *on.or_else(|| answers.first())?;
            self.play_order(&answer)?;
        }
        self.has_disclosed |= self.state.current_move.is_some();
        let stop = trip.path.last().map_or(start, |&at| Place::Track(at));
        let end = if trip.exit.is_some() { Place::Supply } else { stop };
        (self.state.cart(trip.cart).place == end).then_some(())
    }

    /// Whether the answer takes the cart to the next square of its trip.
    fn follows_trip(&self, trip: &Trip, answer: &Order) -> bool {
        let (&Order::Go(way), Place::Track(at)) = (answer, self.state.cart(trip.cart).place) else {
            return false;
        };
        let here = trip.path.iter().position(|&square| square == at);
        let next = here.and_then(|here| trip.path.get(here + 1)).copied();
        match self.state.board.neighbour(at, way) {
            Some(to) => next == Some(to),
            None => next.is_none() && trip.exit == Some(way),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::off_the_rails::grid::{Direction, TileOpenings};
    use crate::games::off_the_rails::order::SurfaceSquare;

    fn square_at(name: &str) -> Square {
        Square::parse(name).unwrap_or_else(|| panic!("{name}"))
    }

    fn trip_to(cart: u8, square: &str, worth: i64, acts: Vec<Order>) -> Trip {
        let cart = CartId::new(cart).unwrap_or_else(|| panic!("{cart}"));
        Trip { cart, acts, path: vec![square_at(square)], exit: None, names_route: false, worth }
    }

    fn lay_order(square: &str) -> Order {
        Order::Lay { at: square_at(square), ends: TileOpenings::LAYABLE[0] }
    }

    fn enter_order(index: u8) -> Order {
        let cart = CartId::new(0).unwrap_or_else(|| panic!("no cart"));
        Order::Enter { cart, berth: SurfaceSquare { side: Direction::North, index } }
    }

    #[test]
    fn trips_sharing_a_place_are_incompatible() {
        let upgrade = Order::Upgrade { at: square_at("D2"), way: Direction::East };
        let one = trip_to(0, "D2", 0, Vec::new());
        let out = Trip { exit: Some(Direction::North), ..trip_to(1, "D2", 0, Vec::new()) };
        let cases = [
            (one.clone(), trip_to(1, "D3", 0, Vec::new()), true),
            (one.clone(), trip_to(1, "D2", 0, Vec::new()), false),
            (one, out, true),
            (
                trip_to(0, "D3", 0, vec![enter_order(3)]),
                trip_to(1, "E3", 0, vec![enter_order(4)]),
                true,
            ),
            (
                trip_to(0, "D3", 0, vec![enter_order(3)]),
                trip_to(1, "E3", 0, vec![enter_order(3)]),
                false,
            ),
            (
                trip_to(0, "D3", 0, vec![lay_order("D2")]),
                trip_to(1, "E3", 0, vec![lay_order("E2")]),
                true,
            ),
            (
                trip_to(0, "D3", 0, vec![lay_order("D2")]),
                trip_to(1, "E3", 0, vec![lay_order("D2")]),
                false,
            ),
            (trip_to(0, "D3", 0, vec![lay_order("D2")]), trip_to(1, "E3", 0, vec![upgrade]), false),
        ];
        for (place, (one, other, is_allowed)) in cases.iter().enumerate() {
            assert_eq!(
                TurnPlan::default().with_trip(one).is_compatible_with(other),
                *is_allowed,
                "case {place}"
            );
            assert_eq!(
                TurnPlan::default().with_trip(other).is_compatible_with(one),
                *is_allowed,
                "case {place}, turned"
            );
        }
    }

    #[test]
    fn best_plans_first_lost_carts_last() {
        let white =
            vec![trip_to(0, "D2", 300, vec![lay_order("D2")]), trip_to(0, "D3", 200, Vec::new())];
        let black =
            vec![trip_to(1, "E2", 250, vec![lay_order("E2")]), trip_to(1, "E3", 10, Vec::new())];
        let told = |is_due, budget| {
            let options = [
                CartTrips { is_due: true, trips: white.clone() },
                CartTrips { is_due, trips: black.clone() },
            ];
            let plans = combine_plans(&options, budget);
            let worth = |plan: &TurnPlan<'_>| (plan.worth, plan.trips.len(), plan.gives_up_cart);
            plans.iter().map(worth).collect::<Vec<_>>()
        };
        // With one action only one of the two carts can lay its tile.
        let best = [(200 + 250, 2, false), (300 + 10, 2, false), (200 + 10, 2, false)];
        assert_eq!(told(true, 1)[..3], best);
        let given_up = [
            (300 - LOST_CART_PENALTY, 1, true),
            (250 - LOST_CART_PENALTY, 1, true),
            (200 - LOST_CART_PENALTY, 1, true),
        ];
        assert_eq!(told(true, 1)[3..6], given_up);
        assert_eq!(
            told(true, 1)[6..],
            [(10 - LOST_CART_PENALTY, 1, true), (-2 * LOST_CART_PENALTY, 0, true)]
        );
        // A cart in the supply need not enter, so no penalty applies to it. A cart that is given up
        // stays given up.
        let idle =
            [(300, 1, false), (210, 2, false), (200, 1, false), (250 - LOST_CART_PENALTY, 1, true)];
        assert_eq!(told(false, 1)[2..6], idle);
    }

    #[test]
    fn best_trips_and_four_per_cost_are_kept() {
        let free = (1..=20).map(|worth| trip_to(0, "D2", worth, Vec::new()));
        let dear = (1..=6).map(|worth| trip_to(0, "D2", -worth, vec![lay_order("D2")]));
        let worth: Vec<i64> = keep_best_trips(free.chain(dear).collect())
            .into_iter()
            .map(|trip| trip.worth)
            .collect();
        let best: Vec<i64> = (7..=20).rev().chain([-1, -2, -3, -4]).collect();
        assert_eq!(worth, best);
    }
}
