//! How a game's time is kept in a transaction: what its clock is set to, and what its players are
//! told of it.
//!
//! When time is over another room knows.

use crate::club::clock::{GameClock, OwnTime};
use crate::process::context::ClubError;
use crate::process::session::lost::reach;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::mover::Movers;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use crate::table::Cause;
use chrono::Utc;

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
        words.extend(self.lost_words(seat));
        let missed = self.clock.as_ref().map(GameClock::open_seats).unwrap_or_default();
        let mut left = self.open_seats();
        left.retain(|open| !missed.contains(open));
        if !left.is_empty() {
            words.push(Message::new("clock-seat-open").with("count", left.len()).with("who", left));
        }
        words
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
        let mut acted = Vec::new();
        let mut absent = Vec::new();
        let mut taken_back = false;
        for record in self.table.records_since(self.timed) {
            match record.cause {
                Cause::Orders { seat, .. } => acted.push(seat),
                Cause::Absent { seat, .. } => {
                    acted.push(seat);
                    absent.push(seat);
                }
                Cause::Rewound { .. } => taken_back = true,
                Cause::Founded | Cause::Ended { .. } => {}
            }
        }
        acted.sort_unstable();
        acted.dedup();
        self.timed = self.table.head();
        let Self { clock, seats, .. } = self;
        if let Some(clock) = clock {
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

/// The own times of those who sit at a game, by seat.
pub(crate) fn own_times(tx: &Transaction<'_>, game: u32) -> Result<Vec<OwnTime>, ClubError> {
    let mut times = Vec::new();
    for seated in tx.seats(game)? {
        let member = tx.member(seated.member)?;
        times.push(member.map(|member| member.time).unwrap_or_default());
    }
    Ok(times)
}
