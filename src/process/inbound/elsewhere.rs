//! A letter with a valid mark of somebody's that comes from an address which is not his: it goes to
//! quarantine, and he is told at his own.
//!
//! It may be he, who has moved, or whose phone sends from another address than the one that we
//! know; or a thief, or a friend who has tapped a button of a letter that was passed on. He is told
//! what he would write in the first case and in the second, once for a letter of his and once a day
//! at most, and whoever wrote the letter is told nothing.

use crate::club::{Member, parse_mailbox};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Admitted, Letter, LetterHash, ReplyAction};
use crate::process::context::ClubResult;
use crate::process::inbound::intake;
use crate::process::outbound::{answers, pending};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{Message, Seat};
use crate::store::{Repository, SeenLetter};

/// What a letter leads to that goes to quarantine for this reason.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn from_elsewhere(
    tx: &Transaction<'_>,
    letter: &Letter,
    why: &Message,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::of(Disposition::Quarantined(why.clone()));
    let Some(sender) = sender(letter) else { return Ok(effect) };
    let Some(Owner { member: owner, word, mark }) = owner(tx, letter, &sender)? else {
        return Ok(effect);
    };
    let is_reached = !owner.has_left() && owner.undeliverable().is_none();
    let (account, told) = (Account::Elsewhere(owner.id), LetterHash::of(mark.as_bytes()));
    if !is_reached
        || owner.addresses.contains(&sender)
        || tx.seen_letter(told.bytes())?.is_some()
        || answers::rate_limit(tx, &account)? != RateLimit::Answer
    {
        return Ok(effect);
    }
    let words = vec![word.with("address", sender.as_str())];
    let digest = letter.digest.and("elsewhere");
    let notice = pending::notice(tx.context, &owner, &Notice::Said(words), None, &digest, None);
    effect.letters.extend(notice.ok().map(|letter| Answer { letter, account, told: None }));
    effect.remembered = Some((told, SeenLetter { at: tx.context.now, game: None, seq: None }));
    Ok(effect)
}

/// The one who says that he wrote a letter, if a person did and could name that address as his.
fn sender(letter: &Letter) -> Option<String> {
    let [sender] = letter.from.as_slice() else { return None };
    let is_named = parse_mailbox(&sender.address).is_some_and(|(_, own)| own == sender.address);
    let is_persons = letter.from_headers == 1 && letter.automatic.is_none();
    (is_named && is_persons).then(|| sender.address.clone())
}

/// Whose mark a letter bears.
struct Owner {
    member: Member,
    /// What he is told.
    word: Message,
    /// By what it is known again that he was told of this mark. That of a letter about a game is
    /// that letter's own; the one of a member is the same in many, and he hears of it once for
    /// each who writes.
    mark: String,
}

/// Whose mark a letter bears that came from here, if the mark is valid.
fn owner(tx: &Transaction<'_>, letter: &Letter, sender: &str) -> ClubResult<Option<Owner>> {
    Ok(match intake::undoubted(tx, letter)? {
        Some(Admitted::Player(position)) => {
            let seats = tx.seats(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            let member = seated.map(|seated| tx.member(seated.member)).transpose()?.flatten();
            let generation = seated.map_or(0, |seated| seated.generation);
            let word = Message::new("elsewhere-game").with("number", position.game);
            member.map(|member| {
                let mark = format!("elsewhere {position} {generation} {}", member.generation);
                Owner { member, word, mark }
            })
        }
        Some(Admitted::Action { action, .. }) => {
            let (id, from) = match action {
                ReplyAction::Member(id) | ReplyAction::Stop { member: id, .. } => (id, sender),
                ReplyAction::Invited { member: id, .. } => (id, ""),
                _ => return Ok(None),
            };
            let word = Message::new("elsewhere-club");
            tx.member(id)?.map(|member| {
                let mark = format!("elsewhere {action} {} {from}", member.generation);
                Owner { member, word, mark }
            })
        }
        _ => None,
    })
}
