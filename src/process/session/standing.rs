//! What a game's seats have ordered before their time, in a transaction: plans, what only their
//! player may know, and what is done for a seat that has no choice.
//!
//! Which of it is legal the table knows; when a seat's time ends, its clock.

use crate::process::context::{ClubError, ClubResult};
use crate::process::isolate::FAILED;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Refusal, Seat};
use crate::table::StandingOrders;
use chrono::{DateTime, Utc};

impl GameSession {
    /// The name of the player on a seat; empty if there is no such seat.
    pub(crate) fn name(&self, seat: Seat) -> String {
        self.names.get(seat.index()).cloned().unwrap_or_default()
    }

    /// Carries the game on as far as its players have planned.
    pub(crate) fn carry_on(&mut self, now: DateTime<Utc>) {
        let standing: Vec<StandingOrders> =
            self.seats.iter().map(|(seated, _)| seated.standing.clone()).collect();
        let unasked: Vec<Seat> =
            self.moments().filter(|(_, at)| *at <= now).map(|(seat, _)| seat).collect();
        let carried = self.table.carry_on(&standing, &unasked, now);
        self.table = carried.table;
        for ((seated, _), standing) in self.seats.iter_mut().zip(carried.standing) {
            seated.standing = standing;
        }
    }

    /// Does what the game has for an absent player.
    ///
    /// # Errors
    /// The refusal when the game does not wait for the seat.
    pub(crate) fn force(&mut self, seat: Seat, now: DateTime<Utc>) -> Result<(), Refusal> {
        let standing = self.seats.get_mut(seat.index()).map(|(seated, _)| &mut seated.standing);
        let secret = standing.as_deref().map(|standing| standing.secret.as_slice());
        self.table = self.table.forfeit(seat, secret.unwrap_or_default(), now)?;
        standing.into_iter().for_each(|standing| standing.secret.clear());
        Ok(())
    }

    /// The same for one whose time is over.
    ///
    /// # Errors
    /// When the game refuses what it has itself for an absent player.
    pub(crate) fn forfeit(&mut self, seat: Seat, now: DateTime<Utc>) -> ClubResult<()> {
        let failed = ClubError::GameFailed { game: self.number(), why: FAILED };
        self.force(seat, now).map_err(|_| failed)
    }

    /// When something is done next for a seat that has no choice and does not say so.
    pub(crate) fn next_moment(&self) -> Option<DateTime<Utc>> {
        self.moments().map(|(_, at)| at).min()
    }

    /// When each seat is done by that has no choice and does not say so. A game without deadlines,
    /// or whose clock stands still, waits for the player.
    fn moments(&self) -> impl Iterator<Item = (Seat, DateTime<Utc>)> + '_ {
        let clock = self.clock.as_ref().filter(|clock| clock.paused.is_none());
        let waits = clock.into_iter().flat_map(|clock| &clock.waits);
        waits.filter(|wait| wait.lost.is_none()).filter_map(|wait| {
            let (seated, _) = self.seat(wait.seat)?;
            let time = (wait.since, wait.deadline);
            Some((wait.seat, self.table.moment(wait.seat, &seated.standing, time)?))
        })
    }
}
