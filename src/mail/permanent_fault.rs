//! The faults of an inbound or outbound transport that a person must fix.

use super::word_list::WordList;
use crate::disk;
use serde::Serialize;

/// Phrases of a server that refuses the club only for some time.
static TEMPORARY_PHRASES: WordList = WordList::new(&[
    &["unavailable", "inuse", "in use", "later", "try again"],
    &["limit", "temporar", "too many"],
]);

/// The kind of a fault for which a retry is useless.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PermanentFault {
    /// A file or folder that the settings name does not exist.
    Missing,
    /// Access is denied: the password is wrong, or a file may not be read.
    Forbidden,
    /// The settings do not match the server or program that they name.
    Settings,
    /// The disk is full or cannot be used.
    Disk,
}

impl PermanentFault {
    /// Returns the permanent fault behind a file system error, or `None` if the error may pass by
    /// itself.
    pub(crate) fn from_io_error(error: &std::io::Error) -> Option<Self> {
        match error.kind() {
            std::io::ErrorKind::NotFound => Some(Self::Missing),
            std::io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => disk::is_full(error).then_some(Self::Disk),
        }
    }

    /// Whether a server's refusal with this text may pass by itself.
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
