//! How a game's time is kept in a transaction: what its clock is set to, and what its players are
//! told of it.
//!
//! When time is over another room knows.

use crate::club::clock::{GameClock, OwnTime, moment_words};
use crate::process::context::ClubResult;
use crate::process::session::lost::reach;
use crate::process::transaction::Movers;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::{Cause, Record};
use chrono::{TimeDelta, Utc};
use std::sync::Arc;

impl GameSession {
    /// What a letter to this seat says of the clock, and of seats that nobody sits at any more: who
    /// waits for one of them should know that nobody there will write.
    pub(crate) fn clock_words(&self, seat: Seat) -> Vec<Message> {
        if self.table.turn() == Turn::Over {
            return Vec::new();
        }
        let mut words = match (&self.clock, self.seat(seat)) {
            (Some(clock), Some((_, member))) => clock.words(seat, &member.time),
            _ => Vec::new(),
        };
        words.extend(self.away_words(seat));
        words.extend(self.lost_words(seat));
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
    fn away_words(&self, reader: Seat) -> Vec<Message> {
        let Some((_, member)) = self.seat(reader) else { return Vec::new() };
        let clock = self.clock.as_ref().filter(|clock| clock.paused.is_none());
        let waits = clock.filter(|clock| clock.wait(reader).is_none());
        let waits = waits.into_iter().flat_map(|clock| clock.waits.iter().map(move |w| (clock, w)));
        let away = waits.filter_map(|(clock, wait)| {
            let (_, other) =
                self.seat(wait.seat).filter(|_| !wait.missed && wait.lost.is_none())?;
            let besides = TimeDelta::seconds(wait.extra);
            let until = clock.rules.away_until(wait.since, besides, &other.time)?;
            let word = Message::new("clock-others-away").with("who", wait.seat);
            Some(word.with("until", moment_words(until, &member.time)))
        });
        away.collect()
    }

    /// Sets the clock to what has happened since it was last set.
    ///
    /// What a player is late by is counted to when his letter came to us, however late it was read;
    /// a time that lies ahead of us is none. All else is counted from now: nobody is asked before
    /// his letter is written, and a log's times go forward only.
    pub(crate) fn keep_time(&mut self, now: chrono::DateTime<Utc>, movers: &Movers) {
        let awaited = match self.table.turn() {
            Turn::Awaiting(seats) => seats,
            Turn::Over => Vec::new(),
        };
        let since = Since::of(self.table.records_since(self.timed));
        let has_moved = self.timed < self.table.head();
        self.timed = self.table.head();
        let (acted, absent) = (since.acted(), since.absent());
        let Since { last, undone, taken_back, .. } = since;
        let Self { clock, seats, .. } = self;
        if let Some(clock) = clock {
            if let Some((seat, before)) = undone.and_then(|to| clock.take_back(to))
                && let Some((seated, _)) = seats.get_mut(seat.index())
            {
                seated.punctuality = before;
            }
            let before = last.and_then(|(seq, seat)| {
                let (seated, member) = seats.get(seat.index())?;
                let place = (seq, seat);
                Some(clock.before_orders(place, seated.punctuality, now, &member.time))
            });
            if has_moved {
                clock.before = before.map(Box::new);
            }
            for seat in &acted {
                let letter = movers.acknowledged.get(seat).and_then(|own| own.received);
                let received = letter.map_or(now, |received| received.min(now));
                let seated = seats.get_mut(seat.index()).filter(|_| !taken_back);
                if let Some((seated, _)) = seated {
                    seated.punctuality.count(clock, *seat, absent.contains(seat), received);
                }
                clock.charge(*seat, received);
                if movers.acknowledged.get(seat).is_some_and(|own| own.carried_out) {
                    clock.played(*seat);
                }
            }
            let own = |seat: Seat| seats.get(seat.index()).map(|(_, member)| &member.time);
            clock.turned(&awaited, &acted, taken_back, now, own);
            reach(clock, seats, now);
        }
    }

    /// Reckons the deadline of this seat again, whose player's own time has changed, or who can or
    /// cannot be reached any more.
    pub(crate) fn reckon_again(&mut self, seat: Seat, now: chrono::DateTime<Utc>) {
        let own = self.seat(seat).map(|(_, member)| member.time.clone()).unwrap_or_default();
        if let Some(clock) = &mut self.clock {
            clock.reckon_again(seat, &own, now);
            reach(clock, &self.seats, now);
        }
    }
}

/// What the records since a clock was last set say of the seats' time.
#[derive(Default)]
struct Since {
    /// The orders that stand, with their records; whether they are an absent player's.
    orders: Vec<(u32, Seat, bool)>,
    /// The last record, if it is of orders that their player gave.
    last: Option<(u32, Seat)>,
    /// The record after which orders were taken back that the clock was set to.
    undone: Option<u32>,
    /// Whether the game was taken back from outside of its rules.
    taken_back: bool,
}

impl Since {
    fn of(records: &[Arc<Record>]) -> Self {
        let mut since = Self::default();
        for record in records {
            since.last = None;
            match record.cause {
                Cause::Orders { seat, .. } => {
                    since.orders.push((record.seq, seat, false));
                    since.last = Some((record.seq, seat));
                }
                Cause::Absent { seat, .. } => since.orders.push((record.seq, seat, true)),
                // It takes back the last orders, which may be as new as it is.
                Cause::Undone { to, .. } => match since.orders.last() {
                    Some((seq, ..)) if *seq > to => drop(since.orders.pop()),
                    _ => since.undone = Some(to),
                },
                Cause::Rewound { .. } => since.taken_back = true,
                Cause::Founded | Cause::Ended { .. } => {}
            }
        }
        since
    }

    /// The seats that have acted.
    fn acted(&self) -> Vec<Seat> {
        let mut acted: Vec<Seat> = self.orders.iter().map(|(_, seat, _)| *seat).collect();
        acted.sort_unstable();
        acted.dedup();
        acted
    }

    /// The seats for which something was done.
    fn absent(&self) -> Vec<Seat> {
        self.orders.iter().filter(|(.., absent)| *absent).map(|(_, seat, _)| *seat).collect()
    }
}

/// The own times of those who sit at a game, by seat.
pub(crate) fn own_times(tx: &Transaction<'_>, game: u32) -> ClubResult<Vec<OwnTime>> {
    let mut times = Vec::new();
    for seated in tx.seats(game)? {
        let member = tx.member(seated.member)?;
        times.push(member.map(|member| member.time).unwrap_or_default());
    }
    Ok(times)
}
