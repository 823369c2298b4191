//! How the program ends, in the codes that mail servers and cron understand.

use std::fmt;
use std::process::ExitCode;

/// An exit code of sysexits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done,
    /// 1: done, and something was found that should not be.
    Found,
    /// 64: the command line is wrong.
    Usage,
    /// 65: what was read is wrong.
    BadData,
    /// 66: what should be read is not there.
    NoInput,
    /// 70: a fault of the program.
    Internal,
    /// 73: what should be written cannot be.
    CannotCreate,
    /// 74: the disk.
    Disk,
    /// 75: not now; try again.
    TryAgain,
    /// 77: not permitted.
    NoPermission,
    /// 78: the settings are wrong.
    Settings,
}

impl Exit {
    /// The number that the program ends with.
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Found => 1,
            Self::Usage => 64,
            Self::BadData => 65,
            Self::NoInput => 66,
            Self::Internal => 70,
            Self::CannotCreate => 73,
            Self::Disk => 74,
            Self::TryAgain => 75,
            Self::NoPermission => 77,
            Self::Settings => 78,
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
    pub fn file(path: &std::path::Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind;
        let exit = match error.kind() {
            ErrorKind::InvalidData => {
                let what = format!("{}: it is no text; save it as UTF-8", path.display());
                return Self::new(Exit::BadData, what);
            }
            ErrorKind::NotFound => {
                return Self::new(Exit::NoInput, format!("{} is not there", path.display()));
            }
            ErrorKind::PermissionDenied => Exit::NoPermission,
            _ => Exit::Disk,
        };
        Self::new(exit, format!("{}: {error}", path.display()))
    }
}

impl From<std::io::Error> for Failure {
    /// For what is printed: a reader that went away (`| head`) has seen enough, and all is well.
    fn from(error: std::io::Error) -> Self {
        let exit = match error.kind() {
            std::io::ErrorKind::BrokenPipe => Exit::Done,
            _ => Exit::Disk,
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
