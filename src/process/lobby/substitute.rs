//! Seats that change players: a player leaves, and a substitute takes over the seat with its
//! history.

use crate::club::{
    ActivityEvent, Actor, FormerPlayer, GameInfo, Intervention, Member, SeatAssignment, Substitute,
    bots_unread_message, parse_mailbox,
};
use crate::mail::is_club_address;
use crate::process::context::ClubResult;
use crate::process::lobby::game_founding::{self, Player};
use crate::process::lobby::proposals::{self, Messages};
use crate::process::lobby::{bot_members, invitations, practice, vacant_seats};
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::session::reader;
use crate::process::table::news::has_token_or_address;
use crate::process::table::voting;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{BotLevel, Message, Refusal, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, Utc};

/// Returns the member who will take over a seat. Adds the person as a member if they are not one
/// yet. Refuses an unknown person, the club's own address, and an address whose owner refuses
/// letters.
pub(crate) fn find_or_enrol_substitute(
    tx: &mut Transaction<'_>,
    game: u32,
    by: &Substitute,
) -> Result<Member, RequestError> {
    let who = by.to_string();
    if let Some(level) = parse_bot_substitute(&who) {
        return find_or_enrol_bot_substitute(tx, game, level?);
    }
    match (reader::find_member_in_tx(tx, &who)?, parse_mailbox(&who)) {
        (Some(member), _) => Ok(member),
        (None, Some((_, address))) if is_club_address(&address, &tx.context.settings.address) => {
            Err(Message::new("substitute-own").with("address", address).into())
        }
        (None, Some((_, address))) if invitations::has_opted_out(tx, &address)? => {
            Err(Message::new("invite-refused").with("address", address).into())
        }
        (None, Some((name, address))) => Ok(find_or_enrol_member(tx, &Player { name, address })?),
        (None, None) => Err(reader::describe_unknown_member_in_tx(tx, &who)?.into()),
    }
}

/// Parses `bot` or `bot strong`. `None` if the text names somebody else.
fn parse_bot_substitute(who: &str) -> Option<Result<BotLevel, Message>> {
    let lowercase = who.to_lowercase();
    let mut words = lowercase.split_whitespace();
    let rest = (words.next()? == "bot").then(|| words.collect::<Vec<_>>())?;
    Some(match rest.as_slice() {
        [] => Ok(BotLevel::Fair),
        [level] => level.parse().map_err(|_| bots_unread_message()),
        _ => Err(bots_unread_message()),
    })
}

fn find_or_enrol_bot_substitute(
    tx: &mut Transaction<'_>,
    game: u32,
    level: BotLevel,
) -> Result<Member, RequestError> {
    tx.context.settings.bots.require_allowed()?;
    let taken: Vec<u32> = tx.seat_assignments(game)?.iter().map(|seated| seated.member).collect();
    let bot = bot_members::find_or_enrol_bots(tx, &[level], &taken)?.pop();
    Ok(bot.ok_or_else(bots_unread_message)?)
}

/// Removes the player of this seat from a game, and tells them so by letter.
///
/// # Errors
/// When the club cannot be read. The refusal if the game is over or the seat is already open.
pub fn remove_player_and_notify(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    by: Actor,
    reason: &str,
) -> Result<(), RequestError<Refusal>> {
    let before = tx.open_game(game)?.seat(seat).cloned();
    vacate_seat(tx, game, seat, by, reason)?;
    let is_open = tx.open_game(game)?.seat(seat).is_some_and(|(now, _)| now.has_left);
    if let Some((seated, old)) = before.filter(|_| is_open) {
        let word = Message::new("seat-removed").with("number", game);
        queue_lost_seat_letter(
            tx,
            game,
            &seated,
            &old,
            word.with("reason", end_with_full_stop(reason)),
        );
    }
    Ok(())
}

/// Returns the member with this address. Adds one in the transaction if there is none.
pub(crate) fn find_or_enrol_member(
    tx: &mut Transaction<'_>,
    player: &Player,
) -> ClubResult<Member> {
    let language = tx.context.settings.language.clone();
    find_or_enrol_member_with_language(tx, player, &language)
}

pub(crate) fn find_or_enrol_member_with_language(
    tx: &mut Transaction<'_>,
    player: &Player,
    language: &str,
) -> ClubResult<Member> {
    if let Some(member) = tx.member_by_address(&player.address)? {
        return Ok(member);
    }
    let new =
        game_founding::build_member_with_defaults(tx.context, tx.next_member_number()?, player);
    let member = Member { language: language.to_owned(), ..new };
    tx.update_member(member.clone());
    Ok(member)
}

/// Gives a seat to another member. Their first letter shows everything that the seat has seen, and
/// their time starts again. The previous owner's reply tokens for the seat become void.
///
/// A member who has never answered the club gets an offer first. Nothing else happens until they
/// accept it.
///
/// # Errors
/// The refusal if the member cannot take the seat. The transaction is unchanged then.
pub(crate) fn give_or_offer_seat(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    member: &Member,
    by: Actor,
    reason: &str,
) -> Result<(), RequestError<Refusal>> {
    let of_game = |key| Refusal::illegal(Message::new(key).with("number", game));
    let mut session = tx.open_game(game)?.clone();
    let (before, old) = session.seat(seat).cloned().ok_or_else(|| of_game("seat-none"))?;
    refuse_if(session.table.turn() == Turn::Over, || of_game("game-over"))?;
    refuse_if(session.has_member(member.id), || of_game("seat-already-in"))?;
    if by != Actor::Moderator {
        let taken = tx.game_info(game)?.check_takeover(seat, member.id);
        taken.map_err(|why| Refusal::illegal(why.with("number", game)))?;
    }
    if !vacant_seats::is_known_to_read_mail(tx, member) {
        return vacant_seats::offer_seat(tx, (game, seat), member, by, reason);
    }
    let generation = before.token_generation.saturating_add(1);
    let stood_in_for = vacant_seats::absent_owner_after_takeover(&session, seat, by)
        .filter(|absent| *absent != member.id);
    let comes_back = vacant_seats::is_seat_only_lent(&session, by) && !before.has_left;
    let aside = comes_back.then(|| Box::new(before.private_data_for_return(tx.context.now)));
    assign_seat(&mut session, seat, generation, member, tx.context.now);
    vacant_seats::set_absent_owner(&mut session, seat, stood_in_for);
    if let Some(kept) = tx.game_info_mut(game)?.take_saved_data(seat, member.id) {
        vacant_seats::restore_absent_owner_data(&mut session, seat, kept);
    }
    tx.put_back_game(session);
    drop_pending_replies(tx, game, seat, &old.name);
    voting::cancel_all_votes(tx, game)?;
    notify_previous_owner(tx, game, &before, &old, member, reason)?;
    let room = tx.game_info_mut(game)?;
    if old.id != member.id {
        let removed = room.former_players.iter().any(|f| f.member == old.id && f.removed);
        room.record_former_player(FormerPlayer { seat, member: old.id, removed, saved: aside });
    }
    room.waiting_list.retain(|waiting| *waiting != member.id);
    room.observers.retain(|observer| *observer != member.id);
    room.seat_offers.retain(|offer| offer.seat != seat && offer.member != member.id);
    voting::update_votes_and_offers_expiry(tx, game)?;
    announce_substitute(tx, game, seat, &old.name, reason);
    let what = Intervention::Replace { seat, by: Substitute::Member(member.id) };
    tx.log_activity(
        game,
        ActivityEvent::Intervened { by, intervention: what, reason: reason.into() },
    );
    Ok(())
}

/// Tells all players of a game who takes over the seat from its previous owner. The letters are
/// made at the end of the transaction.
fn announce_substitute(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    before: &str,
    reason: &str,
) {
    let Some(session) = tx.opened_game(game) else { return };
    let founding = session.table.founding();
    let kind = tx.context.library.language(&tx.context.settings.language).game_name(&founding.game);
    let seats = founding.seats;
    let others: Vec<Seat> = Seat::all(seats).filter(|other| *other != seat).collect();
    let welcome = Message::new("seat-yours-now")
        .with("number", game)
        .with("club", tx.context.settings.name.as_str())
        .with("game", kind)
        .with("before", before)
        .with("others", others);
    tx.add_urgent_seat_note(game, seat, welcome);
    let terms = tx.game_info(game).as_ref().map(GameInfo::describe_terms).unwrap_or_default();
    terms.into_iter().for_each(|word| tx.add_urgent_seat_note(game, seat, word));
    let told = Message::new("seat-taken-over")
        .with("who", seat)
        .with("before", before)
        .with("reason", reason);
    for other in Seat::all(seats).filter(|other| *other != seat) {
        tx.add_seat_note(game, other, told.clone());
    }
}

/// Tells the previous owner that they no longer have the seat, and adds their punctuality there to
/// their record.
fn notify_previous_owner(
    tx: &mut Transaction<'_>,
    game: u32,
    seated: &SeatAssignment,
    old: &Member,
    new: &Member,
    reason: &str,
) -> ClubResult<()> {
    let old = tx.member(old.id)?.unwrap_or_else(|| old.clone());
    let past = old.past_punctuality.combined_with(seated.punctuality);
    if past != old.past_punctuality {
        tx.update_member(Member { past_punctuality: past, ..old.clone() });
    }
    if old.id == new.id {
        return Ok(());
    }
    let lent = tx
        .opened_game(game)
        .is_some_and(|session| vacant_seats::find_lent_seat(session, old.id).is_some());
    let word = Message::new(if lent { "seat-stood-in" } else { "seat-yours-no-more" })
        .with("number", game)
        .with("name", new.name.as_str())
        .with("reason", end_with_full_stop(reason));
    queue_lost_seat_letter(tx, game, seated, &old, word);
    Ok(())
}

/// Queues a letter to a member who has lost a seat, unless they have left the club or are
/// undeliverable.
fn queue_lost_seat_letter(
    tx: &mut Transaction<'_>,
    game: u32,
    seated: &SeatAssignment,
    old: &Member,
    word: Message,
) {
    if !old.gets_letters() {
        return;
    }
    proposals::queue_one_sentence_letter(
        tx,
        old,
        word,
        &format!("parted {game} {} {}", seated.token_generation, old.id),
    );
}

/// Takes a seat away from its player. The first member on the waiting list takes it over at once.
/// If the list is empty, the seat is open to any member, and all players are told.
///
/// # Errors
/// The refusal if there is no such seat, it is already open, or the game is over.
pub(crate) fn vacate_seat(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    by: Actor,
    reason: &str,
) -> Result<(), RequestError<Refusal>> {
    let of_game = |key| Refusal::illegal(Message::new(key).with("number", game));
    let mut session = tx.open_game(game)?.clone();
    let place = session.seats.get_mut(seat.index());
    let (seated, _) = place.ok_or_else(|| of_game("seat-none"))?;
    refuse_if(session.table.turn() == Turn::Over, || of_game("game-over"))?;
    refuse_if(seated.has_left, || of_game("seat-open-already"))?;
    seated.has_left = true;
    seated.token_generation = seated.token_generation.saturating_add(1);
    seated.punctuality.games_left = seated.punctuality.games_left.saturating_add(1);
    seated.clear_private_data();
    let leaver = seated.member;
    tx.put_back_game(session);
    drop_pending_replies(tx, game, seat, &player_name(tx, game, seat));
    if by != Actor::Moderator {
        tx.increment_count(departure_count_key(game, leaver));
    }
    voting::cancel_all_votes(tx, game)?;
    let what = Intervention::Vacate(seat);
    tx.log_activity(
        game,
        ActivityEvent::Intervened { by, intervention: what, reason: reason.into() },
    );
    let removed = by == Actor::Moderator;
    let former = FormerPlayer { seat, member: leaver, removed, saved: None };
    tx.game_info_mut(game)?.record_former_player(former);
    if let Some(next) = vacant_seats::next_on_waiting_list(tx, (game, seat), leaver)? {
        return give_or_offer_seat(tx, game, seat, &next, Actor::Program, reason);
    }
    let Some(session) = tx.opened_game(game) else { return Ok(()) };
    let (name, seats) = (player_name(tx, game, seat), session.table.founding().seats);
    let told = Message::new("seat-open")
        .with("number", game)
        .with("name", name.as_str())
        .with("reason", end_with_full_stop(reason));
    tx.pending_updates_mut(game);
    for other in Seat::all(seats).filter(|other| *other != seat) {
        tx.add_seat_note(game, other, told.clone());
    }
    let report = Message::new("report-seat-left").with("number", game).with("name", name);
    tx.report_to_moderator(report.with("reason", end_with_full_stop(reason)));
    Ok(())
}

/// Returns the seat that a member wants to leave: their seat in the game `named`, or else the seat
/// whose letter they answer.
pub(crate) fn find_seat_to_resign(
    tx: &mut Transaction<'_>,
    member: &Member,
    answered: Option<(u32, Seat)>,
    named: Option<u32>,
) -> ClubResult<Option<(u32, Seat)>> {
    let Some(named) = named else { return Ok(answered) };
    let held = tx.seats_not_left(member.id)?;
    let seat = held.into_iter().find(|(game, _)| *game == named);
    if seat.is_some() {
        tx.open_game(named)?;
    }
    Ok(seat)
}

/// Lets a player leave the game whose letter they answer. Asks for confirmation first, unless
/// `sure` is set.
pub(crate) fn resign(
    tx: &mut Transaction<'_>,
    seat: Option<(u32, Seat)>,
    sure: bool,
    reason: &str,
) -> Result<Messages, RequestError> {
    let Some((game, seat)) = seat else {
        return Err(RequestError::Refused(Message::new("resign-where")));
    };
    let over = tx.opened_game(game).is_some_and(|session| session.table.turn() == Turn::Over);
    refuse_if(over, || Message::new("game-over"))?;
    if tx.game_info(game)?.practice {
        return practice::resign_practice_game(tx, game);
    }
    if !sure {
        return Ok(vec![Message::new("resign-sure").with("number", game)]);
    }
    refuse_if(has_token_or_address(reason), || Message::new("talk-private"))?;
    let own = proposals::localize_key_for_club(tx.context, "reason-resigned");
    let reason = if reason.is_empty() { own.as_str() } else { reason };
    let member = tx.opened_game(game).and_then(|session| session.seat(seat));
    let by = Actor::Member(member.map_or(0, |(seated, _)| seated.member));
    vacate_seat(tx, game, seat, by, reason).map_err(RequestError::keep_only_reason)?;
    Ok(vec![Message::new("resigned").with("number", game)])
}

/// Whether this transaction has already given the seat to another player or opened it. This check
/// is needed for letters that the moderator accepts from quarantine, because they are not checked
/// by reply token.
pub(crate) fn has_seat_changed_owner(
    tx: &Transaction<'_>,
    game: u32,
    seat: Seat,
) -> ClubResult<bool> {
    let Some((now, _)) = tx.opened_game(game).and_then(|session| session.seat(seat)) else {
        return Ok(false);
    };
    let stored = tx.stored_state().seat_assignments(game)?;
    Ok(stored
        .get(seat.index())
        .is_some_and(|before| before.token_generation != now.token_generation))
}

fn player_name(tx: &Transaction<'_>, game: u32, seat: Seat) -> String {
    tx.opened_game(game).map(|session| session.player_name(seat)).unwrap_or_default()
}

/// Drops the replies that this transaction has collected for a seat's player. They must not reach
/// the player's successor.
pub(crate) fn drop_pending_replies(tx: &mut Transaction<'_>, game: u32, seat: Seat, name: &str) {
    if let Some(movers) = tx.pending_updates_if_any_mut(game) {
        movers.acknowledgements.remove(&seat);
        movers.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("vote-"));
    }
    tx.withdraw_private_talk(game, seat, name);
}

/// Gives the seat to a member. Removes the previous owner's notes and queued orders.
fn assign_seat(
    session: &mut GameSession,
    seat: Seat,
    generation: u32,
    member: &Member,
    now: DateTime<Utc>,
) {
    let since = Some(now);
    let seated = SeatAssignment {
        member: member.id,
        token_generation: generation,
        since,
        ..SeatAssignment::default()
    };
    if let Some(place) = session.seats.get_mut(seat.index()) {
        *place = (seated, member.clone());
    }
    if let Some(name) = session.names.get_mut(seat.index()) {
        name.clone_from(&member.name);
    }
    if let Some(clock) = &mut session.clock {
        clock.restart_clock_for_successor(seat, &member.time, now);
        if let Some(misses) = clock.misses.get_mut(seat.index()) {
            *misses = 0;
        }
    }
}

/// Returns the key under which the store counts how often a member has left a game. Other counters
/// use addresses as keys, so this key contains no @.
pub(crate) fn departure_count_key(game: u32, member: u32) -> String {
    format!("left {game} {member}")
}

/// Ends a reason with a full stop if it has no end mark, because another sentence follows it.
fn end_with_full_stop(reason: &str) -> String {
    let reason = reason.trim_end();
    let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{reason}{stop}")
}
