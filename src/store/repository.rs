//! The trait for reading a club. A store implements it, and so does a transaction, which answers as
//! the store will answer once the transaction is committed.
//!
//! All code that decides something reads through this trait, so it cannot bypass the transaction in
//! which it decides.

use super::{CampaignGame, GameFacts, PostRecord, SeenLetter, StoreError, UnreadableLetter};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use std::ops::Range;

/// All questions about a club that a decision can rest on.
///
/// Every call fails with [`StoreError::Io`] or [`StoreError::Server`] if the store cannot be read,
/// with [`StoreError::Damaged`] if the data cannot be right, and with [`StoreError::Newer`] if a
/// later version wrote it.
///
/// [`Self::game_numbers`], [`Self::clocks`], [`Self::game_infos`], [`Self::members`] and
/// [`Self::letters_of_member`] read a whole club, as does [`Self::facts_of_games`] over all
/// numbers. No ordinary pass calls them;
/// [`super::GameStore`]'s module lists the callers.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Repository: Sync {
    /// Returns all lines of a game's log in order; empty if there is no such game.
    fn game_log_lines(&self, game: u32) -> Result<Vec<String>, StoreError>;

    /// Returns the number of lines in a game's log; 0 if there is no such game.
    fn log_length(&self, game: u32) -> Result<u32, StoreError>;

    /// Returns what is stored of a game besides its log and its activity log. The outline is `None`
    /// unless it belongs to the log's last line.
    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError>;

    /// Returns the facts of all games in a range of numbers, by number. Includes games that have no
    /// log yet, only a [`GameInfo`], such as a proposal.
    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError>;

    /// Returns the numbers of all games that have a log, ascending.
    fn game_numbers(&self) -> Result<Vec<u32>, StoreError>;

    /// Returns the number for the next game: one more than the highest, from 1. A game that has
    /// only a [`GameInfo`], such as a proposal, uses a number too.
    fn next_game_number(&self) -> Result<u32, StoreError>;

    /// Returns the games of a campaign, by round and table.
    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError>;

    /// Returns all members, by number.
    fn members(&self) -> Result<Vec<Member>, StoreError>;

    /// Returns the number for the next member: one more than the highest, from 1.
    fn next_member_number(&self) -> Result<u32, StoreError>;

    fn member(&self, id: u32) -> Result<Option<Member>, StoreError>;

    /// Returns the member to whom an address belongs. The address must be in lower case.
    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError>;

    /// Returns the seat assignments of a game, by seat.
    fn seat_assignments(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError>;

    /// Returns the seats of a member: game and seat, ascending.
    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError>;

    /// Returns the observers, the waiting list, the proposal and the terms of a game; empty if none
    /// are stored.
    fn game_info(&self, game: u32) -> Result<GameInfo, StoreError>;

    /// Returns the [`GameInfo`] of every game that has one, by number.
    fn game_infos(&self) -> Result<Vec<(u32, GameInfo)>, StoreError>;

    /// Returns a game's activity log in order: press, votes, interventions, and changes of players.
    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError>;

    /// Returns a game's clock; `None` if the game has no deadlines.
    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError>;

    /// Returns the clocks of all games that have one, by number.
    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError>;

    /// Whether any game has, or ever had, a clock.
    fn has_ever_had_clock(&self) -> Result<bool, StoreError>;

    /// Returns the games that are due at or before `until`, the earliest due first. Reads no other
    /// games.
    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError>;

    /// Returns when a game is due; `None` if it is not.
    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// Returns the earliest time at which any game is due.
    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// Returns the outcome of an inbound letter by its digest; `None` if it was never processed.
    fn letter_outcome(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError>;

    /// Returns the processed letters that a member wrote, by digest.
    fn letters_of_member(&self, member: u32) -> Result<BTreeMap<[u8; 16], SeenLetter>, StoreError>;

    /// Returns the outcome of an inbound file as [`Batch::seen_files`](super::Batch::seen_files)
    /// stored it; `None` if it was never processed.
    fn file_outcome_text(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// Returns the inbound letters that cannot be read, by file name.
    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError>;

    /// Returns the times at which an event was counted for an account, from `since` on: Unix
    /// seconds, ascending. The account is an address or the name of another counter.
    fn event_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError>;

    /// Returns the record of a posted letter by its Message-ID, if it was last posted between
    /// `since` and `until`.
    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError>;

    /// Returns the generation of the moderator's reply tokens: how often they were revoked.
    fn moderator_generation(&self) -> Result<u32, StoreError>;

    /// Returns when passes ran; `None` before the first pass.
    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError>;

    /// Returns when the moderator's morning digest was last due; `None` before the first pass.
    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// Returns when the store was rebuilt from a journal; `None` if it never was.
    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError>;
}
