//! The plans of a letter, and what happens to them at once.
//!
//! Plans are judged like other lines. A plan that can still become due is queued, and one that is
//! already due is carried out. Any other plan is refused with the reason.

use super::queued_orders::{describe_dropped_plans, impossibility_reason};
use super::submit::{Judgement, OrderVisibility, Purpose};
use super::{LetterRefusal, Submission, Table};
use crate::rules::{Message, PlanStatus, Refusal, Seat};
use serde_json::Value;

/// The plans of a letter, each with the number of its line.
#[derive(Default)]
struct LetterPlans {
    /// The plans that can still become due.
    pending: Vec<(u32, Value)>,
    /// The plans that became impossible after the position that the player saw, with the reasons.
    missed: Vec<(u32, Value, Message)>,
}

impl Table {
    /// Returns the position that the player saw when they wrote the letter, if it is older than the
    /// current one. A preview gets it with its hidden information dealt again.
    pub(super) fn position_seen_by_writer(
        &self,
        submission: &Submission<'_>,
        aim: Purpose,
    ) -> Option<Self> {
        let seen = self.last_known_record(submission.seat, submission.seen_record);
        let past = (seen < self.head()).then(|| self.at_record(seen).ok()).flatten()?;
        Some(if aim == Purpose::Execute { past } else { past.redeal_for_seat(submission.seat) })
    }

    /// Returns the number of the last record that the player knows. `seen` is the last one in a
    /// letter to the player. Own records right after it are known too.
    fn last_known_record(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::ordering_seat(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }
}

impl Judgement<'_> {
    /// Processes the plans of a letter at the position after all its orders, so their order in the
    /// letter does not matter. Carries out a plan that is already due. Adds a remark for each plan
    /// that was possible at the position that the player saw, but no longer is.
    pub(super) fn process_plans(&mut self) -> Result<(), LetterRefusal> {
        let mut letter = LetterPlans::default();
        let filed = std::mem::take(&mut self.plan_lines).iter().try_for_each(|line| {
            let read = match self.parse_plans(&line.text) {
                Some(plans) => {
                    plans.and_then(|more| self.add_plans(&mut letter, line.number, more))
                }
                // The letter's own orders made the line an order for now.
                None if self.has_disclosed() && self.purpose == Purpose::Preview => Ok(()),
                None => self.play_line(&line.text),
            };
            read.map_err(|refusal| (line.number, refusal))
        });
        let filed = filed
            .and_then(|()| self.carry_out_due_plan(&mut letter.pending))
            .and_then(|()| self.keep_pending_plans(letter));
        let Err((number, refusal)) = filed else { return Ok(()) };
        let line = self.submission.lines.iter().find(|line| line.number == number);
        match line {
            Some(line) if self.has_disclosed() => {
                self.drop_rest_from(line, refusal);
                Ok(())
            }
            line => Err(LetterRefusal { line: line.cloned(), refusal }),
        }
    }

    /// Parses a line as plans; `None` if it is not a plan. Reads it at the position that the player
    /// saw, so that the plans apply to the turn that the player meant.
    pub(super) fn parse_plans(&self, line: &str) -> Option<Result<Vec<Value>, Refusal>> {
        let game = self.seen_position.as_ref().map_or(&*self.table.game, |past| &*past.game);
        game.parse_plan(self.seat(), line).map(|plans| {
            plans.and_then(|plans| {
                // A plan that was impossible even at the position that the player saw is a mistake.
                match plans.iter().find_map(|plan| impossibility_reason(game, self.seat(), plan)) {
                    Some(why) if self.seen_position.is_some() => Err(Refusal::illegal(why)),
                    _ => Ok(plans),
                }
            })
        })
    }

    /// Adds the plans of one line to the plans of the letter.
    fn add_plans(
        &self,
        letter: &mut LetterPlans,
        number: u32,
        more: Vec<Value>,
    ) -> Result<(), Refusal> {
        let (game, mut living) = (&*self.table.game, Vec::new());
        for plan in more {
            match impossibility_reason(game, self.seat(), &plan) {
                None => living.push(plan),
                Some(why) if self.seen_position.is_some() => {
                    letter.missed.push((number, plan, why));
                }
                Some(why) => return Err(Refusal::illegal(why)),
            }
        }
        let (numbers, before): (Vec<u32>, Vec<Value>) = letter.pending.iter().cloned().unzip();
        let all = game.merge_plans(&before, &living)?;
        let numbers = numbers.into_iter().chain(std::iter::repeat(number));
        letter.pending = numbers.zip(all).collect();
        Ok(())
    }

    /// Carries out the letter's first plan that is due and has a legal line. Does so only if the
    /// letter gives no other order.
    fn carry_out_due_plan(&mut self, letter: &mut Vec<(u32, Value)>) -> Result<(), (u32, Refusal)> {
        let seat = self.seat();
        if self.order_visibility != OrderVisibility::None || !self.table.turn().awaits(seat) {
            return Ok(());
        }
        let mut refused = None;
        for (index, (number, plan)) in letter.iter().enumerate() {
            let PlanStatus::Due(orders) = self.table.game.plan_status(seat, plan) else { continue };
            for order in orders {
                let (mut after, mut thrown) = (self.table.game.clone_box(), self.dice.clone());
                match after.play_line(seat, &order, &[], &mut thrown) {
                    Ok(played) => {
                        (self.table.game, self.dice) = (after, thrown);
                        self.record_outcome(&order, played);
                        letter.remove(index);
                        return Ok(());
                    }
                    Err(refusal) => refused = refused.or(Some((*number, refusal))),
                }
            }
        }
        refused.map_or(Ok(()), Err)
    }

    /// Queues the pending plans, and adds remarks about the missed ones. Refuses the letter if
    /// nothing of it can be done.
    fn keep_pending_plans(&mut self, letter: LetterPlans) -> Result<(), (u32, Refusal)> {
        let is_empty = letter.pending.is_empty() && self.order_visibility == OrderVisibility::None;
        if let (true, Some((number, _, why))) = (is_empty, letter.missed.first()) {
            return Err((*number, Refusal::illegal(why.clone())));
        }
        let late: Vec<_> = letter.missed.into_iter().map(|(_, plan, why)| (plan, why)).collect();
        self.remarks.extend(describe_dropped_plans(&*self.table.game, &late));
        self.plans = letter.pending.into_iter().map(|(_, plan)| plan).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find_kind;
    use crate::rules::Seed;
    use crate::table::{GameSetup, OrderLine, QueuedOrders, Verdict};
    use chrono::DateTime;
    use std::collections::BTreeMap;

    #[test]
    fn second_of_two_equal_plans_is_refused() {
        let (kind, options) = (find_kind("trick-of-the-rails").expect("it ships"), BTreeMap::new());
        let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
        let table = Table::found_game(setup, 1, Seed::from_number(7), DateTime::UNIX_EPOCH)
            .expect("a table");
        let waits = |seat: &Seat| !table.turn().awaits(*seat);
        let seat = Seat::all(3).into_iter().find(waits).expect("two of them");
        let forms = table.game().forms(seat).into_iter();
        let lead = forms.map(|form| form.line).find(|line| line.starts_with("lead "));
        let line = |number| OrderLine::new(number, lead.clone().expect("a plan"));
        let (lines, standing) = ([line(3), line(5)], &QueuedOrders::default());
        let submission =
            Submission { seat, lines: &lines, seen_record: 1, letter: None, queued: standing };
        let Verdict::Refused(refused) = table.submit(&submission, DateTime::UNIX_EPOCH) else {
            panic!("it says one thing twice")
        };
        assert_eq!(refused.refusal.reason.key, "tr-plan-twice");
        assert_eq!(refused.line.map(|line| line.number), Some(5));
    }
}
