//! A whole journal of any store at once, for who keeps copies or moves a club elsewhere.
//!
//! Knows nothing of how a store keeps what it gives.

use super::present_file::{self, PresentState};
use super::{ClubLine, club_file, game_file, join_lines};
use crate::disk::{self, FileMode};
use crate::store::{GameStore, StoreError};
use std::path::Path;

/// What takes the lines of a club's journal.
pub type ClubLineSink<'a> = &'a mut dyn FnMut(ClubLine) -> Result<(), StoreError>;

/// What a journal says of a club beside its games' logs and what it is in the middle of.
pub trait JournalSource {
    /// Gives a line for each thing, as it is now, to `take`.
    ///
    /// # Errors
    /// When the store cannot be read, and what `take` says.
    fn for_each_journal_line(&self, sink: ClubLineSink<'_>) -> Result<(), StoreError>;
}

/// Writes a whole journal into a folder that is not there yet, or empty. Nobody may change the
/// store meanwhile.
///
/// # Errors
/// When the store cannot be read, or the folder not be written.
pub fn export(store: &dyn GameStore, folder: &Path) -> Result<(), StoreError> {
    disk::create_folder(folder)?;
    disk::create_folder(&folder.join("games"))?;
    let write = |path: &Path, bytes: &[u8]| {
        disk::write_atomically(&path.with_extension("new"), path, bytes, FileMode::OwnerOnly)
    };
    for game in store.games()? {
        write(&game_file(folder, game), &join_lines(&store.log(game)?))?;
    }
    let mut club = Vec::new();
    store.for_each_journal_line(&mut |line| append_line(&mut club, &line))?;
    write(&club_file(folder), &club)?;
    let present = PresentState::full_lines(store)?;
    Ok(write(&present_file::path(folder), &join_lines(&present))?)
}

/// Adds a line.
pub(in crate::store) fn append_line(
    bytes: &mut Vec<u8>,
    line: &ClubLine,
) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *bytes, line).map_err(StoreError::damaged)?;
    bytes.push(b'\n');
    Ok(())
}
