//! Letters back to who wrote one, as far as rate limits allow.
//!
//! Knows nothing of what is answered.

use crate::club::talk::Reads;
use crate::club::{Member, ReadLine, Request, house_line};
use crate::mail::rate_limit::{DAY, RateLimit};
use crate::mail::{Letter, LetterHash, ReplyAction};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::budget;
use crate::process::outbound::idle;
use crate::process::outbound::tell;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{Arg, Message};
use crate::store::{Repository, SeenLetter};
use chrono::{DateTime, Utc};

/// An answer to a letter in the name of a member that does not prove to be his.
pub(crate) fn to_named(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    notice: impl Fn(&Member) -> Result<Notice, ClubError>,
) -> Result<LetterEffect, ClubError> {
    match tx.member_by_address(address)? {
        Some(member) => {
            let account = Account::InNameOf(member.id);
            charged(tx, letter, &member, account, notice)
        }
        None => Ok(unanswered(tx.context, letter)),
    }
}

/// An answer to a member's letter, as far as there is something left on this account.
pub(crate) fn charged(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    account: Account,
    notice: impl Fn(&Member) -> Result<Notice, ClubError>,
) -> Result<LetterEffect, ClubError> {
    let mut effect = unanswered(tx.context, letter);
    let notice = match budget::rate_limit(tx, &account)? {
        RateLimit::Answer => notice(member)?,
        RateLimit::LastWord => account.last_word(),
        RateLimit::Silence => return Ok(effect),
    };
    let answer = |letter| Answer { letter, account, told: None };
    effect.answer = notice_to(tx.context, member, &notice, letter).map(answer);
    Ok(effect)
}

/// A letter that is known again, and no more.
pub(crate) fn unanswered(context: &Context, letter: &Letter) -> LetterEffect {
    let mut effect = LetterEffect::of(Disposition::Done);
    effect.remembered = Some(remembered(context, letter, None, None));
    effect
}

/// A notice; none when the address that asks for it is one that no letter can go to.
pub(crate) fn notice_to(
    context: &Context,
    to: &Member,
    notice: &Notice,
    letter: &Letter,
) -> Option<crate::store::Outgoing> {
    tell::notice(context, to, notice, None, &letter.digest, letter.message_id.as_ref()).ok()
}

pub(crate) fn remembered(
    context: &Context,
    letter: &Letter,
    game: Option<u32>,
    seq: Option<u32>,
) -> (LetterHash, SeenLetter) {
    (letter.digest, SeenLetter { at: context.now, game, seq })
}

/// A letter back to a reader who answered one of ours at this address in vain, whether the reader
/// is a member or not.
pub(crate) fn to_anybody(
    tx: &Transaction<'_>,
    letter: &Letter,
    to: &Member,
    notice: &Notice,
    action: Option<ReplyAction>,
) -> Result<LetterEffect, ClubError> {
    let address = to.addresses.first().map(String::as_str).unwrap_or_default();
    if let Some(member) = tx.member_by_address(address)? {
        return to_idle(tx, letter, &member, notice);
    }
    let account = Account::confirming(address);
    if_left(tx, letter, (to, account), || Ok((notice.clone(), action)))
}

/// A letter back to a reader, to be answered with this reply action, if something is left on this
/// account.
pub(crate) fn if_left(
    tx: &Transaction<'_>,
    letter: &Letter,
    (to, account): (&Member, Account),
    says: impl FnOnce() -> Result<(Notice, Option<ReplyAction>), ClubError>,
) -> Result<LetterEffect, ClubError> {
    let mut effect = unanswered(tx.context, letter);
    if budget::rate_limit(tx, &account)? == RateLimit::Answer {
        let (notice, action) = says()?;
        let answers = letter.message_id.as_ref();
        let told = tell::notice(tx.context, to, &notice, action, &letter.digest, answers);
        effect.answer = told.ok().map(|letter| Answer { letter, account, told: None });
    }
    Ok(effect)
}

/// A letter back to a member whose letter proves to be his, as far as rate limits allow.
pub(crate) fn to_known(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    charged(tx, letter, member, Account::Answers(member.id), |_| Ok(notice.clone()))
}

/// An answer to a member's letter in which nothing was found to do.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn to_idle(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    let account = idle::members_account(tx, member.id)?;
    let mut effect = charged(tx, letter, member, account, |_| Ok(notice.clone()))?;
    effect.idle = true;
    Ok(effect)
}

/// An answer to a member's letter that is refused. If something was ordered in it, the member hears
/// what became of it, however many other letters were answered.
pub(crate) fn refuse(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &Request,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    let ordered = |line: &ReadLine| house_line(line.order.meant()) != Reads::Prose;
    if !request.lines.iter().any(ordered) {
        return to_idle(tx, letter, member, notice);
    }
    charged(tx, letter, member, Account::Refusals(member.id), |_| Ok(notice.clone()))
}

/// A sentence that asks for consent, or for a name, in the words of its language.
pub(crate) fn asking(key: &'static str) -> Message {
    Message::new(key).with("yes", Arg::Term("consent-yes")).with("as", Arg::Term("consent-name"))
}

/// A letter that asks for consent: the word is all that its answer need hold.
pub(crate) fn consenting(words: Vec<Message>) -> Notice {
    Notice::Offering { words, lines: vec![Arg::Term("consent-yes")] }
}

/// Days since 1970.
pub(crate) fn day(now: DateTime<Utc>) -> u32 {
    u32::try_from(now.timestamp().div_euclid(DAY)).unwrap_or(0)
}
