//! Seats that change hands: a player leaves, a substitute takes the seat over with its history.

use crate::club::{
    Actor, Former, GameRoom, Happening, Intervention, Member, Seated, Substitute, parse_mailbox,
};
use crate::mail::is_own;
use crate::process::blame::{Blame, refuse_if};
use crate::process::context::ClubResult;
use crate::process::lobby::forming::{self, Words};
use crate::process::lobby::found::{self, Player};
use crate::process::lobby::{unasked, vacant_seats};
use crate::process::session::reader;
use crate::process::table::news::is_private;
use crate::process::table::voting;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Refusal, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, Utc};

/// The member who is to take a seat over, who becomes one by this if he is none; why there
/// is nobody.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn substitute(tx: &mut Transaction<'_>, by: &Substitute) -> Result<Member, Blame> {
    let who = by.to_string();
    match (reader::member_on(tx, &who)?, parse_mailbox(&who)) {
        (Some(member), _) => Ok(member),
        (None, Some((_, address))) if is_own(&address, &tx.context.settings.address) => {
            Err(Message::new("substitute-own").with("address", address).into())
        }
        (None, Some((_, address))) if unasked::has_refused(tx, &address)? => {
            Err(Message::new("invite-refused").with("address", address).into())
        }
        (None, Some((name, address))) => Ok(enrol(tx, &Player { name, address })?),
        (None, None) => Err(Message::new("member-none").with("who", who).into()),
    }
}

/// Takes whoever sits here out of a game in a transaction, and tells him so.
///
/// # Errors
/// When the club cannot be read; the refusal when it cannot be done.
pub fn remove(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    by: Actor,
    reason: &str,
) -> Result<(), Blame<Refusal>> {
    let before = tx.session(game)?.seat(seat).cloned();
    open_seat(tx, game, seat, by, reason)?;
    let is_open = tx.session(game)?.seat(seat).is_some_and(|(now, _)| now.left);
    if let Some((seated, old)) = before.filter(|_| is_open) {
        let word = Message::new("seat-removed").with("number", game);
        say_good_bye(tx, game, &seated, &old, word.with("reason", sentence(reason)));
    }
    Ok(())
}

/// The member with this address, who becomes one in here if he is none.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn enrol(tx: &mut Transaction<'_>, player: &Player) -> ClubResult<Member> {
    let language = tx.context.settings.language.clone();
    enrol_reading(tx, player, &language)
}

/// The same of a player whose language is known, where he is none yet.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn enrol_reading(
    tx: &mut Transaction<'_>,
    player: &Player,
    language: &str,
) -> ClubResult<Member> {
    if let Some(member) = tx.member_by_address(&player.address)? {
        return Ok(member);
    }
    let new = found::new_member(tx.context, tx.next_member()?, player);
    let member = Member { language: language.to_owned(), ..new };
    tx.change(member.clone());
    Ok(member)
}

/// Gives a seat to another member in a transaction. The member's first letter has all that the seat
/// has seen, the member's time begins anew, and the previous owner can do nothing there any more. A
/// member who has never answered the club is asked first: nothing else happens until the answer.
///
/// # Errors
/// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
pub(crate) fn replace(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    member: &Member,
    by: Actor,
    reason: &str,
) -> Result<(), Blame<Refusal>> {
    let of_game = |key| Refusal::illegal(Message::new(key).with("number", game));
    let mut session = tx.session(game)?.clone();
    let (before, old) = session.seat(seat).cloned().ok_or_else(|| of_game("seat-none"))?;
    refuse_if(session.table.turn() == Turn::Over, || of_game("game-over"))?;
    refuse_if(session.seats_member(member.id), || of_game("seat-already-in"))?;
    if by != Actor::Moderator {
        let taken = tx.room(game)?.may_take(seat, member.id);
        taken.map_err(|why| Refusal::illegal(why.with("number", game)))?;
    }
    if !vacant_seats::is_reader_known(tx, member) {
        return vacant_seats::offer(tx, (game, seat), member, by, reason);
    }
    let generation = before.generation.saturating_add(1);
    let stood_in_for =
        vacant_seats::stood_in_for(&session, seat, by).filter(|absent| *absent != member.id);
    let comes_back = vacant_seats::lends(&session, by) && !before.left;
    let aside = comes_back.then(|| Box::new(before.set_aside(tx.context.now)));
    hand_over(&mut session, seat, generation, member, tx.context.now);
    vacant_seats::lend(&mut session, seat, stood_in_for);
    if let Some(kept) = tx.room_mut(game)?.take_aside(seat, member.id) {
        vacant_seats::take_up(&mut session, seat, kept);
    }
    tx.put_game(session);
    answer_no_more(tx, game, seat, &old.name);
    voting::void_vote(tx, game)?;
    part_with(tx, game, &before, &old, member, reason)?;
    let room = tx.room_mut(game)?;
    if old.id != member.id {
        let removed = room.former.iter().any(|f| f.member == old.id && f.removed);
        room.part_with(Former { seat, member: old.id, removed, aside });
    }
    room.waiting.retain(|waiting| *waiting != member.id);
    room.observers.retain(|observer| *observer != member.id);
    room.offers.retain(|offer| offer.seat != seat && offer.member != member.id);
    voting::note_lapses(tx, game)?;
    tell_of_substitute(tx, game, seat, &old.name, reason);
    let what = Intervention::Replace { seat, by: Substitute::Member(member.id) };
    tx.log_activity(game, Happening::Intervened { by, what, reason: reason.into() });
    Ok(())
}

/// Tells the whole table who plays on for whom; the letters are written by the transaction's
/// end.
fn tell_of_substitute(tx: &mut Transaction<'_>, game: u32, seat: Seat, before: &str, reason: &str) {
    let Some(session) = tx.game(game) else { return };
    let founding = session.table.founding();
    let kind = tx.context.library.language(&tx.context.settings.language).game(&founding.game);
    let seats = founding.seats;
    let others: Vec<Seat> = Seat::all(seats).filter(|other| *other != seat).collect();
    let welcome = Message::new("seat-yours-now")
        .with("number", game)
        .with("club", tx.context.settings.name.as_str())
        .with("game", kind)
        .with("before", before)
        .with("others", others);
    tx.tell_seat(game, seat, welcome);
    let terms = tx.room(game).as_ref().map(GameRoom::terms_words).unwrap_or_default();
    terms.into_iter().for_each(|word| tx.tell_seat(game, seat, word));
    let told = Message::new("seat-taken-over")
        .with("who", seat)
        .with("before", before)
        .with("reason", reason);
    for other in Seat::all(seats).filter(|other| *other != seat) {
        tx.tell_in_time(game, other, told.clone());
    }
}

/// Tells who sat there before, and keeps how punctual he was.
fn part_with(
    tx: &mut Transaction<'_>,
    game: u32,
    seated: &Seated,
    old: &Member,
    new: &Member,
    reason: &str,
) -> ClubResult<()> {
    let old = tx.member(old.id)?.unwrap_or_else(|| old.clone());
    let past = old.past.plus(seated.punctuality);
    if past != old.past {
        tx.change(Member { past, ..old.clone() });
    }
    if old.id == new.id {
        return Ok(());
    }
    let lent =
        tx.game(game).is_some_and(|session| vacant_seats::lent_by(session, old.id).is_some());
    let word = Message::new(if lent { "seat-stood-in" } else { "seat-yours-no-more" })
        .with("number", game)
        .with("name", new.name.as_str())
        .with("reason", sentence(reason));
    say_good_bye(tx, game, seated, &old, word);
    Ok(())
}

/// Writes to who has lost a seat.
fn say_good_bye(tx: &mut Transaction<'_>, game: u32, seated: &Seated, old: &Member, word: Message) {
    if old.has_left() || old.undeliverable().is_some() {
        return;
    }
    forming::write_to(tx, old, word, &format!("parted {game} {} {}", seated.generation, old.id));
}

/// Lets a player leave his seat in a transaction: the first who waits for one takes it over at
/// once, and else it is open to any member, and everyone is told.
///
/// # Errors
/// When the club cannot be read; the refusal when it cannot be done, and then nothing is.
pub(crate) fn open_seat(
    tx: &mut Transaction<'_>,
    game: u32,
    seat: Seat,
    by: Actor,
    reason: &str,
) -> Result<(), Blame<Refusal>> {
    let of_game = |key| Refusal::illegal(Message::new(key).with("number", game));
    let mut session = tx.session(game)?.clone();
    let place = session.seats.get_mut(seat.index());
    let (seated, _) = place.ok_or_else(|| of_game("seat-none"))?;
    refuse_if(session.table.turn() == Turn::Over, || of_game("game-over"))?;
    refuse_if(seated.left, || of_game("seat-open-already"))?;
    seated.left = true;
    seated.generation = seated.generation.saturating_add(1);
    seated.punctuality.left = seated.punctuality.left.saturating_add(1);
    seated.forget_private();
    let leaver = seated.member;
    tx.put_game(session);
    answer_no_more(tx, game, seat, &name_of(tx, game, seat));
    if by != Actor::Moderator {
        tx.count(departures(game, leaver));
    }
    voting::void_vote(tx, game)?;
    let what = Intervention::Vacate(seat);
    tx.log_activity(game, Happening::Intervened { by, what, reason: reason.into() });
    let removed = by == Actor::Moderator;
    let former = Former { seat, member: leaver, removed, aside: None };
    tx.room_mut(game)?.part_with(former);
    if let Some(next) = vacant_seats::next_waiting(tx, (game, seat), leaver)? {
        return replace(tx, game, seat, &next, Actor::House, reason);
    }
    let Some(session) = tx.game(game) else { return Ok(()) };
    let (name, seats) = (name_of(tx, game, seat), session.table.founding().seats);
    let told = Message::new("seat-open")
        .with("number", game)
        .with("name", name.as_str())
        .with("reason", sentence(reason));
    tx.movers_mut(game);
    for other in Seat::all(seats).filter(|other| *other != seat) {
        tx.tell_in_time(game, other, told.clone());
    }
    let report = Message::new("report-seat-left").with("number", game).with("name", name);
    tx.tell_moderator(report.with("reason", sentence(reason)));
    Ok(())
}

/// The seat that a member would leave: his in the game that he names, else the one whose letter he
/// answers.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn resigned_seat(
    tx: &mut Transaction<'_>,
    member: &Member,
    answered: Option<(u32, Seat)>,
    named: Option<u32>,
) -> ClubResult<Option<(u32, Seat)>> {
    let Some(named) = named else { return Ok(answered) };
    let held = tx.seats_held(member.id)?;
    let seat = held.into_iter().find(|(game, _)| *game == named);
    if seat.is_some() {
        tx.session(named)?;
    }
    Ok(seat)
}

/// Lets a player leave the game whose letter he answers.
pub(crate) fn resign(
    tx: &mut Transaction<'_>,
    seat: Option<(u32, Seat)>,
    sure: bool,
    reason: &str,
) -> Result<Words, Blame> {
    let Some((game, seat)) = seat else { return Err(Blame::Theirs(Message::new("resign-where"))) };
    let over = tx.game(game).is_some_and(|session| session.table.turn() == Turn::Over);
    refuse_if(over, || Message::new("game-over"))?;
    if !sure {
        return Ok(vec![Message::new("resign-sure").with("number", game)]);
    }
    refuse_if(is_private(reason), || Message::new("talk-private"))?;
    let own = forming::term(tx.context, "reason-resigned");
    let reason = if reason.is_empty() { own.as_str() } else { reason };
    let member = tx.game(game).and_then(|session| session.seat(seat));
    let by = Actor::Member(member.map_or(0, |(seated, _)| seated.member));
    open_seat(tx, game, seat, by, reason).map_err(Blame::reason)?;
    Ok(vec![Message::new("resigned").with("number", game)])
}

/// Whether a seat's player left it, or another took it over, in this very transaction: a letter
/// that the moderator lets in for a seat has no mark that would be void.
pub(crate) fn has_changed_hands(tx: &Transaction<'_>, game: u32, seat: Seat) -> ClubResult<bool> {
    let Some((now, _)) = tx.game(game).and_then(|session| session.seat(seat)) else {
        return Ok(false);
    };
    let stored = tx.before().seats(game)?;
    Ok(stored.get(seat.index()).is_some_and(|before| before.generation != now.generation))
}

fn name_of(tx: &Transaction<'_>, game: u32, seat: Seat) -> String {
    tx.game(game).map(|session| session.name(seat)).unwrap_or_default()
}

/// What a seat's player, of this name, was to be told of his letters in here is not for who
/// comes after him.
pub(crate) fn answer_no_more(tx: &mut Transaction<'_>, game: u32, seat: Seat, name: &str) {
    if let Some(movers) = tx.movers_known(game) {
        movers.acknowledged.remove(&seat);
        movers.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("vote-"));
    }
    tx.untell(game, seat, name);
}

/// Seats another member: nothing of what the one before him wrote for himself stays.
fn hand_over(
    session: &mut GameSession,
    seat: Seat,
    generation: u32,
    member: &Member,
    now: DateTime<Utc>,
) {
    let since = Some(now);
    let seated = Seated { member: member.id, generation, since, ..Seated::default() };
    if let Some(place) = session.seats.get_mut(seat.index()) {
        *place = (seated, member.clone());
    }
    if let Some(name) = session.names.get_mut(seat.index()) {
        name.clone_from(&member.name);
    }
    if let Some(clock) = &mut session.clock {
        clock.taken_over(seat, &member.time, now);
        if let Some(misses) = clock.misses.get_mut(seat.index()) {
            *misses = 0;
        }
    }
}

/// Under what the store counts how often a member has left his seats of a game. No address is
/// without an @.
pub(crate) fn departures(game: u32, member: u32) -> String {
    format!("left {game} {member}")
}

/// A reason as somebody wrote it, with a full stop when there is none: more is said after it.
fn sentence(reason: &str) -> String {
    let reason = reason.trim_end();
    let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{reason}{stop}")
}
