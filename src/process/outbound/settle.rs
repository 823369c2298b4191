//! What waits for one reader becomes as few letters as he wants: one for each of his games, or one
//! for all of them.
//!
//! One pass makes many commits, and while the way out is closed there are many passes: each may owe
//! something to the same seat. So it is done where the outbox is emptied, in one commit before any
//! of it is posted, and again as long as it waits. A letter that was tried once stays as it is.

use super::leave::{present, sits};
use super::owed::{Owed, Telling};
use super::taps;
use super::words::{Job, said};
use crate::club::Member;
use crate::mail::LetterHash;
use crate::process::context::{ClubError, Context};
use crate::process::transaction::{Transaction, retry};
use crate::rules::Seat;
use crate::store::{InLine, Label, Outbox, Outgoing, Reader, Shown};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// The most bytes of a page: some mail programs show no more than 102,400 before they ask whether
/// one wants to go on. A game that is longer goes by itself.
const BYTES_MAX: usize = 94_000;
/// About so many bytes stand around a game's part of the page.
const FRAME: usize = 800;

/// How many letters are settled in one commit, and those of the last member.
const KEYS_A_COMMIT: usize = 500;

/// How the Message-ID of a letter about several games begins.
pub(crate) const ID_START: &str = "b.";

/// A letter that waits, and what it tells.
struct Piece {
    key: u64,
    letter: Outgoing,
    tellings: Vec<Telling>,
}

/// Lets become one what may; says whether anything did: the outbox is not what it was then.
///
/// # Errors
/// When the store cannot be read or written.
pub(crate) fn settle(context: &Context, waiting: &[InLine]) -> Result<bool, ClubError> {
    let mut of_member: BTreeMap<u32, Vec<&InLine>> = BTreeMap::new();
    for letter in waiting.iter().filter(|letter| letter.unsettled) {
        if let Some(Reader::Seats { member, .. }) = letter.label.as_ref().map(|l| &l.reader) {
            of_member.entry(*member).or_default().push(letter);
        }
    }
    of_member.retain(|_, letters| letters.len() > 1);
    let mut are_some = false;
    retry(|| {
        let mut tx = Transaction::begin(context);
        for (member, letters) in &of_member {
            settle_members(&mut tx, *member, letters)?;
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

/// Lets become one what may of these letters to a member.
fn settle_members(
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
        put(tx, &member, &pieces, letters);
    }
    Ok(())
}

/// The keys of those letters of a member that may become one: all of them, or those to one seat.
fn together(member: &Member, letters: &[&InLine]) -> Vec<Vec<u64>> {
    if member.letters.digest {
        return vec![letters.iter().map(|letter| letter.key).collect()];
    }
    let mut of_seat: BTreeMap<(u32, Seat), Vec<u64>> = BTreeMap::new();
    for letter in letters {
        if let Some(Reader::Seats { seats, .. }) = letter.label.as_ref().map(|label| &label.reader)
            && let [Shown { game, seat, .. }] = seats.as_slice()
        {
            of_seat.entry((*game, *seat)).or_default().push(letter.key);
        }
    }
    of_seat.into_values().filter(|keys| keys.len() > 1).collect()
}

/// These letters, as far as they can be understood and show only what is the reader's.
fn pieces(tx: &Transaction<'_>, member: &Member, keys: &[u64]) -> Result<Vec<Piece>, ClubError> {
    let mut pieces = Vec::new();
    'letters: for key in keys {
        let Some(queued) = tx.queued(*key)? else { continue };
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

/// What is told, oldest first, with one telling in place of several to the same seat; what answers
/// a letter by itself stays.
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

/// What is told of these games as letters of which each has room for all that is in it: first those
/// that wait for the reader, by the time that he has left.
fn shares(tx: &Transaction<'_>, told: Vec<Telling>) -> Result<Vec<Vec<Telling>>, ClubError> {
    let first = told.first().cloned();
    if told.iter().all(|telling| first.as_ref().is_some_and(|first| first.is_beside(telling))) {
        return Ok(told.into_iter().map(|telling| vec![telling]).collect());
    }
    let offered = told.iter().zip(taps::shares(&told));
    let jobs: Vec<Job<'_>> =
        offered.map(|(one, most)| Job::of(one, (true, most), tx.context.now)).collect();
    let mut games: Vec<Game> = Vec::new();
    // What cannot be worded needs no room; what is wrong with it shows when it leaves.
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
        let alone = games.len() == 1;
        let told: Vec<Telling> = games.into_iter().flat_map(|game| game.told).collect();
        if alone { told.into_iter().map(|one| vec![one]).collect() } else { vec![told] }
    });
    Ok(letters.collect())
}

/// What is told of a game in a letter about several.
struct Game {
    told: Vec<Telling>,
    bytes: usize,
    /// Whether it waits for the reader after that.
    waits: bool,
    /// Until when, if not for ever.
    due: Option<DateTime<Utc>>,
}

/// Puts these letters in the place of those that waited; nothing if they are the same. The newest
/// keep the newest places: no answer is overtaken.
fn put(tx: &mut Transaction<'_>, member: &Member, pieces: &[Piece], letters: Vec<Vec<Telling>>) {
    let last = letters.len().saturating_sub(1);
    let letters: Vec<Outgoing> = letters
        .into_iter()
        .enumerate()
        .map(|(at, told)| {
            // Of the parts of a long letter only the last has room for more.
            let unsettled = at == last || !member.letters.digest;
            letter(tx.context, member, pieces, told, unsettled)
        })
        .collect();
    let ids = |letters: &[&Outgoing]| -> Vec<String> {
        let mut ids: Vec<String> = letters.iter().map(|one| one.message_id.clone()).collect();
        ids.sort_unstable();
        ids
    };
    let before: Vec<&Outgoing> = pieces.iter().map(|piece| &piece.letter).collect();
    if ids(&before) == ids(&letters.iter().collect::<Vec<_>>()) {
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

/// A letter that tells this of what these letters told.
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
    let shown = |telling: &Telling| Shown { game: telling.game, seat: telling.seat };
    let mut seats: Vec<Shown> = told.iter().map(shown).collect();
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
    let (message_id, owed) = match <[Telling; 1]>::try_from(told) {
        Ok([alone]) => (alone.id.clone(), Owed::Seat(Box::new(alone))),
        Err(told) => (id_of_all(context, &told), Owed::Seats(told)),
    };
    Outgoing { message_id, recipient, owed: owed.kept(), label: Some(label) }
}

/// The Message-ID of a letter about several games: made from those of letters about each, so the
/// same letters always make the same one.
fn id_of_all(context: &Context, told: &[Telling]) -> String {
    let mut ids: Vec<&str> = told.iter().map(|telling| &*telling.id).collect();
    ids.sort_unstable();
    let digest = LetterHash::of(ids.join("\n").as_bytes());
    context.id_of(&format!("{ID_START}{digest}"))
}
