//! The lines in which a bot sends the orders that it has chosen.

use super::{Game, Seat, throwaway_dice};

/// Writes the orders as one line. Returns `None` if the line would be read as other orders.
pub(super) fn write_readable_line<G: Game>(
    known: &G::State,
    seat: Seat,
    orders: &[G::Order],
) -> Option<String> {
    let line = G::write_line(known, orders);
    let read = G::parse_line(known, seat, &line).ok()?;
    (read.orders == orders).then_some(line)
}

/// Writes the orders of a candidate as the lines that a bot sends. It is one line if the parser
/// reads it as it was meant, or else one line for each part. Stops behind the part that discloses
/// something, because a later part could then be refused.
pub fn write_bot_lines<G: Game>(known: &G::State, seat: Seat, orders: &[G::Order]) -> Vec<String> {
    if let Some(line) = write_readable_line::<G>(known, seat, orders) {
        return vec![line];
    }
    let (mut lines, mut part, mut dice) = (Vec::new(), Vec::new(), throwaway_dice());
    let (mut start, mut ahead, mut has_disclosed) = (known.clone(), known.clone(), false);
    for order in orders {
        let Ok(events) = G::decide(&ahead, seat, order, &mut dice) else { break };
        for event in &events {
            has_disclosed |= G::discloses(&ahead, event, seat);
            G::apply(&mut ahead, event);
        }
        part.push(order.clone());
        if G::is_complete_line(&ahead, &part) {
            let Some(line) = write_readable_line::<G>(&start, seat, &part) else { break };
            lines.push(line);
            part.clear();
            start = ahead.clone();
            if has_disclosed {
                break;
            }
        }
    }
    lines
}
