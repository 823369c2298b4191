//! Lengths of time and the other small words of a clock's settings, read and written.
//!
//! Knows no moment and no zone.

use super::ClockError;
use crate::rules::deserialize_from_str;
use chrono::{NaiveDate, NaiveTime, TimeDelta, Weekday};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The longest length that may be named, in minutes: a leap year.
const LENGTH_MINUTES_MAX: u32 = 366 * 24 * 60;

/// A length of time as people name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// So many days: as a deadline it ends at the same time of the day by the local clock.
    Days(u32),
    /// So many minutes, whatever the local clock does meanwhile.
    Minutes(u32),
}

impl Length {
    /// Reads `3 days`, `72 hours`, `90 minutes`, `2 weeks`, also `1d` and `12h`.
    ///
    /// # Errors
    /// When it is none of these, nothing at all, or longer than a year.
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        let wrong = || ClockError::Length(text.to_owned());
        let text = text.trim().to_lowercase();
        let (number, unit) =
            text.split_at(text.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?);
        let number: u32 = number.parse().map_err(|_| wrong())?;
        let minutes = |each: u32| number.checked_mul(each).ok_or_else(wrong);
        let length = match unit.trim() {
            "m" | "min" | "minute" | "minutes" => Self::Minutes(minutes(1)?),
            "h" | "hour" | "hours" => Self::Minutes(minutes(60)?),
            "d" | "day" | "days" => Self::Days(number),
            "w" | "week" | "weeks" => Self::Days(minutes(7)?),
            _ => return Err(wrong()),
        };
        let longest = TimeDelta::minutes(LENGTH_MINUTES_MAX.into());
        if number == 0 || length.to_time_delta() > longest { Err(wrong()) } else { Ok(length) }
    }

    /// Returns the number, its unit in English, and the key of the sentence that says it.
    pub(super) const fn number_and_unit(self) -> (u32, &'static str, &'static str) {
        match self {
            Self::Days(days) => (days, "day", "length-days"),
            Self::Minutes(minutes) if minutes % 60 == 0 => (minutes / 60, "hour", "length-hours"),
            Self::Minutes(minutes) => (minutes, "minute", "length-minutes"),
        }
    }

    /// The length with days of 24 hours.
    pub(crate) fn to_time_delta(self) -> TimeDelta {
        match self {
            Self::Days(days) => TimeDelta::days(days.into()),
            Self::Minutes(minutes) => TimeDelta::minutes(minutes.into()),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, unit, _) = self.number_and_unit();
        write!(f, "{number} {unit}{}", if number == 1 { "" } else { "s" })
    }
}

/// A day on which nobody's time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlayDay {
    /// Each such day of the week.
    Weekday(Weekday),
    /// This one day.
    Date(NaiveDate),
}

impl NoPlayDay {
    /// Reads `Sun` or `2026-12-25`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        let day = text.trim();
        day.parse()
            .map(Self::Weekday)
            .or_else(|_| day.parse().map(Self::Date))
            .map_err(|_| ClockError::Day(text.to_owned()))
    }
}

impl fmt::Display for NoPlayDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weekday(day) => write!(f, "{day}"),
            Self::Date(day) => write!(f, "{day}"),
        }
    }
}

/// The hours of the local day in which no deadline falls; they may go over midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// When they begin.
    pub from: NaiveTime,
    /// When they end.
    pub(crate) to: NaiveTime,
}

impl QuietHours {
    /// Reads `22:00-08:00`.
    ///
    /// # Errors
    /// When it is not of this form, or begins when it ends.
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        let wrong = || ClockError::Quiet(text.to_owned());
        let (from, to) = text.split_once('-').ok_or_else(wrong)?;
        let from = parse_time_of_day(from).ok_or_else(wrong)?;
        let to = parse_time_of_day(to).filter(|to| *to != from).ok_or_else(wrong)?;
        Ok(Self { from, to })
    }

    /// Whether this time of the day is quiet.
    pub(crate) fn contains(&self, time: NaiveTime) -> bool {
        if self.from < self.to {
            self.from <= time && time < self.to
        } else {
            self.from <= time || time < self.to
        }
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from.format("%H:%M"), self.to.format("%H:%M"))
    }
}

/// When a player is reminded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReminderTime {
    /// When half of the time is over.
    Half,
    /// When so much is left.
    Left(Length),
}

impl ReminderTime {
    /// Reads `half` or a length such as `1 day`.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        if text.trim().eq_ignore_ascii_case("half") {
            return Ok(Self::Half);
        }
        Length::parse(text).map(Self::Left)
    }
}

impl fmt::Display for ReminderTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Half => f.write_str("half"),
            Self::Left(length) => write!(f, "{length}"),
        }
    }
}

/// Reads `20:00`.
pub(super) fn parse_time_of_day(text: &str) -> Option<NaiveTime> {
    NaiveTime::parse_from_str(text.trim(), "%H:%M").ok()
}

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

impl<'de> Deserialize<'de> for NoPlayDay {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

impl<'de> Deserialize<'de> for QuietHours {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

impl<'de> Deserialize<'de> for ReminderTime {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, Self::parse)
    }
}

impl Serialize for Length {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for NoPlayDay {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for QuietHours {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl Serialize for ReminderTime {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
