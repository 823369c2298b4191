//! A member's own time: the zone and the vacations.
//!
//! Pure; today comes in as an argument.

use crate::rules::Seat;
use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How far ahead a vacation may reach, in days.
const VACATION_DAYS_AHEAD_MAX: u64 = 731;

/// A member's own time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnTime {
    /// The zone; UTC when the member has named none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub zone: Option<Tz>,
    /// The vacations, in order and apart from each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) vacations: Vec<Vacation>,
}

/// Finds the own time of the player of a seat; `None` stands for UTC without vacations.
pub trait OwnTimeBySeat<'a>: Fn(Seat) -> Option<&'a OwnTime> {}

impl<'a, F: Fn(Seat) -> Option<&'a OwnTime>> OwnTimeBySeat<'a> for F {}

/// Days on which a member does not play, both named days included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vacation {
    /// The first day of it, in the member's own zone.
    pub from: NaiveDate,
    pub(crate) to: NaiveDate,
}

/// Why a vacation cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VacationError {
    /// It ends before it begins.
    EndsBeforeStart,
    /// It begins before today.
    StartsInPast,
    /// It reaches further ahead than two years.
    TooFarAhead,
    /// The year has no more days of vacation left than these.
    TooFewDaysLeft {
        /// The calendar year that has too few days left.
        year: i32,
        /// How many days of it are left.
        left: u32,
    },
}

impl OwnTime {
    /// Whether the member has said nothing of his own.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The zone by which the member's days go.
    pub fn zone(&self) -> Tz {
        self.zone.unwrap_or(Tz::UTC)
    }

    /// What day it is where the member lives.
    pub(crate) fn local_day(&self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone()).date_naive()
    }

    /// Whether the member is away on this day of his.
    pub(crate) fn is_away(&self, day: NaiveDate) -> bool {
        self.vacations.iter().any(|vacation| vacation.from <= day && day <= vacation.to)
    }

    /// The same with one more vacation, of which a year may hold `allowed` days.
    ///
    /// # Errors
    /// Why not.
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
        Ok(Self { zone: self.zone, vacations: merge_into_vacations(&days) })
    }

    /// The same without the days of vacation that are still to come.
    #[must_use]
    pub(crate) fn without_future_vacation(&self, today: NaiveDate) -> Self {
        let days = self.vacation_days().into_iter().filter(|day| *day < today).collect();
        Self { zone: self.zone, vacations: merge_into_vacations(&days) }
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

/// Days as vacations that do not touch each other.
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

/// The moment of a local date and time. Of a time that comes twice the later one, and of a time
/// that the clocks leave out the first one after it: neither takes anything from the player.
pub(crate) fn local_to_utc(zone: Tz, local: NaiveDateTime) -> DateTime<Utc> {
    let steps = (0..=24 * 4).map(|quarters| local + TimeDelta::minutes(15 * quarters));
    let found = steps.filter_map(|local| zone.from_local_datetime(&local).latest()).next();
    found.map_or_else(|| local.and_utc(), |moment| moment.to_utc())
}
