//! Plans: `next: trade red for 2 blue`, for the seat's next turn and no later one.

use super::ParisConnection;
use super::colour::{ByColour, Colour};
use super::decide::TRADE_COUNT_MAX;
use super::forms::PLAN_GRAMMAR;
use super::refuse;
use super::state::{Order, Phase, State};
use crate::rules::{
    ConditionalPlan, Dice, Grammar, Message, OrderText, ParsedLine, PlanStatus, Refusal,
    RefusalKind, Seat,
};
use serde::{Deserialize, Serialize};

/// An order for one of the seat's own turns to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Which of the seat's turns, from 1.
    turn: u32,
    /// The order, as it was understood.
    line: String,
}

impl ConditionalPlan<ParisConnection> for Plan {
    const GRAMMAR: Grammar<State> = PLAN_GRAMMAR;

    /// Reads `next: ORDER`. Whether the order is legal will be judged when its turn comes; now it
    /// is asked only that it can be read, and that it may come to be legal at all.
    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let (first, rest) = line.split_once([' ', ':', ','])?;
        Self::GRAMMAR.expand_verb(&first.to_lowercase())?;
        let marks = [' ', ':', ',', '-'];
        let is_marked = line.get(first.len()..)?.trim_start().starts_with(':');
        let rest = rest.trim_start_matches(marks);
        // `next turn: ...` says the same.
        let behind = rest.get(4..).filter(|behind| behind.starts_with(marks));
        let behind = behind.filter(|_| rest.to_lowercase().starts_with("turn"));
        let rest = behind.map_or(rest, |behind| behind.trim_start_matches(marks));
        let order = match ParisConnection::parse_line(state, seat, rest) {
            // "Next time I shall win" is said to people.
            Err(refusal) if refusal.kind == RefusalKind::NotAnOrder && !is_marked => return None,
            // More may be on that storing board by then.
            Err(refusal) if refusal.reason.key == "pc-no-more" => Ok(rest.to_owned()),
            Err(refusal) => Err(refusal),
            // It is kept as it was understood, for a line may read otherwise in a later position.
            Ok(ParsedLine { orders, .. }) => match permanent_refusal(state, seat, &orders) {
                Some(refusal) => Err(refusal),
                None => Ok(ParisConnection::write_line(state, &orders)),
            },
        };
        let turn = state.turns_begun(seat).saturating_add(1);
        Some(order.map(|line| vec![Self { turn, line }]))
    }

    /// Whether the plan's turn has come.
    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        // A turn that has begun and is no longer on is over.
        let begun = state.turns_begun(seat);
        let is_past = begun > self.turn || begun == self.turn && state.active_seat() != Some(seat);
        if matches!(state.phase, Phase::Over(_)) || is_past {
            return PlanStatus::Impossible(Message::new("pc-plan-past"));
        }
        if begun == self.turn && state.build.is_none() {
            PlanStatus::Due(vec![self.line.clone()])
        } else {
            PlanStatus::Pending
        }
    }

    fn describe(&self, _: &State) -> Message {
        Message::new("pc-plan").with("line", self.line.as_str())
    }

    /// What a player of a rehearsal might plan, now and then: to trade a share that he holds.
    fn random_lines(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let some = |counts: ByColour<u8>| -> Vec<Colour> {
            Colour::ALL.into_iter().filter(|&colour| counts[colour] > 0).collect()
        };
        let (held, wanted) = (some(state.shares_of(seat)), some(state.supply));
        match (chooser.below(4), chooser.pick(&held), chooser.pick(&wanted)) {
            (0, Some(give), Some(take)) if give != take => {
                let trade = Order::Trade { give: *give, take: *take, count: 1 };
                vec![format!("next: {}", ParisConnection::write_line(state, &[trade]))]
            }
            _ => Vec::new(),
        }
    }
}

/// Why these orders cannot be legal on any later turn, however the others play until then. Hexes
/// only fill up, and the seat's own shares stay as they are while others are on turn.
fn permanent_refusal(state: &State, seat: Seat, orders: &[Order]) -> Option<Refusal> {
    let board = &state.board;
    orders.iter().enumerate().find_map(|(at, order)| match *order {
        Order::Stop => None,
        Order::Place { colour, hex } => {
            if orders.iter().take(at).any(|earlier| earlier == order) {
                let reason = refuse::company_message("pc-same-colour", colour);
                return Some(Refusal::illegal(
                    reason.with("hex", refuse::describe_hex(state, hex)),
                ));
            }
            let may_open =
                board.hex_id(hex).is_some_and(|id| state.hexes_open_to(colour).contains(id));
            (!may_open).then(|| refuse::illegal_place(state, colour, hex))
        }
        Order::Trade { give, take, count } => {
            let holds = state.active_seat() == Some(seat) || state.shares_of(seat)[give] > 0;
            let is_trade = give != take && (1..=TRADE_COUNT_MAX).contains(&count);
            (!holds || !is_trade).then(|| refuse::illegal_trade(state, seat, give, take, count))
        }
    })
}
