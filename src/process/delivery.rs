//! Delivery: the outbox into the way out, a handful at a time.
//!
//! A letter that was taken is forgotten at once. What is not taken is gathered, and judged when the
//! pass has seen what became of the others: see [`untaken`](super::untaken). Knows nothing of what
//! letters say.

use super::addressee::Fit;
use super::caps::Allowance;
use super::line::Place;
use super::office::{Office, OfficeError};
use super::outage::WayOut;
use super::pass::PassReport;
use super::transaction::Transaction;
use super::untaken::{Round, Untaken};
use crate::mail::courier::{Courier, Parcel, PostError};
use crate::store::{Outbox, Outgoing, Queued, Repository};
use chrono::TimeDelta;

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
            let mut waiting = self.begin().in_line(self.now)?;
            waiting.retain(|letter| !round.was_tried(letter.key));
            if waiting.is_empty() {
                return Ok(());
            }
            if allowance.is_open() && self.bundle(&waiting)? {
                continue;
            }
            let line = self.line(&waiting, &allowance)?;
            if line.is_empty() && allowance.is_broken() {
                round.used_up = true;
                return self.tell_of_cap(courier, report);
            }
            if line.is_empty() {
                round.held = waiting.len();
                return Ok(());
            }
            if !self.post_line(courier, &line, &mut allowance, round, report)? {
                return Ok(());
            }
        }
    }

    /// Posts the letters of a line; whether the next ones may go.
    fn post_line(
        &self,
        courier: &mut dyn Courier,
        line: &[Place],
        allowance: &mut Allowance,
        round: &mut Round,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        for handful in line.chunks(self.handful(courier)) {
            let mut tx = self.begin();
            let mut gone = Vec::new();
            let goes_on = self.post(courier, handful, (&mut tx, &mut gone), round, report)?;
            for place in gone {
                self.count_posted(&mut tx, place);
                allowance.take(place.rank);
            }
            tx.record()?;
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many letters are handed over before it is written down: no more than a commit takes.
    fn handful(&self, courier: &dyn Courier) -> usize {
        courier.handful().min(self.settings.letters_per_commit as usize).max(1)
    }

    /// Posts a handful of letters, each to whom it is for now, and notes which have gone; whether
    /// the next ones may go.
    fn post<'a>(
        &self,
        courier: &mut dyn Courier,
        places: &'a [Place],
        (tx, gone): (&mut Transaction<'_>, &mut Vec<&'a Place>),
        round: &mut Round,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        for place in places {
            // One at a time: a thousand letters with all that they say need not be in memory.
            let Some(queued) = tx.queued(place.key)? else { continue };
            let Queued { key, attempts, letter } = queued;
            let letter = match self.fit(tx, letter)? {
                Fit::Goes(letter) => *letter,
                Fit::Void(instead) => {
                    tx.write().sent.push(key);
                    tx.write().outgoing.extend(instead);
                    continue;
                }
            };
            match hand(courier, &letter) {
                Ok(()) => {
                    tx.write().sent.push(key);
                    tx.write().posted.push((letter.message_id, self.now));
                    report.posted += 1;
                    gone.push(place);
                    round.taken();
                }
                Err(error @ PostError::Down(_)) => {
                    report.troubles.push(error.to_string());
                    round.down = true;
                    return Ok(false);
                }
                Err(error) => {
                    report.troubles.push(format!("to {}: {}", letter.recipient, error.why()));
                    let tells = self.is_reached_at(tx, &letter.recipient)?;
                    let queued = Queued { key, attempts, letter };
                    round.not_taken(Untaken::new(&queued, error, tells, &self.settings.address));
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
    fn is_reached_at(&self, tx: &Transaction<'_>, address: &str) -> Result<bool, OfficeError> {
        let member = tx.member_by_address(address)?;
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
