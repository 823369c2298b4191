//! How a game is opened in a transaction, and how a transaction ends.

use crate::process::office::{Office, OfficeError};
use crate::process::transaction::playing::Playing;
use crate::process::transaction::{Committed, Transaction};
use crate::store::{Repository, journal};
use crate::table::{FoldError, Table};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::PoisonError;

impl Transaction<'_> {
    /// Commits a transaction and then brings the plain text copy up to date.
    ///
    /// # Errors
    /// When the store or the journal cannot be written.
    pub(crate) fn keep(self) -> Result<Committed, OfficeError> {
        let office = self.office;
        let committed = self.commit()?;
        copy_out(office)?;
        Ok(committed)
    }

    /// A game that has not been opened in here yet.
    ///
    /// # Errors
    /// When there is no such game, or its log does not fold.
    pub(crate) fn open(&self, game: u32) -> Result<Playing, OfficeError> {
        let lines = self.log(game)?;
        journal::has_all_of(&self.office.journal(), game, &lines)?;
        if lines.is_empty() {
            return Err(OfficeError::NoGame(game));
        }
        // One game's fault must stop no other. It leaves at worst one blank table less in here.
        let fold = || {
            let mut openings = self.office.openings.lock().unwrap_or_else(PoisonError::into_inner);
            Table::fold(&mut openings, lines.iter().map(String::as_str))
        };
        let folded = catch_unwind(AssertUnwindSafe(fold)).unwrap_or(Err(FoldError::Failed));
        let table = folded.map_err(|error| OfficeError::BrokenGame { game, error })?;
        let lapses = self.gathering(game)?.lapses();
        let playing = Playing::new(table, self.players(game)?);
        Ok(playing.timed_by(self.clock(game)?).voting_until(lapses))
    }
}

/// A game as the store has it.
///
/// # Errors
/// When there is no such game, or its log does not fold.
pub fn open_game(office: &Office, game: u32) -> Result<Playing, OfficeError> {
    Transaction::begin(office).open(game)
}

/// Brings the plain text copy of all that was committed up to date.
///
/// # Errors
/// When the journal cannot be written.
pub(crate) fn copy_out(office: &Office) -> Result<(), OfficeError> {
    Ok(office.store.write_journal(&office.journal())?)
}
