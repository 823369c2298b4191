//! The queue: decides which letters of the outbox wait for a digest, and merges letters to one
//! reader.
//!
//! ```text
//! at once    answers, reminders, and news about the seat itself (new reply tokens, a new player),
//!            with everything else that waits for this seat
//! by a time  the reader's turn and open votes: two days must be left when the digest leaves
//! otherwise  with the digest
//! ```
//!
//! Each pass decides again whether a letter waits, from the reader's settings and the clock. The
//! time of the next digest is not stored. So a change of the settings, of a time zone or of the
//! machine's clock cannot hold a letter back. A digest leaves once a day, with the first pass at or
//! after its time.
//!
//! Then `merging` merges the letters that leave.

use super::composition::find_active_member;
use super::merging::merge_letters;
use super::pending::SeatUpdateDraft;
use crate::club::{Member, SeatAssignment, SeatNews};
use crate::process::context::{ClubError, Context};
use crate::process::transaction::{Transaction, retry_on_conflict};
use crate::render::Occasion;
use crate::store::{HoldPeriod, LetterReader, QueuedSummary, ShownSeat};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, HashSet};

/// The time that must be left before a deadline when a digest brings a turn or a vote: one day for
/// a player who reads letters once a day, and one day in reserve.
const MIN_TIME_LEFT: TimeDelta = TimeDelta::days(2);
/// If a digest has not left yet, news that is queued this soon after its time still goes with it.
/// The first pass after that time queues some news itself.
const DIGEST_GRACE: TimeDelta = TimeDelta::hours(1);
/// The longest time for which a letter is postponed, with a large reserve.
const POSTPONED_AT_MOST: TimeDelta = TimeDelta::days(365);

/// The queued letters, sorted by whether they wait for a digest.
#[derive(Default)]
struct SortedQueue {
    /// The letters that keep waiting for a digest.
    held_keys: HashSet<u64>,
    /// The letters that leave with this pass although they had waited for a digest.
    released_keys: Vec<u64>,
    /// The members whose digests leave now.
    digest_members: Vec<u32>,
    /// When the next digest is due.
    next_digest: Option<DateTime<Utc>>,
}

/// How long a queued letter still waits for a digest.
enum WaitState {
    NotWaiting,
    /// The digest that the letter waits for is due.
    DigestDue,
    Until(DateTime<Utc>),
}

/// Returns how long an update for a seat's player may wait for a digest, or `None` if it leaves
/// with this pass. `due` is the player's deadline.
pub(crate) fn digest_hold_for_update(
    now: DateTime<Utc>,
    (seated, member): (&SeatAssignment, &Member),
    to: &SeatUpdateDraft,
    due: Option<DateTime<Utc>>,
) -> Option<HoldPeriod> {
    let is_answer = to.is_answer || !to.answered_ids.is_empty();
    let is_of_time = matches!(to.occasion, Occasion::Clock { .. } | Occasion::Reminder { .. });
    if member.letters.digest_at.is_off() || is_answer || is_of_time || to.is_urgent {
        return None;
    }
    let votes = seated.news.iter().filter_map(|news| match news {
        SeatNews::VoteOpened { vote, .. } => Some(vote.until),
        SeatNews::VoteFailed { .. } => None,
    });
    let first = due.into_iter().chain(votes).min();
    Some(HoldPeriod { since: now, until: first.map(|first| first - MIN_TIME_LEFT) })
}

/// Releases and merges letters. Then returns the letters that may leave now, and the number of
/// letters that wait for a digest. Skips the letters that this pass has tried.
pub(crate) fn merge_and_list_due_letters(
    context: &Context,
    was_tried: impl Fn(u64) -> bool,
    may_merge: bool,
) -> Result<(Vec<QueuedSummary>, usize), ClubError> {
    loop {
        let tx = Transaction::begin(context);
        let mut waiting = tx.outbox().list_sendable(context.now)?;
        waiting.retain(|letter| !was_tried(letter.key));
        let SortedQueue { held_keys: stays, released_keys: leaves, .. } =
            split_held_from_due(&tx, &waiting)?;
        if !leaves.is_empty() && release_from_digest_hold(context, &waiting)? {
            continue;
        }
        waiting.retain(|letter| !stays.contains(&letter.key));
        if may_merge && merge_letters(context, &waiting)? {
            continue;
        }
        return Ok((waiting, stays.len()));
    }
}

/// Releases the letters that no longer wait for a digest. Returns whether there were any.
fn release_from_digest_hold(
    context: &Context,
    waiting: &[QueuedSummary],
) -> Result<bool, ClubError> {
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let SortedQueue { released_keys: leaves, digest_members: digests, .. } =
            split_held_from_due(&tx, waiting)?;
        for key in leaves {
            let Some(mut letter) = tx.outbox().queued_letter(key)?.map(|queued| queued.letter)
            else {
                continue;
            };
            if let Some(label) = &mut letter.label {
                (label.hold, label.written) = (None, context.now);
            }
            tx.batch_mut().replaced.push((key, letter));
        }
        let are_some = tx.has_changes();
        if are_some {
            digests.into_iter().for_each(|member| tx.increment_count(digest_count_key(member)));
        }
        tx.commit().map(|_| are_some)
    })
}

/// The letters in the outbox that wait for a mail server or a quota. Letters that wait for a digest
/// are left out.
#[derive(Default)]
pub(crate) struct WaitingLetters {
    pub count: usize,
    /// When the oldest of them was written; `None` if there are none.
    pub oldest: Option<DateTime<Utc>>,
    /// When the next digest is due; `None` if no letter waits for a digest.
    pub next_digest: Option<DateTime<Utc>>,
}

/// Returns the number of letters in the outbox that wait for a mail server or a quota. Letters that
/// wait for a digest do not count.
///
/// # Errors
/// If the store cannot be read.
pub fn count_waiting_letters(context: &Context) -> Result<usize, ClubError> {
    Ok(find_waiting_letters(context)?.count)
}

/// Returns the letters in the outbox that do not wait for a digest, including postponed ones.
pub(crate) fn find_waiting_letters(context: &Context) -> Result<WaitingLetters, ClubError> {
    let tx = Transaction::begin(context);
    let length = tx.outbox().outbox_length()?;
    if length == 0 {
        return Ok(WaitingLetters::default());
    }
    let letters = tx.outbox().list_sendable(context.now + POSTPONED_AT_MOST)?;
    let sorted = split_held_from_due(&tx, &letters)?;
    let waiting = letters.iter().filter(|letter| !sorted.held_keys.contains(&letter.key));
    Ok(WaitingLetters {
        count: length.saturating_sub(sorted.held_keys.len()),
        oldest: waiting.filter_map(|letter| Some(letter.label.as_ref()?.written)).min(),
        next_digest: sorted.next_digest,
    })
}

/// Returns how long a letter may wait for a digest. A letter that was tried once does not wait.
fn digest_hold_of(letter: &QueuedSummary) -> Option<HoldPeriod> {
    letter.label.as_ref().filter(|_| letter.mergeable)?.hold
}

/// Returns the member and the seats of a letter about seats, or `None` for any other letter.
pub(super) fn member_and_seats(letter: &QueuedSummary) -> Option<(u32, &[ShownSeat])> {
    match letter.label.as_ref().map(|label| &label.reader) {
        Some(LetterReader::Seats { member, seats }) => Some((*member, seats)),
        _ => None,
    }
}

fn shown_seats(letter: &QueuedSummary) -> &[ShownSeat] {
    member_and_seats(letter).map_or(&[], |(_, seats)| seats)
}

/// Groups the letters about seats by member.
pub(super) fn group_by_member<'a>(
    letters: impl Iterator<Item = &'a QueuedSummary>,
) -> BTreeMap<u32, Vec<&'a QueuedSummary>> {
    let mut of_member: BTreeMap<u32, Vec<&QueuedSummary>> = BTreeMap::new();
    for letter in letters {
        if let Some((member, _)) = member_and_seats(letter) {
            of_member.entry(member).or_default().push(letter);
        }
    }
    of_member
}

fn split_held_from_due(
    tx: &Transaction<'_>,
    waiting: &[QueuedSummary],
) -> Result<SortedQueue, ClubError> {
    let mut sorted = SortedQueue::default();
    for (member, letters) in group_by_member(waiting.iter()) {
        if letters.iter().any(|letter| digest_hold_of(letter).is_some()) {
            split_member_letters(tx, member, &letters, &mut sorted)?;
        }
    }
    Ok(sorted)
}

/// Sorts one member's queued letters into those that keep waiting for a digest and those that leave
/// now.
fn split_member_letters(
    tx: &Transaction<'_>,
    id: u32,
    letters: &[&QueuedSummary],
    sorted: &mut SortedQueue,
) -> Result<(), ClubError> {
    let (mut stays, mut now) = (Vec::new(), HashSet::<ShownSeat>::new());
    let mut is_over = false;
    let member = find_active_member(tx, id)?;
    for letter in letters {
        let waits = match (&member, digest_hold_of(letter)) {
            (Some(member), Some(hold)) => digest_wait_state(tx, member, hold)?,
            _ => WaitState::NotWaiting,
        };
        match waits {
            WaitState::Until(due) => stays.push((*letter, due)),
            WaitState::NotWaiting | WaitState::DigestDue => {
                is_over |= matches!(waits, WaitState::DigestDue);
                now.extend(shown_seats(letter));
                sorted.released_keys.extend(digest_hold_of(letter).map(|_| letter.key));
            }
        }
    }
    if is_over {
        sorted.digest_members.push(id);
    }
    for (letter, due) in stays {
        // If a newer letter about a seat leaves, older ones leave too, because news of a game must
        // arrive in order.
        if is_over || shown_seats(letter).iter().any(|seat| now.contains(seat)) {
            sorted.released_keys.push(letter.key);
        } else {
            sorted.held_keys.insert(letter.key);
            sorted.next_digest = sorted.next_digest.into_iter().chain([due]).min();
        }
    }
    Ok(())
}

/// Returns how long a letter to a member still waits for the member's next digest.
fn digest_wait_state(
    tx: &Transaction<'_>,
    member: &Member,
    hold: HoldPeriod,
) -> Result<WaitState, ClubError> {
    let HoldPeriod { since, until } = hold;
    let (now, zone) = (tx.context.now, member.time.zone());
    let next = |from| member.letters.digest_at.next_due(from, zone);
    // If `since` is in the future, the machine's clock was fast when the letter was queued. The
    // letter leaves now.
    let Some(due) = next(since).filter(|_| since <= now) else { return Ok(WaitState::NotWaiting) };
    if due <= now {
        return Ok(WaitState::DigestDue);
    }
    let last =
        next(since - DIGEST_GRACE).filter(|last| *last <= since && since - *last < DIGEST_GRACE);
    if let Some(last) = last
        && tx.count_events_since(&digest_count_key(member.id), last.timestamp())? == 0
    {
        return Ok(WaitState::DigestDue);
    }
    Ok(if until.is_some_and(|until| until < due) {
        WaitState::NotWaiting
    } else {
        WaitState::Until(due)
    })
}

/// Returns the store's counter key for a member's digests. It cannot collide with an address,
/// because each address contains an @.
fn digest_count_key(member: u32) -> String {
    format!("digest of {member}")
}
