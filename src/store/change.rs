//! How a batch changes the shelves, inside one transaction.
//!
//! Pure but for the pen: sled can run it more than once. Knows nothing of files or of what lines
//! say.

use super::batch::{Batch, CampaignGame, Content, LogLine, Outgoing, Posted, SeenLetter};
use super::journal::ClubLine;
use super::keys::{Key, Parts};
use super::shelves::{PIECE, Pen, Shelf, Stop};
use super::{Row, Slip, StoreError, from_json, later};
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::borrow::Cow;

/// The counter of the outbox's keys.
const NEXT_LETTER: &[u8] = b"next letter";
/// The counter of the lines for the club's journal.
const NEXT_CLUB_LINE: &[u8] = b"next club line";
/// The counter of minutes.
const NEXT_MINUTE: &[u8] = b"next minute";

/// How often the moderator's marks were made void.
pub(super) const MODERATOR: &[u8] = b"moderator";
/// Whether the club's journal is to be written anew.
pub(super) const REWRITE: &[u8] = b"rewrite journal";
/// When passes ran.
pub(super) const PULSE: &[u8] = b"pulse";
/// When the moderator's morning digest was last thought of.
pub(super) const MORNING: &[u8] = b"morning";
/// When the store was made anew from a journal.
pub(super) const RESTORED: &[u8] = b"restored";

/// Writes all of a batch.
pub(super) fn apply(batch: &Batch, pen: &Pen) -> Result<(), Stop> {
    batch.log_lines.iter().try_for_each(|line| append(pen, line))?;
    batch.members.iter().try_for_each(|member| set_member(pen, member))?;
    batch.seats.iter().try_for_each(|(game, seat, seated)| set_seat(pen, *game, *seat, seated))?;
    for (name, disposition) in &batch.seen_files {
        pen.put(Shelf::SeenFiles, name.clone().into_bytes(), disposition.as_bytes())?;
    }
    batch.outgoing.iter().try_for_each(|letter| enqueue(pen, letter))?;
    batch.sent.iter().try_for_each(|key| forget(pen, *key))?;
    batch.posted.iter().try_for_each(|(id, posted)| note_posted(pen, id, posted))?;
    batch.postponed.iter().try_for_each(|(key, until)| postpone(pen, *key, *until))?;
    batch.settled.iter().try_for_each(|(key, letter)| settle(pen, *key, letter))?;
    batch.due.iter().try_for_each(|(game, due)| set_due(pen, *game, *due))?;
    batch.answers.iter().try_for_each(|(address, at)| count_answer(pen, address, *at))?;
    batch.campaign_games.iter().try_for_each(|game| set_campaign_game(pen, game))?;
    batch.clocks.iter().try_for_each(|(game, clock)| set_clock(pen, *game, clock))?;
    let rooms = &mut batch.rooms.iter();
    rooms.try_for_each(|(game, room)| set_room(pen, *game, room))?;
    batch.minutes.iter().try_for_each(|(game, minute)| add_minute(pen, *game, minute))?;
    if let Some(generation) = batch.moderator {
        pen.put(Shelf::Meta, MODERATOR.to_vec(), json(&generation)?)?;
        tell_journal(pen, &ClubLine::Moderator { generation })?;
    }
    for (name, unread) in &batch.unread {
        let key = name.clone().into_bytes();
        match unread {
            Some(unread) => pen.put(Shelf::Unread, key, json(unread)?)?,
            None => pen.take(Shelf::Unread, key)?,
        };
    }
    // Last: a journal that is cut off knows no letter without what it led to.
    batch.seen_letters.iter().try_for_each(|(digest, seen)| see_letter(pen, digest, seen))?;
    if batch.rewrite_journal {
        pen.put(Shelf::Meta, REWRITE.to_vec(), &[])?;
    }
    if let Some(heartbeat) = &batch.heartbeat {
        pen.put(Shelf::Meta, PULSE.to_vec(), json(heartbeat)?)?;
    }
    if let Some(morning) = &batch.morning {
        pen.put(Shelf::Meta, MORNING.to_vec(), json(morning)?)?;
    }
    if let Some(restored) = &batch.restored {
        pen.put(Shelf::Meta, RESTORED.to_vec(), json(restored)?)?;
    }
    Ok(())
}

fn set_clock(pen: &Pen, game: u32, clock: &GameClock) -> Result<(), Stop> {
    pen.put(Shelf::Clocks, Key::of(game).bytes(), json(clock)?)?;
    tell_journal(pen, &ClubLine::Clock { game, clock: Box::new(clock.clone()) })
}

fn set_room(pen: &Pen, game: u32, room: &GameRoom) -> Result<(), Stop> {
    let json = json(room)?;
    let key = || Key::of(game);
    let pieces = put_pieces(pen, Shelf::Gatherings, &json, key)?;
    // One that was longer before leaves no end behind.
    let mut next = pieces;
    while pen.take(Shelf::Gatherings, key().then(next).bytes())?.is_some() {
        next += 1;
    }
    tell_journal(pen, &ClubLine::GameRoom { game, room: room.clone() })
}

fn add_minute(pen: &Pen, game: u32, minute: &ActivityEntry) -> Result<(), Stop> {
    let number = count(pen, NEXT_MINUTE)?;
    put_pieces(pen, Shelf::Minutes, &json(minute)?, || Key::of(game).then_long(number))?;
    tell_journal(pen, &ClubLine::ActivityEntry { game, minute: minute.clone() })
}

fn append(pen: &Pen, LogLine { game, seq, line }: &LogLine) -> Result<(), Stop> {
    let conflict = || StoreError::Conflict(Row::Game(*game));
    let key = || Key::of(*game);
    let length = match pen.get(Shelf::Games, key().bytes())? {
        Some(length) => Parts(&length).number()?,
        None => 0,
    };
    let next = length.checked_add(1).filter(|_| *seq == length).ok_or_else(conflict)?;
    pen.put(Shelf::Games, key().bytes(), &next.to_be_bytes())?;
    pen.put(Shelf::Unjournaled, key().bytes(), &[])?;
    put_pieces(pen, Shelf::Log, line.as_bytes(), || key().then(*seq))?;
    Ok(())
}

/// Writes bytes as pieces, at least one; says how many.
fn put_pieces(pen: &Pen, shelf: Shelf, bytes: &[u8], key: impl Fn() -> Key) -> Result<u32, Stop> {
    let first = &bytes[..bytes.len().min(PIECE)];
    let rest = bytes[first.len()..].chunks(PIECE);
    let mut count = 0;
    for piece in std::iter::once(first).chain(rest) {
        pen.put(shelf, key().then(count).bytes(), piece)?;
        count += 1;
    }
    Ok(count)
}

fn set_member(pen: &Pen, member: &Member) -> Result<(), Stop> {
    let number = member.id.to_be_bytes();
    let before = pen.put(Shelf::Members, Key::of(member.id).bytes(), json(member)?)?;
    if let Some(before) = before {
        let before: Member = later::whole(&before).map_err(StoreError::from)?;
        for address in before.addresses.iter().filter(|old| !member.addresses.contains(old)) {
            let owner = pen.get(Shelf::Addresses, Key::address(address).bytes())?;
            if owner.is_some_and(|owner| owner == number) {
                pen.take(Shelf::Addresses, Key::address(address).bytes())?;
            }
        }
    }
    for address in &member.addresses {
        pen.put(Shelf::Addresses, Key::address(address).bytes(), &number)?;
    }
    tell_journal(pen, &ClubLine::Member(member.clone()))
}

fn set_seat(pen: &Pen, game: u32, seat: Seat, seated: &Seated) -> Result<(), Stop> {
    let of = |member| Key::of(member).then(game).then_seat(seat).bytes();
    let key = Key::of(game).then_seat(seat).bytes();
    if let Some(before) = pen.put(Shelf::Seats, key, json(seated)?)? {
        let before: Seated = later::whole(&before).map_err(StoreError::from)?;
        pen.take(Shelf::SeatsOf, of(before.member))?;
    }
    pen.put(Shelf::SeatsOf, of(seated.member), &[])?;
    tell_journal(pen, &ClubLine::Seat { game, seat, seated: seated.clone() })
}

fn set_campaign_game(pen: &Pen, game: &CampaignGame) -> Result<(), Stop> {
    let key = Key::campaign(&game.campaign).then(game.round).then(game.table).bytes();
    pen.put(Shelf::CampaignGames, key, json(game)?)?;
    tell_journal(pen, &ClubLine::CampaignGame(game.clone()))
}

fn tell_journal(pen: &Pen, line: &ClubLine) -> Result<(), Stop> {
    let number = count(pen, NEXT_CLUB_LINE)?;
    pen.put(Shelf::ClubLines, Key::long(number).bytes(), json(line)?)?;
    Ok(())
}

fn see_letter(pen: &Pen, digest: &[u8; 16], seen: &SeenLetter) -> Result<(), Stop> {
    pen.put(Shelf::SeenLetters, digest.to_vec(), json(seen)?)?;
    tell_journal(pen, &ClubLine::seen(digest, seen))
}

fn enqueue(pen: &Pen, letter: &Outgoing) -> Result<(), Stop> {
    let key = count(pen, NEXT_LETTER)?;
    put_letter(pen, key, letter)
}

fn put_letter(pen: &Pen, key: u64, letter: &Outgoing) -> Result<(), Stop> {
    let (bytes, owed) = match &letter.content {
        Content::Owed(owed) => (Cow::from(json(owed)?), true),
        Content::Bytes(bytes) => (Cow::from(bytes), false),
    };
    let slip = Slip {
        message_id: letter.message_id.clone(),
        recipient: letter.recipient.clone(),
        not_before: None,
        attempts: 0,
        pieces: put_pieces(pen, Shelf::Letters, &bytes, || Key::long(key))?,
        part_at: None,
        owed,
        label: letter.label.clone(),
    };
    pen.put(Shelf::Outbox, Key::long(key).bytes(), json(&slip)?)?;
    Ok(())
}

/// Puts a letter in the place of one that waits still.
fn settle(pen: &Pen, key: u64, letter: &Outgoing) -> Result<(), Stop> {
    if pen.get(Shelf::Outbox, Key::long(key).bytes())?.is_none() {
        return Ok(());
    }
    forget(pen, key)?;
    put_letter(pen, key, letter)
}

fn forget(pen: &Pen, key: u64) -> Result<(), Stop> {
    let Some(slip) = pen.take(Shelf::Outbox, Key::long(key).bytes())? else { return Ok(()) };
    for piece in 0..from_json::<Slip>(&slip)?.pieces {
        pen.take(Shelf::Letters, Key::long(key).then(piece).bytes())?;
    }
    Ok(())
}

fn note_posted(pen: &Pen, message_id: &str, posted: &Posted) -> Result<(), Stop> {
    let Posted { at, told } = posted;
    let mut value = Key::default().then_seconds(at.timestamp()).bytes();
    if !told.is_empty() {
        value.extend(json(told)?);
    }
    pen.put(Shelf::Posted, Key::posted(*at, message_id).bytes(), value)?;
    Ok(())
}

fn postpone(pen: &Pen, key: u64, until: DateTime<Utc>) -> Result<(), Stop> {
    let key = Key::long(key).bytes();
    let Some(slip) = pen.get(Shelf::Outbox, &key)? else { return Ok(()) };
    let slip: Slip = from_json(&slip)?;
    let attempts = slip.attempts.saturating_add(1);
    pen.put(Shelf::Outbox, key, json(&Slip { not_before: Some(until), attempts, ..slip })?)?;
    Ok(())
}

fn set_due(pen: &Pen, game: u32, due: Option<DateTime<Utc>>) -> Result<(), Stop> {
    let key = || Key::of(game).bytes();
    let before = match due {
        Some(due) => pen.put(Shelf::DueAt, key(), Key::moment(due).bytes())?,
        None => pen.take(Shelf::DueAt, key())?,
    };
    if let Some(before) = before {
        let before = Parts(&before).moment()?;
        pen.take(Shelf::Due, Key::moment(before).then(game).bytes())?;
    }
    if let Some(due) = due {
        pen.put(Shelf::Due, Key::moment(due).then(game).bytes(), &[])?;
    }
    Ok(())
}

fn count_answer(pen: &Pen, address: &str, at: i64) -> Result<(), Stop> {
    let key = Key::address(address).then_seconds(at).bytes();
    let before = match pen.get(Shelf::Answers, &key)? {
        Some(count) => Parts(&count).number()?,
        None => 0,
    };
    pen.put(Shelf::Answers, key, &before.saturating_add(1).to_be_bytes())?;
    Ok(())
}

/// The next number of a counter.
fn count(pen: &Pen, counter: &[u8]) -> Result<u64, Stop> {
    let next = match pen.get(Shelf::Meta, counter)? {
        Some(next) => Parts(&next).long()?,
        None => 1,
    };
    pen.put(Shelf::Meta, counter.to_vec(), &next.saturating_add(1).to_be_bytes())?;
    Ok(next)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Damaged(error.to_string()))
}
