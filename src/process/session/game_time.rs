//! The time of a game: its clock, queued orders, moves for absent players, its pace, and
//! undeliverable players.
//!
//! The clock stops for a player who cannot be told that it is their turn. Anyone can make their own
//! letters bounce, so the clock stops once a year at most. It runs again after the allowed
//! vacation, or when a second probe has bounced. The moderator then decides what to do.

use crate::club::clock::{
    GameClock, OwnTime, OwnTimeBySeat, describe_date, describe_duration, describe_moment,
};
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
    /// Returns the messages about the clock for a letter to this seat: deadlines, vacations,
    /// undeliverable players and open seats. Empty once the game is over.
    ///
    /// A waiting player should know that an open seat has no player who could act.
    pub(crate) fn clock_messages_for_seat(&self, seat: Seat) -> Vec<Message> {
        if self.table.turn() == Turn::Over {
            return Vec::new();
        }
        let mut words = match (&self.clock, self.seat(seat)) {
            (Some(clock), Some((_, member))) => clock.clock_sentences_for(seat, &member.time),
            _ => Vec::new(),
        };
        words.extend(self.vacation_messages_for(seat));
        words.extend(self.undeliverable_players_message(seat));
        let missed =
            self.clock.as_ref().map(GameClock::seats_open_to_substitute).unwrap_or_default();
        let mut left = self.open_seats();
        left.retain(|open| !missed.contains(open));
        if !left.is_empty() {
            words.push(Message::new("clock-seat-open").with("count", left.len()).with("who", left));
        }
        words
    }

    /// Returns which awaited players are on vacation, and until when, for a seat that is waiting
    /// for them. The reader could compute that time from the deadline anyway.
    fn vacation_messages_for(&self, reader: Seat) -> Vec<Message> {
        let Some((_, member)) = self.seat(reader) else { return Vec::new() };
        let clock = self.clock.as_ref().filter(|clock| clock.paused.is_none());
        let waits = clock.filter(|clock| clock.wait_of_seat(reader).is_none());
        let waits = waits.into_iter().flat_map(|clock| clock.waits.iter().map(move |w| (clock, w)));
        let away = waits.filter_map(|(clock, wait)| {
            let (_, other) = self
                .seat(wait.seat)
                .filter(|_| !wait.has_missed && wait.unreachable_since.is_none())?;
            let besides = TimeDelta::seconds(wait.extra_seconds);
            let until = clock.rules.delaying_vacation_end(wait.since, besides, &other.time)?;
            let word = Message::new("clock-others-away").with("who", wait.seat);
            Some(word.with("until", describe_moment(until, &member.time)))
        });
        away.collect()
    }

    /// Updates the clock for the records since the last update.
    ///
    /// A player's lateness is counted up to the time when their letter arrived, even if a pass read
    /// it much later. A time in the future counts as now. Everything else counts from `now`,
    /// because a player is asked only when the letter to them is written.
    pub(crate) fn advance_clock_by_new_records(
        &mut self,
        now: chrono::DateTime<Utc>,
        movers: &PendingUpdates,
    ) {
        let mut awaited = match self.table.turn() {
            Turn::Awaiting(seats) => seats,
            Turn::Over => Vec::new(),
        };
        // Bots have no deadlines.
        awaited.retain(|seat| self.bot_at(*seat).is_none());
        let since = ClockEvents::from_records(self.table.records_since(self.clock_seq));
        let has_moved = self.clock_seq < self.table.last_record_number();
        self.clock_seq = self.table.last_record_number();
        let (acted, absent) = (since.seats_that_gave_orders(), since.seats_that_missed_turn());
        // A seat that must still move has not ended its turn.
        let has_ended_turn = |seat: &&Seat| {
            !awaited.contains(seat) && !absent.contains(seat) && self.bot_at(**seat).is_none()
        };
        let ended: Vec<Seat> = acted.iter().filter(has_ended_turn).copied().collect();
        let ClockEvents { last_orders: last, undone_to: undone, rewound: taken_back, .. } = since;
        let Self { clock, seats, .. } = self;
        if let Some(clock) = clock {
            if let Some((seat, before)) =
                undone.and_then(|to| clock.restore_clock_before_orders(to))
                && let Some((seated, _)) = seats.get_mut(seat.index())
            {
                seated.punctuality = before;
            }
            let before = last.and_then(|(seq, seat)| {
                let (seated, member) = seats.get(seat.index())?;
                let place = (seq, seat);
                Some(clock.clock_before_orders(place, seated.punctuality, now, &member.time))
            });
            if has_moved {
                clock.before_orders = before.map(Box::new);
            }
            for seat in &acted {
                let letter = movers.acknowledgements.get(seat).and_then(|own| own.received_at);
                // Queued orders were given in time, even if sealed ones are opened later.
                let given = clock.wait_of_seat(*seat).filter(|_| !absent.contains(seat));
                let given = given.map_or(now, |wait| wait.deadline.min(now));
                let received = letter.map_or(given, |received| received.min(now));
                if let Some((seated, _)) = seats.get_mut(seat.index()).filter(|_| !taken_back) {
                    seated.punctuality.count_turn(clock, *seat, absent.contains(seat), received);
                }
                clock.charge_time_bank(*seat, received);
                if movers.acknowledgements.get(seat).is_some_and(|own| own.has_orders) {
                    clock.record_turn_played_in_person(*seat);
                }
            }
            for seat in ended.into_iter().filter(|_| !taken_back) {
                clock.credit_increment(seat);
            }
            let own = |seat: Seat| seats.get(seat.index()).map(|(_, member)| &member.time);
            clock.set_awaited_seats(&awaited, &acted, taken_back, now, own);
            stop_clock_for_undeliverable(clock, seats, now);
        }
    }

    /// Computes the deadline of this seat again, because its player's own time or reachability has
    /// changed.
    pub(crate) fn recompute_deadline(&mut self, seat: Seat, now: chrono::DateTime<Utc>) {
        let own = self.seat(seat).map(|(_, member)| member.time.clone()).unwrap_or_default();
        if let Some(clock) = &mut self.clock {
            clock.recompute_deadline(seat, &own, now);
            stop_clock_for_undeliverable(clock, &self.seats, now);
        }
    }
}

/// The events since the last update of a clock that affect the seats' time.
#[derive(Default)]
struct ClockEvents {
    /// The orders that were not taken back: record number, seat, and whether they were played for
    /// an absent player.
    orders: Vec<(u32, Seat, bool)>,
    /// The last record, if it holds orders that the player gave.
    last_orders: Option<(u32, Seat)>,
    /// The record to which orders were taken back that an earlier update of the clock had counted.
    undone_to: Option<u32>,
    /// Whether the game was rewound by the moderator or by a vote.
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
                // The orders that it takes back may also be among these records.
                Cause::Undone { to, .. } => match since.orders.last() {
                    Some((seq, ..)) if *seq > to => drop(since.orders.pop()),
                    _ => since.undone_to = Some(to),
                },
                Cause::Rewound { .. } => since.rewound = true,
                Cause::Founded | Cause::Bot { .. } | Cause::Ended { .. } => {}
            }
        }
        since
    }

    fn seats_that_gave_orders(&self) -> Vec<Seat> {
        let mut acted: Vec<Seat> = self.orders.iter().map(|(_, seat, _)| *seat).collect();
        acted.sort_unstable();
        acted.dedup();
        acted
    }

    fn seats_that_missed_turn(&self) -> Vec<Seat> {
        self.orders.iter().filter(|(.., absent)| *absent).map(|(_, seat, _)| *seat).collect()
    }
}

pub(crate) fn load_player_times(tx: &Transaction<'_>, game: u32) -> ClubResult<Vec<OwnTime>> {
    let mut times = Vec::new();
    for seated in tx.seat_assignments(game)? {
        let member = tx.member(seated.member)?;
        times.push(member.map(|member| member.time).unwrap_or_default());
    }
    Ok(times)
}

/// If this many members' mail servers refuse letters by policy within a day, the fault is the
/// club's letters.
const POLICY_REFUSALS_MIN: usize = 3;

impl GameSession {
    /// Returns a message for this seat about awaited players who are undeliverable while their
    /// clock runs. The clock's own messages name the players whose clock is stopped.
    pub(crate) fn undeliverable_players_message(&self, reader: Seat) -> Option<Message> {
        let Turn::Awaiting(awaited) = self.table.turn() else { return None };
        let stands = |seat: Seat| {
            let wait = self.clock.as_ref().and_then(|clock| clock.wait_of_seat(seat));
            wait.is_some_and(|wait| wait.unreachable_since.is_some())
        };
        let undeliverable = awaited.into_iter().filter(|seat| {
            let place = self.seat(*seat).filter(|(seated, _)| !seated.has_left);
            *seat != reader
                && !stands(*seat)
                && place.is_some_and(|(_, member)| member.undeliverable_since().is_some())
        });
        let lost: Vec<Seat> = undeliverable.collect();
        (!lost.is_empty()).then(|| Message::new("seat-lost").with("who", lost))
    }
}

/// Records that a mail server refused a letter to a member by policy. Returns a note to the
/// moderator, at most once a day, if [`POLICY_REFUSALS_MIN`] members are affected: the fault is
/// then the club's letters.
pub(crate) fn record_and_report_policy_refusal(
    tx: &mut Transaction<'_>,
    member: u32,
    failed: &FailedRecipient,
) -> ClubResult<Option<Message>> {
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let his = format!("refused by rule {member}");
    if failed.cause != mail::FailureCause::Policy || tx.count_events_since(&his, since)? > 0 {
        return Ok(None);
    }
    tx.increment_count(his);
    tx.increment_count("refused by rule".to_owned());
    let members = tx.count_events_since("refused by rule", since)?;
    if members < POLICY_REFUSALS_MIN || tx.count_events_since("refused by rule, told", since)? > 0 {
        return Ok(None);
    }
    tx.increment_count("refused by rule, told".to_owned());
    let word = Message::new("report-refused-by-rule").with("count", members);
    let word = word.with("address", failed.address.as_str());
    Ok(Some(word.with("status", failed.status_or_none())))
}

/// Returns the note to the moderator about a member who has become undeliverable.
pub(crate) fn undeliverable_member_report(
    tx: &mut Transaction<'_>,
    member: &Member,
    failed: &FailedRecipient,
) -> ClubResult<Message> {
    let (mut games, mut waiting) = (Vec::new(), Vec::new());
    for (game, seat) in tx.seats_not_left(member.id)? {
        // A broken game is reported elsewhere.
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
    let time = tx.context.settings.moderators.first.own_time();
    let before = before.map_or(Arg::from(""), |last| describe_date(last, &time).into());
    Ok(Message::new(key)
        .with("name", member.name.as_str())
        .with("address", failed.address.as_str())
        .with("status", failed.status_or_none())
        .with("games", Arg::List(games))
        .with("before", before)
        .with("waiting", Arg::List(waiting)))
}

/// Returns a note to the moderator about awaited players who get no reminder because they are
/// undeliverable.
pub(crate) fn awaited_undeliverable_report(session: &GameSession) -> Option<Message> {
    let Turn::Awaiting(seats) = session.table.turn() else { return None };
    let lost = seats.iter().filter_map(|seat| session.seat(*seat));
    let lost = lost.filter(|(_, member)| member.undeliverable_since().is_some());
    let names: Vec<Arg> = lost.map(|(_, member)| Arg::from(member.name.as_str())).collect();
    (!names.is_empty()).then(|| {
        Message::new("report-waits-for-lost")
            .with("number", session.game_number())
            .with("names", Arg::List(names))
    })
}

/// Sets the last seen records of a member's seats back to those before a lost letter. The member
/// then gets the missed news once they can be reached.
pub(crate) fn restore_last_seen_records(
    tx: &mut Transaction<'_>,
    member: u32,
    told: &[(u32, Seat, u32)],
) -> ClubResult<()> {
    for (game, seat, before) in told {
        let seats = tx.seat_assignments(*game)?;
        let is_his = seats.get(seat.index()).is_some_and(|seated| seated.member == member);
        // A broken game is reported elsewhere.
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

/// Stops the clock for undeliverable players from the date of the evidence, for as long as allowed,
/// and starts it again afterwards. The clock never stops for a seat that its player has left.
pub(crate) fn stop_clock_for_undeliverable(
    clock: &mut GameClock,
    seats: &[(SeatAssignment, Member)],
    now: DateTime<Utc>,
) {
    let vacation_days = clock.rules.vacation_days_per_year;
    for (index, (seated, member)) in seats.iter().enumerate() {
        let stands = !seated.has_left && member.reachability.is_clock_stopped(vacation_days, now);
        let seat = Seat::from_index(index);
        let was_stopped =
            clock.wait_of_seat(seat).is_some_and(|wait| wait.unreachable_since.is_some());
        let at =
            member.undeliverable_since().filter(|_| stands).map_or(now, |since| since.min(now));
        clock.stop_or_restart_seat_clock(seat, !stands, at, &member.time);
        if was_stopped && !stands {
            // The missed news is sent now and states the deadline, so it counts as the reminder.
            clock.record_reminder(seat, now);
        }
    }
}

/// Returns when a game is due next: at the next event of its clock, or when the clock of an
/// undeliverable player runs again.
pub(crate) fn next_clock_due_time(
    clock: &GameClock,
    seats: &[(SeatAssignment, Member)],
) -> Option<DateTime<Utc>> {
    let standing = clock.waits.iter().filter(|wait| wait.unreachable_since.is_some());
    let until = standing.filter_map(|wait| {
        let (_, member) = seats.get(wait.seat.index())?;
        member.reachability.clock_resumes_at(clock.rules.vacation_days_per_year)
    });
    clock.next_event(own_time_by_seat(seats)).map(|(at, ..)| at).into_iter().chain(until).min()
}

/// Returns the function from a seat to the own time of its player.
pub(crate) fn own_time_by_seat(seats: &[(SeatAssignment, Member)]) -> impl OwnTimeBySeat<'_> {
    |seat| seats.get(seat.index()).map(|(_, member)| &member.time)
}

/// Returns a note to the moderator about players whose clock runs again although they are still
/// undeliverable.
pub(crate) fn report_clock_resumed_while_undeliverable(
    session: &GameSession,
    before: &GameClock,
    now: &GameClock,
) -> Option<Message> {
    let stands = |clock: &GameClock, seat| {
        clock.wait_of_seat(seat).is_some_and(|wait| wait.unreachable_since.is_some())
    };
    let run = now.waits.iter().filter(|w| stands(before, w.seat) && !stands(now, w.seat));
    let names = run.filter_map(|wait| session.names.get(wait.seat.index()));
    let names: Vec<Arg> = names.map(|name| Arg::from(name.as_str())).collect();
    (!names.is_empty()).then(|| {
        let note = Message::new("report-lost-runs").with("number", session.game_number());
        note.with("names", Arg::List(names))
    })
}

/// The progress, in percent, from which the end of a game is estimated.
const PROGRESS_FOR_ESTIMATE_MIN: u8 = 10;

impl GameSession {
    /// Returns the game's average time per turn, and the estimated date of its end in the reader's
    /// time zone. Returns `None` before the first turn is played.
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

/// Estimates the remaining time of a game from its duration so far and its progress in percent.
/// Returns `None` below [`PROGRESS_FOR_ESTIMATE_MIN`].
fn estimate_remaining_time(taken: TimeDelta, progress: u8) -> Option<TimeDelta> {
    let behind = i64::from(progress);
    let seconds = taken.num_seconds().checked_mul(100_i64.checked_sub(behind)?)? / behind.max(1);
    (progress >= PROGRESS_FOR_ESTIMATE_MIN).then(|| TimeDelta::try_seconds(seconds)).flatten()
}

impl GameSession {
    /// Returns the name of the player on a seat; empty if there is no such seat.
    pub(crate) fn player_name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    /// Plays the queued orders and the automatic moves whose time has come.
    pub(crate) fn play_due_plans_and_moves(&mut self, now: DateTime<Utc>) {
        let standing: Vec<QueuedOrders> =
            self.seats.iter().map(|(seated, _)| seated.queued_orders.clone()).collect();
        let unasked: Vec<Seat> = self
            .automatic_move_times()
            .filter(|(_, at)| *at <= now)
            .map(|(seat, _)| seat)
            .collect();
        let carried = self.table.play_queued_orders(&standing, &unasked, now);
        self.table = carried.table;
        for ((seated, _), standing) in self.seats.iter_mut().zip(carried.queued) {
            seated.queued_orders = standing;
        }
    }

    /// Plays the orders that the game has for an absent player, after the seat's secret orders.
    ///
    /// # Errors
    /// The refusal if the game does not await the seat.
    pub(crate) fn play_for_absent_player(
        &mut self,
        seat: Seat,
        now: DateTime<Utc>,
    ) -> Result<(), Refusal> {
        let standing =
            self.seats.get_mut(seat.index()).map(|(seated, _)| &mut seated.queued_orders);
        let secret = standing.as_deref().map(|standing| standing.secret_lines.as_slice());
        self.table = self.table.play_turn_for_absent(seat, secret.unwrap_or_default(), now)?;
        standing.into_iter().for_each(|standing| standing.secret_lines.clear());
        Ok(())
    }

    /// Like [`GameSession::play_for_absent_player`], for a seat whose deadline has expired.
    ///
    /// # Errors
    /// When the game refuses its own orders for an absent player.
    pub(crate) fn play_for_overdue_player(
        &mut self,
        seat: Seat,
        now: DateTime<Utc>,
    ) -> ClubResult<()> {
        let failed = ClubError::GameFailed { game: self.game_number(), why: GAME_FAILED };
        self.play_for_absent_player(seat, now).map_err(|_| failed)
    }

    /// Returns the time of the next automatic move for a seat that has only one legal order.
    pub(crate) fn next_automatic_move_time(&self) -> Option<DateTime<Utc>> {
        self.automatic_move_times().map(|(_, at)| at).min()
    }

    /// Returns the seats that have only one legal order, each with the time when it is played for
    /// them. The time is spread over the whole deadline, so other players cannot tell such a seat
    /// from a thinking player. There are no automatic moves without a clock or while it is stopped.
    fn automatic_move_times(&self) -> impl Iterator<Item = (Seat, DateTime<Utc>)> + '_ {
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
