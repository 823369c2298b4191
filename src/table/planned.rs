//! A letter's plans: where each of its lines is read, and what comes of it at once.
//!
//! A line that is written before its time is judged like any other: it is kept where it can still
//! be met, carried out where its time has come meanwhile, and else refused with the reason.

use super::submit::{Aim, Judged, Later, Orders};
use super::{OrderLine, Refused, Submission, Table};
use crate::rules::{Dice, EventText, Follow, Refusal, Seat};
use serde_json::Value;

/// What a line plans.
pub(super) struct Planned {
    /// The line, as it is read.
    pub line: String,
    /// Its plans, as their game keeps them.
    pub plans: Vec<Value>,
}

/// A plan of a letter, with the line that it stands in.
type Written = (String, Value);

impl Table {
    /// What a line wants done later, if it is such a line. It is read at the position that its
    /// writer saw, so that it means the turn that he meant.
    pub(super) fn plans(
        &self,
        judged: &Judged<'_>,
        submission: &Submission<'_>,
        line: &str,
        aim: Aim,
    ) -> Option<Result<Vec<Value>, Refusal>> {
        let seat = submission.seat;
        let seen = self.known_to(seat, submission.seen);
        let past = (seen < self.head()).then(|| self.at(seen).ok()).flatten();
        let past = past.map(|past| if aim == Aim::ToDo { past } else { past.veiled(seat) });
        let game = past.as_ref().map_or(&judged.table.game, |past| &past.game);
        game.plan(seat, line)
    }

    /// The last record that a seat's player knows of who has seen the one with number `seen`: what
    /// he has done since, before anybody else did anything, he knows.
    fn known_to(&self, seat: Seat, seen: u32) -> u32 {
        let since = self.records_since(seen).iter();
        let own = since.take_while(|record| Self::mover(record) == Some(seat)).count();
        seen.saturating_add(u32::try_from(own).unwrap_or_default())
    }

    /// Reads the plans of a letter where all its orders have led, so that it does not matter where
    /// in it they stand. What has come already is carried out.
    pub(super) fn file<'a>(
        &self,
        judged: &mut Judged<'a>,
        submission: &Submission<'a>,
        (unseen, aim): (&[EventText], Aim),
        dice: &mut Dice,
    ) -> Result<(), Refused> {
        let (mut letter, mut done): (Vec<Written>, _) = (Vec::new(), Ok(()));
        for later in std::mem::take(&mut judged.later) {
            let Later::Plans(Planned { line, .. }) = later else {
                judged.later.push(later);
                continue;
            };
            if done.is_err() {
                continue;
            }
            let read = match self.plans(judged, submission, &line, aim) {
                Some(plans) => plans
                    .and_then(|plans| joined(judged, submission.seat, &letter, (&line, &plans)))
                    .map(|joined| letter = joined),
                // Its time has come by what the letter itself has led to.
                None if judged.is_open() && aim == Aim::ToForetell => Ok(()),
                None => self.now(judged, submission.seat, &line, unseen, dice),
            };
            done = read.map_err(|refusal| (line, refusal));
        }
        let done = done.and_then(|()| carry_out(judged, submission.seat, &mut letter, dice));
        if !letter.is_empty() {
            let plans = letter.into_iter().map(|(_, plan)| plan).collect();
            judged.later.push(Later::Plans(Planned { line: String::new(), plans }));
        }
        let Err((text, refusal)) = done else { return Ok(()) };
        let line: Option<&'a OrderLine> =
            submission.lines.iter().find(|line| line.text.contains(&text));
        match line {
            Some(line) if judged.is_open() => {
                judged.cut_short(line, refusal);
                Ok(())
            }
            line => Err(Refused { line: line.cloned(), refusal }),
        }
    }
}

/// The plans of a letter with those of one more line, each of which can still be met.
fn joined(
    judged: &Judged<'_>,
    seat: Seat,
    letter: &[Written],
    (line, more): (&str, &[Value]),
) -> Result<Vec<Written>, Refusal> {
    let game = &judged.table.game;
    for plan in more {
        if let Follow::Never(why) = game.follow(seat, plan) {
            return Err(Refusal::illegal(why));
        }
    }
    let before: Vec<Value> = letter.iter().map(|(_, plan)| plan.clone()).collect();
    let all = game.join_plans(&before, more)?;
    let lines = letter.iter().map(|(line, _)| line.as_str()).chain(std::iter::repeat(line));
    Ok(lines.map(str::to_owned).zip(all).collect())
}

/// Carries out what has come of a letter that orders nothing else, the first that is legal.
fn carry_out(
    judged: &mut Judged<'_>,
    seat: Seat,
    letter: &mut Vec<Written>,
    dice: &mut Dice,
) -> Result<(), (String, Refusal)> {
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
                Err(refusal) => refused = refused.or(Some((line.clone(), refusal))),
            }
        }
    }
    refused.map_or(Ok(()), Err)
}
