//! Plans: `next: trade red for 2 blue`, for the seat's next turn and no later one.

use super::ParisConnection;
use super::colour::Colour;
use super::state::{Order, Phase, State};
use crate::rules::{
    Dice, Follow, Form, Grammar, Message, OrderText, Plans, Refusal, RefusalKind, Seat,
};
use serde::{Deserialize, Serialize};

/// An order for one of the seat's own turns to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// Which of the seat's turns, from 1.
    turn: u32,
    /// The order, as it was written.
    line: String,
}

impl Plans<ParisConnection> for Plan {
    const GRAMMAR: Grammar<State> = Grammar {
        verbs: &[],
        least: 1,
        whole: &[("next", "next")],
        forms: &[Form::always("later", "next: trade red for 2 blue", "pc-form-next")],
    };

    /// Reads `next: ORDER`. That it can be read is all that is asked of it now: whether it is legal
    /// will be judged when its turn comes.
    fn read(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let (first, rest) = line.split_once([' ', ':', ','])?;
        Self::GRAMMAR.verb(&first.to_lowercase())?;
        let rest = rest.trim_start_matches([' ', ':', ',']);
        Some(match ParisConnection::parse(state, seat, rest) {
            Err(refusal) if refusal.kind != RefusalKind::Illegal => Err(refusal),
            _ => {
                Ok(vec![Self { turn: state.turns(seat).saturating_add(1), line: rest.to_owned() }])
            }
        })
    }

    fn join(self, _: &State, letter: &mut Vec<Self>) -> Result<(), Refusal> {
        letter.push(self);
        Ok(())
    }

    /// Whether the plan's turn has come.
    fn follow(&self, state: &State, seat: Seat) -> Follow {
        if matches!(state.phase, Phase::Over(_)) || state.turns(seat) > self.turn {
            return Follow::Never(Message::new("pc-plan-past"));
        }
        let on_turn = state.phase == Phase::Turn(seat) && state.build.is_none();
        if on_turn && state.turns(seat) == self.turn {
            Follow::Now(vec![self.line.clone()])
        } else {
            Follow::NotYet
        }
    }

    fn say(&self, _: &State) -> Message {
        Message::new("pc-plan").with("line", self.line.as_str())
    }

    /// What a player of a rehearsal might plan, now and then: to trade a share that he holds.
    fn at_random(state: &State, seat: Seat, chooser: &mut Dice) -> Vec<String> {
        let Some(portfolio) = state.portfolios.get(seat.index()) else { return Vec::new() };
        let held: Vec<Colour> = portfolio
            .shares
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(colour, _)| colour)
            .collect();
        let wanted: Vec<Colour> =
            state.supply.iter().filter(|(_, left)| **left > 0).map(|(colour, _)| colour).collect();
        match (chooser.below(4), chooser.pick(&held), chooser.pick(&wanted)) {
            (0, Some(give), Some(take)) if give != take => {
                let trade = Order::Trade { give: *give, take: *take, count: 1 };
                vec![format!("next: {}", ParisConnection::write(state, &[trade]))]
            }
            _ => Vec::new(),
        }
    }
}
