//! What can be asked of a club within a transaction: what was decided in it, and else what the
//! store holds.

use super::{Changes, Transaction};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::process::transaction::effect::Fate;
use crate::process::transaction::game_session::GameSession;
use crate::rules::Seat;
use crate::store::{
    CampaignGame, GameFacts, InLine, Outbox, Posted, Queued, Repository, SeenLetter, StoreError,
    Tracked, Unread,
};
use chrono::{DateTime, Utc};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

type Read<T> = Result<T, StoreError>;

impl Transaction<'_> {
    fn store(&self) -> &Tracked<'_> {
        &self.store
    }

    /// The first that a layer has decided.
    fn decided<'a, T>(&'a self, find: impl FnMut(&'a Changes) -> Option<T>) -> Option<T> {
        self.layers().find_map(find)
    }

    /// When games are due as far as that was decided in here.
    fn due_here(&self) -> BTreeMap<u32, Option<DateTime<Utc>>> {
        let layers: Vec<&Changes> = self.layers().collect();
        layers.into_iter().rev().flat_map(|layer| layer.batch.due.iter().copied()).collect()
    }

    /// The clock of a game that is not open here, as far as it was decided in here.
    fn clock_here(&self, game: u32) -> Option<&GameClock> {
        let last = self.decided(|layer| layer.batch.clocks.iter().rfind(|(of, _)| *of == game));
        last.map(|(_, clock)| clock)
    }

    /// What became of a letter's file.
    pub(crate) fn fate(&self, name: &str) -> Read<Option<Fate>> {
        let fate = self.seen_file(name)?.map(|text| Fate::from_text(&text)).transpose();
        fate.map_err(|error| StoreError::Damaged(error.to_string()))
    }

    /// Who sits where in a game, by seat.
    pub(crate) fn players(&self, game: u32) -> Read<Vec<(Seated, Member)>> {
        let mut players = Vec::new();
        for seated in self.seats(game)? {
            if let Some(member) = self.member(seated.member)? {
                players.push((seated, member));
            }
        }
        Ok(players)
    }

    /// A member as the store has him, before what was decided here.
    pub(crate) fn member_before(&self, id: u32) -> Read<Option<Member>> {
        self.store().member(id)
    }

    /// Who sat at a game's table before what was decided here, by seat.
    pub(crate) fn seats_before(&self, game: u32) -> Read<Vec<Seated>> {
        self.store().seats(game)
    }

    /// The same without what was said and done in here.
    pub(crate) fn minutes_before(&self, game: u32) -> Read<Vec<ActivityEntry>> {
        self.store().minutes(game)
    }
}

impl Repository for Transaction<'_> {
    fn log(&self, game: u32) -> Read<Vec<String>> {
        let Some(GameSession { table, .. }) = self.game(game) else {
            return self.store().log(game);
        };
        let records = table.records().iter().map(|record| record.line());
        Ok(std::iter::once(table.founding().line()).chain(records).collect())
    }

    fn log_length(&self, game: u32) -> Read<u32> {
        match self.game(game) {
            Some(session) => Ok(session.table.head().saturating_add(1)),
            None => self.store().log_length(game),
        }
    }

    fn game_facts(&self, game: u32) -> Read<GameFacts> {
        if let Some(session) = self.game(game) {
            return Ok(session.facts(self.room(game)?));
        }
        let mut facts = self.store().game_facts(game)?;
        if let Some(around) = self.decided(|layer| layer.rooms.get(&game)) {
            facts.room.clone_from(around);
        }
        if let Some(clock) = self.clock_here(game) {
            facts.clock = Some(clock.clone());
        }
        Ok(facts)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Read<Vec<(u32, GameFacts)>> {
        let stored = self.store().facts_of_games(games.clone())?;
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
        Ok(all.into_iter().collect())
    }

    fn games(&self) -> Read<Vec<u32>> {
        let mut games: BTreeSet<u32> = self.store().games()?.into_iter().collect();
        games.extend(self.open_games().map(GameSession::number));
        Ok(games.into_iter().collect())
    }

    fn next_game(&self) -> Read<u32> {
        let around = self.layers().flat_map(|layer| &layer.rooms);
        let around = around.filter(|(_, around)| !around.is_empty()).map(|(game, _)| *game);
        let laid = self.layers().flat_map(|layer| &layer.batch.log_lines).map(|line| line.game);
        let last = around.chain(laid).chain(self.open_games().map(GameSession::number)).max();
        Ok(self.store().next_game()?.max(last.unwrap_or(0).saturating_add(1)))
    }

    fn members(&self) -> Read<Vec<Member>> {
        let all = self.store().members()?.into_iter().map(|member| (member.id, member));
        let mut all: BTreeMap<u32, Member> = all.collect();
        all.extend(self.changed_members().into_iter().map(|member| (member.id, member)));
        Ok(all.into_values().collect())
    }

    fn next_member(&self) -> Read<u32> {
        let changed = self.layers().flat_map(|layer| layer.members.keys().copied()).max();
        Ok(self.store().next_member()?.max(changed.unwrap_or(0).saturating_add(1)))
    }

    fn member(&self, id: u32) -> Read<Option<Member>> {
        match self.decided(|layer| layer.members.get(&id)) {
            Some(member) => Ok(Some(member.clone())),
            None => self.store().member(id),
        }
    }

    fn member_by_address(&self, address: &str) -> Read<Option<Member>> {
        let has_it = |member: &Member| member.addresses.iter().any(|own| own == address);
        let is_last = |member: &&Member| {
            let last = self.decided(|layer| layer.members.get(&member.id));
            last.is_some_and(|last| std::ptr::eq(last, *member))
        };
        let mut changed = self.layers().flat_map(|layer| layer.members.values());
        if let Some(member) = changed.find(|member| has_it(member) && is_last(member)) {
            return Ok(Some(member.clone()));
        }
        let Some(stored) = self.store().member_by_address(address)? else { return Ok(None) };
        Ok(self.member(stored.id)?.filter(has_it))
    }

    fn seats(&self, game: u32) -> Read<Vec<Seated>> {
        match self.game(game) {
            Some(session) => Ok(session.seats.iter().map(|(seated, _)| seated.clone()).collect()),
            None => self.store().seats(game),
        }
    }

    fn seats_of(&self, member: u32) -> Read<Vec<(u32, Seat)>> {
        let mut seats = self.store().seats_of(member)?;
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
        let mut games = self.store().campaign_games(campaign)?;
        let here = self.layers().flat_map(|layer| &layer.batch.campaign_games);
        games.extend(here.filter(|game| game.campaign == campaign).cloned());
        games.sort_unstable();
        Ok(games)
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Read<Option<SeenLetter>> {
        match self.decided(|layer| layer.seen.get(digest)) {
            Some(seen) => Ok(Some(seen.clone())),
            None => self.store().seen_letter(digest),
        }
    }

    fn seen_file(&self, name: &str) -> Read<Option<String>> {
        match self.fates().find(|(file, _)| file.name == name) {
            Some((file, disposition)) => Ok(Some(Fate::of(file, disposition).text())),
            None => self.store().seen_file(name),
        }
    }

    fn answers_since(&self, what: &str, since: i64) -> Read<Vec<i64>> {
        let mut times = self.store().answers_since(what, since)?;
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
        let is_of = |(id, posted): &&(String, Posted)| {
            id == message_id && since <= posted.at && posted.at <= until
        };
        let here = here.filter(is_of).map(|(_, posted)| posted).max_by_key(|posted| posted.at);
        here.map_or_else(
            || self.store().posted(message_id, since, until),
            |posted| Ok(Some(posted.clone())),
        )
    }

    fn due(&self, until: DateTime<Utc>) -> Read<Vec<u32>> {
        let set = self.due_here();
        if set.is_empty() {
            return self.store().due(until);
        }
        let mut due = Vec::new();
        for game in self.store().due(until)? {
            if !set.contains_key(&game) {
                due.push((self.store().due_at(game)?, game));
            }
        }
        let here = set.into_iter().filter(|(_, at)| at.is_some_and(|at| at <= until));
        due.extend(here.map(|(game, at)| (at, game)));
        due.sort_unstable();
        Ok(due.into_iter().map(|(_, game)| game).collect())
    }

    fn next_due(&self) -> Read<Option<DateTime<Utc>>> {
        if self.due_here().is_empty() {
            return self.store().next_due();
        }
        let first = self.due(DateTime::<Utc>::MAX_UTC)?.into_iter().next();
        first.map_or(Ok(None), |game| self.due_at(game))
    }

    fn due_at(&self, game: u32) -> Read<Option<DateTime<Utc>>> {
        let last = |layer: &Changes| layer.batch.due.iter().rfind(|(of, _)| *of == game).copied();
        self.decided(last).map_or_else(|| self.store().due_at(game), |(_, at)| Ok(at))
    }

    fn clock(&self, game: u32) -> Read<Option<GameClock>> {
        if let Some(session) = self.game(game) {
            return Ok(session.clock.clone());
        }
        match self.clock_here(game) {
            Some(clock) => Ok(Some(clock.clone())),
            None => self.store().clock(game),
        }
    }

    fn clocks(&self) -> Read<Vec<(u32, GameClock)>> {
        let mut clocks: BTreeMap<u32, GameClock> = self.store().clocks()?.into_iter().collect();
        let layers: Vec<&Changes> = self.layers().collect();
        for layer in layers.into_iter().rev() {
            clocks.extend(layer.batch.clocks.iter().cloned());
        }
        for session in self.open_games() {
            clocks.extend(session.clock.clone().map(|clock| (session.number(), clock)));
        }
        Ok(clocks.into_iter().collect())
    }

    fn has_clocks(&self) -> Read<bool> {
        let here = self.open_games().any(|session| session.clock.is_some());
        Ok(here || self.store().has_clocks()?)
    }

    fn heartbeat(&self) -> Read<Option<Heartbeat>> {
        let here = self.decided(|layer| layer.batch.heartbeat);
        here.map_or_else(|| self.store().heartbeat(), |heartbeat| Ok(Some(heartbeat)))
    }

    fn morning(&self) -> Read<Option<DateTime<Utc>>> {
        let here = self.decided(|layer| layer.batch.morning);
        here.map_or_else(|| self.store().morning(), |morning| Ok(Some(morning)))
    }

    fn moderator(&self) -> Read<u32> {
        let here = self.decided(|layer| layer.batch.moderator);
        here.map_or_else(|| self.store().moderator(), Ok)
    }

    fn unread(&self) -> Read<BTreeMap<String, Unread>> {
        let mut unread = self.store().unread()?;
        let layers: Vec<&Changes> = self.layers().collect();
        for (name, now) in layers.into_iter().rev().flat_map(|layer| &layer.batch.unread) {
            match now {
                Some(now) => unread.insert(name.clone(), now.clone()),
                None => unread.remove(name),
            };
        }
        Ok(unread)
    }

    fn room(&self, game: u32) -> Read<GameRoom> {
        match self.decided(|layer| layer.rooms.get(&game)) {
            Some(around) => Ok(around.clone()),
            None => self.store().room(game),
        }
    }

    fn rooms(&self) -> Read<Vec<(u32, GameRoom)>> {
        let mut all: BTreeMap<u32, GameRoom> = self.store().rooms()?.into_iter().collect();
        let layers: Vec<&Changes> = self.layers().collect();
        for layer in layers.into_iter().rev() {
            all.extend(layer.rooms.iter().map(|(game, around)| (*game, around.clone())));
        }
        Ok(all.into_iter().collect())
    }

    fn minutes(&self, game: u32) -> Read<Vec<ActivityEntry>> {
        let mut minutes = self.minutes_before(game)?;
        minutes.extend(self.minutes_here(game).into_iter().flatten().cloned());
        Ok(minutes)
    }

    fn restored(&self) -> Read<Option<DateTime<Utc>>> {
        let here = self.decided(|layer| layer.batch.restored);
        here.map_or_else(|| self.store().restored(), |at| Ok(Some(at)))
    }
}

/// The outbox is what the store has: what a transaction puts into it may leave once it is
/// committed.
impl Outbox for Transaction<'_> {
    fn in_line(&self, now: DateTime<Utc>) -> Read<Vec<InLine>> {
        self.context.store.in_line(now)
    }

    fn queued(&self, key: u64) -> Read<Option<Queued>> {
        self.context.store.queued(key)
    }

    fn queued_among(&self, keys: &[u64]) -> Read<Vec<Queued>> {
        self.context.store.queued_among(keys)
    }

    fn outbox_length(&self) -> Read<usize> {
        self.context.store.outbox_length()
    }

    fn unposted(&self) -> Read<Vec<(String, u32)>> {
        self.context.store.unposted()
    }
}
