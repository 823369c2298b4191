//! What players have said, as a letter passes it on.
//!
//! Every line of it begins with a bar. When it comes back below a reply it can be taken for neither
//! an order nor press of whoever quotes it, whatever it says and however his program quotes.

use super::blocks::{Block, Writer};
use super::templates::{columns, wrap};
use crate::club::clock::date_words;
use crate::club::{ActivityEntry, Happening};
use crate::rules::{Arg, Message, Seat};
use crate::table::Record;

impl Writer<'_, '_> {
    /// What players have said since, under a heading of its own.
    pub(super) fn talk(&self) -> Block {
        let said: Vec<String> = self.letter.talk.iter().filter_map(|one| self.said(one)).collect();
        Block::text("talk", self.heading("heading-talk"), &said.join("\n|\n"))
    }

    /// The history of a game with what was said between its records; none when nothing was.
    pub(super) fn history_with_talk(&self, told: &[(&Record, String)]) -> Option<String> {
        let dated = |minute: &ActivityEntry| {
            said(minute, Some(self.letter.seat), |head| {
                let at = date_words(minute.at, &self.letter.reader.time);
                let dated = Message::new("talk-dated").with("at", at);
                self.say(&dated.with("head", head))
            })
        };
        let minutes = self.letter.minutes.iter();
        let said: Vec<(&ActivityEntry, String)> =
            minutes.filter_map(|minute| Some((minute, dated(minute)?))).collect();
        if said.is_empty() {
            return None;
        }
        let mut said = said.into_iter().peekable();
        let mut history = Vec::new();
        for (record, entry) in told {
            while let Some((_, talk)) = said.next_if(|(minute, _)| minute.at < record.at) {
                history.push(talk);
            }
            history.push(wrap(entry, "  "));
        }
        history.extend(said.map(|(_, talk)| talk));
        Some(history.join("\n"))
    }

    fn said(&self, minute: &ActivityEntry) -> Option<String> {
        said(minute, Some(self.letter.seat), |head| self.say(&head))
    }
}

/// Something that was said, if the reader may know of it, its head said like this. Who has
/// no seat may know what was said to all.
pub(super) fn said(
    minute: &ActivityEntry,
    reader: Option<Seat>,
    say: impl Fn(Message) -> String,
) -> Option<String> {
    let Happening::Said { from, to, anonymous, text, former } = &minute.what else { return None };
    if !reader.map_or(!minute.is_private(), |reader| minute.is_for(reader)) {
        return None;
    }
    let from = Speaker { seat: *from, anonymous: *anonymous, former: *former };
    let head = say(head(&from, to, reader));
    let mut lines = fill(&head, "| ");
    for line in text.split('\n') {
        lines.extend(fill(line, "|   "));
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
fn fill(line: &str, indent: &str) -> Vec<String> {
    textwrap::wrap(line, columns(indent))
        .into_iter()
        .map(|part| part.trim_end().to_owned())
        .collect()
}
