//! Changes of a game's clock from outside the game: more time, a pause, other rules, an outage, an
//! unreachable player, or a changed vacation.
//!
//! Pure. Extra time that a player was given is not taken away. A change that moves a deadline
//! earlier leaves at least a day, unless the moderator sets a shorter deadline rule.

use super::game_clock::{OutageExtension, Wait, entry_of_seat_mut};
use super::{ClockRules, Deadline, GameClock, Outage, OwnTime, OwnTimeBySeat, is_default};
use crate::club::Punctuality;
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The shortest time that a change of rules or vacations leaves until a deadline, unless the
/// deadline rule itself is shorter.
const NOTICE_MIN: TimeDelta = TimeDelta::hours(24);

impl Wait {
    /// Moves the deadline by `by`, and then on to the next time at which a deadline may fall.
    fn postpone_by(&mut self, by: TimeDelta, rules: &ClockRules, own: &OwnTime) {
        self.extra_seconds += by.num_seconds();
        self.deadline = rules.next_allowed_deadline(self.deadline + by, own);
    }

    /// Removes what was computed while the machine's clock was ahead: outages that did not happen,
    /// and times in the future. A wait that begins in the future begins now. If that changes
    /// anything, the deadline is computed again by the rules, with at least a day from now.
    /// Returns `true` if anything changed.
    fn drop_times_set_ahead(
        &mut self,
        now: DateTime<Utc>,
        rules: &ClockRules,
        own: &OwnTime,
    ) -> bool {
        let before = self.clone();
        let (false_ones, true_ones): (Vec<OutageExtension>, Vec<OutageExtension>) =
            std::mem::take(&mut self.outage_extensions)
                .into_iter()
                .partition(|given| given.at > now);
        self.outage_extensions = true_ones;
        let seconds: i64 = false_ones.iter().map(|given| given.seconds).sum();
        self.extra_seconds -= seconds;
        self.undisclosed_seconds = (self.undisclosed_seconds - seconds).max(0);
        let ahead = (self.since - now).max(TimeDelta::zero());
        self.since -= ahead;
        self.deadline -= ahead + TimeDelta::seconds(seconds);
        self.reminded_until = self.reminded_until.min(now);
        self.unreachable_since = self.unreachable_since.map(|lost| lost.min(now));
        if *self == before {
            return false;
        }
        if !self.has_missed {
            let mut due = rules.compute_deadline(self.since, own);
            if self.extra_seconds != 0 {
                let extra = TimeDelta::seconds(self.extra_seconds);
                due = rules.next_regular_deadline(due + extra, own);
            }
            let least = now + NOTICE_MIN;
            self.deadline = match rules.deadline {
                _ if due >= least => due,
                Deadline::Weekly { .. } => rules.compute_deadline(now, own),
                Deadline::After(_) => rules.next_allowed_deadline(least, own),
            };
            self.extra_seconds += (self.deadline - due).num_seconds();
        }
        true
    }

    /// Returns the time until which the seat's time has run: `now`, or the start of the pause or of
    /// the player's unreachability.
    fn time_ran_until(&self, paused: Option<DateTime<Utc>>, now: DateTime<Utc>) -> DateTime<Utc> {
        let stands = [paused, self.unreachable_since].into_iter().flatten().min();
        stands.map_or(now, |stands| stands.max(self.since).min(now))
    }
}

impl GameClock {
    fn change_waits<'a>(
        &mut self,
        own: impl OwnTimeBySeat<'a>,
        mut change: impl FnMut(&mut Wait, &ClockRules, &OwnTime),
    ) {
        let utc = OwnTime::default();
        for wait in &mut self.waits {
            change(wait, &self.rules, own(wait.seat).unwrap_or(&utc));
        }
    }

    /// Moves every deadline by `by`. A deadline that was already missed becomes `now` plus `by`.
    pub(crate) fn extend_deadlines<'a>(
        &mut self,
        by: TimeDelta,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) {
        self.change_waits(own, |wait, rules, own| {
            let late = if wait.has_missed { now - wait.deadline } else { TimeDelta::zero() };
            wait.has_missed = false;
            wait.postpone_by(late + by, rules, own);
        });
    }

    /// Replaces the clock rules.
    ///
    /// If the new rules change when orders are due, every awaited seat gets a new deadline. A seat
    /// with an extension keeps its remaining time if that is longer. A seat that has missed its
    /// deadline gets a new one, too. Any other deadline moves only to keep a day's notice: if its
    /// end would come earlier than announced, or if the NMR rule changes.
    pub(crate) fn set_rules<'a>(
        &mut self,
        rules: ClockRules,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) {
        let ends = |clock: &Self| {
            clock
                .waits
                .iter()
                .map(|wait| clock.deadline_with_grace_and_bank(wait))
                .collect::<Vec<_>>()
        };
        let told = ends(self);
        let before = std::mem::replace(&mut self.rules, rules);
        let mut ends = told.into_iter().zip(ends(self));
        let anew = !before.has_same_deadlines_as(&self.rules);
        let news = before.nmr != self.rules.nmr;
        let paused = self.paused;
        self.change_waits(own, |wait, rules, own| {
            let Some((told, end)) = ends.next() else { return };
            if anew || wait.has_missed {
                *wait = wait_under_new_rules(wait, rules, (paused, now), own);
                return;
            }
            let notice = wait.time_ran_until(paused, now) + NOTICE_MIN;
            let least = if news { notice } else { notice.min(told) };
            if least > end {
                wait.postpone_by(least - end, rules, own);
            }
        });
    }

    /// Moves the deadline of each awaited seat whose time ran out during the outage, or runs out by
    /// `until`. The seat gets back the part of the outage in which it was awaited. It has time
    /// until `until` at least. Returns `true` if there is such a seat.
    pub fn extend_deadlines_for_outage(&mut self, outage: Outage, until: DateTime<Utc>) -> bool {
        if self.paused.is_some() {
            return false;
        }
        let ends: Vec<DateTime<Utc>> =
            self.waits.iter().map(|wait| self.deadline_with_grace_and_bank(wait)).collect();
        let mut any = false;
        for (wait, end) in self.waits.iter_mut().zip(ends) {
            if !wait.has_missed
                && wait.unreachable_since.is_none()
                && outage.since < end
                && end <= until
            {
                let over = outage.since + outage.length;
                let more = (over - outage.since.max(wait.since)).max(until - end);
                wait.deadline += more;
                wait.extra_seconds += more.num_seconds();
                wait.undisclosed_seconds += more.num_seconds();
                wait.outage_extensions
                    .push(OutageExtension { at: over, seconds: more.num_seconds() });
                any = true;
            }
        }
        any
    }

    /// Corrects what was computed while the machine's clock was ahead. Each player concerned gets
    /// at least a day from now. Returns `true` if there is such a player.
    pub(crate) fn correct_times_set_ahead<'a>(
        &mut self,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) -> bool {
        let mut any = self.paused.is_some_and(|paused| paused > now);
        self.paused = self.paused.map(|paused| paused.min(now));
        let utc = OwnTime::default();
        let saved = self.before_orders.iter_mut().map(|before| &mut before.wait);
        for wait in self.waits.iter_mut().chain(saved) {
            let own = own(wait.seat).unwrap_or(&utc);
            any |= wait.drop_times_set_ahead(now, &self.rules, own);
        }
        any
    }

    /// Moves the deadlines that an outage has extended to the next times at which deadlines may
    /// fall.
    pub(crate) fn move_extended_to_allowed_times<'a>(&mut self, own: impl OwnTimeBySeat<'a>) {
        self.change_waits(own, |wait, rules, own| {
            if wait.undisclosed_seconds > 0 {
                wait.postpone_by(TimeDelta::zero(), rules, own);
            }
        });
    }

    /// Moves each deadline that is nearer than `least` to the first time by the rules that leaves
    /// `least` from `now`. Missed deadlines stay.
    pub(crate) fn ensure_time_left<'a>(
        &mut self,
        least: TimeDelta,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) {
        self.change_waits(own, |wait, rules, own| {
            let before = wait.deadline;
            if before < now + least && !wait.has_missed {
                wait.deadline = rules.next_regular_deadline(now + least, own);
                wait.extra_seconds += (wait.deadline - before).num_seconds();
            }
        });
    }

    pub(crate) fn pause(&mut self, now: DateTime<Utc>) {
        self.paused = Some(self.paused.unwrap_or(now));
    }

    /// Restarts a paused clock. Each player has as much time left as before the pause.
    pub(crate) fn resume<'a>(&mut self, now: DateTime<Utc>, own: impl OwnTimeBySeat<'a>) {
        let Some(paused) = self.paused.take() else { return };
        self.change_waits(own, |wait, rules, own| {
            if wait.unreachable_since.is_none() {
                wait.postpone_by(now - paused.max(wait.since), rules, own);
            }
        });
    }

    /// Stops or restarts the clock of a seat, depending on whether letters reach its player.
    ///
    /// The clock stops at `now`, which may be in the past. When it restarts, the player has as much
    /// time left as before, but at least a day.
    pub(crate) fn stop_or_restart_seat_clock(
        &mut self,
        seat: Seat,
        reached: bool,
        now: DateTime<Utc>,
        own: &OwnTime,
    ) {
        for wait in self.waits.iter_mut().filter(|wait| wait.seat == seat && !wait.has_missed) {
            match (wait.unreachable_since, reached) {
                (None, false) => {
                    wait.unreachable_since =
                        Some(self.paused.map_or(now, |at| at.min(now)).max(wait.since));
                }
                (Some(lost), true) => {
                    // [`resume`](Self::resume) gives back the time of the moderator's pause, so
                    // that time is left out here.
                    let stood = (self.paused.unwrap_or(now) - lost).max(TimeDelta::zero());
                    let more = stood.max(now + NOTICE_MIN - wait.deadline);
                    wait.postpone_by(more, &self.rules, own);
                    wait.unreachable_since = None;
                }
                (None, true) | (Some(_), false) => {}
            }
        }
    }

    /// Computes a seat's deadline again after its player's vacations have changed. The deadline may
    /// move earlier, but leaves at least a day.
    pub(crate) fn recompute_deadline(&mut self, seat: Seat, own: &OwnTime, now: DateTime<Utc>) {
        for wait in self.waits.iter_mut().filter(|wait| wait.seat == seat && !wait.has_missed) {
            let extra = TimeDelta::seconds(wait.extra_seconds);
            let by_rule = self.rules.compute_deadline(wait.since, own) + extra;
            let least = wait.deadline.min(now + NOTICE_MIN);
            wait.deadline = self.rules.next_allowed_deadline(by_rule.max(least), own);
        }
    }
}

/// Returns a wait that begins now, under other rules. If the seat had an extension and has more
/// time left than the new rules give, it keeps the longer time.
fn wait_under_new_rules(
    before: &Wait,
    rules: &ClockRules,
    (paused, now): (Option<DateTime<Utc>>, DateTime<Utc>),
    own: &OwnTime,
) -> Wait {
    let mut wait = Wait::new(before.seat, now, rules.compute_deadline(now, own));
    wait.unreachable_since = before.unreachable_since.map(|_| now);
    let left = before.deadline - before.time_ran_until(paused, now);
    let more = now + left - wait.deadline;
    if before.extra_seconds > 0 && !before.has_missed && more > TimeDelta::zero() {
        wait.postpone_by(more, rules, own);
    }
    wait
}

/// The clock of one seat before its last orders, which undo restores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ClockBeforeOrders {
    /// The number of the record of the orders.
    seq: u32,
    wait: Wait,
    /// The bank time that the seat had used, in seconds.
    #[serde(default, skip_serializing_if = "is_default")]
    bank_used: i64,
    #[serde(default, skip_serializing_if = "is_default")]
    missed_in_row: u32,
    #[serde(default, skip_serializing_if = "is_default")]
    #[serde(rename = "open")]
    was_open: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    punctuality: Punctuality,
}

impl GameClock {
    /// Returns the clock of a seat before its orders with record number `seq`, to be stored for
    /// undo. Must be called before the clock changes because of these orders.
    pub(crate) fn clock_before_orders(
        &self,
        (seq, seat): (u32, Seat),
        punctuality: Punctuality,
        now: DateTime<Utc>,
        own: &OwnTime,
    ) -> ClockBeforeOrders {
        // A seat that was asked and has sent orders within the same commit has no wait yet. It
        // counts as asked now.
        let asked_now = || Wait::new(seat, now, self.rules.compute_deadline(now, own));
        ClockBeforeOrders {
            seq,
            wait: self.wait_of_seat(seat).cloned().unwrap_or_else(asked_now),
            bank_used: self.bank_seconds_used.get(seat.index()).copied().unwrap_or(0),
            missed_in_row: self.missed_turns_in_row.get(seat.index()).copied().unwrap_or(0),
            was_open: self.open_to_substitute.contains(&seat),
            punctuality,
        }
    }

    /// Restores the clock of the seat whose last orders are taken back, if their record is after
    /// record `to`. Returns the seat, and its player's punctuality before the orders.
    pub(crate) fn restore_clock_before_orders(&mut self, to: u32) -> Option<(Seat, Punctuality)> {
        let before = self.before_orders.take().filter(|before| before.seq > to)?;
        let ClockBeforeOrders {
            wait, bank_used, missed_in_row, was_open: open, punctuality, ..
        } = *before;
        let seat = wait.seat;
        self.waits.retain(|other| other.seat != seat);
        self.waits.push(wait);
        *entry_of_seat_mut(&mut self.bank_seconds_used, seat) = bank_used;
        if missed_in_row > 0 {
            *entry_of_seat_mut(&mut self.missed_turns_in_row, seat) = missed_in_row;
        }
        if open && !self.open_to_substitute.contains(&seat) {
            self.open_to_substitute.push(seat);
            self.open_to_substitute.sort_unstable();
        }
        Some((seat, punctuality))
    }

    /// Whether undo of a seat's last orders, which are recorded after record `to`, would cost the
    /// player the turn. That is so if the seat had not missed its deadline before them, but would
    /// miss it at `now` without them.
    pub(crate) fn would_undo_miss_deadline(&self, to: u32, now: DateTime<Utc>) -> bool {
        let before = self.before_orders.as_ref().filter(|before| before.seq > to);
        before.is_some_and(|before| {
            let wait = &before.wait;
            let runs =
                self.paused.is_none() && wait.unreachable_since.is_none() && !wait.has_missed;
            // Undo also gives back the bank time that late orders used.
            let used = self.bank_seconds_used.get(wait.seat.index()).copied().unwrap_or(0);
            let back = TimeDelta::seconds((used - before.bank_used).max(0));
            runs && self.deadline_with_grace_and_bank(wait) + back <= now
        })
    }
}
