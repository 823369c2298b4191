//! Helpers of the benchmarks that run the program as separate processes.

#![allow(dead_code, reason = "each bench uses its own part of it")]

use chrono::{DateTime, Utc};
use postrider::mail::transport::{OutgoingMessage, PostError, Transport};
use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// The unit of processor times in `/proc`.
const CLOCK_TICK: Duration = Duration::from_millis(10);

/// A transport that accepts every letter and drops it.
pub struct NullTransport;

impl Transport for NullTransport {
    fn post(&mut self, _: &OutgoingMessage<'_>) -> Result<(), PostError> {
        Ok(())
    }

    fn letters_per_save(&self) -> usize {
        1_000
    }
}

pub fn start_time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_767_636_000, 0).expect("a time")
}

/// Returns the number of bytes that this process and its ended children have passed to write calls.
pub fn bytes_written() -> u64 {
    let text = std::fs::read_to_string("/proc/self/io").expect("the system tells");
    let line = text.lines().find_map(|line| line.strip_prefix("wchar: "));
    line.and_then(|line| line.parse().ok()).expect("a number")
}

#[allow(clippy::print_stdout, reason = "a bench says what it measured")]
pub fn print_line(what: &str) {
    println!("{what}");
}

/// The cost of one command: the means of all runs, except for memory, which is the maximum.
pub struct Measurement {
    pub what: &'static str,
    pub processor: Duration,
    pub took: Duration,
    pub kibibytes: u64,
    pub written: u64,
}

/// Measures a command by running it `rounds` times, each time as a new process.
pub fn measure_program(
    what: &'static str,
    rounds: u32,
    mut command: impl FnMut(u32) -> Command,
) -> Measurement {
    let (mut kibibytes, mut took) = (0, Duration::ZERO);
    let (mut processor, mut written) = (Duration::ZERO, 0);
    for round in 0..rounds {
        let mut command = command(round);
        let before = (child_processor_time(), bytes_written());
        let began = Instant::now();
        let mut child = command.spawn().expect("it runs");
        kibibytes = kibibytes.max(peak_memory(&mut child));
        assert!(child.wait().expect("it ends").success(), "{what}: {command:?}");
        took += began.elapsed();
        processor += child_processor_time().saturating_sub(before.0);
        written += bytes_written().saturating_sub(before.1);
    }
    let of = |all: Duration| all / rounds;
    let (processor, took) = (of(processor), of(took));
    Measurement { what, processor, took, kibibytes, written: written / u64::from(rounds) }
}

/// Waits for a process to end. Returns the most memory that it used, in KiB, or 0 on systems other
/// than Linux.
fn peak_memory(child: &mut Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("it can be asked").is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak = peak.max(now.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    peak
}

/// Returns the processor time of all ended child processes.
fn child_processor_time() -> Duration {
    let text = fs::read_to_string("/proc/self/stat").expect("the system tells");
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks: u32 = fields.skip(13).take(2).filter_map(|ticks| ticks.parse::<u32>().ok()).sum();
    CLOCK_TICK * ticks
}

/// Prints the costs for all club sizes, with the ratio of processor time to the first size.
pub fn print_table(clubs: &[(u32, Vec<Measurement>)]) {
    let Some((_, first)) = clubs.first() else { return };
    print_line("| | games | processor ms | times | took ms | MiB | MB written |");
    print_line("|---|---|---|---|---|---|---|");
    for (at, least) in first.iter().enumerate() {
        for (games, measures) in clubs {
            let Measurement { what, processor, took, kibibytes, written } = &measures[at];
            let times = processor.as_secs_f64() / least.processor.as_secs_f64().max(0.001);
            print_line(&format!(
                "| {what} | {games} | {:.0} | {times:.1} | {:.0} | {} | {:.2} |",
                to_milliseconds(*processor),
                to_milliseconds(*took),
                kibibytes >> 10,
                *written as f64 / 1e6,
            ));
        }
    }
}

fn to_milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
