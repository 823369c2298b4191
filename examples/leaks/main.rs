//! Looks for leaks: clubs in pairs that differ in what one viewer cannot know, to which the same
//! happens; whatever he, who watches and the moderator get must be the same to the byte. And all
//! through whole games, what a seat is told when it asks is held against what it would be told in
//! worlds that look the same to it.
//!
//! `cargo run --release --example leaks -- --seed 1 --seeds 200`. A seed is the same on every
//! machine. It draws a game with options, players, how their letters are made, and who looks.

#![allow(clippy::print_stdout, reason = "it is a command")]

mod command_probes;
mod drawn_setup;
mod game_course;
mod seat_questions;
mod text_diff;
mod twin_club;
mod twin_comparison;
mod twin_letters;
mod whole_game;

use clap::Parser;
use drawn_setup::DrawnSetup;
use postrider::games::GAMES;
use postrider::render::Library;
use postrider::rules::GameKind;
use std::process::ExitCode;
use std::time::Instant;
use twin_comparison::{Counts, CourseSize};

/// From so many seeds on, every value of every option must have been played.
const SEEDS_FOR_ALL_OPTIONS: u64 = 40;

/// Looks for leaks in pairs of clubs.
#[derive(Parser)]
struct Args {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many seeds, one after the other, of each game.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// One game alone, such as paris-connection.
    #[arg(long)]
    game: Option<String>,
    /// At most so many steps before the worlds differ in more than is held at their end.
    #[arg(long, default_value_t = 24)]
    alike: usize,
    /// So many steps after that.
    #[arg(long, default_value_t = 10)]
    steps: usize,
    /// Go on after a leak.
    #[arg(long)]
    go_on: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let kinds: Vec<_> = selected_games(&args).collect();
    let told: Vec<GameResult> = std::thread::scope(|scope| {
        let begun: Vec<_> =
            kinds.iter().map(|kind| scope.spawn(|| check_game(*kind, &args))).collect();
        begun.into_iter().map(|game| game.join().expect("it is played")).collect()
    });
    let (mut counts, mut leaks) = (Counts::new(), 0);
    for (kind, (of_it, of_game, seconds)) in kinds.iter().zip(told) {
        leaks += of_game;
        of_it.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
        println!("{}: {} seeds in {seconds:.0} seconds", kind.id(), args.seeds);
    }
    for (what, count) in &counts {
        println!("{count:10} {what}");
    }
    let missing = unplayed_options(&args, &counts);
    missing.iter().for_each(|what| println!("never: {what}"));
    let is_whole = missing.is_empty() || args.seeds < SEEDS_FOR_ALL_OPTIONS;
    if leaks > 0 || !is_whole {
        println!("{leaks} leaks");
        return ExitCode::FAILURE;
    }
    println!("{} seeds a game: nothing leaks", args.seeds);
    ExitCode::SUCCESS
}

/// What was counted, how often something leaks, and how many seconds it took.
type GameResult = (Counts, usize, f64);

fn check_game(kind: &'static dyn GameKind, args: &Args) -> GameResult {
    let size = CourseSize { alike: args.alike, steps: args.steps, checks_every_pass: true };
    let (mut counts, mut leaks) = (Counts::new(), 0);
    let began = Instant::now();
    let library = Library::embedded().expect("the words are in the binary");
    for seed in args.seed..args.seed + args.seeds {
        let lot = DrawnSetup::draw(kind, seed);
        let told = seat_questions::check_questions(&lot, &library, &mut counts)
            .and_then(|()| twin_comparison::check_twins(&lot, size, &mut counts));
        let Err(difference) = told else { continue };
        println!("{difference}");
        leaks += 1;
        if !args.go_on {
            break;
        }
    }
    (counts, leaks, began.elapsed().as_secs_f64())
}

fn selected_games(args: &Args) -> impl Iterator<Item = &'static dyn GameKind> {
    GAMES.iter().copied().filter(|kind| args.game.as_ref().is_none_or(|id| kind.id() == id))
}

/// The values of options that were never played.
fn unplayed_options(args: &Args, counts: &Counts) -> Vec<String> {
    let all = selected_games(args).flat_map(|kind| {
        let named = |(name, value)| format!("{}: option {name}={value}", kind.id());
        drawn_setup::option_choices(kind).into_iter().map(named)
    });
    all.filter(|what| !counts.contains_key(what)).collect()
}
