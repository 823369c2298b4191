//! How a letter about a game begins: what is to be done and until when, why it is written, and
//! what became of the reader's own orders.

use super::blocks::{Block, Writer};
use super::{Occasion, told};
use crate::club::clock::moment_words;
use crate::rules::{Arg, Message};
use crate::table::OrderLine;

impl Writer<'_, '_> {
    /// The first lines of the letter: first of all whose turn it is, and until when.
    pub(super) fn intro(&self) -> Vec<String> {
        let occasion = self.why();
        let words = match self.letter.occasion {
            Occasion::Clock { words } => words.as_slice(),
            _ => &[],
        };
        // Such a letter is written for what was said alone.
        let heard = matches!(self.letter.occasion, Occasion::Told) && self.letter.notes.is_empty();
        let heard = heard.then(|| Message::new("talk-heard"));
        // What became of his plans comes first of all that he did not ask for.
        let dropped = self.letter.words;
        let told = dropped.iter().chain(words).chain(self.letter.notes).chain(&heard);
        let all = occasion.iter().chain(told).chain(self.letter.campaign);
        [self.lead()].iter().chain(all).map(|message| self.say(message)).collect()
    }

    /// Whose turn it is, and until when, in one sentence.
    fn lead(&self) -> Message {
        let turn = self.turn();
        let clock = |key: &str| self.letter.clock.iter().find(|message| message.key == key);
        let by = |key: &str| clock(key).and_then(|message| message.args.get("by")).cloned();
        if turn.key == "turn-yours" {
            let overdue = || Some(("lead-overdue", by("clock-overdue")?));
            let lead = by("clock-yours").map(|by| ("lead-yours", by)).or_else(overdue);
            return lead.map_or(turn, |(key, by)| Message::new(key).with("by", by));
        }
        let theirs = clock("clock-others").filter(|others| {
            let awaited: Option<&Arg> = turn.args.get("awaited");
            turn.key == "turn-others" && others.args.get("who") == awaited
        });
        let lead = theirs.map(|others| Message { key: "lead-others", args: others.args.clone() });
        lead.unwrap_or(turn)
    }

    /// Why the letter is written, where that is a sentence.
    fn why(&self) -> Option<Message> {
        Some(match self.letter.occasion {
            Occasion::Welcome => self.welcome(),
            Occasion::News | Occasion::Answered | Occasion::Told | Occasion::Clock { .. } => {
                return None;
            }
            Occasion::Accepted { .. } => Message::new("orders-accepted"),
            Occasion::Planned { .. } => Message::new("plans-kept"),
            Occasion::Refused { preview: false, .. } => Message::new("orders-refused"),
            Occasion::Refused { preview: true, .. } => Message::new("preview-refused"),
            Occasion::Previewed { .. } => Message::new("preview-accepted"),
            Occasion::Repeated { at } => Message::new("letter-repeated")
                .with("at", moment_words(*at, &self.letter.reader.time)),
            Occasion::NothingWritten => Message::new("nothing-written"),
            Occasion::Unread(why) => Message::new("letter-unread").with("why", why.clone()),
            Occasion::Reminder { days } => Message::new("reminder").with("days", *days),
        })
    }

    fn welcome(&self) -> Message {
        let founding = self.page.table.founding();
        let seats: Vec<_> = crate::rules::Seat::all(founding.seats).collect();
        Message::new("welcome")
            .with("game", self.language.game(&founding.game))
            .with("number", founding.number)
            .with("club", self.letter.club)
            .with("players", seats)
    }

    /// Whose turn it is, or who has won.
    pub(super) fn turn(&self) -> Message {
        told::turn(self.page.table, Some(self.letter.seat))
    }

    /// Returns the block about what became of the reader's own orders.
    pub(super) fn orders(&self) -> Option<Block> {
        let (title, mut lines, said) = match self.letter.occasion {
            Occasion::Accepted { lines, remarks } | Occasion::Planned { lines, remarks } => {
                ("heading-orders", quoted(lines), remarks.clone())
            }
            Occasion::Refused { refused, .. } => {
                let mut said: Vec<_> = refused.line.iter().map(OrderLine::refused).collect();
                said.push(refused.refusal.reason.clone());
                said.extend(refused.refusal.instead.iter().cloned());
                ("heading-refused", Vec::new(), said)
            }
            Occasion::Previewed { lines, outcome, remarks } => {
                ("heading-preview", quoted(lines), [outcome.as_slice(), remarks].concat())
            }
            _ => return None,
        };
        lines.extend(self.say_all(&said));
        Some(Block::lines("orders", self.heading(title), lines))
    }

    /// Returns the lesson for a newcomer on the first turn, or `None` if the reader has played, is
    /// not awaited, or had the lesson before.
    pub(super) fn lesson(&self) -> Option<Block> {
        let (table, seat) = (self.page.table, self.letter.seat);
        // The lesson comes once. A reminder or a refusal of the same turn does not repeat it.
        let is_told = self.letter.told >= table.head();
        if is_told || !self.letter.is_new || !table.turn().awaits(seat) {
            return None;
        }
        let suggested = self.suggestions().first().map(|one| one.line.clone());
        let line = suggested.or_else(|| table.game().legal(seat).into_iter().next())?;
        let said = [
            Message::new("lesson-sample"),
            Message::new("lesson-line").with("line", line),
            Message::new("lesson-preview"),
            Message::new("lesson-parts")
                .with("board", self.heading("heading-board"))
                .with("table", self.heading("heading-public"))
                .with("own", self.heading("heading-private"))
                .with("choices", self.heading("heading-choices")),
            Message::new("lesson-talk"),
            Message::new("lesson-help").with("moderator", self.letter.moderator),
        ];
        let lines = self.say_all(&said);
        Some(Block::lines("lesson", self.heading("heading-lesson"), lines))
    }

    /// How the reader's clock stands, once more and in full.
    pub(super) fn deadline(&self) -> Block {
        let said = self.say_all(self.letter.clock);
        Block::lines("deadline", self.heading("heading-deadline"), said)
    }
}

/// What a player wrote, as a player sees it again; never with a `>` before it.
fn quoted(lines: &[OrderLine]) -> Vec<String> {
    lines.iter().map(|line| format!("{}: {}", line.number, line.text)).collect()
}
