//! A whole journal of any store at once, for who keeps copies or moves a club elsewhere.
//!
//! Knows nothing of how a store keeps what it gives.

use super::present::{self, Present};
use super::{ClubLine, club_file, game_file, text};
use crate::disk::{self, Readers};
use crate::store::{GameStore, StoreError};
use std::path::Path;

/// What takes the lines of a club's journal.
pub type TakeLine<'a> = &'a mut dyn FnMut(ClubLine) -> Result<(), StoreError>;

/// What a journal says of a club beside its games' logs and what it is in the middle of.
pub trait Archive {
    /// Gives a line for each thing, as it is now, to `take`.
    ///
    /// # Errors
    /// When the store cannot be read, and what `take` says.
    fn each_line(&self, take: TakeLine<'_>) -> Result<(), StoreError>;
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
        disk::write_whole(&path.with_extension("new"), path, bytes, Readers::Owner)
    };
    for game in store.games()? {
        write(&game_file(folder, game), &text(&store.log(game)?))?;
    }
    let mut club = Vec::new();
    store.each_line(&mut |line| put(&mut club, &line))?;
    write(&club_file(folder), &club)?;
    let present = Present::of(store)?;
    Ok(write(&present::path(folder), &text(&present))?)
}

/// Adds a line.
pub(in crate::store) fn put(bytes: &mut Vec<u8>, line: &ClubLine) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *bytes, line).map_err(StoreError::damaged)?;
    bytes.push(b'\n');
    Ok(())
}
