//! Renders talk between players for letters.
//!
//! In plain text, every line begins with a bar (`| `). When a reply quotes the talk below itself,
//! it can therefore never be read as an order or as talk of the player who quotes it. HTML needs
//! no bars, because nothing below the letter's marker is read.

use super::blocks::{Block, GameLetterWriter};
use super::markdown::MarkdownPiece;
use super::templates::{wrap_options, wrap_paragraphs};
use crate::club::clock::describe_date;
use crate::club::{ActivityEntry, ActivityEvent};
use crate::rules::{Arg, Message, Seat, UnreadableData};
use chrono::{DateTime, Utc};

impl GameLetterWriter<'_, '_> {
    /// Returns the block of the talk that is new to the reader.
    pub(super) fn talk_block(&self) -> Block {
        let (reader, say) = (Some(self.letter.seat), |head: Message| self.localize(&head));
        quoted_talk_block(
            self.heading("heading-talk"),
            self.letter.talk,
            self.text_width_columns(),
            |minute| talk_entry_lines(minute, reader, say),
        )
    }

    /// Returns the history of the game: its records and the talk between them, by time.
    pub(super) fn history_block(&self) -> Result<Block, UnreadableData> {
        let (letter, columns) = (self.letter, self.text_width_columns());
        let date = |at| describe_date(at, &letter.reader.time);
        let mut entries: Vec<(DateTime<Utc>, String, MarkdownPiece)> = Vec::new();
        // If a server's clock was corrected, a record may have an earlier time than the record
        // before it. Records and talk each keep their order.
        let mut latest = DateTime::<Utc>::MIN_UTC;
        for record in self.page.table.records() {
            latest = latest.max(record.at);
            let text = self.localize(
                &Message::new("history-entry")
                    .with("seq", record.seq)
                    .with("at", date(record.at))
                    .with("told", self.record_sentences(record)?.join(" ")),
            );
            entries.push((
                latest,
                wrap_paragraphs(&text, "  ", columns),
                MarkdownPiece::Paragraph { text },
            ));
        }
        latest = DateTime::<Utc>::MIN_UTC;
        for minute in letter.activity_log {
            latest = latest.max(minute.at);
            let dated = Message::new("talk-dated").with("at", date(minute.at));
            let say = |head| self.localize(&dated.clone().with("head", head));
            let said = talk_entry_lines(minute, Some(letter.seat), say);
            entries.extend(
                said.map(|lines| {
                    (latest, bar_lines(&lines, columns), MarkdownPiece::Quote { lines })
                }),
            );
        }
        entries.sort_by_key(|(at, ..)| *at);
        let (text, prose): (Vec<String>, Vec<MarkdownPiece>) =
            entries.into_iter().map(|(_, text, piece)| (text, piece)).unzip();
        let title = self.heading("heading-history");
        Ok(Block::from_text("history", title, &text.join("\n")).with_prose(prose))
    }
}

/// Returns a block of talk: with bars and of this width in plain text, and as quotations in HTML.
pub(super) fn quoted_talk_block(
    title: String,
    entries: &[ActivityEntry],
    width: usize,
    said: impl Fn(&ActivityEntry) -> Option<Vec<String>>,
) -> Block {
    let all: Vec<Vec<String>> = entries.iter().filter_map(said).collect();
    let text: Vec<String> = all.iter().map(|lines| bar_lines(lines, width)).collect();
    let quotes = all.into_iter().map(|lines| MarkdownPiece::Quote { lines }).collect();
    Block::from_text("talk", title, &text.join("\n|\n")).with_prose(quotes)
}

/// Returns the heading of one talk message and its lines. Returns `None` if the reader may not see
/// it, or the entry is not talk. A reader without a seat sees only talk to all.
pub(super) fn talk_entry_lines(
    entry: &ActivityEntry,
    reader: Option<Seat>,
    say: impl Fn(Message) -> String,
) -> Option<Vec<String>> {
    let ActivityEvent::Said { text, .. } = &entry.event else { return None };
    if !reader.map_or(!entry.is_private(), |reader| entry.is_visible_to(reader)) {
        return None;
    }
    let head = say(talk_heading_message(&entry.event, reader)?);
    Some(std::iter::once(head).chain(text.split('\n').map(str::to_owned)).collect())
}

/// Renders the heading and the lines of a talk message as text of at most `width` columns, each
/// line with a bar.
fn bar_lines(lines: &[String], width: usize) -> String {
    let bar =
        |(at, line): (usize, &String)| wrap_line(line, if at == 0 { "| " } else { "|   " }, width);
    lines.iter().enumerate().flat_map(bar).collect::<Vec<_>>().join("\n")
}

/// Returns the heading of a talk message: who speaks to whom, as far as this reader may know it. A
/// successor on a seat does not learn that the seat's previous owner was an anonymous speaker.
fn talk_heading_message(said: &ActivityEvent, reader: Option<Seat>) -> Option<Message> {
    let ActivityEvent::Said { from, to, anonymous, is_from_former_player: former, .. } = said
    else {
        return None;
    };
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

fn wrap_line(line: &str, indent: &str, width: usize) -> Vec<String> {
    textwrap::wrap(line, wrap_options(indent, width))
        .into_iter()
        .map(|part| part.trim_end().to_owned())
        .collect()
}
