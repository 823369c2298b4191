//! One letter, from its bytes to what it leads to: who may speak, and which room judges it.

use crate::club::{Member, Request};
use crate::mail::{Admitted, Errand, Letter};
use crate::process::inbound::bounced;
use crate::process::inbound::errand;
use crate::process::inbound::intake;
use crate::process::inbound::machine;
use crate::process::inbound::seat_letter;
use crate::process::inbound::written;
use crate::process::lobby::newcomers;
use crate::process::moderation::moderator;
use crate::process::office::{Office, OfficeError};
use crate::process::outbound::answers;
use crate::process::outbound::missed;
use crate::process::outbound::ready;
use crate::process::session::roster::Book;
use crate::process::transaction::Transaction;
use crate::process::transaction::outcome::{Fate, Outcome};
use crate::report::Notice;
use crate::rules::Seat;
use crate::store::Repository;

/// Reads a letter and decides what it leads to, as things stand in here.
///
/// # Errors
/// When the club cannot be read; never for anything that the letter holds.
pub fn consider(tx: &mut Transaction<'_>, bytes: &[u8]) -> Result<Understood, OfficeError> {
    let letter = match Letter::read(bytes) {
        Ok(letter) => letter,
        Err(unreadable) => {
            return Ok(Understood::nothing(Fate::Quarantined(unreadable.to_string())));
        }
    };
    let admitted = intake::door(tx.office).admit(&letter, &Book(tx))?;
    let admitted = machine::unless_by_machine(tx, &letter, admitted);
    if let Some(outcome) = bounced::bounced(tx, &letter)? {
        let (letter, admitted) = (Some(letter), Some(admitted));
        return Ok(Understood { letter, admitted, request: None, outcome });
    }
    let mut request = None;
    let outcome = match &admitted {
        Admitted::Ignored(_) => Outcome::of(Fate::Done),
        Admitted::Quarantined(why) => Outcome::of(Fate::Quarantined(why.clone())),
        Admitted::Stranger { address } => {
            match newcomers::of_stranger(tx, &letter, address, &written::asked(tx.office, &letter))?
            {
                Some(outcome) => outcome,
                None => intake::to_stranger(tx, &letter, address)?,
            }
        }
        Admitted::NoGame { address } => {
            let notice = |member: &Member| -> Result<Notice, OfficeError> {
                Ok(Notice::NoGame { games: intake::games_of(tx, member)? })
            };
            answers::to_named(tx, &letter, address, notice)?
        }
        Admitted::ModeratorUnmarked { address } => {
            moderator::of_unmarked_moderator(tx, &letter, address)?
        }
        Admitted::BadToken { address } => {
            answers::to_named(tx, &letter, address, |_| Ok(Notice::BadToken))?
        }
        Admitted::OnErrand { errand, address } => {
            let asked = written::asked(tx.office, &letter);
            let outcome = match errand {
                Errand::Moderator => moderator::of_moderator(tx, &letter, &asked)?,
                errand => errand::on_errand(tx, &letter, *errand, address, &asked)?,
            };
            request = asked.ok();
            outcome
        }
        Admitted::Player(position) => {
            let seats = tx.seats(position.game)?;
            if let Some(seated) = seats.get(Seat::new(position.seat).index()) {
                missed::heard_of(tx, &letter, seated.member)?;
                missed::give_time_back(tx, position.game, seated.member)?;
            }
            let asked = written::asked_at(tx, &letter, *position);
            let outcome = seat_letter::of_player(tx, &letter, *position, &asked)?;
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
pub fn explain(office: &Office, bytes: &[u8]) -> Result<(Understood, Option<Letter>), OfficeError> {
    let mut tx = Transaction::begin(office);
    let understood = consider(&mut tx, bytes)?;
    let Outcome { member, notes, answer, .. } = &understood.outcome;
    member.iter().for_each(|member| tx.change(member.clone()));
    if let Some((game, seat, notes)) = notes
        && let Some(playing) = tx.game_mut(*game)
    {
        playing.note(*seat, notes.clone());
    }
    let letter = answer.as_ref().map(|answer| answer.letter.clone());
    let answer = letter.and_then(|letter| ready(&tx, letter).ok());
    let answer = answer.and_then(|answer| Letter::read(&answer.bytes).ok());
    Ok((understood, answer))
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
