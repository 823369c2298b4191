//! A letter's plans: where each of its lines is read, and what comes of it at once.
//!
//! A line that is written before its time is judged like any other: it is kept where it can still
//! be met, carried out where its time has come meanwhile, and else refused with the reason.

use super::standing::said_of_dropped;
use super::submit::{Aim, Judged, Later, Orders};
use super::{OrderLine, Refused, Submission, Table};
use crate::rules::{Dice, DynGame, EventText, Follow, Message, Refusal, Seat};
use serde_json::Value;

/// What a line plans.
pub(super) struct Planned {
    /// The line, as it is read.
    pub line: OrderLine,
    /// Its plans, as their game keeps them.
    pub plans: Vec<Value>,
}

/// A plan of a letter, with the line that it stands in.
type Written = (OrderLine, Value);

impl Table {
    /// The position that the writer of a letter saw, if it is an older one.
    pub(super) fn as_seen(&self, submission: &Submission<'_>, aim: Aim) -> Option<Self> {
        let seen = self.known_to(submission.seat, submission.seen);
        let past = (seen < self.head()).then(|| self.at(seen).ok()).flatten()?;
        Some(if aim == Aim::ToDo { past } else { past.veiled(submission.seat) })
    }

    /// The last record that a seat's player knows of who has seen the one with number `seen`: what
    /// he has done since, before anybody else did anything, he knows.
    fn known_to(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::mover(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }

    /// Reads the plans of a letter where all its orders have led, so that it does not matter where
    /// in it they stand. What has come already is carried out; what could come where its writer
    /// looked and cannot any more is told of, beside what can.
    pub(super) fn file<'a>(
        &self,
        judged: &mut Judged<'a>,
        submission: &Submission<'a>,
        (unseen, aim): (&[EventText], Aim),
        dice: &mut Dice,
    ) -> Result<(), Refused> {
        let (mut letter, mut done) = (Letter::default(), Ok(()));
        let is_old = judged.past.is_some();
        for later in std::mem::take(&mut judged.later) {
            let Later::Plans(Planned { line, .. }) = later else {
                judged.later.push(later);
                continue;
            };
            if done.is_err() {
                continue;
            }
            let read = match plans(judged, submission.seat, &line.text) {
                Some(plans) => {
                    let game = &*judged.table.game;
                    plans
                        .and_then(|more| letter.join(game, submission.seat, (&line, &more), is_old))
                }
                // Its time has come by what the letter itself has led to.
                None if judged.is_open() && aim == Aim::ToForetell => Ok(()),
                None => self.now(judged, submission.seat, &line.text, unseen, dice),
            };
            done = read.map_err(|refusal| (line.number, refusal));
        }
        let done = done
            .and_then(|()| carry_out(judged, submission.seat, &mut letter.kept, dice))
            .and_then(|()| letter.settle(judged));
        let Err((number, refusal)) = done else { return Ok(()) };
        let line: Option<&'a OrderLine> =
            submission.lines.iter().find(|line| line.number == number);
        match line {
            Some(line) if judged.is_open() => {
                judged.cut_short(line, refusal);
                Ok(())
            }
            line => Err(Refused { line: line.cloned(), refusal }),
        }
    }
}

/// What a line wants done later, if it is such a line. It is read at the position that its writer
/// saw, so that it means the turn that he meant.
pub(super) fn plans(
    judged: &Judged<'_>,
    seat: Seat,
    line: &str,
) -> Option<Result<Vec<Value>, Refusal>> {
    let past = judged.past.as_ref();
    let game = past.map_or(&judged.table.game, |past| &past.game);
    game.plan(seat, line).map(|plans| {
        plans.and_then(|plans| {
            // What could not come true even then is a mistake.
            match plans.iter().find_map(|plan| why_never(&**game, seat, plan)) {
                Some(why) if past.is_some() => Err(Refusal::illegal(why)),
                _ => Ok(plans),
            }
        })
    })
}

/// The plans of a letter.
#[derive(Default)]
struct Letter {
    /// Those that can still be met.
    kept: Vec<Written>,
    /// Those that have been overtaken since the letter that theirs answers, and by what.
    late: Vec<(Written, Message)>,
}

impl Letter {
    /// Takes in the plans of one more line.
    fn join(
        &mut self,
        game: &dyn DynGame,
        seat: Seat,
        (line, more): (&OrderLine, &[Value]),
        is_old: bool,
    ) -> Result<(), Refusal> {
        let mut living = Vec::new();
        for plan in more {
            match why_never(game, seat, plan) {
                None => living.push(plan.clone()),
                Some(why) if is_old => {
                    self.late.push(((line.clone(), plan.clone()), why));
                }
                Some(why) => return Err(Refusal::illegal(why)),
            }
        }
        let before: Vec<Value> = self.kept.iter().map(|(_, plan)| plan.clone()).collect();
        let all = game.join_plans(&before, &living)?;
        let lines = self.kept.iter().map(|(line, _)| line);
        let lines = lines.chain(std::iter::repeat(line)).cloned();
        self.kept = lines.zip(all).collect();
        Ok(())
    }

    /// Keeps what is left, and says what is not kept; a letter of which nothing can be done is
    /// refused.
    fn settle(self, judged: &mut Judged<'_>) -> Result<(), (u32, Refusal)> {
        let is_empty = self.kept.is_empty() && judged.orders == Orders::None;
        if let (true, Some(((line, _), why))) = (is_empty, self.late.first()) {
            return Err((line.number, Refusal::illegal(why.clone())));
        }
        let late: Vec<(Value, Message)> =
            self.late.into_iter().map(|((_, plan), why)| (plan, why)).collect();
        judged.remarks.extend(said_of_dropped(&*judged.table.game, &late));
        if let Some((line, _)) = self.kept.first().cloned() {
            let plans = self.kept.into_iter().map(|(_, plan)| plan).collect();
            judged.later.push(Later::Plans(Planned { line, plans }));
        }
        Ok(())
    }
}

/// Why a plan cannot be met any more, if so.
fn why_never(game: &dyn DynGame, seat: Seat, plan: &Value) -> Option<Message> {
    match game.follow(seat, plan) {
        Follow::Never(why) => Some(why),
        Follow::Now(_) | Follow::NotYet => None,
    }
}

/// Carries out what has come of a letter that orders nothing else, the first that is legal.
fn carry_out(
    judged: &mut Judged<'_>,
    seat: Seat,
    letter: &mut Vec<Written>,
    dice: &mut Dice,
) -> Result<(), (u32, Refusal)> {
    if judged.orders != Orders::None || !judged.table.turn().awaits(seat) {
        return Ok(());
    }
    let mut refused = None;
    for index in 0..letter.len() {
        let Some((line, plan)) = letter.get(index) else { break };
        let Follow::Now(orders) = judged.table.game.follow(seat, plan) else { continue };
        for order in orders {
            let (mut after, mut thrown) = (judged.table.game.copy(), dice.clone());
            match after.play(seat, &order, &[], &mut thrown) {
                Ok(played) => {
                    (judged.table.game, *dice) = (after, thrown);
                    judged.note(&order, played);
                    letter.remove(index);
                    return Ok(());
                }
                Err(refusal) => refused = refused.or(Some((line.number, refusal))),
            }
        }
    }
    refused.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::kind;
    use crate::rules::Seed;
    use crate::table::{GameSetup, StandingOrders, Verdict};
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
