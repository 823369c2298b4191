//! Lengths of time, no-play days, quiet hours and reminder times: parsing and printing them.
//!
//! It uses neither the current date nor time zones.

use super::ClockError;
use crate::rules::deserialize_from_str;
use chrono::{NaiveDate, NaiveTime, TimeDelta, Weekday};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// The longest length that a setting or letter may name, in minutes: a leap year.
const LENGTH_MINUTES_MAX: u32 = 366 * 24 * 60;

/// A length of time in the units that people write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// A length of this many days. A deadline after them is at the same local time of day.
    Days(u32),
    /// A length of this many minutes, even if the local clock changes to or from summer time.
    Minutes(u32),
}

impl Length {
    /// Parses `3 days`, `72 hours`, `90 minutes`, `2 weeks`, and short forms such as `1d` and
    /// `12h`.
    ///
    /// # Errors
    /// If the text is not a length of time, is zero, or is longer than a year.
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

    /// Returns the number of the length, its unit in English, and the key of the sentence for it.
    pub(super) const fn number_and_unit(self) -> (u32, &'static str, &'static str) {
        match self {
            Self::Days(days) => (days, "day", "length-days"),
            Self::Minutes(minutes) if minutes % 60 == 0 => (minutes / 60, "hour", "length-hours"),
            Self::Minutes(minutes) => (minutes, "minute", "length-minutes"),
        }
    }

    /// Converts the length to a duration, with 24 hours per day.
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

/// A day on which no player's time runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlayDay {
    Weekday(Weekday),
    Date(NaiveDate),
}

impl NoPlayDay {
    /// Parses `Sun` or `2026-12-25`.
    ///
    /// # Errors
    /// If the text is neither.
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

/// The hours of the local day in which no deadline falls. They may go over midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietHours {
    /// The local time at which the quiet hours begin.
    pub from: NaiveTime,
    /// The local time at which the quiet hours end.
    pub(crate) to: NaiveTime,
}

impl QuietHours {
    /// Parses `22:00-08:00`.
    ///
    /// # Errors
    /// If the text does not have this form, or both times are equal.
    pub fn parse(text: &str) -> Result<Self, ClockError> {
        let wrong = || ClockError::Quiet(text.to_owned());
        let (from, to) = text.split_once('-').ok_or_else(wrong)?;
        let from = parse_time_of_day(from).ok_or_else(wrong)?;
        let to = parse_time_of_day(to).filter(|to| *to != from).ok_or_else(wrong)?;
        Ok(Self { from, to })
    }

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReminderTime {
    /// A reminder when half of the player's time is over.
    Half,
    /// A reminder when this much time is left until the deadline.
    Left(Length),
}

impl ReminderTime {
    /// Parses `half` or a length such as `1 day`.
    ///
    /// # Errors
    /// If the text is neither.
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
