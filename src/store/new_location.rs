//! The note that a club was moved to another store. Whoever opens the old store later gets it as an
//! error.
//!
//! For a store in a folder, the note is a file `<folder>.moved`. It is written after the club is
//! complete and durable in the new store.

use super::StoreError;
use crate::disk::{self, FileMode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The store to which a club was moved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewLocation {
    /// A description of the new store, for messages.
    pub place: String,
    /// The lines that club.yaml needs, from `store` on; empty if club.yaml must have no `store`.
    pub lines: Vec<String>,
}

impl NewLocation {
    /// Reads the note beside the store in `folder`; `None` if the club was not moved away.
    pub(super) fn read_beside(folder: &Path) -> Result<Option<Self>, StoreError> {
        match fs::read(note_path(folder)) {
            Ok(text) => super::parse_stored_json(&text).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the note beside the store in `folder`; durable when this returns.
    pub(super) fn write_beside(&self, folder: &Path) -> Result<(), StoreError> {
        let (path, text) =
            (note_path(folder), serde_json::to_vec(self).map_err(StoreError::damaged)?);
        let staging = path.with_extension("moved.new");
        Ok(disk::write_atomically(&staging, &path, &text, FileMode::OwnerOnly)?)
    }

    /// Deletes the note beside the store in `folder`, if there is one.
    pub(super) fn remove_beside(folder: &Path) -> io::Result<()> {
        let path = note_path(folder);
        if path.exists() {
            disk::remove_file_if_exists(&path)?;
            path.parent().map_or(Ok(()), disk::sync_folder)?;
        }
        Ok(())
    }
}

impl fmt::Display for NewLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the club was moved to {}, so nothing is processed here: ", self.place)?;
        if self.lines.is_empty() {
            return write!(f, "remove `store` and the lines below it from club.yaml");
        }
        write!(f, "put these lines into club.yaml, in place of `store` if it is there")?;
        self.lines.iter().try_for_each(|line| write!(f, "\n{line}"))
    }
}

fn note_path(folder: &Path) -> PathBuf {
    folder.with_extension("moved")
}
