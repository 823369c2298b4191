//! What a letter would come to, told before it is sent. Its writer must learn nothing by asking.
//!
//! A preview is judged in a world that its writer could be sitting in: what he cannot know is dealt
//! anew, by dice that come from what he knows. So not a byte of it rests on anything else, the
//! verdict included. And it is told only up to the first event that discloses something: what
//! chance brings, or what rests on the hands and wishes of others, would be an invention.

use super::submit::Purpose;
use super::{LetterRefusal, QueuedOrders, Submission, Table};
use crate::rules::{Dice, Message, Seat, Seed, UnreadableData, Viewer};
use sha2::{Digest, Sha256};

/// What a letter would come to, as far as its writer can know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preview {
    /// Every line that was judged would be carried out, or kept for later.
    Accepted {
        /// What would happen, and where that can be told no further.
        outcome: Vec<Message>,
        /// What the player should know about how the lines were read.
        remarks: Vec<Message>,
    },
    /// The letter would be refused.
    Refused(LetterRefusal),
}

impl Table {
    /// Judges as [`Table::submit`] does, as far as the writer could have told.
    ///
    /// # Errors
    /// Never for what the rules themselves have just led to.
    pub fn preview(&self, submission: &Submission<'_>) -> Result<Preview, UnreadableData> {
        let Submission { seat, queued: standing, .. } = *submission;
        let veiled = self.redealt_for(seat);
        let judged =
            match veiled.judge_letter(submission, veiled.dice_from_view(seat), Purpose::Preview) {
                Ok(judged) => judged,
                Err(refused) => return Ok(Preview::Refused(refused)),
            };
        let certain = judged.disclosed.unwrap_or(judged.events.len());
        let certain = judged.events.get(judged.secret_event_count..certain).unwrap_or_default();
        let mut outcome = judged.table.game.narrate_events(certain, Viewer::Seat(seat))?;
        // Where the certain outcome ends, and which line was not judged any more.
        let unread = judged.stopped_at.map_or(0, |line| line.number);
        let open = judged.disclosed.map(|_| Message::new("preview-open").with("line", unread));
        outcome.extend(open);
        outcome.extend(judged.table.describe_plan_changes(standing, &judged.queued_after()));
        Ok(Preview::Accepted { outcome, remarks: judged.remarks })
    }

    /// The table as it could be for all that this seat knows, and the same for all that look alike
    /// to the seat.
    pub(super) fn redealt_for(&self, seat: Seat) -> Self {
        let mut veiled = self.clone();
        veiled.game = self.game.redeal(Viewer::Seat(seat), &mut self.dice_from_view(seat));
        veiled
    }

    /// Dice that rest on nothing but what this seat sees.
    fn dice_from_view(&self, seat: Seat) -> Dice {
        let seen = [self.game.public_data(), self.game.private_data(seat)];
        let seen =
            seen.iter().fold(Sha256::new(), |hash, view| hash.chain_update(view.to_string()));
        Dice::new(&Seed::new(seen.finalize().into()), 0)
    }

    /// What a letter changes in what its writer wants done later.
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
