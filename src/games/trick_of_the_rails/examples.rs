//! The ways of writing a line, each shown by an example that its reader could send now.

use super::card::Card;
use super::company::Company;
use super::decide::{playable, without_locomotive};
use super::plan_lines;
use super::state::{State, Step};
use crate::rules::{Follow, Message, Plans, Seat};

/// A line, and what it does; an empty one where there is none that could be sent.
type Example = (String, Message);

/// The first of these that this seat could send now, as an order or as a plan, whichever is asked
/// for; for nobody in particular the one that stands for all.
fn example(
    state: &State,
    seat: Option<Seat>,
    key: &'static str,
    (any, lines): (&str, impl Fn(Seat) -> Vec<String>),
) -> Example {
    let line = match seat {
        None => any.to_owned(),
        Some(seat) => {
            let could = |line: &String| could_plan(state, seat, line);
            lines(seat).into_iter().find(could).unwrap_or_default()
        }
    };
    (line, Message::new(key))
}

/// Whether the line would be kept as a plan.
fn could_plan(state: &State, seat: Seat, line: &str) -> bool {
    matches!(
        plan_lines::read(state, seat, line),
        Some(Ok(plan)) if !matches!(plan.follow(state, seat), Follow::Never(_))
    )
}

/// The same for an order, which is for now where its step has come.
fn order(
    state: &State,
    seat: Option<Seat>,
    key: &'static str,
    is_due: fn(Step) -> bool,
    (any, line): (&str, impl Fn(Seat) -> Option<String>),
) -> Example {
    let shown = match seat {
        None => Some(any.to_owned()),
        Some(seat) => line(seat)
            .filter(|line| state.step(seat).is_some_and(is_due) || could_plan(state, seat, line)),
    };
    (shown.unwrap_or_default(), Message::new(key))
}

fn name(card: Card) -> String {
    format!("{} {}", card.company().id(), card.number())
}

/// `play PRR 7`.
pub fn play(state: &State, seat: Option<Seat>) -> Example {
    let line = |seat| {
        let cards = if state.step(seat) == Some(Step::Play) {
            playable(state, seat)
        } else {
            state.hand(seat)
        };
        cards.iter().last().map(|card| format!("play {}", name(card)))
    };
    order(state, seat, "tr-form-play", |step| step == Step::Play, ("play PRR 7", line))
}

/// `end left`.
pub fn end(state: &State, seat: Option<Seat>) -> Example {
    let is_due = |step| matches!(step, Step::End(_));
    order(state, seat, "tr-form-end", is_due, ("end left", |_| Some("end left".to_owned())))
}

/// `city NYC right`.
pub fn city(state: &State, seat: Option<Seat>) -> Example {
    let line = "city NYC right";
    let is_due = |step| matches!(step, Step::City(_));
    order(state, seat, "tr-form-city", is_due, (line, |_| Some(line.to_owned())))
}

/// `locomotive NYC`.
pub fn locomotive(state: &State, seat: Option<Seat>) -> Example {
    let line = |_| free(state).map(|company| format!("locomotive {}", company.id()));
    let is_due = |step| matches!(step, Step::Locomotive(_));
    order(state, seat, "tr-form-locomotive", is_due, ("locomotive NYC", line))
}

/// A company that a locomotive can go to, the last first.
fn free(state: &State) -> Option<Company> {
    without_locomotive(state).last()
}

/// `if led ERIE play ERIE 9, ERIE 3`.
pub fn if_led(state: &State, seat: Option<Seat>) -> Example {
    let lines = |seat: Seat| {
        let hand = state.hand(seat);
        let line = |led: Company| {
            let own = hand.of(led);
            let from = if own.is_empty() { hand } else { own };
            format!("if led {} play {}", led.id(), two(&from.iter().collect::<Vec<_>>()))
        };
        Company::ALL.into_iter().filter(|_| !hand.is_empty()).map(line).collect()
    };
    let any = "if led ERIE play ERIE 9, ERIE 3";
    example(state, seat, "tr-plan-form-led", (any, lines))
}

/// The two highest of some cards, or the one.
fn two(cards: &[Card]) -> String {
    cards.iter().rev().take(2).map(|&card| name(card)).collect::<Vec<_>>().join(", ")
}

/// `otherwise NYC 1, PRR 2`.
pub fn otherwise(state: &State, seat: Option<Seat>) -> Example {
    let lines = |seat: Seat| {
        let hand: Vec<Card> = state.hand(seat).iter().collect();
        let lowest = hand.iter().min_by_key(|card| card.number());
        let chosen = lowest.into_iter().chain(hand.first()).copied();
        let all = chosen.map(|card| format!("otherwise {}", name(card)));
        let both = (hand.len() > 1).then(|| format!("otherwise {}", two(&hand)));
        both.into_iter().chain(all).collect()
    };
    example(state, seat, "tr-plan-form-otherwise", ("otherwise NYC 1, PRR 2", lines))
}

/// `lead B&O 4`.
pub fn lead(state: &State, seat: Option<Seat>) -> Example {
    let lines =
        |seat: Seat| state.hand(seat).iter().map(|card| format!("lead {}", name(card))).collect();
    example(state, seat, "tr-plan-form-lead", ("lead B&O 4", lines))
}

/// `if win city NYC right`.
pub fn if_win_city(state: &State, seat: Option<Seat>) -> Example {
    let line = "if win city NYC right";
    example(state, seat, "tr-plan-form-city", (line, |_| vec![line.to_owned()]))
}

/// `if win locomotive NYC`.
pub fn if_win_locomotive(state: &State, seat: Option<Seat>) -> Example {
    let line = |company: Company| format!("if win locomotive {}", company.id());
    let lines = |_| free(state).map(line).into_iter().collect();
    example(state, seat, "tr-plan-form-locomotive", ("if win locomotive NYC", lines))
}

/// `end left`, before its time.
pub fn end_later(state: &State, seat: Option<Seat>) -> Example {
    example(state, seat, "tr-plan-form-end", ("end left", |_| vec!["end left".to_owned()]))
}
