//! Letters of earlier versions, which wrote them before they queued them: they leave as they are.
//!
//! But not to who sits there no more, nor with marks that are void: what such a letter told is owed
//! anew. Knows what they look like from outside, and nothing of what they say.

use super::leave::{Leaves, Ready, present, sits};
use super::settle::ID_START;
use super::tell::ToSeat;
use crate::club::{Member, Seated};
use crate::mail::transport::readdressed;
use crate::mail::{Letter, LetterHash, Position, ReplyAction, Sealed, Token};
use crate::process::context::{ClubError, Context};
use crate::process::outbound::missed::missed_talk;
use crate::process::outbound::tell;
use crate::process::session::reader::{self, marks_of_seat};
use crate::process::transaction::Transaction;
use crate::render::Occasion;
use crate::rules::Seat;
use crate::store::{Label, Outgoing, Reader, Repository, Shown};
use chrono::{DateTime, Utc};

/// The most tokens of one letter that anybody looks at.
const TOKENS_MAX: usize = 64;

/// What becomes of a letter with these bytes.
///
/// # Errors
/// When the club cannot be read.
pub(crate) fn leaves(
    tx: &Transaction<'_>,
    letter: &Outgoing,
    bytes: &[u8],
) -> Result<Leaves, ClubError> {
    let label = match &letter.label {
        Some(label) => label.clone(),
        None => label_of(tx, letter, bytes)?,
    };
    let mut tells = Vec::new();
    let to = match &label.reader {
        // Probes are never kept as bytes.
        Reader::Address | Reader::Probe(_) => None,
        Reader::Moderator => Some(reader::moderator(tx)?),
        Reader::Member(id) => match present(tx, *id)? {
            Some(member) if member.addresses.contains(&letter.recipient) => None,
            Some(member) => Some(member),
            None => return Ok(Leaves::Void(Vec::new())),
        },
        Reader::Seats { member, seats } => {
            let Some(member) = present(tx, *member)? else { return Ok(Leaves::Void(Vec::new())) };
            for shown in seats {
                if !is_current(tx, &member, shown)? {
                    let anew = owed_anew(tx, &member, seats, label.written, letter);
                    return Ok(Leaves::Void(anew?));
                }
            }
            tells.extend(seats.iter().map(|shown| (shown.game, shown.seat, shown.told)));
            Some(member)
        }
    };
    let address = to.as_ref().and_then(|to| Some((to.name.as_str(), to.addresses.first()?)));
    let (recipient, bytes) = match address {
        Some((name, address)) if *address != letter.recipient => {
            let Ok(bytes) = readdressed(bytes, (name, address)) else {
                return Ok(Leaves::Void(Vec::new()));
            };
            (address.clone(), bytes)
        }
        None if to.is_some() => return Ok(Leaves::Void(Vec::new())),
        _ => (letter.recipient.clone(), bytes.to_vec()),
    };
    let member = to.map(|to| to.id).filter(|id| *id > 0);
    let (message_id, was_refused) = (letter.message_id.clone(), false);
    Ok(Leaves::Goes(Ready { message_id, recipient, bytes, member, was_refused, tells }))
}

/// Whether a seat that a letter shows is its reader's as it was when the letter was written.
fn is_current(tx: &Transaction<'_>, member: &Member, shown: &Shown) -> Result<bool, ClubError> {
    let seats = tx.seats(shown.game)?;
    let seated = seats.get(shown.seat.index());
    let marks = seated.map(|seated| (seated.generation, member.generation));
    Ok(sits(tx, member, (shown.game, shown.seat))?
        && marks == Some((shown.generation, shown.marks)))
}

/// What is owed to who sits there, of what a letter told that cannot leave any more.
fn owed_anew(
    tx: &Transaction<'_>,
    member: &Member,
    seats: &[Shown],
    written: DateTime<Utc>,
    letter: &Outgoing,
) -> Result<Vec<Outgoing>, ClubError> {
    let mut letters = Vec::new();
    for Shown { game, seat, told, .. } in seats {
        if !sits(tx, member, (*game, *seat))? {
            continue;
        }
        // Of a game that cannot be opened the moderator hears elsewhere.
        let Ok(mut session) = tx.savepoint().session(*game).cloned() else { continue };
        let Some((seated, _)) = session.seats.get_mut(seat.index()) else { continue };
        seated.last_seen_seq = seated.last_seen_seq.min(*told);
        let seated = seated.clone();
        let talk = missed_talk(tx, *game, (*seat, &seated), Some(written))?;
        let instead_of = LetterHash::of(letter.message_id.as_bytes());
        let mark = format!("r{}.o{instead_of}", session.table.head());
        let to = ToSeat { talk, ..ToSeat::unasked(*seat, Occasion::News, mark) };
        letters.extend(tell::game_letter(tx, &session, to)?);
    }
    Ok(letters)
}

/// What would stand on a letter, as far as its marks tell.
fn label_of(tx: &Transaction<'_>, letter: &Outgoing, bytes: &[u8]) -> Result<Label, ClubError> {
    let text = text_of(letter, bytes);
    let positions = tokens_of::<Position>(tx.context, &text);
    let reader = if positions.is_empty() {
        let tokens = tokens_of::<ReplyAction>(tx.context, &text);
        tell::reader_by(tokens.first().map(|token| token.what))
    } else {
        reader_of(tx, &positions, &letter.recipient)?
    };
    Ok(Label {
        class: reader.class(),
        reader,
        written: tx.context.now,
        unsettled: false,
        hold: None,
    })
}

/// Whom a letter with these marks is for that went to this address: who sits there if a mark is
/// valid, and else who has the address.
fn reader_of(
    tx: &Transaction<'_>,
    positions: &[Token],
    recipient: &str,
) -> Result<Reader, ClubError> {
    let mut member = tx.member_by_address(recipient)?.map_or(0, |member| member.id);
    let mut seats: Vec<Shown> = Vec::new();
    for token in positions {
        let Position { game, seat, seq } = token.what;
        let seat = Seat::new(seat);
        let table = tx.players(game)?;
        let opens = |(seated, reader): &&(Seated, Member)| {
            tx.context.secret.opens(token, marks_of_seat(seated, reader))
        };
        let seated = table.get(seat.index()).filter(opens);
        member = seated.map_or(member, |(_, reader)| reader.id);
        let told = seq.saturating_sub(1);
        match seats.iter_mut().find(|shown| (shown.game, shown.seat) == (game, seat)) {
            Some(shown) => shown.told = shown.told.min(told),
            None => {
                let valid =
                    |(seated, reader): &(Seated, Member)| (seated.generation, reader.generation);
                let (generation, marks) = seated.map_or((0, 0), valid);
                seats.push(Shown { game, seat, generation, marks, told });
            }
        }
    }
    Ok(Reader::Seats { member, seats })
}

fn tokens_of<T: std::fmt::Display + std::str::FromStr>(
    context: &Context,
    text: &str,
) -> Vec<Sealed<T>> {
    Sealed::all_in(text, &context.settings.address, TOKENS_MAX)
}

/// What of a letter can hold its marks: the headers, and the text too where it is about several
/// games.
fn text_of(letter: &Outgoing, bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let head = text.split("\r\n\r\n").next().unwrap_or_default().to_owned();
    let Ok(read) = Letter::read(bytes) else { return head };
    let body = if letter.message_id.starts_with(ID_START) { &*read.body } else { "" };
    format!("{head}\n{}\n{body}", read.subject)
}
