//! The state of one game's clock: the awaited seats, their deadlines, and the next reminder or
//! missed deadline.
//!
//! A deadline that a letter has announced stays as announced. It changes only together with a new
//! letter about it, because the clock is stored in the same commit as the letters that it causes.

use super::clock_change::ClockBeforeOrders;
use super::{ClockRules, NmrRule, OwnTime, OwnTimeBySeat, ReminderChoice, ReminderTime};
use crate::rules::Seat;
use crate::table::Reason;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The interval of reminders to a player who missed the deadline in a game that goes on waiting.
const WEEK: TimeDelta = TimeDelta::days(7);

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameClock {
    pub rules: ClockRules,
    #[serde(default)]
    pub waits: Vec<Wait>,
    /// The number of deadlines that each seat has missed, by seat.
    #[serde(default)]
    pub misses: Vec<u32>,
    /// The number of turns that each seat has missed since it last played one itself, by seat.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "missed_in_row")]
    pub missed_turns_in_row: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "open")]
    pub open_to_substitute: Vec<Seat>,
    /// The bank time that each seat has used, minus the increments that it has gained, in seconds,
    /// by seat.
    #[serde(default)]
    #[serde(rename = "bank_used")]
    pub bank_seconds_used: Vec<i64>,
    /// The time at which the moderator paused the clock. `None` while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<DateTime<Utc>>,
    /// The reason for the last change of the clock by the moderator or an outage, for the letters
    /// to players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "why")]
    pub change_reason: Option<Reason>,
    /// The clock of the seat before its last orders, for undo. `None` once anything else has
    /// happened in the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "before")]
    pub(crate) before_orders: Option<Box<ClockBeforeOrders>>,
}

/// An awaited seat and its deadline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    pub seat: Seat,
    /// The time at which the seat was asked for orders.
    pub since: DateTime<Utc>,
    /// The deadline that was announced to the seat. Grace and bank are added to it.
    pub deadline: DateTime<Utc>,
    /// The time by which the deadline was moved beyond the clock rules, in seconds.
    #[serde(default)]
    #[serde(rename = "extra")]
    pub(crate) extra_seconds: i64,
    /// The time of the last reminder. Reminders due until then are done.
    #[serde(rename = "reminded")]
    pub reminded_until: DateTime<Utc>,
    /// Whether the seat missed the deadline and the game still waits for it.
    #[serde(default)]
    #[serde(rename = "missed")]
    pub(crate) has_missed: bool,
    /// The time, in seconds, by which outages have moved the deadline since the last letter that
    /// told the player the deadline.
    #[serde(default)]
    #[serde(rename = "untold")]
    pub(crate) undisclosed_seconds: i64,
    /// The extensions because of outages. They are taken back if the machine's clock was wrong and
    /// there was no outage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "given")]
    pub(crate) outage_extensions: Vec<OutageExtension>,
    /// Since when letters no longer reach the player. From then on the seat's clock is stopped.
    /// `None` if letters reach the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lost")]
    pub unreachable_since: Option<DateTime<Utc>>,
}

/// The extension that a seat got because of one outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutageExtension {
    /// The time at which the outage was found.
    pub at: DateTime<Utc>,
    pub(crate) seconds: i64,
}

/// An event in an awaited seat's time, which a pass must act on when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The seat gets a reminder.
    Reminder,
    /// The seat must be told that an outage has extended its deadline.
    Extended,
    /// The seat has missed its deadline ("no move received").
    Nmr,
}

impl Wait {
    pub(super) fn new(seat: Seat, now: DateTime<Utc>, deadline: DateTime<Utc>) -> Self {
        let (since, reminded, given, lost) = (now, now, Vec::new(), None);
        let (extra, missed, untold) = (0, false, 0);
        Self {
            seat,
            since,
            deadline,
            extra_seconds: extra,
            reminded_until: reminded,
            has_missed: missed,
            undisclosed_seconds: untold,
            outage_extensions: given,
            unreachable_since: lost,
        }
    }

    /// Whether the deadline has passed. While letters do not reach the player, the seat's clock is
    /// stopped, so only a deadline before that counts.
    pub(crate) fn has_deadline_passed(&self, now: DateTime<Utc>) -> bool {
        self.deadline < self.unreachable_since.map_or(now, |lost| lost.min(now))
    }
}

impl GameClock {
    pub const fn new(rules: ClockRules) -> Self {
        Self {
            rules,
            waits: Vec::new(),
            misses: Vec::new(),
            missed_turns_in_row: Vec::new(),
            open_to_substitute: Vec::new(),
            bank_seconds_used: Vec::new(),
            paused: None,
            change_reason: None,
            before_orders: None,
        }
    }

    /// Sets the seats that the game waits for. A seat that was already awaited keeps its deadline.
    /// It gets a new one if it has `acted`, or if the game was `taken_back`.
    pub fn set_awaited_seats<'a>(
        &mut self,
        awaited: &[Seat],
        acted: &[Seat],
        taken_back: bool,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) {
        self.waits.retain(|wait| {
            awaited.contains(&wait.seat) && !acted.contains(&wait.seat) && !taken_back
        });
        let utc = OwnTime::default();
        for seat in awaited {
            if self.wait_of_seat(*seat).is_none() {
                let deadline = self.rules.compute_deadline(now, own(*seat).unwrap_or(&utc));
                self.waits.push(Wait::new(*seat, now, deadline));
            }
        }
        self.waits.sort_by_key(|wait| wait.seat);
    }

    pub fn wait_of_seat(&self, seat: Seat) -> Option<&Wait> {
        self.waits.iter().find(|wait| wait.seat == seat)
    }

    fn wait_of_seat_mut(&mut self, seat: Seat) -> Option<&mut Wait> {
        self.waits.iter_mut().find(|wait| wait.seat == seat)
    }

    pub fn remaining_time_bank(&self, seat: Seat) -> TimeDelta {
        let used = self.bank_seconds_used.get(seat.index()).copied().unwrap_or(0);
        let whole = self.rules.bank.map_or(TimeDelta::zero(), |bank| bank.to_time_delta());
        (whole - TimeDelta::seconds(used)).max(TimeDelta::zero())
    }

    /// Returns the time after which the seat counts as having missed its turn: the deadline plus
    /// grace plus the seat's remaining bank.
    pub(crate) fn deadline_with_grace_and_bank(&self, wait: &Wait) -> DateTime<Utc> {
        self.deadline_with_grace(wait) + self.remaining_time_bank(wait.seat)
    }

    fn deadline_with_grace(&self, wait: &Wait) -> DateTime<Utc> {
        wait.deadline + self.rules.grace.map_or(TimeDelta::zero(), |grace| grace.to_time_delta())
    }

    /// Charges a seat's bank for orders received after deadline and grace. Must be called before
    /// [`set_awaited_seats`](Self::set_awaited_seats), which removes the seat's wait.
    pub(crate) fn charge_time_bank(&mut self, seat: Seat, received: DateTime<Utc>) {
        let Some(wait) = self.wait_of_seat(seat).filter(|wait| !wait.has_missed) else { return };
        let received = self.paused.map_or(received, |paused| paused.min(received));
        let late = (received - self.deadline_with_grace(wait))
            .min(self.remaining_time_bank(seat))
            .num_seconds();
        if late > 0 {
            *entry_of_seat_mut(&mut self.bank_seconds_used, seat) += late;
        }
    }

    /// Adds the increment to the bank of a seat whose turn has ended.
    pub(crate) fn credit_increment(&mut self, seat: Seat) {
        if let Some(increment) = self.rules.increment {
            let gained = increment.to_time_delta().num_seconds();
            *entry_of_seat_mut(&mut self.bank_seconds_used, seat) -= gained;
        }
    }

    /// Returns the next event and its time. `None` while the clock is paused or nothing will happen
    /// to a reachable awaited seat.
    pub(crate) fn next_event<'a>(
        &self,
        own: impl OwnTimeBySeat<'a>,
    ) -> Option<(DateTime<Utc>, Seat, ClockEvent)> {
        let of = |wait: &Wait| {
            let (at, event) = self.next_event_for(wait, own(wait.seat))?;
            Some((at, wait.seat, event))
        };
        let next = self.reachable_waits().filter_map(of).min_by_key(|(at, seat, _)| (*at, *seat));
        next.filter(|_| self.paused.is_none())
    }

    fn next_event_for(
        &self,
        wait: &Wait,
        own: Option<&OwnTime>,
    ) -> Option<(DateTime<Utc>, ClockEvent)> {
        if wait.undisclosed_seconds > 0 {
            return Some((wait.reminded_until, ClockEvent::Extended));
        }
        let end = self.deadline_with_grace_and_bank(wait);
        let usual = OwnTime::default();
        let reminder = self.next_reminder(wait, own.unwrap_or(&usual));
        match reminder.filter(|at| wait.has_missed || *at <= end) {
            Some(at) => Some((at, ClockEvent::Reminder)),
            None => (!wait.has_missed).then_some((end, ClockEvent::Nmr)),
        }
    }

    /// Returns the time of the next reminder that the seat has not had. No reminder comes on a
    /// vacation day of the player, except the last one before a deadline on such a day.
    fn next_reminder(&self, wait: &Wait, own: &OwnTime) -> Option<DateTime<Utc>> {
        let least = wait.since.max(wait.reminded_until);
        let after = |interval| own.end_of_vacation(least + interval);
        if wait.has_missed {
            return own.reminders.interval_or(Some(WEEK)).map(after);
        }
        let whole = wait.deadline - wait.since;
        let usual = self.rules.reminders.iter().map(|remind| match remind {
            ReminderTime::Half => wait.since + TimeDelta::seconds(whole.num_seconds() / 2),
            ReminderTime::Left(length) => wait.deadline - length.to_time_delta(),
        });
        let is_usual = own.reminders == ReminderChoice::Usual;
        let first = usual.clone().filter(|at| is_usual && *at > least).min();
        let chosen = own.reminders.interval_or(None).map(after);
        // A player whom the club acts for after the deadline cannot turn this reminder off.
        let last = usual.max().filter(|at| self.rules.acts_after_deadline() && *at > least);
        let last = last.map(|at| {
            Some(own.end_of_vacation(at)).filter(|back| *back < wait.deadline).unwrap_or(at)
        });
        let first = first.map(|at| own.end_of_vacation(at));
        [first, chosen, last].into_iter().flatten().min()
    }

    /// Returns the events that are due at `now`, at most one per seat. If a reminder and a missed
    /// deadline are both due, the missed deadline wins.
    pub fn due_events<'a>(
        &self,
        now: DateTime<Utc>,
        own: impl OwnTimeBySeat<'a>,
    ) -> Vec<(Seat, ClockEvent)> {
        if self.paused.is_some() {
            return Vec::new();
        }
        let of = |wait: &Wait| {
            if wait.undisclosed_seconds == 0
                && !wait.has_missed
                && self.deadline_with_grace_and_bank(wait) <= now
            {
                return Some((wait.seat, ClockEvent::Nmr));
            }
            let (at, event) = self.next_event_for(wait, own(wait.seat))?;
            (at <= now).then_some((wait.seat, event))
        };
        self.reachable_waits().filter_map(of).collect()
    }

    /// Iterates over the waits of the players whom letters reach.
    pub(super) fn reachable_waits(&self) -> impl Iterator<Item = &Wait> {
        self.waits.iter().filter(|wait| wait.unreachable_since.is_none())
    }

    pub(crate) fn record_reminder(&mut self, seat: Seat, now: DateTime<Utc>) {
        if let Some(wait) = self.wait_of_seat_mut(seat) {
            wait.reminded_until = now;
        }
    }

    /// Counts a missed deadline of a seat. Returns `true` if the seat is now open to a substitute.
    pub(crate) fn record_missed_deadline(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        self.charge_time_bank(seat, now);
        *entry_of_seat_mut(&mut self.misses, seat) += 1;
        let opens = self.opens_after_next_miss(seat);
        *entry_of_seat_mut(&mut self.missed_turns_in_row, seat) += 1;
        if opens {
            self.open_to_substitute.push(seat);
            self.open_to_substitute.sort_unstable();
        }
        if self.rules.nmr != NmrRule::Forfeit
            && let Some(wait) = self.wait_of_seat_mut(seat)
        {
            wait.has_missed = true;
            wait.reminded_until = now;
        }
        opens
    }

    /// Returns the seats that are open to a substitute, in seat order. Until a substitute takes
    /// such a seat, its clock runs like any other.
    pub fn seats_open_to_substitute(&self) -> &[Seat] {
        &self.open_to_substitute
    }

    /// Whether one more missed turn opens the seat to a substitute. `false` if the seat is already
    /// open.
    pub(crate) fn opens_after_next_miss(&self, seat: Seat) -> bool {
        let in_row = self.missed_turns_in_row.get(seat.index()).copied().unwrap_or(0);
        // A stand-in takes over after the first missed turn.
        let after =
            if self.rules.nmr == NmrRule::StandIn { 1 } else { self.rules.open_after_misses };
        after > 0 && in_row.saturating_add(1) >= after && !self.open_to_substitute.contains(&seat)
    }

    /// Notes that the player of a seat played a turn themselves. The seat is no longer open to a
    /// substitute.
    pub(crate) fn record_turn_played_in_person(&mut self, seat: Seat) {
        self.open_to_substitute.retain(|open| *open != seat);
        if let Some(missed) = self.missed_turns_in_row.get_mut(seat.index()) {
            *missed = 0;
        }
    }

    /// Restarts the clock of a seat that a new player has taken over. `own` is the new player's
    /// zone and vacations. If the game waits for the seat, its deadline is computed again from now.
    /// The remaining bank time stays with the seat.
    pub(crate) fn restart_clock_for_successor(
        &mut self,
        seat: Seat,
        own: &OwnTime,
        now: DateTime<Utc>,
    ) {
        self.record_turn_played_in_person(seat);
        let deadline = self.rules.compute_deadline(now, own);
        if let Some(wait) = self.wait_of_seat_mut(seat) {
            *wait = Wait::new(seat, now, deadline);
        }
    }

    /// Returns by how much outages have moved a seat's deadline since the player was last told. The
    /// caller must tell the player, because the time then counts as told.
    pub fn disclose_outage_extension(&mut self, seat: Seat) -> Option<TimeDelta> {
        let wait = self.wait_of_seat_mut(seat)?;
        Some(TimeDelta::seconds(std::mem::take(&mut wait.undisclosed_seconds)))
    }
}

/// Returns the entry of `seat` in a list by seat. Extends the list with defaults if it is too
/// short.
pub(super) fn entry_of_seat_mut<T: Default + Clone>(list: &mut Vec<T>, seat: Seat) -> &mut T {
    let index = seat.index();
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}
