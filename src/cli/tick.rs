//! `postrider tick`: runs one pass.

use super::club_folder::{self, SharedClock};
use super::{Call, Environment, Exit, Failure, format_utc_minute, print_json, transports};
use crate::process::{
    self, Context, IdleOutcome, PassReport, ServerOpener, read_settings, try_idle_pass,
};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Run one pass: read the letters that came, carry out orders, post answers and news.
///
/// Cron runs this. A pass without news prints nothing. If another pass is running, or a letter
/// could not be posted now, the exit code is 75; the next pass tries again. A fault that a person
/// must fix (a wrong password, a missing file, a mistake in club.yaml) has its own exit code. It is
/// reported at once, then once a day, and again if it or club.yaml has changed. When it is fixed, a
/// pass reports that too.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Report what was done, even if all went well.
    #[arg(short, long)]
    verbose: bool,
    /// Print the report as JSON.
    #[arg(long)]
    json: bool,
}

/// The JSON report of a pass.
#[derive(Serialize)]
struct TickReport {
    #[serde(flatten)]
    report: PassReport,
    /// The number of queued letters, without those that wait for a digest.
    waiting: usize,
}

fn open_club_and_run_pass(
    folder: &Path,
    environment: &Environment,
    server: Option<ServerOpener<'_>>,
) -> Result<TickReport, Failure> {
    let mut context = club_folder::open(folder, environment)?;
    SharedClock::new(environment).set_time(&mut context)?;
    let report = run_pass_and_report_silence(&context, environment, server)?;
    process::write_idle_note(&context, &report)?;
    let waiting = process::count_waiting_letters(&context)?;
    let is_renewed = context.store.is_compaction_due(context.now)?;
    drop(context);
    if is_renewed {
        process::compact_store_in_folder(folder, environment.now)?;
    }
    Ok(TickReport { waiting, report })
}

/// Runs a pass. Reports each machine that has not handed in its letters for a long time, because
/// deadlines wait for it.
pub(super) fn run_pass_and_report_silence(
    context: &Context,
    environment: &Environment,
    server: Option<ServerOpener<'_>>,
) -> Result<PassReport, Failure> {
    let mut transport = transports::open_outbound(context, environment)?;
    let mut report = process::run_pass_with_mail_server(context, server, &mut *transport)?;
    for (way, since) in process::silent_transports(context)? {
        let since = format_utc_minute(since);
        let what = format!("deadlines are on hold: no letters were read from {way} since {since}");
        report.troubles.push(what);
    }
    Ok(report)
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    match run_tick(args, call) {
        Err(failure) => report_failure_once_a_day(args, call, failure),
        Ok(exit) => {
            if let Some(alert) = process::take_last_alert(call.folder)? {
                let (at, first) =
                    (format_utc_minute(alert.at), alert.what.lines().next().unwrap_or_default());
                writeln!(call.out, "fixed: {first} (reported on {at})")?;
            }
            Ok(exit)
        }
    }
}

/// Returns the pass's failure, or only its exit code if the failure was reported already. Cron
/// mails all output, so a fault that somebody must mend is reported once a day.
fn report_failure_once_a_day(
    args: &Args,
    call: &Call<'_>,
    failure: Failure,
) -> Result<Exit, Failure> {
    let passes = matches!(failure.exit, Exit::TryAgain | Exit::Disk | Exit::Internal | Exit::Done);
    let watched = args.verbose || args.json || std::io::stderr().is_terminal();
    let is_to_be_told = passes
        || process::record_if_new_alert(call.folder, &failure.to_string(), call.environment.now);
    if is_to_be_told || watched { Err(failure) } else { Ok(failure.exit) }
}

fn run_tick(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let (folder, environment) = (call.folder, call.environment);
    let settings = read_settings(folder)?;
    let server = transports::inbound_server_opener(folder, &settings, environment);
    // After a reported fault only a full pass can show that it is mended, so the quick check is
    // skipped.
    let idle = match process::read_last_alert(folder) {
        Some(_) => IdleOutcome::FullPassNeeded(server),
        None => try_idle_pass(folder, &settings, server, environment.now)?,
    };
    let tick_report = match idle {
        IdleOutcome::Done(report) => TickReport { report, waiting: 0 },
        IdleOutcome::FullPassNeeded(server) => open_club_and_run_pass(folder, environment, server)?,
    };
    if args.json {
        print_json(&tick_report, call.out)?;
    } else if args.verbose || tick_report.report.quarantined > 0 {
        print_report(&tick_report.report, tick_report.waiting, call.out)?;
    }
    failure_of_troubled_pass(&tick_report.report).map_or(Ok(Exit::Done), Err)
}

/// Prints what a pass did, and how many letters are still queued.
pub(super) fn print_report(
    report: &PassReport,
    waiting: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(
        out,
        "{} letters read: {} carried out, {} answered, {} in quarantine; {} reminders; {} posted, \
         {waiting} queued",
        report.letters_read,
        report.carried_out,
        report.answered,
        report.quarantined,
        report.reminders,
        report.posted
    )?;
    if report.conflict_retries > 0 {
        writeln!(
            out,
            "{} commits retried because another worker had changed the data",
            report.conflict_retries
        )?;
    }
    for bounced in &report.bounced {
        writeln!(out, "bounced: {bounced}")?;
    }
    Ok(())
}

/// Returns how a pass with troubles ends, or `None` without troubles. A fault that somebody must
/// mend comes first and sets the exit code.
fn failure_of_troubled_pass(report: &PassReport) -> Option<Failure> {
    let is_mistake =
        |what: &&String| report.lasting_troubles.iter().any(|mistake| mistake.what == **what);
    let mut passing = report.troubles.iter().filter(|what| !is_mistake(what));
    let failure = match report.lasting_troubles.as_slice() {
        [] => Failure::new(Exit::TryAgain, passing.next()?),
        [first, rest @ ..] => {
            let failure = Failure::new(transports::exit_for_fault(first.fault), &first.what);
            let remedy = transports::find_remedy(&first.what).into_iter();
            remedy.chain(rest.iter().map(|more| &*more.what)).fold(failure, Failure::add_hint)
        }
    };
    Some(passing.take(20).fold(failure, |failure, trouble| failure.add_hint(trouble)))
}
