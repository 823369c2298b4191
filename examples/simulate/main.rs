//! Simulates clubs: months of letters in seconds, with a disk and a mail transport that fail.
//! Afterwards it checks that nothing was lost or changed.
//!
//! `cargo run --release --example simulate -- --seed 1 --seeds 100`. A seed draws the same scenario
//! on every machine, except that sled writes to disk at varying times. If a check fails, the
//! example shortens the scenario as far as it still fails, and prints it.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod failing_disk;
mod invariants;
mod letter_writers;
mod posted_letters;
mod rules_model;
mod scenario;
mod simulated_club;

use clap::Parser;
use scenario::{EventCounts, ScenarioSize};
use std::process::ExitCode;

/// Simulates clubs with a disk and a mail transport that fail.
#[derive(Parser)]
struct Args {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of seeds. Each draws one scenario.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// The number of passes of each scenario, without those at its end that finish all work.
    #[arg(long, default_value_t = 14)]
    passes: u32,
    /// The number of letters that arrive between two passes.
    #[arg(long, default_value_t = 9)]
    letters: usize,
    /// The number of members at the beginning.
    #[arg(long, default_value_t = 9)]
    members: usize,
    /// Simulate a disk that ignores syncs but reports success. The run must then fail.
    #[arg(long)]
    lies: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let size = ScenarioSize { passes: args.passes, letters: args.letters, members: args.members };
    let mut counts = EventCounts::new();
    for seed in args.seed..args.seed + args.seeds {
        let (scenario, expected) = scenario::compose_scenario(seed, size);
        let outcome = expected.and_then(|expected| match args.lies {
            true => scenario.play_on_unsyncing_disk(&expected),
            false => scenario.play_and_check(&expected, &mut counts),
        });
        if let Err(why) = outcome {
            println!("seed {seed}: {why}");
            if !args.lies {
                println!("\n{}", scenario.describe_shortest_failing());
            }
            return ExitCode::FAILURE;
        }
    }
    print_counts(&counts);
    println!("{} seeds: no check failed", args.seeds);
    ExitCode::SUCCESS
}

/// Prints the number of times that each event happened, then the disk steps and commands that no
/// scenario reached.
fn print_counts(counts: &EventCounts) {
    for (what, count) in counts {
        println!("{count:8} {}", what.replace('\n', " / "));
    }
    let is_met = |what: String| counts.contains_key(&what);
    for what in counts.keys().filter(|what| what.starts_with("disk: ")) {
        let is_step = ![" cut", " fails"].iter().any(|end| what.ends_with(end));
        if is_step && !is_met(format!("{what} cut")) {
            println!("no power cut after: {what}");
        }
    }
    for word in letter_writers::member_lines().filter(|word| !is_met(format!("letter: {word}"))) {
        println!("never written: {}", word.replace('\n', " / "));
    }
}
