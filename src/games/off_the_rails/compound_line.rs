//! Several orders on one line: `lay C1 ns, C2 ns; enter white C; move`.
//!
//! Some mail programs put a whole letter on one line, and a link can carry only one line. Only
//! actions may come before another part. The move may disclose something, so it comes last: no
//! later part can then be refused because of what it disclosed.

use super::forms::GRAMMAR;
use super::orders::parse_line_without_semicolon;
use super::plan::throwaway_dice;
use super::{Lookahead, Order, State, word_parser};
use crate::rules::{Message, ParsedLine, Refusal, Seat};

const SEPARATOR: char = ';';

/// Parses a line of several orders. Returns `None` if it has only one part or a part without a
/// verb.
///
/// # Errors
/// The refusal of one of the parts, or the refusal to have these parts on one line.
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

/// Returns the verb of a part. A single letter is not a verb here, because it may be a direction or
/// a cart.
fn find_verb(part: &str) -> Option<&'static str> {
    let first = word_parser::split_words(part)
        .into_iter()
        .find(|word| !word_parser::confirms_derailment(word))?;
    GRAMMAR.expand_verb(first).filter(|_| first.len() > 1)
}

/// Parses each part in the position that the parts before it lead to.
fn parse_in_sequence(
    state: &State,
    seat: Seat,
    parts: &[&str],
) -> Result<ParsedLine<Order>, Refusal> {
    let mut dice = throwaway_dice();
    let mut ahead = Lookahead::new(state, &mut dice);
    let mut whole = ParsedLine::without_remarks(Vec::new());
    for (place, part) in parts.iter().enumerate() {
        let reading = parse_line_without_semicolon(&ahead.state, seat, part)?;
        if place + 1 < parts.len() {
            reading.orders.iter().try_for_each(|order| ahead.decide_and_apply(seat, order))?;
        }
        whole.orders.extend(reading.orders);
        whole.remarks.extend(reading.remarks);
    }
    Ok(whole)
}

/// Returns the separator between two orders in a written line.
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
