//! `postrider tick`: one pass.

use super::club::{self, Clock};
use super::{Call, Environment, Exit, Failure, minute, print_json, ways};
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

/// The report of a pass, as JSON shows it.
#[derive(Serialize)]
struct Told {
    #[serde(flatten)]
    report: PassReport,
    /// The number of letters that are still queued, without those that wait for a digest.
    waiting: usize,
}

fn whole_pass(
    folder: &Path,
    environment: &Environment,
    server: Option<Served<'_>>,
) -> Result<Told, Failure> {
    let mut context = club::open(folder, environment)?;
    Clock::new(environment).set(&mut context)?;
    let report = pass(&context, environment, server)?;
    process::leave_idle_mark(&context, &report)?;
    let waiting = process::letters_waiting(&context)?;
    let is_renewed = context.store.is_renewal_due(context.now)?;
    drop(context);
    if is_renewed {
        process::renew(folder, environment.now)?;
    }
    Ok(Told { waiting, report })
}

/// Runs a pass. Machines that have not handed in their letters for long are among its troubles.
pub(super) fn pass(
    context: &Context,
    environment: &Environment,
    server: Option<Served<'_>>,
) -> Result<PassReport, Failure> {
    let mut transport = ways::transport(context, environment)?;
    let mut report = process::pass_with(context, server, &mut *transport)?;
    for (way, since) in process::silent_ways(context)? {
        let since = minute(since);
        let what = format!("deadlines wait: nobody has read the letters of {way} since {since}");
        report.troubles.push(what);
    }
    Ok(report)
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    match one_pass(args, call) {
        Err(failure) => told(args, call, failure),
        Ok(exit) => {
            if let Some(told) = process::mended(call.folder)? {
                let (at, first) = (minute(told.at), told.what.lines().next().unwrap_or_default());
                writeln!(call.out, "mended: {first} (told on {at})")?;
            }
            Ok(exit)
        }
    }
}

/// Returns the failure of a pass, or only its exit code. A mistake that stays until somebody mends
/// it is told once a day, since cron mails whatever is printed.
fn told(args: &Args, call: &Call<'_>, failure: Failure) -> Result<Exit, Failure> {
    let passes = matches!(failure.exit, Exit::TryAgain | Exit::Disk | Exit::Internal | Exit::Done);
    let watched = args.verbose || args.json || std::io::stderr().is_terminal();
    let is_to_be_told =
        passes || process::to_be_told(call.folder, &failure.to_string(), call.environment.now);
    if is_to_be_told || watched { Err(failure) } else { Ok(failure.exit) }
}

fn one_pass(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let (folder, environment) = (call.folder, call.environment);
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
        print_json(&told, call.out)?;
    } else if args.verbose || told.report.quarantined > 0 {
        tell(&told.report, told.waiting, call.out)?;
    }
    failure_of(&told.report).map_or(Ok(Exit::Done), Err)
}

/// Prints what a pass did, and how many letters are still queued.
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

/// Returns how a pass with troubles ends. A mistake, which does not pass by itself, comes first and
/// gives its own exit code.
fn failure_of(report: &PassReport) -> Option<Failure> {
    let is_mistake = |what: &&String| report.mistakes.iter().any(|mistake| mistake.what == **what);
    let mut passing = report.troubles.iter().filter(|what| !is_mistake(what));
    let failure = match report.mistakes.as_slice() {
        [] => Failure::new(Exit::TryAgain, passing.next()?),
        [first, rest @ ..] => {
            let failure = Failure::new(ways::exit_of(first.mend), &first.what);
            let remedy = ways::remedy(&first.what).into_iter();
            remedy.chain(rest.iter().map(|more| &*more.what)).fold(failure, Failure::hint)
        }
    };
    Some(passing.take(20).fold(failure, |failure, trouble| failure.hint(trouble)))
}
