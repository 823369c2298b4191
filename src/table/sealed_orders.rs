//! Sealed orders: the secret orders with which a seat completes its part of a turn that several
//! seats take at once.
//!
//! They are queued orders until every awaited seat has completed its part. So other players cannot
//! notice them, and their player can replace them.

use super::{Cause, QueueOutcome, QueuedOrders, Table};
use crate::rules::{Message, Seat};
use chrono::{DateTime, Utc};

/// The sentence that says until when orders are sealed.
pub(crate) const ORDERS_SEALED: &str = "orders-sealed";

impl Table {
    /// Whether the seat's secret orders complete its part of a turn that several seats take at
    /// once. Such orders are sealed until every awaited seat has completed its part. Until then,
    /// the log has no record of them, so nobody else can notice them. Their player can replace
    /// them.
    pub(crate) fn has_sealed_orders(&self, seat: Seat, queued: &QueuedOrders) -> bool {
        let before = self.turn();
        if queued.secret_lines.is_empty() || !before.awaits(seat) {
            return false;
        }
        let mut after = self.clone();
        let mut dice = after.dice();
        after.play_secret_orders(seat, &queued.secret_lines, &mut dice);
        after.turn().has_passed(&before, seat)
    }

    /// Returns the secret orders that stay when the seat gives new ones. New orders replace sealed
    /// ones.
    pub(super) fn unsealed_secret_lines<'a>(
        &self,
        seat: Seat,
        queued: &'a QueuedOrders,
    ) -> &'a [String] {
        if self.has_sealed_orders(seat, queued) { &[] } else { &queued.secret_lines }
    }

    /// Tells a player when others can see the secret orders that the player has just given.
    pub(super) fn describe_secret_orders(&self, seat: Seat, queued: &QueuedOrders) -> Message {
        match self.has_sealed_orders(seat, queued) {
            true => Message::new(ORDERS_SEALED),
            false => Message::new("orders-secret").with("lines", queued.secret_lines.clone()),
        }
    }
}

impl QueueOutcome {
    /// Appends the sealed orders of all awaited seats to the log, one record per seat. Does nothing
    /// if a seat has not completed its part. Returns whether there were any.
    pub(super) fn open_sealed_orders(&mut self, awaited: &[Seat], now: DateTime<Utc>) -> bool {
        let is_sealed = |seat: &Seat| {
            let queued = self.queued.get(seat.index());
            queued.is_some_and(|queued| self.table.has_sealed_orders(*seat, queued))
        };
        if awaited.is_empty() || !awaited.iter().all(is_sealed) {
            return false;
        }
        for seat in awaited.iter().copied() {
            let Some(queued) = self.queued.get_mut(seat.index()) else { continue };
            let secret = std::mem::take(&mut queued.secret_lines);
            let cause = |lines| Cause::Orders { seat, lines, letter: None };
            let opened = self.table.play_without_letter(
                seat,
                &secret,
                |_| Vec::new(),
                |_| false,
                cause,
                now,
            );
            if let Ok(table) = opened {
                (self.table, self.due_seats) = (table, Vec::new());
            }
        }
        true
    }
}
