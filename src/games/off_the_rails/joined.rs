//! Several orders on one line: `lay C1 ns, C2 ns; enter white C; move`.
//!
//! Some mail programs put a whole letter on one line, and a link carries one line only. Only
//! actions may come before another part. The move, which may disclose something, comes last, so no
//! later part can be refused because of it.

use super::forms::GRAMMAR;
use super::orders::read_one;
use super::plan::unused_dice;
use super::{Ahead, Order, State, words};
use crate::rules::{Message, Reading, Refusal, Seat};

/// The separator of the orders on a line.
const MARK: char = ';';

/// Reads a line of several orders. None if the line is not of this form.
///
/// # Errors
/// The fault of one of the orders, or that they cannot be on one line.
pub fn read(state: &State, seat: Seat, small: &str) -> Option<Result<Reading<Order>, Refusal>> {
    let parts: Vec<&str> =
        small.split(MARK).filter(|part| !words::words(part).is_empty()).collect();
    let verbs: Vec<&str> = parts.iter().map(|part| verb(part)).collect::<Option<_>>()?;
    let (last, before) = verbs.split_last()?;
    if before.is_empty() {
        return None;
    }
    let actions = ["lay", "upgrade", "enter", "speed", "faster", "slower"];
    let is_whole = actions.contains(last) || matches!(*last, "move" | "done");
    let is_joined = is_whole && before.iter().all(|verb| actions.contains(verb));
    Some(if is_joined {
        in_turn(state, seat, &parts)
    } else {
        Err(Refusal::unreadable(Message::new("or-joined")))
    })
}

/// The verb of a part. A single letter is not a verb here: it may be a direction or a cart.
fn verb(part: &str) -> Option<&'static str> {
    let first = words::words(part).into_iter().find(|word| !words::means_derail(word))?;
    GRAMMAR.verb(first).filter(|_| first.len() > 1)
}

/// Reads each part in the position after the parts before it.
fn in_turn(state: &State, seat: Seat, parts: &[&str]) -> Result<Reading<Order>, Refusal> {
    let mut dice = unused_dice();
    let mut ahead = Ahead::new(state, &mut dice);
    let mut whole = Reading::plain(Vec::new());
    for (place, part) in parts.iter().enumerate() {
        let reading = read_one(&ahead.state, seat, part)?;
        if place + 1 < parts.len() {
            reading.orders.iter().try_for_each(|order| ahead.follow(seat, order))?;
        }
        whole.orders.extend(reading.orders);
        whole.remarks.extend(reading.remarks);
    }
    Ok(whole)
}

/// The separator between two orders when a line is written.
pub const fn between(one: &Order, next: &Order) -> &'static str {
    match (one, next) {
        (Order::Lay { .. }, Order::Lay { .. }) => " ",
        (
            Order::Lay { .. } | Order::Upgrade { .. } | Order::Enter { .. } | Order::Speed { .. },
            _,
        ) => "; ",
        _ => " ",
    }
}
