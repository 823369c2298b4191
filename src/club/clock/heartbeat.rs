//! How often passes run, so that one that comes much too late is known for what it is.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// A pass is never called late before this much time has gone by.
const OUTAGE_MIN: TimeDelta = TimeDelta::hours(6);
/// How many times its usual distance a pass may come after the one before.
const LATE_FACTOR: i64 = 6;
/// A distance weighs no more than this in what is usual, so that one outage does not hide the next.
const USUAL_INTERVAL_CAP: TimeDelta = TimeDelta::hours(24);
/// Passes that follow each other closer than this are not noted: an idle pass writes nothing.
const NOTED_INTERVAL_MIN: TimeDelta = TimeDelta::minutes(10);

/// When passes ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heartbeat {
    /// The last pass that was noted.
    #[serde(rename = "last")]
    pub(crate) last_pass: DateTime<Utc>,
    /// The usual distance between two, in seconds; none before the second pass.
    #[serde(default)]
    #[serde(rename = "usual")]
    pub(crate) usual_seconds: Option<i64>,
    /// Since when nothing could be posted, while that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "closed")]
    pub(crate) outbound_closed_since: Option<DateTime<Utc>>,
}

/// A time without passes, or without a way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last pass before it, or the first that could post nothing.
    pub since: DateTime<Utc>,
    /// How long it was.
    pub length: TimeDelta,
}

impl Heartbeat {
    /// The heartbeat of a club's first pass.
    pub const fn from_first_pass(now: DateTime<Utc>) -> Self {
        Self { last_pass: now, usual_seconds: None, outbound_closed_since: None }
    }

    /// The outage that lies behind a club's first pass, where somebody has been waited for since
    /// `asked` already: nobody can have told him.
    pub(crate) fn outage_before_first_pass(
        asked: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Option<Outage> {
        asked.and_then(|asked| Self::from_first_pass(asked).record_pass(now).1)
    }

    /// Notes a pass: the heartbeat to keep, when there is something new to keep, and the outage
    /// that lies behind, if there was one.
    pub(crate) fn record_pass(&self, now: DateTime<Utc>) -> (Option<Self>, Option<Outage>) {
        let length = now - self.last_pass;
        if length < -NOTED_INTERVAL_MIN {
            // The machine's clock was put back.
            let closed = self.outbound_closed_since.map(|since| since.min(now));
            return (Some(Self { last_pass: now, outbound_closed_since: closed, ..*self }), None);
        }
        if length < NOTED_INTERVAL_MIN {
            return (None, None);
        }
        // Before there is anything usual, the players are believed: an outage too many costs them
        // nothing.
        let usual = TimeDelta::seconds(
            self.usual_seconds.map_or(0, |usual| usual.saturating_mul(LATE_FACTOR)),
        );
        let late = length > OUTAGE_MIN.max(usual);
        let outage = late.then_some(Outage { since: self.last_pass, length });
        let weight = length.min(USUAL_INTERVAL_CAP).num_seconds();
        let usual = self.usual_seconds.map_or(weight, |usual| (usual * 7 + weight) / 8);
        // What is given back now is not given back again once the way out is open.
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

    /// Whether a time that was noted is so far ahead of now that what was reckoned by it was
    /// reckoned by a wrong clock. What is ahead by less than what counts as an outage harms nobody.
    pub(crate) fn is_too_far_ahead(noted: DateTime<Utc>, now: DateTime<Utc>) -> bool {
        noted - now > OUTAGE_MIN
    }

    /// Notes whether the way out is closed after a pass: the heartbeat to keep when that is new,
    /// and the time that cost the players something, when there was one and it is over.
    pub(crate) fn record_outbound_state(
        &self,
        closed: bool,
        now: DateTime<Utc>,
    ) -> Option<(Self, Option<Outage>)> {
        match (self.outbound_closed_since, closed) {
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

    /// The hours of the passes that found themselves late.
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
        // From every hour to once a day: that is an outage once, and then the habit.
        assert_eq!(find_late_hours((1..50).chain((3..20).map(|day| day * 24))), [72, 96]);
        // Nothing is usual after one pass, so that the second one a day later is late.
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
