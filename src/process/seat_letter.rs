//! A letter that was let in for a seat: its orders, questions and lines for the house.

use super::clock::ForHouse;
use super::desk::{Acknowledged, Answer, Desk, Fate, Moved, Outcome, Playing, broken_game};
use super::intake::{counted, order_lines_of, unread};
use super::office::{Office, OfficeError};
use super::post::ToSeat;
use crate::club::{Command, Request};
use crate::mail::manners::Manners;
use crate::mail::{Letter, Position, TooMuch};
use crate::report::{Notice, Occasion, Page};
use crate::rules::{Message, Seat, Viewer};
use crate::table::{LetterRef, OrderLine, Refused, StandingOrders, Submission, Table, Verdict};

impl Office {
    /// A letter that was let in, for its position.
    pub(super) fn of_player(
        &self,
        desk: &mut Desk,
        letter: &Letter,
        position: Position,
        request: &Result<Request, TooMuch>,
    ) -> Result<Outcome, OfficeError> {
        let game = position.game;
        let seat = Seat::new(position.seat);
        let seen = desk.seen(self, &letter.digest)?;
        let table = match desk.playing(self, game) {
            Ok(playing) => playing.table.clone(),
            Err(error @ (OfficeError::BrokenGame { .. } | OfficeError::NoGame(_))) => {
                let mut outcome = Outcome::of(Fate::Quarantined(error.to_string()));
                outcome.report = Some(broken_game(game, &error.to_string()));
                return Ok(outcome);
            }
            Err(error) => return Err(error),
        };
        let repeated = seen.is_some();
        let standing = desk.games.get(&game).and_then(|playing| playing.seat(seat));
        let standing = standing.map(|(seated, _)| seated.standing.clone()).unwrap_or_default();
        let player = Player { office: self, letter, game, seat, table, standing };
        let request = match request {
            Ok(request) => self.of_one_game(letter, request),
            Err(too_much) => Err(unread(*too_much)),
        };
        let mut outcome = match (seen, request) {
            (Some(seen), _) => player.answer(desk, Occasion::Repeated { at: seen.at }, &[])?,
            (None, Err(why)) => player.answer(desk, Occasion::Unread(&why), &[])?,
            (None, Ok(request)) => player.request(desk, request, position.seq)?,
        };
        // A repeated letter keeps the date at which it first came: that is what its writer is told.
        if !repeated {
            let seq = outcome.moved.as_ref().map(|moved| moved.table.head());
            outcome.remembered = Some(self.remembered(letter, Some(game), seq));
        }
        Ok(outcome)
    }
}

/// One letter of one seat.
struct Player<'a> {
    office: &'a Office,
    letter: &'a Letter,
    game: u32,
    seat: Seat,
    table: Table,
    standing: StandingOrders,
}

impl Player<'_> {
    fn request(&self, desk: &Desk, request: &Request, shown: u32) -> Result<Outcome, OfficeError> {
        let mut lines = order_lines_of(request);
        let preview = request.commands.contains(&Command::Preview);
        let asked: Vec<Command> =
            request.commands.iter().copied().filter(|c| *c != Command::Preview).collect();
        let preview_refused = |refused| Occasion::Refused { refused, preview };
        let mut house = match self.for_house(desk, &mut lines) {
            Ok(house) => house,
            Err(refused) => return self.answer(desk, preview_refused(&refused), &asked),
        };
        if lines.is_empty() && !house.words.is_empty() {
            return self.answer_for_house(desk, house, preview, &asked);
        }
        if lines.is_empty() {
            let occasion =
                if asked.is_empty() { Occasion::NothingWritten } else { Occasion::Answered };
            return self.answer(desk, occasion, &asked);
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
            return self.preview(desk, &submission, &asked);
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
                outcome.letters = self.confirmations(desk, &house.confirm)?;
                outcome.member = house.member;
                outcome.notes = house.notes.map(|notes| (self.game, self.seat, notes));
                let (seat, table) = (self.seat, *table);
                outcome.moved = Some(Moved { seat, table, standing, acknowledged });
                Ok(outcome)
            }
            Verdict::Refused(refused) => {
                let occasion = Occasion::Refused { refused: &refused, preview: false };
                self.answer(desk, occasion, &asked)
            }
        }
    }

    fn preview(
        &self,
        desk: &Desk,
        submission: &Submission<'_>,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        match self.table.preview(submission, self.office.now) {
            Verdict::Accepted { table, standing, remarks } => {
                let viewer = Viewer::Seat(self.seat);
                let mut outcome = Vec::new();
                for record in table.records_since(self.table.head()) {
                    outcome.extend(table.game().narrate(&record.events, viewer)?);
                }
                if standing.plans != self.standing.plans {
                    let plans = standing.plans.iter();
                    outcome.extend(plans.filter_map(|plan| table.game().say_plan(plan)));
                }
                let (lines, outcome) = (submission.lines, &outcome);
                let occasion = Occasion::Previewed { lines, outcome, remarks: &remarks };
                self.answer(desk, occasion, asked)
            }
            Verdict::Refused(refused) => {
                let occasion = Occasion::Refused { refused: &refused, preview: true };
                self.answer(desk, occasion, asked)
            }
        }
    }

    /// Takes the lines for the house out of the letter's.
    fn for_house(&self, desk: &Desk, lines: &mut Vec<OrderLine>) -> Result<ForHouse, Refused> {
        match desk.games.get(&self.game).and_then(|playing| playing.seat(self.seat)) {
            Some((seated, member)) => {
                let noted = ForHouse::of_notes(&seated.notes, &self.letter.body, lines)?;
                Ok(noted.and(self.office.for_house(member, lines)?))
            }
            None => Ok(ForHouse::default()),
        }
    }

    fn confirmations(&self, desk: &Desk, addresses: &[String]) -> Result<Vec<Answer>, OfficeError> {
        match desk.games.get(&self.game).and_then(|playing| playing.seat(self.seat)) {
            Some((_, member)) => self.office.confirmations(desk, member, addresses, self.letter),
            None => Ok(Vec::new()),
        }
    }

    /// A letter that was for the house alone, answered with the deadline as it is afterwards.
    fn answer_for_house(
        &self,
        desk: &Desk,
        house: ForHouse,
        preview: bool,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        let Some(playing) = desk.games.get(&self.game) else {
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
        let mut outcome = self.answer_from(desk, &playing, occasion, asked)?;
        if !preview {
            outcome.letters = self.confirmations(desk, &confirm)?;
            outcome.member = member;
            outcome.notes = notes.map(|notes| (self.game, self.seat, notes));
        }
        Ok(outcome)
    }

    /// A letter back to the writer, as far as good manners go.
    fn answer(
        &self,
        desk: &Desk,
        occasion: Occasion<'_>,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        match desk.games.get(&self.game) {
            Some(playing) => self.answer_from(desk, playing, occasion, asked),
            None => Ok(Outcome::of(Fate::Done)),
        }
    }

    /// A letter back to the writer that shows the game like this.
    fn answer_from(
        &self,
        desk: &Desk,
        playing: &Playing,
        occasion: Occasion<'_>,
        asked: &[Command],
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = Outcome::of(Fate::Done);
        let Some((_, member)) = playing.seat(self.seat) else { return Ok(outcome) };
        let office = self.office;
        let (letter, told) = match office.manners(desk, member)? {
            Manners::Silence => return Ok(outcome),
            Manners::LastWord => (office.notice_to(member, &Notice::TooMany, self.letter), None),
            Manners::Answer => {
                let letters: Vec<String> = self.letter.message_id.clone().into_iter().collect();
                let to = ToSeat {
                    seat: self.seat,
                    occasion,
                    asked,
                    mark: &format!("a{}", self.letter.digest),
                    answers: &letters,
                    words: &[],
                    notes: &[],
                };
                let mut page = Page::new(&playing.table, &playing.names);
                (office.game_letter(&mut page, playing, &to)?, Some((self.game, self.seat)))
            }
        };
        outcome.answer = letter.map(|letter| Answer { letter, counted: counted(member), told });
        Ok(outcome)
    }
}
