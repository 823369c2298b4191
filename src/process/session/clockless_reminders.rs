//! Reminders in games without a clock: at the interval that each player has chosen, or after the
//! club's `reminder_days`.

use crate::club::Member;
use crate::process::context::Context;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Seat, Turn};
use chrono::{DateTime, TimeDelta, Utc};

/// Returns the interval of a member's reminders. `None` if the member gets none.
pub(crate) fn clockless_reminder_interval(context: &Context, member: &Member) -> Option<TimeDelta> {
    let days = context.settings.reminder_days;
    member.time.reminders.interval_or((days > 0).then(|| TimeDelta::days(days.into())))
}

impl GameSession {
    /// Returns the awaited seats, each with the time of its next reminder. Bots, players without
    /// reminders and seats with sealed orders are left out.
    pub(crate) fn clockless_reminders(&self, context: &Context) -> Vec<(Seat, DateTime<Utc>)> {
        let Turn::Awaiting(awaited) = self.table.turn() else { return Vec::new() };
        let last = self.table.records().last().map(|record| record.at);
        let reminder = |seat: Seat| {
            let (seated, member) = self.seat(seat).filter(|_| self.bot_at(seat).is_none())?;
            // A time in the future was stored while the machine's clock was ahead.
            let past = [last, seated.reminded_at].into_iter().flatten();
            let since = past.filter(|at| *at <= context.now).max().unwrap_or(context.now);
            let next = since.checked_add_signed(clockless_reminder_interval(context, member)?)?;
            Some((seat, member.time.end_of_vacation(next)))
        };
        let waits = awaited.into_iter().filter(|seat| !self.has_sealed_orders(*seat));
        waits.filter_map(reminder).collect()
    }

    /// Returns the awaited seats that are reminded now, because their reminders are due. If none
    /// is, the game is due because its club was restored or had a wrong clock. All are then
    /// reminded, except players on vacation.
    pub(crate) fn seats_due_for_reminder(&self, context: &Context) -> Vec<Seat> {
        let (all, now) = (self.clockless_reminders(context), context.now);
        let is_any_due = all.iter().any(|(_, at)| *at <= now);
        let is_away = |seat| {
            self.seat(seat).is_some_and(|(_, member)| member.time.end_of_vacation(now) > now)
        };
        let is_due = |(seat, at): (Seat, DateTime<Utc>)| {
            (at <= now || !is_any_due && !is_away(seat)).then_some(seat)
        };
        all.into_iter().filter_map(is_due).collect()
    }

    pub(crate) fn record_clockless_reminder(&mut self, seat: Seat, now: DateTime<Utc>) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.reminded_at = Some(now);
        }
    }
}
