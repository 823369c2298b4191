//! How a batch changes the trees, inside one transaction.
//!
//! Pure but for the pen: sled can run it more than once. Knows nothing of files or of what lines
//! say.

use super::OutboxEntry;
use super::due;
use super::game_row::Field;
use super::pieces::{append_lines, put_pieces, replace_pieces};
use super::places::set_place;
use super::row_group::GameRows;
use super::trees::{Stop, Tree, WriteTx};
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::batch::{Batch, CampaignGame, Content, LogLine, Outgoing, Posted, SeenLetter};
use crate::store::journal::ClubLine;
use crate::store::keys::{Key, Parts};
use crate::store::removal::{Load, PutOff};
use crate::store::{Row, StoreError, from_json, later};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::borrow::Cow;

/// The counter of the outbox's keys.
pub(super) const NEXT_LETTER: &[u8] = b"next letter";
/// The counter of the lines for the club's journal.
const NEXT_CLUB_LINE: &[u8] = b"next club line";
/// The counter of minutes.
const NEXT_MINUTE: &[u8] = b"next minute";

/// How often the moderator's marks were made void.
pub(super) const MODERATOR: &[u8] = b"moderator";
/// Whether the club's journal is to be written anew.
pub(super) const REWRITE: &[u8] = b"rewrite journal";
/// Whether the store's file is to be written anew.
pub(super) const RENEW: &[u8] = b"renew";
/// When the store's file was last written anew.
pub(super) const RENEWED: &[u8] = b"renewed";
/// When passes ran.
pub(super) const PULSE: &[u8] = b"pulse";
/// When the moderator's morning digest was last thought of.
pub(super) const MORNING: &[u8] = b"morning";
/// When the store was made anew from a journal.
pub(super) const RESTORED: &[u8] = b"restored";
/// There once was a game with a clock.
pub(super) const CLOCKS: &[u8] = b"clocks";

/// Writes all of a batch.
pub(super) fn apply(batch: &Batch, tx: &WriteTx) -> Result<(), Stop> {
    let mut rows = GameRows::new(tx);
    let games = &mut batch.log_lines.chunk_by(|line, next| line.game == next.game);
    games.try_for_each(|lines| append(tx, &mut rows, lines))?;
    for (game, outline) in &batch.outlines {
        rows.of(*game)?.set(Field::Outline, &json(outline)?)?;
    }
    batch.members.iter().try_for_each(|member| set_member(tx, member))?;
    let seats = &mut batch.seats.iter();
    seats.try_for_each(|(game, seat, seated)| set_seat(tx, &mut rows, (*game, *seat), seated))?;
    for (name, disposition) in &batch.seen_files {
        tx.put(Tree::SeenFiles, name.clone().into_bytes(), disposition.as_bytes())?;
    }
    batch.outgoing.iter().try_for_each(|letter| enqueue(tx, letter))?;
    batch.sent.iter().try_for_each(|key| forget(tx, *key))?;
    let posted = &mut batch.posted.iter();
    posted.try_for_each(|(id, posted)| note_posted(tx, Key::posted(posted.at, id), posted))?;
    batch.postponed.iter().try_for_each(|(key, until)| postpone(tx, *key, *until))?;
    batch.settled.iter().try_for_each(|(key, letter)| settle(tx, *key, letter))?;
    batch.due.iter().try_for_each(|(game, due)| set_due(tx, &mut rows, *game, *due))?;
    batch.answers.iter().try_for_each(|(address, at)| count_answer(tx, address, *at))?;
    batch.campaign_games.iter().try_for_each(|game| set_campaign_game(tx, game))?;
    let clocks = &mut batch.clocks.iter();
    clocks.try_for_each(|(game, clock)| set_clock(tx, &mut rows, *game, clock))?;
    let rooms = &mut batch.rooms.iter();
    rooms.try_for_each(|(game, room)| set_room(tx, &mut rows, *game, room))?;
    batch.minutes.iter().try_for_each(|(game, minute)| add_minute(tx, *game, minute))?;
    if let Some(generation) = batch.moderator {
        tx.put(Tree::Meta, MODERATOR.to_vec(), json(&generation)?)?;
        tell_journal(tx, &ClubLine::Moderator { generation })?;
    }
    for (name, unread) in &batch.unread {
        let key = name.clone().into_bytes();
        match unread {
            Some(unread) => tx.put(Tree::Unread, key, json(unread)?)?,
            None => tx.take(Tree::Unread, key)?,
        };
    }
    // Last: a journal that is cut off knows no letter without what it led to.
    batch.seen_letters.iter().try_for_each(|(digest, seen)| see_letter(tx, digest, seen))?;
    if batch.rewrite_journal {
        tx.put(Tree::Meta, REWRITE.to_vec(), &[])?;
    }
    if batch.erased {
        tx.put(Tree::Meta, RENEW.to_vec(), &[])?;
    }
    if let Some(heartbeat) = &batch.heartbeat {
        tx.put(Tree::Meta, PULSE.to_vec(), json(heartbeat)?)?;
    }
    if let Some(morning) = &batch.morning {
        tx.put(Tree::Meta, MORNING.to_vec(), json(morning)?)?;
    }
    if let Some(restored) = &batch.restored {
        tx.put(Tree::Meta, RESTORED.to_vec(), json(restored)?)?;
    }
    rows.write()
}

/// Writes a portion of a club that comes from elsewhere. The journal is written anew after that, so
/// no line is kept for it.
pub(super) fn fill(load: &Load, tx: &WriteTx) -> Result<(), Stop> {
    let first = next(tx, NEXT_CLUB_LINE)?;
    apply(&load.batch, tx)?;
    for line in first..next(tx, NEXT_CLUB_LINE)? {
        tx.take(Tree::ClubLines, Key::long(line).bytes())?;
    }
    tx.put(Tree::Meta, REWRITE.to_vec(), &[])?;
    for member in &load.members {
        tx.put(Tree::Members, Key::of(member.id).bytes(), json(member)?)?;
    }
    for (address, member) in &load.addresses {
        tx.put(Tree::Addresses, address.to_vec(), &member.to_be_bytes())?;
    }
    for (account, at, times) in &load.answers {
        let key = Key::hash(account).then_seconds(*at).bytes();
        tx.put(Tree::Answers, key, &times.to_be_bytes())?;
    }
    for (letter, posted) in &load.posted {
        note_posted(tx, Key::day(posted.at).then_hash(letter), posted)?;
    }
    load.outbox.iter().try_for_each(|letter| put_again(tx, letter))?;
    if next(tx, NEXT_LETTER)? <= load.last_key {
        let next = load.last_key.saturating_add(1);
        tx.put(Tree::Meta, NEXT_LETTER.to_vec(), &next.to_be_bytes())?;
    }
    Ok(())
}

/// Puts a letter where it was in another outbox.
fn put_again(tx: &WriteTx, letter: &PutOff) -> Result<(), Stop> {
    let PutOff { queued, not_before } = letter;
    put_letter(tx, queued.key, &queued.letter)?;
    let key = Key::long(queued.key).bytes();
    let Some(entry) = tx.get(Tree::Outbox, &key)? else { return Ok(()) };
    let (attempts, not_before) = (queued.attempts, *not_before);
    let entry = OutboxEntry { attempts, not_before, ..from_json(&entry)? };
    tx.put(Tree::Outbox, key, json(&entry)?)?;
    Ok(())
}

fn set_clock(tx: &WriteTx, rows: &mut GameRows, game: u32, clock: &GameClock) -> Result<(), Stop> {
    rows.of(game)?.set(Field::Clock, &json(clock)?)?;
    tx.put(Tree::Meta, CLOCKS.to_vec(), &[])?;
    tell_journal(tx, &ClubLine::Clock { game, clock: Box::new(clock.clone()) })
}

fn set_room(tx: &WriteTx, rows: &mut GameRows, game: u32, room: &GameRoom) -> Result<(), Stop> {
    rows.of(game)?.set(Field::Room, &json(room)?)?;
    tell_journal(tx, &ClubLine::GameRoom { game, room: room.clone() })
}

fn add_minute(tx: &WriteTx, game: u32, minute: &ActivityEntry) -> Result<(), Stop> {
    let number = count(tx, NEXT_MINUTE)?;
    put_pieces(tx, Tree::Minutes, &json(minute)?, || Key::of(game).then_long(number))?;
    tell_journal(tx, &ClubLine::ActivityEntry { game, minute: minute.clone() })
}

/// Writes an entry of a game's activity log over the one that has this game and number.
pub(super) fn reword(
    tx: &WriteTx,
    (game, number): (u32, u64),
    entry: &ActivityEntry,
) -> Result<(), Stop> {
    replace_pieces(tx, Tree::Minutes, &json(entry)?, || Key::of(game).then_long(number))
}

/// Appends lines of one game.
fn append(tx: &WriteTx, rows: &mut GameRows, lines: &[LogLine]) -> Result<(), Stop> {
    let Some(LogLine { game, .. }) = lines.first() else { return Ok(()) };
    let row = rows.of(*game)?;
    let log = row.log()?;
    let next = log.lines..=u32::MAX;
    if !lines.iter().map(|line| line.seq).eq(next.take(lines.len())) {
        return Err(StoreError::Conflict(Row::Game(*game)).into());
    }
    let texts = lines.iter().map(|line| line.line.as_bytes());
    row.set(Field::Log, &append_lines(tx, *game, log, texts)?.field())?;
    tx.put(Tree::Unjournaled, Key::of(*game).bytes(), &[])?;
    Ok(())
}

fn set_member(tx: &WriteTx, member: &Member) -> Result<(), Stop> {
    let number = member.id.to_be_bytes();
    let before = tx.put(Tree::Members, Key::of(member.id).bytes(), json(member)?)?;
    if let Some(before) = before {
        let before: Member = later::whole(&before).map_err(StoreError::from)?;
        for address in before.addresses.iter().filter(|old| !member.addresses.contains(old)) {
            let owner = tx.get(Tree::Addresses, Key::address(address).bytes())?;
            if owner.is_some_and(|owner| owner == number) {
                tx.take(Tree::Addresses, Key::address(address).bytes())?;
            }
        }
    }
    for address in &member.addresses {
        tx.put(Tree::Addresses, Key::address(address).bytes(), &number)?;
    }
    tell_journal(tx, &ClubLine::Member(member.clone()))
}

fn set_seat(
    tx: &WriteTx,
    rows: &mut GameRows,
    (game, seat): (u32, Seat),
    seated: &Seated,
) -> Result<(), Stop> {
    let before = rows.of(game)?.set(Field::Seat(seat), &json(seated)?)?;
    let before = before.map(|before| later::whole::<Seated>(&before)).transpose();
    let before = before.map_err(StoreError::from)?.map(|before| before.member);
    if before != Some(seated.member) {
        before.map_or(Ok(()), |member| set_place(tx, member, (game, seat), false))?;
        set_place(tx, seated.member, (game, seat), true)?;
    }
    tell_journal(tx, &ClubLine::Seat { game, seat, seated: seated.clone() })
}

fn set_campaign_game(tx: &WriteTx, game: &CampaignGame) -> Result<(), Stop> {
    let key = Key::campaign(&game.campaign).then(game.round).then(game.table).bytes();
    tx.put(Tree::CampaignGames, key, json(game)?)?;
    tell_journal(tx, &ClubLine::CampaignGame(game.clone()))
}

fn tell_journal(tx: &WriteTx, line: &ClubLine) -> Result<(), Stop> {
    let number = count(tx, NEXT_CLUB_LINE)?;
    tx.put(Tree::ClubLines, Key::long(number).bytes(), json(line)?)?;
    Ok(())
}

fn see_letter(tx: &WriteTx, digest: &[u8; 16], seen: &SeenLetter) -> Result<(), Stop> {
    tx.put(Tree::SeenLetters, digest.to_vec(), json(seen)?)?;
    tell_journal(tx, &ClubLine::seen(digest, seen))
}

fn enqueue(tx: &WriteTx, letter: &Outgoing) -> Result<(), Stop> {
    let key = count(tx, NEXT_LETTER)?;
    put_letter(tx, key, letter)
}

fn put_letter(tx: &WriteTx, key: u64, letter: &Outgoing) -> Result<(), Stop> {
    let (bytes, owed) = match &letter.content {
        Content::Owed(owed) => (Cow::from(json(owed)?), true),
        Content::Bytes(bytes) => (Cow::from(bytes), false),
    };
    let entry = OutboxEntry {
        message_id: letter.message_id.clone(),
        recipient: letter.recipient.clone(),
        not_before: None,
        attempts: 0,
        pieces: put_pieces(tx, Tree::Letters, &bytes, || Key::long(key))?,
        part_at: None,
        owed,
        label: letter.label.clone(),
    };
    tx.put(Tree::Outbox, Key::long(key).bytes(), json(&entry)?)?;
    Ok(())
}

/// Puts a letter in the place of one that waits still.
fn settle(tx: &WriteTx, key: u64, letter: &Outgoing) -> Result<(), Stop> {
    if tx.get(Tree::Outbox, Key::long(key).bytes())?.is_none() {
        return Ok(());
    }
    forget(tx, key)?;
    put_letter(tx, key, letter)
}

fn forget(tx: &WriteTx, key: u64) -> Result<(), Stop> {
    let Some(entry) = tx.take(Tree::Outbox, Key::long(key).bytes())? else { return Ok(()) };
    for piece in 0..from_json::<OutboxEntry>(&entry)?.pieces {
        tx.take(Tree::Letters, Key::long(key).then(piece).bytes())?;
    }
    Ok(())
}

fn note_posted(tx: &WriteTx, key: Key, posted: &Posted) -> Result<(), Stop> {
    let Posted { at, letter } = posted;
    let mut value = Key::default().then_seconds(at.timestamp()).bytes();
    value.extend(json(letter)?);
    tx.put(Tree::Posted, key.bytes(), value)?;
    Ok(())
}

fn postpone(tx: &WriteTx, key: u64, until: DateTime<Utc>) -> Result<(), Stop> {
    let key = Key::long(key).bytes();
    let Some(entry) = tx.get(Tree::Outbox, &key)? else { return Ok(()) };
    let entry: OutboxEntry = from_json(&entry)?;
    let attempts = entry.attempts.saturating_add(1);
    tx.put(Tree::Outbox, key, json(&OutboxEntry { not_before: Some(until), attempts, ..entry })?)?;
    Ok(())
}

fn set_due(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    due: Option<DateTime<Utc>>,
) -> Result<(), Stop> {
    let row = rows.of(game)?;
    let before = match due {
        Some(due) => row.set(Field::Due, &Key::moment(due).bytes())?,
        None => row.take(Field::Due)?,
    };
    let before = before.map(|before| Parts(&before).moment()).transpose()?;
    due::set(tx, game, before, due)
}

fn count_answer(tx: &WriteTx, address: &str, at: i64) -> Result<(), Stop> {
    let key = Key::address(address).then_seconds(at).bytes();
    let before = match tx.get(Tree::Answers, &key)? {
        Some(count) => Parts(&count).number()?,
        None => 0,
    };
    tx.put(Tree::Answers, key, &before.saturating_add(1).to_be_bytes())?;
    Ok(())
}

/// The next number of a counter.
fn count(tx: &WriteTx, counter: &[u8]) -> Result<u64, Stop> {
    let next = next(tx, counter)?;
    tx.put(Tree::Meta, counter.to_vec(), &next.saturating_add(1).to_be_bytes())?;
    Ok(next)
}

/// The number that a counter gives next.
fn next(tx: &WriteTx, counter: &[u8]) -> Result<u64, Stop> {
    let next = tx.get(Tree::Meta, counter)?;
    Ok(next.map_or(Ok(1), |next| Parts(&next).long())?)
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Damaged(error.to_string()))
}
