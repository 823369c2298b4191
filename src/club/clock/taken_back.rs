//! What a clock must know so that a seat can take its last orders back: time goes on as if they had
//! not come, and the seat gains none by it.
//!
//! Pure; every moment comes in as an argument.

use super::game::slot;
use super::{GameClock, OwnTime, Wait};
use crate::club::Punctuality;
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// How a clock stood for a seat before its last orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BeforeOrders {
    /// The record of the orders.
    seq: u32,
    /// Until when the seat had time.
    wait: Wait,
    /// How much of its bank it had used, in seconds.
    #[serde(default, skip_serializing_if = "is_none")]
    bank_used: i64,
    /// How many turns it had missed in a row.
    #[serde(default, skip_serializing_if = "is_never")]
    missed_in_row: u32,
    /// Whether it was open to a substitute.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    open: bool,
    /// How punctual its player had been here.
    #[serde(default, skip_serializing_if = "Punctuality::is_default")]
    punctuality: Punctuality,
}

const fn is_none(seconds: &i64) -> bool {
    *seconds == 0
}

const fn is_never(times: &u32) -> bool {
    *times == 0
}

impl GameClock {
    /// How it stands for a seat whose orders, of this record, are about to count.
    pub(crate) fn before_orders(
        &self,
        (seq, seat): (u32, Seat),
        punctuality: Punctuality,
        now: DateTime<Utc>,
        own: &OwnTime,
    ) -> BeforeOrders {
        // Who was asked and has ordered in one commit was asked now.
        let asked_now = || Wait::new(seat, now, self.rules.deadline_for(now, own));
        BeforeOrders {
            seq,
            wait: self.wait(seat).cloned().unwrap_or_else(asked_now),
            bank_used: self.bank_used.get(seat.index()).copied().unwrap_or(0),
            missed_in_row: self.missed_in_row.get(seat.index()).copied().unwrap_or(0),
            open: self.open.contains(&seat),
            punctuality,
        }
    }

    /// Lets the clock stand for the seat whose last orders, made after the record `to`, are taken
    /// back as it stood before them; the seat, and how punctual its player had been.
    pub(crate) fn take_back(&mut self, to: u32) -> Option<(Seat, Punctuality)> {
        let before = self.before.take().filter(|before| before.seq > to)?;
        let BeforeOrders { wait, bank_used, missed_in_row, open, punctuality, .. } = *before;
        let seat = wait.seat;
        self.waits.retain(|other| other.seat != seat);
        self.waits.push(wait);
        *slot(&mut self.bank_used, seat) = bank_used;
        if missed_in_row > 0 {
            *slot(&mut self.missed_in_row, seat) = missed_in_row;
        }
        if open && !self.open.contains(&seat) {
            self.open.push(seat);
            self.open.sort_unstable();
        }
        Some((seat, punctuality))
    }

    /// Whether the time of the seat whose last orders were made after the record `to` would be over
    /// by now without them, and was not before them.
    pub(crate) fn would_be_over(&self, to: u32, now: DateTime<Utc>) -> bool {
        let before = self.before.as_ref().filter(|before| before.seq > to);
        before.is_some_and(|before| {
            let wait = &before.wait;
            let runs = self.paused.is_none() && wait.lost.is_none() && !wait.missed;
            // What its lateness took from the bank comes back with the orders.
            let used = self.bank_used.get(wait.seat.index()).copied().unwrap_or(0);
            let back = TimeDelta::seconds((used - before.bank_used).max(0));
            runs && self.end(wait) + back <= now
        })
    }
}
