//! Letters that members cause to go to non-members, and non-members who refuse such letters.
//!
//! A refusal is a row among the letters that were seen, so it is in the journal and moves with the
//! club. Its key is a keyed hash: nobody without the club's secret can tell whose mailbox it is. It
//! holds for good. Whoever becomes a member after it gets letters as any member does.

use crate::club::{Member, Wish, refuses_letters};
use crate::mail::rate_limit::DAY;
use crate::mail::{LetterHash, ReplyAction, fold, written};
use crate::process::context::{ClubResult, Context};
use crate::process::lobby::newcomers;
use crate::process::lobby::visitors::Inquiry;
use crate::process::outbound::answers;
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::rules::Message;
use crate::store::{Repository, SeenLetter};

/// The key under which the store counts invitations to non-members. No address is without an @.
const INVITATIONS: &str = "invitations to non-members";
/// The key under which it counts the moderator's notes that the cap on these is reached.
const CAP_TOLD: &str = "told of the cap on invitations";

/// Notes that the owner of this address refuses letters.
pub(crate) fn refuse(tx: &mut Transaction<'_>, address: &str) {
    let refusal = ReplyAction::refuse(&tx.context.secret, address);
    note_refusal(tx, refusal);
}

/// Notes a refusal, which names its mailbox by a hash.
pub(crate) fn note_refusal(tx: &mut Transaction<'_>, refusal: ReplyAction) {
    tx.remember(key(refusal), SeenLetter { at: tx.context.now, game: None, seq: None });
}

/// Whether the owner of this address has refused letters.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn has_refused(tx: &Transaction<'_>, address: &str) -> ClubResult<bool> {
    let key = key(ReplyAction::refuse(&tx.context.secret, address));
    Ok(tx.seen_letter(key.bytes())?.is_some())
}

fn key(refusal: ReplyAction) -> LetterHash {
    LetterHash::of(format!("{refusal} refused").as_bytes())
}

/// Whether a letter in this language refuses all letters. Where it has no text, its subject counts.
/// A letter that agrees to something, or wishes for something else, is no refusal.
pub(crate) fn is_refusal(context: &Context, from: Inquiry<'_>, language: &str) -> bool {
    let letter = from.letter;
    if from.wish(context, &[]) != Wish::Talk
        || newcomers::consent_in(context, letter, language).is_some()
    {
        return false;
    }
    let markers: Vec<&str> = context.markers.iter().map(String::as_str).collect();
    let mut lines: Vec<String> =
        written(&letter.body, &markers).into_iter().map(|(_, line)| fold(line)).collect();
    if lines.iter().all(|line| line.trim().is_empty()) {
        lines = vec![fold(&letter.subject)];
    }
    let mut words = context.library.refusal_words(language);
    let others = answers::languages_of(context, letter);
    words.extend(others.iter().flat_map(|tag| context.library.refusal_words(tag)));
    refuses_letters(lines.iter().map(String::as_str), &words)
}

/// Returns what an answer to a non-member's letter is charged to. A letter that is not proven may
/// be forged, so it is charged to `usual`, or answered once a month if the owner of the address has
/// refused letters.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn account_of_answer(
    tx: &Transaction<'_>,
    from: Inquiry<'_>,
    usual: fn(&str) -> Account,
) -> ClubResult<Account> {
    Ok(match from.address {
        address if from.is_proven(tx.context) => Account::known(address),
        address if has_refused(tx, address)? => Account::refused(address),
        address => usual(address),
    })
}

/// Whether a letter that this member wants may go to a non-member: at most one a week from one
/// member and three a month in total, and none after a refusal. No member may learn the answer.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn may_write(tx: &Transaction<'_>, by: u32, address: &str) -> ClubResult<bool> {
    Ok(!has_refused(tx, address)? && answers::have_room(tx, &Account::unasked(by, address))?)
}

/// Whether an invitation from this member may go to somebody. The member may not learn the answer,
/// which depends on whether that is a member.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn may_invite(
    tx: &mut Transaction<'_>,
    by: &Member,
    invited: Option<&Member>,
    address: &str,
) -> ClubResult<bool> {
    match invited {
        Some(invited) => {
            let room = answers::have_room(tx, &Account::invitation(by.id, address))?;
            Ok(room && invited.letters.invitations)
        }
        None => Ok(may_write(tx, by.id, address)? && is_within_cap(tx)?),
    }
}

/// Counts an invitation to a non-member. Returns `false` if as many as the club allows have left
/// within a day. The moderator is told once a day when the cap is reached.
fn is_within_cap(tx: &mut Transaction<'_>) -> ClubResult<bool> {
    let cap = tx.context.settings.invitations_per_day;
    let since = tx.context.now.timestamp() - DAY;
    let before = tx.count_since(INVITATIONS, since)?;
    let is_within = before < cap as usize;
    if is_within {
        tx.count(INVITATIONS.to_owned());
    }
    if before + 1 >= cap as usize && tx.count_since(CAP_TOLD, since)? == 0 {
        tx.count(CAP_TOLD.to_owned());
        tx.tell_moderator(Message::new("report-invitations-used-up").with("limit", cap));
    }
    Ok(is_within)
}
