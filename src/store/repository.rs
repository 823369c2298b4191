//! What can be asked about a club: of the store, and of a transaction, which answers as the store
//! will once it is committed.
//!
//! Whoever decides anything asks through here, so that he cannot ask beside the transaction that he
//! decides in. Changes nothing; knows nothing of how it is kept.

use super::{CampaignGame, GameFacts, PostRecord, SeenLetter, StoreError, UnreadableLetter};
use crate::club::clock::{GameClock, Heartbeat};
use crate::club::{ActivityEntry, GameInfo, Member, SeatAssignment};
use crate::rules::Seat;
use chrono::{DateTime, Utc};
use std::collections::BTreeMap;
use std::ops::Range;

/// Everything that a decision can rest on.
///
/// Every call fails with [`StoreError::Io`] when it cannot be read, with [`StoreError::Damaged`]
/// when what is found cannot be right, and with [`StoreError::Newer`] when a later version wrote
/// it.
///
/// Four calls walk all that a club has: [`Self::games`], [`Self::clocks`], [`Self::rooms`] and
/// [`Self::members`]. No ordinary pass makes them, nor goes on by [`Self::facts_of_games`] from the
/// first game to the last; [`super::GameStore`] says who does.
#[allow(clippy::missing_errors_doc, reason = "said once, above")]
pub trait Repository: Sync {
    /// All lines of a game's log in order; none when there is no such game.
    fn log(&self, game: u32) -> Result<Vec<String>, StoreError>;

    /// How many lines a game's log has; 0 when there is no such game.
    fn log_length(&self, game: u32) -> Result<u32, StoreError>;

    /// What is kept of a game beside its log and its minutes. Its outline is the log's, or none.
    fn game_facts(&self, game: u32) -> Result<GameFacts, StoreError>;

    /// The same of all games whose numbers are among these, by number: of those that have only
    /// people around them, too.
    fn facts_of_games(&self, games: Range<u32>) -> Result<Vec<(u32, GameFacts)>, StoreError>;

    /// The numbers of all games, ascending.
    fn games(&self) -> Result<Vec<u32>, StoreError>;

    /// The number for a new game: one more than the highest, from 1, so that none is left out. One
    /// that only has people around it has its number too.
    fn next_game_number(&self) -> Result<u32, StoreError>;

    /// The games of a campaign by round and table.
    fn campaign_games(&self, campaign: &str) -> Result<Vec<CampaignGame>, StoreError>;

    /// All members by number.
    fn members(&self) -> Result<Vec<Member>, StoreError>;

    /// The number for a new member: one more than the highest, from 1, so that none is left out.
    fn next_member_number(&self) -> Result<u32, StoreError>;

    /// The member with this number.
    fn member(&self, id: u32) -> Result<Option<Member>, StoreError>;

    /// The member who has this address, which is in lower case, among his addresses.
    fn member_by_address(&self, address: &str) -> Result<Option<Member>, StoreError>;

    /// Who sits at a game's table, by seat.
    fn seats(&self, game: u32) -> Result<Vec<SeatAssignment>, StoreError>;

    /// Where a member sits: game and seat, ascending.
    fn member_seats(&self, member: u32) -> Result<Vec<(u32, Seat)>, StoreError>;

    /// Who is around a game; nobody when nothing is kept.
    fn room(&self, game: u32) -> Result<GameInfo, StoreError>;

    /// Who is around which game, by number.
    fn rooms(&self) -> Result<Vec<(u32, GameInfo)>, StoreError>;

    /// What was said and done around a game, in order.
    fn activity_log(&self, game: u32) -> Result<Vec<ActivityEntry>, StoreError>;

    /// A game's clock; none when it waits for ever.
    fn clock(&self, game: u32) -> Result<Option<GameClock>, StoreError>;

    /// All games' clocks, by game.
    fn clocks(&self) -> Result<Vec<(u32, GameClock)>, StoreError>;

    /// Whether any game has a clock.
    fn has_clocks(&self) -> Result<bool, StoreError>;

    /// The games that are due at `until` or before, the longest due first; reads no others.
    fn due_games(&self, until: DateTime<Utc>) -> Result<Vec<u32>, StoreError>;

    /// When a game is due.
    fn due_time(&self, game: u32) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// When the next game is due.
    fn next_due_time(&self) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// What became of a letter; none when it was never processed.
    fn seen_letter(&self, digest: &[u8; 16]) -> Result<Option<SeenLetter>, StoreError>;

    /// The fate of a file, as it was committed; none when it was never processed.
    fn seen_file(&self, name: &str) -> Result<Option<String>, StoreError>;

    /// The letters that cannot be read, by the names of their files.
    fn unreadable_letters(&self) -> Result<BTreeMap<String, UnreadableLetter>, StoreError>;

    /// When an address was answered, from `since` on: Unix seconds, ascending.
    fn answer_times_since(&self, address: &str, since: i64) -> Result<Vec<i64>, StoreError>;

    /// That the letter of this Message-ID was posted, if it last was between these times.
    fn post_record(
        &self,
        message_id: &str,
        since: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> Result<Option<PostRecord>, StoreError>;

    /// How often the moderator's marks were made void.
    fn moderator_generation(&self) -> Result<u32, StoreError>;

    /// When passes ran; none before the first.
    fn heartbeat(&self) -> Result<Option<Heartbeat>, StoreError>;

    /// When the moderator's morning digest was last thought of; none before the first pass.
    fn last_morning_digest(&self) -> Result<Option<DateTime<Utc>>, StoreError>;

    /// When the store was made anew from a journal; none when it never was.
    fn restored_at(&self) -> Result<Option<DateTime<Utc>>, StoreError>;
}
