//! A letter that was let in for a seat: its orders, questions and lines for the house.

use crate::club::talk::Reads;
use crate::club::{ActivityEntry, Command, Line, ReadLine, Request};
use crate::mail::rate_limit::RateLimit;
use crate::mail::{Letter, Position, TooMuch};
use crate::process::blame::{Blame, answered};
use crate::process::context::ClubError;
use crate::process::inbound::doubtful_letter;
use crate::process::inbound::effects::{Effects, Writer};
use crate::process::inbound::intake;
use crate::process::inbound::reply_action;
use crate::process::inbound::sorting::Sorter;
use crate::process::inbound::written::{reads, unread};
use crate::process::isolate::broken_game;
use crate::process::lobby::forming;
use crate::process::lobby::substitute;
use crate::process::outbound::answers;
use crate::process::outbound::pending::{self, ToSeat};
use crate::process::table::talk::{self, explained};
use crate::process::table::undo;
use crate::process::table::vote;
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

/// A letter that was let in, for its position.
pub(crate) fn of_player(
    tx: &mut Transaction<'_>,
    letter: &Letter,
    position: Position,
    request: &Result<Request, TooMuch>,
) -> Result<LetterEffect, ClubError> {
    let game = position.game;
    let seat = Seat::new(position.seat);
    let seen = tx.seen_letter(letter.digest.bytes())?;
    let table = match tx.session(game) {
        Ok(session) => session.table.clone(),
        Err(error @ (ClubError::BrokenGame { .. } | ClubError::NoGame(_))) => {
            let mut effect = LetterEffect::of(Disposition::Quarantined(error.told()));
            effect.report = Some(broken_game(game, error.told_of_its_game()));
            return Ok(effect);
        }
        Err(error) => return Err(error),
    };
    if substitute::has_changed_hands(tx, game, seat)? {
        let from = letter.from.first().map(|from| from.address.as_str()).unwrap_or_default();
        return answers::to_named(tx, letter, from, |_| Ok(Notice::BadToken));
    }
    let repeated = seen.is_some();
    let standing = tx.game(game).and_then(|session| session.seat(seat));
    let standing = standing.map(|(seated, _)| seated.standing.clone()).unwrap_or_default();
    let (shown, lines) = (Shown::default(), request.as_ref().map_or(&[][..], |r| &r.lines));
    let talks = request.as_ref().is_ok_and(|request| !request.talk.is_empty());
    let (head, undone) = (table.head(), None);
    let player = Player { letter, game, seat, table, standing, lines, talks, shown, head, undone };
    let request = match request {
        Ok(request) => intake::of_one_game(tx.context, letter, request),
        Err(too_much) => Err(unread(*too_much)),
    };
    let lobby = match &request {
        Ok(request) if !repeated => forming::lobby_of_seat(tx, letter, (game, seat), request)?,
        _ => None,
    };
    let mut effect = match (seen, request) {
        _ if lobby.is_some() => lobby.unwrap_or_else(|| LetterEffect::of(Disposition::Done)),
        (Some(seen), _) => player.answer(tx, Occasion::Repeated { at: seen.at }, &[])?,
        (None, Err(why)) => player.answer(tx, Occasion::Unread(why), &[])?,
        (None, Ok(request)) => player.request(tx, request, position.seq)?,
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
struct Player<'a> {
    letter: &'a Letter,
    game: u32,
    seat: Seat,
    table: Table,
    standing: StandingOrders,
    lines: &'a [ReadLine],
    /// Whether something in it is meant for other players.
    talks: bool,
    shown: Shown,
    /// The last record when the letter came, and the one to which it takes its orders back.
    head: u32,
    undone: Option<u32>,
}

/// What an answer shows besides.
#[derive(Clone, Default)]
struct Shown {
    notes: Vec<Message>,
    talk: Vec<ActivityEntry>,
}

impl Player<'_> {
    fn request(
        mut self,
        tx: &Transaction<'_>,
        request: &Request,
        shown: u32,
    ) -> Result<LetterEffect, ClubError> {
        if !request.talk.is_empty() {
            self.shown.notes.push(Message::new("talk-unsaid"));
        }
        let preview = request.commands.contains(&Command::Preview);
        let asked: Vec<Command> =
            request.commands.iter().copied().filter(|c| *c != Command::Preview).collect();
        let judged = self.judge(tx, request).and_then(|mut effects| {
            self.take_back(tx, &mut effects)?;
            Ok(effects)
        });
        let sorted = |effects: Effects| self.sorted(tx, effects, request);
        let mut effects = match answered(judged)?.and_then(sorted) {
            Ok(effects) => effects,
            Err(refused) => {
                let occasion = Occasion::Refused { refused, preview };
                return self.answer(tx, occasion, &asked);
            }
        };
        if effects.is_nothing() {
            // What is asked is answered, and says what else stood there.
            self.shown.notes.extend(std::mem::take(&mut effects.asides));
        }
        effects.words.extend(std::mem::take(&mut effects.asides));
        if !effects.orders.is_empty() {
            return self.submit(tx, effects, request, shown, asked);
        }
        if (effects.is_around() || self.undone.is_some()) && preview {
            return self.preview_around(tx, effects, &asked);
        }
        if effects.is_around() || self.undone.is_some() {
            let unmoved = (self.table.clone(), self.standing.clone());
            return self.done(tx, effects, unmoved, asked);
        }
        if !effects.words.is_empty() {
            return self.answer_for_house(tx, effects, preview, &asked);
        }
        let nothing = asked.is_empty();
        let occasion = if nothing { Occasion::NothingWritten } else { Occasion::Answered };
        self.answer(tx, occasion, &asked)
    }

    /// Judges all of a letter but its orders.
    fn judge(&self, tx: &Transaction<'_>, request: &Request) -> Result<Effects, Blame<Refused>> {
        let place = tx.game(self.game).and_then(|session| session.seat(self.seat));
        let Some((seated, member)) = place else { return Ok(Effects::default()) };
        let seat = Some((self.game, self.seat, &seated.notes));
        // What another letter notes is nothing to be kept, nor is what it takes back.
        let own = |line: &&ReadLine| {
            !request.quotes(line.order.number) || !matches!(line.what, Line::Note(_) | Line::Undo)
        };
        let lines: Vec<ReadLine> = request.lines.iter().filter(own).cloned().collect();
        let told = |refused| explained(refused, &request.talk);
        let mut effects =
            Effects::of(tx, &Writer { member, seat }, &lines).map_err(|blame| blame.map(told))?;
        let cut = request.talk.cut_at.map(|at| Message::new("talk-cut").with("number", at));
        effects.words.extend(cut);
        effects.said = talk::said(tx, self.game, self.seat, &request.talk)?;
        Ok(effects)
    }

    /// Takes the writer's last orders back, where the letter asks for it: what else stands in it is
    /// judged as if they had never come.
    fn take_back(
        &mut self,
        tx: &Transaction<'_>,
        effects: &mut Effects,
    ) -> Result<(), Blame<Refused>> {
        let Some(line) = &effects.undo else { return Ok(()) };
        let refused = |refusal| Refused { line: Some(line.clone()), refusal };
        let is_order = |order: &&OrderLine| {
            order.number < line.number
                && reads(&self.table, self.seat, order.meant()) != Reads::Prose
        };
        if effects.orders.iter().any(|order| is_order(&order)) {
            let why = Refusal::illegal(Message::new("undo-first"));
            return Err(Blame::Theirs(refused(why)));
        }
        let place = (self.game, self.seat);
        let taken =
            undo::take_back(tx, place, &self.letter_ref()).map_err(|blame| blame.map(refused))?;
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
    fn sorted(
        &self,
        tx: &Transaction<'_>,
        mut effects: Effects,
        request: &Request,
    ) -> Result<Effects, Refused> {
        let Some(session) = tx.game(self.game) else { return Ok(effects) };
        let place = session.seat(self.seat).map(|(_, member)| member.name.as_str());
        let from = self.letter.from.first().map(|from| from.name.as_str());
        let own: Vec<&str> = place.into_iter().chain(from).collect();
        let sorter = Sorter::new(&self.table, self.seat, &own, &session.names);
        let told = |refused| explained(refused, &request.talk);
        let sorted = sorter.sort(std::mem::take(&mut effects.orders), request).map_err(told)?;
        if let (true, false, Some(unsaid)) =
            (sorted.orders.is_empty(), request.does_more(), sorter.unsaid(&sorted))
        {
            return Err(unsaid);
        }
        self.no_doubtful_letter(tx, &sorted.orders).map_err(told)?;
        effects.asides = sorted.remarks();
        effects.orders = sorted.orders;
        Ok(effects)
    }

    /// Refuses an order in which a single letter may stand for two words of the player's language.
    fn no_doubtful_letter(
        &self,
        tx: &Transaction<'_>,
        orders: &[OrderLine],
    ) -> Result<(), Refused> {
        let place = tx.game(self.game).and_then(|session| session.seat(self.seat));
        let language = place.map(|(_, member)| member.language.as_str()).unwrap_or_default();
        let Some(lexicons) = tx.context.library.lexicons(language) else { return Ok(()) };
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
        tx: &Transaction<'_>,
        mut effects: Effects,
        request: &Request,
        shown: u32,
        asked: Vec<Command>,
    ) -> Result<LetterEffect, ClubError> {
        let letter = self.letter_ref();
        let submission = Submission {
            seat: self.seat,
            lines: &effects.orders,
            seen: shown,
            letter: Some(&letter),
            standing: &self.standing,
        };
        if request.commands.contains(&Command::Preview) {
            return self.preview(tx, &submission, &effects, &asked);
        }
        match self.table.submit(&submission, tx.context.now) {
            Verdict::Accepted { table, standing, remarks } => {
                effects.words.splice(0..0, remarks);
                self.done(tx, effects, (*table, standing), asked)
            }
            Verdict::Refused(refused) => {
                let refused = explained(refused, &request.talk);
                let occasion = Occasion::Refused { refused, preview: false };
                self.answer(tx, occasion, &asked)
            }
        }
    }

    /// A letter that is done, to be answered with the game's next letter.
    fn done(
        &self,
        tx: &Transaction<'_>,
        effects: Effects,
        (table, standing): (Table, StandingOrders),
        asked: Vec<Command>,
    ) -> Result<LetterEffect, ClubError> {
        let mut effect = LetterEffect::of(Disposition::Done);
        self.confirm(tx, &effects.confirm, &mut effect)?;
        let mut lines = effects.orders;
        lines.extend(effects.undo);
        lines.sort_by_key(|line| line.number);
        let acknowledged = Acknowledged {
            answers: self.letter.message_id.clone().into_iter().collect(),
            carried_out: table.head() > self.head,
            digest: self.letter.digest.to_string(),
            lines,
            remarks: effects.words,
            asked,
            received: None,
        };
        effect.member = effects.member;
        effect.notes = effects.notes.map(|notes| (self.game, self.seat, notes));
        effect.wish = effects.wish.map(|wish| (self.game, self.seat, wish));
        let (seat, said, ballot) = (self.seat, effects.said, effects.ballot);
        let undone = self.undone;
        effect.moved = Some(Moved { seat, table, standing, acknowledged, said, ballot, undone });
        Ok(effect)
    }

    /// What a preview shows of what is said and done around the game.
    fn shown_around(&self, tx: &Transaction<'_>, effects: &Effects) -> Shown {
        let said = (!effects.said.is_empty()).then(|| Message::new("talk-would"));
        let vote = |line| vote::vote_preview(tx, self.game, line);
        let notes = said.into_iter().chain(effects.ballot.as_ref().map(vote)).collect();
        Shown { notes, talk: effects.said.clone() }
    }

    /// What a letter would come to that orders nothing in the game; nothing is done.
    fn preview_around(
        &self,
        tx: &Transaction<'_>,
        effects: Effects,
        asked: &[Command],
    ) -> Result<LetterEffect, ClubError> {
        let shown = self.shown_around(tx, &effects);
        let mut words = effects.words;
        if !words.is_empty() {
            words.insert(0, Message::new("preview-accepted"));
        }
        self.answer_showing(tx, Occasion::Clock { words }, asked, shown)
    }

    /// What the letter would come to, told to who asks; nothing is done.
    fn preview(
        &self,
        tx: &Transaction<'_>,
        submission: &Submission<'_>,
        effects: &Effects,
        asked: &[Command],
    ) -> Result<LetterEffect, ClubError> {
        match self.table.preview(submission)? {
            Preview::Accepted { outcome, mut remarks } => {
                remarks.extend_from_slice(&effects.words);
                let lines = submission.lines.to_vec();
                let occasion = Occasion::Previewed { lines, outcome, remarks };
                self.answer_showing(tx, occasion, asked, self.shown_around(tx, effects))
            }
            Preview::Refused(refused) => {
                let occasion = Occasion::Refused { refused, preview: true };
                self.answer(tx, occasion, asked)
            }
        }
    }

    /// Whether there is an order in the letter, or what begins like one: a machine's has none.
    fn orders(&self) -> bool {
        let reads = |line: &ReadLine| reads(&self.table, self.seat, line.order.meant());
        self.lines.iter().any(|line| reads(line) != Reads::Prose)
    }

    fn confirm(
        &self,
        tx: &Transaction<'_>,
        addresses: &[String],
        effect: &mut LetterEffect,
    ) -> Result<(), ClubError> {
        match tx.game(self.game).and_then(|session| session.seat(self.seat)) {
            Some((_, member)) => reply_action::confirm(tx, member, addresses, self.letter, effect),
            None => Ok(()),
        }
    }

    /// A letter that was for the house alone, answered with the deadline as it is afterwards.
    fn answer_for_house(
        &self,
        tx: &Transaction<'_>,
        effects: Effects,
        preview: bool,
        asked: &[Command],
    ) -> Result<LetterEffect, ClubError> {
        let Some(session) = tx.game(self.game) else {
            return Ok(LetterEffect::of(Disposition::Done));
        };
        let mut session = session.clone();
        let Effects { member, notes, wish, mut words, confirm, .. } = effects;
        if preview {
            words.insert(0, Message::new("preview-accepted"));
        } else {
            if let Some(member) = &member {
                session.learn(member);
                session.reckon_again(self.seat, tx.context.now);
            }
            if let Some(notes) = &notes {
                session.set_notes(self.seat, notes.clone());
            }
            wish.into_iter().for_each(|wish| session.set_wish(self.seat, wish));
        }
        let (occasion, shown) = (Occasion::Clock { words }, self.shown.clone());
        let mut effect = self.answer_from(tx, &session, occasion, asked, shown)?;
        if !preview {
            self.confirm(tx, &confirm, &mut effect)?;
            effect.member = member;
            effect.notes = notes.map(|notes| (self.game, self.seat, notes));
            effect.wish = wish.map(|wish| (self.game, self.seat, wish));
        }
        Ok(effect)
    }

    /// A letter back to the writer, as far as rate limits allow.
    fn answer(
        &self,
        tx: &Transaction<'_>,
        occasion: Occasion,
        asked: &[Command],
    ) -> Result<LetterEffect, ClubError> {
        self.answer_showing(tx, occasion, asked, self.shown.clone())
    }

    /// A letter back to the writer that shows this besides.
    fn answer_showing(
        &self,
        tx: &Transaction<'_>,
        occasion: Occasion,
        asked: &[Command],
        shown: Shown,
    ) -> Result<LetterEffect, ClubError> {
        match tx.game(self.game) {
            Some(session) => self.answer_from(tx, session, occasion, asked, shown),
            None => Ok(LetterEffect::of(Disposition::Done)),
        }
    }

    /// A letter back to the writer that shows the game like this.
    fn answer_from(
        &self,
        tx: &Transaction<'_>,
        session: &GameSession,
        occasion: Occasion,
        asked: &[Command],
        shown: Shown,
    ) -> Result<LetterEffect, ClubError> {
        let mut effect = LetterEffect::of(Disposition::Done);
        let Some((_, member)) = session.seat(self.seat) else { return Ok(effect) };
        let orders = self.orders();
        let account = if is_refusal(&occasion) && orders {
            Account::Refusals(member.id)
        } else if is_idle(&occasion) && !self.talks && asked.is_empty() {
            effect.idle = true;
            answers::members_account(tx, member.id)?
        } else {
            Account::Answers(member.id)
        };
        let (letter, told) = match answers::rate_limit(tx, &account)? {
            RateLimit::Silence => return Ok(effect),
            RateLimit::LastWord => {
                (answers::notice_to(tx.context, member, &account.last_word(), self.letter), None)
            }
            RateLimit::Answer => {
                let mark = format!("a{}", self.letter.digest);
                let Shown { notes, talk } = shown;
                let to = ToSeat {
                    answer: true,
                    asked: asked.to_vec(),
                    answers: self.letter.message_id.clone().into_iter().collect(),
                    notes,
                    talk,
                    ..ToSeat::unasked(self.seat, occasion, mark)
                };
                (pending::game_letter(tx, session, to)?, Some((self.game, self.seat)))
            }
        };
        effect.answer = letter.map(|letter| Answer { letter, account, told });
        Ok(effect)
    }
}
