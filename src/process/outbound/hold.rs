//! What waits for the time of the day at which a member wants his letters.
//!
//! ```text
//! at once    what answers his letter, reminds him of a deadline, or speaks to his seat as such
//!            (new marks, a seat that is his now); with it all else that waits of the same game
//! by a time  his turn: two days must be left when the digest leaves; and a vote that asks him
//! else       with the digest, which is owed like any letter: it waits in the outbox
//! ```
//!
//! Whether a letter still waits is found anew whenever letters leave, by what its reader wants then
//! and by the clock as it goes then: nothing of a digest's time is stored, so that no change of the
//! setting, of a zone or of the machine's clock can keep it back. A digest goes once a day, with
//! the first pass at or after its time.

use super::leave::present;
use super::tell::ToSeat;
use crate::club::{Member, News, Seated};
use crate::process::context::{ClubError, Context};
use crate::process::transaction::{Transaction, retry};
use crate::render::Occasion;
use crate::rules::Seat;
use crate::store::{Hold, InLine, Outbox, Reader};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, HashSet};

/// So much of a player's time must be left when a digest brings him his turn or a question: a day
/// for who reads his letters once a day, and one more.
const LEFT: TimeDelta = TimeDelta::days(2);
/// What comes up so soon after a digest's time still goes with it, if it has not left: the pass
/// that comes first after that time brings some up itself.
const LATE: TimeDelta = TimeDelta::hours(1);

/// What of the letters that wait leaves now, and what waits on.
#[derive(Default)]
struct Sorted {
    /// The letters that wait on.
    stays: HashSet<u64>,
    /// The letters that wait no longer.
    leaves: Vec<u64>,
    /// The members whose digests leave.
    digests: Vec<u32>,
    /// When the next digest is due.
    next: Option<DateTime<Utc>>,
}

/// What a pass leaves in the outbox.
#[derive(Default)]
pub(crate) struct Rest {
    /// How many letters wait for anything but a digest.
    pub(crate) letters: usize,
    /// When the next digest is due.
    pub(crate) digest: Option<DateTime<Utc>>,
}

/// How long a letter waits.
enum Waits {
    No,
    /// The digest that it waits for leaves.
    Over,
    Until(DateTime<Utc>),
}

/// How long a letter may wait that tells this to a seat's player, who has time until then; none
/// when it leaves with this pass.
pub(crate) fn of(
    now: DateTime<Utc>,
    (seated, member): (&Seated, &Member),
    to: &ToSeat,
    due: Option<DateTime<Utc>>,
) -> Option<Hold> {
    let is_answer = to.answer || !to.answers.is_empty();
    let is_of_time = matches!(to.occasion, Occasion::Clock { .. } | Occasion::Reminder { .. });
    if member.letters.digest_at.is_off() || is_answer || is_of_time || to.at_once {
        return None;
    }
    let votes = seated.news.iter().filter_map(|news| match news {
        News::Asked { vote, .. } => Some(vote.until),
        News::Fell { .. } => None,
    });
    let first = due.into_iter().chain(votes).min();
    Some(Hold { since: now, until: first.map(|first| first - LEFT) })
}

/// Lets go what waits no longer; whether there was anything: the outbox is not what it was then.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn release(context: &Context, waiting: &[InLine]) -> Result<bool, ClubError> {
    if !is_any_held(waiting) {
        return Ok(false);
    }
    retry(|| {
        let mut tx = Transaction::begin(context);
        let Sorted { leaves, digests, .. } = sorted(&tx, waiting)?;
        for key in leaves {
            let Some(mut letter) = tx.queued(key)?.map(|queued| queued.letter) else { continue };
            if let Some(label) = &mut letter.label {
                (label.hold, label.written) = (None, context.now);
            }
            tx.write().settled.push((key, letter));
        }
        if tx.has_changes() {
            digests.into_iter().for_each(|member| tx.count(digests_of(member)));
        }
        let are_some = tx.has_changes();
        tx.commit().map(|_| are_some)
    })
}

/// The letters among these that wait for their readers' digests.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn held(context: &Context, waiting: &[InLine]) -> Result<HashSet<u64>, ClubError> {
    Ok(sorted(&Transaction::begin(context), waiting)?.stays)
}

/// How many letters wait in the outbox for anything but a digest: for a mail server that takes
/// them, or for room under the caps.
///
/// # Errors
/// When the store cannot be read.
pub fn letters_waiting(context: &Context) -> Result<usize, ClubError> {
    Ok(rest(context)?.letters)
}

/// What waits in the outbox after a pass.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn rest(context: &Context) -> Result<Rest, ClubError> {
    let tx = Transaction::begin(context);
    let letters = tx.outbox_length()?;
    if letters == 0 {
        return Ok(Rest::default());
    }
    let Sorted { stays, next, .. } = sorted(&tx, &tx.in_line(context.now)?)?;
    Ok(Rest { letters: letters.saturating_sub(stays.len()), digest: next })
}

/// A letter that was tried once waits for nothing any more.
fn hold(letter: &InLine) -> Option<Hold> {
    letter.label.as_ref().filter(|_| letter.unsettled)?.hold
}

fn is_any_held(waiting: &[InLine]) -> bool {
    waiting.iter().any(|letter| hold(letter).is_some())
}

fn sorted(tx: &Transaction<'_>, waiting: &[InLine]) -> Result<Sorted, ClubError> {
    if !is_any_held(waiting) {
        return Ok(Sorted::default());
    }
    let mut of_member: BTreeMap<u32, Vec<&InLine>> = BTreeMap::new();
    for letter in waiting {
        if let Some(Reader::Seats { member, .. }) = letter.label.as_ref().map(|l| &l.reader) {
            of_member.entry(*member).or_default().push(letter);
        }
    }
    of_member.retain(|_, letters| letters.iter().any(|letter| hold(letter).is_some()));
    let mut sorted = Sorted::default();
    for (member, letters) in of_member {
        sort(tx, member, &letters, &mut sorted)?;
    }
    Ok(sorted)
}

/// Sorts the letters of a member.
fn sort(
    tx: &Transaction<'_>,
    id: u32,
    letters: &[&InLine],
    sorted: &mut Sorted,
) -> Result<(), ClubError> {
    let (mut stays, mut now) = (Vec::new(), HashSet::new());
    let mut is_over = false;
    let member = present(tx, id)?;
    for letter in letters {
        let waits = match (&member, hold(letter)) {
            (Some(member), Some(hold)) => waits(tx, member, hold)?,
            _ => Waits::No,
        };
        match waits {
            Waits::Until(due) => stays.push((*letter, due)),
            Waits::No | Waits::Over => {
                is_over |= matches!(waits, Waits::Over);
                now.extend(seats(letter));
                sorted.leaves.extend(hold(letter).map(|_| letter.key));
            }
        }
    }
    if is_over {
        sorted.digests.push(id);
    }
    for (letter, due) in stays {
        // What is told of a game is told in its order.
        if is_over || seats(letter).any(|place| now.contains(&place)) {
            sorted.leaves.push(letter.key);
        } else {
            sorted.stays.insert(letter.key);
            sorted.next = sorted.next.into_iter().chain([due]).min();
        }
    }
    Ok(())
}

fn seats(letter: &InLine) -> impl Iterator<Item = (u32, Seat)> + '_ {
    let seats = letter.label.iter().filter_map(|label| match &label.reader {
        Reader::Seats { seats, .. } => Some(seats),
        _ => None,
    });
    seats.flatten().map(|shown| (shown.game, shown.seat))
}

/// How long a letter to a member waits on.
fn waits(tx: &Transaction<'_>, member: &Member, hold: Hold) -> Result<Waits, ClubError> {
    let Hold { since, until } = hold;
    let (now, zone) = (tx.context.now, member.time.zone());
    let next = |from| member.letters.digest_at.next(from, zone);
    // The machine's clock was ahead when it was owed.
    let Some(due) = next(since).filter(|_| since <= now) else { return Ok(Waits::No) };
    if due <= now {
        return Ok(Waits::Over);
    }
    let last = next(since - LATE).filter(|last| *last <= since && since - *last < LATE);
    if let Some(last) = last
        && tx.count_since(&digests_of(member.id), last.timestamp())? == 0
    {
        return Ok(Waits::Over);
    }
    Ok(if until.is_some_and(|until| until < due) { Waits::No } else { Waits::Until(due) })
}

/// Under what the store counts a member's digests. No address is without an @.
fn digests_of(member: u32) -> String {
    format!("digest of {member}")
}
