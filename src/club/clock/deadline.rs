//! Deadlines: parsing them, and computing the time until which a player may send orders.
//!
//! Pure. The only time zones used are the one in a weekly deadline and the player's own.

#![warn(missing_docs)]

use super::length::parse_time_of_day;
use super::own_time::local_to_utc;
use super::{ClockError, ClockRules, Length, NoPlayDay, OwnTime, VacationRule};
use crate::rules::deserialize_from_str;
use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, TimeDelta, Utc, Weekday};
use chrono_tz::{TZ_VARIANTS, Tz};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The shortest time between asking the player and a weekly deadline. If the next deadline is
/// nearer, the one after it applies.
const WEEKLY_NOTICE_MIN: TimeDelta = TimeDelta::hours(24);
/// The number of days after which a search for a deadline stops. All vacations, all no-play days
/// and a year of time are fewer days.
const SEARCH_DAYS_MAX: usize = 3_000;

const WEEK: TimeDelta = TimeDelta::days(7);

/// The rule that says when a turn's orders are due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deadline {
    /// A deadline this long after the player was asked.
    After(Length),
    /// A deadline at a fixed time on some days of the week.
    Weekly {
        /// The weekdays of the deadline, sorted from Monday to Sunday.
        days: Vec<Weekday>,
        /// The local time of day of the deadline.
        time: NaiveTime,
        /// The time zone in which the weekdays and the time are meant.
        zone: Tz,
    },
}

impl Deadline {
    /// Parses `3 days`, `72 hours` or `Mon,Thu 20:00 Europe/Madrid`. Without a zone, a weekly
    /// deadline is in UTC.
    ///
    /// # Errors
    /// The part that cannot be parsed.
    ///
    /// ```
    /// use postrider::club::clock::Deadline;
    ///
    /// for text in ["3 days", "72 hours", "Mon,Thu 20:00 Europe/Madrid"] {
    ///     assert!(Deadline::parse(text).is_ok(), "{text}");
    /// }
    /// assert!(Deadline::parse("soon").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        if text.trim_start().starts_with(|c: char| c.is_ascii_digit()) {
            return Length::parse(text).map(Self::After);
        }
        let wrong = || ClockError::Deadline(text.to_owned());
        let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let at = words.iter().position(|word| word.contains(':')).ok_or_else(wrong)?;
        let time = words.get(at).and_then(|word| parse_time_of_day(word)).ok_or_else(wrong)?;
        let zone = match words.get(at + 1..).unwrap_or_default() {
            [] => Tz::UTC,
            [zone] => parse_zone(zone)?,
            _ => return Err(wrong()),
        };
        let mut days = Vec::new();
        for word in words.iter().take(at) {
            days.push(word.parse::<Weekday>().map_err(|_| ClockError::Day((*word).to_owned()))?);
        }
        days.sort_by_key(Weekday::num_days_from_monday);
        days.dedup();
        if days.is_empty() { Err(wrong()) } else { Ok(Self::Weekly { days, time, zone }) }
    }
}

/// Parses the name of a time zone, such as `Europe/Madrid`. Ignores case.
///
/// # Errors
/// If there is no zone of this name.
pub fn parse_zone(text: &str) -> Result<Tz, ClockError> {
    let found = TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(text.trim()));
    found.copied().ok_or_else(|| ClockError::Zone(text.to_owned()))
}

impl fmt::Display for Deadline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(length) => write!(f, "{length}"),
            Self::Weekly { days, time, zone } => {
                let days: Vec<String> = days.iter().map(Weekday::to_string).collect();
                write!(f, "{} {} {zone}", days.join(","), time.format("%H:%M"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Deadline {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

impl Serialize for Deadline {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl ClockRules {
    /// Returns the time until which a player who was asked at `asked_at` may send orders.
    ///
    /// Time does not run on no-play days. Nor does it run on the player's vacation days, if the
    /// game pauses for vacations. Both are days in the player's own zone. A deadline on one of
    /// these days or in the quiet hours moves to the [next allowed
    /// time](Self::next_allowed_deadline).
    pub(crate) fn compute_deadline(&self, asked_at: DateTime<Utc>, own: &OwnTime) -> DateTime<Utc> {
        let deadline = match &self.deadline {
            Deadline::After(Length::Days(days)) => self.add_play_days(asked_at, *days, own),
            Deadline::After(length) => self.add_play_time(asked_at, length.to_time_delta(), own),
            Deadline::Weekly { days, time, zone } => {
                self.next_weekly_deadline(asked_at, (days, *time, *zone), own)
            }
        };
        self.next_allowed_deadline(deadline, own)
    }

    /// Returns when the vacation ends that delays the deadline of a player asked at `asked`. `None`
    /// if no vacation delays it. `besides` is extra time that the player has after the deadline.
    /// The end is the midnight after the last vacation day.
    pub(crate) fn delaying_vacation_end(
        &self,
        asked: DateTime<Utc>,
        extra_time: TimeDelta,
        own: &OwnTime,
    ) -> Option<DateTime<Utc>> {
        let at_home = OwnTime { vacations: Vec::new(), ..own.clone() };
        let due =
            |own| self.next_allowed_deadline(self.compute_deadline(asked, own) + extra_time, own);
        let deadline = due(own);
        if deadline == due(&at_home) {
            return None;
        }
        let back = |day: NaiveDate| midnight_of(day.succ_opt().unwrap_or(day), own);
        let ends = own.vacations.iter().filter(|away| midnight_of(away.from, own) < deadline);
        ends.map(|away| back(away.to)).max()
    }

    /// Returns `from`, or the first later time at which a deadline may fall: outside quiet hours,
    /// no-play days and vacations. Leaving the quiet hours may lead into a no-play day and the
    /// other way round, so both rules are applied until nothing changes.
    pub(crate) fn next_allowed_deadline(
        &self,
        from: DateTime<Utc>,
        own: &OwnTime,
    ) -> DateTime<Utc> {
        let mut at = from;
        for _ in 0..SEARCH_DAYS_MAX {
            let later = self.move_to_play_day(self.move_past_quiet_hours(at, own), own);
            if later == at {
                break;
            }
            at = later;
        }
        at
    }

    /// Returns the next weekly deadline that is at least 24 hours ahead, on a day on which the
    /// player plays.
    ///
    /// In the player's zone, a weekly deadline may fall on a no-play weekday: Monday evening in
    /// Madrid is always Tuesday in Auckland. It is then skipped if the week has another deadline
    /// that suits the player. If not, it moves to the same local time of the player's next play
    /// weekday. Deadlines on no-play dates and vacation days are always skipped.
    fn next_weekly_deadline(
        &self,
        asked: DateTime<Utc>,
        (days, time, zone): (&[Weekday], NaiveTime, Tz),
        own: &OwnTime,
    ) -> DateTime<Utc> {
        let least = self.next_play_moment(asked, own) + WEEKLY_NOTICE_MIN;
        let mut weekly = self.weekly_deadlines(least, (days, time, zone), own);
        weekly.find(|at| *at >= least).unwrap_or(least)
    }

    /// Returns `from`, or the first later time at which a deadline falls by the rules. In contrast
    /// to [`Self::next_allowed_deadline`], a weekly deadline also stays at its weekday and time.
    pub(super) fn next_regular_deadline(
        &self,
        from: DateTime<Utc>,
        own: &OwnTime,
    ) -> DateTime<Utc> {
        let Deadline::Weekly { days, time, zone } = &self.deadline else {
            return self.next_allowed_deadline(from, own);
        };
        let weekly = self.weekly_deadlines(from, (days, *time, *zone), own);
        let mut allowed = weekly.map(|at| self.next_allowed_deadline(at, own));
        allowed.find(|at| *at >= from).unwrap_or(from)
    }

    /// Returns the weekly deadlines on days on which the player plays, from a week before `least`.
    fn weekly_deadlines(
        &self,
        least: DateTime<Utc>,
        (days, time, zone): (&[Weekday], NaiveTime, Tz),
        own: &OwnTime,
    ) -> impl Iterator<Item = DateTime<Utc>> {
        let moment_on = move |day: NaiveDate| {
            days.contains(&day.weekday()).then(|| local_to_utc(zone, day.and_time(time)))
        };
        // A deadline before `least` may move to after it, so the search starts a week earlier.
        let first = (least - WEEK).with_timezone(&zone).date_naive();
        let of_day = move |day: NaiveDate| {
            let mut at = moment_on(day)?;
            if !self.is_on_play_weekday(at, own) {
                let mut others = day.iter_days().skip(1).take(6).filter_map(moment_on);
                if others.any(|other| self.is_on_play_weekday(other, own)) {
                    return None;
                }
                let mut days = own.local_day(at).iter_days().take(7);
                let next = days.find(|day| !self.is_no_play_weekday(day.weekday()))?;
                at = at_same_time_on(at, next, own);
            }
            (!self.is_time_stopped_on(own.local_day(at), own)).then_some(at)
        };
        first.iter_days().take(SEARCH_DAYS_MAX).filter_map(of_day)
    }

    /// Whether `at` is on a weekday on which games are played, in the player's zone.
    fn is_on_play_weekday(&self, at: DateTime<Utc>, own: &OwnTime) -> bool {
        !self.is_no_play_weekday(own.local_day(at).weekday())
    }

    /// Whether the club plays no games on this day of the week.
    pub(super) fn is_no_play_weekday(&self, weekday: Weekday) -> bool {
        self.no_play_days.contains(&NoPlayDay::Weekday(weekday))
    }

    /// Whether the player's time stops on this day: a no-play weekday or date, or a vacation day in
    /// a game that pauses for vacations.
    fn is_time_stopped_on(&self, day: NaiveDate, own: &OwnTime) -> bool {
        let no_play = self.no_play_days.iter().any(|no_play| match no_play {
            NoPlayDay::Weekday(weekday) => day.weekday() == *weekday,
            NoPlayDay::Date(date) => day == *date,
        });
        no_play || (self.vacation == VacationRule::Pause && own.is_on_vacation(day))
    }

    /// Returns `day`, or the first later day on which the player's time runs.
    fn next_play_day(&self, day: NaiveDate, own: &OwnTime) -> NaiveDate {
        let mut walk = day.iter_days().take(SEARCH_DAYS_MAX);
        walk.find(|day| !self.is_time_stopped_on(*day, own)).unwrap_or(day)
    }

    /// Returns `from`, or the beginning of the first later day on which the player's time runs.
    fn next_play_moment(&self, from: DateTime<Utc>, own: &OwnTime) -> DateTime<Utc> {
        let day = own.local_day(from);
        let free = self.next_play_day(day, own);
        if free == day { from } else { midnight_of(free, own) }
    }

    /// Adds `days` days on which the player's time runs. The result is at the same local time of
    /// day.
    fn add_play_days(&self, asked: DateTime<Utc>, days: u32, own: &OwnTime) -> DateTime<Utc> {
        let start = self.next_play_moment(asked, own).with_timezone(&own.zone()).naive_local();
        let mut day = start.date();
        for _ in 0..days {
            day = self.next_play_day(day.succ_opt().unwrap_or(day), own);
        }
        local_to_utc(own.zone(), day.and_time(start.time()))
    }

    /// Adds `time`, and counts only days on which the player's time runs.
    fn add_play_time(&self, asked: DateTime<Utc>, time: TimeDelta, own: &OwnTime) -> DateTime<Utc> {
        let mut at = self.next_play_moment(asked, own);
        let mut left = time;
        for _ in 0..SEARCH_DAYS_MAX {
            let day = own.local_day(at);
            let next = day.succ_opt().unwrap_or(day);
            let today = midnight_of(next, own) - at;
            if left <= today {
                break;
            }
            left -= today;
            at = midnight_of(self.next_play_day(next, own), own);
        }
        at + left
    }

    /// Moves a time on a day without play to the same local time of the next day on which the
    /// player's time runs.
    fn move_to_play_day(&self, at: DateTime<Utc>, own: &OwnTime) -> DateTime<Utc> {
        let day = own.local_day(at);
        let free = self.next_play_day(day, own);
        if free == day { at } else { at_same_time_on(at, free, own) }
    }

    fn move_past_quiet_hours(&self, deadline: DateTime<Utc>, own: &OwnTime) -> DateTime<Utc> {
        let local = deadline.with_timezone(&own.zone()).naive_local();
        let Some(quiet) = self.quiet_hours.filter(|quiet| quiet.contains(local.time())) else {
            return deadline;
        };
        let over_night = quiet.to <= local.time();
        let day = local.date();
        let day = if over_night { day.succ_opt().unwrap_or(day) } else { day };
        local_to_utc(own.zone(), day.and_time(quiet.to)).max(deadline)
    }
}

/// Returns the local time of `at`, in the player's zone, on another day.
fn at_same_time_on(at: DateTime<Utc>, day: NaiveDate, own: &OwnTime) -> DateTime<Utc> {
    local_to_utc(own.zone(), day.and_time(at.with_timezone(&own.zone()).time()))
}

pub(super) fn midnight_of(day: NaiveDate, own: &OwnTime) -> DateTime<Utc> {
    local_to_utc(own.zone(), day.and_time(NaiveTime::MIN))
}
