//! The size and modification time of a store's file, for runs that check if anything was written
//! without opening the store.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The stamp of a store's file. If two stamps differ, the file was written between them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileStamp {
    pub(super) length: u64,
    /// The modification time of the store's file, in nanoseconds since 1970.
    changed: u64,
}

impl FileStamp {
    /// Returns the stamp of the store in `folder`, which need not be open.
    pub(crate) fn for_store(folder: &Path) -> io::Result<Self> {
        Self::for_file(&folder.join("db"))
    }

    pub(super) fn for_file(file: &Path) -> io::Result<Self> {
        let data = std::fs::metadata(file)?;
        let changed: SystemTime = data.modified()?;
        let since = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        let changed = u64::try_from(since.as_nanos()).map_err(io::Error::other)?;
        Ok(Self { length: data.len(), changed })
    }
}
