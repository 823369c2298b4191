//! A letter's plans: where each of its lines is read, and what comes of it at once.
//!
//! A line that is written before its time is judged like any other: it is kept where it can still
//! be met, carried out where its time has come meanwhile, and else refused with the reason.

use super::queued_orders::{describe_dropped_plans, impossibility_reason};
use super::submit::{Judgement, OrderVisibility, Purpose};
use super::{LetterRefusal, Submission, Table};
use crate::rules::{Message, PlanStatus, Refusal, Seat};
use serde_json::Value;

/// The plans of a letter, each with the number of its line.
#[derive(Default)]
struct LetterPlans {
    /// Those that can still be met.
    pending: Vec<(u32, Value)>,
    /// Those that have been overtaken since the position that their writer saw, and by what.
    missed: Vec<(u32, Value, Message)>,
}

impl Table {
    /// Returns the position that the writer of a letter saw, if it is an older one.
    pub(super) fn position_seen_by_writer(
        &self,
        submission: &Submission<'_>,
        aim: Purpose,
    ) -> Option<Self> {
        let seen = self.last_known_record(submission.seat, submission.seen_record);
        let past = (seen < self.head()).then(|| self.at_record(seen).ok()).flatten()?;
        Some(if aim == Purpose::Execute { past } else { past.redealt_for(submission.seat) })
    }

    /// Returns the number of the last record that the player knows. `seen` is the last one that the
    /// player saw. The player's own records right after it are known too.
    fn last_known_record(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::ordering_seat(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }
}

impl Judgement<'_> {
    /// Reads the plans of a letter where all its orders have led, so that it does not matter where
    /// in it they stand. What has come already is carried out; what could come where its writer
    /// looked and cannot any more is told of, beside what can.
    pub(super) fn file_plans(&mut self) -> Result<(), LetterRefusal> {
        let mut letter = LetterPlans::default();
        let filed = std::mem::take(&mut self.plan_lines).iter().try_for_each(|line| {
            let read = match self.parse_plans(&line.text) {
                Some(plans) => {
                    plans.and_then(|more| self.add_plans(&mut letter, line.number, more))
                }
                // Its time has come by what the letter itself has led to.
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

    /// Reads the plans in a line, if it is such a line. It is read at the position that its writer
    /// saw, so that it is for the turn that its writer meant.
    pub(super) fn parse_plans(&self, line: &str) -> Option<Result<Vec<Value>, Refusal>> {
        let game = self.seen_position.as_ref().map_or(&*self.table.game, |past| &*past.game);
        game.parse_plan(self.seat(), line).map(|plans| {
            plans.and_then(|plans| {
                // What could not come true even then is a mistake.
                match plans.iter().find_map(|plan| impossibility_reason(game, self.seat(), plan)) {
                    Some(why) if self.seen_position.is_some() => Err(Refusal::illegal(why)),
                    _ => Ok(plans),
                }
            })
        })
    }

    /// Adds the plans of one more line.
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
                    letter.missed.push((number, plan, why))
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

    /// Carries out the first plan of the letter whose case has come and whose order is legal. Does
    /// so only if the letter gives no other order.
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

    /// Keeps what is left, and says what is not kept; a letter of which nothing can be done is
    /// refused.
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
