//! A transaction: the only unit of work, and the only access to the store.
//!
//! Letters, clocks, reminders, foundings, campaigns and commands each begin a transaction, read and
//! change the club through it, and commit it. The store applies all changes at the commit or none.
//! Dropping a transaction discards its changes.
//!
//! A [savepoint] is a transaction on top of another one, whose changes are merged as a whole or
//! dropped. So a letter that fails half-way leaves no changes, and a change can be tried without
//! being made.
//!
//! Knows nothing of what letters say, nor of which reader gets which news.
//!
//! [savepoint]: Transaction::begin_savepoint

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
use crate::club::{ActivityEntry, ActivityEvent, GameInfo, Member, Moderator};
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

/// The game number that stands for the club itself. Its activity log has the entries about letters
/// that concern no game, and its info the names of invitees.
pub(crate) const CLUB_ACTIVITY: u32 = 0;

/// The number of games that one commit may change, if many games are due.
pub(crate) const GAMES_PER_COMMIT: usize = 200;

/// The files of a transaction's letters after its commit, to be moved.
#[derive(Debug, Default)]
pub struct CommittedFiles {
    /// The files of the letters that the transaction processed.
    pub dispositions: Vec<(PendingLetter, Disposition)>,
    /// The files of letters that an earlier commit had already processed. They are only moved.
    pub done_earlier: Vec<(PendingLetter, FileOutcome)>,
}

/// The number of tries for a decision whose commit is refused because of a conflict. After that,
/// the next pass decides it.
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

/// An error that may be a conflict: the store refused a commit because a row that the transaction
/// had read has changed since.
pub(crate) trait MayConflict {
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
    /// The moderator whose letter is being processed. Otherwise the first one of `club.yaml`.
    pub(crate) moderator: &'a Moderator,
}

impl<'a> Transaction<'a> {
    /// Begins a transaction on the club as it is in the store now.
    pub fn begin(context: &'a Context) -> Self {
        let store = Arc::new(TrackedStore::new(&*context.store));
        Self {
            context,
            parent: None,
            changes: Changes::default(),
            store,
            letter_received_at: None,
            moderator: &context.settings.moderators.first,
        }
    }

    /// Begins a transaction on top of this one, which sees this one's changes. Its own changes
    /// count only if they are merged.
    pub(crate) fn begin_savepoint(&self) -> Transaction<'_> {
        let below: Option<&Transaction<'_>> = Some(self);
        let (context, store, received) =
            (self.context, self.store.clone(), self.letter_received_at);
        Transaction {
            context,
            parent: below,
            changes: Changes::default(),
            store,
            letter_received_at: received,
            moderator: self.moderator,
        }
    }

    /// Runs `work` in a savepoint and merges the savepoint's changes. If `work` fails, drops them.
    pub(crate) fn run_in_savepoint<T, E>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut savepoint = self.begin_savepoint();
        let done = work(&mut savepoint)?;
        let changes = savepoint.into_changes();
        self.merge_savepoint(changes);
        Ok(done)
    }

    /// Returns the changes of this transaction, without those of the transaction below a savepoint.
    pub(crate) fn into_changes(self) -> Changes {
        self.changes
    }

    /// Adds the changes of a savepoint to this transaction.
    pub(crate) fn merge_savepoint(&mut self, changes: Changes) {
        self.changes.merge(changes);
    }

    /// Whether this transaction has changes of its own to commit or merge.
    pub(crate) fn has_changes(&self) -> bool {
        self.changes.has_anything_to_commit()
    }

    /// Writes all changes to the store as one batch. They are durable when this returns.
    ///
    /// If another process has changed a row that was read, returns a conflict and writes nothing.
    pub(crate) fn commit(mut self) -> Result<CommittedFiles, ClubError> {
        self.changes.collect_into_batch(&*self.store)?;
        self.context.store.commit(&self.changes.batch, self.store.read_set())?;
        let Changes { dispositions: fates, done_earlier: late, .. } = self.changes;
        Ok(CommittedFiles { dispositions: fates, done_earlier: late })
    }

    /// Commits without checking whether other processes have changed the rows that were read. This
    /// is for events that have already happened, such as posted letters.
    pub(crate) fn commit_without_conflict_check(mut self) -> Result<(), ClubError> {
        self.changes.collect_into_batch(&*self.store)?;
        Ok(self.context.store.write_without_conflict_check(&self.changes.batch)?)
    }

    /// Commits the transaction, then updates the plain text journal.
    pub(crate) fn commit_and_journal(self) -> Result<CommittedFiles, ClubError> {
        let context = self.context;
        let committed = self.commit()?;
        update_journal(context)?;
        Ok(committed)
    }

    /// Loads a game by replaying its log. Fails if there is no such game or its log cannot be
    /// replayed.
    pub(crate) fn load_game(&self, game: u32) -> Result<GameSession, ClubError> {
        let lines = self.game_log_lines(game)?;
        journal::check_log_not_behind_journal(&self.context.journal_folder(), game, &lines)?;
        if lines.is_empty() {
            return Err(ClubError::NoGame(game));
        }
        // A panic in one game's rules must not stop other games.
        let fold = || Table::from_log(&self.context.openings, lines.iter().map(String::as_str));
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::RulesPanicked));
        let table = folded.map_err(|error| ClubError::BrokenGame { game, error })?;
        let table = table.with_phrases(self.context.library.phrases());
        let (seats, clock) = (self.seats_with_members(game)?, self.clock(game)?);
        Ok(GameSession::new(table, seats, clock, &self.game_info(game)?))
    }

    /// Returns the batch that the commit will write, to add changes that have no method here.
    pub(crate) fn batch_mut(&mut self) -> &mut Batch {
        &mut self.changes.batch
    }

    /// Sets the game number and the time at which a pass must check the game next; `None` means
    /// never.
    pub(crate) fn set_due_time(&mut self, due: (u32, Option<DateTime<Utc>>)) {
        self.changes.batch.due.push(due);
    }

    /// Returns the changes of this transaction, then of the transactions below it.
    fn changes_by_layer(&self) -> impl Iterator<Item = &Changes> {
        std::iter::successors(Some(self), |tx| tx.parent).map(|tx| &tx.changes)
    }

    /// Returns the changes of this transaction and those below it, lowest first, so that later ones
    /// can replace earlier ones.
    fn changes_lowest_first(&self) -> impl Iterator<Item = &Changes> {
        let layers: Vec<&Changes> = self.changes_by_layer().collect();
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

    /// Returns a game with this transaction's changes, if the transaction has opened it.
    pub fn opened_game(&self, game: u32) -> Option<&GameSession> {
        self.changes_by_layer().find_map(|layer| layer.games.get(&game))
    }

    /// Returns a mutable reference to an open game. A savepoint changes its own copy.
    pub(crate) fn opened_game_mut(&mut self, game: u32) -> Option<&mut GameSession> {
        if !self.changes.games.contains_key(&game) {
            let below = self.parent?.opened_game(game)?.clone();
            self.changes.games.insert(game, below);
        }
        self.changes.games.get_mut(&game)
    }

    pub(crate) fn put_back_game(&mut self, session: GameSession) {
        self.changes.games.insert(session.game_number(), session);
    }

    /// Takes an open game out of this transaction. The caller changes it and puts it back with
    /// [`Transaction::put_back_game`].
    pub(crate) fn take_game(&mut self, game: u32) -> Option<GameSession> {
        self.changes.games.remove(&game).or_else(|| self.opened_game(game).cloned())
    }

    /// Returns the games that this transaction has opened, by number.
    fn opened_games(&self) -> impl Iterator<Item = &GameSession> {
        let numbers: BTreeSet<u32> =
            self.changes_by_layer().flat_map(|layer| layer.games.keys().copied()).collect();
        numbers.into_iter().filter_map(|number| self.opened_game(number))
    }

    /// Returns the updates that a game's players will get with this commit, if there are any.
    pub(crate) fn pending_updates(&self, game: u32) -> Option<&PendingUpdates> {
        self.changes_by_layer().find_map(|layer| layer.updates.get(&game))
    }

    /// Returns a mutable reference to the updates that a game's players will get with this commit,
    /// if there are any.
    pub(crate) fn pending_updates_if_any_mut(&mut self, game: u32) -> Option<&mut PendingUpdates> {
        if !self.changes.updates.contains_key(&game) {
            let below = self.parent?.pending_updates(game)?.clone();
            self.changes.updates.insert(game, below);
        }
        self.changes.updates.get_mut(&game)
    }

    /// Returns a mutable reference to the updates that a game's players will get with this commit.
    /// Creates empty updates if there are none, so that the commit looks for news of the game.
    pub(crate) fn pending_updates_mut(&mut self, game: u32) -> &mut PendingUpdates {
        let below = self.parent.and_then(|below| below.pending_updates(game));
        self.changes.updates.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    /// Returns the games with updates for their players: those with new records, messages, votes or
    /// interventions.
    pub(crate) fn games_with_updates(&self) -> BTreeSet<u32> {
        self.changes_by_layer().flat_map(|layer| layer.updates.keys().copied()).collect()
    }

    /// Returns a mutable reference to a game's info: its name, terms, observers, open votes and
    /// other data besides the log.
    pub(crate) fn game_info_mut(&mut self, game: u32) -> Result<&mut GameInfo, ClubError> {
        let room =
            self.changes.game_infos.remove(&game).map_or_else(|| self.game_info(game), Ok)?;
        Ok(self.changes.game_infos.entry(game).or_insert(room))
    }

    pub(crate) fn replace_game_info(&mut self, game: u32, info: GameInfo) {
        self.changes.game_infos.insert(game, info);
    }

    /// Replaces a member in this transaction, also in the games that it has opened.
    pub(crate) fn update_member(&mut self, member: Member) {
        let sits =
            |session: &&GameSession| session.seats.iter().any(|(_, old)| old.id == member.id);
        let games: Vec<u32> =
            self.opened_games().filter(sits).map(GameSession::game_number).collect();
        for game in games {
            self.opened_game_mut(game)
                .into_iter()
                .for_each(|session| session.replace_member_in_seats(&member));
        }
        self.changes.members.insert(member.id, member);
    }

    /// Returns the members that this transaction has changed, in their new state.
    pub(crate) fn changed_members(&self) -> Vec<Member> {
        let changed = self.changes_lowest_first().flat_map(|layer| &layer.members);
        let changed: BTreeMap<&u32, &Member> = changed.collect();
        changed.into_values().cloned().collect()
    }

    /// Returns a member who is reachable again and whose missed news is not queued yet.
    pub(crate) fn recovered_member(&self, member: u32) -> Option<&RecoveredMember> {
        self.changes_by_layer().find_map(|layer| layer.recovered.get(&member))
    }

    /// Notes that a member is reachable again, so that the commit queues their missed news.
    pub(crate) fn add_recovered_member(&mut self, member: u32, recovered: RecoveredMember) {
        self.changes.recovered.insert(member, recovered);
    }

    /// Takes the list of members who are reachable again out of the transaction, to queue their
    /// missed news.
    pub(crate) fn take_recovered_members(&mut self) -> Vec<RecoveredMember> {
        std::mem::take(&mut self.changes.recovered).into_values().collect()
    }

    /// Takes the reports to the moderator out of the transaction, to queue them in a letter.
    pub(crate) fn take_moderator_reports(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.changes.reports)
    }

    /// Adds a note to the top of the letter that a seat gets with this commit. The letter does not
    /// wait for a digest.
    pub(crate) fn add_urgent_seat_note(&mut self, game: u32, seat: Seat, note: Message) {
        let updates = self.pending_updates_mut(game);
        updates.notes.push((seat, note));
        updates.urgent_seats.insert(seat);
    }

    /// Adds a note to the next letter to a seat. The note may wait for that letter if the player
    /// wants few letters.
    pub(crate) fn add_seat_note(&mut self, game: u32, seat: Seat, note: Message) {
        self.pending_updates_mut(game).notes.push((seat, note));
    }

    /// Adds an entry to a game's activity log, dated now.
    pub(crate) fn log_activity(&mut self, game: u32, what: ActivityEvent) {
        let at = self.context.now;
        self.new_activity_mut(game).push(ActivityEntry { at, event: what });
    }

    /// Returns a mutable reference to the entries that this transaction adds to a game's activity
    /// log.
    pub(crate) fn new_activity_mut(&mut self, game: u32) -> &mut Vec<ActivityEntry> {
        let below = self.parent.and_then(|below| below.added_activity(game));
        self.changes.activity.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    fn added_activity(&self, game: u32) -> Option<&Vec<ActivityEntry>> {
        self.changes_by_layer().find_map(|layer| layer.activity.get(&game))
    }

    /// Marks a letter as processed, so that it is not processed again. Also marks other things that
    /// may happen only once, such as a consent.
    pub(crate) fn mark_as_processed(&mut self, digest: LetterHash, seen: SeenLetter) {
        self.changes.seen_letters.insert(*digest.as_bytes(), seen);
    }

    /// Notes that the letter with this Message-ID answers the letters with these digests, which are
    /// in hexadecimal digits. Letters that no member wrote are left out.
    pub(crate) fn note_answer(
        &mut self,
        digests: &[String],
        message_id: &str,
    ) -> Result<(), StoreError> {
        for digest in digests.iter().filter_map(|digest| LetterHash::parse(digest)) {
            let Some(mut seen) = self.letter_outcome(digest.as_bytes())? else { continue };
            if let Some(own) = &mut seen.of_member {
                own.answer = Some(message_id.to_owned());
                self.mark_as_processed(digest, seen);
            }
        }
        Ok(())
    }

    /// Adds a sentence to the note that the moderator gets with this commit.
    pub(crate) fn report_to_moderator(&mut self, what: Message) {
        self.changes.reports.push(what);
    }

    /// Adds one to a counter of the store, such as a rate account, at the current time.
    pub(crate) fn increment_count(&mut self, counted: String) {
        let now = self.context.now.timestamp();
        self.changes.counted.entry(counted).or_default().push(now);
    }

    /// Returns the number of counts of a counter since a time in Unix seconds, including those of
    /// this transaction.
    pub(crate) fn count_events_since(&self, what: &str, since: i64) -> Result<usize, ClubError> {
        // Later times are ignored. They were counted while the machine's clock was fast, and must
        // not use up a limit.
        let now = self.context.now.timestamp();
        let counted = self.event_times_since(what, since)?.into_iter();
        Ok(counted.filter(|at| *at <= now).count())
    }
}

/// Loads a game as it is in the store.
///
/// # Errors
/// If there is no such game, or its log cannot be replayed.
pub fn load_stored_game(context: &Context, game: u32) -> Result<GameSession, ClubError> {
    Transaction::begin(context).load_game(game)
}

/// Updates the plain text journal with everything that was committed.
pub(crate) fn update_journal(context: &Context) -> Result<(), ClubError> {
    Ok(context.store.update_journal(&context.journal_folder())?)
}
