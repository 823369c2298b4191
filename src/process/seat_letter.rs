//! A letter that was let in for a seat: its orders, questions and lines for the house.

use super::budget::Account;
use super::clock::ForHouse;
use super::fence::broken_game;
use super::intake::{order_lines_of, unread};
use super::office::{Office, OfficeError};
use super::outcome::{Acknowledged, Answer, Fate, Moved, Outcome};
use super::playing::Playing;
use super::post::ToSeat;
use super::talk::{explained, reads};
use super::transaction::Transaction;
use crate::club::talk::Reads;
use crate::club::vote::Ballot;
use crate::club::{Command, Minute, Request, is_note};
use crate::mail::manners::Manners;
use crate::mail::{Letter, Position, TooMuch};
use crate::report::{Notice, Occasion, Page};
use crate::rules::{Message, Seat};
use crate::store::Repository;
use crate::table::{
    LetterRef, OrderLine, Preview, Refused, StandingOrders, Submission, Table, Verdict,
};

impl Office {
    /// A letter that was let in, for its position.
    pub(super) fn of_player(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Letter,
        position: Position,
        request: &Result<Request, TooMuch>,
    ) -> Result<Outcome, OfficeError> {
        let game = position.game;
        let seat = Seat::new(position.seat);
        let seen = tx.seen_letter(letter.digest.bytes())?;
        let table = match tx.playing(game) {
            Ok(playing) => playing.table.clone(),
            Err(error @ (OfficeError::BrokenGame { .. } | OfficeError::NoGame(_))) => {
                let mut outcome = Outcome::of(Fate::Quarantined(error.to_string()));
                outcome.report = Some(broken_game(game, &error.to_string()));
                return Ok(outcome);
            }
            Err(error) => return Err(error),
        };
        if self.has_changed_hands(tx, game, seat)? {
            let from = letter.from.first().map(|from| from.address.as_str()).unwrap_or_default();
            return self.to_named(tx, letter, from, |_| Ok(Notice::BadToken));
        }
        let repeated = seen.is_some();
        let standing = tx.game(game).and_then(|playing| playing.seat(seat));
        let standing = standing.map(|(seated, _)| seated.standing.clone()).unwrap_or_default();
        let (shown, ordered) = (Shown::default(), has_order(&table, seat, request));
        let player = Player { office: self, letter, game, seat, table, standing, ordered, shown };
        let request = match request {
            Ok(request) => self.of_one_game(letter, request),
            Err(too_much) => Err(unread(*too_much)),
        };
        let lobby = match &request {
            Ok(request) if !repeated => self.lobby_of_seat(tx, letter, (game, seat), request)?,
            _ => None,
        };
        let mut outcome = match (seen, request) {
            _ if lobby.is_some() => lobby.unwrap_or_else(|| Outcome::of(Fate::Done)),
            (Some(seen), _) => player.answer(tx, Occasion::Repeated { at: seen.at }, &[])?,
            (None, Err(why)) => player.answer(tx, Occasion::Unread(&why), &[])?,
            (None, Ok(request)) => player.request(tx, request, position.seq)?,
        };
        // A repeated letter keeps the date at which it first came: that is what its writer is told.
        if !repeated {
            let ordered = outcome.moved.as_ref().filter(|moved| moved.has_orders());
            let seq = ordered.map(|moved| moved.table.head());
            outcome.remembered = Some(self.remembered(letter, Some(game), seq));
        }
        Ok(outcome)
    }
}

/// Whether a letter has an order in it, or what begins like one: a machine's has none.
fn has_order(table: &Table, seat: Seat, request: &Result<Request, TooMuch>) -> bool {
    let orders = request.as_ref().map(|request| request.orders.as_slice()).unwrap_or_default();
    orders.iter().any(|(_, line)| reads(table, seat, line) != Reads::Prose)
}

/// Whether something was not done that was asked for in earnest.
const fn is_refusal(occasion: &Occasion<'_>) -> bool {
    matches!(occasion, Occasion::Refused { preview: false, .. } | Occasion::Unread(_))
}

/// One letter of one seat.
struct Player<'a> {
    office: &'a Office,
    letter: &'a Letter,
    game: u32,
    seat: Seat,
    table: Table,
    standing: StandingOrders,
    /// Whether there is an order in the letter, or what begins like one.
    ordered: bool,
    shown: Shown,
}

/// What an answer shows besides.
#[derive(Default)]
struct Shown {
    notes: Vec<Message>,
    talk: Vec<Minute>,
}

/// What a letter says and does around the game.
struct Around {
    said: Vec<Minute>,
    ballot: Option<Ballot>,
}

impl Around {
    const fn is_empty(&self) -> bool {
        self.said.is_empty() && self.ballot.is_none()
    }
}

impl Player<'_> {
    fn request(
        mut self,
        tx: &Transaction<'_>,
        request: &Request,
        shown: u32,
    ) -> Result<Outcome, OfficeError> {
        let mut lines = order_lines_of(request);
        if !request.talk.is_empty() {
            self.shown.notes.push(Message::new("talk-unsaid"));
        }
        let preview = request.commands.contains(&Command::Preview);
        let asked: Vec<Command> =
            request.commands.iter().copied().filter(|c| *c != Command::Preview).collect();
        let preview_refused = |refused| Occasion::Refused { refused, preview };
        let (mut house, around) = match self.besides_orders(tx, request, &mut lines)? {
            Ok(besides) => besides,
            Err(refused) => return self.answer(tx, preview_refused(&refused), &asked),
        };
        if lines.is_empty() && !around.is_empty() {
            return self.around_alone(tx, house, around, preview, asked);
        }
        if lines.is_empty() && !house.words.is_empty() {
            return self.answer_for_house(tx, house, preview, &asked);
        }
        if lines.is_empty() {
            let occasion =
                if asked.is_empty() { Occasion::NothingWritten } else { Occasion::Answered };
            return self.answer(tx, occasion, &asked);
        }
        let letter = LetterRef {
            message_id: self.letter.message_id.clone().unwrap_or_default(),
            digest: self.letter.digest.to_string(),
        };
        let submission = Submission {
            seat: self.seat,
            lines: &lines,
            seen: shown,
            letter: Some(&letter),
            standing: &self.standing,
        };
        if preview {
            return self.preview(tx, &submission, &around, &house.words, &asked);
        }
        match self.table.submit(&submission, self.office.now) {
            Verdict::Accepted { table, standing, mut remarks } => {
                remarks.append(&mut house.words);
                let acknowledged = Acknowledged {
                    answers: self.letter.message_id.clone().into_iter().collect(),
                    carried_out: table.head() > self.table.head(),
                    digest: self.letter.digest.to_string(),
                    lines,
                    remarks,
                    asked,
                    received: None,
                };
                let mut outcome = Outcome::of(Fate::Done);
                self.confirm(tx, &house.confirm, &mut outcome);
                outcome.member = house.member;
                outcome.notes = house.notes.map(|notes| (self.game, self.seat, notes));
                let (seat, table) = (self.seat, *table);
                let Around { said, ballot } = around;
                outcome.moved = Some(Moved { seat, table, standing, acknowledged, said, ballot });
                Ok(outcome)
            }
            Verdict::Refused(refused) => {
                let refused = explained(refused, &request.talk);
                let occasion = Occasion::Refused { refused: &refused, preview: false };
                self.answer(tx, occasion, &asked)
            }
        }
    }

    /// Takes what is for the house, and what is said and done around the game, out of a letter.
    fn besides_orders(
        &self,
        tx: &Transaction<'_>,
        request: &Request,
        lines: &mut Vec<OrderLine>,
    ) -> Result<Result<(ForHouse, Around), Refused>, OfficeError> {
        // What another letter notes is nothing to be kept.
        lines.retain(|line| !request.quotes(line.number) || !is_note(&line.text));
        let mut house = match self.for_house(tx, lines)? {
            Ok(house) => house,
            Err(refused) => return Ok(Err(explained(refused, &request.talk))),
        };
        let cut = request.talk.cut_at.map(|at| Message::new("talk-cut").with("number", at));
        house.words.extend(cut);
        let said = match self.office.said(tx, self.game, self.seat, &request.talk)? {
            Ok(said) => said,
            Err(refused) => return Ok(Err(refused)),
        };
        Ok(match self.office.ballot(tx, (self.game, self.seat), lines)? {
            Ok(ballot) => Ok((house, Around { said, ballot })),
            Err(refused) => Err(explained(refused, &request.talk)),
        })
    }

    /// What a preview shows of it.
    fn preview_around(&self, tx: &Transaction<'_>, around: &Around) -> Shown {
        let said = (!around.said.is_empty()).then(|| Message::new("talk-would"));
        let vote = |ballot| self.office.vote_preview(tx, self.game, ballot);
        let notes = said.into_iter().chain(around.ballot.as_ref().map(vote)).collect();
        Shown { notes, talk: around.said.clone() }
    }

    /// A letter that says or does something around the game, and orders nothing in it.
    fn around_alone(
        &self,
        tx: &Transaction<'_>,
        house: ForHouse,
        around: Around,
        preview: bool,
        asked: Vec<Command>,
    ) -> Result<Outcome, OfficeError> {
        let ForHouse { member, notes, mut words, confirm } = house;
        if preview {
            if !words.is_empty() {
                words.insert(0, Message::new("preview-accepted"));
            }
            let (occasion, shown) =
                (Occasion::Clock { words: &words }, self.preview_around(tx, &around));
            return self.answer_showing(tx, occasion, &asked, &shown);
        }
        let acknowledged = Acknowledged {
            answers: self.letter.message_id.clone().into_iter().collect(),
            digest: self.letter.digest.to_string(),
            remarks: words,
            asked,
            ..Acknowledged::default()
        };
        let mut outcome = Outcome::of(Fate::Done);
        self.confirm(tx, &confirm, &mut outcome);
        outcome.member = member;
        outcome.notes = notes.map(|notes| (self.game, self.seat, notes));
        let (seat, table, standing) = (self.seat, self.table.clone(), self.standing.clone());
        let Around { said, ballot } = around;
        outcome.moved = Some(Moved { seat, table, standing, acknowledged, said, ballot });
        Ok(outcome)
    }

    /// What the letter would come to, told to who asks; nothing is done.
    fn preview(
        &self,
        tx: &Transaction<'_>,
        submission: &Submission<'_>,
        around: &Around,
        words: &[Message],
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        match self.table.preview(submission)? {
            Preview::Accepted { outcome, mut remarks } => {
                remarks.extend_from_slice(words);
                let (lines, outcome) = (submission.lines, &outcome);
                let occasion = Occasion::Previewed { lines, outcome, remarks: &remarks };
                self.answer_showing(tx, occasion, asked, &self.preview_around(tx, around))
            }
            Preview::Refused(refused) => {
                let occasion = Occasion::Refused { refused: &refused, preview: true };
                self.answer(tx, occasion, asked)
            }
        }
    }

    /// Takes the lines for the house out of the letter's.
    fn for_house(
        &self,
        tx: &Transaction<'_>,
        lines: &mut Vec<OrderLine>,
    ) -> Result<Result<ForHouse, Refused>, OfficeError> {
        let place = tx.game(self.game).and_then(|playing| playing.seat(self.seat));
        let Some((seated, member)) = place else { return Ok(Ok(ForHouse::default())) };
        let noted = ForHouse::of_notes(&seated.notes, &self.letter.body, lines);
        let house =
            match noted.and_then(|noted| Ok(noted.and(self.office.for_house(member, lines)?))) {
                Ok(house) => house,
                Err(refused) => return Ok(Err(refused)),
            };
        let too_many = self.office.too_many_addresses(tx, member, &house.confirm)?;
        Ok(too_many.map_or(Ok(house), Err))
    }

    fn confirm(&self, tx: &Transaction<'_>, addresses: &[String], outcome: &mut Outcome) {
        let place = tx.game(self.game).and_then(|playing| playing.seat(self.seat));
        if let Some((_, member)) = place {
            self.office.confirm(member, addresses, self.letter, outcome);
        }
    }

    /// A letter that was for the house alone, answered with the deadline as it is afterwards.
    fn answer_for_house(
        &self,
        tx: &Transaction<'_>,
        house: ForHouse,
        preview: bool,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        let Some(playing) = tx.game(self.game) else {
            return Ok(Outcome::of(Fate::Done));
        };
        let mut playing = playing.clone();
        let ForHouse { member, notes, mut words, confirm } = house;
        if preview {
            words.insert(0, Message::new("preview-accepted"));
        } else {
            if let Some(member) = &member {
                playing.learn(member);
                playing.reckon_again(self.seat, self.office.now);
            }
            if let Some(notes) = &notes {
                playing.note(self.seat, notes.clone());
            }
        }
        let occasion = Occasion::Clock { words: &words };
        let mut outcome = self.answer_from(tx, &playing, occasion, asked, &self.shown)?;
        if !preview {
            self.confirm(tx, &confirm, &mut outcome);
            outcome.member = member;
            outcome.notes = notes.map(|notes| (self.game, self.seat, notes));
        }
        Ok(outcome)
    }

    /// A letter back to the writer, as far as good manners go.
    fn answer(
        &self,
        tx: &Transaction<'_>,
        occasion: Occasion<'_>,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        self.answer_showing(tx, occasion, asked, &self.shown)
    }

    /// A letter back to the writer that shows this besides.
    fn answer_showing(
        &self,
        tx: &Transaction<'_>,
        occasion: Occasion<'_>,
        asked: &[Command],
        shown: &Shown,
    ) -> Result<Outcome, OfficeError> {
        match tx.game(self.game) {
            Some(playing) => self.answer_from(tx, playing, occasion, asked, shown),
            None => Ok(Outcome::of(Fate::Done)),
        }
    }

    /// A letter back to the writer that shows the game like this.
    fn answer_from(
        &self,
        tx: &Transaction<'_>,
        playing: &Playing,
        occasion: Occasion<'_>,
        asked: &[Command],
        shown: &Shown,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = Outcome::of(Fate::Done);
        let Some((_, member)) = playing.seat(self.seat) else { return Ok(outcome) };
        let office = self.office;
        let account = Account::back_to(member.id, self.ordered && is_refusal(&occasion));
        let (letter, told) = match office.manners(tx, &account)? {
            Manners::Silence => return Ok(outcome),
            Manners::LastWord => {
                (office.notice_to(member, &account.last_word(), self.letter), None)
            }
            Manners::Answer => {
                let letters: Vec<String> = self.letter.message_id.clone().into_iter().collect();
                let to = ToSeat {
                    seat: self.seat,
                    occasion,
                    asked,
                    mark: &format!("a{}", self.letter.digest),
                    answers: &letters,
                    words: &[],
                    notes: &shown.notes,
                    talk: &shown.talk,
                };
                let mut page = Page::new(&playing.table, &playing.names);
                (office.game_letter(tx, &mut page, playing, &to)?, Some((self.game, self.seat)))
            }
        };
        outcome.answer = letter.map(|letter| Answer { letter, account, told });
        Ok(outcome)
    }
}
