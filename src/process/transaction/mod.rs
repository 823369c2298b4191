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
mod changes;
pub(crate) mod effect;
pub(crate) mod game_session;
pub(crate) mod mover;
mod open;
mod reads;
mod take;
pub(crate) mod talk;

#[cfg(test)]
mod tests;

pub(crate) use self::changes::Back;
use self::changes::Changes;
pub(crate) use self::open::copy_out;
pub use self::open::open_game;
use crate::club::{ActivityEntry, GameRoom, Happening, Member};
use crate::mail::{LetterHash, Waiting};
use crate::process::blame::Blame;
use crate::process::context::{ClubError, Context};
use crate::process::transaction::effect::{Disposition, Fate};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::mover::Movers;
use crate::rules::{Message, Seat};
use crate::store::{Batch, Repository, Row, SeenLetter, StoreError, Tracked};
use chrono::{DateTime, Utc};
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

    /// Says what is going to be read in here, which a store that is far away fetches at once.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn foresee(&self, rows: impl Iterator<Item = Row>) -> Result<(), ClubError> {
        Ok(self.context.store.prefetch(&rows.collect::<Vec<_>>(), true)?)
    }

    /// The same of games that are going to be looked at without their logs: a few at a time, as a
    /// store keeps only so many in mind.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn foresee_games(&self, games: impl Iterator<Item = u32>) -> Result<(), ClubError> {
        let rows: Vec<Row> = games.map(Row::Game).collect();
        Ok(self.context.store.prefetch(&rows, false)?)
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

    /// What the commit will write besides games, members and what is around games.
    pub(crate) fn write(&mut self) -> &mut Batch {
        &mut self.own.batch
    }

    /// Notes when a game is to be looked at; never when there is no time.
    pub(crate) fn set_due(&mut self, due: (u32, Option<DateTime<Utc>>)) {
        self.own.batch.due.push(due);
    }

    /// What each layer has decided: this one's first, then those that it stands upon.
    fn layers(&self) -> impl Iterator<Item = &Changes> {
        std::iter::successors(Some(self), |tx| tx.below).map(|tx| &tx.own)
    }

    /// The game with this number as it stands in here, opened once.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub fn session(&mut self, game: u32) -> Result<&GameSession, ClubError> {
        if self.game(game).is_none() {
            let mut session = self.open(game)?;
            self.correct(&mut session);
            self.own.games.insert(game, session);
        }
        self.game(game).ok_or(ClubError::NoGame(game))
    }

    /// The game with this number if it was opened here.
    pub fn game(&self, game: u32) -> Option<&GameSession> {
        self.layers().find_map(|layer| layer.games.get(&game))
    }

    /// The same, to be changed.
    pub(crate) fn game_mut(&mut self, game: u32) -> Option<&mut GameSession> {
        if !self.own.games.contains_key(&game) {
            let below = self.below?.game(game)?.clone();
            self.own.games.insert(game, below);
        }
        self.own.games.get_mut(&game)
    }

    /// Puts a game in place of what it was.
    pub(crate) fn put_game(&mut self, session: GameSession) {
        self.own.games.insert(session.number(), session);
    }

    /// Takes a game out, to be changed and put in again.
    pub(crate) fn take_game(&mut self, game: u32) -> Option<GameSession> {
        match self.own.games.remove(&game) {
            Some(session) => Some(session),
            None => self.game(game).cloned(),
        }
    }

    /// The games that were opened, by number.
    fn open_games(&self) -> impl Iterator<Item = &GameSession> {
        let mut numbers: Vec<u32> =
            self.layers().flat_map(|layer| layer.games.keys().copied()).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(|number| self.game(number))
    }

    /// What a game's movers are told of it, if it was moved or something was said or done around
    /// it.
    pub(crate) fn movers(&self, game: u32) -> Option<&Movers> {
        self.layers().find_map(|layer| layer.moved.get(&game))
    }

    /// The same, to be changed; none for a game of which nobody is told anything so far.
    pub(crate) fn movers_known(&mut self, game: u32) -> Option<&mut Movers> {
        if !self.own.moved.contains_key(&game) {
            let below = self.below?.movers(game)?.clone();
            self.own.moved.insert(game, below);
        }
        self.own.moved.get_mut(&game)
    }

    /// The same; from now on this game's players are told of it.
    pub(crate) fn movers_mut(&mut self, game: u32) -> &mut Movers {
        let below = self.below.and_then(|below| below.movers(game));
        self.own.moved.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    /// The games that were moved, or around which something was said or done.
    pub(crate) fn moved_games(&self) -> Vec<u32> {
        let mut games: Vec<u32> =
            self.layers().flat_map(|layer| layer.moved.keys().copied()).collect();
        games.sort_unstable();
        games.dedup();
        games
    }

    /// Who is around a game, to be changed.
    ///
    /// # Errors
    /// When the club cannot be read.
    pub(crate) fn room_mut(&mut self, game: u32) -> Result<&mut GameRoom, ClubError> {
        if !self.own.rooms.contains_key(&game) {
            let around = self.room(game)?;
            self.own.rooms.insert(game, around);
        }
        Ok(self.own.rooms.entry(game).or_default())
    }

    /// Puts who is around a game in place of who was.
    pub(crate) fn put_room(&mut self, game: u32, around: GameRoom) {
        self.own.rooms.insert(game, around);
    }

    /// Takes a member's new state for all that follows in here.
    pub(crate) fn change(&mut self, member: Member) {
        let sits =
            |session: &&GameSession| session.seats.iter().any(|(_, old)| old.id == member.id);
        let games: Vec<u32> = self.open_games().filter(sits).map(GameSession::number).collect();
        for game in games {
            self.game_mut(game).into_iter().for_each(|session| session.learn(&member));
        }
        self.own.members.insert(member.id, member);
    }

    /// Puts what is known of members in here in place of what the store knows.
    fn correct(&self, session: &mut GameSession) {
        for (_, member) in &mut session.seats {
            let changed = self.layers().find_map(|layer| layer.members.get(&member.id));
            changed.into_iter().for_each(|changed| member.clone_from(changed));
        }
    }

    /// The members who were changed in here, as they are now.
    pub(crate) fn changed_members(&self) -> Vec<Member> {
        let mut changed = std::collections::BTreeMap::new();
        for layer in self.layers() {
            for (id, member) in &layer.members {
                changed.entry(*id).or_insert_with(|| member.clone());
            }
        }
        changed.into_values().collect()
    }

    /// A member who is heard of again in here, as far as he is still to be told what he missed.
    pub(crate) fn back(&self, member: u32) -> Option<&Back> {
        self.layers().find_map(|layer| layer.back.get(&member))
    }

    /// All who are heard of again in here.
    pub(crate) fn all_back(&self) -> Vec<Back> {
        self.own.back.values().cloned().collect()
    }

    /// Notes that a member is heard of again.
    pub(crate) fn welcome(&mut self, member: u32, back: Back) {
        self.own.back.insert(member, back);
    }

    /// Gives all who are heard of again, who are told now what they missed.
    pub(crate) fn take_back(&mut self) -> Vec<Back> {
        std::mem::take(&mut self.own.back).into_values().collect()
    }

    /// Gives what the moderator is to be told, which is told now.
    pub(crate) fn take_reports(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.own.reports)
    }

    /// Tells a seat something at the head of its next letter, which this transaction leads to.
    pub(crate) fn tell_seat(&mut self, game: u32, seat: Seat, note: Message) {
        let movers = self.movers_mut(game);
        movers.notes.push((seat, note));
        movers.urgent.insert(seat);
    }

    /// The same of what may wait for the next letter of who wants few of them.
    pub(crate) fn tell_in_time(&mut self, game: u32, seat: Seat, note: Message) {
        self.movers_mut(game).notes.push((seat, note));
    }

    /// Puts what was said or done around a game into its minutes.
    pub(crate) fn log_activity(&mut self, game: u32, what: Happening) {
        let at = self.context.now;
        self.minutes_mut(game).push(ActivityEntry { at, what });
    }

    /// What was said and done around a game in here, to be changed.
    pub(crate) fn minutes_mut(&mut self, game: u32) -> &mut Vec<ActivityEntry> {
        let below = self.below.and_then(|below| below.minutes_here(game));
        self.own.minutes.entry(game).or_insert_with(|| below.cloned().unwrap_or_default())
    }

    fn minutes_here(&self, game: u32) -> Option<&Vec<ActivityEntry>> {
        self.layers().find_map(|layer| layer.minutes.get(&game))
    }

    /// Notes that a letter, or what is used once, has been dealt with.
    pub(crate) fn remember(&mut self, digest: LetterHash, seen: SeenLetter) {
        self.own.seen.insert(*digest.bytes(), seen);
    }

    /// Tells the moderator something.
    pub(crate) fn tell_moderator(&mut self, what: Message) {
        self.own.reports.push(what);
    }

    /// Counts something that is limited by how often it was done.
    pub(crate) fn count(&mut self, counted: String) {
        let now = self.context.now.timestamp();
        self.own.answered.entry(counted).or_default().push(now);
    }

    /// How often this was counted since `since`, in earlier passes and in here.
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
