//! The queue: which letters of the outbox wait, and which become one.
//!
//! ```text
//! at once    answers, reminders, and what concerns the seat as such (new reply tokens, a new
//!            player); with it all else that waits for the same seat
//! by a time  the reader's turn: two days must be left when the digest leaves; and an open vote
//! else       with the digest
//! ```
//!
//! Whether a letter waits is found anew at each pass, from the reader's settings and the clock.
//! Nothing of a digest's time is stored, so a change of the setting, of a time zone or of the
//! machine's clock cannot keep a letter back. A digest leaves once a day, with the first pass at or
//! after its time.
//!
//! Letters to one reader become one for each game, or one for all games, as the reader prefers. One
//! pass makes many commits, and each may tell the same seat something. So letters are merged just
//! before they leave, in a commit of its own. A letter that was tried once stays as it is.

use super::composition::{present, sits};
use super::game_wording::{Job, offer_shares, said};
use super::pending::{Owed, Telling, ToSeat};
use crate::club::{Member, News, Seated};
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::transaction::{Transaction, retry};
use crate::render::Occasion;
use crate::store::{Hold, InLine, Label, Outgoing, Reader, Shown};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::{BTreeMap, HashSet};

/// The time that must be left when a digest brings a turn or a vote: one day for a player who reads
/// letters once a day, and one more.
const LEFT: TimeDelta = TimeDelta::days(2);
/// News that comes up this soon after a digest's time goes with it if it has not left. The pass
/// that comes first after that time brings some news itself.
const LATE: TimeDelta = TimeDelta::hours(1);
/// The most bytes of a page: some mail programs cut off a page after 102,400 bytes. A longer game
/// goes by itself.
const BYTES_MAX: usize = 94_000;
/// About the number of bytes around a game's part of the page.
const FRAME: usize = 800;
/// The number of letters that are merged in one commit; those of the last member may exceed it.
const KEYS_A_COMMIT: usize = 500;

/// The beginning of the Message-ID of a letter about several games.
pub(crate) const ID_START: &str = "b.";

/// The queued letters by whether they wait for a digest.
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

/// How long a letter waits.
enum Waits {
    No,
    /// The digest that it waits for leaves.
    Over,
    Until(DateTime<Utc>),
}

/// A queued letter, and what it tells.
struct Piece {
    key: u64,
    letter: Outgoing,
    tellings: Vec<Telling>,
}

/// Returns how long a letter may wait that tells this to a seat's player, whose time ends at `due`;
/// `None` if it leaves with this pass.
pub(crate) fn hold_of(
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

/// Releases and merges letters, then returns those that may leave now and the number of those that
/// wait for a digest. Skips the letters that this pass has tried.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn ripe(
    context: &Context,
    was_tried: impl Fn(u64) -> bool,
    may_merge: bool,
) -> Result<(Vec<InLine>, usize), ClubError> {
    loop {
        let tx = Transaction::begin(context);
        let mut waiting = tx.outbox().in_line(context.now)?;
        waiting.retain(|letter| !was_tried(letter.key));
        let Sorted { stays, leaves, .. } = sorted(&tx, &waiting)?;
        if !leaves.is_empty() && release(context, &waiting)? {
            continue;
        }
        waiting.retain(|letter| !stays.contains(&letter.key));
        if may_merge && merge(context, &waiting)? {
            continue;
        }
        return Ok((waiting, stays.len()));
    }
}

/// Releases the letters that wait for a digest no longer. Returns whether there were any.
fn release(context: &Context, waiting: &[InLine]) -> Result<bool, ClubError> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        let Sorted { leaves, digests, .. } = sorted(&tx, waiting)?;
        for key in leaves {
            let Some(mut letter) = tx.outbox().queued(key)?.map(|queued| queued.letter) else {
                continue;
            };
            if let Some(label) = &mut letter.label {
                (label.hold, label.written) = (None, context.now);
            }
            tx.write().settled.push((key, letter));
        }
        let are_some = tx.has_changes();
        if are_some {
            digests.into_iter().for_each(|member| tx.count(digests_of(member)));
        }
        tx.commit().map(|_| are_some)
    })
}

/// Returns the number of letters in the outbox that wait for anything but a digest: for a mail
/// server that takes them, or for a quota.
///
/// # Errors
/// When the store cannot be read.
pub fn letters_waiting(context: &Context) -> Result<usize, ClubError> {
    Ok(rest(context)?.0)
}

/// Returns the number of letters in the outbox that wait for anything but a digest, and when the
/// next digest is due.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn rest(context: &Context) -> Result<(usize, Option<DateTime<Utc>>), ClubError> {
    let tx = Transaction::begin(context);
    let letters = tx.outbox().outbox_length()?;
    if letters == 0 {
        return Ok((0, None));
    }
    let Sorted { stays, next, .. } = sorted(&tx, &tx.outbox().in_line(context.now)?)?;
    Ok((letters.saturating_sub(stays.len()), next))
}

/// Returns how long a letter may wait. A letter that was tried once waits for no digest.
fn hold(letter: &InLine) -> Option<Hold> {
    letter.label.as_ref().filter(|_| letter.unsettled)?.hold
}

/// Returns the seats that a letter shows, and their member.
fn shown(letter: &InLine) -> Option<(u32, &[Shown])> {
    match letter.label.as_ref().map(|label| &label.reader) {
        Some(Reader::Seats { member, seats }) => Some((*member, seats)),
        _ => None,
    }
}

fn seats(letter: &InLine) -> &[Shown] {
    shown(letter).map_or(&[], |(_, seats)| seats)
}

/// Groups the letters about seats by their members.
fn of_members<'a>(letters: impl Iterator<Item = &'a InLine>) -> BTreeMap<u32, Vec<&'a InLine>> {
    let mut of_member: BTreeMap<u32, Vec<&InLine>> = BTreeMap::new();
    for letter in letters {
        if let Some((member, _)) = shown(letter) {
            of_member.entry(member).or_default().push(letter);
        }
    }
    of_member
}

fn sorted(tx: &Transaction<'_>, waiting: &[InLine]) -> Result<Sorted, ClubError> {
    let mut sorted = Sorted::default();
    for (member, letters) in of_members(waiting.iter()) {
        if letters.iter().any(|letter| hold(letter).is_some()) {
            sort(tx, member, &letters, &mut sorted)?;
        }
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
    let (mut stays, mut now) = (Vec::new(), HashSet::<Shown>::new());
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
        if is_over || seats(letter).iter().any(|seat| now.contains(seat)) {
            sorted.leaves.push(letter.key);
        } else {
            sorted.stays.insert(letter.key);
            sorted.next = sorted.next.into_iter().chain([due]).min();
        }
    }
    Ok(())
}

/// Returns how long a letter to a member waits on.
fn waits(tx: &Transaction<'_>, member: &Member, hold: Hold) -> Result<Waits, ClubError> {
    let Hold { since, until } = hold;
    let (now, zone) = (tx.context.now, member.time.zone());
    let next = |from| member.letters.digest_at.next(from, zone);
    // The machine's clock was ahead when the letter was queued.
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

/// The key under which the store counts a member's digests. No address is without an @.
fn digests_of(member: u32) -> String {
    format!("digest of {member}")
}

/// Merges the letters that may become one. Returns whether there were any.
fn merge(context: &Context, waiting: &[InLine]) -> Result<bool, ClubError> {
    let mut of_member = of_members(waiting.iter().filter(|letter| letter.unsettled));
    of_member.retain(|_, letters| letters.len() > 1);
    let mut are_some = false;
    retry(|| {
        let mut tx = Transaction::begin(context);
        for (member, letters) in &of_member {
            merge_members(&mut tx, *member, letters)?;
            if tx.write().settled.len() + tx.write().sent.len() >= KEYS_A_COMMIT {
                are_some = true;
                std::mem::replace(&mut tx, Transaction::begin(context)).commit()?;
            }
        }
        are_some |= tx.has_changes();
        tx.commit().map(drop)
    })?;
    Ok(are_some)
}

/// Merges these letters to a member.
fn merge_members(
    tx: &mut Transaction<'_>,
    member: u32,
    letters: &[&InLine],
) -> Result<(), ClubError> {
    let Some(member) = present(tx, member)? else { return Ok(()) };
    for keys in together(&member, letters) {
        let pieces = pieces(tx, &member, &keys)?;
        let told = joined(pieces.iter().flat_map(|piece| piece.tellings.clone()).collect());
        let letters = match member.letters.digest {
            true => shares(tx, told)?,
            false => told.into_iter().map(|telling| vec![telling]).collect(),
        };
        replace(tx, &member, &pieces, letters);
    }
    Ok(())
}

/// Returns the keys of the letters of a member that may become one: all, or those to one seat.
fn together(member: &Member, letters: &[&InLine]) -> Vec<Vec<u64>> {
    if member.letters.digest {
        return vec![letters.iter().map(|letter| letter.key).collect()];
    }
    let mut of_seat: BTreeMap<Shown, Vec<u64>> = BTreeMap::new();
    for letter in letters {
        if let Some((_, [seat])) = shown(letter) {
            of_seat.entry(*seat).or_default().push(letter.key);
        }
    }
    of_seat.into_values().filter(|keys| keys.len() > 1).collect()
}

/// Reads these letters, without those that cannot be read or show a seat that is not the member's.
fn pieces(tx: &Transaction<'_>, member: &Member, keys: &[u64]) -> Result<Vec<Piece>, ClubError> {
    let mut pieces = Vec::new();
    'letters: for key in keys {
        let Some(queued) = tx.outbox().queued(*key)? else { continue };
        let tellings = match Owed::of(&queued.letter.owed) {
            Ok(Owed::Seat(telling)) => vec![*telling],
            Ok(Owed::Seats(tellings)) => tellings,
            Ok(Owed::Plain(_)) | Err(_) => continue,
        };
        for telling in &tellings {
            if !sits(tx, member, (telling.game, telling.seat))? {
                continue 'letters;
            }
        }
        pieces.push(Piece { key: *key, letter: queued.letter, tellings });
    }
    Ok(pieces)
}

/// Merges what is told to the same seat, oldest first. What answers a letter by itself stays apart.
fn joined(told: Vec<Telling>) -> Vec<Telling> {
    let mut joined: Vec<Telling> = Vec::new();
    for telling in told {
        let same = |other: &Telling| !other.answer && other.is_beside(&telling);
        let before = joined.iter().position(same).filter(|_| !telling.answer);
        let telling = match before {
            Some(at) => joined.remove(at).and(telling),
            None => telling,
        };
        joined.push(telling);
    }
    joined
}

/// Shares what is told of these games out to letters that each have room for it. The games that
/// wait for the reader come first, by the time that is left.
fn shares(tx: &Transaction<'_>, told: Vec<Telling>) -> Result<Vec<Vec<Telling>>, ClubError> {
    let alone = |told: Vec<Telling>| told.into_iter().map(|telling| vec![telling]).collect();
    if told.windows(2).all(|two| matches!(two, [one, other] if one.is_beside(other))) {
        return Ok(alone(told));
    }
    let offered = told.iter().zip(offer_shares(&told));
    let jobs: Vec<Job<'_>> =
        offered.map(|(one, most)| Job::of(one, (true, most), tx.context.now)).collect();
    let mut games: Vec<Game> = Vec::new();
    // What cannot be worded needs no room; its fault shows when it leaves.
    let said = said(tx, &jobs)?.into_iter().map(Result::ok);
    for (telling, said) in told.into_iter().zip(said) {
        let words = said.as_ref().map(|said| &said.rendered);
        let bytes = words.map_or(0, |words| words.html.as_ref().unwrap_or(&words.text).len());
        let waits = said.is_some_and(|said| said.waits);
        let due = telling.due.filter(|_| waits);
        match games.iter_mut().find(|game| game.told.iter().any(|one| one.is_beside(&telling))) {
            Some(game) => {
                game.told.push(telling);
                (game.bytes, game.waits, game.due) = (game.bytes + bytes, waits, due);
            }
            None => games.push(Game { told: vec![telling], bytes: bytes + FRAME, waits, due }),
        }
    }
    games.sort_by_key(|game| (!game.waits, game.due.is_none(), game.due));
    let mut shares: Vec<(usize, Vec<Game>)> = Vec::new();
    for game in games {
        match shares.last_mut().filter(|(room, _)| game.bytes <= *room) {
            Some((room, share)) => {
                *room -= game.bytes;
                share.push(game);
            }
            None => shares.push((BYTES_MAX.saturating_sub(game.bytes), vec![game])),
        }
    }
    let letters = shares.into_iter().flat_map(|(_, games)| {
        let is_one = games.len() == 1;
        let told: Vec<Telling> = games.into_iter().flat_map(|game| game.told).collect();
        if is_one { alone(told) } else { vec![told] }
    });
    Ok(letters.collect())
}

/// What is told of a game in a letter about several.
struct Game {
    told: Vec<Telling>,
    bytes: usize,
    /// Whether it waits for the reader after that.
    waits: bool,
    /// The reader's deadline.
    due: Option<DateTime<Utc>>,
}

/// Replaces queued letters by these, if they differ. The newest letters keep the newest keys, so
/// that they overtake no answer.
fn replace(
    tx: &mut Transaction<'_>,
    member: &Member,
    pieces: &[Piece],
    letters: Vec<Vec<Telling>>,
) {
    let last = letters.len().saturating_sub(1);
    // Of the parts of a long letter only the last has room for more.
    let letters = letters.into_iter().enumerate().map(|(at, told)| {
        letter(tx.context, member, pieces, told, at == last || !member.letters.digest)
    });
    let letters: Vec<Outgoing> = letters.collect();
    let before: HashSet<&str> = pieces.iter().map(|piece| &*piece.letter.message_id).collect();
    let after = letters.iter().map(|letter| &*letter.message_id).collect();
    if pieces.len() == letters.len() && before == after {
        return;
    }
    let mut keys = pieces.iter().map(|piece| piece.key).rev();
    for letter in letters.into_iter().rev() {
        match keys.next() {
            Some(key) => tx.write().settled.push((key, letter)),
            None => tx.write().outgoing.push(letter),
        }
    }
    tx.write().sent.extend(keys);
}

/// Makes a letter that tells this, in place of those of the pieces that told it.
fn letter(
    context: &Context,
    member: &Member,
    pieces: &[Piece],
    told: Vec<Telling>,
    unsettled: bool,
) -> Outgoing {
    let tells = |one: &Telling| {
        told.iter().any(|telling| telling.is_beside(one) && telling.answer == one.answer)
    };
    let of = pieces.iter().filter(|piece| piece.tellings.iter().any(tells));
    let labels: Vec<&Label> = of.filter_map(|piece| piece.letter.label.as_ref()).collect();
    let shown = told.iter().map(|telling| Shown { game: telling.game, seat: telling.seat });
    let mut seats: Vec<Shown> = shown.collect();
    seats.sort_unstable();
    seats.dedup();
    let reader = Reader::Seats { member: member.id, seats };
    let label = Label {
        class: labels.iter().map(|label| label.class).min().unwrap_or_else(|| reader.class()),
        written: labels.iter().map(|label| label.written).max().unwrap_or(context.now),
        reader,
        unsettled,
        hold: None,
    };
    let recipient = member.addresses.first().cloned().unwrap_or_default();
    match <[Telling; 1]>::try_from(told) {
        Ok([alone]) => alone.letter(recipient, Some(label)),
        Err(told) => {
            let message_id = id_of_all(context, &told);
            Outgoing { message_id, recipient, owed: Owed::Seats(told).kept(), label: Some(label) }
        }
    }
}

/// Returns the Message-ID of a letter about several games. It is made from those of letters about
/// each, so the same letters always make the same one.
fn id_of_all(context: &Context, told: &[Telling]) -> String {
    let mut ids: Vec<&str> = told.iter().map(|telling| &*telling.id).collect();
    ids.sort_unstable();
    let digest = LetterHash::of(ids.join("\n").as_bytes());
    context.id_of(&format!("{ID_START}{digest}"))
}
