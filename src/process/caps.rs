//! How many letters are posted: so many a pass and so many a day, and no more.
//!
//! Whatever goes wrong in here or in a game, a club that posts without end must stop by itself.

use super::delivery::hand;
use super::office::{Office, OfficeError};
use super::pass::PassReport;
use crate::mail::courier::Courier;
use crate::mail::manners::DAY;
use crate::rules::Message;
use crate::store::Batch;

/// Under what the store counts the letters that were posted. No address is without an @.
const POSTED: &str = "posted";
/// Under what the store counts the notes that the day's letters are used up.
const TOLD: &str = "told of the cap";

/// How many letters may still be posted, and by which cap.
pub(super) struct Allowance {
    run: Option<usize>,
    day: Option<usize>,
}

impl Allowance {
    /// How many of `wanted` letters may go now.
    pub fn of(&self, wanted: usize) -> usize {
        wanted.min(self.run.unwrap_or(wanted)).min(self.day.unwrap_or(wanted))
    }

    /// Takes letters that went.
    pub fn take(&mut self, posted: usize) {
        for left in [&mut self.run, &mut self.day].into_iter().flatten() {
            *left = left.saturating_sub(posted);
        }
    }

    /// Whether the day's letters are used up.
    pub fn is_broken(&self) -> bool {
        self.day == Some(0)
    }
}

impl Office {
    /// What may be posted now.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn allowance(&self) -> Result<Allowance, OfficeError> {
        let limit = |letters: u32| (letters > 0).then_some(letters as usize);
        let settings = &self.settings;
        let day = match limit(settings.letters_per_day) {
            None => None,
            Some(limit) => Some(limit.saturating_sub(self.within_a_day(POSTED)?)),
        };
        Ok(Allowance { run: limit(settings.letters_per_run), day })
    }

    /// Counts letters that went into the batch that says so.
    pub(super) fn count_posted(&self, batch: &mut Batch) {
        if self.settings.letters_per_day > 0 {
            let posted = std::iter::repeat_n(POSTED, batch.sent.len());
            let at = self.now.timestamp();
            batch.answers.extend(posted.map(|posted| (posted.to_owned(), at)));
        }
    }

    /// Tells the moderator, once a day, that the day's letters are used up. The note goes past the
    /// outbox, which is shut.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub(super) fn tell_of_cap(
        &self,
        courier: &mut dyn Courier,
        report: &mut PassReport,
    ) -> Result<(), OfficeError> {
        if self.within_a_day(TOLD)? > 0 {
            return Ok(());
        }
        let note = self.report(vec![
            Message::new("report-letters-used-up")
                .with("limit", self.settings.letters_per_day)
                .with("waiting", self.store.outbox_length()?),
        ])?;
        match hand(courier, &note) {
            Ok(()) => {
                report.posted += 1;
                let told = (TOLD.to_owned(), self.now.timestamp());
                Ok(self.store.commit(&Batch { answers: vec![told], ..Batch::default() })?)
            }
            Err(error) => {
                report.troubles.push(error.to_string());
                Ok(())
            }
        }
    }

    fn within_a_day(&self, what: &str) -> Result<usize, OfficeError> {
        let now = self.now.timestamp();
        let times = self.store.answers_since(what, now - DAY)?;
        Ok(times.into_iter().filter(|at| *at <= now).count())
    }
}
