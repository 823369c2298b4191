//! The judgement of a letter's orders. Either all lines are carried out or none.

use super::wording::{OrderWithAside, SeatVocabulary, is_question_or_doubtful, original_parts};
use super::{Cause, LetterRef, QueueCommand, QueuedOrders, Table, records_in_force};
use crate::rules::{
    Dice, EventText, FormExample, LineOutcome, Message, Refusal, RefusalKind, Seat, excerpt,
    lowercase_words,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One line that a player wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderLine {
    /// The line number in the letter, from 1.
    pub number: u32,
    /// The line with plain characters (see [`fold_line`](crate::mail::fold_line)). Replies quote
    /// it.
    pub text: String,
    /// The line translated to English, if it was written in another language. The parser reads this
    /// text.
    #[serde(skip)]
    pub(crate) english: Option<Box<str>>,
}

impl OrderLine {
    /// Creates a line in English.
    pub const fn new(number: u32, text: String) -> Self {
        Self { number, text, english: None }
    }

    /// Returns the sentence that quotes the line in a refusal.
    pub(crate) fn quote_for_refusal(&self) -> Message {
        let line = Message::new("refused-line").with("number", self.number);
        line.with("line", excerpt(&self.text))
    }

    /// Returns the sentence that quotes this line as talk, which was not carried out.
    pub(crate) fn quote_as_talk(&self) -> Message {
        let line = Message::new("not-an-order").with("number", self.number);
        line.with("line", excerpt(&self.text))
    }

    /// Returns the text that the parser reads: the translation if there is one.
    pub(crate) fn text_to_parse(&self) -> &str {
        self.english.as_deref().unwrap_or(&self.text)
    }
}

/// A player's letter, as the table judges it.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The seat that gives the orders.
    pub seat: Seat,
    /// The lines of the letter, in order.
    pub lines: &'a [OrderLine],
    /// The number of the last record that the player had seen when they wrote the letter.
    pub seen_record: u32,
    /// The reference to the letter, which the record keeps. `None` if there is no letter.
    pub letter: Option<&'a LetterRef>,
    /// The orders that the seat had queued before the letter.
    pub queued: &'a QueuedOrders,
}

/// The result of a submission.
pub enum Verdict {
    /// Every line was carried out or queued. If the letter disclosed something, it may end early,
    /// as the remarks say.
    Accepted {
        /// The table after the letter. It has a new record if the letter gave an order for now that
        /// is not secret.
        table: Box<Table>,
        /// The orders that the seat has queued after the letter.
        queued: QueuedOrders,
        /// Notes to the player about how the lines were read.
        remarks: Vec<Message>,
        /// The numbers of the lines whose plans are queued. A line with several plans occurs
        /// several times.
        plan_lines: Vec<u32>,
    },
    /// The letter was refused, and none of its lines was carried out.
    Refused(LetterRefusal),
}

/// The reason why a letter was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRefusal {
    /// The first faulty line; `None` if the fault is not in a line.
    pub line: Option<OrderLine>,
    /// The reason why the letter was refused, and the alternatives.
    pub(crate) refusal: Refusal,
}

impl LetterRefusal {
    /// Whether no line of the letter was recognized as an order.
    pub(crate) fn found_no_order(&self) -> bool {
        self.refusal.kind == RefusalKind::NotAnOrder
    }
}

impl Table {
    /// Judges a letter's orders. A bad line, or a line after the end of the turn, refuses the whole
    /// letter.
    ///
    /// There is an exception, because a disclosure cannot be taken back. If an order disclosed
    /// something before the bad line, the orders up to there are carried out. A refusal would let
    /// the player see the result without the order.
    ///
    /// ```
    /// use chrono::DateTime;
    /// use postrider::games::find_kind;
    /// use postrider::rules::{Seat, Seed};
    /// use postrider::table::{GameSetup, OrderLine, QueuedOrders, Submission, Table, Verdict};
    ///
    /// let (kind, now) = (find_kind("paris-connection").expect("it ships"), DateTime::UNIX_EPOCH);
    /// let (definition, options) = (kind.shipped_definition(), [].into());
    /// let setup = GameSetup { kind, definition, options: &options, seats: 3 };
    /// let table = Table::found_game(setup, 1, Seed::from_number(7), now).expect("it begins");
    /// let (seat, queued) = (Seat::new(1), &QueuedOrders::default());
    /// let seen_record = table.last_record_number();
    /// let write = |line: &str| {
    ///     let lines = [OrderLine::new(1, line.to_owned())];
    ///     let letter = Submission { seat, lines: &lines, seen_record, letter: None, queued };
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
            kept_lines: plan_lines,
            ..
        } = judged;
        if orders == OrderVisibility::Secret {
            standing.secret_lines = remove_earlier_duplicates(secret);
            remarks.push(self.describe_secret_orders(seat, &standing));
        }
        let mut standing = standing.update_seen_record(before, seen);
        // Others can count records, so a letter with secret orders only must not add one.
        let mut table = self.clone();
        if orders == OrderVisibility::Open {
            table = ahead;
            let cause = Cause::Orders { seat, lines, letter: letter.cloned() };
            table.append_record(cause, events, dice.used_word_count(), now);
            standing.secret_lines.clear();
        }
        Verdict::Accepted { table: Box::new(table), queued: standing, remarks, plan_lines }
    }

    /// Judges a letter's lines at this table, to carry them out or to preview them.
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
            && let Some((place, refusal)) = judged.find_confirmation_question()
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
        judged.process_plans()?;
        if judged.can_add_final_order() && !judged.table.has_due_plan(seat, &standing.plans) {
            judged.add_final_order().map_err(|refusal| refused(None, refusal))?;
        }
        Ok(judged)
    }

    /// Returns the events of other players since the record with number `seen`.
    ///
    /// # Errors
    /// The game is over, or it went back to before the position that the player saw.
    fn events_of_others_since(&self, seat: Seat, seen: u32) -> Result<Vec<EventText>, Refusal> {
        let since = self.records_since(seen);
        if self.is_over() {
            return Err(Refusal::game_over());
        }
        if since.iter().any(|record| matches!(record.cause, Cause::Rewound { .. })) {
            return Err(Refusal::illegal(Message::new("rewound-since")));
        }
        if let Some(by) = self.seat_that_undid_since(seat, seen) {
            return Err(Refusal::illegal(Message::new("undone-since").with("who", by)));
        }
        Ok(records_in_force(since)
            .into_iter()
            .filter(|record| Self::seat_that_ordered(record) != Some(seat))
            .flat_map(|record| record.events.iter().cloned())
            .collect())
    }
}

/// Returns the lines in order, without those that are repeated later.
fn remove_earlier_duplicates(lines: Vec<String>) -> Vec<String> {
    let mut each: Vec<String> = Vec::new();
    for line in lines {
        each.retain(|earlier| *earlier != line);
        each.push(line);
    }
    each
}

/// The purpose for which a letter is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The letter is judged to be carried out.
    Execute,
    /// The letter is previewed. The judgement stops at the first disclosure, because the player
    /// must not learn the result in advance.
    Preview,
}

/// The state of the judgement of one letter.
pub(super) struct Judgement<'a> {
    pub(super) submission: Submission<'a>,
    pub(super) purpose: Purpose,
    table_before: &'a Table,
    /// The events of other players that the player had not seen.
    unseen: Vec<EventText>,
    pub table: Table,
    pub(super) dice: Dice,
    /// The position that the player saw, if it is an older one. Plans are read at it, unless the
    /// letter also gives an order.
    pub(super) seen_position: Option<Table>,
    /// The vocabulary of the seat at the position before the letter.
    vocabulary: SeatVocabulary<'a>,
    pub(crate) events: Vec<EventText>,
    /// The index in `events` of the first event that disclosed something to the player.
    pub(crate) first_disclosure: Option<usize>,
    /// The number of `events` that come from secret orders given before this letter.
    pub(crate) secret_event_count: usize,
    pub remarks: Vec<Message>,
    /// The most visible kind of order for now in this letter.
    pub(super) order_visibility: OrderVisibility,
    /// The lines of the record that the letter leads to.
    lines: Vec<String>,
    /// The secret lines among `lines`, in the game's spelling.
    secret_lines: Vec<String>,
    /// The commands about the queue, which are identical in all games.
    pub(super) queue_commands: Vec<QueueCommand>,
    /// The lines with plans. They are read again after all orders.
    pub(super) plan_lines: Vec<OrderLine>,
    /// The plans to be queued, as the game's JSON.
    pub(super) plans: Vec<serde_json::Value>,
    /// The number of the line of each of `plans`.
    pub(super) kept_lines: Vec<u32>,
    /// The line at which the judgement ended early. It and all later lines have no effect.
    pub(crate) stopped_at: Option<&'a OrderLine>,
    /// The orders of this letter that were carried out, both as written and in the game's spelling.
    given_orders: Vec<String>,
}

/// The visibility of a letter's orders for now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OrderVisibility {
    /// The letter has no order for now.
    None,
    /// The letter has orders for now, and all are secret.
    Secret,
    /// Other players can see that the letter gave an order.
    Open,
}

impl<'a> Judgement<'a> {
    /// Starts the judgement of a letter. First plays the secret orders that the seat gave before
    /// it, unless they are sealed.
    fn new(
        before: &'a Table,
        submission: &Submission<'a>,
        mut dice: Dice,
        aim: Purpose,
    ) -> Result<Self, Refusal> {
        let Submission { seat, seen_record: seen, queued: standing, .. } = *submission;
        let unseen = before.events_of_others_since(seat, seen)?;
        let mut table = before.clone();
        let past = before.position_seen_by_writer(submission, aim);
        let secret = before.unsealed_secret_lines(seat, standing);
        let (lines, events) = table.play_secret_orders(seat, secret, &mut dice);
        Ok(Self {
            submission: *submission,
            purpose: aim,
            table_before: before,
            unseen,
            table,
            dice,
            seen_position: past,
            vocabulary: before.seat_vocabulary(seat),
            first_disclosure: None,
            secret_event_count: events.len(),
            events,
            remarks: Vec::new(),
            order_visibility: OrderVisibility::None,
            secret_lines: lines.clone(),
            lines,
            queue_commands: Vec::new(),
            plan_lines: Vec::new(),
            plans: Vec::new(),
            kept_lines: Vec::new(),
            stopped_at: None,
            given_orders: Vec::new(),
        })
    }

    pub(super) const fn seat(&self) -> Seat {
        self.submission.seat
    }

    /// Judges one line: plays an order for now, and collects a plan or a command about the queue.
    fn judge_line(&mut self, line: &OrderLine) -> Result<(), Refusal> {
        let text = line.text_to_parse();
        if is_question_or_doubtful(&self.vocabulary, text) {
            let refusal = Refusal::unreadable(Message::new("line-doubt"));
            return Err(refusal.with_alternative(Message::new("line-doubt-how")));
        }
        let worded = self.table.extract_order(&self.vocabulary, self.seat(), text);
        let is_end = || self.vocabulary.phrases.is_end_of_turn(text) && self.turn_ends_here();
        if worded.is_none() && is_end() {
            return Ok(());
        }
        let OrderWithAside { order, aside } =
            worded.unwrap_or(OrderWithAside { order: text, aside: "" });
        if !aside.is_empty() {
            let remark = Message::new("not-of-order").with("number", line.number);
            let own =
                original_parts(self.vocabulary.phrases, line, OrderWithAside { order, aside });
            self.remarks.push(remark.with("words", own.aside));
        }
        if let Some(choice) = QueueCommand::parse(order) {
            self.queue_commands.push(choice);
            return Ok(());
        }
        let done = match self.parse_plans(order) {
            Some(Ok(plans)) if self.repeats_order_kind(order, &plans) => {
                Err(self.add_plan_forms_to_refusal(Refusal::illegal(Message::new("two-orders"))))
            }
            Some(plans) => plans.map(|_| {
                self.plan_lines.push(OrderLine::new(line.number, order.to_owned()));
            }),
            None => self.play_line(order),
        };
        done.map_err(|refusal| self.add_meant_order_to_refusal(refusal, order))
    }

    /// Plays a line that is an order for now.
    pub(super) fn play_line(&mut self, line: &str) -> Result<(), Refusal> {
        let seat = self.seat();
        self.table_before.turn().ensure_awaits(seat)?;
        if !self.table.turn().awaits(seat) {
            // A line that is no order gets the refusal that says so, rather than one that says it
            // came too late.
            if let Err(refusal) = self.table.game.normalize_line(seat, line)
                && refusal.kind != RefusalKind::Illegal
            {
                return Err(refusal);
            }
            let key = if self.has_disclosed() { "turn-was-over" } else { "turn-passed-on" };
            return Err(self.add_plan_forms_to_refusal(Refusal::illegal(Message::new(key))));
        }
        // If the line fails after a disclosure, the earlier lines stay in force. So keep a copy,
        // because a failed line may leave the position in its middle.
        let before = self.has_disclosed().then(|| self.table.game.clone_box());
        let given = self.table.game.normalize_line(seat, line).ok();
        let played = self.table.game.judge_and_play_line(seat, line, &self.unseen, &mut self.dice);
        if let (Err(_), Some(before)) = (&played, before) {
            self.table.game = before;
        }
        self.record_outcome(line, played?);
        self.given_orders.extend([line.to_owned()].into_iter().chain(given));
        Ok(())
    }

    /// Returns a question if the letter could cost the player something by mistake. See
    /// [`crate::rules::OrderText::find_confirmation_question`].
    fn find_confirmation_question(&self) -> Option<(Option<usize>, Refusal)> {
        let order = |line: &'a OrderLine| {
            self.table
                .extract_order(&self.vocabulary, self.seat(), line.text_to_parse())
                .map_or(line.text_to_parse(), |worded| worded.order)
        };
        let lines: Vec<_> = self.submission.lines.iter().map(order).collect();
        self.table.game.find_confirmation_question(self.seat(), &lines)
    }

    /// Whether the letter already gave an order of this line's kind for now, and the line does not
    /// have the form of a plan. Such a line must not become a plan for a later turn by accident.
    fn repeats_order_kind(&self, line: &str, read: &[serde_json::Value]) -> bool {
        let (game, seat) = (&self.table.game, self.seat());
        let continues_turn = |plan| game.plan_continues_turn(plan);
        let first = |line: &str| lowercase_words(line).into_iter().next();
        let kind = game.normalize_line(seat, line).ok().as_deref().and_then(first);
        let given = |word: &Option<String>| {
            word.is_some() && self.given_orders.iter().any(|line| first(line) == *word)
        };
        let written = first(line);
        let words = &self.vocabulary.vocabulary().non_order_first_words;
        let is_plan = || written.as_ref().is_some_and(|word| words.contains(word));
        (given(&written) || given(&kind) && !is_plan()) && !read.iter().all(continues_turn)
    }

    /// Whether the seat has given an order that others see, and its turn is over or only needs its
    /// obvious last order.
    fn turn_ends_here(&self) -> bool {
        let seat = self.seat();
        let is_over =
            !self.table.turn().awaits(seat) || self.table.game.implied_final_line(seat).is_some();
        self.order_visibility == OrderVisibility::Open && is_over
    }

    /// Adds the forms of plans to a refusal.
    fn add_plan_forms_to_refusal(&self, refusal: Refusal) -> Refusal {
        let forms = self.table.game.forms(self.seat()).into_iter();
        let plans = forms.filter(|form| {
            self.vocabulary.vocabulary().non_order_first_words.contains(form.first_word())
        });
        plans.map(FormExample::into_message).fold(refusal, Refusal::with_alternative)
    }

    /// Adds the legal order that was perhaps meant to a refusal. Adds nothing after a disclosure.
    fn add_meant_order_to_refusal(&self, refusal: Refusal, line: &str) -> Refusal {
        if refusal.kind == RefusalKind::Illegal || self.has_disclosed() {
            return refusal;
        }
        let meant = self.table.suggest_meant_order(&self.vocabulary, line);
        meant.into_iter().fold(refusal, Refusal::with_first_alternative)
    }

    /// Whether an event disclosed something that the player could not have known.
    pub(super) const fn has_disclosed(&self) -> bool {
        self.first_disclosure.is_some()
    }

    /// Adds the outcome of a played line to the judgement.
    pub(super) fn record_outcome(&mut self, line: &str, played: LineOutcome) {
        let place = played.first_disclosure.map(|place| self.events.len() + place);
        self.first_disclosure = self.first_disclosure.or(place);
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

    /// Drops a bad line and all later ones, and adds remarks with the reason.
    pub(super) fn drop_rest_from(&mut self, line: &'a OrderLine, refusal: Refusal) {
        let word = Message::new("cut-short").with("number", line.number).with("line", &*line.text);
        self.remarks.extend([word, refusal.reason].into_iter().chain(refusal.alternatives));
        self.stopped_at = Some(line);
    }

    /// Whether the obvious last order of the turn may be added. It may if the letter gave an order
    /// that others see and was judged to its end.
    fn can_add_final_order(&self) -> bool {
        let is_foretold = self.purpose == Purpose::Preview && self.has_disclosed();
        self.order_visibility == OrderVisibility::Open && self.stopped_at.is_none() && !is_foretold
    }

    fn add_final_order(&mut self) -> Result<(), Refusal> {
        if let Some((line, played)) =
            self.table.play_implied_final_order(self.submission.seat, &mut self.dice)?
        {
            self.record_outcome(&line, played);
        }
        Ok(())
    }
}
