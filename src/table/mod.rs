//! One game being played: its log, the position that the log folds to, and what may be added.
//!
//! Pure: the time of every record comes in as an argument, and a record is made here but kept by
//! the store. A table knows seats, not people. Whatever happens is appended; a rewind is one more
//! record.

mod chain;
mod export;
mod export_claims;
mod founding;
mod game_history;
mod initial_games;
mod letter_plans;
mod outline;
mod preview;
mod queued_orders;
mod readable_lines;
mod record;
mod rehearsal;
mod submit;
#[cfg(test)]
mod tests;
mod undo;
mod verify;
mod wording;

pub(crate) use chain::{Chain, Hash};
pub(crate) use export::{Export, FORMAT};
pub use export_claims::{ExportClaims, UncheckedPart};
pub use founding::{Founding, GameSetup};
pub use game_history::{GameHistory, IdlePeriod, RecordScores};
pub use initial_games::InitialGameCache;
pub use outline::Outline;
pub use preview::Preview;
pub use queued_orders::{QueueCommand, QueueOutcome, QueuedOrders};
pub use record::{Authority, Cause, LetterRef, Reason, Record};
pub use rehearsal::{Rehearsal, RehearsalError, RehearsalMode, rehearse};
pub use submit::{LetterRefusal, OrderLine, Submission, Verdict};
pub(crate) use undo::UndoneOrders;
pub use verify::Finding;
pub use wording::{OrderWithAside, SeatVocabulary};
pub(crate) use wording::{has_lead_in, strip_bullet};

use crate::rules::{
    Dice, DynGame, EventText, LineOutcome, Message, NewGameError, Ranking, Refusal, Seat, Seed,
    Turn, UnreadableData,
};
use chrono::{DateTime, Utc};
use std::sync::Arc;

/// One game being played.
#[derive(Clone)]
pub struct Table {
    founding: Arc<Founding>,
    initial_game: Arc<dyn DynGame>,
    records: Vec<Arc<Record>>,
    game: Box<dyn DynGame>,
    chain: Chain,
    ended_by_moderator: bool,
}

/// Why a log does not fold to a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FoldError {
    /// The program has no game of this name and version.
    #[error("this program does not play {game} in version {version}")]
    UnknownGame {
        /// The game's name.
        game: String,
        /// The version of the rules that the game began under.
        version: u32,
    },
    /// It has a form that this program does not know.
    #[error("its log has the form {0}, of a later version of postrider; install that one")]
    LaterFormat(String),
    /// The definition in the log no longer passes.
    #[error("the definition in the log: {0}")]
    Definition(#[from] NewGameError),
    /// A line of the log cannot be read.
    #[error("record {seq}: {damage}")]
    Damage {
        /// The number of the record that does not fold.
        seq: u32,
        /// What is wrong with it.
        damage: UnreadableData,
    },
    /// A line of the log is no record.
    #[error("line {seq} of the log is no record: {what}")]
    NoRecord {
        /// Which line, from 0.
        seq: u32,
        /// What the parser says.
        what: String,
    },
    /// The rules panicked over it, which is a fault of this program and of that game alone.
    #[error("the program failed on it")]
    RulesPanicked,
    /// The records' numbers do not follow each other.
    #[error("record {expected} is missing: {found} stands in its place")]
    Gap {
        /// The number that should come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
}

impl FoldError {
    /// The same as a clause of a letter.
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
    /// Founds a game: deals it and writes the first record.
    ///
    /// # Errors
    /// What is wrong with the definition, the options or the number of seats.
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
        table.append_record(Cause::Founded, events, dice.counter(), now);
        Ok(table)
    }

    /// Folds a log to its position. `lines` is the log: the founding, then the records.
    ///
    /// # Errors
    /// The first line that cannot be read, or a gap.
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
        }
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
        let seq = self.head() + 1;
        let record = Record::new(seq, now, cause, events, dice, &self.head_hash(), &self.chain);
        self.records.push(Arc::new(record));
    }

    fn dice(&self) -> Dice {
        Dice::new(&self.founding.seed, self.records.last().map_or(0, |record| record.dice))
    }

    /// What the game was founded with.
    pub fn founding(&self) -> &Founding {
        &self.founding
    }

    /// The game's position.
    pub fn game(&self) -> &dyn DynGame {
        &*self.game
    }

    /// The number of the last record; the founding is 0 and the deal is 1.
    pub fn head(&self) -> u32 {
        u32::try_from(self.records.len()).unwrap_or(u32::MAX)
    }

    /// The last record's hash, which stands in every letter.
    pub fn head_hash(&self) -> Hash {
        self.records.last().map_or_else(|| self.chain.genesis(&self.founding), |r| r.hash.clone())
    }

    /// All records, from the deal on.
    pub fn records(&self) -> &[Arc<Record>] {
        &self.records
    }

    /// The records after the one with number `seq`.
    pub fn records_since(&self, seq: u32) -> &[Arc<Record>] {
        self.records.get(seq as usize..).unwrap_or_default()
    }

    /// Whether one of the records after the one with number `since` takes the game back to before
    /// the one with number `seq`.
    pub(crate) fn was_rewound_past(&self, seq: u32, since: u32) -> bool {
        self.records_since(since).iter().any(|record| match record.cause {
            Cause::Rewound { to, .. } | Cause::Undone { to, .. } => to < seq,
            _ => false,
        })
    }

    /// Who must act now.
    pub fn turn(&self) -> Turn {
        if self.ended_by_moderator { Turn::Over } else { self.game.turn() }
    }

    /// Whether nobody must act any more.
    pub fn is_over(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// Who stands where.
    pub fn rankings(&self) -> Vec<Ranking> {
        self.game.rankings()
    }

    /// The table as it was after the record with number `seq`.
    ///
    /// # Errors
    /// Never for a table that folded before.
    pub fn at_record(&self, seq: u32) -> Result<Self, FoldError> {
        let mut past =
            Self::without_records(Arc::clone(&self.founding), Arc::clone(&self.initial_game));
        past.replay_records(self.records.iter().take(seq as usize).cloned().collect())?;
        Ok(past)
    }

    /// Takes the game back to where it was after record `to`. The dice go back too.
    ///
    /// # Errors
    /// When `to` is no earlier record that is still in force.
    pub(crate) fn rewind(
        &self,
        to: u32,
        by: Authority,
        reason: impl Into<Reason>,
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        let nowhere = || {
            Refusal::illegal(
                Message::new("rewind-nowhere").with("to", to).with("head", self.head()),
            )
        };
        let dice = records_in_force(&self.records)
            .into_iter()
            .find(|record| record.seq == to && to < self.head())
            .map(|record| record.dice)
            .ok_or_else(nowhere)?;
        let mut after = self.with_position_at(to).map_err(|_| nowhere())?;
        let reason = reason.into();
        after.append_record(Cause::Rewound { to, reason, by }, Vec::new(), dice, now);
        Ok(after)
    }

    /// Its whole log, with the position after record `to`, which is still in force: every event up
    /// to there passed when it was first folded.
    fn with_position_at(&self, to: u32) -> Result<Self, FoldError> {
        Ok(Self { records: self.records.clone(), ..self.at_record(to)? })
    }

    /// The record to which the game goes back when the last turn is undone: the one before the last
    /// that a player's orders or absence made, of those in force.
    pub(crate) fn record_before_last_turn(&self) -> Option<u32> {
        let line = records_in_force(&self.records);
        let last = line.iter().rposition(|record| seat_of_turn(record).is_some())?;
        line.get(last.checked_sub(1)?).map(|record| record.seq)
    }

    /// The first record in force after the one with number `seq` that a player's orders or absence
    /// made, and whose it is.
    pub(crate) fn first_turn_after(&self, seq: u32) -> Option<(u32, Seat)> {
        let line = records_in_force(&self.records);
        let mut later = line.into_iter().filter(|record| record.seq > seq);
        later.find_map(|record| Some((record.seq, seat_of_turn(record)?)))
    }

    /// Ends the game as it stands: the remedy for a game that does not end by itself.
    ///
    /// # Errors
    /// When it is over already.
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
        let dice = after.dice().counter();
        let reason = reason.into();
        after.append_record(Cause::Ended { reason, by }, Vec::new(), dice, now);
        after.ended_by_moderator = true;
        Ok(after)
    }

    /// Does what the game has for an absent player whose turn it is, after what he has ordered in
    /// secret.
    ///
    /// # Errors
    /// When the seat is not awaited, or the game refuses its own line.
    pub fn forfeit_turn(
        &self,
        seat: Seat,
        secret: &[String],
        now: DateTime<Utc>,
    ) -> Result<Self, Refusal> {
        self.turn().ensure_awaits(seat)?;
        let line = |game: &dyn DynGame| game.forfeit_line(seat);
        self.play_without_letter(
            seat,
            secret,
            line,
            |_| true,
            |lines| Cause::Absent { seat, lines },
            now,
        )
    }

    /// What a turn leaves unsaid stands in the log as if it had been said.
    fn play_implied_end(
        &mut self,
        seat: Seat,
        dice: &mut Dice,
    ) -> Result<Option<(String, LineOutcome)>, Refusal> {
        let line = self.game.implied_final_line(seat);
        line.map(|line| Ok((line.clone(), self.game.play_line(seat, &line, &[], dice)?)))
            .transpose()
    }

    /// The same table with what this viewer cannot know dealt anew, for the leak test.
    ///
    /// # Errors
    /// Never for a table that folded before.
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
                *event = other.game.redeal_event(event, viewer, dice)?;
            }
            *record = Arc::new(changed);
        }
        Ok(other)
    }

    /// The same table where chance brings something else from here on, for the leak test: nobody
    /// can know what has not been drawn.
    #[must_use]
    pub fn with_other_chance(&self, dice: &mut Dice) -> Self {
        let mut other = self.clone();
        if let Some(last) = other.records.last_mut() {
            let mut changed = Record::clone(last);
            changed.dice += 1 + u64::from(dice.below(1_000));
            *last = Arc::new(changed);
        }
        other
    }

    /// Which seat a record's orders came from.
    pub(crate) fn ordering_seat(record: &Record) -> Option<Seat> {
        match record.cause {
            Cause::Orders { seat, .. } => Some(seat),
            _ => None,
        }
    }
}

/// Whose turn a record is, if it is one.
fn seat_of_turn(record: &Record) -> Option<Seat> {
    match record.cause {
        Cause::Orders { seat, .. } | Cause::Absent { seat, .. } => Some(seat),
        Cause::Founded | Cause::Rewound { .. } | Cause::Undone { .. } | Cause::Ended { .. } => None,
    }
}

/// The records that rewinds have left in force, in order.
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
