//! What the moderator sees of the games: for whom they wait, and what happened in one.
//!
//! Nothing of what is hidden from the players is shown: no orders, no plans, no private talk.

use super::fence::fenced;
use super::office::{Office, OfficeError};
use super::playing::Playing;
use super::transaction::Transaction;
use crate::club::clock::moment_words;
use crate::club::{Actor, Happening, Minute};
use crate::report::Section;
use crate::rules::{Arg, Message, Seat, Turn};
use crate::store::Repository;
use crate::table::{Cause, Record};
use chrono::{DateTime, Utc};

/// How many games or letters a list names.
pub(super) const LIST_MAX: usize = 200;
/// How many lines of a game's log and minutes are shown.
const LOG_MAX: usize = 40;

impl Office {
    /// A running game as it stands in a transaction; none when it is over or cannot be read.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(super) fn running(
        &self,
        tx: &Transaction<'_>,
        game: u32,
    ) -> Result<Option<Playing>, OfficeError> {
        let playing = match tx.game(game) {
            Some(playing) => playing.clone(),
            None => match opened(tx, game)? {
                Ok(playing) => playing,
                Err(_) => return Ok(None),
            },
        };
        Ok((playing.table.turn() != Turn::Over).then_some(playing))
    }

    /// The running games: for whom they wait, and until when.
    pub(super) fn list_of_games(&self, tx: &Transaction<'_>) -> Result<Section, OfficeError> {
        let mut lines = Vec::new();
        let mut count = 0_usize;
        for game in tx.games()? {
            let Some(playing) = self.running(tx, game)? else { continue };
            count += 1;
            if count <= LIST_MAX {
                lines.push(self.game_line(&playing));
            }
        }
        lines.extend(more(count));
        Ok(Section { head: Message::new("moderator-list").with("count", count), lines })
    }

    /// A game with for whom it waits.
    pub(super) fn game_line(&self, playing: &Playing) -> Message {
        let language = self.library.language(&self.settings.language);
        Message::new("moderator-game")
            .with("game", playing.number())
            .with("kind", language.game(&playing.table.founding().game))
            .with("waits", self.waits(playing))
    }

    /// For whom a game waits, and until or since when.
    pub(super) fn waits(&self, playing: &Playing) -> Message {
        let of = |seats: &[Seat]| -> Vec<String> {
            seats.iter().filter_map(|seat| playing.names.get(seat.index()).cloned()).collect()
        };
        let Turn::Awaiting(seats) = playing.table.turn() else {
            let standings = playing.table.standings().into_iter();
            let first: Vec<Seat> =
                standings.filter(|standing| standing.rank == 1).map(|first| first.seat).collect();
            let key = if first.is_empty() { "moderator-waits-over" } else { "moderator-waits-won" };
            return Message::new(key).with("who", of(&first));
        };
        let Some(clock) = &playing.clock else {
            let since = playing.table.records().last().map_or(self.now, |record| record.at);
            let waits = Message::new("moderator-waits-since").with("who", of(&seats));
            return waits.with("since", self.moment(since));
        };
        if clock.paused.is_some() {
            return Message::new("moderator-waits-paused").with("who", of(&seats));
        }
        let late: Vec<Seat> = clock
            .waits
            .iter()
            .filter(|wait| wait.is_late(self.now))
            .map(|wait| wait.seat)
            .collect();
        let lost = clock.waits.iter().filter(|wait| wait.lost.is_some()).count();
        if late.is_empty() && lost > 0 && lost == clock.waits.len() {
            return Message::new("moderator-waits-lost").with("who", of(&seats));
        }
        let waits = if late.is_empty() {
            Message::new("moderator-waits-until").with("who", of(&seats))
        } else {
            Message::new("moderator-waits-late").with("who", of(&late))
        };
        let among = |seat: Seat| late.is_empty() || late.contains(&seat);
        let awaited = clock.waits.iter().filter(|wait| among(wait.seat));
        let by = awaited.map(|wait| wait.deadline).max().unwrap_or(self.now);
        waits.with("by", self.moment(by))
    }

    /// A moment by the moderator's clock.
    pub(super) fn moment(&self, at: DateTime<Utc>) -> Message {
        moment_words(at, &self.settings.moderator.time())
    }

    /// The last of what happened in a game and around it.
    pub(super) fn log_of(&self, tx: &Transaction<'_>, game: u32) -> Result<Section, OfficeError> {
        let mut entries: Vec<(DateTime<Utc>, Message)> = Vec::new();
        let names = match tx.game(game) {
            Some(playing) => {
                let records = playing.table.records().iter();
                entries.extend(
                    records.map(|record| (record.at, record_words(record, &playing.names))),
                );
                playing.names.clone()
            }
            None => Vec::new(),
        };
        let mut minutes = tx.minutes(game)?;
        if let Some(playing) = tx.game(game) {
            minutes = playing.by_former(minutes);
        }
        for minute in &minutes {
            let words = self.minute_words(tx, minute, &names)?;
            entries.extend(words.map(|words| (minute.at, words)));
        }
        entries.sort_by_key(|(at, _)| *at);
        let skipped = entries.len().saturating_sub(LOG_MAX);
        let line = |(at, what): (DateTime<Utc>, Message)| {
            Message::new("moderator-entry").with("at", self.moment(at)).with("what", what)
        };
        let lines = entries.into_iter().skip(skipped).map(line).collect();
        let head = Message::new("moderator-log").with("game", game).with("skipped", skipped);
        Ok(Section { head, lines })
    }

    /// What a minute says to the moderator; nothing of what was said in private.
    fn minute_words(
        &self,
        tx: &Transaction<'_>,
        minute: &Minute,
        names: &[String],
    ) -> Result<Option<Message>, OfficeError> {
        Ok(match &minute.what {
            Happening::Said { to, .. } if !to.is_empty() => None,
            Happening::Said { anonymous: true, text, .. } => {
                Some(Message::new("moderator-said-unsigned").with("text", text.as_str()))
            }
            Happening::Said { from, text, former, .. } => {
                let who = names.get(from.index()).cloned().unwrap_or_default();
                let key = if *former { "moderator-said-former" } else { "moderator-said" };
                Some(Message::new(key).with("who", who).with("text", text.as_str()))
            }
            Happening::Done { by, what, reason } => Some(
                Message::new("moderator-did")
                    .with("by", actor(tx, *by)?)
                    .with("what", what.as_str())
                    .with("reason", reason.as_str()),
            ),
            Happening::Noted { text } => {
                Some(Message::new("moderator-note").with("text", text.as_str()))
            }
        })
    }
}

/// A game as it stands, or why it cannot be opened: a fault of one game must not keep the others
/// from the moderator.
///
/// # Errors
/// When the store cannot be read.
pub(super) fn opened(
    tx: &Transaction<'_>,
    game: u32,
) -> Result<Result<Playing, String>, OfficeError> {
    fenced(|| tx.savepoint().playing(game).cloned())
}

fn actor(tx: &Transaction<'_>, actor: Actor) -> Result<Arg, OfficeError> {
    Ok(match actor {
        Actor::Moderator => Arg::Term("moderator-moderator"),
        Actor::House => Arg::Term("moderator-house"),
        Actor::Member(id) => tx.member(id)?.map(|member| member.name).unwrap_or_default().into(),
    })
}

/// How many more there are than a list names.
pub(super) fn more(count: usize) -> Option<Message> {
    let more = count.saturating_sub(LIST_MAX);
    (more > 0).then(|| Message::new("moderator-more").with("count", more))
}

fn record_words(record: &Record, names: &[String]) -> Message {
    let name = |seat: &Seat| names.get(seat.index()).cloned().unwrap_or_default();
    let what = match &record.cause {
        Cause::Founded => Message::new("moderator-record-founded"),
        Cause::Orders { seat, .. } => {
            Message::new("moderator-record-orders").with("who", name(seat))
        }
        Cause::Absent { seat, .. } => {
            Message::new("moderator-record-absent").with("who", name(seat))
        }
        Cause::Rewound { to, .. } => Message::new("moderator-record-rewound").with("to", *to),
        Cause::Ended { .. } => Message::new("moderator-record-ended"),
    };
    Message::new("moderator-record").with("number", record.seq).with("what", what)
}
