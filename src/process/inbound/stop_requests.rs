//! Letters that stop one kind of letter to a member. A mail program's unsubscribe button sends
//! them, or a person does. The reply token says which kind to stop, so the text of the letter has
//! no effect.
//!
//! Mail programs may send such a letter more than once. Stopping twice changes nothing and is
//! answered once.

use crate::club::press::LineClass;
use crate::club::{Member, ParsedLetter, SettingCommand, classify_line};
use crate::mail::{OrderLimitExceeded, ReplyAction, UnsubscribeKind};
use crate::process::commit::missed_news;
use crate::process::context::ClubResult;
use crate::process::inbound::effects::apply_setting;
use crate::process::lobby::visitors::ClubLetter;
use crate::process::lobby::{invitations, observers};
use crate::process::outbound::answers;
use crate::process::request_error::split_refusal;
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::render::Notice;
use crate::rules::{GameRegistry, Message};
use crate::store::Repository;

/// Words that programs and people write to stop letters. A letter with only these words asks for
/// nothing else.
const STOP_WORDS: [&str; 4] = ["cancel", "remove", "stop", "unsubscribe"];

/// Decides the effect of a letter that stops one kind of letter to the member with this number.
pub(crate) fn handle_unsubscribe(
    tx: &mut Transaction<'_>,
    ClubLetter { letter, request: asked, .. }: ClubLetter<'_>,
    (member, what): (u32, UnsubscribeKind),
) -> ClubResult<LetterEffect> {
    let is_persons = letter.automatic.is_none();
    if is_persons {
        missed_news::mark_sender_reachable(tx, letter, member, true)?;
    }
    let present = tx.member(member)?.filter(|member| !member.has_left());
    let is_new = tx.letter_outcome(letter.hash.as_bytes())?.is_none();
    let Some(before) = present.filter(|_| is_new) else {
        return Ok(LetterEffect::with_disposition(Disposition::Done));
    };
    let stopped = stop_letters(tx, &before, what)?;
    let mut words: Vec<Message> = stopped.iter().map(|(_, word)| word.clone()).collect();
    if has_more_than_stop_word(asked)
        && (stopped.is_some() || has_club_order(tx.context.games(), asked))
    {
        words.push(Message::new("stop-alone"));
    }
    let changed = stopped.map(|(after, _)| after).filter(|after| *after != before);
    let mut effect = match is_persons && !words.is_empty() {
        true => {
            let reader = changed.as_ref().unwrap_or(&before);
            answers::answer_member(tx, letter, reader, &Notice::Said(words))?
        }
        false => answers::unanswered_effect(tx.context, letter),
    };
    effect.member = changed;
    Ok(effect)
}

/// Decides the effect of a reply that refuses further letters, if it answers a letter that is not
/// about a game. Returns `None` if it is no refusal. A non-member gets no answer. A member gets no
/// more invitations, and the answer says how to get them again.
pub(crate) fn handle_refusal_of_letters(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
    action: ReplyAction,
) -> ClubResult<Option<LetterEffect>> {
    let language = tx.context.settings.language.clone();
    match action {
        ReplyAction::JoinGame { .. }
        | ReplyAction::JoinClub { .. }
        | ReplyAction::ContinueVisit { .. }
        | ReplyAction::ConfirmAddress { .. } => {
            if !invitations::refuses_all_letters(tx.context, from, &language) {
                return Ok(None);
            }
            invitations::record_opt_out(tx, from.address)?;
            Ok(Some(answers::unanswered_effect(tx.context, from.letter)))
        }
        ReplyAction::AcceptInvitation { member, .. } => {
            let language = tx.member(member)?.map_or(language, |member| member.language);
            if !invitations::refuses_all_letters(tx.context, from, &language) {
                return Ok(None);
            }
            let asked = &Ok(ParsedLetter::default());
            handle_unsubscribe(
                tx,
                ClubLetter { request: asked, ..from },
                (member, UnsubscribeKind::Invitations),
            )
            .map(Some)
        }
        _ => Ok(None),
    }
}

/// Decides the effect of a stranger's letter that refuses all letters. Returns `None` if it is no
/// refusal. It is not answered. It is stored only if DMARC proves its sender, because a forger
/// could otherwise block invitations to another person.
pub(crate) fn handle_stranger_opt_out(
    tx: &mut Transaction<'_>,
    from: ClubLetter<'_>,
) -> ClubResult<Option<LetterEffect>> {
    let context = tx.context;
    if !invitations::refuses_all_letters(context, from, &context.settings.language) {
        return Ok(None);
    }
    if from.is_sender_proven(context) {
        invitations::record_opt_out(tx, from.address)?;
    }
    Ok(Some(answers::unanswered_effect(context, from.letter)))
}

/// Stops this kind of letter. Returns the changed member and the sentence that confirms it, or
/// `None` if it was stopped before.
fn stop_letters(
    tx: &mut Transaction<'_>,
    member: &Member,
    what: UnsubscribeKind,
) -> ClubResult<Option<(Member, Message)>> {
    let line = match what {
        UnsubscribeKind::Observing(game) => {
            let unwatched = split_refusal(observers::remove_observer(tx, member, game))?;
            let word = unwatched.ok().and_then(|words| words.into_iter().next());
            return Ok(word.map(|word| (member.clone(), word)));
        }
        UnsubscribeKind::Digests => SettingCommand::NoDigest,
        UnsubscribeKind::Standings => SettingCommand::Switch("standings off".to_owned()),
        UnsubscribeKind::Invitations => SettingCommand::Switch("invitations off".to_owned()),
    };
    let set = apply_setting(tx.context, member, line).ok();
    Ok(set.filter(|(after, _)| after != member))
}

/// Whether a letter holds more than the word that asks to stop.
fn has_more_than_stop_word(request: &Result<ParsedLetter, OrderLimitExceeded>) -> bool {
    let Ok(request) = request else { return true };
    let is_more = |line: &str| {
        let word = line.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        !word.is_empty() && !STOP_WORDS.contains(&word.as_str())
    };
    request.has_more_than_orders() || request.lines.iter().any(|line| is_more(&line.order.text))
}

/// Whether a letter that asks to stop also holds a club command, a question or a message.
fn has_club_order(games: GameRegistry, request: &Result<ParsedLetter, OrderLimitExceeded>) -> bool {
    let Ok(request) = request else { return false };
    let order = |line: &str| classify_line(games, line) == LineClass::Order;
    request.has_more_than_orders() || request.lines.iter().any(|line| order(&line.order.text))
}
