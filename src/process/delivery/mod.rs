//! Delivery: the outbox into the transport, a batch at a time, and within quotas.
//!
//! A letter that was taken leaves the outbox at once. Those that were not are judged when the pass
//! has tried all letters: see [`results`]. Knows nothing of what letters say.
//!
//! Letters leave by rank (game, answer, known, stranger), the oldest first. Letters about games go
//! as long as the day has any. Other letters leave only during the first half of the day's letters.
//! Answers leave during the third quarter too, except to a mailbox that has had its share. The last
//! quarter is only for letters about games.
//!
//! Letters to people who are no members have a small share of the day, one for known people and one
//! for strangers. Each pass sends one letter of each of these ranks per domain (on a shared store,
//! each lease of a worker), so somebody who writes in a thousand names delays others by little.

use crate::club::BOUNCE_WINDOW;
use crate::mail::rate_limit::{DAY_SECONDS, mailbox_key, registered_domain};
use crate::mail::transport::{OutgoingMessage, PostError, Transport};
use crate::process::commit::transact;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::rejected_letters::{DeliveryRound, RejectedLetter};
use crate::process::outbound::composition::{
    ComposedLetter, CompositionOutcome, compose_letters, compose_unqueued, say_in_club_language,
};
use crate::process::outbound::{pending, queue};
use crate::process::pass_report::{LastingTrouble, PassReport};
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{
    LetterReader, OutgoingLetter, PostRecord, PostedLetter, QueuedSummary, Repository,
    SendPriority, SharedStore,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::resume_unwind;
use std::thread;

pub(crate) mod probes;
pub(crate) mod rejected_letters;

/// After this many members in a row to whom no letter was taken, the rest waits for the next pass.
const FAILED_MEMBERS_MAX: usize = 10;
/// The number of letters that are composed at once, games side by side.
const COMPOSED_AT_ONCE: usize = 64;

/// The keys under which the store counts posted letters, and the notes that the day's letters are
/// used up. No address is without an @.
const POSTED_KEY: &str = "posted";
const CAP_REPORTED_KEY: &str = "told of the cap";
/// The ranks that have a small share of the day: the key under which the store counts their
/// letters, and how many times the share of strangers they have.
const RANK_SHARES: [(SendPriority, &str, usize); 2] = [
    (SendPriority::Known, "posted to known", 4),
    (SendPriority::Stranger, "posted to strangers", 1),
];

/// A mailbox's share of the day's letters is a tenth,
const MAILBOX_SHARE: usize = 10;
/// and at least 10 letters. The moderator's mailbox needs none.
const MAILBOX_SHARE_MIN: usize = 10;
/// Strangers have at most one of this many of the day's letters.
const STRANGER_SHARE: usize = 8;

/// What a pass has learned of the transport. Of several batches the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TransportState {
    /// Nothing: no letter was to go now, or none that tells anything.
    Unknown,
    /// It takes letters, or none waits for it.
    Open,
    /// It takes none, or not all of them.
    Closed,
}

/// A letter that may leave now.
struct PostableLetter {
    key: u64,
    rank: SendPriority,
    mailbox: String,
    /// Whether its mailbox has had its share of the day's letters.
    is_over_share: bool,
}

impl PostableLetter {
    fn rank_and_domain(&self) -> (SendPriority, String) {
        (self.rank, registered_domain(&self.mailbox).to_owned())
    }
}

/// The letters that may still be posted; `usize::MAX` stands for no limit.
#[derive(Clone)]
struct Quotas {
    /// By this pass.
    left_in_pass: usize,
    /// The limit of the day, and what is left of it.
    day_limit_and_left: (usize, usize),
    /// What is left of the day for each rank of [`RANK_SHARES`].
    left_by_rank: BTreeMap<SendPriority, usize>,
    /// The domains to which this pass has tried a letter of such a rank.
    tried_domains: HashSet<(SendPriority, String)>,
}

impl Quotas {
    fn new(context: &Context) -> Result<Self, ClubError> {
        let limit = |letters: u32| if letters > 0 { letters as usize } else { usize::MAX };
        let settings = &context.settings;
        let tx = Transaction::begin(context);
        let day = limit(settings.letters_per_day);
        let strangers =
            (settings.stranger_letters_per_day as usize).min(day.div_ceil(STRANGER_SHARE));
        let mut shares = BTreeMap::new();
        for (rank, key, times) in RANK_SHARES {
            shares.insert(rank, (strangers * times).saturating_sub(count_within_day(&tx, key)?));
        }
        Ok(Self {
            left_in_pass: limit(settings.letters_per_run),
            day_limit_and_left: (day, day.saturating_sub(count_within_day(&tx, POSTED_KEY)?)),
            left_by_rank: shares,
            tried_domains: HashSet::new(),
        })
    }

    /// Whether a letter may go.
    fn can_post(&self, place: &PostableLetter) -> bool {
        let (limit, left) = self.day_limit_and_left;
        let kept = match place.rank {
            SendPriority::Game => 0,
            SendPriority::Answer if !place.is_over_share => limit / 4,
            SendPriority::Answer | SendPriority::Known | SendPriority::Stranger => limit / 2,
        };
        let share = self.left_by_rank.get(&place.rank).copied().unwrap_or(usize::MAX);
        self.left_in_pass.min(share) > 0
            && left > kept
            && !self.tried_domains.contains(&place.rank_and_domain())
    }

    /// Notes that a letter was tried, and whether it was posted.
    fn record_attempt(&mut self, place: &PostableLetter, is_posted: bool) {
        let posted = usize::from(is_posted);
        if let Some(share) = self.left_by_rank.get_mut(&place.rank) {
            *share = share.saturating_sub(posted);
            self.tried_domains.insert(place.rank_and_domain());
        }
        self.left_in_pass = self.left_in_pass.saturating_sub(posted);
        self.day_limit_and_left.1 = self.day_limit_and_left.1.saturating_sub(posted);
    }

    /// Returns the letters that may leave now, in their order. To one mailbox no news of a game
    /// overtakes an older answer, because the reader would take the last letter for the state of
    /// the game.
    fn select_postable(
        &self,
        context: &Context,
        waiting: &[QueuedSummary],
    ) -> Result<Vec<PostableLetter>, ClubError> {
        let (tx, limit) = (Transaction::begin(context), self.day_limit_and_left.0);
        let rank = |letter: &QueuedSummary| {
            letter.label.as_ref().map_or(SendPriority::Game, |label| label.priority)
        };
        let news = waiting.iter().filter(|letter| rank(letter) == SendPriority::Game);
        let last_news: HashMap<String, u64> =
            news.map(|letter| (mailbox_key(&letter.recipient), letter.key)).collect();
        let mut had: HashMap<String, usize> = HashMap::new();
        let mut line = Vec::with_capacity(waiting.len());
        for letter in waiting {
            let (key, rank, mailbox) = (letter.key, rank(letter), mailbox_key(&letter.recipient));
            let mut is_beyond = false;
            let reader = letter.label.as_ref().map(|label| &label.reader);
            let is_moderators = matches!(reader, Some(LetterReader::Moderator));
            if rank == SendPriority::Answer && limit < usize::MAX && !is_moderators {
                let before = match had.get(&mailbox) {
                    Some(had) => *had,
                    None => count_within_day(&tx, &mailbox_count_key(&mailbox))?,
                };
                had.insert(mailbox.clone(), before + 1);
                is_beyond = before >= (limit / MAILBOX_SHARE).max(MAILBOX_SHARE_MIN);
            }
            let is_overtaken = last_news.get(&mailbox).is_some_and(|news| key < *news);
            let is_promoted = rank == SendPriority::Answer && !is_beyond && is_overtaken;
            let rank = if is_promoted { SendPriority::Game } else { rank };
            line.push((
                (rank, is_beyond, key),
                PostableLetter { key, rank, mailbox, is_over_share: is_beyond },
            ));
        }
        line.sort_by_key(|(order, _)| *order);
        let mut left = self.clone();
        let goes = |place: &PostableLetter| {
            let goes = left.can_post(place);
            left.record_attempt(place, goes);
            goes
        };
        Ok(line.into_iter().map(|(_, place)| place).filter(goes).collect())
    }

    /// Counts a letter that was posted, in the transaction that records it.
    fn count_posted(tx: &mut Transaction<'_>, place: &PostableLetter) {
        let share = RANK_SHARES.iter().find(|(rank, ..)| *rank == place.rank);
        share.into_iter().for_each(|(_, key, _)| tx.increment_count((*key).to_owned()));
        tx.increment_count(mailbox_count_key(&place.mailbox));
        if tx.context.settings.letters_per_day > 0 {
            tx.increment_count(POSTED_KEY.to_owned());
        }
    }
}

/// The key under which the store counts the letters that went to a mailbox.
pub(crate) fn mailbox_count_key(mailbox: &str) -> String {
    format!("posted to {mailbox}")
}

pub(crate) fn count_within_day(tx: &Transaction<'_>, what: &str) -> Result<usize, ClubError> {
    tx.count_since(what, tx.context.now.timestamp() - DAY_SECONDS)
}

/// Tells the moderator, once a day, that the day's letters are used up. The note does not go
/// through the outbox, which is shut.
fn report_cap_reached(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut tx = Transaction::begin(context);
    if count_within_day(&tx, CAP_REPORTED_KEY)? > 0 {
        return Ok(());
    }
    let word = Message::new("report-letters-used-up")
        .with("limit", context.settings.letters_per_day)
        .with("waiting", tx.outbox().outbox_length()?);
    if post_moderator_note(&tx, transport, word, report)? {
        tx.increment_count(CAP_REPORTED_KEY.to_owned());
        tx.commit_unchecked()?;
    }
    Ok(())
}

/// Hands a note to the moderator to the transport, past the outbox. Returns whether it was taken.
pub(crate) fn post_moderator_note(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    word: Message,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let note = pending::make_moderator_note(tx, vec![word])?;
    let result = post_unqueued(tx, transport, note);
    report.posted += usize::from(result.is_ok());
    report.troubles.extend(result.as_ref().err().map(ToString::to_string));
    Ok(result.is_ok())
}

/// Posts what is in the outbox, and returns what that tells of the transport.
///
/// # Errors
/// When the store cannot be read or written.
pub fn deliver(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<TransportState, ClubError> {
    let mut round = DeliveryRound::default();
    post_outbox(context, transport, &mut round, report)?;
    context.store.prune_post_records(context.now - BOUNCE_WINDOW)?;
    rejected_letters::judge_rejected(context, transport, round, report)
}

/// Tries every letter that may go now, once.
fn post_outbox(
    context: &Context,
    transport: &mut dyn Transport,
    round: &mut DeliveryRound,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut quotas = Quotas::new(context)?;
    loop {
        let (waiting, held_count) = queue::prepare_due_letters(
            context,
            |key| round.was_tried(key),
            quotas.left_in_pass.min(quotas.day_limit_and_left.1) > 0,
        )?;
        round.held_back = held_count;
        let line = quotas.select_postable(context, &waiting)?;
        if line.is_empty() {
            if drop_uncomposable(context, round)? {
                continue;
            }
            if !waiting.is_empty() && quotas.day_limit_and_left.1 == 0 {
                round.is_quota_used_up = true;
                return report_cap_reached(context, transport, report);
            }
            round.held_back += waiting.len();
            return Ok(());
        }
        let before = report.posted;
        let goes_on = post_letters(context, transport, &line, &mut quotas, round, report)?;
        // Where all have left, nothing was written instead of any of them.
        if !goes_on || report.posted - before == waiting.len() && round.uncomposable.is_empty() {
            return Ok(());
        }
    }
}

/// Posts the letters of a line; returns whether the next ones may go.
fn post_letters(
    context: &Context,
    transport: &mut dyn Transport,
    line: &[PostableLetter],
    quotas: &mut Quotas,
    round: &mut DeliveryRound,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    // No more letters are handed over before that is recorded than one commit takes.
    let most = context.settings.letters_per_commit as usize;
    let batch_size = transport.batch_size().min(most).max(1);
    let batches = line.chunks(batch_size * (COMPOSED_AT_ONCE / batch_size).max(1));
    compose_ahead(context, batches, |batch| {
        let mut tried = batch.into_iter().peekable();
        while tried.peek().is_some() {
            // A slow server takes longer for a sheaf than a lease lasts.
            if !context.store.as_shared().map_or(Ok(true), SharedStore::renew_leases)? {
                // Another worker posts them by now.
                return Ok(false);
            }
            let mut tx = Transaction::begin(context);
            let mut goes_on = true;
            for one in tried.by_ref().take(batch_size) {
                let (place, before) = (one.place, report.posted);
                goes_on = post_letter(&mut tx, transport, one, round, report)?;
                let is_posted = report.posted > before;
                quotas.record_attempt(place, is_posted);
                if is_posted {
                    Quotas::count_posted(&mut tx, place);
                }
                if !goes_on {
                    break;
                }
            }
            tx.commit_unchecked()?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Hands the letters of each sheaf to `post`, composed, until it returns `false`. Composes the next
/// sheaf while one is posted. Returns what `post` returned last.
///
/// On a shared store a sheaf is composed only when it is to leave, because a seat may change hands
/// meanwhile.
fn compose_ahead<'a>(
    context: &Context,
    batches: impl Iterator<Item = &'a [PostableLetter]>,
    mut post: impl FnMut(Vec<DeliveryAttempt<'a>>) -> Result<bool, ClubError>,
) -> Result<bool, ClubError> {
    let is_shared = context.store.as_shared().is_some();
    let (mut batches, mut ahead) = (batches.peekable(), None);
    while let Some(batch) = batches.next() {
        let composed = ahead.take().unwrap_or_else(|| compose_attempts(context, batch))?;
        let after = batches.peek().copied().filter(|_| !is_shared);
        let goes_on = thread::scope(|scope| {
            let composing = after.map(|batch| scope.spawn(|| compose_attempts(context, batch)));
            let goes_on = post(composed);
            let join = |letters: thread::ScopedJoinHandle<'_, _>| {
                letters.join().unwrap_or_else(|fault| resume_unwind(fault))
            };
            ahead = composing.map(join);
            goes_on
        });
        if !goes_on? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A letter that is tried.
struct DeliveryAttempt<'a> {
    place: &'a PostableLetter,
    attempts: u32,
    letter: OutgoingLetter,
    composition: CompositionOutcome,
}

/// Composes the letters of these places.
fn compose_attempts<'a>(
    context: &Context,
    places: &'a [PostableLetter],
) -> Result<Vec<DeliveryAttempt<'a>>, ClubError> {
    let tx = Transaction::begin(context);
    let letters =
        tx.load_queued_letters(&places.iter().map(|place| place.key).collect::<Vec<_>>())?;
    let of_key: HashMap<u64, &PostableLetter> =
        places.iter().map(|place| (place.key, place)).collect();
    let outcomes = compose_letters(&tx, &letters)?;
    let tried = letters.into_iter().zip(outcomes).filter_map(|(queued, leaves)| {
        let place = of_key.get(&queued.key).copied()?;
        Some(DeliveryAttempt {
            place,
            attempts: queued.attempts,
            letter: queued.letter,
            composition: leaves,
        })
    });
    Ok(tried.collect())
}

/// Posts a letter, and records in the transaction that it has gone. Returns whether the next one
/// may go.
fn post_letter(
    tx: &mut Transaction<'_>,
    transport: &mut dyn Transport,
    DeliveryAttempt { place, attempts, mut letter, composition: leaves }: DeliveryAttempt<'_>,
    round: &mut DeliveryRound,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let key = place.key;
    let ready = match leaves {
        CompositionOutcome::Composed(ready) => ready,
        CompositionOutcome::Obsolete(instead) => {
            tx.batch_mut().sent.push(key);
            tx.batch_mut().outgoing.extend(instead);
            return Ok(true);
        }
        CompositionOutcome::Failed(why) => {
            let said = say_in_club_language(tx.context, &why);
            report.troubles.push(format!("to {}: {said}", letter.recipient));
            round.uncomposable.push((key, uncomposable_report(&letter, &why)));
            return Ok(true);
        }
    };
    let reader = letter.label.as_ref().map(|label| &label.reader);
    let is_probe = matches!(reader, Some(LetterReader::Probe(_)));
    let Err((error, perhaps_taken)) =
        post_composed(transport, &ready).map_err(PostError::unwrap_possibly_sent)
    else {
        tx.batch_mut().sent.push(key);
        let ComposedLetter {
            message_id,
            member,
            was_refused_before: was_refused,
            shown_seats: told,
            ..
        } = ready;
        let letter = PostedLetter { member, probe: is_probe, shown_seats: told };
        let posted = PostRecord { at: tx.context.now, letter };
        tx.batch_mut().posted.push((message_id, posted));
        report.posted += 1;
        round.record_accepted(member.filter(|_| was_refused));
        return Ok(true);
    };
    // A letter that was perhaps posted is merged with no other from now on.
    if perhaps_taken && let Some(label) = letter.label.as_mut().filter(|label| label.mergeable) {
        label.mergeable = false;
        tx.batch_mut().replaced.push((key, letter));
    }
    let is_down = matches!(error, PostError::Unavailable(_) | PostError::NeedsFix(..));
    if let PostError::NeedsFix(mend, _) = error {
        report.lasting_troubles.push(LastingTrouble { fault: mend, what: error.to_string() });
    }
    round.is_down |= is_down;
    report.troubles.push(match is_down {
        true => error.to_string(),
        false => format!("to {}: {}", ready.recipient, error.reason()),
    });
    if !is_down || perhaps_taken {
        let tells = is_reached_at(tx, &ready.recipient)?;
        let ComposedLetter { recipient, shown_seats: told, .. } = ready;
        let letter = RejectedLetter {
            key,
            attempts,
            recipient,
            error,
            perhaps_accepted: perhaps_taken,
            is_evidence: tells,
            is_probe,
            shown_seats: told,
        };
        round.record_rejected(letter);
    }
    Ok(!is_down && round.failed_member_count() < FAILED_MEMBERS_MAX)
}

/// Takes the letters out of the outbox that cannot be composed, and tells the moderator of all of
/// them at once. Returns whether there were any.
fn drop_uncomposable(context: &Context, round: &mut DeliveryRound) -> Result<bool, ClubError> {
    let unworded = std::mem::take(&mut round.uncomposable);
    if unworded.is_empty() {
        return Ok(false);
    }
    transact(context, |tx| {
        tx.batch_mut().sent = unworded.iter().map(|(key, _)| *key).collect();
        let lines = unworded.iter().filter_map(|(_, line)| line.clone());
        lines.for_each(|line| tx.report_to_moderator(line));
        Ok(true)
    })
}

/// Whether letters to this address go to a member whom they have reached so far. Refusals for
/// others tell nothing of the transport: anybody can make us write to an address that takes
/// nothing, and the moderator's mailbox must not stop the club.
fn is_reached_at(tx: &Transaction<'_>, address: &str) -> Result<bool, ClubError> {
    let reached = tx.member_by_address(address)?.is_some_and(|member| {
        member.undeliverable_since().is_none()
            && member.addresses.first().is_some_and(|first| first == address)
    });
    Ok(reached && address != tx.context.settings.moderator.address)
}

/// Returns what the moderator hears of a letter that cannot be composed, unless it is a note to
/// them.
fn uncomposable_report(letter: &OutgoingLetter, why: &Message) -> Option<Message> {
    let reader = letter.label.as_ref().map(|label| &label.reader);
    (reader != Some(&LetterReader::Moderator)).then(|| {
        Message::new("report-unworded")
            .with("to", letter.recipient.as_str())
            .with("id", letter.message_id.as_str())
            .with("why", why.clone())
    })
}

/// Hands one letter to the transport.
fn post_composed(transport: &mut dyn Transport, letter: &ComposedLetter) -> Result<(), PostError> {
    transport.post(&OutgoingMessage {
        message_id: &letter.message_id,
        recipient: &letter.recipient,
        bytes: &letter.bytes,
    })
}

/// Hands a note to the transport that does not go through the outbox.
pub(crate) fn post_unqueued(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    note: OutgoingLetter,
) -> Result<(), PostError> {
    post_composed(transport, &compose_unqueued(tx, note).map_err(PostError::Refused)?)
}
