//! One letter, from its bytes to what it leads to: who may speak, and which room judges it.

use crate::club::{Member, Request};
use crate::mail::{Admitted, Errand, Letter};
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::ready;
use crate::process::session::roster::Book;
use crate::process::transaction::Transaction;
use crate::process::transaction::outcome::{Fate, Outcome};
use crate::report::Notice;
use crate::rules::Seat;
use crate::store::Repository;

impl Office {
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
                let outcome = match errand {
                    Errand::Moderator => self.of_moderator(tx, &letter, &asked)?,
                    errand => self.on_errand(tx, &letter, *errand, address, &asked)?,
                };
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
}

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
