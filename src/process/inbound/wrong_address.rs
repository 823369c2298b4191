//! A letter with a valid reply token that comes from an address which does not belong to the
//! token's owner. It goes to quarantine, and the owner gets a warning at their own address.
//!
//! The sender may be the owner with a new address, or a thief, or a friend who tapped a button in a
//! forwarded letter. The warning says what to do in each case. It is sent once per letter of the
//! owner and at most once a day. The sender gets no answer.

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

/// Returns the effect of a letter that goes to quarantine for this reason, with a warning to the
/// token's owner if one is due.
pub(crate) fn warn_token_owner(
    tx: &Transaction<'_>,
    letter: &Letter,
    why: &Message,
) -> ClubResult<LetterEffect> {
    let mut effect = LetterEffect::with_disposition(Disposition::Quarantined(why.clone()));
    let Some(sender) = find_human_sender(letter) else { return Ok(effect) };
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
        || tx.letter_outcome(told.as_bytes())?.is_some()
        || answers::decide_answer_within_limit(tx, &account)? != RateDecision::Answer
    {
        return Ok(effect);
    }
    let words = vec![word.with("address", sender.as_str())];
    let digest = letter.hash.derive_for_caused_letter("elsewhere");
    let notice =
        pending::make_notice_letter(tx.context, &owner, &Notice::Said(words), None, &digest, None);
    effect.other_letters.extend(notice.ok().map(|letter| Answer {
        letter,
        account,
        updated_seat: None,
    }));
    effect.seen_letter = Some((told, SeenLetter::mark(tx.context.now)));
    Ok(effect)
}

/// Returns the sender's address, unless a program wrote the letter or the address could not be
/// added to a member.
fn find_human_sender(letter: &Letter) -> Option<String> {
    let [sender] = letter.from.as_slice() else { return None };
    let is_named = parse_mailbox(&sender.address).is_some_and(|(_, own)| own == sender.address);
    let is_persons = letter.from_headers == 1 && letter.automatic.is_none();
    (is_named && is_persons).then(|| sender.address.clone())
}

struct TokenOwner {
    member: Member,
    warning: Message,
    /// The key under which the store remembers this warning. A seat's token belongs to one letter,
    /// so there is one warning per token. A member's token is in many letters, so there is one
    /// warning per token and sender.
    warning_key: String,
}

/// Returns the owner of the letter's reply token and the warning to them, or `None` if the token is
/// invalid.
fn find_owner_to_warn(
    tx: &Transaction<'_>,
    letter: &Letter,
    sender: &str,
) -> ClubResult<Option<TokenOwner>> {
    Ok(match intake::resolve_reply_token(tx, letter)? {
        Some(AdmissionVerdict::Player(position)) => {
            let seats = tx.seat_assignments(position.game)?;
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
