//! Rehearsals of computer players: whole games between players of given kinds.

use super::{Cause, GameSetup, RehearsalError, Table};
use crate::rules::{BotLevel, Dice, DynGame, Ranking, Seat, Seed, Turn};
use chrono::{DateTime, TimeDelta, Utc};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A player of a rehearsal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RehearsalPlayer {
    /// A computer player.
    Bot(BotLevel),
    /// A player whose line gives the best position right after it.
    Greedy,
    /// A player who sends the first line that a letter suggests.
    First,
    /// A player who sends random legal orders.
    Random,
}

impl RehearsalPlayer {
    /// All kinds of players.
    pub const ALL: [Self; 6] = [
        Self::Bot(BotLevel::Strong),
        Self::Bot(BotLevel::Fair),
        Self::Bot(BotLevel::Easy),
        Self::Greedy,
        Self::First,
        Self::Random,
    ];

    /// Returns the lines that this player sends now.
    fn choose_lines(self, game: &dyn DynGame, seat: Seat, dice: &mut Dice) -> Vec<String> {
        let line = match self {
            Self::Bot(level) => return game.choose_lines(seat, level, dice),
            Self::Greedy => game.greedy_line(seat, dice),
            Self::First => game.suggest_lines(seat).into_iter().next().map(|one| one.line),
            Self::Random => game
                .clone_box()
                .play_random_line(seat, dice, &mut dice.clone())
                .map(|(line, _)| line),
        };
        vec![line.unwrap_or_else(|| game.line_for_absent_player(seat))]
    }
}

impl fmt::Display for RehearsalPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bot(level) => level.fmt(f),
            Self::Greedy => f.write_str("greedy"),
            Self::First => f.write_str("first"),
            Self::Random => f.write_str("random"),
        }
    }
}

impl FromStr for RehearsalPlayer {
    type Err = UnknownPlayer;

    fn from_str(word: &str) -> Result<Self, UnknownPlayer> {
        Self::ALL
            .into_iter()
            .find(|player| player.to_string() == word)
            .ok_or_else(|| UnknownPlayer(word.to_owned()))
    }
}

/// The error for a word that names no kind of player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no player {0:?}; the players are strong, fair, easy, greedy, first and random")]
pub struct UnknownPlayer(String);

/// The result of a rehearsal between given players.
pub struct BotRehearsal {
    /// The game. It is over unless it was cut off.
    pub table: Table,
    /// Whether the game was cut off after the maximum number of letters.
    pub is_cut_off: bool,
    /// The number of letters that each seat sent, in seat order.
    pub letters: Vec<u32>,
    /// The duration of each decision, with the seat that made it.
    pub decisions: Vec<(Seat, Duration)>,
}

impl BotRehearsal {
    /// Returns the seat's share of the win: 0 for a loss, 0.5 for a win of two seats.
    pub fn win_share(&self, seat: Seat) -> f64 {
        let standings = self.table.rankings();
        let winners: Vec<&Ranking> = standings.iter().filter(|one| one.rank == 1).collect();
        let has_won = winners.iter().any(|one| one.seat == seat);
        if has_won { 1.0 / winners.len() as f64 } else { 0.0 }
    }
}

/// Plays a whole game between these players, one per seat. Equal seeds give equal games. `clock`
/// returns the time since any fixed moment.
///
/// # Errors
/// The game cannot be founded, gets stuck, or refuses the line of a player.
pub fn rehearse_bots(
    setup: GameSetup<'_>,
    number: u32,
    seed: u64,
    players: &[RehearsalPlayer],
    letters_max: u32,
    clock: &dyn Fn() -> Duration,
) -> Result<BotRehearsal, RehearsalError> {
    let began = DateTime::<Utc>::UNIX_EPOCH;
    let table = Table::found_game(setup, number, Seed::from_number(seed), began)?;
    let letters = vec![0; players.len()];
    let mut game = BotRehearsal { table, is_cut_off: false, letters, decisions: Vec::new() };
    // The players use seeds of their own, so that their choices do not use up the game's random
    // numbers.
    let mut choosers: Vec<Dice> = (1..=players.len() as u64)
        .map(|seat| Dice::new(&Seed::from_number(!seed ^ (seat << 48)), 0))
        .collect();
    for letter in 0..letters_max {
        let Turn::Awaiting(seats) = game.table.turn() else { return Ok(game) };
        let stuck = RehearsalError::Stuck(game.table.last_record_number());
        let Some(&seat) = seats.first() else { return Err(stuck) };
        let (Some(player), Some(chooser)) =
            (players.get(seat.index()), choosers.get_mut(seat.index()))
        else {
            return Err(stuck);
        };
        let start = clock();
        let lines = player.choose_lines(&*game.table.game, seat, chooser);
        game.decisions.push((seat, clock().saturating_sub(start)));
        if let Some(count) = game.letters.get_mut(seat.index()) {
            *count += 1;
        }
        let now = began + TimeDelta::minutes(letter.into());
        let cause = |lines| Cause::Orders { seat, lines, letter: None };
        let played =
            game.table.play_without_letter(seat, &[], |_| lines.clone(), |_| false, cause, now);
        game.table = played.map_err(|_| RehearsalError::Refused(lines.join(", ")))?;
    }
    game.is_cut_off = matches!(game.table.turn(), Turn::Awaiting(_));
    Ok(game)
}

/// Returns the 95 % Wilson interval of the share of games that a player won, in percent.
pub fn wilson_interval(wins: f64, games: f64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let share = wins / games;
    let centre = share + Z * Z / (2.0 * games);
    let spread = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
    let scale = 100.0 / (1.0 + Z * Z / games);
    [(centre - spread) * scale, (centre + spread) * scale]
}
