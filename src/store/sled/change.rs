//! How a batch changes the trees, inside one transaction.
//!
//! Pure but for the pen: sled can run it more than once. Knows nothing of files or of what lines
//! say.

use super::OutboxEntry;
use super::due;
use super::game_row::Field;
use super::pieces::{append_lines, put_pieces};
use super::places::set_place;
use super::row_group::GameRows;
use super::trees::{Stop, Tree, WriteTx};
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use crate::store::batch::{Batch, CampaignGame, LogLine, Outgoing, Posted, Queued, SeenLetter};
use crate::store::journal::ClubLine;
use crate::store::keys::{Key, Parts};
use crate::store::removal::{Load, PutOff};
use crate::store::{Row, StoreError, from_json, later};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The counter of the outbox's keys.
pub(super) const NEXT_LETTER: &[u8] = b"next letter";
/// The counter of the lines for the club's journal.
const NEXT_CLUB_LINE: &[u8] = b"next club line";

/// How often the moderator's marks were made void.
pub(super) const MODERATOR: &[u8] = b"moderator";
/// Whether the club's journal is to be written anew.
pub(super) const REWRITE: &[u8] = b"rewrite journal";
/// Whether the store's file is to be written anew.
pub(super) const RENEW: &[u8] = b"renew";
/// When the store's file was last written anew.
pub(super) const RENEWED: &[u8] = b"renewed";
/// When passes ran.
pub(super) const HEARTBEAT: &[u8] = b"heartbeat";
/// When the moderator's morning digest was last thought of.
pub(super) const MORNING: &[u8] = b"morning";
/// When the store was made anew from a journal.
pub(super) const RESTORED: &[u8] = b"restored";
/// There once was a game with a clock.
pub(super) const CLOCKS: &[u8] = b"clocks";

/// The attempts of a letter that is new in the outbox, and the time before which it waits.
const NEW: (u32, Option<DateTime<Utc>>) = (0, None);

/// Writes all of a batch.
pub(super) fn apply(batch: &Batch, tx: &WriteTx) -> Result<(), Stop> {
    let mut rows = GameRows::new(tx);
    let games = &mut batch.log_lines.chunk_by(|line, next| line.game == next.game);
    games.try_for_each(|lines| append(tx, &mut rows, lines))?;
    for (game, outline) in &batch.outlines {
        rows.of(*game)?.set(Field::OUTLINE, &json(outline)?)?;
    }
    batch.members.iter().try_for_each(|member| set_member(tx, member))?;
    let seats = &mut batch.seats.iter();
    seats.try_for_each(|(game, seat, seated)| set_seat(tx, &mut rows, (*game, *seat), seated))?;
    for (name, disposition) in &batch.seen_files {
        tx.put(Tree::SeenFiles, name.clone().into_bytes(), disposition.as_bytes())?;
    }
    let outgoing = &mut batch.outgoing.iter();
    outgoing.try_for_each(|letter| put_letter(tx, count(tx, NEXT_LETTER)?, letter, NEW))?;
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
    let minutes = &mut batch.minutes.iter();
    minutes.try_for_each(|(game, minute)| add_minute(tx, &mut rows, *game, minute))?;
    let reworded = &mut batch.reworded.iter();
    reworded.try_for_each(|(game, place, entry)| reword(tx, &mut rows, (*game, *place), entry))?;
    if let Some(generation) = batch.moderator {
        set_meta(tx, MODERATOR, Some(&generation))?;
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
    set_meta(tx, HEARTBEAT, batch.heartbeat.as_ref())?;
    set_meta(tx, MORNING, batch.morning.as_ref())?;
    set_meta(tx, RESTORED, batch.restored.as_ref())?;
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
        let key = Key::default().then_hash(account).then_seconds(*at).bytes();
        tx.put(Tree::Answers, key, &times.to_be_bytes())?;
    }
    for (letter, posted) in &load.posted {
        note_posted(tx, Key::day(posted.at).then_hash(letter), posted)?;
    }
    for PutOff { queued: Queued { key, attempts, letter }, not_before } in &load.outbox {
        put_letter(tx, *key, letter, (*attempts, *not_before))?;
    }
    if next(tx, NEXT_LETTER)? <= load.last_key {
        let next = load.last_key.saturating_add(1);
        tx.put(Tree::Meta, NEXT_LETTER.to_vec(), &next.to_be_bytes())?;
    }
    Ok(())
}

/// Sets a value that a club has one of, if there is a new one.
fn set_meta(tx: &WriteTx, key: &[u8], value: Option<&impl Serialize>) -> Result<(), Stop> {
    let Some(value) = value else { return Ok(()) };
    tx.put(Tree::Meta, key.to_vec(), json(value)?).map(drop)
}

fn set_clock(tx: &WriteTx, rows: &mut GameRows, game: u32, clock: &GameClock) -> Result<(), Stop> {
    rows.of(game)?.set(Field::CLOCK, &json(clock)?)?;
    tx.put(Tree::Meta, CLOCKS.to_vec(), &[])?;
    tell_journal(tx, &ClubLine::Clock { game, clock: Box::new(clock.clone()) })
}

fn set_room(tx: &WriteTx, rows: &mut GameRows, game: u32, room: &GameRoom) -> Result<(), Stop> {
    rows.of(game)?.set(Field::ROOM, &json(room)?)?;
    tell_journal(tx, &ClubLine::GameRoom { game, room: room.clone() })
}

fn add_minute(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    minute: &ActivityEntry,
) -> Result<(), Stop> {
    let row = rows.of(game)?;
    let number = row.minutes()?;
    row.set(Field::MINUTES, &Key::of(number.saturating_add(1)).bytes())?;
    put_pieces(tx, Tree::Minutes, &json(minute)?, || Key::of(game).then(number))?;
    tell_journal(tx, &ClubLine::ActivityEntry { game, minute: minute.clone() })
}

/// Replaces the entry at this place of a game's activity log.
fn reword(
    tx: &WriteTx,
    rows: &mut GameRows,
    (game, place): (u32, usize),
    entry: &ActivityEntry,
) -> Result<(), Stop> {
    let place = u32::try_from(place).map_err(StoreError::damaged)?;
    if place >= rows.of(game)?.minutes()? {
        return Err(StoreError::damaged("an entry of an activity log is missing").into());
    }
    put_pieces(tx, Tree::Minutes, &json(entry)?, || Key::of(game).then(place))
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
    row.set(Field::LOG, &append_lines(tx, *game, log, texts)?.field())?;
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
    let before = rows.of(game)?.set(Field::seat(seat), &json(seated)?)?;
    let before = before.map(|before| later::whole::<Seated>(&before)).transpose();
    let before = before.map_err(StoreError::from)?.map(|before| before.member);
    if before != Some(seated.member) {
        before.map_or(Ok(()), |member| set_place(tx, member, (game, seat), false))?;
        set_place(tx, seated.member, (game, seat), true)?;
    }
    tell_journal(tx, &ClubLine::Seat { game, seat, seated: seated.clone() })
}

fn set_campaign_game(tx: &WriteTx, game: &CampaignGame) -> Result<(), Stop> {
    let key = Key::address(&game.campaign).then(game.round).then(game.table).bytes();
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

/// Puts a letter into the outbox under a key, with the number of its attempts and the time before
/// which it is not tried. Replaces the letter that has the key.
fn put_letter(
    tx: &WriteTx,
    key: u64,
    letter: &Outgoing,
    (attempts, not_before): (u32, Option<DateTime<Utc>>),
) -> Result<(), Stop> {
    put_pieces(tx, Tree::Letters, &json(&letter.owed)?, || Key::long(key))?;
    let entry = OutboxEntry {
        message_id: letter.message_id.clone(),
        recipient: letter.recipient.clone(),
        not_before,
        attempts,
        label: letter.label.clone(),
    };
    tx.put(Tree::Outbox, Key::long(key).bytes(), json(&entry)?).map(drop)
}

/// Replaces a letter that is still in the outbox.
fn settle(tx: &WriteTx, key: u64, letter: &Outgoing) -> Result<(), Stop> {
    match tx.get(Tree::Outbox, Key::long(key).bytes())? {
        Some(_) => put_letter(tx, key, letter, NEW),
        None => Ok(()),
    }
}

fn forget(tx: &WriteTx, key: u64) -> Result<(), Stop> {
    tx.take(Tree::Outbox, Key::long(key).bytes())?;
    put_pieces(tx, Tree::Letters, &[], || Key::long(key))
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
        Some(due) => row.set(Field::DUE, &Key::moment(due).bytes())?,
        None => row.take(Field::DUE)?,
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
