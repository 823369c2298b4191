//! A club on a database server under load: members write by the thousand, workers carry out and
//! post, and every few seconds one of them is struck. In the end everything that anybody wrote is
//! judged by what was seen when.
//!
//! `cargo run --release --features postgres --example soak -- --minutes 20`, with
//! `POSTRIDER_TEST_POSTGRES` naming a server by a socket of this machine. The club lies in a schema
//! of its own, which is gone afterwards. It wants the program beside it: `cargo build --release
//! --features postgres`.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod failures;
mod history;
mod proxy;
#[path = "../../tests/parts/store/server.rs"]
mod server;
mod soak_club;
mod worker_processes;

use clap::Parser;
use failures::Failures;
use postrider::rules::{Dice, Seed};
use proxy::Proxy;
use soak_club::SoakClub;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use worker_processes::Workers;

/// So long may it take until what was written last is dealt with.
const IDLE_WAIT_MAX: Duration = Duration::from_secs(600);

/// Puts a club on a database server under load, and strikes its workers.
#[derive(Parser)]
struct Args {
    /// How many people play, three to a game.
    #[arg(long, default_value_t = 10_000)]
    members: u32,
    /// For how long they write.
    #[arg(long, default_value_t = 20.0)]
    minutes: f64,
    /// How many letters they write in a second, all together.
    #[arg(long, default_value_t = 25.0)]
    a_second: f64,
    /// How many workers there are, on two machines.
    #[arg(long, default_value_t = 4)]
    workers: usize,
    /// How many seconds pass between two blows.
    #[arg(long, default_value_t = 2.4)]
    every: f64,
    /// For how many seconds the server cannot be reached at the most: one of the blows.
    #[arg(long, default_value_t = 120.0)]
    away: f64,
    /// A command that stops the server at once and starts it again: one of the blows.
    #[arg(long)]
    restart: Option<String>,
    /// What chance comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program, if it is not the one beside this.
    #[arg(long)]
    program: Option<PathBuf>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let Some(schema) = server::Schema::new() else {
        println!("POSTRIDER_TEST_POSTGRES names no server");
        return ExitCode::FAILURE;
    };
    let proxy = Proxy::start(&schema.url());
    let mut club = SoakClub::found_club(&schema.url(), &proxy.proxy_url(), args.members);
    println!("{} games of three", club.game_count());
    let program = args.program.clone().unwrap_or_else(default_program);
    let mut workers = Workers::start(&program, club.machines(), args.workers);
    let [every, away] = [args.every, args.away].map(Duration::from_secs_f64);
    let mut blows = Failures::new(args.restart.clone(), every, away);
    let mut dice = Dice::new(&Seed::from_number(args.seed), 0);

    let (begun, lasts) = (Instant::now(), Duration::from_secs_f64(args.minutes * 60.0));
    let mut written = 0_u32;
    while begun.elapsed() < lasts {
        club.write_letter(&mut dice);
        written += 1;
        blows.inject_when_due(&mut workers, &proxy, &schema, &mut dice);
        let next = Duration::from_secs_f64(f64::from(written) / args.a_second);
        std::thread::sleep(next.saturating_sub(begun.elapsed()));
    }
    let struck = blows.resume_all(&mut workers, &proxy);
    let took = begun.elapsed();
    let is_at_rest = club.wait_until_idle(IDLE_WAIT_MAX);
    let rest = begun.elapsed().saturating_sub(took);
    let told = workers.terminate_all();
    let judged = club.judge();

    println!("{written} letters in {} s, at rest {} s later", took.as_secs(), rest.as_secs());
    println!(
        "workers told of {} letters read, {} commits retried",
        told.read, told.commits_retried
    );
    struck.iter().for_each(|(what, times)| println!("{times:6} times {what}"));
    println!("{}", judged.summary());
    judged.faults.iter().take(50).for_each(|fault| println!("WRONG: {fault}"));
    if !is_at_rest {
        println!("WRONG: it did not come to rest");
    }
    if is_at_rest && judged.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The program, where cargo puts it.
fn default_program() -> PathBuf {
    let own = std::env::current_exe().expect("this program");
    let target = own.parent().and_then(|examples| examples.parent()).expect("a target folder");
    target.join("postrider")
}
