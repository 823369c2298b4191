//! Local times as letters show them, computed without the program's own time zones and clocks.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

/// The time zone in which a member lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeZone {
    Madrid,
    NewYork,
    Kolkata,
    Greenwich,
}

/// Parses a UTC time such as `2026-09-28 07:00`.
pub fn parse_utc(text: &str) -> DateTime<Utc> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").expect("a moment").and_utc()
}

impl TimeZone {
    /// Returns the zone's name for a letter. Members in Greenwich never set a zone, so they have
    /// none.
    pub fn zone_name(self) -> Option<&'static str> {
        match self {
            Self::Madrid => Some("Europe/Madrid"),
            Self::NewYork => Some("America/New_York"),
            Self::Kolkata => Some("Asia/Kolkata"),
            Self::Greenwich => None,
        }
    }

    /// Returns the offset from UTC in minutes at this time, and the zone's abbreviation. Knows only
    /// the change to winter time in autumn 2026.
    pub fn utc_offset(self, at: DateTime<Utc>) -> (i64, &'static str) {
        let winter = at
            >= parse_utc(match self {
                Self::NewYork => "2026-11-01 06:00",
                _ => "2026-10-25 01:00",
            });
        match (self, winter) {
            (Self::Madrid, false) => (120, "CEST"),
            (Self::Madrid, true) => (60, "CET"),
            (Self::NewYork, false) => (-240, "EDT"),
            (Self::NewYork, true) => (-300, "EST"),
            (Self::Kolkata, _) => (330, "IST"),
            (Self::Greenwich, _) => (0, "UTC"),
        }
    }

    pub fn to_local(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.naive_utc() + TimeDelta::minutes(self.utc_offset(at).0)
    }

    /// Converts a local time to UTC. The local time must occur exactly once.
    pub fn to_utc(self, local: NaiveDateTime) -> DateTime<Utc> {
        let guess = local.and_utc();
        let near = guess - TimeDelta::minutes(self.utc_offset(guess).0);
        guess - TimeDelta::minutes(self.utc_offset(near).0)
    }
}

/// Parses a time as a letter shows it, such as `Fri 9 Jan 2026 18:00 CET`. Also returns its time of
/// day with the zone. Fails if no zone has this abbreviation at that time.
pub fn parse_moment(text: &str) -> (DateTime<Utc>, String) {
    let (local, zone) = text.rsplit_once(' ').expect("a zone");
    let local = NaiveDateTime::parse_from_str(local, "%a %d %b %Y %H:%M").expect(text);
    let places = [TimeZone::Madrid, TimeZone::NewYork, TimeZone::Kolkata, TimeZone::Greenwich];
    let at =
        places.iter().map(|place| (place.to_utc(local), place.utc_offset(place.to_utc(local)).1));
    let mut at = at.filter(|(_, called)| *called == zone);
    let (at, _) = at.next().unwrap_or_else(|| panic!("{text}: not so called then"));
    (at, format!("{} {zone}", local.format("%H:%M")))
}

/// The first and last day of a member's absence.
pub type Vacation = (NaiveDate, NaiveDate);

/// Returns the midnight after the vacation if `at` is on one of its days, otherwise `at`.
pub fn end_of_vacation(
    at: DateTime<Utc>,
    place: TimeZone,
    vacation: Option<Vacation>,
) -> DateTime<Utc> {
    let day = place.to_local(at).date();
    match vacation.filter(|(from, to)| *from <= day && day <= *to) {
        Some((_, to)) => place.to_utc((to + Days::new(1)).and_time(NaiveTime::MIN)),
        None => at,
    }
}

/// Returns the expected deadline for a member who was asked at `asked`. Orders are due daily at
/// 20:00 in Madrid. The member has at least 24 hours, and no day of the vacation counts.
pub fn expected_due(
    asked: DateTime<Utc>,
    place: TimeZone,
    vacation: Option<Vacation>,
) -> DateTime<Utc> {
    let away = |at| end_of_vacation(at, place, vacation) != at;
    let least = end_of_vacation(asked, place, vacation) + TimeDelta::hours(24);
    let eight = NaiveTime::from_hms_opt(20, 0, 0).expect("a time");
    let days =
        least.date_naive().iter_days().map(|day| TimeZone::Madrid.to_utc(day.and_time(eight)));
    days.take(100).find(|at| *at >= least && !away(*at)).expect("a day")
}
