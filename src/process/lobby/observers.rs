//! Members who start or stop observing a game.

use crate::club::Member;
use crate::mail::LetterHash;
use crate::mail::rate_limit::RateDecision;
use crate::process::commit;
use crate::process::lobby::proposals::{self, Messages};
use crate::process::outbound::answers;
use crate::process::request_error::{RequestError, refuse_if};
use crate::process::transaction::Transaction;
use crate::process::transaction::rate_account::RateAccount;
use crate::rules::Message;

/// The most observers of one game.
const OBSERVERS_PER_GAME_MAX: usize = 50;

/// Makes a member an observer of a game. The member gets a letter with the position now, and one
/// after each move.
pub(crate) fn add_observer(
    tx: &mut Transaction<'_>,
    digest: &LetterHash,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    let room = proposals::open_visible_game(tx, member, game)?;
    let sits = tx.opened_game(game).is_some_and(|session| session.has_member(member.id));
    let refused = match &room.proposal {
        _ if sits => Some("watch-plays"),
        _ if room.observers.contains(&member.id) => Some("watch-already"),
        _ if room.observers.len() >= OBSERVERS_PER_GAME_MAX => Some("watch-many"),
        _ => None,
    };
    if let Some(key) = refused {
        return Err(RequestError::Refused(Message::new(key).with("number", game)));
    }
    tx.game_info_mut(game)?.observers.push(member.id);
    let words = vec![Message::new("watching").with("number", game)];
    // If the game has moved in this transaction, the letter about that move shows the position to
    // the new observer.
    if let Some(session) = tx.opened_game(game)
        && !session.has_new_records()
    {
        let mark = digest.derive_for_caused_letter("watch");
        let minutes = commit::load_public_talk(tx, session, 0)?;
        let shown = commit::make_observer_letter(tx.context, session, member, (0, &minutes), &mark);
        let account = RateAccount::Answers(member.id);
        if answers::decide_answer_within_limit(tx, &account)? == RateDecision::Answer
            && let Some(shown) = shown
        {
            tx.queue_letter(shown, &account);
        }
    }
    Ok(words)
}

pub(crate) fn remove_observer(
    tx: &mut Transaction<'_>,
    member: &Member,
    game: u32,
) -> Result<Messages, RequestError> {
    let observers = &mut tx.game_info_mut(game)?.observers;
    refuse_if(!observers.contains(&member.id), || Message::new("watch-not").with("number", game))?;
    observers.retain(|other| *other != member.id);
    Ok(vec![Message::new("watched").with("number", game)])
}
