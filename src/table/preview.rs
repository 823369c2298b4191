//! Previews: the result of a letter, shown before it is sent. A player must not learn hidden
//! information from a preview.
//!
//! So a preview is judged at a position whose hidden information was dealt again. The dice for that
//! deal derive from what the player can see. Every byte of the preview, and even its verdict, thus
//! depends only on the player's view. It ends before the first event that discloses something,
//! because chance and the hidden information of others would be invented.

use super::submit::Purpose;
use super::{Cause, LetterRefusal, QueuedOrders, Submission, Table};
use crate::rules::{Dice, Message, Seat, Seed, UnreadableData, Viewer};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

/// The result of a letter, as far as its player can know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preview {
    /// The letter would be accepted, at least up to the end of the preview.
    Accepted {
        /// The events that would happen, and the point at which the preview ends.
        outcome: Vec<Message>,
        /// Notes to the player about how the lines were read.
        remarks: Vec<Message>,
        /// The events that would certainly happen, as JSON text. A letter shows the board after
        /// them.
        events: Vec<String>,
    },
    /// The letter would be refused.
    Refused(LetterRefusal),
}

impl Table {
    /// Judges a letter like [`Table::submit`], but with only the information of its player. Does
    /// not change the table.
    ///
    /// # Errors
    /// None in practice, because the events were just made by the rules.
    pub fn preview(&self, submission: &Submission<'_>) -> Result<Preview, UnreadableData> {
        let Submission { seat, queued: standing, .. } = *submission;
        let veiled = self.determinize_for_seat(seat);
        let judged =
            match veiled.judge_letter(submission, veiled.dice_from_view(seat), Purpose::Preview) {
                Ok(judged) => judged,
                Err(refused) => return Ok(Preview::Refused(refused)),
            };
        let certain = judged.first_disclosure.unwrap_or(judged.events.len());
        let certain = judged.events.get(judged.secret_event_count..certain).unwrap_or_default();
        let events = certain.iter().map(|event| event.get().to_owned()).collect();
        let mut outcome = judged.table.game.narrate_events(certain, Viewer::Seat(seat))?;
        // The end of the certain events, and the first line that was not judged.
        let unread = judged.stopped_at.map_or(0, |line| line.number);
        let open =
            judged.first_disclosure.map(|_| Message::new("preview-open").with("line", unread));
        outcome.extend(open);
        outcome.extend(judged.table.describe_plan_changes(standing, &judged.queued_after()));
        Ok(Preview::Accepted { outcome, remarks: judged.remarks, events })
    }

    /// Returns the table after the events of a preview, with a record for them. The table is only
    /// for drawing the position: no log has this record. Its hidden information is a
    /// determinization, so that the drawing cannot show the real one even if the events end the
    /// game.
    ///
    /// # Errors
    /// If the rules of this program version cannot read an event.
    pub(crate) fn with_previewed_events(
        &self,
        seat: Seat,
        events: &[String],
    ) -> Result<Self, UnreadableData> {
        let mut ahead = self.determinize_for_seat(seat);
        let mut applied = Vec::new();
        for event in events.iter().filter_map(|text| RawValue::from_string(text.clone()).ok()) {
            ahead.game.apply(&event)?;
            applied.push(event);
        }
        let cause = Cause::Orders { seat, lines: Vec::new(), letter: None };
        ahead.append_record(cause, applied, self.dice().used_word_count(), self.founding.at);
        Ok(ahead)
    }

    /// Returns a table with a consistent hidden state for this seat (a determinization). Tables
    /// that look alike to the seat give the same result.
    pub(super) fn determinize_for_seat(&self, seat: Seat) -> Self {
        let mut veiled = self.clone();
        veiled.game = self.game.redeal(Viewer::Seat(seat), &mut self.dice_from_view(seat));
        veiled
    }

    /// Returns dice that depend only on what this seat sees.
    fn dice_from_view(&self, seat: Seat) -> Dice {
        let seen = [self.game.public_data(), self.game.private_data(seat)];
        let seen =
            seen.iter().fold(Sha256::new(), |hash, view| hash.chain_update(view.to_string()));
        Dice::new(&Seed::new(seen.finalize().into()), 0)
    }

    /// Describes the changes that a letter makes to its player's queued orders.
    fn describe_plan_changes(&self, before: &QueuedOrders, after: &QueuedOrders) -> Vec<Message> {
        let mut said = Vec::new();
        if after.plans != before.plans {
            said.extend(after.plans.iter().filter_map(|plan| self.game.describe_plan(plan)));
            said.extend(after.plans.is_empty().then(|| Message::new("plans-would-go")));
        }
        if after.auto_forced != before.auto_forced {
            let key = if after.auto_forced { "plans-auto-forced" } else { "plans-auto-off" };
            said.push(Message::new(key));
        }
        said
    }
}
