//! A letter that was let in for a seat: its orders, questions and lines for the club.

use crate::club::press::Reads;
use crate::club::{ActivityEntry, Command, Line, Member, ReadLine, Request, Seated};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Letter, Position, TooMuch};
use crate::process::blame::{Blame, answered};
use crate::process::context::{ClubError, ClubResult};
use crate::process::inbound::effects::{Effects, Sorter, Writer};
use crate::process::inbound::intake::{self, reads, unread};
use crate::process::inbound::{doubtful_letter, member_letter};
use crate::process::isolate::broken_game;
use crate::process::lobby::{forming, substitute};
use crate::process::outbound::answers;
use crate::process::outbound::pending::{self, ToSeat};
use crate::process::table::news::{self, explained};
use crate::process::table::{game_changes, voting};
use crate::process::transaction::Transaction;
use crate::process::transaction::account::Account;
use crate::process::transaction::effect::{Acknowledged, Answer, Disposition, LetterEffect, Moved};
use crate::process::transaction::game_session::GameSession;
use crate::render::{Notice, Occasion};
use crate::rules::{Arg, Message, Refusal, Seat};
use crate::store::Repository;
use crate::table::{
    LetterRef, OrderLine, Preview, Refused, StandingOrders, Submission, Table, Verdict,
};

/// Returns what a letter leads to that was let in for this position.
pub(crate) fn of_player(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    position: Position,
    written: &Result<Request, TooMuch>,
) -> ClubResult<LetterEffect> {
    let (game, seat) = (position.game, Seat::new(position.seat));
    let seen = tx.seen_letter(letter.digest.bytes())?;
    match tx.session(game) {
        Ok(_) => {}
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            let mut effect = LetterEffect::of(Disposition::Quarantined(error.told()));
            effect.report = Some(broken_game(game, error.told_of_its_game()));
            return Ok(effect);
        }
        Err(error) => return Err(error),
    }
    if substitute::has_changed_hands(tx, game, seat)? {
        let from = letter.from.first().map(|from| from.address.as_str()).unwrap_or_default();
        return answers::to_named(tx, letter, from, |_| Ok(Notice::BadToken));
    }
    let repeated = seen.is_some();
    let request = match written {
        Ok(request) => intake::of_one_game(tx.context, letter, request),
        Err(too_much) => Err(unread(*too_much)),
    };
    let lobby = match &request {
        Ok(request) if !repeated => forming::lobby_of_seat(tx, letter, (game, seat), request)?,
        _ => None,
    };
    let mut effect = match (lobby, Player::of(tx, letter, (game, seat), written.as_ref().ok())) {
        (Some(effect), _) => effect,
        (None, None) => LetterEffect::of(Disposition::Done),
        (None, Some(mut player)) => match (seen, request) {
            (Some(seen), _) => player.answer(Occasion::Repeated { at: seen.at })?,
            (None, Err(why)) => player.answer(Occasion::Unread(why))?,
            (None, Ok(request)) => player.request(request, position.seq)?,
        },
    };
    // A repeated letter keeps the date at which it first came: that is what its writer is told.
    if !repeated {
        let ordered = effect.moved.as_ref().filter(|moved| moved.has_orders());
        let seq = ordered.map(|moved| moved.table.head());
        effect.remembered = Some(answers::remembered(tx.context, letter, Some(game), seq));
    }
    Ok(effect)
}

/// Whether something was not done that was asked for in earnest.
const fn is_refusal(occasion: &Occasion) -> bool {
    matches!(occasion, Occasion::Refused { preview: false, .. } | Occasion::Unread(_))
}

/// Returns `true` if an answer says that nothing was found to do in a letter without orders.
const fn is_idle(occasion: &Occasion) -> bool {
    matches!(occasion, Occasion::NothingWritten) || is_refusal(occasion)
}

/// One letter of one seat.
struct Player<'a, 'c> {
    tx: &'a Transaction<'c>,
    letter: &'a Letter,
    game: u32,
    seat: Seat,
    /// The game as it was when the letter came.
    session: &'a GameSession,
    seated: &'a Seated,
    member: &'a Member,
    /// The game and the plans, without the orders that the letter takes back.
    table: Table,
    standing: StandingOrders,
    /// The record to which it takes orders back.
    undone: Option<u32>,
    written: Option<&'a Request>,
    /// The questions, but for `preview`.
    asked: Vec<Command>,
    preview: bool,
    shown: Shown,
}

/// What an answer shows besides.
#[derive(Clone, Default)]
struct Shown {
    notes: Vec<Message>,
    talk: Vec<ActivityEntry>,
}

impl<'a, 'c> Player<'a, 'c> {
    /// A letter of a seat with its player; `None` if nobody sits there.
    fn of(
        tx: &'a Transaction<'c>,
        letter: &'a Letter,
        (game, seat): (u32, Seat),
        written: Option<&'a Request>,
    ) -> Option<Self> {
        let session = tx.game(game)?;
        let (seated, member) = session.seat(seat)?;
        let (table, standing) = (session.table.clone(), seated.standing.clone());
        let (undone, asked, shown) = (None, Vec::new(), Shown::default());
        let preview = written.is_some_and(|written| written.commands.contains(&Command::Preview));
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
            undone,
            written,
            asked,
            preview,
            shown,
        })
    }

    fn request(&mut self, request: &Request, shown: u32) -> ClubResult<LetterEffect> {
        if !request.talk.is_empty() {
            self.shown.notes.push(Message::new("talk-unsaid"));
        }
        self.asked = request.commands.clone();
        self.asked.retain(|command| *command != Command::Preview);
        let judged = self.judge(request).and_then(|mut effects| {
            self.take_back(&mut effects)?;
            Ok(effects)
        });
        let sorted = |effects: Effects| self.sorted(effects, request);
        let mut effects = match answered(judged)?.and_then(sorted) {
            Ok(effects) => effects,
            Err(refused) => {
                return self.answer(Occasion::Refused { refused, preview: self.preview });
            }
        };
        if effects.is_nothing() {
            // What is asked is answered, and says what else stood there.
            self.shown.notes.append(&mut effects.asides);
        }
        effects.words.append(&mut effects.asides);
        let is_around = effects.is_around() || self.undone.is_some();
        if !effects.orders.is_empty() {
            self.submit(effects, request, shown)
        } else if is_around && self.preview {
            self.preview_around(effects)
        } else if is_around {
            self.done(effects, self.table.clone(), self.standing.clone())
        } else if !effects.words.is_empty() {
            self.answer_for_club(effects)
        } else if self.asked.is_empty() {
            self.answer(Occasion::NothingWritten)
        } else {
            self.answer(Occasion::Answered)
        }
    }

    /// Judges all of a letter but its orders.
    fn judge(&self, request: &Request) -> Result<Effects, Blame<Refused>> {
        // What another letter notes is nothing to be kept, nor is what it takes back.
        let own = |line: &&ReadLine| {
            let is_own = line.what.as_ref().is_some_and(Line::is_own);
            !is_own || !request.quotes(line.order.number)
        };
        let lines: Vec<ReadLine> = request.lines.iter().filter(own).cloned().collect();
        let seat = Some((self.game, self.seat, &self.seated.notes));
        let writer = Writer { member: self.member, seat };
        let told = |refused| explained(refused, &request.talk);
        let mut effects = Effects::of(self.tx, &writer, &lines).map_err(|blame| blame.map(told))?;
        let cut = request.talk.cut_at.map(|at| Message::new("talk-cut").with("number", at));
        effects.words.extend(cut);
        effects.said = news::said(self.tx, self.game, self.seat, &request.talk)?;
        Ok(effects)
    }

    /// Takes the writer's last orders back, where the letter asks for it: what else stands in it is
    /// judged as if they had never come.
    fn take_back(&mut self, effects: &mut Effects) -> Result<(), Blame<Refused>> {
        let Some(line) = &effects.undo else { return Ok(()) };
        let refused = |refusal| Refused { line: Some(line.clone()), refusal };
        let is_order = |order: &OrderLine| {
            order.number < line.number
                && reads(&self.table, self.seat, order.meant()) != Reads::Prose
        };
        if effects.orders.iter().any(is_order) {
            let why = Refusal::illegal(Message::new("undo-first"));
            return Err(Blame::Theirs(refused(why)));
        }
        let taken = game_changes::take_back(self.tx, (self.game, self.seat), &self.letter_ref())
            .map_err(|blame| blame.map(refused))?;
        let lines: Vec<Arg> = taken.lines().iter().map(|line| Arg::from(line.as_str())).collect();
        effects.words.insert(0, Message::new("undo-yours").with("lines", Arg::List(lines)));
        self.standing.forget(Message::new("undo-plans"));
        self.undone = Some(taken.to);
        self.table = taken.table;
        Ok(())
    }

    fn letter_ref(&self) -> LetterRef {
        LetterRef::of(self.letter.digest.to_string())
    }

    /// What a letter comes to without the lines that are words between people.
    ///
    /// # Errors
    /// What is to be said of a letter of nothing else.
    fn sorted(&self, mut effects: Effects, request: &Request) -> Result<Effects, Refused> {
        let from = self.letter.from.first().map(|from| from.name.as_str());
        let own: Vec<&str> = [self.member.name.as_str()].into_iter().chain(from).collect();
        let sorter = Sorter::new(&self.table, self.seat, &own, &self.session.names);
        let told = |refused| explained(refused, &request.talk);
        let sorted = sorter.sort(std::mem::take(&mut effects.orders), request).map_err(told)?;
        if let (true, false, Some(unsaid)) =
            (sorted.orders.is_empty(), request.does_more(), sorter.unsaid(&sorted))
        {
            return Err(unsaid);
        }
        self.no_doubtful_letter(&sorted.orders).map_err(told)?;
        effects.asides = sorted.remarks();
        effects.orders = sorted.orders;
        Ok(effects)
    }

    /// Refuses an order in which a single letter may stand for two words of the player's language.
    fn no_doubtful_letter(&self, orders: &[OrderLine]) -> Result<(), Refused> {
        let lexicons = self.tx.context.library.lexicons(&self.member.language);
        let Some(lexicons) = lexicons else { return Ok(()) };
        let lexicon = lexicons.game(&self.table.founding().game);
        let doubt = orders.iter().find_map(|line| {
            let refusal = doubtful_letter::refusal(&self.table, self.seat, lexicon, line)?;
            Some(Refused { line: Some(line.clone()), refusal })
        });
        doubt.map_or(Ok(()), Err)
    }

    /// A letter with orders for the game.
    fn submit(
        &self,
        mut effects: Effects,
        request: &Request,
        shown: u32,
    ) -> ClubResult<LetterEffect> {
        let letter = self.letter_ref();
        let submission = Submission {
            seat: self.seat,
            lines: &effects.orders,
            seen: shown,
            letter: Some(&letter),
            standing: &self.standing,
        };
        if self.preview {
            return self.preview(&submission, &effects);
        }
        match self.table.submit(&submission, self.tx.context.now) {
            Verdict::Accepted { table, standing, remarks } => {
                effects.words.splice(0..0, remarks);
                self.done(effects, *table, standing)
            }
            Verdict::Refused(refused) => {
                let refused = explained(refused, &request.talk);
                self.answer(Occasion::Refused { refused, preview: false })
            }
        }
    }

    /// A letter that is done, to be answered with the game's next letter.
    fn done(
        &self,
        effects: Effects,
        table: Table,
        standing: StandingOrders,
    ) -> ClubResult<LetterEffect> {
        let mut effect = LetterEffect::of(Disposition::Done);
        self.change_writer(&effects, &mut effect)?;
        let mut lines = effects.orders;
        lines.extend(effects.undo);
        lines.sort_by_key(|line| line.number);
        let acknowledged = Acknowledged {
            answers: self.letter.message_id.clone().into_iter().collect(),
            carried_out: table.head() > self.session.table.head(),
            digest: self.letter.digest.to_string(),
            lines,
            remarks: effects.words,
            asked: self.asked.clone(),
            received: None,
        };
        let (seat, said, ballot) = (self.seat, effects.said, effects.ballot);
        let undone = self.undone;
        effect.moved = Some(Moved { seat, table, standing, acknowledged, said, ballot, undone });
        Ok(effect)
    }

    /// Takes over what a letter changes about its writer.
    fn change_writer(&self, effects: &Effects, effect: &mut LetterEffect) -> ClubResult<()> {
        member_letter::confirm(self.tx, self.member, &effects.confirm, self.letter, effect)?;
        effect.member.clone_from(&effects.member);
        effect.notes = effects.notes.clone().map(|notes| (self.game, self.seat, notes));
        effect.wish = effects.wish.map(|wish| (self.game, self.seat, wish));
        Ok(())
    }

    /// What a preview shows of what is said and done around the game.
    fn shown_around(&self, effects: &Effects) -> Shown {
        let said = (!effects.said.is_empty()).then(|| Message::new("talk-would"));
        let vote = |line| voting::vote_preview(self.tx, self.game, line);
        let notes = said.into_iter().chain(effects.ballot.as_ref().map(vote)).collect();
        Shown { notes, talk: effects.said.clone() }
    }

    /// What a letter would come to that orders nothing in the game; nothing is done.
    fn preview_around(&self, effects: Effects) -> ClubResult<LetterEffect> {
        let shown = self.shown_around(&effects);
        let mut words = effects.words;
        if !words.is_empty() {
            words.insert(0, Message::new("preview-accepted"));
        }
        self.answer_from(self.session, Occasion::Clock { words }, shown)
    }

    /// What the letter would come to, told to who asks; nothing is done.
    fn preview(&self, submission: &Submission<'_>, effects: &Effects) -> ClubResult<LetterEffect> {
        match self.table.preview(submission)? {
            Preview::Accepted { outcome, mut remarks } => {
                remarks.extend_from_slice(&effects.words);
                let lines = submission.lines.to_vec();
                let occasion = Occasion::Previewed { lines, outcome, remarks };
                self.answer_from(self.session, occasion, self.shown_around(effects))
            }
            Preview::Refused(refused) => self.answer(Occasion::Refused { refused, preview: true }),
        }
    }

    /// Whether there is an order in the letter, or what begins like one: a machine's has none.
    fn orders(&self) -> bool {
        let reads = |line: &ReadLine| reads(&self.table, self.seat, line.order.meant());
        let mut lines = self.written.into_iter().flat_map(|written| &written.lines);
        lines.any(|line| reads(line) != Reads::Prose)
    }

    /// A letter that was for the club alone, answered with the deadline as it is afterwards.
    fn answer_for_club(&self, mut effects: Effects) -> ClubResult<LetterEffect> {
        let mut session = self.session.clone();
        let mut words = std::mem::take(&mut effects.words);
        if self.preview {
            words.insert(0, Message::new("preview-accepted"));
        } else {
            if let Some(member) = &effects.member {
                session.learn(member);
                session.reckon_again(self.seat, self.tx.context.now);
            }
            if let Some(notes) = &effects.notes {
                session.set_notes(self.seat, notes.clone());
            }
            effects.wish.into_iter().for_each(|wish| session.set_wish(self.seat, wish));
        }
        let mut effect =
            self.answer_from(&session, Occasion::Clock { words }, self.shown.clone())?;
        if !self.preview {
            self.change_writer(&effects, &mut effect)?;
        }
        Ok(effect)
    }

    /// A letter back to the writer, as far as rate limits allow.
    fn answer(&self, occasion: Occasion) -> ClubResult<LetterEffect> {
        self.answer_from(self.session, occasion, self.shown.clone())
    }

    /// A letter back to the writer that shows the game like this, and this besides.
    fn answer_from(
        &self,
        session: &GameSession,
        occasion: Occasion,
        Shown { notes, talk }: Shown,
    ) -> Result<LetterEffect, ClubError> {
        let mut effect = LetterEffect::of(Disposition::Done);
        let Some((_, member)) = session.seat(self.seat) else { return Ok(effect) };
        let talks = self.written.is_some_and(|written| !written.talk.is_empty());
        let account = if is_refusal(&occasion) && self.orders() {
            Account::Refusals(member.id)
        } else if is_idle(&occasion) && !talks && self.asked.is_empty() {
            effect.idle = true;
            answers::members_account(self.tx, member.id)?
        } else {
            Account::Answers(member.id)
        };
        let (letter, told) = match answers::rate_limit(self.tx, &account)? {
            RateLimit::Silence => return Ok(effect),
            RateLimit::LastWord => {
                let notice = account.last_word();
                (answers::notice_to(self.tx.context, member, &notice, self.letter), None)
            }
            RateLimit::Answer => {
                let mark = format!("a{}", self.letter.digest);
                let to = ToSeat {
                    answer: true,
                    asked: self.asked.clone(),
                    answers: self.letter.message_id.clone().into_iter().collect(),
                    notes,
                    talk,
                    ..ToSeat::unasked(self.seat, occasion, mark)
                };
                (pending::game_letter(self.tx, session, to)?, Some((self.game, self.seat)))
            }
        };
        effect.answer = letter.map(|letter| Answer { letter, account, told });
        Ok(effect)
    }
}
