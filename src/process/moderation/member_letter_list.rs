//! The letters that a member has sent, for the moderator: when the club read each, its outcome, and
//! the letter that answered it.
//!
//! While a game is being played, one sentence covers all letters that made no record. Whether such
//! a letter held plans, was refused, or held nothing may depend on what only its player knows. For
//! the same reason, the Message-IDs of the answers to these letters have one form.

use crate::process::context::Context;
use crate::process::moderation::overview::{LIST_MAX, omitted_count_line};
use crate::process::moderation::quarantine;
use crate::process::request_error::RequestError;
use crate::process::session::reader;
use crate::process::transaction::Transaction;
use crate::render::Section;
use crate::rules::Message;
use crate::store::{LetterResult, MemberLetter, Repository, SeenLetter};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// The number of letters without proof that are listed, and of those in quarantine. Anybody can
/// send such letters, so they must not push the member's own letters out of the list.
const UNPROVEN_MAX: usize = 20;

/// Returns the letters of the member with this number, address or name, for the command line. With
/// `secrets`, the outcomes in running games are complete.
///
/// # Errors
/// If the club cannot be read; a refusal if there is no such member.
pub fn list_member_letters(
    context: &Context,
    who: &str,
    secrets: bool,
) -> Result<Section, RequestError> {
    list_letters(&Transaction::begin(context), who, secrets)
}

/// Like [`list_member_letters`], in a transaction.
pub(crate) fn list_letters(
    tx: &Transaction<'_>,
    who: &str,
    secrets: bool,
) -> Result<Section, RequestError> {
    let Some(member) = reader::find_member_in_tx(tx, who)? else {
        return Err(reader::describe_unknown_member_in_tx(tx, who)?.into());
    };
    let letters = tx.letters_of_member(member.id)?.into_values();
    let is_unproven = |own: &MemberLetter| own.result == LetterResult::Unproven;
    let (unproven, proven): (Vec<SeenLetter>, Vec<SeenLetter>) =
        letters.partition(|seen| seen.of_member.as_ref().is_some_and(is_unproven));
    let ((unproven, unproven_omitted), (proven, skipped)) =
        (keep_newest(unproven, UNPROVEN_MAX), keep_newest(proven, LIST_MAX));
    let mut letters = [unproven, proven].concat();
    letters.sort_by_key(sort_key);
    let (mut lines, mut over) = (Vec::new(), BTreeMap::new());
    for seen in &letters {
        let Some(own) = &seen.of_member else { continue };
        let shows_all = match seen.game.filter(|_| !secrets) {
            Some(game) if !over.contains_key(&game) => {
                let outline = tx.game_facts(game)?.outline;
                let is_over = outline.is_some_and(|outline| outline.is_over());
                *over.entry(game).or_insert(is_over)
            }
            Some(game) => over.get(&game).is_some_and(|is_over| *is_over),
            None => true,
        };
        let line = match &own.answer {
            Some(id) => Message::new("member-letter").with("id", id.as_str()),
            None => Message::new("member-letter-unanswered"),
        };
        let at = tx.context.moment_for_moderator(seen.at);
        lines.push(line.with("at", at).with("what", describe_outcome(seen, own, shows_all)));
    }
    let mut held = quarantine::list_quarantined_of_member(tx, &member)?;
    let held_count = held.with_token.len();
    held.with_token.truncate(LIST_MAX);
    lines.extend(held.with_token);
    lines.extend(omitted_count_line(held_count));
    let omitted = unproven_omitted + held.without_token.len().saturating_sub(UNPROVEN_MAX);
    lines.extend(held.without_token.into_iter().take(UNPROVEN_MAX));
    let more = Message::new("member-letters-unproven").with("count", omitted);
    lines.extend((omitted > 0).then_some(more));
    let head = Message::new("member-letters").with("who", member.name);
    Ok(Section { head: head.with("count", lines.len()).with("skipped", skipped), lines })
}

/// Returns the newest `max` letters, oldest first, and the number of the others.
fn keep_newest(mut letters: Vec<SeenLetter>, max: usize) -> (Vec<SeenLetter>, usize) {
    letters.sort_by_key(sort_key);
    let omitted = letters.len().saturating_sub(max);
    (letters.split_off(omitted), omitted)
}

fn sort_key(seen: &SeenLetter) -> (DateTime<Utc>, Option<u32>, Option<u32>) {
    (seen.at, seen.game, seen.seq)
}

/// Returns the sentence about the outcome of a letter. Without `shows_all`, it is the same for all
/// letters that made no record.
pub(crate) fn describe_outcome(seen: &SeenLetter, own: &MemberLetter, shows_all: bool) -> Message {
    let what = match own.result {
        LetterResult::CarriedOut => {
            Message::new("outcome-carried-out").with("number", seen.seq.unwrap_or_default())
        }
        LetterResult::Automatic => Message::new("outcome-automatic"),
        LetterResult::Unproven => Message::new("outcome-unproven"),
        LetterResult::Rejected => Message::new("outcome-rejected"),
        _ if !shows_all => Message::new("outcome-no-record"),
        LetterResult::Planned => Message::new("outcome-planned"),
        LetterResult::Said => Message::new("outcome-said"),
        LetterResult::Refused => Message::new("outcome-refused"),
        LetterResult::Answered => Message::new("outcome-answered"),
        LetterResult::Empty => Message::new("outcome-empty"),
    };
    match seen.game {
        Some(game) => Message::new("outcome-in-game").with("game", game).with("what", what),
        None => what,
    }
}
