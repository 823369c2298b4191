//! What keeps a way in or out shut until a person mends it.

use serde::Serialize;

/// Why trying again does not help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mend {
    /// Something that the settings name is not there.
    Missing,
    /// We are not let in: a wrong password, or a file that we may not read.
    Forbidden,
    /// The settings do not suit what they name.
    Settings,
}

impl Mend {
    /// What an error of the file system asks of a person, if it does not pass by itself.
    pub(crate) fn of_file(error: &std::io::Error) -> Option<Self> {
        match error.kind() {
            std::io::ErrorKind::NotFound => Some(Self::Missing),
            std::io::ErrorKind::PermissionDenied => Some(Self::Forbidden),
            _ => None,
        }
    }

    /// Whether a server that refuses us with these words may let us in later, as it says.
    pub(crate) fn may_pass(said: &str) -> bool {
        let small = said.to_lowercase();
        let passing = [
            "unavailable",
            "inuse",
            "in use",
            "limit",
            "temporar",
            "try again",
            "later",
            "too many",
        ];
        passing.iter().any(|word| small.contains(word))
    }
}
