//! The program: arguments and environment in, exit code out.

use postrider::cli::{self, Environment};
use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = Environment {
        now: chrono::Utc::now(),
        random: |bytes| getrandom::fill(bytes).map_err(|error| error.to_string()),
        variable: |name| std::env::var(name).ok(),
    };
    cli::run(std::env::args_os(), &environment, &mut std::io::stdout().lock()).into()
}
