//! The intervals between passes. An interval that is much longer than usual is an outage, for which
//! players get time back.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The shortest interval between passes that can count as an outage.
const OUTAGE_MIN: TimeDelta = TimeDelta::hours(6);
/// An interval counts as an outage only if it is more than six times as long as usual.
const LATE_FACTOR: i64 = 6;
/// A longer interval enters the usual interval as 24 hours, so that one outage does not hide the
/// next.
const USUAL_INTERVAL_CAP: TimeDelta = TimeDelta::hours(24);
/// The shortest interval between passes that is stored. Passes may run every minute, and an idle
/// pass must not write.
const NOTED_INTERVAL_MIN: TimeDelta = TimeDelta::minutes(10);

/// The times of passes, and the time since which no mail could be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The last pass that was stored.
    #[serde(rename = "last")]
    pub(crate) last_pass: DateTime<Utc>,
    /// The usual interval between passes, in seconds. `None` before the second pass.
    #[serde(default)]
    #[serde(rename = "usual")]
    pub(crate) usual_seconds: Option<i64>,
    /// The time since which the outbound transport has failed. `None` while it works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "closed")]
    pub(crate) outbound_closed_since: Option<DateTime<Utc>>,
}

/// A time in which no pass ran, or in which passes could not send mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last pass before the outage, or the first pass that could not send mail.
    pub since: DateTime<Utc>,
    pub length: TimeDelta,
}

impl Heartbeat {
    pub const fn from_first_pass(now: DateTime<Utc>) -> Self {
        Self { last_pass: now, usual_seconds: None, outbound_closed_since: None }
    }

    /// Returns the outage before a club's first pass. There is one if a player has been awaited
    /// since `asked` and that is more than six hours ago. Without a pass, the club cannot have
    /// asked that player by letter.
    pub(crate) fn outage_before_first_pass(
        asked: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Option<Outage> {
        asked.and_then(|asked| Self::from_first_pass(asked).record_pass(now).1)
    }

    /// Records a pass. Returns the heartbeat to store, if it has changed. Also returns the outage
    /// between the last pass and this one, if there was one.
    pub(crate) fn record_pass(&self, now: DateTime<Utc>) -> (Option<Self>, Option<Outage>) {
        let length = now - self.last_pass;
        if length < -NOTED_INTERVAL_MIN {
            // The machine's clock was set back.
            let closed = self.outbound_closed_since.map(|since| since.min(now));
            return (Some(Self { last_pass: now, outbound_closed_since: closed, ..*self }), None);
        }
        if length < NOTED_INTERVAL_MIN {
            return (None, None);
        }
        // Before the second pass there is no usual interval, so every interval over six hours
        // counts as an outage. This favours the players: a false outage only gives them more time.
        let usual = TimeDelta::seconds(
            self.usual_seconds.map_or(0, |usual| usual.saturating_mul(LATE_FACTOR)),
        );
        let late = length > OUTAGE_MIN.max(usual);
        let outage = late.then_some(Outage { since: self.last_pass, length });
        let weight = length.min(USUAL_INTERVAL_CAP).num_seconds();
        let usual = self.usual_seconds.map_or(weight, |usual| (usual * 7 + weight) / 8);
        // The time that this outage gives back must not be given back again when the outbound
        // transport works again.
        let given = outage.map_or(TimeDelta::zero(), |outage| outage.length);
        let closed = self.outbound_closed_since.map(|since| since + given);
        (
            Some(Self {
                last_pass: now,
                usual_seconds: Some(usual),
                outbound_closed_since: closed,
            }),
            outage,
        )
    }

    /// Whether a stored time is so far ahead of `now` that the machine's clock must have been
    /// wrong. Up to six hours are ignored, because they do no harm.
    pub(crate) fn is_too_far_ahead(noted: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        noted - now > OUTAGE_MIN
    }

    /// Records whether the outbound transport failed in a pass. Returns the heartbeat to store if
    /// that has changed. The outage is set if the transport works again after more than six hours.
    pub(crate) fn record_outbound_state(
        &self,
        is_failing: bool,
        now: DateTime<Utc>,
    ) -> Option<(Self, Option<Outage>)> {
        match (self.outbound_closed_since, is_failing) {
            (None, true) => Some((Self { outbound_closed_since: Some(now), ..*self }, None)),
            (Some(since), false) => {
                let length = now - since;
                let outage = (length > OUTAGE_MIN).then_some(Outage { since, length });
                Some((Self { outbound_closed_since: None, ..*self }, outage))
            }
            (None, false) | (Some(_), true) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the hours of the passes that found an outage before them.
    fn find_late_hours(hours: impl IntoIterator<Item = i64>) -> Vec<i64> {
        let start = DateTime::<Utc>::UNIX_EPOCH;
        let mut heartbeat = Heartbeat::from_first_pass(start);
        let mut late = Vec::new();
        for hour in hours {
            let (next, outage) = heartbeat.record_pass(start + TimeDelta::hours(hour));
            late.extend(outage.map(|_| hour));
            heartbeat = next.unwrap_or(heartbeat);
        }
        late
    }

    #[test]
    fn outages_are_detected_and_new_intervals_learned() {
        let never: [i64; 0] = [];
        assert_eq!(find_late_hours(1..100), never);
        assert_eq!(find_late_hours((1..50).chain(122..200)), [122]);
        assert_eq!(find_late_hours((1..50).chain([54]).chain(55..60)), never);
        // After hourly passes, a daily pass is an outage twice. Then a day is usual.
        assert_eq!(find_late_hours((1..50).chain((3..20).map(|day| day * 24))), [72, 96]);
        // After one pass no interval is usual, so a second pass a day later finds an outage.
        assert_eq!(find_late_hours((1..20).map(|day| day * 24)), [24]);
    }

    #[test]
    fn outage_while_outbound_closed_counts_once() {
        let at = |hour| DateTime::<Utc>::UNIX_EPOCH + TimeDelta::hours(hour);
        let heartbeat = Heartbeat {
            last_pass: at(10),
            usual_seconds: Some(3_600),
            outbound_closed_since: Some(at(0)),
        };
        let (next, outage) = heartbeat.record_pass(at(34));
        assert_eq!(outage.map(|outage| outage.length), Some(TimeDelta::hours(24)));
        let (_, rest) =
            next.and_then(|next| next.record_outbound_state(false, at(34))).expect("it opens");
        assert_eq!(rest.map(|outage| outage.length), Some(TimeDelta::hours(10)));
    }

    #[test]
    fn clock_set_back_resets_heartbeat_without_outage() {
        let at = |minute| DateTime::<Utc>::UNIX_EPOCH + TimeDelta::minutes(minute);
        let heartbeat = Heartbeat {
            last_pass: at(600),
            usual_seconds: Some(3_600),
            outbound_closed_since: Some(at(500)),
        };
        assert_eq!(
            heartbeat.record_pass(at(590)),
            (None, None),
            "passes follow each other closely"
        );
        let back = |minute, closed| {
            let next = Heartbeat {
                last_pass: at(minute),
                usual_seconds: Some(3_600),
                outbound_closed_since: Some(at(closed)),
            };
            assert_eq!(heartbeat.record_pass(at(minute)), (Some(next), None), "{minute}");
        };
        back(589, 500);
        back(400, 400);
    }

    #[test]
    fn outbound_closed_for_six_hours_costs_nothing() {
        let at = |minute| DateTime::<Utc>::UNIX_EPOCH + TimeDelta::minutes(minute);
        let heartbeat =
            Heartbeat { outbound_closed_since: Some(at(0)), ..Heartbeat::from_first_pass(at(0)) };
        let cost = |minute| heartbeat.record_outbound_state(false, at(minute)).expect("it opens").1;
        assert_eq!(cost(360), None);
        let longer = Outage { since: at(0), length: TimeDelta::minutes(361) };
        assert_eq!(cost(361), Some(longer));
    }
}
