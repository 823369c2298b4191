//! Seats that are lent: somebody plays for who is absent, until that member is back.

use crate::club::clock::Nmr;
use crate::club::{Actor, Aside, Member};
use crate::process::blame::Blame;
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::seat_offer;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::Seat;

/// Gives a seat back to the member for whom somebody stands in there, who is the first to stand
/// in again.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn give_back(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
    seat: Seat,
) -> Result<Words, Blame> {
    let stood_in = tx.session(game)?.seat(seat).filter(|(seated, _)| !seated.left);
    let stood_in = stood_in.map(|(seated, _)| seated.member);
    let reason = forming::term(tx.context, "reason-is-back");
    let by = Actor::Member(member.id);
    let words = seat_offer::give(tx, member, (game, seat), by, &reason)?;
    if seat_offer::is_reader_known(tx, member) {
        let waiting = &mut tx.room_mut(game)?.waiting;
        stood_in.into_iter().for_each(|member| waiting.insert(0, member));
    }
    Ok(words)
}

/// Whether a seat that somebody gives away here is only lent; what the moderator does is for
/// good.
pub(crate) fn lends(session: &GameSession, by: Actor) -> bool {
    let lends = session.clock.as_ref().is_some_and(|clock| clock.rules.nmr == Nmr::StandIn);
    lends && by != Actor::Moderator
}

/// Gives the player of this seat what was kept for him while somebody else sat there.
pub(crate) fn take_up(session: &mut GameSession, seat: Seat, kept: Aside) {
    if let Some((seated, _)) = session.seats.get_mut(seat.index()) {
        seated.take_up(kept);
    }
}

/// For whom whoever takes this seat over stands in; for nobody when it is his from now on.
pub(crate) fn stood_in_for(session: &GameSession, seat: Seat, by: Actor) -> Option<u32> {
    let (seated, _) = session.seat(seat).filter(|_| lends(session, by))?;
    // Who has left a seat that was his own does not come back to it.
    seated.stands_in_for.or((!seated.left).then_some(seated.member))
}

/// Notes for whom the player of this seat stands in.
pub(crate) fn lend(session: &mut GameSession, seat: Seat, absent: Option<u32>) {
    if let Some((seated, _)) = session.seats.get_mut(seat.index()) {
        seated.stands_in_for = absent;
    }
}

/// The seat where somebody stands in for this member.
pub(crate) fn lent_by(session: &GameSession, member: u32) -> Option<Seat> {
    let lent = session.seats.iter().position(|(seated, _)| seated.stands_in_for == Some(member));
    lent.map(Seat::from_index)
}
