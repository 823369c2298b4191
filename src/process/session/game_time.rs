//! The time of a game: its clock, plans and moves for absent seats, its pace, and undeliverable
//! players.
//!
//! Time stands still for a player who cannot be told that it is their turn. Anybody can make their
//! own letters bounce, so that is so once a year and for no longer than a vacation may be, or until
//! a second probe has come back. The moderator decides what follows.

use crate::club::clock::{GameClock, OwnTime, describe_date, describe_duration, describe_moment};
use crate::club::{Member, SeatAssignment};
use crate::mail::rate_limit::DAY_SECONDS;
use crate::mail::{self, FailedRecipient};
use crate::process::context::{ClubError, ClubResult};
use crate::process::game_faults::GAME_FAILED;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{PendingUpdates, Transaction};
use crate::rules::{Arg, Message, Refusal, Seat, Turn};
use crate::store::Repository;
use crate::table::{Cause, QueuedOrders, Record};
use chrono::{DateTime, TimeDelta, Utc};
use std::sync::Arc;

impl GameSession {
    /// What a letter to this seat says of the clock, and of seats that nobody sits at any more: who
    /// waits for one of them should know that nobody there will write.
    pub(crate) fn clock_messages(&self, seat: Seat) -> Vec<Message> {
        if self.table.turn() == Turn::Over {
            return Vec::new();
        }
        let mut words = match (&self.clock, self.seat(seat)) {
            (Some(clock), Some((_, member))) => clock.describe(seat, &member.time),
            _ => Vec::new(),
        };
        words.extend(self.away_messages(seat));
        words.extend(self.unreachable_message(seat));
        let missed = self.clock.as_ref().map(GameClock::open_seats).unwrap_or_default();
        let mut left = self.open_seats();
        left.retain(|open| !missed.contains(open));
        if !left.is_empty() {
            words.push(Message::new("clock-seat-open").with("count", left.len()).with("who", left));
        }
        words
    }

    /// What a seat that waits for others hears of those whose vacation has put their deadline off:
    /// when their time runs again, which the deadline lets it reckon anyway.
    fn away_messages(&self, reader: Seat) -> Vec<Message> {
        let Some((_, member)) = self.seat(reader) else { return Vec::new() };
        let clock = self.clock.as_ref().filter(|clock| clock.paused.is_none());
        let waits = clock.filter(|clock| clock.wait(reader).is_none());
        let waits = waits.into_iter().flat_map(|clock| clock.waits.iter().map(move |w| (clock, w)));
        let away = waits.filter_map(|(clock, wait)| {
            let (_, other) = self
                .seat(wait.seat)
                .filter(|_| !wait.has_missed && wait.unreachable_since.is_none())?;
            let besides = TimeDelta::seconds(wait.extra_seconds);
            let until = clock.rules.vacation_ends_at(wait.since, besides, &other.time)?;
            let word = Message::new("clock-others-away").with("who", wait.seat);
            Some(word.with("until", describe_moment(until, &member.time)))
        });
        away.collect()
    }

    /// Sets the clock to what has happened since it was last set.
    ///
    /// What a player is late by is counted to when his letter came to us, however late it was read;
    /// a time that lies ahead of us is none. All else is counted from now: nobody is asked before
    /// his letter is written, and a log's times go forward only.
    pub(crate) fn update_clock(&mut self, now: chrono::DateTime<Utc>, movers: &PendingUpdates) {
        let awaited = match self.table.turn() {
            Turn::Awaiting(seats) => seats,
            Turn::Over => Vec::new(),
        };
        let since = ClockEvents::from_records(self.table.records_since(self.clock_seq));
        let has_moved = self.clock_seq < self.table.head();
        self.clock_seq = self.table.head();
        let (acted, absent) = (since.acted_seats(), since.absent_seats());
        let ClockEvents { last_orders: last, undone_to: undone, rewound: taken_back, .. } = since;
        let Self { clock, seats, .. } = self;
        if let Some(clock) = clock {
            if let Some((seat, before)) = undone.and_then(|to| clock.restore_before_orders(to))
                && let Some((seated, _)) = seats.get_mut(seat.index())
            {
                seated.punctuality = before;
            }
            let before = last.and_then(|(seq, seat)| {
                let (seated, member) = seats.get(seat.index())?;
                let place = (seq, seat);
                Some(clock.save_before_orders(place, seated.punctuality, now, &member.time))
            });
            if has_moved {
                clock.before_orders = before.map(Box::new);
            }
            for seat in &acted {
                let letter = movers.acknowledgements.get(seat).and_then(|own| own.received_at);
                let received = letter.map_or(now, |received| received.min(now));
                let seated = seats.get_mut(seat.index()).filter(|_| !taken_back);
                if let Some((seated, _)) = seated {
                    seated.punctuality.count_turn(clock, *seat, absent.contains(seat), received);
                }
                clock.charge_bank(*seat, received);
                if movers.acknowledgements.get(seat).is_some_and(|own| own.has_orders) {
                    clock.record_played_turn(*seat);
                }
            }
            let own = |seat: Seat| seats.get(seat.index()).map(|(_, member)| &member.time);
            clock.set_awaited_seats(&awaited, &acted, taken_back, now, own);
            update_unreachable_waits(clock, seats, now);
        }
    }

    /// Reckons the deadline of this seat again, whose player's own time has changed, or who can or
    /// cannot be reached any more.
    pub(crate) fn recompute_deadline(&mut self, seat: Seat, now: chrono::DateTime<Utc>) {
        let own = self.seat(seat).map(|(_, member)| member.time.clone()).unwrap_or_default();
        if let Some(clock) = &mut self.clock {
            clock.recompute_deadline(seat, &own, now);
            update_unreachable_waits(clock, &self.seats, now);
        }
    }
}

/// What the records since a clock was last set say of the seats' time.
#[derive(Default)]
struct ClockEvents {
    /// The orders that stand, with their records; whether they are an absent player's.
    orders: Vec<(u32, Seat, bool)>,
    /// The last record, if it is of orders that their player gave.
    last_orders: Option<(u32, Seat)>,
    /// The record after which orders were taken back that the clock was set to.
    undone_to: Option<u32>,
    /// Whether the game was taken back from outside of its rules.
    rewound: bool,
}

impl ClockEvents {
    fn from_records(records: &[Arc<Record>]) -> Self {
        let mut since = Self::default();
        for record in records {
            since.last_orders = None;
            match record.cause {
                Cause::Orders { seat, .. } => {
                    since.orders.push((record.seq, seat, false));
                    since.last_orders = Some((record.seq, seat));
                }
                Cause::Absent { seat, .. } => since.orders.push((record.seq, seat, true)),
                // It takes back the last orders, which may be as new as it is.
                Cause::Undone { to, .. } => match since.orders.last() {
                    Some((seq, ..)) if *seq > to => drop(since.orders.pop()),
                    _ => since.undone_to = Some(to),
                },
                Cause::Rewound { .. } => since.rewound = true,
                Cause::Founded | Cause::Ended { .. } => {}
            }
        }
        since
    }

    /// The seats that have acted.
    fn acted_seats(&self) -> Vec<Seat> {
        let mut acted: Vec<Seat> = self.orders.iter().map(|(_, seat, _)| *seat).collect();
        acted.sort_unstable();
        acted.dedup();
        acted
    }

    /// The seats for which something was done.
    fn absent_seats(&self) -> Vec<Seat> {
        self.orders.iter().filter(|(.., absent)| *absent).map(|(_, seat, _)| *seat).collect()
    }
}

/// The own times of those who sit at a game, by seat.
pub(crate) fn load_player_times(tx: &Transaction<'_>, game: u32) -> ClubResult<Vec<OwnTime>> {
    let mut times = Vec::new();
    for seated in tx.seats(game)? {
        let member = tx.member(seated.member)?;
        times.push(member.map(|member| member.time).unwrap_or_default());
    }
    Ok(times)
}

/// From how many members within a day letters are refused by rules of servers until that is not
/// any more about one of them.
const POLICY_REFUSALS_MIN: usize = 3;

impl GameSession {
    /// What a letter to this seat says of others for whom the game waits and whom no letter
    /// reaches, as far as the clock does not say it.
    pub(crate) fn unreachable_message(&self, reader: Seat) -> Option<Message> {
        let Turn::Awaiting(awaited) = self.table.turn() else { return None };
        let stands = |seat: Seat| {
            let wait = self.clock.as_ref().and_then(|clock| clock.wait(seat));
            wait.is_some_and(|wait| wait.unreachable_since.is_some())
        };
        let lost = awaited.into_iter().filter(|seat| {
            let place = self.seat(*seat).filter(|(seated, _)| !seated.has_left);
            *seat != reader
                && !stands(*seat)
                && place.is_some_and(|(_, member)| member.undeliverable_since().is_some())
        });
        let lost: Vec<Seat> = lost.collect();
        (!lost.is_empty()).then(|| Message::new("seat-lost").with("who", lost))
    }
}

/// Notes that a rule of a server refused a letter to a member. What the moderator is told once a
/// day, when there are several members: then it is about the club's letters and not about them.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn record_policy_refusal(
    tx: &mut Transaction<'_>,
    member: u32,
    failed: &FailedRecipient,
) -> ClubResult<Option<Message>> {
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let his = format!("refused by rule {member}");
    if failed.cause != mail::FailureCause::Policy || tx.count_since(&his, since)? > 0 {
        return Ok(None);
    }
    tx.increment_count(his);
    tx.increment_count("refused by rule".to_owned());
    let members = tx.count_since("refused by rule", since)?;
    if members < POLICY_REFUSALS_MIN || tx.count_since("refused by rule, told", since)? > 0 {
        return Ok(None);
    }
    tx.increment_count("refused by rule, told".to_owned());
    let status = if failed.status.is_empty() { "-" } else { &failed.status };
    let word = Message::new("report-refused-by-rule").with("count", members);
    Ok(Some(word.with("address", failed.address.as_str()).with("status", status)))
}

/// Returns what the moderator hears of a member who has become undeliverable.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn report_undeliverable(
    tx: &mut Transaction<'_>,
    member: &Member,
    failed: &FailedRecipient,
) -> ClubResult<Message> {
    let (mut games, mut waiting) = (Vec::new(), Vec::new());
    for (game, seat) in tx.current_seats(member.id)? {
        // A broken game is told of elsewhere.
        let Ok(session) = tx.open_game(game) else { continue };
        let Turn::Awaiting(awaited) = session.table.turn() else { continue };
        games.push(Arg::from(game));
        if awaited.contains(&seat) {
            waiting.push(Arg::from(game));
        }
    }
    let before = member
        .reachability
        .clock_stopped_since
        .filter(|last| member.undeliverable_since() != Some(*last));
    let key = match (games.is_empty(), waiting.is_empty(), before) {
        (true, ..) => "report-undeliverable",
        (false, _, Some(_)) => "report-undeliverable-again",
        (false, true, None) => "report-undeliverable-plays",
        (false, false, None) => "report-undeliverable-waits",
    };
    let time = tx.context.settings.moderator.own_time();
    let before = before.map_or(Arg::from(""), |last| describe_date(last, &time).into());
    let why = if failed.status.is_empty() { "-" } else { &failed.status };
    Ok(Message::new(key)
        .with("name", member.name.as_str())
        .with("address", failed.address.as_str())
        .with("status", why)
        .with("games", Arg::List(games))
        .with("before", before)
        .with("waiting", Arg::List(waiting)))
}

/// What the moderator is told when the time of a reminder comes, of those who get none.
pub(crate) fn report_waiting_for_unreachable(session: &GameSession) -> Option<Message> {
    let Turn::Awaiting(seats) = session.table.turn() else { return None };
    let lost = seats.iter().filter_map(|seat| session.seat(*seat));
    let lost = lost.filter(|(_, member)| member.undeliverable_since().is_some());
    let names: Vec<Arg> = lost.map(|(_, member)| Arg::from(member.name.as_str())).collect();
    (!names.is_empty()).then(|| {
        Message::new("report-waits-for-lost")
            .with("number", session.number())
            .with("names", Arg::List(names))
    })
}

/// Takes it that a member's seats know no more than these records, as a letter was lost, so that he
/// is told of what came after when he can be reached again.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn reset_last_seen(
    tx: &mut Transaction<'_>,
    member: u32,
    told: &[(u32, Seat, u32)],
) -> ClubResult<()> {
    for (game, seat, before) in told {
        let seats = tx.seats(*game)?;
        let is_his = seats.get(seat.index()).is_some_and(|seated| seated.member == member);
        // A broken game is told of elsewhere.
        if !is_his || tx.open_game(*game).is_err() {
            continue;
        }
        if let Some(session) = tx.opened_game_mut(*game)
            && let Some((seated, _)) = session.seats.get_mut(seat.index())
        {
            seated.last_seen_seq = seated.last_seen_seq.min(*before);
        }
    }
    Ok(())
}

/// Lets time stand still for undeliverable members, as long as it may, from the date of the
/// evidence on. A seat that was left has nobody to be reached: its time runs as the game's rules
/// have it.
pub(crate) fn update_unreachable_waits(
    clock: &mut GameClock,
    seats: &[(SeatAssignment, Member)],
    now: DateTime<Utc>,
) {
    let vacation_days = clock.rules.vacation_days_per_year;
    for (index, (seated, member)) in seats.iter().enumerate() {
        let stands = !seated.has_left && member.reachability.is_clock_stopped(vacation_days, now);
        let seat = Seat::from_index(index);
        let stood = clock.wait(seat).is_some_and(|wait| wait.unreachable_since.is_some());
        let at =
            member.undeliverable_since().filter(|_| stands).map_or(now, |since| since.min(now));
        clock.set_reachable(seat, !stands, at, &member.time);
        if stood && !stands {
            // The missed news comes now and states the deadline.
            clock.record_reminder(seat, now);
        }
    }
}

/// When a game is looked at next: when its clock does something, or when time runs again for an
/// undeliverable member.
pub(crate) fn next_check(
    clock: &GameClock,
    seats: &[(SeatAssignment, Member)],
) -> Option<DateTime<Utc>> {
    let standing = clock.waits.iter().filter(|wait| wait.unreachable_since.is_some());
    let until = standing.filter_map(|wait| {
        let (_, member) = seats.get(wait.seat.index())?;
        member.reachability.clock_resumes_at(clock.rules.vacation_days_per_year)
    });
    clock.next_event().map(|(at, ..)| at).into_iter().chain(until).min()
}

/// What the moderator hears when time runs again for players whom still no letter reaches.
pub(crate) fn report_resumed_time(
    session: &GameSession,
    before: &GameClock,
    now: &GameClock,
) -> Option<Message> {
    let stands = |clock: &GameClock, seat| {
        clock.wait(seat).is_some_and(|wait| wait.unreachable_since.is_some())
    };
    let run = now.waits.iter().filter(|w| stands(before, w.seat) && !stands(now, w.seat));
    let names = run.filter_map(|wait| session.names.get(wait.seat.index()));
    let names: Vec<Arg> = names.map(|name| Arg::from(name.as_str())).collect();
    (!names.is_empty()).then(|| {
        let note = Message::new("report-lost-runs").with("number", session.number());
        note.with("names", Arg::List(names))
    })
}

/// How much of a game must lie behind before its end is guessed, in hundredths.
const PROGRESS_FOR_ESTIMATE_MIN: u8 = 10;

impl GameSession {
    /// How fast the game is played, and when it is likely to end, by the reader's own days; none
    /// before the first turn has been played.
    pub(crate) fn describe_pace(&self, now: DateTime<Utc>, own: &OwnTime) -> Option<Message> {
        let records = self.table.records();
        let (first, last) = (records.first()?, records.last()?);
        let turns = i32::try_from(records.len() - 1).ok().filter(|turns| *turns > 0)?;
        let taken = last.at - first.at;
        let pace = Message::new("pace").with("span", describe_duration(taken / turns));
        let left = estimate_remaining_time(taken, self.table.game().progress_percent());
        let end = left.and_then(|left| now.max(last.at).checked_add_signed(left));
        Some(match end.filter(|_| self.table.turn() != Turn::Over) {
            Some(end) => {
                Message::new("pace-end").with("pace", pace).with("end", describe_date(end, own))
            }
            None => pace,
        })
    }
}

/// How long a game is likely to go on that has taken so long; none while that cannot be guessed.
fn estimate_remaining_time(taken: TimeDelta, progress: u8) -> Option<TimeDelta> {
    let behind = i64::from(progress);
    let seconds = taken.num_seconds().checked_mul(100_i64.checked_sub(behind)?)? / behind.max(1);
    (progress >= PROGRESS_FOR_ESTIMATE_MIN).then(|| TimeDelta::try_seconds(seconds)).flatten()
}

impl GameSession {
    /// The name of the player on a seat; empty if there is no such seat.
    pub(crate) fn player_name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    /// Carries the game on as far as its players have planned.
    pub(crate) fn run_plans(&mut self, now: DateTime<Utc>) {
        let standing: Vec<QueuedOrders> =
            self.seats.iter().map(|(seated, _)| seated.queued_orders.clone()).collect();
        let unasked: Vec<Seat> =
            self.automatic_moves().filter(|(_, at)| *at <= now).map(|(seat, _)| seat).collect();
        let carried = self.table.play_queued_orders(&standing, &unasked, now);
        self.table = carried.table;
        for ((seated, _), standing) in self.seats.iter_mut().zip(carried.queued) {
            seated.queued_orders = standing;
        }
    }

    /// Does what the game has for an absent player.
    ///
    /// # Errors
    /// The refusal when the game does not wait for the seat.
    pub(crate) fn force_move(&mut self, seat: Seat, now: DateTime<Utc>) -> Result<(), Refusal> {
        let standing =
            self.seats.get_mut(seat.index()).map(|(seated, _)| &mut seated.queued_orders);
        let secret = standing.as_deref().map(|standing| standing.secret_lines.as_slice());
        self.table = self.table.forfeit_turn(seat, secret.unwrap_or_default(), now)?;
        standing.into_iter().for_each(|standing| standing.secret_lines.clear());
        Ok(())
    }

    /// The same for one whose time is over.
    ///
    /// # Errors
    /// When the game refuses what it has itself for an absent player.
    pub(crate) fn force_overdue_move(&mut self, seat: Seat, now: DateTime<Utc>) -> ClubResult<()> {
        let failed = ClubError::GameFailed { game: self.number(), why: GAME_FAILED };
        self.force_move(seat, now).map_err(|_| failed)
    }

    /// When something is done next for a seat that has no choice and does not say so.
    pub(crate) fn next_automatic_move(&self) -> Option<DateTime<Utc>> {
        self.automatic_moves().map(|(_, at)| at).min()
    }

    /// When each seat is done by that has no choice and does not say so. A game without deadlines,
    /// or whose clock stands still, waits for the player.
    fn automatic_moves(&self) -> impl Iterator<Item = (Seat, DateTime<Utc>)> + '_ {
        let clock = self.clock.as_ref().filter(|clock| clock.paused.is_none());
        let waits = clock.into_iter().flat_map(|clock| &clock.waits);
        waits.filter(|wait| wait.unreachable_since.is_none()).filter_map(|wait| {
            let (seated, _) = self.seat(wait.seat)?;
            let time = (wait.since, wait.deadline);
            Some((wait.seat, self.table.auto_play_time(wait.seat, &seated.queued_orders, time)?))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_time_is_estimated_from_progress() {
        let days = TimeDelta::days;
        assert_eq!(estimate_remaining_time(days(30), 25), Some(days(90)));
        assert_eq!(estimate_remaining_time(days(30), 100), Some(days(0)));
        assert_eq!(estimate_remaining_time(days(30), 9), None, "it is too soon to say");
        assert_eq!(estimate_remaining_time(TimeDelta::MAX, 10), None);
    }
}
