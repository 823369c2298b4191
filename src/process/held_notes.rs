//! Notes to the moderator about letters that went to quarantine: one a pass and a few a day.
//!
//! Anybody can send letters that end there, so their number must not become that of the notes.
//! A note is in the same commit that puts letters aside, and so is the count of those that it does
//! not tell of: a later pass tells how many these were. The morning digest lists all that lies
//! there.

use super::desk::{Desk, Fate};
use super::office::{Office, OfficeError};
use crate::mail::Waiting;
use crate::mail::manners::DAY;
use crate::rules::Message;
use crate::store::Batch;

/// How many notes go out within a day.
const NOTES_A_DAY: usize = 4;
/// How many letters one note names.
const NAMED: usize = 20;
/// How far back letters are looked for that no note has told of, in seconds.
const LOOK_BACK: i64 = 60 * DAY;
/// Under what the store counts the letters that went to quarantine.
const HELD: &str = "letters held";
/// Under what the store counts those of them that were told.
const TOLD: &str = "letters held and told";
/// Under what the store counts the notes about them.
const NOTES: &str = "notes of letters held";

impl Office {
    /// Counts in a desk's commit what goes to quarantine by it, and tells the moderator of it if it
    /// is the first of the pass and there were not enough notes for a day.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn tell_of_held(&self, desk: &mut Desk) -> Result<(), OfficeError> {
        let held: Vec<Message> = desk.fates.iter().filter_map(held_words).collect();
        if held.is_empty() {
            return Ok(());
        }
        self.count_all(&mut desk.batch, HELD, held.len());
        if self.may_note()? {
            let untold = self.untold()? + held.len();
            let named = held.into_iter().take(NAMED);
            desk.reports.extend(self.note(&mut desk.batch, named.collect(), untold));
        }
        Ok(())
    }

    /// Tells the moderator how many letters went to quarantine of which no note has told: they came
    /// in the same pass as others, or when there were enough notes for a day.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub(super) fn tell_of_untold(&self) -> Result<(), OfficeError> {
        let untold = self.untold()?;
        if untold == 0 || !self.may_note()? {
            return Ok(());
        }
        let mut batch = Batch::default();
        let lines = self.note(&mut batch, Vec::new(), untold);
        batch.outgoing.push(self.report(lines)?);
        Ok(self.store.commit(&batch)?)
    }

    /// A note's lines, which tells by these of so many letters.
    fn note(&self, batch: &mut Batch, mut lines: Vec<Message>, untold: usize) -> Vec<Message> {
        self.count_all(batch, TOLD, untold);
        self.count_all(batch, NOTES, 1);
        let others = untold.saturating_sub(lines.len());
        let more = Message::new("report-quarantined-more").with("count", others);
        lines.extend((others > 0).then_some(more));
        lines
    }

    fn count_all(&self, batch: &mut Batch, what: &str, count: usize) {
        let counted = std::iter::repeat_n((what.to_owned(), self.now.timestamp()), count);
        batch.answers.extend(counted);
    }

    /// Whether the moderator has had no note in this pass, and not too many within a day.
    fn may_note(&self) -> Result<bool, OfficeError> {
        let now = self.now.timestamp();
        let notes = self.store.answers_since(NOTES, now - DAY + 1)?;
        Ok(notes.len() < NOTES_A_DAY && !notes.contains(&now))
    }

    fn untold(&self) -> Result<usize, OfficeError> {
        let since = self.now.timestamp() - LOOK_BACK;
        let count = |what| Ok::<_, OfficeError>(self.store.answers_since(what, since)?.len());
        Ok(count(HELD)?.saturating_sub(count(TOLD)?))
    }
}

fn held_words((file, fate): &(Waiting, Fate)) -> Option<Message> {
    let Fate::Quarantined(why) = fate else { return None };
    let held = Message::new("report-quarantined").with("file", file.name.as_str());
    Some(held.with("why", why.as_str()))
}
