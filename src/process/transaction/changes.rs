//! What a transaction has decided so far.
//!
//! Data only: how it is read through, the transaction knows.

use crate::club::{ActivityEntry, GameRoom, Member};
use crate::mail::Waiting;
use crate::process::transaction::effect::{Disposition, Fate};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::mover::Movers;
use crate::rules::{Message, Seat};
use crate::store::{Batch, Repository, SeenLetter, StoreError};
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;

/// All that is different from what the store holds, or from what lies below a savepoint.
#[derive(Default)]
pub(crate) struct Changes {
    /// What is written as it stands.
    pub(crate) batch: Batch,
    /// What becomes of the files that were read.
    pub(crate) fates: Vec<(Waiting, Disposition)>,
    /// Files whose letters an earlier commit dealt with.
    pub late: Vec<(Waiting, Fate)>,
    /// Games that were opened, as they stand now.
    pub games: BTreeMap<u32, GameSession>,
    /// Games whose players are told something.
    pub(crate) moved: BTreeMap<u32, Movers>,
    /// What the moderator should know.
    pub(crate) reports: Vec<Message>,
    /// Who is around games.
    pub rooms: BTreeMap<u32, GameRoom>,
    /// Members who were changed.
    pub members: BTreeMap<u32, Member>,
    /// Members who are heard of again.
    pub(crate) back: BTreeMap<u32, Back>,
    /// What was said and done around games.
    pub minutes: BTreeMap<u32, Vec<ActivityEntry>>,
    /// Letters that were dealt with, by their digests.
    pub(crate) seen: BTreeMap<[u8; 16], SeenLetter>,
    /// What was counted, and when, in Unix seconds.
    pub answered: BTreeMap<String, Vec<i64>>,
}

impl Changes {
    /// Whether there is anything to commit.
    pub(crate) fn are_some(&self) -> bool {
        !self.batch.is_empty()
            || !self.fates.is_empty()
            || !self.moved.is_empty()
            || !self.reports.is_empty()
            || !self.rooms.is_empty()
            || !self.members.is_empty()
            || !self.minutes.is_empty()
            || !self.seen.is_empty()
            || !self.answered.is_empty()
    }

    /// Takes over what was decided upon this.
    pub(crate) fn absorb(&mut self, upper: Self) {
        let Self { batch, fates, late, games, moved, reports, rooms, .. } = upper;
        self.batch.extend(batch);
        self.fates.extend(fates);
        self.late.extend(late);
        self.games.extend(games);
        self.moved.extend(moved);
        self.reports.extend(reports);
        self.rooms.extend(rooms);
        self.members.extend(upper.members);
        self.back.extend(upper.back);
        self.minutes.extend(upper.minutes);
        self.seen.extend(upper.seen);
        for (what, times) in upper.answered {
            self.answered.entry(what).or_default().extend(times);
        }
    }

    /// Puts all that has changed into the batch.
    pub(crate) fn settle(&mut self, store: &dyn Repository) -> Result<(), StoreError> {
        let batch = &mut self.batch;
        for session in self.games.values() {
            session.keep(batch);
        }
        for (game, around) in std::mem::take(&mut self.rooms) {
            if store.room(game)? != around {
                batch.rooms.push((game, around));
            }
        }
        batch.members.extend(std::mem::take(&mut self.members).into_values());
        for (game, minutes) in std::mem::take(&mut self.minutes) {
            batch.minutes.extend(minutes.into_iter().map(|minute| (game, minute)));
        }
        batch.seen_letters.extend(std::mem::take(&mut self.seen));
        for (what, times) in std::mem::take(&mut self.answered) {
            batch.answers.extend(times.into_iter().map(|at| (what.clone(), at)));
        }
        for (file, disposition) in &self.fates {
            batch.seen_files.push((file.name.clone(), Fate::of(file, disposition).text()));
        }
        Ok(())
    }
}

/// A member who is heard of again.
#[derive(Clone)]
pub(crate) struct Back {
    /// By what his letter is known again.
    pub digest: String,
    /// Since when his letters came back.
    pub since: Option<DateTime<Utc>>,
    /// What each of his seats was told of.
    pub told: Vec<(u32, Seat, u32)>,
}
