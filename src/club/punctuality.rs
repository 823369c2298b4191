//! Statistics of how reliably a member meets deadlines. Other players see them before they play
//! with the member.

use super::clock::GameClock;
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// The number of turns in time and late. Turns without a deadline do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Punctuality {
    /// Turns with orders in time.
    #[serde(default)]
    pub in_time: u32,
    /// Turns with a missed deadline.
    #[serde(default)]
    pub late: u32,
    /// Games that the player left before their end.
    #[serde(default)]
    #[serde(rename = "left")]
    pub games_left: u32,
}

impl Punctuality {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the percentage of turns in time. `None` if the player had no turn with a deadline.
    pub(crate) fn percent_in_time(&self) -> Option<u8> {
        let turns = u64::from(self.in_time) + u64::from(self.late);
        let percent = (u64::from(self.in_time) * 100).checked_div(turns)?;
        u8::try_from(percent).ok()
    }

    /// Counts a turn of a seat, with the clock as it was before the turn. `absent` means that the
    /// game played the turn for an absent player. Orders after an extension, a pause or an outage
    /// are in time if the moved deadline was met.
    pub(crate) fn count_turn(
        &mut self,
        clock: &GameClock,
        seat: Seat,
        absent: bool,
        now: DateTime<Utc>,
    ) {
        let Some(wait) = clock.wait_of_seat(seat) else { return };
        let late = wait.has_missed || absent;
        // The moderator may force the turn of an absent player before the deadline. That turn does
        // not count.
        if absent
            && !wait.has_missed
            && (clock.paused.is_some() || clock.deadline_with_grace_and_bank(wait) > now)
        {
            return;
        }
        let counter = if late { &mut self.late } else { &mut self.in_time };
        *counter = counter.saturating_add(1);
    }

    #[must_use]
    pub(crate) const fn combined_with(self, other: Self) -> Self {
        Self {
            in_time: self.in_time.saturating_add(other.in_time),
            late: self.late.saturating_add(other.late),
            games_left: self.games_left.saturating_add(other.games_left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn punctuality_is_a_percentage_or_unknown() {
        let of = |in_time, late| Punctuality { in_time, late, games_left: 0 }.percent_in_time();
        assert_eq!([of(0, 0), of(9, 1), of(0, 2), of(2, 1)], [None, Some(90), Some(0), Some(66)]);
        assert_eq!(of(u32::MAX, 0), Some(100));
    }

    #[test]
    fn turn_is_late_only_after_its_deadline() {
        use crate::club::clock::{ClockRules, Deadline};
        use chrono::TimeDelta;
        let (one, start) = (Seat::new(1), DateTime::UNIX_EPOCH);
        let after = |hours| start + TimeDelta::hours(hours);
        let mut asked =
            GameClock::new(ClockRules::with_deadline(Deadline::parse("1 day").expect("one")));
        asked.set_awaited_seats(&[one], &[], false, start, |_| None);
        let (mut missed, mut paused) = (asked.clone(), asked.clone());
        missed.record_missed_deadline(one, after(24));
        paused.pause(after(6));
        let counted = |clock: &GameClock, seat, absent, hours| {
            let mut punctuality = Punctuality::default();
            punctuality.count_turn(clock, seat, absent, after(hours));
            (punctuality.in_time, punctuality.late)
        };
        assert_eq!(counted(&asked, one, false, 6), (1, 0));
        assert_eq!(counted(&missed, one, false, 30), (0, 1), "orders came after all");
        assert_eq!(counted(&asked, one, true, 23), (0, 0), "his time was not over");
        assert_eq!(counted(&asked, one, true, 24), (0, 1));
        assert_eq!(counted(&asked, one, true, 25), (0, 1));
        assert_eq!(counted(&missed, one, true, 30), (0, 1));
        assert_eq!(counted(&paused, one, true, 30), (0, 0), "no time ran");
        assert_eq!(counted(&asked, Seat::new(2), false, 6), (0, 0), "nobody waited for him");
    }

    #[test]
    fn only_empty_punctuality_is_default() {
        assert!(Punctuality::default().is_default());
        assert!(!Punctuality { games_left: 1, ..Punctuality::default() }.is_default());
    }
}
