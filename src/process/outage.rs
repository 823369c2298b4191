//! A way out that is closed: who cannot be told that it is his turn is not absent.
//!
//! While nothing can be posted no clock does anything, since nobody would hear of it. Once the
//! letters have gone, everyone whose time was or is soon over gets the time back.

use super::idle::pulse_of;
use super::office::{Office, OfficeError};
use super::pass::PassReport;
use super::transaction::retry;
use crate::club::clock::Pulse;
use crate::store::Repository;

/// What a pass has learned of the way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WayOut {
    /// It takes letters, or none waits for it.
    Open,
    /// It takes none, or not all of them.
    Closed,
    /// Nothing: no letter was to go now, or none whose fate tells anything.
    Unknown,
}

impl Office {
    /// Whether the last pass that had something to post could not.
    pub(super) fn is_closed(&self) -> Result<bool, OfficeError> {
        Ok(self.begin().pulse()?.is_some_and(|pulse| pulse.closed.is_some()))
    }

    /// Reads every letter that is here, although it may be that no pass could read any for long.
    ///
    /// That time is given back only once it is over, after these letters: so nobody is later than
    /// when it began.
    pub(super) fn take_in_while_standing(
        &self,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let tx = self.begin();
        let pulse = tx.pulse()?.filter(|_| tx.has_clocks().unwrap_or(true));
        let outage = pulse.and_then(|pulse| pulse_of(&self.folder, pulse).beat(self.now).1);
        self.take_in_as_of(outage.map(|outage| outage.since), report)
    }

    /// Notes whether the way out is closed after this pass.
    pub(super) fn note_way_out(&self, way_out: WayOut) -> Result<(), OfficeError> {
        let closed = match way_out {
            WayOut::Open => false,
            WayOut::Closed => true,
            WayOut::Unknown => return Ok(()),
        };
        // Clubs without clocks have no pulse before the first outage: reminders wait for that too.
        retry(|| {
            let mut tx = self.begin();
            let pulse = tx.pulse()?.unwrap_or(Pulse::first(self.now));
            let Some((next, outage)) = pulse.way_out(closed, self.now) else { return Ok(()) };
            tx.write().pulse = Some(next);
            if let Some(outage) = outage {
                self.stand_still(&mut tx, outage, "report-closed")?;
            }
            self.keep(tx).map(drop)
        })
    }
}
