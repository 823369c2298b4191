//! A letter's orders, judged: all of them or none.

use super::planned::{self, Planned};
use super::wording::{self, Worded, Words};
use super::{Cause, Choice, LetterRef, StandingOrders, Table, in_force};
use crate::rules::{
    Arg, Dice, EventText, FormLine, Message, Move, Refusal, RefusalKind, Seat, Turn, excerpt,
    pieces,
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
        let mut dice = self.dice();
        let mut judged = match self.judge(submission, &mut dice, Aim::ToDo) {
            Ok(judged) => judged,
            Err(refused) => return Verdict::Refused(refused),
        };
        let later = std::mem::take(&mut judged.later);
        let standing = Later::onto(before, later).filed_after(before, seen);
        match judged.orders {
            Orders::None => Verdict::Accepted {
                table: Box::new(self.clone()),
                standing,
                remarks: judged.remarks,
            },
            Orders::Secret => self.kept_secret(judged, standing, submission),
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
    fn kept_secret(
        &self,
        letter: Judged<'_>,
        standing: StandingOrders,
        submission: &Submission<'_>,
    ) -> Verdict {
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
        let standing = standing.filed_after(submission.standing, submission.seen);
        Verdict::Accepted { table: Box::new(self.clone()), standing, remarks }
    }

    /// Goes through a letter's lines at this table.
    pub(super) fn judge<'a>(
        &'a self,
        submission: &Submission<'a>,
        dice: &mut Dice,
        aim: Aim,
    ) -> Result<Judged<'a>, Refused> {
        let Submission { seat, lines, seen, standing, .. } = *submission;
        let refused = |line: Option<&OrderLine>, refusal| Refused { line: line.cloned(), refusal };
        if self.turn() == Turn::Over {
            return Err(refused(lines.first(), Refusal::game_over()));
        }
        let unseen = self.unseen(seat, seen).map_err(|refusal| refused(lines.first(), refusal))?;
        let mut judged = Judged::new(self, seat);
        judged.past = self.as_seen(submission, aim);
        judged.bring_forward(seat, &standing.secret, dice);
        if self.closed_to(seat).is_none()
            && let Some((place, refusal)) = judged.doubt(seat, lines)
        {
            return Err(refused(place.and_then(|place| lines.get(place)), refusal));
        }
        for line in lines {
            if judged.is_open() && aim == Aim::ToForetell {
                judged.stopped = Some(line);
                break;
            }
            match self.line(&mut judged, seat, line, &unseen, dice) {
                Err(refusal) if judged.is_open() => {
                    judged.cut_short(line, refusal);
                    break;
                }
                done => done.map_err(|refusal| refused(Some(line), refusal))?,
            }
        }
        self.file(&mut judged, submission, (&unseen, aim), dice)?;
        if judged.may_close(aim) && !judged.table.goes_on_by(seat, &standing.plans) {
            judged.close(seat, dice).map_err(|refusal| refused(None, refusal))?;
        }
        Ok(judged)
    }

    /// Judges one line: what it orders for now is carried out, and what it wants later is kept.
    fn line(
        &self,
        judged: &mut Judged<'_>,
        seat: Seat,
        line: &OrderLine,
        unseen: &[EventText],
        dice: &mut Dice,
    ) -> Result<(), Refusal> {
        if wording::is_in_doubt(&judged.words, line.meant()) {
            let how = Message::new("line-doubt-how");
            return Err(Refusal::unreadable(Message::new("line-doubt")).or(how));
        }
        let worded = wording::worded(&*judged.table.game, &judged.words, seat, line.meant());
        if worded.is_none() && wording::ends_turn(line.meant()) && judged.ends_here(seat) {
            return Ok(());
        }
        let Worded { order, aside } = worded.unwrap_or(Worded { order: line.meant(), aside: "" });
        if !aside.is_empty() {
            let remark = Message::new("not-of-order").with("number", line.number);
            judged.remarks.push(remark.with("words", wording::aside_in(line, aside)));
        }
        let done = match later(judged, seat, (line.number, order)) {
            Some(Ok(Later::Plans(_))) if judged.has_given(seat, order) => {
                Err(judged.later_instead(seat, Refusal::illegal(Message::new("two-orders"))))
            }
            Some(later) => later.map(|later| judged.later.push(later)),
            None => self.now(judged, seat, order, unseen, dice),
        };
        done.map_err(|refusal| judged.meant(refusal, seat, order))
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
            // What is no order is not told that it came too late.
            if let Err(refusal) = judged.table.game.read(seat, line)
                && refusal.kind != RefusalKind::Illegal
            {
                return Err(refusal);
            }
            let key = if judged.is_open() { "turn-was-over" } else { "turn-passed-on" };
            return Err(judged.later_instead(seat, Refusal::illegal(Message::new(key))));
        }
        // A letter that is cut short stands where its last good line has led.
        let before = judged.is_open().then(|| judged.table.game.copy());
        let given = judged.table.game.read(seat, line).ok();
        let played = judged.table.game.play(seat, line, unseen, dice).inspect_err(|_| {
            if let Some(before) = before {
                judged.table.game = before;
            }
        })?;
        judged.note(line, played);
        judged.given.extend([line.to_owned()].into_iter().chain(given));
        Ok(())
    }

    /// Why this seat cannot act now at all.
    pub(super) fn closed_to(&self, seat: Seat) -> Option<Refusal> {
        match self.turn() {
            Turn::Over => Some(Refusal::game_over()),
            Turn::Awaiting(seats) if !seats.contains(&seat) => Some(Refusal::not_your_turn(seats)),
            Turn::Awaiting(_) => None,
        }
    }

    /// What others did since the record with number `seen`.
    fn unseen(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
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

/// What a line wants done later, if it is such a line.
fn later(
    judged: &Judged<'_>,
    seat: Seat,
    (number, line): (u32, &str),
) -> Option<Result<Later, Refusal>> {
    if let Some(choice) = Choice::read(line) {
        return Some(Ok(Later::Choice(choice)));
    }
    let plans = planned::plans(judged, seat, line)?;
    let line = OrderLine::new(number, line.to_owned());
    Some(plans.map(|plans| Later::Plans(Planned { line, plans })))
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
    pub(crate) later: Vec<Later>,
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

/// What a line wants done later.
pub(super) enum Later {
    Plans(Planned),
    Choice(Choice),
}

impl<'a> Judged<'a> {
    fn new(table: &'a Table, seat: Seat) -> Self {
        Self {
            words: table.words(seat),
            table: table.clone(),
            past: None,
            events: Vec::new(),
            disclosed: None,
            brought: 0,
            remarks: Vec::new(),
            orders: Orders::None,
            lines: Vec::new(),
            secret: Vec::new(),
            later: Vec::new(),
            stopped: None,
            given: Vec::new(),
        }
    }

    /// Plays what the seat has ordered in secret before this letter.
    fn bring_forward(&mut self, seat: Seat, secret: &[String], dice: &mut Dice) {
        (self.lines, self.events) = self.table.bring_forward(seat, secret, dice);
        (self.secret, self.brought) = (self.lines.clone(), self.events.len());
    }

    /// What the lines would cost their writer that he may not have meant.
    fn doubt<'l>(&self, seat: Seat, lines: &'l [OrderLine]) -> Option<(Option<usize>, Refusal)> {
        let order = |line: &'l OrderLine| {
            wording::worded(&*self.table.game, &self.words, seat, line.meant())
                .map_or(line.meant(), |worded| worded.order)
        };
        let lines: Vec<&str> = lines.iter().map(order).collect();
        self.table.game.doubt(seat, &lines)
    }

    /// Whether the letter has given an order of this kind for now, so that another one would only
    /// have become a plan by the way. Who writes a plan as plans are written wants one.
    fn has_given(&self, seat: Seat, line: &str) -> bool {
        let first = |line: &str| pieces(line).into_iter().next();
        let kind = self.table.game.read(seat, line).ok().as_deref().and_then(first);
        let given = |word: &Option<String>| {
            word.is_some() && self.given.iter().any(|line| first(line) == *word)
        };
        let written = first(line);
        let begins_plans = |word: &str| self.words.all().begins_plans(word);
        let is_plan = || written.as_deref().is_some_and(begins_plans);
        (given(&written) || given(&kind) && !is_plan()) && self.words.all().has_plans()
    }

    /// Whether the turn of this seat ends here by itself, once something was ordered for it.
    fn ends_here(&self, seat: Seat) -> bool {
        let is_over = !self.table.turn().awaits(seat) || self.table.game.closing(seat).is_some();
        self.orders == Orders::Open && is_over
    }

    /// The refusal, and how a plan for later is written.
    fn later_instead(&self, seat: Seat, refusal: Refusal) -> Refusal {
        let forms = self.table.game.forms(seat).into_iter();
        let plans = forms.filter(|form| self.words.all().begins_plans(form.first_word()));
        plans.map(FormLine::offered).fold(refusal, Refusal::or)
    }

    /// The refusal of a line that could not be read, with the legal order that it was perhaps meant
    /// to be: of a world that its writer could be sitting in.
    fn meant(&self, refusal: Refusal, seat: Seat, line: &str) -> Refusal {
        if refusal.kind == RefusalKind::Illegal || self.is_open() {
            return refusal;
        }
        match self.table.perhaps_meant(&self.words, seat, line) {
            Some(meant) => refusal.first(meant),
            None => refusal,
        }
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
