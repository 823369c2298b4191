//! Local time as letters tell it, reckoned without the program's own zones and clocks.

use chrono::{DateTime, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};

/// Where a member lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Madrid,
    NewYork,
    Kolkata,
    Greenwich,
}

/// A moment of the year in UTC.
pub fn utc(text: &str) -> DateTime<Utc> {
    NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").expect("a moment").and_utc()
}

impl Place {
    /// Its name in letters; none for who never names a zone.
    pub fn zone(self) -> Option<&'static str> {
        match self {
            Self::Madrid => Some("Europe/Madrid"),
            Self::NewYork => Some("America/New_York"),
            Self::Kolkata => Some("Asia/Kolkata"),
            Self::Greenwich => None,
        }
    }

    /// By how many minutes its clocks are ahead at a moment, and what they are called then.
    pub fn offset(self, at: DateTime<Utc>) -> (i64, &'static str) {
        let winter = at
            >= utc(match self {
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

    /// What its clocks show.
    pub fn local(self, at: DateTime<Utc>) -> NaiveDateTime {
        at.naive_utc() + TimeDelta::minutes(self.offset(at).0)
    }

    /// The moment of a local time that comes once.
    pub fn moment(self, local: NaiveDateTime) -> DateTime<Utc> {
        let guess = local.and_utc();
        let near = guess - TimeDelta::minutes(self.offset(guess).0);
        guess - TimeDelta::minutes(self.offset(near).0)
    }
}

/// A moment as a letter tells it, such as `Fri 9 Jan 2026 18:00 CET`; its clocks must be called as
/// they are at that moment in one of the places.
pub fn told(text: &str) -> (DateTime<Utc>, String) {
    let (local, zone) = text.rsplit_once(' ').expect("a zone");
    let local = NaiveDateTime::parse_from_str(local, "%a %d %b %Y %H:%M").expect(text);
    let places = [Place::Madrid, Place::NewYork, Place::Kolkata, Place::Greenwich];
    let at = places.iter().map(|place| (place.moment(local), place.offset(place.moment(local)).1));
    let mut at = at.filter(|(_, called)| *called == zone);
    let (at, _) = at.next().unwrap_or_else(|| panic!("{text}: not so called then"));
    (at, format!("{} {zone}", local.format("%H:%M")))
}

/// Days on which a member is away, both included.
pub type Vacation = (NaiveDate, NaiveDate);

/// Until when somebody has time who is asked at `asked` where orders are due daily at 20:00 in
/// Madrid: a day at least, and no time of a vacation.
pub fn due(asked: DateTime<Utc>, place: Place, vacation: Option<Vacation>) -> DateTime<Utc> {
    let away = |at| {
        let day = place.local(at).date();
        vacation.is_some_and(|(from, to)| from <= day && day <= to)
    };
    let begins = match vacation.filter(|_| away(asked)) {
        Some((_, to)) => place.moment((to + Days::new(1)).and_time(NaiveTime::MIN)),
        None => asked,
    };
    let least = begins + TimeDelta::hours(24);
    let eight = NaiveTime::from_hms_opt(20, 0, 0).expect("a time");
    let days = least.date_naive().iter_days().map(|day| Place::Madrid.moment(day.and_time(eight)));
    days.take(100).find(|at| *at >= least && !away(*at)).expect("a day")
}
