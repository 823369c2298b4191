//! Standing orders: what a seat wants done later, and how a table carries itself on by them.
//!
//! The conditions belong to the game; the queue belongs here. Standing orders are no part of a
//! game's log, for a record that others can count would tell them that somebody has planned. What
//! is carried out by a plan becomes a record like that of a letter.

use super::{Cause, Table};
use crate::rules::{Arg, Dice, DynGame, EventText, Follow, Message, Refusal, Seat, Turn};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// What a seat wants done later. Only its own player sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingOrders {
    /// The plans, most wanted first, as their game keeps them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<serde_json::Value>,
    /// Whether an order is carried out without being written when it is the only legal one.
    #[serde(default, skip_serializing_if = "is_off")]
    pub auto_forced: bool,
    /// Orders that hold already and that only their player may know of: the first lines of the
    /// seat's next record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secret: Vec<String>,
    /// What became of plans that were dropped, until the next letter to their player tells it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untold: Vec<Message>,
}

fn is_off(on: &bool) -> bool {
    !on
}

impl StandingOrders {
    /// Whether there are none, and nothing is left to be told of any.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Forgets what was meant for a position that is no more.
    pub(crate) fn forget(&mut self) {
        if !self.plans.is_empty() {
            self.untold.push(Message::new("plans-forgotten"));
        }
        self.plans.clear();
        self.secret.clear();
    }
}

/// A line that changes a seat's standing orders and is the same in every game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `auto forced on`, or `off`.
    AutoForced(bool),
    /// `clear plans`: nothing is to be done later.
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
    /// The seats whose moment has come at the position where the table began.
    unasked: Vec<Seat>,
}

impl Table {
    /// Carries the game on as far as standing orders go. `standing` is by seat; `unasked` are the
    /// seats whose [moment](Table::moment) has come.
    ///
    /// The first plan is used that has come and whose line is legal. When plans have come and none
    /// of their lines is legal they are dropped, so that no plan is met late; so are those whose
    /// case cannot come any more. Their player is told of each.
    pub fn carry_on(
        &self,
        standing: &[StandingOrders],
        unasked: &[Seat],
        now: DateTime<Utc>,
    ) -> Carried {
        let mut carried =
            Carried { table: self.clone(), standing: standing.to_vec(), unasked: unasked.to_vec() };
        if standing.iter().all(StandingOrders::is_empty) {
            return carried;
        }
        while let Turn::Awaiting(seats) = carried.table.turn() {
            if !seats.iter().any(|seat| carried.step(*seat, now)) {
                break;
            }
        }
        carried.drop_what_cannot_come();
        carried
    }

    /// Plays one line that a seat has planned, when it is legal, after what it has ordered in
    /// secret.
    fn play_planned(
        &self,
        seat: Seat,
        secret: &[String],
        line: &str,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        let mut after = self.clone();
        let mut dice = after.dice();
        let (mut lines, mut events) = after.bring_forward(seat, secret, &mut dice);
        events.extend(after.game.play(seat, line, &[], &mut dice)?.events);
        lines.push(line.to_owned());
        after.append(Cause::Orders { seat, lines, letter: None }, events, dice.counter(), now);
        Ok(after)
    }

    /// Plays what a seat has ordered in secret, as far as it is still legal: the lines and events
    /// with which its next record begins.
    pub(super) fn bring_forward(
        &mut self,
        seat: Seat,
        secret: &[String],
        dice: &mut Dice,
    ) -> (Vec<String>, Vec<EventText>) {
        let (mut lines, mut events) = (Vec::new(), Vec::new());
        for line in secret {
            let mut after = self.game.copy();
            if let Ok(played) = after.play(seat, line, &[], dice) {
                self.game = after;
                lines.push(line.clone());
                events.extend(played.events);
            }
        }
        (lines, events)
    }

    /// The table as the player of this seat knows it, what he has ordered in secret included; none
    /// when that is nothing.
    pub(crate) fn as_known_to(&self, seat: Seat, standing: &StandingOrders) -> Option<Self> {
        if standing.secret.is_empty() {
            return None;
        }
        let mut known = self.clone();
        let mut dice = known.dice();
        known.bring_forward(seat, &standing.secret, &mut dice);
        Some(known)
    }

    /// When a seat that wants it so does the only thing that is legal, of which nobody else can
    /// know that it is; none when it has a choice, or everybody can see that it has none.
    ///
    /// It is drawn evenly over the whole time that the seat has, from the game's secret, the seat
    /// and the position. So however long the others have waited, they cannot tell such a seat from
    /// one whose player still thinks; at once, or after any bounded delay, they could.
    pub fn moment(
        &self,
        seat: Seat,
        standing: &StandingOrders,
        (since, deadline): (DateTime<Utc>, DateTime<Utc>),
    ) -> Option<DateTime<Utc>> {
        let hides = standing.auto_forced
            && self.turn().awaits(seat)
            && self.game.openly_forced(seat).is_none()
            && self.game.forced(seat).is_some();
        if !hides {
            return None;
        }
        let drawn = self.chain.draw(&format!("auto forced {seat} {}", self.head()));
        let seconds = (deadline - since).num_seconds().max(0);
        let share = i128::from(seconds) * i128::from(drawn) / (i128::from(u32::MAX) + 1);
        Some(since + TimeDelta::seconds(i64::try_from(share).unwrap_or(seconds)))
    }
}

impl Carried {
    /// Does one thing that this seat has planned; whether there was one.
    fn step(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        let Some(standing) = self.standing.get_mut(seat.index()) else { return false };
        let mut refused = Vec::new();
        let secret = standing.secret.clone();
        for (index, plan) in standing.plans.iter().enumerate() {
            let Follow::Now(lines) = self.table.game.follow(seat, plan) else { continue };
            for line in &lines {
                match self.table.play_planned(seat, &secret, line, now) {
                    Ok(table) => {
                        standing.plans.remove(index);
                        standing.secret.clear();
                        self.go_on_from(table);
                        return true;
                    }
                    Err(refusal) => refused.push((index, refusal)),
                }
            }
        }
        let forced = match self.table.game.openly_forced(seat) {
            None if self.unasked.contains(&seat) => self.table.game.forced(seat),
            openly => openly,
        };
        if standing.auto_forced
            && let Some(line) = forced
            && let Ok(table) = self.table.play_planned(seat, &secret, &line, now)
        {
            standing.secret.clear();
            self.go_on_from(table);
            return true;
        }
        self.drop_refused(seat, &refused);
        false
    }

    fn go_on_from(&mut self, table: Table) {
        self.table = table;
        self.unasked.clear();
    }

    fn drop_refused(&mut self, seat: Seat, refused: &[(usize, Refusal)]) {
        let Some(standing) = self.standing.get_mut(seat.index()) else { return };
        let plans = std::mem::take(&mut standing.plans);
        let mut dropped = Vec::new();
        for (index, plan) in plans.into_iter().enumerate() {
            match refused.iter().find(|(at, _)| *at == index) {
                Some((_, refusal)) => dropped.push((plan, refusal.reason.clone())),
                None => standing.plans.push(plan),
            }
        }
        standing.untold.extend(said_of_dropped(self.table.game(), &dropped));
    }

    fn drop_what_cannot_come(&mut self) {
        let game = self.table.game();
        for (seat, standing) in (1..).map(Seat::new).zip(&mut self.standing) {
            let mut dropped = Vec::new();
            for plan in std::mem::take(&mut standing.plans) {
                match game.follow(seat, &plan) {
                    Follow::Never(why) => dropped.push((plan, why)),
                    Follow::Now(_) | Follow::NotYet => standing.plans.push(plan),
                }
            }
            standing.untold.extend(said_of_dropped(game, &dropped));
        }
    }
}

/// What a player is told of plans that were dropped, those for one reason together.
pub(super) fn said_of_dropped(
    game: &dyn DynGame,
    dropped: &[(serde_json::Value, Message)],
) -> Vec<Message> {
    let mut reasons: Vec<(&Message, Vec<Arg>)> = Vec::new();
    for (plan, why) in dropped {
        // What cannot be read any more cannot be said either.
        let plan = game.say_plan(plan).unwrap_or_else(|| Message::new("plan-unnamed"));
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, plans)) => plans.push(plan.into()),
            None => reasons.push((why, vec![plan.into()])),
        }
    }
    let said = |(why, mut plans): (&Message, Vec<Arg>)| {
        let plan = match plans.pop() {
            Some(only) if plans.is_empty() => only,
            last => {
                let quoted = |plan: Arg| Arg::from(Message::new("plan-quoted").with("plan", plan));
                Arg::List(plans.into_iter().chain(last).map(quoted).collect())
            }
        };
        Message::new("plan-dropped").with("plan", plan).with("why", why.clone())
    };
    reasons.into_iter().map(said).collect()
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
