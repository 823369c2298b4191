//! Delivery: the outbox into the way out, a handful at a time.
//!
//! A letter that was taken is forgotten at once. What is not taken is gathered, and judged when the
//! pass has seen what became of the others: see [`untaken`](super::untaken). Knows nothing of what
//! letters say.

use super::caps::Allowance;
use super::office::{Office, OfficeError};
use super::outage::WayOut;
use super::pass::PassReport;
use super::untaken::{Round, Untaken};
use crate::mail::courier::{Courier, Parcel, PostError};
use crate::store::{Batch, Outgoing, Queued};
use chrono::TimeDelta;

/// How many letters are taken out of the outbox at a time.
const OUTBOX_PAGE: usize = 1_000;
/// After so many members in a row to whom no letter was taken the rest is left for the next pass.
const IN_A_ROW: usize = 10;
/// For how long it is known which letters were posted: servers try for five days to deliver one,
/// and then write that they could not.
pub(super) const KNOWN_AS_POSTED: TimeDelta = TimeDelta::hours(5 * 24 + 12);

impl Office {
    /// Posts what is in the outbox; what that tells of the way out.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn deliver(
        &self,
        courier: &mut dyn Courier,
        report: &mut PassReport,
    ) -> Result<WayOut, OfficeError> {
        let mut round = Round::default();
        self.post_all(courier, &mut round, report)?;
        self.store.forget_posted(self.now - KNOWN_AS_POSTED)?;
        self.judge(courier, round, report)
    }

    /// Tries every letter that may go now, once.
    fn post_all(
        &self,
        courier: &mut dyn Courier,
        round: &mut Round,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        let mut allowance = self.allowance()?;
        loop {
            let mut page = self.store.outbox(self.now, OUTBOX_PAGE + round.untaken.len())?;
            page.retain(|queued| !round.was_tried(queued.key));
            if page.is_empty() {
                return Ok(());
            }
            if allowance.of(1) > 0 && self.bundle(&page)? {
                continue;
            }
            page.truncate(allowance.of(page.len()));
            if page.is_empty() && allowance.is_broken() {
                round.used_up = true;
                return self.tell_of_cap(courier, report);
            }
            if page.is_empty() || !self.post_page(courier, &page, &mut allowance, round, report)? {
                return Ok(());
            }
        }
    }

    /// Posts a page of letters; whether the next one may go.
    fn post_page(
        &self,
        courier: &mut dyn Courier,
        page: &[Queued],
        allowance: &mut Allowance,
        round: &mut Round,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        for handful in page.chunks(courier.handful().max(1)) {
            let mut batch = Batch::default();
            let goes_on = self.post(courier, handful, &mut batch, round, report)?;
            allowance.take(batch.sent.len());
            self.count_posted(&mut batch);
            self.store.commit(&batch)?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Posts a handful of letters; whether the next ones may go.
    fn post(
        &self,
        courier: &mut dyn Courier,
        letters: &[Queued],
        batch: &mut Batch,
        round: &mut Round,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        for queued in letters {
            let letter = &queued.letter;
            match hand(courier, letter) {
                Ok(()) => {
                    batch.sent.push(queued.key);
                    batch.posted.push((letter.message_id.clone(), self.now));
                    report.posted += 1;
                    round.taken();
                }
                Err(error @ PostError::Down(_)) => {
                    report.troubles.push(error.to_string());
                    round.down = true;
                    return Ok(false);
                }
                Err(error) => {
                    report.troubles.push(format!("to {}: {}", letter.recipient, error.why()));
                    let tells = self.is_reached_at(&letter.recipient)?;
                    round.not_taken(Untaken::new(queued, error, tells, &self.settings.address));
                    if round.in_a_row() >= IN_A_ROW {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether letters to this address go to a member whom they have reached so far. Whatever is
    /// said of others tells nothing of the way out: anybody can make us write to an address that
    /// takes nothing, and the moderator must not stop the club by his mailbox.
    fn is_reached_at(&self, address: &str) -> Result<bool, OfficeError> {
        let member = self.store.member_by_address(address)?;
        let reached = member.is_some_and(|member| {
            member.undeliverable.is_none()
                && member.addresses.first().is_some_and(|first| first == address)
        });
        Ok(reached && address != self.settings.moderator.address)
    }
}

/// Hands one letter to the way out.
pub(super) fn hand(courier: &mut dyn Courier, letter: &Outgoing) -> Result<(), PostError> {
    courier.post(&Parcel {
        message_id: &letter.message_id,
        recipient: &letter.recipient,
        bytes: &letter.bytes,
    })
}
