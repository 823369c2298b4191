//! What a transaction reads: what was decided in it, and else what the store holds.

use super::{Changes, Transaction};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::process::transaction::effect::Fate;
use crate::process::transaction::game_session::GameSession;
use crate::rules::Seat;
use crate::store::{
    CampaignGame, GameFacts, Outbox, Posted, Repository, Row, SeenLetter, StoreError, Tracked,
    Unread,
};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

type Read<T> = Result<T, StoreError>;

impl Transaction<'_> {
    /// Returns the first value that a layer has decided, or else what the store has.
    fn decided<'a, T>(
        &'a self,
        find: impl FnMut(&'a Changes) -> Option<T>,
        stored: impl FnOnce(&Tracked<'_>) -> Read<T>,
    ) -> Read<T> {
        self.layers().find_map(find).map_or_else(|| stored(&self.store), Ok)
    }

    /// Returns what an open game says, or else what the store has.
    fn of_game<T>(
        &self,
        game: u32,
        of: impl FnOnce(&GameSession) -> T,
        stored: impl FnOnce(&Tracked<'_>) -> Read<T>,
    ) -> Read<T> {
        self.game(game).map_or_else(|| stored(&self.store), |session| Ok(of(session)))
    }

    /// Returns when games are due, as far as that was decided in here.
    fn due_here(&self) -> BTreeMap<u32, Option<DateTime<Utc>>> {
        self.layers_upwards().flat_map(|layer| layer.batch.due.iter().copied()).collect()
    }

    /// Returns the fate of a letter's file.
    pub(crate) fn fate(&self, name: &str) -> Read<Option<Fate>> {
        let fate = self.seen_file(name)?.map(|text| Fate::from_text(&text)).transpose();
        fate.map_err(|error| StoreError::Damaged(error.to_string()))
    }

    /// Returns a game's players, by seat.
    pub(crate) fn players(&self, game: u32) -> Read<Vec<(Seated, Member)>> {
        let mut players = Vec::new();
        for seated in self.seats(game)? {
            if let Some(member) = self.member(seated.member)? {
                players.push((seated, member));
            }
        }
        Ok(players)
    }

    /// Returns the outbox, which is what the store has: what a transaction puts into it may leave
    /// once it is committed.
    pub(crate) fn outbox(&self) -> &dyn Outbox {
        &*self.context.store
    }

    /// Returns the club before what was decided in here.
    pub(crate) fn before(&self) -> &dyn Repository {
        &*self.store
    }
}

/// Returns the last clock of a game that a layer has decided.
fn clock_in(layer: &Changes, game: u32) -> Option<&GameClock> {
    layer.batch.clocks.iter().rfind(|(of, _)| *of == game).map(|(_, clock)| clock)
}

impl Repository for Transaction<'_> {
    fn log(&self, game: u32) -> Read<Vec<String>> {
        let lines = |session: &GameSession| {
            let records = session.table.records().iter().map(|record| record.line());
            std::iter::once(session.table.founding().line()).chain(records).collect()
        };
        self.of_game(game, lines, |store| store.log(game))
    }

    fn log_length(&self, game: u32) -> Read<u32> {
        let length = |session: &GameSession| session.table.head().saturating_add(1);
        self.of_game(game, length, |store| store.log_length(game))
    }

    fn game_facts(&self, game: u32) -> Read<GameFacts> {
        if let Some(session) = self.game(game) {
            return Ok(session.facts(self.room(game)?));
        }
        let mut facts = self.store.game_facts(game)?;
        if let Some(room) = self.layers().find_map(|layer| layer.rooms.get(&game)) {
            facts.room.clone_from(room);
        }
        if let Some(clock) = self.layers().find_map(|layer| clock_in(layer, game)) {
            facts.clock = Some(clock.clone());
        }
        Ok(facts)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Read<Vec<(u32, GameFacts)>> {
        let stored = self.store.facts_of_games(games.clone())?;
        let mut all: BTreeMap<u32, GameFacts> = stored.into_iter().collect();
        let open = self.open_games().map(GameSession::number);
        let rooms = self.layers().flat_map(|layer| layer.rooms.keys().copied());
        let timed = self.layers().flat_map(|layer| &layer.batch.clocks).map(|(game, _)| *game);
        for game in open.chain(rooms).chain(timed).filter(|game| games.contains(game)) {
            let facts = self.game_facts(game)?;
            if facts.lines > 0 || !facts.room.is_empty() {
                all.insert(game, facts);
            }
        }
        let seats = all.values().flat_map(|facts| &facts.seats);
        self.prefetch(seats.map(|sitting| Row::Member(sitting.member)), false)?;
        Ok(all.into_iter().collect())
    }

    fn games(&self) -> Read<Vec<u32>> {
        let mut games: BTreeSet<u32> = self.store.games()?.into_iter().collect();
        games.extend(self.open_games().map(GameSession::number));
        Ok(games.into_iter().collect())
    }

    fn next_game(&self) -> Read<u32> {
        let rooms = self.layers().flat_map(|layer| &layer.rooms);
        let rooms = rooms.filter(|(_, room)| !room.is_empty()).map(|(game, _)| *game);
        let laid = self.layers().flat_map(|layer| &layer.batch.log_lines).map(|line| line.game);
        let last = rooms.chain(laid).chain(self.open_games().map(GameSession::number)).max();
        Ok(self.store.next_game()?.max(last.unwrap_or(0).saturating_add(1)))
    }

    fn members(&self) -> Read<Vec<Member>> {
        let all = self.store.members()?.into_iter().chain(self.changed_members());
        let all: BTreeMap<u32, Member> = all.map(|member| (member.id, member)).collect();
        Ok(all.into_values().collect())
    }

    fn next_member(&self) -> Read<u32> {
        let changed = self.layers().flat_map(|layer| layer.members.keys().copied()).max();
        Ok(self.store.next_member()?.max(changed.unwrap_or(0).saturating_add(1)))
    }

    fn member(&self, id: u32) -> Read<Option<Member>> {
        self.decided(|layer| layer.members.get(&id).cloned().map(Some), |store| store.member(id))
    }

    fn member_by_address(&self, address: &str) -> Read<Option<Member>> {
        let has_it = |member: &Member| member.addresses.iter().any(|own| own == address);
        let is_last = |member: &&Member| {
            let last = self.layers().find_map(|layer| layer.members.get(&member.id));
            last.is_some_and(|last| std::ptr::eq(last, *member))
        };
        let mut changed = self.layers().flat_map(|layer| layer.members.values());
        if let Some(member) = changed.find(|member| has_it(member) && is_last(member)) {
            return Ok(Some(member.clone()));
        }
        let Some(stored) = self.store.member_by_address(address)? else { return Ok(None) };
        Ok(self.member(stored.id)?.filter(has_it))
    }

    fn seats(&self, game: u32) -> Read<Vec<Seated>> {
        let seats = |session: &GameSession| {
            session.seats.iter().map(|(seated, _)| seated.clone()).collect()
        };
        self.of_game(game, seats, |store| store.seats(game))
    }

    fn seats_of(&self, member: u32) -> Read<Vec<(u32, Seat)>> {
        let mut seats = self.store.seats_of(member)?;
        seats.retain(|(game, _)| self.game(*game).is_none());
        for session in self.open_games() {
            let own = session.seats.iter().enumerate();
            let own = own.filter(|(_, (seated, _))| seated.member == member);
            seats.extend(own.map(|(index, _)| (session.number(), Seat::from_index(index))));
        }
        seats.sort_unstable();
        Ok(seats)
    }

    fn campaign_games(&self, campaign: &str) -> Read<Vec<CampaignGame>> {
        let mut games = self.store.campaign_games(campaign)?;
        let here = self.layers().flat_map(|layer| &layer.batch.campaign_games);
        games.extend(here.filter(|game| game.campaign == campaign).cloned());
        games.sort_unstable();
        Ok(games)
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Read<Option<SeenLetter>> {
        let here = |layer: &Changes| layer.seen.get(digest).cloned().map(Some);
        self.decided(here, |store| store.seen_letter(digest))
    }

    fn seen_file(&self, name: &str) -> Read<Option<String>> {
        match self.fates().find(|(file, _)| file.name == name) {
            Some((file, disposition)) => Ok(Some(Fate::of(file, disposition).text())),
            None => self.store.seen_file(name),
        }
    }

    fn answers_since(&self, what: &str, since: i64) -> Read<Vec<i64>> {
        let mut times = self.store.answers_since(what, since)?;
        let here = self.layers().filter_map(|layer| layer.answered.get(what)).flatten();
        times.extend(here.filter(|at| **at >= since));
        Ok(times)
    }

    fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Read<Option<Posted>> {
        let here = self.layers().flat_map(|layer| &layer.batch.posted);
        let here = here.filter(|(id, _)| id == message_id).map(|(_, posted)| posted);
        let here = here.filter(|posted| since <= posted.at && posted.at <= until);
        match here.max_by_key(|posted| posted.at) {
            Some(posted) => Ok(Some(posted.clone())),
            None => self.store.posted(message_id, since, until),
        }
    }

    fn due(&self, until: DateTime<Utc>) -> Read<Vec<u32>> {
        let set = self.due_here();
        if set.is_empty() {
            return self.store.due(until);
        }
        let mut due = Vec::new();
        for game in self.store.due(until)? {
            if !set.contains_key(&game) {
                due.push((self.store.due_at(game)?, game));
            }
        }
        let here = set.into_iter().filter(|(_, at)| at.is_some_and(|at| at <= until));
        due.extend(here.map(|(game, at)| (at, game)));
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).collect())
    }

    fn next_due(&self) -> Read<Option<DateTime<Utc>>> {
        if self.due_here().is_empty() {
            return self.store.next_due();
        }
        let first = self.due(DateTime::<Utc>::MAX_UTC)?.into_iter().next();
        first.map_or(Ok(None), |game| self.due_at(game))
    }

    fn due_at(&self, game: u32) -> Read<Option<DateTime<Utc>>> {
        let last = |layer: &Changes| layer.batch.due.iter().rfind(|(of, _)| *of == game).copied();
        self.decided(|layer| last(layer).map(|(_, at)| at), |store| store.due_at(game))
    }

    fn clock(&self, game: u32) -> Read<Option<GameClock>> {
        if let Some(session) = self.game(game) {
            return Ok(session.clock.clone());
        }
        let here = |layer: &Changes| clock_in(layer, game).cloned().map(Some);
        self.decided(here, |store| store.clock(game))
    }

    fn clocks(&self) -> Read<Vec<(u32, GameClock)>> {
        let mut clocks: BTreeMap<u32, GameClock> = self.store.clocks()?.into_iter().collect();
        clocks.extend(self.layers_upwards().flat_map(|layer| layer.batch.clocks.iter().cloned()));
        for session in self.open_games() {
            clocks.extend(session.clock.clone().map(|clock| (session.number(), clock)));
        }
        Ok(clocks.into_iter().collect())
    }

    fn has_clocks(&self) -> Read<bool> {
        let here = self.open_games().any(|session| session.clock.is_some());
        Ok(here || self.store.has_clocks()?)
    }

    fn heartbeat(&self) -> Read<Option<Heartbeat>> {
        self.decided(|layer| layer.batch.heartbeat.map(Some), |store| store.heartbeat())
    }

    fn morning(&self) -> Read<Option<DateTime<Utc>>> {
        self.decided(|layer| layer.batch.morning.map(Some), |store| store.morning())
    }

    fn moderator(&self) -> Read<u32> {
        self.decided(|layer| layer.batch.moderator, |store| store.moderator())
    }

    fn unread(&self) -> Read<BTreeMap<String, Unread>> {
        let mut unread = self.store.unread()?;
        for (name, now) in self.layers_upwards().flat_map(|layer| &layer.batch.unread) {
            match now {
                Some(now) => unread.insert(name.clone(), now.clone()),
                None => unread.remove(name),
            };
        }
        Ok(unread)
    }

    fn room(&self, game: u32) -> Read<GameRoom> {
        self.decided(|layer| layer.rooms.get(&game).cloned(), |store| store.room(game))
    }

    fn rooms(&self) -> Read<Vec<(u32, GameRoom)>> {
        let mut all: BTreeMap<u32, GameRoom> = self.store.rooms()?.into_iter().collect();
        all.extend(self.layers_upwards().flat_map(|layer| layer.rooms.clone()));
        Ok(all.into_iter().collect())
    }

    fn minutes(&self, game: u32) -> Read<Vec<ActivityEntry>> {
        let mut minutes = self.store.minutes(game)?;
        minutes.extend(self.minutes_here(game).into_iter().flatten().cloned());
        Ok(minutes)
    }

    fn restored(&self) -> Read<Option<DateTime<Utc>>> {
        self.decided(|layer| layer.batch.restored.map(Some), |store| store.restored())
    }
}
