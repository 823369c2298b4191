//! `postrider work`: runs pass after pass, for a club on a server.

use super::club_folder::SharedClock;
use super::{Call, Exit, Failure, tick, transports};
use crate::process::{self, read_settings};
use crate::store::SharedStore;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The interval between checks of deadlines, reminders and the outbox.
const PASS_INTERVAL: Duration = Duration::from_secs(10);
/// The interval between fetches from the mail server.
const FETCH_INTERVAL: Duration = Duration::from_secs(60);
/// The interval at which this worker reports to the others that it is at work.
const ENLIST_INTERVAL: Duration = Duration::from_secs(5);
/// The longest pause after a failure.
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// The longest time that a worker sleeps before it checks whether it was told to stop.
const STOP_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Work for a club on a database server until told to stop.
///
/// Any number of workers can serve one club, on any number of machines. Each reads the letters that
/// arrive in its own folder, carries out what no other worker is doing, and posts letters. It does
/// what `tick` does, and `tick` may run at the same time. On SIGTERM or SIGINT it finishes what it
/// has begun. If it is killed, the other workers continue its work. While the server is
/// unreachable, it waits and retries.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The seconds between checks for new letters.
    #[arg(long, value_name = "SECONDS", default_value_t = 2,
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
    /// Report what each pass did.
    #[arg(short, long)]
    verbose: bool,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    if read_settings(call.folder)?.is_store_in_folder() {
        let what = "this club's store is in its folder, where only one pass can run at a time";
        return Err(Failure::new(Exit::Settings, what).add_hint("let cron run `postrider tick`"));
    }
    let (stop, clock) = (register_stop_signals()?, SharedClock::new(call.environment));
    let mut pause = STOP_CHECK_INTERVAL;
    while !stop.load(Ordering::Relaxed) {
        let begun = Instant::now();
        match work_until_stopped(args, call, &clock, &stop) {
            Ok(()) => break,
            Err(failure) if failure.exit == Exit::TryAgain => {
                writeln!(call.out, "{failure}")?;
                call.out.flush()?;
                // After a long time without failures, the first retry is immediate.
                pause = if begun.elapsed() > PAUSE_MAX {
                    STOP_CHECK_INTERVAL
                } else {
                    (pause * 2).min(PAUSE_MAX)
                };
                sleep_until_stopped(pause, &stop);
            }
            Err(failure) => return Err(failure),
        }
    }
    Ok(Exit::Done)
}

/// Runs passes until told to stop. Returns the first failure.
fn work_until_stopped(
    args: &Args,
    call: &mut Call<'_>,
    clock: &SharedClock,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    let (mut context, out) = (call.open()?, &mut *call.out);
    let (mut enlisted, mut whole, mut fetched) = (None, None, None);
    let mut troubles: Vec<String> = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        clock.set_time(&mut context)?;
        if has_interval_passed(&mut enlisted, ENLIST_INTERVAL) {
            context.store.as_shared().map_or(Ok(0), SharedStore::register_worker)?;
        }
        let is_due = has_interval_passed(&mut whole, PASS_INTERVAL);
        if !is_due && !process::has_pending_letters(&context)? {
            sleep_until_stopped(Duration::from_secs(args.every), stop);
            continue;
        }
        let fetches = is_due && has_interval_passed(&mut fetched, FETCH_INTERVAL);
        let server = || {
            transports::inbound_server_opener(&context.folder, &context.settings, call.environment)
        };
        let server = if fetches { server() } else { None };
        let report = tick::run_pass_and_report_silence(&context, call.environment, server)?;
        if args.verbose && (report.letters_read > 0 || report.posted > 0) {
            tick::print_report(&report, process::count_waiting_letters(&context)?, out)?;
        }
        let new = report.troubles.iter().filter(|trouble| !troubles.contains(*trouble));
        new.into_iter().try_for_each(|trouble| writeln!(out, "{trouble}"))?;
        out.flush()?;
        troubles = report.troubles;
        if report.letters_read == 0 {
            sleep_until_stopped(Duration::from_secs(args.every), stop);
        }
    }
    Ok(())
}

/// Returns `true` if `every` has passed since `last` or `last` is `None`, and then sets `last` to
/// now.
fn has_interval_passed(last: &mut Option<Instant>, every: Duration) -> bool {
    let is = last.is_none_or(|last| last.elapsed() >= every);
    if is {
        *last = Some(Instant::now());
    }
    is
}

fn sleep_until_stopped(pause: Duration, stop: &AtomicBool) {
    let begun = Instant::now();
    while begun.elapsed() < pause && !stop.load(Ordering::Relaxed) {
        sleep(STOP_CHECK_INTERVAL.min(pause));
    }
}

/// Returns a flag that SIGTERM or SIGINT sets.
#[cfg(feature = "postgres")]
fn register_stop_signals() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(&stop))
            .map_err(|error| Failure::new(Exit::Internal, error))?;
    }
    Ok(stop)
}

#[cfg(not(feature = "postgres"))]
#[allow(clippy::unnecessary_wraps, reason = "with a server it may fail")]
fn register_stop_signals() -> Result<Arc<AtomicBool>, Failure> {
    Ok(Arc::default())
}
