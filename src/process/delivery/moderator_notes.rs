//! Notes to the moderator: the daily limit is reached, or letters cannot be composed.

use super::rejected_letters::DeliveryRound;
use super::{count_events_within_day, post_composed};
use crate::mail::transport::{PostError, Transport};
use crate::process::commit::transact_and_notify;
use crate::process::context::{ClubError, Context};
use crate::process::outbound::composition::compose_unqueued;
use crate::process::outbound::pending;
use crate::process::pass_report::PassReport;
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{LetterReader, OutgoingLetter};

const CAP_REPORTED_KEY: &str = "told of the cap";

/// Tells the moderator, once a day, that the limit of letters per day is reached. The note bypasses
/// the outbox, which cannot send it.
pub(super) fn report_cap_reached(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut tx = Transaction::begin(context);
    if count_events_within_day(&tx, CAP_REPORTED_KEY)? > 0 {
        return Ok(());
    }
    let word = Message::new("report-letters-used-up")
        .with("limit", context.settings.letters_per_day)
        .with("waiting", tx.outbox().outbox_length()?);
    if post_moderator_note(&tx, transport, word, report)? {
        tx.increment_count(CAP_REPORTED_KEY.to_owned());
        tx.commit_without_conflict_check()?;
    }
    Ok(())
}

/// Posts a note to each moderator, bypassing the outbox. Returns whether the transport accepted
/// one.
pub(crate) fn post_moderator_note(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    word: Message,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let mut is_accepted = false;
    for note in pending::make_moderator_notes(tx, &[word])? {
        let result = compose_and_post_unqueued(tx, transport, note);
        report.posted += usize::from(result.is_ok());
        report.troubles.extend(result.as_ref().err().map(ToString::to_string));
        is_accepted |= result.is_ok();
    }
    Ok(is_accepted)
}

/// Composes and posts a letter that is not in the outbox.
pub(crate) fn compose_and_post_unqueued(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    note: OutgoingLetter,
) -> Result<(), PostError> {
    post_composed(transport, &compose_unqueued(tx, note).map_err(PostError::Refused)?)
}

/// Removes the letters that cannot be composed from the outbox. Reports them to the moderator in
/// one note, except letters to the moderator. Returns whether there were any.
pub(super) fn drop_and_report_uncomposable(
    context: &Context,
    round: &mut DeliveryRound,
) -> Result<bool, ClubError> {
    let unworded = std::mem::take(&mut round.uncomposable);
    if unworded.is_empty() {
        return Ok(false);
    }
    transact_and_notify(context, |tx| {
        tx.batch_mut().sent = unworded.iter().map(|(key, _)| *key).collect();
        let lines = unworded.iter().filter_map(|(_, line)| line.clone());
        lines.for_each(|line| tx.report_to_moderator(line));
        Ok(true)
    })
}

/// Returns the report to the moderator about a letter that cannot be composed. Returns `None` for a
/// letter to the moderator.
pub(super) fn uncomposable_report(letter: &OutgoingLetter, why: &Message) -> Option<Message> {
    let reader = letter.label.as_ref().map(|label| &label.reader);
    (reader != Some(&LetterReader::Moderator)).then(|| {
        Message::new("report-unworded")
            .with("to", letter.recipient.as_str())
            .with("id", letter.message_id.as_str())
            .with("why", why.clone())
    })
}
