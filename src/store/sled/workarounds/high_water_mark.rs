//! The high-water mark of a store: a file beside its folder that says how far the store was
//! written.
//!
//! The mark is written after the data up to it is durable. So a kill can leave it behind the store,
//! but never ahead. A store that ends before its mark has lost data. The mark is outside the
//! folder, so that a missing folder, or an older copy of it, is noticed. A mark that cannot be
//! parsed counts as missing.

use crate::disk::{self, FileMode};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The high-water mark of one store.
pub(in crate::store::sled) struct HighWaterMark {
    path: PathBuf,
}

/// The mark of a store that is being rebuilt and must not be used yet. No store gets this long.
pub(in crate::store::sled) const INCOMPLETE: u64 = u64::MAX;

impl HighWaterMark {
    /// Returns the mark of the store in `folder`: the file with the folder's name and the extension
    /// `mark`, which need not exist.
    pub(crate) fn for_store(folder: &Path) -> Self {
        Self { path: folder.with_extension("mark") }
    }

    /// Returns the position (log sequence number) up to which the store was written; `None` if
    /// there is no valid mark.
    pub fn read(&self) -> io::Result<Option<u64>> {
        match fs::read_to_string(&self.path) {
            Ok(line) => Ok(parse_mark(&line)),
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether the mark's file exists, valid or not.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Locks the mark against other processes; `None` if another one holds the lock. The mark can
    /// still be written.
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        disk::try_lock(&self.path)
    }

    /// Deletes the mark; durable when this returns.
    pub(crate) fn remove(&self) -> io::Result<()> {
        disk::remove_file_if_exists(&self.path)?;
        self.path.parent().map_or(Ok(()), disk::sync_folder)
    }

    /// Writes the mark. The store must already be durable up to this position.
    pub(crate) fn write(&self, place: u64) -> io::Result<()> {
        disk::overwrite_start_and_sync(
            &self.path,
            format_mark(place).as_bytes(),
            FileMode::OwnerOnly,
        )
    }
}

/// Formats the mark: 20 digits and a checksum, always of one length, so that it can be overwritten
/// in place.
fn format_mark(place: u64) -> String {
    let place = format!("{place:020}");
    format!("{place} {:08x}\n", crc32fast::hash(place.as_bytes()))
}

fn parse_mark(text: &str) -> Option<u64> {
    let place = text.split(' ').next()?.parse().ok()?;
    (format_mark(place) == text).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrupted_mark_reads_as_none() {
        let home = crate::testing::create_folder();
        let mark = HighWaterMark::for_store(&home.path().join("store"));
        assert_eq!(mark.read().unwrap(), None);
        for place in [0, 77, INCOMPLETE] {
            mark.write(place).unwrap();
            assert_eq!(mark.read().unwrap(), Some(place));
        }
        let sound = fs::read(&mark.path).unwrap();
        for bit in 0..sound.len() * 8 {
            let mut bytes = sound.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&mark.path, bytes).unwrap();
            assert_eq!(mark.read().unwrap(), None, "{bit}");
        }
    }
}
