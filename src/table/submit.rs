//! A letter's orders, judged: all of them or none.

use super::planned::Planned;
use super::{Cause, Choice, LetterRef, StandingOrders, Table, in_force};
use crate::rules::{Arg, Dice, EventText, Message, Move, Refusal, Seat, Turn};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One line that a player wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Where it stands in the letter, from 1.
    pub number: u32,
    /// What it says, folded to plain characters.
    pub text: String,
}

/// What a player asks for.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The seat that the orders are for.
    pub seat: Seat,
    /// The lines, in order.
    pub lines: &'a [OrderLine],
    /// The last record that the letter which this one answers had shown.
    pub seen: u32,
    /// The letter that brought them.
    pub letter: Option<&'a LetterRef>,
    /// What the seat has planned so far.
    pub standing: &'a StandingOrders,
}

/// What becomes of a submission.
pub enum Verdict {
    /// Every line was carried out, or is kept for later.
    Accepted {
        /// The table afterwards; its last record is new when a line was for now.
        table: Box<Table>,
        /// What the seat has planned afterwards.
        standing: StandingOrders,
        /// What the player should know about how the lines were read.
        remarks: Vec<Message>,
    },
    /// Nothing was done.
    Refused(Refused),
}

/// Why a letter was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// The first line that is at fault.
    pub line: Option<OrderLine>,
    /// What is wrong with it, and what instead.
    pub(crate) refusal: Refusal,
}

impl Table {
    /// Judges a letter's orders. The first bad line refuses the whole letter; so does a line after
    /// the turn has passed on.
    ///
    /// But what a line has disclosed cannot be taken back: a refusal after it would tell what a
    /// letter that was not carried out would have brought. So such a letter is carried out up to
    /// the bad line.
    pub fn submit(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        let Submission { seat, letter, standing, .. } = *submission;
        let mut dice = self.dice();
        let mut judged = match self.judge(submission, &mut dice, Aim::ToDo) {
            Ok(judged) => judged,
            Err(refused) => return Verdict::Refused(refused),
        };
        let standing = Later::onto(standing, std::mem::take(&mut judged.later));
        match judged.orders {
            Orders::None => Verdict::Accepted {
                table: Box::new(self.clone()),
                standing,
                remarks: judged.remarks,
            },
            Orders::Secret => self.kept_secret(judged, standing),
            Orders::Open => {
                let Judged { mut table, events, lines, remarks, .. } = judged;
                let cause = Cause::Orders { seat, lines, letter: letter.cloned() };
                table.append(cause, events, dice.counter(), now);
                let standing = StandingOrders { secret: Vec::new(), ..standing };
                Verdict::Accepted { table: Box::new(table), standing, remarks }
            }
        }
    }

    /// A letter whose orders are all for their player's eyes only leads to no record: others can
    /// count records.
    fn kept_secret(&self, letter: Judged<'_>, standing: StandingOrders) -> Verdict {
        let Judged { secret: lines, mut remarks, .. } = letter;
        let mut secret: Vec<String> = Vec::new();
        for line in lines {
            // Of two that are alike only the later counts, so the list stays short.
            secret.retain(|earlier| *earlier != line);
            secret.push(line);
        }
        let said: Vec<Arg> = secret.iter().map(|line| Arg::from(line.as_str())).collect();
        remarks.push(Message::new("orders-secret").with("lines", Arg::List(said)));
        let standing = StandingOrders { secret, ..standing };
        Verdict::Accepted { table: Box::new(self.clone()), standing, remarks }
    }

    /// Goes through a letter's lines at this table.
    pub(super) fn judge<'a>(
        &self,
        submission: &Submission<'a>,
        dice: &mut Dice,
        aim: Aim,
    ) -> Result<Judged<'a>, Refused> {
        let Submission { seat, lines, seen, standing, .. } = *submission;
        let refused = |line: Option<&OrderLine>, refusal| Refused { line: line.cloned(), refusal };
        if self.turn() == Turn::Over {
            return Err(refused(lines.first(), Refusal::illegal(Message::new("game-over"))));
        }
        let unseen = self.unseen(seat, seen).map_err(|refusal| refused(lines.first(), refusal))?;
        let mut judged = Judged::new(self.clone());
        judged.bring_forward(seat, &standing.secret, dice);
        for line in lines {
            if judged.is_open() && aim == Aim::ToForetell {
                judged.stopped = Some(line);
                break;
            }
            if is_prose(&line.text) && judged.is_foreign(seat, &line.text) {
                judged.prose.push(line);
                continue;
            }
            let done = match self.later(&judged, submission, &line.text, aim) {
                Some(later) => later.map(|later| judged.later.push(later)),
                None => self.now(&mut judged, seat, &line.text, &unseen, dice),
            };
            match done {
                Err(refusal) if judged.is_open() => {
                    judged.cut_short(line, refusal);
                    break;
                }
                done => done.map_err(|refusal| refused(Some(line), refusal))?,
            }
        }
        self.file(&mut judged, submission, (&unseen, aim), dice)?;
        if let (true, Some(line)) = (judged.is_empty(), judged.prose.first()) {
            // Nothing else stands in the letter, so this may have been meant as an order.
            let refusal = after_all(&judged.table, seat, &line.text, dice);
            return Err(refused(Some(line), refusal));
        }
        if judged.may_close(aim) {
            judged.close(seat, dice).map_err(|refusal| refused(None, refusal))?;
        }
        judged.remarks.extend(judged.prose.iter().map(|line| {
            Message::new("not-an-order").with("number", line.number).with("line", &*line.text)
        }));
        Ok(judged)
    }

    /// What a line wants done later, if it is such a line.
    fn later(
        &self,
        judged: &Judged<'_>,
        submission: &Submission<'_>,
        line: &str,
        aim: Aim,
    ) -> Option<Result<Later, Refusal>> {
        if let Some(choice) = Choice::read(line) {
            return Some(Ok(Later::Choice(choice)));
        }
        let plans = self.plans(judged, submission, line, aim)?;
        Some(plans.map(|plans| Later::Plans(Planned { line: line.to_owned(), plans })))
    }

    /// Carries out a line that is for now.
    pub(super) fn now(
        &self,
        judged: &mut Judged<'_>,
        seat: Seat,
        line: &str,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<(), Refusal> {
        if let Some(refusal) = self.closed_to(seat) {
            return Err(refusal);
        }
        if !judged.table.turn().awaits(seat) {
            let key = if judged.is_open() { "turn-was-over" } else { "turn-passed-on" };
            return Err(Refusal::illegal(Message::new(key)));
        }
        // A letter that is cut short stands where its last good line has led.
        let before = judged.is_open().then(|| judged.table.game.copy());
        let played = judged.table.game.play(seat, line, unseen, dice).inspect_err(|_| {
            if let Some(before) = before {
                judged.table.game = before;
            }
        })?;
        judged.note(line, played);
        Ok(())
    }

    /// Why this seat cannot act now at all.
    pub(super) fn closed_to(&self, seat: Seat) -> Option<Refusal> {
        match self.turn() {
            Turn::Over => Some(Refusal::illegal(Message::new("game-over"))),
            Turn::Awaiting(seats) if !seats.contains(&seat) => {
                Some(Refusal::illegal(Message::new("not-your-turn").with("awaited", seats)))
            }
            Turn::Awaiting(_) => None,
        }
    }

    /// What others did since the record with number `seen`.
    fn unseen(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
        if since.iter().any(|record| matches!(record.cause, Cause::Rewound { .. })) {
            return Err(Refusal::illegal(Message::new("rewound-since")));
        }
        Ok(in_force(since)
            .into_iter()
            .filter(|record| Self::mover(record) != Some(seat))
            .flat_map(|record| record.events.iter().cloned())
            .collect())
    }
}

/// Whether a line reads like a sentence to a person: "Sorry for the delay!" before an order must
/// not cost a day. A mistyped order hardly ever does: it has a number in it, or few words.
fn is_prose(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let ends_so = words > 1 && line.ends_with(['!', '?', ':']);
    (words >= 4 || ends_so) && !line.contains(char::is_numeric)
}

/// Why a line that was taken for a sentence is no order.
fn after_all(table: &Table, seat: Seat, line: &str, dice: &mut Dice) -> Refusal {
    match table.game.copy().play(seat, line, &[], dice) {
        Err(refusal) => refusal,
        // It was found not to be one.
        Ok(_) => Refusal::foreign(Message::new("turn-passed-on")),
    }
}

/// What a letter is judged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// To be carried out.
    ToDo,
    /// To tell its writer what can be told before: it ends where something would be disclosed.
    ToForetell,
}

/// A letter as far as it has been judged.
pub(super) struct Judged<'a> {
    pub table: Table,
    pub(crate) events: Vec<EventText>,
    /// The place in `events` of the first that the writer could not have known.
    pub(crate) disclosed: Option<usize>,
    /// How many of `events` are of orders that were given in secret before this letter.
    pub(crate) brought: usize,
    pub remarks: Vec<Message>,
    /// What the letter orders for now.
    pub(super) orders: Orders,
    /// The lines of the record that it would lead to.
    lines: Vec<String>,
    /// Those of them that are for their player's eyes only, as the game writes them.
    secret: Vec<String>,
    pub(crate) later: Vec<Later>,
    /// The line before which the judgement ended.
    pub(crate) stopped: Option<&'a OrderLine>,
    /// Lines that are meant for people.
    prose: Vec<&'a OrderLine>,
}

/// What a letter orders for now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Orders {
    /// No order for now.
    None,
    /// What only its player may know.
    Secret,
    /// What the others see as well.
    Open,
}

/// What a line wants done later.
pub(super) enum Later {
    Plans(Planned),
    Choice(Choice),
}

impl<'a> Judged<'a> {
    fn new(table: Table) -> Self {
        Self {
            table,
            events: Vec::new(),
            disclosed: None,
            brought: 0,
            remarks: Vec::new(),
            orders: Orders::None,
            lines: Vec::new(),
            secret: Vec::new(),
            later: Vec::new(),
            stopped: None,
            prose: Vec::new(),
        }
    }

    /// Plays what the seat has ordered in secret before this letter.
    fn bring_forward(&mut self, seat: Seat, secret: &[String], dice: &mut Dice) {
        (self.lines, self.events) = self.table.bring_forward(seat, secret, dice);
        (self.secret, self.brought) = (self.lines.clone(), self.events.len());
    }

    /// Whether no line was an order or a plan.
    fn is_empty(&self) -> bool {
        self.orders == Orders::None && self.later.is_empty()
    }

    /// Whether a line is nothing that this table understands.
    fn is_foreign(&self, seat: Seat, line: &str) -> bool {
        Choice::read(line).is_none()
            && self.table.game.plan(seat, line).is_none()
            && self.table.game.is_foreign(seat, line)
    }

    /// Whether something was disclosed that the writer could not have known.
    pub(super) const fn is_open(&self) -> bool {
        self.disclosed.is_some()
    }

    /// Keeps what a line has led to.
    pub(super) fn note(&mut self, line: &str, played: Move) {
        let place = played.disclosed.map(|place| self.events.len() + place);
        self.disclosed = self.disclosed.or(place);
        self.events.extend(played.events);
        self.remarks.extend(played.remarks);
        self.lines.push(line.to_owned());
        let order = if played.secret.is_some() { Orders::Secret } else { Orders::Open };
        self.orders = self.orders.max(order);
        self.secret.extend(played.secret);
    }

    /// Leaves out a bad line and what follows it, and says why.
    pub(super) fn cut_short(&mut self, line: &'a OrderLine, refusal: Refusal) {
        let word = Message::new("cut-short").with("number", line.number).with("line", &*line.text);
        self.remarks.extend([word, refusal.reason].into_iter().chain(refusal.instead));
        self.stopped = Some(line);
    }

    /// Whether the letter ends where its writer ended it, so that the turn may be closed.
    const fn may_close(&self, aim: Aim) -> bool {
        let is_foretold = matches!(aim, Aim::ToForetell) && self.is_open();
        matches!(self.orders, Orders::Open) && self.stopped.is_none() && !is_foretold
    }

    fn close(&mut self, seat: Seat, dice: &mut Dice) -> Result<(), Refusal> {
        if let Some((line, played)) = self.table.close(seat, dice)? {
            self.note(&line, played);
        }
        Ok(())
    }
}

impl Later {
    /// The standing orders after a letter. The plans in a letter take the place of all earlier
    /// ones.
    pub(super) fn onto(standing: &StandingOrders, later: Vec<Self>) -> StandingOrders {
        let mut standing = standing.clone();
        let mut plans: Option<Vec<serde_json::Value>> = None;
        for line in later {
            match line {
                Self::Plans(more) => plans.get_or_insert_default().extend(more.plans),
                Self::Choice(Choice::ClearPlans) => plans = Some(Vec::new()),
                Self::Choice(Choice::AutoForced(on)) => standing.auto_forced = on,
            }
        }
        standing.plans = plans.unwrap_or(standing.plans);
        standing
    }
}
