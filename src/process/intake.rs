//! One letter, from its bytes to what it leads to. Nothing is written here.

use super::budget::Account;
use super::office::{Office, OfficeError};
use super::outbound::{ID_START, ready};
use super::outcome::{Answer, Fate, Outcome};
use super::roster::Book;
use super::transaction::Transaction;
use crate::club::talk::Reads;
use crate::club::{Directive, Member, Request, Strangers, house_line, read_request};
use crate::mail::manners::Manners;
use crate::mail::{
    Admitted, Digest, Door, Letter, TooMuch, WrittenLine, first_quoted, order_lines, prove,
    quoted_headers, written,
};
use crate::report::Notice;
use crate::rules::{Message, Seat};
use crate::store::{Repository, SeenLetter};

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

impl Office {
    /// What would become of a letter, and what its writer would be answered; nothing is done.
    ///
    /// # Errors
    /// When the club cannot be read; never for anything that the letter holds.
    pub fn explain(&self, bytes: &[u8]) -> Result<(Understood, Option<Letter>), OfficeError> {
        let mut tx = self.begin();
        let understood = self.consider(&mut tx, bytes)?;
        let Outcome { member, notes, answer, .. } = &understood.outcome;
        member.iter().for_each(|member| tx.change(member.clone()));
        if let Some((game, seat, notes)) = notes
            && let Some(playing) = tx.game_mut(*game)
        {
            playing.note(*seat, notes.clone());
        }
        let letter = answer.as_ref().map(|answer| answer.letter.clone());
        let answer = letter.and_then(|letter| ready(self, &tx, letter).ok());
        let answer = answer.and_then(|answer| Letter::read(&answer.bytes).ok());
        Ok((understood, answer))
    }

    /// Reads a letter and decides what it leads to, as things stand in here.
    ///
    /// # Errors
    /// When the club cannot be read; never for anything that the letter holds.
    pub fn consider(
        &self,
        tx: &mut Transaction<'_>,
        bytes: &[u8],
    ) -> Result<Understood, OfficeError> {
        let letter = match Letter::read(bytes) {
            Ok(letter) => letter,
            Err(unreadable) => {
                return Ok(Understood::nothing(Fate::Quarantined(unreadable.to_string())));
            }
        };
        let admitted = self.door().admit(&letter, &Book(tx))?;
        let admitted = self.unless_by_machine(tx, &letter, admitted);
        if let Some(outcome) = self.bounced(tx, &letter)? {
            let (letter, admitted) = (Some(letter), Some(admitted));
            return Ok(Understood { letter, admitted, request: None, outcome });
        }
        let mut request = None;
        let outcome = match &admitted {
            Admitted::Ignored(_) => Outcome::of(Fate::Done),
            Admitted::Quarantined(why) => Outcome::of(Fate::Quarantined(why.clone())),
            Admitted::Stranger { address } => {
                match self.of_stranger(tx, &letter, address, &self.asked(&letter))? {
                    Some(outcome) => outcome,
                    None => self.to_stranger(tx, &letter, address)?,
                }
            }
            Admitted::NoGame { address } => {
                let notice = |member: &Member| -> Result<Notice, OfficeError> {
                    Ok(Notice::NoGame { games: self.games_of(tx, member)? })
                };
                self.to_named(tx, &letter, address, notice)?
            }
            Admitted::ModeratorUnmarked { address } => {
                self.of_unmarked_moderator(tx, &letter, address)?
            }
            Admitted::BadToken { address } => {
                self.to_named(tx, &letter, address, |_| Ok(Notice::BadToken))?
            }
            Admitted::OnErrand { errand, address } => {
                let asked = self.asked(&letter);
                let outcome = self.on_errand(tx, &letter, *errand, address, &asked)?;
                request = asked.ok();
                outcome
            }
            Admitted::Player(position) => {
                let seats = tx.seats(position.game)?;
                if let Some(seated) = seats.get(Seat::new(position.seat).index()) {
                    self.heard_of(tx, &letter, seated.member)?;
                    self.give_time_back(tx, position.game, seated.member)?;
                }
                let asked = self.asked_at(tx, &letter, *position);
                let outcome = self.of_player(tx, &letter, *position, &asked)?;
                request = asked.ok();
                outcome
            }
        };
        Ok(Understood { letter: Some(letter), admitted: Some(admitted), request, outcome })
    }

    /// The club's door.
    pub(super) fn door(&self) -> Door<'_> {
        Door {
            secret: &self.secret,
            address: &self.settings.address,
            admission: self.settings.admission,
            authserv_id: self.settings.authserv_id.as_deref().unwrap_or_default(),
            moderator: &self.settings.moderator.address,
        }
    }

    /// The questions and orders that a letter's writer wrote.
    pub(super) fn asked(&self, letter: &Letter) -> Result<Request, TooMuch> {
        let markers: Vec<&str> = self.markers.iter().map(String::as_str).collect();
        let lines = order_lines(&letter.body, &markers)?;
        let ours = |line: &str| Directive::read(line).is_ok() || house_line(line) == Reads::Order;
        let quoted = quoted_headers(&written(&letter.body, &markers), ours);
        Ok(Request { quoted, ..read_lines(&letter.body, &lines, None) })
    }

    pub(super) fn games_of(
        &self,
        tx: &Transaction<'_>,
        member: &Member,
    ) -> Result<Vec<String>, OfficeError> {
        let mut games = Vec::new();
        for (game, seat) in tx.seats_of(member.id)? {
            if let Ok(playing) = tx.savepoint().playing(game)
                && playing.seat(seat).is_some_and(|(seated, _)| !seated.left)
            {
                let language = self.library.language(&member.language);
                games.push(language.title(playing.table.founding(), &self.settings.name));
            }
        }
        Ok(games)
    }

    pub(super) fn to_stranger(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        address: &str,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = self.unanswered(letter);
        let account = if self.proves(letter, address) {
            Account::known(address)
        } else {
            Account::stranger(address)
        };
        if self.manners(tx, &account)? == Manners::Answer {
            let stranger = self.nobody(address);
            let moderator = self.settings.moderator.address.clone();
            let may_join = self.settings.strangers == Strangers::Join;
            let notice = Notice::Stranger { moderator, may_join };
            let answer = |letter| Answer { letter, account, told: None };
            outcome.answer = self.notice_to(&stranger, &notice, letter).map(answer);
        }
        Ok(outcome)
    }

    /// Whether our mail server says that a letter is from whom it says it is from.
    pub(super) fn proves(&self, letter: &Letter, address: &str) -> bool {
        let server = self.settings.authserv_id.as_deref().unwrap_or_default();
        !server.is_empty() && prove(&letter.authentication_results, server, address).is_ok()
    }

    /// An answer to a letter in the name of a member that does not prove to be his.
    pub(super) fn to_named(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        address: &str,
        notice: impl Fn(&Member) -> Result<Notice, OfficeError>,
    ) -> Result<Outcome, OfficeError> {
        match tx.member_by_address(address)? {
            Some(member) => {
                let account = Account::InNameOf(member.id);
                self.charged(tx, letter, &member, account, notice)
            }
            None => Ok(self.unanswered(letter)),
        }
    }

    /// An answer to a member's letter, as far as there is something left on this account.
    pub(super) fn charged(
        &self,
        tx: &Transaction<'_>,
        letter: &Letter,
        member: &Member,
        account: Account,
        notice: impl Fn(&Member) -> Result<Notice, OfficeError>,
    ) -> Result<Outcome, OfficeError> {
        let mut outcome = self.unanswered(letter);
        let notice = match self.manners(tx, &account)? {
            Manners::Answer => notice(member)?,
            Manners::LastWord => account.last_word(),
            Manners::Silence => return Ok(outcome),
        };
        let answer = |letter| Answer { letter, account, told: None };
        outcome.answer = self.notice_to(member, &notice, letter).map(answer);
        Ok(outcome)
    }

    /// A letter that is known again, and no more.
    fn unanswered(&self, letter: &Letter) -> Outcome {
        let mut outcome = Outcome::of(Fate::Done);
        outcome.remembered = Some(self.remembered(letter, None, None));
        outcome
    }

    /// A notice; none when the address that asks for it is one that no letter can go to.
    pub(super) fn notice_to(
        &self,
        to: &Member,
        notice: &Notice,
        letter: &Letter,
    ) -> Option<crate::store::Outgoing> {
        self.notice(to, notice, None, &letter.digest, letter.message_id.as_ref()).ok()
    }

    /// What was asked in a letter, unless it answers one about several games between the quoted
    /// lines: what stands there may be meant for any of them.
    ///
    /// # Errors
    /// What is to be said of it.
    pub(super) fn of_one_game<'a>(
        &self,
        letter: &Letter,
        request: &'a Request,
    ) -> Result<&'a Request, Message> {
        let end = format!("@{}", self.settings.host());
        let is_bundle = |id: &String| id.starts_with(ID_START) && id.ends_with(&end);
        if !letter.references.iter().any(is_bundle) {
            return Ok(request);
        }
        let first = first_quoted(&letter.body).unwrap_or(u32::MAX);
        let orders = request.lines.iter().map(|line| line.order.number);
        let press = request.talk.press.iter().map(|press| press.number);
        match orders.chain(press).find(|number| *number > first) {
            Some(number) => Err(Message::new("unread-between").with("number", number)),
            None => Ok(request),
        }
    }

    pub(super) fn nobody(&self, address: &str) -> Member {
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
}

/// The lines of a letter's body that can be orders, each read once; `back` is the record to which
/// its game goes back that goes one turn back.
pub(super) fn read_lines(body: &str, lines: &[WrittenLine], back: Option<u32>) -> Request {
    let body: Vec<&str> = body.lines().collect();
    let written = |number: u32| {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| body.get(index)).copied().unwrap_or_default()
    };
    let lines = lines.iter();
    let lines = lines.map(|line| (line.number, line.text.as_str(), written(line.number)));
    read_request(lines, back)
}

/// Why a letter with too much in it was not read.
pub(super) fn unread(too_much: TooMuch) -> Message {
    match too_much {
        TooMuch::Lines => Message::new("unread-too-many-lines"),
        TooMuch::LongLine { number } => Message::new("unread-long-line").with("number", number),
    }
}
