//! Time that nobody is to blame for: outages of the club, mail that cannot be posted, and a
//! machine's clock that was ahead.
//!
//! While nothing can be posted no clock runs out, because nobody would hear of it. After an outage,
//! everyone whose time ended or would end soon gets the time back. Passes that open no store note
//! when they ran in a file beside it. After a clock that was ahead was put right, the time that was
//! given for it is taken back, and everyone is told.

use crate::club::clock::{GameClock, Heartbeat, Outage, span_words};
use crate::disk::{self, Readers};
use crate::process::commit;
use crate::process::context::{ClubError, ClubResult, Context};
use crate::process::delivery::WayOut;
use crate::process::isolate::isolate;
use crate::process::lobby::forming::LAPSE;
use crate::process::outbound::pending;
use crate::process::session::clock::{next_look, own_times};
use crate::process::transaction::{GAMES_A_COMMIT, Transaction, retry};
use crate::rules::{Message, Turn};
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;

/// After an outage no time is over before this, counted from its end.
const RESPITE: TimeDelta = TimeDelta::hours(24);

/// Whether the last pass that had something to post could not.
pub(crate) fn is_closed(context: &Context) -> ClubResult<bool> {
    Ok(Transaction::begin(context).heartbeat()?.is_some_and(|heartbeat| heartbeat.closed.is_some()))
}

/// Notes whether the way out is closed after this pass.
pub(crate) fn note_way_out(context: &Context, way_out: WayOut) -> ClubResult<()> {
    let closed = match way_out {
        WayOut::Open => false,
        WayOut::Closed => true,
        WayOut::Unknown => return Ok(()),
    };
    // Clubs without clocks have no heartbeat before the first outage: reminders wait for that too.
    retry(|| {
        let mut tx = Transaction::begin(context);
        let heartbeat = tx.heartbeat()?.unwrap_or(Heartbeat::first(context.now));
        let Some((next, outage)) = heartbeat.way_out(closed, context.now) else { return Ok(()) };
        tx.write().heartbeat = Some(next);
        if let Some(outage) = outage {
            stand_still(&mut tx, outage, "report-closed")?;
        }
        tx.keep().map(drop)
    })
}

/// Notes this pass. When it comes much too late, everyone whose time was or is soon over gets
/// the time back that passed meanwhile; this comes before any letter is read, so that no bank
/// pays for it.
pub(crate) fn check_heartbeat(context: &Context) -> ClubResult<()> {
    set_right(context)?;
    let beats = retry(|| {
        let mut tx = Transaction::begin(context);
        let beats = tx.has_clocks()? && beat(&mut tx)?;
        tx.keep().map(|_| beats)
    })?;
    if beats { forget_heartbeat(&context.folder) } else { Ok(()) }
}

/// Notes this pass in a transaction; whether there was anything to note.
fn beat(tx: &mut Transaction<'_>) -> ClubResult<bool> {
    match tx.heartbeat()? {
        None => {
            tx.write().heartbeat = Some(Heartbeat::first(tx.context.now));
            let clocks = tx.clocks()?;
            let waits = clocks.iter().flat_map(|(_, clock)| &clock.waits);
            let asked = waits.map(|wait| wait.since).min();
            if let Some(outage) = Heartbeat::before_first(asked, tx.context.now) {
                stand_still(tx, outage, "report-outage")?;
            }
            Ok(true)
        }
        Some(heartbeat) => {
            let (next, outage) = heartbeat_of(&tx.context.folder, heartbeat).beat(tx.context.now);
            tx.write().heartbeat = next;
            if let Some(outage) = outage {
                stand_still(tx, outage, "report-outage")?;
            }
            Ok(next.is_some())
        }
    }
}

/// Gives back the time of an outage in one game; whether its clock has stood still.
fn stand_still_in(
    tx: &mut Transaction<'_>,
    game: u32,
    outage: Outage,
    until: DateTime<Utc>,
) -> ClubResult<bool> {
    let mut around = tx.room(game)?;
    if around.stood_still(outage, until) {
        let clock = tx.clock(game)?;
        due_around(tx, game, &around, clock.as_ref())?;
        tx.put_room(game, around);
    }
    let Some(mut clock) = tx.clock(game)? else { return Ok(false) };
    let stood = clock.stood_still(outage, until);
    if stood {
        let times = own_times(tx, game)?;
        clock.settle(|seat| times.get(seat.index()));
        let around = tx.room(game)?;
        due_around(tx, game, &around, Some(&clock))?;
        tx.write().clocks.push((game, clock));
    }
    Ok(stood)
}

/// Gives back the time of an outage, and tells the moderator by the sentence of this key. Nobody's
/// time is over before his game is due, so no other games are looked at.
pub(crate) fn stand_still(
    tx: &mut Transaction<'_>,
    outage: Outage,
    key: &'static str,
) -> ClubResult<()> {
    let mut games = 0_usize;
    let until = tx.context.now + RESPITE;
    let mut due = tx.due(until)?;
    due.sort_unstable();
    for game in due {
        games += usize::from(stand_still_in(tx, game, outage, until)?);
    }
    if games > 0 {
        let note = Message::new(key)
            .with("since", tx.context.moment(outage.since))
            .with("span", span_words(outage.length))
            .with("count", games);
        let note = pending::to_moderator(tx, vec![note])?;
        tx.write().outgoing.push(note);
    }
    Ok(())
}

/// The file of the heartbeat of passes that opened no store.
pub(crate) const PULSE: &str = "pulse";

/// When passes ran, those included that opened no store.
pub(crate) fn heartbeat_of(folder: &Path, stored: Heartbeat) -> Heartbeat {
    read::<Heartbeat>(&folder.join(PULSE)).filter(|idle| idle.last > stored.last).unwrap_or(stored)
}

/// Forgets what passes without the store have noted, as the store knows better now.
pub(crate) fn forget_heartbeat(folder: &Path) -> ClubResult<()> {
    let path = folder.join(PULSE);
    if path.exists() {
        disk::remove(&path).map_err(|error| ClubError::file(&path, error))?;
    }
    Ok(())
}

pub fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()
}

pub(crate) fn write(folder: &Path, name: &str, what: &impl Serialize) -> ClubResult<()> {
    let (staging, path) = (folder.join(format!("{name}.new")), folder.join(name));
    let text = serde_json::to_vec(what).unwrap_or_default();
    disk::write_whole(&staging, &path, &text, Readers::Owner)
        .map_err(|error| ClubError::file(&path, error))
}

/// The latest time at which the club was looked at, as far as that is known.
///
/// # Errors
/// When the store cannot be read.
pub(crate) fn latest_time(context: &Context) -> ClubResult<Option<DateTime<Utc>>> {
    let tx = Transaction::begin(context);
    let passed = tx.heartbeat()?.map(|heartbeat| heartbeat_of(&context.folder, heartbeat).last);
    Ok(passed.max(tx.morning()?))
}

/// Puts right what was reckoned by a time that lies far ahead of now. Doing it twice does no
/// harm: the heartbeat, from which that is known, is noted after it.
pub(crate) fn set_right(context: &Context) -> ClubResult<()> {
    let Some(ahead) = latest_time(context)?.filter(|at| Heartbeat::is_ahead(*at, context.now))
    else {
        return Ok(());
    };
    let mut games = 0_usize;
    for clocks in Transaction::begin(context).clocks()?.chunks(GAMES_A_COMMIT) {
        games += retry(|| {
            let (mut tx, mut right) = (Transaction::begin(context), 0_usize);
            for (game, _) in clocks {
                right += usize::from(set_clock_right(&mut tx, *game)?);
            }
            commit::conclude(tx).map(|_| right)
        })?;
    }
    set_rooms_right(context)?;
    set_reminders_right(context)?;
    let note = Message::new("report-clock-ahead")
        .with("seen", context.moment(ahead))
        .with("now", context.moment(context.now))
        .with("count", games);
    retry(|| {
        let mut tx = Transaction::begin(context);
        tx.write().morning = tx.morning()?.map(|morning| morning.min(context.now));
        let note = pending::to_moderator(&tx, vec![note.clone()])?;
        tx.write().outgoing.push(note);
        tx.keep().map(drop)
    })
}

/// Puts a game's clock right in a transaction, and tells its players; whether there was
/// anything.
fn set_clock_right(tx: &mut Transaction<'_>, game: u32) -> ClubResult<bool> {
    let (Some(mut clock), times) = (tx.clock(game)?, own_times(tx, game)?) else {
        return Ok(false);
    };
    if !clock.set_right(tx.context.now, |seat| times.get(seat.index())) {
        return Ok(false);
    }
    // Of a broken game the moderator hears elsewhere.
    if isolate(|| tx.session(game).map(|_| ()))?.is_err() {
        tx.write().clocks.push((game, clock));
        return Ok(true);
    }
    if let Some(session) = tx.game_mut(game) {
        session.clock = Some(clock);
        let seats: Vec<_> = session.all_seats().collect();
        let over = session.table.turn() == Turn::Over;
        for seat in seats.into_iter().filter(|_| !over) {
            tx.tell_seat(game, seat, Message::new("clock-set-right"));
        }
    }
    Ok(true)
}

/// Puts right when votes lapse, and games that wait for players.
fn set_rooms_right(context: &Context) -> ClubResult<()> {
    retry(|| {
        let mut tx = Transaction::begin(context);
        for (game, mut around) in tx.rooms()? {
            if around.set_right(context.now, LAPSE) {
                let clock = tx.clock(game)?;
                due_around(&mut tx, game, &around, clock.as_ref())?;
                tx.put_room(game, around);
            }
        }
        tx.keep().map(drop)
    })
}

/// Puts right when players are reminded of games without a clock.
fn set_reminders_right(context: &Context) -> ClubResult<()> {
    let days = TimeDelta::days(context.settings.reminder_days.max(1).into());
    // So many days that no calendar has the day are never too late.
    let Some(latest) = context.now.checked_add_signed(days) else { return Ok(()) };
    retry(|| {
        let mut tx = Transaction::begin(context);
        for game in tx.games()? {
            let due = tx.due_at(game)?.filter(|due| *due > latest);
            if due.is_some() && tx.clock(game)?.is_none() {
                let lapses = tx.room(game)?.lapses();
                tx.set_due((game, lapses.into_iter().chain([latest]).min()));
            }
        }
        tx.keep().map(drop)
    })
}

/// Notes when a game is to be looked at that has votes or waits for players, and a clock or
/// reminders, which stay as they are.
pub(crate) fn due_around(
    tx: &mut Transaction<'_>,
    game: u32,
    around: &crate::club::GameRoom,
    clock: Option<&GameClock>,
) -> ClubResult<()> {
    let formed = around.proposal.as_ref().map(|proposal| proposal.until);
    let seats = tx.players(game)?;
    let timed = clock.and_then(|clock| next_look(clock, &seats));
    let days = TimeDelta::days(tx.context.settings.reminder_days.into());
    let untimed = clock.is_none() && formed.is_none() && !days.is_zero();
    let reminds = untimed.then(|| tx.context.now + days);
    let all = [formed, timed, reminds, around.lapses()];
    tx.set_due((game, all.into_iter().flatten().min()));
    Ok(())
}
