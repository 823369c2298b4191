//! The check of one game's log against its file in the journal.

use super::game_file_path;
use crate::store::StoreError;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Checks that a game's log is not behind its file in the journal. `log` holds the log's lines.
/// Compares only lengths, and the last line if the lengths are equal. A missing file is no error.
///
/// # Errors
/// [`StoreError::Damaged`] if the file is longer than the log, or if it is as long and has another
/// last line.
pub fn check_log_not_behind_journal(
    folder: &Path,
    game: u32,
    log: &[String],
) -> Result<(), StoreError> {
    let path = game_file_path(folder, game);
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
            "game {game} differs in {}",
            path.display()
        )));
    }
    Ok(())
}
