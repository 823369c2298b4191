//! The lines that the active player writes behind a collision, while the rammed player must still
//! cut the jewels. They are kept as plans and carried out once the piles are cut.

use super::OffTheRails;
use super::forms::GRAMMAR;
use super::state::State;
use super::travel;
use super::word_parser;
pub(super) use crate::rules::throwaway_dice;
use crate::rules::{
    ConditionalPlan, Grammar, Message, OrderText, PlanStatus, Refusal, RefusalKind, Rules, Seat,
};
use serde::{Deserialize, Serialize};

/// A line to be carried out once the jewels of a rammed cart are cut (ruling 22, option `cut:
/// interactive`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AfterCutPlan {
    /// The line as the player wrote it.
    line: String,
}

impl ConditionalPlan<OffTheRails> for AfterCutPlan {
    /// The forms of plans. There are none, because a plan is written like an ordinary order.
    const GRAMMAR: Grammar<State> = Grammar::EMPTY;

    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let small = word_parser::normalize_line(line);
        let is_foreign = |no: Refusal| no.kind == RefusalKind::NotAnOrder;
        if word_parser::split_words(&small).first() == Some(&"next") {
            let order = OffTheRails::parse_line(state, seat, strip_next_turn(&small));
            // Without a colon, it is text to people, as in `next time I shall win`.
            let is_text = !line.contains(':') && order.is_err_and(is_foreign);
            return (!is_text).then(|| Err(refuse_next_turn_plan(state, seat, &small)));
        }
        let is_kept = state.active_seat() == Some(seat)
            && travel::asked_seat(state).is_some_and(|asked| asked != seat);
        if !is_kept || OffTheRails::parse_line(state, seat, line).is_err_and(is_foreign) {
            return None;
        }
        let after = position_after_default_answers(state, |asked| {
            asked != seat || !is_pile_pick_line(line)
        });
        let allowed = OffTheRails::parse_line(&after, seat, line).and_then(|reading| {
            let (mut ahead, mut dice) = (after, throwaway_dice());
            for order in &reading.orders {
                OffTheRails::decide_and_apply(&mut ahead, seat, order, &mut dice)?;
            }
            Ok(vec![Self { line: line.to_owned() }])
        });
        Some(allowed)
    }

    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        if state.active_seat() != Some(seat) {
            return PlanStatus::Impossible(Message::new("or-plan-past"));
        }
        match (travel::asked_seat(state), is_pile_pick_line(&self.line)) {
            (None, true) => PlanStatus::Impossible(Message::new("or-plan-past")),
            (Some(asked), is_pick) if asked != seat || !is_pick => PlanStatus::Pending,
            _ => PlanStatus::Due(vec![self.line.clone()]),
        }
    }

    fn describe(&self, _: &State) -> Message {
        Message::new("or-plan-then").with("line", &*self.line)
    }
}

/// Refuses a line that begins with `next`, because orders for a later turn are not kept. If no
/// order follows the word, the line may be a message to people, and the refusal says that it is not
/// an order.
fn refuse_next_turn_plan(state: &State, seat: Seat, small: &str) -> Refusal {
    let is_order = OffTheRails::parse_line(state, seat, strip_next_turn(small))
        .map_or_else(|refusal| refusal.kind == RefusalKind::Illegal, |_| true);
    let reason = Message::new("or-no-next");
    if is_order {
        Refusal::illegal(reason)
    } else {
        GRAMMAR.refuse_unknown_start((state, Some(seat)), reason)
    }
}

/// Returns the text behind `next` or `next turn`.
fn strip_next_turn(small: &str) -> &str {
    let rest = small.split_once("next").map_or("", |(_, rest)| rest.trim_start());
    rest.strip_prefix("turn").unwrap_or(rest)
}

/// Whether the line picks one of two hidden piles.
pub fn is_pile_pick_line(line: &str) -> bool {
    let small = word_parser::normalize_line(line);
    word_parser::split_words(&small).first().and_then(|word| GRAMMAR.expand_verb(word))
        == Some("pick")
}

/// Returns the position after default answers. It answers as long as `is_said` holds for the seat
/// that is asked.
fn position_after_default_answers(state: &State, is_said: impl Fn(Seat) -> bool) -> State {
    let (mut ahead, mut dice) = (state.clone(), throwaway_dice());
    while let Some(asked) = travel::asked_seat(&ahead).filter(|&asked| is_said(asked)) {
        let Some(&answer) = travel::list_answers(&ahead).first() else { break };
        if OffTheRails::decide_and_apply(&mut ahead, asked, &answer, &mut dice).is_err() {
            break;
        }
    }
    ahead
}
