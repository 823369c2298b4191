//! `postrider tick`: one pass.

use super::{Environment, Exit, Failure, club, ways};
use crate::process::{self, PassReport, idle_pass};
use std::io::Write;
use std::path::Path;

/// Do one pass: read the letters that came, carry out orders, post what is to be said.
///
/// This is what cron runs. A pass that has nothing to tell prints nothing. When another pass is at
/// work it ends at once with exit code 75, and so it does when a letter could not be posted now;
/// both are tried again by the next one.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Say what was done, even when all went well.
    #[arg(short, long)]
    verbose: bool,
    /// Say it as JSON.
    #[arg(long)]
    json: bool,
}

fn whole_pass(folder: &Path, environment: &Environment) -> Result<PassReport, Failure> {
    let context = club::open(folder, environment)?;
    let mut transport = ways::transport(&context, environment)?;
    let server = ways::server(&context, environment);
    let report = process::pass_with(&context, server, &mut *transport)?;
    process::leave_idle_mark(&context, &report)?;
    Ok(report)
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let report = match idle_pass(folder, environment.now)? {
        Some(report) => report,
        None => whole_pass(folder, environment)?,
    };
    if args.json {
        let text =
            serde_json::to_string(&report).map_err(|error| Failure::new(Exit::Internal, error))?;
        writeln!(out, "{text}")?;
    } else if args.verbose || report.quarantined > 0 {
        writeln!(
            out,
            "{} letters read: {} carried out, {} answered, {} in quarantine; {} reminders; {} \
             posted, {} waiting",
            report.read,
            report.carried_out,
            report.answered,
            report.quarantined,
            report.reminded,
            report.posted,
            report.waiting
        )?;
        for bounced in &report.bounced {
            writeln!(out, "came back: {bounced}")?;
        }
    }
    match report.troubles.as_slice() {
        [] => Ok(Exit::Done),
        [first, rest @ ..] => {
            let failure = Failure::new(Exit::TryAgain, first);
            Err(rest.iter().take(20).fold(failure, |failure, trouble| failure.hint(trouble)))
        }
    }
}
