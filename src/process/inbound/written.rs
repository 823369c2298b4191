//! What a letter's writer wrote, each line read once: questions, lines for the house, press,
//! orders.
//!
//! Changes nothing.

use crate::club::talk::{Listener, Press, Reads, WrongTalk, says_something};
use crate::club::{
    ALL_RIGHT, Lexicons, ModeratorCommand, Request, Translator, house_line, read_translated,
};
use crate::mail::{
    OrderLines, Position, TooMuch, WrittenLine, order_lines_besides, quoted_headers, visible,
};
use crate::process::inbound::opened::Opened;
use crate::process::outbound::answers;
use crate::process::table::talk::is_private;
use crate::process::transaction::Transaction;
use crate::rules::{Dice, Message, RefusalKind, Seat, Seed, Turn};
use crate::table::{Choice, OrderLine, Table, Words};

/// The questions and orders that a letter's writer wrote from this address.
pub(crate) fn asked(
    tx: &Transaction<'_>,
    opened: &Opened,
    address: &str,
) -> Result<Request, TooMuch> {
    in_words_of(opened, answers::lexicons(tx, &opened.letter, address))
}

/// The same, where these are the words in which he may have written.
fn in_words_of(opened: &Opened, lexicons: Option<&Lexicons>) -> Result<Request, TooMuch> {
    let written = opened.written();
    let OrderLines { lines, .. } = order_lines_besides(&written, |_, _, _| false)?;
    let translator = Translator { lexicons, ..Translator::ENGLISH };
    let ours = |line: &str| {
        let meant = translator.english(line);
        let of_house = house_line(meant.as_deref().unwrap_or(line)) == Reads::Order;
        of_house || ModeratorCommand::read(line).is_ok()
    };
    let quoted = quoted_headers(&written, ours);
    Ok(Request { quoted, ..read_lines(&opened.letter.body, &lines, None, &translator) })
}

/// The questions, the orders and the press that a letter's writer wrote to this position.
pub(crate) fn asked_at(
    tx: &mut Transaction<'_>,
    opened: &Opened,
    position: Position,
) -> Result<Request, TooMuch> {
    let context = tx.context;
    // Of a game that cannot be opened the moderator hears elsewhere.
    let Ok(session) = tx.session(position.game) else { return in_words_of(opened, None) };
    let seat = Seat::new(position.seat);
    let member = session.seat(seat).map(|(_, member)| member);
    let lexicons = member.and_then(|member| context.library.lexicons(&member.language));
    let (table, words) = (&session.table, session.table.words(seat));
    let rank = |line: &str| rank(table, seat, &words, line);
    let kind = Some(table.founding().game.as_str());
    let translator = Translator { lexicons, kind, rank: &rank };
    let judge = |line: &str| {
        let meant = translator.english(line);
        reads(table, seat, meant.as_deref().unwrap_or(line))
    };
    let says = |line: &str| says_something(line) || translator.led(line).is_some();
    let ours = |line: &str| says(line) || judge(line) == Reads::Order;
    let written = opened.written();
    let quoted = quoted_headers(&written, ours);
    let mut listener = Listener::new(&session.names, seat, &judge);
    (listener.translator, listener.quoted) = (translator, quoted);
    let OrderLines { lines, beside } = order_lines_besides(&written, |number, line, folded| {
        listener.takes(number, &visible(line), folded)
    })?;
    let request = read_lines(&opened.letter.body, &lines, table.before_last_turn(), &translator);
    let beside = beside.into_iter().map(|WrittenLine { number, text }| {
        let english = translator.english(&text).map(String::into_boxed_str);
        OrderLine { english, ..OrderLine::new(number, text) }
    });
    let mut talk = listener.heard();
    let private = talk.press.iter().find(|press| is_private(&press.text));
    if let Some(Press { number, line, .. }) = private {
        let why = Message::new("talk-private");
        let wrong = WrongTalk { number: *number, line: line.clone(), why };
        talk.wrong.get_or_insert(wrong);
    }
    Ok(Request { talk, quoted, beside: beside.collect(), ..request })
}

/// The lines of a letter's body that can be orders, each read once; `back` is the record to which
/// its game goes back that goes one turn back.
fn read_lines(
    body: &str,
    lines: &[WrittenLine],
    back: Option<u32>,
    translator: &Translator<'_>,
) -> Request {
    let body: Vec<&str> = body.lines().collect();
    let written = |number: u32| {
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        index.and_then(|index| body.get(index)).copied().unwrap_or_default()
    };
    let lines = lines.iter();
    let lines = lines.map(|line| (line.number, line.text.as_str(), written(line.number)));
    read_translated(lines, back, translator)
}

/// How much an English line of this seat is: what it could be carried out as, with what people
/// write around it, or nothing. `words` are the seat's own, once they are known.
fn rank(table: &Table, seat: Seat, words: &Words<'_>, line: &str) -> u8 {
    match reads(table, seat, line) {
        Reads::Order => ALL_RIGHT,
        other => {
            let worded = table.worded(words, seat, line).is_some();
            if worded { ALL_RIGHT - 1 } else { u8::from(other == Reads::LikeOrder) }
        }
    }
}

/// Why a letter with too much in it was not read.
pub(crate) fn unread(too_much: TooMuch) -> Message {
    match too_much {
        TooMuch::Lines => Message::new("unread-too-many-lines"),
        TooMuch::LongLine { number } => Message::new("unread-long-line").with("number", number),
    }
}

/// What a line is besides press. Whatever could be an order must not be told to others.
pub(crate) fn reads(table: &Table, seat: Seat, line: &str) -> Reads {
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
        None => {}
    }
    match game.read(seat, line) {
        Err(refusal) if refusal.kind == RefusalKind::Foreign => return Reads::Prose,
        _ if table.turn() == Turn::Over => return Reads::LikeOrder,
        _ => {}
    }
    let mut dice = Dice::new(&Seed::new([0; 32]), 0);
    match game.copy().play(seat, line, &[], &mut dice) {
        Ok(_) => Reads::Order,
        Err(refusal) if refusal.kind == RefusalKind::Illegal => Reads::Order,
        Err(_) => Reads::LikeOrder,
    }
}

#[cfg(test)]
mod tests;
