//! Exporting a complete journal of any store at once, for backups and for moving a club.

use super::present_file::{self, PresentState};
use super::{ClubLine, club_file_path, game_file_path, lines_to_bytes};
use crate::disk::{self, FileMode};
use crate::store::{GameStore, StoreError};
use std::path::Path;

/// A callback that gets the lines of a club's journal one by one.
pub type ClubLineSink<'a> = &'a mut dyn FnMut(ClubLine) -> Result<(), StoreError>;

/// A store that can list the lines of `club.jsonl` for its current contents.
pub trait JournalSource {
    /// Passes a line for each member, seat, clock, game info, activity entry and processed letter
    /// to `sink`, with its current value.
    ///
    /// # Errors
    /// If the store cannot be read, and those of `sink`.
    fn for_each_journal_line(&self, sink: ClubLineSink<'_>) -> Result<(), StoreError>;
}

/// Writes a complete journal into a folder that does not exist yet or is empty. The store must not
/// change during the export.
///
/// # Errors
/// If the store cannot be read or the folder cannot be written.
pub fn write_full_journal(store: &dyn GameStore, folder: &Path) -> Result<(), StoreError> {
    disk::create_folder(folder)?;
    disk::create_folder(&folder.join("games"))?;
    let write = |path: &Path, bytes: &[u8]| {
        disk::write_atomically(&path.with_extension("new"), path, bytes, FileMode::OwnerOnly)
    };
    for game in store.game_numbers()? {
        write(&game_file_path(folder, game), &lines_to_bytes(&store.game_log_lines(game)?))?;
    }
    let mut club = Vec::new();
    store.for_each_journal_line(&mut |line| append_club_line(&mut club, &line))?;
    write(&club_file_path(folder), &club)?;
    let present = PresentState::present_lines_with_contents(store)?;
    Ok(write(&present_file::path(folder), &lines_to_bytes(&present))?)
}

/// Appends a journal line to a buffer, with its line feed.
pub(in crate::store) fn append_club_line(
    bytes: &mut Vec<u8>,
    line: &ClubLine,
) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *bytes, line).map_err(StoreError::damaged)?;
    bytes.push(b'\n');
    Ok(())
}
