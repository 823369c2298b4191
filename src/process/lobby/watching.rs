//! Members who would watch a game, and who would watch it no more.

use crate::club::Member;
use crate::mail::LetterHash;
use crate::mail::rate_limit::RateLimit;
use crate::process::blame::{Blame, refuse_if};
use crate::process::commit;
use crate::process::lobby::forming::{self, Words};
use crate::process::outbound::answers;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::rules::Message;

/// How many watch one game at most.
const OBSERVERS_MAX: usize = 50;

/// Lets a member watch a game: he gets the position at once, and a letter each time it moved.
pub(crate) fn watch(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    member: &Member,
    game: u32,
) -> Result<Words, Blame> {
    let room = forming::known_game(tx, member, game)?;
    let sits = tx.game(game).is_some_and(|session| session.seats_member(member.id));
    let refused = match &room.proposal {
        _ if sits => Some("watch-plays"),
        _ if room.observers.contains(&member.id) => Some("watch-already"),
        _ if room.observers.len() >= OBSERVERS_MAX => Some("watch-many"),
        _ => None,
    };
    if let Some(key) = refused {
        return Err(Blame::Theirs(Message::new(key).with("number", game)));
    }
    tx.room_mut(game)?.observers.push(member.id);
    let words = vec![Message::new("watching").with("number", game)];
    // What it looks like now; a game that moves in here is told of by its own letter.
    if let Some(session) = tx.game(game)
        && !session.has_moved()
    {
        let mark = digest.and("watch");
        let minutes = commit::said_to_all(tx, session, 0)?;
        let shown = commit::public_letter(tx.context, session, member, (0, &minutes), &mark);
        let account = Account::Answers(member.id);
        if answers::rate_limit(tx, &account)? == RateLimit::Answer
            && let Some(shown) = shown
        {
            tx.post(shown, &account);
        }
    }
    Ok(words)
}

pub(crate) fn unwatch(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Words, Blame> {
    let observers = &mut tx.room_mut(game)?.observers;
    refuse_if(!observers.contains(&member.id), || Message::new("watch-not").with("number", game))?;
    observers.retain(|other| *other != member.id);
    Ok(vec![Message::new("watched").with("number", game)])
}
