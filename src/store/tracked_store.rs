//! A read-only view of the store that notes which rows the answers rest on.
//!
//! This is the only module that knows which rows an answer rests on.
//! [`Batch::changed_rows`](super::Batch::changed_rows) says which rows a batch changes.

use super::{
    CampaignGame, GameFacts, GameStore, PostRecord, ReadSet, Repository, Row, SeenLetter,
    StoreError, UnreadableLetter,
};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use std::ops::Range;

/// The number of games whose revisions are fetched at a time. A store on a server caches only so
/// many rows.
const GAMES_PER_FETCH: u32 = 1_000;

/// A store, with the rows that were read through it so far and their revisions.
///
/// An answer over all games rests on each of them and on the next free number, so it also notices a
/// game that is founded later.
///
/// Three answers rest on no row: which games are due, when the next one is due, and whether there
/// are clocks. They only say where to look: the caller then reads the game itself, which is noted.
/// A post record rests on no row either. It is written after the letter has left, so a note could
/// not help a caller that is too early to find it. A record that was found does not change.
pub struct TrackedStore<'a> {
    store: &'a dyn GameStore,
    read_set: ReadSet,
}

impl<'a> TrackedStore<'a> {
    pub fn new(store: &'a dyn GameStore) -> Self {
        Self { store, read_set: ReadSet::default() }
    }

    /// Returns the rows that this decision has read so far, with their revisions.
    pub const fn read_set(&self) -> &ReadSet {
        &self.read_set
    }

    /// Notes a row's revision, and returns the store to read the row from. The revision is noted
    /// first, so that the commit finds a change between the two.
    fn track_row(&self, row: Row) -> Result<&'a dyn GameStore, StoreError> {
        self.read_set.note_revision(row, |row| self.store.revision(row))?;
        Ok(self.store)
    }

    /// Asks a question whose answer names the rows that it rests on. Asks again until the answer is
    /// equal before and after these rows were noted.
    fn read_until_stable<T: PartialEq>(
        &self,
        ask: impl Fn(&dyn GameStore) -> Result<T, StoreError>,
        rests_on: impl Fn(&T) -> Vec<Row>,
    ) -> Result<T, StoreError> {
        let mut answer = ask(self.store)?;
        loop {
            rests_on(&answer).into_iter().try_for_each(|row| self.track_row(row).map(drop))?;
            match ask(self.store)? {
                same if same == answer => return Ok(answer),
                other => answer = other,
            }
        }
    }

    /// Notes all games and the next free number, and returns the store.
    fn track_all_games(&self) -> Result<&'a dyn GameStore, StoreError> {
        // One more than there are games, because the answer also rests on the absence of a further
        // game.
        let end = self.next_game_number()?.saturating_add(1);
        for first in (1..end).step_by(GAMES_PER_FETCH as usize) {
            self.track_games(first..end.min(first.saturating_add(GAMES_PER_FETCH)))?;
        }
        Ok(self.store)
    }

    /// Notes the rows of a range of games, and returns the store.
    fn track_games(&self, games: Range<u32>) -> Result<&'a dyn GameStore, StoreError> {
        self.store.prefetch(&games.clone().map(Row::Game).collect::<Vec<_>>(), false)?;
        games.into_iter().try_for_each(|game| self.track_row(Row::Game(game)).map(drop))?;
        Ok(self.store)
    }
}

impl Repository for TrackedStore<'_> {
    fn game_log_lines(&self, game: u32) -> Result<Vec<String>, StoreError> {
        self.track_row(Row::Game(game))?.game_log_lines(game)
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        self.track_row(Row::Game(game))?.log_length(game)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        self.track_row(Row::Game(game))?.game_facts(game)
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        self.track_games(games.clone())?.facts_of_games(games)
    }

    fn game_numbers(&self) -> Result<Vec<u32>, StoreError> {
        self.track_all_games()?.game_numbers()
    }

    fn next_game_number(&self) -> Result<u32, StoreError> {
        self.read_until_stable(|store| store.next_game_number(), |next| vec![Row::Game(*next)])
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        self.track_row(Row::Campaign(campaign.to_owned()))?.campaign_games(campaign)
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        (1..=self.next_member_number()?)
            .try_for_each(|id| self.track_row(Row::Member(id)).map(drop))?;
        self.store.members()
    }

    fn next_member_number(&self) -> Result<u32, StoreError> {
        self.read_until_stable(|store| store.next_member_number(), |next| vec![Row::Member(*next)])
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        self.track_row(Row::Member(id))?.member(id)
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        self.track_row(Row::Address(address.to_owned()))?;
        let member =
            |member: &Option<Member>| member.iter().map(|member| Row::Member(member.id)).collect();
        self.read_until_stable(|store| store.member_by_address(address), member)
    }

    fn seat_assignments(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError> {
        self.track_row(Row::Game(game))?.seat_assignments(game)
    }

    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        self.track_row(Row::MemberSeats(member))?;
        let games =
            |seats: &Vec<(u32, Seat)>| seats.iter().map(|(game, _)| Row::Game(*game)).collect();
        self.read_until_stable(|store| store.member_seats(member), games)
    }

    fn game_info(&self, game: u32) -> Result<GameInfo, StoreError> {
        self.track_row(Row::Game(game))?.game_info(game)
    }

    fn game_infos(&self) -> Result<Vec<(u32, GameInfo)>, StoreError> {
        self.track_all_games()?.game_infos()
    }

    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        self.track_row(Row::Game(game))?.activity_log(game)
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        self.track_row(Row::Game(game))?.clock(game)
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        self.track_all_games()?.clocks()
    }

    fn has_ever_had_clock(&self) -> Result<bool, StoreError> {
        self.store.has_ever_had_clock()
    }

    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        self.store.due_games(until)
    }

    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.track_row(Row::Game(game))?.due_time(game)
    }

    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.store.next_due_time()
    }

    fn letter_outcome(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        self.track_row(Row::Letter(*digest))?.letter_outcome(digest)
    }

    /// Notes no row: only the moderator reads this list, and no change depends on it.
    fn letters_of_member(&self, member: u32) -> Result<BTreeMap<[u8; 16], SeenLetter>, StoreError> {
        self.store.letters_of_member(member)
    }

    fn file_outcome_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        self.track_row(Row::File(name.to_owned()))?.file_outcome_text(name)
    }

    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError> {
        self.track_row(Row::Club)?.unreadable_letters()
    }

    fn event_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        self.track_row(Row::CountedEvents(address.to_owned()))?.event_times_since(address, since)
    }

    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError> {
        self.store.post_record(message_id, since, until)
    }

    fn moderator_generation(&self) -> Result<u32, StoreError> {
        self.track_row(Row::Club)?.moderator_generation()
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        self.track_row(Row::Club)?.heartbeat()
    }

    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.track_row(Row::Club)?.last_morning_digest()
    }

    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        self.track_row(Row::Club)?.restored_at()
    }
}
