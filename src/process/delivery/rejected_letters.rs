//! Decides what happens to letters that the outbound transport rejected: whether the letter, the
//! reader's mailbox or the transport is at fault.
//!
//! A server that is full, distrusts the club or rejects its login answers every letter as another
//! server answers one bad letter. So two rules apply:
//!
//! - A refusal counts against a mailbox only if the same transport accepts a letter in the same
//!   pass: the note that tells the moderator about the refusal, or any other.
//! - A try is counted only in a pass in which some letter was accepted. If none was, the transport
//!   is treated as closed, and all letters stay queued.
//!
//! ```text
//! refused for good, which makes the member undeliverable         given up
//! refused for good, but the member does not become undeliverable retried, as if refused for now
//! refused by a policy, or for now                                retried, for four days
//! a probe that is refused for good                               given up: it has bounced
//! refused for good, no member's or an undeliverable address      given up
//! ```
//!
//! A letter that may have been accepted despite an error is always postponed. Otherwise its reader
//! would get a copy with every pass, and it would block the letters behind it.

use crate::club::{Member, ReachabilityEvent};
use crate::mail::transport::{PostError, Transport};
use crate::mail::{FailedRecipient, FailureCause, translate_fault};
use crate::process::commit::{queue_notifications, transact_and_notify};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::moderator_notes::{compose_and_post_unqueued, post_moderator_note};
use crate::process::delivery::{TransportState, count_events_within_day, probes};
use crate::process::pass_report::PassReport;
use crate::process::session::game_time::{self, restore_last_seen_records};
use crate::process::transaction::{Transaction, retry_on_conflict};
use crate::rules::{Message, Seat};
use crate::store::{LetterReader, OutgoingLetter, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeSet, HashSet};

/// The number of tries after which a letter counts as refused for good. They take about four days.
const TRIES_MAX: u32 = 20;
/// The longest pause between two tries.
pub(crate) const PAUSE_MAX: TimeDelta = TimeDelta::hours(6);
/// If no letter was accepted for this long, a letter to the moderator tests the transport.
const TEST_AFTER: TimeDelta = TimeDelta::hours(6);

/// The results so far of one pass for the letters that it tried.
#[derive(Default)]
pub(crate) struct DeliveryRound {
    /// Whether the transport reported that it can post nothing.
    pub(crate) is_down: bool,
    /// Whether letters wait because the limit of letters per day is reached.
    pub(crate) is_quota_used_up: bool,
    /// The number of letters that wait for another reason, which proves nothing about the
    /// transport.
    pub(crate) held_back: usize,
    /// The rejected letters, in the order in which they were tried.
    rejected: Vec<RejectedLetter>,
    /// The keys of letters that cannot be composed, each with the report to the moderator.
    pub(crate) uncomposable: Vec<(u64, Option<Message>)>,
    has_accepted: bool,
    /// The members whose mailboxes were refused before and now accept letters.
    accepting_members: BTreeSet<u32>,
    tried: HashSet<u64>,
    failed_in_a_row: BTreeSet<String>,
}

/// A letter that the transport rejected.
pub(crate) struct RejectedLetter {
    pub(super) key: u64,
    pub(super) attempts: u32,
    pub(super) recipient: String,
    pub(super) error: PostError,
    /// Whether the transport may have accepted it without confirming it.
    pub(super) perhaps_accepted: bool,
    /// Whether the rejection is evidence against the transport.
    pub(super) is_evidence: bool,
    pub(super) is_probe: bool,
    /// The seats whose news it holds, each with the seat's last seen record before it.
    pub(super) shown_seats: Vec<(u32, Seat, u32)>,
}

impl DeliveryRound {
    /// Notes that a letter was accepted, and its member if their mailbox refused letters before.
    pub(crate) fn record_accepted(&mut self, refused_before: Option<u32>) {
        self.has_accepted = true;
        self.accepting_members.extend(refused_before);
        self.failed_in_a_row.clear();
    }

    pub(crate) fn record_rejected(&mut self, letter: RejectedLetter) {
        self.tried.insert(letter.key);
        if letter.is_evidence {
            self.failed_in_a_row.insert(letter.recipient.clone());
        }
        self.rejected.push(letter);
    }

    /// Whether this pass has already tried this letter without success.
    pub(crate) fn has_failed_in_pass(&self, key: u64) -> bool {
        self.tried.contains(&key) || self.uncomposable.iter().any(|(other, _)| *other == key)
    }

    /// Returns the number of members whose letters were rejected since the last accepted letter.
    pub(crate) fn failed_member_count(&self) -> usize {
        self.failed_in_a_row.len()
    }
}

impl RejectedLetter {
    /// Whether a rejected letter counts as refused for good. A refusal by a server's policy does
    /// not, because it is not the reader's fault and may change.
    fn is_permanent(&self) -> bool {
        match self.error {
            PostError::RecipientRefused(_) => true,
            PostError::Refused(_)
                if !self.is_evidence || self.error.failure_cause() != FailureCause::Policy =>
            {
                true
            }
            _ => self.is_out_of_tries(),
        }
    }

    const fn is_out_of_tries(&self) -> bool {
        self.attempts >= TRIES_MAX
    }

    /// Returns the event that this rejection is for the reachability of the reader's mailbox.
    const fn reachability_event(&self, now: DateTime<Utc>) -> ReachabilityEvent {
        match self.is_probe {
            true => ReachabilityEvent::ProbeReturned { posted: now },
            false => ReachabilityEvent::Refused { is_four_days_old: self.is_out_of_tries() },
        }
    }

    /// Returns this rejection in the form of a bounce report.
    fn to_failed_recipient(&self) -> FailedRecipient {
        FailedRecipient {
            address: self.recipient.clone(),
            cause: self.error.failure_cause(),
            status: self.error.status_code().unwrap_or_default(),
        }
    }

    /// Returns the sentence that tells the moderator about this rejection.
    fn moderator_message(&self) -> Message {
        let word = Message::new("report-failed-letter").with("to", self.recipient.as_str());
        word.with("why", translate_fault(self.error.reason()))
    }
}

/// The rejected letters, by what happens to them.
#[derive(Default)]
struct SortedRejections {
    /// Letters whose refusal makes their member undeliverable.
    lost: Vec<RejectedLetter>,
    /// Letters that are refused for good without a consequence yet. They are retried.
    refused: Vec<RejectedLetter>,
    /// Letters that are given up. They prove nothing about the transport.
    dropped: Vec<RejectedLetter>,
    /// Letters that are retried.
    retried: Vec<RejectedLetter>,
}

impl SortedRejections {
    fn sort_by_consequence(
        context: &Context,
        untaken: Vec<RejectedLetter>,
    ) -> Result<Self, ClubError> {
        let (mut sorted, mut hopeless) = (Self::default(), Vec::new());
        // This transaction is never committed. It applies all refusals, so that each letter is
        // judged by what all of them show.
        let mut tx = Transaction::begin(context);
        for letter in untaken {
            if !letter.is_permanent() {
                sorted.retried.push(letter);
                continue;
            }
            let is_reached = |member: &Member| {
                member.addresses.first() == Some(&letter.recipient)
                    && member.undeliverable_since().is_none()
            };
            let reader = tx.member_by_address(&letter.recipient)?.filter(is_reached);
            if let Some(mut member) = reader.clone() {
                member.reachability.handle_event(
                    letter.reachability_event(context.now),
                    context.now,
                    true,
                );
                tx.update_member(member);
            }
            hopeless.push((letter, reader));
        }
        for (letter, reader) in hopeless {
            let decides = |member| {
                probes::would_become_undeliverable(
                    &tx,
                    &member,
                    letter.reachability_event(context.now),
                )
            };
            let place = match (reader.map(decides).transpose()?, letter.is_evidence) {
                (Some(true), true) => &mut sorted.lost,
                (Some(false), _) if !letter.is_probe => &mut sorted.refused,
                _ => &mut sorted.dropped,
            };
            place.push(letter);
        }
        Ok(sorted)
    }
}

/// Decides what happens to the rejected letters after all letters were tried. Returns what the pass
/// learned about the transport.
pub(crate) fn handle_rejected_letters(
    context: &Context,
    transport: &mut dyn Transport,
    round: DeliveryRound,
    report: &mut PassReport,
) -> Result<TransportState, ClubError> {
    let DeliveryRound {
        is_down: down,
        is_quota_used_up: used_up,
        held_back: held,
        rejected: untaken,
        accepting_members: accepted,
        has_accepted: mut is_open,
        ..
    } = round;
    mark_accepting_members(context, &accepted)?;
    postpone_retries(context, untaken.iter().filter(|letter| letter.perhaps_accepted))?;
    let SortedRejections { lost, refused, mut dropped, retried: mut later } =
        SortedRejections::sort_by_consequence(context, untaken)?;
    let mut in_doubt = false;
    if !lost.is_empty() && !down {
        let give_up = |tx: &mut Transaction<'_>| give_up_letters(tx, &lost);
        in_doubt = commit_if_notes_accepted(context, give_up, true, (transport, report))?
            == NoteOutcome::Rejected;
        is_open |= !in_doubt;
    }
    if !refused.is_empty() && !down && !in_doubt {
        let note = |tx: &mut Transaction<'_>| record_permanent_refusals(tx, &refused);
        let noted = commit_if_notes_accepted(context, note, is_open, (transport, report))?;
        is_open |= noted == NoteOutcome::Accepted;
        in_doubt = noted == NoteOutcome::Rejected;
    }
    let are_mailboxes = !refused.is_empty()
        && count_events_within_day(&Transaction::begin(context), probes::MASS_REPORTED_KEY)? > 0;
    later.extend(refused);
    dropped.retain(|letter| is_open || letter.error.is_about_mailbox());
    if !dropped.is_empty() {
        transact_and_notify(context, |tx| give_up_letters(tx, &dropped))?;
    }
    if !is_open && !down && !in_doubt && is_transport_suspect(&later) {
        // If a mass refusal was reported to the moderator today, no test letter is sent. The
        // transport counts as closed, so clocks stand still.
        is_open = !are_mailboxes && post_test_letter(context, transport, &later, report)?;
        in_doubt = !is_open;
    }
    if !in_doubt && (is_open || !down) {
        let counts = |one: &&RejectedLetter| !one.perhaps_accepted && (is_open || one.is_evidence);
        postpone_retries(context, later.iter().filter(counts))?;
    }
    if is_open {
        report_policy_refusals(context, &later)?;
    }
    let is_shut = down || in_doubt || used_up;
    Ok(match (is_shut, is_open) {
        (true, _) => TransportState::Closed,
        (false, true) => TransportState::Open,
        (false, false) if Transaction::begin(context).outbox().outbox_length()? == held => {
            TransportState::Open
        }
        (false, false) => TransportState::Unknown,
    })
}

/// Records that servers accept letters to these members again.
fn mark_accepting_members(context: &Context, members: &BTreeSet<u32>) -> Result<(), ClubError> {
    if members.is_empty() {
        return Ok(());
    }
    transact_and_notify(context, |tx| {
        for id in members {
            let Some(mut member) = tx.member(*id)? else { continue };
            member.reachability.handle_event(ReachabilityEvent::Accepted, context.now, false);
            tx.update_member(member);
        }
        Ok(())
    })
}

/// The results of the notes to the moderator that a commit led to.
#[derive(PartialEq, Eq)]
enum NoteOutcome {
    /// All were accepted, so the transport's refusals are believed.
    Accepted,
    /// One was rejected, so nothing was committed.
    Rejected,
    /// There were no notes.
    NoNotes,
}

/// Commits what `work` decides if the transport first accepts its note to a moderator. If it
/// leads to no note, commits only if `is_open`.
fn commit_if_notes_accepted(
    context: &Context,
    work: impl Fn(&mut Transaction<'_>) -> Result<(), ClubError>,
    is_open: bool,
    (transport, report): (&mut dyn Transport, &mut PassReport),
) -> Result<NoteOutcome, ClubError> {
    // A note that was posted before a conflict is not posted again when the work is repeated.
    let mut handed = HashSet::new();
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        work(&mut tx)?;
        queue_notifications(&mut tx)?;
        let is_note = |letter: &OutgoingLetter| {
            letter.label.as_ref().is_some_and(|label| label.reader == LetterReader::Moderator)
        };
        let outgoing = std::mem::take(&mut tx.batch_mut().outgoing);
        let (notes, rest): (Vec<_>, Vec<_>) = outgoing.into_iter().partition(is_note);
        tx.batch_mut().outgoing = rest;
        let mut rejected = Vec::new();
        for note in notes {
            if handed.contains(&note.message_id) {
                continue;
            }
            if let Err(error) = compose_and_post_unqueued(&tx, transport, note.clone()) {
                report.troubles.push(format!("to {}: {}", note.recipient, error.reason()));
                rejected.push(note);
                continue;
            }
            report.posted += 1;
            handed.insert(note.message_id);
        }
        if handed.is_empty() && !rejected.is_empty() {
            return Ok(NoteOutcome::Rejected);
        }
        // One moderator has the note, so the others' notes can wait.
        tx.batch_mut().outgoing.extend(rejected);
        if is_open || !handed.is_empty() {
            tx.commit_and_journal()?;
        }
        Ok(if handed.is_empty() { NoteOutcome::NoNotes } else { NoteOutcome::Accepted })
    })
}

/// Records in each member's reachability that letters to them are refused for good.
fn record_permanent_refusals(
    tx: &mut Transaction<'_>,
    letters: &[RejectedLetter],
) -> Result<(), ClubError> {
    for letter in letters {
        let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
        let event = letter.reachability_event(tx.context.now);
        if let Some(word) =
            probes::apply_reachability_event(tx, &member, event, &letter.to_failed_recipient())?
        {
            tx.report_to_moderator(word);
        }
    }
    if let Some(last) = letters.iter().rfind(|letter| letter.is_evidence)
        && let Some(word) = probes::refusal_report_once_a_day(tx, &last.to_failed_recipient())?
    {
        tx.report_to_moderator(last.moderator_message());
        tx.report_to_moderator(word);
    }
    Ok(())
}

/// Counts a try for each of these letters and postpones the next one.
fn postpone_retries<'a>(
    context: &Context,
    letters: impl Iterator<Item = &'a RejectedLetter>,
) -> Result<(), ClubError> {
    let postponed: Vec<_> =
        letters.map(|one| (one.key, context.now + retry_pause(one.attempts))).collect();
    if postponed.is_empty() {
        return Ok(());
    }
    let mut tx = Transaction::begin(context);
    tx.batch_mut().postponed = postponed;
    tx.commit_without_conflict_check()
}

/// Tells the moderator if the policies of servers refuse letters to several members.
fn report_policy_refusals(context: &Context, later: &[RejectedLetter]) -> Result<(), ClubError> {
    let is_refused = |letter: &&RejectedLetter| {
        letter.is_evidence && letter.error.failure_cause() == FailureCause::Policy
    };
    let refused: Vec<&RejectedLetter> = later.iter().filter(is_refused).collect();
    if refused.is_empty() {
        return Ok(());
    }
    transact_and_notify(context, |tx| {
        for letter in &refused {
            let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
            if let Some(word) = game_time::record_and_report_policy_refusal(
                tx,
                member.id,
                &letter.to_failed_recipient(),
            )? {
                tx.report_to_moderator(word);
            }
        }
        Ok(())
    })
}

/// Gives letters up: removes them from the outbox and resets the seats' last seen records, so that
/// the next letter repeats their news.
fn give_up_letters(tx: &mut Transaction<'_>, letters: &[RejectedLetter]) -> Result<(), ClubError> {
    for letter in letters {
        tx.batch_mut().sent.push(letter.key);
        let address = &letter.recipient;
        let Some(member) = tx.member_by_address(address)? else {
            // Another server would send this letter, so the moderator can do something.
            if letter.error.needs_smtputf8() {
                tx.report_to_moderator(letter.moderator_message());
            }
            continue;
        };
        restore_last_seen_records(tx, member.id, &letter.shown_seats)?;
        if member.addresses.first() != Some(address) {
            continue;
        }
        let event = letter.reachability_event(tx.context.now);
        let word =
            probes::apply_reachability_event(tx, &member, event, &letter.to_failed_recipient())?;
        // A note that cannot reach the moderator must not lead to another note.
        let is_moderator = tx.context.settings.moderators.find_by_address(address).is_some();
        if let Some(word) = word.filter(|_| !is_moderator) {
            tx.report_to_moderator(letter.moderator_message());
            tx.report_to_moderator(word);
        }
    }
    Ok(())
}

/// Posts a letter to the moderator as a test if the transport has been closed for [`TEST_AFTER`].
/// Returns whether it was accepted.
fn post_test_letter(
    context: &Context,
    transport: &mut dyn Transport,
    letters: &[RejectedLetter],
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let tx = Transaction::begin(context);
    let closed = tx.heartbeat()?.and_then(|heartbeat| heartbeat.outbound_closed_since);
    let Some(since) = closed.filter(|since| context.now - *since >= TEST_AFTER) else {
        return Ok(false);
    };
    let word = Message::new("report-slow-letters")
        .with("since", context.moment_for_moderator(since))
        .with(
            "why",
            translate_fault(letters.first().map(|one| one.error.reason()).unwrap_or_default()),
        )
        .with("count", letters.len());
    post_moderator_note(&tx, transport, word, report)
}

/// Whether the rejections of a pass without any accepted letter point to a fault of the transport.
/// A single member's letters do not if the error is about that mailbox, or if they already failed
/// when others were accepted.
fn is_transport_suspect(later: &[RejectedLetter]) -> bool {
    let telling = || later.iter().filter(|letter| letter.is_evidence);
    let members: BTreeSet<&str> = telling().map(|letter| letter.recipient.as_str()).collect();
    let is_fresh = |one: &RejectedLetter| one.attempts == 0 && !one.error.is_about_mailbox();
    members.len() > 1 || telling().any(is_fresh)
}

/// Returns the pause after this many tries: 5, 10, 20 minutes and so on, up to six hours.
pub(crate) fn retry_pause(attempts: u32) -> TimeDelta {
    TimeDelta::minutes(5 << attempts.min(10)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retry_pause_doubles_up_to_six_hours() {
        let minutes: Vec<i64> = (0..9).map(|n| retry_pause(n).num_minutes()).collect();
        assert_eq!(minutes, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
        assert_eq!(retry_pause(u32::MAX), PAUSE_MAX);
    }
}
