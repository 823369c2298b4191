//! One game in play: its log of records and the position that follows from it.
//!
//! All of this is pure. The time of each record is an argument, and the store keeps the records. A
//! table knows seats but no people. The log only grows: undo and rewind append a record too.

#![warn(missing_docs)]

mod bot_rehearsal;
mod chain;
mod export;
mod export_claims;
mod founding;
mod game_history;
mod initial_games;
mod letter_plans;
mod outline;
mod phrase_book;
mod positions;
mod preview;
mod program_turns;
mod public_copy;
mod queued_orders;
mod readable_lines;
mod record;
mod rehearsal;
mod sealed_orders;
mod sentences;
mod submit;
#[cfg(test)]
mod tests;
mod undo;
mod verify;
mod wording;

pub use bot_rehearsal::{
    BotRehearsal, RehearsalPlayer, UnknownPlayer, rehearse_bots, wilson_interval,
};
pub(crate) use chain::{Chain, Hash};
pub(crate) use export::{Export, FORMAT};
#[doc(hidden)]
pub use export_claims::{ExportClaims, UncheckedPart};
pub use founding::{Founding, GameSetup};
#[doc(hidden)]
pub use game_history::{GameHistory, IdlePeriod, RecordScores};
pub use initial_games::InitialGameCache;
#[doc(hidden)]
pub use outline::Outline;
#[doc(hidden)]
pub use phrase_book::PhraseBook;
pub use preview::Preview;
pub use queued_orders::{QueueCommand, QueueOutcome, QueuedOrders};
pub use record::{Authority, BotSeat, Cause, LetterRef, Reason, Record};
pub use rehearsal::{Rehearsal, RehearsalError, RehearsalMode, rehearse};
pub(crate) use sealed_orders::ORDERS_SEALED;
#[doc(hidden)]
pub use sentences::SentenceReader;
pub use submit::{LetterRefusal, OrderLine, Submission, Verdict};
pub(crate) use undo::UndoneOrders;
pub use verify::Finding;
#[doc(hidden)]
pub use wording::{OrderWithAside, SeatVocabulary};
pub(crate) use wording::{is_question, original_parts, strip_bullet};

use crate::rules::{
    Dice, DynGame, EventText, Message, NewGameError, Ranking, Refusal, Seat, Seed, Turn,
    UnreadableData,
};
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// One game in play, with its log and its position.
#[derive(Clone)]
pub struct Table {
    founding: Arc<Founding>,
    initial_game: Arc<dyn DynGame>,
    records: Vec<Arc<Record>>,
    game: Box<dyn DynGame>,
    chain: Chain,
    ended_by_moderator: bool,
    /// The phrases that the players write around their orders.
    phrases: Arc<PhraseBook>,
}

/// The reason why a log cannot be replayed to a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// This program has no game with this name and version.
    #[error("this program does not play {game} in version {version}")]
    UnknownGame {
        /// The game's ID.
        game: String,
        /// The version of the rules under which the game was founded.
        version: u32,
    },
    /// The log has the format of a later version of postrider.
    #[error("its log has the form {0}, of a later version of postrider; install that one")]
    LaterFormat(String),
    /// The rules of this program reject the definition or the options in the log.
    #[error("the definition in the log: {0}")]
    Definition(#[from] NewGameError),
    /// The rules of this program cannot read an event of a record.
    #[error("record {seq}: {damage}")]
    Damage {
        /// The number of the record.
        seq: u32,
        /// The unreadable event and the parser's error.
        damage: UnreadableData,
    },
    /// A line of the log is not a valid record.
    #[error("line {seq} of the log is no record: {what}")]
    NoRecord {
        /// The number of the line in the log, from 0.
        seq: u32,
        /// The parser's error.
        what: String,
    },
    /// The rules panicked during the replay. That is a bug in this program, and it concerns only
    /// this game.
    #[error("the program failed on it")]
    RulesPanicked,
    /// The records are not numbered consecutively.
    #[error("record {expected} is missing: {found} stands in its place")]
    Gap {
        /// The record number that was expected.
        expected: u32,
        /// The record number that was found.
        found: u32,
    },
}

impl FoldError {
    /// Returns the error as a clause of a letter.
    pub(crate) fn to_message(&self) -> Message {
        match self {
            Self::UnknownGame { game, version } => Message::new("fault-version")
                .with("game", game.as_str())
                .with("version", version.to_string()),
            Self::LaterFormat(form) => Message::new("fault-later").with("form", form.as_str()),
            Self::Definition(error) => {
                Message::new("fault-definition").with("why", error.to_message())
            }
            Self::Damage { seq, damage } => Message::new("fault-record")
                .with("seq", seq.to_string())
                .with("why", damage.to_message()),
            Self::NoRecord { seq, what } => Message::new("fault-no-record")
                .with("seq", seq.to_string())
                .with("what", what.as_str()),
            Self::RulesPanicked => Message::new("fault-failed"),
            Self::Gap { expected, found } => Message::new("fault-gap")
                .with("expected", expected.to_string())
                .with("found", found.to_string()),
        }
    }
}

impl Table {
    /// Founds a game: deals it and makes the first record.
    ///
    /// # Errors
    /// The fault in the definition, the options or the number of seats.
    pub fn found_game(
        setup: GameSetup<'_>,
        number: u32,
        seed: Seed,
        now: DateTime<Utc>,
    ) -> Result<Self, NewGameError> {
        let founding = Founding::new(setup, number, seed, now)?;
        let blank: Arc<dyn DynGame> = Arc::from(setup.kind.new_game(
            &founding.definition,
            &founding.options,
            founding.seats,
        )?);
        let mut table = Self::without_records(Arc::new(founding), blank);
        let mut dice = table.dice();
        let events = table.game.setup(&mut dice);
        table.append_record(Cause::Founded, events, dice.used_word_count(), now);
        Ok(table)
    }

    /// Replays a log. `lines` is the founding and then the records.
    ///
    /// # Errors
    /// A line cannot be read, or a record is missing.
    pub(crate) fn from_log<'a>(
        openings: &InitialGameCache,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, FoldError> {
        let mut lines = lines.into_iter();
        let founding = Founding::from_line(lines.next().unwrap_or_default())?;
        let mut records = Vec::new();
        for line in lines {
            records.push(Arc::new(Record::from_line(records.len() + 1, line)?));
        }
        Self::from_records(openings, founding, records)
    }

    fn from_records(
        openings: &InitialGameCache,
        founding: Founding,
        records: Vec<Arc<Record>>,
    ) -> Result<Self, FoldError> {
        let blank = openings.get_or_create(&founding)?;
        let mut table = Self::without_records(Arc::new(founding), blank);
        table.replay_records(records)?;
        Ok(table)
    }

    fn without_records(founding: Arc<Founding>, blank: Arc<dyn DynGame>) -> Self {
        let chain = Chain::new(&founding);
        let game = blank.clone_box();
        Self {
            founding,
            initial_game: blank,
            records: Vec::new(),
            game,
            chain,
            ended_by_moderator: false,
            phrases: Arc::default(),
        }
    }

    /// Returns the table with the phrases that its players may write around their orders. A table
    /// without them reads only bare orders.
    #[must_use]
    pub fn with_phrases(self, phrases: Arc<PhraseBook>) -> Self {
        Self { phrases, ..self }
    }

    /// Returns the phrases that the players may write around their orders.
    pub(crate) fn phrases(&self) -> &PhraseBook {
        &self.phrases
    }

    fn replay_records(&mut self, records: Vec<Arc<Record>>) -> Result<(), FoldError> {
        self.game = self.initial_game.clone_box();
        self.ended_by_moderator = false;
        for record in records_in_force(&records) {
            self.ended_by_moderator |= matches!(record.cause, Cause::Ended { .. });
            for event in &record.events {
                self.game
                    .apply(event)
                    .map_err(|damage| FoldError::Damage { seq: record.seq, damage })?;
            }
        }
        self.records = records;
        Ok(())
    }

    fn append_record(
        &mut self,
        cause: Cause,
        events: Vec<EventText>,
        dice: u64,
        now: DateTime<Utc>,
    ) {
        let seq = self.last_record_number() + 1;
        let record =
            Record::new(seq, now, cause, events, dice, &self.last_record_hash(), &self.chain);
        self.records.push(Arc::new(record));
    }

    fn dice(&self) -> Dice {
        Dice::new(&self.founding.seed, self.records.last().map_or(0, |record| record.dice))
    }

    /// Returns the setup with which the game was founded.
    pub fn founding(&self) -> &Founding {
        &self.founding
    }

    /// Returns the game at its current position.
    pub fn game(&self) -> &dyn DynGame {
        &*self.game
    }

    /// Returns the number of the last record. The founding has number 0 and the deal 1.
    pub fn last_record_number(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// Returns the hash of the last record. Every letter shows it.
    pub fn last_record_hash(&self) -> Hash {
        self.records.last().map_or_else(|| self.chain.genesis(&self.founding), |r| r.hash.clone())
    }

    /// Returns all records, from the deal on.
    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    /// Returns the records after the one with number `seq`.
    pub fn records_since(&self, seq: u32) -> &[Arc<Record>] {
        self.records.get(seq as usize..).unwrap_or_default()
    }

    /// Whether an undo or a rewind after record `since` took the game back to before record `seq`.
    pub(crate) fn was_rewound_past(&self, seq: u32, since: u32) -> bool {
        self.records_since(since).iter().any(|record| match record.cause {
            Cause::Rewound { to, .. } | Cause::Undone { to, .. } => to < seq,
            _ => false,
        })
    }

    /// Returns the seats that must act now, or that the game is over.
    pub fn turn(&self) -> Turn {
        if self.ended_by_moderator { Turn::Over } else { self.game.turn() }
    }

    /// Whether the game is over.
    pub fn is_over(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// Returns the seats by rank, best first.
    pub fn rankings(&self) -> Vec<Ranking> {
        self.game.rankings()
    }

    /// Returns the table as it was after the record with number `seq`.
    ///
    /// # Errors
    /// None in practice, because the log was replayed before.
    pub fn at_record(&self, seq: u32) -> Result<Self, FoldError> {
        let mut past =
            Self::without_records(Arc::clone(&self.founding), Arc::clone(&self.initial_game));
        past.replay_records(self.records.iter().take(seq as usize).cloned().collect())?;
        past.phrases = Arc::clone(&self.phrases);
        Ok(past)
    }

    /// Takes the game back to the position after record `to`, by appending a record. The dice go
    /// back too, so a repeated order leads to the same result.
    ///
    /// # Errors
    /// `to` is not an earlier record in force.
    pub(crate) fn rewind(
        &self,
        to: u32,
        by: Authority,
        reason: impl Into<Reason>,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        let nowhere = || {
            Refusal::illegal(
                Message::new("rewind-nowhere")
                    .with("to", to)
                    .with("head", self.last_record_number()),
            )
        };
        let dice = records_in_force(&self.records)
            .into_iter()
            .find(|record| record.seq == to && to < self.last_record_number())
            .map(|record| record.dice)
            .ok_or_else(nowhere)?;
        let mut after = self.with_position_at(to).map_err(|_| nowhere())?;
        let reason = reason.into();
        after.append_record(Cause::Rewound { to, reason, by }, Vec::new(), dice, now);
        Ok(after)
    }

    /// Returns a table with the whole log and the position after record `to`, which must be in
    /// force.
    fn with_position_at(&self, to: u32) -> Result<Self, FoldError> {
        Ok(Self { records: self.records.clone(), ..self.at_record(to)? })
    }

    /// Returns the record to which an undo of the last turn leads. That is the record in force
    /// before the last one that a player's orders or absence made.
    pub(crate) fn record_before_last_turn(&self) -> Option<u32> {
        let line = records_in_force(&self.records);
        let last = line.iter().rposition(|record| record.cause.seat_and_lines().is_some())?;
        line.get(last.checked_sub(1)?).map(|record| record.seq)
    }

    /// Returns the first record in force after `seq` that a player's orders or absence made, and
    /// the seat of that player.
    pub(crate) fn first_turn_after(&self, seq: u32) -> Option<(u32, Seat)> {
        let line = records_in_force(&self.records);
        let mut later = line.into_iter().filter(|record| record.seq > seq);
        later.find_map(|record| Some((record.seq, record.cause.seat_and_lines()?.0)))
    }

    /// Ends the game at its current position, for games that do not end by themselves. Appends a
    /// record.
    ///
    /// # Errors
    /// The game is already over.
    pub(crate) fn end_game(
        &self,
        by: Authority,
        reason: impl Into<Reason>,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        if self.turn() == Turn::Over {
            return Err(Refusal::game_over());
        }
        let mut after = self.clone();
        let dice = after.dice().used_word_count();
        let reason = reason.into();
        after.append_record(Cause::Ended { reason, by }, Vec::new(), dice, now);
        after.ended_by_moderator = true;
        Ok(after)
    }

    /// Returns a table whose hidden information was dealt again, consistent with the viewer's
    /// knowledge. Serves the test for leaks.
    ///
    /// # Errors
    /// None in practice, because the log was replayed before.
    pub fn redeal(
        &self,
        viewer: crate::rules::Viewer,
        dice: &mut Dice,
    ) -> Result<Self, UnreadableData> {
        let mut other = self.clone();
        other.game = self.game.redeal(viewer, dice);
        for record in &mut other.records {
            let mut changed = Record::clone(record);
            for event in &mut changed.events {
                *event = other.game.event_in_determinization(event, viewer, dice)?;
            }
            *record = Arc::new(changed);
        }
        Ok(other)
    }

    /// Returns a table with different random numbers from here on. Serves the test for leaks,
    /// because nobody may know future random numbers.
    #[must_use]
    pub fn with_different_dice(&self, dice: &mut Dice) -> Self {
        let mut other = self.clone();
        if let Some(last) = other.records.last_mut() {
            let mut changed = Record::clone(last);
            changed.dice += 1 + u64::from(dice.roll_below(1_000));
            *last = Arc::new(changed);
        }
        other
    }

    /// Returns the seat whose orders led to a record; `None` for any other cause.
    pub(crate) fn seat_that_ordered(record: &Record) -> Option<Seat> {
        match record.cause {
            Cause::Orders { seat, .. } => Some(seat),
            _ => None,
        }
    }
}

/// Returns the records that no undo or rewind has taken back, in order.
fn records_in_force(records: &[Arc<Record>]) -> Vec<&Arc<Record>> {
    let mut line: Vec<&Arc<Record>> = Vec::with_capacity(records.len());
    for record in records {
        match record.cause {
            Cause::Rewound { to, .. } | Cause::Undone { to, .. } => {
                line.retain(|earlier| earlier.seq <= to);
            }
            _ => line.push(record),
        }
    }
    line
}
