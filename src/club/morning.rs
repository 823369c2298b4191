//! When the moderator's morning digest is due.
//!
//! Pure: what time it is comes in. May not know what the digest says.

use super::clock::moment;
use crate::rules::read_text;
use chrono::{DateTime, Days, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// At which time of the moderator's day the digest is written, if at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum DigestTime {
    /// At this time, or with the first pass after it.
    At(NaiveTime),
    /// No digest is written.
    Off,
}

impl Default for DigestTime {
    fn default() -> Self {
        Self::At(NaiveTime::from_hms_opt(6, 0, 0).unwrap_or(NaiveTime::MIN))
    }
}

impl DigestTime {
    /// Whether a digest is due, when the last one was written at `last`; one a day at most, however
    /// many were missed.
    pub(crate) fn is_due(self, last: DateTime<Utc>, now: DateTime<Utc>, zone: Tz) -> bool {
        let Self::At(time) = self else { return false };
        let today = now.with_timezone(&zone).date_naive();
        [Some(today), today.checked_sub_days(Days::new(1))]
            .into_iter()
            .flatten()
            .map(|day| moment(zone, day.and_time(time)))
            .any(|due| last < due && due <= now)
    }
}

impl TryFrom<String> for DigestTime {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("off") {
            return Ok(Self::Off);
        }
        NaiveTime::parse_from_str(&text, "%H:%M")
            .map(Self::At)
            .map_err(|_| format!("{text:?} is no time of the day: write 06:00, or off"))
    }
}

impl<'de> Deserialize<'de> for DigestTime {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_text(from, |text| Self::try_from(text.to_owned()))
    }
}

impl From<DigestTime> for String {
    fn from(time: DigestTime) -> Self {
        time.to_string()
    }
}

impl fmt::Display for DigestTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(time) => write!(f, "{}", time.format("%H:%M")),
            Self::Off => f.write_str("off"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    #[test]
    fn one_a_day_by_the_moderators_clock_whatever_the_clocks_do() {
        let zone = Tz::Europe__Berlin;
        let six = DigestTime::default();
        // Every hour through the last week of March, when Berlin loses an hour on the 29th.
        let start: DateTime<Utc> = "2026-03-25T12:00:00Z".parse().expect("a time");
        let mut last = start;
        let mut written = Vec::new();
        for hour in 1..24 * 7 {
            let now = start + TimeDelta::hours(hour);
            if six.is_due(last, now, zone) {
                last = now;
                written.push(now.format("%d %H").to_string());
            }
        }
        assert_eq!(written, ["26 05", "27 05", "28 05", "29 04", "30 04", "31 04", "01 04"]);
        assert!(six.is_due(start, start + TimeDelta::days(9), zone));
        assert!(!six.is_due(start + TimeDelta::days(9), start, zone));
        assert!(!DigestTime::Off.is_due(start, start + TimeDelta::days(9), zone));
    }

    #[test]
    fn a_time_or_off() {
        let read = |text: &str| DigestTime::try_from(text.to_owned()).map(String::from);
        assert_eq!(read("06:30").as_deref(), Ok("06:30"));
        assert_eq!(read("Off").as_deref(), Ok("off"));
        assert!(read("at dawn").is_err() && read("25:00").is_err());
    }
}
