//! What keeps a way in or out shut until a person mends it.

use super::word_list::WordList;
use crate::disk;
use serde::Serialize;

/// Words of a server that refuses us for a while.
static TEMPORARY_PHRASES: WordList = WordList::new(&[
    &["unavailable", "inuse", "in use", "later", "try again"],
    &["limit", "temporar", "too many"],
]);

/// Why trying again does not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PermanentFault {
    /// Something that the settings name is not there.
    Missing,
    /// We are not let in: a wrong password, or a file that we may not read.
    Forbidden,
    /// The settings do not suit what they name.
    Settings,
    /// The disk is full, or cannot be read or written.
    Disk,
}

impl PermanentFault {
    /// What an error of the file system asks of a person, if it does not pass by itself.
    pub(crate) fn from_io_error(error: &std::io::Error) -> Option<Self> {
        match error.kind() {
            std::io::ErrorKind::NotFound => Some(Self::Missing),
            std::io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => disk::is_full(error).then_some(Self::Disk),
        }
    }

    /// Whether a server that refuses us with these words may let us in later.
    pub(crate) fn is_temporary(said: &str) -> bool {
        TEMPORARY_PHRASES.occurs_in(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error;

    #[test]
    fn full_disk_is_permanent_unlike_too_many_files() {
        let of = |number| PermanentFault::from_io_error(&Error::from_raw_os_error(number));
        assert_eq!([28, 24, 5].map(of), [Some(PermanentFault::Disk), None, None]);
        assert_eq!(
            [2, 13].map(of),
            [Some(PermanentFault::Missing), Some(PermanentFault::Forbidden)]
        );
    }
}
