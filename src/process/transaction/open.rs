//! How a transaction begins, how a game is opened in one, and how it ends.

use crate::process::office::{Office, OfficeError};
use crate::process::transaction::playing::Playing;
use crate::process::transaction::{Committed, Transaction};
use crate::store::{Repository, journal};
use crate::table::{FoldError, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

impl Office {
    /// Begins a transaction: the club as it stands, to be read and changed.
    pub fn begin(&self) -> Transaction<'_> {
        Transaction::upon(self)
    }

    /// Commits a transaction and then brings the plain text copy up to date.
    ///
    /// # Errors
    /// When the store or the journal cannot be written.
    pub(crate) fn keep(&self, tx: Transaction<'_>) -> Result<Committed, OfficeError> {
        let committed = tx.commit()?;
        self.copy_out()?;
        Ok(committed)
    }

    /// Brings the plain text copy of all that was committed up to date.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub(crate) fn copy_out(&self) -> Result<(), OfficeError> {
        Ok(self.store.write_journal(&self.journal())?)
    }

    /// A game as the store has it.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub fn open_game(&self, game: u32) -> Result<Playing, OfficeError> {
        self.open_in(&self.begin(), game)
    }

    /// A game as a transaction that has not opened it yet finds it.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub(crate) fn open_in(&self, tx: &Transaction<'_>, game: u32) -> Result<Playing, OfficeError> {
        let lines = tx.log(game)?;
        journal::has_all_of(&self.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(OfficeError::NoGame(game));
        }
        // One game's fault must stop no other. It leaves at worst one blank table less in here.
        let fold = || {
            let mut openings = self.openings.lock().unwrap_or_else(PoisonError::into_inner);
            Table::fold(&mut openings, lines.iter().map(String::as_str))
        };
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::Failed));
        let table = folded.map_err(|error| OfficeError::BrokenGame { game, error })?;
        let lapses = tx.gathering(game)?.lapses();
        let playing = Playing::new(table, tx.players(game)?);
        Ok(playing.timed_by(tx.clock(game)?).voting_until(lapses))
    }
}
