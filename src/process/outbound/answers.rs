//! Letters back to who wrote one, as far as good manners go.
//!
//! Knows nothing of what is answered.

use crate::club::talk::Reads;
use crate::club::{Member, ReadLine, Request, house_line};
use crate::mail::manners::{DAY, Manners};
use crate::mail::{Digest, Errand, Letter};
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::budget;
use crate::process::outbound::tell;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::outcome::{Answer, Fate, Outcome};
use crate::report::Notice;
use crate::rules::{Arg, Message};
use crate::store::{Repository, SeenLetter};
use chrono::{DateTime, Utc};

/// An answer to a letter in the name of a member that does not prove to be his.
pub(crate) fn to_named(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    notice: impl Fn(&Member) -> Result<Notice, OfficeError>,
) -> Result<Outcome, OfficeError> {
    match tx.member_by_address(address)? {
        Some(member) => {
            let account = Account::InNameOf(member.id);
            charged(tx, letter, &member, account, notice)
        }
        None => Ok(unanswered(tx.office, letter)),
    }
}

/// An answer to a member's letter, as far as there is something left on this account.
pub(crate) fn charged(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    account: Account,
    notice: impl Fn(&Member) -> Result<Notice, OfficeError>,
) -> Result<Outcome, OfficeError> {
    let mut outcome = unanswered(tx.office, letter);
    let notice = match budget::manners(tx, &account)? {
        Manners::Answer => notice(member)?,
        Manners::LastWord => account.last_word(),
        Manners::Silence => return Ok(outcome),
    };
    let answer = |letter| Answer { letter, account, told: None };
    outcome.answer = notice_to(tx.office, member, &notice, letter).map(answer);
    Ok(outcome)
}

/// A letter that is known again, and no more.
pub(crate) fn unanswered(office: &Office, letter: &Letter) -> Outcome {
    let mut outcome = Outcome::of(Fate::Done);
    outcome.remembered = Some(remembered(office, letter, None, None));
    outcome
}

/// A notice; none when the address that asks for it is one that no letter can go to.
pub(crate) fn notice_to(
    office: &Office,
    to: &Member,
    notice: &Notice,
    letter: &Letter,
) -> Option<crate::store::Outgoing> {
    tell::notice(office, to, notice, None, &letter.digest, letter.message_id.as_ref()).ok()
}

pub(crate) fn remembered(
    office: &Office,
    letter: &Letter,
    game: Option<u32>,
    seq: Option<u32>,
) -> (Digest, SeenLetter) {
    (letter.digest, SeenLetter { at: office.now, game, seq })
}

/// A letter back to a reader who answered one of ours at this address, whether he is a member
/// or not.
pub(crate) fn to_anybody(
    tx: &Transaction<'_>,
    letter: &Letter,
    to: &Member,
    notice: &Notice,
    errand: Option<Errand>,
) -> Result<Outcome, OfficeError> {
    let address = to.addresses.first().map(String::as_str).unwrap_or_default();
    if let Some(member) = tx.member_by_address(address)? {
        return to_known(tx, letter, &member, notice);
    }
    let mut outcome = Outcome::of(Fate::Done);
    outcome.remembered = Some(remembered(tx.office, letter, None, None));
    let account = Account::confirming(address);
    if budget::manners(tx, &account)? == Manners::Answer {
        let answers = letter.message_id.as_ref();
        let letter = tell::notice(tx.office, to, notice, errand, &letter.digest, answers);
        outcome.answer = letter.ok().map(|letter| Answer { letter, account, told: None });
    }
    Ok(outcome)
}

/// A letter back to a member whose letter proves to be his, as far as good manners go.
pub(crate) fn to_known(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<Outcome, OfficeError> {
    charged(tx, letter, member, Account::Answers(member.id), |_| Ok(notice.clone()))
}

/// The same of a letter that is refused: who orders something hears what became of it, however
/// much else he asked.
pub(crate) fn refuse(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &Request,
    notice: &Notice,
) -> Result<Outcome, OfficeError> {
    let ordered = |line: &ReadLine| house_line(&line.order.text) != Reads::Prose;
    let ordered = request.lines.iter().any(ordered);
    let account = Account::back_to(member.id, ordered);
    charged(tx, letter, member, account, |_| Ok(notice.clone()))
}

/// A sentence that asks for consent, or for a name, in the words of its language.
pub(crate) fn asking(key: &'static str) -> Message {
    Message::new(key).with("yes", Arg::Term("consent-yes")).with("as", Arg::Term("consent-name"))
}

/// Days since 1970.
pub(crate) fn day(now: DateTime<Utc>) -> u32 {
    u32::try_from(now.timestamp().div_euclid(DAY)).unwrap_or(0)
}
