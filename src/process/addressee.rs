//! Whether a letter that has waited is still for whom it was written, and what leaves in its place.
//!
//! While the way out is closed seats change hands, marks are rotated, and members move or leave.
//! What a letter shows is for its reader and not for an address: it leaves only to the address
//! where he reads his letters now, and a letter about a seat only to who sits there. Nothing of
//! this is stored; it is found anew whenever the letter is tried, and the Message-ID stays.

use super::office::{Office, OfficeError};
use super::post::ToSeat;
use super::roster::marks_of_seat;
use super::talk::missed_talk;
use super::transaction::Transaction;
use crate::club::{Member, Seated};
use crate::mail::courier::readdressed;
use crate::mail::{Digest, Errand, Letter, Position, Sealed, Token};
use crate::report::{Occasion, Page};
use crate::rules::Seat;
use crate::store::{Label, Outgoing, Reader, Repository, Shown};
use chrono::{DateTime, Utc};

/// The most tokens of one letter that anybody looks at.
const TOKENS_MAX: usize = 64;

/// What leaves of a letter that has waited.
pub(super) enum Fit {
    /// It does, perhaps to another address.
    Goes(Box<Outgoing>),
    /// It does not; these are queued in its place.
    Void(Vec<Outgoing>),
}

/// How a seat that a letter shows stands to the member for whom it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sits {
    /// As he sat then.
    Still,
    /// His marks were made void since; what it shows is his.
    Anew,
    /// He does not.
    NoMore,
}

impl Office {
    /// What leaves of a letter now.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(super) fn fit(&self, tx: &Transaction<'_>, letter: Outgoing) -> Result<Fit, OfficeError> {
        let label = match &letter.label {
            Some(label) => label.clone(),
            None => self.label_of(tx, &letter)?,
        };
        match &label.reader {
            Reader::Address => Ok(Fit::Goes(Box::new(letter))),
            Reader::Moderator => Ok(goes_to(letter, &self.moderator(tx)?)),
            Reader::Member(id) => Ok(match present(tx, *id)? {
                Some(member) if member.addresses.contains(&letter.recipient) => {
                    Fit::Goes(Box::new(letter))
                }
                Some(member) => goes_to(letter, &member),
                None => Fit::Void(Vec::new()),
            }),
            Reader::Seats { member, seats } => match present(tx, *member)? {
                Some(member) => self.fit_seats(tx, letter, &member, seats, label.written),
                None => Ok(Fit::Void(Vec::new())),
            },
        }
    }

    fn fit_seats(
        &self,
        tx: &Transaction<'_>,
        letter: Outgoing,
        member: &Member,
        seats: &[Shown],
        written: DateTime<Utc>,
    ) -> Result<Fit, OfficeError> {
        let mut anew = Vec::new();
        let mut void = false;
        for shown in seats {
            match sits(tx, member, shown)? {
                Sits::Still => anew.push(shown),
                Sits::Anew => {
                    void = true;
                    anew.push(shown);
                }
                Sits::NoMore => void = true,
            }
        }
        if !void {
            return Ok(goes_to(letter, member));
        }
        if let ([shown], [_]) = (seats, anew.as_slice())
            && let Some(bytes) = self.marked_anew(tx, &letter, member, shown)?
        {
            return Ok(goes_to(Outgoing { bytes, ..letter }, member));
        }
        let mut letters = Vec::new();
        for shown in anew {
            letters.extend(self.written_anew(tx, shown, written, &letter.message_id)?);
        }
        Ok(Fit::Void(letters))
    }

    /// A letter's bytes with the mark that is valid now in place of the one that was: one is as
    /// long as the other. None when the old one is not to be seen in them.
    fn marked_anew(
        &self,
        tx: &Transaction<'_>,
        letter: &Outgoing,
        member: &Member,
        shown: &Shown,
    ) -> Result<Option<Vec<u8>>, OfficeError> {
        let seats = tx.seats(shown.game)?;
        let Some(seated) = seats.get(shown.seat.index()) else { return Ok(None) };
        let Ok(text) = std::str::from_utf8(&letter.bytes) else { return Ok(None) };
        let Some(old) = self.tokens_of::<Position>(head_of(text)).into_iter().next() else {
            return Ok(None);
        };
        let new = self.secret.seal(old.what, marks_of_seat(seated, member));
        Ok(Some(text.replace(&old.to_string(), &new.to_string()).into_bytes()))
    }

    /// A letter about a seat that tells what one told that cannot leave any more.
    fn written_anew(
        &self,
        tx: &Transaction<'_>,
        shown: &Shown,
        written: DateTime<Utc>,
        instead_of: &str,
    ) -> Result<Option<Outgoing>, OfficeError> {
        // Of a game that cannot be opened the moderator hears elsewhere.
        let Ok(mut playing) = tx.savepoint().playing(shown.game).cloned() else { return Ok(None) };
        let Some((seated, _)) = playing.seats.get_mut(shown.seat.index()) else {
            return Ok(None);
        };
        seated.told = seated.told.min(shown.told);
        let seated = seated.clone();
        let talk = missed_talk(tx, shown.game, (shown.seat, &seated), Some(written))?;
        let mark = format!("r{}.o{}", playing.table.head(), Digest::of(instead_of.as_bytes()));
        let mut page = Page::new(&playing.table, &playing.names);
        let to = ToSeat { talk: &talk, ..ToSeat::unasked(shown.seat, Occasion::News, &mark) };
        self.game_letter(tx, &mut page, &playing, &to)
    }

    /// What stands on a letter of an earlier version, as far as its marks tell.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn label_of(
        &self,
        tx: &Transaction<'_>,
        letter: &Outgoing,
    ) -> Result<Label, OfficeError> {
        let text = text_of(letter);
        let positions = self.tokens_of::<Position>(&text);
        let reader = if positions.is_empty() {
            match self.tokens_of::<Errand>(&text).first().map(|token| token.what) {
                Some(Errand::Member(id)) => Reader::Member(id),
                Some(Errand::Moderator) => Reader::Moderator,
                Some(Errand::Join { .. } | Errand::Address { .. }) | None => Reader::Address,
            }
        } else {
            self.reader_of(tx, &positions, &letter.recipient)?
        };
        Ok(Label { class: reader.class(), reader, written: self.now })
    }

    /// Whom a letter with these marks is for that went to this address: who sits there if a mark
    /// is valid, and else who has the address.
    fn reader_of(
        &self,
        tx: &Transaction<'_>,
        positions: &[Token],
        recipient: &str,
    ) -> Result<Reader, OfficeError> {
        let mut member = tx.member_by_address(recipient)?.map_or(0, |member| member.id);
        let mut seats: Vec<Shown> = Vec::new();
        for token in positions {
            let Position { game, seat, seq } = token.what;
            let seat = Seat::new(seat);
            let table = tx.players(game)?;
            let opens = |(seated, reader): &&(Seated, Member)| {
                self.secret.opens(token, marks_of_seat(seated, reader))
            };
            let seated = table.get(seat.index()).filter(opens);
            member = seated.map_or(member, |(_, reader)| reader.id);
            let told = seq.saturating_sub(1);
            match seats.iter_mut().find(|shown| (shown.game, shown.seat) == (game, seat)) {
                Some(shown) => shown.told = shown.told.min(told),
                None => {
                    let valid = |(seated, reader): &(Seated, Member)| {
                        (seated.generation, reader.generation)
                    };
                    let (generation, marks) = seated.map_or((0, 0), valid);
                    seats.push(Shown { game, seat, generation, marks, told });
                }
            }
        }
        Ok(Reader::Seats { member, seats })
    }

    fn tokens_of<T: std::fmt::Display + std::str::FromStr>(&self, text: &str) -> Vec<Sealed<T>> {
        Sealed::all_in(text, &self.settings.address, TOKENS_MAX)
    }
}

/// Whether each seat that a letter shows is its reader's as it was when the letter was written.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn is_current(tx: &Transaction<'_>, label: Option<&Label>) -> Result<bool, OfficeError> {
    let Some(Label { reader: Reader::Seats { member, seats }, .. }) = label else {
        return Ok(true);
    };
    let Some(member) = tx.member(*member)? else { return Ok(false) };
    for shown in seats {
        if sits(tx, &member, shown)? != Sits::Still {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A member who has not left the club.
fn present(tx: &Transaction<'_>, id: u32) -> Result<Option<Member>, OfficeError> {
    Ok(tx.member(id)?.filter(|member| !member.has_left()))
}

fn sits(tx: &Transaction<'_>, member: &Member, shown: &Shown) -> Result<Sits, OfficeError> {
    let seats = tx.seats(shown.game)?;
    Ok(match seats.get(shown.seat.index()) {
        Some(Seated { left: true, .. }) | None => Sits::NoMore,
        Some(seated) if seated.member != member.id => Sits::NoMore,
        Some(seated)
            if seated.generation == shown.generation && member.generation == shown.marks =>
        {
            Sits::Still
        }
        Some(_) => Sits::Anew,
    })
}

/// A letter to where this reader reads his letters now.
fn goes_to(letter: Outgoing, reader: &Member) -> Fit {
    let Some(address) = reader.addresses.first() else { return Fit::Void(Vec::new()) };
    if *address == letter.recipient {
        return Fit::Goes(Box::new(letter));
    }
    match readdressed(&letter.bytes, (&reader.name, address)) {
        Ok(bytes) => Fit::Goes(Box::new(Outgoing { bytes, recipient: address.clone(), ..letter })),
        Err(_) => Fit::Void(Vec::new()),
    }
}

fn head_of(text: &str) -> &str {
    text.split("\r\n\r\n").next().unwrap_or_default()
}

/// What of a letter can hold its marks: the headers, and the text too where it is about several
/// games.
fn text_of(letter: &Outgoing) -> String {
    let text = String::from_utf8_lossy(&letter.bytes);
    let head = head_of(&text).to_owned();
    let Ok(read) = Letter::read(&letter.bytes) else { return head };
    let body =
        if letter.message_id.starts_with(super::bundle::ID_START) { &*read.body } else { "" };
    format!("{head}\n{}\n{body}", read.subject)
}
