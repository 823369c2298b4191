//! One game's clock as it stands: who is waited for, until when, and what comes next.
//!
//! What was announced holds: a deadline is kept as it was told, and changes only by what is told
//! again. A game's clock is kept in the same commit as the letters that it leads to.

use super::change::BeforeOrders;
use super::{ClockRules, Nmr, OwnTime, Remind, TimeOf};
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
    pub missed_in_row: Vec<u32>,
    /// The seats that are open to a substitute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<Seat>,
    /// How much of its bank each seat has used, in seconds.
    #[serde(default)]
    pub bank_used: Vec<i64>,
    /// Since when the moderator lets the clock stand still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<DateTime<Utc>>,
    /// Why the moderator or an outage last changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Reason>,
    /// How it stood before the last orders, while these are the last thing that has happened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) before: Option<Box<BeforeOrders>>,
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
    pub(crate) extra: i64,
    /// Up to when all reminders are done.
    pub reminded: DateTime<Utc>,
    /// Whether the deadline was missed and the game waits on.
    #[serde(default)]
    pub(crate) missed: bool,
    /// By how many seconds it was put off because of an outage that the player was not told of.
    #[serde(default)]
    pub(crate) untold: i64,
    /// What outages have given, so that it can be taken back when there was none: the machine's
    /// clock was wrong.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) given: Vec<Given>,
    /// Since when it stands still, as no letter reaches the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<DateTime<Utc>>,
}

/// What an outage has given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// When that was found.
    pub at: DateTime<Utc>,
    /// How many seconds.
    pub(crate) seconds: i64,
}

/// What must happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
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
        Self { seat, since, deadline, extra, reminded, missed, untold, given, lost }
    }

    /// Whether the orders should have come by now; no time runs for who cannot be reached.
    pub(crate) fn is_late(&self, now: DateTime<Utc>) -> bool {
        self.deadline < self.lost.map_or(now, |lost| lost.min(now))
    }
}

impl GameClock {
    /// A clock that nobody is waited for by.
    pub const fn new(rules: ClockRules) -> Self {
        Self {
            rules,
            waits: Vec::new(),
            misses: Vec::new(),
            missed_in_row: Vec::new(),
            open: Vec::new(),
            bank_used: Vec::new(),
            paused: None,
            why: None,
            before: None,
        }
    }

    /// Sets the seats that the game waits for. A seat that was waited for already keeps its
    /// deadline. It gets a new one if it has `acted`, or if the game was `taken_back`.
    pub fn turned<'a>(
        &mut self,
        awaited: &[Seat],
        acted: &[Seat],
        taken_back: bool,
        now: DateTime<Utc>,
        own: impl TimeOf<'a>,
    ) {
        self.waits.retain(|wait| {
            awaited.contains(&wait.seat) && !acted.contains(&wait.seat) && !taken_back
        });
        let utc = OwnTime::default();
        for seat in awaited {
            if self.wait(*seat).is_none() {
                let deadline = self.rules.deadline_for(now, own(*seat).unwrap_or(&utc));
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
        let used = self.bank_used.get(seat.index()).copied().unwrap_or(0);
        let whole = self.rules.bank.map_or(TimeDelta::zero(), |bank| bank.time());
        (whole - TimeDelta::seconds(used)).max(TimeDelta::zero())
    }

    /// When the seat's time is over in earnest: deadline, grace and what its bank holds.
    pub(crate) fn end(&self, wait: &Wait) -> DateTime<Utc> {
        self.end_of_grace(wait) + self.bank_left(wait.seat)
    }

    fn end_of_grace(&self, wait: &Wait) -> DateTime<Utc> {
        wait.deadline + self.rules.grace.map_or(TimeDelta::zero(), |grace| grace.time())
    }

    /// Takes from a seat's bank by how much it is late whose orders came at `received`. This comes
    /// before the clock is [turned](Self::turned).
    pub(crate) fn charge(&mut self, seat: Seat, received: DateTime<Utc>) {
        let Some(wait) = self.wait(seat).filter(|wait| !wait.missed) else { return };
        let received = self.paused.map_or(received, |paused| paused.min(received));
        let late = (received - self.end_of_grace(wait)).min(self.bank_left(seat)).num_seconds();
        if late > 0 {
            *slot(&mut self.bank_used, seat) += late;
        }
    }

    /// Returns the next event and its time, or `None` while the clock stands still.
    pub(crate) fn next(&self) -> Option<(DateTime<Utc>, Seat, Event)> {
        let of = |wait: &Wait| {
            let (at, event) = self.next_of(wait);
            (at, wait.seat, event)
        };
        let next = self.running().map(of).min_by_key(|(at, seat, _)| (*at, *seat));
        next.filter(|_| self.paused.is_none())
    }

    fn next_of(&self, wait: &Wait) -> (DateTime<Utc>, Event) {
        if wait.untold > 0 {
            return (wait.reminded, Event::Extended);
        }
        if wait.missed {
            return (wait.reminded + WEEK, Event::Reminder);
        }
        let end = self.end(wait);
        match self.next_reminder(wait).filter(|at| *at <= end) {
            Some(at) => (at, Event::Reminder),
            None => (end, Event::Nmr),
        }
    }

    /// Returns when the first reminder is due that the seat has not had.
    fn next_reminder(&self, wait: &Wait) -> Option<DateTime<Utc>> {
        let whole = wait.deadline - wait.since;
        let at = |remind: &Remind| match remind {
            Remind::Half => wait.since + TimeDelta::seconds(whole.num_seconds() / 2),
            Remind::Left(length) => wait.deadline - length.time(),
        };
        let least = wait.since.max(wait.reminded);
        self.rules.reminders.iter().map(at).filter(|at| *at > least).min()
    }

    /// What has come due by now: for each seat the most that has.
    pub fn due(&self, now: DateTime<Utc>) -> Vec<(Seat, Event)> {
        if self.paused.is_some() {
            return Vec::new();
        }
        let of = |wait: &Wait| {
            if wait.untold == 0 && !wait.missed && self.end(wait) <= now {
                return Some((wait.seat, Event::Nmr));
            }
            let (at, event) = self.next_of(wait);
            (at <= now).then_some((wait.seat, event))
        };
        self.running().filter_map(of).collect()
    }

    /// The waits of those whom a letter reaches.
    pub(super) fn running(&self) -> impl Iterator<Item = &Wait> {
        self.waits.iter().filter(|wait| wait.lost.is_none())
    }

    /// Notes that a seat has been reminded.
    pub(crate) fn reminded(&mut self, seat: Seat, now: DateTime<Utc>) {
        if let Some(wait) = self.wait_mut(seat) {
            wait.reminded = now;
        }
    }

    /// Counts a missed deadline of a seat. Returns `true` if the seat is now open to a substitute.
    pub(crate) fn missed(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        self.charge(seat, now);
        *slot(&mut self.misses, seat) += 1;
        let opens = self.opens_with_next_miss(seat);
        *slot(&mut self.missed_in_row, seat) += 1;
        if opens {
            self.open.push(seat);
            self.open.sort_unstable();
        }
        if self.rules.nmr != Nmr::Forfeit
            && let Some(wait) = self.wait_mut(seat)
        {
            wait.missed = true;
            wait.reminded = now;
        }
        opens
    }

    /// The seats that are open to a substitute, ascending. Until somebody takes one over, the clock
    /// runs for it as for every other.
    pub fn open_seats(&self) -> &[Seat] {
        &self.open
    }

    /// Whether a seat is open to a substitute once it misses one more turn, and is not yet.
    pub(crate) fn opens_with_next_miss(&self, seat: Seat) -> bool {
        let in_row = self.missed_in_row.get(seat.index()).copied().unwrap_or(0);
        // Who stands in does so from the first turn that is missed.
        let after = if self.rules.nmr == Nmr::StandIn { 1 } else { self.rules.open_after };
        after > 0 && in_row.saturating_add(1) >= after && !self.open.contains(&seat)
    }

    /// Notes that the player of a seat has played a turn himself: it is his.
    pub(crate) fn played(&mut self, seat: Seat) {
        self.open.retain(|open| *open != seat);
        if let Some(missed) = self.missed_in_row.get_mut(seat.index()) {
            *missed = 0;
        }
    }

    /// Hands a seat to a successor, whose own time this is. If the seat is waited for, its deadline
    /// is counted anew. What is left of the seat's bank stays with the seat.
    pub(crate) fn taken_over(&mut self, seat: Seat, own: &OwnTime, now: DateTime<Utc>) {
        self.played(seat);
        let deadline = self.rules.deadline_for(now, own);
        if let Some(wait) = self.wait_mut(seat) {
            *wait = Wait::new(seat, now, deadline);
        }
    }

    /// Returns by how much an outage has put off a seat's deadline, and counts it as disclosed.
    pub fn tell_extended(&mut self, seat: Seat) -> Option<TimeDelta> {
        let wait = self.wait_mut(seat)?;
        Some(TimeDelta::seconds(std::mem::take(&mut wait.untold)))
    }
}

/// A seat's place in a list by seat, which grows to hold it.
pub(super) fn slot<T: Default + Clone>(list: &mut Vec<T>, seat: Seat) -> &mut T {
    let index = seat.index();
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}
