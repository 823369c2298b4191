//! One letter, from its bytes to what it leads to: who may speak, and which room judges it.

use crate::club::{Member, Request};
use crate::mail::{Admitted, Letter, ReplyAction, Unreadable};
use crate::process::context::{ClubError, Context};
use crate::process::inbound::bounced;
use crate::process::inbound::elsewhere;
use crate::process::inbound::intake;
use crate::process::inbound::machine;
use crate::process::inbound::opened::Opened;
use crate::process::inbound::reply_action;
use crate::process::inbound::seat_letter;
use crate::process::inbound::stop;
use crate::process::inbound::written;
use crate::process::lobby::game_list;
use crate::process::lobby::visitors::{self, Inquiry};
use crate::process::moderation::moderator;
use crate::process::moderation::overview;
use crate::process::outbound::answers;
use crate::process::outbound::idle;
use crate::process::outbound::missed;
use crate::process::outbound::ready;
use crate::process::session::directory::ClubDirectory;
use crate::process::transaction::effect::{Disposition, LetterEffect};
use crate::process::transaction::{Transaction, open_game};
use crate::render::Notice;
use crate::rules::{Message, Seat, Viewer};
use crate::store::Repository;

/// Reads a letter and decides what it leads to, as things stand in here.
///
/// # Errors
/// When the club cannot be read; never for anything that the letter holds.
pub fn consider(tx: &mut Transaction<'_>, bytes: &[u8]) -> Result<Understood, ClubError> {
    let opened = Opened::read(tx.context, bytes);
    consider_opened(tx, opened)
}

/// The same of a letter that was opened, or cannot be.
pub(crate) fn consider_opened(
    tx: &mut Transaction<'_>,
    opened: Result<Opened, Unreadable>,
) -> Result<Understood, ClubError> {
    let opened = match opened {
        Ok(opened) => opened,
        Err(unreadable) => {
            return Ok(Understood::nothing(Disposition::Quarantined(unreadable.told())));
        }
    };
    let letter = &opened.letter;
    let admitted = intake::authenticator(tx.context).admit(letter, &ClubDirectory(tx))?;
    let admitted = machine::unless_by_machine(tx, &opened, admitted);
    let (effect, request) = match bounced::bounced(tx, letter)? {
        Some(effect) => (effect, None),
        None => {
            if matches!(admitted, Admitted::Ignored(_))
                && let Some(member) = bounced::replied_by_itself(tx, letter)?
            {
                missed::heard_from_mailbox(tx, letter, member)?;
            }
            // A letter that comes again changes nothing.
            let is_new = tx.seen_letter(letter.digest.bytes())?.is_none();
            let writer = idle::writer(tx, &admitted)?.filter(|_| is_new);
            let (mut effect, request) = judged(tx, &opened, &admitted)?;
            writer.map_or(Ok(()), |writer| idle::note(tx, writer, &mut effect))?;
            (effect, request)
        }
    };
    Ok(Understood { letter: Some(opened.letter), admitted: Some(admitted), request, effect })
}

/// What a letter leads to of which the door has said this, and what was asked in it.
fn judged(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    admitted: &Admitted,
) -> Result<(LetterEffect, Option<Request>), ClubError> {
    let letter = &opened.letter;
    let mut request = None;
    let effect = match admitted {
        Admitted::Ignored(_) => LetterEffect::of(Disposition::Done),
        Admitted::Quarantined(why) => elsewhere::from_elsewhere(tx, letter, why)?,
        Admitted::Stranger { address } => {
            let from = Inquiry { letter, address, asked: &written::asked(tx, opened, address) };
            let effect = match stop::refused_by_stranger(tx, from) {
                Some(effect) => Some(effect),
                None => visitors::of_stranger(tx, from)?,
            };
            match effect {
                Some(effect) => effect,
                None => intake::to_stranger(tx, from)?,
            }
        }
        Admitted::NoGame { address } => {
            let from = Inquiry { letter, address, asked: &written::asked(tx, opened, address) };
            let list = from.asks_for_games(tx.context);
            let notice = |member: &Member| -> Result<Notice, ClubError> {
                if list {
                    let words = game_list::game_list(tx, member)?;
                    return Ok(Notice::Offering { words, lines: game_list::lines(tx, member)? });
                }
                Ok(Notice::NoGame { games: intake::games_of(tx, member)? })
            };
            answers::to_named(tx, letter, address, notice)?
        }
        Admitted::ModeratorUnmarked { address } => {
            moderator::of_unmarked_moderator(tx, letter, address)?
        }
        Admitted::BadToken { address } => {
            answers::to_named(tx, letter, address, |_| Ok(Notice::BadToken))?
        }
        Admitted::Action { action, address } => {
            let asked = written::asked(tx, opened, address);
            let effect = match action {
                ReplyAction::Moderator => moderator::of_moderator(tx, letter, &asked)?,
                action => {
                    let from = Inquiry { letter, address, asked: &asked };
                    reply_action::on_action(tx, from, *action)?
                }
            };
            request = asked.ok();
            effect
        }
        Admitted::Player(position) => {
            let seats = tx.seats(position.game)?;
            if let Some(seated) = seats.get(Seat::new(position.seat).index()) {
                missed::heard_of(tx, letter, seated.member)?;
                missed::give_time_back(tx, position.game, seated.member)?;
            }
            let asked = written::asked_at(tx, opened, *position);
            let effect = seat_letter::of_player(tx, letter, *position, &asked)?;
            request = asked.ok();
            effect
        }
    };
    Ok((effect, request))
}

/// What would become of a letter, and what its writer would be answered; nothing is done.
///
/// # Errors
/// When the club cannot be read; never for anything that the letter holds.
pub fn explain(context: &Context, bytes: &[u8]) -> Result<(Understood, Option<Letter>), ClubError> {
    let mut tx = Transaction::begin(context);
    let understood = consider(&mut tx, bytes)?;
    let LetterEffect { member, notes, wish, answer, .. } = &understood.effect;
    member.iter().for_each(|member| tx.change(member.clone()));
    if let Some((game, seat, notes)) = notes
        && let Some(session) = tx.game_mut(*game)
    {
        session.set_notes(*seat, notes.clone());
    }
    if let Some((game, seat, wish)) = wish
        && let Some(session) = tx.game_mut(*game)
    {
        session.set_wish(*seat, *wish);
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
    pub(crate) admitted: Option<Admitted>,
    /// What its writer wrote and ordered.
    pub(crate) request: Option<Request>,
    /// What it leads to.
    pub(crate) effect: LetterEffect,
}

impl Understood {
    /// Why nobody is let in by it, in a clause; none where somebody is, or it is no letter.
    pub fn kept_out(&self) -> Option<&Message> {
        match &self.admitted {
            Some(Admitted::Ignored(why) | Admitted::Quarantined(why)) => Some(why),
            _ => None,
        }
    }

    /// Returns `true` if a member wrote the letter, and not for a game that is over: its lines and
    /// the answer may hold what only the writer may know.
    pub(crate) fn is_confidential(&self, context: &Context) -> bool {
        match &self.admitted {
            Some(Admitted::Player(position)) => !open_game(context, position.game)
                .is_ok_and(|session| overview::may_show_secrets(&session, false)),
            Some(Admitted::Action { action, .. }) => *action != ReplyAction::Moderator,
            _ => false,
        }
    }

    /// Returns the number of the record that the letter leads to, with the lines that everybody
    /// will read there. An order that nobody else may know of is no record yet.
    pub(crate) fn public_record(&self, context: &Context) -> Option<(u32, Vec<String>)> {
        let table = &self.effect.moved.as_ref()?.table;
        let before = open_game(context, table.founding().number).ok()?.table.head();
        let lines = || table.lines_as_read_by(Viewer::Public).remove(&table.head());
        (table.head() > before).then(|| (table.head(), lines().unwrap_or_default()))
    }

    const fn nothing(disposition: Disposition) -> Self {
        Self { letter: None, admitted: None, request: None, effect: LetterEffect::of(disposition) }
    }
}
