//! Simulates clubs: months of letters in seconds, on a disk and by a post that fail, and judges
//! what is left.
//!
//! `cargo run --release --example simulate -- --seed 1 --seeds 100`. A seed is the same on every
//! machine, but for when sled writes by itself. When something does not hold, what has happened is
//! made as short as it can be and told as a story.

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

/// Simulates clubs on a disk and by a post that fail.
#[derive(Parser)]
struct Args {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds, one after the other.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// How many passes each has, besides those that let all come to rest.
    #[arg(long, default_value_t = 14)]
    passes: u32,
    /// How many letters come between two passes.
    #[arg(long, default_value_t = 9)]
    letters: usize,
    /// How many play from the beginning.
    #[arg(long, default_value_t = 9)]
    members: usize,
    /// The disk says that it has synced what it has not: something must be found.
    #[arg(long)]
    lies: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let size = ScenarioSize { passes: args.passes, letters: args.letters, members: args.members };
    let mut counts = EventCounts::new();
    for seed in args.seed..args.seed + args.seeds {
        let (story, expected) = scenario::compose_scenario(seed, size);
        let outcome = expected.and_then(|expected| match args.lies {
            true => story.play_on_unsyncing_disk(&expected),
            false => story.play_and_check(&expected, &mut counts),
        });
        if let Err(why) = outcome {
            println!("seed {seed}: {why}");
            if !args.lies {
                println!("\n{}", story.describe_shortest_failing());
            }
            return ExitCode::FAILURE;
        }
    }
    print_counts(&counts);
    println!("{} seeds: all holds", args.seeds);
    ExitCode::SUCCESS
}

/// What was met, and what was not.
fn print_counts(counts: &EventCounts) {
    for (what, count) in counts {
        println!("{count:8} {}", what.replace('\n', " / "));
    }
    let is_met = |what: String| counts.contains_key(&what);
    for what in counts.keys().filter(|what| what.starts_with("disk: ")) {
        let is_step = ![" cut", " fails"].iter().any(|end| what.ends_with(end));
        if is_step && !is_met(format!("{what} cut")) {
            println!("never cut: {what}");
        }
    }
    for word in letter_writers::member_lines().filter(|word| !is_met(format!("letter: {word}"))) {
        println!("never written: {}", word.replace('\n', " / "));
    }
}
