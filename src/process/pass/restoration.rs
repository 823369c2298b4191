//! Rebuilds a club's store from its journal.
//!
//! Letters to players that were lost are written again by `lost_letters`.

use crate::club::Member;
use crate::club::clock::{Heartbeat, OwnTime};
use crate::mail::{LetterHash, Maildir};
use crate::process::context::{ClubError, Context};
use crate::process::game_faults::catch_game_fault;
use crate::process::lobby::erasure;
use crate::process::pass::lost_letters::{self, SeatsToRewrite, find_seats_to_rewrite};
use crate::process::timing::outage::latest_heartbeat;
use crate::process::transaction::{Transaction, update_journal};
use crate::rules::{Seat, Turn};
use crate::store::journal::{self, PresentState, WaitingLetter};
use crate::store::{Batch, LogLine, SeenLetter};
use crate::table::{Cause, InitialGameCache, Table};
use chrono::TimeDelta;
use std::path::Path;

/// The numbers of restored games, records, members and queued letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestoreReport {
    pub games: usize,
    pub(crate) records: usize,
    pub members: usize,
    /// The letters in the outbox after the restore.
    pub letters: usize,
}

/// After a restore, no player's deadline comes earlier than this.
const TIME_AFTER_RESTORE_MIN: TimeDelta = TimeDelta::hours(24);
/// The time after a game's end in which a restore still writes the game's last letters again, if
/// the journal does not say which letters were sent.
const RECENTLY_ENDED: TimeDelta = TimeDelta::days(7);
const GAMES_PER_COMMIT: usize = 1_000;
/// The number of members, seats or other rows in one commit. A commit is held in memory, and a
/// large club has hundreds of thousands of rows.
const ROWS_PER_COMMIT: usize = 5_000;

/// Fills an empty store from a journal, and creates missing mail folders.
///
/// The restored store knows which letters were read. Letters that waited in the outbox wait there
/// again, or are written again. The next pass reminds the other players whose turn it is. It also
/// gives back the time since the last pass, as after an outage.
///
/// The club's own journal is written again from the restored store, so `journal` must be complete.
///
/// # Errors
/// When the journal is damaged, or the store or the folders cannot be written.
pub fn restore(context: &Context, journal: &Path) -> Result<RestoreReport, ClubError> {
    let found = journal::read_journal(journal)?;
    let present = journal::read_present_file(journal);
    create_maildirs(context)?;
    // No other process can open the store from here on, so no commit below can conflict.
    context.store.begin_rebuild()?;
    let mut restored = RestoreReport {
        games: found.games.len(),
        records: found.games.values().map(|lines| lines.saturating_sub(1) as usize).sum(),
        members: found.members.len(),
        letters: 0,
    };
    let lately = restore_games(context, (journal, &found), present.as_ref())?;
    restore_club_rows(context, found, present.as_ref())?;
    let unserved = match &present {
        Some(present) => find_seats_to_rewrite(present),
        None => lately.into_iter().map(|game| (game, SeatsToRewrite::for_all_seats())).collect(),
    };
    lost_letters::rewrite_lost_letters(context, &unserved, present.as_ref())?;
    restored.letters = Transaction::begin(context).outbox().outbox_length()?;
    update_journal(context)?;
    context.store.finish_rebuild()?;
    Ok(restored)
}

/// Creates the missing mail folders, because a backup may not contain them.
fn create_maildirs(context: &Context) -> Result<(), ClubError> {
    let out = context.settings.mail_out.maildir.iter();
    let out = out.map(|maildir| Maildir::new(context.folder.join(maildir)));
    for maildir in out.chain([context.inbox_maildir()]) {
        maildir.create_folders().map_err(|error| ClubError::for_path(maildir.root(), error))?;
    }
    Ok(())
}

/// Writes the games' logs and clocks to the store. Returns the games that are running or ended less
/// than [`RECENTLY_ENDED`] ago.
fn restore_games(
    context: &Context,
    (journal, found): (&Path, &journal::RestoredClub),
    present: Option<&PresentState>,
) -> Result<Vec<u32>, ClubError> {
    // If the time since the last pass counts as an outage, the next pass gives that time back. Then
    // this function must not grant time too.
    let heartbeat = present.and_then(|present| present.heartbeat);
    let outage = heartbeat.and_then(|heartbeat| {
        latest_heartbeat(&context.folder, heartbeat).record_pass(context.now).1
    });
    let openings = InitialGameCache::new(context.games());
    let mut lately = Vec::new();
    let games: Vec<&u32> = found.games.keys().collect();
    for games in games.chunks(GAMES_PER_COMMIT) {
        let mut tx = Transaction::begin(context);
        let batch = tx.batch_mut();
        for game in games.iter().copied() {
            let lines = journal::read_journaled_log(journal, *game)?;
            // The next pass reports a game whose log cannot be read to the moderator.
            let fold = || Ok(Table::from_log(&openings, lines.iter().map(String::as_str)));
            let table = catch_game_fault(fold)?.ok().and_then(Result::ok);
            batch.seen_letters.extend(table.iter().flat_map(seen_letters_from_log));
            batch.outlines.extend(table.iter().map(|table| (*game, table.outline())));
            batch.clocks.extend(found.clocks.get(game).map(|clock| {
                let mut clock = clock.clone();
                let own = |seat| own_time_of_seat(found, *game, seat);
                if heartbeat.is_none() {
                    clock.correct_times_set_ahead(context.now, own);
                }
                if outage.is_none() {
                    clock.ensure_time_left(TIME_AFTER_RESTORE_MIN, context.now, own);
                }
                (*game, clock)
            }));
            let is_over = table.as_ref().is_some_and(|table| table.turn() == Turn::Over);
            let last = table.as_ref().and_then(|table| table.records().last());
            let is_recent = last.is_some_and(|last| context.now < last.at + RECENTLY_ENDED);
            lately.extend((!is_over || is_recent).then_some(*game));
            batch.due.push((*game, Some(context.now).filter(|_| !is_over)));
            let line = |(seq, line)| LogLine { game: *game, seq, line };
            batch.log_lines.extend((0..).zip(lines).map(line));
        }
        tx.commit()?;
    }
    Ok(lately)
}

/// Returns the zone and vacations of the player of a seat.
fn own_time_of_seat(found: &journal::RestoredClub, game: u32, seat: Seat) -> Option<&OwnTime> {
    let seated = found.seats.get(&(game, seat))?;
    found.members.get(&seated.member).map(|member| &member.time)
}

/// Writes all rows that are not in the games' logs: members, seats, lobby data of games, activity
/// logs, seen letters and the outbox.
fn restore_club_rows(
    context: &Context,
    found: journal::RestoredClub,
    present: Option<&PresentState>,
) -> Result<(), ClubError> {
    // A journal copied while in use can name records that are missing from its game logs. No player
    // was told of such a record, and its letter must be carried out again. So these references are
    // dropped.
    let head = |game: &u32| found.games.get(game).map_or(0, |lines| lines.saturating_sub(1));
    let (mut seats, mut seen_letters) = (found.seats, found.seen_letters);
    for ((game, _), seated) in &mut seats {
        seated.last_seen_seq = seated.last_seen_seq.min(head(game));
    }
    seen_letters.retain(|_, seen| match (seen.game, seen.seq) {
        (Some(game), Some(seq)) => seq <= head(&game),
        _ => true,
    });
    let due = found
        .rooms
        .iter()
        .filter_map(|(game, room)| Some((*game, Some(room.proposal.as_ref()?.until))))
        .collect();
    let write = |batch: Batch| {
        let mut tx = Transaction::begin(context);
        // `rewrite_journal` keeps these rows from being appended to the journal that they came
        // from. The caller writes the journal whole at the end.
        *tx.batch_mut() = Batch { rewrite_journal: true, ..batch };
        tx.commit().map(drop)
    };
    // The next pass erases the remaining data of members who have left.
    let leaving = found.members.values().filter(|member| member.departed.is_some());
    let begun = |_: &Member| (erasure::LEFT_COUNTER.to_owned(), context.now.timestamp());
    let answers = leaving.map(begun).collect();
    let members = found.members.into_values();
    write_in_batches(members, |members| write(Batch { members, ..Batch::default() }))?;
    let seats = seats.into_iter().map(|((game, seat), seated)| (game, seat, seated));
    write_in_batches(seats, |seats| write(Batch { seats, ..Batch::default() }))?;
    write_in_batches(found.rooms, |rooms| write(Batch { game_infos: rooms, ..Batch::default() }))?;
    write_in_batches(found.activity, |minutes| {
        write(Batch { activity: minutes, ..Batch::default() })
    })?;
    write_in_batches(seen_letters, |seen_letters| {
        write(Batch { seen_letters, ..Batch::default() })
    })?;
    // An older journal has no heartbeat. This starts one now, so that the time before the restore
    // does not count as an outage.
    let heartbeat = present.and_then(|present| present.heartbeat);
    write(Batch {
        due,
        moderator_generation: found.moderator,
        campaign_games: found.campaign_games.into_iter().collect(),
        outgoing: present
            .map(|present| present.letters.iter().filter_map(WaitingLetter::to_outgoing).collect())
            .unwrap_or_default(),
        heartbeat: heartbeat.or(Some(Heartbeat::from_first_pass(context.now))),
        last_morning_digest: present.and_then(|present| present.last_morning_digest),
        restored_at: Some(context.now),
        counted_events: answers,
        ..Batch::default()
    })
}

/// Passes all items to `write` in their order, in batches of at most [`ROWS_PER_COMMIT`].
fn write_in_batches<T>(
    all: impl IntoIterator<Item = T>,
    mut write: impl FnMut(Vec<T>) -> Result<(), ClubError>,
) -> Result<(), ClubError> {
    let mut all = all.into_iter();
    loop {
        let portion: Vec<T> = all.by_ref().take(ROWS_PER_COMMIT).collect();
        if portion.is_empty() {
            return Ok(());
        }
        write(portion)?;
    }
}

/// Returns the letters whose orders are in a game's log, with their records. `club.jsonl` may not
/// contain them if its end was cut off.
fn seen_letters_from_log(table: &Table) -> impl Iterator<Item = ([u8; 16], SeenLetter)> + '_ {
    table.records().iter().filter_map(|record| {
        let (Cause::Orders { letter: Some(letter), .. }
        | Cause::Undone { letter: Some(letter), .. }) = &record.cause
        else {
            return None;
        };
        let digest = LetterHash::parse(&letter.digest)?;
        let game = Some(table.founding().number);
        let seen = SeenLetter { game, seq: Some(record.seq), ..SeenLetter::mark(record.at) };
        Some((*digest.as_bytes(), seen))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_keep_all_items_in_order() {
        for many in [0, 1, ROWS_PER_COMMIT, 2 * ROWS_PER_COMMIT + 1] {
            let mut portions = Vec::new();
            let take = |portion: Vec<usize>| {
                portions.push(portion);
                Ok(())
            };
            write_in_batches(0..many, take).unwrap();
            assert!(portions.iter().all(|portion| (1..=ROWS_PER_COMMIT).contains(&portion.len())));
            assert!(portions.concat().into_iter().eq(0..many), "{many}");
        }
    }
}
