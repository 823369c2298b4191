//! Several orders on one line: `lay C1 ns, C2 ns; enter white C; move`.
//!
//! Some mail programs put a whole letter on one line, and a link carries one line only. Only
//! actions may come before another part. The move, which may disclose something, comes last, so no
//! later part can be refused because of it.

use super::forms::GRAMMAR;
use super::orders::parse_simple_line;
use super::plan::throwaway_dice;
use super::{Lookahead, Order, State, word_parser};
use crate::rules::{Message, ParsedLine, Refusal, Seat};

/// The separator of the orders on a line.
const SEPARATOR: char = ';';

/// Reads a line of several orders. None if the line is not of this form.
///
/// # Errors
/// The fault of one of the orders, or that they cannot be on one line.
pub fn parse(state: &State, seat: Seat, small: &str) -> Option<Result<ParsedLine<Order>, Refusal>> {
    let parts: Vec<&str> =
        small.split(SEPARATOR).filter(|part| !word_parser::split_words(part).is_empty()).collect();
    let verbs: Vec<&str> = parts.iter().map(|part| find_verb(part)).collect::<Option<_>>()?;
    let (last, before) = verbs.split_last()?;
    if before.is_empty() {
        return None;
    }
    let actions = ["lay", "upgrade", "enter", "speed", "faster", "slower"];
    let is_whole = actions.contains(last) || matches!(*last, "move" | "done");
    let is_joined = is_whole && before.iter().all(|verb| actions.contains(verb));
    Some(if is_joined {
        parse_in_sequence(state, seat, &parts)
    } else {
        Err(Refusal::unreadable(Message::new("or-joined")))
    })
}

/// The verb of a part. A single letter is not a verb here: it may be a direction or a cart.
fn find_verb(part: &str) -> Option<&'static str> {
    let first =
        word_parser::split_words(part).into_iter().find(|word| !word_parser::means_derail(word))?;
    GRAMMAR.expand_verb(first).filter(|_| first.len() > 1)
}

/// Reads each part in the position after the parts before it.
fn parse_in_sequence(
    state: &State,
    seat: Seat,
    parts: &[&str],
) -> Result<ParsedLine<Order>, Refusal> {
    let mut dice = throwaway_dice();
    let mut ahead = Lookahead::new(state, &mut dice);
    let mut whole = ParsedLine::without_remarks(Vec::new());
    for (place, part) in parts.iter().enumerate() {
        let reading = parse_simple_line(&ahead.state, seat, part)?;
        if place + 1 < parts.len() {
            reading.orders.iter().try_for_each(|order| ahead.carry_out(seat, order))?;
        }
        whole.orders.extend(reading.orders);
        whole.remarks.extend(reading.remarks);
    }
    Ok(whole)
}

/// The separator between two orders when a line is written.
pub const fn separator_between(one: &Order, next: &Order) -> &'static str {
    match (one, next) {
        (Order::Lay { .. }, Order::Lay { .. }) => " ",
        (
            Order::Lay { .. } | Order::Upgrade { .. } | Order::Enter { .. } | Order::Speed { .. },
            _,
        ) => "; ",
        _ => " ",
    }
}
