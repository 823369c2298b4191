//! Sentences that letters to players and to observers share: records, whose turn it is, and the
//! result.

use crate::rules::{Message, Ranking, ScorePart, Seat, Turn, UnreadableData, Viewer};
use crate::table::{Cause, Record, Table};

/// Returns the sentences about a record for this viewer: its cause, if that is not an ordinary
/// order, and its events.
///
/// # Errors
/// If the record holds an event that this program's rules cannot read.
pub(crate) fn cause_and_event_messages(
    table: &Table,
    record: &Record,
    viewer: Viewer,
) -> Result<Vec<Message>, UnreadableData> {
    let moderated = match &record.cause {
        Cause::Rewound { to, reason, by } => {
            let word = Message::new("rewound").with("to", *to);
            Some(word.with("reason", reason).with("by", by.name()))
        }
        Cause::Undone { seat, to, .. } => {
            Some(Message::new("taken-back").with("who", *seat).with("to", *to))
        }
        Cause::Ended { reason, by } => {
            let word = Message::new("ended-by-moderator").with("reason", reason);
            Some(word.with("by", by.name()))
        }
        Cause::Absent { seat, .. } => Some(Message::new("clock-absent").with("who", *seat)),
        Cause::Bot { bot, .. } if bot.stands_in => {
            Some(Message::new("clock-bot").with("who", bot.seat))
        }
        Cause::Founded | Cause::Orders { .. } | Cause::Bot { .. } => None,
    };
    let mut told: Vec<Message> = moderated.into_iter().collect();
    told.extend(table.game().narrate_events(&record.events, viewer)?);
    Ok(told)
}

/// Says whose turn it is, or who has won, to a player or to an observer.
pub(crate) fn turn_or_winner_message(table: &Table, reader: Option<Seat>) -> Message {
    match table.turn() {
        Turn::Over => {
            let winners = winners(table);
            let alone = reader.is_some_and(|reader| *winners.as_slice() == [reader]);
            // There may be no winner: in a cooperative game, all players can lose.
            Message::new("turn-over")
                .with("you-alone", if alone { "yes" } else { "no" })
                .with("count", winners.len())
                .with("winners", winners)
        }
        Turn::Awaiting(seats) if reader.is_some_and(|reader| seats.contains(&reader)) => {
            Message::new("turn-yours")
        }
        Turn::Awaiting(seats) => Message::new("turn-others").with("awaited", seats),
    }
}

pub(crate) fn winners(table: &Table) -> Vec<Seat> {
    let first = table.rankings().into_iter().filter(|standing| standing.rank == 1);
    first.map(|standing| standing.seat).collect()
}

/// Returns the game's number, its last record and the short hash of its log, by which anybody can
/// verify the game.
pub(crate) fn verification_message(table: &Table) -> Message {
    Message::new("footer-place")
        .with("number", table.founding().number)
        .with("seq", table.last_record_number())
        .with("chain", table.last_record_hash().short())
}

/// Returns a sentence with the seed of the game's dice, or `None` while the game is in play.
pub(crate) fn seed_message(table: &Table) -> Option<Message> {
    let seed = || data_encoding::HEXLOWER.encode(table.founding().seed.as_bytes());
    (table.turn() == Turn::Over).then(|| Message::new("footer-seed").with("seed", seed()))
}

/// Returns the secrets of each seat if the game is over, and nothing before.
pub(crate) fn revealed_messages(table: &Table) -> Vec<Message> {
    if table.turn() != Turn::Over {
        return Vec::new();
    }
    Seat::all(table.founding().seats)
        .flat_map(|seat| table.game().describe_revealed_secrets(seat))
        .collect()
}

/// Returns the result of a game that is over: one sentence for each seat.
pub(crate) fn standings_messages(table: &Table) -> Vec<Message> {
    if table.turn() != Turn::Over {
        return Vec::new();
    }
    let said = |standing: &Ranking| {
        let scored = standing.breakdown.iter().filter(|part| part.points != 0);
        let part = |part: &ScorePart| {
            Message::new("score-part").with("item", part.item.clone()).with("points", part.points)
        };
        let parts: Vec<Message> = scored.map(part).collect();
        Message::new(if parts.is_empty() { "standing-bare" } else { "standing" })
            .with("rank", standing.rank)
            .with("who", standing.seat)
            .with("score", standing.score)
            .with("parts", parts)
    };
    table.rankings().iter().map(said).collect()
}
