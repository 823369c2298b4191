//! Standing orders: what a seat wants done later, and how a table carries itself on by them.
//!
//! The conditions belong to the game; the queue belongs here. Standing orders are no part of a
//! game's log, for a record that others can count would tell them that somebody has planned. What
//! is carried out by a plan becomes a record like that of a letter.

use super::{Cause, Table};
use crate::rules::{EventText, Follow, Message, Refusal, Seat, Turn};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What a seat wants done later. Only its own player sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingOrders {
    /// The plans, most wanted first, as their game keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<serde_json::Value>,
    /// Whether an order is carried out at once when it is the only legal one.
    #[serde(default, skip_serializing_if = "is_off")]
    pub auto_forced: bool,
}

fn is_off(on: &bool) -> bool {
    !on
}

impl StandingOrders {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A line that changes a seat's standing orders and is the same in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `auto forced on`, or `off`.
    AutoForced(bool),
    /// `clear plans`.
    ClearPlans,
}

impl Choice {
    /// The choice that a line makes.
    pub fn read(line: &str) -> Option<Self> {
        let line = line.to_lowercase();
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
        match words.as_slice() {
            ["auto", "forced"] | ["auto", "forced", "on"] => Some(Self::AutoForced(true)),
            ["auto", "forced", "off"] => Some(Self::AutoForced(false)),
            ["clear", "plan" | "plans"] | ["no", "plans"] => Some(Self::ClearPlans),
            _ => None,
        }
    }
}

/// A table that standing orders have carried on.
pub struct Carried {
    /// The table afterwards.
    pub table: Table,
    /// What is left of the standing orders, by seat.
    pub standing: Vec<StandingOrders>,
    /// What each seat should know of its plans.
    pub words: Vec<(Seat, Message)>,
}

impl Table {
    /// Carries the game on as far as standing orders go. `standing` is by seat.
    ///
    /// The first plan is used that has come and whose line is legal. When plans have come and none
    /// of their lines is legal they are dropped with a word, so that no plan is met late.
    pub fn carry_on(&self, standing: &[StandingOrders], now: DateTime<Utc>) -> Carried {
        let mut carried =
            Carried { table: self.clone(), standing: standing.to_vec(), words: Vec::new() };
        if standing.iter().all(StandingOrders::is_empty) {
            return carried;
        }
        while let Turn::Awaiting(seats) = carried.table.turn() {
            if !seats.iter().any(|seat| carried.step(*seat, now)) {
                break;
            }
        }
        carried.forget_what_cannot_come();
        carried
    }

    /// Plays one line that a seat has planned, when it is legal.
    fn play_planned(&self, seat: Seat, line: &str, now: DateTime<Utc>) -> Result<Self, Refusal> {
        let mut after = self.clone();
        let mut dice = after.dice();
        let events: Vec<EventText> = after.game.play(seat, line, &[], &mut dice)?.events;
        let cause = Cause::Orders { seat, lines: vec![line.to_owned()], letter: None };
        after.append(cause, events, dice.counter(), now);
        Ok(after)
    }
}

impl Carried {
    /// Does one thing that this seat has planned; whether there was one.
    fn step(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        let Some(standing) = self.standing.get_mut(seat.index()) else { return false };
        let mut refused = Vec::new();
        for (index, plan) in standing.plans.iter().enumerate() {
            let Follow::Now(lines) = self.table.game.follow(seat, plan) else { continue };
            for line in &lines {
                match self.table.play_planned(seat, line, now) {
                    Ok(table) => {
                        standing.plans.remove(index);
                        self.table = table;
                        return true;
                    }
                    Err(refusal) => refused.push((index, refusal)),
                }
            }
        }
        if standing.auto_forced
            && let Some(line) = self.table.game.forced(seat)
            && let Ok(table) = self.table.play_planned(seat, &line, now)
        {
            self.table = table;
            return true;
        }
        self.drop_refused(seat, &refused);
        false
    }

    fn drop_refused(&mut self, seat: Seat, refused: &[(usize, Refusal)]) {
        let Some(standing) = self.standing.get_mut(seat.index()) else { return };
        let mut dropped: Vec<usize> = Vec::new();
        for (index, refusal) in refused {
            if dropped.contains(index) {
                continue;
            }
            dropped.push(*index);
            let plan = standing.plans.get(*index).and_then(|plan| self.table.game.say_plan(plan));
            if let Some(plan) = plan {
                let why = refusal.reason.clone();
                let word = Message::new("plan-dropped").with("plan", plan).with("why", why);
                self.words.push((seat, word));
            }
        }
        let mut index = 0;
        standing.plans.retain(|_| {
            index += 1;
            !dropped.contains(&(index - 1))
        });
    }

    fn forget_what_cannot_come(&mut self) {
        for (seat, standing) in (1..).map(Seat::new).zip(&mut self.standing) {
            let game = &self.table.game;
            standing.plans.retain(|plan| game.follow(seat, plan) != Follow::Never);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_in_any_case() {
        assert_eq!(Choice::read("Auto-forced: on."), Some(Choice::AutoForced(true)));
        assert_eq!(Choice::read("auto forced off"), Some(Choice::AutoForced(false)));
        assert_eq!(Choice::read("Clear plans!"), Some(Choice::ClearPlans));
        assert_eq!(Choice::read("clear the way"), None);
    }
}
