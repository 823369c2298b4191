//! A cache of the rows that were read since the last commit, so that a decision fetches no row
//! twice.
//!
//! A commit, a claim, and loading letters from the outbox clear it, because other workers may have
//! committed. If a decision rests on an outdated row, its commit is refused and also clears the
//! cache. For this to work, a row and its revision are always fetched in one statement.

use super::row_fetch;
use super::sql_session::{Session, TxError};
use crate::store::{Revision, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The largest number of rows in the cache. A scan over all games reads each game only once, so a
/// larger cache would not help it.
const CACHED_ROWS_MAX: usize = 12_000;
/// The number of rows that one statement fetches into the cache.
const ROWS_PER_FETCH: usize = 1_000;

/// The rows that were read since the last commit, and the logs of games.
#[derive(Default)]
pub(super) struct RowCache {
    rows: HashMap<Row, CachedRow>,
    logs: HashMap<u32, Arc<Vec<String>>>,
}

#[derive(Clone)]
pub(super) struct CachedRow {
    pub(super) revision: Revision,
    pub(super) content: RowContent,
}

/// The content of a cached row, by kind of row.
#[derive(Clone)]
pub(super) enum RowContent {
    Club(Arc<CachedClub>),
    Game(Arc<CachedGame>),
    /// The stored text of a member, an address (the member's number), a letter or a file; `None` if
    /// there is none.
    Text(Option<Arc<str>>),
    Answers(Arc<AnswerCounts>),
    /// No content: only the revision of the row was fetched.
    RevisionOnly,
}

/// The values that a club has only one of, such as the heartbeat, in their stored form.
pub(super) struct CachedClub {
    pub(super) moderator_generation: u32,
    /// Whether any game has, or ever had, a clock.
    pub(super) has_clocks: bool,
    pub(super) heartbeat: Option<String>,
    pub(super) last_morning_digest: Option<String>,
    pub(super) restored_at: Option<String>,
    /// Whether any inbound letter cannot be read.
    pub(super) has_unreadable: bool,
}

/// A game's row and its seat assignments, in their stored form.
pub(super) struct CachedGame {
    pub(super) log_length: u32,
    pub(super) due_time: Option<DateTime<Utc>>,
    pub(super) clock: Option<String>,
    /// The game's [`GameInfo`](crate::club::GameInfo) as JSON.
    pub(super) room: Option<String>,
    /// The game's seat assignments as JSON, by seat.
    pub(super) seats: Vec<String>,
}

/// The recent events that were counted for an account, such as answers to an address.
pub(super) struct AnswerCounts {
    /// The time from which on `times` holds all events of the account, in Unix seconds.
    pub(super) since: i64,
    /// The times of events in Unix seconds, ascending, each with its number of events.
    pub(super) times: Vec<(i64, i64)>,
}

impl RowCache {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns a row from the cache. Fetches it from the server if it is not there.
    pub(super) fn get_or_fetch_row(
        &mut self,
        session: &mut Session,
        club: i64,
        row: &Row,
    ) -> Result<CachedRow, TxError> {
        self.clear_if_full(1);
        self.fetch_missing(session, club, std::slice::from_ref(row), false)?;
        self.rows.get(row).cloned().ok_or_else(|| missing_row_error().into())
    }

    /// Returns a game's log from the cache. Fetches it together with the game's row if it is not
    /// there, so that both are cleared together.
    pub(super) fn get_or_fetch_log(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Vec<String>>, TxError> {
        self.clear_if_full(1);
        self.fetch_missing(session, club, &[Row::Game(game)], true)?;
        self.logs.get(&game).cloned().ok_or_else(|| missing_row_error().into())
    }

    /// Fetches rows that will be read soon, except those in the cache. With `with_logs`, also
    /// fetches the logs of the games among them and the members who play in these games.
    pub(super) fn prefetch(
        &mut self,
        session: &mut Session,
        club: i64,
        rows: &[Row],
        with_logs: bool,
    ) -> Result<(), TxError> {
        for rows in rows.chunks(ROWS_PER_FETCH) {
            self.clear_if_full(if with_logs { 4 * rows.len() } else { rows.len() });
            self.fetch_missing(session, club, rows, with_logs)?;
            let games = rows.iter().filter_map(|row| match &self.rows.get(row)?.content {
                RowContent::Game(game) if with_logs => Some(game),
                _ => None,
            });
            let players = games.flat_map(|game| row_fetch::members_in_seats(&game.seats));
            let players: BTreeSet<Row> = players.map(Row::Member).collect();
            let players: Vec<Row> = players.into_iter().collect();
            self.fetch_missing(session, club, &players, false)?;
        }
        Ok(())
    }

    fn clear_if_full(&mut self, more: usize) {
        if self.rows.len() + more > CACHED_ROWS_MAX {
            self.clear();
        }
    }

    /// Fetches those of these rows that are not in the cache. With `with_logs`, also fetches the
    /// logs of the games among them.
    fn fetch_missing(
        &mut self,
        session: &mut Session,
        club: i64,
        rows: &[Row],
        with_logs: bool,
    ) -> Result<(), TxError> {
        // Removes duplicates: many letters may name one row, such as a game with a long log.
        let rows: BTreeSet<&Row> = rows.iter().collect();
        let unknown = rows.iter().copied().filter(|row| !self.rows.contains_key(*row));
        let unknown: Vec<&Row> = unknown.collect();
        self.rows.extend(row_fetch::fetch_text_rows(session, club, &unknown)?);
        self.rows.extend(row_fetch::fetch_event_counts(session, club, &unknown)?);
        self.rows.extend(row_fetch::fetch_remaining_rows(session, club, &unknown)?);
        for (number, game, log) in row_fetch::fetch_games(session, club, &unknown, with_logs)? {
            self.rows.insert(Row::Game(number), game);
            self.logs.extend(log.map(|log| (number, Arc::new(log))));
        }
        if with_logs {
            let games = rows.into_iter().filter_map(row_fetch::game_number_of_row);
            let unread: Vec<u32> = games.filter(|game| !self.logs.contains_key(game)).collect();
            let found = row_fetch::fetch_logs(session, club, &unread)?.into_iter();
            self.logs.extend(found.map(|(number, log)| (number, Arc::new(log))));
        }
        Ok(())
    }
}

/// Returns the error for a row that the server's answer does not contain.
pub(super) fn missing_row_error() -> StoreError {
    StoreError::damaged("a row answers nothing")
}
