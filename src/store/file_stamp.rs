//! Whether a store has been changed, told from outside.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a store's file looks like; two that differ show that something was written between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    /// How long it is, in bytes.
    length: u64,
    /// When it was changed, in nanoseconds since 1970.
    changed: u64,
}

impl FileStamp {
    /// The stamp of the store in a folder, which need not be open.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn for_store(folder: &Path) -> io::Result<Self> {
        Self::for_file(&folder.join("db"))
    }

    /// The stamp of a store's file.
    pub(super) fn for_file(file: &Path) -> io::Result<Self> {
        let data = std::fs::metadata(file)?;
        let changed: SystemTime = data.modified()?;
        let since = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        let changed = u64::try_from(since.as_nanos()).map_err(io::Error::other)?;
        Ok(Self { length: data.len(), changed })
    }
}
