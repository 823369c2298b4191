//! The periods in which a member has held a seat, from the game's activity log.
//!
//! Pure. The store keeps the current player of a seat and the numbers of the former ones. The times
//! of the changes are only in the activity log.

use super::intervention::Substitute;
use super::published_seat::former_members_of_seat;
use super::{ActivityEntry, ActivityEvent, FormerPlayer, Intervention, SeatAssignment};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use std::collections::BTreeSet;
use std::ops::Range;

/// A period in which a member held a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HeldPeriod {
    /// The exclusive start. `None` means the beginning of the game.
    pub since: Option<DateTime<Utc>>,
    /// The end. `None` means that the member still has the seat.
    pub until: Option<DateTime<Utc>>,
    /// The indices of the entries of the activity log in this period.
    pub entries: Range<usize>,
}

impl HeldPeriod {
    /// Whether a time is inside the period. Both ends are outside, because the seat had two players
    /// in that second.
    pub(crate) fn contains(&self, at: DateTime<Utc>) -> bool {
        self.since.is_none_or(|since| at > since) && self.until.is_none_or(|until| at < until)
    }
}

/// Returns the periods in which a member held a seat, oldest first. Leaves out the first period of
/// the seat if nothing says whose it was.
pub(crate) fn held_periods(
    member: u32,
    seat: Seat,
    seated: &SeatAssignment,
    former: &[FormerPlayer],
    log: &[ActivityEntry],
) -> Vec<HeldPeriod> {
    let changes: Vec<(usize, DateTime<Utc>, Option<u32>)> = log
        .iter()
        .enumerate()
        .filter_map(|(index, entry)| Some((index, entry.at, new_holder(seat, &entry.event)?)))
        .collect();
    let mut holder = first_holder(seat, seated, former, &changes);
    let (mut since, mut first_entry, mut periods) = (None, 0, Vec::new());
    for (index, at, next) in changes {
        if holder == Some(member) {
            periods.push(HeldPeriod { since, until: Some(at), entries: first_entry..index + 1 });
        }
        (holder, since, first_entry) = (next, Some(at), index + 1);
    }
    if holder == Some(member) {
        periods.push(HeldPeriod { since, until: None, entries: first_entry..log.len() });
    }
    periods
}

/// Returns the player of a seat after this event: `None` inside if nobody has it. The outer `None`
/// means that the event does not change the player.
fn new_holder(seat: Seat, event: &ActivityEvent) -> Option<Option<u32>> {
    let ActivityEvent::Intervened { intervention, .. } = event else { return None };
    match intervention {
        Intervention::Replace { seat: changed, by } if *changed == seat => match by {
            Substitute::Member(next) => Some(Some(*next)),
            Substitute::Named(_) => Some(None),
        },
        Intervention::Vacate(left) if *left == seat => Some(None),
        _ => None,
    }
}

/// Returns the player who had the seat when the game began: the only one whom no entry of the log
/// puts there. If each came by an entry and there were two players, it is the one who did not come
/// first. `None` if it is unknown.
fn first_holder(
    seat: Seat,
    seated: &SeatAssignment,
    former: &[FormerPlayer],
    changes: &[(usize, DateTime<Utc>, Option<u32>)],
) -> Option<u32> {
    if changes.is_empty() {
        return seated.since.is_none().then_some(seated.member);
    }
    let came: Vec<u32> = changes.iter().filter_map(|(.., next)| *next).collect();
    let mut holders: BTreeSet<u32> =
        former_members_of_seat(former, seat, seated.member).into_iter().collect();
    holders.insert(seated.member);
    let only = |holders: Vec<u32>| holders.first().copied().filter(|_| holders.len() == 1);
    let others: Vec<u32> =
        holders.iter().copied().filter(|holder| !came.contains(holder)).collect();
    if others.is_empty() {
        return only(holders.into_iter().filter(|holder| came.first() != Some(holder)).collect());
    }
    only(others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::club::Actor;

    const ONE: Seat = Seat::new(1);

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + chrono::TimeDelta::hours(hours)
    }

    fn entry(hours: i64, intervention: Intervention) -> ActivityEntry {
        let (by, reason) = (Actor::Moderator, "".into());
        ActivityEntry {
            at: at(hours),
            event: ActivityEvent::Intervened { by, intervention, reason },
        }
    }

    fn takeover(hours: i64, member: u32) -> ActivityEntry {
        entry(hours, Intervention::Replace { seat: ONE, by: Substitute::Member(member) })
    }

    fn former(member: u32) -> FormerPlayer {
        FormerPlayer { seat: ONE, member, removed: false, saved: None }
    }

    /// Returns the hours of a member's periods: start and end.
    fn hours_held(
        member: u32,
        current: (u32, Option<i64>),
        former: &[FormerPlayer],
        log: &[ActivityEntry],
    ) -> Vec<(Option<i64>, Option<i64>)> {
        let seated = SeatAssignment {
            member: current.0,
            since: current.1.map(at),
            ..SeatAssignment::default()
        };
        let hour = |time: DateTime<Utc>| (time - at(0)).num_hours();
        let held = held_periods(member, ONE, &seated, former, log);
        held.iter().map(|held| (held.since.map(hour), held.until.map(hour))).collect()
    }

    #[test]
    fn periods_follow_takeovers_and_departures() {
        assert_eq!(hours_held(1, (1, None), &[], &[]), [(None, None)]);
        assert_eq!(hours_held(2, (1, None), &[], &[]), []);
        let log = [entry(3, Intervention::Vacate(ONE)), takeover(5, 2), takeover(7, 3)];
        let gone = [former(1), former(2)];
        assert_eq!(hours_held(1, (3, Some(7)), &gone, &log), [(None, Some(3))]);
        assert_eq!(hours_held(2, (3, Some(7)), &gone, &log), [(Some(5), Some(7))]);
        assert_eq!(hours_held(3, (3, Some(7)), &gone, &log), [(Some(7), None)]);
    }

    #[test]
    fn returning_player_has_two_periods() {
        let log = [takeover(3, 2), takeover(5, 1)];
        let both = [former(1), former(2)];
        let twice = [(None, Some(3)), (Some(5), None)];
        assert_eq!(hours_held(1, (1, Some(5)), &both, &log), twice);
        assert_eq!(hours_held(2, (1, Some(5)), &both, &log), [(Some(3), Some(5))]);
    }

    #[test]
    fn unknown_first_player_has_no_period() {
        let log = [takeover(3, 2)];
        let unclear = [former(1), former(3)];
        assert_eq!(hours_held(1, (2, Some(3)), &unclear, &log), []);
        assert_eq!(hours_held(2, (2, Some(3)), &unclear, &log), [(Some(3), None)]);
        assert_eq!(hours_held(2, (2, Some(3)), &[former(1)], &[]), [], "the log lacks the change");
    }
}
