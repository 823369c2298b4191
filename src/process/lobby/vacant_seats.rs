//! Seats without a player, and the waiting list of a game.
//!
//! A seat can be open, or lent to a stand-in for an absent player, or offered to a member who has
//! never answered the club. Such a member is asked first, because the address may be mistyped and a
//! wrong reader must not see the seat's hidden information. The seat changes players when the
//! member accepts.

use crate::club::clock::NmrRule;
use crate::club::{Actor, Member, SavedSeatData, SeatOffer};
use crate::mail::rate_limit::{DAY_SECONDS, RateDecision};
use crate::mail::{LetterHash, ReplyAction};
use crate::process::context::ClubResult;
use crate::process::lobby::invitations::MODERATOR_ID;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::lobby::substitute::{self, departure_count_key};
use crate::process::outbound::answers::{self, consent_question, invitation_notice, unix_day_of};
use crate::process::outbound::pending;
use crate::process::request_error::{RequestError, refuse_if, split_refusal};
use crate::process::table::voting;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::rate_account::RateAccount;
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;

/// A member who has left a game this often within a day cannot take a seat of it until the next
/// day, because every departure is announced to all players.
const DEPARTURES_PER_DAY: usize = 2;

/// The most members on the waiting list of one game.
const WAITING_MAX: usize = 20;

/// Gives a seat to the first member on the waiting list, because its player has missed too many
/// turns. Does nothing if the list is empty.
pub(crate) fn give_seat_to_waiting_member(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
) -> ClubResult<()> {
    let session = tx.open_game(game)?;
    let absent = session.seat(seat).map_or(0, |(seated, _)| seated.member);
    let lent = absent_owner_after_takeover(session, seat, Actor::Program).is_some();
    if let Some(next) = next_on_waiting_list(tx, (game, seat), absent)? {
        let reason = proposals::localize_key_for_club(
            tx.context,
            if lent { "reason-absent" } else { "reason-missed-turns" },
        );
        // `next_on_waiting_list` has checked that this member can take the seat.
        let _refused = split_refusal(substitute::give_or_offer_seat(
            tx,
            game,
            seat,
            &next,
            Actor::Program,
            &reason,
        ))?;
    }
    Ok(())
}

/// Gives a member an open seat of a running game. A member who was absent gets back the seat that a
/// stand-in holds for them.
pub(crate) fn take_open_seat(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    proposals::open_running_game(tx, game)?;
    let session = tx.opened_game(game);
    if let Some(seat) = session.and_then(|session| find_lent_seat(session, member.id)) {
        return return_seat_from_stand_in(tx, member, game, seat);
    }
    let of_game = |key| Message::new(key).with("number", game);
    let sits = session.is_some_and(|session| session.has_member(member.id));
    refuse_if(sits, || of_game("lobby-in-already"))?;
    let open = session.map(GameSession::open_seats).unwrap_or_default();
    // A former player of the game must not see the hidden information of a second seat. Only their
    // own former seat is free to them.
    let around = tx.game_info(game)?;
    let free = |seat: &&Seat| around.check_takeover(**seat, member.id).is_ok();
    let seat = open.iter().find(free).or(open.first());
    let seat = *seat.ok_or_else(|| of_game("lobby-running"))?;
    let since = tx.context.now.timestamp() - DAY_SECONDS;
    let left = tx.count_events_since(&departure_count_key(game, member.id), since)?;
    refuse_if(left >= DEPARTURES_PER_DAY, || of_game("seat-left-often"))?;
    let reason = proposals::localize_key_for_club(tx.context, "reason-took-open-seat");
    let by = Actor::Member(member.id);
    give_seat(tx, member, (game, seat), by, &reason)
}

/// Puts a member at the end of a game's waiting list.
pub(crate) fn join_waiting_list(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    let room = proposals::open_visible_game(tx, member, game)?;
    let sits = tx.opened_game(game).is_some_and(|session| session.has_member(member.id));
    let is_open = tx.opened_game(game).is_some_and(|session| !session.open_seats().is_empty());
    let refused = match &room.proposal {
        Some(proposal) if proposal.has_player(member.id) => Some("lobby-in-already"),
        Some(proposal) if proposal.free_seat_count() > 0 => Some("lobby-seat-free"),
        None if sits => Some("lobby-in-already"),
        None if is_open => Some("lobby-seat-free"),
        _ if room.waiting_list.len() >= WAITING_MAX => Some("lobby-waits-many"),
        _ => None,
    };
    if let Some(key) = refused {
        return Err(RequestError::Refused(Message::new(key).with("number", game)));
    }
    let waiting = &mut tx.game_info_mut(game)?.waiting_list;
    waiting.retain(|other| *other != member.id);
    waiting.push(member.id);
    let place = waiting.len();
    Ok(vec![Message::new("lobby-waits").with("number", game).with("place", place)])
}

/// Returns the first member on a game's waiting list who can take this seat. Removes members from
/// the list who cannot take any seat.
pub(crate) fn next_on_waiting_list(
    tx: &mut Transaction<'_>,
    (game, seat): (u32, Seat),
    leaver: u32,
) -> ClubResult<Option<Member>> {
    let sitting: Vec<u32> = tx
        .open_game(game)?
        .seats
        .iter()
        .filter(|(seated, _)| !seated.has_left)
        .map(|(seated, _)| seated.member)
        .collect();
    let waiting = tx.game_info_mut(game)?.waiting_list.clone();
    for id in waiting {
        let member = tx.member(id)?;
        let may_take = tx.game_info(game)?.check_takeover(seat, id).is_ok();
        // A member who would have to be asked by letter is skipped, because the others on the list
        // can take the seat at once.
        if !may_take || !member.as_ref().is_none_or(|own| is_known_to_read_mail(tx, own)) {
            continue;
        }
        let able = member.filter(|member| {
            !member.has_left()
                && member.undeliverable_since().is_none()
                && !sitting.contains(&id)
                && id != leaver
        });
        if able.is_some() {
            return Ok(able);
        }
        tx.game_info_mut(game)?.waiting_list.retain(|other| *other != id);
    }
    Ok(None)
}

/// Gives a seat back to the member for whom a stand-in plays. The stand-in becomes the first on the
/// waiting list.
pub(crate) fn return_seat_from_stand_in(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
    seat: Seat,
) -> Result<Messages, RequestError> {
    let stood_in = tx.open_game(game)?.seat(seat).filter(|(seated, _)| !seated.has_left);
    let stood_in = stood_in.map(|(seated, _)| seated.member);
    let reason = proposals::localize_key_for_club(tx.context, "reason-is-back");
    let by = Actor::Member(member.id);
    let words = give_seat(tx, member, (game, seat), by, &reason)?;
    if is_known_to_read_mail(tx, member) {
        let waiting = &mut tx.game_info_mut(game)?.waiting_list;
        stood_in.into_iter().for_each(|member| waiting.insert(0, member));
    }
    Ok(words)
}

/// Whether a seat that changes players in this game is only lent. Seats that the moderator gives
/// are never lent.
pub(crate) fn is_seat_only_lent(session: &GameSession, by: Actor) -> bool {
    let lends = session.clock.as_ref().is_some_and(|clock| clock.rules.nmr == NmrRule::StandIn);
    lends && by != Actor::Moderator
}

/// Gives the player of this seat their private data back (notes, choice of news, unread news),
/// which was saved while a stand-in played.
pub(crate) fn restore_absent_owner_data(
    session: &mut GameSession,
    seat: Seat,
    kept: SavedSeatData,
) {
    if let Some((seated, _)) = session.seats.get_mut(seat.index()) {
        seated.restore_saved_data(kept);
    }
}

/// Returns the absent member whose place a new player of this seat takes for a time. Returns `None`
/// if the seat will belong to the new player.
pub(crate) fn absent_owner_after_takeover(
    session: &GameSession,
    seat: Seat,
    by: Actor,
) -> Option<u32> {
    let (seated, _) = session.seat(seat).filter(|_| is_seat_only_lent(session, by))?;
    // A player who left a seat for good does not get it back.
    seated.stands_in_for.or((!seated.has_left).then_some(seated.member))
}

pub(crate) fn set_absent_owner(session: &mut GameSession, seat: Seat, absent: Option<u32>) {
    if let Some((seated, _)) = session.seats.get_mut(seat.index()) {
        seated.stands_in_for = absent;
    }
}

/// Returns the seat that a stand-in plays for this member.
pub(crate) fn find_lent_seat(session: &GameSession, member: u32) -> Option<Seat> {
    let lent = session.seats.iter().position(|(seated, _)| seated.stands_in_for == Some(member));
    lent.map(Seat::from_index)
}

/// Returns `true` if a seat can be given to the member without asking first. They are a bot, or
/// they have answered the club before, so it is known that they read their first address.
pub(crate) fn is_known_to_read_mail(tx: &Transaction<'_>, member: &Member) -> bool {
    let moderators = &tx.context.settings.moderators;
    let is_moderator = |address: &String| moderators.find_by_address(address).is_some();
    member.has_answered
        || member.bot.is_some()
        || member.addresses.first().is_some_and(is_moderator)
}

/// Offers a seat to a member by letter, for three days. Refuses if no letter can be sent to the
/// member.
pub(crate) fn offer_seat(
    tx: &mut Transaction<'_>,
    (game, seat): (u32, Seat),
    member: &Member,
    by: Actor,
    reason: &str,
) -> Result<(), RequestError<Refusal>> {
    let address = member.addresses.first().cloned().unwrap_or_default();
    let to_address = |key| Message::new(key).with("address", address.as_str());
    let [account, part] = RateAccount::for_invitation(MODERATOR_ID, &address);
    let is_spent = answers::decide_answer_within_limit(tx, &part)? != RateDecision::Answer;
    refuse_if(is_spent, || Refusal::illegal(to_address("invite-spent")))?;
    let founding = tx.open_game(game)?.table.founding().clone();
    let (context, now, moderator) = (tx.context, tx.context.now, tx.moderator);
    let offered = |key| {
        Message::new(key)
            .with("name", moderator.name.as_str())
            .with("number", game)
            .with("game", context.library.language(&member.language).game_name(&founding.game))
    };
    let words = vec![
        offered("seat-offered")
            .with("club", context.settings.name.as_str())
            .with("seats", founding.seats),
        consent_question("seat-offered-how"),
    ];
    let notice = invitation_notice(offered("seat-offer-subject"), words);
    let action = ReplyAction::AcceptInvitation { member: member.id, game, day: unix_day_of(now) };
    let digest = LetterHash::compute(format!("{now} {game} {seat:?} {address}").as_bytes());
    let asked = pending::make_notice_letter(context, member, &notice, Some(action), &digest, None);
    let asked = asked.map_err(|_| Refusal::illegal(to_address("invite-no-address")))?;
    tx.increment_count(part.store_key());
    tx.queue_letter(asked, &account);
    let until = now + SeatOffer::OFFER_DURATION;
    let offer = SeatOffer { seat, member: member.id, by, reason: reason.to_owned(), until };
    let offers = &mut tx.game_info_mut(game)?.seat_offers;
    offers.retain(|other| other.seat != seat);
    offers.push(offer);
    Ok(voting::update_votes_and_offers_expiry(tx, game)?)
}

pub(crate) fn describe_offer(member: &Member, game: u32) -> Message {
    Message::new("seat-offer-asked").with("name", member.name.as_str()).with("number", game)
}

/// Gives a member the seat of a game that was offered to them. Returns `None` if there is no offer
/// to them.
///
/// # Errors
/// The reason if the seat cannot be given to them any more.
pub(crate) fn accept_offer(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Option<Messages>, RequestError> {
    let offers = tx.game_info(game)?.seat_offers;
    let own = offers.into_iter().find(|offer| offer.member == member.id);
    let Some(SeatOffer { seat, by, reason, .. }) =
        own.filter(|_| is_known_to_read_mail(tx, member))
    else {
        return Ok(None);
    };
    give_seat(tx, member, (game, seat), by, &reason).map(Some)
}

/// Gives a seat to a member. Returns the answer to the member: that the seat is theirs, or that
/// they are asked by letter first.
///
/// # Errors
/// The reason if the member cannot have the seat.
pub(crate) fn give_seat(
    tx: &mut Transaction<'_>,
    member: &Member,
    (game, seat): (u32, Seat),
    by: Actor,
    reason: &str,
) -> Result<Messages, RequestError> {
    substitute::give_or_offer_seat(tx, game, seat, member, by, reason)
        .map_err(RequestError::keep_only_reason)?;
    Ok(vec![match is_known_to_read_mail(tx, member) {
        true => Message::new("lobby-took-seat").with("number", game),
        false => describe_offer(member, game),
    }])
}

/// Ends the expired offers of seats in a game, and tells the moderator of each.
pub(crate) fn expire_seat_offers(tx: &mut Transaction<'_>, game: u32) -> ClubResult<()> {
    let now = tx.context.now;
    let room = tx.game_info_mut(game)?;
    let over: Vec<SeatOffer> =
        room.seat_offers.extract_if(.., |offer| offer.until <= now).collect();
    if tx.open_game(game)?.table.turn() == Turn::Over {
        return Ok(());
    }
    for SeatOffer { seat, member, .. } in over {
        let asked = tx.member(member)?.filter(|member| !member.has_left());
        let address = asked.as_ref().and_then(|member| member.addresses.first());
        let (Some(asked), Some(address)) = (&asked, address) else { continue };
        let before = tx.open_game(game)?.player_name(seat);
        let report = Message::new("report-seat-offer-over").with("number", game);
        let report = report.with("name", asked.name.as_str()).with("before", before);
        let report = report.with("address", address.as_str());
        tx.report_to_moderator(report);
    }
    Ok(())
}
