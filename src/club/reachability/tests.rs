//! Reports, refusals and probes, as a table of events and their effects.

use super::ReachabilityEffect::{BecameReachable, BecameUndeliverable};
use super::ReachabilityEvent::{Accepted, ProbeReturned, ProvenReachable, Refused, Report, Tick};
use super::*;

const HARD: ReachabilityEvent = Report { hard: true };
const SOFT: ReachabilityEvent = Report { hard: false };
const REFUSED: ReachabilityEvent = Refused { is_four_days_old: false };
const LOOK: ReachabilityEvent = Tick { posted: None };

fn hour(hours: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(hours * 3600, 0).unwrap()
}

fn probe_returned(hours: i64) -> ReachabilityEvent {
    ProbeReturned { posted: hour(hours) }
}

/// Returns the state after these events, each at its hour, and the action after each.
fn replay_events(
    events: &[(i64, ReachabilityEvent)],
    mass: bool,
) -> (Reachability, Vec<Option<ReachabilityEffect>>) {
    let mut reach = Reachability::default();
    let on = |(at, event): &(i64, ReachabilityEvent)| reach.handle_event(*event, hour(*at), mass);
    let consequences = events.iter().map(on).collect();
    (reach, consequences)
}

#[test]
fn bounce_reports_lead_to_probes_not_losses() {
    let probe = Some(ReachabilityEffect::SendProbe);
    let soft = [(0, SOFT); 4];
    let soft = |more: &[(i64, ReachabilityEvent)]| [&soft, more].concat();
    for (what, events, consequence) in [
        ("four soft reports", soft(&[]), None),
        ("a fifth", soft(&[(1, SOFT)]), probe),
        ("a letter between", soft(&[(1, ProvenReachable), (2, SOFT)]), None),
        ("a hard report", vec![(0, HARD)], probe),
        ("another one on that day", vec![(0, HARD), (23, HARD)], None),
        ("another one a day later", vec![(0, HARD), (24, HARD)], probe),
        ("new evidence on that day", vec![(0, HARD), (1, ProvenReachable), (2, HARD)], None),
        (
            "its probe a day later",
            vec![(0, HARD), (1, ProvenReachable), (2, HARD), (24, LOOK)],
            probe,
        ),
        (
            "the probe comes back",
            vec![(0, HARD), (1, probe_returned(0))],
            Some(BecameUndeliverable),
        ),
        (
            "an earlier probe does",
            vec![(0, HARD), (24, HARD), (25, probe_returned(0))],
            Some(BecameUndeliverable),
        ),
        (
            "a probe of older evidence",
            vec![(0, HARD), (1, ProvenReachable), (2, HARD), (3, probe_returned(0))],
            None,
        ),
        (
            "a probe that nobody awaits",
            vec![(0, HARD), (1, ProvenReachable), (30, probe_returned(0))],
            probe,
        ),
        ("nothing for five days", vec![(0, HARD), (132, LOOK), (133, probe_returned(0))], probe),
    ] {
        let (_, consequences) = replay_events(&events, false);
        assert_eq!(consequences.last(), Some(&consequence), "{what}");
    }
}

#[test]
fn refusals_and_lost_members_follow_the_table() {
    let probe = Some(ReachabilityEffect::SendProbe);
    for (what, events, consequence) in [
        ("a refusal", vec![(0, REFUSED)], None),
        ("two on a day", vec![(0, REFUSED), (19, REFUSED)], None),
        ("two that lie apart", vec![(0, REFUSED), (20, REFUSED)], Some(BecameUndeliverable)),
        ("a letter taken between", vec![(0, REFUSED), (1, Accepted), (20, REFUSED)], None),
        ("a forged report and one refusal", vec![(0, HARD), (30, REFUSED)], None),
        (
            "refusals for four days",
            vec![(0, Refused { is_four_days_old: true })],
            Some(BecameUndeliverable),
        ),
        (
            "a word from a lost member",
            vec![(0, HARD), (1, probe_returned(0)), (2, ProvenReachable)],
            Some(BecameReachable),
        ),
        ("a report of a lost member", vec![(0, HARD), (1, probe_returned(0)), (30, HARD)], None),
        ("a day after the evidence", vec![(0, HARD), (1, probe_returned(0)), (24, LOOK)], probe),
        ("less than a day", vec![(0, HARD), (1, probe_returned(0)), (23, LOOK)], None),
        (
            "a second probe that stays away",
            vec![(0, HARD), (1, probe_returned(0)), (24, LOOK), (156, LOOK)],
            Some(BecameReachable),
        ),
    ] {
        let (_, consequences) = replay_events(&events, false);
        assert_eq!(consequences.last(), Some(&consequence), "{what}");
    }
}

#[test]
fn mass_refusal_delays_at_most_four_days() {
    let returned = |at| [(0, HARD), (1, probe_returned(0)), (24, LOOK), (at, probe_returned(24))];
    assert_eq!(
        replay_events(&returned(95), true).1[1..],
        [None, Some(ReachabilityEffect::SendProbe), None]
    );
    assert_eq!(replay_events(&returned(96), true).1.last(), Some(&Some(BecameUndeliverable)));
    let refused = |at| replay_events(&[(0, REFUSED), (at, REFUSED)], true).1[1];
    assert_eq!((refused(95), refused(96)), (None, Some(BecameUndeliverable)));
}

#[test]
fn clock_stops_from_evidence_until_confirmed() {
    let lost = [(0, HARD), (1, probe_returned(0))];
    let (reach, _) = replay_events(&lost, false);
    assert_eq!(reach.undeliverable_since(), Some(hour(0)));
    assert!(reach.is_clock_stopped(10, hour(24 * 99)) && reach.clock_resumes_at(10).is_none());
    let confirmed = [&lost[..], &[(24, LOOK), (25, probe_returned(24))]].concat();
    let (reach, _) = replay_events(&confirmed, false);
    assert!(reach.is_clock_stopped(10, hour(239)) && !reach.is_clock_stopped(10, hour(240)));
    assert_eq!(reach.clock_resumes_at(10), Some(hour(240)));
    // The clocks stop only once a year.
    for (days, stands) in [(364, false), (366, true)] {
        let again = 24 * days;
        let again = [(30, ProvenReachable), (again, HARD), (again + 1, probe_returned(again))];
        let (reach, _) = replay_events(&[&confirmed[..], &again].concat(), false);
        assert_eq!(reach.is_clock_stopped(10, hour(24 * days + 2)), stands, "{days}");
    }
}

#[test]
fn outstanding_probe_is_awaited() {
    let awaits =
        |events: &[(i64, ReachabilityEvent)]| replay_events(events, false).0.is_awaiting_probe();
    assert!(awaits(&[(0, HARD)]));
    assert!(!awaits(&[(0, HARD), (1, ProvenReachable)]), "the evidence is void");
    assert!(!awaits(&[(0, HARD), (1, probe_returned(0))]));
    assert!(awaits(&[(0, HARD), (1, probe_returned(0)), (24, LOOK)]));
    assert!(!awaits(&[(0, REFUSED)]));
}
