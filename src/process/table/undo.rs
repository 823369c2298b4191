//! A player takes the last orders of the seat back, by a letter: whether the game's terms allow it
//! and what follows from it around the game.
//!
//! Which orders can be taken back the table knows.

use crate::club::UndoTerm;
use crate::process::blame::Blame;
use crate::process::context::{ClubError, ClubResult};
use crate::process::table::vote;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;
use crate::table::{LetterRef, TakenBack};

/// The last orders of a seat, taken back in a copy of its game.
///
/// # Errors
/// When the club cannot be read; why it cannot be done, and what there is instead.
pub(crate) fn take_back(
    tx: &Transaction<'_>,
    (game, seat): (u32, Seat),
    letter: &LetterRef,
) -> Result<TakenBack, Blame<Refusal>> {
    let room = tx.room(game)?;
    let session = tx.game(game).ok_or(ClubError::NoGame(game))?;
    judge(tx, session, seat, room.undo_term(), letter).map_err(|mut refusal| {
        let is_any = session.table.before_last_turn().is_some();
        if session.table.turn() != Turn::Over && is_any {
            let instead = vote::instead_of_undo(&room.vote_rules());
            refusal.instead.push(instead);
        }
        Blame::Theirs(refusal)
    })
}

/// Whether a seat's last orders could be taken back now by a letter.
pub(crate) fn may(tx: &Transaction<'_>, session: &GameSession, seat: Seat, term: UndoTerm) -> bool {
    let letter = LetterRef::of(String::new());
    judge(tx, session, seat, term, &letter).is_ok()
}

fn judge(
    tx: &Transaction<'_>,
    session: &GameSession,
    seat: Seat,
    term: UndoTerm,
    letter: &LetterRef,
) -> Result<TakenBack, Refusal> {
    let no = |key| Refusal::illegal(Message::new(key));
    let within = term.time().ok_or_else(|| no("undo-off"))?;
    let now = tx.context.now;
    let taken = session.table.undo(seat, Some(letter), now)?;
    // What counts is when the letter reached us, however late it is read.
    let came = tx.received.map_or(now, |received| received.min(now));
    if came - taken.record.at > within {
        return Err(Refusal::illegal(term.late()));
    }
    let Some((seated, _)) = session.seat(seat) else { return Err(no("undo-nothing")) };
    if seated.since.is_some_and(|since| taken.record.at < since) {
        return Err(no("undo-of-predecessor"));
    }
    let clock = session.clock.as_ref();
    if clock.is_some_and(|clock| clock.would_be_over(taken.to, now)) {
        return Err(no("undo-time-over"));
    }
    if seated.standing.auto_forced && taken.table.game().forced(seat).is_some() {
        return Err(no("undo-forced"));
    }
    Ok(taken)
}

/// What follows around a game from orders that were taken back to the record `to`: votes on a
/// rewind are about nothing any more, and so are the plans of who had seen the position.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn follow(tx: &mut Transaction<'_>, game: u32, seat: Seat, to: u32) -> ClubResult<()> {
    vote::void_rewinds(tx, game)?;
    let Some(session) = tx.game_mut(game) else { return Ok(()) };
    let others = session.all_seats().filter(|other| *other != seat);
    for other in others.collect::<Vec<_>>() {
        if let Some((seated, _)) = session.seats.get_mut(other.index()) {
            let why = Message::new("undo-plans-of-others").with("who", seat);
            seated.standing.forget_after(to, why);
        }
    }
    Ok(())
}
