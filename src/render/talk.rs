//! What players have said, as a letter passes it on.
//!
//! Every line of it begins with a bar. When it comes back below a reply it can be taken for neither
//! an order nor press of whoever quotes it, whatever it says and however his program quotes.

use super::block::Block;
use super::blocks::Writer;
use super::prose::{self, Piece};
use super::templates::{NARROW, columns, wrap};
use crate::club::clock::date_words;
use crate::club::{ActivityEntry, Happening};
use crate::rules::{Arg, Message, Seat};
use crate::table::Record;

impl Writer<'_, '_> {
    /// What players have said since, under a heading of its own.
    pub(super) fn talk(&self) -> Block {
        let (reader, say) = (Some(self.letter.seat), |head: Message| self.say(&head));
        block(self.heading("heading-talk"), self.letter.talk, self.columns(), |minute, width| {
            said(minute, reader, width, say)
        })
    }

    /// The history of a game with what was said between its records; none when nothing was.
    pub(super) fn history_with_talk(&self, told: &[(&Record, String)]) -> Option<Block> {
        let dated = |minute: &ActivityEntry, width| {
            said(minute, Some(self.letter.seat), width, |head| {
                let at = date_words(minute.at, &self.letter.reader.time);
                let dated = Message::new("talk-dated").with("at", at);
                self.say(&dated.with("head", head))
            })
        };
        let minutes = self.letter.minutes.iter();
        let mut minutes = minutes.filter(|minute| dated(minute, NARROW).is_some()).peekable();
        minutes.peek()?;
        let (mut text, mut prose) = (Vec::new(), Vec::new());
        let pass_on = |minute, text: &mut Vec<String>, prose: &mut Vec<Piece>| {
            text.extend(dated(minute, self.columns()));
            prose.extend(dated(minute, NARROW).map(|said| prose::quote(&said)));
        };
        for (record, entry) in told {
            while let Some(minute) = minutes.next_if(|minute| minute.at < record.at) {
                pass_on(minute, &mut text, &mut prose);
            }
            text.push(wrap(entry, "  ", self.columns()));
            prose.push(Piece::Paragraph { text: entry.clone() });
        }
        minutes.for_each(|minute| pass_on(minute, &mut text, &mut prose));
        let title = self.heading("heading-history");
        Some(Block::text("history", title, &text.join("\n")).with_prose(prose))
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
    let quotes: Vec<Piece> = all(NARROW).iter().map(|text| prose::quote(text)).collect();
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
    let Happening::Said { from, to, anonymous, text, former } = &minute.what else { return None };
    if !reader.map_or(!minute.is_private(), |reader| minute.is_for(reader)) {
        return None;
    }
    let from = Speaker { seat: *from, anonymous: *anonymous, former: *former };
    let head = say(head(&from, to, reader));
    let mut lines = fill(&head, "| ", width);
    for line in text.split('\n') {
        lines.extend(fill(line, "|   ", width));
    }
    Some(lines.join("\n"))
}

/// Who says something.
struct Speaker {
    seat: Seat,
    anonymous: bool,
    /// Whether he sits there no more.
    former: bool,
}

/// Who says something to whom, as this reader may know it: whose seat it was is not for who came
/// there after him.
fn head(from: &Speaker, to: &[Seat], reader: Option<Seat>) -> Message {
    let is_own = reader == Some(from.seat) && !from.former;
    let who = match (from.anonymous, is_own) {
        (true, true) => Message::new("talk-from-unnamed").with("who", from.seat),
        (true, false) => Message::new("talk-from-somebody"),
        (false, _) if from.former => Message::new("talk-from-former").with("who", from.seat),
        (false, _) => Message::new("talk-from").with("who", from.seat),
    };
    let whom: Arg =
        if to.is_empty() { Message::new("talk-to-all").into() } else { to.to_vec().into() };
    Message::new("talk-head").with("from", who).with("to", whom)
}

/// A line, broken where it is wider than a letter, with this before each of its parts.
fn fill(line: &str, indent: &str, width: usize) -> Vec<String> {
    textwrap::wrap(line, columns(indent, width))
        .into_iter()
        .map(|part| part.trim_end().to_owned())
        .collect()
}
