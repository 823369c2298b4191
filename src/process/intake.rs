//! One letter, from its bytes to what it leads to. Nothing is written here.

use super::clock::ForHouse;
use super::desk::{Acknowledged, Answer, Desk, Fate, Moved, Outcome, Playing, broken_game};
use super::office::{Office, OfficeError};
use super::post::ToSeat;
use crate::club::{self, Command, Member, Request, Seated};
use crate::mail::manners::{DAY, HOUR, Manners};
use crate::mail::{Admitted, Chair, Digest, Door, Letter, Position, Roster, TooMuch, order_lines};
use crate::report::{Notice, Occasion, Page};
use crate::rules::{Message, Seat, Viewer};
use crate::store::{SeenLetter, Store, StoreError};
use crate::table::{LetterRef, OrderLine, Refused, StandingOrders, Submission, Table, Verdict};

/// A letter as far as it was understood; what `explain` shows.
pub struct Understood {
    /// The letter; none when the bytes are no letter, with the reason as its fate.
    pub letter: Option<Letter>,
    /// What the door said.
    pub admitted: Option<Admitted>,
    /// What its writer wrote and ordered.
    pub request: Option<Request>,
    /// What it leads to.
    pub outcome: Outcome,
}

impl Understood {
    const fn nothing(fate: Fate) -> Self {
        Self { letter: None, admitted: None, request: None, outcome: Outcome::of(fate) }
    }
}

impl Roster for Store {
    type Error = StoreError;

    fn chair(&self, game: u32, seat: u8) -> Result<Option<Chair>, StoreError> {
        let seats = self.seats(game)?;
        let Some(Seated { member, generation, .. }) = seats.get(Seat::new(seat).index()) else {
            return Ok(None);
        };
        Ok(self
            .member(*member)?
            .map(|member| Chair { generation: *generation, addresses: member.addresses }))
    }

    fn is_member(&self, address: &str) -> Result<bool, StoreError> {
        Ok(self.member_by_address(address)?.is_some())
    }
}

impl Office {
    /// Reads a letter and decides what it leads to, as things stand on this desk.
    ///
    /// # Errors
    /// When the club cannot be read; never for anything that the letter holds.
    pub fn consider(&self, desk: &mut Desk, bytes: &[u8]) -> Result<Understood, OfficeError> {
        let letter = match Letter::read(bytes) {
            Ok(letter) => letter,
            Err(unreadable) => {
                return Ok(Understood::nothing(Fate::Quarantined(unreadable.to_string())));
            }
        };
        let door = Door {
            secret: &self.secret,
            address: &self.settings.address,
            admission: self.settings.admission,
            authserv_id: self.settings.authserv_id.as_deref().unwrap_or_default(),
        };
        let admitted = door.admit(&letter, &self.store)?;
        if let Some(outcome) = self.bounced(desk, &letter)? {
            let (letter, admitted) = (Some(letter), Some(admitted));
            return Ok(Understood { letter, admitted, request: None, outcome });
        }
        let mut request = None;
        let outcome = match &admitted {
            Admitted::Ignored(_) => Outcome::of(Fate::Done),
            Admitted::Quarantined(why) => Outcome::of(Fate::Quarantined(why.clone())),
            Admitted::Stranger { address } => self.to_stranger(desk, &letter, address)?,
            Admitted::NoGame { address } => {
                let notice = |member: &Member| -> Result<Notice, OfficeError> {
                    Ok(Notice::NoGame { games: self.games_of(member)? })
                };
                self.to_member(desk, &letter, address, notice)?
            }
            Admitted::BadToken { address } => {
                self.to_member(desk, &letter, address, |_| Ok(Notice::BadToken))?
            }
            Admitted::Player(position) => {
                self.heard_of(desk, &letter, *position)?;
                let asked = self.asked(&letter);
                let outcome = self.of_player(desk, &letter, *position, &asked)?;
                request = asked.ok();
                outcome
            }
        };
        Ok(Understood { letter: Some(letter), admitted: Some(admitted), request, outcome })
    }

    /// The questions and orders that a letter's writer wrote.
    fn asked(&self, letter: &Letter) -> Result<Request, TooMuch> {
        let markers: Vec<&str> = self.markers.iter().map(String::as_str).collect();
        let lines = order_lines(&letter.body, &markers)?;
        Ok(club::read_request(lines.iter().map(|line| (line.number, line.text.as_str()))))
    }

    fn games_of(&self, member: &Member) -> Result<Vec<String>, OfficeError> {
        let mut games = Vec::new();
        for (game, _) in self.store.seats_of(member.id)? {
            if let Ok(playing) = self.open_game(game) {
                let language = self.library.language(&member.language);
                games.push(language.title(playing.table.founding(), &self.settings.name));
            }
        }
        Ok(games)
    }

    fn to_stranger(
        &self,
        desk: &Desk,
        letter: &Letter,
        address: &str,
    ) -> Result<Outcome, OfficeError> {
        let answered = desk.answers_since(self, address, self.now.timestamp() - DAY)?;
        let mut outcome = Outcome::of(Fate::Done);
        outcome.remembered = Some(self.remembered(letter, None, None));
        if Manners::to_stranger(answered) == Manners::Answer {
            let stranger = self.nobody(address);
            let moderator = self.settings.moderator.address.clone();
            let notice = Notice::Stranger { moderator };
            outcome.answer = self.notice_to(&stranger, &notice, letter).map(|letter| Answer {
                letter,
                counted: address.to_owned(),
                told: None,
            });
        }
        Ok(outcome)
    }

    fn to_member(
        &self,
        desk: &Desk,
        letter: &Letter,
        address: &str,
        notice: impl Fn(&Member) -> Result<Notice, OfficeError>,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = Outcome::of(Fate::Done);
        outcome.remembered = Some(self.remembered(letter, None, None));
        let Some(member) = self.store.member_by_address(address)? else { return Ok(outcome) };
        let notice = match self.manners(desk, &member)? {
            Manners::Answer => notice(&member)?,
            Manners::LastWord => Notice::TooMany,
            Manners::Silence => return Ok(outcome),
        };
        outcome.answer = self.notice_to(&member, &notice, letter).map(|letter| Answer {
            letter,
            counted: counted(&member),
            told: None,
        });
        Ok(outcome)
    }

    /// A notice; none when the address that asks for it is one that no letter can go to.
    fn notice_to(
        &self,
        to: &Member,
        notice: &Notice,
        letter: &Letter,
    ) -> Option<crate::store::Outgoing> {
        self.notice(to, notice, &letter.digest, letter.message_id.as_ref()).ok()
    }

    fn manners(&self, desk: &Desk, member: &Member) -> Result<Manners, OfficeError> {
        let since = self.now.timestamp() - HOUR;
        let answered = desk.answers_since(self, &counted(member), since)?;
        Ok(Manners::to_member(answered, self.settings.answers_per_hour))
    }

    fn nobody(&self, address: &str) -> Member {
        Member {
            id: 0,
            name: String::new(),
            addresses: vec![address.to_owned()],
            language: self.settings.language.clone(),
            ascii: true,
            ..Member::default()
        }
    }

    pub(super) fn remembered(
        &self,
        letter: &Letter,
        game: Option<u32>,
        seq: Option<u32>,
    ) -> (Digest, SeenLetter) {
        (letter.digest, SeenLetter { at: self.now, game, seq })
    }

    /// A letter that was let in, for its position.
    fn of_player(
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
        let mut outcome = match (seen, request) {
            (Some(seen), _) => player.answer(desk, Occasion::Repeated { at: seen.at }, &[])?,
            (None, Err(too_much)) => {
                let why = unread(*too_much);
                player.answer(desk, Occasion::Unread(&why), &[])?
            }
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
        let mut lines: Vec<OrderLine> = request
            .orders
            .iter()
            .map(|(number, text)| OrderLine { number: *number, text: text.clone() })
            .collect();
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
                outcome.member = house.member;
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
            Some((_, member)) => self.office.for_house(member, lines),
            None => Ok(ForHouse::default()),
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
        let ForHouse { member, mut words } = house;
        if preview {
            words.insert(0, Message::new("preview-accepted"));
        } else if let Some(member) = &member {
            playing.learn(member);
            playing.reckon_again(self.seat, self.office.now);
        }
        let occasion = Occasion::Clock { words: &words };
        let mut outcome = self.answer_from(desk, &playing, occasion, asked)?;
        outcome.member = member.filter(|_| !preview);
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
                };
                let mut page = Page::new(&playing.table, &playing.names);
                (office.game_letter(&mut page, playing, &to)?, Some((self.game, self.seat)))
            }
        };
        outcome.answer = letter.map(|letter| Answer { letter, counted: counted(member), told });
        Ok(outcome)
    }
}

/// The address under which answers to a member are counted.
fn counted(member: &Member) -> String {
    member.addresses.first().cloned().unwrap_or_default()
}

fn unread(too_much: TooMuch) -> Message {
    match too_much {
        TooMuch::Lines => Message::new("unread-too-many-lines"),
        TooMuch::LongLine { number } => Message::new("unread-long-line").with("number", number),
    }
}
