//! What a letter says to other players: found among its orders, judged, passed on.
//!
//! It is delivered in the pass that reads it and kept in the game's minutes, never in its log: who
//! counts records, letters or positions does not learn who talks to whom.

use super::intake::read_lines;
use super::mover::Movers;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::Transaction;
use crate::club::talk::{Listener, Press, PressTerms, Reads, Talk, WrongTalk, says_something};
use crate::club::{Happening, Minute, Request, Seated, house_line};
use crate::mail::manners::DAY;
use crate::mail::{
    Letter, Position, TooMuch, addresses_in, holds_mark, order_lines_besides, quoted_headers,
    visible, written,
};
use crate::rules::{Dice, Message, Refusal, RefusalKind, Seat, Seed, Turn};
use crate::store::Repository;
use crate::table::{Choice, OrderLine, Refused, Table};
use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeSet;

/// Talk of so long before his letters were known to come back is told again to who missed it: the
/// letter that came back had it.
const BEFORE_LOSS: TimeDelta = TimeDelta::days(2);

impl Transaction<'_> {
    /// Takes in what a letter of this seat says: it goes to those who may read it, the writer among
    /// them, and counts as one letter.
    pub(super) fn take_talk(&mut self, game: u32, from: Seat, said: Vec<Minute>) {
        if said.is_empty() {
            return;
        }
        let seats = self.game(game).map_or(0, |playing| playing.table.founding().seats);
        let movers = self.movers_mut(game);
        for minute in &said {
            let readers = Seat::all(seats).filter(|seat| minute.is_for(*seat));
            movers.talk.extend(readers.map(|seat| (seat, minute.clone())));
        }
        movers.notes.push((from, Message::new("talk-said")));
        self.minutes_mut(game).extend(said);
        self.count(counter(game, from));
    }

    /// Takes back what was told in here to the player of a seat alone, who sits there no more: it
    /// is not for who comes after him. Whoever wrote it, and is still there, is told that.
    pub(super) fn untell(&mut self, game: u32, seat: Seat, name: &str) {
        if let Some(movers) = self.movers_known(game) {
            movers.untell(seat, name);
            let minutes = self.minutes_mut(game);
            let said = std::mem::take(minutes).into_iter();
            *minutes = said.filter_map(|minute| minute.untold_to(seat)).collect();
        }
    }
}

impl Movers {
    fn untell(&mut self, seat: Seat, name: &str) {
        let writes = |reader: Seat, minute: &Minute| {
            matches!(&minute.what, Happening::Said { from, to, .. }
                if *from == reader && reader != seat && to.contains(&seat))
        };
        let own = self.talk.iter().filter(|(reader, minute)| writes(*reader, minute));
        let writers: BTreeSet<Seat> = own.map(|(reader, _)| *reader).collect();
        let talk = std::mem::take(&mut self.talk).into_iter();
        let talk = talk.filter(|(reader, minute)| *reader != seat || !minute.is_private());
        let left = |(reader, minute): (Seat, Minute)| Some((reader, minute.untold_to(seat)?));
        self.talk = talk.filter_map(left).collect();
        // Whether he has said something without his name is nobody's business.
        self.notes.retain(|(to, note)| *to != seat || !note.key.starts_with("talk-"));
        for writer in writers {
            let says = |(_, minute): &(Seat, Minute)| minute.is_from(writer);
            if !self.talk.iter().any(says) {
                self.notes.retain(|(to, note)| *to != writer || note.key != "talk-said");
            }
            self.notes.push((writer, Message::new("talk-lost").with("name", name)));
        }
    }
}

impl Playing {
    /// What was said, with a mark on what was said by those who sit there no more.
    pub fn by_former(&self, mut said: Vec<Minute>) -> Vec<Minute> {
        for Minute { at, what } in &mut said {
            if let Happening::Said { from, former, .. } = what {
                *former = self.seat(*from).is_some_and(|(seated, _)| !seated.sat_at(*at));
            }
        }
        said
    }
}

/// What was said to a seat in a game since its letters came back.
///
/// # Errors
/// When the club cannot be read.
pub(super) fn missed_talk(
    tx: &Transaction<'_>,
    game: u32,
    (seat, seated): (Seat, &Seated),
    since: Option<DateTime<Utc>>,
) -> Result<Vec<Minute>, OfficeError> {
    let Some(since) = since else { return Ok(Vec::new()) };
    let mut minutes = tx.minutes_before(game)?;
    minutes.retain(|minute| {
        let others = matches!(&minute.what, Happening::Said { from, .. } if *from != seat);
        others && seated.may_read(seat, minute) && minute.at >= since - BEFORE_LOSS
    });
    Ok(minutes)
}

impl Office {
    /// The questions, the orders and the press that a letter's writer wrote to this position.
    pub(super) fn asked_at(
        &self,
        tx: &mut Transaction<'_>,
        letter: &Letter,
        position: Position,
    ) -> Result<Request, TooMuch> {
        // Of a game that cannot be opened the moderator hears elsewhere.
        let Ok(playing) = tx.playing(position.game) else { return self.asked(letter) };
        let seat = Seat::new(position.seat);
        let judge = |line: &str| reads(&playing.table, seat, line);
        let markers: Vec<&str> = self.markers.iter().map(String::as_str).collect();
        let ours = |line: &str| says_something(line) || judge(line) == Reads::Order;
        let quoted = quoted_headers(&written(&letter.body, &markers), ours);
        let mut listener = Listener::new(&playing.names, seat, &judge).before(quoted);
        let lines = order_lines_besides(&letter.body, &markers, |number, line, folded| {
            listener.takes(number, &visible(line), folded)
        })?;
        let request = read_lines(&letter.body, &lines, playing.table.before_last_turn());
        let mut talk = listener.heard();
        let private = talk.press.iter().find(|press| is_private(&press.text));
        if let Some(Press { number, line, .. }) = private {
            let why = Message::new("talk-private");
            let wrong = WrongTalk { number: *number, line: line.clone(), why };
            talk.wrong.get_or_insert(wrong);
        }
        Ok(Request { talk, quoted, ..request })
    }

    /// What a seat says, as it goes into the minutes.
    ///
    /// # Errors
    /// When the club cannot be read; the line that may not be said, and why.
    pub(super) fn said(
        &self,
        tx: &Transaction<'_>,
        game: u32,
        seat: Seat,
        talk: &Talk,
    ) -> Result<Result<Vec<Minute>, Refused>, OfficeError> {
        if talk.is_empty() {
            return Ok(Ok(Vec::new()));
        }
        let terms = tx.gathering(game)?.press_terms();
        let since = self.now.timestamp() - DAY;
        let letters = tx.count_since(&counter(game, seat), since)?;
        if let Err(wrong) = talk.check(terms, letters) {
            let line = Some(OrderLine { number: wrong.number, text: wrong.line });
            return Ok(Err(Refused { line, refusal: Refusal::illegal(wrong.why) }));
        }
        let written = tx.received.map_or(self.now, |received| received.min(self.now));
        let playing = tx.game(game);
        if let Some(refused) = playing.and_then(|playing| to_nobody(playing, talk, written)) {
            return Ok(Err(refused));
        }
        let minute = |press: &Press| Minute {
            at: self.now,
            what: Happening::Said {
                from: seat,
                to: press.to.clone(),
                anonymous: press.anonymous,
                text: press.text.clone(),
                former: false,
            },
        };
        Ok(Ok(talk.press.iter().map(minute).collect()))
    }
}

/// Whether a text holds what is nobody else's business. Which addresses are members' is not asked:
/// the answer would tell it to whoever tries some.
pub(super) fn is_private(text: &str) -> bool {
    holds_mark(text) || !addresses_in(text).is_empty()
}

/// What a game's first letters say of what may be said in it; nothing of the usual terms.
pub(super) fn press_notes(terms: PressTerms, seats: u8) -> Vec<(Seat, Message)> {
    let words = terms.words();
    let to = |seat| words.iter().map(move |word| (seat, word.clone()));
    Seat::all(seats).flat_map(to).collect()
}

/// Why something cannot be told: nobody sits on the seat, and who comes there must not read it; or
/// somebody else came there after it was written.
fn to_nobody(playing: &Playing, talk: &Talk, written: DateTime<Utc>) -> Option<Refused> {
    let why = |seat: &Seat| {
        let (seated, member) = playing.seat(*seat)?;
        let key = match seated.since {
            _ if seated.left || member.has_left() => "talk-seat-open",
            Some(since) if since >= written => "talk-seat-new",
            _ => return None,
        };
        Some(Message::new(key).with("who", *seat))
    };
    talk.press.iter().find_map(|press| {
        let why = press.to.iter().find_map(why)?;
        let line = Some(OrderLine { number: press.number, text: press.line.clone() });
        Some(Refused { line, refusal: Refusal::illegal(why) })
    })
}

/// Adds to a refusal, when its line stands where a paragraph of press went on for its writer, how
/// to say more than one line.
pub(super) fn explained(mut refused: Refused, talk: &Talk) -> Refused {
    let ended = |line: &OrderLine| talk.ended_by.contains(&line.number);
    if refused.line.as_ref().is_some_and(ended) {
        refused.refusal.instead.push(Message::new("talk-ended-here"));
    }
    refused
}

/// Under what the store counts the letters of a seat that say something. No address is without an
/// @.
fn counter(game: u32, seat: Seat) -> String {
    format!("press {game}.{seat}")
}

/// What a line is besides press. Whatever could be an order must not be told to others.
pub(super) fn reads(table: &Table, seat: Seat, line: &str) -> Reads {
    let (house, game) = (house_line(line), table.game());
    if house != Reads::Prose {
        return house;
    }
    if Choice::read(line).is_some() {
        return Reads::Order;
    }
    match game.plan(seat, line) {
        Some(Ok(_)) => return Reads::Order,
        Some(Err(_)) => return Reads::LikeOrder,
        None if game.is_foreign(seat, line) => return Reads::Prose,
        None if table.turn() == Turn::Over => return Reads::LikeOrder,
        None => {}
    }
    let mut dice = Dice::new(&Seed::new([0; 32]), 0);
    match game.copy().play(seat, line, &[], &mut dice) {
        Ok(_) => Reads::Order,
        Err(refusal) if refusal.kind == RefusalKind::Illegal => Reads::Order,
        Err(_) => Reads::LikeOrder,
    }
}
