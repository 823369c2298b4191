//! What the active player's letter says behind a collision that waits for the rammed player's cut:
//! it is kept, and done once the piles are cut.

use super::OffTheRails;
use super::forms::GRAMMAR;
use super::state::State;
use super::travel;
use super::words;
use crate::rules::{
    Dice, Follow, Grammar, Message, OrderText, Plans, Refusal, RefusalKind, Rules, Seat, Seed,
};
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
        if !is_kept || OffTheRails::parse(state, seat, line).is_err_and(|no| is_foreign(&no)) {
            return None;
        }
        let after = said(state, |asked| asked != seat || !picks(line));
        let allowed = OffTheRails::parse(&after, seat, line).and_then(|reading| {
            let mut dice = unused_dice();
            let mut ahead = after;
            for order in reading.orders {
                let events = OffTheRails::decide(&ahead, seat, &order, &mut dice)?;
                events.iter().for_each(|event| ahead.apply(event));
            }
            Ok(vec![Self { line: line.to_owned() }])
        });
        Some(allowed)
    }

    fn join(self, _: &State, letter: &mut Vec<Self>) -> Result<(), Refusal> {
        letter.push(self);
        Ok(())
    }

    fn follow(&self, state: &State, seat: Seat) -> Follow {
        if state.active() != Some(seat) {
            return Follow::Never(Message::new("or-plan-past"));
        }
        match travel::asked(state) {
            Some(asked) if asked == seat && picks(&self.line) => {
                Follow::Now(vec![self.line.clone()])
            }
            Some(_) => Follow::NotYet,
            None if picks(&self.line) => Follow::Never(Message::new("or-plan-past")),
            None => Follow::Now(vec![self.line.clone()]),
        }
    }

    fn say(&self, _: &State) -> Message {
        Message::new("or-plan-then").with("line", &*self.line)
    }

    fn at_random(_: &State, _: Seat, _: &mut Dice) -> Vec<String> {
        Vec::new()
    }
}

/// What is for a later turn is not kept. Where no order follows, it is perhaps said to people.
fn no_next(state: &State, seat: Seat, small: &str) -> Refusal {
    let rest = small.split_once("next").map_or("", |(_, rest)| rest.trim_start());
    let order = rest.strip_prefix("turn").unwrap_or(rest);
    let is_order = match OffTheRails::parse(state, seat, order) {
        Ok(_) => true,
        Err(refusal) => refusal.kind == RefusalKind::Illegal,
    };
    let reason = Message::new("or-no-next");
    if is_order { Refusal::illegal(reason) } else { GRAMMAR.foreign((state, seat), reason) }
}

fn is_foreign(refusal: &Refusal) -> bool {
    refusal.kind == RefusalKind::Foreign
}

/// Whether a line says which pile falls.
pub fn picks(line: &str) -> bool {
    let small = words::small(line);
    words::words(&small).first().and_then(|word| GRAMMAR.verb(word)) == Some("pick")
}

/// Dice of a world in which nothing that they decide is looked at.
pub fn unused_dice() -> Dice {
    Dice::new(&Seed::rehearsal(0), 0)
}

/// How it may stand when those have said their defaults who are asked and of whom this holds.
fn said(state: &State, is_said: impl Fn(Seat) -> bool) -> State {
    let (mut ahead, mut dice) = (state.clone(), unused_dice());
    while let Some(asked) = travel::asked(&ahead).filter(|&asked| is_said(asked)) {
        let Some(&answer) = travel::answers(&ahead).first() else { break };
        let Ok(events) = OffTheRails::decide(&ahead, asked, &answer, &mut dice) else { break };
        events.iter().for_each(|event| ahead.apply(event));
    }
    ahead
}
