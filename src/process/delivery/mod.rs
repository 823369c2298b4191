//! Delivery: posts the outbox through the transport, in batches and within quotas. Knows nothing of
//! what letters say.
//!
//! A letter that the transport accepts leaves the outbox at once. Rejected letters are judged when
//! the pass has tried all letters: see [`rejected_letters`].
//!
//! Letters leave by priority (game, answer, known, stranger), oldest first. The limit of letters
//! per day is divided between them:
//!
//! - Letters about games may use the whole limit.
//! - Answers may use three quarters of it. Answers to a mailbox that has had its share of the day
//!   may use only the first half.
//! - All other letters may use the first half.
//!
//! Letters to non-members have a small quota of their own, one for known people and one for
//! strangers. Each pass (on a shared store, each lease of a worker) sends one letter of each of
//! these two priorities per domain. So a person who writes under a thousand names hardly delays
//! others.

use crate::club::BOUNCE_WINDOW;
use crate::mail::rate_limit::{DAY_SECONDS, mailbox_key, registered_domain};
use crate::mail::transport::{OutgoingMessage, PostError, Transport};
use crate::process::context::{ClubError, Context};
use crate::process::delivery::moderator_notes::{
    drop_and_report_uncomposable, report_cap_reached, uncomposable_report,
};
use crate::process::delivery::rejected_letters::{DeliveryRound, RejectedLetter};
use crate::process::outbound::composition::{
    ComposedLetter, CompositionOutcome, compose_letters, localize_for_club,
};
use crate::process::outbound::queue;
use crate::process::pass_report::{LastingTrouble, PassReport};
use crate::process::transaction::Transaction;
use crate::store::{
    LetterReader, OutgoingLetter, PostRecord, PostedLetter, QueuedSummary, Repository,
    SendPriority, SharedStore,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::resume_unwind;
use std::thread;

mod moderator_notes;
pub(crate) mod probes;
pub(crate) mod rejected_letters;

/// The pass stops posting after letters to this many members in a row were rejected. The other
/// letters wait for the next pass.
const FAILED_MEMBERS_MAX: usize = 10;
/// The number of letters that are composed at a time, in parallel by game.
const COMPOSED_AT_ONCE: usize = 64;

/// The store's counter keys: posted letters, and the notes that the limit per day is reached. They
/// cannot collide with an address, because each address contains an @.
const POSTED_KEY: &str = "posted";
/// The priorities with a small daily quota: the store's counter key, and the quota as a multiple of
/// the strangers' quota.
const PRIORITY_QUOTAS: [(SendPriority, &str, usize); 2] = [
    (SendPriority::Known, "posted to known", 4),
    (SendPriority::Stranger, "posted to strangers", 1),
];

/// A mailbox's share of the day: one in this many letters of the limit per day, so a tenth.
const MAILBOX_SHARE: usize = 10;
/// The least value of that share, in letters per day: with a low daily limit, each mailbox still
/// has this many answers before its further answers are sent last. The moderator's mailbox has no
/// such share.
const MAILBOX_SHARE_MIN: usize = 10;
/// Strangers get at most one in this many letters of the limit per day.
const STRANGER_SHARE: usize = 8;

/// The state of the outbound transport, as delivery found it. If a pass has several batches, the
/// greatest value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TransportState {
    /// Nothing: no letter was due, or the rejections prove nothing.
    Unknown,
    /// It accepts letters, or no letter is waiting.
    Open,
    /// It accepts no letters, or not all.
    Closed,
}

/// A queued letter that the quotas allow to leave now.
struct PostableLetter {
    key: u64,
    rank: SendPriority,
    mailbox: String,
    /// Whether its mailbox has had its share of answers for the day.
    is_over_share: bool,
}

impl PostableLetter {
    fn priority_and_domain(&self) -> (SendPriority, String) {
        (self.rank, registered_domain(&self.mailbox).to_owned())
    }
}

/// The numbers of letters that may still be posted. `usize::MAX` means no limit.
#[derive(Clone)]
struct Quotas {
    /// The number of letters that this pass may still post.
    left_in_pass: usize,
    /// The limit of letters per day, and the number that is left today.
    day_limit_and_left: (usize, usize),
    /// The quota that is left today for each priority of [`PRIORITY_QUOTAS`].
    left_by_rank: BTreeMap<SendPriority, usize>,
    /// The domains to which this pass has tried a letter of a priority with a quota.
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
        for (rank, key, times) in PRIORITY_QUOTAS {
            shares.insert(
                rank,
                (strangers * times).saturating_sub(count_events_within_day(&tx, key)?),
            );
        }
        Ok(Self {
            left_in_pass: limit(settings.letters_per_run),
            day_limit_and_left: (
                day,
                day.saturating_sub(count_events_within_day(&tx, POSTED_KEY)?),
            ),
            left_by_rank: shares,
            tried_domains: HashSet::new(),
        })
    }

    /// Whether the quotas allow this letter to leave now.
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
            && !self.tried_domains.contains(&place.priority_and_domain())
    }

    /// Deducts a letter that was tried from the quotas, if it was posted, and notes its domain.
    fn record_attempt(&mut self, place: &PostableLetter, is_posted: bool) {
        let posted = usize::from(is_posted);
        if let Some(share) = self.left_by_rank.get_mut(&place.rank) {
            *share = share.saturating_sub(posted);
            self.tried_domains.insert(place.priority_and_domain());
        }
        self.left_in_pass = self.left_in_pass.saturating_sub(posted);
        self.day_limit_and_left.1 = self.day_limit_and_left.1.saturating_sub(posted);
    }

    /// Returns the queued letters that may leave now, by priority and within the quotas.
    ///
    /// A mailbox gets an older answer before newer news of a game, because the reader takes the
    /// last letter for the state of the game. So the answer gets the game's priority.
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
                    None => count_events_within_day(&tx, &mailbox_count_key(&mailbox))?,
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

    /// Counts a posted letter in the store, in the transaction that records it.
    fn count_posted(tx: &mut Transaction<'_>, place: &PostableLetter) {
        let share = PRIORITY_QUOTAS.iter().find(|(rank, ..)| *rank == place.rank);
        share.into_iter().for_each(|(_, key, _)| tx.increment_count((*key).to_owned()));
        tx.increment_count(mailbox_count_key(&place.mailbox));
        if tx.context.settings.letters_per_day > 0 {
            tx.increment_count(POSTED_KEY.to_owned());
        }
    }
}

/// Returns the store's counter key for the letters posted to a mailbox.
pub(crate) fn mailbox_count_key(mailbox: &str) -> String {
    format!("posted to {mailbox}")
}

pub(crate) fn count_events_within_day(
    tx: &Transaction<'_>,
    what: &str,
) -> Result<usize, ClubError> {
    tx.count_events_since(what, tx.context.now.timestamp() - DAY_SECONDS)
}

/// Posts the letters in the outbox that are due, and returns what this shows about the transport.
///
/// # Errors
/// If the store cannot be read or written.
pub fn deliver(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<TransportState, ClubError> {
    let mut round = DeliveryRound::default();
    post_due_letters(context, transport, &mut round, report)?;
    context.store.prune_post_records(context.now - BOUNCE_WINDOW)?;
    rejected_letters::handle_rejected_letters(context, transport, round, report)
}

/// Posts the letters in the outbox that may leave now, each at most once. Writes the outcome to
/// `round` and `report`.
fn post_due_letters(
    context: &Context,
    transport: &mut dyn Transport,
    round: &mut DeliveryRound,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut quotas = Quotas::new(context)?;
    loop {
        let (waiting, held_count) = queue::merge_and_list_due_letters(
            context,
            |key| round.has_failed_in_pass(key),
            quotas.left_in_pass.min(quotas.day_limit_and_left.1) > 0,
        )?;
        round.held_back = held_count;
        let line = quotas.select_postable(context, &waiting)?;
        if line.is_empty() {
            if drop_and_report_uncomposable(context, round)? {
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
        // If all waiting letters were posted, none was replaced by new ones, so the outbox holds
        // nothing more to post.
        if !goes_on || report.posted - before == waiting.len() && round.uncomposable.is_empty() {
            return Ok(());
        }
    }
}

/// Composes and posts these letters in batches, with a commit after each batch. Returns `false` if
/// delivery must stop, such as when the transport is down.
fn post_letters(
    context: &Context,
    transport: &mut dyn Transport,
    line: &[PostableLetter],
    quotas: &mut Quotas,
    round: &mut DeliveryRound,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    // A commit records at most `letters_per_commit` letters, so no more are posted between two
    // commits.
    let most = context.settings.letters_per_commit as usize;
    let batch_size = transport.letters_per_save().min(most).max(1);
    let batches = line.chunks(batch_size * (COMPOSED_AT_ONCE / batch_size).max(1));
    compose_and_post_batches(context, batches, |batch| {
        let mut tried = batch.into_iter().peekable();
        while tried.peek().is_some() {
            // With a slow server, a batch can take longer than a lease lasts.
            if !context.store.as_shared().map_or(Ok(true), SharedStore::renew_leases)? {
                // The lease was lost, so another worker posts these letters.
                return Ok(false);
            }
            let mut tx = Transaction::begin(context);
            let mut goes_on = true;
            for one in tried.by_ref().take(batch_size) {
                let (place, before) = (one.place, report.posted);
                goes_on = post_and_record_letter(&mut tx, transport, one, round, report)?;
                let is_posted = report.posted > before;
                quotas.record_attempt(place, is_posted);
                if is_posted {
                    Quotas::count_posted(&mut tx, place);
                }
                if !goes_on {
                    break;
                }
            }
            tx.commit_without_conflict_check()?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Composes each batch and passes it to `post`, until `post` returns `false`. Composes the next
/// batch while the current one is posted. Returns the last result of `post`.
///
/// On a shared store a batch is composed only right before it is posted, because another worker may
/// change who has a seat.
fn compose_and_post_batches<'a>(
    context: &Context,
    batches: impl Iterator<Item = &'a [PostableLetter]>,
    mut post: impl FnMut(Vec<DeliveryAttempt<'a>>) -> Result<bool, ClubError>,
) -> Result<bool, ClubError> {
    let is_shared = context.store.as_shared().is_some();
    let (mut batches, mut ahead) = (batches.peekable(), None);
    while let Some(batch) = batches.next() {
        let composed = ahead.take().unwrap_or_else(|| load_and_compose_letters(context, batch))?;
        let after = batches.peek().copied().filter(|_| !is_shared);
        let goes_on = thread::scope(|scope| {
            let composing =
                after.map(|batch| scope.spawn(|| load_and_compose_letters(context, batch)));
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

/// A composed letter that is about to be posted.
struct DeliveryAttempt<'a> {
    place: &'a PostableLetter,
    attempts: u32,
    letter: OutgoingLetter,
    composition: CompositionOutcome,
}

/// Loads these letters from the outbox and composes them. Leaves out letters that are no longer in
/// the outbox.
fn load_and_compose_letters<'a>(
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

/// Posts a letter and records the result in the transaction. Returns `false` if delivery must stop.
fn post_and_record_letter(
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
            let said = localize_for_club(tx.context, &why);
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
        report.posted += 1;
        record_posted(tx, key, ready, is_probe, round);
        return Ok(true);
    };
    // The letter may have been posted despite the error. It must not change any more, so it is
    // excluded from merging.
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
        let tells = is_reachable_member_address(tx, &ready.recipient)?;
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

fn record_posted(
    tx: &mut Transaction<'_>,
    key: u64,
    ready: ComposedLetter,
    is_probe: bool,
    round: &mut DeliveryRound,
) {
    tx.batch_mut().sent.push(key);
    let ComposedLetter { message_id, member, was_refused_before, shown_seats, .. } = ready;
    let letter = PostedLetter { member, probe: is_probe, shown_seats };
    let posted = PostRecord { at: tx.context.now, letter };
    tx.batch_mut().posted.push((message_id, posted));
    round.record_accepted(member.filter(|_| was_refused_before));
}

/// Whether this is the first address of a member whose mail has not bounced, so that a rejection is
/// evidence against the transport.
///
/// Other addresses prove nothing: anybody can make the club write to an address that accepts no
/// mail. The moderator's address does not count either, because a fault of that mailbox must not
/// stop the club.
fn is_reachable_member_address(tx: &Transaction<'_>, address: &str) -> Result<bool, ClubError> {
    let reached = tx.member_by_address(address)?.is_some_and(|member| {
        member.undeliverable_since().is_none()
            && member.addresses.first().is_some_and(|first| first == address)
    });
    Ok(reached && tx.context.settings.moderators.find_by_address(address).is_none())
}

fn post_composed(transport: &mut dyn Transport, letter: &ComposedLetter) -> Result<(), PostError> {
    transport.post(&OutgoingMessage {
        message_id: &letter.message_id,
        recipient: &letter.recipient,
        bytes: &letter.bytes,
    })
}
