//! That a club was moved away from a store: noted for whoever opens the store later.
//!
//! Beside a store in a folder it is a file, written once all is elsewhere and durable there. Knows
//! nothing of what a store keeps.

use super::StoreError;
use crate::disk::{self, FileMode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Where a club was moved to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewLocation {
    /// The place in words.
    pub place: String,
    /// What club.yaml has to say of it, line by line; no line where that is nothing.
    pub lines: Vec<String>,
}

impl NewLocation {
    /// What is noted beside the store in this folder; none where the club was not moved away.
    pub(super) fn read_beside(folder: &Path) -> Result<Option<Self>, StoreError> {
        match fs::read(note_path(folder)) {
            Ok(text) => super::from_json(&text).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes it beside the store in this folder; durable when it returns.
    pub(super) fn write_beside(&self, folder: &Path) -> Result<(), StoreError> {
        let (path, text) =
            (note_path(folder), serde_json::to_vec(self).map_err(StoreError::damaged)?);
        let staging = path.with_extension("moved.new");
        Ok(disk::write_atomically(&staging, &path, &text, FileMode::OwnerOnly)?)
    }

    /// Takes the note beside the store in this folder away.
    pub(super) fn remove_beside(folder: &Path) -> io::Result<()> {
        let path = note_path(folder);
        if path.exists() {
            disk::remove(&path)?;
            path.parent().map_or(Ok(()), disk::sync_folder)?;
        }
        Ok(())
    }
}

impl fmt::Display for NewLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the club was moved to {}, and nothing is done here any more: ", self.place)?;
        if self.lines.is_empty() {
            return write!(f, "take `store` with the lines below it out of club.yaml");
        }
        write!(f, "put these lines into club.yaml, in the place of `store` if it is there")?;
        self.lines.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

fn note_path(folder: &Path) -> PathBuf {
    folder.with_extension("moved")
}
