//! A letter's orders, judged: all of them or none.

use super::wording::{self, OrderWithAside, SeatVocabulary};
use super::{Cause, LetterRef, QueueCommand, QueuedOrders, Table, records_in_force};
use crate::rules::{
    Dice, EventText, FormExample, LineOutcome, Message, Refusal, RefusalKind, Seat, excerpt, tokens,
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
    pub(crate) fn quote_for_refusal(&self) -> Message {
        let line = Message::new("refused-line").with("number", self.number);
        line.with("line", excerpt(&self.text))
    }

    /// The line as it is read.
    pub(crate) fn text_to_parse(&self) -> &str {
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
    pub seen_record: u32,
    /// The letter that brought them.
    pub letter: Option<&'a LetterRef>,
    /// What the seat has planned so far.
    pub queued: &'a QueuedOrders,
}

/// What becomes of a submission.
pub enum Verdict {
    /// Every line was carried out, or is kept for later.
    Accepted {
        /// The table afterwards; its last record is new when a line was for now.
        table: Box<Table>,
        /// What the seat has planned afterwards.
        queued: QueuedOrders,
        /// What the player should know about how the lines were read.
        remarks: Vec<Message>,
    },
    /// Nothing was done.
    Refused(LetterRefusal),
}

/// Why a letter was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRefusal {
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
        let Submission { seat, letter, queued: before, seen_record: seen, .. } = *submission;
        let judged = match self.judge_letter(submission, self.dice(), Purpose::Execute) {
            Ok(judged) => judged,
            Err(refused) => return Verdict::Refused(refused),
        };
        let mut standing = judged.queued_after();
        let Judgement {
            table: ahead,
            events,
            lines,
            secret_lines: secret,
            mut remarks,
            order_visibility: orders,
            dice,
            ..
        } = judged;
        if orders == OrderVisibility::Secret {
            standing.secret_lines = keep_last_of_equals(secret);
            let lines = standing.secret_lines.clone();
            remarks.push(Message::new("orders-secret").with("lines", lines));
        }
        let mut standing = standing.with_seen_record(before, seen);
        // Others can count records, so orders in secret lead to none.
        let mut table = self.clone();
        if orders == OrderVisibility::Open {
            table = ahead;
            let cause = Cause::Orders { seat, lines, letter: letter.cloned() };
            table.append_record(cause, events, dice.counter(), now);
            standing.secret_lines.clear();
        }
        Verdict::Accepted { table: Box::new(table), queued: standing, remarks }
    }

    /// Judges a letter's lines at this table.
    pub(super) fn judge_letter<'a>(
        &'a self,
        submission: &Submission<'a>,
        dice: Dice,
        aim: Purpose,
    ) -> Result<Judgement<'a>, LetterRefusal> {
        let Submission { seat, lines, queued: standing, .. } = *submission;
        let refused =
            |line: Option<&OrderLine>, refusal| LetterRefusal { line: line.cloned(), refusal };
        let mut judged = Judgement::new(self, submission, dice, aim)
            .map_err(|refusal| refused(lines.first(), refusal))?;
        if self.turn().awaits(seat)
            && let Some((place, refusal)) = judged.find_confirmation()
        {
            return Err(refused(place.and_then(|place| lines.get(place)), refusal));
        }
        for line in lines {
            if judged.has_disclosed() && aim == Purpose::Preview {
                judged.stopped_at = Some(line);
                break;
            }
            match judged.judge_line(line) {
                Err(refusal) if judged.has_disclosed() => {
                    judged.drop_rest_from(line, refusal);
                    break;
                }
                done => done.map_err(|refusal| refused(Some(line), refusal))?,
            }
        }
        judged.file_plans()?;
        if judged.can_end_turn() && !judged.table.has_due_plan(seat, &standing.plans) {
            judged.end_turn().map_err(|refusal| refused(None, refusal))?;
        }
        Ok(judged)
    }

    /// Returns the events by which others moved the game since the record with number `seen`.
    ///
    /// # Errors
    /// The game is over, or has gone back behind what the writer saw.
    fn unseen_events(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
        if self.is_over() {
            return Err(Refusal::game_over());
        }
        if since.iter().any(|record| matches!(record.cause, Cause::Rewound { .. })) {
            return Err(Refusal::illegal(Message::new("rewound-since")));
        }
        if let Some(by) = self.undone_since(seat, seen) {
            return Err(Refusal::illegal(Message::new("undone-since").with("who", by)));
        }
        Ok(records_in_force(since)
            .into_iter()
            .filter(|record| Self::ordering_seat(record) != Some(seat))
            .flat_map(|record| record.events.iter().cloned())
            .collect())
    }
}

/// Returns the lines in order; of equal ones only the last, which alone counts.
fn keep_last_of_equals(lines: Vec<String>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for line in lines {
        each.retain(|earlier| *earlier != line);
        each.push(line);
    }
    each
}

/// What a letter is judged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To be carried out.
    Execute,
    /// To tell its writer what can be told before: it ends where something would be disclosed.
    Preview,
}

/// A letter as far as it has been judged.
pub(super) struct Judgement<'a> {
    pub(super) submission: Submission<'a>,
    pub(super) purpose: Purpose,
    /// The table before the letter.
    table_before: &'a Table,
    /// What others did that its writer had not seen.
    unseen: Vec<EventText>,
    pub table: Table,
    pub(super) dice: Dice,
    /// The position that its writer saw, if it is an older one.
    pub(super) seen_position: Option<Table>,
    /// The words of its game, as that stood when it came.
    vocabulary: SeatVocabulary<'a>,
    pub(crate) events: Vec<EventText>,
    /// The place in `events` of the first that the writer could not have known.
    pub(crate) disclosed: Option<usize>,
    /// How many of `events` are of orders that were given in secret before this letter.
    pub(crate) secret_event_count: usize,
    pub remarks: Vec<Message>,
    /// What the letter orders for now.
    pub(super) order_visibility: OrderVisibility,
    /// The lines of the record that it would lead to.
    lines: Vec<String>,
    /// Those of them that are for their player's eyes only, as the game writes them.
    secret_lines: Vec<String>,
    /// The lines that change standing orders and are the same in every game.
    queue_commands: Vec<QueueCommand>,
    /// The lines that hold plans, as they are read.
    pub(super) plan_lines: Vec<OrderLine>,
    /// The plans of the letter that are kept, as their game keeps them.
    pub(super) plans: Vec<serde_json::Value>,
    /// The line before which the judgement ended.
    pub(crate) stopped_at: Option<&'a OrderLine>,
    /// The orders of this letter that were carried out, as they were written and as the game
    /// writes them.
    given_orders: Vec<String>,
}

/// What a letter orders for now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OrderVisibility {
    /// No order for now.
    None,
    /// What only its player may know.
    Secret,
    /// What the others see as well.
    Open,
}

impl<'a> Judgement<'a> {
    /// Begins to judge a letter. First plays the orders that the seat gave in secret before it.
    fn new(
        before: &'a Table,
        submission: &Submission<'a>,
        mut dice: Dice,
        aim: Purpose,
    ) -> Result<Self, Refusal> {
        let Submission { seat, seen_record: seen, queued: standing, .. } = *submission;
        let unseen = before.unseen_events(seat, seen)?;
        let mut table = before.clone();
        let past = before.position_seen_by_writer(submission, aim);
        let (lines, events) = table.play_secret_orders(seat, &standing.secret_lines, &mut dice);
        Ok(Self {
            submission: *submission,
            purpose: aim,
            table_before: before,
            unseen,
            table,
            dice,
            seen_position: past,
            vocabulary: before.seat_vocabulary(seat),
            disclosed: None,
            secret_event_count: events.len(),
            events,
            remarks: Vec::new(),
            order_visibility: OrderVisibility::None,
            secret_lines: lines.clone(),
            lines,
            queue_commands: Vec::new(),
            plan_lines: Vec::new(),
            plans: Vec::new(),
            stopped_at: None,
            given_orders: Vec::new(),
        })
    }

    /// Returns the seat that the letter is for.
    pub(super) const fn seat(&self) -> Seat {
        self.submission.seat
    }

    /// Judges one line: what it orders for now is carried out, and what it wants later is kept.
    fn judge_line(&mut self, line: &OrderLine) -> Result<(), Refusal> {
        if wording::is_uncertain(&self.vocabulary, line.text_to_parse()) {
            let how = Message::new("line-doubt-how");
            return Err(Refusal::unreadable(Message::new("line-doubt")).with_alternative(how));
        }
        let worded = self.table.extract_order(&self.vocabulary, self.seat(), line.text_to_parse());
        if worded.is_none()
            && wording::is_end_of_turn(line.text_to_parse())
            && self.turn_ends_here()
        {
            return Ok(());
        }
        let OrderWithAside { order, aside } =
            worded.unwrap_or(OrderWithAside { order: line.text_to_parse(), aside: "" });
        if !aside.is_empty() {
            let remark = Message::new("not-of-order").with("number", line.number);
            self.remarks.push(remark.with("words", wording::original_aside(line, aside)));
        }
        if let Some(choice) = QueueCommand::parse(order) {
            self.queue_commands.push(choice);
            return Ok(());
        }
        let done = match self.parse_plans(order) {
            Some(Ok(_)) if self.has_order_of_kind(order) => {
                Err(self.offer_plan_forms(Refusal::illegal(Message::new("two-orders"))))
            }
            Some(plans) => plans.map(|_| {
                self.plan_lines.push(OrderLine::new(line.number, order.to_owned()));
            }),
            None => self.play_line(order),
        };
        done.map_err(|refusal| self.offer_meant_order(refusal, order))
    }

    /// Carries out a line that is for now.
    pub(super) fn play_line(&mut self, line: &str) -> Result<(), Refusal> {
        let seat = self.seat();
        self.table_before.turn().ensure_awaits(seat)?;
        if !self.table.turn().awaits(seat) {
            // What is no order is not told that it came too late.
            if let Err(refusal) = self.table.game.normalize_line(seat, line)
                && refusal.kind != RefusalKind::Illegal
            {
                return Err(refusal);
            }
            let key = if self.has_disclosed() { "turn-was-over" } else { "turn-passed-on" };
            return Err(self.offer_plan_forms(Refusal::illegal(Message::new(key))));
        }
        // A letter that is cut short stands where its last good line has led.
        let before = self.has_disclosed().then(|| self.table.game.clone_box());
        let given = self.table.game.normalize_line(seat, line).ok();
        let played = self.table.game.play_line(seat, line, &self.unseen, &mut self.dice);
        if let (Err(_), Some(before)) = (&played, before) {
            self.table.game = before;
        }
        self.record_outcome(line, played?);
        self.given_orders.extend([line.to_owned()].into_iter().chain(given));
        Ok(())
    }

    /// Asks about what the lines would cost their writer and may not be meant.
    fn find_confirmation(&self) -> Option<(Option<usize>, Refusal)> {
        let order = |line: &'a OrderLine| {
            self.table
                .extract_order(&self.vocabulary, self.seat(), line.text_to_parse())
                .map_or(line.text_to_parse(), |worded| worded.order)
        };
        let lines: Vec<&str> = self.submission.lines.iter().map(order).collect();
        self.table.game.find_confirmation(self.seat(), &lines)
    }

    /// Returns the standing orders after the letter. Its plans replace all earlier ones.
    pub(super) fn queued_after(&self) -> QueuedOrders {
        let mut standing = self.submission.queued.clone();
        for choice in &self.queue_commands {
            match choice {
                QueueCommand::ClearPlans => standing.plans.clear(),
                QueueCommand::AutoForced(on) => standing.auto_forced = *on,
            }
        }
        if !self.plans.is_empty() {
            standing.plans.clone_from(&self.plans);
        }
        standing
    }

    /// Whether the letter has given an order of this kind for now. Another one would only become a
    /// plan by accident, unless it is written as plans are.
    fn has_order_of_kind(&self, line: &str) -> bool {
        let first = |line: &str| tokens(line).into_iter().next();
        let kind =
            self.table.game.normalize_line(self.seat(), line).ok().as_deref().and_then(first);
        let given = |word: &Option<String>| {
            word.is_some() && self.given_orders.iter().any(|line| first(line) == *word)
        };
        let written = first(line);
        let plans = &self.vocabulary.vocabulary().other_first_words;
        let is_plan = || written.as_ref().is_some_and(|word| plans.contains(word));
        (given(&written) || given(&kind) && !is_plan()) && !plans.is_empty()
    }

    /// Whether the turn of this seat ends here by itself, once something was ordered for it.
    fn turn_ends_here(&self) -> bool {
        let seat = self.seat();
        let is_over =
            !self.table.turn().awaits(seat) || self.table.game.implied_final_line(seat).is_some();
        self.order_visibility == OrderVisibility::Open && is_over
    }

    /// Adds to a refusal how a plan for later is written.
    fn offer_plan_forms(&self, refusal: Refusal) -> Refusal {
        let forms = self.table.game.forms(self.seat()).into_iter();
        let plans = forms.filter(|form| {
            self.vocabulary.vocabulary().other_first_words.contains(form.first_word())
        });
        plans.map(FormExample::into_message).fold(refusal, Refusal::with_alternative)
    }

    /// Adds to the refusal of a line that could not be read the legal order that was perhaps meant.
    fn offer_meant_order(&self, refusal: Refusal, line: &str) -> Refusal {
        if refusal.kind == RefusalKind::Illegal || self.has_disclosed() {
            return refusal;
        }
        let meant = self.table.suggest_meant_order(&self.vocabulary, line);
        meant.into_iter().fold(refusal, Refusal::with_first_alternative)
    }

    /// Whether something was disclosed that the writer could not have known.
    pub(super) const fn has_disclosed(&self) -> bool {
        self.disclosed.is_some()
    }

    /// Keeps what a line has led to.
    pub(super) fn record_outcome(&mut self, line: &str, played: LineOutcome) {
        let place = played.first_disclosure.map(|place| self.events.len() + place);
        self.disclosed = self.disclosed.or(place);
        self.events.extend(played.events);
        self.remarks.extend(played.remarks);
        self.lines.push(line.to_owned());
        let order = if played.secret_line.is_some() {
            OrderVisibility::Secret
        } else {
            OrderVisibility::Open
        };
        self.order_visibility = self.order_visibility.max(order);
        self.secret_lines.extend(played.secret_line);
    }

    /// Leaves out a bad line and what follows it, and says why.
    pub(super) fn drop_rest_from(&mut self, line: &'a OrderLine, refusal: Refusal) {
        let word = Message::new("cut-short").with("number", line.number).with("line", &*line.text);
        self.remarks.extend([word, refusal.reason].into_iter().chain(refusal.alternatives));
        self.stopped_at = Some(line);
    }

    /// Whether the letter ends where its writer ended it, so that the turn may be closed.
    fn can_end_turn(&self) -> bool {
        let is_foretold = self.purpose == Purpose::Preview && self.has_disclosed();
        self.order_visibility == OrderVisibility::Open && self.stopped_at.is_none() && !is_foretold
    }

    fn end_turn(&mut self) -> Result<(), Refusal> {
        if let Some((line, played)) =
            self.table.play_implied_end(self.submission.seat, &mut self.dice)?
        {
            self.record_outcome(&line, played);
        }
        Ok(())
    }
}
