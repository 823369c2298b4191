//! A clock that is changed from outside of its game: more time, a pause, other rules, an outage, a
//! player who cannot be reached or has another time of his own.
//!
//! Pure. What was given to somebody stays his, and no change of plans hurries anybody.

use super::game::{Given, Wait};
use super::{ClockRules, GameClock, Outage, OwnTime};
use crate::rules::Seat;
use chrono::{DateTime, TimeDelta, Utc};

/// No change of plans brings a deadline nearer than this.
const NOTICE: TimeDelta = TimeDelta::hours(24);

impl Wait {
    /// Puts the deadline off by this much besides its rule, and on to where it may fall.
    fn put_off(&mut self, by: TimeDelta, rules: &ClockRules, own: &OwnTime) {
        self.extra += by.num_seconds();
        self.deadline = rules.open_moment(self.deadline + by, own);
    }

    /// Takes back what was reckoned by a time that lies ahead of now: outages that there were not,
    /// and a beginning that is still to come, which is now.
    fn set_right(&mut self, now: DateTime<Utc>) {
        let (false_ones, true_ones): (Vec<Given>, Vec<Given>) =
            std::mem::take(&mut self.given).into_iter().partition(|given| given.at > now);
        self.given = true_ones;
        let seconds: i64 = false_ones.iter().map(|given| given.seconds).sum();
        self.extra -= seconds;
        self.untold = (self.untold - seconds).max(0);
        let ahead = (self.since - now).max(TimeDelta::zero());
        self.since -= ahead;
        self.deadline -= ahead + TimeDelta::seconds(seconds);
        self.reminded = self.reminded.min(now);
        self.lost = self.lost.map(|lost| lost.min(now));
    }

    /// Up to when its time has run by now.
    fn ran_to(&self, paused: Option<DateTime<Utc>>, now: DateTime<Utc>) -> DateTime<Utc> {
        let stands = [paused, self.lost].into_iter().flatten().min();
        stands.map_or(now, |stands| stands.max(self.since).min(now))
    }
}

impl GameClock {
    /// Puts everyone's deadline off; one that was missed already is counted from now.
    pub(crate) fn extend<'a>(
        &mut self,
        by: TimeDelta,
        now: DateTime<Utc>,
        own: impl Fn(Seat) -> Option<&'a OwnTime>,
    ) {
        let (rules, utc) = (self.rules.clone(), OwnTime::default());
        for wait in &mut self.waits {
            let late = if wait.missed { now - wait.deadline } else { TimeDelta::zero() };
            wait.missed = false;
            wait.put_off(late + by, &rules, own(wait.seat).unwrap_or(&utc));
        }
    }

    /// Plays by other rules from now on. Where they say something new of when orders are due,
    /// everyone who is waited for is asked anew, and so is who has missed his deadline; but who was
    /// given more time than that keeps it. Nobody else's deadline moves, unless the end that he was
    /// told of would come nearer than a day.
    pub(crate) fn play_by<'a>(
        &mut self,
        rules: ClockRules,
        now: DateTime<Utc>,
        own: impl Fn(Seat) -> Option<&'a OwnTime>,
    ) {
        let utc = OwnTime::default();
        let ends: Vec<DateTime<Utc>> = self.waits.iter().map(|wait| self.end(wait)).collect();
        let before = std::mem::replace(&mut self.rules, rules);
        let rules = self.rules.clone();
        let anew = !before.is_due_like(&rules);
        let news = before.nmr != rules.nmr;
        for (index, told) in ends.into_iter().enumerate() {
            let Some(mut wait) = self.waits.get(index).cloned() else { continue };
            let own = own(wait.seat).unwrap_or(&utc);
            if anew || wait.missed {
                wait = asked_anew(&wait, &rules, (self.paused, now), own);
            } else {
                let notice = wait.ran_to(self.paused, now) + NOTICE;
                let least = if news { notice } else { notice.min(told) };
                let more = least - self.end(&wait);
                if more > TimeDelta::zero() {
                    wait.put_off(more, &rules, own);
                }
            }
            self.waits[index] = wait;
        }
    }

    /// Gives back the time of an outage, as far as he was waited for in it, to everyone whose time
    /// was over in it or is over by `until`, and lets nobody's be over before that; whether there
    /// is anyone.
    pub fn stood_still(&mut self, outage: Outage, until: DateTime<Utc>) -> bool {
        if self.paused.is_some() {
            return false;
        }
        let ends: Vec<DateTime<Utc>> = self.waits.iter().map(|wait| self.end(wait)).collect();
        let mut any = false;
        for (wait, end) in self.waits.iter_mut().zip(ends) {
            if !wait.missed && wait.lost.is_none() && outage.since < end && end <= until {
                let over = outage.since + outage.length;
                let more = (over - outage.since.max(wait.since)).max(until - end);
                wait.deadline += more;
                wait.extra += more.num_seconds();
                wait.untold += more.num_seconds();
                wait.given.push(Given { at: over, seconds: more.num_seconds() });
                any = true;
            }
        }
        any
    }

    /// Puts right what was reckoned while the machine's clock was ahead, and leaves everyone a day
    /// at least whom that concerns; whether there is anyone.
    pub(crate) fn set_right<'a>(
        &mut self,
        now: DateTime<Utc>,
        own: impl Fn(Seat) -> Option<&'a OwnTime>,
    ) -> bool {
        let (rules, utc) = (self.rules.clone(), OwnTime::default());
        let mut any = self.paused.is_some_and(|paused| paused > now);
        self.paused = self.paused.map(|paused| paused.min(now));
        for wait in &mut self.waits {
            let before = wait.clone();
            wait.set_right(now);
            if *wait != before {
                any = true;
                let least =
                    if wait.missed { TimeDelta::zero() } else { now + NOTICE - wait.deadline };
                let own = own(wait.seat).unwrap_or(&utc);
                wait.put_off(least.max(TimeDelta::zero()), &rules, own);
            }
        }
        any
    }

    /// Lets the deadlines that an outage has put off fall where they may.
    pub(crate) fn settle<'a>(&mut self, own: impl Fn(Seat) -> Option<&'a OwnTime>) {
        let (rules, utc) = (self.rules.clone(), OwnTime::default());
        for wait in self.waits.iter_mut().filter(|wait| wait.untold > 0) {
            wait.put_off(TimeDelta::zero(), &rules, own(wait.seat).unwrap_or(&utc));
        }
    }

    /// Gives everyone at least so much time from now on.
    pub(crate) fn leave_at_least(&mut self, least: TimeDelta, now: DateTime<Utc>) {
        for wait in &mut self.waits {
            let more = now + least - wait.deadline;
            if more > TimeDelta::zero() && !wait.missed {
                wait.deadline += more;
                wait.extra += more.num_seconds();
            }
        }
    }

    /// Lets the clock stand still.
    pub(crate) fn pause(&mut self, now: DateTime<Utc>) {
        self.paused = Some(self.paused.unwrap_or(now));
    }

    /// Lets the clock run again: everyone has as much time left as before.
    pub(crate) fn resume<'a>(
        &mut self,
        now: DateTime<Utc>,
        own: impl Fn(Seat) -> Option<&'a OwnTime>,
    ) {
        let Some(paused) = self.paused.take() else { return };
        let (rules, utc) = (self.rules.clone(), OwnTime::default());
        for wait in self.waits.iter_mut().filter(|wait| wait.lost.is_none()) {
            let stood = now - paused.max(wait.since);
            wait.put_off(stood, &rules, own(wait.seat).unwrap_or(&utc));
        }
    }

    /// Stops the time of a seat if no letter reaches its player, from `now` on, which may lie in
    /// the past. Lets the time run again if one does: the player has as much left as before, and a
    /// day at least.
    pub(crate) fn reaches(&mut self, seat: Seat, reached: bool, now: DateTime<Utc>, own: &OwnTime) {
        let (rules, paused) = (self.rules.clone(), self.paused);
        for wait in self.waits.iter_mut().filter(|wait| wait.seat == seat && !wait.missed) {
            match (wait.lost, reached) {
                (None, false) => {
                    wait.lost = Some(paused.map_or(now, |at| at.min(now)).max(wait.since));
                }
                (Some(lost), true) => {
                    // What the moderator's pause lasts is given back when that ends.
                    let stood = (paused.unwrap_or(now) - lost).max(TimeDelta::zero());
                    let more = stood.max(now + NOTICE - wait.deadline);
                    wait.put_off(more, &rules, own);
                    wait.lost = None;
                }
                (None, true) | (Some(_), false) => {}
            }
        }
    }

    /// Reckons a seat's deadline again after its player's vacations have changed. It may come
    /// nearer, but never so near that nobody could meet it.
    pub(crate) fn reckon_again(&mut self, seat: Seat, own: &OwnTime, now: DateTime<Utc>) {
        let rules = self.rules.clone();
        for wait in self.waits.iter_mut().filter(|wait| wait.seat == seat && !wait.missed) {
            let by_rule = rules.deadline_for(wait.since, own) + TimeDelta::seconds(wait.extra);
            let least = wait.deadline.min(now + NOTICE);
            wait.deadline = rules.open_moment(by_rule.max(least), own);
        }
    }
}

/// A wait that begins now, by other rules. Of what was given besides the old ones as much stays as
/// reaches further than the new ones do.
fn asked_anew(
    before: &Wait,
    rules: &ClockRules,
    (paused, now): (Option<DateTime<Utc>>, DateTime<Utc>),
    own: &OwnTime,
) -> Wait {
    let mut wait = Wait::new(before.seat, now, rules.deadline_for(now, own));
    wait.lost = before.lost.map(|_| now);
    let left = before.deadline - before.ran_to(paused, now);
    let more = now + left - wait.deadline;
    if before.extra > 0 && !before.missed && more > TimeDelta::zero() {
        wait.put_off(more, rules, own);
    }
    wait
}
