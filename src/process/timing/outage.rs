//! A way out that is closed: who cannot be told that it is his turn is not absent.
//!
//! While nothing can be posted no clock does anything, since nobody would hear of it. Once the
//! letters have gone, everyone whose time was or is soon over gets the time back.

use crate::club::clock::{Heartbeat, Outage, span_words};
use crate::process::context::{ClubResult, Context};
use crate::process::delivery::WayOut;
use crate::process::outbound::pending;
use crate::process::session::clock::own_times;
use crate::process::timing::heartbeat::{forget_heartbeat, heartbeat_of};
use crate::process::timing::wrong_time;
use crate::process::transaction::{GAMES_A_COMMIT, Transaction, retry};
use crate::rules::Message;
use crate::store::Repository;
use chrono::{DateTime, TimeDelta, Utc};

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
    wrong_time::set_right(context)?;
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
        wrong_time::due_around(tx, game, &around, clock.as_ref())?;
        tx.put_room(game, around);
    }
    let Some(mut clock) = tx.clock(game)? else { return Ok(false) };
    let stood = clock.stood_still(outage, until);
    if stood {
        let times = own_times(tx, game)?;
        clock.settle(|seat| times.get(seat.index()));
        let around = tx.room(game)?;
        wrong_time::due_around(tx, game, &around, Some(&clock))?;
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
    for due in due.chunks(GAMES_A_COMMIT) {
        tx.foresee_games(due.iter().copied())?;
        for game in due {
            games += usize::from(stand_still_in(tx, *game, outage, until)?);
        }
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
