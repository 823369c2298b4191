//! `postrider rehearse --bots`: plays tables of computer players and prints their strength.

use super::founding_args::ChosenGame;
use super::rehearse::{Args, export_game, progress_bar, rehearsal_failure};
use super::{Exit, Failure, print_json};
use crate::rules::Seat;
use crate::table::{BotRehearsal, RehearsalPlayer, UnknownPlayer, rehearse_bots, wilson_interval};
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// The results of all games of a rehearsal between given players.
#[derive(Debug, Serialize)]
struct Figures {
    game: String,
    seats: u8,
    games: u32,
    cut_off: u32,
    letters: f64,
    shortest: u32,
    longest: u32,
    first_seat_wins: f64,
    first_seat_interval: [f64; 2],
    players: Vec<PlayerFigures>,
    seconds: f64,
}

/// The results of one player. The percentages of wins divide shared wins among the winners.
#[derive(Debug, Default, Serialize)]
struct PlayerFigures {
    player: String,
    wins: f64,
    interval: [f64; 2],
    mean_score: f64,
    letters: f64,
    decisions: u64,
    mean_milliseconds: f64,
    longest_milliseconds: f64,
}

/// Parses the players of `--bots`. There must be one for each seat.
fn parse_players(args: &Args) -> Result<Vec<RehearsalPlayer>, Failure> {
    let players: Result<Vec<RehearsalPlayer>, UnknownPlayer> =
        args.bots.iter().map(|word| word.trim().parse()).collect();
    let players = players.map_err(|error| Failure::new(Exit::Usage, error))?;
    if players.len() != usize::from(args.seats) {
        let (named, seats) = (players.len(), args.seats);
        let names: Vec<String> = RehearsalPlayer::ALL.map(|one| one.to_string()).into();
        let said = format!("--bots names {named} players, but there are {seats} seats");
        let hint = format!("name one player for each seat: {}", names.join(", "));
        return Err(Failure::new(Exit::Usage, said).add_hint(hint));
    }
    Ok(players)
}

pub(super) fn run(args: &Args, chosen: &ChosenGame, out: &mut dyn Write) -> Result<Exit, Failure> {
    let players = parse_players(args)?;
    let (bar, began) = (progress_bar(args.games), Instant::now());
    let mut figures = Figures {
        game: chosen.kind.id().to_owned(),
        seats: args.seats,
        games: 0,
        cut_off: 0,
        letters: 0.0,
        shortest: u32::MAX,
        longest: 0,
        first_seat_wins: 0.0,
        first_seat_interval: [0.0; 2],
        players: players.iter().map(new_player_figures).collect(),
        seconds: 0.0,
    };
    for (round, seed) in (args.seed..).take(args.games as usize).enumerate() {
        let number = u32::try_from(seed).unwrap_or(u32::MAX);
        let first = round % players.len().max(1);
        let mut seated = players.clone();
        seated.rotate_left(first);
        let setup = chosen.setup(args.seats);
        let clock = || began.elapsed();
        let played = rehearse_bots(setup, number, seed, &seated, args.letters, &clock)
            .map_err(|why| rehearsal_failure(args, seed, &why))?;
        add_game(&mut figures, &played, first);
        export_game(args, chosen.kind.id(), seed, &played.table)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    finish_figures(&mut figures);
    figures.seconds = began.elapsed().as_secs_f64();
    if args.json {
        print_json(&figures, out)?;
    } else {
        print_figures(&figures, out)?;
    }
    Ok(Exit::Done)
}

fn new_player_figures(player: &RehearsalPlayer) -> PlayerFigures {
    PlayerFigures { player: player.to_string(), ..PlayerFigures::default() }
}

/// Adds the sums of one game. `first` is the index of the player in the first seat.
fn add_game(figures: &mut Figures, played: &BotRehearsal, first: usize) {
    let count = figures.players.len().max(1);
    let standings = played.table.rankings();
    let letters: u32 = played.letters.iter().sum();
    figures.games += 1;
    figures.cut_off += u32::from(played.is_cut_off);
    figures.letters += f64::from(letters);
    figures.shortest = figures.shortest.min(letters);
    figures.longest = figures.longest.max(letters);
    figures.first_seat_wins += played.win_share(Seat::new(1));
    for standing in standings {
        let index = standing.seat.index();
        let Some(player) = figures.players.get_mut((index + first) % count) else { continue };
        player.wins += played.win_share(standing.seat);
        player.mean_score += standing.score as f64;
        player.letters += f64::from(played.letters.get(index).copied().unwrap_or_default());
    }
    for (seat, duration) in &played.decisions {
        let Some(player) = figures.players.get_mut((seat.index() + first) % count) else {
            continue;
        };
        let milliseconds = duration.as_secs_f64() * 1_000.0;
        player.decisions += 1;
        player.mean_milliseconds += milliseconds;
        player.longest_milliseconds = player.longest_milliseconds.max(milliseconds);
    }
}

/// Turns the sums into means and percentages.
fn finish_figures(figures: &mut Figures) {
    let games = f64::from(figures.games.max(1));
    figures.letters /= games;
    figures.first_seat_interval = wilson_interval(figures.first_seat_wins, games);
    figures.first_seat_wins *= 100.0 / games;
    for player in &mut figures.players {
        player.interval = wilson_interval(player.wins, games);
        player.wins *= 100.0 / games;
        player.mean_score /= games;
        player.letters /= games;
        player.mean_milliseconds /= player.decisions.max(1) as f64;
    }
}

fn print_figures(figures: &Figures, out: &mut dyn Write) -> Result<(), Failure> {
    let Figures { game, seats, games, letters, shortest, longest, cut_off, .. } = figures;
    writeln!(out, "{game}, {seats} seats: {games} games")?;
    let each = letters / f64::from((*seats).max(1));
    write!(out, "  letters a game {letters:.1} (from {shortest} to {longest}), ")?;
    writeln!(out, "{each:.1} a player")?;
    if *cut_off > 0 {
        writeln!(out, "  cut off        {cut_off}")?;
    }
    let [low, high] = figures.first_seat_interval;
    writeln!(
        out,
        "  first seat     {:.1} % of wins ({low:.1}-{high:.1})",
        figures.first_seat_wins
    )?;
    for player in &figures.players {
        let ([low, high], wins) = (player.interval, player.wins);
        write!(out, "  {:<14} {wins:.1} % of wins ({low:.1}-{high:.1}), ", player.player)?;
        let (mean, most) = (player.mean_milliseconds, player.longest_milliseconds);
        write!(out, "mean score {:.1}, {mean:.1} ms a decision ", player.mean_score)?;
        writeln!(out, "(at most {most:.1})")?;
    }
    writeln!(out, "  took           {:.2} s", figures.seconds)?;
    Ok(())
}
