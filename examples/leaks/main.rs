//! Searches for leaks of hidden information in two ways. First, it runs pairs of clubs whose games
//! differ only in what one viewer cannot know. Everything that the viewer, the observer and the
//! moderator get must be equal, byte by byte. Second, at positions throughout whole games, it
//! compares the answers to a seat with those in other worlds that the seat cannot tell apart.
//!
//! `cargo run --release --example leaks -- --seed 1 --seeds 200`. A seed gives equal results on
//! every machine. It draws a game with options, its players, the format of their letters, and the
//! viewer.

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
use twin_comparison::{BOT_TURNS, Counts, CourseSize};

/// The number of seeds from which on every value of every option must have been played.
const SEEDS_FOR_ALL_OPTIONS: u64 = 40;
/// The number of seeds of all games from which on a bot must have played for an absent player.
const SEEDS_FOR_BOTS: u64 = 12;

/// Searches for leaks of hidden information in pairs of clubs.
#[derive(Parser)]
struct Args {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of seeds for each game.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Check only this game, such as `paris-connection`.
    #[arg(long)]
    game: Option<String>,
    /// The largest number of first steps that have equal orders in both clubs.
    #[arg(long, default_value_t = 24)]
    alike: usize,
    /// The number of steps after those.
    #[arg(long, default_value_t = 10)]
    steps: usize,
    /// Continue after a leak.
    #[arg(long)]
    go_on: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let kinds: Vec<_> = selected_games(&args).collect();
    let results: Vec<GameResult> = std::thread::scope(|scope| {
        let begun: Vec<_> =
            kinds.iter().map(|kind| scope.spawn(|| check_game(*kind, &args))).collect();
        begun.into_iter().map(|game| game.join().expect("it is played")).collect()
    });
    let (mut counts, mut leaks) = (Counts::new(), 0);
    for (kind, (of_it, of_game, seconds)) in kinds.iter().zip(results) {
        leaks += of_game;
        of_it.into_iter().for_each(|(what, count)| *counts.entry(what).or_default() += count);
        println!("{}: {} seeds in {seconds:.0} seconds", kind.id(), args.seeds);
    }
    for (what, count) in &counts {
        println!("{count:10} {what}");
    }
    let mut missing = unplayed_options(&args, &counts);
    missing.retain(|_| args.seeds >= SEEDS_FOR_ALL_OPTIONS);
    let has_bots = args.game.is_none() && args.seeds >= SEEDS_FOR_BOTS;
    if has_bots && counts.get(BOT_TURNS).is_none_or(|turns| *turns == 0) {
        missing.push(BOT_TURNS.to_owned());
    }
    missing.iter().for_each(|what| println!("never played: {what}"));
    if leaks > 0 || !missing.is_empty() {
        println!("{leaks} leaks");
        return ExitCode::FAILURE;
    }
    println!("{} seeds per game: no leak found", args.seeds);
    ExitCode::SUCCESS
}

/// The counts, the number of leaks, and the duration in seconds.
type GameResult = (Counts, usize, f64);

fn check_game(kind: &'static dyn GameKind, args: &Args) -> GameResult {
    let size = CourseSize { alike: args.alike, steps: args.steps, checks_every_pass: true };
    let (mut counts, mut leaks) = (Counts::new(), 0);
    let began = Instant::now();
    let library = Library::embedded().expect("the words are in the binary");
    for seed in args.seed..args.seed + args.seeds {
        let drawn = DrawnSetup::draw(kind, seed);
        let outcome = seat_questions::check_questions(&drawn, &library, &mut counts)
            .and_then(|()| twin_comparison::check_twins(&drawn, size, &mut counts));
        let Err(difference) = outcome else { continue };
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

/// Returns the values of options that no seed has played.
fn unplayed_options(args: &Args, counts: &Counts) -> Vec<String> {
    let all = selected_games(args).flat_map(|kind| {
        let named = |(name, value)| format!("{}: option {name}={value}", kind.id());
        drawn_setup::option_choices(kind).into_iter().map(named)
    });
    all.filter(|what| !counts.contains_key(what)).collect()
}
