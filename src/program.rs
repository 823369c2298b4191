//! The program that a club runs: the kinds of game that it knows, on this machine.

use crate::cli::{self, Environment};
use crate::games::GAMES;
use crate::rules::{GameKind, GameRegistry};
use chrono::{DateTime, Utc};
use std::process::ExitCode;
use std::time::SystemTime;

/// A program with the games that ship, to which further games can be added.
///
/// `main` of a program with a game of its own:
///
/// ```no_run
/// # use postrider::games::TrickOfTheRails as HighCard;
/// use postrider::Program;
/// use postrider::rules::game_kind;
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     Program::new().game(game_kind::<HighCard>()).run()
/// }
/// ```
pub struct Program {
    kinds: Vec<&'static dyn GameKind>,
}

impl Program {
    /// Creates a program with the games that ship.
    pub fn new() -> Self {
        Self { kinds: GAMES.to_vec() }
    }

    /// Adds a game. Its ID must differ from those of all other games.
    #[must_use]
    pub fn game(mut self, kind: &'static dyn GameKind) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Returns the games of the program. The list lives as long as the process.
    pub fn into_registry(self) -> GameRegistry {
        GameRegistry::new(Vec::leak(self.kinds))
    }

    /// Runs the command line with the arguments and the environment of this process. Returns its
    /// exit code.
    pub fn run(self) -> ExitCode {
        let environment = Environment {
            games: self.into_registry(),
            now: system_time(),
            clock: system_time,
            random: |bytes| getrandom::fill(bytes).map_err(|error| error.to_string()),
            variable: |name| std::env::var(name).ok(),
        };
        cli::run(std::env::args_os(), &environment, &mut std::io::stdout().lock()).into()
    }
}

impl Default for Program {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the time of this machine's clock, or 1970-01-01 if it cannot be read.
fn system_time() -> DateTime<Utc> {
    read_system_time().unwrap_or(DateTime::UNIX_EPOCH)
}

/// Returns the time of this machine's clock, or `None` if it is before 1970 or out of range.
fn read_system_time() -> Option<DateTime<Utc>> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    DateTime::from_timestamp(i64::try_from(since.as_secs()).ok()?, since.subsec_nanos())
}
