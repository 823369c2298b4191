//! A letter's plans: where each of its lines is read, and what comes of it at once.
//!
//! A line that is written before its time is judged like any other: it is kept where it can still
//! be met, carried out where its time has come meanwhile, and else refused with the reason.

use super::standing_orders::{said_of_dropped, why_never};
use super::submit::{Aim, Judged, Orders};
use super::{Refused, Submission, Table};
use crate::rules::{Follow, Message, Refusal, Seat};
use serde_json::Value;

/// The plans of a letter, each with the number of its line.
#[derive(Default)]
struct Plans {
    /// Those that can still be met.
    kept: Vec<(u32, Value)>,
    /// Those that have been overtaken since the position that their writer saw, and by what.
    late: Vec<(u32, Value, Message)>,
}

impl Table {
    /// Returns the position that the writer of a letter saw, if it is an older one.
    pub(super) fn as_seen(&self, submission: &Submission<'_>, aim: Aim) -> Option<Self> {
        let seen = self.known_to(submission.seat, submission.seen);
        let past = (seen < self.head()).then(|| self.at(seen).ok()).flatten()?;
        Some(if aim == Aim::ToDo { past } else { past.veiled(submission.seat) })
    }

    /// Returns the number of the last record that the player knows. `seen` is the last one that the
    /// player saw. The player's own records right after it are known too.
    fn known_to(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::mover(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }
}

impl Judged<'_> {
    /// Reads the plans of a letter where all its orders have led, so that it does not matter where
    /// in it they stand. What has come already is carried out; what could come where its writer
    /// looked and cannot any more is told of, beside what can.
    pub(super) fn file(&mut self) -> Result<(), Refused> {
        let mut letter = Plans::default();
        let filed = std::mem::take(&mut self.planned).iter().try_for_each(|line| {
            let read = match self.plans(&line.text) {
                Some(plans) => plans.and_then(|more| self.join(&mut letter, line.number, more)),
                // Its time has come by what the letter itself has led to.
                None if self.is_open() && self.aim == Aim::ToForetell => Ok(()),
                None => self.now(&line.text),
            };
            read.map_err(|refusal| (line.number, refusal))
        });
        let filed = filed
            .and_then(|()| self.carry_out(&mut letter.kept))
            .and_then(|()| self.settle(letter));
        let Err((number, refusal)) = filed else { return Ok(()) };
        let line = self.submission.lines.iter().find(|line| line.number == number);
        match line {
            Some(line) if self.is_open() => {
                self.cut_short(line, refusal);
                Ok(())
            }
            line => Err(Refused { line: line.cloned(), refusal }),
        }
    }

    /// Reads the plans in a line, if it is such a line. It is read at the position that its writer
    /// saw, so that it is for the turn that its writer meant.
    pub(super) fn plans(&self, line: &str) -> Option<Result<Vec<Value>, Refusal>> {
        let game = self.past.as_ref().map_or(&*self.table.game, |past| &*past.game);
        game.plan(self.seat(), line).map(|plans| {
            plans.and_then(|plans| {
                // What could not come true even then is a mistake.
                match plans.iter().find_map(|plan| why_never(game, self.seat(), plan)) {
                    Some(why) if self.past.is_some() => Err(Refusal::illegal(why)),
                    _ => Ok(plans),
                }
            })
        })
    }

    /// Adds the plans of one more line.
    fn join(&self, letter: &mut Plans, number: u32, more: Vec<Value>) -> Result<(), Refusal> {
        let (game, mut living) = (&*self.table.game, Vec::new());
        for plan in more {
            match why_never(game, self.seat(), &plan) {
                None => living.push(plan),
                Some(why) if self.past.is_some() => letter.late.push((number, plan, why)),
                Some(why) => return Err(Refusal::illegal(why)),
            }
        }
        let (numbers, before): (Vec<u32>, Vec<Value>) = letter.kept.iter().cloned().unzip();
        let all = game.join_plans(&before, &living)?;
        let numbers = numbers.into_iter().chain(std::iter::repeat(number));
        letter.kept = numbers.zip(all).collect();
        Ok(())
    }

    /// Carries out the first plan of the letter whose case has come and whose order is legal. Does
    /// so only if the letter gives no other order.
    fn carry_out(&mut self, letter: &mut Vec<(u32, Value)>) -> Result<(), (u32, Refusal)> {
        let seat = self.seat();
        if self.orders != Orders::None || !self.table.turn().awaits(seat) {
            return Ok(());
        }
        let mut refused = None;
        for (index, (number, plan)) in letter.iter().enumerate() {
            let Follow::Now(orders) = self.table.game.follow(seat, plan) else { continue };
            for order in orders {
                let (mut after, mut thrown) = (self.table.game.copy(), self.dice.clone());
                match after.play(seat, &order, &[], &mut thrown) {
                    Ok(played) => {
                        (self.table.game, self.dice) = (after, thrown);
                        self.note(&order, played);
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
    fn settle(&mut self, letter: Plans) -> Result<(), (u32, Refusal)> {
        let is_empty = letter.kept.is_empty() && self.orders == Orders::None;
        if let (true, Some((number, _, why))) = (is_empty, letter.late.first()) {
            return Err((*number, Refusal::illegal(why.clone())));
        }
        let late: Vec<_> = letter.late.into_iter().map(|(_, plan, why)| (plan, why)).collect();
        self.remarks.extend(said_of_dropped(&*self.table.game, &late));
        self.plans = letter.kept.into_iter().map(|(_, plan)| plan).collect();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::kind;
    use crate::rules::Seed;
    use crate::table::{GameSetup, OrderLine, StandingOrders, Verdict};
    use chrono::DateTime;
    use std::collections::BTreeMap;

    #[test]
    fn of_lines_that_are_alike_the_one_is_refused_that_is_at_fault() {
        let (kind, options) = (kind("trick-of-the-rails").expect("it ships"), BTreeMap::new());
        let setup = GameSetup { kind, definition: kind.definition(), options: &options, seats: 3 };
        let table =
            Table::found(setup, 1, Seed::rehearsal(7), DateTime::UNIX_EPOCH).expect("a table");
        let waits = |seat: &Seat| !table.turn().awaits(*seat);
        let seat = Seat::all(3).into_iter().find(waits).expect("two of them");
        let forms = table.game().forms(seat).into_iter();
        let lead = forms.map(|form| form.line).find(|line| line.starts_with("lead "));
        let line = |number| OrderLine::new(number, lead.clone().expect("a plan"));
        let (lines, standing) = ([line(3), line(5)], &StandingOrders::default());
        let submission = Submission { seat, lines: &lines, seen: 1, letter: None, standing };
        let Verdict::Refused(refused) = table.submit(&submission, DateTime::UNIX_EPOCH) else {
            panic!("it says one thing twice")
        };
        assert_eq!(refused.refusal.reason.key, "tr-plan-twice");
        assert_eq!(refused.line.map(|line| line.number), Some(5));
    }
}
