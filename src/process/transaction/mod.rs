//! One commit in the making: the only unit of work, and the only way to the store.
//!
//! Letters, clocks, reminders, founding, campaigns, the command line: each begins a transaction,
//! reads and changes the club through it, and commits it. Nothing of it is true before the store
//! has taken all of it, and nothing is left of one that is dropped. A [`savepoint`] is a
//! transaction upon another one: what it led to is taken over as a whole, or not at all. So a
//! letter that fails half-way leaves nothing of itself, and something can be tried without being
//! done.
//!
//! Knows nothing of what letters say, nor to whom anything is told.
//!
//! [`savepoint`]: Transaction::savepoint

mod bulk_reads;
mod changes;
pub(crate) mod effect;
pub(crate) mod game_session;
pub(crate) mod rate_account;
mod reads;

#[cfg(test)]
mod tests;

use self::changes::Changes;
pub(crate) use self::changes::{
    PendingSeatUpdate, PendingUpdates, RecoveredMember, talk_count_key,
};
use crate::club::{ActivityEntry, ActivityEvent, GameInfo, Member};
use crate::mail::{LetterHash, PendingLetter};
use crate::process::context::{ClubError, Context};
use crate::process::request_error::RequestError;
use crate::process::transaction::effect::{Disposition, FileOutcome};
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat};
use crate::store::{Batch, Repository, SeenLetter, StoreError, TrackedStore, journal};
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The minutes of this number are the club's own: those of letters that are for no game.
pub(crate) const CLUB_ACTIVITY: u32 = 0;

/// How many games that are due go into one commit.
pub(crate) const GAMES_PER_COMMIT: usize = 200;

/// What became of the files of a transaction's letters.
#[derive(Debug, Default)]
pub struct CommittedFiles {
    /// Files whose letters were dealt with.
    pub dispositions: Vec<(PendingLetter, Disposition)>,
    /// Files whose letters an earlier commit dealt with: they are moved, and nothing else.
    pub done_earlier: Vec<(PendingLetter, FileOutcome)>,
}

/// How often something is decided before it is left to the next pass.
const MAX_ATTEMPTS: usize = 5;

/// Decides and commits by `attempt`, and anew when what it was decided on has changed meanwhile:
/// then nothing of it is done. An attempt ends with its commit.
///
/// # Errors
/// Those of the attempts; [`StoreError::Conflict`] when each came too late.
pub(crate) fn retry_on_conflict<T, E: MayConflict>(
    mut attempt: impl FnMut() -> Result<T, E>,
) -> Result<T, E> {
    for _ in 1..MAX_ATTEMPTS {
        match attempt() {
            Err(error) if error.is_conflict() => {}
            done => return done,
        }
    }
    attempt()
}

/// Why something was not done, which may be that it was decided on what has changed meanwhile.
pub(crate) trait MayConflict {
    /// Whether it was.
    fn is_conflict(&self) -> bool;
}

impl MayConflict for ClubError {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Store(StoreError::Conflict(_)))
    }
}

impl<R> MayConflict for RequestError<R> {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Internal(error) if error.is_conflict())
    }
}

/// One commit in the making.
pub struct Transaction<'a> {
    /// The club that it is for.
    pub(crate) context: &'a Context,
    /// The transaction that this one is a savepoint of.
    parent: Option<&'a Transaction<'a>>,
    changes: Changes,
    /// The store, and what this transaction and its savepoints have read of it: a decision rests on
    /// what was tried and left, too.
    store: Arc<TrackedStore<'a>>,
    /// When the letter came that is being read.
    pub letter_received_at: Option<DateTime<Utc>>,
}

impl<'a> Transaction<'a> {
    /// Begins a transaction: the club as it stands, to be read and changed.
    pub fn begin(context: &'a Context) -> Self {
        let store = Arc::new(TrackedStore::new(&*context.store));
        Self { context, parent: None, changes: Changes::default(), store, letter_received_at: None }
    }

    /// A transaction upon this one, which sees all that was decided in it.
    pub(crate) fn savepoint(&self) -> Transaction<'_> {
        let below: Option<&Transaction<'_>> = Some(self);
        let (context, store, received) =
            (self.context, self.store.clone(), self.letter_received_at);
        Transaction {
            context,
            parent: below,
            changes: Changes::default(),
            store,
            letter_received_at: received,
        }
    }

    /// Does some work in a savepoint, and takes over what it led to; nothing when it fails.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn run_in_savepoint<T, E>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut savepoint = self.savepoint();
        let done = work(&mut savepoint)?;
        let changes = savepoint.into_changes();
        self.merge_savepoint(changes);
        Ok(done)
    }

    /// What this transaction has decided, without those that it stands upon.
    pub(crate) fn into_changes(self) -> Changes {
        self.changes
    }

    /// Takes over what a savepoint of this transaction has decided.
    pub(crate) fn merge_savepoint(&mut self, changes: Changes) {
        self.changes.merge(changes);
    }

    /// Whether anything is decided in it.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes.has_any()
    }

    /// Gives all that was decided to the store, as one batch; durable when this returns.
    ///
    /// # Errors
    /// When the store cannot be read or written, or something that was read has changed meanwhile:
    /// then nothing of it is done.
    pub(crate) fn commit(mut self) -> Result<CommittedFiles, ClubError> {
        self.changes.fill_batch(&*self.store)?;
        self.context.store.commit(&self.changes.batch, self.store.read_set())?;
        let Changes { dispositions: fates, done_earlier: late, .. } = self.changes;
        Ok(CommittedFiles { dispositions: fates, done_earlier: late })
    }

    /// The same with what has happened already, as that letters were posted: it is true whatever
    /// has changed meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub(crate) fn commit_unchecked(mut self) -> Result<(), ClubError> {
        self.changes.fill_batch(&*self.store)?;
        Ok(self.context.store.write(&self.changes.batch)?)
    }

    /// Commits a transaction, then updates the plain text copy.
    ///
    /// # Errors
    /// When the store or the journal cannot be written.
    pub(crate) fn commit_and_journal(self) -> Result<CommittedFiles, ClubError> {
        let context = self.context;
        let committed = self.commit()?;
        write_journal(context)?;
        Ok(committed)
    }

    /// Opens a game anew from its log.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub(crate) fn load_game(&self, game: u32) -> Result<GameSession, ClubError> {
        let lines = self.log(game)?;
        journal::check_game_log(&self.context.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(ClubError::NoGame(game));
        }
        // One game's fault must stop no other.
        let fold = || Table::from_log(&self.context.openings, lines.iter().map(String::as_str));
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::RulesPanicked));
        let table = folded.map_err(|error| ClubError::BrokenGame { game, error })?;
        let lapses = self.room(game)?.next_expiry();
        Ok(GameSession::new(table, self.players(game)?, self.clock(game)?, lapses))
    }

    /// What the commit will write besides games, members and what is around games.
    pub(crate) fn batch_mut(&mut self) -> &mut Batch {
        &mut self.changes.batch
    }

    /// Notes when a game is to be looked at; never when there is no time.
    pub(crate) fn set_due_time(&mut self, due: (u32, Option<DateTime<Utc>>)) {
        self.changes.batch.due.push(due);
    }

    /// Returns the changes of this layer, then of those below it.
    fn layers(&self) -> impl Iterator<Item = &Changes> {
        std::iter::successors(Some(self), |tx| tx.parent).map(|tx| &tx.changes)
    }

    /// Returns the changes of the lowest layer first, so that later ones can replace them.
    fn layers_bottom_up(&self) -> impl Iterator<Item = &Changes> {
        let layers: Vec<&Changes> = self.layers().collect();
        layers.into_iter().rev()
    }

    /// Returns a game as it stands in here, and opens it if necessary.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub fn open_game(&mut self, game: u32) -> Result<&GameSession, ClubError> {
        if self.opened_game(game).is_none() {
            let session = self.load_game(game)?;
            self.changes.games.insert(game, session);
        }
        self.opened_game(game).ok_or(ClubError::NoGame(game))
    }

    /// Returns a game if it was opened here.
    pub fn opened_game(&self, game: u32) -> Option<&GameSession> {
        self.layers().find_map(|layer| layer.games.get(&game))
    }

    /// Returns a game to be changed, if it was opened here.
    pub(crate) fn opened_game_mut(&mut self, game: u32) -> Option<&mut GameSession> {
        if !self.changes.games.contains_key(&game) {
            let below = self.parent?.opened_game(game)?.clone();
            self.changes.games.insert(game, below);
        }
        self.changes.games.get_mut(&game)
    }

    /// Replaces a game.
    pub(crate) fn replace_game(&mut self, session: GameSession) {
        self.changes.games.insert(session.number(), session);
    }

    /// Takes a game out, to be changed and put in again.
    pub(crate) fn take_game(&mut self, game: u32) -> Option<GameSession> {
        self.changes.games.remove(&game).or_else(|| self.opened_game(game).cloned())
    }

    /// Returns the games that were opened, by number.
    fn opened_games(&self) -> impl Iterator<Item = &GameSession> {
        let numbers: BTreeSet<u32> =
            self.layers().flat_map(|layer| layer.games.keys().copied()).collect();
        numbers.into_iter().filter_map(|number| self.opened_game(number))
    }

    /// Returns what a game's players are told, if they are told anything.
    pub(crate) fn pending_updates(&self, game: u32) -> Option<&PendingUpdates> {
        self.layers().find_map(|layer| layer.updates.get(&game))
    }

    /// Returns what a game's players are told, to be changed, if they are told anything.
    pub(crate) fn existing_updates_mut(&mut self, game: u32) -> Option<&mut PendingUpdates> {
        if !self.changes.updates.contains_key(&game) {
            let below = self.parent?.pending_updates(game)?.clone();
            self.changes.updates.insert(game, below);
        }
        self.changes.updates.get_mut(&game)
    }

    /// Returns what a game's players are told, to be changed. From now on they are told of the
    /// game.
    pub(crate) fn pending_updates_mut(&mut self, game: u32) -> &mut PendingUpdates {
        let below = self.parent.and_then(|below| below.pending_updates(game));
        self.changes.updates.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    /// Returns the games that were moved, or around which something was said or done.
    pub(crate) fn games_with_updates(&self) -> BTreeSet<u32> {
        self.layers().flat_map(|layer| layer.updates.keys().copied()).collect()
    }

    /// Returns a game's room to be changed.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn game_info_mut(&mut self, game: u32) -> Result<&mut GameInfo, ClubError> {
        let room = self.changes.game_infos.remove(&game).map_or_else(|| self.room(game), Ok)?;
        Ok(self.changes.game_infos.entry(game).or_insert(room))
    }

    /// Replaces a game's room.
    pub(crate) fn replace_game_info(&mut self, game: u32, info: GameInfo) {
        self.changes.game_infos.insert(game, info);
    }

    /// Replaces a member, also in the games that were opened.
    pub(crate) fn update_member(&mut self, member: Member) {
        let sits =
            |session: &&GameSession| session.seats.iter().any(|(_, old)| old.id == member.id);
        let games: Vec<u32> = self.opened_games().filter(sits).map(GameSession::number).collect();
        for game in games {
            self.opened_game_mut(game)
                .into_iter()
                .for_each(|session| session.update_member(&member));
        }
        self.changes.members.insert(member.id, member);
    }

    /// Returns the members that were changed in here, as they are now.
    pub(crate) fn changed_members(&self) -> Vec<Member> {
        let changed = self.layers_bottom_up().flat_map(|layer| &layer.members);
        let changed: BTreeMap<&u32, &Member> = changed.collect();
        changed.into_values().cloned().collect()
    }

    /// Returns a member who can be reached again and is still to be told what they missed.
    pub(crate) fn recovered_member(&self, member: u32) -> Option<&RecoveredMember> {
        self.layers().find_map(|layer| layer.recovered.get(&member))
    }

    /// Notes that a member can be reached again.
    pub(crate) fn add_recovered_member(&mut self, member: u32, recovered: RecoveredMember) {
        self.changes.recovered.insert(member, recovered);
    }

    /// Takes out the members who can be reached again, who are told now what they missed.
    pub(crate) fn take_recovered_members(&mut self) -> Vec<RecoveredMember> {
        std::mem::take(&mut self.changes.recovered).into_values().collect()
    }

    /// Takes out what the moderator is to be told, which is told now.
    pub(crate) fn take_moderator_reports(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.changes.reports)
    }

    /// Tells a seat something at the head of a letter that this transaction leads to.
    pub(crate) fn notify_seat(&mut self, game: u32, seat: Seat, note: Message) {
        let updates = self.pending_updates_mut(game);
        updates.notes.push((seat, note));
        updates.urgent_seats.insert(seat);
    }

    /// Tells a seat something that may wait for the next letter, if the player wants few.
    pub(crate) fn notify_seat_later(&mut self, game: u32, seat: Seat, note: Message) {
        self.pending_updates_mut(game).notes.push((seat, note));
    }

    /// Adds an entry to a game's activity log.
    pub(crate) fn log_activity(&mut self, game: u32, what: ActivityEvent) {
        let at = self.context.now;
        self.new_activity_mut(game).push(ActivityEntry { at, event: what });
    }

    /// Returns the new entries of a game's activity log, to be changed.
    pub(crate) fn new_activity_mut(&mut self, game: u32) -> &mut Vec<ActivityEntry> {
        let below = self.parent.and_then(|below| below.new_activity(game));
        self.changes.activity.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    fn new_activity(&self, game: u32) -> Option<&Vec<ActivityEntry>> {
        self.layers().find_map(|layer| layer.activity.get(&game))
    }

    /// Notes that a letter, or something that is used once, was dealt with.
    pub(crate) fn mark_letter_seen(&mut self, digest: LetterHash, seen: SeenLetter) {
        self.changes.seen_letters.insert(*digest.as_bytes(), seen);
    }

    /// Tells the moderator something.
    pub(crate) fn report_to_moderator(&mut self, what: Message) {
        self.changes.reports.push(what);
    }

    /// Counts something that is limited in number.
    pub(crate) fn increment_count(&mut self, counted: String) {
        let now = self.context.now.timestamp();
        self.changes.counted.entry(counted).or_default().push(now);
    }

    /// Returns how often this was counted since a time, in earlier passes and in here.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn count_since(&self, what: &str, since: i64) -> Result<usize, ClubError> {
        // What was counted while the machine's clock was ahead limits nobody.
        let now = self.context.now.timestamp();
        let counted = self.answer_times_since(what, since)?.into_iter();
        Ok(counted.filter(|at| *at <= now).count())
    }
}

/// Opens a game as the store has it.
///
/// # Errors
/// When there is no such game, or its log does not fold.
pub fn open_game(context: &Context, game: u32) -> Result<GameSession, ClubError> {
    Transaction::begin(context).load_game(game)
}

/// Updates the plain text copy of all that was committed.
///
/// # Errors
/// When the journal cannot be written.
pub(crate) fn write_journal(context: &Context) -> Result<(), ClubError> {
    Ok(context.store.write_journal(&context.journal())?)
}
