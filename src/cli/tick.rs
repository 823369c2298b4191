//! `postrider tick`: one pass.

use super::club::{self, Clock};
use super::{Environment, Exit, Failure, ways};
use crate::process::{self, Context, Idle, PassReport, Served, idle_pass, read_settings};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Do one pass: read the letters that came, carry out orders, post what is to be said.
///
/// This is what cron runs. A pass that has nothing to tell prints nothing. When another pass is at
/// work it ends at once with exit code 75, and so it does when a letter could not be posted now;
/// both are tried again by the next one. What does not pass by itself (a wrong password, a missing
/// file, a mistake in club.yaml) has a code of its own: it is told at once, then once a day, and
/// again when it has changed or club.yaml was edited, until a pass says that it is mended.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Say what was done, even when all went well.
    #[arg(short, long)]
    verbose: bool,
    /// Say it as JSON.
    #[arg(long)]
    json: bool,
}

/// What there is to tell of a pass.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    report: PassReport,
    /// How many letters wait in the outbox still, but for those that wait for a digest.
    waiting: usize,
}

fn whole_pass(
    folder: &Path,
    environment: &Environment,
    server: Option<Served<'_>>,
) -> Result<Told, Failure> {
    let mut context = club::open(folder, environment)?;
    Clock::new(environment).set(&mut context)?;
    let mut transport = ways::transport(&context, environment)?;
    let report = process::pass_with(&context, server, &mut *transport)?;
    let report = with_silent_ways(&context, report)?;
    process::leave_idle_mark(&context, &report)?;
    let waiting = process::letters_waiting(&context)?;
    let is_renewed = context.store.is_renewal_due(context.now)?;
    drop((transport, context));
    if is_renewed {
        process::renew(folder, environment.now)?;
    }
    Ok(Told { waiting, report })
}

/// The report, with the machines that have not handed in their letters for long.
pub(super) fn with_silent_ways(
    context: &Context,
    mut report: PassReport,
) -> Result<PassReport, Failure> {
    for (way, since) in process::silent_ways(context)? {
        let since = since.format("%Y-%m-%d %H:%M UTC");
        let what = format!("deadlines wait: nobody has read the letters of {way} since {since}");
        report.troubles.push(what);
    }
    Ok(report)
}

pub(super) fn run(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    match one_pass(args, folder, environment, out) {
        Err(failure) => told(args, folder, environment, failure),
        Ok(exit) => {
            if let Some(told) = process::mended(folder)? {
                let (at, first) = (told.at, told.what.lines().next().unwrap_or_default());
                writeln!(out, "mended: {first} (told on {})", at.format("%Y-%m-%d %H:%M UTC"))?;
            }
            Ok(exit)
        }
    }
}

/// Tells what went wrong. A mistake that stays until somebody mends it, and was told within the
/// day, ends the program as it did then and says nothing: cron mails whatever is printed.
fn told(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    failure: Failure,
) -> Result<Exit, Failure> {
    let passes = matches!(failure.exit, Exit::TryAgain | Exit::Disk | Exit::Internal | Exit::Done);
    let watched = args.verbose || args.json || std::io::stderr().is_terminal();
    let is_to_be_told =
        passes || process::to_be_told(folder, &failure.to_string(), environment.now);
    if is_to_be_told || watched { Err(failure) } else { Ok(failure.exit) }
}

fn one_pass(
    args: &Args,
    folder: &Path,
    environment: &Environment,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let settings = read_settings(folder)?;
    let server = ways::server(folder, &settings, environment);
    // What is not known to be mended is looked at by a whole pass.
    let idle = match process::was_told(folder) {
        Some(_) => Idle::Needed(server),
        None => idle_pass(folder, &settings, server, environment.now)?,
    };
    let told = match idle {
        Idle::Done(report) => Told { report, waiting: 0 },
        Idle::Needed(server) => whole_pass(folder, environment, server)?,
    };
    if args.json {
        let text =
            serde_json::to_string(&told).map_err(|error| Failure::new(Exit::Internal, error))?;
        writeln!(out, "{text}")?;
    } else if args.verbose || told.report.quarantined > 0 {
        tell(&told.report, told.waiting, out)?;
    }
    match failure_of(&told.report) {
        Some(failure) => Err(failure),
        None => Ok(Exit::Done),
    }
}

/// Says what a pass did, and how many letters wait still.
pub(super) fn tell(
    report: &PassReport,
    waiting: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{} letters read: {} carried out, {} answered, {} in quarantine; {} reminders; {} \
         posted, {waiting} waiting",
        report.read,
        report.carried_out,
        report.answered,
        report.quarantined,
        report.reminded,
        report.posted
    )?;
    if report.decided_anew > 0 {
        writeln!(out, "{} commits decided anew, beside others", report.decided_anew)?;
    }
    for bounced in &report.bounced {
        writeln!(out, "came back: {bounced}")?;
    }
    Ok(())
}

/// How a pass with troubles ends: what does not pass by itself comes first, with its own code.
fn failure_of(report: &PassReport) -> Option<Failure> {
    let is_mistake = |what: &&String| report.mistakes.iter().any(|mistake| mistake.what == **what);
    let passing: Vec<&String> = report.troubles.iter().filter(|what| !is_mistake(what)).collect();
    let failure = match (report.mistakes.as_slice(), passing.as_slice()) {
        ([], []) => return None,
        ([], [first, rest @ ..]) => {
            let failure = Failure::new(Exit::TryAgain, first);
            rest.iter().take(20).fold(failure, |failure, trouble| failure.hint(*trouble))
        }
        ([first, rest @ ..], passing) => {
            let failure = Failure::new(ways::exit_of(first.mend), &first.what);
            let failure = match ways::remedy(&first.what) {
                Some(remedy) => failure.hint(remedy),
                None => failure,
            };
            let failure = rest.iter().fold(failure, |failure, more| failure.hint(&more.what));
            passing.iter().take(20).fold(failure, |failure, trouble| failure.hint(*trouble))
        }
    };
    Some(failure)
}
