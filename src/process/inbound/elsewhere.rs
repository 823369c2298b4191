//! A letter with a valid mark of somebody's that comes from an address which is not his: it goes to
//! quarantine, and he is told at his own.
//!
//! It may be he, who has moved, or who has two addresses; or a thief. He is told what he would
//! write in the first case and in the second, and whoever wrote the letter is told nothing.

use crate::club::{Member, address_line};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Admitted, Letter, ReplyAction};
use crate::process::context::ClubError;
use crate::process::inbound::intake;
use crate::process::outbound::budget;
use crate::process::outbound::tell;
use crate::process::session::directory::ClubDirectory;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{Message, Seat};
use crate::store::Repository;

/// What a letter leads to that goes to quarantine for this reason.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn from_elsewhere(
    tx: &Transaction<'_>,
    letter: &Letter,
    why: &Message,
) -> Result<LetterEffect, ClubError> {
    let mut effect = LetterEffect::of(Disposition::Quarantined(why.clone()));
    let Some(sender) = sender(letter) else { return Ok(effect) };
    let Some((owner, word)) = owner(tx, letter)? else { return Ok(effect) };
    let is_reached = !owner.has_left() && owner.undeliverable.is_none();
    let account = Account::Elsewhere(owner.id);
    if !is_reached
        || owner.addresses.contains(&sender)
        || budget::rate_limit(tx, &account)? != RateLimit::Answer
    {
        return Ok(effect);
    }
    let words = vec![word.with("address", sender.as_str())];
    let digest = letter.digest.and("elsewhere");
    let told = tell::notice(tx.context, &owner, &Notice::Said(words), None, &digest, None);
    effect.letters.extend(told.ok().map(|letter| Answer { letter, account, told: None }));
    Ok(effect)
}

/// The one who says that he wrote a letter, if a person did and could name that address as his.
fn sender(letter: &Letter) -> Option<String> {
    let [sender] = letter.from.as_slice() else { return None };
    let is_named = address_line(&format!("address {}", sender.address));
    let is_named = matches!(is_named, Some(Ok(address)) if address == sender.address);
    let is_persons = letter.from_headers == 1 && letter.automatic.is_none();
    (is_named && is_persons).then(|| sender.address.clone())
}

/// Whose mark a letter bears, if that is valid, and what he is told.
fn owner(tx: &Transaction<'_>, letter: &Letter) -> Result<Option<(Member, Message)>, ClubError> {
    let door = intake::authenticator(tx.context);
    Ok(match door.undoubted(letter, &ClubDirectory(tx))? {
        Some(Admitted::Player(position)) => {
            let seats = tx.seats(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            let word = || Message::new("elsewhere-game").with("number", position.game);
            let owner = seated.map(|seated| tx.member(seated.member)).transpose()?.flatten();
            owner.map(|owner| (owner, word()))
        }
        Some(Admitted::Action {
            action:
                ReplyAction::Member(id)
                | ReplyAction::Invited { member: id, .. }
                | ReplyAction::Stop { member: id, .. },
            ..
        }) => tx.member(id)?.map(|owner| (owner, Message::new("elsewhere-club"))),
        _ => None,
    })
}
