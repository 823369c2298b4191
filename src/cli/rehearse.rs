//! `postrider rehearse`: plays whole games by random legal orders or computer players.

use super::bot_figures;
use super::founding_args::{FoundingArgs, founding_failure};
use super::{Call, Exit, Failure, print_json, write_file};
use crate::disk;
use crate::table::{self, RehearsalError, RehearsalMode, Table};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

/// Play whole games by random legal orders or computer players and print statistics.
///
/// The same seed gives the same games. With --export each game is written as one JSON document, in
/// the form of `postrider export`, so that other programs can check the rules.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    founding: FoundingArgs,
    /// The number of players.
    #[arg(long, value_name = "N")]
    pub(super) seats: u8,
    /// The first game's seed; each further game uses the next number.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// The number of games.
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(super) games: u32,
    /// Write each game to DIR/<game>-<seats>-<seed>.json.
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// Let players plan ahead: each letter also holds orders for the situations that may come next.
    #[arg(long)]
    plans: bool,
    /// Give up on a game after this many letters.
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(super) letters: u32,
    /// Let these players play, one for each seat: strong, fair, easy, greedy, first or random.
    ///
    /// The first three are computer players. `greedy` looks one line ahead, and `first` sends the
    /// first line that a letter suggests. The seats rotate from game to game.
    #[arg(long, value_name = "PLAYERS", value_delimiter = ',', conflicts_with = "plans")]
    pub(super) bots: Vec<String>,
    /// Print the statistics as JSON.
    #[arg(long)]
    pub(super) json: bool,
}

/// The statistics of a rehearsal, over all its games.
#[derive(Debug, Default, Serialize)]
struct Figures {
    game: String,
    seats: u8,
    games: u32,
    lines: u64,
    letters: u64,
    events: u64,
    shortest: u32,
    longest: u32,
    shared_wins: u32,
    mean_score: f64,
    seconds: f64,
}

pub(super) fn run(args: &Args, call: &mut Call<'_>) -> Result<Exit, Failure> {
    let chosen = args.founding.choose_game(call.environment.games)?;
    let kind = chosen.kind;
    if let Some(folder) = &args.export {
        disk::create_folder(folder).map_err(|error| Failure::for_path(folder, &error))?;
    }
    if !args.bots.is_empty() {
        return bot_figures::run(args, &chosen, call.out);
    }
    let bar = progress_bar(args.games);
    let began = Instant::now();
    let mut figures = Figures {
        game: kind.id().to_owned(),
        seats: args.seats,
        shortest: u32::MAX,
        ..Figures::default()
    };
    for seed in (args.seed..).take(args.games as usize) {
        let number = u32::try_from(seed).unwrap_or(u32::MAX);
        let manner =
            if args.plans { RehearsalMode::WithPlans } else { RehearsalMode::SingleOrders };
        let played = table::rehearse(chosen.setup(args.seats), number, seed, args.letters, manner)
            .map_err(|why| rehearsal_failure(args, seed, &why))?;
        figures.letters += u64::from(played.letters);
        let game = played.table;
        add_game_to_figures(&mut figures, &game);
        export_game(args, kind.id(), seed, &game)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    figures.seconds = began.elapsed().as_secs_f64();
    print_figures(args, &figures, call.out)?;
    Ok(Exit::Done)
}

/// Writes one game into the folder of `--export`, if there is one.
pub(super) fn export_game(args: &Args, kind: &str, seed: u64, game: &Table) -> Result<(), Failure> {
    let Some(folder) = &args.export else { return Ok(()) };
    let name = format!("{kind}-{}-{seed}.json", args.seats);
    let mut document =
        serde_json::to_vec(&game.export()).map_err(|error| Failure::new(Exit::Internal, error))?;
    document.push(b'\n');
    write_file(&folder.join(name), &document)
}

/// Creates a progress bar for this number of games. It is visible only on a terminal.
pub(super) fn progress_bar(games: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(games.into()).with_style(style)
}

pub(super) fn rehearsal_failure(args: &Args, seed: u64, why: &RehearsalError) -> Failure {
    match why {
        RehearsalError::Open(error) => founding_failure(error, args.seats),
        RehearsalError::Letters(_) => Failure::new(Exit::Found, format!("seed {seed}: {why}"))
            .add_hint("raise --letters, or check whether the rules allow an endless game"),
        RehearsalError::Stuck(_) | RehearsalError::Refused(_) => {
            Failure::new(Exit::Internal, format!("seed {seed}: {why}"))
                .add_hint("this is a bug in the game's rules: please report it with the seed")
        }
    }
}

fn add_game_to_figures(figures: &mut Figures, game: &Table) {
    // The first record is the deal, which no player ordered.
    let lines = game.last_record_number().saturating_sub(1);
    let standings = game.rankings();
    let scores: i64 = standings.iter().map(|standing| standing.score).sum();
    figures.games += 1;
    figures.lines += u64::from(lines);
    figures.events += game.records().iter().map(|record| record.events.len() as u64).sum::<u64>();
    figures.shortest = figures.shortest.min(lines);
    figures.longest = figures.longest.max(lines);
    figures.shared_wins +=
        u32::from(standings.iter().filter(|standing| standing.rank == 1).count() > 1);
    let mean = scores as f64 / standings.len().max(1) as f64;
    figures.mean_score += (mean - figures.mean_score) / f64::from(figures.games);
}

fn print_figures(args: &Args, figures: &Figures, out: &mut dyn Write) -> Result<(), Failure> {
    if args.json {
        return print_json(figures, out);
    }
    let Figures { game, seats, games, shortest, longest, mean_score, seconds, .. } = figures;
    let each = |count: f64| count / f64::from((*games).max(1));
    let (lines, letters) = (each(figures.lines as f64), each(figures.letters as f64));
    let shared_wins = each(100.0 * f64::from(figures.shared_wins));
    writeln!(out, "{game}, {seats} seats: {games} games")?;
    writeln!(out, "  lines a game   {lines:.1} (from {shortest} to {longest})")?;
    writeln!(out, "  letters a game {letters:.1}")?;
    writeln!(out, "  mean score     {mean_score:.1}")?;
    writeln!(out, "  shared wins    {shared_wins:.1} %")?;
    writeln!(out, "  took           {seconds:.2} s")?;
    if let Some(folder) = &args.export {
        writeln!(out, "  exported to    {}", folder.display())?;
    }
    Ok(())
}
