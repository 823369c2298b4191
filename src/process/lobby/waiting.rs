//! Seats that wait for somebody, and members who wait for a seat.

use crate::club::{Actor, Member};
use crate::mail::rate_limit::DAY;
use crate::process::blame::{Blame, answered, refuse_if};
use crate::process::context::ClubResult;
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::seat_offer;
use crate::process::lobby::stand_in;
use crate::process::lobby::substitute::{self, departures};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat};
use crate::store::Repository;

/// Who has left a game so often within a day comes back tomorrow: everyone hears of each time.
const DEPARTURES_A_DAY: usize = 2;

/// How many wait for a seat of one game at most.
const WAITING_MAX: usize = 20;

/// Gives a seat that is open, as its player has missed too many turns, to the first who waits
/// for one; to nobody when nobody does.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn fill(tx: &mut Transaction<'_>, game: u32, seat: Seat) -> ClubResult<()> {
    let session = tx.session(game)?;
    let absent = session.seat(seat).map_or(0, |(seated, _)| seated.member);
    let lent = stand_in::stood_in_for(session, seat, Actor::House).is_some();
    if let Some(next) = next_waiting(tx, (game, seat), absent)? {
        let reason =
            forming::term(tx.context, if lent { "reason-absent" } else { "reason-missed-turns" });
        // Who waits can take it: nothing refuses him.
        let _refused = answered(substitute::replace(tx, game, seat, &next, Actor::House, &reason))?;
    }
    Ok(())
}

/// Gives a member an open seat of a game that is being played.
pub(crate) fn take_open_seat(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Words, Blame> {
    forming::open_on(tx, game)?;
    let session = tx.game(game);
    if let Some(seat) = session.and_then(|session| stand_in::lent_by(session, member.id)) {
        return stand_in::give_back(tx, member, game, seat);
    }
    let of_game = |key| Message::new(key).with("number", game);
    let sits = session.is_some_and(|session| session.seats_member(member.id));
    refuse_if(sits, || of_game("lobby-in-already"))?;
    let open = session.map(GameSession::open_seats).unwrap_or_default();
    // Who comes back must not see two hands: but for his own, no seat is free to him.
    let around = tx.room(game)?;
    let free = |seat: &&Seat| around.may_take(**seat, member.id).is_ok();
    let seat = open.iter().find(free).or(open.first());
    let seat = *seat.ok_or_else(|| of_game("lobby-running"))?;
    let since = tx.context.now.timestamp() - DAY;
    let left = tx.count_since(&departures(game, member.id), since)?;
    refuse_if(left >= DEPARTURES_A_DAY, || of_game("seat-left-often"))?;
    let reason = forming::term(tx.context, "reason-took-open-seat");
    let by = Actor::Member(member.id);
    seat_offer::give(tx, member, (game, seat), by, &reason)
}

/// Puts a member on the waiting list of a game.
pub(crate) fn wait(tx: &mut Transaction<'_>, member: &Member, game: u32) -> Result<Words, Blame> {
    let room = forming::known_game(tx, member, game)?;
    let sits = tx.game(game).is_some_and(|session| session.seats_member(member.id));
    let is_open = tx.game(game).is_some_and(|session| !session.open_seats().is_empty());
    let refused = match &room.proposal {
        Some(proposal) if proposal.holds(member.id) => Some("lobby-in-already"),
        Some(proposal) if proposal.free() > 0 => Some("lobby-seat-free"),
        None if sits => Some("lobby-in-already"),
        None if is_open => Some("lobby-seat-free"),
        _ if room.waiting.len() >= WAITING_MAX => Some("lobby-waits-many"),
        _ => None,
    };
    if let Some(key) = refused {
        return Err(Blame::Theirs(Message::new(key).with("number", game)));
    }
    let waiting = &mut tx.room_mut(game)?.waiting;
    waiting.retain(|other| *other != member.id);
    waiting.push(member.id);
    let place = waiting.len();
    Ok(vec![Message::new("lobby-waits").with("number", game).with("place", place)])
}

/// The first member on a game's waiting list who can take a seat over; who cannot any more is
/// taken off the list.
pub(crate) fn next_waiting(
    tx: &mut Transaction<'_>,
    (game, seat): (u32, Seat),
    leaver: u32,
) -> ClubResult<Option<Member>> {
    let sitting: Vec<u32> = tx
        .session(game)?
        .seats
        .iter()
        .filter(|(seated, _)| !seated.left)
        .map(|(seated, _)| seated.member)
        .collect();
    let waiting = tx.room_mut(game)?.waiting.clone();
    for id in waiting {
        let member = tx.member(id)?;
        let may_take = tx.room(game)?.may_take(seat, id).is_ok();
        // Nobody is asked by letter in the place of the others who wait.
        if !may_take || !member.as_ref().is_none_or(|own| seat_offer::is_reader_known(tx, own)) {
            continue;
        }
        let able = member.filter(|member| {
            !member.has_left()
                && member.undeliverable().is_none()
                && !sitting.contains(&id)
                && id != leaver
        });
        if able.is_some() {
            return Ok(able);
        }
        tx.room_mut(game)?.waiting.retain(|other| *other != id);
    }
    Ok(None)
}
