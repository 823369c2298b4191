//! The plans of High Card, such as `next: play 3`. A plan is for the seat's next card only. A game
//! without plans uses `NoPlan` instead.

use super::game::{HighCard, Play, State};
use postrider::rules::{
    ConditionalPlan, Dice, Grammar, LineForm, Message, OrderText, PlanStatus, Refusal, Seat,
};
use serde::{Deserialize, Serialize};

/// A plan to play a card in the seat's next turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextCardPlan {
    pub card: u8,
    /// The number of cards in the hand when the plan was made. It is smaller once the seat has
    /// played its next card.
    pub held: usize,
}

impl NextCardPlan {
    /// Whether the turn that the plan was for has passed, or cannot come because the game is over.
    fn is_past(&self, state: &State, seat: Seat) -> bool {
        state.turn.is_none() || state.hand(seat).len() < self.held
    }
}

impl ConditionalPlan<HighCard> for NextCardPlan {
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &["next"],
        min_letters: 1,
        synonyms: &[],
        forms: &[LineForm::for_every_game("later", "next: play 3", "hc-form-next")],
    };

    fn parse_plans(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let rest = line.strip_prefix("next:")?;
        let orders = HighCard::parse_line(state, seat, rest).map(|reading| reading.orders);
        let held = state.hand(seat).len();
        let plan = |Play(card): Play| Self { card, held };
        Some(orders.map(|orders| orders.into_iter().map(plan).collect()))
    }

    fn status(&self, state: &State, seat: Seat) -> PlanStatus {
        if self.is_past(state, seat) {
            PlanStatus::Impossible(Message::new("hc-plan-past"))
        } else if state.turn == Some(seat) {
            PlanStatus::Due(vec![format!("play {}", self.card)])
        } else {
            PlanStatus::Pending
        }
    }

    fn describe(&self, _: &State) -> Message {
        Message::new("hc-plan").with("line", format!("play {}", self.card))
    }

    fn random_plan_lines(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let hand: Vec<u8> = state.hand(seat).into_iter().collect();
        let card = chooser.pick(&hand).filter(|_| state.turn.is_some());
        card.map(|card| format!("next: play {card}")).into_iter().collect()
    }
}
