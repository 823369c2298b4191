//! Delivery: the outbox into the way out, a handful at a time, and what becomes of a letter that
//! the way out does not take.
//!
//! Knows nothing of what letters say.

use super::office::{Office, OfficeError};
use super::pass::PassReport;
use crate::mail::courier::{Courier, Parcel, PostError};
use crate::rules::Message;
use crate::store::{Batch, Queued};
use chrono::TimeDelta;

/// How many letters are taken out of the outbox at a time.
const OUTBOX_PAGE: usize = 1_000;
/// How often a letter is tried, which takes about four days; then it is as good as refused.
const TRIES_MAX: u32 = 20;
/// The longest that a letter waits for its next try.
const PAUSE_MAX: TimeDelta = TimeDelta::hours(6);

impl Office {
    /// Posts what is in the outbox; whether the way out is closed for now.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub fn deliver(
        &self,
        courier: &mut dyn Courier,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        let mut allowance = self.allowance()?;
        loop {
            let mut page = self.store.outbox(self.now, OUTBOX_PAGE)?;
            if page.is_empty() {
                return Ok(false);
            }
            if allowance.of(1) > 0 && self.bundle(&page)? {
                continue;
            }
            page.truncate(allowance.of(page.len()));
            if page.is_empty() && allowance.is_broken() {
                self.tell_of_cap(courier, report)?;
                return Ok(false);
            }
            if page.is_empty() {
                return Ok(false);
            }
            for handful in page.chunks(courier.handful().max(1)) {
                let mut batch = Batch::default();
                let down = self.post(courier, handful, &mut batch, report)?;
                allowance.take(batch.sent.len());
                self.count_posted(&mut batch);
                self.store.commit(&batch)?;
                if down {
                    return Ok(true);
                }
            }
        }
    }

    /// Posts a handful of letters; whether the way out is closed for now.
    fn post(
        &self,
        courier: &mut dyn Courier,
        letters: &[Queued],
        batch: &mut Batch,
        report: &mut PassReport,
    ) -> Result<bool, OfficeError> {
        for queued in letters {
            let letter = &queued.letter;
            let parcel = Parcel {
                message_id: &letter.message_id,
                recipient: &letter.recipient,
                bytes: &letter.bytes,
            };
            match courier.post(&parcel) {
                Ok(()) => {
                    batch.sent.push(queued.key);
                    report.posted += 1;
                }
                Err(PostError::Later(why)) if queued.attempts < TRIES_MAX => {
                    report.troubles.push(format!("to {}: {why}", letter.recipient));
                    batch.postponed.push((queued.key, self.now + pause(queued.attempts)));
                }
                Err(PostError::Refused(why) | PostError::Later(why)) => {
                    report.troubles.push(format!("to {}: {why}", letter.recipient));
                    batch.sent.push(queued.key);
                    // A note that cannot reach the moderator must not lead to another one.
                    if letter.recipient != self.settings.moderator.address {
                        let note = Message::new("report-failed-letter")
                            .with("to", letter.recipient.as_str())
                            .with("why", why);
                        batch.outgoing.push(self.report(vec![note])?);
                    }
                }
                Err(error @ PostError::Down(_)) => {
                    report.troubles.push(error.to_string());
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

/// How long a letter waits after this many tries: 5, 10, 20 minutes, and so on up to six hours.
fn pause(attempts: u32) -> TimeDelta {
    TimeDelta::minutes(5 << attempts.min(10)).min(PAUSE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_is_tried_less_and_less_often() {
        let minutes: Vec<i64> = (0..9).map(|n| pause(n).num_minutes()).collect();
        assert_eq!(minutes, [5, 10, 20, 40, 80, 160, 320, 360, 360]);
        assert_eq!(pause(u32::MAX), PAUSE_MAX);
    }
}
