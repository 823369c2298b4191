//! Answers to the writer of a letter, as far as rate limits allow, and the language of an answer to
//! somebody who is no member. Knows nothing of what is answered.
//!
//! An idle letter is one in which the club finds nothing to do: no order, no command, nothing to
//! say to others. A program that answers letters and sets no header writes such letters without
//! end. After five of them in a row, the club answers one a day until it finds something to do.

use super::pending;
use crate::club::press::Reads;
use crate::club::{Lexicons, Member, ReadLine, Request, house_line};
use crate::mail::rate_limit::{DAY, RateLimit};
use crate::mail::{Admitted, Letter, LetterHash, ReplyAction, written};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::{Account, Sender};
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::render::{Library, Notice};
use crate::rules::{Arg, Message, Seat};
use crate::store::{Class, Outgoing, Repository, SeenLetter};
use chrono::{DateTime, Utc};

/// The number of idle letters in a row that are answered like others.
pub(crate) const IDLE_LETTERS: u32 = 5;
/// Idle letters of a moderator who is no member are counted for 30 days.
const REMEMBERED: i64 = 30 * DAY;
/// The moderator's idle letters, and those that ended a row of them, as the store counts them.
const MODERATORS: &str = "moderator_idle";
const ENDED: &str = "moderator_busy";
/// The least number of a writer's own words that tell their language beside what they quote.
const TELLING_MIN: usize = 3;
/// The most characters of a letter that are searched for its language.
const LOOKED_AT: usize = 8_000;

/// Answers a letter in the name of a member that does not prove to be theirs.
pub(crate) fn to_named(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    notice: impl Fn(&Member) -> Result<Notice, ClubError>,
) -> Result<LetterEffect, ClubError> {
    let Some(member) = tx.member_by_address(address)? else {
        return Ok(unanswered(tx.context, letter));
    };
    let account = Account::InNameOf(member.id);
    if_left(tx, letter, (&member, account), || Ok((notice(&member)?, None)))
}

/// Returns the effect of a letter that is remembered and has no other effect.
pub(crate) fn unanswered(context: &Context, letter: &Letter) -> LetterEffect {
    let mut effect = LetterEffect::of(Disposition::Done);
    effect.remembered = Some(remembered(context, letter, None, None));
    effect
}

/// Makes a notice that answers this letter; `None` if no letter can go to the address.
pub(crate) fn notice_to(
    context: &Context,
    to: &Member,
    notice: &Notice,
    letter: &Letter,
) -> Option<Outgoing> {
    pending::notice(context, to, notice, None, &letter.digest, letter.message_id.as_ref()).ok()
}

pub(crate) fn remembered(
    context: &Context,
    letter: &Letter,
    game: Option<u32>,
    seq: Option<u32>,
) -> (LetterHash, SeenLetter) {
    (letter.digest, SeenLetter { at: context.now, game, seq })
}

/// Answers a reader, member or not, who answered a letter to this address in vain.
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

/// Answers a reader, if anything is left on this account: says what `says` returns, and a reply to
/// that does the action. The first letter beyond the limit may be told that there is nothing left.
pub(crate) fn if_left(
    tx: &Transaction<'_>,
    letter: &Letter,
    (to, account): (&Member, Account),
    says: impl FnOnce() -> Result<(Notice, Option<ReplyAction>), ClubError>,
) -> Result<LetterEffect, ClubError> {
    let mut effect = unanswered(tx.context, letter);
    let (notice, action) = match rate_limit(tx, &account)? {
        RateLimit::Answer => says()?,
        RateLimit::LastWord => (account.last_word(), None),
        RateLimit::Silence => return Ok(effect),
    };
    let answers = letter.message_id.as_ref();
    let told = pending::notice(tx.context, to, &notice, action, &letter.digest, answers);
    effect.answer = told.ok().map(|letter| Answer { letter, account, told: None });
    Ok(effect)
}

/// Answers a letter that proves to be a member's.
pub(crate) fn to_known(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    if_left(tx, letter, (member, Account::Answers(member.id)), || Ok((notice.clone(), None)))
}

/// Answers a member's idle letter.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn to_idle(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    let account = members_account(tx, member.id)?;
    let mut effect = if_left(tx, letter, (member, account), || Ok((notice.clone(), None)))?;
    effect.idle = true;
    Ok(effect)
}

/// Answers a member's letter that is refused. If it has an order, the member hears what became of
/// it, however many other letters were answered.
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
    if_left(tx, letter, (member, Account::Refusals(member.id)), || Ok((notice.clone(), None)))
}

/// Makes a sentence that asks for consent or for a name, in the words of its language.
pub(crate) fn asking(key: &'static str) -> Message {
    Message::new(key).with("yes", Arg::Term("consent-yes")).with("as", Arg::Term("consent-name"))
}

/// Makes a letter that asks for consent: one word is a sufficient answer.
pub(crate) fn consenting(words: Vec<Message>) -> Notice {
    Notice::Offering { words, lines: vec![Arg::Term("consent-yes")] }
}

/// Returns the days since 1970.
pub(crate) fn day(now: DateTime<Utc>) -> u32 {
    u32::try_from(now.timestamp().div_euclid(DAY)).unwrap_or(0)
}

/// Returns whether anything is left on an account.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn rate_limit(tx: &Transaction<'_>, account: &Account) -> Result<RateLimit, ClubError> {
    // Where no letter goes to strangers, none is to wait for that.
    let to_no_member = matches!(account.class(), Class::Stranger | Class::Known);
    if to_no_member && tx.context.settings.stranger_letters_per_day == 0 {
        return Ok(RateLimit::Silence);
    }
    let limit = account.limit(tx.context.settings.answers_per_hour as usize);
    let (now, key) = (tx.context.now.timestamp(), account.key());
    let said = RateLimit::of(tx.count_since(&key, now - limit.within)?, limit);
    let is_days_first = || Ok::<_, ClubError>(tx.count_since(&key, now - DAY)? == 0);
    if said == RateLimit::Silence && limit.then_daily && is_days_first()? {
        return Ok(RateLimit::Answer);
    }
    Ok(said)
}

/// Whether something is left on each of these accounts.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn have_room(tx: &Transaction<'_>, accounts: &[Account]) -> Result<bool, ClubError> {
    for account in accounts {
        if rate_limit(tx, account)? != RateLimit::Answer {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the writer of an admitted letter, if that is a member or the moderator. What a mail
/// program's button sends has no writer.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn writer(
    tx: &Transaction<'_>,
    admitted: &Admitted,
) -> Result<Option<Sender>, ClubError> {
    Ok(match admitted {
        Admitted::Player(position) => {
            let seats = tx.seats(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            seated.map(|seated| Sender::Member(seated.member))
        }
        Admitted::Action { action: ReplyAction::Stop { .. }, .. } => None,
        Admitted::Action { action: ReplyAction::Moderator, .. } => Some(moderator(tx)?),
        Admitted::Action {
            action: ReplyAction::Member(member) | ReplyAction::Invited { member, .. },
            ..
        } => Some(Sender::Member(*member)),
        Admitted::Action { address, .. } => {
            tx.member_by_address(address)?.map(|member| Sender::Member(member.id))
        }
        _ => None,
    })
}

/// Returns the moderator as a writer: a member, if the moderator plays too.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn moderator(tx: &Transaction<'_>) -> Result<Sender, ClubError> {
    let address = tx.context.settings.moderator.address.to_lowercase();
    let member = tx.member_by_address(&address)?;
    Ok(member.map_or(Sender::Moderator, |member| Sender::Member(member.id)))
}

/// Returns the number of idle letters in a row.
fn in_a_row(tx: &Transaction<'_>, writer: Sender) -> Result<u32, ClubError> {
    let since = tx.context.now.timestamp() - REMEMBERED;
    Ok(match writer {
        Sender::Member(id) => tx.member(id)?.map_or(0, |member| member.idle_letters),
        Sender::Moderator => {
            let ended = tx.answers_since(ENDED, since)?.into_iter().max();
            let since = ended.map_or(since, |ended| ended + 1);
            u32::try_from(tx.count_since(MODERATORS, since)?).unwrap_or(u32::MAX)
        }
    })
}

/// Returns the account of an answer to a member's idle letter.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn members_account(tx: &Transaction<'_>, member: u32) -> Result<Account, ClubError> {
    idle_account(tx, Sender::Member(member), Account::Answers(member))
}

/// Returns the account of an answer to an idle letter: `usual` as long as they are few.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn idle_account(
    tx: &Transaction<'_>,
    writer: Sender,
    usual: Account,
) -> Result<Account, ClubError> {
    let is_few = in_a_row(tx, writer)? < IDLE_LETTERS;
    let is_spent = rate_limit(tx, &usual)? != RateLimit::Answer;
    Ok(if is_few || is_spent { usual } else { Account::Idle(writer) })
}

/// Counts an idle letter, or ends the row.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn count_idle(
    tx: &mut Transaction<'_>,
    writer: Sender,
    effect: &mut LetterEffect,
) -> Result<(), ClubError> {
    let before = in_a_row(tx, writer)?;
    let now = if effect.idle { before.saturating_add(1).min(IDLE_LETTERS) } else { 0 };
    if now == before {
        return Ok(());
    }
    match (writer, &mut effect.member) {
        (Sender::Moderator, _) => tx.count(if effect.idle { MODERATORS } else { ENDED }.to_owned()),
        (Sender::Member(id), Some(member)) if member.id == id => member.idle_letters = now,
        (Sender::Member(id), _) => {
            if let Some(member) = tx.member(id)? {
                tx.change(Member { idle_letters: now, ..member });
            }
        }
    }
    Ok(())
}

/// Returns the language in which to answer a writer who is not known: that of their words, else of
/// the letter that they quote, else the club's. What a mail program says of itself does not count,
/// because that is the language of its menus.
pub(crate) fn language_of(context: &Context, letter: &Letter) -> String {
    let (library, own) = (&context.library, own_words(context, letter));
    // A word or two of English are what every letter of ours asks for.
    let tells = |tag: &&str| own.split_whitespace().count() >= TELLING_MIN || *tag != "en";
    let guessed = guess(library, &own).filter(tells).or_else(|| guess(library, &letter.body));
    guessed.unwrap_or(&context.settings.language).to_owned()
}

/// Returns the languages in which a writer who is not known may agree: their own, that of what they
/// quote, and the club's.
pub(crate) fn languages_of(context: &Context, letter: &Letter) -> Vec<String> {
    let own = own_words(context, letter);
    let guessed =
        [own.as_str(), &letter.body].into_iter().filter_map(|text| guess(&context.library, text));
    guessed.chain([context.settings.language.as_str()]).map(str::to_owned).collect()
}

fn own_words(context: &Context, letter: &Letter) -> String {
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let own = written(&letter.body, &markers).into_iter().map(|(_, line)| line);
    own.collect::<Vec<_>>().join("\n")
}

fn guess<'a>(library: &'a Library, text: &str) -> Option<&'a str> {
    library.language_of(&text.chars().take(LOOKED_AT).collect::<String>())
}

/// Returns the writer of a letter from this address as a reader who is no member.
pub(crate) fn stranger(context: &Context, letter: &Letter, address: &str) -> Member {
    Member { language: language_of(context, letter), ..reader::nobody(context, address) }
}

/// Returns the words, beside the English ones, in which a letter from this address is written.
pub(crate) fn lexicons<'a>(
    tx: &Transaction<'a>,
    letter: &Letter,
    address: &str,
) -> Option<&'a Lexicons> {
    let member = tx.member_by_address(address).ok().flatten();
    let tag = member.map_or_else(|| language_of(tx.context, letter), |member| member.language);
    tx.context.library.lexicons(&tag)
}
