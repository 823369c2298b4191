//! Queued orders: what a seat wants to do later, and how the table carries it out.
//!
//! The game defines the conditions of plans, and this module keeps the queue. Queued orders are
//! stored outside the game's log: other players can count records, so a record would disclose that
//! somebody has planned. When a plan is carried out, it becomes a record like the orders of a
//! letter.

use super::{Cause, Table};
use crate::rules::{Arg, Dice, DynGame, EventText, Message, PlanStatus, Refusal, Seat, Turn};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// The orders that a seat has queued for later. Only the seat's player sees them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedOrders {
    /// The plans, most wanted first, as the game's JSON.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plans: Vec<serde_json::Value>,
    /// Whether the program plays the seat's order without a letter if only one order is legal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub auto_forced: bool,
    /// Secret orders that are already in effect, which only the player may know. They become the
    /// first lines of the seat's next record.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "secret")]
    pub secret_lines: Vec<String>,
    /// The number of the last record that the player had seen when they gave these orders; 0 if
    /// there are no orders.
    #[serde(default, skip_serializing_if = "is_none")]
    #[serde(rename = "filed")]
    pub seen_record: u32,
    /// Notices about dropped plans, kept until the next letter to the player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(rename = "untold")]
    pub unsent_notices: Vec<Message>,
}

const fn is_none(seq: &u32) -> bool {
    *seq == 0
}

impl QueuedOrders {
    /// Whether there are no orders, settings or notices.
    pub fn is_empty(&self) -> bool {
        !self.auto_forced && self.has_no_orders() && self.unsent_notices.is_empty()
    }

    /// Whether there are no plans and no secret orders. Only those depend on a position.
    const fn has_no_orders(&self) -> bool {
        self.plans.is_empty() && self.secret_lines.is_empty()
    }

    /// Sets the last seen record: to `seen` if the plans or secret orders differ from `before`,
    /// otherwise to the value in `before`.
    pub(super) fn update_seen_record(self, before: &Self, seen: u32) -> Self {
        let anew = self.plans != before.plans || self.secret_lines != before.secret_lines;
        let filed = if anew { seen } else { before.seen_record };
        Self { seen_record: if self.has_no_orders() { 0 } else { filed }, ..self }
    }

    /// Drops the plans and secret orders if they were written for a position after record `to`,
    /// which an undo or a rewind took back. Notifies the player with `why`.
    pub(crate) fn drop_if_written_after(&mut self, to: u32, why: Message) {
        if self.seen_record > to {
            self.drop_plans_and_notify(why);
        }
    }

    /// Drops the plans and secret orders, because their position no longer exists. If there were
    /// any, notifies the player with `why`.
    pub(crate) fn drop_plans_and_notify(&mut self, why: Message) {
        if !self.has_no_orders() {
            self.unsent_notices.push(why);
        }
        self.plans.clear();
        self.secret_lines.clear();
        self.seen_record = 0;
    }
}

/// A command that changes a seat's queued orders. Every game has these commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueCommand {
    /// `auto forced on` or `auto forced off`: whether the seat's order is given for the player if
    /// only one is legal.
    AutoForced(bool),
    /// `clear plans`: drops all plans.
    ClearPlans,
}

impl QueueCommand {
    /// Parses a line as a command. Returns `None` for any other line.
    pub fn parse(line: &str) -> Option<Self> {
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

/// The result of carrying out queued orders.
pub struct QueueOutcome {
    /// The table after the queued orders were carried out.
    pub table: Table,
    /// The queued orders that remain, by seat.
    pub queued: Vec<QueuedOrders>,
    /// The seats whose [automatic order](Table::auto_play_time) is due at the current position.
    /// Empty once an order was played, because it is for one position only.
    pub(super) due_seats: Vec<Seat>,
}

impl Table {
    /// Carries out queued orders as long as one is due. `queued` is by seat, and `unasked` are the
    /// seats whose [automatic order](Table::auto_play_time) is due.
    ///
    /// Of a seat's plans, the first is used that is due and has a legal line. If plans are due but
    /// none has a legal line, they are dropped, so that none is carried out late. Plans that can no
    /// longer become due are dropped too. The queued orders get a notice for each dropped plan.
    pub fn play_queued_orders(
        &self,
        queued: &[QueuedOrders],
        due_seats: &[Seat],
        now: DateTime<Utc>,
    ) -> QueueOutcome {
        let mut carried = QueueOutcome {
            table: self.clone(),
            queued: queued.to_vec(),
            due_seats: due_seats.to_vec(),
        };
        if queued.iter().all(QueuedOrders::is_empty) {
            return carried;
        }
        while let Turn::Awaiting(seats) = carried.table.turn() {
            if carried.open_sealed_orders(&seats, now) {
                continue;
            }
            if !seats.iter().any(|seat| carried.play_next_queued(*seat, now)) {
                break;
            }
        }
        for seat in Seat::all(self.founding.seats) {
            carried.drop_plans(seat, |game, _, plan| impossibility_reason(game, seat, plan));
        }
        carried
    }

    /// Whether one of these plans is due now. If so, the seat's turn must stay open for it.
    pub(super) fn has_due_plan(&self, seat: Seat, plans: &[serde_json::Value]) -> bool {
        plans.iter().any(|plan| matches!(self.game.plan_status(seat, plan), PlanStatus::Due(_)))
    }

    /// Plays a line without a letter, after the seat's secret orders. Completes the turn if
    /// `closes` returns `true` for the position after the line.
    ///
    /// # Errors
    /// The refusal of the line.
    pub(super) fn play_without_letter(
        &self,
        seat: Seat,
        secret: &[String],
        choose: impl FnOnce(&dyn DynGame) -> Vec<String>,
        closes: impl FnOnce(&Self) -> bool,
        cause: impl FnOnce(Vec<String>) -> Cause,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        let mut after = self.clone();
        let mut dice = after.dice();
        let (mut lines, mut events) = after.play_secret_orders(seat, secret, &mut dice);
        for line in choose(&*after.game) {
            events.extend(after.game.judge_and_play_line(seat, &line, &[], &mut dice)?.events);
            lines.push(line);
        }
        if closes(&after)
            && let Some((line, played)) = after.play_implied_final_order(seat, &mut dice)?
        {
            lines.push(line);
            events.extend(played.events);
        }
        after.append_record(cause(lines), events, dice.used_word_count(), now);
        Ok(after)
    }

    /// Plays a seat's secret orders, if they are still legal. Returns their lines and events, which
    /// begin the seat's next record.
    pub(super) fn play_secret_orders(
        &mut self,
        seat: Seat,
        secret: &[String],
        dice: &mut Dice,
    ) -> (Vec<String>, Vec<EventText>) {
        let (mut lines, mut events) = (Vec::new(), Vec::new());
        for line in secret {
            let mut after = self.game.clone_box();
            if let Ok(played) = after.judge_and_play_line(seat, line, &[], dice) {
                self.game = after;
                lines.push(line.clone());
                events.extend(played.events);
            }
        }
        (lines, events)
    }

    /// Returns the table with the seat's secret orders played, as its player knows it: only up to
    /// the first event that discloses something. `None` if there are no secret orders.
    pub(crate) fn with_secret_orders(&self, seat: Seat, queued: &QueuedOrders) -> Option<Self> {
        if queued.secret_lines.is_empty() {
            return None;
        }
        let mut known = self.clone();
        let mut dice = known.dice();
        for line in &queued.secret_lines {
            let mut ahead = known.game.clone_box();
            let Ok(played) = ahead.judge_and_play_line(seat, line, &[], &mut dice) else {
                continue;
            };
            let Some(disclosed) = played.first_disclosure else {
                known.game = ahead;
                continue;
            };
            for event in played.events.iter().take(disclosed) {
                known.game.apply(event).ok()?;
            }
            break;
        }
        Some(known)
    }

    /// Returns the time at which the program plays a seat's only legal order, if the player wants
    /// that and only the player can know that there is no choice. `None` if there is a choice, or
    /// if everybody can see that there is none.
    ///
    /// The time is uniformly distributed over the whole time that the seat has, and derived from
    /// the game's seed, the seat and the position. So waiting does not tell the others whether the
    /// player has no choice or is still thinking. An immediate order would tell them, and so would
    /// any bounded delay.
    pub fn auto_play_time(
        &self,
        seat: Seat,
        queued: &QueuedOrders,
        (since, deadline): (DateTime<Utc>, DateTime<Utc>),
    ) -> Option<DateTime<Utc>> {
        let hides = queued.auto_forced
            && self.turn().awaits(seat)
            && self.game.publicly_only_legal_line(seat).is_none()
            && self.game.only_legal_line(seat).is_some();
        if !hides {
            return None;
        }
        let drawn =
            self.chain.derive_number(&format!("auto forced {seat} {}", self.last_record_number()));
        let seconds = (deadline - since).num_seconds().max(0);
        let share = i128::from(seconds) * i128::from(drawn) / (i128::from(u32::MAX) + 1);
        Some(since + TimeDelta::seconds(i64::try_from(share).unwrap_or(seconds)))
    }
}

impl QueueOutcome {
    /// Plays one queued order of this seat. Returns whether there was one.
    fn play_next_queued(&mut self, seat: Seat, now: DateTime<Utc>) -> bool {
        let Some(standing) = self.queued.get_mut(seat.index()) else { return false };
        let mut refused: Vec<(usize, Refusal)> = Vec::new();
        let secret = standing.secret_lines.clone();
        // The turn is completed as after a letter, unless another plan is due.
        let play = |table: &Table, line: &str, more: &[serde_json::Value]| {
            let closes = |after: &Table| !after.has_due_plan(seat, more);
            let cause = |lines| Cause::Orders { seat, lines, letter: None };
            table.play_without_letter(seat, &secret, |_| vec![line.to_owned()], closes, cause, now)
        };
        for (index, plan) in standing.plans.iter().enumerate() {
            let PlanStatus::Due(lines) = self.table.game.plan_status(seat, plan) else { continue };
            let mut more = standing.plans.clone();
            more.remove(index);
            for line in &lines {
                match play(&self.table, line, &more) {
                    Ok(table) => {
                        standing.plans.remove(index);
                        standing.secret_lines.clear();
                        (self.table, self.due_seats) = (table, Vec::new());
                        return true;
                    }
                    Err(refusal) => refused.push((index, refusal)),
                }
            }
        }
        let forced = match self.table.game.publicly_only_legal_line(seat) {
            None if self.due_seats.contains(&seat) => self.table.game.only_legal_line(seat),
            openly => openly,
        };
        if standing.auto_forced
            && let Some(line) = forced
            && let Ok(table) = play(&self.table, &line, &standing.plans)
        {
            standing.secret_lines.clear();
            (self.table, self.due_seats) = (table, Vec::new());
            return true;
        }
        self.drop_plans(seat, |_, index, _| {
            let refusal = refused.iter().find(|(at, _)| *at == index);
            refusal.map(|(_, refusal)| refusal.reason.clone())
        });
        false
    }

    /// Drops the plans for which `why` returns a reason, and adds notices for the player.
    fn drop_plans(
        &mut self,
        seat: Seat,
        why: impl Fn(&dyn DynGame, usize, &serde_json::Value) -> Option<Message>,
    ) {
        let Some(standing) = self.queued.get_mut(seat.index()) else { return };
        let (game, mut dropped) = (&*self.table.game, Vec::new());
        for (index, plan) in std::mem::take(&mut standing.plans).into_iter().enumerate() {
            match why(game, index, &plan) {
                Some(why) => dropped.push((plan, why)),
                None => standing.plans.push(plan),
            }
        }
        standing.unsent_notices.extend(describe_dropped_plans(game, &dropped));
    }
}

/// Returns the reason why a plan can no longer become due, if there is one.
pub(super) fn impossibility_reason(
    game: &dyn DynGame,
    seat: Seat,
    plan: &serde_json::Value,
) -> Option<Message> {
    match game.plan_status(seat, plan) {
        PlanStatus::Impossible(why) => Some(why),
        PlanStatus::Due(_) | PlanStatus::Pending => None,
    }
}

/// Returns the notices about dropped plans. Plans with equal reasons share a notice.
pub(super) fn describe_dropped_plans(
    game: &dyn DynGame,
    dropped: &[(serde_json::Value, Message)],
) -> Vec<Message> {
    let mut reasons: Vec<(&Message, Vec<Message>)> = Vec::new();
    for (plan, why) in dropped {
        // A plan that this program version cannot read has no description.
        let plan = game.describe_plan(plan).unwrap_or_else(|| Message::new("plan-unnamed"));
        match reasons.iter_mut().find(|(reason, _)| *reason == why) {
            Some((_, plans)) => plans.push(plan),
            None => reasons.push((why, vec![plan])),
        }
    }
    let said = |(why, plans): (&Message, Vec<Message>)| {
        let plan = match plans.as_slice() {
            [only] => Arg::from(only.clone()),
            _ => plans
                .into_iter()
                .map(|plan| Message::new("plan-quoted").with("plan", plan))
                .collect(),
        };
        Message::new("plan-dropped").with("plan", plan).with("why", why.clone())
    };
    reasons.into_iter().map(said).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{GameSetup, OrderLine, Submission, Verdict};
    use super::*;
    use crate::rules::Seed;

    /// Returns a game of Off the Rails just before a collision, in which the rammed player cuts the
    /// load. The carts of seat 1 are on D1 and G1, and the white cart of seat 2 is on D3 with three
    /// jewels.
    fn table_before_collision() -> Table {
        let kind = crate::games::find_kind("off-the-rails").unwrap();
        let options = [("cut".to_owned(), "interactive".to_owned())].into();
        let setup =
            GameSetup { kind, definition: kind.shipped_definition(), options: &options, seats: 2 };
        let mut table =
            Table::found_game(setup, 1, Seed::from_number(1), DateTime::UNIX_EPOCH).unwrap();
        let laid = ["D1 ns", "D2 ns", "D3 ns", "G1 ns", "G2 nes"].map(|tile| {
            let (at, ends) = tile.split_once(' ').unwrap();
            format!(r#"{{"laid":{{"seat":1,"at":"{at}","ends":"{ends}"}}}}"#)
        });
        let carts = [(0, "D1", "ruby"), (1, "G1", "ruby"), (2, "D3", "rock emerald diamond")];
        let stands = carts.map(|(cart, at, jewels)| {
            let berth = r#"{"side":"north","index":3}"#;
            let took = |jewel| format!(r#"{{"took":{{"cart":{cart},"jewel":"{jewel}"}}}}"#);
            let enters = [
                format!(r#"{{"entered":{{"cart":{cart},"berth":{berth},"speed":3}}}}"#),
                format!(r#"{{"set_off":{{"cart":{cart}}}}}"#),
                format!(r#"{{"rolled":{{"cart":{cart},"to":"{at}"}}}}"#),
            ];
            let halts = format!(r#"{{"halted":{{"cart":{cart},"facing":"south"}}}}"#);
            enters.into_iter().chain(jewels.split(' ').map(took)).chain([halts]).collect()
        });
        let stands: Vec<String> = stands.into_iter().flat_map(|all: Vec<String>| all).collect();
        let slow = r#"{"sped":{"cart":1,"speed":1}}"#.to_owned();
        let turn = r#"{"turn":{"seat":1}}"#.to_owned();
        for event in laid.into_iter().chain(stands).chain([slow, turn]) {
            table.game.apply(&serde_json::value::RawValue::from_string(event).unwrap()).unwrap();
        }
        table
    }

    fn submit(table: &Table, seat: u8, lines: &[&str], queued: &mut QueuedOrders) -> Table {
        let lines = (1..).zip(lines).map(|(number, text)| OrderLine::new(number, (*text).into()));
        let (seat, lines): (_, Vec<OrderLine>) = (Seat::new(seat), lines.collect());
        let kept = queued.clone();
        let letter = Submission {
            seat,
            lines: &lines,
            seen_record: table.last_record_number(),
            letter: None,
            queued: &kept,
        };
        match table.submit(&letter, DateTime::UNIX_EPOCH) {
            Verdict::Accepted { table, queued: after, .. } => {
                *queued = after;
                *table
            }
            Verdict::Refused(refused) => panic!("{refused:?}"),
        }
    }

    #[test]
    fn turn_resumes_queued_plan_after_interruption_then_ends() {
        let table = table_before_collision();
        let mut one = QueuedOrders::default();
        let table = submit(&table, 1, &["move w", "move b G2 face east"], &mut one);
        assert_eq!((table.turn(), one.plans.len()), (Turn::Awaiting(vec![Seat::new(2)]), 1));
        let table = submit(&table, 2, &["cut rock emerald"], &mut QueuedOrders::default());
        let queued = [one.clone(), QueuedOrders::default()];
        let carried = table.play_queued_orders(&queued, &[], DateTime::UNIX_EPOCH);
        assert_eq!(
            (carried.table.last_record_number(), &carried.queued[0]),
            (table.last_record_number(), &one),
            "it waits"
        );
        let table = submit(&table, 1, &["pick second"], &mut one);
        assert_eq!(table.turn(), Turn::Awaiting(vec![Seat::new(1)]), "a cart is still to move");
        let carried =
            table.play_queued_orders(&[one, QueuedOrders::default()], &[], DateTime::UNIX_EPOCH);
        assert_eq!(carried.table.turn(), Turn::Awaiting(vec![Seat::new(2)]));
        assert!(carried.queued[0].is_empty(), "nothing is left, and nothing to be told");
        let Cause::Orders { lines, .. } = &carried.table.records().last().unwrap().cause else {
            panic!("no orders");
        };
        assert_eq!(*lines, ["move b G2 face east", "done"]);
    }

    #[test]
    fn only_orders_after_rewound_record_are_dropped() {
        let plan = |number: u32| QueuedOrders {
            plans: vec![number.into()],
            seen_record: 4,
            ..QueuedOrders::default()
        };
        let filed = |after: QueuedOrders| after.update_seen_record(&plan(1), 9).seen_record;
        let secret = QueuedOrders { secret_lines: vec!["wish".to_owned()], ..plan(1) };
        let off = QueuedOrders { auto_forced: true, ..QueuedOrders::default() };
        assert_eq!([plan(1), plan(2), secret, off].map(filed), [4, 9, 9, 0]);
        let forgotten = |to| {
            let mut queued = plan(1);
            queued.drop_if_written_after(to, Message::new("gone"));
            (queued.plans.is_empty(), queued.unsent_notices.len())
        };
        assert_eq!([3, 4, 5].map(forgotten), [(true, 1), (false, 0), (false, 0)]);
        let mut none = QueuedOrders::default();
        none.drop_plans_and_notify(Message::new("gone"));
        assert_eq!(none, QueuedOrders::default(), "there was nothing");
    }

    #[test]
    fn queue_command_ignores_case_and_punctuation() {
        assert_eq!(QueueCommand::parse("Auto-forced: on."), Some(QueueCommand::AutoForced(true)));
        assert_eq!(QueueCommand::parse("auto forced off"), Some(QueueCommand::AutoForced(false)));
        assert_eq!(QueueCommand::parse("Clear plans!"), Some(QueueCommand::ClearPlans));
        assert_eq!(QueueCommand::parse("clear the way"), None);
    }
}
