//! Suggested lines that a player could send now: whole turns, moves alone, the actions of a turn,
//! or answers to a question.
//!
//! The lines are tried out in a determinization for the player, so a suggestion discloses nothing.

use super::crash::{jewel_value, remove_mirrored_cuts};
use super::order::CARTS_MAX;
use super::plan::throwaway_dice;
use super::refuse::{cart_order_word, column_or_row_label};
use super::score::Grade;
use super::turn_plans::{self, PlanTrial, TurnPlan, combine_plans};
use super::{
    CartId, Colour, Era, JewelCounts, OffTheRails, Order, Square, State, deck, score, travel,
};
use crate::rules::{HiddenInfo, Message, OrderText, Seat, Suggestion, Viewer};
use std::cmp::Reverse;

/// The highest number of suggestions of each sort.
const TURNS_MAX: usize = 4;
const MOVES_MAX: usize = 3;
const STEPS_MAX: usize = 2;
const TOKEN_LINES_MAX: usize = 2;

/// Returns the lines that the player of a seat could send now. The list is empty if it is not the
/// seat's turn.
pub fn suggest_lines(state: &State, seat: Seat) -> Vec<Suggestion> {
    let mut dice = throwaway_dice();
    let state = OffTheRails::redeal(state, Viewer::Seat(seat), &mut dice);
    let mut told = Suggester { state, seat, lines: Vec::new(), asks_claim: false };
    match (travel::asked_seat(&told.state), told.state.active_seat()) {
        (Some(asked), _) if asked == seat => told.suggest_answers(),
        (None, Some(active)) if active == seat => told.suggest_turns(),
        _ => {}
    }
    told.lines.truncate(Suggestion::MAX);
    told.lines
}

struct Suggester {
    /// A position in which the secrets that the seat cannot know are dealt again.
    state: State,
    seat: Seat,
    lines: Vec<Suggestion>,
    /// Whether some suggested turn would lead to a question about a claim.
    asks_claim: bool,
}

impl Suggester {
    fn add_line(&mut self, key: &'static str, line: String) {
        let group = Message::new(key);
        let alike = self.lines.iter().filter(|one| one.group == group).count();
        let is_said = self.lines.iter().any(|one| one.line == line);
        if alike < Suggestion::GROUP_MAX && !is_said && line.len() < 200 {
            self.lines.push(Suggestion { group, line });
        }
    }

    /// Suggests every answer to the open question of a move.
    fn suggest_answers(&mut self) {
        for (place, answer) in rank_answers(&self.state).into_iter().enumerate() {
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
        let budget = turn_plans::action_budget(&self.state);
        let options = turn_plans::find_cart_trips(&self.state, self.seat);
        let alone = combine_plans(&options, 0);
        let plans = combine_plans(&options, budget);
        let is_saved = alone.iter().chain(&plans).any(|plan| !plan.gives_up_cart);
        let whole = self.suggest_plans(&plans, "or-tap-turn", TURNS_MAX, is_saved);
        self.suggest_plans(&alone, "or-tap-move", MOVES_MAX, is_saved);
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

    /// Suggests the best of these plans that have different ends. Returns the suggested plans.
    fn suggest_plans<'a>(
        &mut self,
        plans: &[TurnPlan<'a>],
        key: &'static str,
        most: usize,
        is_saved: bool,
    ) -> Vec<TurnPlan<'a>> {
        let is_turn = key == "or-tap-turn";
        let alike = plans.iter().filter(|plan| (plan.action_count() > 0) == is_turn);
        let told = turn_plans::select_plans(alike, most, is_saved, |plan| {
            let line = self.write_plan(plan)?;
            self.add_line(if line.ends_with("derail") { "or-tap-lost" } else { key }, line);
            Some(())
        });
        told.into_iter().map(|(plan, ())| plan.clone()).collect()
    }

    /// Returns the line of a plan. Returns `None` if a cart does not end as planned, or if the line
    /// would lead to a question.
    fn write_plan(&mut self, plan: &TurnPlan<'_>) -> Option<String> {
        let is_named = plan.names_route();
        let trial = PlanTrial::run(&self.state, self.seat, plan)?;
        if is_named && trial.has_disclosed {
            return None;
        }
        let acts: Vec<&Order> = plan.actions().collect();
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

    /// Suggests the actions of turns without the moves. A cart that enters must move in the same
    /// turn, so only the track is suggested for such a turn.
    fn suggest_actions_only(&mut self, whole: &[TurnPlan<'_>], budget: usize) {
        let mut told = 0;
        for plan in whole.iter().filter(|plan| !plan.gives_up_cart) {
            let mut acts: Vec<&Order> = plan.actions().collect();
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

/// Returns all answers to the open question of a move. Cuts are sorted by the difference in value
/// of their piles.
pub fn rank_answers(state: &State) -> Vec<Order> {
    let mut answers = remove_mirrored_cuts(state, &travel::list_answers(state));
    let crash = state.current_move.and_then(|run| run.crash);
    let hold = crash.map_or(JewelCounts::NONE, |crash| state.cart(crash.other).hold);
    let uneven = |answer: &Order| match *answer {
        Order::Cut(pile) => jewel_value(state, hold).abs_diff(2 * jewel_value(state, pile)),
        _ => 0,
    };
    answers.sort_by_key(uneven);
    answers
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
