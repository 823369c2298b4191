//! Decides whether a letter is answered, within rate limits, and in which language a non-member is
//! answered. Knows nothing of what the answers say.
//!
//! An idle letter is one in which the club finds nothing to do: no order, no command, no message to
//! others. A program that answers every letter without marking its letters as automatic sends idle
//! letters without end. So after [`IDLE_LETTERS_ANSWERED`] idle letters in a row, the club answers
//! one a day until a letter is not idle.

use super::pending;
use crate::club::press::LineClass;
use crate::club::{LetterLine, Lexicons, Member, ParsedLetter, classify_line};
use crate::mail::rate_limit::{DAY_SECONDS, RateDecision};
use crate::mail::{AdmissionVerdict, Letter, LetterHash, ReplyAction, written_lines};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Answer, Disposition, LetterEffect};
use crate::process::transaction::rate_account::{ProvenWriter, RateAccount};
use crate::render::{Library, Notice};
use crate::rules::{Arg, Message, Seat};
use crate::store::{LetterResult, OutgoingLetter, Repository, SeenLetter, SendPriority};
use chrono::{DateTime, Utc};

/// The number of idle letters in a row that are answered within the usual limits.
pub(crate) const IDLE_LETTERS_ANSWERED: u32 = 5;
/// The time in seconds for which idle letters of a moderator who is no member count: 30 days.
const IDLE_WINDOW: i64 = 30 * DAY_SECONDS;
/// The store's counter keys for the moderator's idle letters, and for the letters that ended a row
/// of them.
const MODERATOR_IDLE_KEY: &str = "moderator_idle";
const MODERATOR_BUSY_KEY: &str = "moderator_busy";
/// A writer's own text must have at least this many words to show that its language is English.
const LANGUAGE_WORDS_MIN: usize = 3;
/// The number of characters of a letter that are searched for its language.
const SEARCHED_CHARS_MAX: usize = 8_000;

/// Answers a letter that claims to be a member's without proof, within the limit for such letters.
pub(crate) fn answer_unproven_member(
    tx: &Transaction<'_>,
    letter: &Letter,
    address: &str,
    notice: impl Fn(&Member) -> Result<Notice, ClubError>,
) -> Result<LetterEffect, ClubError> {
    let Some(member) = tx.member_by_address(address)? else {
        return Ok(unanswered_effect(tx.context, letter));
    };
    let account = RateAccount::UnprovenMember(member.id);
    let mut effect =
        answer_within_limit(tx, letter, (&member, account), || Ok((notice(&member)?, None)))?;
    (effect.writer, effect.result) = (Some(member.id), Some(LetterResult::Unproven));
    Ok(effect)
}

/// Returns the effect of a letter that gets no answer. The letter is only marked as seen.
pub(crate) fn unanswered_effect(context: &Context, letter: &Letter) -> LetterEffect {
    let mut effect = LetterEffect::with_disposition(Disposition::Done);
    effect.seen_letter = Some(seen_letter_entry(context, letter, None, None));
    effect
}

/// Makes a notice that answers this letter. Returns `None` if the member's address is invalid.
pub(crate) fn make_notice_reply(
    context: &Context,
    to: &Member,
    notice: &Notice,
    letter: &Letter,
) -> Option<OutgoingLetter> {
    pending::make_notice_letter(context, to, notice, None, &letter.hash, letter.message_id.as_ref())
        .ok()
}

pub(crate) fn seen_letter_entry(
    context: &Context,
    letter: &Letter,
    game: Option<u32>,
    seq: Option<u32>,
) -> (LetterHash, SeenLetter) {
    (letter.hash, SeenLetter { game, seq, ..SeenLetter::mark(context.now) })
}

/// Answers a reply to one of the club's letters that leads to nothing but this notice. The reader
/// may be a member or not; each has their own rate limit.
pub(crate) fn answer_member_or_visitor(
    tx: &Transaction<'_>,
    letter: &Letter,
    to: &Member,
    notice: &Notice,
    action: Option<ReplyAction>,
) -> Result<LetterEffect, ClubError> {
    let address = to.addresses.first().map(String::as_str).unwrap_or_default();
    if let Some(member) = tx.member_by_address(address)? {
        return answer_idle_letter(tx, letter, &member, notice);
    }
    let account = RateAccount::for_confirming_reader(address);
    answer_within_limit(tx, letter, (to, account), || Ok((notice.clone(), action)))
}

/// Answers a letter with the notice that `make_notice` returns, within the account's rate limit. A
/// reply to the notice does the returned action.
///
/// The first letter beyond the limit may get a notice that says so. Later ones get no answer.
pub(crate) fn answer_within_limit(
    tx: &Transaction<'_>,
    letter: &Letter,
    (to, account): (&Member, RateAccount),
    make_notice: impl FnOnce() -> Result<(Notice, Option<ReplyAction>), ClubError>,
) -> Result<LetterEffect, ClubError> {
    let mut effect = unanswered_effect(tx.context, letter);
    let (notice, action) = match decide_answer_within_limit(tx, &account)? {
        RateDecision::Answer => make_notice()?,
        RateDecision::LastNotice => (account.limit_notice(), None),
        RateDecision::Silence => return Ok(effect),
    };
    let answers = letter.message_id.as_ref();
    let reply = pending::make_notice_letter(tx.context, to, &notice, action, &letter.hash, answers);
    effect.answer = reply.ok().map(|letter| Answer { letter, account, updated_seat: None });
    Ok(effect)
}

/// Answers a letter that is proven to be a member's, within the member's hourly limit.
pub(crate) fn answer_member(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    answer_within_limit(tx, letter, (member, RateAccount::Answers(member.id)), || {
        Ok((notice.clone(), None))
    })
}

/// Answers a member's idle letter, and marks its effect as idle.
pub(crate) fn answer_idle_letter(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    let account = choose_member_idle_account(tx, member.id)?;
    let mut effect =
        answer_within_limit(tx, letter, (member, account), || Ok((notice.clone(), None)))?;
    effect.is_idle = true;
    Ok(effect)
}

/// Answers a member's letter that is refused. A letter with an order is charged to the account for
/// refusals, so that the member learns its outcome even after many other answers.
pub(crate) fn answer_refused_letter(
    tx: &Transaction<'_>,
    letter: &Letter,
    member: &Member,
    request: &ParsedLetter,
    notice: &Notice,
) -> Result<LetterEffect, ClubError> {
    let games = tx.context.games();
    let ordered =
        |line: &LetterLine| classify_line(games, line.order.text_to_parse()) != LineClass::Prose;
    let mut effect = if request.lines.iter().any(ordered) {
        let account = RateAccount::Refusals(member.id);
        answer_within_limit(tx, letter, (member, account), || Ok((notice.clone(), None)))?
    } else {
        answer_idle_letter(tx, letter, member, notice)?
    };
    effect.result = Some(LetterResult::Refused);
    Ok(effect)
}

/// Returns a question for consent or for a name, which states the words to answer with.
pub(crate) fn consent_question(key: &'static str) -> Message {
    Message::new(key).with("yes", Arg::Term("consent-yes")).with("as", Arg::Term("consent-name"))
}

/// Returns a notice that asks for consent, and offers the word that gives it.
pub(crate) fn consent_notice(words: Vec<Message>) -> Notice {
    Notice::offering(words, vec![Arg::Term("consent-yes")])
}

/// Like [`consent_notice`], with a subject that says who invites the reader, and to what.
pub(crate) fn invitation_notice(subject: Message, words: Vec<Message>) -> Notice {
    Notice::Offering { words, lines: vec![Arg::Term("consent-yes")], subject: Some(subject) }
}

/// Returns the number of days since 1970-01-01.
pub(crate) fn unix_day_of(now: DateTime<Utc>) -> u32 {
    u32::try_from(now.timestamp().div_euclid(DAY_SECONDS)).unwrap_or(0)
}

/// Returns whether the limit of this rate account allows an answer now.
pub(crate) fn decide_answer_within_limit(
    tx: &Transaction<'_>,
    account: &RateAccount,
) -> Result<RateDecision, ClubError> {
    // If strangers get no letters at all, none may be queued for them.
    let to_no_member =
        matches!(account.send_priority(), SendPriority::Stranger | SendPriority::Known);
    if to_no_member && tx.context.settings.stranger_letters_per_day == 0 {
        return Ok(RateDecision::Silence);
    }
    let limit = account.limit(tx.context.settings.answers_per_hour as usize);
    let (now, key) = (tx.context.now.timestamp(), account.store_key());
    let decision =
        RateDecision::decide(tx.count_events_since(&key, now - limit.within_seconds)?, limit);
    let is_days_first = || Ok::<_, ClubError>(tx.count_events_since(&key, now - DAY_SECONDS)? == 0);
    if decision == RateDecision::Silence && limit.then_once_a_day && is_days_first()? {
        return Ok(RateDecision::Answer);
    }
    Ok(decision)
}

/// Whether the limits of all these rate accounts allow a letter now.
pub(crate) fn are_within_limits(
    tx: &Transaction<'_>,
    accounts: &[RateAccount],
) -> Result<bool, ClubError> {
    for account in accounts {
        if decide_answer_within_limit(tx, account)? != RateDecision::Answer {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the writer of an admitted letter, if that is a member or the moderator. A mail program's
/// unsubscribe button has no writer.
pub(crate) fn find_proven_writer(
    tx: &Transaction<'_>,
    admitted: &AdmissionVerdict,
) -> Result<Option<ProvenWriter>, ClubError> {
    Ok(match admitted {
        AdmissionVerdict::Player(position) => {
            let seats = tx.seat_assignments(position.game)?;
            let seated = seats.get(Seat::new(position.seat).index());
            seated.map(|seated| ProvenWriter::Member(seated.member))
        }
        AdmissionVerdict::Action { action: ReplyAction::Unsubscribe { .. }, .. } => None,
        AdmissionVerdict::Action { action: ReplyAction::SpeakAsModerator, address } => {
            Some(moderator_as_writer(tx, address)?)
        }
        AdmissionVerdict::Action {
            action:
                ReplyAction::SpeakAsMember(member) | ReplyAction::AcceptInvitation { member, .. },
            ..
        } => Some(ProvenWriter::Member(*member)),
        AdmissionVerdict::Action { address, .. } => {
            tx.member_by_address(address)?.map(|member| ProvenWriter::Member(member.id))
        }
        _ => None,
    })
}

/// Returns the moderator with this address as a writer. If they are also a member, returns that
/// member.
pub(crate) fn moderator_as_writer(
    tx: &Transaction<'_>,
    address: &str,
) -> Result<ProvenWriter, ClubError> {
    let member = tx.member_by_address(&address.to_lowercase())?;
    Ok(member.map_or(ProvenWriter::Moderator, |member| ProvenWriter::Member(member.id)))
}

/// Returns the number of idle letters in a row that this writer has sent.
fn idle_letters_in_a_row(tx: &Transaction<'_>, writer: ProvenWriter) -> Result<u32, ClubError> {
    let since = tx.context.now.timestamp() - IDLE_WINDOW;
    Ok(match writer {
        ProvenWriter::Member(id) => tx.member(id)?.map_or(0, |member| member.idle_letters),
        ProvenWriter::Moderator => {
            let ended = tx.event_times_since(MODERATOR_BUSY_KEY, since)?.into_iter().max();
            let since = ended.map_or(since, |ended| ended + 1);
            u32::try_from(tx.count_events_since(MODERATOR_IDLE_KEY, since)?).unwrap_or(u32::MAX)
        }
    })
}

/// Returns the rate account for the answer to a member's idle letter.
pub(crate) fn choose_member_idle_account(
    tx: &Transaction<'_>,
    member: u32,
) -> Result<RateAccount, ClubError> {
    choose_idle_account(tx, ProvenWriter::Member(member), RateAccount::Answers(member))
}

/// Returns the rate account for the answer to an idle letter: `usual` for the first few in a row,
/// then one that allows one answer a day.
pub(crate) fn choose_idle_account(
    tx: &Transaction<'_>,
    writer: ProvenWriter,
    usual: RateAccount,
) -> Result<RateAccount, ClubError> {
    let is_few = idle_letters_in_a_row(tx, writer)? < IDLE_LETTERS_ANSWERED;
    let is_spent = decide_answer_within_limit(tx, &usual)? != RateDecision::Answer;
    Ok(if is_few || is_spent { usual } else { RateAccount::Idle(writer) })
}

/// Counts an idle letter, or resets the count if this letter is not idle.
pub(crate) fn update_idle_count(
    tx: &mut Transaction<'_>,
    writer: ProvenWriter,
    effect: &mut LetterEffect,
) -> Result<(), ClubError> {
    let before = idle_letters_in_a_row(tx, writer)?;
    let now = if effect.is_idle { before.saturating_add(1).min(IDLE_LETTERS_ANSWERED) } else { 0 };
    if now == before {
        return Ok(());
    }
    match (writer, &mut effect.member) {
        (ProvenWriter::Moderator, _) => tx.increment_count(
            if effect.is_idle { MODERATOR_IDLE_KEY } else { MODERATOR_BUSY_KEY }.to_owned(),
        ),
        (ProvenWriter::Member(id), Some(member)) if member.id == id => member.idle_letters = now,
        (ProvenWriter::Member(id), _) => {
            if let Some(member) = tx.member(id)? {
                tx.update_member(Member { idle_letters: now, ..member });
            }
        }
    }
    Ok(())
}

/// Returns the language in which to answer an unknown writer: that of their own words, or of the
/// letter that they quote, or else the club's. Headers that a mail program adds do not count,
/// because it uses the language of its menus.
pub(crate) fn guess_writer_language(context: &Context, letter: &Letter) -> String {
    let (library, own) = (&context.library, extract_unquoted_text(context, letter));
    // Everybody writes a few English words, because the club's letters ask for them.
    let tells = |tag: &&str| own.split_whitespace().count() >= LANGUAGE_WORDS_MIN || *tag != "en";
    let guessed = guess_text_language(library, &own)
        .filter(tells)
        .or_else(|| guess_text_language(library, &letter.body));
    guessed.unwrap_or(&context.settings.language).to_owned()
}

/// Returns the languages in which an unknown writer may give consent: that of their own words, that
/// of the quoted text, and the club's.
pub(crate) fn possible_consent_languages(context: &Context, letter: &Letter) -> Vec<String> {
    let own = extract_unquoted_text(context, letter);
    let guessed = [own.as_str(), &letter.body]
        .into_iter()
        .filter_map(|text| guess_text_language(&context.library, text));
    guessed.chain([context.settings.language.as_str()]).map(str::to_owned).collect()
}

fn extract_unquoted_text(context: &Context, letter: &Letter) -> String {
    let markers: Vec<&str> = context.reply_markers.iter().map(String::as_str).collect();
    let own = written_lines(&letter.body, &markers).into_iter().map(|(_, line)| line);
    own.collect::<Vec<_>>().join("\n")
}

/// Returns the language of the writer's greeting, or else that of all their own words. A few words
/// of English do not count, because the club's letters ask for them. A single word of another
/// language does not count either, because English may have the same word ("divide").
pub(crate) fn guess_own_language<'a>(context: &'a Context, letter: &Letter) -> Option<&'a str> {
    let own = extract_unquoted_text(context, letter);
    // Short words and words with digits are places and sides on some boards.
    let is_word = |word: &&str| {
        word.chars().filter(|c| c.is_alphabetic()).count() > 2 && !word.contains(char::is_numeric)
    };
    let words = |text: &str| text.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ");
    let greeting = own.lines().find(|line| !line.trim().is_empty()).map(words);
    [greeting.unwrap_or_default(), words(&own)].iter().find_map(|text| {
        let has_enough = text.split_whitespace().count() >= LANGUAGE_WORDS_MIN;
        let identifies = |tag: &&str| {
            let lexicons = context.library.lexicons(tag);
            lexicons.map_or(has_enough, |own| own.identifies_language(text))
        };
        guess_text_language(&context.library, text).filter(identifies)
    })
}

fn guess_text_language<'a>(library: &'a Library, text: &str) -> Option<&'a str> {
    library.detect_language(&text.chars().take(SEARCHED_CHARS_MAX).collect::<String>())
}

/// Returns the writer of a letter from this address as a reader who is no member.
pub(crate) fn unknown_writer_as_reader(
    context: &Context,
    letter: &Letter,
    address: &str,
) -> Member {
    Member {
        language: guess_writer_language(context, letter),
        ..reader::nonmember_as_reader(context, address)
    }
}

/// Returns the lexicons for the language of a letter from this address: a member's language, or the
/// guessed one. Returns `None` if the language has none.
pub(crate) fn find_writer_lexicons<'a>(
    tx: &Transaction<'a>,
    letter: &Letter,
    address: &str,
) -> Option<&'a Lexicons> {
    let member = tx.member_by_address(address).ok().flatten();
    let tag =
        member.map_or_else(|| guess_writer_language(tx.context, letter), |member| member.language);
    tx.context.library.lexicons(&tag)
}
