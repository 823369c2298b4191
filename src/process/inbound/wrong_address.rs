//! A letter with a valid mark of somebody's that comes from an address which is not his: it goes to
//! quarantine, and he is told at his own.
//!
//! It may be he, who has moved, or whose phone sends from another address than the one that we
//! know; or a thief, or a friend who has tapped a button of a letter that was passed on. He is told
//! what he would write in the first case and in the second, once for a letter of his and once a day
//! at most, and whoever wrote the letter is told nothing.

use crate::club::{Member, parse_mailbox};
use crate::mail::rate_limit::RateDecision;
use crate::mail::{AdmissionVerdict, Letter, LetterHash, ReplyAction};
use crate::process::context::ClubResult;
use crate::process::inbound::intake;
use crate::process::outbound::{answers, pending};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::rate_account::RateAccount;
use crate::render::Notice;
use crate::rules::{Message, Seat};
use crate::store::{Repository, SeenLetter};

/// What a letter leads to that goes to quarantine for this reason.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn warn_token_owner(
    tx: &Transaction<'_>,
    letter: &Letter,
    why: &Message,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::with_disposition(Disposition::Quarantined(why.clone()));
    let Some(sender) = personal_sender(letter) else { return Ok(effect) };
    let Some(TokenOwner { member: owner, warning: word, warning_key: mark }) =
        find_owner_to_warn(tx, letter, &sender)?
    else {
        return Ok(effect);
    };
    let is_reached = !owner.has_left() && owner.undeliverable_since().is_none();
    let (account, told) =
        (RateAccount::TokenFromElsewhere(owner.id), LetterHash::compute(mark.as_bytes()));
    if !is_reached
        || owner.addresses.contains(&sender)
        || tx.seen_letter(told.as_bytes())?.is_some()
        || answers::check_rate_limit(tx, &account)? != RateDecision::Answer
    {
        return Ok(effect);
    }
    let words = vec![word.with("address", sender.as_str())];
    let digest = letter.digest.derive_for("elsewhere");
    let notice =
        pending::make_notice(tx.context, &owner, &Notice::Said(words), None, &digest, None);
    effect.other_letters.extend(notice.ok().map(|letter| Answer {
        letter,
        account,
        updated_seat: None,
    }));
    effect.seen_letter = Some((told, SeenLetter { at: tx.context.now, game: None, seq: None }));
    Ok(effect)
}

/// The one who says that he wrote a letter, if a person did and could name that address as his.
fn personal_sender(letter: &Letter) -> Option<String> {
    let [sender] = letter.from.as_slice() else { return None };
    let is_named = parse_mailbox(&sender.address).is_some_and(|(_, own)| own == sender.address);
    let is_persons = letter.from_headers == 1 && letter.automatic.is_none();
    (is_named && is_persons).then(|| sender.address.clone())
}

/// Whose mark a letter bears.
struct TokenOwner {
    member: Member,
    /// What he is told.
    warning: Message,
    /// By what it is known again that he was told of this mark. That of a letter about a game is
    /// that letter's own; the one of a member is the same in many, and he hears of it once for
    /// each who writes.
    warning_key: String,
}

/// Whose mark a letter bears that came from here, if the mark is valid.
fn find_owner_to_warn(
    tx: &Transaction<'_>,
    letter: &Letter,
    sender: &str,
) -> ClubResult<Option<TokenOwner>> {
    Ok(match intake::resolve_reply_token(tx, letter)? {
        Some(AdmissionVerdict::Player(position)) => {
            let seats = tx.seats(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            let member = seated.map(|seated| tx.member(seated.member)).transpose()?.flatten();
            let generation = seated.map_or(0, |seated| seated.token_generation);
            let word = Message::new("elsewhere-game").with("number", position.game);
            member.map(|member| {
                let mark = format!("elsewhere {position} {generation} {}", member.token_generation);
                TokenOwner { member, warning: word, warning_key: mark }
            })
        }
        Some(AdmissionVerdict::Action { action, .. }) => {
            let (id, from) = match action {
                ReplyAction::SpeakAsMember(id) | ReplyAction::Unsubscribe { member: id, .. } => {
                    (id, sender)
                }
                ReplyAction::AcceptInvitation { member: id, .. } => (id, ""),
                _ => return Ok(None),
            };
            let word = Message::new("elsewhere-club");
            tx.member(id)?.map(|member| {
                let mark = format!("elsewhere {action} {} {from}", member.token_generation);
                TokenOwner { member, warning: word, warning_key: mark }
            })
        }
        _ => None,
    })
}
