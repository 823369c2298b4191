//! One game's clock as it stands: who is waited for, until when, and what comes next.
//!
//! What was announced holds: a deadline is kept as it was told, and changes only by what is told
//! again. A game's clock is kept in the same commit as the letters that it leads to.

use super::clock_change::ClockBeforeOrders;
use super::{ClockRules, NmrRule, OwnTime, OwnTimeBySeat, ReminderTime};
use crate::rules::Seat;
use crate::table::Reason;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// How often a player is reminded who has missed the deadline of a game that waits.
const WEEK: TimeDelta = TimeDelta::days(7);

/// One game's clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameClock {
    /// The rules that the game is played by.
    pub rules: ClockRules,
    /// Who is waited for, by seat.
    #[serde(default)]
    pub waits: Vec<Wait>,
    /// How many deadlines each seat has missed.
    #[serde(default)]
    pub misses: Vec<u32>,
    /// How many turns each seat has missed since it last played one itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "missed_in_row")]
    pub missed_turns_in_row: Vec<u32>,
    /// The seats that are open to a substitute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "open")]
    pub open_to_substitute: Vec<Seat>,
    /// How much of its bank each seat has used, in seconds.
    #[serde(default)]
    #[serde(rename = "bank_used")]
    pub bank_seconds_used: Vec<i64>,
    /// Since when the moderator lets the clock stand still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<DateTime<Utc>>,
    /// Why the moderator or an outage last changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "why")]
    pub change_reason: Option<Reason>,
    /// How it stood before the last orders, while these are the last thing that has happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "before")]
    pub(crate) before_orders: Option<Box<ClockBeforeOrders>>,
}

/// A seat that is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    /// The seat that is waited for.
    pub seat: Seat,
    /// When the seat was asked to act.
    pub since: DateTime<Utc>,
    /// Until when it has time, as it was told.
    pub deadline: DateTime<Utc>,
    /// By how many seconds the deadline was put off besides its rule.
    #[serde(default)]
    #[serde(rename = "extra")]
    pub(crate) extra_seconds: i64,
    /// Up to when all reminders are done.
    #[serde(rename = "reminded")]
    pub reminded_until: DateTime<Utc>,
    /// Whether the deadline was missed and the game waits on.
    #[serde(default)]
    #[serde(rename = "missed")]
    pub(crate) has_missed: bool,
    /// By how many seconds it was put off because of an outage that the player was not told of.
    #[serde(default)]
    #[serde(rename = "untold")]
    pub(crate) undisclosed_seconds: i64,
    /// What outages have given, so that it can be taken back when there was none: the machine's
    /// clock was wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "given")]
    pub(crate) outage_extensions: Vec<OutageExtension>,
    /// Since when it stands still, as no letter reaches the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "lost")]
    pub unreachable_since: Option<DateTime<Utc>>,
}

/// What an outage has given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutageExtension {
    /// When that was found.
    pub at: DateTime<Utc>,
    /// How many seconds.
    pub(crate) seconds: i64,
}

/// What must happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// The seat is reminded.
    Reminder,
    /// The seat is told that it has more time.
    Extended,
    /// The seat's time is over ("no move received").
    Nmr,
}

impl Wait {
    /// Returns a wait for this seat that begins now.
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

    /// Whether the orders should have come by now; no time runs for who cannot be reached.
    pub(crate) fn is_late(&self, now: DateTime<Utc>) -> bool {
        self.deadline < self.unreachable_since.map_or(now, |lost| lost.min(now))
    }
}

impl GameClock {
    /// A clock that nobody is waited for by.
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

    /// Sets the seats that the game waits for. A seat that was waited for already keeps its
    /// deadline. It gets a new one if it has `acted`, or if the game was `taken_back`.
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
            if self.wait(*seat).is_none() {
                let deadline = self.rules.compute_deadline(now, own(*seat).unwrap_or(&utc));
                self.waits.push(Wait::new(*seat, now, deadline));
            }
        }
        self.waits.sort_by_key(|wait| wait.seat);
    }

    /// The wait for a seat.
    pub fn wait(&self, seat: Seat) -> Option<&Wait> {
        self.waits.iter().find(|wait| wait.seat == seat)
    }

    fn wait_mut(&mut self, seat: Seat) -> Option<&mut Wait> {
        self.waits.iter_mut().find(|wait| wait.seat == seat)
    }

    /// What is left of a seat's bank.
    pub fn bank_left(&self, seat: Seat) -> TimeDelta {
        let used = self.bank_seconds_used.get(seat.index()).copied().unwrap_or(0);
        let whole = self.rules.bank.map_or(TimeDelta::zero(), |bank| bank.to_time_delta());
        (whole - TimeDelta::seconds(used)).max(TimeDelta::zero())
    }

    /// When the seat's time is over in earnest: deadline, grace and what its bank holds.
    pub(crate) fn final_deadline(&self, wait: &Wait) -> DateTime<Utc> {
        self.end_of_grace(wait) + self.bank_left(wait.seat)
    }

    fn end_of_grace(&self, wait: &Wait) -> DateTime<Utc> {
        wait.deadline + self.rules.grace.map_or(TimeDelta::zero(), |grace| grace.to_time_delta())
    }

    /// Takes from a seat's bank by how much it is late whose orders came at `received`. This comes
    /// before the clock is [turned](Self::turned).
    pub(crate) fn charge_bank(&mut self, seat: Seat, received: DateTime<Utc>) {
        let Some(wait) = self.wait(seat).filter(|wait| !wait.has_missed) else { return };
        let received = self.paused.map_or(received, |paused| paused.min(received));
        let late = (received - self.end_of_grace(wait)).min(self.bank_left(seat)).num_seconds();
        if late > 0 {
            *seat_slot(&mut self.bank_seconds_used, seat) += late;
        }
    }

    /// Returns the next event and its time, or `None` while the clock stands still.
    pub(crate) fn next_event(&self) -> Option<(DateTime<Utc>, Seat, ClockEvent)> {
        let of = |wait: &Wait| {
            let (at, event) = self.next_event_for(wait);
            (at, wait.seat, event)
        };
        let next = self.reachable_waits().map(of).min_by_key(|(at, seat, _)| (*at, *seat));
        next.filter(|_| self.paused.is_none())
    }

    fn next_event_for(&self, wait: &Wait) -> (DateTime<Utc>, ClockEvent) {
        if wait.undisclosed_seconds > 0 {
            return (wait.reminded_until, ClockEvent::Extended);
        }
        if wait.has_missed {
            return (wait.reminded_until + WEEK, ClockEvent::Reminder);
        }
        let end = self.final_deadline(wait);
        match self.next_reminder(wait).filter(|at| *at <= end) {
            Some(at) => (at, ClockEvent::Reminder),
            None => (end, ClockEvent::Nmr),
        }
    }

    /// Returns when the first reminder is due that the seat has not had.
    fn next_reminder(&self, wait: &Wait) -> Option<DateTime<Utc>> {
        let whole = wait.deadline - wait.since;
        let at = |remind: &ReminderTime| match remind {
            ReminderTime::Half => wait.since + TimeDelta::seconds(whole.num_seconds() / 2),
            ReminderTime::Left(length) => wait.deadline - length.to_time_delta(),
        };
        let least = wait.since.max(wait.reminded_until);
        self.rules.reminders.iter().map(at).filter(|at| *at > least).min()
    }

    /// What has come due by now: for each seat the most that has.
    pub fn due_events(&self, now: DateTime<Utc>) -> Vec<(Seat, ClockEvent)> {
        if self.paused.is_some() {
            return Vec::new();
        }
        let of = |wait: &Wait| {
            if wait.undisclosed_seconds == 0 && !wait.has_missed && self.final_deadline(wait) <= now
            {
                return Some((wait.seat, ClockEvent::Nmr));
            }
            let (at, event) = self.next_event_for(wait);
            (at <= now).then_some((wait.seat, event))
        };
        self.reachable_waits().filter_map(of).collect()
    }

    /// The waits of those whom a letter reaches.
    pub(super) fn reachable_waits(&self) -> impl Iterator<Item = &Wait> {
        self.waits.iter().filter(|wait| wait.unreachable_since.is_none())
    }

    /// Notes that a seat has been reminded.
    pub(crate) fn record_reminder(&mut self, seat: Seat, now: DateTime<Utc>) {
        if let Some(wait) = self.wait_mut(seat) {
            wait.reminded_until = now;
        }
    }

    /// Counts a missed deadline of a seat. Returns `true` if the seat is now open to a substitute.
    pub(crate) fn record_missed_deadline(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        self.charge_bank(seat, now);
        *seat_slot(&mut self.misses, seat) += 1;
        let opens = self.opens_after_next_miss(seat);
        *seat_slot(&mut self.missed_turns_in_row, seat) += 1;
        if opens {
            self.open_to_substitute.push(seat);
            self.open_to_substitute.sort_unstable();
        }
        if self.rules.nmr != NmrRule::Forfeit
            && let Some(wait) = self.wait_mut(seat)
        {
            wait.has_missed = true;
            wait.reminded_until = now;
        }
        opens
    }

    /// The seats that are open to a substitute, ascending. Until somebody takes one over, the clock
    /// runs for it as for every other.
    pub fn open_seats(&self) -> &[Seat] {
        &self.open_to_substitute
    }

    /// Whether a seat is open to a substitute once it misses one more turn, and is not yet.
    pub(crate) fn opens_after_next_miss(&self, seat: Seat) -> bool {
        let in_row = self.missed_turns_in_row.get(seat.index()).copied().unwrap_or(0);
        // Who stands in does so from the first turn that is missed.
        let after =
            if self.rules.nmr == NmrRule::StandIn { 1 } else { self.rules.open_after_misses };
        after > 0 && in_row.saturating_add(1) >= after && !self.open_to_substitute.contains(&seat)
    }

    /// Notes that the player of a seat has played a turn himself: it is his.
    pub(crate) fn record_played_turn(&mut self, seat: Seat) {
        self.open_to_substitute.retain(|open| *open != seat);
        if let Some(missed) = self.missed_turns_in_row.get_mut(seat.index()) {
            *missed = 0;
        }
    }

    /// Hands a seat to a successor, whose own time this is. If the seat is waited for, its deadline
    /// is counted anew. What is left of the seat's bank stays with the seat.
    pub(crate) fn start_successor_turn(&mut self, seat: Seat, own: &OwnTime, now: DateTime<Utc>) {
        self.record_played_turn(seat);
        let deadline = self.rules.compute_deadline(now, own);
        if let Some(wait) = self.wait_mut(seat) {
            *wait = Wait::new(seat, now, deadline);
        }
    }

    /// Returns by how much an outage has put off a seat's deadline, and counts it as disclosed.
    pub fn take_undisclosed_extension(&mut self, seat: Seat) -> Option<TimeDelta> {
        let wait = self.wait_mut(seat)?;
        Some(TimeDelta::seconds(std::mem::take(&mut wait.undisclosed_seconds)))
    }
}

/// A seat's place in a list by seat, which grows to hold it.
pub(super) fn seat_slot<T: Default + Clone>(list: &mut Vec<T>, seat: Seat) -> &mut T {
    let index = seat.index();
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}
