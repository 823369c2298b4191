//! How a game is opened in a transaction, and how a transaction ends.

use crate::process::context::{ClubError, Context};
use crate::process::transaction::game_session::GameSession;
use crate::process::transaction::{Committed, Transaction};
use crate::store::{Repository, journal};
use crate::table::{FoldError, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Transaction<'_> {
    /// Commits a transaction and then brings the plain text copy up to date.
    ///
    /// # Errors
    /// When the store or the journal cannot be written.
    pub(crate) fn keep(self) -> Result<Committed, ClubError> {
        let context = self.context;
        let committed = self.commit()?;
        copy_out(context)?;
        Ok(committed)
    }

    /// A game that has not been opened in here yet.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub(crate) fn open(&self, game: u32) -> Result<GameSession, ClubError> {
        let lines = self.log(game)?;
        journal::has_all_of(&self.context.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(ClubError::NoGame(game));
        }
        // One game's fault must stop no other. It leaves at worst one blank table less in here.
        let fold = || Table::fold(&self.context.openings, lines.iter().map(String::as_str));
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::Failed));
        let table = folded.map_err(|error| ClubError::BrokenGame { game, error })?;
        let lapses = self.room(game)?.lapses();
        let session = GameSession::new(table, self.players(game)?);
        Ok(session.timed_by(self.clock(game)?).voting_until(lapses))
    }
}

/// A game as the store has it.
///
/// # Errors
/// When there is no such game, or its log does not fold.
pub fn open_game(context: &Context, game: u32) -> Result<GameSession, ClubError> {
    Transaction::begin(context).open(game)
}

/// Brings the plain text copy of all that was committed up to date.
///
/// # Errors
/// When the journal cannot be written.
pub(crate) fn copy_out(context: &Context) -> Result<(), ClubError> {
    Ok(context.store.write_journal(&context.journal())?)
}
