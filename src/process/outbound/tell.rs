//! What is to be told becomes owed: a letter of the outbox as data, with its Message-ID and label.
//!
//! Decides what a letter promises, and not how it says that.

use super::owed::{Addressee, Owed, Plain, Says, Telling};
use crate::club::{Command, Member, Minute};
use crate::mail::courier::check_address;
use crate::mail::{Digest, Errand};
use crate::process::office::{Office, OfficeError};
use crate::process::session::reader;
use crate::process::table::news;
use crate::process::transaction::Transaction;
use crate::process::transaction::playing::Playing;
use crate::report::{Notice, Occasion};
use crate::rules::{Message, Seat, Turn};
use crate::store::{Content, Label, Outgoing, Reader, Shown};
use chrono::{DateTime, Utc};

/// What is to be told to a seat.
#[derive(Clone, Debug)]
pub(crate) struct ToSeat {
    /// Whose player is told.
    pub seat: Seat,
    /// Why.
    pub occasion: Occasion,
    /// Whether it answers a letter by itself.
    pub answer: bool,
    /// What the reader asked to see besides.
    pub asked: Vec<Command>,
    /// What makes its Message-ID differ from those of other letters to the seat, such as `r37`.
    pub mark: String,
    /// The Message-IDs of the letters that it answers, oldest first.
    pub answers: Vec<String>,
    /// What the reader should know of his plans.
    pub words: Vec<Message>,
    /// What the reader is told of what was done to the game from outside of its rules.
    pub notes: Vec<Message>,
    /// What players have said, as far as the reader may know it.
    pub talk: Vec<Minute>,
}

impl ToSeat {
    /// What nobody asked for.
    pub const fn unasked(seat: Seat, occasion: Occasion, mark: String) -> Self {
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
        }
    }
}

/// A letter about a game; none for whom no letter reaches.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn game_letter(
    tx: &Transaction<'_>,
    playing: &Playing,
    to: ToSeat,
) -> Result<Option<Outgoing>, OfficeError> {
    let ToSeat { seat, occasion, answer, asked, mark, answers, words, talk, .. } = to;
    let Some((seated, member)) = playing.seat(seat) else { return Ok(None) };
    if member.undeliverable.is_some() || seated.left || member.has_left() {
        return Ok(None);
    }
    let (game, told) = (playing.number(), seated.told);
    let (generation, marks) = (seated.generation, member.generation);
    let shown = Shown { game, seat, generation, marks, told };
    let reader = Reader::Seats { member: seated.member, seats: vec![shown] };
    let pace = asked.contains(&Command::Status).then(|| playing.pace(tx.office.now, &member.time));
    let history = asked.contains(&Command::History);
    let telling = Telling {
        game,
        seat,
        told,
        head: playing.table.head(),
        id: message_id(tx.office, &format!("g{game}.s{seat}.{mark}")),
        occasion,
        answer,
        answers,
        words,
        notes: [news::news_words(playing, seat), to.notes].concat(),
        talk,
        clock: playing.clock_words(seat),
        pace: pace.flatten().map(|pace| Message::new("pace-asked").with("pace", pace)),
        due: due(playing, seat),
        minutes: history.then(|| tx.minutes_before(game)).transpose()?.map(|all| all.len()),
        asked,
    };
    Ok(Some(Outgoing {
        message_id: telling.id.clone(),
        recipient: member.addresses.first().cloned().unwrap_or_default(),
        label: Some(Label { unsettled: true, ..label(tx.office, reader) }),
        content: Content::Owed(Owed::Seat(Box::new(telling)).kept()),
    }))
}

/// The Message-ID of a letter about a game. A journal can be older than the store that was
/// lost: what happens after a restore then has the numbers of records that were posted before,
/// and some mail systems hide a letter whose Message-ID they know.
pub(crate) fn message_id(office: &Office, letter: &str) -> String {
    let host = office.settings.host();
    match office.restored {
        None => format!("{letter}@{host}"),
        Some(at) => format!("{letter}.e{}@{host}", at.timestamp()),
    }
}

/// A letter about no game. A reply to it goes on this errand; without one it speaks for the
/// member that it goes to.
///
/// # Errors
/// When the reader's address is none.
pub(crate) fn notice(
    office: &Office,
    to: &Member,
    notice: &Notice,
    errand: Option<Errand>,
    digest: &Digest,
    answered: Option<&String>,
) -> Result<Outgoing, OfficeError> {
    check_address(to.addresses.first().map(String::as_str).unwrap_or_default())?;
    let message_id = format!("n.a{digest}@{}", office.settings.host());
    Ok(plain(office, to, Says::Notice(notice.clone()), errand, message_id, answered))
}

/// A note to the moderator.
///
/// # Errors
/// When the store cannot be read, or the moderator's address is none.
pub(crate) fn report(tx: &Transaction<'_>, lines: Vec<Message>) -> Result<Outgoing, OfficeError> {
    check_address(&tx.office.settings.moderator.address)?;
    let digest = Digest::of(format!("{}\n{lines:?}", tx.office.now).as_bytes());
    let message_id = format!("m.{digest}@{}", tx.office.settings.host());
    let to = &reader::moderator(tx)?;
    Ok(plain(tx.office, to, Says::Report(lines), Some(Errand::Moderator), message_id, None))
}

/// A letter that is for no seat. A reply to it goes on this errand; without one it speaks for
/// the member that it goes to.
pub(crate) fn plain(
    office: &Office,
    to: &Member,
    says: Says,
    errand: Option<Errand>,
    message_id: String,
    answered: Option<&String>,
) -> Outgoing {
    let errand = errand.or((to.id > 0).then_some(Errand::Member(to.id)));
    let reader = match errand {
        Some(Errand::Moderator) => Reader::Moderator,
        Some(Errand::Member(id)) => Reader::Member(id),
        Some(Errand::Join { .. } | Errand::Address { .. }) | None => Reader::Address,
    };
    let recipient = to.addresses.first().cloned().unwrap_or_default();
    let Member { name, language, generation, moves, .. } = to.clone();
    let to = Addressee { name, language, generation, moves };
    let plain = Plain { says, errand, answers: answered.cloned(), to };
    let (content, label) = (Owed::Plain(Box::new(plain)).kept(), label(office, reader));
    let (content, label) = (Content::Owed(content), Some(label));
    Outgoing { message_id, recipient, content, label }
}

const fn label(office: &Office, reader: Reader) -> Label {
    Label { class: reader.class(), reader, written: office.now, unsettled: false }
}

/// Until when a seat's player has time, if he has not been told that it is over.
fn due(playing: &Playing, seat: Seat) -> Option<DateTime<Utc>> {
    let clock = playing.clock.as_ref().filter(|clock| clock.paused.is_none())?;
    let wait = clock.wait(seat).filter(|wait| !wait.missed)?;
    (playing.table.turn() != Turn::Over).then_some(wait.deadline)
}
