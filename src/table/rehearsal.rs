//! Whole games by random legal play: what bots, benches and fuzzers are fed with.

use super::{Cause, Table, Wish};
use crate::rules::{Dice, OpenError, Seed, Turn};
use chrono::{DateTime, TimeDelta, Utc};

/// Why a rehearsal gave no finished game.
#[derive(Debug, thiserror::Error)]
pub enum Endless {
    /// The game could not be founded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The game did not end in this many lines.
    #[error("the game did not end within {0} lines")]
    Lines(u32),
    /// The game waits for a seat that has nothing legal to do.
    #[error("the game waits for a seat that can do nothing, after record {0}")]
    Stuck(u32),
}

/// Plays one game to its end by random legal orders; the same seed gives the same game.
///
/// # Errors
/// When it cannot be founded, gets stuck, or does not end within `lines_max` lines.
pub fn rehearse(wish: Wish<'_>, number: u32, seed: u64, lines_max: u32) -> Result<Table, Endless> {
    let began = DateTime::<Utc>::UNIX_EPOCH;
    let mut table = Table::found(wish, number, Seed::rehearsal(seed), began)?;
    // The players' chance is not the game's: it comes from a seed of its own.
    let mut chooser = Dice::new(&Seed::rehearsal(!seed), 0);
    for minute in 1..=lines_max {
        let Turn::Awaiting(seats) = table.turn() else { return Ok(table) };
        let stuck = Endless::Stuck(table.head());
        let Some(&seat) = chooser.pick(&seats) else { return Err(stuck) };
        let mut dice = table.dice();
        let Some((line, events)) = table.game.play_at_random(seat, &mut chooser, &mut dice) else {
            return Err(stuck);
        };
        let cause = Cause::Orders { seat, lines: vec![line], letter: None };
        table.append(cause, events, dice.counter(), began + TimeDelta::minutes(minute.into()));
    }
    match table.turn() {
        Turn::Over => Ok(table),
        Turn::Awaiting(_) => Err(Endless::Lines(lines_max)),
    }
}
