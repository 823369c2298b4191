//! The program: arguments and environment in, exit code out.

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

/// The time by this machine's clock; 1970 when it tells none.
fn system_time() -> DateTime<Utc> {
    read_system_time().unwrap_or(DateTime::UNIX_EPOCH)
}

/// The time by this machine's clock; none when that is before 1970 or beyond all calendars.
fn read_system_time() -> Option<DateTime<Utc>> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    DateTime::from_timestamp(i64::try_from(since.as_secs()).ok()?, since.subsec_nanos())
}
