//! Measures how strong the computer players are: games with fixed seeds against weaker players,
//! with the goal for each row. The players change seats from game to game.
//!
//! `cargo bench --bench strength` plays every row in full, which takes hours. With a number as its
//! argument, it plays a fraction: a tenth of the games with `-- 10`. With words, it plays only the
//! rows that contain all of them: `-- off-the-rails strong,fair`. It fails if a row is certainly
//! below its goal, that is, if the 95 % interval ends below it. With `--test`, it only checks that
//! a row can be played.

use postrider::games::find_kind;
use postrider::rules::Seat;
use postrider::table::{GameSetup, RehearsalPlayer, rehearse_bots, wilson_interval};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A table of players, and the percentage of games that the first of them should win.
struct Row {
    game: &'static str,
    players: &'static str,
    games: u32,
    goal: f64,
}

const fn row(game: &'static str, players: &'static str, games: u32, goal: f64) -> Row {
    Row { game, players, games, goal }
}

/// The rows, the quickest first. A player who is as strong as the others wins 33 % of a table of
/// three and 50 % of a table of two.
const ROWS: [Row; 14] = [
    row("trick-of-the-rails", "easy,random,random", 600, 75.0),
    row("trick-of-the-rails", "fair,random,random", 600, 84.0),
    row("trick-of-the-rails", "fair,easy,easy", 600, 37.0),
    row("trick-of-the-rails", "strong,random,random", 600, 90.0),
    row("trick-of-the-rails", "strong,random,random,random", 600, 68.0),
    row("trick-of-the-rails", "strong,fair,fair", 600, 37.0),
    row("paris-connection", "easy,first,first", 200, 34.0),
    row("off-the-rails", "fair,easy", 600, 54.0),
    row("off-the-rails", "strong,first", 200, 65.0),
    row("off-the-rails", "strong,fair", 600, 54.0),
    row("off-the-rails", "strong", 200, 90.0),
    row("paris-connection", "fair,easy,easy", 200, 37.0),
    row("paris-connection", "strong,fair,fair", 200, 37.0),
    row("paris-connection", "strong,greedy,greedy", 200, 60.0),
];

/// A game that takes more letters is cut off, and counts as lost.
const LETTERS_MAX: u32 = 500;

/// The result of a row: the wins of the first player, and the time of its decisions.
#[derive(Default)]
struct Tally {
    wins: f64,
    decisions: u32,
    thinking: Duration,
    longest: Duration,
    cut_off: u32,
}

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.iter().any(|argument| argument == "--test") {
        play_row(&Row { games: 1, ..ROWS[0] });
        return ExitCode::SUCCESS;
    }
    let divisor = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(1);
    let is_asked = |row: &Row| {
        let words = arguments.iter().filter(|argument| argument.parse::<u32>().is_err());
        words.into_iter().all(|word| row.game == word || row.players == word)
    };
    let mut out = std::io::stdout();
    let head = "wins of the first player (95 % interval), goal, milliseconds (mean, longest)";
    writeln!(out, "{head}").expect("printed");
    let mut failed = 0;
    for row in ROWS.into_iter().filter(is_asked) {
        let games = row.games / divisor;
        let row = Row { games, ..row };
        let tally = play_row(&row);
        let [from, to] = wilson_interval(tally.wins, f64::from(games));
        let is_below = to < row.goal;
        failed += u32::from(is_below);
        let mean = tally.thinking.as_secs_f64() * 1_000.0 / f64::from(tally.decisions.max(1));
        writeln!(
            out,
            "{:18} {:28} {:5.1} % ({from:4.1}-{to:5.1}) of {games}, goal {} %, {mean:.1} ms, \
             {} ms, {} cut off{}",
            row.game,
            row.players,
            100.0 * tally.wins / f64::from(games),
            row.goal,
            tally.longest.as_millis(),
            tally.cut_off,
            if is_below { ": BELOW ITS GOAL" } else { "" },
        )
        .expect("printed");
    }
    if failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn play_row(row: &Row) -> Tally {
    let kind = find_kind(row.game).expect("it ships");
    let options = BTreeMap::new();
    let players: Vec<RehearsalPlayer> =
        row.players.split(',').map(|word| word.parse().expect("a player")).collect();
    let seats = u8::try_from(players.len()).expect("few");
    let began = Instant::now();
    let play = |seed: u32| {
        let first = seed as usize % players.len();
        let mut seated = players.clone();
        seated.rotate_right(first);
        let own = Seat::all(seats).nth(first).expect("a seat");
        let definition = kind.shipped_definition();
        let setup = GameSetup { kind, definition, options: &options, seats };
        let clock = || began.elapsed();
        let played = rehearse_bots(setup, seed, seed.into(), &seated, LETTERS_MAX, &clock)
            .expect("it can be played");
        let wins = if played.is_cut_off { 0.0 } else { played.win_share(own) };
        let mut tally = Tally { wins, cut_off: played.is_cut_off.into(), ..Tally::default() };
        for (_, time) in played.decisions.iter().filter(|(seat, _)| *seat == own) {
            tally.decisions += 1;
            tally.thinking += *time;
            tally.longest = tally.longest.max(*time);
        }
        tally
    };
    (1..=row.games)
        .into_par_iter()
        .map(play)
        .reduce(Tally::default, |tally, more| tally.plus(&more))
}

impl Tally {
    fn plus(self, other: &Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            decisions: self.decisions + other.decisions,
            thinking: self.thinking + other.thinking,
            longest: self.longest.max(other.longest),
            cut_off: self.cut_off + other.cut_off,
        }
    }
}
