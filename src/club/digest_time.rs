//! The daily time at which a digest is due: the moderator's digest, or a member's bundled letters.
//!
//! Pure: the current time is an argument. Other modules know the contents of digests.

use super::clock::local_to_utc;
use crate::rules::deserialize_from_str;
use chrono::{DateTime, Days, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// The local time of day at which a digest is sent. Default: 06:00.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum DigestTime {
    /// The first pass after this time of day sends the digest.
    At(NaiveTime),
    /// No digest is sent.
    Off,
}

impl Default for DigestTime {
    fn default() -> Self {
        Self::At(NaiveTime::from_hms_opt(6, 0, 0).unwrap_or(NaiveTime::MIN))
    }
}

impl DigestTime {
    /// Whether a digest is due if the last one was sent at `last`. At most one is due a day, even
    /// if several were missed.
    pub(crate) fn is_due(self, last: DateTime<Utc>, now: DateTime<Utc>, zone: Tz) -> bool {
        let Self::At(time) = self else { return false };
        let today = now.with_timezone(&zone).date_naive();
        [Some(today), today.checked_sub_days(Days::new(1))]
            .into_iter()
            .flatten()
            .map(|day| local_to_utc(zone, day.and_time(time)))
            .any(|due| last < due && due <= now)
    }

    /// Returns the next time, not before `from`, at which a digest is due. `None` if digests are
    /// off.
    pub(crate) fn next_due(self, from: DateTime<Utc>, zone: Tz) -> Option<DateTime<Utc>> {
        let Self::At(time) = self else { return None };
        let today = from.with_timezone(&zone).date_naive();
        // The change to summer time can skip this time of day.
        (0..3)
            .filter_map(|days| today.checked_add_days(Days::new(days)))
            .map(|day| local_to_utc(zone, day.and_time(time)))
            .find(|due| *due >= from)
    }

    // Serde passes every field by reference.
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub(crate) const fn is_off(&self) -> bool {
        matches!(self, Self::Off)
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
            .map_err(|_| format!("{text:?} is not a time of the day: write 06:00, or off"))
    }
}

impl<'de> Deserialize<'de> for DigestTime {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        deserialize_from_str(from, |text| Self::try_from(text.to_owned()))
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
    fn digest_is_due_once_per_local_day() {
        let zone = Tz::Europe__Berlin;
        let six = DigestTime::default();
        // Checked every hour through the last week of March. Berlin skips an hour on the 29th.
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
    fn next_digest_is_today_or_tomorrow_locally() {
        let next = |time: &str, from: &str| {
            let time = DigestTime::try_from(time.to_owned()).expect("a time");
            let from = from.parse().expect("a moment");
            let due = time.next_due(from, Tz::Europe__Berlin);
            due.map(|due| due.format("%d %H:%M").to_string()).unwrap_or_default()
        };
        assert_eq!(next("18:00", "2026-03-25T16:59:59Z"), "25 17:00");
        assert_eq!(next("18:00", "2026-03-25T17:00:00Z"), "25 17:00");
        assert_eq!(next("18:00", "2026-03-25T17:00:01Z"), "26 17:00");
        // On the 29th there is no 02:30 in this zone.
        assert_eq!(next("02:30", "2026-03-28T12:00:00Z"), "29 01:00");
        assert_eq!(next("00:00", "2026-03-28T23:30:00Z"), "29 22:00");
        assert_eq!(next("off", "2026-03-28T23:30:00Z"), "");
    }

    #[test]
    fn digest_time_parses_time_or_off() {
        let read = |text: &str| DigestTime::try_from(text.to_owned()).map(String::from);
        assert_eq!(read("06:30").as_deref(), Ok("06:30"));
        assert_eq!(read("Off").as_deref(), Ok("off"));
        assert!(read("at dawn").is_err() && read("25:00").is_err());
    }
}
