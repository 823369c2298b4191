//! The reads of a transaction: its own changes where it has some, and the store's values otherwise.

use super::{Changes, Transaction};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::process::transaction::effect::FileOutcome;
use crate::process::transaction::game_session::GameSession;
use crate::rules::Seat;
use crate::store::{
    CampaignGame, GameFacts, Outbox, PostRecord, Repository, Row, SeenLetter, StoreError,
    TrackedStore, UnreadableLetter,
};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

type StoreResult<T> = Result<T, StoreError>;

impl Transaction<'_> {
    /// Returns the value that this transaction or one below it has set, or else the store's value.
    fn layered_or_stored<'a, T>(
        &'a self,
        find: impl FnMut(&'a Changes) -> Option<T>,
        stored: impl FnOnce(&TrackedStore<'_>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.changes_by_layer().find_map(find).map_or_else(|| stored(&self.store), Ok)
    }

    /// Returns a value from a game if it is open in this transaction, or else from the store.
    fn opened_or_stored<T>(
        &self,
        game: u32,
        read_session: impl FnOnce(&GameSession) -> T,
        stored: impl FnOnce(&TrackedStore<'_>) -> StoreResult<T>,
    ) -> StoreResult<T> {
        self.opened_game(game)
            .map_or_else(|| stored(&self.store), |session| Ok(read_session(session)))
    }

    /// Returns the due times that this transaction has set, by game.
    fn changed_due_times(&self) -> BTreeMap<u32, Option<DateTime<Utc>>> {
        self.changes_lowest_first().flat_map(|layer| layer.batch.due.iter().copied()).collect()
    }

    /// Returns what happened to a letter's file, or `None` if the file is unknown. Fails if the
    /// stored text cannot be parsed.
    pub(crate) fn file_outcome(&self, name: &str) -> StoreResult<Option<FileOutcome>> {
        let fate =
            self.file_outcome_text(name)?.map(|text| FileOutcome::from_text(&text)).transpose();
        fate.map_err(|error| StoreError::Damaged(error.to_string()))
    }

    /// Returns a game's seats with their members, by seat.
    pub(crate) fn seats_with_members(
        &self,
        game: u32,
    ) -> StoreResult<Vec<(SeatAssignment, Member)>> {
        let mut players = Vec::new();
        for seated in self.seat_assignments(game)? {
            if let Some(member) = self.member(seated.member)? {
                players.push((seated, member));
            }
        }
        Ok(players)
    }

    /// Returns the store's outbox, without the letters of this transaction. They can leave only
    /// after the commit.
    pub(crate) fn outbox(&self) -> &dyn Outbox {
        &*self.context.store
    }

    /// Returns the club without this transaction's changes.
    pub(crate) fn stored_state(&self) -> &dyn Repository {
        &*self.store
    }
}

/// Returns the last clock that one layer of a transaction has set for a game.
fn last_changed_clock(layer: &Changes, game: u32) -> Option<&GameClock> {
    layer.batch.clocks.iter().rfind(|(of, _)| *of == game).map(|(_, clock)| clock)
}

impl Repository for Transaction<'_> {
    fn game_log_lines(&self, game: u32) -> StoreResult<Vec<String>> {
        let lines = |session: &GameSession| {
            let records = session.table.records().iter().map(|record| record.to_line());
            std::iter::once(session.table.founding().to_line()).chain(records).collect()
        };
        self.opened_or_stored(game, lines, |store| store.game_log_lines(game))
    }

    fn log_length(&self, game: u32) -> StoreResult<u32> {
        let length = |session: &GameSession| session.table.last_record_number().saturating_add(1);
        self.opened_or_stored(game, length, |store| store.log_length(game))
    }

    fn game_facts(&self, game: u32) -> StoreResult<GameFacts> {
        if let Some(session) = self.opened_game(game) {
            return Ok(session.facts(self.game_info(game)?));
        }
        let mut facts = self.store.game_facts(game)?;
        if let Some(room) = self.changes_by_layer().find_map(|layer| layer.game_infos.get(&game)) {
            facts.room.clone_from(room);
        }
        if let Some(clock) =
            self.changes_by_layer().find_map(|layer| last_changed_clock(layer, game))
        {
            facts.clock = Some(clock.clone());
        }
        Ok(facts)
    }

    fn facts_of_games(&self, games: Range<u32>) -> StoreResult<Vec<(u32, GameFacts)>> {
        let stored = self.store.facts_of_games(games.clone())?;
        let mut all: BTreeMap<u32, GameFacts> = stored.into_iter().collect();
        let open = self.opened_games().map(GameSession::game_number);
        let rooms = self.changes_by_layer().flat_map(|layer| layer.game_infos.keys().copied());
        let timed =
            self.changes_by_layer().flat_map(|layer| &layer.batch.clocks).map(|(game, _)| *game);
        for game in open.chain(rooms).chain(timed).filter(|game| games.contains(game)) {
            let facts = self.game_facts(game)?;
            if facts.log_length > 0 || !facts.room.is_empty() {
                all.insert(game, facts);
            }
        }
        let seats = all.values().flat_map(|facts| &facts.seats);
        self.prefetch(seats.map(|sitting| Row::Member(sitting.member)), false)?;
        Ok(all.into_iter().collect())
    }

    fn game_numbers(&self) -> StoreResult<Vec<u32>> {
        let mut games: BTreeSet<u32> = self.store.game_numbers()?.into_iter().collect();
        games.extend(self.opened_games().map(GameSession::game_number));
        Ok(games.into_iter().collect())
    }

    fn next_game_number(&self) -> StoreResult<u32> {
        let rooms = self.changes_by_layer().flat_map(|layer| &layer.game_infos);
        let rooms = rooms.filter(|(_, room)| !room.is_empty()).map(|(game, _)| *game);
        let laid =
            self.changes_by_layer().flat_map(|layer| &layer.batch.log_lines).map(|line| line.game);
        let last = rooms.chain(laid).chain(self.opened_games().map(GameSession::game_number)).max();
        Ok(self.store.next_game_number()?.max(last.unwrap_or(0).saturating_add(1)))
    }

    fn members(&self) -> StoreResult<Vec<Member>> {
        let all = self.store.members()?.into_iter().chain(self.changed_members());
        let all: BTreeMap<u32, Member> = all.map(|member| (member.id, member)).collect();
        Ok(all.into_values().collect())
    }

    fn next_member_number(&self) -> StoreResult<u32> {
        let changed = self.changes_by_layer().flat_map(|layer| layer.members.keys().copied()).max();
        Ok(self.store.next_member_number()?.max(changed.unwrap_or(0).saturating_add(1)))
    }

    fn member(&self, id: u32) -> StoreResult<Option<Member>> {
        self.layered_or_stored(
            |layer| layer.members.get(&id).cloned().map(Some),
            |store| store.member(id),
        )
    }

    fn member_by_address(&self, address: &str) -> StoreResult<Option<Member>> {
        let has_it = |member: &Member| member.addresses.iter().any(|own| own == address);
        let is_last = |member: &&Member| {
            let last = self.changes_by_layer().find_map(|layer| layer.members.get(&member.id));
            last.is_some_and(|last| std::ptr::eq(last, *member))
        };
        let mut changed = self.changes_by_layer().flat_map(|layer| layer.members.values());
        if let Some(member) = changed.find(|member| has_it(member) && is_last(member)) {
            return Ok(Some(member.clone()));
        }
        let Some(stored) = self.store.member_by_address(address)? else { return Ok(None) };
        Ok(self.member(stored.id)?.filter(has_it))
    }

    fn seat_assignments(&self, game: u32) -> StoreResult<Vec<SeatAssignment>> {
        let seats = |session: &GameSession| {
            session.seats.iter().map(|(seated, _)| seated.clone()).collect()
        };
        self.opened_or_stored(game, seats, |store| store.seat_assignments(game))
    }

    fn member_seats(&self, member: u32) -> StoreResult<Vec<(u32, Seat)>> {
        let mut seats = self.store.member_seats(member)?;
        seats.retain(|(game, _)| self.opened_game(*game).is_none());
        for session in self.opened_games() {
            let own = session.seats.iter().enumerate();
            let own = own.filter(|(_, (seated, _))| seated.member == member);
            seats.extend(own.map(|(index, _)| (session.game_number(), Seat::from_index(index))));
        }
        seats.sort_unstable();
        Ok(seats)
    }

    fn campaign_games(&self, campaign: &str) -> StoreResult<Vec<CampaignGame>> {
        let mut games = self.store.campaign_games(campaign)?;
        let here = self.changes_by_layer().flat_map(|layer| &layer.batch.campaign_games);
        games.extend(here.filter(|game| game.campaign == campaign).cloned());
        games.sort_unstable();
        Ok(games)
    }

    fn letter_outcome(&self, digest: &[u8; 16]) -> StoreResult<Option<SeenLetter>> {
        let here = |layer: &Changes| layer.seen_letters.get(digest).cloned().map(Some);
        self.layered_or_stored(here, |store| store.letter_outcome(digest))
    }

    fn letters_of_member(&self, member: u32) -> StoreResult<BTreeMap<[u8; 16], SeenLetter>> {
        let mut letters = self.store.letters_of_member(member)?;
        let here = self.changes_lowest_first().flat_map(|layer| &layer.seen_letters);
        let own = here.filter(|(_, seen)| seen.is_of_member(member));
        letters.extend(own.map(|(digest, seen)| (*digest, seen.clone())));
        Ok(letters)
    }

    fn file_outcome_text(&self, name: &str) -> StoreResult<Option<String>> {
        match self.dispositions().find(|(file, _)| file.name == name) {
            Some((file, disposition)) => Ok(Some(FileOutcome::new(file, disposition).to_text())),
            None => self.store.file_outcome_text(name),
        }
    }

    fn event_times_since(&self, what: &str, since: i64) -> StoreResult<Vec<i64>> {
        let mut times = self.store.event_times_since(what, since)?;
        let here = self.changes_by_layer().filter_map(|layer| layer.counted.get(what)).flatten();
        times.extend(here.filter(|at| **at >= since));
        Ok(times)
    }

    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> StoreResult<Option<PostRecord>> {
        let here = self.changes_by_layer().flat_map(|layer| &layer.batch.posted);
        let here = here.filter(|(id, _)| id == message_id).map(|(_, posted)| posted);
        let here = here.filter(|posted| since <= posted.at && posted.at <= until);
        match here.max_by_key(|posted| posted.at) {
            Some(posted) => Ok(Some(posted.clone())),
            None => self.store.post_record(message_id, since, until),
        }
    }

    fn due_games(&self, until: DateTime<Utc>) -> StoreResult<Vec<u32>> {
        let set = self.changed_due_times();
        if set.is_empty() {
            return self.store.due_games(until);
        }
        let mut due = Vec::new();
        for game in self.store.due_games(until)? {
            if !set.contains_key(&game) {
                due.push((self.store.due_time(game)?, game));
            }
        }
        let here = set.into_iter().filter(|(_, at)| at.is_some_and(|at| at <= until));
        due.extend(here.map(|(game, at)| (at, game)));
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).collect())
    }

    fn next_due_time(&self) -> StoreResult<Option<DateTime<Utc>>> {
        if self.changed_due_times().is_empty() {
            return self.store.next_due_time();
        }
        let first = self.due_games(DateTime::<Utc>::MAX_UTC)?.into_iter().next();
        first.map_or(Ok(None), |game| self.due_time(game))
    }

    fn due_time(&self, game: u32) -> StoreResult<Option<DateTime<Utc>>> {
        let last = |layer: &Changes| layer.batch.due.iter().rfind(|(of, _)| *of == game).copied();
        self.layered_or_stored(|layer| last(layer).map(|(_, at)| at), |store| store.due_time(game))
    }

    fn clock(&self, game: u32) -> StoreResult<Option<GameClock>> {
        if let Some(session) = self.opened_game(game) {
            return Ok(session.clock.clone());
        }
        let here = |layer: &Changes| last_changed_clock(layer, game).cloned().map(Some);
        self.layered_or_stored(here, |store| store.clock(game))
    }

    fn clocks(&self) -> StoreResult<Vec<(u32, GameClock)>> {
        let mut clocks: BTreeMap<u32, GameClock> = self.store.clocks()?.into_iter().collect();
        clocks.extend(
            self.changes_lowest_first().flat_map(|layer| layer.batch.clocks.iter().cloned()),
        );
        for session in self.opened_games() {
            clocks.extend(session.clock.clone().map(|clock| (session.game_number(), clock)));
        }
        Ok(clocks.into_iter().collect())
    }

    fn has_ever_had_clock(&self) -> StoreResult<bool> {
        let here = self.opened_games().any(|session| session.clock.is_some());
        Ok(here || self.store.has_ever_had_clock()?)
    }

    fn heartbeat(&self) -> StoreResult<Option<Heartbeat>> {
        self.layered_or_stored(|layer| layer.batch.heartbeat.map(Some), |store| store.heartbeat())
    }

    fn last_morning_digest(&self) -> StoreResult<Option<DateTime<Utc>>> {
        self.layered_or_stored(
            |layer| layer.batch.last_morning_digest.map(Some),
            |store| store.last_morning_digest(),
        )
    }

    fn moderator_generation(&self) -> StoreResult<u32> {
        self.layered_or_stored(
            |layer| layer.batch.moderator_generation,
            |store| store.moderator_generation(),
        )
    }

    fn unreadable_letters(&self) -> StoreResult<BTreeMap<String, UnreadableLetter>> {
        let mut unread = self.store.unreadable_letters()?;
        for (name, now) in self.changes_lowest_first().flat_map(|layer| &layer.batch.unreadable) {
            match now {
                Some(now) => unread.insert(name.clone(), now.clone()),
                None => unread.remove(name),
            };
        }
        Ok(unread)
    }

    fn game_info(&self, game: u32) -> StoreResult<GameInfo> {
        self.layered_or_stored(
            |layer| layer.game_infos.get(&game).cloned(),
            |store| store.game_info(game),
        )
    }

    fn game_infos(&self) -> StoreResult<Vec<(u32, GameInfo)>> {
        let mut all: BTreeMap<u32, GameInfo> = self.store.game_infos()?.into_iter().collect();
        all.extend(self.changes_lowest_first().flat_map(|layer| layer.game_infos.clone()));
        Ok(all.into_iter().collect())
    }

    fn activity_log(&self, game: u32) -> StoreResult<Vec<ActivityEntry>> {
        let mut activity = self.store.activity_log(game)?;
        activity.extend(self.added_activity(game).into_iter().flatten().cloned());
        Ok(activity)
    }

    fn restored_at(&self) -> StoreResult<Option<DateTime<Utc>>> {
        self.layered_or_stored(
            |layer| layer.batch.restored_at.map(Some),
            |store| store.restored_at(),
        )
    }
}
