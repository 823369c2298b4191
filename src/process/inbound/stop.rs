//! A letter that a mail program's own button sends, or somebody in its place: it stops letters of
//! one kind to one member, by its mark alone, and does nothing else whatever stands in it.
//!
//! It may come again, and by itself: what is stopped already is not stopped twice, and is told
//! once.

use crate::club::press::Reads;
use crate::club::{Member, MemberLine, Request, house_line};
use crate::mail::{ReplyAction, Stop, TooMuch};
use crate::process::blame::answered;
use crate::process::commit::missed;
use crate::process::context::ClubResult;
use crate::process::inbound::effects::set;
use crate::process::lobby::visitors::Inquiry;
use crate::process::lobby::{unasked, watching};
use crate::process::outbound::answers;
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::Message;
use crate::store::Repository;

/// What programs and people write who would get no more of something: no more needs to be said of
/// it.
const STOPS: [&str; 4] = ["cancel", "remove", "stop", "unsubscribe"];

/// What a letter leads to that stops letters to the member of this number.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn on_stop(
    tx: &mut Transaction<'_>,
    Inquiry { letter, asked, .. }: Inquiry<'_>,
    (member, what): (u32, Stop),
) -> ClubResult<LetterEffect> {
    let is_persons = letter.automatic.is_none();
    if is_persons {
        missed::heard_of(tx, letter, member, true)?;
    }
    let present = tx.member(member)?.filter(|member| !member.has_left());
    let is_new = tx.seen_letter(letter.digest.bytes())?.is_none();
    let Some(before) = present.filter(|_| is_new) else {
        return Ok(LetterEffect::of(Disposition::Done));
    };
    let stopped = stopped(tx, &before, what)?;
    let mut words: Vec<Message> = stopped.iter().map(|(_, word)| word.clone()).collect();
    if says_more(asked) && (stopped.is_some() || orders(asked)) {
        words.push(Message::new("stop-alone"));
    }
    let changed = stopped.map(|(after, _)| after).filter(|after| *after != before);
    let mut effect = match is_persons && !words.is_empty() {
        true => {
            let reader = changed.as_ref().unwrap_or(&before);
            answers::to_known(tx, letter, reader, &Notice::Said(words))?
        }
        false => answers::unanswered(tx.context, letter),
    };
    effect.member = changed;
    Ok(effect)
}

/// Returns what an answer to a letter about no game leads to if it refuses such letters; `None` if
/// it is no refusal. A non-member gets no answer. A member gets no more invitations, and is told
/// how to get them back.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn refused(
    tx: &mut Transaction<'_>,
    from: Inquiry<'_>,
    action: ReplyAction,
) -> ClubResult<Option<LetterEffect>> {
    let language = tx.context.settings.language.clone();
    match action {
        ReplyAction::Join { .. }
        | ReplyAction::Club { .. }
        | ReplyAction::Visit { .. }
        | ReplyAction::Address { .. } => {
            if !unasked::is_refusal(tx.context, from, &language) {
                return Ok(None);
            }
            unasked::refuse(tx, from.address);
            Ok(Some(answers::unanswered(tx.context, from.letter)))
        }
        ReplyAction::Invited { member, .. } => {
            let language = tx.member(member)?.map_or(language, |member| member.language);
            if !unasked::is_refusal(tx.context, from, &language) {
                return Ok(None);
            }
            let asked = &Ok(Request::default());
            on_stop(tx, Inquiry { asked, ..from }, (member, Stop::Invitations)).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns what a stranger's letter leads to if it refuses all letters; `None` if it is no refusal.
/// It is not answered. It is remembered only if our mail server proves its sender, because a forger
/// could otherwise keep invitations from somebody else.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn refused_by_stranger(
    tx: &mut Transaction<'_>,
    from: Inquiry<'_>,
) -> Option<LetterEffect> {
    let context = tx.context;
    if !unasked::is_refusal(context, from, &context.settings.language) {
        return None;
    }
    if from.is_proven(context) {
        unasked::refuse(tx, from.address);
    }
    Some(answers::unanswered(context, from.letter))
}

/// Stops it, if it was not stopped before: the member after it, and what he is told.
fn stopped(
    tx: &mut Transaction<'_>,
    member: &Member,
    what: Stop,
) -> ClubResult<Option<(Member, Message)>> {
    let line = match what {
        Stop::Watching(game) => {
            let unwatched = answered(watching::unwatch(tx, member, game))?;
            let word = unwatched.ok().and_then(|words| words.into_iter().next());
            return Ok(word.map(|word| (member.clone(), word)));
        }
        Stop::Digests => MemberLine::Each,
        Stop::Standings => MemberLine::Switch("standings off".to_owned()),
        Stop::Invitations => MemberLine::Switch("invitations off".to_owned()),
    };
    let set = set(tx.context, member, line).ok();
    Ok(set.filter(|(after, _)| after != member))
}

/// Whether there is more in a letter than that something is to stop.
fn says_more(request: &Result<Request, TooMuch>) -> bool {
    let Ok(request) = request else { return true };
    let is_more = |line: &str| {
        let word = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        !word.is_empty() && !STOPS.contains(&word.as_str())
    };
    request.does_more() || request.lines.iter().any(|line| is_more(&line.order.text))
}

/// Whether somebody wrote it who wants something else done.
fn orders(request: &Result<Request, TooMuch>) -> bool {
    let Ok(request) = request else { return false };
    let order = |line: &str| house_line(line) == Reads::Order;
    request.does_more() || request.lines.iter().any(|line| order(&line.order.text))
}
