//! How the program ends, in the codes that mail servers and cron understand.

use crate::disk;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

/// An exit code of sysexits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Done.
    Done = 0,
    /// Done, and something was found that should not be.
    Found = 1,
    /// The command line is wrong.
    Usage = 64,
    /// The input can be read, but is wrong.
    BadData = 65,
    /// The input does not exist.
    NoInput = 66,
    /// A fault of the program.
    Internal = 70,
    /// The output cannot be created or written.
    CannotCreate = 73,
    /// The disk is full, or cannot be read or written.
    Disk = 74,
    /// Not now; try again.
    TryAgain = 75,
    /// Not permitted.
    NoPermission = 77,
    /// The settings are wrong.
    Settings = 78,
}

impl Exit {
    /// Returns the number that the program ends with.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns how the program ends if the file system refuses something. Too many open files are
    /// no fault of the disk's, and pass.
    pub(super) fn from_io_error(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::NoInput,
            ErrorKind::PermissionDenied => Self::NoPermission,
            _ if disk::is_out_of_files(error) => Self::TryAgain,
            _ => Self::Disk,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    /// What went wrong, in one line.
    pub what: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure without a hint.
    pub fn new(exit: Exit, what: impl fmt::Display) -> Self {
        Self { exit, what: what.to_string(), hint: None }
    }

    /// The same failure with what to do about it, or what else went wrong, on a line of its own.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        self.hint = Some(match self.hint {
            Some(before) => format!("{before}\n  {hint}"),
            None => hint,
        });
        self
    }

    /// A failure to read or write the named file.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        let (exit, path) = (Exit::from_io_error(error), path.display());
        match error.kind() {
            ErrorKind::InvalidData => {
                Self::new(Exit::BadData, format!("{path}: it is no text; save it as UTF-8"))
            }
            ErrorKind::NotFound => Self::new(exit, format!("{path} is not there")),
            _ if disk::is_full(error) || disk::is_out_of_files(error) => {
                Self::new(exit, format!("{path}: {error}")).hint(disk::suggest_remedy(error))
            }
            _ => Self::new(exit, format!("{path}: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    /// For what is printed: a reader that went away (`| head`) has seen enough, and all is well.
    fn from(error: io::Error) -> Self {
        let exit = match error.kind() {
            ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::from_io_error(&error),
        };
        Self::new(exit, error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "postrider: {}", self.what)?;
        self.hint.iter().try_for_each(|hint| write!(f, "\n  {hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    /// How the program ends over this error number, and what it says.
    fn exits_and_texts(number: i32) -> [(Exit, String); 2] {
        let error = || io::Error::from_raw_os_error(number);
        let of_store = Failure::from(StoreError::from(error()));
        let of_file = Failure::file(Path::new("inbox"), &error());
        [of_store, of_file].map(|failure| (failure.exit, failure.to_string()))
    }

    #[test]
    fn full_disk_exits_74_too_many_files_75() {
        let [full, quota, process, machine, broken] = [28, 122, 24, 23, 5].map(exits_and_texts);
        for (exit, said) in full.into_iter().chain(quota) {
            assert!(exit == Exit::Disk && said.contains("free some space"), "{said}");
        }
        for (exit, said) in process.into_iter().chain(machine) {
            let is_right = said.contains("too many files are open") && !said.contains("space");
            assert!(exit == Exit::TryAgain && is_right, "{said}");
        }
        for (exit, said) in broken {
            assert!(exit == Exit::Disk && !said.contains("space"), "{said}");
        }
        // sled passes some errors on as text.
        let text = io::Error::other("Os { code: 24, message: \"Too many open files\" }");
        assert_eq!(Failure::from(StoreError::from(text)).exit, Exit::TryAgain);
    }
}
