//! The program: passes the arguments and the machine's environment to [`cli::run`], and returns its
//! exit code.

use chrono::{DateTime, Utc};
use postrider::cli::{self, Environment};
use std::process::ExitCode;
use std::time::SystemTime;

fn main() -> ExitCode {
    let environment = Environment {
        now: system_time(),
        clock: system_time,
        random: |bytes| getrandom::fill(bytes).map_err(|error| error.to_string()),
        variable: |name| std::env::var(name).ok(),
    };
    cli::run(std::env::args_os(), &environment, &mut std::io::stdout().lock()).into()
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
