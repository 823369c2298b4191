//! Time that players must not lose through a fault of the club: outages, an outbound transport that
//! is closed, and a machine clock that was ahead.
//!
//! While no letter can be sent, no deadline expires, because no player would learn of it. After an
//! outage, every player whose deadline fell into it or comes within a day gets the time back.
//!
//! A pass that does not open the store writes the time when it ran to a file beside it. So does
//! every pass of a club without clocks. After a wrong machine clock is corrected, time that was
//! granted because of it is taken back, and all players are told.

use crate::club::clock::{GameClock, Heartbeat, Outage, describe_duration};
use crate::disk::{self, FileMode};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::delivery::TransportState;
use crate::process::game_faults::catch_game_fault;
use crate::process::lobby::proposals::PROPOSAL_LIFETIME;
use crate::process::outbound::pending;
use crate::process::session::clockless_reminders::clockless_reminder_interval;
use crate::process::session::game_time::{load_player_times, next_clock_due_time};
use crate::process::transaction::{GAMES_PER_COMMIT, Transaction, retry_on_conflict};
use crate::rules::{Message, Turn};
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// After an outage, no deadline comes earlier than this, counted from the outage's end.
const TIME_AFTER_OUTAGE_MIN: TimeDelta = TimeDelta::hours(24);

/// Whether the outbound transport failed in the last pass that had something to send.
pub(crate) fn was_outbound_failing(context: &Context) -> ClubResult<bool> {
    Ok(Transaction::begin(context)
        .heartbeat()?
        .is_some_and(|heartbeat| heartbeat.outbound_closed_since.is_some()))
}

/// Stores whether the outbound transport worked in this pass. If it works again after more than six
/// hours, extends the players' deadlines by that time.
pub(crate) fn record_outbound_and_extend_deadlines(
    context: &Context,
    transport_state: TransportState,
) -> ClubResult<()> {
    let closed = match transport_state {
        TransportState::Open => false,
        TransportState::Closed => true,
        TransportState::Unknown => return Ok(()),
    };
    // A club without clocks has no heartbeat before its first outage. One is created now, because
    // reminders wait for the transport too.
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let heartbeat = tx.heartbeat()?.unwrap_or(Heartbeat::from_first_pass(context.now));
        let Some((next, outage)) = heartbeat.record_outbound_state(closed, context.now) else {
            return Ok(());
        };
        tx.batch_mut().heartbeat = Some(next);
        if let Some(outage) = outage {
            extend_games_for_outage(&mut tx, outage, "report-closed")?;
        }
        tx.commit_and_journal().map(drop)
    })
}

/// Stores that a pass ran now. If it ran much later than usual, that counts as an outage, and the
/// deadlines of all running games are extended by its length.
///
/// This runs before letters are read, so that no player's time bank pays for the outage.
pub(crate) fn record_pass_and_refund_outage(context: &Context) -> ClubResult<()> {
    correct_times_set_ahead(context)?;
    let (has_clocks, beats) = retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        let has_clocks = tx.has_ever_had_clock()?;
        let beats = has_clocks && record_heartbeat(&mut tx)?;
        tx.commit_and_journal().map(|_| (has_clocks, beats))
    })?;
    match (has_clocks, beats) {
        (false, _) => {
            let stored = Transaction::begin(context).heartbeat()?;
            record_pass_in_file(&context.folder, stored, context.now)
        }
        (true, true) => remove_heartbeat_file(&context.folder),
        (true, false) => Ok(()),
    }
}

/// Records this pass in the heartbeat file of a club without clocks. Its passes are not recorded in
/// the store, because an outage costs its players no time.
pub(crate) fn record_pass_in_file(
    folder: &Path,
    stored: Option<Heartbeat>,
    now: DateTime<Utc>,
) -> ClubResult<()> {
    let noted = read_json::<Heartbeat>(&folder.join(HEARTBEAT_FILE));
    if noted.is_some_and(|noted| noted.record_pass(now).0.is_none()) {
        return Ok(());
    }
    let first = Heartbeat::from_first_pass(now);
    let next = stored.map_or(first, |stored| Heartbeat { last_pass: now, ..stored });
    write_json(folder, HEARTBEAT_FILE, &next)
}

/// Returns the time of the last pass, also of a pass that is recorded only in the heartbeat file.
/// `None` before the first pass.
pub(crate) fn last_recorded_pass_time(context: &Context) -> ClubResult<Option<DateTime<Utc>>> {
    let noted = read_json::<Heartbeat>(&context.folder.join(HEARTBEAT_FILE));
    Ok(last_pass_or_digest_time(context)?.max(noted.map(|noted| noted.last_pass)))
}

/// Records this pass in the heartbeat, in a transaction. If an outage came before it, extends the
/// deadlines by its length. Returns whether the heartbeat changed.
fn record_heartbeat(tx: &mut Transaction<'_>) -> ClubResult<bool> {
    match tx.heartbeat()? {
        None => {
            tx.batch_mut().heartbeat = Some(Heartbeat::from_first_pass(tx.context.now));
            let clocks = tx.clocks()?;
            let waits = clocks.iter().flat_map(|(_, clock)| &clock.waits);
            let asked = waits.map(|wait| wait.since).min();
            if let Some(outage) = Heartbeat::outage_before_first_pass(asked, tx.context.now) {
                extend_games_for_outage(tx, outage, "report-outage")?;
            }
            Ok(true)
        }
        Some(heartbeat) => {
            let (next, outage) =
                latest_heartbeat(&tx.context.folder, heartbeat).record_pass(tx.context.now);
            tx.batch_mut().heartbeat = next;
            if let Some(outage) = outage {
                extend_games_for_outage(tx, outage, "report-outage")?;
            }
            Ok(next.is_some())
        }
    }
}

/// Extends the deadlines, votes, offers and proposal of one game by the length of an outage.
/// Returns whether a player's deadline has moved.
fn extend_game_for_outage(
    tx: &mut Transaction<'_>,
    game: u32,
    outage: Outage,
    until: DateTime<Utc>,
) -> ClubResult<bool> {
    let mut around = tx.game_info(game)?;
    if around.extend_expiry_for_outage(outage, until) {
        let clock = tx.clock(game)?;
        update_due_time(tx, game, &around, clock.as_ref())?;
        tx.replace_game_info(game, around);
    }
    let Some(mut clock) = tx.clock(game)? else { return Ok(false) };
    let stood = clock.extend_deadlines_for_outage(outage, until);
    if stood {
        let times = load_player_times(tx, game)?;
        clock.move_extended_to_allowed_times(|seat| times.get(seat.index()));
        let around = tx.game_info(game)?;
        update_due_time(tx, game, &around, Some(&clock))?;
        tx.batch_mut().clocks.push((game, clock));
    }
    Ok(stood)
}

/// Extends the deadlines of all games by the length of an outage, and tells the moderator with the
/// message of this key. Reads only games that are due within a day, because no other game has a
/// deadline to move.
pub(crate) fn extend_games_for_outage(
    tx: &mut Transaction<'_>,
    outage: Outage,
    key: &'static str,
) -> ClubResult<()> {
    let mut games = 0_usize;
    let until = tx.context.now + TIME_AFTER_OUTAGE_MIN;
    let mut due = tx.due_games(until)?;
    due.sort_unstable();
    for game in due {
        games += usize::from(extend_game_for_outage(tx, game, outage, until)?);
    }
    if games > 0 {
        let note = Message::new(key)
            .with("since", tx.context.moment_for_moderator(outage.since))
            .with("span", describe_duration(outage.length))
            .with("count", games);
        let notes = pending::make_moderator_notes(tx, &[note])?;
        tx.batch_mut().outgoing.extend(notes);
    }
    Ok(())
}

/// The file with the heartbeat of passes that the store does not record, in the club's folder:
/// passes that did not open it, and all passes of a club without clocks.
pub(crate) const HEARTBEAT_FILE: &str = "pulse";

/// Returns the heartbeat with the latest pass: either the stored one, or the one in the heartbeat
/// file.
pub(crate) fn latest_heartbeat(folder: &Path, stored: Heartbeat) -> Heartbeat {
    read_json::<Heartbeat>(&folder.join(HEARTBEAT_FILE))
        .filter(|idle| idle.last_pass > stored.last_pass)
        .unwrap_or(stored)
}

/// Removes the heartbeat file, because the stored heartbeat is newer now.
pub(crate) fn remove_heartbeat_file(folder: &Path) -> ClubResult<()> {
    let path = folder.join(HEARTBEAT_FILE);
    if path.exists() {
        disk::remove_file_if_exists(&path).map_err(|error| ClubError::for_path(&path, error))?;
    }
    Ok(())
}

pub fn read_json<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

pub(crate) fn write_json(folder: &Path, name: &str, what: &impl Serialize) -> ClubResult<()> {
    let (staging, path) = (folder.join(format!("{name}.new")), folder.join(name));
    let text = serde_json::to_vec(what).unwrap_or_default();
    disk::write_atomically(&staging, &path, &text, FileMode::OwnerOnly)
        .map_err(|error| ClubError::for_path(&path, error))
}

/// Returns the latest time at which a pass or the moderator's digest ran, or `None` if neither is
/// known.
pub(crate) fn last_pass_or_digest_time(context: &Context) -> ClubResult<Option<DateTime<Utc>>> {
    let tx = Transaction::begin(context);
    let passed =
        tx.heartbeat()?.map(|heartbeat| latest_heartbeat(&context.folder, heartbeat).last_pass);
    Ok(passed.max(tx.last_morning_digest()?))
}

/// Corrects all times that were computed while the machine's clock was more than six hours ahead.
///
/// The heartbeat shows that the clock was ahead, and is corrected only afterwards. So if this is
/// killed halfway, the next pass runs it again.
pub(crate) fn correct_times_set_ahead(context: &Context) -> ClubResult<()> {
    let Some(ahead) = last_pass_or_digest_time(context)?
        .filter(|at| Heartbeat::is_too_far_ahead(*at, context.now))
    else {
        return Ok(());
    };
    let mut games = 0_usize;
    for clocks in Transaction::begin(context).clocks()?.chunks(GAMES_PER_COMMIT) {
        games += retry_on_conflict(|| {
            let (mut tx, mut right) = (Transaction::begin(context), 0_usize);
            for (game, _) in clocks {
                right += usize::from(correct_game_clock(&mut tx, *game)?);
            }
            commit::notify_and_commit(tx).map(|_| right)
        })?;
    }
    shorten_expiry_times(context)?;
    bring_reminders_forward(context)?;
    let note = Message::new("report-clock-ahead")
        .with("seen", context.moment_for_moderator(ahead))
        .with("now", context.moment_for_moderator(context.now))
        .with("count", games);
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        tx.batch_mut().last_morning_digest =
            tx.last_morning_digest()?.map(|morning| morning.min(context.now));
        let notes = pending::make_moderator_notes(&tx, std::slice::from_ref(&note))?;
        tx.batch_mut().outgoing.extend(notes);
        tx.commit_and_journal().map(drop)
    })
}

/// Corrects a game's clock in a transaction, and tells its players. Returns whether the clock
/// changed.
fn correct_game_clock(tx: &mut Transaction<'_>, game: u32) -> ClubResult<bool> {
    let (Some(mut clock), times) = (tx.clock(game)?, load_player_times(tx, game)?) else {
        return Ok(false);
    };
    if !clock.correct_times_set_ahead(tx.context.now, |seat| times.get(seat.index())) {
        return Ok(false);
    }
    // The moderator is told of a broken game elsewhere. Its players get no letter here.
    if catch_game_fault(|| tx.open_game(game).map(|_| ()))?.is_err() {
        tx.batch_mut().clocks.push((game, clock));
        return Ok(true);
    }
    if let Some(session) = tx.opened_game_mut(game) {
        session.clock = Some(clock);
        let seats: Vec<_> = session.all_seats().collect();
        let over = session.table.turn() == Turn::Over;
        for seat in seats.into_iter().filter(|_| !over) {
            tx.add_urgent_seat_note(game, seat, Message::new("clock-set-right"));
        }
    }
    Ok(true)
}

/// Shortens the expiry of votes, offers of seats and proposed games that was set while the
/// machine's clock was ahead.
fn shorten_expiry_times(context: &Context) -> ClubResult<()> {
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        for (game, mut around) in tx.game_infos()? {
            if around.correct_expiry_set_ahead(context.now, PROPOSAL_LIFETIME) {
                let clock = tx.clock(game)?;
                update_due_time(&mut tx, game, &around, clock.as_ref())?;
                tx.replace_game_info(game, around);
            }
        }
        tx.commit_and_journal().map(drop)
    })
}

/// Brings forward the reminders of games without a clock that were set while the machine's clock
/// was ahead.
fn bring_reminders_forward(context: &Context) -> ClubResult<()> {
    let days = TimeDelta::days(context.settings.reminder_days.max(1).into());
    // An interval that leads past the end of the calendar cannot have set a reminder.
    let Some(latest) = context.now.checked_add_signed(days) else { return Ok(()) };
    retry_on_conflict(|| {
        let mut tx = Transaction::begin(context);
        for game in tx.game_numbers()? {
            let due = tx.due_time(game)?.filter(|due| *due > latest);
            if due.is_some() && tx.clock(game)?.is_none() {
                let lapses = tx.game_info(game)?.next_vote_or_offer_expiry();
                tx.set_due_time((game, lapses.into_iter().chain([latest]).min()));
            }
        }
        tx.commit_and_journal().map(drop)
    })
}

/// Sets when a game is due next: at its clock's next event, its reminder, or the expiry of its
/// proposal, votes or offers of seats, whichever is first.
pub(crate) fn update_due_time(
    tx: &mut Transaction<'_>,
    game: u32,
    around: &crate::club::GameInfo,
    clock: Option<&GameClock>,
) -> ClubResult<()> {
    let formed = around.proposal.as_ref().map(|proposal| proposal.until);
    let seats = tx.seats_with_members(game)?;
    let timed = clock.and_then(|clock| next_clock_due_time(clock, &seats));
    let intervals =
        seats.iter().filter_map(|(_, member)| clockless_reminder_interval(tx.context, member));
    let untimed = clock.is_none() && formed.is_none();
    let reminds = intervals.min().filter(|_| untimed).map(|interval| tx.context.now + interval);
    let all = [formed, timed, reminds, around.next_vote_or_offer_expiry()];
    tx.set_due_time((game, all.into_iter().flatten().min()));
    Ok(())
}
