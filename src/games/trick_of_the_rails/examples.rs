//! The examples on the card of orders. Each is a line that its reader could send now, as an order
//! or as a plan.

use super::card::Card;
use super::company::Company;
use super::decide::{companies_without_locomotive, playable_cards};
use super::plan_lines;
use super::state::{State, Step};
use crate::rules::Seat;

/// Returns the first line that this seat could send now: as an order if its step is due, and as a
/// plan if not. Returns an empty text if there is none. Without a seat, returns the generic line
/// `any`.
fn first_usable_line(
    state: &State,
    seat: Option<Seat>,
    is_due: fn(Step) -> bool,
    (any, lines): (&str, impl Fn(Seat) -> Vec<String>),
) -> String {
    let could = |seat, line: &String| {
        state.step_of(seat).is_some_and(is_due)
            || plan_lines::read_plan(state, seat, line).is_some_and(|read| {
                read.is_ok_and(|plan| plan.impossibility_reason(state, seat).is_none())
            })
    };
    let own = |seat| lines(seat).into_iter().find(|line| could(seat, line)).unwrap_or_default();
    seat.map_or_else(|| any.to_owned(), own)
}

/// Returns the first line that this seat could send now as a plan. Without a seat, returns the
/// generic line.
fn first_usable_plan(
    state: &State,
    seat: Option<Seat>,
    lines: (&str, impl Fn(Seat) -> Vec<String>),
) -> String {
    first_usable_line(state, seat, |_| false, lines)
}

/// Returns a card as orders write it, such as `PRR 7`.
pub fn card_text(card: Card) -> String {
    format!("{} {}", card.company().id(), card.number())
}

/// Returns an example like `play PRR 7`.
pub fn play_line(state: &State, seat: Option<Seat>) -> String {
    let line = |seat| {
        let is_due = state.step_of(seat) == Some(Step::Play);
        let cards = if is_due { playable_cards(state, seat) } else { state.hand_of(seat) };
        cards.iter().last().map(|card| format!("play {}", card_text(card))).into_iter().collect()
    };
    first_usable_line(state, seat, |step| step == Step::Play, ("play PRR 7", line))
}

/// Returns an example like `end left`.
pub fn end_line(state: &State, seat: Option<Seat>) -> String {
    let (line, is_due) = ("end left", |step| matches!(step, Step::End(_)));
    first_usable_line(state, seat, is_due, (line, |_| vec![line.to_owned()]))
}

/// Returns an example like `city NYC right`.
pub fn city_line(state: &State, seat: Option<Seat>) -> String {
    let (line, is_due) = ("city NYC right", |step| matches!(step, Step::City(_)));
    first_usable_line(state, seat, is_due, (line, |_| vec![line.to_owned()]))
}

/// Returns an example like `locomotive NYC`.
pub fn locomotive_line(state: &State, seat: Option<Seat>) -> String {
    let is_due = |step| matches!(step, Step::Locomotive(_));
    first_usable_line(state, seat, is_due, line_for_last_free_company(state, "locomotive NYC"))
}

/// Returns the generic line, and this line with the last company that has no locomotive.
fn line_for_last_free_company<'a>(
    state: &State,
    line: &'a str,
) -> (&'a str, impl Fn(Seat) -> Vec<String>) {
    let own =
        companies_without_locomotive(state).last().map(|company| line.replace("NYC", company.id()));
    (line, move |_| own.iter().cloned().collect())
}

/// Returns an example like `if led ERIE play ERIE 9, ERIE 3`.
pub fn if_led_line(state: &State, seat: Option<Seat>) -> String {
    let lines = |seat: Seat| {
        let hand = state.hand_of(seat);
        let line = |led: Company| {
            let own = hand.of_company(led);
            let from = if own.is_empty() { hand } else { own };
            format!("if led {} play {}", led.id(), last_two(&from.iter().collect::<Vec<_>>()))
        };
        Company::ALL.into_iter().filter(|_| !hand.is_empty()).map(line).collect()
    };
    first_usable_plan(state, seat, ("if led ERIE play ERIE 9, ERIE 3", lines))
}

/// Returns the last two of these cards with the last one first, or the only one.
fn last_two(cards: &[Card]) -> String {
    cards.iter().rev().take(2).map(|&card| card_text(card)).collect::<Vec<_>>().join(", ")
}

/// Returns an example like `otherwise NYC 1, PRR 2`.
pub fn otherwise_line(state: &State, seat: Option<Seat>) -> String {
    let lines = |seat: Seat| {
        let hand: Vec<Card> = state.hand_of(seat).iter().collect();
        let lowest = hand.iter().min_by_key(|card| card.number());
        let chosen = lowest.into_iter().chain(hand.first()).copied();
        let both = (hand.len() > 1).then(|| last_two(&hand));
        both.into_iter().chain(chosen.map(card_text)).map(|it| format!("otherwise {it}")).collect()
    };
    first_usable_plan(state, seat, ("otherwise NYC 1, PRR 2", lines))
}

/// Returns an example like `lead B&O 4`.
pub fn lead_line(state: &State, seat: Option<Seat>) -> String {
    let lines = |seat: Seat| {
        state.hand_of(seat).iter().map(|card| format!("lead {}", card_text(card))).collect()
    };
    first_usable_plan(state, seat, ("lead B&O 4", lines))
}

/// Returns an example like `if win city NYC right`.
pub fn if_win_city_line(state: &State, seat: Option<Seat>) -> String {
    let line = "if win city NYC right";
    first_usable_plan(state, seat, (line, |_| vec![line.to_owned()]))
}

/// Returns an example like `if win locomotive NYC`.
pub fn if_win_locomotive_line(state: &State, seat: Option<Seat>) -> String {
    first_usable_plan(state, seat, line_for_last_free_company(state, "if win locomotive NYC"))
}

/// Returns an example like `end left`, as a plan for a later step.
pub fn end_plan_line(state: &State, seat: Option<Seat>) -> String {
    first_usable_plan(state, seat, ("end left", |_| vec!["end left".to_owned()]))
}
