//! Whether a game's log holds all that its journal does.

use super::game_file;
use crate::store::StoreError;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Whether a game's log, of which these are the lines, is at least as long as its journal.
///
/// # Errors
/// [`StoreError::Damaged`] when it is not, or when it is as long and ends otherwise.
pub fn check_game_log(folder: &Path, game: u32, log: &[String]) -> Result<(), StoreError> {
    let path = game_file(folder, game);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let whole: u64 = log.iter().map(|line| line.len() as u64 + 1).sum();
    let written = file.metadata()?.len();
    let last = log.last().map_or(&[][..], |line| line.as_bytes());
    let mut end = vec![0; last.len()];
    if written == whole {
        file.read_exact_at(&mut end, whole.saturating_sub(last.len() as u64 + 1))?;
    }
    if written > whole || written == whole && end != last {
        return Err(StoreError::data_loss(format_args!(
            "game {game} is another one in {}",
            path.display()
        )));
    }
    Ok(())
}
