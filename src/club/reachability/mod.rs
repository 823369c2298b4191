//! Whether letters reach a member at their first address: the evidence, the probes, and the
//! resulting status.
//!
//! Anybody who has seen one letter to a member can forge a bounce report. So a report is only
//! *evidence*. It causes one *probe*: a short letter that only this mailbox receives. The status is
//! decided only by the fate of the probe, or by refusals in the club's own SMTP sessions.
//!
//! A *soft* report says that delivery failed for now, and a *hard* one that there is no such
//! mailbox.
//!
//! | status | event | next status | sent |
//! |---|---|---|---|
//! | reached | soft report, the first four in a row | reached | |
//! | reached | hard report, or the fifth soft one in a row | suspected | probe |
//! | reached | a server permanently refuses a letter | suspected | |
//! | suspected | another report | suspected | probe |
//! | suspected | a report came, and no probe is out | suspected | probe |
//! | suspected | the probe bounces, or is permanently refused | undeliverable | |
//! | suspected | a second permanent refusal, 20 hours after the first | undeliverable | |
//! | suspected | a server accepts a letter, and no report came | reached | |
//! | suspected | nothing bounces within five days | reached | |
//! | any | a letter is refused for four days | undeliverable | |
//! | undeliverable | 1, 3, 7 and 14 days have passed | undeliverable | probe |
//! | undeliverable | this probe bounces, or is permanently refused | undeliverable, confirmed | |
//! | undeliverable | this probe does not bounce within five days | reached | missed news |
//! | any | the member writes, or their mailbox sends an automatic reply | reached | missed news |
//! | any | a new first address, or the moderator says so | reached | missed news |
//!
//! - A member gets at most one probe a day. A probe that is not allowed yet is sent later.
//! - The status counts from the date of the evidence. Missed news are sent only after
//!   "undeliverable".
//! - On a day on which servers refuse many mailboxes (a *mass refusal*), a suspected member stays
//!   suspected, for at most four days.
//! - The member's clocks stop from the date of the evidence on, once a year. They stop for as many
//!   days as a vacation may have, and at least until the status is confirmed.
//!
//! Pure: the current time, and whether there is a mass refusal, are arguments.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The number of soft reports in a row that count as evidence.
const SOFT_REPORTS_MAX: u32 = 5;
/// The shortest time between two probes to a member.
const PROBE_INTERVAL_MIN: TimeDelta = TimeDelta::days(1);
/// The days after which an undeliverable member gets the first to fourth probe, counted from the
/// evidence.
const PROBE_DAYS: [i64; 4] = [1, 3, 7, 14];
/// The time after which a sent letter can no longer bounce. Mail servers try for five days before
/// they report, and half a day is added.
pub(crate) const BOUNCE_WINDOW: TimeDelta = TimeDelta::hours(5 * 24 + 12);
/// The shortest time between the two refusals that make a member undeliverable.
const REFUSAL_INTERVAL_MIN: TimeDelta = TimeDelta::hours(20);
/// The longest time by which mass refusals can delay the decision that a member is undeliverable.
const MASS_REFUSAL_DELAY_MAX: TimeDelta = TimeDelta::days(4);
/// The shortest time between two stops of a member's clocks.
const CLOCK_STOP_INTERVAL_MIN: TimeDelta = TimeDelta::days(365);

/// The club's knowledge about a member's mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reachability {
    #[serde(default, skip_serializing_if = "ReachabilityStatus::is_reached")]
    pub status: ReachabilityStatus,
    /// The number of soft bounce reports in a row for letters to the member.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "soft")]
    pub soft_reports: u32,
    /// The last probe. It is kept when its evidence is void, because a member gets at most one
    /// probe a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
    /// The date from which the member's clocks last stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "stood_still")]
    pub clock_stopped_since: Option<DateTime<Utc>>,
}

/// The status of a member's mailbox: whether letters reach it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReachabilityStatus {
    /// Letters reach the member, as far as the club knows.
    #[default]
    Reached,
    /// There is evidence that letters do not reach the member. They are still sent, and the
    /// member's clocks run. At least one of the dates is set.
    Suspected {
        /// The date of the first bounce report.
        reported: Option<DateTime<Utc>>,
        /// The date of the first refusal in the club's own SMTP session.
        refused: Option<DateTime<Utc>>,
    },
    /// Letters do not reach the member. Only probes and invitations are sent.
    Undeliverable {
        /// The date of the evidence that made the member undeliverable.
        since: DateTime<Utc>,
        /// The number of bounces and refusals that support the status "undeliverable", from 1. From
        /// 2 on, the status is confirmed.
        returns: u32,
    },
}

/// A short letter to a member whose only purpose is to find out whether it bounces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The date on which the probe was queued.
    pub sent: DateTime<Utc>,
    /// Whether the probe bounced or was refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returned: bool,
}

/// An event that shows whether letters reach a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReachabilityEvent {
    /// A bounce report for a letter to the member came in.
    Report {
        /// Whether it is a hard report: there is no such mailbox.
        hard: bool,
    },
    /// A server permanently refused a letter in the club's own SMTP session.
    Refused {
        /// Whether the club had tried to send the letter for four days.
        is_four_days_old: bool,
    },
    /// A server accepted a letter in the club's own SMTP session.
    Accepted,
    /// A probe bounced, or was permanently refused.
    ProbeReturned {
        /// When the probe was sent.
        posted: DateTime<Utc>,
    },
    /// Some hours have passed. Events of this kind drive the timeouts.
    Tick {
        /// When the last probe was sent, if that is known.
        posted: Option<DateTime<Utc>>,
    },
    /// The mailbox works: the member wrote, for example, or the moderator says so.
    ProvenReachable,
}

/// The action that the caller must take after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReachabilityEffect {
    SendProbe,
    BecameUndeliverable,
    /// The member is reachable again after having been undeliverable. The caller must send the
    /// missed news.
    BecameReachable,
}

impl Reachability {
    /// Applies an event to the status by the table in this module's header. Returns the action that
    /// the caller must take.
    pub(crate) fn handle_event(
        &mut self,
        event: ReachabilityEvent,
        now: DateTime<Utc>,
        mass_refusal: bool,
    ) -> Option<ReachabilityEffect> {
        if event == ReachabilityEvent::ProvenReachable {
            let is_lost = self.undeliverable_since().is_some();
            self.mark_reached();
            return is_lost.then_some(ReachabilityEffect::BecameReachable);
        }
        match self.status {
            ReachabilityStatus::Reached => self.handle_while_reached(event, now),
            ReachabilityStatus::Suspected { reported, refused } => {
                self.handle_while_suspected((reported, refused), event, now, mass_refusal)
            }
            ReachabilityStatus::Undeliverable { since, returns } => {
                self.handle_while_undeliverable((since, returns), event, now)
            }
        }
    }

    fn handle_while_reached(
        &mut self,
        event: ReachabilityEvent,
        now: DateTime<Utc>,
    ) -> Option<ReachabilityEffect> {
        match event {
            ReachabilityEvent::Report { hard: false }
                if self.soft_reports + 1 < SOFT_REPORTS_MAX =>
            {
                self.soft_reports += 1;
                None
            }
            // A probe whose evidence is void counts as a letter that bounced.
            ReachabilityEvent::Report { .. } | ReachabilityEvent::ProbeReturned { .. } => {
                self.status = ReachabilityStatus::Suspected { reported: Some(now), refused: None };
                self.request_probe(now)
            }
            ReachabilityEvent::Refused { is_four_days_old: for_days } => {
                self.status = ReachabilityStatus::Suspected { reported: None, refused: Some(now) };
                for_days.then(|| self.mark_undeliverable(now, now))
            }
            ReachabilityEvent::Accepted
            | ReachabilityEvent::Tick { .. }
            | ReachabilityEvent::ProvenReachable => None,
        }
    }

    fn handle_while_suspected(
        &mut self,
        (reported, refused): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
        event: ReachabilityEvent,
        now: DateTime<Utc>,
        mass_refusal: bool,
    ) -> Option<ReachabilityEffect> {
        let since = [reported, refused].into_iter().flatten().min().unwrap_or(now);
        // The probe that was sent because of the reports.
        let probe = self.probe.filter(|probe| reported.is_some_and(|at| at <= probe.sent));
        match event {
            // The last probe or an earlier one, unless it was sent because of older reports.
            ReachabilityEvent::ProbeReturned { posted }
                if reported.is_some_and(|at| is_posted_since(posted, at)) =>
            {
                self.probe = self.probe.map(|probe| Probe { returned: true, ..probe });
                let decides = !mass_refusal || now - since >= MASS_REFUSAL_DELAY_MAX;
                decides.then(|| self.mark_undeliverable(since, now))
            }
            ReachabilityEvent::Report { .. } | ReachabilityEvent::ProbeReturned { .. } => {
                self.status =
                    ReachabilityStatus::Suspected { reported: reported.or(Some(now)), refused };
                self.request_probe(now)
            }
            ReachabilityEvent::Refused { is_four_days_old: for_days } => {
                let first = refused.unwrap_or(now);
                self.status = ReachabilityStatus::Suspected { reported, refused: Some(first) };
                let apart = now - first;
                let decides = apart >= REFUSAL_INTERVAL_MIN && !mass_refusal
                    || apart >= MASS_REFUSAL_DELAY_MAX;
                (for_days || decides).then(|| self.mark_undeliverable(since, now))
            }
            ReachabilityEvent::Accepted => self.update_suspicion(reported, None),
            ReachabilityEvent::Tick { posted } => match probe {
                Some(probe) if !probe.returned => {
                    let is_over = is_past_bounce_window(now, posted.unwrap_or(probe.sent));
                    self.update_suspicion(reported.filter(|_| !is_over), refused)
                }
                _ if reported.is_some() => self.request_probe(now),
                _ => self
                    .update_suspicion(None, refused.filter(|at| !is_past_bounce_window(now, *at))),
            },
            ReachabilityEvent::ProvenReachable => None,
        }
    }

    fn handle_while_undeliverable(
        &mut self,
        (since, returns): (DateTime<Utc>, u32),
        event: ReachabilityEvent,
        now: DateTime<Utc>,
    ) -> Option<ReachabilityEffect> {
        let out = self.probe.filter(|probe| !probe.returned);
        match (event, out) {
            (ReachabilityEvent::ProbeReturned { posted }, Some(probe))
                if is_posted_since(posted, probe.sent) =>
            {
                self.probe = Some(Probe { returned: true, ..probe });
                self.status = ReachabilityStatus::Undeliverable { since, returns: returns + 1 };
                None
            }
            (ReachabilityEvent::Tick { posted }, Some(probe)) => {
                is_past_bounce_window(now, posted.unwrap_or(probe.sent)).then(|| {
                    self.mark_reached();
                    ReachabilityEffect::BecameReachable
                })
            }
            (ReachabilityEvent::Tick { .. }, None) => {
                let days = *PROBE_DAYS.get(returns.saturating_sub(1) as usize)?;
                let is_due = now - since >= TimeDelta::days(days);
                if is_due { self.request_probe(now) } else { None }
            }
            _ => None,
        }
    }

    pub fn undeliverable_since(&self) -> Option<DateTime<Utc>> {
        match self.status {
            ReachabilityStatus::Undeliverable { since, .. } => Some(since),
            ReachabilityStatus::Reached | ReachabilityStatus::Suspected { .. } => None,
        }
    }

    /// Whether a probe for the current evidence is queued or may still bounce.
    pub(crate) fn is_awaiting_probe(&self) -> bool {
        let is_out = |from: DateTime<Utc>| {
            self.probe.is_some_and(|probe| !probe.returned && probe.sent >= from)
        };
        match self.status {
            ReachabilityStatus::Suspected { reported: Some(reported), .. } => is_out(reported),
            ReachabilityStatus::Undeliverable { since, .. } => is_out(since),
            ReachabilityStatus::Reached | ReachabilityStatus::Suspected { reported: None, .. } => {
                false
            }
        }
    }

    /// Whether a server has permanently refused a letter since the last one was accepted.
    pub(crate) const fn has_permanent_refusal(&self) -> bool {
        matches!(self.status, ReachabilityStatus::Suspected { refused: Some(_), .. })
    }

    /// Whether the member is reached and no soft report is counted. A letter from the member would
    /// then change nothing.
    pub(crate) const fn is_reached_without_reports(&self) -> bool {
        self.status.is_reached() && self.soft_reports == 0
    }

    /// Whether a second letter or probe has bounced since the first evidence.
    pub(crate) const fn is_undeliverable_confirmed(&self) -> bool {
        matches!(self.status, ReachabilityStatus::Undeliverable { returns: 2.., .. })
    }

    /// Whether the member's clock is stopped at `now`, in a game that allows `vacation_days`
    /// vacation days a year.
    pub(crate) fn is_clock_stopped(&self, vacation_days: u32, now: DateTime<Utc>) -> bool {
        let is_over = || self.clock_resumes_at(vacation_days).is_some_and(|at| at <= now);
        self.has_status_stopped_clock() && !is_over()
    }

    /// Returns when the member's clock runs again. `None` if the clock is not stopped, or if the
    /// status is not confirmed yet.
    pub(crate) fn clock_resumes_at(&self, vacation_days: u32) -> Option<DateTime<Utc>> {
        let since = self
            .undeliverable_since()
            .filter(|_| self.is_undeliverable_confirmed() && self.has_status_stopped_clock());
        since.map(|since| since + TimeDelta::days(vacation_days.into()))
    }

    /// Whether the current status stopped the member's clocks. It does so at most once a year.
    fn has_status_stopped_clock(&self) -> bool {
        self.undeliverable_since().is_some_and(|since| self.clock_stopped_since == Some(since))
    }

    fn mark_reached(&mut self) {
        (self.status, self.soft_reports) = (ReachabilityStatus::Reached, 0);
    }

    fn update_suspicion(
        &mut self,
        reported: Option<DateTime<Utc>>,
        refused: Option<DateTime<Utc>>,
    ) -> Option<ReachabilityEffect> {
        match reported.or(refused) {
            Some(_) => self.status = ReachabilityStatus::Suspected { reported, refused },
            None => self.mark_reached(),
        }
        None
    }

    fn mark_undeliverable(
        &mut self,
        since: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> ReachabilityEffect {
        self.status = ReachabilityStatus::Undeliverable { since, returns: 1 };
        self.probe = self.probe.map(|probe| Probe { returned: true, ..probe });
        if self.clock_stopped_since.is_none_or(|last| now - last >= CLOCK_STOP_INTERVAL_MIN) {
            self.clock_stopped_since = Some(since);
        }
        ReachabilityEffect::BecameUndeliverable
    }

    fn request_probe(&mut self, now: DateTime<Utc>) -> Option<ReachabilityEffect> {
        // A future date comes from a machine clock that was wrong.
        let is_recent = |probe: Probe| probe.sent <= now && now - probe.sent < PROBE_INTERVAL_MIN;
        if self.probe.is_some_and(is_recent) {
            return None;
        }
        self.probe = Some(Probe { sent: now, returned: false });
        Some(ReachabilityEffect::SendProbe)
    }
}

impl ReachabilityStatus {
    const fn is_reached(&self) -> bool {
        matches!(self, Self::Reached)
    }
}

/// Whether a letter was sent at `at` or later. Only whole seconds are compared, because the times
/// of sending are stored in whole seconds.
fn is_posted_since(posted: DateTime<Utc>, at: DateTime<Utc>) -> bool {
    posted.timestamp() >= at.timestamp()
}

/// Whether a letter sent at `posted` can no longer bounce.
fn is_past_bounce_window(now: DateTime<Utc>, posted: DateTime<Utc>) -> bool {
    now - posted >= BOUNCE_WINDOW
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests;
