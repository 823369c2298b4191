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
use crate::process::context::{ClubError, Context};
use crate::process::outbound::Ready;
use crate::process::outbound::conclude;
use crate::process::outbound::delivery::{WayOut, hand_note};
use crate::process::outbound::probes;
use crate::process::outbound::tell;
use crate::process::session::lost::{self, untell};
use crate::process::tally::PassReport;
use crate::process::transaction::{Transaction, retry};
use crate::rules::{Message, Seat};
use crate::store::{Outbox, Outgoing, Reader, Repository};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeSet, HashSet};

/// How often a letter is tried, which takes about four days; then it is as good as refused.
const TRIES_MAX: u32 = 20;
/// The longest that a letter waits for its next try.
const PAUSE_MAX: TimeDelta = TimeDelta::hours(6);
/// After so long a time in which nothing was taken a letter to the moderator shows whether anything
/// is. A shorter one costs nobody anything.
const ASK_AFTER: TimeDelta = TimeDelta::hours(6);

/// What one pass has met so far.
#[derive(Default)]
pub struct Round {
    /// Whether it was said that nothing can be posted.
    pub(crate) down: bool,
    /// Whether letters are kept back because the day's are used up.
    pub(crate) used_up: bool,
    /// How many letters wait that may not go yet for another reason: that tells nothing of the way
    /// out.
    pub(crate) held: usize,
    /// The letters that were not taken, in the order in which they were tried.
    pub(crate) untaken: Vec<Untaken>,
    /// The letters that cannot be worded, and what the moderator hears of each.
    pub(crate) unworded: Vec<(u64, Option<Message>)>,
    has_taken: bool,
    /// The members whose mailboxes were refused before and are not any more.
    accepted: BTreeSet<u32>,
    tried: HashSet<u64>,
    row: BTreeSet<String>,
}

/// A letter that was not taken.
pub(crate) struct Untaken {
    key: u64,
    attempts: u32,
    recipient: String,
    error: PostError,
    /// Whether the way out may have taken it and not said so.
    perhaps_taken: bool,
    /// Whether it tells something of the way out.
    tells: bool,
    is_probe: bool,
    /// The seats that are not told something by it, each with the last record that it knows.
    told: Vec<(u32, Seat, u32)>,
}

impl Round {
    /// Notes that a letter was taken, and the member if letters to them were refused before.
    pub(crate) fn taken(&mut self, refused_before: Option<u32>) {
        self.has_taken = true;
        self.accepted.extend(refused_before);
        self.row.clear();
    }

    /// Notes that one was not.
    pub(crate) fn not_taken(&mut self, letter: Untaken) {
        self.tried.insert(letter.key);
        if letter.tells {
            self.row.insert(letter.recipient.clone());
        }
        self.untaken.push(letter);
    }

    /// Whether this letter was tried in vain.
    pub(crate) fn was_tried(&self, key: u64) -> bool {
        self.tried.contains(&key) || self.unworded.iter().any(|(other, _)| *other == key)
    }

    /// To how many members no letter was taken since one was.
    pub(crate) fn in_a_row(&self) -> usize {
        self.row.len()
    }
}

impl Untaken {
    /// A letter of the outbox, by its key and how often it was tried, with what was said of it and
    /// whether it was perhaps taken all the same.
    pub(crate) fn new(
        (key, attempts): (u64, u32),
        letter: Ready,
        (error, perhaps_taken): (PostError, bool),
        (tells, is_probe): (bool, bool),
    ) -> Self {
        let Ready { recipient, tells: told, .. } = letter;
        Self { key, attempts, recipient, error, perhaps_taken, tells, is_probe, told }
    }

    /// Whether it is refused for good, as far as the transport is believed. A rule of the server's
    /// is not the reader's fault, and may change tomorrow: what tells them something is tried on.
    fn is_hopeless(&self) -> bool {
        match self.error {
            PostError::NoMailbox(_) => true,
            PostError::Refused(_) if !self.tells || self.error.cause() != Cause::Policy => true,
            PostError::Refused(_)
            | PostError::Later(_)
            | PostError::Down(_)
            | PostError::Shut(..)
            | PostError::Doubtful(_) => self.is_tried_for_days(),
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

    /// Whether it alone explains why it is not taken: its mailbox is at fault, or it was not taken
    /// while others were.
    const fn is_on_trial(&self, is_of_mailbox: bool) -> bool {
        self.attempts > 0 || is_of_mailbox
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
        let mut sorted = Self::default();
        let (hopeless, later): (Vec<_>, _) = untaken.into_iter().partition(Untaken::is_hopeless);
        sorted.later = later;
        // Nothing of this transaction is kept: each letter is judged by what all of them show.
        let mut tx = Transaction::begin(context);
        let mut readers = Vec::new();
        for letter in &hopeless {
            let member = tx.member_by_address(&letter.recipient)?;
            let is_first = |member: &Member| member.addresses.first() == Some(&letter.recipient);
            let reached = |member: &Member| member.undeliverable().is_none();
            let reader = member.filter(is_first).filter(reached);
            if let Some(mut member) = reader.clone() {
                member.reach.on(letter.event(context.now), context.now, true);
                tx.change(member);
            }
            readers.push(reader);
        }
        for (letter, reader) in hopeless.into_iter().zip(readers) {
            let place = match reader {
                Some(member) => {
                    let decides = probes::decides(&tx, &member, letter.event(context.now))?;
                    match (decides, letter.tells) {
                        (true, true) => &mut sorted.lost,
                        (false, _) if !letter.is_probe => &mut sorted.refused,
                        _ => &mut sorted.dropped,
                    }
                }
                None => &mut sorted.dropped,
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
        let given_up = give_up(context, &lost, Some((transport, report)))?;
        is_open |= given_up;
        in_doubt = !given_up;
    }
    if !refused.is_empty() && !down && !in_doubt {
        match note_refused(context, &refused, is_open, (transport, report))? {
            Noted::Taken => is_open = true,
            Noted::NotTaken => in_doubt = true,
            Noted::Untold => {}
        }
    }
    let are_mailboxes = !refused.is_empty() && probes::is_mass_refusal_told(context)?;
    later.extend(refused);
    dropped.retain(|letter| is_open || letter.error.is_of_mailbox());
    give_up(context, &dropped, None)?;
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
        (false, false) if Transaction::begin(context).outbox_length()? == held => WayOut::Open,
        (false, false) => WayOut::Unknown,
    })
}

/// Notes that servers take letters to these members again.
fn note_accepted(context: &Context, members: &BTreeSet<u32>) -> Result<(), ClubError> {
    if members.is_empty() {
        return Ok(());
    }
    conclude::transact(context, |tx| {
        for id in members {
            let Some(mut member) = tx.member(*id)? else { continue };
            member.reach.on(Event::Taken, context.now, false);
            tx.change(member);
        }
        Ok(())
    })
}

/// The fate of the moderator's note about refusals.
enum Noted {
    /// It was taken, so the refusals are about mailboxes.
    Taken,
    /// It was not taken either.
    NotTaken,
    /// None was due.
    Untold,
}

/// Notes for each member that letters to them are refused for good. Does nothing if neither
/// another letter nor the moderator's note of it was taken.
fn note_refused(
    context: &Context,
    letters: &[Untaken],
    is_open: bool,
    (transport, report): (&mut dyn Transport, &mut PassReport),
) -> Result<Noted, ClubError> {
    let mut noted = Noted::Untold;
    retry(|| {
        let mut tx = Transaction::begin(context);
        let mut words = Vec::new();
        for letter in letters {
            let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
            let word =
                probes::observe(&mut tx, &member, letter.event(context.now), &letter.failed())?;
            words.extend(word);
        }
        if let Some(last) = letters.iter().rfind(|letter| letter.tells)
            && let Some(word) = probes::told_of_refusal(&mut tx, &last.failed())?
        {
            words.extend([last.told(), word]);
        }
        if !words.is_empty() && matches!(noted, Noted::Untold) {
            let note = tell::to_moderator(&tx, words)?;
            match hand_note(&tx, transport, note) {
                Ok(()) => {
                    report.posted += 1;
                    noted = Noted::Taken;
                }
                Err(error) => {
                    let moderator = &context.settings.moderator.address;
                    report.troubles.push(format!("to {moderator}: {}", error.why()));
                    noted = Noted::NotTaken;
                }
            }
        }
        let is_believed = match noted {
            Noted::Taken => true,
            Noted::NotTaken => false,
            Noted::Untold => is_open,
        };
        if is_believed { conclude::conclude(tx).map(drop) } else { Ok(()) }
    })?;
    Ok(noted)
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
    conclude::transact(context, |tx| {
        for letter in &refused {
            let Some(member) = tx.member_by_address(&letter.recipient)? else { continue };
            if let Some(word) = lost::refused_by_rule(tx, member.id, &letter.failed())? {
                tx.tell_moderator(word);
            }
        }
        Ok(())
    })
}

/// Gives letters up: their members cannot be reached any more. With a way out that is done only
/// if the moderator's note of it goes; says whether that is so.
fn give_up(
    context: &Context,
    letters: &[Untaken],
    mut tell: Option<(&mut dyn Transport, &mut PassReport)>,
) -> Result<bool, ClubError> {
    // What went before something had changed is gone.
    let mut handed = BTreeSet::new();
    retry(|| {
        let mut tx = Transaction::begin(context);
        for letter in letters {
            give_up_one(&mut tx, letter)?;
        }
        conclude::finish(&mut tx)?;
        let moderator = &context.settings.moderator.address;
        let outgoing = std::mem::take(&mut tx.write().outgoing);
        let is_note = |letter: &Outgoing| {
            letter.label.as_ref().is_some_and(|label| label.reader == Reader::Moderator)
        };
        let (notes, rest): (Vec<_>, Vec<_>) = outgoing.into_iter().partition(is_note);
        tx.write().outgoing = rest;
        if let Some((transport, report)) = &mut tell {
            for note in notes {
                let id = note.message_id.clone();
                if handed.contains(&id) {
                    continue;
                }
                if let Err(error) = hand_note(&tx, *transport, note) {
                    report.troubles.push(format!("to {moderator}: {}", error.why()));
                    return Ok(false);
                }
                report.posted += 1;
                handed.insert(id);
            }
        }
        tx.keep()?;
        Ok(true)
    })
}

fn give_up_one(tx: &mut Transaction<'_>, letter: &Untaken) -> Result<(), ClubError> {
    tx.write().sent.push(letter.key);
    let address = &letter.recipient;
    let Some(member) = tx.member_by_address(address)? else { return Ok(()) };
    untell(tx, member.id, &letter.told)?;
    if member.addresses.first() != Some(address) {
        return Ok(());
    }
    let event = letter.event(tx.context.now);
    let Some(word) = probes::observe(tx, &member, event, &letter.failed())? else {
        return Ok(());
    };
    // A note that cannot reach the moderator must not lead to another one.
    if *address != tx.context.settings.moderator.address {
        tx.tell_moderator(letter.told());
        tx.tell_moderator(word);
    }
    Ok(())
}

/// Once nothing was taken for long, asks by a letter to the moderator whether anything is; that
/// letter tells of it. Whether it was taken.
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
    let note = tell::to_moderator(
        &tx,
        vec![
            Message::new("report-slow-letters")
                .with("since", context.moment(since))
                .with("why", told(letters.first().map(|one| one.error.why()).unwrap_or_default()))
                .with("count", letters.len()),
        ],
    )?;
    let taken = hand_note(&tx, transport, note);
    report.posted += usize::from(taken.is_ok());
    report.troubles.extend(taken.as_ref().err().map(ToString::to_string));
    Ok(taken.is_ok())
}

/// Whether these letters, of a pass in which none was taken, speak against the way out: those of
/// one member that are on trial anyway do not.
fn is_doubtful(later: &[Untaken]) -> bool {
    let telling = || later.iter().filter(|letter| letter.tells);
    let members: BTreeSet<&str> = telling().map(|letter| letter.recipient.as_str()).collect();
    let fresh = || telling().any(|letter| !letter.is_on_trial(letter.error.is_of_mailbox()));
    members.len() > 1 || fresh()
}

/// How long a letter waits after this many tries: 5, 10, 20 minutes, and so on up to six hours.
fn pause(attempts: u32) -> TimeDelta {
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
