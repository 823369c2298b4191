//! What seats are told beside the game itself: what players say, and news of votes.

use crate::club::press::{Press, Talk};
use crate::club::vote::Vote;
use crate::club::{ActivityEntry, Happening, Intervention, News};
use crate::mail::rate_limit::DAY;
use crate::mail::{addresses_in, holds_mark};
use crate::process::blame::Blame;
use crate::process::table::voting::{self, ended};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Transaction, talk_counter};
use crate::rules::{Message, Refusal, Seat};
use crate::store::Repository;
use crate::table::{OrderLine, Refused};
use chrono::{DateTime, Utc};

/// What waits for a seat's next letter, in words.
pub(crate) fn news_words(session: &GameSession, reader: Seat) -> Vec<Message> {
    let news = session.seat(reader).map(|(seated, _)| seated.news.as_slice()).unwrap_or_default();
    let words = |one: &News| match one {
        News::Asked { vote, among_others } => {
            voting::vote_words(session, vote, reader, *among_others)
        }
        News::Fell { what, yes, no } => {
            ended(session, what, (yes, no), Message::new("vote-failed"))
        }
    };
    news.iter().map(words).collect()
}

/// Takes over what waits for each seat's next letter.
pub(crate) fn take_news_of(session: &mut GameSession, other: &GameSession) {
    for ((seated, _), (now, _)) in session.seats.iter_mut().zip(&other.seats) {
        seated.news.clone_from(&now.news);
    }
}

/// Whether a seat is asked for its answer to this by its next letter.
pub(crate) fn is_yet_to_hear(session: &GameSession, seat: Seat, what: &Intervention) -> bool {
    let asks = |one: &News| matches!(one, News::Asked { vote, .. } if vote.what == *what);
    session.seat(seat).is_some_and(|(seated, _)| seated.news.iter().any(asks))
}

/// Keeps news for a seat's next letter.
fn keep_news(tx: &mut Transaction<'_>, game: u32, seat: Seat, news: News) {
    tx.movers_mut(game);
    let place = tx.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
    if let Some((seated, _)) = place.filter(|(seated, _)| !seated.left) {
        news.join(&mut seated.news);
    }
}

/// Asks a seat for its answer to a vote: at once, or by its next letter.
pub(crate) fn ask(tx: &mut Transaction<'_>, game: u32, seat: Seat, at_once: bool, asked: News) {
    keep_news(tx, game, seat, asked);
    if at_once {
        tx.movers_mut(game).asked.insert(seat);
    }
}

/// Takes back that a seat is asked for its answer to a vote; whether it was still to be told.
pub(crate) fn unask(tx: &mut Transaction<'_>, game: u32, seat: Seat, what: &Intervention) -> bool {
    let place = tx.game_mut(game).and_then(|game| game.seats.get_mut(seat.index()));
    let Some((seated, _)) = place else { return false };
    let taken_back = News::unask(&mut seated.news, what);
    let is_asked = seated.news.iter().any(|one| matches!(one, News::Asked { .. }));
    if let Some(movers) = tx.movers_known(game)
        && !is_asked
    {
        movers.asked.remove(&seat);
    }
    taken_back
}

/// Lets all know by their next letters that a vote has come to nothing, who knew of it; `but`
/// is told in here already.
pub(crate) fn tell_of_fall(tx: &mut Transaction<'_>, game: u32, vote: &Vote, but: Option<Seat>) {
    let seats: Vec<Seat> = tx.game(game).into_iter().flat_map(GameSession::all_seats).collect();
    for seat in seats.into_iter().filter(|seat| Some(*seat) != but) {
        if !unask(tx, game, seat, &vote.what) {
            let Vote { what, yes, no, .. } = vote.clone();
            keep_news(tx, game, seat, News::Fell { what, yes, no });
        }
    }
}

/// What was said, with a mark on what was said by those who sit there no more.
pub(crate) fn by_former(session: &GameSession, mut said: Vec<ActivityEntry>) -> Vec<ActivityEntry> {
    for ActivityEntry { at, what } in &mut said {
        if let Happening::Said { from, former, .. } = what {
            *former = session.seat(*from).is_some_and(|(seated, _)| !seated.sat_at(*at));
        }
    }
    said
}

/// What a seat says, as it goes into the minutes.
///
/// # Errors
/// When the club cannot be read; the line that may not be said, and why.
pub(crate) fn said(
    tx: &Transaction<'_>,
    game: u32,
    seat: Seat,
    talk: &Talk,
) -> Result<Vec<ActivityEntry>, Blame<Refused>> {
    if talk.is_empty() {
        return Ok(Vec::new());
    }
    let terms = tx.room(game)?.press_terms();
    let since = tx.context.now.timestamp() - DAY;
    let letters = tx.count_since(&talk_counter(game, seat), since)?;
    if let Err(wrong) = talk.check(terms, letters) {
        let line = Some(OrderLine::new(wrong.number, wrong.line));
        return Err(Blame::Theirs(Refused { line, refusal: Refusal::illegal(wrong.why) }));
    }
    let written = tx.received.map_or(tx.context.now, |received| received.min(tx.context.now));
    let session = tx.game(game);
    if let Some(refused) = session.and_then(|session| to_nobody(session, talk, written)) {
        return Err(Blame::Theirs(refused));
    }
    let minute = |press: &Press| ActivityEntry {
        at: tx.context.now,
        what: Happening::Said {
            from: seat,
            to: press.to.clone(),
            anonymous: press.anonymous,
            text: press.text.clone(),
            former: false,
        },
    };
    Ok(talk.press.iter().map(minute).collect())
}

/// Whether a text holds what is nobody else's business. Which addresses are members' is not asked:
/// the answer would tell it to whoever tries some.
pub(crate) fn is_private(text: &str) -> bool {
    holds_mark(text) || !addresses_in(text).is_empty()
}

/// What a game's first letters say of what may be said in it; nothing of the usual terms.
pub(crate) fn terms_notes(words: &[Message], seats: u8) -> Vec<(Seat, Message)> {
    let to = |seat| words.iter().map(move |word| (seat, word.clone()));
    Seat::all(seats).flat_map(to).collect()
}

/// Why something cannot be told: nobody sits on the seat, and who comes there must not read it; or
/// somebody else came there after it was written.
fn to_nobody(session: &GameSession, talk: &Talk, written: DateTime<Utc>) -> Option<Refused> {
    let why = |seat: &Seat| {
        let (seated, member) = session.seat(*seat)?;
        let key = match seated.since {
            _ if seated.left || member.has_left() => "talk-seat-open",
            Some(since) if since >= written => "talk-seat-new",
            _ => return None,
        };
        Some(Message::new(key).with("who", *seat))
    };
    talk.press.iter().find_map(|press| {
        let why = press.to.iter().find_map(why)?;
        let line = Some(OrderLine::new(press.number, press.line.clone()));
        Some(Refused { line, refusal: Refusal::illegal(why) })
    })
}

/// Adds to a refusal, when its line stands where a paragraph of press went on for its writer, how
/// to say more than one line.
pub(crate) fn explained(mut refused: Refused, talk: &Talk) -> Refused {
    let ended = |line: &OrderLine| talk.ended_by.contains(&line.number);
    if refused.line.as_ref().is_some_and(ended) {
        refused.refusal.instead.push(Message::new("talk-ended-here"));
    }
    refused
}
