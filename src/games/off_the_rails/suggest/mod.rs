//! Suggested lines that a player could send now: whole turns, moves alone, the actions of a turn,
//! or answers to a question.
//!
//! The lines are tried out in a determinization for the player, so a suggestion discloses nothing.

use super::crash::{jewel_value, remove_mirrored_cuts};
use super::order::CARTS_MAX;
use super::plan::throwaway_dice;
use super::refuse::{cart_order_word, column_or_row_label};
use super::score::Grade;
use super::trips::{Trip, find_trips};
use super::{
    CartId, Colour, Era, JewelCounts, OffTheRails, Order, Place, Square, State, deck, score, travel,
};
use crate::rules::{HiddenInfo, Message, OrderText, Rules, Seat, Suggestion, Viewer};
use std::cmp::Reverse;

/// The number of plans, and of trips for each cart, that the search keeps.
const PLANS_MAX: usize = 20;
const TRIPS_MAX: usize = 14;
/// The highest number of suggestions of each sort.
const TURNS_MAX: usize = 4;
const MOVES_MAX: usize = 3;
const STEPS_MAX: usize = 2;
const TOKEN_LINES_MAX: usize = 2;

/// Returns the lines that the player of a seat could send now. The list is empty if it is not the
/// seat's turn.
pub fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
    suggest_best_lines(state, seat, Suggestion::MAX)
}

/// Returns the first of the lines that the player could send now, and stops when there are `most`
/// turns and moves.
pub fn suggest_best_lines(state: &State, seat: Seat, most: usize) -> Vec<Suggestion> {
    let mut dice = throwaway_dice();
    let state = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
    let mut told = Suggester { state, seat, most, lines: Vec::new(), asks_claim: false };
    match (travel::asked_seat(&told.state), told.state.active_seat()) {
        (Some(asked), _) if asked == seat => told.suggest_answers(),
        (None, Some(active)) if active == seat => told.suggest_turns(),
        _ => {}
    }
    told.lines.truncate(Suggestion::MAX);
    told.lines
}

/// A plan for the whole turn: at most one trip for each cart of the seat.
#[derive(Clone, Default)]
struct TurnPlan<'a> {
    trips: Vec<&'a Trip>,
    worth: i64,
    /// Whether a cart that must move has no trip in this plan. That cart is likely to be lost.
    gives_up_cart: bool,
}

impl<'a> TurnPlan<'a> {
    fn action_count(&self) -> usize {
        self.trips.iter().map(|trip| trip.action_count()).sum()
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

    /// Returns the end of each trip. Of two plans with equal ends, only the better one is
    /// suggested.
    fn final_places(&self) -> Vec<(CartId, Option<Square>, bool)> {
        let end = |trip: &&Trip| (trip.cart, trip.path.last().copied(), trip.exit.is_some());
        self.trips.iter().map(end).collect()
    }
}

struct Suggester {
    /// A position in which the secrets that the seat cannot know are dealt again.
    state: State,
    seat: Seat,
    /// The number of turns and moves after which nothing more is suggested.
    most: usize,
    lines: Vec<Suggestion>,
    /// Whether some suggested turn would lead to a question about a claim.
    asks_claim: bool,
}

impl Suggester {
    const fn has_enough(&self) -> bool {
        self.lines.len() >= self.most
    }

    fn add_line(&mut self, key: &'static str, line: String) {
        let group = Message::new(key);
        let alike = self.lines.iter().filter(|one| one.group == group).count();
        let is_said = self.lines.iter().any(|one| one.line == line);
        if alike < Suggestion::GROUP_MAX && !is_said && line.len() < 200 {
            self.lines.push(Suggestion { group, line });
        }
    }

    /// Suggests every answer to the open question of a move. Cuts are sorted by the difference in
    /// value of their piles.
    fn suggest_answers(&mut self) {
        let mut answers = remove_mirrored_cuts(&self.state, &travel::list_answers(&self.state));
        let crash = self.state.current_move.and_then(|run| run.crash);
        let hold = crash.map_or(JewelCounts::NONE, |crash| self.state.cart(crash.other).hold);
        let uneven = |answer: &Order| match *answer {
            Order::Cut(pile) => {
                jewel_value(&self.state, hold).abs_diff(2 * jewel_value(&self.state, pile))
            }
            _ => 0,
        };
        answers.sort_by_key(uneven);
        for (place, answer) in answers.into_iter().enumerate() {
            let key = match (answer, place) {
                (Order::Cut(_), 0..Suggestion::GROUP_MAX) => "or-tap-cut-even",
                (Order::Cut(_), _) => "or-tap-cut-uneven",
                _ => "or-tap-answer",
            };
            let line = OffTheRails::write_line(&self.state, &[answer]);
            self.add_line(key, line);
        }
    }

    fn suggest_turns(&mut self) {
        let stint = self.state.turn_progress;
        let budget = if stint.moved_carts == 0 { usize::from(stint.actions_left) } else { 0 };
        let options = self.find_trip_options(budget);
        let alone = combine_plans(&options, 0);
        let plans = combine_plans(&options, budget);
        let is_saved = alone.iter().chain(&plans).any(|plan| !plan.gives_up_cart);
        let whole = self.suggest_plans(&plans, "or-tap-turn", TURNS_MAX, is_saved);
        self.suggest_plans(&alone, "or-tap-move", MOVES_MAX, is_saved);
        if self.has_enough() {
            return;
        }
        self.suggest_actions_only(&whole, budget);
        // If no plan was found, only the end of the turn is suggested, with the word `derail` if a
        // cart derails by it.
        for (line, key) in [("done", "or-tap-move"), ("done derail", "or-tap-lost")] {
            if self.lines.is_empty() && self.would_pass_without_question(line) {
                self.add_line(key, line.to_owned());
            }
        }
        self.suggest_token_squares();
        if self.asks_claim {
            let open = self.state.missions.iter().filter(|mission| mission.is_claimable_in_turn());
            let lines: Vec<String> =
                open.map(|mission| format!("claim {}", mission.name())).take(2).collect();
            lines.into_iter().for_each(|line| self.add_line("or-tap-claim", line));
        }
        if self.state.numbers.is_solo() && score::solo_grade(&self.state) != Grade::Loss {
            self.add_line("or-tap-stop", "stop".to_owned());
        }
    }

    /// Returns the best trips of each cart that can move, and whether the cart must move.
    fn find_trip_options(&self, budget: usize) -> Vec<(bool, Vec<Trip>)> {
        let state = &self.state;
        let is_early = state.numbers.is_solo() || state.era == Era::Mining;
        let mut options = Vec::new();
        for cart in state.carts_of(self.seat) {
            let is_due = state.cart(cart).is_on_board() && !state.has_moved(cart);
            // Two carts in the same supply have the same trips, so only the first is considered.
            let is_first = state.numbers.is_solo() || options.iter().all(|(is_due, _)| *is_due);
            let is_idle = state.cart(cart).place == Place::Supply;
            if is_due || is_idle && is_first && is_early {
                options.push((is_due, keep_best_trips(find_trips(state, cart, budget))));
            }
        }
        options
    }

    /// Suggests the best of these plans that have different ends. Returns the suggested plans.
    fn suggest_plans<'a>(
        &mut self,
        plans: &[TurnPlan<'a>],
        key: &'static str,
        most: usize,
        is_saved: bool,
    ) -> Vec<TurnPlan<'a>> {
        let mut told: Vec<TurnPlan<'_>> = Vec::new();
        let is_turn = key == "or-tap-turn";
        for plan in plans {
            let is_whole = !plan.trips.is_empty() && (plan.action_count() > 0) == is_turn;
            let is_told = told.iter().any(|other| other.final_places() == plan.final_places());
            let is_idle_loss = plan.gives_up_cart && (is_saved || !told.is_empty());
            if told.len() >= most || self.has_enough() || !is_whole || is_told || is_idle_loss {
                continue;
            }
            if let Some(line) = self.write_plan(plan) {
                self.add_line(if line.ends_with("derail") { "or-tap-lost" } else { key }, line);
                told.push(plan.clone());
            }
        }
        told
    }

    /// Returns the line of a plan. Returns `None` if a cart does not end as planned, or if the line
    /// would lead to a question.
    fn write_plan(&mut self, plan: &TurnPlan<'_>) -> Option<String> {
        let is_named = plan.trips.iter().any(|trip| trip.names_route);
        let is_open = self.try_plan(plan)?;
        if is_named && is_open {
            return None;
        }
        let acts: Vec<&Order> = plan.trips.iter().flat_map(|trip| &trip.acts).collect();
        let mut parts = write_actions(&self.state, &acts);
        parts.push(if is_named { write_moves(&self.state, plan) } else { "move".to_owned() });
        let line = parts.join("; ");
        if self.would_pass_without_question(&line) {
            return Some(line);
        }
        let line = line + " derail";
        (plan.gives_up_cart && self.would_pass_without_question(&line)).then_some(line)
    }

    /// Whether a letter with this line is carried out without a question. Notes whether the
    /// question is about a claim.
    fn would_pass_without_question(&mut self, line: &str) -> bool {
        let doubt = OffTheRails::find_confirmation_question(&self.state, self.seat, &[line]);
        self.asks_claim |=
            doubt.as_ref().is_some_and(|(_, refusal)| refusal.reason.key == "or-doubt-claim");
        doubt.is_none() && OffTheRails::parse_line(&self.state, self.seat, line).is_ok()
    }

    /// Carries out a plan on a copy. Returns whether it discloses something to the player, or
    /// `None` if a cart does not end as planned.
    fn try_plan(&self, plan: &TurnPlan<'_>) -> Option<bool> {
        let mut ahead =
            PlanTrial { state: self.state.clone(), seat: self.seat, has_disclosed: false };
        let mut acts = plan.trips.iter().flat_map(|trip| &trip.acts);
        acts.try_for_each(|order| ahead.play_order(order))?;
        plan.trips.iter().try_for_each(|trip| ahead.play_trip(trip))?;
        Some(ahead.has_disclosed)
    }

    /// Suggests the actions of turns without the moves. A cart that enters must move in the same
    /// turn, so only the track is suggested for such a turn.
    fn suggest_actions_only(&mut self, whole: &[TurnPlan<'_>], budget: usize) {
        let mut told = 0;
        for plan in whole.iter().filter(|plan| !plan.gives_up_cart) {
            let mut acts: Vec<&Order> = plan.trips.iter().flat_map(|trip| &trip.acts).collect();
            if acts.iter().any(|order| matches!(order, Order::Enter { .. })) {
                acts.retain(|order| matches!(order, Order::Lay { .. }));
            }
            let is_part = (1..budget).contains(&acts.len());
            let step = write_actions(&self.state, &acts).join("; ");
            let is_new = self.lines.iter().all(|one| one.line != step);
            if told < STEPS_MAX && is_part && is_new && self.would_pass_without_question(&step) {
                self.add_line("or-tap-step", step);
                told += 1;
            }
        }
    }

    /// Suggests the squares for chasm tokens that harm the other players most.
    fn suggest_token_squares(&mut self) {
        let state = &self.state;
        if state.numbers.is_solo() || state.era != Era::Abyss {
            return;
        }
        let may = (!state.has_cart_on_board(self.seat)).then(|| "chasm yes".to_owned());
        let lines = if state.numbers.options.abyss_die {
            Vec::new()
        } else {
            write_token_lines(state, self.seat)
        };
        for line in may.into_iter().chain(lines).take(TOKEN_LINES_MAX) {
            self.add_line("or-tap-chasm", line);
        }
    }
}

/// The amount subtracted from a plan's worth for each cart that it gives up.
const LOST_CART_PENALTY: i64 = 2_000;

/// Returns the best plans for all carts with at most `budget` actions, the best first. `options`
/// contains for each cart whether it must move, and its trips.
fn combine_plans(options: &[(bool, Vec<Trip>)], budget: usize) -> Vec<TurnPlan<'_>> {
    let mut plans = vec![TurnPlan::default()];
    for (is_due, trips) in options {
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

/// Writes actions as the parts of a line. All tiles share one `lay`, and the speed of each cart is
/// set once.
fn write_actions(state: &State, acts: &[&Order]) -> Vec<String> {
    let (mut lays, mut others, mut speeds) = (Vec::new(), Vec::new(), [0_i8; CARTS_MAX]);
    for order in acts {
        match **order {
            Order::Lay { at, ends } => lays.push(format!("{at} {ends}")),
            Order::Upgrade { at, way } => others.push(format!("upgrade {at} {}", way.name())),
            Order::Enter { cart, berth } => {
                let place = column_or_row_label(berth.side, berth.index);
                others.push(format!("enter {} {place}", cart_order_word(state, cart)));
            }
            Order::Speed { cart, up } => speeds[cart.index()] += if up { 1 } else { -1 },
            _ => {}
        }
    }
    let lays = (!lays.is_empty()).then(|| format!("lay {}", lays.join(", ")));
    let speeds = state.all_carts().zip(speeds).filter(|&(_, change)| change != 0);
    let speeds = speeds.map(|(cart, change)| {
        let speed = state.cart(cart).speed.saturating_add_signed(change);
        format!("speed {} {speed}", cart_order_word(state, cart))
    });
    lays.into_iter().chain(others).chain(speeds).collect()
}

/// Writes the moves of a plan, with every square that the carts cross.
fn write_moves(state: &State, plan: &TurnPlan<'_>) -> String {
    let mut line = "move".to_owned();
    for trip in &plan.trips {
        line += &format!(" {}", cart_order_word(state, trip.cart));
        trip.path.iter().for_each(|at| line += &format!(" {at}"));
        line += &trip.exit.map_or_else(String::new, |side| format!(" out {}", side.name()));
    }
    line
}

/// A plan that is being carried out on a copy of the position.
struct PlanTrial {
    state: State,
    seat: Seat,
    has_disclosed: bool,
}

impl PlanTrial {
    fn play_order(&mut self, order: &Order) -> Option<()> {
        let mut dice = throwaway_dice();
        let events = OffTheRails::decide(&self.state, self.seat, order, &mut dice).ok()?;
        for event in events {
            self.has_disclosed |= OffTheRails::discloses(&self.state, &event, self.seat);
            self.state.apply(&event);
        }
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

/// Returns a line with the most harmful square of each colour, then a line for each cart of another
/// player that a token can hit.
fn write_token_lines(state: &State, seat: Seat) -> Vec<String> {
    let harm = |at: &Square| {
        let harm_to = |cart: CartId| {
            let shown = state.cart(cart);
            let is_on = shown.square() == Some(*at);
            let on = if is_on { 400 + 100 * jewel_value(state, shown.hold) } else { 0 };
            let ahead = if travel::next_square(state, cart) == Some(*at) { 100 } else { 0 };
            (on + ahead) * if state.owner(cart) == seat { -2 } else { 1 }
        };
        let wasted = jewel_value(state, state.ground[*at]);
        let carts: i64 = state.all_carts().map(harm_to).sum();
        carts - wasted + i64::from(state.tiled.contains(*at))
    };
    let (mut best, mut hits) = (Vec::new(), Vec::new());
    for colour in Colour::ALL.into_iter().filter(|colour| state.tokens[colour.index()] > 0) {
        let squares = deck::legal_token_squares(state, colour);
        let word = |at: Square| format!("{} {at}", colour.name());
        best.extend(squares.iter().min_by_key(|at| Reverse(harm(at))).map(word));
        let foe = |at: &Square| state.cart_on(*at).is_some_and(|cart| state.owner(cart) != seat);
        hits.extend(squares.iter().filter(foe).map(word));
    }
    let whole = (!best.is_empty()).then(|| best.join(", "));
    whole.into_iter().chain(hits).map(|squares| format!("chasm {squares}")).collect()
}

#[cfg(test)]
mod tests;
