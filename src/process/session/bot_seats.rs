//! Seats of absent players that a bot plays.

use crate::club::clock::GameClock;
use crate::mail::TokenPosition;
use crate::process::context::ClubResult;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{PendingUpdates, Transaction};
use crate::rules::Seat;
use chrono::{DateTime, Utc};

impl GameSession {
    /// Lets a bot play a seat whose player has missed the deadline, until the player writes to the
    /// game. Counts the turn as late.
    pub(crate) fn let_bot_stand_in(&mut self, seat: Seat, clock: &GameClock, now: DateTime<Utc>) {
        if let Some((seated, _)) = self.seats.get_mut(seat.index()) {
            seated.punctuality.count_turn(clock, seat, true, now);
            seated.bot_stands_in = true;
        }
    }
}

/// Gives a seat back to its player, who has written to the game while a bot played for them. If it
/// is their turn, their time begins now.
pub(crate) fn take_seat_back_from_bot(
    tx: &mut Transaction<'_>,
    TokenPosition { game, seat, .. }: TokenPosition,
) -> ClubResult<()> {
    // A broken game is reported elsewhere.
    if tx.open_game(game).is_err() {
        return Ok(());
    }
    let now = tx.context.now;
    if let Some(session) = tx.opened_game_mut(game) {
        if let Some((seated, _)) = session.seats.get_mut(Seat::new(seat).index()) {
            seated.bot_stands_in = false;
        }
        session.advance_clock_by_new_records(now, &PendingUpdates::default());
    }
    tx.pending_updates_mut(game);
    Ok(())
}
