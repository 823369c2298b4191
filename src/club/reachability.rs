//! Whether letters reach a member at their first address: evidence, probes, and the status.
//!
//! Anybody who has seen one letter to a member can invent a report that it came back. So a report
//! is only *evidence*. It costs the member one *probe*: a short letter that nobody else has seen.
//! Only the fate of the probe, or of letters in the club's own SMTP sessions, decides.
//!
//! | status | event | next status | sent |
//! |---|---|---|---|
//! | reached | soft report, the first four in a row | reached | |
//! | reached | hard report, or the fifth soft one in a row | suspected | probe |
//! | reached | a server refuses a letter for good | suspected | |
//! | suspected | another report | suspected | probe |
//! | suspected | a report came, and no probe is out | suspected | probe |
//! | suspected | the probe comes back, or is refused for good | undeliverable | |
//! | suspected | a server refuses one for good 20 hours after the first | undeliverable | |
//! | suspected | a server takes a letter, and no report came | reached | |
//! | suspected | nothing comes back within five days | reached | |
//! | any | a letter is refused for four days | undeliverable | |
//! | undeliverable | 1, 3, 7 and 14 days have passed | undeliverable | probe |
//! | undeliverable | this probe comes back, or is refused for good | undeliverable, confirmed | |
//! | undeliverable | this probe does not come back within five days | reached | missed news |
//! | any | the member writes, or their mailbox answers by itself | reached | missed news |
//! | any | a new first address, or the moderator says so | reached | missed news |
//!
//! - A member gets at most one probe a day. A probe that is not allowed yet is sent later.
//! - The status counts from the evidence. Missed news follow only after "undeliverable".
//! - On a day on which many mailboxes are refused (a *mass refusal*), a suspected member stays
//!   suspected, for at most four days.
//! - The member's time stands still from the evidence on, once a year: as long as a vacation may
//!   be, and until the status is confirmed.
//!
//! Pure: the time and whether there is a mass refusal come in.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The number of soft reports in a row that count as evidence.
const SOFT_MAX: u32 = 5;
/// The least time between two probes to a member.
const PROBE_PAUSE: TimeDelta = TimeDelta::days(1);
/// The days after which an undeliverable member gets a probe, counted from the evidence.
const PROBE_DAYS: [i64; 4] = [1, 3, 7, 14];
/// The time within which a letter comes back if it does. Mail servers try for five days before they
/// report, so half a day is added.
pub(crate) const COMES_BACK_WITHIN: TimeDelta = TimeDelta::hours(5 * 24 + 12);
/// The least time between the two refusals that make a member undeliverable.
const REFUSALS_APART: TimeDelta = TimeDelta::hours(20);
/// The longest time by which mass refusals can delay the status.
const MASS_MAX: TimeDelta = TimeDelta::days(4);
/// The time after which a member's time can stand still once more.
const STANDS_AGAIN: TimeDelta = TimeDelta::days(365);

/// The club's knowledge about a member's mailbox.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reachability {
    /// The status, with its dates.
    #[serde(default, skip_serializing_if = "Status::is_reached")]
    pub status: Status,
    /// The number of soft reports in a row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub soft: u32,
    /// The last probe. It outlives its evidence, because a member gets one probe a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probe: Option<Probe>,
    /// The date from which the member's time last stood still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stood_still: Option<DateTime<Utc>>,
}

/// Whether letters reach a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing speaks against it.
    #[default]
    Reached,
    /// There is evidence. Letters and time go on. At least one of the dates is set.
    Suspected {
        /// The date of the first report.
        reported: Option<DateTime<Utc>>,
        /// The date of the first refusal in the club's own session.
        refused: Option<DateTime<Utc>>,
    },
    /// No letter is written but probes and invitations.
    Undeliverable {
        /// The date of the evidence.
        since: DateTime<Utc>,
        /// The number of probes and letters that came back and decided it, from 1.
        returns: u32,
    },
}

/// A probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The date on which it was queued.
    pub sent: DateTime<Utc>,
    /// Whether it came back or was refused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub returned: bool,
}

/// Something that says whether letters reach a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A report gives back a letter.
    Report {
        /// Whether it says that there is no such mailbox.
        hard: bool,
    },
    /// A server refused a letter for good in the club's own session.
    Refused {
        /// Whether the letter was tried for four days.
        for_days: bool,
    },
    /// A server took a letter in the club's own session.
    Taken,
    /// A probe came back, or was refused for good.
    ProbeReturned {
        /// When the probe was posted.
        posted: DateTime<Utc>,
    },
    /// Some hours have passed.
    Look {
        /// When the last probe was posted, if that is known.
        posted: Option<DateTime<Utc>>,
    },
    /// The member wrote, or somebody vouches for the mailbox.
    Heard,
}

/// A consequence of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consequence {
    /// A probe is sent.
    Probe,
    /// The member has become undeliverable.
    Lost,
    /// The member is no longer undeliverable and gets the missed news.
    Back,
}

impl Reachability {
    /// Takes an event in, as the table in this module's header says.
    pub(crate) fn on(
        &mut self,
        event: Event,
        now: DateTime<Utc>,
        mass_refusal: bool,
    ) -> Option<Consequence> {
        if event == Event::Heard {
            let is_lost = self.undeliverable().is_some();
            self.become_reached();
            return is_lost.then_some(Consequence::Back);
        }
        match self.status {
            Status::Reached => self.while_reached(event, now),
            Status::Suspected { reported, refused } => {
                self.while_suspected((reported, refused), event, now, mass_refusal)
            }
            Status::Undeliverable { since, returns } => {
                self.while_undeliverable((since, returns), event, now)
            }
        }
    }

    fn while_reached(&mut self, event: Event, now: DateTime<Utc>) -> Option<Consequence> {
        match event {
            Event::Report { hard: false } if self.soft + 1 < SOFT_MAX => {
                self.soft += 1;
                None
            }
            // A probe whose evidence is void is a letter that came back.
            Event::Report { .. } | Event::ProbeReturned { .. } => {
                self.status = Status::Suspected { reported: Some(now), refused: None };
                self.send_probe(now)
            }
            Event::Refused { for_days } => {
                self.status = Status::Suspected { reported: None, refused: Some(now) };
                for_days.then(|| self.become_undeliverable(now, now))
            }
            Event::Taken | Event::Look { .. } | Event::Heard => None,
        }
    }

    fn while_suspected(
        &mut self,
        (reported, refused): (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
        event: Event,
        now: DateTime<Utc>,
        mass_refusal: bool,
    ) -> Option<Consequence> {
        let since = [reported, refused].into_iter().flatten().min().unwrap_or(now);
        // The probe that was sent because of the reports.
        let probe = self.probe.filter(|probe| reported.is_some_and(|at| at <= probe.sent));
        match event {
            // The last probe or an earlier one, but none that was sent because of older reports.
            Event::ProbeReturned { posted } if reported.is_some_and(|at| is_from(posted, at)) => {
                self.probe = self.probe.map(|probe| Probe { returned: true, ..probe });
                let decides = !mass_refusal || now - since >= MASS_MAX;
                decides.then(|| self.become_undeliverable(since, now))
            }
            Event::Report { .. } | Event::ProbeReturned { .. } => {
                self.status = Status::Suspected { reported: reported.or(Some(now)), refused };
                self.send_probe(now)
            }
            Event::Refused { for_days } => {
                let first = refused.unwrap_or(now);
                self.status = Status::Suspected { reported, refused: Some(first) };
                let apart = now - first;
                let decides = apart >= REFUSALS_APART && !mass_refusal || apart >= MASS_MAX;
                (for_days || decides).then(|| self.become_undeliverable(since, now))
            }
            Event::Taken => self.keep_suspecting(reported, None),
            Event::Look { posted } => match probe {
                Some(probe) if !probe.returned => {
                    let is_over = is_over(now, posted.unwrap_or(probe.sent));
                    self.keep_suspecting(reported.filter(|_| !is_over), refused)
                }
                _ if reported.is_some() => self.send_probe(now),
                _ => self.keep_suspecting(None, refused.filter(|at| !is_over(now, *at))),
            },
            Event::Heard => None,
        }
    }

    fn while_undeliverable(
        &mut self,
        (since, returns): (DateTime<Utc>, u32),
        event: Event,
        now: DateTime<Utc>,
    ) -> Option<Consequence> {
        let out = self.probe.filter(|probe| !probe.returned);
        match (event, out) {
            (Event::ProbeReturned { posted }, Some(probe)) if is_from(posted, probe.sent) => {
                self.probe = Some(Probe { returned: true, ..probe });
                self.status = Status::Undeliverable { since, returns: returns + 1 };
                None
            }
            (Event::Look { posted }, Some(probe)) => is_over(now, posted.unwrap_or(probe.sent))
                .then(|| {
                    self.become_reached();
                    Consequence::Back
                }),
            (Event::Look { .. }, None) => {
                let days = *PROBE_DAYS.get(returns.saturating_sub(1) as usize)?;
                let is_due = now - since >= TimeDelta::days(days);
                if is_due { self.send_probe(now) } else { None }
            }
            _ => None,
        }
    }

    /// The date from which the member is undeliverable.
    pub fn undeliverable(&self) -> Option<DateTime<Utc>> {
        match self.status {
            Status::Undeliverable { since, .. } => Some(since),
            Status::Reached | Status::Suspected { .. } => None,
        }
    }

    /// Whether a probe is to leave, or may still come back.
    pub(crate) fn awaits_probe(&self) -> bool {
        let is_out = |from: DateTime<Utc>| {
            self.probe.is_some_and(|probe| !probe.returned && probe.sent >= from)
        };
        match self.status {
            Status::Suspected { reported: Some(reported), .. } => is_out(reported),
            Status::Undeliverable { since, .. } => is_out(since),
            Status::Reached | Status::Suspected { reported: None, .. } => false,
        }
    }

    /// Whether servers have refused letters for good since the last one was taken.
    pub(crate) const fn is_refused(&self) -> bool {
        matches!(self.status, Status::Suspected { refused: Some(_), .. })
    }

    /// Whether there is nothing that a letter from the member would change.
    pub(crate) const fn is_spotless(&self) -> bool {
        self.status.is_reached() && self.soft == 0
    }

    /// Whether a second letter or probe has come back.
    pub(crate) const fn is_confirmed(&self) -> bool {
        matches!(self.status, Status::Undeliverable { returns: 2.., .. })
    }

    /// Whether the member's time stands still now, in a game that allows so many days of vacation
    /// a year.
    pub(crate) fn time_stands(&self, vacation_days: u32, now: DateTime<Utc>) -> bool {
        let is_over = || self.time_runs_at(vacation_days).is_some_and(|at| at <= now);
        self.has_first_stand() && !is_over()
    }

    /// When the member's time runs again, if that is known.
    pub(crate) fn time_runs_at(&self, vacation_days: u32) -> Option<DateTime<Utc>> {
        let since = self.undeliverable().filter(|_| self.is_confirmed() && self.has_first_stand());
        since.map(|since| since + TimeDelta::days(vacation_days.into()))
    }

    /// Whether the member is undeliverable for the first time within a year.
    fn has_first_stand(&self) -> bool {
        self.undeliverable().is_some_and(|since| self.stood_still == Some(since))
    }

    fn become_reached(&mut self) {
        (self.status, self.soft) = (Status::Reached, 0);
    }

    fn keep_suspecting(
        &mut self,
        reported: Option<DateTime<Utc>>,
        refused: Option<DateTime<Utc>>,
    ) -> Option<Consequence> {
        match reported.or(refused) {
            Some(_) => self.status = Status::Suspected { reported, refused },
            None => self.become_reached(),
        }
        None
    }

    fn become_undeliverable(&mut self, since: DateTime<Utc>, now: DateTime<Utc>) -> Consequence {
        self.status = Status::Undeliverable { since, returns: 1 };
        self.probe = self.probe.map(|probe| Probe { returned: true, ..probe });
        if self.stood_still.is_none_or(|last| now - last >= STANDS_AGAIN) {
            self.stood_still = Some(since);
        }
        Consequence::Lost
    }

    fn send_probe(&mut self, now: DateTime<Utc>) -> Option<Consequence> {
        // A date ahead of now was noted by a clock that was wrong.
        let is_recent = |probe: Probe| probe.sent <= now && now - probe.sent < PROBE_PAUSE;
        if self.probe.is_some_and(is_recent) {
            return None;
        }
        self.probe = Some(Probe { sent: now, returned: false });
        Some(Consequence::Probe)
    }
}

impl Status {
    const fn is_reached(&self) -> bool {
        matches!(self, Self::Reached)
    }
}

/// Whether a letter was posted at that time or later. Dates of posting are kept in whole seconds.
fn is_from(posted: DateTime<Utc>, at: DateTime<Utc>) -> bool {
    posted.timestamp() >= at.timestamp()
}

/// Whether a letter of that date can no longer come back.
fn is_over(now: DateTime<Utc>, posted: DateTime<Utc>) -> bool {
    now - posted >= COMES_BACK_WITHIN
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::Consequence::{Back, Lost};
    use super::Event::{Heard, Look, ProbeReturned, Refused, Report, Taken};
    use super::*;

    const HARD: Event = Report { hard: true };
    const SOFT: Event = Report { hard: false };
    const REFUSED: Event = Refused { for_days: false };
    const LOOK: Event = Look { posted: None };

    fn hour(hours: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(hours * 3600, 0).unwrap()
    }

    fn back(hours: i64) -> Event {
        ProbeReturned { posted: hour(hours) }
    }

    /// The consequence of each event, at these hours.
    fn after(events: &[(i64, Event)], mass: bool) -> (Reachability, Vec<Option<Consequence>>) {
        let mut reach = Reachability::default();
        let on = |(at, event): &(i64, Event)| reach.on(*event, hour(*at), mass);
        let consequences = events.iter().map(on).collect();
        (reach, consequences)
    }

    #[test]
    fn last_event_has_the_consequence_of_the_table() {
        let probe = Some(Consequence::Probe);
        let soft = [(0, SOFT); 4];
        let soft = |more: &[(i64, Event)]| [&soft, more].concat();
        for (what, events, consequence) in [
            ("four soft reports", soft(&[]), None),
            ("a fifth", soft(&[(1, SOFT)]), probe),
            ("a letter between", soft(&[(1, Heard), (2, SOFT)]), None),
            ("a hard report", vec![(0, HARD)], probe),
            ("another one on that day", vec![(0, HARD), (23, HARD)], None),
            ("another one a day later", vec![(0, HARD), (24, HARD)], probe),
            ("new evidence on that day", vec![(0, HARD), (1, Heard), (2, HARD)], None),
            ("its probe a day later", vec![(0, HARD), (1, Heard), (2, HARD), (24, LOOK)], probe),
            ("the probe comes back", vec![(0, HARD), (1, back(0))], Some(Lost)),
            ("an earlier probe does", vec![(0, HARD), (24, HARD), (25, back(0))], Some(Lost)),
            (
                "a probe of older evidence",
                vec![(0, HARD), (1, Heard), (2, HARD), (3, back(0))],
                None,
            ),
            ("a probe that nobody awaits", vec![(0, HARD), (1, Heard), (30, back(0))], probe),
            ("nothing for five days", vec![(0, HARD), (132, LOOK), (133, back(0))], probe),
            ("a refusal", vec![(0, REFUSED)], None),
            ("two on a day", vec![(0, REFUSED), (19, REFUSED)], None),
            ("two that lie apart", vec![(0, REFUSED), (20, REFUSED)], Some(Lost)),
            ("a letter taken between", vec![(0, REFUSED), (1, Taken), (20, REFUSED)], None),
            ("a forged report and one refusal", vec![(0, HARD), (30, REFUSED)], None),
            ("refusals for four days", vec![(0, Refused { for_days: true })], Some(Lost)),
            ("a word from a lost member", vec![(0, HARD), (1, back(0)), (2, Heard)], Some(Back)),
            ("a report of a lost member", vec![(0, HARD), (1, back(0)), (30, HARD)], None),
            ("a day after the evidence", vec![(0, HARD), (1, back(0)), (24, LOOK)], probe),
            ("less than a day", vec![(0, HARD), (1, back(0)), (23, LOOK)], None),
            (
                "a second probe that stays away",
                vec![(0, HARD), (1, back(0)), (24, LOOK), (156, LOOK)],
                Some(Back),
            ),
        ] {
            let (_, consequences) = after(&events, false);
            assert_eq!(consequences.last(), Some(&consequence), "{what}");
        }
    }

    #[test]
    fn mass_refusal_delays_at_most_four_days() {
        let returned = |at| [(0, HARD), (1, back(0)), (24, LOOK), (at, back(24))];
        assert_eq!(after(&returned(95), true).1[1..], [None, Some(Consequence::Probe), None]);
        assert_eq!(after(&returned(96), true).1.last(), Some(&Some(Lost)));
        let refused = |at| after(&[(0, REFUSED), (at, REFUSED)], true).1[1];
        assert_eq!((refused(95), refused(96)), (None, Some(Lost)));
    }

    #[test]
    fn time_stands_from_evidence_until_confirmed() {
        let lost = [(0, HARD), (1, back(0))];
        let (reach, _) = after(&lost, false);
        assert_eq!(reach.undeliverable(), Some(hour(0)));
        assert!(reach.time_stands(10, hour(24 * 99)) && reach.time_runs_at(10).is_none());
        let confirmed = [&lost[..], &[(24, LOOK), (25, back(24))]].concat();
        let (reach, _) = after(&confirmed, false);
        assert!(reach.time_stands(10, hour(239)) && !reach.time_stands(10, hour(240)));
        assert_eq!(reach.time_runs_at(10), Some(hour(240)));
        // Once a year.
        for (days, stands) in [(364, false), (366, true)] {
            let again = 24 * days;
            let again = [(30, Heard), (again, HARD), (again + 1, back(again))];
            let (reach, _) = after(&[&confirmed[..], &again].concat(), false);
            assert_eq!(reach.time_stands(10, hour(24 * days + 2)), stands, "{days}");
        }
    }

    #[test]
    fn probe_that_is_out_is_awaited() {
        let awaits = |events: &[(i64, Event)]| after(events, false).0.awaits_probe();
        assert!(awaits(&[(0, HARD)]));
        assert!(!awaits(&[(0, HARD), (1, Heard)]), "the evidence is void");
        assert!(!awaits(&[(0, HARD), (1, back(0))]));
        assert!(awaits(&[(0, HARD), (1, back(0)), (24, LOOK)]));
        assert!(!awaits(&[(0, REFUSED)]));
    }
}
