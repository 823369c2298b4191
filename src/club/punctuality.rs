//! How a member has kept deadlines, for those who would play with him.

use super::clock::GameClock;
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// How often a player kept deadlines. Turns without a deadline count nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Punctuality {
    /// Turns whose orders came in time.
    #[serde(default)]
    pub in_time: u32,
    /// Turns whose deadline was missed.
    #[serde(default)]
    pub late: u32,
    /// Games that were left before their end.
    #[serde(default)]
    pub left: u32,
}

impl Punctuality {
    /// Whether nothing is known.
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// How many turns of a hundred came in time; none of somebody who has not played by a clock.
    pub(crate) fn percent(&self) -> Option<u8> {
        let turns = u64::from(self.in_time) + u64::from(self.late);
        let percent = (u64::from(self.in_time) * 100).checked_div(turns)?;
        u8::try_from(percent).ok()
    }

    /// Counts a turn that a seat took, or that was taken for it, as the clock stood before it. What
    /// was put off, paused or given back after an outage is in time.
    pub(crate) fn count(
        &mut self,
        clock: &GameClock,
        seat: Seat,
        absent: bool,
        now: DateTime<Utc>,
    ) {
        let Some(wait) = clock.wait(seat) else { return };
        let late = wait.missed || absent;
        // The moderator may have an absent player's turn taken before its time is over.
        if absent && !wait.missed && (clock.paused.is_some() || clock.end(wait) > now) {
            return;
        }
        let counter = if late { &mut self.late } else { &mut self.in_time };
        *counter = counter.saturating_add(1);
    }

    #[must_use]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self {
            in_time: self.in_time.saturating_add(other.in_time),
            late: self.late.saturating_add(other.late),
            left: self.left.saturating_add(other.left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_new_has_none_and_nine_of_ten_is_ninety() {
        let of = |in_time, late| Punctuality { in_time, late, left: 0 }.percent();
        assert_eq!([of(0, 0), of(9, 1), of(0, 2), of(2, 1)], [None, Some(90), Some(0), Some(66)]);
        assert_eq!(of(u32::MAX, 0), Some(100));
    }
}
