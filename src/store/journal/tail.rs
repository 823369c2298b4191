//! The end of a journal file: repairing what a killed run or a power cut left there, and appending
//! to it.

use super::club_lines::parse_printable_line;
use crate::disk::{self, FileMode};
use crate::store::StoreError;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Makes a file hold its first `known` bytes followed by `fresh`. Returns the file's new length.
///
/// A killed run can leave data after the known bytes. A torn part of it is cut off. Of the rest,
/// `held` returns how many bytes of `fresh` it already contains; `None` is an error, because the
/// journal then holds lines that the store has lost. If the file is shorter than `known`, it is
/// rewritten with the bytes of `whole`.
pub(in crate::store) fn repair_and_append(
    path: &Path,
    known: u64,
    fresh: &[u8],
    whole: impl FnOnce() -> Result<Vec<u8>, StoreError>,
    held: impl FnOnce(&[u8]) -> Option<usize>,
) -> Result<u64, StoreError> {
    let Some(tail) = read_from_offset(path, known)? else {
        let whole = whole()?;
        disk::write_atomically(&path.with_extension("new"), path, &whole, FileMode::OwnerOnly)?;
        return Ok(whole.len() as u64);
    };
    let kept = intact_lines_length(&tail);
    let held = held(&tail[..kept]).ok_or_else(|| {
        StoreError::damaged(format_args!("{} holds lines that the store has lost", path.display()))
    })?;
    let end = known + kept as u64;
    if kept < tail.len() {
        disk::truncate_and_sync(path, end)?;
    }
    if !tail.is_empty() || (known == 0 && path.exists()) {
        // A killed run may have written all these lines without syncing them.
        disk::sync_file(path)?;
        path.parent().map_or(Ok(()), disk::sync_folder)?;
    }
    let missing = &fresh[held..];
    if !missing.is_empty() {
        disk::append_and_sync(path, missing, FileMode::OwnerOnly)?;
    }
    Ok(end + missing.len() as u64)
}

/// Returns the length of the complete lines at the start of `tail`, up to the first line that is
/// torn or has control characters.
fn intact_lines_length(tail: &[u8]) -> usize {
    let lines = tail.split_inclusive(|byte| *byte == b'\n');
    let whole =
        lines.take_while(|line| line.strip_suffix(b"\n").and_then(parse_printable_line).is_some());
    whole.map(<[u8]>::len).sum()
}

/// Reads a file from byte `start` to its end; `None` if the file is shorter. A missing file counts
/// as empty.
pub(in crate::store) fn read_from_offset(
    path: &Path,
    start: u64,
) -> Result<Option<Vec<u8>>, StoreError> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Ok((start == 0).then(Vec::new));
        }
        Err(error) => return Err(error.into()),
    };
    if file.metadata()?.len() < start {
        return Ok(None);
    }
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut tail)?;
    Ok(Some(tail))
}
