//! A way out that is closed: who cannot be told that it is his turn is not absent.
//!
//! While nothing can be posted no clock does anything, since nobody would hear of it. Once the
//! letters have gone, everyone whose time was or is soon over gets the time back.

use crate::club::clock::{Outage, Pulse, span_words};
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::delivery::WayOut;
use crate::process::outbound::tell;
use crate::process::session::clock::own_times;
use crate::process::timing::pulse::{forget_pulse, pulse_of};
use crate::process::timing::wrong_time;
use crate::process::transaction::{Transaction, retry};
use crate::rules::Message;
use crate::store::Repository;
use chrono::TimeDelta;

/// After an outage no time is over before this, counted from its end.
const RESPITE: TimeDelta = TimeDelta::hours(24);

/// Whether the last pass that had something to post could not.
pub(crate) fn is_closed(office: &Office) -> Result<bool, OfficeError> {
    Ok(Transaction::begin(office).pulse()?.is_some_and(|pulse| pulse.closed.is_some()))
}

/// Notes whether the way out is closed after this pass.
pub(crate) fn note_way_out(office: &Office, way_out: WayOut) -> Result<(), OfficeError> {
    let closed = match way_out {
        WayOut::Open => false,
        WayOut::Closed => true,
        WayOut::Unknown => return Ok(()),
    };
    // Clubs without clocks have no pulse before the first outage: reminders wait for that too.
    retry(|| {
        let mut tx = Transaction::begin(office);
        let pulse = tx.pulse()?.unwrap_or(Pulse::first(office.now));
        let Some((next, outage)) = pulse.way_out(closed, office.now) else { return Ok(()) };
        tx.write().pulse = Some(next);
        if let Some(outage) = outage {
            stand_still(&mut tx, outage, "report-closed")?;
        }
        tx.keep().map(drop)
    })
}

/// Notes this pass. When it comes much too late, everyone whose time was or is soon over gets
/// the time back that passed meanwhile; this comes before any letter is read, so that no bank
/// pays for it.
pub(crate) fn feel_pulse(office: &Office) -> Result<(), OfficeError> {
    wrong_time::set_right(office)?;
    let beats = retry(|| {
        let mut tx = Transaction::begin(office);
        let beats = tx.has_clocks()? && beat(&mut tx)?;
        tx.keep().map(|_| beats)
    })?;
    if beats { forget_pulse(&office.folder) } else { Ok(()) }
}

/// Notes this pass in a transaction; whether there was anything to note.
fn beat(tx: &mut Transaction<'_>) -> Result<bool, OfficeError> {
    match tx.pulse()? {
        None => {
            tx.write().pulse = Some(Pulse::first(tx.office.now));
            let clocks = tx.clocks()?;
            let waits = clocks.iter().flat_map(|(_, clock)| &clock.waits);
            let asked = waits.map(|wait| wait.since).min();
            if let Some(outage) = Pulse::before_first(asked, tx.office.now) {
                stand_still(tx, outage, "report-outage")?;
            }
            Ok(true)
        }
        Some(pulse) => {
            let (next, outage) = pulse_of(&tx.office.folder, pulse).beat(tx.office.now);
            tx.write().pulse = next;
            if let Some(outage) = outage {
                stand_still(tx, outage, "report-outage")?;
            }
            Ok(next.is_some())
        }
    }
}

/// Gives back the time of an outage, and tells the moderator by the sentence of this key.
pub(crate) fn stand_still(
    tx: &mut Transaction<'_>,
    outage: Outage,
    key: &'static str,
) -> Result<(), OfficeError> {
    let mut games = 0_usize;
    let until = tx.office.now + RESPITE;
    for (game, mut around) in tx.gatherings()? {
        if around.stood_still(outage, until) {
            let clock = tx.clock(game)?;
            wrong_time::due_around(tx, game, &around, clock.as_ref())?;
            tx.put_gathering(game, around);
        }
    }
    for (game, mut clock) in tx.clocks()? {
        if clock.stood_still(outage, until) {
            let times = own_times(tx, game)?;
            clock.settle(|seat| times.get(seat.index()));
            let around = tx.gathering(game)?;
            wrong_time::due_around(tx, game, &around, Some(&clock))?;
            tx.write().clocks.push((game, clock));
            games += 1;
        }
    }
    if games > 0 {
        let note = Message::new(key)
            .with("since", outage.since.format("%Y-%m-%d %H:%M UTC").to_string())
            .with("span", span_words(outage.length))
            .with("count", games);
        let note = tell::report(tx, vec![note])?;
        tx.write().outgoing.push(note);
    }
    Ok(())
}
