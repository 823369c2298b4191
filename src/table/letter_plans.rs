//! The plans of a letter, and what happens to them at once.
//!
//! Plans are judged like other lines. A plan that can still become due is queued, and one that is
//! already due is carried out. Any other plan is refused with the reason.
//!
//! A plan counts from the position after the letter's own orders. If the letter gives no order, it
//! counts from the position that the player saw, which may be an older one.

use super::queued_orders::{describe_dropped_plans, impossibility_reason};
use super::submit::{Judgement, OrderVisibility, Purpose};
use super::{LetterRefusal, QueueCommand, QueuedOrders, Submission, Table};
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
        let past =
            (seen < self.last_record_number()).then(|| self.at_record(seen).ok()).flatten()?;
        Some(if aim == Purpose::Execute {
            past
        } else {
            past.determinize_for_seat(submission.seat)
        })
    }

    /// Returns the number of the last record that the player knows. `seen` is the last one in a
    /// letter to the player. Own records right after it are known too.
    fn last_known_record(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::seat_that_ordered(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }
}

impl Judgement<'_> {
    /// Returns the orders that the seat has queued after the letter. If the letter contains plans,
    /// they replace all earlier ones.
    pub(super) fn queued_after(&self) -> QueuedOrders {
        let mut standing = self.submission.queued.clone();
        for choice in &self.queue_commands {
            match choice {
                QueueCommand::ClearPlans => standing.plans.clear(),
                QueueCommand::AutoForced(on) => standing.auto_forced = *on,
            }
        }
        if !self.plans.is_empty() {
            standing.plans.clone_from(&self.plans);
        }
        standing
    }

    /// Processes the plans of a letter at the position after all its orders, so their order in the
    /// letter does not matter. Carries out a plan that is already due. Adds a remark for each plan
    /// that was possible at the position that the player saw, but no longer is.
    pub(super) fn process_plans(&mut self) -> Result<(), LetterRefusal> {
        let mut letter = LetterPlans::default();
        let filed = self
            .read_plan_lines()
            .and_then(|plans| self.add_plans(&mut letter, plans))
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

    /// Parses the lines with plans at the position after all orders, and moves plans to the same
    /// turn that belong together. Returns the plans, each with the number of its line.
    fn read_plan_lines(&mut self) -> Result<Vec<(u32, Value)>, (u32, Refusal)> {
        let mut all = Vec::new();
        for line in std::mem::take(&mut self.plan_lines) {
            let read = match self.parse_plans(&line.text) {
                Some(plans) => plans.or_else(|no| self.parse_as_seen(&line.text).ok_or(no)),
                // The letter's own orders made the line an order for now.
                None if self.has_disclosed() && self.purpose == Purpose::Preview => Ok(Vec::new()),
                None => self.play_line(&line.text).map(|()| Vec::new()),
            };
            let plans = read.map_err(|refusal| (line.number, refusal))?.into_iter();
            let mut plans: Vec<(u32, Value)> = plans.map(|plan| (line.number, plan)).collect();
            if all.is_empty() && self.is_order_by_now(&line.text) {
                // If it is illegal, another plan may still be due, so it is judged later.
                self.carry_out_due_plan(&mut plans).ok();
            }
            all.extend(plans);
        }
        let (numbers, plans): (Vec<u32>, Vec<Value>) = all.into_iter().unzip();
        Ok(numbers.into_iter().zip(self.table.game.align_plans(self.seat(), plans)).collect())
    }

    /// Whether a line of a late letter was a plan at the position that the player saw, and is an
    /// order for now at the current one.
    fn is_order_by_now(&self, line: &str) -> bool {
        let is_late = self.older_position().is_some();
        is_late && self.table.game.parse_plan(self.seat(), line).is_none()
    }

    /// Parses a line as plans; `None` if it is not a plan. Reads it at the position from which its
    /// plans count, so that they apply to the turn that the player meant.
    pub(super) fn parse_plans(&self, line: &str) -> Option<Result<Vec<Value>, Refusal>> {
        let game = self.older_position().map_or(&*self.table.game, |seen| &*seen.game);
        game.parse_plan(self.seat(), line)
    }

    /// Parses a line as plans at the older position that the player saw. Returns `None` if there is
    /// none, or if the line is no plan there.
    fn parse_as_seen(&self, line: &str) -> Option<Vec<Value>> {
        self.seen_position.as_ref()?.game.parse_plan(self.seat(), line)?.ok()
    }

    /// Returns the older position from which the plans count, or `None` if it is the current one.
    /// Beside an order, they count from after that order.
    fn older_position(&self) -> Option<&Table> {
        let is_beside_order = self.order_visibility == OrderVisibility::Open;
        self.seen_position.as_ref().filter(|_| !is_beside_order)
    }

    /// Adds these plans, each with the number of its line, to the plans of the letter. A plan that
    /// was impossible even at the position that the player saw is a mistake.
    fn add_plans(
        &self,
        letter: &mut LetterPlans,
        plans: Vec<(u32, Value)>,
    ) -> Result<(), (u32, Refusal)> {
        let (game, seat) = (&*self.table.game, self.seat());
        for (number, plan) in plans {
            let refused = |refusal| (number, refusal);
            let reason = impossibility_reason(game, seat, &plan);
            let mistake = match (self.older_position(), &self.seen_position) {
                (Some(seen), _) => impossibility_reason(&*seen.game, seat, &plan),
                // Beside an order that was written late, the other lines still count.
                (None, Some(_)) => None,
                (None, None) => reason.clone(),
            };
            if let Some(why) = mistake {
                return Err(refused(Refusal::illegal(why)));
            }
            if let Some(why) = reason {
                letter.missed.push((number, plan, why));
                continue;
            }
            let (numbers, before): (Vec<u32>, Vec<Value>) = letter.pending.iter().cloned().unzip();
            let all = game.merge_plans(&before, &[plan]).map_err(refused)?;
            letter.pending = numbers.into_iter().chain([number]).zip(all).collect();
        }
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
                match after.judge_and_play_line(seat, &order, &[], &mut thrown) {
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
        (self.kept_lines, self.plans) = letter.pending.into_iter().unzip();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find_kind;
    use crate::rules::Seed;
    use crate::table::{GameSetup, OrderLine, Verdict};
    use chrono::DateTime;
    use std::collections::BTreeMap;

    #[test]
    fn second_of_two_equal_plans_is_refused() {
        let (kind, options) = (find_kind("trick-of-the-rails").expect("it ships"), BTreeMap::new());
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 3 };
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
