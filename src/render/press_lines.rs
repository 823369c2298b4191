//! What players have said, as a letter passes it on.
//!
//! Every line of it begins with a bar. When it comes back below a reply it can be taken for neither
//! an order nor press of whoever quotes it, whatever it says and however his program quotes.

use super::blocks::{Block, Writer};
use super::markdown::Piece;
use super::templates::{NARROW, columns, wrap};
use crate::club::clock::date_words;
use crate::club::{ActivityEntry, Happening};
use crate::rules::{Arg, Damage, Message, Seat};
use chrono::{DateTime, Utc};

impl Writer<'_, '_> {
    /// What players have said since, under a heading of its own.
    pub(super) fn talk(&self) -> Block {
        let (reader, say) = (Some(self.letter.seat), |head: Message| self.say(&head));
        block(self.heading("heading-talk"), self.letter.talk, self.columns(), |minute, width| {
            said(minute, reader, width, say)
        })
    }

    /// Returns the history of the game, with what was said between its records.
    pub(super) fn history(&self) -> Result<Block, Damage> {
        let (letter, columns) = (self.letter, self.columns());
        let date = |at| date_words(at, &letter.reader.time);
        let mut entries: Vec<(DateTime<Utc>, String, Piece)> = Vec::new();
        // A corrected clock can date a record before the one that it follows. Both keep order.
        let mut latest = DateTime::<Utc>::MIN_UTC;
        for record in self.page.table.records() {
            latest = latest.max(record.at);
            let text = self.say(
                &Message::new("history-entry")
                    .with("seq", record.seq)
                    .with("at", date(record.at))
                    .with("told", self.record(record)?.join(" ")),
            );
            entries.push((latest, wrap(&text, "  ", columns), Piece::Paragraph { text }));
        }
        latest = DateTime::<Utc>::MIN_UTC;
        for minute in letter.minutes {
            latest = latest.max(minute.at);
            let dated = Message::new("talk-dated").with("at", date(minute.at));
            let say = |head| self.say(&dated.clone().with("head", head));
            let said = |width| said(minute, Some(letter.seat), width, say);
            let quote = said(NARROW).map(|narrow| Piece::quote(&narrow));
            entries.extend(said(columns).zip(quote).map(|(text, quote)| (latest, text, quote)));
        }
        entries.sort_by_key(|(at, ..)| *at);
        let (text, prose): (Vec<String>, Vec<Piece>) =
            entries.into_iter().map(|(_, text, piece)| (text, piece)).unzip();
        let title = self.heading("heading-history");
        Ok(Block::text("history", title, &text.join("\n")).with_prose(prose))
    }
}

/// What was said, under a heading: as text of the letter's width, and as narrow quotations for
/// HTML. There too each line is behind a bar and none is left to a program to break.
pub(super) fn block(
    title: String,
    minutes: &[ActivityEntry],
    width: usize,
    said: impl Fn(&ActivityEntry, usize) -> Option<String>,
) -> Block {
    let all = |width| minutes.iter().filter_map(|minute| said(minute, width)).collect::<Vec<_>>();
    let quotes: Vec<Piece> = all(NARROW).iter().map(|text| Piece::quote(text)).collect();
    Block::text("talk", title, &all(width).join("\n|\n")).with_prose(quotes)
}

/// Something that was said, if the reader may know of it, in lines of this width, its head said
/// like this. Who has no seat may know what was said to all.
pub(super) fn said(
    minute: &ActivityEntry,
    reader: Option<Seat>,
    width: usize,
    say: impl Fn(Message) -> String,
) -> Option<String> {
    let Happening::Said { text, .. } = &minute.what else { return None };
    if !reader.map_or(!minute.is_private(), |reader| minute.is_for(reader)) {
        return None;
    }
    let mut lines = fill(&say(head(&minute.what, reader)?), "| ", width);
    for line in text.split('\n') {
        lines.extend(fill(line, "|   ", width));
    }
    Some(lines.join("\n"))
}

/// Says who speaks to whom, as this reader may know it. An anonymous speaker's seat is not
/// disclosed to a successor on that seat.
fn head(said: &Happening, reader: Option<Seat>) -> Option<Message> {
    let Happening::Said { from, to, anonymous, former, .. } = said else { return None };
    let is_own = reader == Some(*from) && !former;
    let who = match (anonymous, is_own) {
        (true, true) => Message::new("talk-from-unnamed").with("who", *from),
        (true, false) => Message::new("talk-from-somebody"),
        (false, _) if *former => Message::new("talk-from-former").with("who", *from),
        (false, _) => Message::new("talk-from").with("who", *from),
    };
    let whom: Arg =
        if to.is_empty() { Message::new("talk-to-all").into() } else { to.clone().into() };
    Some(Message::new("talk-head").with("from", who).with("to", whom))
}

/// A line, broken where it is wider than a letter, with this before each of its parts.
fn fill(line: &str, indent: &str, width: usize) -> Vec<String> {
    textwrap::wrap(line, columns(indent, width))
        .into_iter()
        .map(|part| part.trim_end().to_owned())
        .collect()
}
