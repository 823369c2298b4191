//! Letters that the outbound transport did not take: whether that is their own fault or the
//! transport's.
//!
//! A server that has no room, no trust in us or no user of our name says to each letter what
//! another one says to a bad letter. So a refusal counts against a mailbox only if the note that
//! tells the moderator of it is taken in the same pass, by the same transport, or another letter
//! is. A try is counted only in a pass in which some letter is taken. If none is, the transport is
//! closed and keeps all.
//!
//! ```text
//! refused for good, and the member becomes undeliverable by it  given up
//! refused for good, and the member does not                     tried on, as if refused for now
//! refused by a rule, or for now                                 tried on, for four days
//! a probe that is refused for good                              given up: it has come back
//! refused for good, to nobody, or to an undeliverable member    given up
//! ```
//!
//! A letter that was perhaps taken is always put off, so that its reader does not get a copy with
//! every pass, and so that it does not stand before the others.

use crate::club::{Event, Member};
use crate::mail::transport::{PostError, Transport};
use crate::mail::{Cause, Failed, told};
use crate::process::commit::{finish, transact};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::{WayOut, hand_note, probes, tell_at_once, within_a_day};
use crate::process::session::clock::{self, untell};
use crate::process::tally::PassReport;
use crate::process::transaction::{Transaction, retry};
use crate::rules::{Message, Seat};
use crate::store::{Outgoing, Reader, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeSet, HashSet};

/// The number of tries, within about four days, after which a letter counts as refused.
const TRIES_MAX: u32 = 20;
/// The longest pause between two tries.
pub(crate) const PAUSE_MAX: TimeDelta = TimeDelta::hours(6);
/// After this time without a letter that was taken, a letter to the moderator shows whether any is.
const ASK_AFTER: TimeDelta = TimeDelta::hours(6);

/// What one pass has learned so far.
#[derive(Default)]
pub(crate) struct Round {
    /// Whether the transport said that it can post nothing.
    pub(crate) down: bool,
    /// Whether letters wait because the day's letters are used up.
    pub(crate) used_up: bool,
    /// The number of letters that wait for another reason, which tells nothing of the transport.
    pub(crate) held: usize,
    /// The letters that were not taken, in the order in which they were tried.
    untaken: Vec<Untaken>,
    /// The letters that cannot be composed, and what the moderator hears of each.
    pub(crate) unworded: Vec<(u64, Option<Message>)>,
    has_taken: bool,
    /// The members whose mailboxes were refused before and are no longer.
    accepted: BTreeSet<u32>,
    tried: HashSet<u64>,
    row: BTreeSet<String>,
}

/// A letter that was not taken.
pub(crate) struct Untaken {
    pub(super) key: u64,
    pub(super) attempts: u32,
    pub(super) recipient: String,
    pub(super) error: PostError,
    /// Whether the transport may have taken it and not said so.
    pub(super) perhaps_taken: bool,
    /// Whether it tells something of the transport.
    pub(super) tells: bool,
    pub(super) is_probe: bool,
    /// The seats that it would have told something, each with the last record that the seat knows.
    pub(super) told: Vec<(u32, Seat, u32)>,
}

impl Round {
    /// Notes that a letter was taken, and the member if letters to them were refused before.
    pub(crate) fn taken(&mut self, refused_before: Option<u32>) {
        self.has_taken = true;
        self.accepted.extend(refused_before);
        self.row.clear();
    }

    /// Notes that a letter was not taken.
    pub(crate) fn not_taken(&mut self, letter: Untaken) {
        self.tried.insert(letter.key);
        if letter.tells {
            self.row.insert(letter.recipient.clone());
        }
        self.untaken.push(letter);
    }

    /// Whether this letter was tried without success.
    pub(crate) fn was_tried(&self, key: u64) -> bool {
        self.tried.contains(&key) || self.unworded.iter().any(|(other, _)| *other == key)
    }

    /// Returns the number of members to whom no letter was taken since one was.
    pub(crate) fn in_a_row(&self) -> usize {
        self.row.len()
    }
}

impl Untaken {
    /// Whether it is refused for good, as far as the transport is believed. A rule of a server's is
    /// not the reader's fault and may change, so a letter that it refuses is tried again.
    fn is_hopeless(&self) -> bool {
        match self.error {
            PostError::NoMailbox(_) => true,
            PostError::Refused(_) if !self.tells || self.error.cause() != Cause::Policy => true,
            _ => self.is_tried_for_days(),
        }
    }

    const fn is_tried_for_days(&self) -> bool {
        self.attempts >= TRIES_MAX
    }

    /// Returns what the letter says of its reader's mailbox.
    const fn event(&self, now: DateTime<Utc>) -> Event {
        match self.is_probe {
            true => Event::ProbeReturned { posted: now },
            false => Event::Refused { for_days: self.is_tried_for_days() },
        }
    }

    /// What a mail server's report would say of it.
    fn failed(&self) -> Failed {
        Failed {
            address: self.recipient.clone(),
            cause: self.error.cause(),
            status: self.error.status().unwrap_or_default(),
        }
    }

    /// Returns the sentence for the moderator.
    fn told(&self) -> Message {
        let word = Message::new("report-failed-letter").with("to", self.recipient.as_str());
        word.with("why", told(self.error.why()))
    }
}

/// The letters that were not taken, by what becomes of them.
#[derive(Default)]
struct Sorted {
    /// Their members become undeliverable.
    lost: Vec<Untaken>,
    /// They are refused for good, which does not decide anything yet: they are tried on.
    refused: Vec<Untaken>,
    /// They are given up, and nothing follows for the transport.
    dropped: Vec<Untaken>,
    /// They are tried on.
    later: Vec<Untaken>,
}

impl Sorted {
    fn of(context: &Context, untaken: Vec<Untaken>) -> Result<Self, ClubError> {
        let (mut sorted, mut hopeless) = (Self::default(), Vec::new());
        // Nothing of this transaction is kept: each letter is judged by what all of them show.
        let mut tx = Transaction::begin(context);
        for letter in untaken {
            if !letter.is_hopeless() {
                sorted.later.push(letter);
                continue;
            }
            let is_reached = |member: &Member| {
                member.addresses.first() == Some(&letter.recipient)
                    && member.undeliverable().is_none()
            };
            let reader = tx.member_by_address(&letter.recipient)?.filter(is_reached);
            if let Some(mut member) = reader.clone() {
                member.reach.on(letter.event(context.now), context.now, true);
                tx.change(member);
            }
            hopeless.push((letter, reader));
        }
        for (letter, reader) in hopeless {
            let decides = |member| probes::decides(&tx, &member, letter.event(context.now));
            let place = match (reader.map(decides).transpose()?, letter.tells) {
                (Some(true), true) => &mut sorted.lost,
                (Some(false), _) if !letter.is_probe => &mut sorted.refused,
                _ => &mut sorted.dropped,
            };
            place.push(letter);
        }
        Ok(sorted)
    }
}

/// Judges the letters that were not taken, now that all were tried; returns what the pass has
/// learned of the transport.
///
/// # Errors
/// When the club cannot be read or written.
pub(crate) fn judge(
    context: &Context,
    transport: &mut dyn Transport,
    round: Round,
    report: &mut PassReport,
) -> Result<WayOut, ClubError> {
    let Round { down, used_up, held, untaken, accepted, has_taken: mut is_open, .. } = round;
    note_accepted(context, &accepted)?;
    put_off(context, untaken.iter().filter(|letter| letter.perhaps_taken))?;
    let Sorted { lost, refused, mut dropped, mut later } = Sorted::of(context, untaken)?;
    let mut in_doubt = false;
    if !lost.is_empty() && !down {
        let give_up = |tx: &mut Transaction<'_>| give_up(tx, &lost);
        in_doubt = commit_if_told(context, give_up, true, (transport, report))? == Noted::NotTaken;
        is_open |= !in_doubt;
    }
    if !refused.is_empty() && !down && !in_doubt {
        let note = |tx: &mut Transaction<'_>| note_refused(tx, &refused);
        let noted = commit_if_told(context, note, is_open, (transport, report))?;
        is_open |= noted == Noted::Taken;
        in_doubt = noted == Noted::NotTaken;
    }
    let are_mailboxes =
        !refused.is_empty() && within_a_day(&Transaction::begin(context), probes::MASS_TOLD)? > 0;
    later.extend(refused);
    dropped.retain(|letter| is_open || letter.error.is_of_mailbox());
    if !dropped.is_empty() {
        transact(context, |tx| give_up(tx, &dropped))?;
    }
    if !is_open && !down && !in_doubt && is_doubtful(&later) {
        // The moderator has read of it today; time stands still for everybody meanwhile.
        is_open = !are_mailboxes && ask(context, transport, &later, report)?;
        in_doubt = !is_open;
    }
    if !in_doubt && (is_open || !down) {
        let counts = |one: &&Untaken| !one.perhaps_taken && (is_open || one.tells);
        put_off(context, later.iter().filter(counts))?;
    }
    if is_open {
        tell_of_rules(context, &later)?;
    }
    let is_shut = down || in_doubt || used_up;
    Ok(match (is_shut, is_open) {
        (true, _) => WayOut::Closed,
        (false, true) => WayOut::Open,
        (false, false) if Transaction::begin(context).outbox().outbox_length()? == held => {
            WayOut::Open
        }
        (false, false) => WayOut::Unknown,
    })
}

/// Notes that servers take letters to these members again.
fn note_accepted(context: &Context, members: &BTreeSet<u32>) -> Result<(), ClubError> {
    if members.is_empty() {
        return Ok(());
    }
    transact(context, |tx| {
        for id in members {
            let Some(mut member) = tx.member(*id)? else { continue };
            member.reach.on(Event::Taken, context.now, false);
            tx.change(member);
        }
        Ok(())
    })
}

/// The fate of the notes to the moderator that a commit led to.
#[derive(PartialEq, Eq)]
enum Noted {
    /// They were taken, so the transport is believed.
    Taken,
    /// One was not taken, so nothing was committed.
    NotTaken,
    /// There were none.
    Untold,
}

/// Commits what `work` decides, if the transport takes at once each note to the moderator that this
/// leads to. If there is none, commits only if `is_open`.
fn commit_if_told(
    context: &Context,
    work: impl Fn(&mut Transaction<'_>) -> Result<(), ClubError>,
    is_open: bool,
    (transport, report): (&mut dyn Transport, &mut PassReport),
) -> Result<Noted, ClubError> {
    // A note that went before a conflict is not sent again.
    let mut handed = HashSet::new();
    retry(|| {
        let mut tx = Transaction::begin(context);
        work(&mut tx)?;
        finish(&mut tx)?;
        let is_note = |letter: &Outgoing| {
            letter.label.as_ref().is_some_and(|label| label.reader == Reader::Moderator)
        };
        let outgoing = std::mem::take(&mut tx.write().outgoing);
        let (notes, rest): (Vec<_>, Vec<_>) = outgoing.into_iter().partition(is_note);
        tx.write().outgoing = rest;
        for note in notes {
            let id = note.message_id.clone();
            if handed.contains(&id) {
                continue;
            }
            if let Err(error) = hand_note(&tx, transport, note) {
                let moderator = &context.settings.moderator.address;
                report.troubles.push(format!("to {moderator}: {}", error.why()));
                return Ok(Noted::NotTaken);
            }
            report.posted += 1;
            handed.insert(id);
        }
        if is_open || !handed.is_empty() {
            tx.keep()?;
        }
        Ok(if handed.is_empty() { Noted::Untold } else { Noted::Taken })
    })
}

/// Notes for each member that letters to them are refused for good.
fn note_refused(tx: &mut Transaction<'_>, letters: &[Untaken]) -> Result<(), ClubError> {
    for letter in letters {
        let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
        let event = letter.event(tx.context.now);
        if let Some(word) = probes::observe(tx, &member, event, &letter.failed())? {
            tx.tell_moderator(word);
        }
    }
    if let Some(last) = letters.iter().rfind(|letter| letter.tells)
        && let Some(word) = probes::told_of_refusal(tx, &last.failed())?
    {
        tx.tell_moderator(last.told());
        tx.tell_moderator(word);
    }
    Ok(())
}

/// Counts that these letters were tried, and puts off their next try.
fn put_off<'a>(
    context: &Context,
    letters: impl Iterator<Item = &'a Untaken>,
) -> Result<(), ClubError> {
    let postponed: Vec<_> =
        letters.map(|one| (one.key, context.now + pause(one.attempts))).collect();
    if postponed.is_empty() {
        return Ok(());
    }
    let mut tx = Transaction::begin(context);
    tx.write().postponed = postponed;
    tx.record()
}

/// Tells the moderator when the rules of servers refuse letters to several members.
fn tell_of_rules(context: &Context, later: &[Untaken]) -> Result<(), ClubError> {
    let is_refused = |letter: &&Untaken| letter.tells && letter.error.cause() == Cause::Policy;
    let refused: Vec<&Untaken> = later.iter().filter(is_refused).collect();
    if refused.is_empty() {
        return Ok(());
    }
    transact(context, |tx| {
        for letter in &refused {
            let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
            if let Some(word) = clock::refused_by_rule(tx, member.id, &letter.failed())? {
                tx.tell_moderator(word);
            }
        }
        Ok(())
    })
}

/// Gives letters up: they leave the outbox, and what they would have told counts as not told.
fn give_up(tx: &mut Transaction<'_>, letters: &[Untaken]) -> Result<(), ClubError> {
    for letter in letters {
        tx.write().sent.push(letter.key);
        let address = &letter.recipient;
        let Some(member) = tx.member_by_address(address)? else { continue };
        untell(tx, member.id, &letter.told)?;
        if member.addresses.first() != Some(address) {
            continue;
        }
        let event = letter.event(tx.context.now);
        let word = probes::observe(tx, &member, event, &letter.failed())?;
        // A note that cannot reach the moderator must not lead to another one.
        if let Some(word) = word.filter(|_| *address != tx.context.settings.moderator.address) {
            tx.tell_moderator(letter.told());
            tx.tell_moderator(word);
        }
    }
    Ok(())
}

/// If nothing was taken for long, tells the moderator so in a letter, which shows whether anything
/// is taken. Returns whether it was.
fn ask(
    context: &Context,
    transport: &mut dyn Transport,
    letters: &[Untaken],
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let tx = Transaction::begin(context);
    let closed = tx.heartbeat()?.and_then(|heartbeat| heartbeat.closed);
    let Some(since) = closed.filter(|since| context.now - *since >= ASK_AFTER) else {
        return Ok(false);
    };
    let word = Message::new("report-slow-letters")
        .with("since", context.moment(since))
        .with("why", told(letters.first().map(|one| one.error.why()).unwrap_or_default()))
        .with("count", letters.len());
    tell_at_once(&tx, transport, word, report)
}

/// Whether these letters, of a pass in which none was taken, speak against the transport. Those to
/// one member do not if that mailbox is at fault, or if they failed while others were taken.
fn is_doubtful(later: &[Untaken]) -> bool {
    let telling = || later.iter().filter(|letter| letter.tells);
    let members: BTreeSet<&str> = telling().map(|letter| letter.recipient.as_str()).collect();
    let is_fresh = |one: &Untaken| one.attempts == 0 && !one.error.is_of_mailbox();
    members.len() > 1 || telling().any(is_fresh)
}

/// Returns how long to wait after this many tries: 5, 10, 20 minutes, and so on up to six hours.
pub(crate) fn pause(attempts: u32) -> TimeDelta {
    TimeDelta::minutes(5 << attempts.min(10)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_tried_less_and_less_often() {
        let minutes: Vec<i64> = (0..9).map(|n| pause(n).num_minutes()).collect();
        assert_eq!(minutes, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
        assert_eq!(pause(u32::MAX), PAUSE_MAX);
    }
}
