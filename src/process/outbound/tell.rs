//! What is to be told becomes owed: a letter of the outbox as data, with its Message-ID and label.
//!
//! Decides what a letter promises, and not how it says that.

use super::hold;
use super::owed::{Addressee, Owed, Plain, Says, Telling};
use crate::club::{ActivityEntry, Command, Happening, Member, Seated};
use crate::mail::transport::check_address;
use crate::mail::{LetterHash, ReplyAction};
use crate::process::context::{ClubError, Context};
use crate::process::session::reader;
use crate::process::table::news;
use crate::process::transaction::Transaction;
use crate::process::transaction::game_session::GameSession;
use crate::render::{Notice, Occasion};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Content, Label, Outgoing, Reader, Shown};
use chrono::{DateTime, Utc};

/// What is to be told to a seat.
#[derive(Clone, Debug)]
pub(crate) struct ToSeat {
    /// Whose player is told.
    pub seat: Seat,
    /// Why it is written.
    pub occasion: Occasion,
    /// Whether it answers a letter by itself.
    pub(crate) answer: bool,
    /// What the reader asked to see besides.
    pub asked: Vec<Command>,
    /// What makes its Message-ID differ from those of other letters to the seat, such as `r37`.
    pub(crate) mark: String,
    /// The Message-IDs of the letters that it answers, oldest first.
    pub answers: Vec<String>,
    /// What the reader should know of his plans.
    pub words: Vec<Message>,
    /// What the reader is told of what was done to the game from outside of its rules.
    pub notes: Vec<Message>,
    /// What players have said, as far as the reader may know it.
    pub talk: Vec<ActivityEntry>,
    /// Whether it does not wait for a letter about other games.
    pub(crate) at_once: bool,
}

impl ToSeat {
    /// What nobody asked for.
    pub(crate) const fn unasked(seat: Seat, occasion: Occasion, mark: String) -> Self {
        Self {
            seat,
            occasion,
            answer: false,
            asked: Vec::new(),
            mark,
            answers: Vec::new(),
            words: Vec::new(),
            notes: Vec::new(),
            talk: Vec::new(),
            at_once: false,
        }
    }
}

/// A letter about a game; none for whom no letter reaches.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn game_letter(
    tx: &Transaction<'_>,
    session: &GameSession,
    to: ToSeat,
) -> Result<Option<Outgoing>, ClubError> {
    let seat = to.seat;
    let Some((seated, member)) = session.seat(seat) else { return Ok(None) };
    if member.undeliverable().is_some() || seated.left || member.has_left() {
        return Ok(None);
    }
    let due = due(session, seat);
    let hold = hold::of(tx.context.now, (seated, member), &to, due);
    let mut talk = unheard_talk(tx, session.number(), (seat, seated))?;
    talk.extend(to.talk.into_iter().filter(|minute| !talk.contains(minute)).collect::<Vec<_>>());
    let ToSeat { occasion, answer, asked, mark, answers, words, .. } = to;
    let (game, told) = (session.number(), seated.last_seen_seq);
    let (generation, marks) = (seated.generation, member.generation);
    let shown = Shown { game, seat, generation, marks, told };
    let reader = Reader::Seats { member: seated.member, seats: vec![shown] };
    let is_asked = |command| asked.contains(&command);
    let pace = (is_asked(Command::Status) || is_asked(Command::Pace))
        .then(|| session.pace(tx.context.now, &member.time))
        .flatten()
        .map(|pace| Message::new("pace-asked").with("pace", pace))
        .or_else(|| is_asked(Command::Pace).then(|| Message::new("pace-unknown")));
    let history = asked.contains(&Command::History);
    let telling = Telling {
        game,
        seat,
        told,
        head: session.table.head(),
        id: message_id(tx.context, &format!("g{game}.s{seat}.{mark}")),
        occasion,
        answer,
        answers,
        words,
        notes: [seated.unheard.notes.clone(), news::news_words(session, seat), to.notes].concat(),
        talk,
        clock: session.clock_words(seat),
        pace,
        awaits: session.table.turn().awaits(seat),
        due,
        minutes: history.then(|| tx.minutes_before(game)).transpose()?.map(|all| all.len()),
        asked,
    };
    Ok(Some(Outgoing {
        message_id: telling.id.clone(),
        recipient: member.addresses.first().cloned().unwrap_or_default(),
        label: Some(Label { unsettled: true, hold, ..label(tx.context, reader) }),
        content: Content::Owed(Owed::Seat(Box::new(telling)).kept()),
    }))
}

/// Returns the Message-ID of the letter with this name, such as `g1.s2.r37`.
///
/// A journal can be older than the store that was lost. Letters after a restore can then have the
/// record numbers of letters that were posted before, and some mail systems hide a letter whose
/// Message-ID they know. So the time of the restore is part of the name.
pub(crate) fn message_id(context: &Context, letter: &str) -> String {
    match context.restored {
        None => context.id_of(letter),
        Some(at) => context.id_of(&format!("{letter}.e{}", at.timestamp())),
    }
}

/// A letter about no game. A reply to it is this reply action; without one it speaks for the
/// member that it goes to.
///
/// # Errors
/// When the reader's address is none.
pub(crate) fn notice(
    context: &Context,
    to: &Member,
    notice: &Notice,
    action: Option<ReplyAction>,
    digest: &LetterHash,
    answered: Option<&String>,
) -> Result<Outgoing, ClubError> {
    check_address(to.addresses.first().map(String::as_str).unwrap_or_default())?;
    let message_id = message_id(context, &format!("n.a{digest}"));
    Ok(plain(context, to, Says::Notice(notice.clone()), action, message_id, answered))
}

/// A note to the moderator.
///
/// # Errors
/// When the store cannot be read, or the moderator's address is none.
pub(crate) fn to_moderator(
    tx: &Transaction<'_>,
    lines: Vec<Message>,
) -> Result<Outgoing, ClubError> {
    check_address(&tx.context.settings.moderator.address)?;
    let digest = LetterHash::of(format!("{}\n{lines:?}", tx.context.now).as_bytes());
    let message_id = message_id(tx.context, &format!("m.{digest}"));
    let to = &reader::moderator(tx)?;
    Ok(plain(tx.context, to, Says::Report(lines), Some(ReplyAction::Moderator), message_id, None))
}

/// Whom a letter is for that is answered by this reply action.
pub(crate) const fn reader_by(action: Option<ReplyAction>) -> Reader {
    match action {
        Some(ReplyAction::Moderator) => Reader::Moderator,
        Some(
            ReplyAction::Member(id)
            | ReplyAction::Invited { member: id, .. }
            | ReplyAction::Stop { member: id, .. },
        ) => Reader::Member(id),
        Some(
            ReplyAction::Join { .. }
            | ReplyAction::Club { .. }
            | ReplyAction::Refuse { .. }
            | ReplyAction::Visit { .. }
            | ReplyAction::Address { .. },
        )
        | None => Reader::Address,
    }
}

/// A letter that is for no seat. A reply to it is this reply action; without one it speaks for
/// the member that it goes to.
pub(crate) fn plain(
    context: &Context,
    to: &Member,
    says: Says,
    action: Option<ReplyAction>,
    message_id: String,
    answered: Option<&String>,
) -> Outgoing {
    let action = action.or((to.id > 0).then_some(ReplyAction::Member(to.id)));
    let reader = reader_by(action);
    let recipient = to.addresses.first().cloned().unwrap_or_default();
    let Member { name, language, generation, moves, .. } = to.clone();
    let to = Addressee { name, language, generation, moves };
    let plain = Plain { says, action, answers: answered.cloned(), to };
    let (content, label) = (Owed::Plain(Box::new(plain)).kept(), label(context, reader));
    let (content, label) = (Content::Owed(content), Some(label));
    Outgoing { message_id, recipient, content, label }
}

const fn label(context: &Context, reader: Reader) -> Label {
    let (written, class) = (context.now, reader.class());
    Label { class, reader, written, unsettled: false, hold: None }
}

/// What was said in a game that waits for a seat's next letter.
///
/// # Errors
/// When the club cannot be read.
fn unheard_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &Seated),
) -> Result<Vec<ActivityEntry>, ClubError> {
    let Some(read) = seated.unheard.minutes else { return Ok(Vec::new()) };
    let mut minutes = tx.minutes_before(game)?;
    minutes.drain(..read.min(minutes.len()));
    minutes.retain(|minute| {
        let others = matches!(&minute.what, Happening::Said { from, .. } if *from != seat);
        others && seated.sat_at(minute.at) && minute.is_for(seat)
    });
    Ok(minutes)
}

/// Until when a seat's player has time, if he has not been told that it is over.
fn due(session: &GameSession, seat: Seat) -> Option<DateTime<Utc>> {
    let clock = session.clock.as_ref().filter(|clock| clock.paused.is_none())?;
    let wait = clock.wait(seat).filter(|wait| !wait.missed)?;
    (session.table.turn() != Turn::Over).then_some(wait.deadline)
}
