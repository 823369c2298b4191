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

pub(crate) mod account;
mod bulk;
mod changes;
pub(crate) mod effect;
pub(crate) mod game_session;
mod reads;

#[cfg(test)]
mod tests;

use self::changes::Changes;
pub(crate) use self::changes::{Back, Movers, ToMover, talk_counter};
use crate::club::{ActivityEntry, GameRoom, Happening, Member};
use crate::mail::{LetterHash, Waiting};
use crate::process::blame::Blame;
use crate::process::context::{ClubError, Context};
use crate::process::transaction::effect::{Disposition, Fate};
use crate::process::transaction::game_session::GameSession;
use crate::rules::{Message, Seat};
use crate::store::{Batch, Repository, SeenLetter, StoreError, Tracked, journal};
use crate::table::{FoldError, Table};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The minutes of this number are the club's own: those of letters that are for no game.
pub(crate) const CLUB: u32 = 0;

/// How many games that are due go into one commit.
pub(crate) const GAMES_A_COMMIT: usize = 200;

/// What became of the files of a transaction's letters.
#[derive(Debug, Default)]
pub struct Committed {
    /// Files whose letters were dealt with.
    pub fates: Vec<(Waiting, Disposition)>,
    /// Files whose letters an earlier commit dealt with: they are moved, and nothing else.
    pub late: Vec<(Waiting, Fate)>,
}

/// How often something is decided before it is left to the next pass.
const ATTEMPTS: usize = 5;

/// Decides and commits by `attempt`, and anew when what it was decided on has changed meanwhile:
/// then nothing of it is done. An attempt ends with its commit.
///
/// # Errors
/// Those of the attempts; [`StoreError::Conflict`] when each came too late.
pub(crate) fn retry<T, E: MayConflict>(mut attempt: impl FnMut() -> Result<T, E>) -> Result<T, E> {
    for _ in 1..ATTEMPTS {
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

impl<R> MayConflict for Blame<R> {
    fn is_conflict(&self) -> bool {
        matches!(self, Self::Ours(error) if error.is_conflict())
    }
}

/// One commit in the making.
pub struct Transaction<'a> {
    /// The club that it is for.
    pub(crate) context: &'a Context,
    /// The transaction that this one is a savepoint of.
    below: Option<&'a Transaction<'a>>,
    own: Changes,
    /// The store, and what this transaction and its savepoints have read of it: a decision rests on
    /// what was tried and left, too.
    store: Arc<Tracked<'a>>,
    /// When the letter came that is being read.
    pub received: Option<DateTime<Utc>>,
}

impl<'a> Transaction<'a> {
    /// Begins a transaction: the club as it stands, to be read and changed.
    pub fn begin(context: &'a Context) -> Self {
        let store = Arc::new(Tracked::new(&*context.store));
        Self { context, below: None, own: Changes::default(), store, received: None }
    }

    /// A transaction upon this one, which sees all that was decided in it.
    pub(crate) fn savepoint(&self) -> Transaction<'_> {
        let below: Option<&Transaction<'_>> = Some(self);
        let (context, store, received) = (self.context, self.store.clone(), self.received);
        Transaction { context, below, own: Changes::default(), store, received }
    }

    /// Does some work in a savepoint, and takes over what it led to; nothing when it fails.
    ///
    /// # Errors
    /// Those of the work.
    pub(crate) fn in_savepoint<T, E>(
        &mut self,
        work: impl FnOnce(&mut Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut upon = self.savepoint();
        let done = work(&mut upon)?;
        let changes = upon.into_changes();
        self.absorb(changes);
        Ok(done)
    }

    /// What this transaction has decided, without those that it stands upon.
    pub(crate) fn into_changes(self) -> Changes {
        self.own
    }

    /// Takes over what a savepoint of this transaction has decided.
    pub(crate) fn absorb(&mut self, changes: Changes) {
        self.own.absorb(changes);
    }

    /// Whether anything is decided in it.
    pub(crate) fn has_changes(&self) -> bool {
        self.own.are_some()
    }

    /// Gives all that was decided to the store, as one batch; durable when this returns.
    ///
    /// # Errors
    /// When the store cannot be read or written, or something that was read has changed meanwhile:
    /// then nothing of it is done.
    pub(crate) fn commit(mut self) -> Result<Committed, ClubError> {
        self.own.settle(&*self.store)?;
        self.context.store.commit(&self.own.batch, self.store.read())?;
        let Changes { fates, late, .. } = self.own;
        Ok(Committed { fates, late })
    }

    /// The same with what has happened already, as that letters were posted: it is true whatever
    /// has changed meanwhile.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub(crate) fn record(mut self) -> Result<(), ClubError> {
        self.own.settle(&*self.store)?;
        Ok(self.context.store.write(&self.own.batch)?)
    }

    /// Commits a transaction, then updates the plain text copy.
    ///
    /// # Errors
    /// When the store or the journal cannot be written.
    pub(crate) fn keep(self) -> Result<Committed, ClubError> {
        let context = self.context;
        let committed = self.commit()?;
        copy_out(context)?;
        Ok(committed)
    }

    /// Opens a game anew from its log.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub(crate) fn open(&self, game: u32) -> Result<GameSession, ClubError> {
        let lines = self.log(game)?;
        journal::has_all_of(&self.context.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(ClubError::NoGame(game));
        }
        // One game's fault must stop no other.
        let fold = || Table::fold(&self.context.openings, lines.iter().map(String::as_str));
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::Failed));
        let table = folded.map_err(|error| ClubError::BrokenGame { game, error })?;
        let lapses = self.room(game)?.lapses();
        Ok(GameSession::new(table, self.players(game)?, self.clock(game)?, lapses))
    }

    /// What the commit will write besides games, members and what is around games.
    pub(crate) fn write(&mut self) -> &mut Batch {
        &mut self.own.batch
    }

    /// Notes when a game is to be looked at; never when there is no time.
    pub(crate) fn set_due(&mut self, due: (u32, Option<DateTime<Utc>>)) {
        self.own.batch.due.push(due);
    }

    /// Returns the changes of this layer, then of those below it.
    fn layers(&self) -> impl Iterator<Item = &Changes> {
        std::iter::successors(Some(self), |tx| tx.below).map(|tx| &tx.own)
    }

    /// Returns the changes of the lowest layer first, so that later ones can replace them.
    fn layers_upwards(&self) -> impl Iterator<Item = &Changes> {
        let layers: Vec<&Changes> = self.layers().collect();
        layers.into_iter().rev()
    }

    /// Returns a game as it stands in here, and opens it if necessary.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub fn session(&mut self, game: u32) -> Result<&GameSession, ClubError> {
        if self.game(game).is_none() {
            let session = self.open(game)?;
            self.own.games.insert(game, session);
        }
        self.game(game).ok_or(ClubError::NoGame(game))
    }

    /// Returns a game if it was opened here.
    pub fn game(&self, game: u32) -> Option<&GameSession> {
        self.layers().find_map(|layer| layer.games.get(&game))
    }

    /// Returns a game to be changed, if it was opened here.
    pub(crate) fn game_mut(&mut self, game: u32) -> Option<&mut GameSession> {
        if !self.own.games.contains_key(&game) {
            let below = self.below?.game(game)?.clone();
            self.own.games.insert(game, below);
        }
        self.own.games.get_mut(&game)
    }

    /// Replaces a game.
    pub(crate) fn put_game(&mut self, session: GameSession) {
        self.own.games.insert(session.number(), session);
    }

    /// Takes a game out, to be changed and put in again.
    pub(crate) fn take_game(&mut self, game: u32) -> Option<GameSession> {
        self.own.games.remove(&game).or_else(|| self.game(game).cloned())
    }

    /// Returns the games that were opened, by number.
    fn open_games(&self) -> impl Iterator<Item = &GameSession> {
        let numbers: BTreeSet<u32> =
            self.layers().flat_map(|layer| layer.games.keys().copied()).collect();
        numbers.into_iter().filter_map(|number| self.game(number))
    }

    /// Returns what a game's players are told, if they are told anything.
    pub(crate) fn movers(&self, game: u32) -> Option<&Movers> {
        self.layers().find_map(|layer| layer.moved.get(&game))
    }

    /// Returns what a game's players are told, to be changed, if they are told anything.
    pub(crate) fn movers_known(&mut self, game: u32) -> Option<&mut Movers> {
        if !self.own.moved.contains_key(&game) {
            let below = self.below?.movers(game)?.clone();
            self.own.moved.insert(game, below);
        }
        self.own.moved.get_mut(&game)
    }

    /// Returns what a game's players are told, to be changed. From now on they are told of the
    /// game.
    pub(crate) fn movers_mut(&mut self, game: u32) -> &mut Movers {
        let below = self.below.and_then(|below| below.movers(game));
        self.own.moved.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    /// Returns the games that were moved, or around which something was said or done.
    pub(crate) fn moved_games(&self) -> BTreeSet<u32> {
        self.layers().flat_map(|layer| layer.moved.keys().copied()).collect()
    }

    /// Returns a game's room to be changed.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn room_mut(&mut self, game: u32) -> Result<&mut GameRoom, ClubError> {
        let room = self.own.rooms.remove(&game).map_or_else(|| self.room(game), Ok)?;
        Ok(self.own.rooms.entry(game).or_insert(room))
    }

    /// Replaces a game's room.
    pub(crate) fn put_room(&mut self, game: u32, around: GameRoom) {
        self.own.rooms.insert(game, around);
    }

    /// Replaces a member, also in the games that were opened.
    pub(crate) fn change(&mut self, member: Member) {
        let sits =
            |session: &&GameSession| session.seats.iter().any(|(_, old)| old.id == member.id);
        let games: Vec<u32> = self.open_games().filter(sits).map(GameSession::number).collect();
        for game in games {
            self.game_mut(game).into_iter().for_each(|session| session.learn(&member));
        }
        self.own.members.insert(member.id, member);
    }

    /// Returns the members that were changed in here, as they are now.
    pub(crate) fn changed_members(&self) -> Vec<Member> {
        let changed = self.layers_upwards().flat_map(|layer| &layer.members);
        let changed: BTreeMap<&u32, &Member> = changed.collect();
        changed.into_values().cloned().collect()
    }

    /// Returns a member who can be reached again and is still to be told what they missed.
    pub(crate) fn back(&self, member: u32) -> Option<&Back> {
        self.layers().find_map(|layer| layer.back.get(&member))
    }

    /// Notes that a member can be reached again.
    pub(crate) fn welcome(&mut self, member: u32, back: Back) {
        self.own.back.insert(member, back);
    }

    /// Takes out the members who can be reached again, who are told now what they missed.
    pub(crate) fn take_back(&mut self) -> Vec<Back> {
        std::mem::take(&mut self.own.back).into_values().collect()
    }

    /// Takes out what the moderator is to be told, which is told now.
    pub(crate) fn take_reports(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.own.reports)
    }

    /// Tells a seat something at the head of a letter that this transaction leads to.
    pub(crate) fn tell_seat(&mut self, game: u32, seat: Seat, note: Message) {
        let movers = self.movers_mut(game);
        movers.notes.push((seat, note));
        movers.urgent.insert(seat);
    }

    /// Tells a seat something that may wait for the next letter, if the player wants few.
    pub(crate) fn tell_in_time(&mut self, game: u32, seat: Seat, note: Message) {
        self.movers_mut(game).notes.push((seat, note));
    }

    /// Adds an entry to a game's activity log.
    pub(crate) fn log_activity(&mut self, game: u32, what: Happening) {
        let at = self.context.now;
        self.minutes_mut(game).push(ActivityEntry { at, what });
    }

    /// Returns the new entries of a game's activity log, to be changed.
    pub(crate) fn minutes_mut(&mut self, game: u32) -> &mut Vec<ActivityEntry> {
        let below = self.below.and_then(|below| below.minutes_here(game));
        self.own.minutes.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    fn minutes_here(&self, game: u32) -> Option<&Vec<ActivityEntry>> {
        self.layers().find_map(|layer| layer.minutes.get(&game))
    }

    /// Notes that a letter, or something that is used once, was dealt with.
    pub(crate) fn remember(&mut self, digest: LetterHash, seen: SeenLetter) {
        self.own.seen.insert(*digest.bytes(), seen);
    }

    /// Tells the moderator something.
    pub(crate) fn tell_moderator(&mut self, what: Message) {
        self.own.reports.push(what);
    }

    /// Counts something that is limited in number.
    pub(crate) fn count(&mut self, counted: String) {
        let now = self.context.now.timestamp();
        self.own.answered.entry(counted).or_default().push(now);
    }

    /// Returns how often this was counted since a time, in earlier passes and in here.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn count_since(&self, what: &str, since: i64) -> Result<usize, ClubError> {
        // What was counted while the machine's clock was ahead limits nobody.
        let now = self.context.now.timestamp();
        let counted = self.answers_since(what, since)?.into_iter();
        Ok(counted.filter(|at| *at <= now).count())
    }
}

/// Opens a game as the store has it.
///
/// # Errors
/// When there is no such game, or its log does not fold.
pub fn open_game(context: &Context, game: u32) -> Result<GameSession, ClubError> {
    Transaction::begin(context).open(game)
}

/// Updates the plain text copy of all that was committed.
///
/// # Errors
/// When the journal cannot be written.
pub(crate) fn copy_out(context: &Context) -> Result<(), ClubError> {
    Ok(context.store.write_journal(&context.journal())?)
}
