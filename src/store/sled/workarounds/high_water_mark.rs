//! How far a store has been written, noted beside its folder.
//!
//! The note is made once what it says is durable, so a kill can leave it behind the store and never
//! ahead: a store that is behind its note has lost something, whatever it says of itself. It lies
//! outside the folder, as a folder that is gone, or an older one, must be noticed. A note that
//! cannot be read is none.

use crate::disk::{self, FileMode};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The note of one store.
pub(in crate::store::sled) struct HighWaterMark {
    path: PathBuf,
}

/// No store ever gets here: what is being rebuilt is not to be used.
pub(in crate::store::sled) const INCOMPLETE: u64 = u64::MAX;

impl HighWaterMark {
    /// The note of the store in this folder.
    pub(crate) fn for_store(folder: &Path) -> Self {
        Self { path: folder.with_extension("mark") }
    }

    /// The place up to which the store was written; none without a note.
    pub fn read(&self) -> io::Result<Option<u64>> {
        match fs::read_to_string(&self.path) {
            Ok(line) => Ok(parse_place(&line)),
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Whether there is a note, which can be unreadable.
    pub(crate) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Locks the note against other processes; none if another one has it. The note can be written
    /// meanwhile.
    pub(crate) fn lock(&self) -> io::Result<Option<File>> {
        disk::try_lock(&self.path)
    }

    /// Removes the note durably.
    pub(crate) fn remove(&self) -> io::Result<()> {
        disk::remove(&self.path)?;
        self.path.parent().map_or(Ok(()), disk::sync_folder)
    }

    /// Notes that the store is written up to this place, which is durable already.
    pub(crate) fn write(&self, place: u64) -> io::Result<()> {
        disk::overwrite_start(&self.path, format_line(place).as_bytes(), FileMode::OwnerOnly)
    }
}

/// The note's line: always of the same length, and with a checksum.
fn format_line(place: u64) -> String {
    let place = format!("{place:020}");
    format!("{place} {:08x}\n", crc32fast::hash(place.as_bytes()))
}

fn parse_place(text: &str) -> Option<u64> {
    let place = text.split(' ').next()?.parse().ok()?;
    (format_line(place) == text).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrupted_mark_reads_as_none() {
        let home = crate::common::folder();
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
