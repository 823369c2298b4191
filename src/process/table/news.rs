//! News of votes: who is asked by a letter of its own, and who reads of it in his next one.
//!
//! A proposal is worth a letter to everyone once. Whatever else becomes of it, but that it carries
//! or that its time is over, waits for the next letter that is written to a seat anyway: nobody can
//! fill the others' mailboxes by making and withdrawing proposals.

use crate::club::vote::Vote;
use crate::club::{Intervention, News};
use crate::process::table::vote::{self, ended};
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat};

/// What waits for a seat's next letter, in words.
pub(crate) fn news_words(session: &GameSession, reader: Seat) -> Vec<Message> {
    let news = session.seat(reader).map(|(seated, _)| seated.news.as_slice()).unwrap_or_default();
    let words = |one: &News| match one {
        News::Asked { vote, among_others } => {
            vote::vote_words(session, vote, reader, *among_others)
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
