//! A letter's orders, judged: all of them or none.

use super::wording::{self, Worded, Words};
use super::{Cause, Choice, LetterRef, StandingOrders, Table, in_force};
use crate::rules::{
    Dice, EventText, FormLine, Message, Move, Refusal, RefusalKind, Seat, excerpt, pieces,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One line that a player wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// Where it stands in the letter, from 1.
    pub number: u32,
    /// What it says, folded to plain characters: this is what is said back.
    pub text: String,
    /// The same in English where it was written in another language: this is what is read.
    #[serde(skip)]
    pub(crate) english: Option<Box<str>>,
}

impl OrderLine {
    /// A line that is read as it is.
    pub const fn new(number: u32, text: String) -> Self {
        Self { number, text, english: None }
    }

    /// The sentence that quotes the line in a refusal.
    pub(crate) fn refused(&self) -> Message {
        let line = Message::new("refused-line").with("number", self.number);
        line.with("line", excerpt(&self.text))
    }

    /// The line as it is read.
    pub(crate) fn meant(&self) -> &str {
        self.english.as_deref().unwrap_or(&self.text)
    }
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
    ///
    /// ```
    /// use chrono::DateTime;
    /// use postrider::games::kind;
    /// use postrider::rules::{Seat, Seed};
    /// use postrider::table::{GameSetup, OrderLine, StandingOrders, Submission, Table, Verdict};
    ///
    /// let (kind, now) = (kind("paris-connection").expect("it ships"), DateTime::UNIX_EPOCH);
    /// let (definition, options) = (kind.definition(), [].into());
    /// let setup = GameSetup { kind, definition, options: &options, seats: 3 };
    /// let table = Table::found(setup, 1, Seed::rehearsal(7), now).expect("it can be played");
    /// let (seat, seen, planned) = (Seat::new(1), table.head(), StandingOrders::default());
    /// let write = |line: &str| {
    ///     let lines = [OrderLine::new(1, line.to_owned())];
    ///     let letter = Submission { seat, lines: &lines, seen, letter: None, standing: &planned };
    ///     table.submit(&letter, now)
    /// };
    /// assert!(matches!(write("build red G23, Troyes"), Verdict::Accepted { .. }));
    /// assert!(matches!(write("build red A1"), Verdict::Refused(_)));
    /// ```
    pub fn submit(&self, submission: &Submission<'_>, now: DateTime<Utc>) -> Verdict {
        let Submission { seat, letter, standing: before, seen, .. } = *submission;
        let judged = match self.judge(submission, self.dice(), Aim::ToDo) {
            Ok(judged) => judged,
            Err(refused) => return Verdict::Refused(refused),
        };
        let mut standing = judged.standing();
        let Judged { table: ahead, events, lines, secret, mut remarks, orders, dice, .. } = judged;
        if orders == Orders::Secret {
            standing.secret = each_once(secret);
            let lines = standing.secret.clone();
            remarks.push(Message::new("orders-secret").with("lines", lines));
        }
        let mut standing = standing.filed_after(before, seen);
        // Others can count records, so orders in secret lead to none.
        let mut table = self.clone();
        if orders == Orders::Open {
            table = ahead;
            let cause = Cause::Orders { seat, lines, letter: letter.cloned() };
            table.append(cause, events, dice.counter(), now);
            standing.secret.clear();
        }
        Verdict::Accepted { table: Box::new(table), standing, remarks }
    }

    /// Judges a letter's lines at this table.
    pub(super) fn judge<'a>(
        &'a self,
        submission: &Submission<'a>,
        dice: Dice,
        aim: Aim,
    ) -> Result<Judged<'a>, Refused> {
        let Submission { seat, lines, standing, .. } = *submission;
        let refused = |line: Option<&OrderLine>, refusal| Refused { line: line.cloned(), refusal };
        let mut judged = Judged::new(self, submission, dice, aim)
            .map_err(|refusal| refused(lines.first(), refusal))?;
        if self.turn().awaits(seat)
            && let Some((place, refusal)) = judged.doubt()
        {
            return Err(refused(place.and_then(|place| lines.get(place)), refusal));
        }
        for line in lines {
            if judged.is_open() && aim == Aim::ToForetell {
                judged.stopped = Some(line);
                break;
            }
            match judged.line(line) {
                Err(refusal) if judged.is_open() => {
                    judged.cut_short(line, refusal);
                    break;
                }
                done => done.map_err(|refusal| refused(Some(line), refusal))?,
            }
        }
        judged.file()?;
        if judged.may_close() && !judged.table.goes_on_by(seat, &standing.plans) {
            judged.close().map_err(|refusal| refused(None, refusal))?;
        }
        Ok(judged)
    }

    /// Returns the events by which others moved the game since the record with number `seen`.
    ///
    /// # Errors
    /// The game is over, or has gone back behind what the writer saw.
    fn unseen(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
        if self.is_over() {
            return Err(Refusal::game_over());
        }
        if since.iter().any(|record| matches!(record.cause, Cause::Rewound { .. })) {
            return Err(Refusal::illegal(Message::new("rewound-since")));
        }
        if let Some(by) = self.taken_back_since(seat, seen) {
            return Err(Refusal::illegal(Message::new("undone-since").with("who", by)));
        }
        Ok(in_force(since)
            .into_iter()
            .filter(|record| Self::mover(record) != Some(seat))
            .flat_map(|record| record.events.iter().cloned())
            .collect())
    }
}

/// Returns the lines in order; of equal ones only the last, which alone counts.
fn each_once(lines: Vec<String>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for line in lines {
        each.retain(|earlier| *earlier != line);
        each.push(line);
    }
    each
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
    pub(super) submission: Submission<'a>,
    pub(super) aim: Aim,
    /// The table before the letter.
    before: &'a Table,
    /// What others did that its writer had not seen.
    unseen: Vec<EventText>,
    pub table: Table,
    pub(super) dice: Dice,
    /// The position that its writer saw, if it is an older one.
    pub(super) past: Option<Table>,
    /// The words of its game, as that stood when it came.
    words: Words<'a>,
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
    /// The lines that change standing orders and are the same in every game.
    choices: Vec<Choice>,
    /// The lines that hold plans, as they are read.
    pub(super) planned: Vec<OrderLine>,
    /// The plans of the letter that are kept, as their game keeps them.
    pub(super) plans: Vec<serde_json::Value>,
    /// The line before which the judgement ended.
    pub(crate) stopped: Option<&'a OrderLine>,
    /// The orders of this letter that were carried out, as they were written and as the game
    /// writes them.
    given: Vec<String>,
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

impl<'a> Judged<'a> {
    /// Begins to judge a letter. First plays the orders that the seat gave in secret before it.
    fn new(
        before: &'a Table,
        submission: &Submission<'a>,
        mut dice: Dice,
        aim: Aim,
    ) -> Result<Self, Refusal> {
        let Submission { seat, seen, standing, .. } = *submission;
        let unseen = before.unseen(seat, seen)?;
        let mut table = before.clone();
        let past = before.as_seen(submission, aim);
        let (lines, events) = table.bring_forward(seat, &standing.secret, &mut dice);
        Ok(Self {
            submission: *submission,
            aim,
            before,
            unseen,
            table,
            dice,
            past,
            words: before.words(seat),
            disclosed: None,
            brought: events.len(),
            events,
            remarks: Vec::new(),
            orders: Orders::None,
            secret: lines.clone(),
            lines,
            choices: Vec::new(),
            planned: Vec::new(),
            plans: Vec::new(),
            stopped: None,
            given: Vec::new(),
        })
    }

    /// Returns the seat that the letter is for.
    pub(super) const fn seat(&self) -> Seat {
        self.submission.seat
    }

    /// Judges one line: what it orders for now is carried out, and what it wants later is kept.
    fn line(&mut self, line: &OrderLine) -> Result<(), Refusal> {
        if wording::is_in_doubt(&self.words, line.meant()) {
            let how = Message::new("line-doubt-how");
            return Err(Refusal::unreadable(Message::new("line-doubt")).or(how));
        }
        let worded = self.table.worded(&self.words, self.seat(), line.meant());
        if worded.is_none() && wording::ends_turn(line.meant()) && self.ends_here() {
            return Ok(());
        }
        let Worded { order, aside } = worded.unwrap_or(Worded { order: line.meant(), aside: "" });
        if !aside.is_empty() {
            let remark = Message::new("not-of-order").with("number", line.number);
            self.remarks.push(remark.with("words", wording::aside_in(line, aside)));
        }
        if let Some(choice) = Choice::read(order) {
            self.choices.push(choice);
            return Ok(());
        }
        let done = match self.plans(order) {
            Some(Ok(_)) if self.has_given(order) => {
                Err(self.later_instead(Refusal::illegal(Message::new("two-orders"))))
            }
            Some(plans) => plans.map(|_| {
                self.planned.push(OrderLine::new(line.number, order.to_owned()));
            }),
            None => self.now(order),
        };
        done.map_err(|refusal| self.meant(refusal, order))
    }

    /// Carries out a line that is for now.
    pub(super) fn now(&mut self, line: &str) -> Result<(), Refusal> {
        let seat = self.seat();
        self.before.turn().check(seat)?;
        if !self.table.turn().awaits(seat) {
            // What is no order is not told that it came too late.
            if let Err(refusal) = self.table.game.read(seat, line)
                && refusal.kind != RefusalKind::Illegal
            {
                return Err(refusal);
            }
            let key = if self.is_open() { "turn-was-over" } else { "turn-passed-on" };
            return Err(self.later_instead(Refusal::illegal(Message::new(key))));
        }
        // A letter that is cut short stands where its last good line has led.
        let before = self.is_open().then(|| self.table.game.copy());
        let given = self.table.game.read(seat, line).ok();
        let played = self.table.game.play(seat, line, &self.unseen, &mut self.dice);
        if let (Err(_), Some(before)) = (&played, before) {
            self.table.game = before;
        }
        self.note(line, played?);
        self.given.extend([line.to_owned()].into_iter().chain(given));
        Ok(())
    }

    /// Asks about what the lines would cost their writer and may not be meant.
    fn doubt(&self) -> Option<(Option<usize>, Refusal)> {
        let order = |line: &'a OrderLine| {
            self.table
                .worded(&self.words, self.seat(), line.meant())
                .map_or(line.meant(), |worded| worded.order)
        };
        let lines: Vec<&str> = self.submission.lines.iter().map(order).collect();
        self.table.game.doubt(self.seat(), &lines)
    }

    /// Returns the standing orders after the letter. Its plans replace all earlier ones.
    pub(super) fn standing(&self) -> StandingOrders {
        let mut standing = self.submission.standing.clone();
        for choice in &self.choices {
            match choice {
                Choice::ClearPlans => standing.plans.clear(),
                Choice::AutoForced(on) => standing.auto_forced = *on,
            }
        }
        if !self.plans.is_empty() {
            standing.plans.clone_from(&self.plans);
        }
        standing
    }

    /// Whether the letter has given an order of this kind for now. Another one would only become a
    /// plan by accident, unless it is written as plans are.
    fn has_given(&self, line: &str) -> bool {
        let first = |line: &str| pieces(line).into_iter().next();
        let kind = self.table.game.read(self.seat(), line).ok().as_deref().and_then(first);
        let given = |word: &Option<String>| {
            word.is_some() && self.given.iter().any(|line| first(line) == *word)
        };
        let written = first(line);
        let plans = &self.words.all().soft_verbs;
        let is_plan = || written.as_ref().is_some_and(|word| plans.contains(word));
        (given(&written) || given(&kind) && !is_plan()) && !plans.is_empty()
    }

    /// Whether the turn of this seat ends here by itself, once something was ordered for it.
    fn ends_here(&self) -> bool {
        let seat = self.seat();
        let is_over = !self.table.turn().awaits(seat) || self.table.game.closing(seat).is_some();
        self.orders == Orders::Open && is_over
    }

    /// Adds to a refusal how a plan for later is written.
    fn later_instead(&self, refusal: Refusal) -> Refusal {
        let forms = self.table.game.forms(self.seat()).into_iter();
        let plans = forms.filter(|form| self.words.all().soft_verbs.contains(form.first_word()));
        plans.map(FormLine::offered).fold(refusal, Refusal::or)
    }

    /// Adds to the refusal of a line that could not be read the legal order that was perhaps meant.
    fn meant(&self, refusal: Refusal, line: &str) -> Refusal {
        if refusal.kind == RefusalKind::Illegal || self.is_open() {
            return refusal;
        }
        let meant = self.table.perhaps_meant(&self.words, line);
        meant.into_iter().fold(refusal, Refusal::first)
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
    fn may_close(&self) -> bool {
        let is_foretold = self.aim == Aim::ToForetell && self.is_open();
        self.orders == Orders::Open && self.stopped.is_none() && !is_foretold
    }

    fn close(&mut self) -> Result<(), Refusal> {
        if let Some((line, played)) = self.table.close(self.submission.seat, &mut self.dice)? {
            self.note(&line, played);
        }
        Ok(())
    }
}
