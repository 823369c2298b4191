//! Members who are heard of again: what they missed is told now.

use crate::club::{ActivityEntry, Consequence, Event, Happening, Member, Seated};
use crate::mail::{Letter, LetterHash};
use crate::process::context::ClubError;
use crate::process::outbound::ToSeat;
use crate::process::outbound::tell;
use crate::process::table::news;
use crate::process::table::vote;
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Back, Transaction};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};

/// Talk of so long before his letters were known to come back is told again to who missed it: the
/// letter that came back had it.
const BEFORE_LOSS: TimeDelta = TimeDelta::days(2);

/// Notes that a member has written: somebody reads letters to them, whatever was said.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn heard_of(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: u32,
) -> Result<(), ClubError> {
    let Some(before) = tx.member(member)? else { return Ok(()) };
    let heard = Member { has_answered: true, ..before.clone() };
    vouch_if_new(tx, letter, &before, heard)
}

/// Notes that a member's mailbox has answered by itself, such as with a vacation notice: letters
/// reach it, whoever reads them.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn heard_from_mailbox(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: u32,
) -> Result<(), ClubError> {
    let Some(before) = tx.member(member)? else { return Ok(()) };
    vouch_if_new(tx, letter, &before, before.clone())
}

fn vouch_if_new(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    before: &Member,
    heard: Member,
) -> Result<(), ClubError> {
    let is_known = before.reach.is_spotless() && before.has_answered == heard.has_answered;
    if is_known || tx.seen_letter(letter.digest.bytes())?.is_some() {
        return Ok(());
    }
    vouch_for(tx, heard, &letter.digest).map(drop)
}

/// Takes it that letters reach a member. Letters about all games of theirs follow if they were
/// undeliverable. Returns the member as changed.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn vouch_for(
    tx: &mut Transaction<'_>,
    mut member: Member,
    digest: &LetterHash,
) -> Result<Member, ClubError> {
    let consequence = member.reach.on(Event::Heard, tx.context.now, false);
    if consequence == Some(Consequence::Back) {
        to_be_written_to(tx, member.id, digest)?;
    }
    tx.change(member.clone());
    Ok(member)
}

/// Lets the clock of this game run again for who is heard of again, so that the answer to his
/// letter already tells him the time that he has.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn give_time_back(
    tx: &mut Transaction<'_>,
    game: u32,
    member: u32,
) -> Result<(), ClubError> {
    if tx.back(member).is_none() || tx.session(game).is_err() {
        return Ok(());
    }
    let now = tx.context.now;
    let (returned, seats) = (tx.member(member)?, tx.seats_of(member)?);
    if let (Some(member), Some(session)) = (returned, tx.game_mut(game)) {
        session.learn(&member);
        for (_, seat) in seats.into_iter().filter(|(at, _)| *at == game) {
            session.reckon_again(seat, now);
        }
    }
    Ok(())
}

/// Notes that a member is to get letters about all his games, told by what they go back to.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn to_be_written_to(
    tx: &mut Transaction<'_>,
    member: u32,
    digest: &LetterHash,
) -> Result<(), ClubError> {
    let mut told = Vec::new();
    let since = tx.member_before(member)?.and_then(|member| member.undeliverable());
    for (game, seat) in tx.seats_held(member)? {
        let known = tx.seats(game)?.get(seat.index()).map(|seated| seated.last_seen_seq);
        told.extend(known.map(|known| (game, seat, known)));
    }
    tx.welcome(member, Back { digest: digest.to_string(), since, told });
    Ok(())
}

/// Adds to the letters that are written to those who can be reached again what was said to them
/// while they could not.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn catch_up(tx: &mut Transaction<'_>) -> Result<(), ClubError> {
    for Back { since, told, .. } in tx.all_back() {
        for (game, seat, _) in told {
            if !tx.writes_to(game, seat) {
                continue;
            }
            let place = tx.game(game).and_then(|session| session.seat(seat));
            let Some((seated, _)) = place else { continue };
            let missed = missed_talk(tx, game, (seat, seated), since)?;
            let missed = missed.into_iter().map(|minute| (seat, minute));
            tx.movers_mut(game).talk.splice(0..0, missed);
        }
    }
    Ok(())
}

/// Writes to those who can be reached again what they have missed, in every game of theirs that
/// did not lead to a letter to them in here anyway.
pub(crate) fn welcome_back(tx: &mut Transaction<'_>) {
    for back in tx.take_back() {
        for (game, seat, told) in back.told {
            // A broken game is told of elsewhere.
            if tx.writes_to(game, seat) || tx.session(game).is_err() {
                continue;
            }
            let open = tx.game(game);
            let ended = |session: &GameSession| {
                session.table.turn() == Turn::Over && session.table.head() == told
            };
            let place = open.and_then(|session| session.seat(seat));
            let Some((seated, _)) = place else { continue };
            let talk = match missed_talk(tx, game, (seat, seated), back.since) {
                Ok(talk) => talk,
                Err(error) => {
                    tx.broken(game, &error.told());
                    continue;
                }
            };
            if open.is_some_and(ended) && talk.is_empty() {
                continue;
            }
            let mark = format!("b{}", back.digest);
            let letter = missed(tx, game, (seat, told), talk, mark);
            match letter {
                Ok(letter) => tx.write().outgoing.extend(letter),
                Err(error) => tx.broken(game, &error.told()),
            }
            if let Some(session) = tx.game_mut(game) {
                session.told(seat);
            }
        }
    }
}

fn missed(
    tx: &Transaction<'_>,
    game: u32,
    (seat, told): (Seat, u32),
    talk: Vec<ActivityEntry>,
    mark: String,
) -> Result<Option<crate::store::Outgoing>, ClubError> {
    let Some(mut session) = tx.game(game).cloned() else { return Ok(None) };
    if let Some((seated, _)) = session.seats.get_mut(seat.index()) {
        seated.last_seen_seq = told;
    }
    let votes = tx.room(game)?.open_votes;
    // What he was asked may have come back; what he was not asked yet is among his news.
    let asked = votes.iter().filter(|vote| !news::is_yet_to_hear(&session, seat, &vote.what));
    let words = |vote| vote::vote_words(&session, vote, seat, votes.len() > 1);
    let notes: Vec<Message> = asked.map(words).collect();
    let to = ToSeat { talk, notes, ..ToSeat::unasked(seat, Occasion::News, mark) };
    tell::game_letter(tx, &session, to)
}

/// What was said to a seat in a game since its letters came back.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn missed_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &Seated),
    since: Option<DateTime<Utc>>,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(since) = since else { return Ok(Vec::new()) };
    let mut minutes = tx.minutes_before(game)?;
    minutes.retain(|minute| {
        let others = matches!(&minute.what, Happening::Said { from, .. } if *from != seat);
        others && seated.may_read(seat, minute) && minute.at >= since - BEFORE_LOSS
    });
    Ok(minutes)
}
