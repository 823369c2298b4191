//! The sentences about clocks and dates in letters, as message keys and arguments.

use super::{ClockRule, Deadline, GameClock, Length, NmrRule, OwnTime, Wait};
use crate::rules::{Arg, Message, Seat};
use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc, Weekday};
use chrono_tz::Tz;

const WEEKDAYS: [&str; 7] = [
    "weekday-mon",
    "weekday-tue",
    "weekday-wed",
    "weekday-thu",
    "weekday-fri",
    "weekday-sat",
    "weekday-sun",
];

const MONTHS: [&str; 12] = [
    "month-jan",
    "month-feb",
    "month-mar",
    "month-apr",
    "month-may",
    "month-jun",
    "month-jul",
    "month-aug",
    "month-sep",
    "month-oct",
    "month-nov",
    "month-dec",
];

/// Returns the message for a date and time in the reader's zone, to the minute.
pub fn describe_moment(at: DateTime<Utc>, own: &OwnTime) -> Message {
    let local = at.with_timezone(&own.zone());
    describe_local_moment("clock-moment", &local)
        .with("year", local.year().to_string())
        .with("zone", local.format("%Z").to_string())
}

/// Returns the shortest clear message for a time after `from`, in the reader's zone. Within the
/// next seven days that is the weekday and the time, and later the date.
pub fn describe_moment_briefly(at: DateTime<Utc>, from: DateTime<Utc>, own: &OwnTime) -> Message {
    let (local, from) = (at.with_timezone(&own.zone()), from.with_timezone(&own.zone()));
    let days = (local.date_naive() - from.date_naive()).num_days();
    let key = if (0..7).contains(&days) { "clock-moment-soon" } else { "clock-moment-later" };
    describe_local_moment(key, &local)
}

fn describe_local_moment(key: &'static str, local: &DateTime<Tz>) -> Message {
    Message::new(key)
        .with("weekday", weekday_term(local.weekday()))
        .with("day", local.day().to_string())
        .with("month", month_term(local.month0()))
        .with("time", local.format("%H:%M").to_string())
}

pub fn describe_date(at: DateTime<Utc>, own: &OwnTime) -> Message {
    describe_day(at.with_timezone(&own.zone()).date_naive())
}

pub fn describe_day(day: NaiveDate) -> Message {
    Message::new("clock-date")
        .with("day", day.day().to_string())
        .with("month", month_term(day.month0()))
        .with("year", day.year().to_string())
}

/// Returns the message for a length of time: in whole days, or in rounded hours, at least one.
pub fn describe_duration(span: TimeDelta) -> Message {
    let hours = (span.num_minutes() + 30) / 60;
    if hours >= 24 && hours % 24 == 0 {
        Message::new("clock-days").with("count", hours / 24)
    } else {
        Message::new("clock-hours").with("count", hours.max(1))
    }
}

impl Length {
    pub(crate) fn describe(self) -> Message {
        let (count, _, key) = self.number_and_unit();
        Message::new(key).with("count", count)
    }
}

impl Deadline {
    pub(crate) fn describe(&self) -> Message {
        match self {
            Self::After(length) => length.describe(),
            Self::Weekly { days, time, zone } => Message::new("deadline-weekly")
                .with("days", join_with_commas(days.iter().copied().map(weekday_term)))
                .with("time", time.format("%H:%M").to_string())
                .with("zone", zone.name()),
        }
    }
}

impl ClockRule {
    /// Returns the message for the rule and its value. `None` if the rule turns a time off.
    fn describe(&self) -> Option<Message> {
        let length = |key, length: &Option<Length>| {
            Some(Message::new(key).with("length", length.map(Length::describe)?))
        };
        match self {
            Self::Deadline(deadline) => {
                Some(Message::new("rule-deadline").with("deadline", deadline.describe()))
            }
            Self::Nmr(nmr) => Some(Message::new("rule-nmr").with("nmr", nmr.to_string())),
            Self::Grace(grace) => length("rule-grace", grace),
            Self::Bank(bank) => length("rule-bank", bank),
            Self::Increment(increment) => length("rule-increment", increment),
        }
    }

    /// Returns one argument with the messages of all rules, separated by commas.
    pub(crate) fn describe_all(rules: &[Self]) -> Arg {
        join_with_commas(rules.iter().filter_map(|rule| Some(rule.describe()?.into())))
    }
}

/// Joins `all` with the comma of the letter's language. There is no "and" before the last one.
fn join_with_commas(mut all: impl Iterator<Item = Arg>) -> Arg {
    let first = all.next().unwrap_or(Arg::Text(String::new()));
    all.fold(first, |before, next| {
        Message::new("list-more").with("a", before).with("b", next).into()
    })
}

fn weekday_term(day: Weekday) -> Arg {
    Arg::Term(WEEKDAYS.get(day.num_days_from_monday() as usize).copied().unwrap_or_default())
}

fn month_term(from_january: u32) -> Arg {
    Arg::Term(MONTHS.get(from_january as usize).copied().unwrap_or_default())
}

impl GameClock {
    /// Returns the sentences about the clock in a letter to `reader`. They name the deadlines in
    /// the player's zone, or the pause, and the seats that are open to a substitute.
    pub(crate) fn clock_sentences_for(&self, reader: Seat, own: &OwnTime) -> Vec<Message> {
        if self.waits.is_empty() {
            return Vec::new();
        }
        if self.paused.is_some() {
            return vec![Message::new("clock-paused")];
        }
        let mut words = match self.wait_of_seat(reader) {
            Some(wait) => self.describe_for_awaited_seat(wait, own),
            None => self.describe_for_other_seats(own),
        };
        words.extend(self.describe_open_seats(reader));
        words
    }

    fn describe_open_seats(&self, reader: Seat) -> impl Iterator<Item = Message> {
        let (own, others): (Vec<Seat>, Vec<Seat>) =
            self.open_to_substitute.iter().partition(|seat| **seat == reader);
        let own = (!own.is_empty()).then(|| Message::new("clock-seat-open-yours"));
        let others = (!others.is_empty()).then(|| {
            Message::new("clock-seat-open").with("count", others.len()).with("who", others)
        });
        own.into_iter().chain(others)
    }

    fn describe_for_awaited_seat(&self, wait: &Wait, own: &OwnTime) -> Vec<Message> {
        let key = if wait.has_missed { "clock-overdue" } else { "clock-yours" };
        let mut words = vec![Message::new(key).with("by", describe_moment(wait.deadline, own))];
        if wait.has_missed {
            return words;
        }
        let bank = self.remaining_time_bank(wait.seat);
        if bank > TimeDelta::zero() {
            words.push(Message::new("clock-bank").with("left", describe_duration(bank)));
        }
        if let Some(increment) = self.rules.increment {
            words.push(Message::new("clock-increment").with("length", increment.describe()));
        }
        let then = match self.rules.nmr {
            NmrRule::Wait => None,
            NmrRule::Forfeit => Some("clock-then-absent"),
            NmrRule::StandIn => Some("clock-then-stand-in"),
            NmrRule::Bot => Some("clock-then-bot"),
        };
        let end = describe_moment(self.deadline_with_grace_and_bank(wait), own);
        words.extend(then.map(|then| Message::new(then).with("end", end)));
        if self.rules.nmr != NmrRule::StandIn && self.opens_after_next_miss(wait.seat) {
            words.push(Message::new("clock-then-open").with("count", self.rules.open_after_misses));
        }
        words
    }

    fn describe_for_other_seats(&self, own: &OwnTime) -> Vec<Message> {
        let missed =
            [(true, Message::new("clock-others-overdue")), (false, Message::new("clock-others"))];
        let said = missed.into_iter().filter_map(|(missed, said)| {
            let waits = || self.reachable_waits().filter(|wait| wait.has_missed == missed);
            let seats: Vec<Seat> = waits().map(|wait| wait.seat).collect();
            let last = waits().map(|wait| wait.deadline).max()?;
            Some(said.with("who", seats).with("by", describe_moment(last, own)))
        });
        let lost = self.waits.iter().filter(|wait| wait.unreachable_since.is_some());
        let lost: Vec<Seat> = lost.map(|wait| wait.seat).collect();
        let lost = (!lost.is_empty()).then(|| Message::new("clock-others-lost").with("who", lost));
        said.chain(lost).collect()
    }
}
