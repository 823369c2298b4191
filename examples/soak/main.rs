//! A load test of a club on a database server. Simulated members write thousands of letters, and
//! several workers process them. Every few seconds a worker, a connection or the server fails. At
//! the end, the logs and the sent letters are checked against the times at which each letter was
//! written and seen.
//!
//! ```text
//! cargo build --release --features postgres
//! cargo run --release --features postgres --example soak -- --minutes 20
//! ```
//!
//! `POSTRIDER_TEST_POSTGRES` must be the URL of a server on a Unix socket of this machine. The club
//! uses its own schema, which is dropped at the end.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod failures;
mod history;
mod proxy;
#[path = "../../tests/parts/store/server.rs"]
mod server;
mod soak_club;
mod worker_processes;

use clap::Parser;
use failures::FailureInjector;
use postrider::rules::{Dice, Seed};
use proxy::Proxy;
use soak_club::SoakClub;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use worker_processes::Workers;

/// The time limit for processing the letters that are pending when the load ends.
const IDLE_WAIT_MAX: Duration = Duration::from_secs(600);

/// Puts a club on a database server under load while its workers, connections and server fail.
#[derive(Parser)]
struct Args {
    /// The number of members. Three play each game.
    #[arg(long, default_value_t = 10_000)]
    members: u32,
    /// The duration of the load, in minutes.
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// The number of letters per second that all members write together.
    #[arg(long, default_value_t = 25.0)]
    a_second: f64,
    /// The number of workers, on two simulated machines.
    #[arg(long, default_value_t = 4)]
    workers: usize,
    /// The number of seconds between two failures.
    #[arg(long, default_value_t = 2.4)]
    every: f64,
    /// The longest outage of the server, in seconds.
    #[arg(long, default_value_t = 120.0)]
    away: f64,
    /// A shell command that stops the server immediately and starts it again, as one of the
    /// failures.
    #[arg(long)]
    restart: Option<String>,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The `postrider` program. Default: the one that cargo built next to this example.
    #[arg(long)]
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(schema) = server::Schema::new() else {
        println!("POSTRIDER_TEST_POSTGRES is not set");
        return ExitCode::FAILURE;
    };
    let proxy = Proxy::start(&schema.url());
    let mut club = SoakClub::found_club(&schema.url(), &proxy.proxy_url(), args.members);
    println!("{} games with three players each", club.game_count());
    let program = args.program.clone().unwrap_or_else(default_program);
    let mut workers = Workers::start(&program, club.machines(), args.workers);
    let [every, away] = [args.every, args.away].map(Duration::from_secs_f64);
    let mut failures = FailureInjector::new(args.restart.clone(), every, away);
    let mut dice = Dice::new(&Seed::from_number(args.seed), 0);

    let (begun, lasts) = (Instant::now(), Duration::from_secs_f64(args.minutes * 60.0));
    let mut written = 0_u32;
    while begun.elapsed() < lasts {
        club.write_letter(&mut dice);
        written += 1;
        failures.inject_when_due(&mut workers, &proxy, &schema, &mut dice);
        let next = Duration::from_secs_f64(f64::from(written) / args.a_second);
        std::thread::sleep(next.saturating_sub(begun.elapsed()));
    }
    let failure_counts = failures.resume_all(&mut workers, &proxy);
    let took = begun.elapsed();
    let is_idle = club.wait_until_idle(IDLE_WAIT_MAX);
    let rest = begun.elapsed().saturating_sub(took);
    let totals = workers.terminate_all();
    let judged = club.judge();

    println!("{written} letters in {} s, all processed {} s later", took.as_secs(), rest.as_secs());
    println!(
        "the workers report {} letters read and {} commits retried",
        totals.read, totals.commits_retried
    );
    failure_counts.iter().for_each(|(what, times)| println!("{times:6} times {what}"));
    println!("{}", judged.summary());
    judged.faults.iter().take(50).for_each(|fault| println!("WRONG: {fault}"));
    if !is_idle {
        println!("WRONG: letters or turns of bots are still pending");
    }
    if is_idle && judged.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the path at which cargo puts the program.
fn default_program() -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let target = own.parent().and_then(|examples| examples.parent()).expect("a target folder");
    target.join("postrider")
}
