//! Builds the subjects of letters about a game: which game, and what its reader has to do.
//!
//! A phone's inbox and lock screen show about 30 characters of a subject. So the game and the
//! request come first, and a subject never contains secrets, talk or plans.
//!
//! A subject depends on the time at which the letter was queued, not on the time at which it is
//! sent. A letter that is rendered again therefore has the same subject.

use super::GameLetter;
use super::game_letter::Occasion;
use super::library::Language;
use super::record_text;
use crate::club::clock::describe_moment_briefly;
use crate::club::{ActivityEvent, Member};
use crate::rules::{Arg, Message, Seat, Turn};
use crate::table::{Founding, Record, Table};
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// The maximum number of characters of a subject. A reply tag may follow it.
const SUBJECT_CHARS_MAX: usize = 120;
const NAME_CHARS_MAX: usize = 16;
/// The number of hours before a deadline from which a subject states the remaining time in days.
const DAYS_FROM_HOURS: i64 = 48;

/// The parts of a letter's subject that are not in the letter itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubjectParts<'a> {
    /// The name that was given to the game, if any.
    pub game_name: Option<&'a str>,
    /// The time at which the letter was queued.
    pub written: DateTime<Utc>,
    pub due: Option<DateTime<Utc>>,
}

impl Language {
    /// Returns the name that a subject shows before the game's number: the game's own name, or the
    /// short name of its kind.
    pub(crate) fn short_game_name(&self, game: &Founding, name: Option<&str>) -> String {
        let short = format!("short-{}", game.game);
        match name {
            Some(name) => name.to_owned(),
            None if self.has_sentence(&short) => self.localizer.localize_key(&short),
            None => self.game_name(&game.game),
        }
    }

    /// Returns a game's name, number and kind.
    pub(crate) fn game_title(&self, game: &Founding, name: Option<&str>) -> String {
        self.localize(&self.add_game_names(Message::new("game-title"), game, name))
    }

    /// Returns the subject that is the same for all letters about a game, so that mail programs
    /// group them.
    pub(super) fn steady_subject(&self, game: &Founding, name: Option<&str>) -> String {
        self.localize(&self.add_game_names(Message::new("subject"), game, name))
    }

    fn add_game_names(&self, subject: Message, game: &Founding, name: Option<&str>) -> Message {
        subject
            .with("name", self.short_game_name(game, name))
            .with("number", game.number)
            .with("game", self.game_name(&game.game))
    }
}

pub(super) fn player_subject(
    (table, names): (&Table, &[String]),
    language: &Language,
    letter: &GameLetter<'_>,
) -> String {
    let (game, SubjectParts { game_name: name, written, due }) =
        (table.founding(), letter.subject_parts);
    let said = match table.turn() {
        _ if letter.reader.letters.steady_subjects => return language.steady_subject(game, name),
        Turn::Over => result_subject(table, names, Some(letter.seat)),
        Turn::Awaiting(seats) if seats.contains(&letter.seat) => {
            add_deadline(awaited_player_subject(table, letter), letter.reader, written, due)
        }
        // A player whose turn it is not has no deadline.
        Turn::Awaiting(seats) => add_deadline(
            waiting_player_subject(letter, &seats, names),
            letter.reader,
            written,
            None,
        ),
    };
    truncate_subject(&language.localize(&language.add_game_names(said, game, name)))
}

pub(super) fn observer_subject(
    (table, names): (&Table, &[String]),
    language: &Language,
    (reader, name): (&Member, Option<&str>),
) -> String {
    let game = table.founding();
    let said = match table.turn() {
        _ if reader.letters.steady_subjects => return language.steady_subject(game, name),
        Turn::Over => result_subject(table, names, None),
        Turn::Awaiting(seats) => {
            add_player_count_and_name(Message::new("subject-others"), &seats, names)
        }
    };
    truncate_subject(&language.localize(&language.add_game_names(said, game, name)))
}

/// Returns the subject for a player whose turn it is.
fn awaited_player_subject(table: &Table, letter: &GameLetter<'_>) -> Message {
    let is_reminder = |word: &Message| word.key == "clock-reminder";
    let SubjectParts { written, due, .. } = letter.subject_parts;
    match (unchanged_answer_subject(letter), letter.occasion) {
        (Some(said), _) => said,
        _ if letter.clock.iter().any(|word| word.key == "clock-overdue") => {
            Message::new("subject-overdue")
        }
        (_, Occasion::Reminder { .. }) => Message::new("subject-waits"),
        (_, Occasion::Clock { words }) if words.iter().any(is_reminder) => match due {
            Some(due) => time_left_message((due - written).num_minutes()),
            None => Message::new("subject-waits"),
        },
        (_, Occasion::Welcome) => Message::new("subject-begins-yours"),
        (_, Occasion::Accepted { .. }) if !has_new_turn(table, letter) => {
            Message::new("subject-done-yours")
        }
        (_, Occasion::Planned { .. }) => Message::new("subject-kept-yours"),
        _ if asks_for_vote(letter) => Message::new("subject-vote-yours"),
        (_, Occasion::TalkOrNotices) if has_talk_by_others(letter) => {
            Message::new("subject-told-yours")
        }
        _ => Message::new("subject-yours"),
    }
}

/// Whether another player has moved since the reader's own orders, so that the reader's turn is a
/// new one.
fn has_new_turn(table: &Table, letter: &GameLetter<'_>) -> bool {
    let is_own = |record: &&Arc<Record>| Table::seat_that_ordered(record) == Some(letter.seat);
    let is_by_other = |record: &Arc<Record>| {
        record.cause.seat_and_lines().is_some_and(|(seat, _)| seat != letter.seat)
    };
    let since = table.records_since(letter.last_seen_record).iter();
    since.skip_while(|record| !is_own(record)).any(is_by_other)
}

/// Returns the subject for a player who waits for others.
fn waiting_player_subject(letter: &GameLetter<'_>, seats: &[Seat], names: &[String]) -> Message {
    if let Some(said) = unchanged_answer_subject(letter) {
        return said;
    }
    let said = match letter.occasion {
        _ if asks_for_vote(letter) => Message::new("subject-vote"),
        Occasion::TalkOrNotices if has_talk_by_others(letter) => Message::new("subject-told"),
        Occasion::Welcome => Message::new("subject-begins-others"),
        Occasion::Accepted { .. } => Message::new("subject-done-others"),
        Occasion::Planned { .. } => Message::new("subject-kept-others"),
        _ => Message::new("subject-others"),
    };
    add_player_count_and_name(said, seats, names)
}

/// Returns the subject of an answer to a letter that changed nothing: refused, previewed or
/// unreadable. Returns `None` for all other letters.
fn unchanged_answer_subject(letter: &GameLetter<'_>) -> Option<Message> {
    Some(match letter.occasion {
        Occasion::Refused { preview: false, refused } if refused.found_no_order() => {
            Message::new("subject-no-order")
        }
        Occasion::Refused { preview: false, .. } => Message::new("subject-refused"),
        Occasion::Refused { preview: true, .. } => Message::new("subject-preview-refused"),
        Occasion::Previewed { .. } => Message::new("subject-preview"),
        Occasion::NothingWritten | Occasion::Unreadable(_) => Message::new("subject-nothing"),
        _ => return None,
    })
}

/// Returns the subject after the end of a game: whether the reader has won or, if there is one
/// winner, their name.
fn result_subject(table: &Table, names: &[String], reader: Option<Seat>) -> Message {
    let winners = record_text::winners(table);
    let you = match reader.is_some_and(|reader| winners.contains(&reader)) {
        true if winners.len() == 1 => "alone",
        true => "among",
        false => "no",
    };
    add_player_count_and_name(Message::new("subject-over"), &winners, names).with("you", you)
}

/// States the remaining time in hours, or in days from 48 hours on.
fn time_left_message(minutes: i64) -> Message {
    let hours = ((minutes + 30) / 60).max(1);
    if hours >= DAYS_FROM_HOURS {
        return Message::new("subject-days-left").with("count", hours / 24);
    }
    Message::new("subject-hours-left").with("count", hours)
}

fn has_talk_by_others(letter: &GameLetter<'_>) -> bool {
    let other = |what: &ActivityEvent| match what {
        ActivityEvent::Said { from, .. } => *from != letter.seat,
        _ => true,
    };
    letter.talk.iter().any(|entry| other(&entry.event))
}

fn asks_for_vote(letter: &GameLetter<'_>) -> bool {
    letter.notices.iter().any(|note| note.key == "vote-opened")
}

/// Adds the number of players to a subject, and the player's name if there is one.
fn add_player_count_and_name(said: Message, seats: &[Seat], names: &[String]) -> Message {
    let one = match seats {
        [seat] => names.get(seat.index()).map(|name| shorten_name(name)),
        _ => None,
    };
    said.with("count", seats.len()).with("who", one.unwrap_or_default())
}

/// Adds the deadline in the reader's time zone to a subject. `due` is `None` if the reader has no
/// deadline.
pub(super) fn add_deadline(
    said: Message,
    reader: &Member,
    written: DateTime<Utc>,
    due: Option<DateTime<Utc>>,
) -> Message {
    let by = due.map(|due| describe_moment_briefly(due, written, &reader.time));
    let timed = if by.is_some() { "yes" } else { "no" };
    said.with("timed", timed).with("by", by.map_or(Arg::from(""), Arg::from))
}

fn shorten_name(name: &str) -> String {
    if name.chars().count() <= NAME_CHARS_MAX {
        return name.to_owned();
    }
    let start: String = name.chars().take(NAME_CHARS_MAX - 1).collect();
    format!("{}\u{2026}", start.trim_end())
}

fn truncate_subject(subject: &str) -> String {
    subject.chars().take(SUBJECT_CHARS_MAX).collect()
}
