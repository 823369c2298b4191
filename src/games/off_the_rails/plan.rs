//! Plans: a line for the seat's next turn, such as `next: lay D2 ne; move`, and the lines that the
//! active player writes behind a collision, while the rammed player must still cut the jewels.
//!
//! A plan for the next turn that cannot be carried out then is dropped. So is one by which a cart
//! would derail, unless the line says `derail`.

use super::confirmation;
use super::examples;
use super::forms::GRAMMAR;
use super::state::{Phase, State};
use super::travel;
use super::word_parser;
use super::{Event, OffTheRails, Order};
pub(super) use crate::rules::throwaway_dice;
use crate::rules::{
    ConditionalPlan, Grammar, LineForm, Message, OrderText, ParsedLine, PlanStatus, Refusal,
    RefusalKind, Rules, Seat,
};
use serde::{Deserialize, Serialize};

/// A line to be carried out later.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The line as the player wrote it. The squares of a move may depend on the later position.
    line: String,
    /// The number of the seat's turn on which the line is due, from 1. `None` if it is due in the
    /// present turn, once the jewels of a rammed cart are cut (ruling 22, option `cut:
    /// interactive`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
}

impl ConditionalPlan<OffTheRails> for Plan {
    /// The forms of plans. A line behind a collision is written like an ordinary order.
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &[],
        min_letters: 1,
        synonyms: &[("next", &["next"])],
        forms: &[LineForm::with_dynamic_example("later", "or-form-next", |state, _| {
            let lays = examples::lay_line(state, 1);
            let is_full = state.layable_squares().is_empty();
            let order = if is_full { "move".to_owned() } else { format!("{lays}; move") };
            format!("next: {order}")
        })],
    };

    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let small = word_parser::normalize_line(line);
        if word_parser::split_words(&small).first() == Some(&"next") {
            return parse_for_next_turn(state, seat, line);
        }
        let is_foreign = |no: Refusal| no.kind == RefusalKind::NotAnOrder;
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
            Ok(vec![Self { line: line.to_owned(), turn: None }])
        });
        Some(allowed)
    }

    fn continues_turn(&self) -> bool {
        self.turn.is_none()
    }

    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        if let Some(turn) = self.turn {
            return self.status_for_turn(turn, state, seat);
        }
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
        let key = if self.turn.is_some() { "or-plan-next" } else { "or-plan-then" };
        Message::new(key).with("line", &*self.line)
    }
}

impl Plan {
    /// Returns whether a plan for the seat's turn with this number is due. It is due at the
    /// beginning of that turn only.
    fn status_for_turn(&self, turn: u32, state: &State, seat: Seat) -> PlanStatus {
        let begun = state.player(seat).map_or(0, |player| player.turns_begun);
        if begun < turn && !matches!(state.phase, Phase::Over(_)) {
            return PlanStatus::Pending;
        }
        if begun > turn || state.active_seat() != Some(seat) || !state.is_turn_untouched() {
            return PlanStatus::Impossible(Message::new("or-next-past"));
        }
        match confirmation::find_question(state, seat, &[&self.line]) {
            Some((_, question)) => PlanStatus::Impossible(question.reason),
            None => PlanStatus::Due(vec![self.line.clone()]),
        }
    }
}

/// Parses the text behind `next` as if the seat's next turn began at this position. Returns `None`
/// if the line is text to people, as in `next time I shall win`.
///
/// Whether the line is legal is judged only on that turn. The plan is refused now if it cannot be
/// read, is not about actions or moves, or lays a tile where none can ever be laid.
fn parse_for_next_turn(
    state: &State,
    seat: Seat,
    line: &str,
) -> Option<Result<Vec<Plan>, Refusal>> {
    let rest = strip_next_turn(line);
    let mut ahead = state.clone();
    ahead.apply(&Event::Turn { seat });
    let turn = ahead.player(seat).map_or(1, |player| player.turns_begun);
    let order = match OffTheRails::parse_line(&ahead, seat, rest) {
        Err(refusal) if refusal.kind == RefusalKind::NotAnOrder && !line.contains(':') => {
            return None;
        }
        Err(refusal) => Err(refusal),
        Ok(ParsedLine { orders, .. }) => match permanent_refusal(&ahead, seat, &orders) {
            Some(refusal) => Err(refusal),
            None => Ok(rest.to_owned()),
        },
    };
    Some(order.map(|line| vec![Plan { line, turn: Some(turn) }]))
}

/// Returns the refusal of orders that cannot be legal at the beginning of a turn.
fn permanent_refusal(ahead: &State, seat: Seat, orders: &[Order]) -> Option<Refusal> {
    use Order::{EndTurn, Enter, Lay, Move, Speed, Upgrade};
    let begins_turn = |order: &Order| {
        matches!(
            order,
            Lay { .. } | Upgrade { .. } | Enter { .. } | Speed { .. } | Move { .. } | EndTurn
        )
    };
    if !orders.first().is_some_and(begins_turn) {
        return Some(Refusal::illegal(Message::new("or-next-what")));
    }
    let free = ahead.layable_squares();
    let never = orders.iter().find(|order| matches!(order, Lay { at, .. } if !free.contains(*at)));
    never.and_then(|lay| OffTheRails::decide(ahead, seat, lay, &mut throwaway_dice()).err())
}

/// Returns the text behind `next` or `next turn`.
fn strip_next_turn(line: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | '-');
    let behind = |line: &'_ str, word: &str| {
        let place = line.to_ascii_lowercase().find(word)?;
        Some((place, place + word.len()))
    };
    let next = behind(line, "next").and_then(|(_, end)| line.get(end..)).unwrap_or_default();
    let next = next.trim_start_matches(marks);
    let turn = behind(next, "turn").filter(|(place, _)| *place == 0);
    let turn = turn.and_then(|(_, end)| next.get(end..)).filter(|rest| rest.starts_with(marks));
    turn.map_or(next, |rest| rest.trim_start_matches(marks))
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
