//! Delivery: the outbox into the way out, a batch at a time.
//!
//! A letter that was taken is forgotten at once. What is not taken is gathered, and judged when the
//! pass has seen what became of the others: see [`untaken`](crate::process::outbound::untaken).
//! Knows nothing of what letters say.

use crate::club::COMES_BACK_WITHIN;
use crate::mail::transport::{OutgoingMessage, PostError, Transport};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::caps::{self, Allowance};
use crate::process::outbound::hold;
use crate::process::outbound::line::{self, Place};
use crate::process::outbound::tell;
use crate::process::outbound::untaken::{self, Round, Untaken};
use crate::process::outbound::{Leaves, Ready, in_club_words, leaving, ready, settle};
use crate::process::tally::{Mistake, PassReport};
use crate::process::transaction::{Transaction, retry};
use crate::rules::Message;
use crate::store::{Outbox, Outgoing, Posted, PostedLetter, Reader, Repository, Shared};
use chrono::TimeDelta;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::thread;

/// After so many members in a row to whom no letter was taken the rest is left for the next pass.
const IN_A_ROW: usize = 10;
/// So many letters are put into words at once, games side by side.
const SHEAF: usize = 64;
/// How long the store knows which letters were posted.
pub(crate) const KNOWN_AS_POSTED: TimeDelta = COMES_BACK_WITHIN;

/// What a pass has learned of the way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// It takes letters, or none waits for it.
    Open,
    /// It takes none, or not all of them.
    Closed,
    /// Nothing: no letter was to go now, or none whose fate tells anything.
    Unknown,
}

/// Posts what is in the outbox; what that tells of the way out.
///
/// # Errors
/// When the store cannot be read or written.
pub fn deliver(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<WayOut, ClubError> {
    let mut round = Round::default();
    post_all(context, transport, &mut round, report)?;
    context.store.forget_posted(context.now - KNOWN_AS_POSTED)?;
    untaken::judge(context, transport, round, report)
}

/// Tries every letter that may go now, once.
fn post_all(
    context: &Context,
    transport: &mut dyn Transport,
    round: &mut Round,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut allowance = caps::allowance(context)?;
    loop {
        let mut waiting = Transaction::begin(context).in_line(context.now)?;
        waiting.retain(|letter| !round.was_tried(letter.key));
        if hold::release(context, &waiting)? {
            continue;
        }
        let held = hold::held(context, &waiting)?;
        waiting.retain(|letter| !held.contains(&letter.key));
        round.held = held.len();
        if allowance.is_open() && settle(context, &waiting)? {
            continue;
        }
        let line = line::line(context, &waiting, &allowance)?;
        if line.is_empty() && drop_unworded(context, round)? {
            continue;
        }
        if waiting.is_empty() {
            return Ok(());
        }
        if line.is_empty() && allowance.is_broken() {
            round.used_up = true;
            return caps::tell_of_cap(context, transport, report);
        }
        if line.is_empty() {
            round.held += waiting.len();
            return Ok(());
        }
        let before = report.posted;
        let goes_on = post_line(context, transport, &line, &mut allowance, round, report)?;
        // Where all have left, nothing was written instead of any of them.
        if !goes_on || report.posted - before == waiting.len() && round.unworded.is_empty() {
            return Ok(());
        }
    }
}

/// Posts the letters of a line; whether the next ones may go.
fn post_line(
    context: &Context,
    transport: &mut dyn Transport,
    line: &[Place],
    allowance: &mut Allowance,
    round: &mut Round,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let batch_size = batch_size(context, transport);
    let sheaves = line.chunks(batch_size * (SHEAF / batch_size).max(1));
    worded_ahead(context, sheaves, |sheaf| {
        let mut tried = sheaf.into_iter().peekable();
        while tried.peek().is_some() {
            // A slow server takes longer for a sheaf than a lease lasts.
            if !context.store.shared().map_or(Ok(true), Shared::renew)? {
                // Somebody else posts them by now.
                return Ok(false);
            }
            let mut tx = Transaction::begin(context);
            let mut gone = Vec::new();
            let letters = tried.by_ref().take(batch_size);
            let goes_on = post(context, transport, letters, (&mut tx, &mut gone), round, report)?;
            for place in gone {
                caps::count_posted(&mut tx, place);
                allowance.take(place.rank);
            }
            tx.record()?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Hands the letters of each sheaf to `post`, in words, until it wants no more; whether it took
/// all. While one is posted the next is worded.
///
/// Where others work in the same club a sheaf is worded when it is to leave and not before: a seat
/// may be somebody else's by then.
fn worded_ahead<'a>(
    context: &Context,
    mut sheaves: impl Iterator<Item = &'a [Place]>,
    mut post: impl FnMut(Vec<Tried<'a>>) -> Result<bool, ClubError>,
) -> Result<bool, ClubError> {
    if context.store.shared().is_some() {
        for sheaf in sheaves {
            if !post(tried(context, sheaf)?)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    let mut next = sheaves.next().map(|sheaf| tried(context, sheaf)).transpose()?;
    while let Some(worded) = next {
        let after = sheaves.next();
        let (goes_on, words) = thread::scope(|scope| {
            let words = after.map(|sheaf| scope.spawn(|| tried(context, sheaf)));
            let goes_on = post(worded);
            (goes_on, words.map(|words| words.join().unwrap_or_else(|fault| resume_unwind(fault))))
        });
        if !goes_on? {
            return Ok(false);
        }
        next = words.transpose()?;
    }
    Ok(true)
}

/// The letters of these places as they leave now.
fn tried<'a>(context: &Context, places: &'a [Place]) -> Result<Vec<Tried<'a>>, ClubError> {
    let tx = Transaction::begin(context);
    let letters = tx.queued_among(&places.iter().map(|place| place.key).collect::<Vec<_>>())?;
    let of_key: HashMap<u64, &Place> = places.iter().map(|place| (place.key, place)).collect();
    let found: Vec<&Place> =
        letters.iter().filter_map(|letter| of_key.get(&letter.key).copied()).collect();
    let leaves = leaving(&tx, &letters)?;
    let tried = found.into_iter().zip(letters).zip(leaves);
    Ok(tried
        .map(|((place, queued), leaves)| Tried {
            place,
            attempts: queued.attempts,
            letter: queued.letter,
            leaves,
        })
        .collect())
}

/// How many letters are handed over before it is written down: no more than a commit takes.
fn batch_size(context: &Context, transport: &dyn Transport) -> usize {
    transport.batch_size().min(context.settings.letters_per_commit as usize).max(1)
}

/// Posts a batch of letters, and notes which have gone; whether the next ones may go.
fn post<'a>(
    context: &Context,
    transport: &mut dyn Transport,
    letters: impl Iterator<Item = Tried<'a>>,
    (tx, gone): (&mut Transaction<'_>, &mut Vec<&'a Place>),
    round: &mut Round,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    for Tried { place, attempts, letter, leaves } in letters {
        let key = place.key;
        let ready = match leaves {
            Leaves::Goes(ready) => ready,
            Leaves::Void(instead) => {
                tx.write().sent.push(key);
                tx.write().outgoing.extend(instead);
                continue;
            }
            Leaves::Fails(why) => {
                let said = in_club_words(context, &why);
                report.troubles.push(format!("to {}: {said}", letter.recipient));
                round.unworded.push((key, unworded(&letter, &why)));
                continue;
            }
        };
        let is_probe =
            letter.label.as_ref().is_some_and(|label| matches!(label.reader, Reader::Probe(_)));
        let answer = hand(transport, &ready).map_err(PostError::apart);
        if matches!(&answer, Err((_, true))) {
            // What was posted once, if only perhaps, is told by no other letter.
            tx.write().settled.extend(settled(key, letter));
        }
        match answer {
            Ok(()) => {
                tx.write().sent.push(key);
                let Ready { message_id, member, was_refused, tells: told, .. } = ready;
                let letter = PostedLetter { member, probe: is_probe, told };
                tx.write().posted.push((message_id, Posted { at: context.now, letter }));
                report.posted += 1;
                gone.push(place);
                round.taken(member.filter(|_| was_refused));
            }
            Err((error @ (PostError::Down(_) | PostError::Shut(..)), perhaps_taken)) => {
                report.troubles.push(error.to_string());
                if let PostError::Shut(mend, _) = error {
                    report.mistakes.push(Mistake { mend, what: error.to_string() });
                }
                round.down = true;
                if perhaps_taken {
                    let tells = is_reached_at(tx, &ready.recipient)?;
                    let kind = (tells, is_probe);
                    round.not_taken(Untaken::new((key, attempts), ready, (error, true), kind));
                }
                return Ok(false);
            }
            Err((error, perhaps_taken)) => {
                report.troubles.push(format!("to {}: {}", ready.recipient, error.why()));
                let tells = is_reached_at(tx, &ready.recipient)?;
                let (answer, kind) = ((error, perhaps_taken), (tells, is_probe));
                round.not_taken(Untaken::new((key, attempts), ready, answer, kind));
                if round.in_a_row() >= IN_A_ROW {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

/// Takes the letters out of the outbox that cannot be worded, and tells the moderator of all of
/// them at once; whether there were any.
fn drop_unworded(context: &Context, round: &mut Round) -> Result<bool, ClubError> {
    let unworded = std::mem::take(&mut round.unworded);
    if unworded.is_empty() {
        return Ok(false);
    }
    let lines: Vec<Message> = unworded.iter().filter_map(|(_, line)| line.clone()).collect();
    retry(|| {
        let mut tx = Transaction::begin(context);
        if !lines.is_empty() {
            let note = tell::to_moderator(&tx, lines.clone())?;
            tx.write().outgoing.push(note);
        }
        tx.write().sent = unworded.iter().map(|(key, _)| *key).collect();
        tx.keep()?;
        Ok(true)
    })
}

/// Whether letters to this address go to a member whom they have reached so far. Whatever is
/// said of others tells nothing of the way out: anybody can make us write to an address that
/// takes nothing, and the moderator must not stop the club by his mailbox.
fn is_reached_at(tx: &Transaction<'_>, address: &str) -> Result<bool, ClubError> {
    let member = tx.member_by_address(address)?;
    let reached = member.is_some_and(|member| {
        member.undeliverable().is_none()
            && member.addresses.first().is_some_and(|first| first == address)
    });
    Ok(reached && address != tx.context.settings.moderator.address)
}

/// A letter that is tried.
struct Tried<'a> {
    place: &'a Place,
    attempts: u32,
    letter: Outgoing,
    leaves: Leaves,
}

/// A letter that stays as it is, if it could have become one with others.
fn settled(key: u64, mut letter: Outgoing) -> Option<(u64, Outgoing)> {
    let label = letter.label.as_mut().filter(|label| label.unsettled)?;
    label.unsettled = false;
    Some((key, letter))
}

/// What the moderator hears of a letter that cannot be worded; nothing of a note to himself.
fn unworded(letter: &Outgoing, why: &Message) -> Option<Message> {
    let reader = letter.label.as_ref().map(|label| &label.reader);
    (reader != Some(&Reader::Moderator)).then(|| {
        Message::new("report-unworded")
            .with("to", letter.recipient.as_str())
            .with("id", letter.message_id.as_str())
            .with("why", why.clone())
    })
}

/// Hands one letter to the way out.
fn hand(transport: &mut dyn Transport, letter: &Ready) -> Result<(), PostError> {
    transport.post(&OutgoingMessage {
        message_id: &letter.message_id,
        recipient: &letter.recipient,
        bytes: &letter.bytes,
    })
}

/// Hands a note to the way out that does not go through the outbox.
pub(crate) fn hand_note(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    note: Outgoing,
) -> Result<(), PostError> {
    hand(transport, &ready(tx, note).map_err(PostError::Refused)?)
}
