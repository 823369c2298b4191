//! The program's exit codes (from sysexits.h, as mail servers and cron expect) and error messages.

use crate::disk;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::ExitCode;

/// An exit code, as in sysexits.h.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    Done = 0,
    /// The command ran, and found a fault that it reports.
    Found = 1,
    /// The command line is wrong.
    Usage = 64,
    /// The input can be read, but its content is wrong.
    BadData = 65,
    /// The input does not exist.
    NoInput = 66,
    /// A bug in the program.
    Internal = 70,
    /// The output cannot be created or written.
    CannotCreate = 73,
    /// The disk is full, or cannot be read or written.
    Disk = 74,
    /// A temporary failure. The same command may succeed later.
    TryAgain = 75,
    /// The file system does not permit it, or the command needs `--secrets`.
    NoPermission = 77,
    /// The settings are wrong.
    Settings = 78,
}

impl Exit {
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Returns the exit code for an error of the file system. Too many open files is a temporary
    /// failure, so it counts as [`Exit::TryAgain`] and not as a fault of the disk.
    pub(super) fn from_io_error(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound => Self::NoInput,
            ErrorKind::PermissionDenied => Self::NoPermission,
            _ if disk::is_too_many_open_files(error) => Self::TryAgain,
            _ => Self::Disk,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        exit.code().into()
    }
}

/// The reason why a command failed, with the exit code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    /// The fault, in one line.
    pub what: String,
    /// The remedy, in one or more lines.
    pub hint: Option<String>,
}

impl Failure {
    /// Creates a failure without a hint.
    pub fn new(exit: Exit, what: impl fmt::Display) -> Self {
        Self { exit, what: what.to_string(), hint: None }
    }

    /// Adds a line with a remedy, or with another fault, after the existing ones.
    #[must_use]
    pub fn add_hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        self.hint = Some(match self.hint {
            Some(before) => format!("{before}\n  {hint}"),
            None => hint,
        });
        self
    }

    /// Creates the failure for a file that cannot be read or written, with a remedy if the disk is
    /// full or too many files are open.
    pub fn for_path(path: &Path, error: &io::Error) -> Self {
        let (exit, path) = (Exit::from_io_error(error), path.display());
        match error.kind() {
            ErrorKind::InvalidData => {
                Self::new(Exit::BadData, format!("{path} is not UTF-8 text; save it as UTF-8"))
            }
            ErrorKind::NotFound => Self::new(exit, format!("{path} does not exist")),
            _ if disk::is_full(error) || disk::is_too_many_open_files(error) => {
                Self::new(exit, format!("{path}: {error}")).add_hint(disk::suggest_remedy(error))
            }
            _ => Self::new(exit, format!("{path}: {error}")),
        }
    }
}

impl From<io::Error> for Failure {
    /// Converts an error of standard output. A broken pipe counts as success, because the reader
    /// (such as `| head`) needs no more lines.
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

    /// Returns the exit code and text for an operating system error with this number, once as an
    /// error of the store and once of a file.
    fn exits_and_texts(number: i32) -> [(Exit, String); 2] {
        let error = || io::Error::from_raw_os_error(number);
        let of_store = Failure::from(StoreError::from(error()));
        let of_file = Failure::for_path(Path::new("inbox"), &error());
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
        // sled wraps some errors as text, without the error number.
        let text = io::Error::other("Os { code: 24, message: \"Too many open files\" }");
        assert_eq!(Failure::from(StoreError::from(text)).exit, Exit::TryAgain);
    }
}
