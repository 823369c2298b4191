//! The letters in a member's document: those that the club has read, those in quarantine, those
//! that wait in the outbox, and the files that hold an address of the member.
//!
//! A letter in quarantine may be from somebody else, so its text is left out. Reply tokens in the
//! texts of queued letters are masked.

use crate::club::Member;
use crate::mail::{Letter, mask_tokens};
use crate::process::context::{ClubError, ClubResult};
use crate::process::leftovers::{LeftoverKind, find_files_with_member_data};
use crate::process::moderation::quarantine;
use crate::process::outbound::composition::{CompositionOutcome, compose_letters};
use crate::process::transaction::Transaction;
use crate::store::{
    LetterReader, LetterResult, MemberLetter, QueuedLetter, QueuedSummary, Repository, SeenLetter,
};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The letters from and to the member.
#[derive(Serialize)]
pub(super) struct MemberMail {
    /// The member's letters that the club has read, oldest first.
    read: Vec<ReadLetter>,
    /// The letters in quarantine that may be the member's.
    in_quarantine: Vec<HeldLetter>,
    /// The letters to the member that have not left.
    in_outbox: Vec<WaitingLetter>,
    /// The files in the club's folders for mail that hold an address of the member, such as
    /// archived letters. Those of other people may mention it.
    files: Vec<String>,
}

/// A letter of the member that the club has read.
#[derive(Serialize)]
struct ReadLetter {
    at: DateTime<Utc>,
    game: Option<u32>,
    record: Option<u32>,
    outcome: &'static str,
    answer_message_id: Option<String>,
}

/// A letter in quarantine that may be the member's.
#[derive(Serialize)]
struct HeldLetter {
    file: String,
    received_at: Option<DateTime<Utc>>,
    has_own_reply_token: bool,
}

/// A letter to the member that has not left.
#[derive(Serialize)]
struct WaitingLetter {
    message_id: String,
    written_at: Option<DateTime<Utc>>,
    recipient: String,
    failed_attempts: u32,
    subject: Option<String>,
    /// The plain text, without reply tokens. `None` if the letter cannot be worded now.
    text: Option<String>,
}

/// Collects the letters from and to a member.
pub(super) fn collect_mail(tx: &Transaction<'_>, member: &Member) -> ClubResult<MemberMail> {
    let mut read: Vec<ReadLetter> =
        tx.letters_of_member(member.id)?.into_values().filter_map(describe_read_letter).collect();
    read.sort_by_key(|letter| (letter.at, letter.game, letter.record));
    let held = quarantine::find_quarantined_of_member(tx, member)?.into_iter();
    let held = held.map(|(held, _, has_own_reply_token)| HeldLetter {
        received_at: held.file.received_at(),
        file: held.file.name,
        has_own_reply_token,
    });
    Ok(MemberMail {
        read,
        in_quarantine: held.collect(),
        in_outbox: list_waiting_letters(tx, member)?,
        files: list_mail_files(tx, member)?,
    })
}

fn describe_read_letter(seen: SeenLetter) -> Option<ReadLetter> {
    let SeenLetter { at, game, seq, of_member } = seen;
    let MemberLetter { member: _, result, answer } = of_member?;
    let outcome = match result {
        LetterResult::CarriedOut => "orders_carried_out",
        LetterResult::Planned => "orders_saved_as_plans",
        LetterResult::Said => "messages_or_votes",
        LetterResult::Refused => "refused",
        LetterResult::Answered => "questions_or_settings",
        LetterResult::Empty => "nothing_found",
        LetterResult::Automatic => "automatic_reply",
        LetterResult::Unproven => "unproven_sender",
        LetterResult::Rejected => "rejected_by_moderator",
    };
    Some(ReadLetter { at, game, record: seq, outcome, answer_message_id: answer })
}

/// Returns the letters in the outbox that are for the member, or go to an address of the member.
/// Letters to the moderator are left out, because they tell about other members.
fn list_waiting_letters(tx: &Transaction<'_>, member: &Member) -> ClubResult<Vec<WaitingLetter>> {
    let is_for_member = |queued: &QueuedSummary| {
        let is_own_address = member.addresses.contains(&queued.recipient);
        match queued.label.as_ref().map(|label| &label.reader) {
            Some(
                LetterReader::Seats { member: id, .. }
                | LetterReader::Member(id)
                | LetterReader::Probe(id),
            ) => *id == member.id,
            Some(LetterReader::Address) => is_own_address,
            Some(LetterReader::Moderator) | None => false,
        }
    };
    let queued = tx.outbox().list_sendable(DateTime::<Utc>::MAX_UTC)?.into_iter();
    let keys: Vec<u64> = queued.filter(is_for_member).map(|queued| queued.key).collect();
    let letters = tx.outbox().queued_letters(&keys)?;
    let composed = compose_letters(tx, &letters)?;
    Ok(letters.into_iter().zip(composed).map(describe_waiting_letter).collect())
}

fn describe_waiting_letter(
    (queued, composed): (QueuedLetter, CompositionOutcome),
) -> WaitingLetter {
    let letter = match composed {
        CompositionOutcome::Composed(ready) => Letter::parse(&ready.bytes).ok(),
        CompositionOutcome::Obsolete(_) | CompositionOutcome::Failed(_) => None,
    };
    let QueuedLetter { key: _, attempts, letter: waiting } = queued;
    WaitingLetter {
        message_id: waiting.message_id,
        written_at: waiting.label.map(|label| label.written),
        recipient: waiting.recipient,
        failed_attempts: attempts,
        subject: letter.as_ref().map(|letter| mask_tokens(&letter.subject).into_owned()),
        text: letter.as_ref().map(|letter| mask_tokens(&letter.body).into_owned()),
    }
}

/// Returns the files in the folders for mail that hold an address of the member, relative to the
/// club's folder.
fn list_mail_files(tx: &Transaction<'_>, member: &Member) -> Result<Vec<String>, ClubError> {
    let folder = &tx.context.folder;
    let found = find_files_with_member_data(folder, member)?.into_iter();
    let mail = found.filter(|(kind, _)| matches!(kind, LeftoverKind::Inbox | LeftoverKind::Outbox));
    let relative =
        |path: &std::path::PathBuf| path.strip_prefix(folder).unwrap_or(path).display().to_string();
    Ok(mail.flat_map(|(_, files)| files).map(|path| relative(&path)).collect())
}
