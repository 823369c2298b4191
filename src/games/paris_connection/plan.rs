//! Plans: an order for the seat's next turn, such as `next: trade red for 2 blue`. A plan that
//! cannot be carried out on that turn is dropped.

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

/// A plan: an order for one of the seat's own future turns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The number of the seat's turn on which the order is due, from 1.
    turn: u32,
    /// The order, as [`OrderText::write_line`] writes it.
    line: String,
}

impl ConditionalPlan<ParisConnection> for Plan {
    const GRAMMAR: Grammar<State> = PLAN_GRAMMAR;

    /// Parses `next: ORDER`. Whether the order is legal is judged only on that turn. The plan is
    /// refused now if the order cannot be read or can never become legal.
    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let (first, rest) = line.split_once([' ', ':', ','])?;
        Self::GRAMMAR.expand_verb(&first.to_lowercase())?;
        let marks = [' ', ':', ',', '-'];
        let is_marked = line.get(first.len()..)?.trim_start().starts_with(':');
        let rest = rest.trim_start_matches(marks);
        // `next turn: ...` is equivalent.
        let behind = rest.get(4..).filter(|behind| behind.starts_with(marks));
        let behind = behind.filter(|_| rest.to_lowercase().starts_with("turn"));
        let rest = behind.map_or(rest, |behind| behind.trim_start_matches(marks));
        let order = match ParisConnection::parse_line(state, seat, rest) {
            // A sentence such as "Next time I shall win" is talk to other players.
            Err(refusal) if refusal.kind == RefusalKind::NotAnOrder && !is_marked => return None,
            // The storing board may have more locomotives by then.
            Err(refusal) if refusal.reason.key == "pc-no-more" => Ok(rest.to_owned()),
            Err(refusal) => Err(refusal),
            // The plan stores the standard form, because a line may be read differently at a later
            // position.
            Ok(ParsedLine { orders, .. }) => match permanent_refusal(state, seat, &orders) {
                Some(refusal) => Err(refusal),
                None => Ok(ParisConnection::write_line(state, &orders)),
            },
        };
        let turn = state.turns_begun(seat).saturating_add(1);
        Some(order.map(|line| vec![Self { turn, line }]))
    }

    /// Whether the plan is due, still pending, or impossible.
    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        // The turn is past if the seat has begun a later one, or is no longer the active seat.
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

    /// Returns a plan for random play in rehearsals, with a probability of 1/4: to trade a share
    /// that the seat holds.
    fn random_plan_lines(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let some = |counts: ByColour<u8>| -> Vec<Colour> {
            Colour::ALL.into_iter().filter(|&colour| counts[colour] > 0).collect()
        };
        let (held, wanted) = (some(state.shares_of(seat)), some(state.supply));
        match (chooser.roll_below(4), chooser.pick(&held), chooser.pick(&wanted)) {
            (0, Some(give), Some(take)) if give != take => {
                let trade = Order::Trade { give: *give, take: *take, count: 1 };
                vec![format!("next: {}", ParisConnection::write_line(state, &[trade]))]
            }
            _ => Vec::new(),
        }
    }
}

/// Returns the refusal of orders that cannot become legal by the seat's next turn. Hexes only fill
/// up, and a seat's shares change only on its own turns, so some orders can be excluded for
/// certain.
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
