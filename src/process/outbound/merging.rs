//! Merging of queued letters to one reader, into one letter per game or one for all games, as the
//! reader prefers.
//!
//! A pass makes many commits, and each may have news for the same seat. So letters are merged just
//! before they leave, in a separate commit. A letter that was tried once is not changed any more.

use super::bundle_letter::wording_jobs_of_bundle;
use super::composition::{find_active_member, is_seated};
use super::game_wording::render_wording_jobs;
use super::pending::{OutboxPayload, SeatUpdate};
use super::queue::{group_by_member, member_and_seats};
use crate::club::Member;
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::transaction::{Transaction, retry_on_conflict};
use crate::store::{LetterReader, OutboxLabel, OutgoingLetter, QueuedSummary, ShownSeat};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, HashSet};

/// The maximum size of an HTML page. Some mail programs cut off a page after 102,400 bytes. A
/// longer game gets a letter of its own.
const PAGE_BYTES_MAX: usize = 94_000;

/// The approximate number of bytes around a game's part of the page.
const GAME_FRAME_BYTES: usize = 800;

/// The number of replaced and sent letters after which a merge commits. The letters of one member
/// stay in one commit, so it may hold more.
const KEYS_PER_COMMIT: usize = 500;

/// The prefix of the Message-ID of a letter about several games.
pub(crate) const BUNDLE_ID_PREFIX: &str = "b.";

/// A queued letter and its updates.
struct QueuedUpdates {
    key: u64,
    letter: OutgoingLetter,
    updates: Vec<SeatUpdate>,
}

/// Merges queued letters to the same reader, as the readers prefer, and commits. Returns whether
/// any changed.
pub(super) fn merge_letters(
    context: &Context,
    waiting: &[QueuedSummary],
) -> Result<bool, ClubError> {
    let mut of_member = group_by_member(waiting.iter().filter(|letter| letter.mergeable));
    of_member.retain(|_, letters| letters.len() > 1);
    let mut are_some = false;
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        for (member, letters) in &of_member {
            merge_member_letters(&mut tx, *member, letters)?;
            if tx.batch_mut().replaced.len() + tx.batch_mut().sent.len() >= KEYS_PER_COMMIT {
                are_some = true;
                std::mem::replace(&mut tx, Transaction::begin(context)).commit()?;
            }
        }
        are_some |= tx.has_changes();
        tx.commit().map(drop)
    })?;
    Ok(are_some)
}

/// Merges these queued letters to a member, by seat or into bundles, as the member prefers.
fn merge_member_letters(
    tx: &mut Transaction<'_>,
    member: u32,
    letters: &[&QueuedSummary],
) -> Result<(), ClubError> {
    let Some(member) = find_active_member(tx, member)? else { return Ok(()) };
    for keys in group_mergeable_keys(&member, letters) {
        let pieces = load_queued_updates(tx, &member, &keys)?;
        let updates =
            merge_updates(pieces.iter().flat_map(|piece| piece.updates.clone()).collect());
        let letters = match member.letters.digest {
            true => split_updates_by_size(tx, updates)?,
            false => updates.into_iter().map(|telling| vec![telling]).collect(),
        };
        replace_by_merged_letters(tx, &member, &pieces, letters)?;
    }
    Ok(())
}

/// Returns the keys of a member's letters that may be merged, by group: all letters, or the letters
/// to each seat.
fn group_mergeable_keys(member: &Member, letters: &[&QueuedSummary]) -> Vec<Vec<u64>> {
    if member.letters.digest {
        return vec![letters.iter().map(|letter| letter.key).collect()];
    }
    let mut of_seat: BTreeMap<ShownSeat, Vec<u64>> = BTreeMap::new();
    for letter in letters {
        if let Some((_, [seat])) = member_and_seats(letter) {
            of_seat.entry(*seat).or_default().push(letter.key);
        }
    }
    of_seat.into_values().filter(|keys| keys.len() > 1).collect()
}

/// Loads these queued letters about seats. Leaves out those that cannot be parsed or show a seat
/// that the member does not have.
fn load_queued_updates(
    tx: &Transaction<'_>,
    member: &Member,
    keys: &[u64],
) -> Result<Vec<QueuedUpdates>, ClubError> {
    let mut pieces = Vec::new();
    'letters: for key in keys {
        let Some(queued) = tx.outbox().queued_letter(*key)? else { continue };
        let tellings = match OutboxPayload::from_json(&queued.letter.payload) {
            Ok(OutboxPayload::Seat(telling)) => vec![*telling],
            Ok(OutboxPayload::Seats(tellings)) => tellings,
            Ok(OutboxPayload::Plain(_)) | Err(_) => continue,
        };
        for telling in &tellings {
            if !is_seated(tx, member, (telling.game, telling.seat))? {
                continue 'letters;
            }
        }
        pieces.push(QueuedUpdates { key: *key, letter: queued.letter, updates: tellings });
    }
    Ok(pieces)
}

/// Merges the updates for the same seat, oldest first. Updates that answer a letter on their own
/// stay separate.
fn merge_updates(updates: Vec<SeatUpdate>) -> Vec<SeatUpdate> {
    let mut merged: Vec<SeatUpdate> = Vec::new();
    for update in updates {
        let same = |other: &SeatUpdate| !other.is_answer && other.is_same_seat(&update);
        let before = merged.iter().position(same).filter(|_| !update.is_answer);
        let update = match before {
            Some(at) => merged.remove(at).merge(update),
            None => update,
        };
        merged.push(update);
    }
    merged
}

/// Distributes the updates over letters that respect [`PAGE_BYTES_MAX`]. The games that wait for
/// the reader come first, by deadline.
fn split_updates_by_size(
    tx: &Transaction<'_>,
    updates: Vec<SeatUpdate>,
) -> Result<Vec<Vec<SeatUpdate>>, ClubError> {
    let alone =
        |updates: Vec<SeatUpdate>| updates.into_iter().map(|telling| vec![telling]).collect();
    if updates.windows(2).all(|two| matches!(two, [one, other] if one.is_same_seat(other))) {
        return Ok(alone(updates));
    }
    let jobs = wording_jobs_of_bundle(&updates, tx.context.now);
    let mut games: Vec<SizedGame> = Vec::new();
    // An update that cannot be worded counts as empty here. Its fault is reported when it leaves.
    let wordings = render_wording_jobs(tx, &jobs)?.into_iter().map(Result::ok);
    for (update, wording) in updates.into_iter().zip(wordings) {
        let words = wording.as_ref().map(|said| &said.rendered);
        let bytes = words.map_or(0, |words| words.html.as_ref().unwrap_or(&words.text).len());
        let awaits_reader = wording.is_some_and(|said| said.awaits_reader);
        let due = update.due.filter(|_| awaits_reader);
        match games.iter_mut().find(|game| game.updates.iter().any(|one| one.is_same_seat(&update)))
        {
            Some(game) => {
                game.updates.push(update);
                (game.bytes, game.awaits_reader, game.due) =
                    (game.bytes + bytes, awaits_reader, due);
            }
            None => games.push(SizedGame {
                updates: vec![update],
                bytes: bytes + GAME_FRAME_BYTES,
                awaits_reader,
                due,
            }),
        }
    }
    games.sort_by_key(|game| (!game.awaits_reader, game.due.is_none(), game.due));
    let mut shares: Vec<(usize, Vec<SizedGame>)> = Vec::new();
    for game in games {
        match shares.last_mut().filter(|(room, _)| game.bytes <= *room) {
            Some((room, share)) => {
                *room -= game.bytes;
                share.push(game);
            }
            None => shares.push((PAGE_BYTES_MAX.saturating_sub(game.bytes), vec![game])),
        }
    }
    let letters = shares.into_iter().flat_map(|(_, games)| {
        let is_one = games.len() == 1;
        let updates: Vec<SeatUpdate> = games.into_iter().flat_map(|game| game.updates).collect();
        if is_one { alone(updates) } else { vec![updates] }
    });
    Ok(letters.collect())
}

/// The updates of a game in a letter about several, with their size.
struct SizedGame {
    updates: Vec<SeatUpdate>,
    bytes: usize,
    /// Whether it is the reader's turn after these updates.
    awaits_reader: bool,
    /// The reader's deadline.
    due: Option<DateTime<Utc>>,
}

/// Replaces queued letters by merged ones, if they differ. The merged letters get the newest keys,
/// so that they do not overtake answers.
fn replace_by_merged_letters(
    tx: &mut Transaction<'_>,
    member: &Member,
    pieces: &[QueuedUpdates],
    letters: Vec<Vec<SeatUpdate>>,
) -> Result<(), ClubError> {
    let digests = |updates: &Vec<SeatUpdate>| -> Vec<String> {
        updates.iter().flat_map(|update| update.answered_digests.clone()).collect()
    };
    let answered: Vec<Vec<String>> = letters.iter().map(digests).collect();
    let last = letters.len().saturating_sub(1);
    // If a bundle is split, only its last part has room for more, so only that part can be merged
    // again.
    let letters = letters.into_iter().enumerate().map(|(at, updates)| {
        make_merged_letter(
            tx.context,
            member,
            pieces,
            updates,
            at == last || !member.letters.digest,
        )
    });
    let letters: Vec<OutgoingLetter> = letters.collect();
    let before: HashSet<&str> = pieces.iter().map(|piece| &*piece.letter.message_id).collect();
    let after = letters.iter().map(|letter| &*letter.message_id).collect();
    if pieces.len() == letters.len() && before == after {
        return Ok(());
    }
    for (letter, digests) in letters.iter().zip(&answered) {
        tx.note_answer(digests, &letter.message_id)?;
    }
    let mut keys = pieces.iter().map(|piece| piece.key).rev();
    for letter in letters.into_iter().rev() {
        match keys.next() {
            Some(key) => tx.batch_mut().replaced.push((key, letter)),
            None => tx.batch_mut().outgoing.push(letter),
        }
    }
    tx.batch_mut().sent.extend(keys);
    Ok(())
}

/// Makes a letter with these updates. It takes the highest priority and the latest date of the
/// letters that it replaces.
fn make_merged_letter(
    context: &Context,
    member: &Member,
    pieces: &[QueuedUpdates],
    updates: Vec<SeatUpdate>,
    unsettled: bool,
) -> OutgoingLetter {
    let tells = |one: &SeatUpdate| {
        updates
            .iter()
            .any(|telling| telling.is_same_seat(one) && telling.is_answer == one.is_answer)
    };
    let sources = pieces.iter().filter(|piece| piece.updates.iter().any(tells));
    let labels: Vec<&OutboxLabel> =
        sources.filter_map(|piece| piece.letter.label.as_ref()).collect();
    let shown = updates.iter().map(|telling| ShownSeat { game: telling.game, seat: telling.seat });
    let mut seats: Vec<ShownSeat> = shown.collect();
    seats.sort_unstable();
    seats.dedup();
    let reader = LetterReader::Seats { member: member.id, seats };
    let label = OutboxLabel {
        priority: labels
            .iter()
            .map(|label| label.priority)
            .min()
            .unwrap_or_else(|| reader.default_priority()),
        written: labels.iter().map(|label| label.written).max().unwrap_or(context.now),
        reader,
        mergeable: unsettled,
        hold: None,
    };
    let recipient = member.addresses.first().cloned().unwrap_or_default();
    match <[SeatUpdate; 1]>::try_from(updates) {
        Ok([alone]) => alone.into_letter(recipient, Some(label)),
        Err(updates) => {
            let message_id = bundle_message_id(context, &updates);
            OutgoingLetter {
                message_id,
                recipient,
                payload: OutboxPayload::Seats(updates).to_json(),
                label: Some(label),
            }
        }
    }
}

/// Returns the Message-ID of a letter about several games. It is derived from the Message-IDs of
/// the single letters, so the same updates always give the same ID.
fn bundle_message_id(context: &Context, updates: &[SeatUpdate]) -> String {
    let mut ids: Vec<&str> = updates.iter().map(|telling| &*telling.message_id).collect();
    ids.sort_unstable();
    let digest = LetterHash::compute(ids.join("\n").as_bytes());
    context.unique_id(&format!("{BUNDLE_ID_PREFIX}{digest}"))
}
