//! Letters from a seat of a game: their orders, questions and club commands.

use crate::club::press::LineClass;
use crate::club::{
    HintRequest, LetterLine, Member, ParsedCommand, ParsedLetter, Question, SeatAssignment,
};
use crate::mail::{Letter, OrderLimitExceeded, TokenPosition};
use crate::process::context::{ClubError, ClubResult};
use crate::process::game_faults::broken_game_report;
use crate::process::inbound::effects::{Effects, LetterWriter};
use crate::process::inbound::intake::{self, classify_seat_line};
use crate::process::inbound::intents::IntentFinder;
use crate::process::inbound::line_sorter::LineSorter;
use crate::process::inbound::{abbreviations, member_letter};
use crate::process::lobby::{proposals, substitute};
use crate::process::outbound::{answers, pending};
use crate::process::request_error::{RequestError, split_refusal};
use crate::process::table::game_changes;
use crate::process::table::news::{self, add_hint_on_press_end};
use crate::process::transaction::Transaction;
use crate::process::transaction::effect::{Acknowledgement, Disposition, LetterEffect, MovedGame};
use crate::process::transaction::game_session::GameSession;
use crate::render::{Notice, Occasion};
use crate::rules::{Arg, Message, Refusal, Seat};
use crate::store::Repository;
use crate::table::{LetterRef, LetterRefusal, OrderLine, QueuedOrders, Submission, Table, Verdict};

mod seat_answers;

use seat_answers::AnswerExtras;

/// Decides the effect of a letter whose reply token belongs to this seat and position: the orders
/// it carries out, and the answer.
pub(crate) fn handle_seat_letter(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    position: TokenPosition,
    written: &Result<ParsedLetter, OrderLimitExceeded>,
) -> ClubResult<LetterEffect> {
    let (game, seat) = (position.game, Seat::new(position.seat));
    let seen = tx.letter_outcome(letter.hash.as_bytes())?;
    match tx.open_game(game) {
        Ok(_) => {}
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            let mut effect =
                LetterEffect::with_disposition(Disposition::Quarantined(error.to_message()));
            effect.report = Some(broken_game_report(game, error.to_message_without_game()));
            return Ok(effect);
        }
        Err(error) => return Err(error),
    }
    if substitute::has_seat_changed_owner(tx, game, seat)? {
        let from = letter.from.first().map(|from| from.address.as_str()).unwrap_or_default();
        return answers::answer_unproven_member(tx, letter, from, |_| Ok(Notice::BadToken));
    }
    let repeated = seen.is_some();
    let request = intake::require_readable(letter, written)
        .and_then(|request| intake::refuse_reply_to_bundle(tx.context, letter, request));
    let lobby = match &request {
        Ok(request) if !repeated => {
            proposals::handle_seat_lobby_line(tx, letter, (game, seat), request)?
        }
        _ => None,
    };
    let mut effect =
        match (lobby, SeatLetter::for_seat(tx, letter, (game, seat), written.as_ref().ok())) {
            (Some(effect), _) => effect,
            (None, None) => LetterEffect::with_disposition(Disposition::Done),
            (None, Some(mut player)) => match (seen, request) {
                (Some(seen), _) => player.answer_sender(Occasion::Repeated { at: seen.at })?,
                (None, Err(why)) => player.answer_sender(Occasion::Unreadable(why))?,
                (None, Ok(request)) => player.handle_request(request, position.seq)?,
            },
        };
    // A notice, such as that of a rate limit, gets the same form of Message-ID as other answers to
    // the seat. The ID must not tell the moderator what the letter held.
    let id_as_notice = pending::notice_reply_id(tx.context, &letter.hash);
    if let Some(answer) = effect.answer.as_mut().filter(|it| it.letter.message_id == id_as_notice) {
        let name = format!("g{game}.s{seat}.a{}", letter.hash);
        answer.letter.message_id = pending::make_message_id(tx.context, &name);
    }
    // A repeated letter keeps the date of its first arrival, which the answer names.
    if !repeated {
        let ordered = effect.moved_game.as_ref().filter(|moved| moved.has_orders_or_plans());
        let seq = ordered.map(|moved| moved.table.last_record_number());
        effect.seen_letter = Some(answers::seen_letter_entry(tx.context, letter, Some(game), seq));
    }
    Ok(effect)
}

/// One letter of a seat while its effect is decided.
struct SeatLetter<'a, 'c> {
    tx: &'a Transaction<'c>,
    letter: &'a Letter,
    game: u32,
    seat: Seat,
    /// The game as it was when the letter arrived.
    session: &'a GameSession,
    seated: &'a SeatAssignment,
    member: &'a Member,
    /// The game and the seat's queued orders as they are after the letter has taken orders back.
    table: Table,
    standing: QueuedOrders,
    /// The record to which the letter takes orders back.
    undone_to: Option<u32>,
    written: Option<&'a ParsedLetter>,
    /// The questions, without `preview`.
    commands: Vec<Question>,
    is_preview: bool,
    extras: AnswerExtras,
}

impl<'a, 'c> SeatLetter<'a, 'c> {
    fn for_seat(
        tx: &'a Transaction<'c>,
        letter: &'a Letter,
        (game, seat): (u32, Seat),
        written: Option<&'a ParsedLetter>,
    ) -> Option<Self> {
        let session = tx.opened_game(game)?;
        let (seated, member) = session.seat(seat)?;
        let (table, standing) = (session.table.clone(), seated.queued_orders.clone());
        let (undone, asked, shown) = (None, Vec::new(), AnswerExtras::default());
        let preview = written.is_some_and(|written| written.questions.contains(&Question::Preview));
        Some(Self {
            tx,
            letter,
            game,
            seat,
            session,
            seated,
            member,
            table,
            standing,
            undone_to: undone,
            written,
            commands: asked,
            is_preview: preview,
            extras: shown,
        })
    }

    fn handle_request(&mut self, request: &ParsedLetter, shown: u32) -> ClubResult<LetterEffect> {
        if !request.press.is_empty() {
            self.extras.notes.push(Message::new("talk-unsaid"));
        }
        self.commands = request.questions.clone();
        self.commands.retain(|command| *command != Question::Preview);
        let judged = self.judge_club_lines(request).and_then(|mut effects| {
            self.undo_last_orders(&mut effects)?;
            Ok(effects)
        });
        let sorted = |effects: Effects| self.separate_talk_from_orders(effects, request);
        let mut effects = match split_refusal(judged)?.and_then(sorted) {
            Ok(effects) => effects,
            Err(refused) => {
                return self.answer_refusal(refused, false);
            }
        };
        if effects.has_only_undo_or_questions() {
            // A letter that only asks questions gets the remarks about its talk with the answer.
            self.extras.notes.append(&mut effects.talk_remarks);
        }
        effects.words.append(&mut effects.talk_remarks);
        let has_undone = self.undone_to.is_some() || self.standing != self.seated.queued_orders;
        let is_around = effects.has_talk_or_vote() || has_undone;
        if !effects.orders.is_empty() {
            self.submit_orders(effects, request, shown)
        } else if is_around && self.is_preview {
            self.answer_talk_preview(effects)
        } else if is_around {
            self.make_executed_effect(effects, self.table.clone(), self.standing.clone())
        } else if effects.asks_hint && self.commands.is_empty() && effects.words.is_empty() {
            // The hint itself is the answer.
            let mut effect = LetterEffect::with_disposition(Disposition::Done);
            self.apply_writer_changes(&effects, &mut effect)?;
            Ok(effect)
        } else if !effects.words.is_empty() || effects.asks_hint {
            self.answer_club_lines(effects)
        } else if self.commands.is_empty() {
            self.answer_sender(Occasion::NothingWritten)
        } else {
            self.answer_sender(Occasion::Answered)
        }
    }

    /// Decides the effects of everything in a letter except its orders: club commands, votes and
    /// messages.
    fn judge_club_lines(
        &self,
        request: &ParsedLetter,
    ) -> Result<Effects, RequestError<LetterRefusal>> {
        // Lines quoted from another letter must not change notes or take orders back.
        let own = |line: &&LetterLine| {
            let is_own = line.parsed_command.as_ref().is_some_and(ParsedCommand::is_about_own_seat);
            !is_own || !request.is_quoted(line.order.number)
        };
        let lines: Vec<LetterLine> = request.lines.iter().filter(own).cloned().collect();
        let seat = Some((self.game, self.seat, &self.seated.notes));
        let writer = LetterWriter { member: self.member, seat };
        let told = |refused| add_hint_on_press_end(refused, &request.press);
        let mut effects = Effects::judge_lines(self.tx, &writer, &lines)
            .map_err(|blame| blame.map_refusal(told))?;
        let cut = request.press.quoted_from.map(|at| Message::new("talk-cut").with("number", at));
        effects.words.extend(cut);
        effects.talk = news::build_press_entries(self.tx, self.game, self.seat, &request.press)?;
        Ok(effects)
    }

    /// Takes the player's last orders back if the letter asks for that. The rest of the letter is
    /// then judged as if these orders had never been given.
    fn undo_last_orders(
        &mut self,
        effects: &mut Effects,
    ) -> Result<(), RequestError<LetterRefusal>> {
        let Some(line) = &effects.undo else { return Ok(()) };
        let refused = |refusal| LetterRefusal { line: Some(line.clone()), refusal };
        let is_order = |order: &OrderLine| {
            order.number < line.number
                && classify_seat_line(
                    self.tx.context.games(),
                    (&self.table, self.seat),
                    order.text_to_parse(),
                ) != LineClass::Prose
        };
        if effects.orders.iter().any(is_order) {
            let why = Refusal::illegal(Message::new("undo-first"));
            return Err(RequestError::Refused(refused(why)));
        }
        if self.table.has_sealed_orders(self.seat, &self.standing) {
            let lines = std::mem::take(&mut self.standing.secret_lines);
            effects.words.insert(0, Message::new("undo-yours").with("lines", lines));
            return Ok(());
        }
        let taken =
            game_changes::undo_last_orders(self.tx, (self.game, self.seat), &self.letter_ref())
                .map_err(|blame| blame.map_refusal(refused))?;
        let lines: Vec<Arg> = taken.lines().iter().map(|line| Arg::from(line.as_str())).collect();
        effects.words.insert(0, Message::new("undo-yours").with("lines", Arg::List(lines)));
        self.standing.drop_plans_and_notify(Message::new("undo-plans"));
        self.undone_to = Some(taken.to);
        self.table = taken.table;
        Ok(())
    }

    fn letter_ref(&self) -> LetterRef {
        LetterRef::new(self.letter.hash.to_string())
    }

    /// Separates talk from the letter's orders, and keeps the orders.
    ///
    /// # Errors
    /// The refusal if the letter holds only talk, or if an order is ambiguous.
    fn separate_talk_from_orders(
        &self,
        mut effects: Effects,
        request: &ParsedLetter,
    ) -> Result<Effects, LetterRefusal> {
        let from = self.letter.from.first().map(|from| from.name.as_str());
        let own: Vec<&str> = [self.member.name.as_str()].into_iter().chain(from).collect();
        let names = (own.as_slice(), self.session.names.as_slice());
        let (place, library) = ((&self.table, self.seat), &self.tx.context.library);
        let sorter = LineSorter::new(place, names, library, self.intent_finder());
        let told = |refused| add_hint_on_press_end(refused, &request.press);
        let sorted = sorter
            .separate_orders_from_talk(std::mem::take(&mut effects.orders), request)
            .map_err(told)?;
        if let (true, false, Some(unsaid)) = (
            sorted.orders.is_empty(),
            request.has_more_than_orders(),
            sorter.talk_only_refusal(&sorted),
        ) {
            return Err(unsaid);
        }
        self.check_abbreviations(&sorted.orders).map_err(told)?;
        effects.talk_remarks = sorter.talk_remarks(&sorted);
        effects.orders = sorted.orders;
        Ok(effects)
    }

    /// Refuses an order in which a single letter may abbreviate another word of the player's
    /// language.
    fn check_abbreviations(&self, orders: &[OrderLine]) -> Result<(), LetterRefusal> {
        let lexicons = self.tx.context.library.lexicons(&self.member.language);
        let Some(lexicons) = lexicons else { return Ok(()) };
        let lexicon = lexicons.lexicon_for_game(&self.table.founding().game);
        let doubt = orders.iter().find_map(|line| {
            let refusal = abbreviations::ambiguous_abbreviation_refusal(
                &self.table,
                self.seat,
                lexicon,
                line,
            )?;
            Some(LetterRefusal { line: Some(line.clone()), refusal })
        });
        doubt.map_or(Ok(()), Err)
    }

    /// Submits the letter's orders to the game, or previews them if the letter asks for that.
    fn submit_orders(
        &self,
        mut effects: Effects,
        request: &ParsedLetter,
        shown: u32,
    ) -> ClubResult<LetterEffect> {
        let letter = self.letter_ref();
        let submission = Submission {
            seat: self.seat,
            lines: &effects.orders,
            seen_record: shown,
            letter: Some(&letter),
            queued: &self.standing,
        };
        if self.is_preview {
            return self.answer_preview(&submission, &effects);
        }
        match self.table.submit(&submission, self.tx.context.now) {
            Verdict::Accepted { table, queued: standing, remarks, plan_lines } => {
                effects.words.splice(0..0, remarks);
                let mut effect = self.make_executed_effect(effects, *table, standing)?;
                effect.note_plan_lines(&self.standing, &plan_lines);
                Ok(effect)
            }
            Verdict::Refused(refused) => {
                let refused = add_hint_on_press_end(refused, &request.press);
                self.answer_refusal(refused, effects.orders.len() > 1)
            }
        }
    }

    /// Returns the effect of a letter that was carried out. It has no answer of its own, because
    /// the game's next letter to the seat confirms it.
    fn make_executed_effect(
        &self,
        effects: Effects,
        table: Table,
        standing: QueuedOrders,
    ) -> ClubResult<LetterEffect> {
        let mut effect = LetterEffect::with_disposition(Disposition::Done);
        self.apply_writer_changes(&effects, &mut effect)?;
        let mut lines = effects.orders;
        lines.extend(effects.undo);
        lines.sort_by_key(|line| line.number);
        let acknowledged = Acknowledgement {
            answered_ids: self.letter.message_id.clone().into_iter().collect(),
            has_orders: table.last_record_number() > self.session.table.last_record_number(),
            digests: vec![self.letter.hash.to_string()],
            lines,
            remarks: effects.words,
            questions: self.commands.clone(),
            ..Acknowledgement::default()
        };
        let (seat, said, ballot) = (self.seat, effects.talk, effects.ballot);
        let undone = self.undone_to;
        effect.moved_game = Some(MovedGame {
            seat,
            table,
            plans: standing,
            acknowledgement: acknowledged,
            talk: said,
            ballot,
            undone_to: undone,
        });
        Ok(effect)
    }

    fn apply_writer_changes(&self, effects: &Effects, effect: &mut LetterEffect) -> ClubResult<()> {
        member_letter::queue_address_confirmations(
            self.tx,
            self.member,
            &effects.addresses_to_confirm,
            self.letter,
            effect,
        )?;
        effect.member.clone_from(&effects.member);
        effect.notes = effects.notes.clone().map(|notes| (self.game, self.seat, notes));
        effect.news_wish = effects.news_wish.map(|wish| (self.game, self.seat, wish));
        let message_id = self.letter.message_id.clone();
        let asked = HintRequest { message_id, digest: self.letter.hash.to_string() };
        effect.hint = effects.asks_hint.then_some((self.game, self.seat, asked));
        Ok(())
    }

    fn intent_finder(&self) -> IntentFinder<'a> {
        IntentFinder::for_member(self.tx.context, self.member)
    }
}
