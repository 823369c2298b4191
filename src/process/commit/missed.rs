//! Members who can be reached again: they are told now what they missed.

use crate::club::{ActivityEntry, Consequence, Event, Happening, Member, Seated};
use crate::mail::{Letter, LetterHash};
use crate::process::context::ClubError;
use crate::process::outbound::pending::{self, ToSeat};
use crate::process::table::{news, voting};
use crate::process::transaction::{Back, Transaction};
use crate::render::Occasion;
use crate::rules::{Message, Seat, Turn};
use crate::store::{Outgoing, Repository};
use chrono::{DateTime, TimeDelta, Utc};

/// Talk is repeated from this long before the first letter came back, because that letter had it.
const BEFORE_LOSS: TimeDelta = TimeDelta::days(2);

/// Notes that letters reach a member: they have written, or their mailbox has answered by itself,
/// such as with a vacation notice.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn heard_of(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    member: u32,
    has_written: bool,
) -> Result<(), ClubError> {
    let Some(before) = tx.member(member)? else { return Ok(()) };
    let has_answered = before.has_answered || has_written;
    let is_known = before.reach.is_spotless() && before.has_answered == has_answered;
    if is_known || tx.seen_letter(letter.digest.bytes())?.is_some() {
        return Ok(());
    }
    vouch_for(tx, Member { has_answered, ..before }, &letter.digest).map(drop)
}

/// Notes that letters reach a member. If they were undeliverable, letters about all their games
/// follow. Returns the changed member.
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

/// Lets the clock of this game run again for a member who can be reached again, so that the answer
/// to their letter already states their deadline.
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
    let (now, seats) = (tx.context.now, tx.seats_of(member)?);
    if let Some(session) = tx.game_mut(game) {
        let seats = seats.into_iter().filter(|(at, _)| *at == game);
        seats.for_each(|(_, seat)| session.reckon_again(seat, now));
    }
    Ok(())
}

/// Notes that a member is to get letters about all their games, which go back to what each seat
/// knew.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn to_be_written_to(
    tx: &mut Transaction<'_>,
    member: u32,
    digest: &LetterHash,
) -> Result<(), ClubError> {
    let mut told = Vec::new();
    let since = tx.before().member(member)?.and_then(|member| member.undeliverable());
    for (game, seat) in tx.seats_held(member)? {
        let known = tx.seats(game)?.get(seat.index()).map(|seated| seated.last_seen_seq);
        told.extend(known.map(|known| (game, seat, known)));
    }
    tx.welcome(member, Back { digest: digest.to_string(), since, told });
    Ok(())
}

/// Adds what was said to members who can be reached again to the letters that they get anyway.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn catch_up(tx: &mut Transaction<'_>, back: &[Back]) -> Result<(), ClubError> {
    for Back { since, told, .. } in back {
        for (game, seat, _) in told.iter().copied() {
            if !tx.writes_to(game, seat) {
                continue;
            }
            let place = tx.game(game).and_then(|session| session.seat(seat));
            let Some((seated, _)) = place else { continue };
            let missed = missed_talk(tx, game, (seat, seated), *since)?;
            let missed = missed.into_iter().map(|minute| (seat, minute));
            tx.movers_mut(game).talk.splice(0..0, missed);
        }
    }
    Ok(())
}

/// Writes what members who can be reached again have missed, in every game of theirs that leads to
/// no other letter to them.
pub(crate) fn welcome_back(tx: &mut Transaction<'_>, back: Vec<Back>) {
    for Back { digest, since, told } in back {
        for (game, seat, told) in told {
            // The moderator hears of a broken game elsewhere.
            if tx.writes_to(game, seat) || tx.session(game).is_err() {
                continue;
            }
            match missed(tx, (game, seat, told), since, format!("b{digest}")) {
                Ok(None) => {}
                Ok(Some(letter)) => {
                    tx.write().outgoing.push(letter);
                    tx.game_mut(game).into_iter().for_each(|session| session.told(seat));
                }
                Err(error) => tx.broken(game, &error.told()),
            }
        }
    }
}

/// Makes a letter of what a seat has missed since the record `told`; `None` if there is nothing.
fn missed(
    tx: &Transaction<'_>,
    (game, seat, told): (u32, Seat, u32),
    since: Option<DateTime<Utc>>,
    mark: String,
) -> Result<Option<Outgoing>, ClubError> {
    let Some(mut session) = tx.game(game).cloned() else { return Ok(None) };
    let Some((seated, _)) = session.seats.get_mut(seat.index()) else { return Ok(None) };
    seated.last_seen_seq = told;
    let talk = missed_talk(tx, game, (seat, seated), since)?;
    let has_ended = session.table.turn() == Turn::Over && session.table.head() == told;
    if has_ended && talk.is_empty() {
        return Ok(None);
    }
    let votes = tx.room(game)?.open_votes;
    // A vote that was asked may have come back; one that was not asked yet is among the news.
    let asked = votes.iter().filter(|vote| !news::is_yet_to_hear(&session, seat, &vote.what));
    let words = |vote| voting::vote_words(&session, vote, seat, votes.len() > 1);
    let notes: Vec<Message> = asked.map(words).collect();
    let to = ToSeat { talk, notes, ..ToSeat::unasked(seat, Occasion::News, mark) };
    pending::game_letter(tx, &session, to)
}

/// Returns what was said to a seat in a game since its letters came back.
///
/// # Errors
/// When the club cannot be read.
fn missed_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &Seated),
    since: Option<DateTime<Utc>>,
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(since) = since else { return Ok(Vec::new()) };
    let mut minutes = tx.before().minutes(game)?;
    minutes.retain(|minute| {
        let others = matches!(&minute.what, Happening::Said { from, .. } if *from != seat);
        others && seated.may_read(seat, minute) && minute.at >= since - BEFORE_LOSS
    });
    Ok(minutes)
}
