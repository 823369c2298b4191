//! The beginning of a letter about a game: what the reader has to do and by when, why the letter
//! was written, and what happened to the reader's own orders.

use super::blocks::{Block, GameLetterWriter};
use super::{Occasion, record_text};
use crate::club::clock::describe_moment;
use crate::rules::{Arg, Message};
use crate::table::OrderLine;

impl GameLetterWriter<'_, '_> {
    /// Returns the first sentences of the letter. The very first one says whose turn it is and
    /// until when.
    pub(super) fn intro_sentences(&self) -> Vec<String> {
        let occasion = self.reason_for_letter_message();
        let words = match self.letter.occasion {
            Occasion::Clock { words } => words.as_slice(),
            _ => &[],
        };
        // Without notices, this letter passes on only talk, so a sentence says so.
        let heard = matches!(self.letter.occasion, Occasion::TalkOrNotices)
            && self.letter.notices.is_empty();
        let heard = heard.then(|| Message::new("talk-heard"));
        // News about the reader's own plans comes before all news that the reader did not ask for.
        let dropped = self.letter.plan_notes;
        let told = dropped.iter().chain(words).chain(self.letter.notices).chain(&heard);
        let all = occasion.iter().chain(told).chain(self.letter.campaign);
        [self.turn_and_deadline_message()]
            .iter()
            .chain(all)
            .map(|message| self.localize(message))
            .collect()
    }

    /// Returns one sentence that says whose turn it is and, if a clock runs, until when.
    fn turn_and_deadline_message(&self) -> Message {
        let turn = self.turn_message();
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

    /// Returns the sentence that says why the letter was written, or `None` if the blocks show the
    /// reason.
    fn reason_for_letter_message(&self) -> Option<Message> {
        Some(match self.letter.occasion {
            Occasion::Welcome => self.welcome_message(),
            Occasion::News
            | Occasion::Answered
            | Occasion::TalkOrNotices
            | Occasion::Clock { .. } => {
                return None;
            }
            Occasion::Accepted { .. } => Message::new("orders-accepted"),
            Occasion::Planned { .. } => Message::new("plans-kept"),
            Occasion::Refused { preview: false, refused } if refused.found_no_order() => {
                Message::new("no-order-found")
            }
            Occasion::Refused { preview: false, .. } => Message::new("orders-refused"),
            Occasion::Refused { preview: true, .. } => Message::new("preview-refused"),
            Occasion::Previewed { .. } => Message::new("preview-accepted"),
            Occasion::Repeated { at } => Message::new("letter-repeated")
                .with("at", describe_moment(*at, &self.letter.reader.time)),
            Occasion::NothingWritten => Message::new("nothing-written"),
            Occasion::Unreadable(why) => Message::new("letter-unread").with("why", why.clone()),
            Occasion::Reminder { days } => Message::new("reminder").with("days", *days),
        })
    }

    fn welcome_message(&self) -> Message {
        let founding = self.page.table.founding();
        let seats: Vec<_> = crate::rules::Seat::all(founding.seats).collect();
        Message::new("welcome")
            .with("game", self.language.game_name(&founding.game))
            .with("number", founding.number)
            .with("club", self.letter.club)
            .with("players", seats)
    }

    /// Says whose turn it is, or who has won.
    pub(super) fn turn_message(&self) -> Message {
        record_text::turn_or_winner_message(self.page.table, Some(self.letter.seat))
    }

    /// Returns the block about the reader's own orders: accepted, planned, refused or previewed.
    pub(super) fn orders_block(&self) -> Option<Block> {
        let (title, mut lines, said) = match self.letter.occasion {
            Occasion::Accepted { lines, remarks } | Occasion::Planned { lines, remarks } => {
                ("heading-orders", number_reader_lines(lines), remarks.clone())
            }
            Occasion::Refused { refused, .. } => {
                let mut said: Vec<_> =
                    refused.line.iter().map(OrderLine::quote_for_refusal).collect();
                said.push(refused.refusal.reason.clone());
                said.extend(refused.refusal.alternatives.iter().cloned());
                ("heading-refused", Vec::new(), said)
            }
            Occasion::Previewed { lines, outcome, remarks, .. } => (
                "heading-preview",
                number_reader_lines(lines),
                [outcome.as_slice(), remarks].concat(),
            ),
            _ => return None,
        };
        lines.extend(self.localize_all(&said));
        Some(Block::from_lines("orders", self.heading(title), lines))
    }

    /// Returns the block that teaches a new player how to send orders. Returns `None` unless it is
    /// the player's first turn, and the first letter about this turn.
    pub(super) fn first_turn_lesson_block(&self) -> Option<Block> {
        let (table, seat) = (self.page.table, self.letter.seat);
        // The lesson comes once. A reminder or a refusal of the same turn does not repeat it.
        let is_told = self.letter.last_seen_record >= table.last_record_number();
        if is_told || !self.letter.is_new || !table.turn().awaits(seat) {
            return None;
        }
        let suggested = self.suggestions().first().map(|one| one.line.clone());
        let line = suggested.or_else(|| table.game().legal_lines(seat).into_iter().next())?;
        let said = [
            Message::new("lesson-sample"),
            Message::new("lesson-line").with("line", line),
            Message::new("lesson-preview"),
            Message::new("lesson-talk"),
            Message::new("lesson-help").with("moderator", self.letter.moderator),
        ];
        let lines = self.localize_all(&said);
        Some(Block::from_lines("lesson", self.heading("heading-lesson"), lines))
    }

    /// Returns the block about the clock, without the deadline that the letter's first sentence
    /// says.
    pub(super) fn deadline_block(&self) -> Block {
        let lead = self.turn_and_deadline_message();
        let is_said = |message: &&Message| match lead.key {
            "lead-yours" => message.key == "clock-yours",
            "lead-others" => message.key == "clock-others" && message.args == lead.args,
            _ => false,
        };
        let clock = self.letter.clock.iter().filter(|message| !is_said(message));
        let said = self.localize_all(&clock.cloned().collect::<Vec<_>>());
        Block::from_lines("deadline", self.heading("heading-deadline"), said)
    }
}

/// Returns the reader's own lines with their numbers. A line never begins with `>`, because a mail
/// program or the parser of replies would take it for a quotation.
fn number_reader_lines(lines: &[OrderLine]) -> Vec<String> {
    lines.iter().map(|line| format!("{}: {}", line.number, line.text)).collect()
}
