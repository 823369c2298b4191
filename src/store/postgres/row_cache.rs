//! The rows that were read since the last commit, so that no row is fetched twice for a decision.
//!
//! A commit, a claim, and taking letters out of the outbox clear it, because other workers may have
//! committed meanwhile. A decision that rests on an older row is refused by its commit, which also
//! clears it. So a row's revision is always fetched together with the row, in one statement.

use super::row_fetch;
use super::sql_session::{Session, TxError};
use crate::store::{Revision, Row, StoreError};
use chrono::{DateTime, Utc};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The greatest number of rows that are kept. A walk over all games reads each game once anyway.
const CACHED_ROWS_MAX: usize = 12_000;
/// The number of rows that are fetched at a time.
const ROWS_PER_FETCH: usize = 1_000;

/// The rows that are known, and the logs of games.
#[derive(Default)]
pub(super) struct RowCache {
    rows: HashMap<Row, CachedRow>,
    logs: HashMap<u32, Arc<Vec<String>>>,
}

/// A row with its revision.
#[derive(Clone)]
pub(super) struct CachedRow {
    pub(super) revision: Revision,
    pub(super) content: RowContent,
}

/// The content of a row.
#[derive(Clone)]
pub(super) enum RowContent {
    /// What a club has one of.
    Club(Arc<CachedClub>),
    /// A game.
    Game(Arc<CachedGame>),
    /// A member, the member who has an address, or the fate of a letter or file; none if there is
    /// none.
    Text(Option<Arc<str>>),
    /// How often something was counted.
    Answers(Arc<AnswerCounts>),
    /// Only the revision is known.
    RevisionOnly,
}

/// What a club has one of.
pub(super) struct CachedClub {
    /// How often the moderator's reply tokens were made void.
    pub(super) moderator_generation: u32,
    /// Whether there ever was a game with a clock.
    pub(super) has_clocks: bool,
    /// When passes ran.
    pub(super) heartbeat: Option<String>,
    /// When the moderator's last digest was due or written.
    pub(super) last_morning_digest: Option<String>,
    /// When the club was last restored.
    pub(super) restored_at: Option<String>,
    /// Whether there are letters that cannot be read.
    pub(super) has_unreadable: bool,
}

/// A game's row and its players, as they are stored.
pub(super) struct CachedGame {
    /// How many lines its log has.
    pub(super) log_length: u32,
    /// When it is due.
    pub(super) due_time: Option<DateTime<Utc>>,
    /// Its clock.
    pub(super) clock: Option<String>,
    /// The people around it.
    pub(super) room: Option<String>,
    /// Its players, by seat.
    pub(super) seats: Vec<String>,
}

/// How often something was counted lately.
pub(super) struct AnswerCounts {
    /// The time from which on all is known.
    pub(super) since: i64,
    /// Each time with its count, in order.
    pub(super) times: Vec<(i64, i64)>,
}

impl RowCache {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns a row.
    pub(super) fn row(
        &mut self,
        session: &mut Session,
        club: i64,
        row: &Row,
    ) -> Result<CachedRow, TxError> {
        self.clear_if_full(1);
        self.fetch_missing(session, club, std::slice::from_ref(row), false)?;
        self.rows.get(row).cloned().ok_or_else(|| missing_row_error().into())
    }

    /// Returns a game's log. Its row is fetched with it, so that both are forgotten together.
    pub(super) fn log(
        &mut self,
        session: &mut Session,
        club: i64,
        game: u32,
    ) -> Result<Arc<Vec<String>>, TxError> {
        self.clear_if_full(1);
        self.fetch_missing(session, club, &[Row::Game(game)], true)?;
        self.logs.get(&game).cloned().ok_or_else(|| missing_row_error().into())
    }

    /// Fetches the rows that are going to be read, as far as they are not known. With `whole`,
    /// fetches also the logs and the players of games.
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
            let players = games.flat_map(|game| row_fetch::seated_members(&game.seats));
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

    /// Fetches rows as far as they are not known, and the logs of games if they are wanted.
    fn fetch_missing(
        &mut self,
        session: &mut Session,
        club: i64,
        rows: &[Row],
        with_logs: bool,
    ) -> Result<(), TxError> {
        // Many letters may name the same row, such as a game with a long log.
        let rows: BTreeSet<&Row> = rows.iter().collect();
        let unknown = rows.iter().copied().filter(|row| !self.rows.contains_key(*row));
        let unknown: Vec<&Row> = unknown.collect();
        self.rows.extend(row_fetch::fetch_text_rows(session, club, &unknown)?);
        self.rows.extend(row_fetch::fetch_answer_counts(session, club, &unknown)?);
        self.rows.extend(row_fetch::fetch_other_rows(session, club, &unknown)?);
        for (number, game, log) in row_fetch::fetch_games(session, club, &unknown, with_logs)? {
            self.rows.insert(Row::Game(number), game);
            self.logs.extend(log.map(|log| (number, Arc::new(log))));
        }
        if with_logs {
            let games = rows.into_iter().filter_map(row_fetch::game_number);
            let unread: Vec<u32> = games.filter(|game| !self.logs.contains_key(game)).collect();
            let found = row_fetch::fetch_logs(session, club, &unread)?.into_iter();
            self.logs.extend(found.map(|(number, log)| (number, Arc::new(log))));
        }
        Ok(())
    }
}

/// Returns the error for a row that the server did not answer for.
pub(super) fn missing_row_error() -> StoreError {
    StoreError::damaged("a row answers nothing")
}
