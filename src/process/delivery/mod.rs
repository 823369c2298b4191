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

use crate::club::COMES_BACK_WITHIN;
use crate::mail::rate_limit::{DAY, domain, mailbox};
use crate::mail::transport::{OutgoingMessage, PostError, Transport};
use crate::process::commit::transact;
use crate::process::context::{ClubError, Context};
use crate::process::delivery::results::{Round, Untaken};
use crate::process::outbound::composition::{Leaves, Ready, in_club_words, leaving, ready};
use crate::process::outbound::{pending, queue};
use crate::process::tally::{Mistake, PassReport};
use crate::process::transaction::Transaction;
use crate::rules::Message;
use crate::store::{Class, InLine, Outgoing, Posted, PostedLetter, Reader, Repository, Shared};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::panic::resume_unwind;
use std::thread;

pub(crate) mod probes;
pub(crate) mod results;

/// After this many members in a row to whom no letter was taken, the rest waits for the next pass.
const IN_A_ROW: usize = 10;
/// The number of letters that are composed at once, games side by side.
const SHEAF: usize = 64;

/// The keys under which the store counts posted letters, and the notes that the day's letters are
/// used up. No address is without an @.
const POSTED: &str = "posted";
const TOLD: &str = "told of the cap";
/// The ranks that have a small share of the day: the key under which the store counts their
/// letters, and how many times the share of strangers they have.
const SHARES: [(Class, &str, usize); 2] =
    [(Class::Known, "posted to known", 4), (Class::Stranger, "posted to strangers", 1)];

/// A mailbox's share of the day's letters is a tenth,
const SHARE: usize = 10;
/// and at least 10 letters. The moderator's mailbox needs none.
const SHARE_MIN: usize = 10;
/// Strangers have at most one of this many of the day's letters.
const STRANGERS: usize = 8;

/// What a pass has learned of the transport. Of several batches the greatest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WayOut {
    /// Nothing: no letter was to go now, or none that tells anything.
    Unknown,
    /// It takes letters, or none waits for it.
    Open,
    /// It takes none, or not all of them.
    Closed,
}

/// A letter that may leave now.
struct Place {
    key: u64,
    rank: Class,
    mailbox: String,
    /// Whether its mailbox has had its share of the day's letters.
    is_beyond: bool,
}

impl Place {
    fn domain(&self) -> (Class, String) {
        (self.rank, domain(&self.mailbox).to_owned())
    }
}

/// The letters that may still be posted; `usize::MAX` stands for no limit.
#[derive(Clone)]
struct Quotas {
    /// By this pass.
    run: usize,
    /// The limit of the day, and what is left of it.
    day: (usize, usize),
    /// What is left of the day for each rank of [`SHARES`].
    shares: BTreeMap<Class, usize>,
    /// The domains to which this pass has tried a letter of such a rank.
    served: HashSet<(Class, String)>,
}

impl Quotas {
    fn new(context: &Context) -> Result<Self, ClubError> {
        let limit = |letters: u32| if letters > 0 { letters as usize } else { usize::MAX };
        let settings = &context.settings;
        let tx = Transaction::begin(context);
        let day = limit(settings.letters_per_day);
        let strangers = (settings.stranger_letters_per_day as usize).min(day.div_ceil(STRANGERS));
        let mut shares = BTreeMap::new();
        for (rank, key, times) in SHARES {
            shares.insert(rank, (strangers * times).saturating_sub(within_a_day(&tx, key)?));
        }
        Ok(Self {
            run: limit(settings.letters_per_run),
            day: (day, day.saturating_sub(within_a_day(&tx, POSTED)?)),
            shares,
            served: HashSet::new(),
        })
    }

    /// Whether a letter may go.
    fn allow(&self, place: &Place) -> bool {
        let (limit, left) = self.day;
        let kept = match place.rank {
            Class::Game => 0,
            Class::Answer if !place.is_beyond => limit / 4,
            Class::Answer | Class::Known | Class::Stranger => limit / 2,
        };
        let share = self.shares.get(&place.rank).copied().unwrap_or(usize::MAX);
        self.run.min(share) > 0 && left > kept && !self.served.contains(&place.domain())
    }

    /// Notes that a letter was tried, and whether it was posted.
    fn note(&mut self, place: &Place, is_posted: bool) {
        let posted = usize::from(is_posted);
        if let Some(share) = self.shares.get_mut(&place.rank) {
            *share = share.saturating_sub(posted);
            self.served.insert(place.domain());
        }
        self.run = self.run.saturating_sub(posted);
        self.day.1 = self.day.1.saturating_sub(posted);
    }

    /// Returns the letters that may leave now, in their order. To one mailbox no news of a game
    /// overtakes an older answer, because the reader would take the last letter for the state of
    /// the game.
    fn line(&self, context: &Context, waiting: &[InLine]) -> Result<Vec<Place>, ClubError> {
        let (tx, limit) = (Transaction::begin(context), self.day.0);
        let rank = |letter: &InLine| letter.label.as_ref().map_or(Class::Game, |label| label.class);
        let news = waiting.iter().filter(|letter| rank(letter) == Class::Game);
        let last_news: HashMap<String, u64> =
            news.map(|letter| (mailbox(&letter.recipient), letter.key)).collect();
        let mut had: HashMap<String, usize> = HashMap::new();
        let mut line = Vec::with_capacity(waiting.len());
        for letter in waiting {
            let (key, rank, mailbox) = (letter.key, rank(letter), mailbox(&letter.recipient));
            let mut is_beyond = false;
            let reader = letter.label.as_ref().map(|label| &label.reader);
            let is_moderators = matches!(reader, Some(Reader::Moderator));
            if rank == Class::Answer && limit < usize::MAX && !is_moderators {
                let before = match had.get(&mailbox) {
                    Some(had) => *had,
                    None => within_a_day(&tx, &to_mailbox(&mailbox))?,
                };
                had.insert(mailbox.clone(), before + 1);
                is_beyond = before >= (limit / SHARE).max(SHARE_MIN);
            }
            let is_overtaken = last_news.get(&mailbox).is_some_and(|news| key < *news);
            let is_promoted = rank == Class::Answer && !is_beyond && is_overtaken;
            let rank = if is_promoted { Class::Game } else { rank };
            line.push(((rank, is_beyond, key), Place { key, rank, mailbox, is_beyond }));
        }
        line.sort_by_key(|(order, _)| *order);
        let mut left = self.clone();
        let goes = |place: &Place| {
            let goes = left.allow(place);
            left.note(place, goes);
            goes
        };
        Ok(line.into_iter().map(|(_, place)| place).filter(goes).collect())
    }

    /// Counts a letter that was posted, in the transaction that records it.
    fn count(tx: &mut Transaction<'_>, place: &Place) {
        let share = SHARES.iter().find(|(rank, ..)| *rank == place.rank);
        share.into_iter().for_each(|(_, key, _)| tx.count((*key).to_owned()));
        tx.count(to_mailbox(&place.mailbox));
        if tx.context.settings.letters_per_day > 0 {
            tx.count(POSTED.to_owned());
        }
    }
}

/// The key under which the store counts the letters that went to a mailbox.
pub(crate) fn to_mailbox(mailbox: &str) -> String {
    format!("posted to {mailbox}")
}

pub(crate) fn within_a_day(tx: &Transaction<'_>, what: &str) -> Result<usize, ClubError> {
    tx.count_since(what, tx.context.now.timestamp() - DAY)
}

/// Tells the moderator, once a day, that the day's letters are used up. The note does not go
/// through the outbox, which is shut.
fn tell_of_cap(
    context: &Context,
    transport: &mut dyn Transport,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut tx = Transaction::begin(context);
    if within_a_day(&tx, TOLD)? > 0 {
        return Ok(());
    }
    let word = Message::new("report-letters-used-up")
        .with("limit", context.settings.letters_per_day)
        .with("waiting", tx.outbox().outbox_length()?);
    if tell_at_once(&tx, transport, word, report)? {
        tx.count(TOLD.to_owned());
        tx.record()?;
    }
    Ok(())
}

/// Hands a note to the moderator to the transport, past the outbox. Returns whether it was taken.
pub(crate) fn tell_at_once(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    word: Message,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let note = pending::to_moderator(tx, vec![word])?;
    let taken = hand_note(tx, transport, note);
    report.posted += usize::from(taken.is_ok());
    report.troubles.extend(taken.as_ref().err().map(ToString::to_string));
    Ok(taken.is_ok())
}

/// Posts what is in the outbox, and returns what that tells of the transport.
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
    context.store.forget_posted(context.now - COMES_BACK_WITHIN)?;
    results::judge(context, transport, round, report)
}

/// Tries every letter that may go now, once.
fn post_all(
    context: &Context,
    transport: &mut dyn Transport,
    round: &mut Round,
    report: &mut PassReport,
) -> Result<(), ClubError> {
    let mut quotas = Quotas::new(context)?;
    loop {
        let (waiting, held) =
            queue::ripe(context, |key| round.was_tried(key), quotas.run.min(quotas.day.1) > 0)?;
        round.held = held;
        let line = quotas.line(context, &waiting)?;
        if line.is_empty() {
            if drop_unworded(context, round)? {
                continue;
            }
            if !waiting.is_empty() && quotas.day.1 == 0 {
                round.used_up = true;
                return tell_of_cap(context, transport, report);
            }
            round.held += waiting.len();
            return Ok(());
        }
        let before = report.posted;
        let goes_on = post_line(context, transport, &line, &mut quotas, round, report)?;
        // Where all have left, nothing was written instead of any of them.
        if !goes_on || report.posted - before == waiting.len() && round.unworded.is_empty() {
            return Ok(());
        }
    }
}

/// Posts the letters of a line; returns whether the next ones may go.
fn post_line(
    context: &Context,
    transport: &mut dyn Transport,
    line: &[Place],
    quotas: &mut Quotas,
    round: &mut Round,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    // No more letters are handed over before that is recorded than one commit takes.
    let most = context.settings.letters_per_commit as usize;
    let batch_size = transport.batch_size().min(most).max(1);
    let sheaves = line.chunks(batch_size * (SHEAF / batch_size).max(1));
    composed_ahead(context, sheaves, |sheaf| {
        let mut tried = sheaf.into_iter().peekable();
        while tried.peek().is_some() {
            // A slow server takes longer for a sheaf than a lease lasts.
            if !context.store.shared().map_or(Ok(true), Shared::renew)? {
                // Another worker posts them by now.
                return Ok(false);
            }
            let mut tx = Transaction::begin(context);
            let mut goes_on = true;
            for one in tried.by_ref().take(batch_size) {
                let (place, before) = (one.place, report.posted);
                goes_on = post(&mut tx, transport, one, round, report)?;
                let is_posted = report.posted > before;
                quotas.note(place, is_posted);
                if is_posted {
                    Quotas::count(&mut tx, place);
                }
                if !goes_on {
                    break;
                }
            }
            tx.record()?;
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
fn composed_ahead<'a>(
    context: &Context,
    sheaves: impl Iterator<Item = &'a [Place]>,
    mut post: impl FnMut(Vec<Tried<'a>>) -> Result<bool, ClubError>,
) -> Result<bool, ClubError> {
    let is_shared = context.store.shared().is_some();
    let (mut sheaves, mut ahead) = (sheaves.peekable(), None);
    while let Some(sheaf) = sheaves.next() {
        let composed = ahead.take().unwrap_or_else(|| tried(context, sheaf))?;
        let after = sheaves.peek().copied().filter(|_| !is_shared);
        let goes_on = thread::scope(|scope| {
            let composing = after.map(|sheaf| scope.spawn(|| tried(context, sheaf)));
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
struct Tried<'a> {
    place: &'a Place,
    attempts: u32,
    letter: Outgoing,
    leaves: Leaves,
}

/// Composes the letters of these places.
fn tried<'a>(context: &Context, places: &'a [Place]) -> Result<Vec<Tried<'a>>, ClubError> {
    let tx = Transaction::begin(context);
    let letters = tx.queued_letters(&places.iter().map(|place| place.key).collect::<Vec<_>>())?;
    let of_key: HashMap<u64, &Place> = places.iter().map(|place| (place.key, place)).collect();
    let leaves = leaving(&tx, &letters)?;
    let tried = letters.into_iter().zip(leaves).filter_map(|(queued, leaves)| {
        let place = of_key.get(&queued.key).copied()?;
        Some(Tried { place, attempts: queued.attempts, letter: queued.letter, leaves })
    });
    Ok(tried.collect())
}

/// Posts a letter, and records in the transaction that it has gone. Returns whether the next one
/// may go.
fn post(
    tx: &mut Transaction<'_>,
    transport: &mut dyn Transport,
    Tried { place, attempts, mut letter, leaves }: Tried<'_>,
    round: &mut Round,
    report: &mut PassReport,
) -> Result<bool, ClubError> {
    let key = place.key;
    let ready = match leaves {
        Leaves::Goes(ready) => ready,
        Leaves::Void(instead) => {
            tx.write().sent.push(key);
            tx.write().outgoing.extend(instead);
            return Ok(true);
        }
        Leaves::Fails(why) => {
            let said = in_club_words(tx.context, &why);
            report.troubles.push(format!("to {}: {said}", letter.recipient));
            round.unworded.push((key, unworded(&letter, &why)));
            return Ok(true);
        }
    };
    let reader = letter.label.as_ref().map(|label| &label.reader);
    let is_probe = matches!(reader, Some(Reader::Probe(_)));
    let Err((error, perhaps_taken)) = hand(transport, &ready).map_err(PostError::apart) else {
        tx.write().sent.push(key);
        let Ready { message_id, member, was_refused, tells: told, .. } = ready;
        let letter = PostedLetter { member, probe: is_probe, told };
        let posted = Posted { at: tx.context.now, letter };
        tx.write().posted.push((message_id, posted));
        report.posted += 1;
        round.taken(member.filter(|_| was_refused));
        return Ok(true);
    };
    // A letter that was perhaps posted is merged with no other from now on.
    if perhaps_taken && let Some(label) = letter.label.as_mut().filter(|label| label.unsettled) {
        label.unsettled = false;
        tx.write().settled.push((key, letter));
    }
    let is_down = matches!(error, PostError::Down(_) | PostError::Shut(..));
    if let PostError::Shut(mend, _) = error {
        report.mistakes.push(Mistake { mend, what: error.to_string() });
    }
    round.down |= is_down;
    report.troubles.push(match is_down {
        true => error.to_string(),
        false => format!("to {}: {}", ready.recipient, error.why()),
    });
    if !is_down || perhaps_taken {
        let tells = is_reached_at(tx, &ready.recipient)?;
        let Ready { recipient, tells: told, .. } = ready;
        let letter =
            Untaken { key, attempts, recipient, error, perhaps_taken, tells, is_probe, told };
        round.not_taken(letter);
    }
    Ok(!is_down && round.in_a_row() < IN_A_ROW)
}

/// Takes the letters out of the outbox that cannot be composed, and tells the moderator of all of
/// them at once. Returns whether there were any.
fn drop_unworded(context: &Context, round: &mut Round) -> Result<bool, ClubError> {
    let unworded = std::mem::take(&mut round.unworded);
    if unworded.is_empty() {
        return Ok(false);
    }
    transact(context, |tx| {
        tx.write().sent = unworded.iter().map(|(key, _)| *key).collect();
        let lines = unworded.iter().filter_map(|(_, line)| line.clone());
        lines.for_each(|line| tx.tell_moderator(line));
        Ok(true)
    })
}

/// Whether letters to this address go to a member whom they have reached so far. Refusals for
/// others tell nothing of the transport: anybody can make us write to an address that takes
/// nothing, and the moderator's mailbox must not stop the club.
fn is_reached_at(tx: &Transaction<'_>, address: &str) -> Result<bool, ClubError> {
    let reached = tx.member_by_address(address)?.is_some_and(|member| {
        member.undeliverable().is_none()
            && member.addresses.first().is_some_and(|first| first == address)
    });
    Ok(reached && address != tx.context.settings.moderator.address)
}

/// Returns what the moderator hears of a letter that cannot be composed, unless it is a note to
/// them.
fn unworded(letter: &Outgoing, why: &Message) -> Option<Message> {
    let reader = letter.label.as_ref().map(|label| &label.reader);
    (reader != Some(&Reader::Moderator)).then(|| {
        Message::new("report-unworded")
            .with("to", letter.recipient.as_str())
            .with("id", letter.message_id.as_str())
            .with("why", why.clone())
    })
}

/// Hands one letter to the transport.
fn hand(transport: &mut dyn Transport, letter: &Ready) -> Result<(), PostError> {
    transport.post(&OutgoingMessage {
        message_id: &letter.message_id,
        recipient: &letter.recipient,
        bytes: &letter.bytes,
    })
}

/// Hands a note to the transport that does not go through the outbox.
pub(crate) fn hand_note(
    tx: &Transaction<'_>,
    transport: &mut dyn Transport,
    note: Outgoing,
) -> Result<(), PostError> {
    hand(transport, &ready(tx, note).map_err(PostError::Refused)?)
}
