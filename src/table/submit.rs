//! A letter's orders, judged: all of them or none.

use super::{Cause, Choice, LetterRef, StandingOrders, Table, in_force};
use crate::rules::{Arg, Dice, EventText, Message, Refusal, Seat, Seed, Turn};
use chrono::{DateTime, Utc};

/// One line that a player wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderLine {
    /// Where it stands in the letter, from 1.
    pub number: u32,
    /// What it says, folded to plain characters.
    pub text: String,
}

/// What a player asks for.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// Whose orders.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The first line that is at fault.
    pub line: Option<OrderLine>,
    /// What is wrong with it, and what instead.
    pub refusal: Refusal,
}

impl Table {
    /// Judges a letter's orders. The first bad line refuses the whole letter; so does a line after
    /// the turn has passed on.
    pub fn submit(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        self.judge(submission, self.dice(), now)
    }

    /// Judges as [`Table::submit`] does, with dice that are not the game's: a preview must not tell
    /// what the real ones will show.
    pub fn preview(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        self.judge(submission, Dice::new(&Seed::new([0; 32]), 0), now)
    }

    fn judge(&self, submission: &Submission<'_>, mut dice: Dice, now: DateTime<Utc>) -> Verdict {
        let Submission { seat, lines, seen, letter, standing } = *submission;
        let refused = |line: Option<&OrderLine>, refusal| {
            Verdict::Refused(Refused { line: line.cloned(), refusal })
        };
        if self.turn() == Turn::Over {
            return refused(lines.first(), Refusal::illegal(Message::new("game-over")));
        }
        let unseen = match self.unseen(seat, seen) {
            Ok(unseen) => unseen,
            Err(refusal) => return refused(lines.first(), refusal),
        };
        let mut letter_of = Judged::new(self.clone());
        letter_of.bring_forward(seat, &standing.secret, &mut dice);
        for line in lines {
            if is_prose(&line.text) && letter_of.is_foreign(seat, &line.text) {
                letter_of.prose.push(line);
                continue;
            }
            let done = match self.later(&letter_of, seat, seen, &line.text) {
                Some(later) => later.map(|later| letter_of.note(later)),
                None => self.now(&mut letter_of, seat, &line.text, &unseen, &mut dice),
            };
            if let Err(refusal) = done {
                return refused(Some(line), refusal);
            }
        }
        if let (true, Some(line)) = (letter_of.is_empty(), letter_of.prose.first()) {
            // Nothing else stands in the letter, so this may have been meant as an order.
            let refusal = after_all(&letter_of.table, seat, &line.text, &mut dice);
            return refused(Some(line), refusal);
        }
        let standing = Later::onto(standing, std::mem::take(&mut letter_of.later));
        letter_of.remarks.extend(letter_of.prose.iter().map(|line| {
            Message::new("not-an-order").with("number", line.number).with("line", &*line.text)
        }));
        match letter_of.orders {
            Orders::None => Verdict::Accepted {
                table: Box::new(self.clone()),
                standing,
                remarks: letter_of.remarks,
            },
            Orders::Secret => self.kept_secret(letter_of, standing),
            Orders::Open => {
                let Judged { mut table, mut events, mut lines, remarks, .. } = letter_of;
                if let Err(refusal) = table.close(seat, &mut dice, &mut lines, &mut events) {
                    return refused(None, refusal);
                }
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

    /// What a line wants done later, if it is such a line. A plan is read at the position that its
    /// writer saw, so that it means the turn that he meant.
    fn later(
        &self,
        judged: &Judged<'_>,
        seat: Seat,
        seen: u32,
        line: &str,
    ) -> Option<Result<Later, Refusal>> {
        if let Some(choice) = Choice::read(line) {
            return Some(Ok(Later::Choice(choice)));
        }
        let past = (seen < self.head()).then(|| self.at(seen).ok()).flatten();
        let game = past.as_ref().map_or(&judged.table.game, |past| &past.game);
        game.plan(seat, line).map(|plans| plans.map(Later::Plans))
    }

    /// Carries out a line that is for now.
    fn now(
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
            return Err(Refusal::illegal(Message::new("turn-passed-on")));
        }
        let played = judged.table.game.play(seat, line, unseen, dice)?;
        judged.events.extend(played.events);
        judged.remarks.extend(played.remarks);
        judged.lines.push(line.to_owned());
        let order = if played.secret.is_some() { Orders::Secret } else { Orders::Open };
        judged.orders = judged.orders.max(order);
        judged.secret.extend(played.secret);
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

    /// What a turn leaves unsaid stands in the log as if it had been said.
    pub(super) fn close(
        &mut self,
        seat: Seat,
        dice: &mut Dice,
        lines: &mut Vec<String>,
        events: &mut Vec<EventText>,
    ) -> Result<(), Refusal> {
        if let Some(line) = self.game.closing(seat) {
            events.extend(self.game.play(seat, &line, &[], dice)?.events);
            lines.push(line);
        }
        Ok(())
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

/// A letter as far as it has been judged.
struct Judged<'a> {
    table: Table,
    events: Vec<EventText>,
    remarks: Vec<Message>,
    /// What the letter orders for now.
    orders: Orders,
    /// The lines of the record that it would lead to.
    lines: Vec<String>,
    /// Those of them that are for their player's eyes only, as the game writes them.
    secret: Vec<String>,
    later: Vec<Later>,
    /// Lines that are meant for people.
    prose: Vec<&'a OrderLine>,
}

/// What a letter orders for now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Orders {
    /// Nothing.
    None,
    /// What only its player may know.
    Secret,
    /// What the others see as well.
    Open,
}

/// What a line wants done later.
enum Later {
    Plans(Vec<serde_json::Value>),
    Choice(Choice),
}

impl Judged<'_> {
    fn new(table: Table) -> Self {
        Self {
            table,
            events: Vec::new(),
            remarks: Vec::new(),
            orders: Orders::None,
            lines: Vec::new(),
            secret: Vec::new(),
            later: Vec::new(),
            prose: Vec::new(),
        }
    }

    /// Plays what the seat has ordered in secret before this letter.
    fn bring_forward(&mut self, seat: Seat, secret: &[String], dice: &mut Dice) {
        (self.lines, self.events) = self.table.bring_forward(seat, secret, dice);
        self.secret = self.lines.clone();
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

    fn note(&mut self, later: Later) {
        self.later.push(later);
    }
}

impl Later {
    /// The standing orders after a letter. The plans in a letter take the place of all earlier
    /// ones.
    fn onto(standing: &StandingOrders, later: Vec<Self>) -> StandingOrders {
        let mut standing = standing.clone();
        let mut plans: Option<Vec<serde_json::Value>> = None;
        for line in later {
            match line {
                Self::Plans(more) => plans.get_or_insert_default().extend(more),
                Self::Choice(Choice::ClearPlans) => plans = Some(Vec::new()),
                Self::Choice(Choice::AutoForced(on)) => standing.auto_forced = on,
            }
        }
        standing.plans = plans.unwrap_or(standing.plans);
        standing
    }
}
