//! The store as one decision reads it: every question notes what its answer rests on.
//!
//! It stands here and nowhere else which rows an answer rests on; which rows a batch changes,
//! [`Batch::rows`](super::Batch::rows) says. Changes nothing.

use super::{
    CampaignGame, GameFacts, GameStore, Posted, ReadSet, Repository, Row, SeenLetter, StoreError,
    Unread,
};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameRoom, Member, Seated};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use std::ops::Range;

/// The rows of so many games are asked for at once, of which a store keeps only so many in mind.
const GAMES_AT_ONCE: u32 = 1_000;

/// A store, and what was read of it so far.
///
/// What goes over all games rests on each of them and on the number that is free, so on what is
/// founded meanwhile too. What only says where to look rests on nothing: which games are due, when
/// the next one is, whether there are clocks. Whoever looks there asks the game itself. Nor does
/// what was posted: a letter has left before anybody can note that, so whoever does not find it is
/// too early whatever is noted after him, and what is noted stays.
pub struct Tracked<'a> {
    store: &'a dyn GameStore,
    read: ReadSet,
}

impl<'a> Tracked<'a> {
    /// A store of which nothing was read yet.
    pub fn new(store: &'a dyn GameStore) -> Self {
        Self { store, read: ReadSet::default() }
    }

    /// What was read.
    pub const fn read(&self) -> &ReadSet {
        &self.read
    }

    /// The store, of which this row is going to be read.
    fn at(&self, row: Row) -> Result<&'a dyn GameStore, StoreError> {
        self.read.note(row, |row| self.store.revision(row))?;
        Ok(self.store)
    }

    /// An answer that shows itself what it rests on: asked until it is the same after that was
    /// noted as before.
    fn settled<T: PartialEq>(
        &self,
        ask: impl Fn(&dyn GameStore) -> Result<T, StoreError>,
        rests_on: impl Fn(&T) -> Vec<Row>,
    ) -> Result<T, StoreError> {
        let mut answer = ask(self.store)?;
        loop {
            rests_on(&answer).into_iter().try_for_each(|row| self.at(row).map(drop))?;
            match ask(self.store)? {
                same if same == answer => return Ok(answer),
                other => answer = other,
            }
        }
    }

    /// The store, of which all games are going to be read.
    fn at_all_games(&self) -> Result<&'a dyn GameStore, StoreError> {
        // One more than there are: that none came up is what it rests on, too.
        let end = self.next_game()?.saturating_add(1);
        for first in (1..end).step_by(GAMES_AT_ONCE as usize) {
            self.at_games(first..end.min(first.saturating_add(GAMES_AT_ONCE)))?;
        }
        Ok(self.store)
    }

    /// The store, of which the rows of these games are going to be read.
    fn at_games(&self, games: Range<u32>) -> Result<&'a dyn GameStore, StoreError> {
        self.store.prefetch(&games.clone().map(Row::Game).collect::<Vec<_>>(), false)?;
        games.into_iter().try_for_each(|game| self.at(Row::Game(game)).map(drop))?;
        Ok(self.store)
    }
}

impl Repository for Tracked<'_> {
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError> {
        self.at(Row::Game(game))?.log(game)
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        self.at(Row::Game(game))?.log_length(game)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        self.at(Row::Game(game))?.game_facts(game)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        self.at_games(games.clone())?.facts_of_games(games)
    }

    fn games(&self) -> Result<Vec<u32>, StoreError> {
        self.at_all_games()?.games()
    }

    fn next_game(&self) -> Result<u32, StoreError> {
        self.settled(|store| store.next_game(), |next| vec![Row::Game(*next)])
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        self.at(Row::Campaign(campaign.to_owned()))?.campaign_games(campaign)
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        (1..=self.next_member()?).try_for_each(|id| self.at(Row::Member(id)).map(drop))?;
        self.store.members()
    }

    fn next_member(&self) -> Result<u32, StoreError> {
        self.settled(|store| store.next_member(), |next| vec![Row::Member(*next)])
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        self.at(Row::Member(id))?.member(id)
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        self.at(Row::Address(address.to_owned()))?;
        let member =
            |member: &Option<Member>| member.iter().map(|member| Row::Member(member.id)).collect();
        self.settled(|store| store.member_by_address(address), member)
    }

    fn seats(&self, game: u32) -> Result<Vec<Seated>, StoreError> {
        self.at(Row::Game(game))?.seats(game)
    }

    fn seats_of(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.at(Row::SeatsOf(member))?;
        let games =
            |seats: &Vec<(u32, Seat)>| seats.iter().map(|(game, _)| Row::Game(*game)).collect();
        self.settled(|store| store.seats_of(member), games)
    }

    fn room(&self, game: u32) -> Result<GameRoom, StoreError> {
        self.at(Row::Game(game))?.room(game)
    }

    fn rooms(&self) -> Result<Vec<(u32, GameRoom)>, StoreError> {
        self.at_all_games()?.rooms()
    }

    fn minutes(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        self.at(Row::Game(game))?.minutes(game)
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        self.at(Row::Game(game))?.clock(game)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.at_all_games()?.clocks()
    }

    fn has_clocks(&self) -> Result<bool, StoreError> {
        self.store.has_clocks()
    }

    fn due(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        self.store.due(until)
    }

    fn due_at(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.at(Row::Game(game))?.due_at(game)
    }

    fn next_due(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.store.next_due()
    }

    fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        self.at(Row::Letter(*digest))?.seen_letter(digest)
    }

    fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.at(Row::File(name.to_owned()))?.seen_file(name)
    }

    fn unread(&self) -> Result<BTreeMap<String, Unread>, StoreError> {
        self.at(Row::House)?.unread()
    }

    fn answers_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        self.at(Row::Answers(address.to_owned()))?.answers_since(address, since)
    }

    fn posted(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<Posted>, StoreError> {
        self.store.posted(message_id, since, until)
    }

    fn moderator(&self) -> Result<u32, StoreError> {
        self.at(Row::House)?.moderator()
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        self.at(Row::House)?.heartbeat()
    }

    fn morning(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.at(Row::House)?.morning()
    }

    fn restored(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.at(Row::House)?.restored()
    }
}
