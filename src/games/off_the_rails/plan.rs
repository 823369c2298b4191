//! What the active player's letter says behind a collision that waits for the rammed player's cut:
//! it is kept, and done once the piles are cut.

use super::OffTheRails;
use super::forms::GRAMMAR;
use super::state::State;
use super::travel;
use super::words;
pub(super) use crate::rules::unused_dice;
use crate::rules::{Follow, Grammar, Message, OrderText, Plans, Refusal, RefusalKind, Rules, Seat};
use serde::{Deserialize, Serialize};

/// A line for when the jewels of a rammed cart are cut (ruling 22, `cut: interactive`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Then {
    /// As it was written.
    line: String,
}

impl Plans<OffTheRails> for Then {
    /// Whoever rams writes on as always.
    const GRAMMAR: Grammar<State> = Grammar::NONE;

    fn read(state: &State, seat: Seat, line: &str) -> Option<Result<Vec<Self>, Refusal>> {
        let small = words::small(line);
        if words::words(&small).first() == Some(&"next") {
            return Some(Err(no_next(state, seat, &small)));
        }
        let is_kept =
            state.active() == Some(seat) && travel::asked(state).is_some_and(|asked| asked != seat);
        let is_foreign = |no: Refusal| no.kind == RefusalKind::Foreign;
        if !is_kept || OffTheRails::parse(state, seat, line).is_err_and(is_foreign) {
            return None;
        }
        let after = said(state, |asked| asked != seat || !picks(line));
        let allowed = OffTheRails::parse(&after, seat, line).and_then(|reading| {
            let (mut ahead, mut dice) = (after, unused_dice());
            for order in &reading.orders {
                OffTheRails::advance(&mut ahead, seat, order, &mut dice)?;
            }
            Ok(vec![Self { line: line.to_owned() }])
        });
        Some(allowed)
    }

    fn follow(&self, state: &State, seat: Seat) -> Follow {
        if state.active() != Some(seat) {
            return Follow::Never(Message::new("or-plan-past"));
        }
        match (travel::asked(state), picks(&self.line)) {
            (None, true) => Follow::Never(Message::new("or-plan-past")),
            (Some(asked), is_pick) if asked != seat || !is_pick => Follow::NotYet,
            _ => Follow::Now(vec![self.line.clone()]),
        }
    }

    fn say(&self, _: &State) -> Message {
        Message::new("or-plan-then").with("line", &*self.line)
    }
}

/// What is for a later turn is not kept. Where no order follows, it is perhaps said to people.
fn no_next(state: &State, seat: Seat, small: &str) -> Refusal {
    let rest = small.split_once("next").map_or("", |(_, rest)| rest.trim_start());
    let order = rest.strip_prefix("turn").unwrap_or(rest);
    let is_order = OffTheRails::parse(state, seat, order)
        .map_or_else(|refusal| refusal.kind == RefusalKind::Illegal, |_| true);
    let reason = Message::new("or-no-next");
    if is_order { Refusal::illegal(reason) } else { GRAMMAR.foreign((state, Some(seat)), reason) }
}

/// Whether a line says which pile falls.
pub fn picks(line: &str) -> bool {
    let small = words::small(line);
    words::words(&small).first().and_then(|word| GRAMMAR.verb(word)) == Some("pick")
}

/// How it may stand when those have said their defaults who are asked and of whom this holds.
fn said(state: &State, is_said: impl Fn(Seat) -> bool) -> State {
    let (mut ahead, mut dice) = (state.clone(), unused_dice());
    while let Some(asked) = travel::asked(&ahead).filter(|&asked| is_said(asked)) {
        let Some(&answer) = travel::answers(&ahead).first() else { break };
        if OffTheRails::advance(&mut ahead, asked, &answer, &mut dice).is_err() {
            break;
        }
    }
    ahead
}
