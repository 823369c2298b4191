//! Seats of games in play for members who have never answered the club.
//!
//! A mistyped address must not get a hand. So such a member gets a question first: the seat changes
//! hands, and the member's time begins, when the answer comes.

use crate::club::{Actor, Member, SeatOffer};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{LetterHash, ReplyAction};
use crate::process::blame::{Blame, refuse_if};
use crate::process::context::ClubResult;
use crate::process::lobby::forming::Words;
use crate::process::lobby::invitations::MODERATOR;
use crate::process::lobby::substitute;
use crate::process::outbound::answers::{self, asking, consenting, day};
use crate::process::outbound::pending;
use crate::process::table::vote;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;

/// Returns `true` if somebody is known to read what goes to a member's first address.
pub(crate) fn is_reader_known(tx: &Transaction<'_>, member: &Member) -> bool {
    let moderator = &tx.context.settings.moderator.address;
    let is_moderator = |address: &String| address.eq_ignore_ascii_case(moderator);
    member.has_answered || member.addresses.first().is_some_and(is_moderator)
}

/// Asks a member by letter to take over a seat.
///
/// # Errors
/// When the club cannot be read; the refusal if no letter can go there.
pub(crate) fn offer(
    tx: &mut Transaction<'_>,
    (game, seat): (u32, Seat),
    member: &Member,
    by: Actor,
    reason: &str,
) -> Result<(), Blame<Refusal>> {
    let address = member.addresses.first().cloned().unwrap_or_default();
    let to_address = |key| Message::new(key).with("address", address.as_str());
    let [account, part] = Account::invitation(MODERATOR, &address);
    let is_spent = answers::rate_limit(tx, &part)? != RateLimit::Answer;
    refuse_if(is_spent, || Refusal::illegal(to_address("invite-spent")))?;
    let founding = tx.session(game)?.table.founding().clone();
    let (context, now) = (tx.context, tx.context.now);
    let words = vec![
        Message::new("seat-offered")
            .with("name", context.settings.moderator.name.as_str())
            .with("club", context.settings.name.as_str())
            .with("number", game)
            .with("game", context.library.language(&member.language).game(&founding.game))
            .with("seats", founding.seats),
        asking("seat-offered-how"),
    ];
    let action = ReplyAction::Invited { member: member.id, game, day: day(now) };
    let digest = LetterHash::of(format!("{now} {game} {seat:?} {address}").as_bytes());
    let asked = pending::notice(context, member, &consenting(words), Some(action), &digest, None);
    let asked = asked.map_err(|_| Refusal::illegal(to_address("invite-no-address")))?;
    tx.count(part.key());
    tx.post(asked, &account);
    let until = now + SeatOffer::LASTS;
    let offer = SeatOffer { seat, member: member.id, by, reason: reason.to_owned(), until };
    let offers = &mut tx.room_mut(game)?.offers;
    offers.retain(|other| other.seat != seat);
    offers.push(offer);
    Ok(vote::note_lapses(tx, game)?)
}

/// Returns the sentence for the moderator that a member is asked first.
pub(crate) fn asked_words(member: &Member, game: u32) -> Message {
    Message::new("seat-offer-asked").with("name", member.name.as_str()).with("number", game)
}

/// Gives a member the seat of a game that is offered to them; none if there is no offer.
///
/// # Errors
/// When the club cannot be read; why the seat cannot be given any more.
pub(crate) fn accept(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Option<Words>, Blame> {
    let offers = tx.room(game)?.offers;
    let own = offers.into_iter().find(|offer| offer.member == member.id);
    let Some(SeatOffer { seat, by, reason, .. }) = own.filter(|_| is_reader_known(tx, member))
    else {
        return Ok(None);
    };
    give(tx, member, (game, seat), by, &reason).map(Some)
}

/// Gives a seat to a member. Returns what the member is told: that the seat is theirs, or that they
/// are asked first.
///
/// # Errors
/// When the club cannot be read; why the member cannot have the seat.
pub(crate) fn give(
    tx: &mut Transaction<'_>,
    member: &Member,
    (game, seat): (u32, Seat),
    by: Actor,
    reason: &str,
) -> Result<Words, Blame> {
    substitute::replace(tx, game, seat, member, by, reason).map_err(Blame::reason)?;
    Ok(vec![match is_reader_known(tx, member) {
        true => Message::new("lobby-took-seat").with("number", game),
        false => asked_words(member, game),
    }])
}

/// Ends the offers that nobody has answered in time, and tells the moderator.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn lapse(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let now = tx.context.now;
    let room = tx.room_mut(game)?;
    let over: Vec<SeatOffer> = room.offers.extract_if(.., |offer| offer.until <= now).collect();
    if tx.session(game)?.table.turn() == Turn::Over {
        return Ok(());
    }
    for SeatOffer { seat, member, .. } in over {
        let asked = tx.member(member)?.filter(|member| !member.has_left());
        let address = asked.as_ref().and_then(|member| member.addresses.first());
        let (Some(asked), Some(address)) = (&asked, address) else { continue };
        let before = tx.session(game)?.name(seat);
        let report = Message::new("report-seat-offer-over").with("number", game);
        let report = report.with("name", asked.name.as_str()).with("before", before);
        let report = report.with("address", address.as_str());
        tx.tell_moderator(report);
    }
    Ok(())
}
