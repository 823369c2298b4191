//! A store in memory that is as simple as the contract of a store allows. Tests compare other
//! stores with it, and use it to cause conflicts.

#![allow(dead_code, reason = "each test binary uses its own part")]

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use postrider::club::clock::{GameClock, Heartbeat};
use postrider::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use postrider::rules::Seat;
use postrider::store::journal::{ClubLine, ClubLineSink, JournalSource};
use postrider::store::{
    Batch, CampaignGame, FileStamp, GameFacts, GameStore, JournalChecks, Migration, Outbox,
    OutgoingLetter, PostRecord, QueuedLetter, QueuedSummary, ReadSet, Repository, Revision, Row,
    SeenLetter, StoreError, UnreadableLetter,
};
use postrider::table::Outline;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};

/// The longest time for which one failed attempt postpones a letter. A letter that would wait
/// longer was postponed by a clock that was ahead, so it counts as sendable.
const POSTPONE_MAX: TimeDelta = TimeDelta::days(2);

/// The store. It has no journal, and its contents end with the process.
#[derive(Default)]
pub struct Memory {
    state: Mutex<State>,
    refusals: Mutex<Refusals>,
    meanwhile: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

/// The contents of the store. A commit changes a copy, so it is complete or has no effect.
#[derive(Clone, Default)]
struct State {
    revisions: BTreeMap<Row, Revision>,
    logs: BTreeMap<u32, Vec<String>>,
    outlines: BTreeMap<u32, Outline>,
    members: BTreeMap<u32, Member>,
    addresses: BTreeMap<String, u32>,
    seats: BTreeMap<(u32, Seat), SeatAssignment>,
    campaign_games: BTreeMap<(String, u32, u32), CampaignGame>,
    rooms: BTreeMap<u32, GameInfo>,
    minutes: BTreeMap<u32, Vec<ActivityEntry>>,
    clocks: BTreeMap<u32, GameClock>,
    due: BTreeMap<u32, DateTime<Utc>>,
    seen_letters: BTreeMap<[u8; 16], SeenLetter>,
    seen_files: BTreeMap<String, String>,
    unread: BTreeMap<String, UnreadableLetter>,
    answers: BTreeMap<String, Vec<i64>>,
    posted: BTreeMap<(NaiveDate, String), PostRecord>,
    outbox: BTreeMap<u64, OutboxEntry>,
    letters: u64,
    moderator: u32,
    heartbeat: Option<Heartbeat>,
    morning: Option<DateTime<Utc>>,
    restored: Option<DateTime<Utc>>,
}

#[derive(Clone)]
struct OutboxEntry {
    letter: OutgoingLetter,
    attempts: u32,
    not_before: Option<DateTime<Utc>>,
}

/// The number of commits that are still refused, and the number to refuse before each accepted one.
#[derive(Default)]
struct Refusals {
    left: usize,
    each: usize,
    refused: usize,
}

impl Memory {
    /// Copies the contents into a new store.
    pub fn copy(&self) -> Self {
        Self { state: Mutex::new(self.state().clone()), ..Self::default() }
    }

    /// Replaces the contents by those of another store.
    pub fn set_to(&self, other: &Self) {
        let state = other.state().clone();
        *self.state() = state;
    }

    /// Refuses the next `times` commits that have read any row, as if another process had changed
    /// it.
    pub fn conflict_next(&self, times: usize) {
        self.refusals.lock().unwrap().left = times;
    }

    /// Refuses every commit that has read any row `times` times before it is accepted.
    pub fn conflict_each(&self, times: usize) {
        let mut refusals = self.refusals.lock().unwrap();
        (refusals.left, refusals.each) = (times, times);
    }

    /// Runs `work` before the next commit that has read any row, as if another process had been
    /// faster.
    pub fn meanwhile(&self, work: impl FnOnce() + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::new(work));
    }

    /// Returns how many commits were refused on demand.
    pub fn refused(&self) -> usize {
        self.refusals.lock().unwrap().refused
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Returns the row to name in a refusal if this commit is to be refused.
    fn take_refusal(&self, read: &ReadSet) -> Option<Row> {
        let mut refusals = self.refusals.lock().unwrap();
        match (any_read_row(read), refusals.left.checked_sub(1)) {
            (Some(row), Some(left)) => {
                refusals.left = left;
                refusals.refused += 1;
                Some(row)
            }
            _ => {
                refusals.left = refusals.each;
                None
            }
        }
    }
}

/// Returns one of the rows that were read.
fn any_read_row(read: &ReadSet) -> Option<Row> {
    read.find_changed(|_| Ok(Revision(u64::MAX))).unwrap()
}

impl State {
    fn revision(&self, row: &Row) -> Revision {
        self.revisions.get(row).copied().unwrap_or_default()
    }

    fn apply(&mut self, batch: &Batch) -> Result<(), StoreError> {
        batch.check_log_lines_printable()?;
        for line in &batch.log_lines {
            let log = self.logs.entry(line.game).or_default();
            if log.len() != line.seq as usize {
                return Err(StoreError::Conflict(Row::Game(line.game)));
            }
            log.push(line.line.clone());
        }
        self.outlines.extend(batch.outlines.iter().cloned());
        batch.members.iter().for_each(|member| self.set_member(member));
        let seats = batch.seats.iter().cloned();
        self.seats.extend(seats.map(|(game, seat, seated)| ((game, seat), seated)));
        self.seen_letters.extend(batch.seen_letters.iter().cloned());
        self.seen_files.extend(batch.seen_files.iter().cloned());
        let key = |game: &CampaignGame| (game.campaign.clone(), game.round, game.table);
        let games = batch.campaign_games.iter();
        self.campaign_games.extend(games.map(|game| (key(game), game.clone())));
        self.clocks.extend(batch.clocks.iter().cloned());
        self.rooms.extend(batch.game_infos.iter().cloned());
        for (game, entry) in &batch.activity {
            self.minutes.entry(*game).or_default().push(entry.clone());
        }
        for (game, due) in &batch.due {
            self.due.remove(game);
            self.due.extend(due.map(|due| (*game, due)));
        }
        for (account, at) in &batch.counted_events {
            let times = self.answers.entry(account.clone()).or_default();
            times.insert(times.partition_point(|before| before <= at), *at);
        }
        for (name, unread) in &batch.unreadable {
            self.unread.remove(name);
            self.unread.extend(unread.iter().map(|unread| (name.clone(), unread.clone())));
        }
        for (id, posted) in &batch.posted {
            let at = DateTime::from_timestamp(posted.at.timestamp(), 0).unwrap();
            let posted = PostRecord { at, ..posted.clone() };
            self.posted.insert((at.date_naive(), id.clone()), posted);
        }
        self.moderator = batch.moderator_generation.unwrap_or(self.moderator);
        self.heartbeat = batch.heartbeat.or(self.heartbeat);
        self.morning = batch.last_morning_digest.or(self.morning);
        self.restored = batch.restored_at.or(self.restored);
        self.change_outbox(batch);
        for row in batch.changed_rows() {
            self.revisions.entry(row).or_default().0 += 1;
        }
        Ok(())
    }

    fn set_member(&mut self, member: &Member) {
        let before = self.members.insert(member.id, member.clone()).unwrap_or_default();
        let given_up = |address: &&String| !member.addresses.contains(address);
        for address in before.addresses.iter().filter(given_up) {
            if self.addresses.get(address) == Some(&member.id) {
                self.addresses.remove(address);
            }
        }
        self.addresses.extend(member.addresses.iter().map(|own| (own.clone(), member.id)));
    }

    fn change_outbox(&mut self, batch: &Batch) {
        for letter in batch.outgoing.iter().cloned() {
            self.letters += 1;
            let queued = OutboxEntry { letter, attempts: 0, not_before: None };
            self.outbox.insert(self.letters, queued);
        }
        batch.sent.iter().for_each(|key| drop(self.outbox.remove(key)));
        for (key, until) in &batch.postponed {
            if let Some(queued) = self.outbox.get_mut(key) {
                queued.attempts += 1;
                queued.not_before = Some(*until);
            }
        }
        for (key, letter) in &batch.replaced {
            if let Some(queued) = self.outbox.get_mut(key) {
                *queued = OutboxEntry { letter: letter.clone(), attempts: 0, not_before: None };
            }
        }
    }
}

impl Repository for Memory {
    fn game_log_lines(&self, game: u32) -> Result<Vec<String>, StoreError> {
        Ok(self.state().logs.get(&game).cloned().unwrap_or_default())
    }

    fn log_length(&self, game: u32) -> Result<u32, StoreError> {
        Ok(self.game_log_lines(game)?.len() as u32)
    }

    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError> {
        let (room, clock) = (self.game_info(game)?, self.clock(game)?);
        let seats = self.seat_assignments(game)?.iter().map(Into::into).collect();
        let lines = self.log_length(game)?;
        let outline = self.state().outlines.get(&game).cloned();
        let outline = outline.filter(|outline| outline.matches_log_length(lines));
        Ok(GameFacts { log_length: lines, seats, room, clock, outline })
    }

    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError> {
        let (logs, rooms) = (self.game_numbers()?, self.game_infos()?);
        let rooms = rooms.into_iter().map(|(game, _)| game);
        let all: BTreeSet<u32> = rooms.chain(logs).filter(|game| games.contains(game)).collect();
        all.into_iter().map(|game| Ok((game, self.game_facts(game)?))).collect()
    }

    fn game_numbers(&self) -> Result<Vec<u32>, StoreError> {
        Ok(self.state().logs.keys().copied().collect())
    }

    fn next_game_number(&self) -> Result<u32, StoreError> {
        let state = self.state();
        Ok(state.logs.keys().chain(state.rooms.keys()).max().map_or(1, |last| last + 1))
    }

    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError> {
        let state = self.state();
        let of = state.campaign_games.values().filter(|game| game.campaign == campaign);
        Ok(of.cloned().collect())
    }

    fn members(&self) -> Result<Vec<Member>, StoreError> {
        Ok(self.state().members.values().cloned().collect())
    }

    fn next_member_number(&self) -> Result<u32, StoreError> {
        Ok(self.state().members.keys().max().map_or(1, |last| last + 1))
    }

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError> {
        Ok(self.state().members.get(&id).cloned())
    }

    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError> {
        let state = self.state();
        Ok(state.addresses.get(address).and_then(|id| state.members.get(id)).cloned())
    }

    fn seat_assignments(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError> {
        let state = self.state();
        let at_table = state.seats.iter().filter(|((of, _), _)| *of == game);
        Ok(at_table.map(|(_, seated)| seated.clone()).collect())
    }

    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError> {
        let state = self.state();
        let own = state.seats.iter().filter(|(_, seated)| seated.member == member);
        Ok(own.map(|(place, _)| *place).collect())
    }

    fn game_info(&self, game: u32) -> Result<GameInfo, StoreError> {
        Ok(self.state().rooms.get(&game).cloned().unwrap_or_default())
    }

    fn game_infos(&self) -> Result<Vec<(u32, GameInfo)>, StoreError> {
        Ok(self.state().rooms.clone().into_iter().collect())
    }

    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError> {
        Ok(self.state().minutes.get(&game).cloned().unwrap_or_default())
    }

    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError> {
        Ok(self.state().clocks.get(&game).cloned())
    }

    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError> {
        Ok(self.state().clocks.clone().into_iter().collect())
    }

    fn has_ever_had_clock(&self) -> Result<bool, StoreError> {
        Ok(!self.state().clocks.is_empty())
    }

    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError> {
        let state = self.state();
        let mut due: Vec<_> = state.due.iter().filter(|(_, due)| **due <= until).collect();
        due.sort_by_key(|(game, due)| (**due, **game));
        Ok(due.into_iter().map(|(game, _)| *game).collect())
    }

    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.state().due.get(&game).copied())
    }

    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.state().due.values().min().copied())
    }

    fn letter_outcome(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError> {
        Ok(self.state().seen_letters.get(digest).cloned())
    }

    fn letters_of_member(&self, member: u32) -> Result<BTreeMap<[u8; 16], SeenLetter>, StoreError> {
        let state = self.state();
        let own = state.seen_letters.iter().filter(|(_, seen)| seen.is_of_member(member));
        Ok(own.map(|(digest, seen)| (*digest, seen.clone())).collect())
    }

    fn file_outcome_text(&self, name: &str) -> Result<Option<String>, StoreError> {
        Ok(self.state().seen_files.get(name).cloned())
    }

    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError> {
        Ok(self.state().unread.clone())
    }

    fn event_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError> {
        let times = self.state().answers.get(address).cloned().unwrap_or_default();
        Ok(times.into_iter().filter(|at| *at >= since).collect())
    }

    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError> {
        let state = self.state();
        let mut upto = state.posted.iter().filter(|((day, _), _)| *day <= until.date_naive());
        let last = upto.rfind(|((_, id), _)| id == message_id);
        let last = last.map(|(_, posted)| posted);
        Ok(last.filter(|posted| since <= posted.at && posted.at <= until).cloned())
    }

    fn moderator_generation(&self) -> Result<u32, StoreError> {
        Ok(self.state().moderator)
    }

    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError> {
        Ok(self.state().heartbeat)
    }

    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.state().morning)
    }

    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError> {
        Ok(self.state().restored)
    }
}

impl Outbox for Memory {
    fn list_sendable(&self, now: DateTime<Utc>) -> Result<Vec<QueuedSummary>, StoreError> {
        let waits = |until: DateTime<Utc>| now < until && until - now <= POSTPONE_MAX;
        let state = self.state();
        let ready = state.outbox.iter().filter(|(_, queued)| !queued.not_before.is_some_and(waits));
        let in_line = ready.map(|(key, OutboxEntry { letter, attempts, .. })| QueuedSummary {
            key: *key,
            message_id: letter.message_id.clone(),
            recipient: letter.recipient.clone(),
            attempts: *attempts,
            label: letter.label.clone(),
            mergeable: *attempts == 0 && letter.label.as_ref().is_some_and(|l| l.mergeable),
        });
        Ok(in_line.collect())
    }

    fn queued_letter(&self, key: u64) -> Result<Option<QueuedLetter>, StoreError> {
        let found = self.state().outbox.get(&key).cloned();
        Ok(found.map(|OutboxEntry { letter, attempts, .. }| QueuedLetter { key, attempts, letter }))
    }

    fn outbox_length(&self) -> Result<usize, StoreError> {
        Ok(self.state().outbox.len())
    }

    fn failed_deliveries(&self) -> Result<Vec<(String, u32)>, StoreError> {
        let state = self.state();
        let tried = state.outbox.values().filter(|queued| queued.attempts > 0);
        Ok(tried.map(|queued| (queued.letter.recipient.clone(), queued.attempts)).collect())
    }
}

impl JournalSource for Memory {
    fn for_each_journal_line(&self, take: ClubLineSink<'_>) -> Result<(), StoreError> {
        let state = self.state().clone();
        let mut lines: Vec<ClubLine> = state.members.into_values().map(ClubLine::Member).collect();
        let generation = Some(state.moderator).filter(|generation| *generation > 0);
        lines.extend(generation.map(|generation| ClubLine::Moderator { generation }));
        let seats = state.seats.into_iter();
        lines.extend(seats.map(|((game, seat), seated)| ClubLine::Seat {
            game,
            seat,
            assignment: seated,
        }));
        lines.extend(state.campaign_games.into_values().map(ClubLine::CampaignGame));
        let clocks = state.clocks.into_iter().map(|(game, clock)| (game, Box::new(clock)));
        lines.extend(clocks.map(|(game, clock)| ClubLine::Clock { game, clock }));
        lines.extend(state.rooms.into_iter().map(|(game, room)| ClubLine::GameRoom { game, room }));
        for (game, minutes) in state.minutes {
            let minutes = minutes.into_iter();
            lines.extend(minutes.map(|entry| ClubLine::ActivityEntry { game, entry }));
        }
        let seen = state.seen_letters.iter();
        lines.extend(seen.map(|(digest, seen)| ClubLine::from_seen_letter(digest, seen)));
        lines.into_iter().try_for_each(take)
    }
}

impl JournalChecks for Memory {}

impl GameStore for Memory {
    fn commit(&self, batch: &Batch, read: &ReadSet) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        let faster = any_read_row(read).and_then(|_| self.meanwhile.lock().unwrap().take());
        faster.into_iter().for_each(|work| work());
        let mut state = self.state();
        let moved = read.find_changed(|row| Ok(state.revision(row)))?;
        if let Some(row) = moved.or_else(|| self.take_refusal(read)) {
            return Err(StoreError::Conflict(row));
        }
        let mut changed = state.clone();
        changed.apply(batch)?;
        *state = changed;
        Ok(())
    }

    fn revision(&self, row: &Row) -> Result<Revision, StoreError> {
        Ok(self.state().revision(row))
    }

    fn prune_post_records(&self, before: DateTime<Utc>) -> Result<(), StoreError> {
        self.state().posted.retain(|(day, _), _| *day >= before.date_naive());
        Ok(())
    }

    fn update_journal(&self, _: &Path) -> Result<(), StoreError> {
        Ok(())
    }

    fn read_only_reason(&self) -> Option<StoreError> {
        None
    }

    fn begin_rebuild(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn finish_rebuild(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn as_migration(&self) -> &dyn Migration {
        unreachable!("no club is moved to this store")
    }

    fn file_stamp(&self) -> Option<FileStamp> {
        None
    }
}
