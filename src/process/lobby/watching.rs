//! Members who would watch a game, and who would watch it no more.

use crate::club::Member;
use crate::mail::Digest;
use crate::mail::manners::Manners;
use crate::process::blame::Blame;
use crate::process::lobby::forming::{self, Words};
use crate::process::outbound::budget;
use crate::process::outbound::observers::{self, New};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::rules::Message;

/// How many watch one game at most.
const OBSERVERS_MAX: usize = 50;

/// Lets a member watch a game: he gets the position at once, and a letter each time it moved.
pub(crate) fn watch(
    tx: &mut Transaction<'_>,
    digest: &Digest,
    member: &Member,
    game: u32,
) -> Result<Words, Blame> {
    let gathering = forming::known_game(tx, member, game)?;
    let sits = tx.game(game).is_some_and(|playing| playing.seats_member(member.id));
    let refused = match &gathering.proposal {
        _ if sits => Some("watch-plays"),
        _ if gathering.observers.contains(&member.id) => Some("watch-already"),
        _ if gathering.observers.len() >= OBSERVERS_MAX => Some("watch-many"),
        _ => None,
    };
    if let Some(key) = refused {
        return Err(Blame::Theirs(Message::new(key).with("number", game)));
    }
    tx.gathering_mut(game)?.observers.push(member.id);
    let words = vec![Message::new("watching").with("number", game)];
    // What it looks like now; a game that moves in here is told of by its own letter.
    if let Some(playing) = tx.game(game)
        && !playing.has_moved()
    {
        let mark = digest.and("watch");
        let minutes = observers::said_to_all(tx, playing, 0)?;
        let new = New { told: 0, minutes: &minutes };
        let shown = observers::public_letter(tx.office, playing, member, new, &mark);
        let account = Account::Answers(member.id);
        if budget::manners(tx, &account)? == Manners::Answer
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
    let observers = &mut tx.gathering_mut(game)?.observers;
    if !observers.contains(&member.id) {
        return Err(Blame::Theirs(Message::new("watch-not").with("number", game)));
    }
    observers.retain(|other| *other != member.id);
    Ok(vec![Message::new("watched").with("number", game)])
}
