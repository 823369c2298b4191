//! Lines that a player could send now: a whole turn, the moves alone, the actions of a turn, or an
//! answer.
//!
//! They are tried in a consistent hidden state that is dealt for the player, so a suggestion
//! discloses nothing.

use super::crash::{told_once, value};
use super::order::CARTS_MAX;
use super::plan::unused_dice;
use super::refuse::{berth_word, cart_word};
use super::score::Grade;
use super::trips::{Trip, trips};
use super::{
    CartId, Colour, Era, Hoard, OffTheRails, Order, Place, Square, State, deck, score, travel,
};
use crate::rules::{Hidden, Message, OrderText, Rules, Seat, Suggestion, Viewer};
use std::cmp::Reverse;

/// The number of turns that the search keeps, and of trips for each cart.
const PLANS_KEPT: usize = 20;
const TRIPS_KEPT: usize = 14;
/// The number of suggestions of each sort.
const TURNS: usize = 4;
const MOVES: usize = 3;
const STEPS: usize = 2;
const CHASMS: usize = 2;

/// The lines that the player of a seat could send now.
pub fn suggestions(state: &State, seat: Seat) -> Vec<Suggestion> {
    let mut dice = unused_dice();
    let world = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
    let mut told = Told { state: world, seat, lines: Vec::new(), asks_claim: false };
    match (travel::asked(&told.state), told.state.active()) {
        (Some(asked), _) if asked == seat => told.answers(),
        (None, Some(active)) if active == seat => told.turns(),
        _ => {}
    }
    told.lines.truncate(Suggestion::MAX);
    told.lines
}

/// A turn of all carts of a seat.
#[derive(Clone, Default)]
struct Plan<'a> {
    trips: Vec<&'a Trip>,
    worth: i64,
    /// Whether a cart is given up.
    is_loss: bool,
}

impl<'a> Plan<'a> {
    fn cost(&self) -> usize {
        self.trips.iter().map(|trip| trip.cost()).sum()
    }

    fn with(&self, trip: &'a Trip) -> Self {
        let mut longer = self.clone();
        longer.worth += trip.worth;
        longer.trips.push(trip);
        longer
    }

    /// Whether the trip needs nothing that another trip of the plan needs.
    fn allows(&self, trip: &Trip) -> bool {
        let clashes = |other: &&Trip| other.needs().any(|need| trip.needs().any(|it| it == need));
        !self.trips.iter().any(clashes)
    }

    /// The ends of its trips. Two plans with the same ends are suggested once.
    fn ends(&self) -> Vec<(CartId, Option<Square>, bool)> {
        let end = |trip: &&Trip| (trip.cart, trip.path.last().copied(), trip.exit.is_some());
        self.trips.iter().map(end).collect()
    }
}

/// The suggestions so far.
struct Told {
    /// The position, with hidden state dealt for the seat.
    state: State,
    seat: Seat,
    lines: Vec<Suggestion>,
    /// Whether some turn would be asked about a claim.
    asks_claim: bool,
}

impl Told {
    fn say(&mut self, key: &'static str, line: String) {
        let group = Message::new(key);
        let alike = self.lines.iter().filter(|one| one.group == group).count();
        let is_said = self.lines.iter().any(|one| one.line == line);
        if alike < Suggestion::GROUP_MAX && !is_said && line.len() < 200 {
            self.lines.push(Suggestion { group, line });
        }
    }

    /// Suggests all answers to a move that waits.
    fn answers(&mut self) {
        let mut answers = told_once(&self.state, &travel::answers(&self.state));
        let crash = self.state.run.and_then(|run| run.crash);
        let hold = crash.map_or(Hoard::NONE, |crash| self.state.cart(crash.other).hold);
        let uneven = |answer: &Order| match *answer {
            Order::Cut(pile) => value(&self.state, hold).abs_diff(2 * value(&self.state, pile)),
            _ => 0,
        };
        answers.sort_by_key(uneven);
        for (place, answer) in answers.into_iter().enumerate() {
            let key = match (answer, place) {
                (Order::Cut(_), 0..Suggestion::GROUP_MAX) => "or-tap-cut-even",
                (Order::Cut(_), _) => "or-tap-cut-uneven",
                _ => "or-tap-answer",
            };
            let line = OffTheRails::write(&self.state, &[answer]);
            self.say(key, line);
        }
    }

    fn turns(&mut self) {
        let stint = self.state.stint;
        let budget = if stint.moved == 0 { usize::from(stint.actions) } else { 0 };
        let options = self.options(budget);
        let alone = plans(&options, 0);
        let plans = plans(&options, budget);
        let is_saved = alone.iter().chain(&plans).any(|plan| !plan.is_loss);
        let whole = self.tell(&plans, "or-tap-turn", TURNS, is_saved);
        self.tell(&alone, "or-tap-move", MOVES, is_saved);
        self.steps(&whole, budget);
        // If nothing was found, the end of the turn is suggested, with `derail` if it needs that.
        for (line, key) in [("done", "or-tap-move"), ("done derail", "or-tap-lost")] {
            if self.lines.is_empty() && self.is_sent(line) {
                self.say(key, line.to_owned());
            }
        }
        self.chasms();
        if self.asks_claim {
            let open = self.state.missions.iter().filter(|mission| mission.is_claimed_in_turn());
            let lines: Vec<String> =
                open.map(|mission| format!("claim {}", mission.name())).take(2).collect();
            lines.into_iter().for_each(|line| self.say("or-tap-claim", line));
        }
        if self.state.numbers.is_solo() && score::grade(&self.state) != Grade::Loss {
            self.say("or-tap-stop", "stop".to_owned());
        }
    }

    /// The trips of each cart that can move, and whether the cart has to move.
    fn options(&self, budget: usize) -> Vec<(bool, Vec<Trip>)> {
        let state = &self.state;
        let is_early = state.numbers.is_solo() || state.era == Era::Mining;
        let mut options = Vec::new();
        for cart in state.carts_of(self.seat) {
            let is_due = state.cart(cart).is_on_board() && !state.has_moved(cart);
            // Two carts in one supply have the same trips.
            let is_first = state.numbers.is_solo() || options.iter().all(|(is_due, _)| *is_due);
            let is_idle = state.cart(cart).place == Place::Supply;
            if is_due || is_idle && is_first && is_early {
                options.push((is_due, kept(trips(state, cart, budget))));
            }
        }
        options
    }

    /// Suggests the best of these plans that have different ends. Returns the suggested plans.
    fn tell<'a>(
        &mut self,
        plans: &[Plan<'a>],
        key: &'static str,
        most: usize,
        is_saved: bool,
    ) -> Vec<Plan<'a>> {
        let mut told: Vec<Plan<'_>> = Vec::new();
        let is_turn = key == "or-tap-turn";
        for plan in plans {
            let is_whole = !plan.trips.is_empty() && (plan.cost() > 0) == is_turn;
            let is_told = told.iter().any(|other| other.ends() == plan.ends());
            let is_idle_loss = plan.is_loss && (is_saved || !told.is_empty());
            if told.len() >= most || !is_whole || is_told || is_idle_loss {
                continue;
            }
            if let Some(line) = self.line(plan) {
                self.say(if line.ends_with("derail") { "or-tap-lost" } else { key }, line);
                told.push(plan.clone());
            }
        }
        told
    }

    /// The line of a plan, if its carts end as planned and no question would be asked.
    fn line(&mut self, plan: &Plan<'_>) -> Option<String> {
        let is_named = plan.trips.iter().any(|trip| trip.is_named);
        let is_open = self.goes_well(plan)?;
        if is_named && is_open {
            return None;
        }
        let acts: Vec<&Order> = plan.trips.iter().flat_map(|trip| &trip.acts).collect();
        let mut parts = actions(&self.state, &acts);
        parts.push(if is_named { named(&self.state, plan) } else { "move".to_owned() });
        let line = parts.join("; ");
        if self.is_sent(&line) {
            return Some(line);
        }
        let line = line + " derail";
        (plan.is_loss && self.is_sent(&line)).then_some(line)
    }

    /// Whether a letter with this line would be carried out without a question.
    fn is_sent(&mut self, line: &str) -> bool {
        let doubt = OffTheRails::doubt(&self.state, self.seat, &[line]);
        self.asks_claim |=
            doubt.as_ref().is_some_and(|(_, refusal)| refusal.reason.key == "or-doubt-claim");
        doubt.is_none() && OffTheRails::parse(&self.state, self.seat, line).is_ok()
    }

    /// Tries the plan out. Returns whether it discloses something, or none if a cart does not end
    /// as planned.
    fn goes_well(&self, plan: &Plan<'_>) -> Option<bool> {
        let mut ahead = Play { state: self.state.clone(), seat: self.seat, is_open: false };
        let mut acts = plan.trips.iter().flat_map(|trip| &trip.acts);
        acts.try_for_each(|order| ahead.play(order))?;
        plan.trips.iter().try_for_each(|trip| ahead.travel(trip))?;
        Some(ahead.is_open)
    }

    /// Suggests the actions of turns without the moves. A cart that enters must move in the same
    /// turn, so for such a turn only the track is suggested.
    fn steps(&mut self, whole: &[Plan<'_>], budget: usize) {
        let mut told = 0;
        for plan in whole.iter().filter(|plan| !plan.is_loss) {
            let mut acts: Vec<&Order> = plan.trips.iter().flat_map(|trip| &trip.acts).collect();
            if acts.iter().any(|order| matches!(order, Order::Enter { .. })) {
                acts.retain(|order| matches!(order, Order::Lay { .. }));
            }
            let is_part = (1..budget).contains(&acts.len());
            let step = actions(&self.state, &acts).join("; ");
            let is_new = self.lines.iter().all(|one| one.line != step);
            if told < STEPS && is_part && is_new && self.is_sent(&step) {
                self.say("or-tap-step", step);
                told += 1;
            }
        }
    }

    /// Suggests squares for chasm tokens that harm other players most.
    fn chasms(&mut self) {
        let state = &self.state;
        if state.numbers.is_solo() || state.era != Era::Abyss {
            return;
        }
        let may = (!state.has_cart(self.seat)).then(|| "chasm yes".to_owned());
        let lines = if state.numbers.variant.abyss_die {
            Vec::new()
        } else {
            chasm_lines(state, self.seat)
        };
        for line in may.into_iter().chain(lines).take(CHASMS) {
            self.say("or-tap-chasm", line);
        }
    }
}

/// The worth that a plan loses for each cart that it gives up.
const LOST: i64 = 2_000;

/// The best plans for all carts with at most `budget` actions, the best first.
fn plans(options: &[(bool, Vec<Trip>)], budget: usize) -> Vec<Plan<'_>> {
    let mut plans = vec![Plan::default()];
    for (is_due, trips) in options {
        let mut longer: Vec<Plan<'_>> = Vec::new();
        for plan in &plans {
            let left = budget.saturating_sub(plan.cost());
            let fits = |trip: &&Trip| trip.cost() <= left && plan.allows(trip);
            longer.extend(trips.iter().filter(fits).map(|trip| plan.with(trip)));
            let worth = if *is_due { plan.worth - LOST } else { plan.worth };
            let is_loss = plan.is_loss || *is_due;
            longer.push(Plan { worth, is_loss, ..plan.clone() });
        }
        longer.sort_by_key(|plan| Reverse(plan.worth));
        longer.truncate(PLANS_KEPT);
        plans = longer;
    }
    plans
}

/// Keeps the best trips, and at least four for each number of actions.
fn kept(mut all: Vec<Trip>) -> Vec<Trip> {
    all.sort_by_key(|trip| Reverse(trip.worth));
    let mut kept: Vec<Trip> = Vec::new();
    for (place, trip) in all.into_iter().enumerate() {
        let alike = kept.iter().filter(|other| other.cost() == trip.cost()).count();
        if place < TRIPS_KEPT || alike < 4 {
            kept.push(trip);
        }
    }
    kept
}

/// The actions as the parts of a line.
fn actions(state: &State, acts: &[&Order]) -> Vec<String> {
    let (mut lays, mut others, mut speeds) = (Vec::new(), Vec::new(), [0_i8; CARTS_MAX]);
    for order in acts {
        match **order {
            Order::Lay { at, ends } => lays.push(format!("{at} {ends}")),
            Order::Upgrade { at, way } => others.push(format!("upgrade {at} {}", way.name())),
            Order::Enter { cart, berth } => {
                let place = berth_word(berth.side, berth.index);
                others.push(format!("enter {} {place}", cart_word(state, cart)));
            }
            Order::Speed { cart, up } => speeds[cart.index()] += if up { 1 } else { -1 },
            _ => {}
        }
    }
    let lays = (!lays.is_empty()).then(|| format!("lay {}", lays.join(", ")));
    let speeds = state.all_carts().zip(speeds).filter(|&(_, change)| change != 0);
    let speeds = speeds.map(|(cart, change)| {
        let speed = state.cart(cart).speed.saturating_add_signed(change);
        format!("speed {} {speed}", cart_word(state, cart))
    });
    lays.into_iter().chain(others).chain(speeds).collect()
}

/// The moves of a plan, square by square.
fn named(state: &State, plan: &Plan<'_>) -> String {
    let mut line = "move".to_owned();
    for trip in &plan.trips {
        line += &format!(" {}", cart_word(state, trip.cart));
        trip.path.iter().for_each(|at| line += &format!(" {at}"));
        line += &trip.exit.map_or_else(String::new, |side| format!(" out {}", side.name()));
    }
    line
}

/// A plan that is tried out.
struct Play {
    state: State,
    seat: Seat,
    /// Whether an event disclosed something to the player.
    is_open: bool,
}

impl Play {
    fn play(&mut self, order: &Order) -> Option<()> {
        let mut dice = unused_dice();
        let events = OffTheRails::decide(&self.state, self.seat, order, &mut dice).ok()?;
        for event in events {
            self.is_open |= OffTheRails::discloses(&self.state, &event, self.seat);
            self.state.apply(&event);
        }
        Some(())
    }

    /// Moves a cart on its trip. None if it does not end as the trip says.
    fn travel(&mut self, trip: &Trip) -> Option<()> {
        if self.state.run.is_some() {
            // Another player has to answer first.
            self.is_open = true;
            return Some(());
        }
        let start = self.state.cart(trip.cart).place;
        self.play(&Order::Move { cart: trip.cart })?;
        while travel::asked(&self.state) == Some(self.seat) {
            let answers = travel::answers(&self.state);
            let on = answers.iter().find(|answer| self.leads_on(trip, answer));
            let answer = *on.or_else(|| answers.first())?;
            self.play(&answer)?;
        }
        self.is_open |= self.state.run.is_some();
        let stop = trip.path.last().map_or(start, |&at| Place::Track(at));
        let end = if trip.exit.is_some() { Place::Supply } else { stop };
        (self.state.cart(trip.cart).place == end).then_some(())
    }

    /// Whether the answer takes the cart to the next square of its trip.
    fn leads_on(&self, trip: &Trip, answer: &Order) -> bool {
        let (&Order::Go(way), Place::Track(at)) = (answer, self.state.cart(trip.cart).place) else {
            return false;
        };
        let here = trip.path.iter().position(|&square| square == at);
        let next = here.and_then(|here| trip.path.get(here + 1)).copied();
        match self.state.board.step(at, way) {
            Some(to) => next == Some(to),
            None => next.is_none() && trip.exit == Some(way),
        }
    }
}

/// One line with the best square of each colour, then one for each foreign cart in reach.
fn chasm_lines(state: &State, seat: Seat) -> Vec<String> {
    let harm = |at: &Square| {
        let harm_to = |cart: CartId| {
            let shown = state.cart(cart);
            let is_on = shown.square() == Some(*at);
            let on = if is_on { 400 + 100 * value(state, shown.hold) } else { 0 };
            let ahead = if travel::next_square(state, cart) == Some(*at) { 100 } else { 0 };
            (on + ahead) * if state.owner(cart) == seat { -2 } else { 1 }
        };
        let wasted = value(state, state.ground[*at]);
        let carts: i64 = state.all_carts().map(harm_to).sum();
        carts - wasted + i64::from(state.tiled.contains(*at))
    };
    let (mut best, mut hits) = (Vec::new(), Vec::new());
    for colour in Colour::ALL.into_iter().filter(|colour| state.tokens[colour.index()] > 0) {
        let squares = deck::chasm_squares(state, colour);
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
