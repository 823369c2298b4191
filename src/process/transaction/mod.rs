//! A transaction: the only unit of work, and the only access to the store.
//!
//! Letters, clocks, reminders, foundings, campaigns and commands each begin a transaction, read and
//! change the club through it, and commit it. The store applies all changes at the commit or none.
//! Dropping a transaction discards its changes.
//!
//! A [`savepoint`] is a transaction on top of another one, whose changes are merged as a whole or
//! dropped. So a letter that fails half-way leaves no changes, and a change can be tried without
//! being made.
//!
//! Knows nothing of what letters say, and which readers get which news.
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

/// The game number under which the activity log keeps entries about letters that concern no game.
pub(crate) const CLUB_ACTIVITY: u32 = 0;

/// The number of due games that are handled in one commit.
pub(crate) const GAMES_PER_COMMIT: usize = 200;

/// The files of a transaction's letters, after its commit.
#[derive(Debug, Default)]
pub struct CommittedFiles {
    /// The files of the letters that the transaction processed.
    pub dispositions: Vec<(PendingLetter, Disposition)>,
    /// The files of letters that an earlier commit had already processed. They are only moved.
    pub done_earlier: Vec<(PendingLetter, FileOutcome)>,
}

/// The number of tries before a conflicting piece of work is left to the next pass.
const MAX_ATTEMPTS: usize = 5;

/// Calls `attempt`, which decides something and commits it. Repeats it if its commit is refused
/// because another process has changed a row that it read. A refused commit changes nothing.
///
/// Gives up after [`MAX_ATTEMPTS`] conflicts and returns [`StoreError::Conflict`].
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

/// An error that may be a conflict: a refused commit, because a row that was read has changed
/// since.
pub(crate) trait MayConflict {
    /// Whether the error is such a conflict.
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

/// The changes for one commit, and the club as it is with them.
pub struct Transaction<'a> {
    pub(crate) context: &'a Context,
    /// The transaction on which this savepoint is based, or `None` for a whole transaction.
    parent: Option<&'a Transaction<'a>>,
    changes: Changes,
    /// The store, with the rows that this transaction and its savepoints have read. Dropped
    /// savepoints count too, because the decision to drop them depends on their reads.
    store: Arc<TrackedStore<'a>>,
    /// When the letter arrived that is being processed.
    pub letter_received_at: Option<DateTime<Utc>>,
}

impl<'a> Transaction<'a> {
    /// Begins a transaction without changes.
    pub fn begin(context: &'a Context) -> Self {
        let store = Arc::new(TrackedStore::new(&*context.store));
        Self { context, parent: None, changes: Changes::default(), store, letter_received_at: None }
    }

    /// Begins a transaction on top of this one, which sees its changes.
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

    /// Does `work` in a savepoint and merges its changes. If `work` fails, its changes are dropped.
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

    /// Returns the changes of this layer alone.
    pub(crate) fn into_changes(self) -> Changes {
        self.changes
    }

    /// Merges the changes of a savepoint of this transaction.
    pub(crate) fn merge_savepoint(&mut self, changes: Changes) {
        self.changes.merge(changes);
    }

    /// Whether this layer has changes.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes.has_any()
    }

    /// Writes all changes to the store as one batch. They are durable when this returns.
    ///
    /// If another process has changed a row that was read, returns a conflict and writes nothing.
    pub(crate) fn commit(mut self) -> Result<CommittedFiles, ClubError> {
        self.changes.fill_batch(&*self.store)?;
        self.context.store.commit(&self.changes.batch, self.store.read_set())?;
        let Changes { dispositions: fates, done_earlier: late, .. } = self.changes;
        Ok(CommittedFiles { dispositions: fates, done_earlier: late })
    }

    /// Like [`Transaction::commit`], without checking for conflicts. For events that have already
    /// happened, such as posted letters.
    pub(crate) fn commit_unchecked(mut self) -> Result<(), ClubError> {
        self.changes.fill_batch(&*self.store)?;
        Ok(self.context.store.write(&self.changes.batch)?)
    }

    /// Commits the transaction, then updates the plain text journal.
    pub(crate) fn commit_and_journal(self) -> Result<CommittedFiles, ClubError> {
        let context = self.context;
        let committed = self.commit()?;
        write_journal(context)?;
        Ok(committed)
    }

    /// Loads a game from its log, without the changes of this transaction to its sessions. Fails if
    /// there is no such game or its log cannot be replayed.
    pub(crate) fn load_game(&self, game: u32) -> Result<GameSession, ClubError> {
        let lines = self.log(game)?;
        journal::check_game_log(&self.context.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(ClubError::NoGame(game));
        }
        // Loads a game by replaying its log. Fails if there is no such game or its log cannot be
        // replayed.
        let fold = || Table::from_log(&self.context.openings, lines.iter().map(String::as_str));
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::RulesPanicked));
        let table = folded.map_err(|error| ClubError::BrokenGame { game, error })?;
        let lapses = self.room(game)?.next_expiry();
        Ok(GameSession::new(table, self.players(game)?, self.clock(game)?, lapses))
    }

    /// Returns the batch for changes other than to games, members and game info.
    pub(crate) fn batch_mut(&mut self) -> &mut Batch {
        &mut self.changes.batch
    }

    /// Sets the time at which a pass must check a game, or removes it with `None`.
    pub(crate) fn set_due_time(&mut self, due: (u32, Option<DateTime<Utc>>)) {
        self.changes.batch.due.push(due);
    }

    /// Returns the changes of this layer, then of the layers below it.
    fn layers(&self) -> impl Iterator<Item = &Changes> {
        std::iter::successors(Some(self), |tx| tx.parent).map(|tx| &tx.changes)
    }

    /// Returns the changes of all layers, lowest first, so that later ones can replace earlier
    /// ones.
    fn layers_bottom_up(&self) -> impl Iterator<Item = &Changes> {
        let layers: Vec<&Changes> = self.layers().collect();
        layers.into_iter().rev()
    }

    /// Returns a game with this transaction's changes. Loads it if it is not open yet.
    ///
    /// # Errors
    /// If there is no such game, or its log cannot be replayed.
    pub fn open_game(&mut self, game: u32) -> Result<&GameSession, ClubError> {
        if self.opened_game(game).is_none() {
            let session = self.load_game(game)?;
            self.changes.games.insert(game, session);
        }
        self.opened_game(game).ok_or(ClubError::NoGame(game))
    }

    /// Returns a game with this transaction's changes, if it was opened in it.
    pub fn opened_game(&self, game: u32) -> Option<&GameSession> {
        self.layers().find_map(|layer| layer.games.get(&game))
    }

    /// Returns an open game for changes. A savepoint changes its own copy.
    pub(crate) fn opened_game_mut(&mut self, game: u32) -> Option<&mut GameSession> {
        if !self.changes.games.contains_key(&game) {
            let below = self.parent?.opened_game(game)?.clone();
            self.changes.games.insert(game, below);
        }
        self.changes.games.get_mut(&game)
    }

    pub(crate) fn replace_game(&mut self, session: GameSession) {
        self.changes.games.insert(session.number(), session);
    }

    /// Removes an open game from this layer for changes. The caller puts it back with
    /// [`Transaction::replace_game`].
    pub(crate) fn take_game(&mut self, game: u32) -> Option<GameSession> {
        self.changes.games.remove(&game).or_else(|| self.opened_game(game).cloned())
    }

    /// Returns the open games, by number.
    fn opened_games(&self) -> impl Iterator<Item = &GameSession> {
        let numbers: BTreeSet<u32> =
            self.layers().flat_map(|layer| layer.games.keys().copied()).collect();
        numbers.into_iter().filter_map(|number| self.opened_game(number))
    }

    /// Returns the pending updates for a game's players, if there are any.
    pub(crate) fn pending_updates(&self, game: u32) -> Option<&PendingUpdates> {
        self.layers().find_map(|layer| layer.updates.get(&game))
    }

    /// Returns the pending updates for a game's players for changes, if there are any.
    pub(crate) fn existing_updates_mut(&mut self, game: u32) -> Option<&mut PendingUpdates> {
        if !self.changes.updates.contains_key(&game) {
            let below = self.parent?.pending_updates(game)?.clone();
            self.changes.updates.insert(game, below);
        }
        self.changes.updates.get_mut(&game)
    }

    /// Returns the pending updates for a game's players for changes. Creates them if there are
    /// none, so that the game counts as updated.
    pub(crate) fn pending_updates_mut(&mut self, game: u32) -> &mut PendingUpdates {
        let below = self.parent.and_then(|below| below.pending_updates(game));
        self.changes.updates.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    /// Returns the games that have moved, or have new messages or interventions.
    pub(crate) fn games_with_updates(&self) -> BTreeSet<u32> {
        self.layers().flat_map(|layer| layer.updates.keys().copied()).collect()
    }

    /// Returns a game's info for changes.
    pub(crate) fn game_info_mut(&mut self, game: u32) -> Result<&mut GameInfo, ClubError> {
        let room = self.changes.game_infos.remove(&game).map_or_else(|| self.room(game), Ok)?;
        Ok(self.changes.game_infos.entry(game).or_insert(room))
    }

    pub(crate) fn replace_game_info(&mut self, game: u32, info: GameInfo) {
        self.changes.game_infos.insert(game, info);
    }

    /// Changes a member, also in the open games.
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

    /// Returns the changed members in their new state.
    pub(crate) fn changed_members(&self) -> Vec<Member> {
        let changed = self.layers_bottom_up().flat_map(|layer| &layer.members);
        let changed: BTreeMap<&u32, &Member> = changed.collect();
        changed.into_values().cloned().collect()
    }

    /// Returns a member who is reachable again and whose missed news is not queued yet.
    pub(crate) fn recovered_member(&self, member: u32) -> Option<&RecoveredMember> {
        self.layers().find_map(|layer| layer.recovered.get(&member))
    }

    /// Notes that a member is reachable again, so that the commit queues their missed news.
    pub(crate) fn add_recovered_member(&mut self, member: u32, recovered: RecoveredMember) {
        self.changes.recovered.insert(member, recovered);
    }

    /// Removes and returns the members who are reachable again, to queue their missed news.
    pub(crate) fn take_recovered_members(&mut self) -> Vec<RecoveredMember> {
        std::mem::take(&mut self.changes.recovered).into_values().collect()
    }

    /// Removes and returns the reports to the moderator, to queue them.
    pub(crate) fn take_moderator_reports(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.changes.reports)
    }

    /// Adds a note to the head of a seat's next letter, which leaves at once.
    pub(crate) fn notify_seat(&mut self, game: u32, seat: Seat, note: Message) {
        let updates = self.pending_updates_mut(game);
        updates.notes.push((seat, note));
        updates.urgent_seats.insert(seat);
    }

    /// Adds a note to a seat's next letter. The note may wait if the player wants few letters.
    pub(crate) fn notify_seat_later(&mut self, game: u32, seat: Seat, note: Message) {
        self.pending_updates_mut(game).notes.push((seat, note));
    }

    /// Adds an entry to a game's activity log.
    pub(crate) fn log_activity(&mut self, game: u32, what: ActivityEvent) {
        let at = self.context.now;
        self.new_activity_mut(game).push(ActivityEntry { at, event: what });
    }

    /// Returns the new entries of a game's activity log for changes.
    pub(crate) fn new_activity_mut(&mut self, game: u32) -> &mut Vec<ActivityEntry> {
        let below = self.parent.and_then(|below| below.new_activity(game));
        self.changes.activity.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    fn new_activity(&self, game: u32) -> Option<&Vec<ActivityEntry>> {
        self.layers().find_map(|layer| layer.activity.get(&game))
    }

    /// Marks a letter, or something that may be used once, as seen.
    pub(crate) fn mark_letter_seen(&mut self, digest: LetterHash, seen: SeenLetter) {
        self.changes.seen_letters.insert(*digest.as_bytes(), seen);
    }

    /// Adds a report to the moderator.
    pub(crate) fn report_to_moderator(&mut self, what: Message) {
        self.changes.reports.push(what);
    }

    /// Adds one to the counter with this key, at the current time.
    pub(crate) fn increment_count(&mut self, counted: String) {
        let now = self.context.now.timestamp();
        self.changes.counted.entry(counted).or_default().push(now);
    }

    /// Returns the counter with this key since a time in Unix seconds, with the counts of this
    /// transaction.
    pub(crate) fn count_since(&self, what: &str, since: i64) -> Result<usize, ClubError> {
        // Later times are ignored. They were counted while the machine's clock was fast, and must
        // not use up a limit.
        let now = self.context.now.timestamp();
        let counted = self.answer_times_since(what, since)?.into_iter();
        Ok(counted.filter(|at| *at <= now).count())
    }
}

/// Loads a game as it is in the store.
///
/// # Errors
/// If there is no such game, or its log cannot be replayed.
pub fn open_game(context: &Context, game: u32) -> Result<GameSession, ClubError> {
    Transaction::begin(context).load_game(game)
}

/// Updates the plain text journal with everything that was committed.
pub(crate) fn write_journal(context: &Context) -> Result<(), ClubError> {
    Ok(context.store.write_journal(&context.journal())?)
}
