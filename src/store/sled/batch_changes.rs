//! Writing a batch to sled's trees, inside one transaction.
//!
//! These functions only change the transaction, because sled can run them several times.

use super::OutboxEntry;
use super::chunks::{append_lines, put_chunks};
use super::due;
use super::game_row::FieldTag;
use super::member_seats::set_member_seat;
use super::row_group::GameRows;
use super::trees::{Tree, TxError, WriteTx};
use crate::club::clock::GameClock;
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use crate::store::batch::{
    Batch, CampaignGame, LogLine, OutgoingLetter, PostRecord, QueuedLetter, SeenLetter,
};
use crate::store::journal::ClubLine;
use crate::store::keys::{Key, KeyReader};
use crate::store::store_migration::{MigrationBatch, ScheduledLetter};
use crate::store::{Row, StoreError, parse_stored_json, versioned_json};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// The entry of [`Tree::Meta`] that counts the keys of queued letters.
pub(super) const NEXT_LETTER_KEY: &[u8] = b"next letter";
/// The entry of [`Tree::Meta`] that counts the lines that are missing in `club.jsonl`.
const NEXT_CLUB_LINE: &[u8] = b"next club line";

pub(super) const MODERATOR_GENERATION: &[u8] = b"moderator";
/// The entry of [`Tree::Meta`] that is present if `club.jsonl` must be rewritten.
pub(super) const REWRITE_JOURNAL: &[u8] = b"rewrite journal";
/// The entry of [`Tree::Meta`] that is present if the store's file holds erased data and must be
/// compacted.
pub(super) const COMPACTION_DUE: &[u8] = b"renew";
/// The entry of [`Tree::Meta`] with the time of the last compaction, in Unix seconds.
pub(super) const COMPACTED_AT: &[u8] = b"renewed";
pub(super) const HEARTBEAT: &[u8] = b"heartbeat";
pub(super) const LAST_MORNING_DIGEST: &[u8] = b"morning";
pub(super) const RESTORED_AT: &[u8] = b"restored";
/// The entry of [`Tree::Meta`] that is present if any game ever had a clock.
pub(super) const HAS_CLOCKS: &[u8] = b"clocks";

/// The attempts and the earliest time of sending of a letter that is new in the outbox.
const NEW_LETTER_STATE: (u32, Option<DateTime<Utc>>) = (0, None);

pub(super) fn apply_batch(batch: &Batch, tx: &WriteTx) -> Result<(), TxError> {
    let mut rows = GameRows::new(tx);
    let games = &mut batch.log_lines.chunk_by(|line, next| line.game == next.game);
    games.try_for_each(|lines| append_log_lines(tx, &mut rows, lines))?;
    for (game, outline) in &batch.outlines {
        rows.row_mut(*game)?.set(FieldTag::OUTLINE, &to_json(outline)?)?;
    }
    batch.members.iter().try_for_each(|member| set_member(tx, member))?;
    let seats = &mut batch.seats.iter();
    seats.try_for_each(|(game, seat, seated)| set_seat(tx, &mut rows, (*game, *seat), seated))?;
    for (name, disposition) in &batch.seen_files {
        tx.put(Tree::SeenFiles, name.clone().into_bytes(), disposition.as_bytes())?;
    }
    let outgoing = &mut batch.outgoing.iter();
    outgoing.try_for_each(|letter| {
        put_outbox_letter(tx, increment_counter(tx, NEXT_LETTER_KEY)?, letter, NEW_LETTER_STATE)
    })?;
    batch.sent.iter().try_for_each(|key| remove_letter(tx, *key))?;
    let posted = &mut batch.posted.iter();
    posted.try_for_each(|(id, posted)| {
        put_post_record(tx, Key::for_post_record(posted.at, id), posted)
    })?;
    batch.postponed.iter().try_for_each(|(key, until)| postpone_letter(tx, *key, *until))?;
    batch.replaced.iter().try_for_each(|(key, letter)| replace_letter(tx, *key, letter))?;
    batch.due.iter().try_for_each(|(game, due)| set_due_time(tx, &mut rows, *game, *due))?;
    batch.counted_events.iter().try_for_each(|(address, at)| count_event(tx, address, *at))?;
    batch.campaign_games.iter().try_for_each(|game| set_campaign_game(tx, game))?;
    let clocks = &mut batch.clocks.iter();
    clocks.try_for_each(|(game, clock)| set_clock(tx, &mut rows, *game, clock))?;
    let rooms = &mut batch.game_infos.iter();
    rooms.try_for_each(|(game, room)| set_game_info(tx, &mut rows, *game, room))?;
    let entries = &mut batch.activity.iter();
    entries.try_for_each(|(game, minute)| add_activity_entry(tx, &mut rows, *game, minute))?;
    let reworded = &mut batch.reworded_activity.iter();
    reworded.try_for_each(|(game, place, entry)| {
        replace_activity_entry(tx, &mut rows, (*game, *place), entry)
    })?;
    if let Some(generation) = batch.moderator_generation {
        set_meta(tx, MODERATOR_GENERATION, Some(&generation))?;
        queue_journal_line(tx, &ClubLine::Moderator { generation })?;
    }
    for (name, unread) in &batch.unreadable {
        let key = name.clone().into_bytes();
        match unread {
            Some(unread) => tx.put(Tree::Unreadable, key, to_json(unread)?)?,
            None => tx.remove(Tree::Unreadable, key)?,
        };
    }
    // The digests are written after all other journal lines. If the journal is cut off, it then
    // holds no letter without the changes that the letter led to.
    batch
        .seen_letters
        .iter()
        .try_for_each(|(digest, seen)| record_seen_letter(tx, digest, seen))?;
    if batch.rewrite_journal {
        tx.put(Tree::Meta, REWRITE_JOURNAL.to_vec(), &[])?;
    }
    if batch.erases_data {
        tx.put(Tree::Meta, COMPACTION_DUE.to_vec(), &[])?;
    }
    set_meta(tx, HEARTBEAT, batch.heartbeat.as_ref())?;
    set_meta(tx, LAST_MORNING_DIGEST, batch.last_morning_digest.as_ref())?;
    set_meta(tx, RESTORED_AT, batch.restored_at.as_ref())?;
    rows.write_all()
}

/// Writes a migration batch to the trees. The journal is rewritten afterwards, so the lines that
/// this batch queues for it are removed.
pub(super) fn apply_migration(load: &MigrationBatch, tx: &WriteTx) -> Result<(), TxError> {
    let first = peek_counter(tx, NEXT_CLUB_LINE)?;
    apply_batch(&load.batch, tx)?;
    for line in first..peek_counter(tx, NEXT_CLUB_LINE)? {
        tx.remove(Tree::ClubLines, Key::from_u64(line).into_bytes())?;
    }
    tx.put(Tree::Meta, REWRITE_JOURNAL.to_vec(), &[])?;
    for member in &load.members {
        tx.put(Tree::Members, Key::from_u32(member.id).into_bytes(), to_json(member)?)?;
    }
    for (address, member) in &load.addresses {
        tx.put(Tree::Addresses, address.to_vec(), &member.to_be_bytes())?;
    }
    for (account, at, times) in &load.answers {
        let key = Key::default().with_hash(account).with_sortable_seconds(*at).into_bytes();
        tx.put(Tree::Answers, key, &times.to_be_bytes())?;
    }
    for (letter, posted) in &load.posted {
        put_post_record(tx, Key::from_day(posted.at).with_hash(letter), posted)?;
    }
    for ScheduledLetter { queued: QueuedLetter { key, attempts, letter }, not_before } in
        &load.outbox
    {
        put_outbox_letter(tx, *key, letter, (*attempts, *not_before))?;
    }
    if peek_counter(tx, NEXT_LETTER_KEY)? <= load.last_key {
        let next = load.last_key.saturating_add(1);
        tx.put(Tree::Meta, NEXT_LETTER_KEY.to_vec(), &next.to_be_bytes())?;
    }
    Ok(())
}

/// Sets an entry of [`Tree::Meta`], if there is a new value for it.
fn set_meta(tx: &WriteTx, key: &[u8], value: Option<&impl Serialize>) -> Result<(), TxError> {
    let Some(value) = value else { return Ok(()) };
    tx.put(Tree::Meta, key.to_vec(), to_json(value)?).map(drop)
}

fn set_clock(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    clock: &GameClock,
) -> Result<(), TxError> {
    rows.row_mut(game)?.set(FieldTag::CLOCK, &to_json(clock)?)?;
    tx.put(Tree::Meta, HAS_CLOCKS.to_vec(), &[])?;
    queue_journal_line(tx, &ClubLine::Clock { game, clock: Box::new(clock.clone()) })
}

fn set_game_info(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    room: &GameInfo,
) -> Result<(), TxError> {
    rows.row_mut(game)?.set(FieldTag::ROOM, &to_json(room)?)?;
    queue_journal_line(tx, &ClubLine::GameRoom { game, room: room.clone() })
}

fn add_activity_entry(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    entry: &ActivityEntry,
) -> Result<(), TxError> {
    let row = rows.row_mut(game)?;
    let number = row.activity_entry_count()?;
    row.set(FieldTag::ACTIVITY, &Key::from_u32(number.saturating_add(1)).into_bytes())?;
    put_chunks(tx, Tree::Activity, &to_json(entry)?, || Key::from_u32(game).with_u32(number))?;
    queue_journal_line(tx, &ClubLine::ActivityEntry { game, entry: entry.clone() })
}

/// Replaces the entry at this position of a game's activity log. The journal is not changed.
fn replace_activity_entry(
    tx: &WriteTx,
    rows: &mut GameRows,
    (game, place): (u32, usize),
    entry: &ActivityEntry,
) -> Result<(), TxError> {
    let place = u32::try_from(place).map_err(StoreError::damaged)?;
    if place >= rows.row_mut(game)?.activity_entry_count()? {
        return Err(StoreError::damaged("an entry of an activity log is missing").into());
    }
    put_chunks(tx, Tree::Activity, &to_json(entry)?, || Key::from_u32(game).with_u32(place))
}

/// Appends lines to one game's log. The first `seq` must be the length of the log.
fn append_log_lines(tx: &WriteTx, rows: &mut GameRows, lines: &[LogLine]) -> Result<(), TxError> {
    let Some(LogLine { game, .. }) = lines.first() else { return Ok(()) };
    let row = rows.row_mut(*game)?;
    let log = row.log_extent()?;
    let next = log.lines..=u32::MAX;
    if !lines.iter().map(|line| line.seq).eq(next.take(lines.len())) {
        return Err(StoreError::Conflict(Row::Game(*game)).into());
    }
    let texts = lines.iter().map(|line| line.line.as_bytes());
    row.set(FieldTag::LOG, &append_lines(tx, *game, log, texts)?.to_bytes())?;
    tx.put(Tree::Unjournaled, Key::from_u32(*game).into_bytes(), &[])?;
    Ok(())
}

fn set_member(tx: &WriteTx, member: &Member) -> Result<(), TxError> {
    let number = member.id.to_be_bytes();
    let before = tx.put(Tree::Members, Key::from_u32(member.id).into_bytes(), to_json(member)?)?;
    if let Some(before) = before {
        let before: Member = versioned_json::parse_strict(&before).map_err(StoreError::from)?;
        for address in before.addresses.iter().filter(|old| !member.addresses.contains(old)) {
            let owner = tx.get(Tree::Addresses, Key::from_text(address).into_bytes())?;
            if owner.is_some_and(|owner| owner == number) {
                tx.remove(Tree::Addresses, Key::from_text(address).into_bytes())?;
            }
        }
    }
    for address in &member.addresses {
        tx.put(Tree::Addresses, Key::from_text(address).into_bytes(), &number)?;
    }
    queue_journal_line(tx, &ClubLine::Member(member.clone()))
}

fn set_seat(
    tx: &WriteTx,
    rows: &mut GameRows,
    (game, seat): (u32, Seat),
    seated: &SeatAssignment,
) -> Result<(), TxError> {
    let before = rows.row_mut(game)?.set(FieldTag::seat_tag(seat), &to_json(seated)?)?;
    let before =
        before.map(|before| versioned_json::parse_strict::<SeatAssignment>(&before)).transpose();
    let before = before.map_err(StoreError::from)?.map(|before| before.member);
    if before != Some(seated.member) {
        before.map_or(Ok(()), |member| set_member_seat(tx, member, (game, seat), false))?;
        set_member_seat(tx, seated.member, (game, seat), true)?;
    }
    queue_journal_line(tx, &ClubLine::Seat { game, seat, assignment: seated.clone() })
}

fn set_campaign_game(tx: &WriteTx, game: &CampaignGame) -> Result<(), TxError> {
    let key = Key::from_text(&game.campaign).with_u32(game.round).with_u32(game.table).into_bytes();
    tx.put(Tree::CampaignGames, key, to_json(game)?)?;
    queue_journal_line(tx, &ClubLine::CampaignGame(game.clone()))
}

fn queue_journal_line(tx: &WriteTx, line: &ClubLine) -> Result<(), TxError> {
    let number = increment_counter(tx, NEXT_CLUB_LINE)?;
    tx.put(Tree::ClubLines, Key::from_u64(number).into_bytes(), to_json(line)?)?;
    Ok(())
}

fn record_seen_letter(tx: &WriteTx, digest: &[u8; 16], seen: &SeenLetter) -> Result<(), TxError> {
    tx.put(Tree::SeenLetters, digest.to_vec(), to_json(seen)?)?;
    queue_journal_line(tx, &ClubLine::from_seen_letter(digest, seen))
}

/// Puts a letter into the outbox under a key, with its attempts and its earliest time. Replaces the
/// letter with this key.
fn put_outbox_letter(
    tx: &WriteTx,
    key: u64,
    letter: &OutgoingLetter,
    (attempts, not_before): (u32, Option<DateTime<Utc>>),
) -> Result<(), TxError> {
    put_chunks(tx, Tree::Letters, &to_json(&letter.payload)?, || Key::from_u64(key))?;
    let entry = OutboxEntry {
        message_id: letter.message_id.clone(),
        recipient: letter.recipient.clone(),
        not_before,
        attempts,
        label: letter.label.clone(),
    };
    tx.put(Tree::Outbox, Key::from_u64(key).into_bytes(), to_json(&entry)?).map(drop)
}

/// Replaces a letter that is still in the outbox, and resets its attempts.
fn replace_letter(tx: &WriteTx, key: u64, letter: &OutgoingLetter) -> Result<(), TxError> {
    match tx.get(Tree::Outbox, Key::from_u64(key).into_bytes())? {
        Some(_) => put_outbox_letter(tx, key, letter, NEW_LETTER_STATE),
        None => Ok(()),
    }
}

fn remove_letter(tx: &WriteTx, key: u64) -> Result<(), TxError> {
    tx.remove(Tree::Outbox, Key::from_u64(key).into_bytes())?;
    put_chunks(tx, Tree::Letters, &[], || Key::from_u64(key))
}

fn put_post_record(tx: &WriteTx, key: Key, posted: &PostRecord) -> Result<(), TxError> {
    let PostRecord { at, letter } = posted;
    let mut value = Key::default().with_sortable_seconds(at.timestamp()).into_bytes();
    value.extend(to_json(letter)?);
    tx.put(Tree::PostRecords, key.into_bytes(), value)?;
    Ok(())
}

fn postpone_letter(tx: &WriteTx, key: u64, until: DateTime<Utc>) -> Result<(), TxError> {
    let key = Key::from_u64(key).into_bytes();
    let Some(entry) = tx.get(Tree::Outbox, &key)? else { return Ok(()) };
    let entry: OutboxEntry = parse_stored_json(&entry)?;
    let attempts = entry.attempts.saturating_add(1);
    tx.put(
        Tree::Outbox,
        key,
        to_json(&OutboxEntry { not_before: Some(until), attempts, ..entry })?,
    )?;
    Ok(())
}

fn set_due_time(
    tx: &WriteTx,
    rows: &mut GameRows,
    game: u32,
    due: Option<DateTime<Utc>>,
) -> Result<(), TxError> {
    let row = rows.row_mut(game)?;
    let before = match due {
        Some(due) => row.set(FieldTag::DUE, &Key::from_time(due).into_bytes())?,
        None => row.remove(FieldTag::DUE)?,
    };
    let before = before.map(|before| KeyReader(&before).read_time()).transpose()?;
    due::update_due_index(tx, game, before, due)
}

fn count_event(tx: &WriteTx, address: &str, at: i64) -> Result<(), TxError> {
    let key = Key::from_text(address).with_sortable_seconds(at).into_bytes();
    let before = match tx.get(Tree::Answers, &key)? {
        Some(count) => KeyReader(&count).read_u32()?,
        None => 0,
    };
    tx.put(Tree::Answers, key, &before.saturating_add(1).to_be_bytes())?;
    Ok(())
}

/// Returns the next number of a counter in [`Tree::Meta`], and increments the counter.
fn increment_counter(tx: &WriteTx, counter: &[u8]) -> Result<u64, TxError> {
    let next = peek_counter(tx, counter)?;
    tx.put(Tree::Meta, counter.to_vec(), &next.saturating_add(1).to_be_bytes())?;
    Ok(next)
}

/// Returns the next number of a counter in [`Tree::Meta`] without incrementing it. The first is 1.
fn peek_counter(tx: &WriteTx, counter: &[u8]) -> Result<u64, TxError> {
    let next = tx.get(Tree::Meta, counter)?;
    Ok(next.map_or(Ok(1), |next| KeyReader(&next).read_u64())?)
}

fn to_json(value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    serde_json::to_vec(value).map_err(|error| StoreError::Damaged(error.to_string()))
}
