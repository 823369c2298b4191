//! A member's own time: the time zone, the vacations, and the choice of reminders.
//!
//! Pure. The current date is always an argument.

use super::deadline::midnight_of;
use super::{Length, is_default};
use crate::rules::Seat;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The number of days by which a vacation may end in the future: two years.
const VACATION_DAYS_AHEAD_MAX: u64 = 731;

/// A member's time zone, vacations and choice of reminders.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnTime {
    /// The zone, or `None` if the member has not chosen one. UTC then applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
    /// The vacations by date. They neither overlap nor touch.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) vacations: Vec<Vacation>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub reminders: ReminderChoice,
}

/// A member's choice of reminders. In each game it replaces the reminders of the club.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReminderChoice {
    /// The reminders of the club, at the times in each game's clock rules.
    #[default]
    Usual,
    Off,
    /// Reminders at this interval, from the time at which the member was asked for orders.
    Every(Length),
}

/// A function from a seat to the own time of its player. `None` means the default.
pub trait OwnTimeBySeat<'a>: Fn(Seat) -> Option<&'a OwnTime> {}

impl<'a, F: Fn(Seat) -> Option<&'a OwnTime>> OwnTimeBySeat<'a> for F {}

/// A range of days on which a member does not play. Both ends are included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// The first day, in the member's own zone.
    pub from: NaiveDate,
    pub(crate) to: NaiveDate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacationError {
    EndsBeforeStart,
    StartsInPast,
    /// The vacation ends more than two years from today.
    TooFarAhead,
    /// The calendar year `year` has only `left` vacation days left.
    TooFewDaysLeft {
        year: i32,
        left: u32,
    },
}

impl ReminderChoice {
    /// The shortest interval that a member may choose.
    pub(crate) const INTERVAL_MIN: TimeDelta = TimeDelta::hours(6);

    /// Returns the interval of reminders. `usual` is the club's. `None` if there are none.
    pub(crate) fn interval_or(self, usual: Option<TimeDelta>) -> Option<TimeDelta> {
        match self {
            Self::Usual => usual,
            Self::Off => None,
            Self::Every(interval) => Some(interval.to_time_delta()),
        }
    }

    /// Returns the keyword for this choice in templates.
    pub(crate) const fn keyword(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Off => "off",
            Self::Every(_) => "every",
        }
    }
}

impl OwnTime {
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub fn zone(&self) -> Tz {
        self.zone.unwrap_or(Tz::UTC)
    }

    pub(crate) fn local_day(&self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone()).date_naive()
    }

    pub(crate) fn is_on_vacation(&self, day: NaiveDate) -> bool {
        self.vacations.iter().any(|vacation| vacation.from <= day && day <= vacation.to)
    }

    /// Returns `at`, or the end of the vacation if `at` is on a vacation day. The end is the
    /// midnight after the last day.
    pub(crate) fn end_of_vacation(&self, at: DateTime<Utc>) -> DateTime<Utc> {
        let day = self.local_day(at);
        let away = self.vacations.iter().find(|away| away.from <= day && day <= away.to);
        let back = away.and_then(|away| away.to.succ_opt());
        back.map_or(at, |back| midnight_of(back, self))
    }

    /// Returns the own time with one more vacation. Each calendar year may hold `allowed` vacation
    /// days.
    pub(crate) fn with_vacation(
        &self,
        more: Vacation,
        today: NaiveDate,
        allowed: u32,
    ) -> Result<Self, VacationError> {
        let far = today.checked_add_days(Days::new(VACATION_DAYS_AHEAD_MAX)).unwrap_or(today);
        if more.to < more.from {
            return Err(VacationError::EndsBeforeStart);
        }
        if more.from < today {
            return Err(VacationError::StartsInPast);
        }
        if more.to > far {
            return Err(VacationError::TooFarAhead);
        }
        let mut days = self.vacation_days();
        let before = count_days_per_year(&days);
        days.extend(more.from.iter_days().take_while(|day| *day <= more.to));
        let after = count_days_per_year(&days);
        let spent = after.iter().find(|(_, count)| **count > allowed);
        if let Some((year, _)) = spent {
            let left = allowed.saturating_sub(before.get(year).copied().unwrap_or(0));
            return Err(VacationError::TooFewDaysLeft { year: *year, left });
        }
        Ok(Self { vacations: merge_into_vacations(&days), ..*self })
    }

    /// Returns the own time without the vacation days from today on.
    #[must_use]
    pub(crate) fn without_future_vacation(&self, today: NaiveDate) -> Self {
        let days = self.vacation_days().into_iter().filter(|day| *day < today).collect();
        Self { vacations: merge_into_vacations(&days), ..*self }
    }

    fn vacation_days(&self) -> BTreeSet<NaiveDate> {
        let of = |vacation: &Vacation| {
            let to = vacation.to;
            vacation.from.iter_days().take_while(move |day| *day <= to)
        };
        self.vacations.iter().flat_map(of).collect()
    }
}

fn count_days_per_year(days: &BTreeSet<NaiveDate>) -> BTreeMap<i32, u32> {
    let mut years = BTreeMap::new();
    for day in days {
        *years.entry(day.year()).or_insert(0) += 1;
    }
    years
}

/// Merges days into vacations that do not touch.
fn merge_into_vacations(days: &BTreeSet<NaiveDate>) -> Vec<Vacation> {
    let mut runs: Vec<Vacation> = Vec::new();
    for day in days {
        match runs.last_mut() {
            Some(last) if last.to.succ_opt() == Some(*day) => last.to = *day,
            _ => runs.push(Vacation { from: *day, to: *day }),
        }
    }
    runs
}

/// Converts a local date and time to UTC. Of a local time that occurs twice it takes the later one.
/// A local time that the change to summer time skips becomes the next one that exists. Both choices
/// favour the player.
pub(crate) fn local_to_utc(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    let steps = (0..=24 * 4).map(|quarters| local + TimeDelta::minutes(15 * quarters));
    let found = steps.filter_map(|local| zone.from_local_datetime(&local).latest()).next();
    found.map_or_else(|| local.and_utc(), |moment| moment.to_utc())
}
